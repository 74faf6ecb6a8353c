"""Change what is typed already: it is taken back from the change on, and typed anew."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Final

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.line_parts import without_part, without_words
from mark_i.brains.offline.corrections.meant import quoted_or
from mark_i.brains.offline.corrections.plan import Plan, erasing
from mark_i.brains.offline.corrections.readings import bare, completed, from_within, require_noun, within
from mark_i.brains.offline.corrections.text_lines import ENTER, end_of_texts, has_lines, is_enter, is_text
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.instructions import Instruction, Type
from mark_i.brains.offline.instructions.kinds import UnclearError

CLOSING_LINES_MAX: Final = 3  # the closing, a name, and what that person is
MIN_LINES: Final = 2  # else Enter may not begin a new one
_ITEM: Final = re.compile(r"\s*(?:\d+[.)]|[-*\u2022])\s+(?:(?!,|\band\b|\bor\b).)+", re.IGNORECASE)  # of a list
_LABEL: Final = re.compile(r"\s*(?:(?:\d+[.)]|[-*\u2022])\s+)?(?P<label>[^\W\d_][\w'-]*(?: [\w'-]+){0,2}): +\S")
_OF_NUMBER: Final = re.compile(r"\s*(?P<label>[^\W\d_]+(?: [^\W\d_]+)?) [+\d][\d ./()-]*\Z")  # "Phone 020 555"
LIST_MARK: Final = re.compile(r"(?P<before>\s*)(?:(?P<number>\d+)[.)]|[-*\u2022]|\[ ?\])\s+")
_QUANTITY: Final = re.compile(  # before an entry of a list, which is left out with it
    r"(?:\d+(?:[.,]\d+)?|an?|some)\s*(?:x|kg|g|l|ml|lbs?|pounds?|lit(?:er|re)s?|dozen|packs?|bottles?|cans?|bags?|boxes)?(?:\s+of)?"
    r"|\d{1,2}[:.]\d\d(?:\s?[ap]m)?(?:\s?[-\u2013]\s?\d{1,2}[:.]\d\d(?:\s?[ap]m)?)?\s*[-\u2013:]?",  # when it is
    re.IGNORECASE,
)
_KINDS: Final = (  # of words that stand for one another
    re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE),
    re.compile(r"january|february|march|april|may|june|july|august|september|october|november|december", re.IGNORECASE),
    re.compile(r"\d+(?:[.:,]\d+)*"),
)
SENTENCE_WORDS_MIN: Final = 5  # of what is more than an entry of a list
PART: Final = 'it does not say which words are to be left out with "{}"; give them, or say: leave out "{}"'
NOT_SO: Final = 'the words "{}" do not stand so in "{}"; give them as they stand there'
NOT_YET: Final = "lines can be moved once all is typed"
THERE: Final = "it stands there already"
SEVERAL: Final = "it stands there more than once"
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTED: Final = re.compile(
    rf"(?:the\s+|my\s+)?(?P<number>{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th)|next|last)\s+"
    r"(?:line|item|entry|row|text|sentence)(?:\s+(?:of|in|on)\s+(?:the|my)\s+\w+)?"
    r"|(?:the\s+)?(?:line|item|row)\s+(?:number\s+)?(?P<at>\d+)",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"(?:the|its|my)\s+(?:(?P<heading>title|heading|headline|header)|(?P<greeting>greeting|salutation)"
    r"|(?P<closing>closing|sign-?off|(?:final |closing )?(?:regards|greetings)))",
    re.IGNORECASE,
)
_OF_LIST: Final = re.compile(
    r"(?:\S+ ){0,3}(?:lists?|plan|notes|agenda|schedule|timetable|programme|program|menu|inventory|tasks|to-?do)",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(r"(?:dear|hi|hello|hey|good (?:morning|afternoon|evening|day))\b", re.IGNORECASE)
_ABOUT: Final = re.compile(
    r"(?:the|that|my)\s+(?:line|item|entry|row|point|sentence|one|part|bit|section|passage|stuff)\s+(?:with|about|for|on|saying|that\s+says|which\s+says)\s+"
    r"(?P<words>.+)"
    r"|(?:the|that|my)\s+(?P<named>.+?)\s+(?:line|item|entry|row|point)",
    re.IGNORECASE,
)


def label_of(line: str) -> str:
    """Return the label of a line such as "Topic: budget"; empty if it has none."""
    said = _LABEL.match(line)
    return said["label"] if said else ""


def name_of(line: str) -> str:
    """Return the label of a line, or the words before its only number: "Phone 020 555"; empty if it has neither."""
    said = _LABEL.match(line) or _OF_NUMBER.match(line)
    return said["label"] if said else ""


def labelled_line(lines: Iterable[str], what: str) -> str:
    """Return the only line whose name is said: "the due date" for "Due: 15 January"; empty if there is none."""
    words = re.sub(r"\A(?:(?:the|my|our|his|her|their|its|on|for)\s+)+", "", what.strip().casefold())
    named = {words, *(words.removesuffix(f" {more}") for more in ("date", "number", "line", "entry"))} - {""}
    found = [line for line in lines if name_of(line).casefold() in named]
    return found[0] if len(found) == 1 else ""


def line_named(plan: Plan, what: str) -> str:
    """Return the line that some words count, describe or label; the words themselves if they do not."""
    line = line_said(plan, what)
    return (labelled_line(plan.lines(), what) if line == what else "") or line


def line_said(plan: Plan, what: str) -> str:
    """Return the line that some words count or describe, typed or to be typed; the words themselves if they do not."""
    if (part := _PART.fullmatch(what.strip())) and (line := _part(plan.lines(), part.lastgroup or "")):
        return line
    said = _COUNTED.fullmatch(what.strip())
    if not said and (about := _ABOUT.fullmatch(what.strip())):
        found = [line for line in plan.lines() if from_within(line, about["words"] or about["named"])]
        return found[0] if len(found) == 1 else what
    if not said:
        return what
    typed, lines = typed_at_end(plan.every[: plan.done]).split("\n"), lines_counted(plan.lines(), what)
    number = (said["number"] or said["at"]).lower()
    if number == "next":
        found = [str(one.content) for one in plan.every[plan.done :] if is_text(one) and isinstance(one, Type)][:1]
    elif number == "last":
        found = [*dict.fromkeys([*[one for one in typed if one][-1:], *lines[-1:]])]
    else:
        at = _ORDINALS.index(number) if number in _ORDINALS else int(re.findall(r"\d+", number)[0]) - 1
        found = lines[at : at + 1] if at >= 0 else []
    if len(found) > 1:
        raise UnclearError(f"it could mean {quoted_or(found)}")
    if not found or not found[0]:
        raise UnclearError("there is no such line")
    return found[0]


def lines_counted(lines: list[str], what: str) -> list[str]:
    """Return the lines that some words count: of "items" or "entries" only those of the list, if there is one."""
    entries = [line for line in lines if LIST_MARK.match(line)]
    return entries if entries and re.search(r"\b(?:item|entr)", what, re.IGNORECASE) else lines


def _is_entry(line: str) -> bool:
    return LIST_MARK.match(line) is not None or bool(label_of(line))


def heading_of(lines: Sequence[str]) -> str:
    """Return the first line if it heads a list: the lines below it have marks or labels, or begin small; else empty."""
    if len(lines) < MIN_LINES or _is_entry(lines[0]):
        return ""
    is_above = _is_entry(lines[1]) or lines[0].rstrip().endswith(":") or _OF_LIST.fullmatch(lines[0].strip())
    is_great = lines[0][:1].isupper() and all(line[:1].islower() or line[:1].isdigit() for line in lines[1:])
    return lines[0] if is_above or (is_great and len(lines) > MIN_LINES and not _GREETING.match(lines[0])) else ""


def _part(lines: Sequence[str], name: str) -> str:
    """Return the line that is a part of a list or of a letter; empty if there is none."""
    if name == "heading":
        return heading_of(lines)
    if name == "greeting":
        return lines[0] if lines and _GREETING.match(lines[0]) else ""
    return next((line for line in lines[-CLOSING_LINES_MAX:] if fits("closing", line.strip()) is not None), "")


def line_within(plan: Plan, text: str) -> str:
    """Return the only line, typed or to be typed, whose words stand in a text beside others; empty if there is none."""
    said = text.casefold().split()
    found = {line for line in plan.lines() if {*line.casefold().split()} < {*said}}
    return found.pop() if len(found) == 1 else ""


def change_written(plan: Plan, old: str, new: str) -> bool:
    """Put something else in the place of what is typed already; return whether it is there.

    Raises:
        UnclearError: it is there more than once, or in other words.
    """
    lines, at = found_in(plan, old)
    if at is None:
        return False
    line = lines[at]
    start = len(line) - len(from_within(line, old))
    if from_within(line[:start], old):
        raise UnclearError(SEVERAL)
    if bare(new).casefold() == bare(old).casefold() and bare(new) in line:
        raise UnclearError(THERE)
    require_noun(line, old, new)
    changed = within(line, old, new)
    if changed == line and is_sentence(line) and 2 * len(bare(old).split()) < len(line.split()):
        raise UnclearError(NOT_SO.format(bare(old), line))
    changed = bare(new) if changed == line else changed
    start = min(start, _shared(line, changed))
    rewrite(plan, [*lines[:at], changed, *lines[at + 1 :]], len("\n".join([*lines[:at], line[:start]])))
    return True


def is_item(plan: Plan, what: str) -> bool:
    """Return whether some words name an item of a list that is typed already: it is left out as a whole."""
    lines, at = found_in(plan, what)
    return at is not None and _ITEM.fullmatch(lines[at]) is not None


def leave_out_written(plan: Plan, what: str) -> int | None:
    """Take back a line that is typed already; return where the next instruction goes, None if there is none."""
    lines, at = found_in(plan, what)
    if at is None:
        return None
    more = within(lines[at], what, "").strip(" ,.;")
    if more and not _ITEM.fullmatch(lines[at]) and not _QUANTITY.fullmatch(more):
        return None
    end = rewrite(plan, [*lines[:at], *lines[at + 1 :]], len("\n".join(lines[:at])))
    if len(lines) == 1 and any(map(is_enter, plan.every[end : end + 1])) and has_lines(plan.every):
        plan.remove([end])  # it would leave an empty line
    return end


def leave_out_all_written(plan: Plan, named: Sequence[str]) -> bool:
    """Take back several lines that are typed already; return whether each of the names is one of them."""
    found = {at for one in named if (at := found_in(plan, one)[1]) is not None}
    if not len(named) == len(found) > 1:
        return False
    lines = typed_at_end(plan.every[: plan.done]).split("\n")
    left = [line for at, line in enumerate(lines) if at not in found]
    rewrite(plan, left, len("\n".join(lines[: min(found)])))
    return True


def leave_out_part(plan: Plan, what: str, cut: Callable[[str, str], str] = without_part) -> bool:
    """Leave out a part of the only line, typed or to be typed, that has it; return whether one has."""
    lines, typed = typed_at_end(plan.every[: plan.done]).split("\n"), found_in(plan, what)[1]
    left = [at for at in range(plan.done, len(plan.every)) if is_text(plan.every[at])]
    found = [at for at in left if isinstance(one := plan.every[at], Type) and from_within(str(one.content), what)]
    if len(found) + (typed is not None) != 1:
        return False
    if typed is not None and (changed := cut(lines[typed], what)):
        words = takewhile(
            lambda pair: pair[0] == pair[1], zip(lines[typed].split(" "), changed.split(" "), strict=False)
        )
        same = sum(len(word) + 1 for word, _ in words)
        rewrite(plan, [*lines[:typed], changed, *lines[typed + 1 :]], len("\n".join([*lines[:typed], changed[:same]])))
        return True
    if found and isinstance(one := plan.every[found[0]], Type) and (changed := cut(str(one.content), what)):
        plan.every[found[0] : found[0] + 1] = [completed(new, one) for new in plan.typing(changed)]
        return True
    return False


def leave_out_of_sentence(plan: Plan, words: str) -> bool:
    """Leave out some words of the only sentence that is typed and has them; return whether one has."""
    lines, at = found_in(plan, words)
    changed = without_words(lines[at], words) if at is not None and is_sentence(lines[at]) else ""
    if at is None or not changed:
        return False
    same = changed[: _shared(lines[at], changed)]
    rewrite(plan, [*lines[:at], changed, *lines[at + 1 :]], len("\n".join([*lines[:at], same])))
    return True


def _shared(line: str, changed: str) -> int:
    """Return with how many letters both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(line, changed, strict=False)))


def is_sentence(line: str) -> bool:
    """Return whether a line is more than an entry of a list."""
    return len(line.split()) >= SENTENCE_WORDS_MIN and _ITEM.fullmatch(line) is None


def require_cut(lines: Iterable[str], what: str) -> None:
    """Refuse to leave out any of some lines of which only a part is named, and that cannot be cut there.

    Raises:
        UnclearError: it is such a line.
    """
    for line in lines:
        left = within(line, what, "")
        is_part = bare(what) == what and left != line and bool(left.strip(" ,.;"))
        if (
            is_part
            and not _QUANTITY.fullmatch(left.strip(" ,.;"))
            and not (is_sentence(line) and 2 * len(what.split()) >= len(line.split()))
        ):
            raise UnclearError(PART.format(what, line))


def insert_written(plan: Plan, side: str, old: str, new: str) -> bool:
    """Put a line before or after one that is typed already; return whether that is there."""
    lines, at = found_in(plan, old)
    if at is None or not (len(lines) >= MIN_LINES or has_lines(plan.every)):
        return False
    at += side == "after"
    rewrite(plan, [*lines[:at], new, *lines[at:]], len("\n".join(lines[:at])))
    return True


def change_last(plan: Plan, new: str) -> bool:
    """Put a text in the place of what was typed last, or of its only word of that kind; return whether there is one."""
    typed = plan.lines()[-1:]
    words = re.findall(r"\S+", typed[0]) if typed else []
    if typed and len(words) == len(new.split()):
        return change_written(plan, typed[0], new)
    kinds = [kind for kind in _KINDS if kind.fullmatch(new)]
    same = [word for word in words if any(kind.fullmatch(word.strip(",.;:!?")) for kind in kinds[:1])]
    return len(same) == 1 and change_written(plan, same[0].strip(",.;:!?"), new)


def add_to_letter(plan: Plan, sentence: str) -> bool:
    """Put a sentence before the closing of a letter, such as "Best regards"; return whether there are both.

    Nobody wants it after the name of who writes. The closing may be typed already, if the text is to be saved.
    """
    every = plan.every[: end_of_texts(plan.every, plan.done)]  # without the name of the file
    texts = [at for at, one in enumerate(every) if sentence and is_text(one)]
    at = next((one for one in reversed(texts[1:][-CLOSING_LINES_MAX:]) if _closes(plan.every[one])), None)
    if at is None or not has_lines(plan.every[: at + 1]):
        return False
    if at < plan.done:
        return _add_before_typed_closing(plan, sentence)
    while at - 1 > plan.done and all(map(is_enter, plan.every[at - 2 : at])):  # empty lines stay where they are
        at -= 1
    plan.every[at:at] = [*plan.typing(sentence), ENTER]
    return True


def _add_before_typed_closing(plan: Plan, sentence: str) -> bool:
    lines = typed_at_end(plan.every[: plan.done]).split("\n")
    at = next((at for at in reversed(range(1, len(lines))) if fits("closing", lines[at].strip()) is not None), 0)
    while at > 1 and not lines[at - 1].strip():
        at -= 1
    if at < 1 or not plan.is_whole:
        return False
    rewrite(plan, [*lines[:at], sentence, *lines[at:]], len("\n".join(lines[:at])))
    return True


def _closes(instruction: Instruction) -> bool:
    said = instruction.content if isinstance(instruction, Type) else None
    return isinstance(said, str) and fits("closing", said.strip()) is not None


def is_in_field(plan: Plan) -> bool:
    """Return whether the text is typed into a field, where Enter may send it."""
    return any(isinstance(one, Type) and one.into is not None for one in plan.every[: plan.done])


def found_in(plan: Plan, old: str) -> tuple[list[str], int | None]:
    """Return the lines before the caret, and which of them has some words; None if none has that is still there.

    Enter may have sent the lines before the last one, unless they are to be saved.
    """
    lines = typed_at_end(plan.every[: plan.done]).split("\n")
    if len(lines) > 1 and is_in_field(plan):
        return lines, None
    last = max((at for at, line in enumerate(lines) if line), default=0)
    return lines, place_of(lines[: last + 1], old, 0 if plan.is_whole else last)


def place_of(lines: Sequence[str], old: str, first: int = 0) -> int | None:
    """Return which of the lines, from the first on, has some words; None if none has.

    Raises:
        UnclearError: several have them.
    """
    found = [at for at in range(first, len(lines)) if lines[at] and from_within(lines[at], old)]
    same = [at for at in found if lines[at].casefold() == bare(old).casefold()]
    if len(found) > 1 and len(same) != 1:
        raise UnclearError(SEVERAL)
    return next(iter(same or found), None)


def rewrite(plan: Plan, lines: list[str], kept: int) -> int:
    """Put next what makes other lines of the text before the caret, of which the first letters are kept.

    Returns:
        Where that ends.
    """
    was, new = typed_at_end(plan.every[: plan.done]), "\n".join(lines)
    kept += was[kept : kept + 1] == new[kept : kept + 1] == "\n"
    gone = was[kept:]
    plan.forget(len(gone))
    told = re.sub(r",?\n+", ", ", gone.strip())
    given = [*erasing(f'take back "{told}"', len(gone)), *plan.typing_all(new[kept:])]
    plan.every[plan.done : plan.done] = given
    return plan.done + len(given)
