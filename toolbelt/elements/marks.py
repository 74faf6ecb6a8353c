"""Marks: numbers for the elements on the screen, so that one can be named by its number.

What stays keeps its number, also where it moved with what is around it. No number is given twice.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from toolbelt.elements.detector import Element, elements_on
from toolbelt.elements.tracking import Seen, paired
from toolbelt.ocr.lines import Line
from world_model import Frame, Region, Role, message

GONE_KEPT: Final = 1000  # marks of elements that are gone; of older ones only the numbers are known


@dataclass(frozen=True, slots=True)
class Mark:
    """A element on the screen and its number."""

    number: int
    role: Role
    region: Region
    text: str = ""
    holds: str = ""

    @property
    def told(self) -> str:
        """`12 button "Save" at 512, 300`, and the text in a textbox."""
        holds = f', holds "{self.holds}"' if self.holds else ""
        return message(f"{self.number} {self.called} at ", self.region.center, holds)

    @property
    def called(self) -> str:
        """`button "Save"`, or `image` where it has no text."""
        return f'{self.role} "{self.text}"' if self.text else self.role

    def to_dict(self) -> dict[str, Any]:
        """Its form in a tool's data."""
        place = self.region.to_list()
        return {"mark": self.number, "role": self.role, "text": self.text, "holds": self.holds, "place": place}


class Marks:
    """The marks of one screen, as they were shown last."""

    def __init__(self) -> None:
        self._seen: Seen | None = None
        self._marks: tuple[Mark, ...] = ()  # one for each element that was seen
        self._gone: dict[int, Mark] = {}
        self._next = 1

    def show(self, frame: Frame, lines: tuple[Line, ...]) -> tuple[Mark, ...]:
        """The marks of what is on the frame, in reading order; what is new gets new numbers."""
        if self._seen is None or not frame.same_as(self._seen.frame):
            seen = Seen(frame, elements_on(frame, lines))
            marks = {at: self._marks[old].number for at, old in self._pairs(seen).items()}
            self._forget(marks.values())
            self._marks = tuple(_mark(marks.get(at) or self._number(), one) for at, one in enumerate(seen.elements))
            self._seen = seen
        return self._marks

    def find(self, number: int, frame: Frame, lines: tuple[Line, ...]) -> Mark | None:
        """Where the element is on another frame that was shown last with that number."""
        at = next((at for at, mark in enumerate(self._marks) if mark.number == number), None)
        if self._seen is None or at is None:
            return None
        if frame.same_as(self._seen.frame):
            return self._marks[at]
        seen = Seen(frame, elements_on(frame, lines))
        return next((_mark(number, seen.elements[new]) for new, old in self._pairs(seen).items() if old == at), None)

    def __contains__(self, number: object) -> bool:
        """Whether it was shown last."""
        return any(mark.number == number for mark in self._marks)

    def shown(self, number: int) -> Mark | None:
        """The mark as it was shown last; None where that was never, or long ago."""
        return next((mark for mark in self._marks if mark.number == number), self._gone.get(number))

    def given(self, number: int) -> bool:
        """Whether anything ever had that number."""
        return 0 < number < self._next

    def _pairs(self, seen: Seen) -> dict[int, int]:
        return paired(self._seen, seen) if self._seen else {}

    def _forget(self, kept: Collection[int]) -> None:
        self._gone |= {mark.number: mark for mark in self._marks if mark.number not in kept}
        for number in list(self._gone)[:-GONE_KEPT]:
            del self._gone[number]

    def _number(self) -> int:
        self._next += 1
        return self._next - 1


def _mark(number: int, element: Element) -> Mark:
    """A field without a label is called by what stands in it."""
    if element.role == "textbox" and not element.text:
        return Mark(number, element.role, element.region, element.holds)
    return Mark(number, element.role, element.region, element.text, element.holds)
