"""Move lines of a text, of which some may still be to be typed."""

from itertools import takewhile

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.meant import takes_back
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import end_of_texts, is_enter, is_text
from mark_i.brains.offline.corrections.written import (
    MIN_LINES,
    NOT_YET,
    THERE,
    found_in,
    heading_of,
    is_in_field,
    place_of,
    rewrite,
)
from mark_i.brains.offline.instructions import Open
from mark_i.brains.offline.instructions.kinds import UnclearError


def move_written(plan: Plan, old: str, place: str, other: str) -> bool:
    """Move a line, typed or to be typed, to the `top` or `bottom`, `before` or `after` another; False without both.

    Raises:
        UnclearError: it stands there already, or something else is to be done before all is typed.
    """
    lines = typed_at_end(plan.every[: end_of_texts(plan.every, plan.done)]).split("\n")
    at = place_of(lines, old)
    if at is None or len(lines) < MIN_LINES or not plan.is_whole or is_in_field(plan):
        return False
    left = [*lines[:at], *lines[at + 1 :]]
    if place in {"before", "after"}:
        beside = place_of(lines, other)
        if beside is None or beside == at:
            return False
        to = left.index(lines[beside]) + (place == "after")
    else:
        to = _top(lines, at) if place == "top" else len("\n".join(left).rstrip("\n").split("\n"))
    moved = [*left[:to], lines[at], *left[to:]]
    if moved == lines:
        raise UnclearError(THERE)
    if rewrite_all(plan, moved):
        return True
    if found_in(plan, old)[1] is None:
        return False
    raise UnclearError(NOT_YET)


def rewrite_all(plan: Plan, lines: list[str]) -> bool:
    """Put next what makes other lines of the whole text: those that are typed, and those that are to be typed.

    Returns:
        False if something else is to be done before all is typed.
    """
    end = end_of_texts(plan.every, plan.done)
    begin = max((at + 1 for at in range(plan.done, end) if isinstance(plan.every[at], Open)), default=plan.done)
    if not all(is_text(one) or is_enter(one) or takes_back(one) for one in plan.every[begin:end]):
        return False
    typed = typed_at_end(plan.every[: plan.done]) if begin == plan.done else ""
    was = typed.split("\n")
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(was, lines, strict=False))])
    plan.every[begin:end] = plan.typing_all("\n".join(lines)) if not typed else []
    if typed:
        rewrite(plan, lines, min(len(typed), len("\n".join(lines[:same]))))
    return True


def _top(lines: list[str], at: int) -> int:
    """Return where a line comes first: below the heading, if there is one."""
    return int(at > 0 and bool(heading_of([line for line in lines if line.strip()])))
