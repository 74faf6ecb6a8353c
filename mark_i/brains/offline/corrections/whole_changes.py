"""Take back a whole change of a text while it is made: what was retyped last is only a part of it."""

from collections.abc import Sequence
from typing import Final

from mark_i.brains.offline.corrections.from_start import is_look
from mark_i.brains.offline.corrections.meant import takes_back
from mark_i.brains.offline.corrections.message_parts import beginnings
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import is_enter, is_text, saved_in_passing, start_of_save
from mark_i.brains.offline.corrections.wordings import fits, lead_end, without_tails
from mark_i.brains.offline.instructions import Held, Instruction, Pause
from mark_i.brains.offline.instructions.kinds import UnclearError

IN_SAVE: Final = "the file is being saved; say it again once that is done"
NOT_ONLY_TEXT: Final = "more was done than to change the text, and that cannot be taken back"
WHOLE: Final = 'it could mean only a part of the change; to take back all of it, say "undo that"'


def takes_back_last(text: str) -> bool:
    """Return whether a message takes back what was done last, and says nothing else."""
    return _is_any(text, "taken_back", "unsaid_that", "unsaid")


def asks_for_whole(plan: Plan, text: str) -> tuple[str, str] | None:
    """Return what a message says to take back a whole change, and what it says besides.

    None if it does not ask for that, but for what the person said last.

    Raises:
        UnclearError: it could mean a part of the change.
    """
    both = [(text, "")] if takes_back_last(text) else [*beginnings(text)]
    asked = next((one for one in both if takes_back_last(one[0])), None)
    of_message = plan.before is not None or plan.is_taken_back or plan.is_ignored
    if asked and not (of_message and _is_any(asked[0], "unsaid_that", "unsaid")):
        return asked
    if any(map(takes_back, plan.every[: plan.done])) and _is_any(text, "erased", "erased_that"):
        raise UnclearError(WHOLE)
    return None


def around_change(plan: Plan, earlier: Sequence[Instruction]) -> tuple[list[Instruction] | None, list[Instruction]]:
    """Return what was done before a change of a text, None if it is not begun, and what is left besides.

    Raises:
        UnclearError: what was done cannot be taken back.
    """
    if start_of_save(plan.every, plan.done) != plan.done:
        raise UnclearError(IN_SAVE)
    begun, passed = plan.every[: plan.done], saved_in_passing([*earlier, *plan.every])
    edits = [at for at, one in enumerate(begun) if _is_edit(one) and one.text not in passed]
    if edits and not all(one.text in passed or _is_edit(one) or _looks(one) for one in begun[edits[0] :]):
        raise UnclearError(NOT_ONLY_TEXT)
    besides = [one for one in plan.every[plan.done :] if one.text in passed or not (_is_edit(one) or _looks(one))]
    return [*earlier, *begun[: edits[0]]] if edits else None, besides


def _is_any(text: str, *kinds: str) -> bool:
    said = without_tails(text[lead_end(text) :])
    return any(fits(kind, said) is not None for kind in kinds)


def _is_edit(one: Instruction) -> bool:
    return is_text(one) or is_enter(one) or takes_back(one)


def _looks(one: Instruction) -> bool:
    return is_look(one) or isinstance(one, Held | Pause)
