"""Change a day, a month, a time or a number to another one, where a message names only that: "make it 7:45"."""

import re
from dataclasses import replace
from typing import Final

from mark_i.brains.offline.corrections.changes import exchange
from mark_i.brains.offline.corrections.meant import FILLERS
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import has_text
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.instructions.kinds import UnclearError

_MONTH: Final = "january|february|march|april|may|june|july|august|september|october|november|december"
_KINDS: Final = tuple(
    re.compile(rf"(?<![\w.:,-])(?:{kind})(?![\w:-]|[.,]\d)", re.IGNORECASE)
    for kind in (
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
        rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?",
        _MONTH,
        r"\d{1,2}[:.]\d\d(?:\s?[ap]m)?|\d{1,2}\s?[ap]m",
        r"[$€£]?\d+(?:[.,]\d+)*%?",
    )
)
_BEFORE: Final = re.compile(r"(?:(?:on|at|in|by|until|till|for|to|from)\s+)", re.IGNORECASE)
SEVERAL: Final = "it does not say instead of what"


def is_value(plan: Plan, text: str) -> bool:
    """Return whether a text names a value that `set_value` puts in the place of another one, and is no mere reason."""
    try:
        return set_value(replace(plan, every=[*plan.every]), text)
    except UnclearError:
        return True


def set_value(plan: Plan, text: str) -> bool:
    """Put a value in the place of the only one of its kind that is typed, or to be typed; return whether it is one.

    Raises:
        UnclearError: there are several.
    """
    said = fits("valued", text)
    new = _BEFORE.sub("", said["new"], count=1) if said else ""
    kind = next((one for one in _KINDS if one.match(new)), None)
    about, old = (said.get("about", ""), said.get("old", "")) if said else ("", "")
    if kind is None or not _is_value(plan, kind, new) or kind.fullmatch(old) or has_text(plan.lines(), old):
        return False
    lines = [line for line in plan.lines() if _tells_of(line, about)] or plan.lines()
    value, before = kind.match(new), f"{said['beside']} " if said and "beside" in said else ""
    beside = new[value.end() :] if value else ""
    found = [
        match[0]
        for line in lines
        for match in kind.finditer(line)
        if line[match.end() :].casefold().startswith(beside.casefold())
        and line[: match.start()].casefold().endswith(before.casefold())
    ]
    if not found:
        return False
    if len(found) > 1:
        raise UnclearError(SEVERAL)
    exchange(plan, new[:1].upper() + new[1:] if found[0][0].isupper() else new, found[0])
    return True


def _is_value(plan: Plan, kind: re.Pattern[str], new: str) -> bool:
    """Return whether a text is a value and nothing else, or only with words that stand beside one: "99 euros"."""
    value = kind.match(new)
    rest = new[value.end() :].strip() if value else new
    return not rest or any(
        re.search(rf"{kind.pattern}\s+{re.escape(rest)}(?!\w)", line, re.IGNORECASE) for line in plan.lines()
    )


def _tells_of(line: str, about: str) -> bool:
    words = {*re.findall(r"\w+", about.casefold())} - FILLERS
    return bool(words) and words <= {*re.findall(r"\w+", line.casefold())}
