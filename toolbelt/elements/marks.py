"""Marks: numbers for the elements on the screen, so that one can be named by its number.

An element that stays keeps its number, even if it moved with its surroundings. No number is used twice.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from toolbelt.desktops.accessibility.nodes import State
from toolbelt.elements.element import Element
from toolbelt.elements.tracking import SeenElements, paired
from world_model import Frame, Region, Role, message

Elements: TypeAlias = Callable[[Frame], Sequence[Element]]  # finds those on a frame
GONE_KEPT: Final = 1000  # marks of elements that are gone; older ones are known only by number


@dataclass(frozen=True, slots=True)
class Mark:
    """An element on the screen and its number."""

    number: int
    role: Role
    region: Region
    text: str = ""
    holds: str = ""
    states: tuple[State, ...] = ()
    value: str | None = None

    @property
    def told(self) -> str:
        """Describe it: `12 checkbox "News" at 512, 300, checked`, and the text in a textbox."""
        more = [f'holds "{self.holds}"'] if self.holds else []
        return message(
            f"{self.number} {self.called} at ", self.region.center, *(f", {one}" for one in (*more, *self.states))
        )

    @property
    def called(self) -> str:
        """Its name in a sentence: `button "Save"`, or `image` if it has no text."""
        return f'{self.role} "{self.text}"' if self.text else self.role

    def to_dict(self) -> dict[str, Any]:
        """Return its form in the data of a tool's result."""
        place = self.region.to_list()
        states = {"states": list(self.states)} if self.states else {}
        return {
            "mark": self.number,
            "role": self.role,
            "text": self.text,
            "holds": self.holds,
            "place": place,
            **states,
            **({} if self.value is None else {"value": self.value}),
        }


class Marks:
    """The marks of one screen, as last shown."""

    def __init__(self) -> None:
        self._seen: SeenElements | None = None
        self._marks: tuple[Mark, ...] = ()  # one per element in `_seen`
        self._gone: dict[int, Mark] = {}
        self._next = 1

    def show(self, frame: Frame, elements: Elements) -> tuple[Mark, ...]:
        """Return the marks of the elements on a frame, in reading order; new elements get new numbers."""
        if self._seen is None or not frame.same_as(self._seen.frame):
            seen = SeenElements(frame, elements(frame))
            marks = {at: self._marks[old].number for at, old in self._pairs(seen).items()}
            self._forget(marks.values())
            self._marks = tuple(_mark(marks.get(at) or self._number(), one) for at, one in enumerate(seen.elements))
            self._seen = seen
        return self._marks

    def find(self, number: int, frame: Frame, elements: Elements) -> Mark | None:
        """Find the element last shown with a number on another frame."""
        at = next((at for at, mark in enumerate(self._marks) if mark.number == number), None)
        if self._seen is None or at is None:
            return None
        if frame.same_as(self._seen.frame):
            return self._marks[at]
        seen = SeenElements(frame, elements(frame))
        return next((_mark(number, seen.elements[new]) for new, old in self._pairs(seen).items() if old == at), None)

    def __contains__(self, number: object) -> bool:
        """Whether a number is among the marks last shown."""
        return any(mark.number == number for mark in self._marks)

    def shown(self, number: int) -> Mark | None:
        """Return a mark as it was last shown; None if that was never, or too long ago."""
        return next((mark for mark in self._marks if mark.number == number), self._gone.get(number))

    def given(self, number: int) -> bool:
        """Whether any element ever had that number."""
        return 0 < number < self._next

    def _pairs(self, seen: SeenElements) -> dict[int, int]:
        return paired(self._seen, seen) if self._seen else {}

    def _forget(self, kept: Collection[int]) -> None:
        self._gone |= {mark.number: mark for mark in self._marks if mark.number not in kept}
        for number in list(self._gone)[:-GONE_KEPT]:
            del self._gone[number]

    def _number(self) -> int:
        self._next += 1
        return self._next - 1


def _mark(number: int, element: Element) -> Mark:
    """Build a mark; a textbox without a label is named by its content."""
    text, holds = element.text, element.holds
    if element.role == "textbox" and not text:
        text, holds = holds, ""
    return Mark(number, element.role, element.region, text, holds, element.told_states, element.value)
