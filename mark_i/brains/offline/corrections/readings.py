"""Read the parts of a change: texts to be typed, places, and words within others."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final

from mark_i.brains.offline.corrections.meant import names
from mark_i.brains.offline.corrections.message_parts import orders_more
from mark_i.brains.offline.corrections.wordings import begins, ends, lead_end, patterns, without_tails
from mark_i.brains.offline.instructions import Instruction, NotUnderstood, Type
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import NO_TITLE, mask, pieces

SIDES: Final = {"above": "before", **dict.fromkeys(["below", "under", "underneath", "beneath", "behind"], "after")}
_NEARLY_MIN: Final = 0.6  # "Mr" and "Mrs" are as alike as 0.8
CLAUSE: Final = re.compile(rf"{NO_TITLE}[,;.!?:]\s|\s(?:and|but)\s")
BUT: Final = re.compile(r"\s*[,;]?\s+but\s+(?:rather\s+)?", re.IGNORECASE)

NOUN: Final = 'it does not say what becomes of "{0}"; say: change "{1}" to "{2}"'
NO_NOUN: Final = (
    r"(?:and|or|of|at|in|on|for|with|by|to|from|until|till|per|an?|the|is|are|as|each|[ap]m|o'clock|percent)\b"
)
_COUNTED: Final = re.compile(rf"\d[\d.,]*\s+(?!{NO_NOUN})(?P<what>[^\W\d_][^\d]*)", re.IGNORECASE)
_COUNT: Final = re.compile(r"\d+\s+[^\W\d]")
_COUNT_BEFORE: Final = re.compile(r"(?<![\w.,:])\d+\s+\Z")
_JOINT: Final = re.compile(r"\s*,\s+(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_JOINED_WORDS_MAX: Final = 3  # of each thing, where one is what they replace
_NAME: Final = re.compile(r"[A-Z][\w'-]*\.?(?:\s+[A-Z][\w'-]*\.?)*")
_NAMED_WITH_MORE: Final = re.compile(
    r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)* (?!and\b|or\b|who\b|which\b)[a-z][\w' -]*"
)  # "Petra writing this"
_VALUE: Final = re.compile(r"\d[\d:.,]*(?:\s?[ap]m)?", re.IGNORECASE)
_ENDS_IN_VALUE: Final = re.compile(
    rf"(?:[a-z][^\d]*\s(?:at|is|are|costs?)|(?:make|set|put|move) [^\d]*[^\d\s])\s+(?P<value>{_VALUE.pattern})",
    re.IGNORECASE,
)
_OF_NAME: Final = re.compile(r"(?:the|an?|my|our|your|his|her|their)\s", re.IGNORECASE)


def placings(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each way to read a text as a side, what is there, and what is to be put there."""
    for pattern in patterns("placed"):
        if match := pattern.fullmatch(mask(text)):
            side, old, new = (text[slice(*match.span(name))] for name in ("side", "old", "new"))
            yield SIDES.get(side.lower(), side.lower()), old, _without_place(new)
    if match := patterns("placed_first")[0].fullmatch(mask(text)):
        start = match.start("rest")
        for blank in re.finditer(r"\s+(?=[a-z])", match["rest"], re.IGNORECASE):
            yield (
                match["side"].lower(),
                text[start : start + blank.start()],
                _without_place(text[start + blank.end() :]),
            )


def _without_place(new: str) -> str:
    tail = ends("last_tail", new)
    new = new[: tail.start()] if tail else new
    return without_tails(new[lead_end(new) :])


def require_words(text: str) -> None:
    """Refuse a text without quotes that seems to tell what is to be written, or where, in place of the very words.

    Raises:
        UnclearError: it does.
    """
    if bare(text) == text and (begins("told", text) or ends("placed_tail", text)):
        raise UnclearError("it may say what to write or where, and not the very words; quotes make it clear")


def says_where(one: Instruction | NotUnderstood) -> bool:
    """Return whether the words for a text that is typed end with some that say where: "write eggs below"."""
    return isinstance(one, Type) and any(ends(kind, one.text) for kind in ("placed_tail", "first_tail", "last_tail"))


def is_part(old: str, instruction: Instruction) -> bool:
    """Return whether some words stand within a longer text that is typed."""
    content = getattr(instruction, "content", None)
    old = bare(old)
    return isinstance(content, str) and old.casefold() != content.casefold() and within(content, old, "") != content


def with_typing(text: str) -> str:
    """Return a text in which each part that means a text to be typed says so."""
    masked, found = mask(text), text
    if (free := patterns("unquoted")[0].fullmatch(masked)) and not orders_more(free["text"]):
        return f'{"press enter, " if free["line"] else ""}type "{free["text"].strip()}"'
    if free := patterns("own_lined")[0].fullmatch(masked):
        return f'press enter, type "{text[slice(*free.span("text"))].strip()}"'
    for start, end in reversed(pieces(masked)):
        if match := patterns("text")[0].fullmatch(masked, start, end):
            line = "press enter, " if match["line"] or match["own"] else ""
            found = f"{found[:start]}{line}type {text[slice(*match.span('text'))]}{found[end:]}"
    return found


def parts(text: str) -> Iterator[str]:
    """Yield what is to be left out or taken back, each by itself, and what is to be done, in order."""
    masked, begun = mask(text), 0
    for stop in [*BUT.finditer(masked), None]:
        end = stop.start() if stop else len(text)
        spans = [(begun + one, begun + other) for one, other in pieces(mask(text[begun:end]))]
        begun = stop.end() if stop else end
        for is_alone, group in groupby(spans, lambda span: _stands_alone(masked, span)):
            together = [*group]
            for first, last in together if is_alone else [(together[0][0], together[-1][1])]:
                yield text[first:last]


def _stands_alone(masked: str, span: tuple[int, int]) -> bool:
    """Return whether a piece leaves something out or takes something back."""
    return any(one.match(masked, *span) for one in patterns("left_out")) or _takes_back(masked, span)


def _takes_back(masked: str, span: tuple[int, int]) -> bool:
    kinds = "unsaid", "unsaid_that", "taken_back"
    return any(one.fullmatch(masked, *span) for kind in kinds for one in patterns(kind))


def takes_back_first(text: str) -> bool:
    """Return whether the first of several pieces only takes something back."""
    masked = mask(text)
    spans = pieces(masked)
    return len(spans) > 1 and _takes_back(masked, spans[0])


def completed(given: Instruction, before: Instruction | None) -> Instruction:
    """Return an instruction with what it leaves open as the one before it had it: the field, the button."""
    if type(given) is not type(before):
        return given
    open_ = {one.name for one in fields(given) if one.compare and getattr(given, one.name) == one.default}
    return replace(given, **{name: getattr(before, name) for name in open_})


def bare(text: str) -> str:
    """Return a text without the quotes around it."""
    return re.sub(r"\A\s*[\"'\u201c\u2018`\u201e\u00ab](.*)[\"'\u201d\u2019`\u201c\u00bb]\s*\Z", r"\1", text.strip())


def _with_article_or_not(old: str) -> tuple[str, str]:
    return old, re.sub(r"\A(?:the|a|an|my|that)\s+", "", old, flags=re.IGNORECASE)


def end_of(typed: str, old: str) -> str:
    """Return the end of a typed text, with its line breaks, that is named by some words; empty if it is not its end."""
    old = bare(re.sub(r"\A(?:the\s+word|the\s+words)\s+", "", old, flags=re.IGNORECASE))
    line = typed.rstrip("\n")
    if not line:
        return ""
    for said in _with_article_or_not(old):
        if re.search(rf"(?<!\w){re.escape(said)}\Z", line, re.IGNORECASE):
            kept = line[: len(line) - len(said)].strip().casefold()
            return typed if kept in {"a", "an", "the", "some"} else typed[len(line) - len(said) :]
    return typed if names(old, line) else ""


def from_within(typed: str, old: str) -> str:
    """Return the end of a typed text from some of its words on; empty if they are not in it."""
    for said in _with_article_or_not(bare(old)):
        if said and (found := [*re.finditer(rf"(?<!\w){re.escape(said)}(?!\w)", typed, re.IGNORECASE)]):
            return typed[found[-1].start() :]
    return end_of(typed, old)


def _from_shared(new: str, old: str) -> str:
    """Return the end of a text that begins as what it replaces: "the party starts at 4" for "at 3"."""
    words, said = new.split(), old.casefold().split()
    starts = [at for at, word in enumerate(words) if at and word.casefold() == said[0]]
    ends_so = new.casefold().split()[-len(said) :] == said
    return " ".join(words[starts[-1] :]) if len(said) > 1 and starts and not ends_so else new


def joined(new: str) -> list[str]:
    """Return the things that a text enumerates."""
    cuts = [*_JOINT.finditer(mask(new))]
    starts, stops = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(new)]
    return [new[start:stop] for start, stop in zip(starts, stops, strict=True)]


def is_enumeration(new: str, old: str) -> bool:
    """Return whether a text with an "and" is one thing to be put in the place of another: "Lena and Max".

    All are names, or one is what they replace: to replace it by itself alone would change nothing.
    """
    if not re.search(r"\sand\s", mask(new), re.IGNORECASE):
        return False
    things = joined(new)
    keeps_old = any(bare(one).casefold() == bare(old).casefold() for one in things)
    return all(map(_NAME.fullmatch, things)) or (
        keeps_old and all(len(one.split()) <= _JOINED_WORDS_MAX for one in things)
    )


def name_only(new: str, old: str) -> str:
    """Return a text without the word before a name that replaces another: "ring Paul, not Peter".

    That word says again, in another way, what stands before the name already.

    Raises:
        UnclearError: there are several such words.
    """
    if _NAME.fullmatch(bare(old)) and len(old.split()) == 1 and _NAMED_WITH_MORE.fullmatch(mask(new)):
        raise UnclearError(f'it does not say whether "{new.partition(" ")[2]}" belongs to the text')
    first = re.search(r"(?<!\S)[A-Z]", mask(new))
    is_name = _NAME.fullmatch(bare(old)) and len(old.split()) == 1
    if not (is_name and first and first.start()) or _OF_NAME.match(new) or bare(new) != new:
        return new
    if not _NAME.fullmatch(new[first.start() :]):
        return new
    if len(new[: first.start()].split()) > 1:
        raise UnclearError(f'it does not say whether "{new[: first.start()].strip()}" belongs to the text')
    return new[first.start() :]


def without_verb(new: str, old: str, lines: Iterable[str]) -> str:
    """Return a text without the words of a line around what it replaces: "ring paul, not peter", "Al sings, not Jo"."""
    first, _, rest = new.partition(" ")
    lines = [*lines]
    if (shorter := _without_following(new, old, lines)) != new:
        return shorter
    for line in lines:
        has_name = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", line, re.IGNORECASE)
        if rest and has_name and has_name[0][:1].isupper() and line.split()[0].casefold() == first.casefold():
            return rest if has_name.start() else new
    return new


def _without_following(new: str, old: str, lines: Iterable[str]) -> str:
    """Return a text without the words at its end that stand in a line right behind what it replaces."""
    words = new.split(" ")
    for count in range(1, len(words)):
        following = rf"(?<!\w){re.escape(old)}\s+{re.escape(' '.join(words[count:]))}(?!\w)"
        if any(re.search(following, line, re.IGNORECASE) for line in lines):
            return " ".join(words[:count])
    return new


def _without_repeated(new: str, before: str) -> str:
    """Return a text without the words at its start that stand before its place already."""
    words = new.split(" ")
    for count in range(len(words) - 1, 0, -1):
        if re.search(rf"(?<!\w){re.escape(' '.join(words[:count]))}\Z", before, re.IGNORECASE):
            return " ".join(words[count:])
    return new


def nearly(line: str, new: str) -> str:
    """Return the words of a line in whose place some words belong that are nearly the same; empty if there are none.

    One word at least is the same, and each other looks like the one in its place, or both have a digit.
    """
    wanted, words = new.split(), line.split()
    for start in range(len(words) - len(wanted) + 1):
        pairs = [*zip(wanted, words[start : start + len(wanted)], strict=True)]
        alike = [_alike(one, other) for one, other in pairs]
        if all(alike) and 1.0 in alike and min(alike) < 1.0:
            return " ".join(words[start : start + len(wanted)]).rstrip(",;:.!?")
    return ""


def is_misspelled(word: str, right: str) -> bool:
    """Return whether a word looks like another one, and is not the same."""
    return _NEARLY_MIN <= _alike(word, right) < 1.0 and not re.search(r"\d", word)


def _alike(one: str, other: str) -> float:
    one, other = (re.sub(r"\W", "", word).casefold() for word in (one, other))
    if one == other:
        return 1.0
    has_digits = all(re.search(r"\d", word) for word in (one, other))
    ratio = SequenceMatcher(None, one, other).ratio()
    return _NEARLY_MIN if has_digits else ratio * (ratio >= _NEARLY_MIN)


def has_text(lines: Iterable[str], what: str) -> bool:
    """Return whether some words are in any of the lines."""
    return bool(what) and any(from_within(line, what) for line in lines)


def value_of(new: str, old: str) -> str:
    """Return only the value of "the coffee starts at 10:20" in the place of another value: "10:15"."""
    said = _ENDS_IN_VALUE.fullmatch(new)
    return said["value"] if said and _VALUE.fullmatch(old.strip()) else new


def _bare_number(new: str, old: str, beside: str) -> str:
    """Return only the number of "15 plates" in the place of one, if its line says "plates", as in "12 paper plates"."""
    number, _, noun = new.partition(" ")
    counts = re.fullmatch(r"\d+", number) and re.fullmatch(r"\d+", old)
    words = {*re.findall(r"\w+", noun.casefold())} - {"of"}
    return number if counts and words and words <= {*re.findall(r"\w+", beside.casefold())} else new


def require_noun(text: str, old: str, new: str) -> None:
    """Refuse a number with a noun in the place of a number that has another noun: "7 chairs" for "5" of "5 tables".

    Raises:
        UnclearError: it is that.
    """
    old, new = bare(old), bare(new)
    count, noun = re.fullmatch(r"\d[\d.,]*", old), _COUNTED.fullmatch(new)
    told = re.search(rf"(?<!\w){re.escape(old)}\s+(?!{NO_NOUN})([^\W\d_]+)", text, re.IGNORECASE) if count else None
    has_both = told and noun and re.search(rf"\b{re.escape(noun['what'])}\b", text[told.start() :], re.IGNORECASE)
    if noun and told and not has_both and told[1].casefold() not in noun["what"].casefold().split():
        raise UnclearError(NOUN.format(told[1], f"{old} {told[1]}", new))


def within(text: str, old: str, new: str) -> str:
    """Return a text with some of its words replaced; a capital stays one."""
    new = bare(new)
    for said in _with_article_or_not(bare(old)):
        if not (match := re.search(rf"(?<!\w){re.escape(said)}(?!\w)", text, re.IGNORECASE) if said else None):
            continue
        if re.match(r"(?:it|this|that|he|she|they|we|i)\s", new, re.IGNORECASE):
            counted = re.search(r"\d[\d:.,]*(?:\s.*)?\Z", new) if re.match(r"\d", said) else None
            new = counted[0] if counted else " ".join(new.split()[-len(said.split()) :])
        new = _without_repeated(_from_shared(new, said), text[: match.start()].rstrip())
        new = new[:1].upper() + new[1:] if match[0][:1].isupper() and said[:1].islower() else new
        before, after = text[: match.start()], text[match.end() :]
        if _COUNT.match(new):
            before = _COUNT_BEFORE.sub("", before)  # "apples" of "4 apples" becomes "6 pears"
        new = _bare_number(new, said, before + after)
        if again := re.match(rf"\s+of\s+{re.escape(new.rpartition(' ')[2])}(?!\w)", after, re.IGNORECASE):
            after = after[again.end() :]  # "2 May" in the place of "the 3rd" of "the 3rd of May"
        while (last := new.rpartition(" "))[0] and re.match(rf"\s+{re.escape(last[2])}(?!\w)", after, re.IGNORECASE):
            new = last[0]
        if after[:1] and after[:1] in ",.;:!?" and new.endswith(after[:1]):
            new = new[:-1]
        return before + new + after
    return text
