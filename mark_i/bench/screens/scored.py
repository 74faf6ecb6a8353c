"""Compare the elements that were found on a screen with its truth."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from mark_i.bench.screens.described import Truth
from toolbelt.elements import Element
from world_model import Region, Role

CONTENT: Final = frozenset[Role]({"text", "image"})
OVERLAP_MIN: Final = 0.2  # of what two boxes cover together, to be one thing though their roles differ
TITLE_BAR_PX: Final = 34  # of a dialog, above what is in it
ENDS: Final = ":*….\u2009"
CHECKS: Final = frozenset({"checked", "unchecked", "disabled"})


@dataclass(frozen=True, slots=True)
class Places:
    """Where a program drew what: the elements by their number, its windows, and what is partly under something else."""

    boxes: Mapping[int, Region]
    windows: tuple[Region, ...]
    partly: tuple[Region, ...] = ()

    @classmethod
    def read(cls, said: Mapping[str, Any], truth: Sequence[Truth]) -> "Places":
        """Read what a program wrote, without what is out of its window, or under something else."""
        windows = tuple(Region(*one) for one in said["clients"])
        boxes = {int(number): Region(*box) for number, box in said["places"].items()}
        partly: list[Region] = []
        for cover in said["covers"]:
            x, y, width, height = cover["box"]
            bar = TITLE_BAR_PX if cover.get("dialog") else 0
            over = Region(x, y - bar, width, height + bar)
            hidden = {one: box for one, box in boxes.items() if one not in cover["own"] and box.overlaps(over)}
            boxes = {one: box for one, box in boxes.items() if one not in hidden}
            partly += [box for box in hidden.values() if box.center not in over]
        numbers = {one.id for one in truth}
        shown = {one: box for one, box in boxes.items() if any(_is_within(box, window) for window in windows)}
        return cls({one: box for one, box in shown.items() if one in numbers}, windows, tuple(partly))


@dataclass(slots=True)
class Score:
    """How many elements there are, and what became of them.

    Attributes:
        elements: true elements on the screen.
        found: those of them that were found.
        controls: true elements that are no text.
        right: those of them that were found with their role and name.
        valued: controls that hold something, or are checked or not.
        values: those of them that were found with it.
        said: controls that were found within the windows.
        invented: those of them where there is none.
        misses: what was missed, in words.
    """

    elements: int = 0
    found: int = 0
    controls: int = 0
    right: int = 0
    valued: int = 0
    values: int = 0
    said: int = 0
    invented: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add another score to this one."""
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)

    def figures(self) -> dict[str, Any]:
        """Return the figures, with their shares in percent."""
        return {
            "elements": self.elements,
            "found_percent": _percent(self.found, self.elements),
            "controls": self.controls,
            "right_percent": _percent(self.right, self.controls),
            "values_percent": _percent(self.values, self.valued),
            "invented_percent": _percent(self.invented, self.said),
        }


def score(truth: Sequence[Truth], places: Places, elements: Sequence[Element]) -> Score:
    """Compare what was found with what is there."""
    there = [one for one in truth if one.id in places.boxes]
    matches = _matches(there, places.boxes, elements)
    result = Score(elements=len(there), found=len(matches))
    for one in there:
        element = matches.get(one.id)
        _judge(one, element, result)
        told = f"{one.role} {one.name!r}"
        if element is None:
            result.misses.append(f"not found: {told} at {places.boxes[one.id].to_list()}")
        elif one.role not in CONTENT and not _is_right(one, element):
            result.misses.append(f"wrong: {told} is {element.role} {element.text!r}")
        elif not _holds(one, element):
            found = f"{element.holds!r} {sorted(element.states & CHECKS)}"
            result.misses.append(f"value: {told} {one.value!r} {sorted(one.states)} is {found}")
    matched = list(matches.values())
    _count_invented([one for one in elements if one not in matched], matched, places, there, result)
    return result


def _judge(one: Truth, element: Element | None, result: Score) -> None:
    if one.role in CONTENT:
        return
    has_value = one.value is not None or bool(one.states & CHECKS)
    result.controls += 1
    result.valued += has_value
    if element is not None:
        result.right += _is_right(one, element)
        result.values += has_value and _holds(one, element)


def _count_invented(
    rest: list[Element], found: list[Element], places: Places, there: Sequence[Truth], result: Score
) -> None:
    result.said = sum(one.role not in CONTENT for one in found)
    for one in rest:
        if one.role in CONTENT or not any(one.region.center in window for window in places.windows):
            continue
        result.said += 1
        boxes = [places.boxes[true.id] for true in there if not true.encloses or one.role == "listbox"]
        if not any(box.overlaps(one.region) for box in (*boxes, *places.partly)):
            result.invented += 1
            result.misses.append(f"invented: {one.role} {one.text!r} at {one.region.to_list()}")


def _matches(there: Sequence[Truth], boxes: Mapping[int, Region], elements: Sequence[Element]) -> dict[int, Element]:
    """Return what was found of each true element, the most alike first; nothing counts twice."""
    pairs = [
        (likeness, at, one.id)
        for one in there
        for at, element in enumerate(elements)
        if (likeness := _likeness(one, boxes[one.id], element))
    ]
    found: dict[int, Element] = {}
    taken: set[int] = set()
    for _, at, number in sorted(pairs, reverse=True):
        if number not in found and at not in taken:
            found[number] = elements[at]
            taken.add(at)
    return found


def _likeness(one: Truth, box: Region, element: Element) -> tuple[bool, bool, float] | None:
    """Return how much something that was found is like a true element; None if it is something else."""
    if element.region.center not in box and box.center not in element.region:
        return None
    shared = box.intersection(element.region).area
    overlap = shared / max(1, box.area + element.region.area - shared)
    same, named = element.role == one.role, bool(one.name) and _plain(one.name) == _plain(element.text)
    if not (same or named or overlap >= OVERLAP_MIN) or (one.encloses and not same):
        return None
    return _is_right(one, element), same, overlap


def _is_right(one: Truth, element: Element) -> bool:
    return one.role == element.role and _plain(one.name) == _plain(element.text)


def _holds(one: Truth, element: Element) -> bool:
    """Whether an element holds what it should, as far as that is known, and is checked or disabled as it should be."""
    value = one.value is None or _plain(one.value) == _plain(element.holds)
    return value and one.states & CHECKS == element.states & CHECKS - (
        set() if "unchecked" in one.states else {"unchecked"}
    )


def _plain(name: str) -> str:
    return "".join(name.casefold().split()).rstrip(ENDS)


def _is_within(box: Region, window: Region) -> bool:
    return box.center in window and box.intersection(window).area >= box.area / 2


def _percent(part: int, of: int) -> float | None:
    return round(100 * part / of, 1) if of else None
