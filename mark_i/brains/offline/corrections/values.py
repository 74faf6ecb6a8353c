"""Change a day, a month, a time or a number to another one, where a message names only that: "make it 7:45"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mark_i.brains.offline.corrections.changes import exchange
from mark_i.brains.offline.corrections.meant import FILLERS, quoted_or
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import has_text
from mark_i.brains.offline.corrections.wordings import all_fits
from mark_i.brains.offline.corrections.written import LIST_MARK, labelled_line
from mark_i.brains.offline.instructions.kinds import UnclearError

MONTH: Final = "january|february|march|april|may|june|july|august|september|october|november|december"
_HOUR_DIGITS: Final = r"(?:[01]?\d|2[0-4])"
_HOUR: Final = rf"(?:{_HOUR_DIGITS}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


def _kind(values: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:,-])(?:{values})(?![\w:-]|[.,]\d)", re.IGNORECASE)


_DAY: Final = _kind(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day")
_DATE: Final = _kind(rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})|(?:{MONTH}) \d{{1,2}}(?:st|nd|rd|th)?")
_IN_MONTH: Final = _kind(MONTH)
_TIME: Final = _kind(
    r"\d{1,2}[:.]\d\d(?:\s?[ap]m)?|\d{1,2}\s?[ap]m"
    rf"|{_HOUR} o'clock|(?:half past|quarter (?:past|to)) {_HOUR}(?:\s?[ap]m)?"
    rf"|(?<=\bat ){_HOUR_DIGITS}(?!\s?(?:%|[$€£]|euros?\b|dollars?\b|percent\b|degrees?\b))"
)
_NUMBER: Final = _kind(r"[$€£]?\d+(?:[.,]\d+)*%?")
_TITLE: Final = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?"
_WITH_TITLE: Final = re.compile(rf"{_TITLE}\s+(?P<name>[A-Z][\w'-]*)")
_CAPITAL: Final = _kind(rf"{MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day")
_KINDS: Final = (_DAY, _DATE, _IN_MONTH, _TIME, _NUMBER)
_BEFORE: Final = re.compile(r"\A(?:on|at|in|by|until|till|for|to|from)\s+", re.IGNORECASE)
_AT: Final = re.compile(r"at\s", re.IGNORECASE)
_OF_TIME: Final = re.compile(r"\b(?:time|hour)\b", re.IGNORECASE)
_MINUTES: Final = re.compile(r"[:.]\d\d\b")
_HALF_OF_DAY: Final = re.compile(r"\s?[ap]m\Z", re.IGNORECASE)
WHICH: Final = "it does not say instead of what: {}"


def is_value(plan: Plan, text: str) -> bool:
    """Return whether a text names a value that `set_value` puts in the place of another one, and is no mere reason."""
    try:
        return set_value(replace(plan, every=[*plan.every]), text)
    except UnclearError:
        return True


def is_same_kind(one: str, other: str) -> bool:
    """Return whether both are days, dates, months, times or numbers: one may stand in the place of the other."""
    return any(kind.fullmatch(one.strip()) and kind.fullmatch(other.strip()) for kind in _KINDS)


def value_in(line: str, new: str) -> str:
    """Return the value of a line in whose place another one belongs; empty if a text is no value, or there is none.

    Raises:
        UnclearError: there are several.
    """
    kinds = _kinds_of(new, is_time=bool(_AT.match(new)), is_count=False)
    if not any(kind.fullmatch(new) for kind in kinds):
        return ""
    found = [match[0] for match in _in_line(line, kinds)]
    if len(found) > 1:
        raise UnclearError(WHICH.format(quoted_or(found)))
    return found[0] if found else ""


def set_value(plan: Plan, text: str) -> bool:
    """Put a value in the place of the only one of its kind that is typed, or to be typed; return whether it is one.

    Raises:
        UnclearError: there are several.
    """
    return any(_set(plan, said) or _add_to_name(plan, said) for said in all_fits("valued", text))


def _set(plan: Plan, said: Mapping[str, str]) -> bool:
    given = said.get("new") or said.get("bare") or said.get("count") or ""
    new, old = _BEFORE.sub("", given, count=1), said.get("old", "")
    about = said.get("about") or said.get("only", "")
    is_time = bool(_AT.match(given) or _OF_TIME.search(about))
    kinds = _kinds_of(new, is_time=is_time, is_count="count" in said)
    if not kinds or not _is_value(plan, kinds[0], new) or kinds[0].fullmatch(old) or has_text(plan.lines(), old):
        return False
    if "bare" in said and _NUMBER.fullmatch(given):
        return False  # a number alone may be anything
    lines = [line for line in plan.lines() if _tells_of(line, about)]
    lines = lines or [line for line in [labelled_line(plan.lines(), about)] if line]
    lines = lines or ([] if "only" in said else plan.lines())
    value = kinds[0].match(new) or _NUMBER.match(new)
    beside = new[value.end() :] if value else ""
    if labelled := [line for line in lines if _is_label(line, beside)]:
        lines, about, beside, new = labelled, beside, "", value[0] if value else new
    before = f"{said['beside']} {given.removesuffix(new)}" if "beside" in said else ""
    found = _values(lines, kinds, about, beside, before)
    if not found:
        return False
    found = _like(found, new) if kinds == (_DATE,) else found
    if len(found) > 1:
        raise UnclearError(WHICH.format(quoted_or(found)))
    new = value[0] if value and beside else new  # what follows it stands there already
    half = _HALF_OF_DAY.search(found[0])
    new += half[0] if half and _TIME in kinds and not _HALF_OF_DAY.search(new) else ""
    minutes = _MINUTES.search(found[0]) if any(line.startswith(found[0]) for line in lines) else None
    new += f"{minutes[0][0]}00" if minutes and re.fullmatch(_HOUR_DIGITS, new) else ""  # "11:30 End" is of an agenda
    exchange(plan, _CAPITAL.sub(lambda name: name[0].capitalize(), new) if not found[0].islower() else new, found[0])
    return True


def _add_to_name(plan: Plan, said: Mapping[str, str]) -> bool:
    """Put a longer name in the place of its first word, if that stands there once: "make that Tim Brown"."""
    new = said.get("new", "")
    if (title := _WITH_TITLE.fullmatch(new)) and "about" not in said:
        named = re.compile(rf"(?<!\w){_TITLE}\s+{re.escape(title['name'])}(?!\w)")
        found = {match[0] for line in plan.lines() for match in named.finditer(line)}
        if len(found) != 1:
            return False
        if (old := found.pop()) != new:
            exchange(plan, new, old)
        return True
    first, *more = new.split() or [""]
    if not more or {"about", "beside"} & {*said} or new.title() != new or not new.replace(" ", "").isalpha():
        return False
    alone = re.compile(rf"(?<!\w){first}(?!\w|\s+[A-Z])")
    if sum(len(alone.findall(line)) for line in plan.lines()) != 1:
        return False
    exchange(plan, new, first)
    return True


def _kinds_of(new: str, *, is_time: bool, is_count: bool) -> tuple[re.Pattern[str], ...]:
    """Return the kinds of value that a text may be; a number alone may be a time, unless it counts something."""
    if _NUMBER.match(new) and not any(one.match(new) for one in _KINDS[:-1]):
        bare = re.fullmatch(_HOUR_DIGITS, new) is not None
        return (_NUMBER,) if is_count or not bare else (_TIME, _NUMBER) if not is_time else (_TIME,)
    return tuple(one for one in _KINDS[:-1] if one.match(new))[:1]


def _values(lines: Sequence[str], kinds: Sequence[re.Pattern[str]], about: str, beside: str, before: str) -> list[str]:
    """Return the values of some kinds in the lines, those that follow what is told of where there are any."""
    found, told = list[str](), list[str]()
    for line in lines:
        start = 0
        for match in _in_line(line, kinds):
            after, ahead = line[match.end() :].casefold(), line[: match.start()].casefold()
            if after.startswith(beside.casefold()) and ahead.endswith(before.casefold()):
                found.append(match[0])
                told += [match[0]] if _tells_of(line[start : match.start()], about) else []
            start = match.end()
    return told or found


def _like(dates: Sequence[str], new: str) -> list[str]:
    """Return the only one of some dates that has its day or its month in common with another date; else all."""
    words = {*re.findall(r"[a-z]{3,}|\d+", new.casefold())} - {"the"}
    same = [one for one in dates if words & {*re.findall(r"[a-z]{3,}|\d+", one.casefold())}]
    return same if len(same) == 1 else [*dates]


def _in_line(line: str, kinds: Sequence[re.Pattern[str]]) -> list[re.Match[str]]:
    """Return the values of some kinds in a line; a number in a date, a time or a list mark is none."""
    others = [match for kind in (_DATE, _TIME) for match in kind.finditer(line)]
    mark = LIST_MARK.match(line)
    others += [mark] if mark else []
    numbers = (
        match for match in _NUMBER.finditer(line) if not any(one.start() <= match.start() < one.end() for one in others)
    )
    given = [match for kind in kinds for match in (numbers if kind is _NUMBER else kind.finditer(line))]
    return sorted(given, key=lambda match: match.start())


def _is_value(plan: Plan, kind: re.Pattern[str], new: str) -> bool:
    """Return whether a text is a value and nothing else, or only with words that stand beside one: "99 euros"."""
    value = kind.match(new) or _NUMBER.match(new)
    rest = new[value.end() :].strip() if value else new
    beside = re.compile(rf"{kind.pattern}\s+{re.escape(rest)}(?!\w)", re.IGNORECASE)
    return not rest or any(beside.search(line) or _is_label(line, rest) for line in plan.lines())


def _is_label(line: str, words: str) -> bool:
    """Return whether a line has a value of that name: "Tickets: 3"."""
    return bool(words.strip()) and line.casefold().startswith(f"{words.strip().casefold()}:")


def _tells_of(line: str, about: str) -> bool:
    words = {*re.findall(r"\w+", about.casefold())} - FILLERS - {"number"}
    return bool(words) and words <= {*re.findall(r"\w+", line.casefold())}
