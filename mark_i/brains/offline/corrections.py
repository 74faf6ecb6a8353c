"""What the person says during a run changes what is left of it: more to do, less, or something else.

What is new is done next, or after all the rest if it begins with "then".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Final

from mark_i.brains.offline.instructions import Instruction, NotUnderstood, Pause, Press, Talk, Type, parse_instructions
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import VERB, mask, pieces

DONE_BEFORE: Final = "it was done before you said so"
NOT_LEFT: Final = "nothing that is left to do is that"

_ASIDE: Final = r"no|nope|wait|stop|sorry|oops|oh|ah|hold\s+on|hey|ok|okay"
_LEAD: Final = re.compile(
    rf"\s*(?:(?:(?:{_ASIDE})(?:\s+(?:{_ASIDE}))*\s*[,.!:;\u2013\u2014-]+|no(?=\s)(?!\s+need)|actually,?|please,?|i\s+meant?[,:]?)\s+)*",
    re.IGNORECASE,
)
_LAST_LEAD: Final = re.compile(
    r"\s*(?:and\s+)?(?:then|after(?:wards|\s+(?:that|this|it|all))|finally|lastly|(?:at|in)\s+the\s+(?:very\s+)?end"
    r"|(?:don't|do\s+not)\s+forget\s+to|remember\s+to"
    r"|(?:when|once)\s+(?:you\s+are|you're|that\s+is|that's)\s+(?:done|finished|ready))\b[\s,:]*",
    re.IGNORECASE,
)
_LAST_TAIL: Final = re.compile(
    r"[\s,]+(?:(?:at|in)\s+the\s+(?:very\s+)?end|afterwards|after\s+(?:that|this|all)|when\s+you(?:\s+a|')re\s+done)\Z",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"[\s,]+(?:now(?=\s*\Z|\s+and)|(?:and\s+(?:then\s+)?)?(?:carry\s+on|go\s+on|continue)"
    r"|(?<!the\s)first|please|thanks|thank\s+you|ok(?:ay)?)\Z",
    re.IGNORECASE,
)
_NO: Final = re.compile(r"no\s+(?P<old>[^,.;!]+?)(?:,?\s+please)?(?:\s*[,.;!].*)?", re.IGNORECASE)
_TAKEN_BACK: Final = re.compile(
    r"(?:undo|take\s+back|revert)\s+(?:that|it|this|the\s+last\s+\w+)|take\s+(?:that|it|this|that\s+last\s+\w+|the\s+last\s+\w+)\s+back",
    re.IGNORECASE,
)
# What was typed last, named with or without the words that say so
_TYPED_LAST: Final = re.compile(
    rf"(?:(?:{_TAKEN_BACK.pattern})\s*[,:;.]?\s+(?:and\s+)?)?(?:undo|take\s+back|delete|remove|erase|revert)\s+(?P<old>.+?)"
    r"(?P<typed>\s+(?:(?:that|which)\s+)?you(?:'ve|\s+have)?(?:\s+just)?\s+(?:typed|wrote|written|entered|put|added)"
    r"(?:\s+(?:just\s+now|there|in|already))*)?(?:\s+again)?",
    re.IGNORECASE,
)
# How people say that a text is to be typed
_TEXT: Final = re.compile(
    r"(?:put|add|insert|write|say|append)\s+(?P<line>(?:a|another|one\s+more)\s+(?:new\s+)?line\s*)?(?:the\s+\w+\s+)?"
    r"(?:saying|that\s+says|with)?\s*(?P<text>[\x02\x03]+)(?P<own>\s+on\s+(?:its|a\s+new)\s+(?:own\s+)?line)?",
    re.IGNORECASE,
)
_UNQUOTED: Final = re.compile(
    r"(?:put|add|insert|write|append)\s+(?P<line>(?:a|another|one\s+more)\s+(?:new\s+)?line\s+)?(?:(?:a|the)\s+\w+\s+)?"
    r"(?:saying|that\s+says|which\s+says|that\s+reads|reading)[\s:]+(?P<text>[^\x02\x03\x04]+)",
    re.IGNORECASE,
)
_OR: Final = re.compile(r"\s*,?\s+(?:n?or|and)\s+", re.IGNORECASE)
_BUT: Final = re.compile(r"\s*[,;]?\s+but\s+(?:rather\s+)?", re.IGNORECASE)
_LEFT_OUT: Final = re.compile(
    r"(?:don't|dont|do\s+not|never|skip|leave\s+out|omit|drop|remove|delete|take\s+out|scratch|forget(?:\s+about)?|no\s+need\s+to"
    r"|you\s+(?:(?:don't|do\s+not)\s+(?:have|need)\s+to|needn't|shouldn't|should\s+not|must\s+not|mustn't))"
    r"\s+(?:do\s+)?(?P<old>.+)",
    re.IGNORECASE,
)
_NEW: Final = r"(?:use\s+|take\s+|make\s+it\s+|it\s+is\s+|it's\s+)?(?P<new>.+?)"
_REPLACED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"instead\s+of\s+(?P<old>.+?)\s*,\s*(?P<new>.+)",
        r"instead\s+of\s+(?P<old>.+?)\s+(?P<new>(?:write|type|enter|use|put|press|click)\s+.+)",
        r"not\s+(?P<old>.+?)\s*[,;]?\s+but\s+(?:rather\s+)?(?P<new>.+)",
        r"not\s+(?P<old>[^,;]+?)\s*[,;]\s*(?P<new>.+)",
        rf"{_NEW}\s*,?\s+(?:instead\s+of|rather\s+than|in\s+place\s+of)\s+(?P<old>.+)",
        rf"{_NEW}\s*,\s*(?:and\s+)?not\s+(?P<old>.+)",
        r"(?:change|replace|swap)\s+(?P<old>.+?)\s+(?:to|with|by|into|for)\s+(?P<new>.+)",
        rf"{_NEW}\s*,?\s+instead(?P<old>)",
    )
)
_ENDED: Final = re.compile(r"(?:stop|end|finish)\s+(?:right\s+)?(?:after|when|once)\s+(?P<last>.+)", re.IGNORECASE)
_ALSO: Final = re.compile(rf"\s*,?\s+and\s+(?=(?:{_LAST_LEAD.pattern}|{_LEFT_OUT.pattern}))", re.IGNORECASE)
_PLACED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<side>before|after)\s+(?P<old>[^,]+?)\s*,\s*(?P<new>.+)",
        r"(?P<side>before|after)\s+(?P<old>.+?)\s+(?:also\s+)?(?P<new>(?:also\s+)?[a-z-]+\s.+)",
        r"(?P<new>.+?)\s+(?P<side>before|after)\s+(?P<old>.+)",
    )
)
_NUMBERED: Final = re.compile(r"(?:the\s+)?(?:step|instruction)\s+(\d+)", re.IGNORECASE)
_NEXT: Final = re.compile(r"it|that|this|so|(?:the\s+next|this|that)\s+(?:one|step|instruction|part)", re.IGNORECASE)
_LAST: Final = re.compile(r"the\s+last\s+(?:one|step|instruction|part)", re.IGNORECASE)
_REST: Final = re.compile(r"(?:all\s+)?the\s+rest|(?:any|every)thing(?:\s+(?:else|more))?", re.IGNORECASE)
_FILLERS: Final = frozenset(
    {
        "the",
        "a",
        "an",
        "it",
        "that",
        "this",
        "some",
        "line",
        "lines",
        "step",
        "part",
        "text",
        "word",
        "words",
        "you",
        "i",
        "please",
    }
)
_TYPING: Final = frozenset({"type", "typing", "write", "writing", "put", "putting", "enter", "add", "adding"})
_ALL: Final = frozenset({"any", "anything", "all"})


@dataclass(slots=True)
class Remaining:
    """The instructions of a run, of which the first `done` are carried out.

    Attributes:
        talk: what is to be answered besides.
        unclear: the parts of what the person said last that cannot be followed, each with the reason.
    """

    every: list[Instruction]
    done: int
    talk: list[Talk] = field(default_factory=list)
    unclear: list[tuple[str, str]] = field(default_factory=list)

    def phrases(self, start: int = 0) -> list[str]:
        """Return the person's own words for the instructions from one on; one phrase may mean several."""
        return [text for text, _ in groupby(one.text for one in self.every[start:])]

    def cut(self, left_s: float) -> None:
        """Note how much is left of the pause that is next, if a word has ended its wait."""
        pause = self.every[self.done] if left_s else None
        if isinstance(pause, Pause):
            self.every[self.done] = replace(pause, left_s=left_s)

    def after(self, text: str) -> "Remaining":
        """Return what is left after something that the person says; what is unclear of it changes nothing."""
        changed = replace(self, every=[*self.every], talk=[*self.talk], unclear=[])
        also = _ALSO.search(mask(text))
        for part in [text[: also.start()], text[also.end() :]] if also else [text]:
            before = [*changed.every]
            try:
                changed.hear(part)
            except UnclearError as error:
                changed.every = before
                changed.unclear.append((part.strip(), str(error)))
        return changed

    def hear(self, text: str) -> None:
        """Change what is left as a part of a word says.

        Raises:
            UnclearError: it cannot be followed; what is left may be half changed.
        """
        text = text.rstrip(" .!")
        while tail := _GOES_ON.search(mask(text)):
            text = text[: tail.start()]
        if not ((no := _NO.fullmatch(mask(text))) and self._left_out(text[slice(*no.span("old"))])):
            self._change(text[_lead(text) :])

    def _change(self, text: str) -> None:
        masked = mask(text)
        if _TAKEN_BACK.fullmatch(masked) or self._is_typed_last(text):
            self.every[self.done : self.done] = self._taking_back(text)
            return
        if ended := _ENDED.fullmatch(masked):
            del self.every[max(self._meant(text[ended.start("last") :])) + 1 :]
            return
        for pattern in _REPLACED:
            if match := pattern.fullmatch(masked):
                new, old = (text[slice(*match.span(name))] for name in ("new", "old"))
                self._replace(new, old)
                return
        if self._placed(text):
            return
        if later := _LAST_LEAD.match(masked) or _LAST_TAIL.search(masked):
            self.every += self._clear(text[: later.start()] + text[later.end() :])
            return
        self._follow(text)

    def _follow(self, text: str) -> None:
        """Leave out, and put next, what a text says, in order."""
        at, before = self.done, None
        for part in _parts(text):
            if match := _LEFT_OUT.fullmatch(mask(part)):
                at, before = self._leave_out(part[match.start("old") :])
            else:
                given = self._clear(part)
                self.every[at:at] = [_completed(one, before) for one in given]
                at += len(given)

    def _left_out(self, what: str) -> bool:
        """Leave something out if it is there to be left out; return whether it is."""
        try:
            self._leave_out(what)
        except UnclearError:
            return False
        return True

    def _taking_back(self, text: str) -> list[Instruction]:
        """Return what takes back the last instruction that was carried out: of a typed text, each letter."""
        last = self.every[self.done - 1] if self.done else None
        if isinstance(last, Type) and isinstance(last.content, str):
            return [Press(text, "backspace")] * (len(last.content) + last.enter)
        return self._clear(text)

    def _is_typed_last(self, text: str) -> bool:
        """Whether a text says to take back what was typed last, and not something that is left to do."""
        last, match = self.every[self.done - 1] if self.done else None, _TYPED_LAST.fullmatch(mask(text))
        if match is None or not isinstance(last, Type):
            return False
        old = text[slice(*match.span("old"))]
        left = any(_names(old, one.text) for one in self.every[self.done :])
        return _names(old, last.text) and bool(match["typed"] or not left)

    def _placed(self, text: str) -> bool:
        """Put something before or after what is left, if a word says so; return whether it does."""
        for pattern in _PLACED:
            if not (match := pattern.fullmatch(mask(text))):
                continue
            try:
                at = self._meant(text[slice(*match.span("old"))])
                given = self._clear(re.sub(r"\Aalso\s+", "", text[slice(*match.span("new"))], flags=re.IGNORECASE))
            except UnclearError:
                continue  # it may be a part of what is to be done
            place = min(at) if match["side"].lower() == "before" else max(at) + 1
            self.every[place:place] = given
            return True
        return False

    def _leave_out(self, what: str) -> tuple[int, Instruction]:
        """Leave something out; return where it was, and the first of it."""
        cuts = [0, *(place for match in _OR.finditer(mask(what)) for place in match.span()), len(what)]
        try:
            meant = self._meant(what)
        except UnclearError:
            ends = zip(cuts[::2], cuts[1::2], strict=True)
            meant = [index for start, end in ends for index in self._meant(what[start:end])]
        first = self.every[min(meant)]
        self.every = [one for index, one in enumerate(self.every) if index not in meant]
        return min(meant), first

    def _replace(self, new: str, old: str) -> None:
        """Put something else in the place of what is left."""
        if VERB.match(mask(new)):
            given = self._clear(new)
            at = self._meant(old) if old else self._of_kind(given[0])
            self.every[at[0] : at[-1] + 1] = [_completed(one, self.every[at[0]]) for one in given]
            return
        at = self._meant(old or "it")
        said = self.every[at[0]].text
        changed = re.sub(rf"(?<!\w){re.escape(_bare(old))}(?!\w)", lambda _: _bare(new), said, flags=re.IGNORECASE)
        if changed == said:
            raise UnclearError(NOT_LEFT)
        self.every[at[0] : at[-1] + 1] = self._clear(changed)

    def _meant(self, what: str) -> list[int]:
        """Return which of what is left are meant; at least one, and all of one phrase."""
        left = range(self.done, len(self.every))
        if _REST.fullmatch(what) and left:
            return [*left]
        if (number := _NUMBERED.fullmatch(what)) and int(number[1]) - 1 in left:
            return [int(number[1]) - 1]
        phrases = [[*group] for _, group in groupby(left, lambda index: self.every[index].text)]
        if _NEXT.fullmatch(what) or _LAST.fullmatch(what):
            return phrases[0 if _NEXT.fullmatch(what) else -1] if phrases else self._none(what)
        meant = [*map(_untold, parse_instructions(what))]
        if same := [index for index in left if _untold(self.every[index]) in meant]:
            return same
        found = [phrase for phrase in phrases if _names(what, self.every[phrase[0]].text)]
        if _ALL & {*re.findall(r"\w+", what.casefold())}:
            found = [[index for phrase in found for index in phrase]] if found else []
        elif found and any(_names(what, one.text) for one in self.every[: self.done][-1:]):
            raise UnclearError(f"it could mean what was begun before you said so, or {_quoted(found, self.every)}")
        if len(found) > 1:
            raise UnclearError(f"it could mean {_quoted(found, self.every)}")
        return found[0] if found else self._none(what)

    def _of_kind(self, given: Instruction) -> list[int]:
        """Return the next instruction if it is of that kind, else the only one that is left."""
        left = [index for index in range(self.done, len(self.every)) if type(self.every[index]) is type(given)]
        if not left or (left[0] != self.done and len(left) > 1):
            raise UnclearError("it does not say instead of what" if left else NOT_LEFT)
        return left[:1]

    def _clear(self, text: str) -> list[Instruction]:
        """Return the instructions that a text gives; what is said to the program itself is to be answered."""
        given = parse_instructions(_typed(text))
        for one in given:
            if isinstance(one, NotUnderstood):
                raise UnclearError(one.reason)
        if not given:
            raise UnclearError("it asks for nothing")
        self.talk += [one for one in given if isinstance(one, Talk)]
        return [one for one in given if not isinstance(one, NotUnderstood | Talk)]

    def _none(self, what: str) -> list[int]:
        before = (one for one in self.every[: self.done] if _names(what, one.text))
        raise UnclearError(DONE_BEFORE if any(before) else NOT_LEFT)


def _quoted(phrases: Sequence[Sequence[int]], every: Sequence[Instruction]) -> str:
    return " or ".join(f'"{every[phrase[0]].text}"' for phrase in phrases)


def _lead(text: str) -> int:
    match = _LEAD.match(text)
    return match.end() if match else 0


def _typed(text: str) -> str:
    """Return a text in which each part that means a text to be typed says so."""
    masked, found = mask(text), text
    if free := _UNQUOTED.fullmatch(masked):
        return f'{"press enter, " if free["line"] else ""}type "{free["text"].strip()}"'
    for start, end in reversed(pieces(masked)):
        if match := _TEXT.fullmatch(masked, start, end):
            line = "press enter, " if match["line"] or match["own"] else ""
            found = f"{found[:start]}{line}type {text[slice(*match.span('text'))]}{found[end:]}"
    return found


def _parts(text: str) -> Iterator[str]:
    """Yield what is to be left out, and what is to be done, in order."""
    masked, begun = mask(text), 0
    for stop in [*_BUT.finditer(masked), None]:
        end = stop.start() if stop else len(text)
        spans = [(begun + one, begun + other) for one, other in pieces(mask(text[begun:end]))]
        begun = stop.end() if stop else end
        for is_left_out, group in groupby(spans, lambda span: bool(_LEFT_OUT.match(masked, *span))):
            together = [*group]
            for first, last in together if is_left_out else [(together[0][0], together[-1][1])]:
                yield text[first:last]


def _untold(instruction: Instruction | NotUnderstood) -> Instruction | NotUnderstood:
    return replace(instruction, text="")


def _completed(given: Instruction, before: Instruction | None) -> Instruction:
    """Return an instruction with what it leaves open as the one before it had it: the field, the button."""
    if type(given) is not type(before):
        return given
    open_ = {one.name for one in fields(given) if one.compare and getattr(given, one.name) == one.default}
    return replace(given, **{name: getattr(before, name) for name in open_})


def _bare(text: str) -> str:
    """Return a text without the quotes around it."""
    return re.sub(r"\A\s*[\"'\u201c\u2018`\u201e\u00ab](.*)[\"'\u201d\u2019`\u201c\u00bb]\s*\Z", r"\1", text.strip())


def _names(what: str, text: str) -> bool:
    """Whether all words of what is meant stand in the text of an instruction, in some form of a verb."""
    wanted = {*re.findall(r"[\w+]+", what.casefold())} - _FILLERS - _ALL
    wanted = wanted - _TYPING or wanted  # one may be said for another
    words = {*re.findall(r"[\w+]+", text.casefold())}
    return bool(wanted) and all({one, one.removesuffix("ing"), re.sub(r"ing\Z", "e", one)} & words for one in wanted)
