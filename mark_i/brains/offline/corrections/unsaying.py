"""Take back what the person said last: the plan is then as it was before, for what is not yet done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Final

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.meant import DONE_BEFORE, NEXT, names, typed_last, untold
from mark_i.brains.offline.corrections.plan import Plan, erasing
from mark_i.brains.offline.corrections.readings import has_text
from mark_i.brains.offline.corrections.text_lines import ENTER, is_enter, is_text
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.instructions import Instruction, Pause, Press
from mark_i.brains.offline.instructions.kinds import UnclearError

NOTHING_SAID: Final = "you have said nothing that changed what is to be done"
TAKEN_BACK: Final = "what you said last was taken back already"
SAID_OR_TYPED: Final = "it could mean what was typed last, or what you said last"


def unsay(plan: Plan, text: str) -> bool:
    """Take back what the person said last, if a text asks for that; return whether it does.

    Raises:
        UnclearError: there is nothing to take back, or it was done already, or it could mean what was typed.
    """
    is_that = fits("unsaid_that", text) is not None
    if plan.restored is not None:  # "forget what I said, keep it as it was" says it twice
        wanted = fits("wanted_back", text)
        is_kept = wanted and (NEXT.fullmatch(wanted["old"]) or plan.is_left(wanted["old"]))
        return is_that or fits("unsaid", text) is not None or bool(is_kept)
    if fits("unsaid", text) is not None:
        if not plan.is_ignored:
            _take_back(plan)
        return True
    if is_that and plan.is_ignored:
        return True  # what was said last changed nothing
    if is_that and (plan.before or plan.is_taken_back):
        _take_back(plan)
        return True
    return plan.before is not None and _take_back_named(plan, plan.before, text)


def unsay_after_all(plan: Plan, text: str) -> bool:
    """Take back what the person said last if a text names what it left out, or what it put there: "fish after all"."""
    said = fits("after_all", text)
    if not said or plan.before is None:
        return False
    old = plan.words_for(said["old"])
    if "not" not in said:
        return _bring_back(plan, plan.before, old)
    return _take_back_put(plan, plan.before, old)


def _take_back_named(plan: Plan, before: Plan, text: str) -> bool:
    """Take back the part of what was said last that is named by what it left out, or by what it put there."""
    if (wanted := fits("wanted_back", text)) and _bring_back(plan, before, plan.words_for(wanted["old"])):
        return True
    is_left = plan.done <= _same(before.every, plan.every)
    if is_left and fits("erased_that", text) is not None and typed_last(plan.every, plan.done):
        raise UnclearError(SAID_OR_TYPED)
    unsaid = fits("unsaid_text", text)
    return bool(is_left and unsaid and _take_back_put(plan, before, unsaid["old"]))


def _take_back_put(plan: Plan, before: Plan, new: str) -> bool:
    """Take back the last message if it has put there what is named; return whether it has."""
    put = [one for difference in _differences(before.every, plan.every) for one in difference.put]
    if not any(names(new, one.text) for one in put):
        return False
    _take_back(plan)
    return True


def _take_back(plan: Plan) -> None:
    """Make the plan what it was before the last message that changed it.

    Raises:
        UnclearError: there is none, or it was done already and is not simply typed text.
    """
    if plan.before is None:
        raise UnclearError(TAKEN_BACK if plan.is_taken_back else NOTHING_SAID)
    before, same = plan.before.every, _same(plan.before.every, plan.every)
    if plan.done <= same:
        kept = [now if now == was else was for now, was in zip(plan.every, before[:same], strict=False)]
        plan.every = [*kept, *before[same:]]  # a wait goes on with what is left of it now
    else:
        plan.every = _typed_back(plan, before, same)
    plan.restored, plan.talk = [*plan.every], [*plan.before.talk]


def _typed_back(plan: Plan, before: Sequence[Instruction], same: int) -> list[Instruction]:
    """Return the plan that types again what stood there before the last message, of which a part is done."""
    done = plan.every[same : plan.done]
    changed_until = len(plan.every) - _same(before[same:][::-1], plan.every[same:][::-1])
    is_typed = all(is_text(one) or is_enter(one) or _passes(one) for one in done)
    if not is_typed or not all(
        is_enter(one) or isinstance(one, Pause) for one in plan.every[changed_until : plan.done]
    ):
        raise UnclearError(DONE_BEFORE)
    was, now = typed_at_end(plan.every[:same]), typed_at_end(plan.every[: plan.done])
    kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False)))
    forgotten = [replace(one, text="") for one in done]  # what they typed is taken back
    erased = erasing(f'take back "{now[kept:].strip()}"', len(now) - kept)
    return [*plan.every[:same], *forgotten, *erased, *plan.typing_all(was[kept:]), *before[same:]]


def _bring_back(plan: Plan, before: Plan, old: str) -> bool:
    """Put back what the last message has left out, or put something else in its place; return whether it is that."""
    found = [one for one in _differences(before.every, plan.every) if any(names(old, gone.text) for gone in one.gone)]
    if not found and has_text(before.lines(), old) and not has_text(plan.lines(), old):
        _take_back(plan)
        return True
    if not found:
        return False
    if len(found) == len(_differences(before.every, plan.every)):
        _take_back(plan)
        return True
    moved = [one for difference in found for one in difference.put if not _is_break(one) and one in before.every]
    if moved or plan.done > found[0].start:
        raise UnclearError(DONE_BEFORE)
    for one in reversed(found):
        plan.every[one.start : one.start + len(one.put)] = one.gone
    return True


@dataclass(frozen=True, slots=True)
class _Difference:
    """What a message has left out at a place, and what it has put there."""

    start: int
    gone: list[Instruction]
    put: list[Instruction]


def _differences(before: Sequence[Instruction], now: Sequence[Instruction]) -> list[_Difference]:
    # An Enter is like any other, so that none tells which text stands in the place of which.
    codes = SequenceMatcher(_is_break, [*map(untold, before)], [*map(untold, now)], autojunk=False).get_opcodes()
    return [_Difference(c, [*before[a:b]], [*now[c:d]]) for kind, a, b, c, d in codes if kind != "equal"]


def _is_break(one: object) -> bool:
    return isinstance(one, Press) and one.keys == ENTER.keys


def _same(before: Sequence[Instruction], now: Sequence[Instruction]) -> int:
    """Return how many of the first instructions are the same."""
    pairs = zip(before, now, strict=False)
    return sum(1 for _ in takewhile(lambda pair: untold(pair[0]) == untold(pair[1]), pairs))


def _passes(one: Instruction) -> bool:
    return isinstance(one, Pause) or (isinstance(one, Press) and one.takes_back)
