"""Which of the instructions of a goal the steps of a run have carried out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mark_i.brains.offline.instructions import Click, DialogClosed, Instruction, Scroll, Thing, Tick
from mark_i.brains.offline.looking import counted
from mark_i.brains.offline.seen import ASKED_ANEW, CAME, CLOSING, LOOKED, NAMING, ON_THE_WAY, REPLACING
from mark_i.brains.offline.telling import found
from world_model import Step

NOT_ORDERED: Final = frozenset({"ask_user", "finish", "fail"})  # of these steps no instruction is carried out
BESIDE: Final = frozenset(
    {ASKED_ANEW, CAME, CLOSING, LOOKED, NAMING, ON_THE_WAY, REPLACING}
)  # the notes of steps that carry out no order


@dataclass(frozen=True, slots=True)
class Order:
    """One thing to do; `mark` is set for each of those that "all" means."""

    instruction: Instruction
    mark: int | None = None

    @property
    def of_all(self) -> bool:
        """Whether "all" is still to be looked up."""
        instruction = self.instruction
        return (
            isinstance(instruction, Click | Tick)
            and isinstance(instruction.target, Thing)
            and instruction.target.every
            and self.mark is None
        )


def progress(known: Sequence[Instruction], steps: Sequence[Step]) -> tuple[list[Order], list[Step]]:
    """Return all orders, and the steps that carried out the first of them."""
    orders, worked = [Order(one) for one in known], list[Step]()
    may_do = (step for step in steps if step.note not in BESIDE and step.action.tool not in NOT_ORDERED)
    for step in (step for step in may_do if step.observation.ok):
        if len(worked) == len(orders):
            break
        order = orders[len(worked)]
        if left_of(step) or asks_first(step) or found(order.instruction, step) is None:
            continue
        if not _is_closed(order.instruction, step, orders, worked):
            continue
        if step.action.tool == "marks" and order.of_all:
            orders[len(worked) : len(worked) + 1] = _each(order.instruction, step.observation.data)
        elif step.action.tool != "scroll" or (isinstance(order.instruction, Scroll) and not order.instruction.until):
            worked.append(step)
    return orders, worked


def left_of(step: Step) -> float:
    """Return the seconds that were left of a wait when the person said something."""
    data = step.observation.data
    return float(data.get("left_s", 0.0)) if step.action.tool == "wait" and isinstance(data, Mapping) else 0.0


def asks_first(step: Step) -> bool:
    """Whether a window that was to be closed asked something first."""
    data = step.observation.data
    return isinstance(data, Mapping) and data.get("closed") is False


def looks_in_vain(known: Sequence[Instruction], steps: Sequence[Step]) -> int:
    """Return how often the windows were listed for a dialog to close that did not."""
    _, worked = progress(known, steps)
    since = steps[worked[-1].index :] if worked else steps
    return sum(step.action.tool == "list_windows" and step.observation.ok for step in since)


def begun(known: Sequence[Instruction], steps: Sequence[Step]) -> int:
    """Return how many instructions are carried out, or are begun with the first of all things that one means."""
    orders, worked = progress(known, steps)
    count = len(worked) + any(order.mark is not None for order in orders[len(worked) : len(worked) + 1])
    marked = {id(order.instruction) for order in orders[:count] if order.mark is not None}
    return len(marked) + sum(order.mark is None for order in orders[:count])


def _each(instruction: Instruction, marks: object) -> list[Order]:
    """Return an order for each of those that "all" means; if there are none, the order as it is."""
    thing = instruction.target if isinstance(instruction, Click | Tick) else None
    if not isinstance(thing, Thing) or not isinstance(marks, list):
        return [Order(instruction)]
    return [Order(instruction, row["mark"]) for row in counted(thing, marks)] or [Order(instruction)]


def _is_closed(instruction: Instruction, step: Step, orders: Sequence[Order], worked: Sequence[Step]) -> bool:
    """Whether no dialog that must be closed is among the windows that a step listed; true where none must be.

    That is each that the same words opened: a question that comes up above a dialog leaves that open.
    """
    if not isinstance(instruction, DialogClosed):
        return True
    same = [one for order, one in zip(orders, worked, strict=False) if order.instruction.text == instruction.text]
    opened = {title for one in same if one.observation.screen for title in one.observation.screen.opened}
    there = [row["title"] for row in step.observation.data or []] if step.action.tool == "list_windows" else None
    return there is not None and not opened & {*there}
