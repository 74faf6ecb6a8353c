"""Change how many there are of something: "only 1 pizza, not 2", "8 pegs will do"."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mark_i.brains.offline.corrections.numbered_lines import change_lines
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import has_text, require_noun
from mark_i.brains.offline.corrections.values import MONTH
from mark_i.brains.offline.corrections.wordings import all_fits, fits
from mark_i.brains.offline.corrections.written import LIST_MARK, SEVERAL
from mark_i.brains.offline.instructions.kinds import UnclearError

NOT_COUNTED: Final = 'the text does not count {1} "{0}"; to change another number, say: change "{1}" to "{2}"'
_WORDS: Final = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_PEOPLE: Final = re.compile(r"people|persons?|guests?|of (?:us|them|you)", re.IGNORECASE)
_NUMBER: Final = rf"(?<![\w.,:-])(?P<count>\d+|{'|'.join(_WORDS)})"
_NUMBER_ALONE: Final = re.compile(r"(?<![\w.,:$€£-])\d+(?![\w%€£$-]|[.,:]\d)")
_ADJECTIVES: Final = r"\s+(?:[^\W\d_]+\s+){0,2}?"


def recount(plan: Plan, text: str) -> bool:
    """Put another number before what is counted, and its noun as it is said; return whether a text asks for that.

    Raises:
        UnclearError: that is counted more than once, or nowhere.
    """
    if _count_entry(plan, text):
        return True
    said = fits("recounted", text)
    if not said or said.get("of", said["noun"]).removesuffix("s") != said["noun"].removesuffix("s"):
        return False
    found = [*_counted(plan, said)]
    if len(found) > 1:
        raise UnclearError(SEVERAL)
    if found:
        change_lines(plan, dict(found))
        return True
    if "old" not in said or not has_text(plan.lines(), said["old"]):
        return False
    if _count_words(plan, f"{said['new']} {said['noun']}", said["old"]):
        return True
    for line in plan.lines():
        require_noun(line, said["old"], f"{said['new']} {said['noun']}")
    raise UnclearError(NOT_COUNTED.format(said["noun"], said["old"], said["new"]))


def _count_entry(plan: Plan, text: str) -> bool:
    """Say in a list how much there is of an entry: "we need 2 bottles of milk" for "milk"."""
    for said in all_fits("counted_entry", text):
        noun = re.compile(rf"(?:an? |some )?{re.escape(said['noun'].removesuffix('s'))}(?:e?s)?", re.IGNORECASE)
        found = [line for line in plan.lines() if noun.fullmatch(LIST_MARK.sub("", line, count=1).strip())]
        if len(found) == 1:
            mark = LIST_MARK.match(found[0])
            change_lines(plan, {found[0]: f"{mark[0] if mark else ''}{said['new']}"})
            return True
        if _count_words(plan, said["new"]):
            return True
    return False


def _count_words(plan: Plan, new: str, old: str = "") -> bool:
    """Change the only number of the only line that has the words of a count: "3 bags of tea" for "tea 2 bags"."""
    count, _, rest = new.partition(" ")
    words = _words(rest) - {"of"}
    if any(re.fullmatch(MONTH, word) for word in words):
        return False  # a date
    found = dict[str, str]()
    for line in plan.lines():
        counted = [*_NUMBER_ALONE.finditer(line)]
        if count.isdigit() and words and words <= _words(line) and len(counted) == 1 and old in {"", counted[0][0]}:
            found[line] = line[: counted[0].start()] + count + line[counted[0].end() :]
    if len(found) != 1:
        return False
    change_lines(plan, found)
    return True


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"\w+", text.casefold())}


def _counted(plan: Plan, said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each line that counts that, and as it should read; once more where a line does it twice."""
    noun = re.escape(said["noun"].removesuffix("s")) + "(?:e?s)?"
    nouns = [noun, _PEOPLE.pattern] if _PEOPLE.fullmatch(said["noun"]) else [noun]
    counted = re.compile(rf"{_NUMBER}{_ADJECTIVES}(?P<noun>{'|'.join(nouns)})(?!\w)", re.IGNORECASE)
    labelled = re.compile(rf"(?<![\w ]){noun}:\s*{_NUMBER}(?P<noun>)(?!\w)", re.IGNORECASE)
    for line in plan.lines():
        for match in (*counted.finditer(line), *labelled.finditer(line)):
            if "old" not in said or _value(match["count"]) == _value(said["old"]):
                is_same = match["noun"].casefold()[:1] == said["noun"].casefold()[:1]
                told = line[match.end("count") : match.start("noun")] + (said["noun"] if is_same else match["noun"])
                yield line, line[: match.start("count")] + _as(said["new"], match["count"]) + told + line[match.end() :]


def _value(count: str) -> int:
    return int(count) if count.isdigit() else _WORDS.index(count.casefold())


def _as(new: str, old: str) -> str:
    """Return a number in digits or as a word, as another one is written."""
    value = _value(new)
    if old.isdigit():
        return str(value)
    word = _WORDS[value] if value < len(_WORDS) else str(value)
    return word.capitalize() if old[0].isupper() else word
