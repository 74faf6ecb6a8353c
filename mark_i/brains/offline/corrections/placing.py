"""Put a text, or another instruction, at a place among those that are typed or to be typed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mark_i.brains.offline.corrections.from_start import with_line
from mark_i.brains.offline.corrections.line_parts import without_part
from mark_i.brains.offline.corrections.meant import meant, untold
from mark_i.brains.offline.corrections.moving import move_written
from mark_i.brains.offline.corrections.numbered_lines import swap_lines_or_words
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import SIDES, bare, has_text, placings
from mark_i.brains.offline.corrections.text_lines import ENTER, is_text, lines_of
from mark_i.brains.offline.corrections.wordings import ends, fits
from mark_i.brains.offline.corrections.written import (
    MIN_LINES,
    SEVERAL,
    heading_of,
    insert_written,
    is_sentence,
    line_named,
    line_said,
)
from mark_i.brains.offline.instructions import Instruction, NotUnderstood, Type
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import VERB, mask

_PLACES: Final = {
    **dict.fromkeys(["start", "beginning", "front", "first"], "top"),
    **dict.fromkeys(["end", "last"], "bottom"),
    **SIDES,
}
WITHIN: Final = "it does not say how that line should read"
INSIDE: Final = 'it could go into that line or below it; say: change "{0}" to "{1}", or: add a line "{2}" {3} "{4}"'
NOWHERE: Final = 'it may say where to put it, and "{}" is not in the text; quotes around what is to be written help'
EITHER: Final = 'is that the line "{0}", or a new one? Say: move "{0}" ..., or: add a line "{1}" ...'
_EMPTY: Final = re.compile(
    r"(?:(?:add|put|insert|leave)\s+)?(?:an?|one|another)\s+(?:empty|blank)\s+line", re.IGNORECASE
)
_DEFINITE: Final = re.compile(r"\A(?:the|my|our|that)\s+", re.IGNORECASE)
_SAYS: Final = re.compile(r"\b(?:saying|says|reading|reads)\b|:", re.IGNORECASE)
_POINT: Final = re.compile(r"[,;.!?]\s+(?:and\s+|then\s+)*")


def put_first(plan: Plan, text: str) -> bool:
    """Put a text before all that is typed, or to be typed."""
    tail, lines = ends("first_tail", text), plan.lines()
    if not tail or len(lines) < MIN_LINES:
        return False
    what = text[: tail.start()]
    said = fits("put_last", what)
    is_there = (
        said is not None and mask(what) == what and _DEFINITE.match(said["text"]) and has_text(lines, said["text"])
    )
    first = lines[1] if is_there and heading_of(lines) else lines[0]
    return place(plan, f'{what} before "{first}"')


def place(plan: Plan, text: str) -> bool:
    """Put something before or after what is left, if a word says so; return whether it does."""
    for side, old, new in placings(text):
        where = plan.words_for(line_named(plan, old))
        if _EMPTY.fullmatch(new):
            return _put_empty(plan, side, where)
        said = fits("added", new) or fits("put_last", new)
        given = plan.instructions_or_none(new) or (plan.typing_lines(said["text"]) if said and "text" in said else [])
        _require_own_line(plan, old, new)
        _require_line(plan, text, old, new)
        try:
            at = meant(plan.every, plan.done, where)
        except UnclearError:
            put = [one for one in given if untold(one) != untold(ENTER)]  # what is put there is a line
            if put and not isinstance(put[0], Type):
                raise
            if len(put) == 1 and isinstance(put[0], Type) and _insert_or_move(plan, side, where, put[0]):
                return True
            continue  # it may be a part of a text that is to be typed
        if not given or not all(map(VERB.match, _POINT.split(mask(new))[1:])):
            continue
        moved = _same_left(plan, given)
        if len(moved) == 1 and is_text(given[0]) and moved[0] not in at:  # it stands elsewhere so far
            stays, given = plan.every[at[0]], [plan.every[moved[0]]]
            plan.remove(lines_of(plan.every, moved, plan.done))
            at = [next(index for index, one in enumerate(plan.every) if one is stays)]
        there = min(at)
        if side == "after":
            there = max(at) + 1
            if is_text(plan.every[max(at)]) and is_text(given[0]) and len(given) == 1:
                there += lines_of(plan.every, at, len(plan.every)) != at
        plan.every[there:there] = with_line(plan.every, there, given)
        return True
    _require_place(plan, text)
    return False


def _put_empty(plan: Plan, side: str, old: str) -> bool:
    """Leave a line empty before or after another one; return whether that is there."""
    left = [at for at in range(plan.done, len(plan.every)) if is_text(plan.every[at]) and _has(plan.every[at], old)]
    if len(left) == 1:
        at = left[0] + (side == "after")
        plan.every[at:at] = [ENTER]
        return True
    return not left and insert_written(plan, side, old, "")


def _has(one: Instruction, words: str) -> bool:
    return isinstance(one, Type) and has_text([str(one.content)], words)


def _same_left(plan: Plan, given: Sequence[Instruction]) -> list[int]:
    """Return where the only thing that is given is still to be done, whatever its capitals and article."""
    if len(given) != 1:
        return []
    return [at for at, one in [*enumerate(plan.every)][plan.done :] if _plain(one) == _plain(given[0])]


def _plain(one: Instruction) -> Instruction | NotUnderstood:
    if isinstance(one, Type) and isinstance(one.content, str):
        return untold(replace(one, content=_DEFINITE.sub("", one.content).casefold()))
    return untold(one)


def _insert_or_move(plan: Plan, side: str, old: str, put: Type) -> bool:
    """Put a line beside one that is typed already; the same line that is still to be typed is not typed again."""
    same = _same_left(plan, [put])[:1]
    text = str(getattr(plan.every[same[0]], "content", "") if same else put.content)
    later, before = lines_of(plan.every, same, plan.done), len(plan.every)
    if not insert_written(plan, side, old, text):
        return False
    plan.remove([at + len(plan.every) - before for at in later])
    return True


def _require_place(plan: Plan, text: str) -> None:
    """Refuse a place that is nowhere, in a text without quotes: it may be a part of what is to be written."""
    is_free = mask(text) == text and not _SAYS.search(text)
    adds = is_free and bool(plan.lines()) and (fits("added", text) or fits("put_last", text))
    if found := next(placings(text), None) if adds else None:
        _, old, _ = found
        raise UnclearError(NOWHERE.format(old))


def _require_own_line(plan: Plan, old: str, new: str) -> None:
    """Refuse a place within a line that enumerates things, for words that are given without quotes."""
    if mask(new) == new and any(without_part(line, old) for line in plan.lines()):
        raise UnclearError(WITHIN)


def _require_line(plan: Plan, text: str, old: str, new: str) -> None:
    """Refuse a place beside some words of a sentence: "after the words" may be in the line, or below it."""
    words = bare(old)
    inside = [line for line in plan.lines() if is_sentence(line) and line != words and has_text([line], words)]
    beside = re.search(rf"\b(before|after)\s+{re.escape(old)}", text, re.IGNORECASE)
    said = fits("put_last", new)
    if inside and said and beside and not re.search(r"\bline\b", mask(text)):
        side, added = beside[1].lower(), bare(said["text"])
        both = f"{added} {words}" if side == "before" else f"{words} {added}"
        raise UnclearError(INSIDE.format(words, both, added, side, inside[0]))


def come(plan: Plan, text: str) -> bool:
    """Put a text before or after another one, as "the stove comes after the tent" asks; one that is there moves.

    Raises:
        UnclearError: it is there already, and cannot be moved.
    """
    if not (said := fits("comes", text)):
        return False
    if has_text(plan.lines(), said["new"]):
        if move_line(plan, f"move {said['new']} {said['side']} {said['old']}"):
            return True
        raise UnclearError("it stands there already, and I cannot move it")
    return place(plan, f"add {said['new']} {said['side']} {said['old']}")


def move_line(plan: Plan, text: str) -> bool:
    """Move a line that is typed already to another place; what only may be one must be the whole line.

    Raises:
        UnclearError: it stands there already, or not all is typed.
    """
    if not (said := fits("moved_to", text)):
        return False
    exact = _line_meant(plan, said["exact"]) if said.get("exact") else ""
    if exact is None:
        return False
    old = line_named(plan, exact or plan.words_for(said["old"]))
    place = said.get("end", "").lower() or said["side"].lower()
    return move_written(plan, old, _PLACES.get(place, place), line_said(plan, plan.words_for(said.get("new", ""))))


def _line_meant(plan: Plan, what: str) -> str | None:
    """Return the line that is to be put elsewhere; None if it is not there, so that it is a new one.

    "the juice" is one that is there. "juice" may be a new line although another one has that word.

    Raises:
        UnclearError: it may be either.
    """
    words = _DEFINITE.sub("", bare(what))
    if words.casefold() in map(str.casefold, plan.lines()):
        return words
    if mask(what) != what:
        return None
    if _found_later(plan, words) and not _DEFINITE.match(what):
        return None
    named = line_said(plan, what)
    found = [named] if named in plan.lines() else [line for line in plan.lines() if has_text([line], words)]
    if len(found) > 1:
        raise UnclearError(SEVERAL)
    if not found:
        return None
    if not _DEFINITE.match(what):
        raise UnclearError(EITHER.format(found[0], words))
    return found[0]


def _found_later(plan: Plan, old: str) -> bool:
    """Return whether some words are in a line that is still to be typed."""
    left = (one.content for one in plan.every[plan.done :] if isinstance(one, Type) and is_text(one))
    return has_text(map(str, left), old)


def swap(plan: Plan, text: str) -> bool:
    """Let two texts that are left change their places."""
    if not (said := fits("swapped", text)):
        return False
    if "one" in said:
        words = [
            f"line {said[name]}" if said[name].isdigit() else f"the {said[name]} line" for name in ("one", "other")
        ]
    else:
        words = [said["old"], said["new"]]
    counted = [line_said(plan, one) for one in words]
    named = [one if one in plan.lines() else plan.words_for(one) for one in counted]
    if swap_lines_or_words(plan, *map(bare, named), kind=said.get("kind", "").lower()):
        return True
    [one, *more], [other, *others] = (meant(plan.every, plan.done, name) for name in named)
    if more or others or not (is_text(plan.every[one]) and is_text(plan.every[other])):
        raise UnclearError("I can only swap texts that are to be typed")
    plan.every[one], plan.every[other] = plan.every[other], plan.every[one]
    return True
