"""Described targets: find an element by its role, its neighbour, or its number among several."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toolbelt.elements.element import Element
from toolbelt.elements.labels import in_row, names_box
from toolbelt.elements.links import COLOR_MIN, is_coloured
from toolbelt.elements.outlines import inked, shapes
from toolbelt.elements.surfaces import surfaces_around
from toolbelt.elements.text_fields import field_beside
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import Match, find, find_all, plain
from toolbelt.perception.observer import Observer
from toolbelt.targeting.neighbours import Areas
from world_model import CHECKABLE, FIELDS, Frame, Point, Region, Role

Side: TypeAlias = Literal["left", "right", "above", "below"]

ARROWS: Final = frozenset("▼▾▿⌄˅Vv")  # as the reader reads them; a letter only if it is alone
OFF_CENTRE_MAX_PX: Final = 8  # of a text in its button; the reader's margins are uneven
BUTTON_LINES_MAX: Final = 2  # of text in a large button
TICK_CONTRAST_MIN: Final = 70  # of 255, of a filled box to its surroundings, or of a mark to the rest of its box
TICK_RING_MAX: Final = 0.2  # to the width of a box; a thicker border is the fill around a mark
# Roles that a program and a model may tell apart differently.
SAME_ROLES: Final[Mapping[Role, frozenset[Role]]] = MappingProxyType(
    {
        "checkbox": CHECKABLE,
        "radio": CHECKABLE,
        "switch": CHECKABLE,
        "combobox": frozenset({"combobox", "listbox"}),
        "listbox": frozenset({"combobox", "listbox"}),
        "option": frozenset({"option", "menuitem"}),
        "menuitem": frozenset({"option", "menuitem"}),
    }
)
# The placeholders of textboxes for a date.
DATE_FORMATS: Final = ("mm/dd/yyyy", "dd/mm/yyyy", "yyyy-mm-dd", "dd.mm.yyyy")


@dataclass(frozen=True, slots=True)
class Screen:
    """What is known of a frame: the lines of text, and what can be pointed at."""

    frame: Frame
    lines: tuple[Line, ...]
    elements: tuple[Element, ...]
    describes: Callable[[Point], bool] = lambda _: False  # whether a program says all that is at a place
    areas: Areas = lambda _: ()


def described(role: Role, text: str | None, screen: Screen) -> list[Match]:
    """Find the elements with a role on a screen, in reading order; with a text, those with it as text or label.

    Where programs say what they show, they decide. Pixels do not tell some roles apart: each role of such a group finds
    the elements of all.
    """
    said = [one for one in screen.elements if one.said and (text is None or _is_named(text, one))]
    alike = [one for one in said if one.role in SAME_ROLES.get(role, {role})]
    exact = [one for one in alike if one.role == role]
    known = [place_of(one) for one in (exact if text else None) or alike]
    seen = [one for one in FINDERS[role](text, screen) if not (known and screen.describes(one.point))]
    return in_reading_order(
        [*known, *(one for one in seen if not any(one.point in at.region for at in known if at.region))]
    )


def _is_named(text: str, element: Element) -> bool:
    return plain(text) in {plain(element.text), plain(element.holds)}


def screen_of(eyes: Observer, frame: Frame) -> Screen:
    """Return what is known of a frame."""
    return Screen(frame, eyes.read(frame), eyes.elements(frame), eyes.describes, areas_on(frame, eyes))


def areas_on(frame: Frame, eyes: Observer) -> Areas:
    """Return what gives the areas around a place on a frame: the boxes that its program says, and the surfaces."""

    def areas(place: Match) -> list[Region]:
        drawn = surfaces_around(place.point, frame) if place.point in frame.region else []
        return sorted([*eyes.boxes_around(place.name, place.point, frame), *drawn], key=lambda one: one.area)

    return areas


def in_reading_order(places: list[Match]) -> list[Match]:
    """Sort places row by row, and each row from left to right; places at about one height are one row."""
    rows: list[list[Match]] = []
    for place in sorted(places, key=lambda place: place.point.y):
        last = rows[-1][0] if rows else None
        if last and last.region and place.region and place.point.y < last.region.bottom:
            rows[-1].append(place)
        else:
            rows.append([place])
    return [place for row in rows for place in sorted(row, key=lambda place: place.point.x)]


def on_side(places: list[Match], neighbours: list[Match], side: Side) -> list[Match]:
    """Return the places on a side of a neighbour, in its row or in its column."""
    pairs = [(one.region, other.region) for one in places for other in neighbours if one.region and other.region]
    there = [one for one, other in pairs if one != other and _is_on(side, one, other)]
    return [place for place in places if place.region in there]


def _is_on(side: Side, one: Region, other: Region) -> bool:
    across = one.x < other.right and other.x < one.right
    beside = in_row(one, other)
    match side:
        case "left":
            return beside and one.center.x < other.x
        case "right":
            return beside and one.center.x >= other.right
        case "above":
            return across and one.center.y < other.y
        case "below":
            return across and one.center.y >= other.bottom


def box_at(place: Match, elements: Sequence[Element]) -> Element | None:
    """Return the checkbox, radio button or switch at a place, if there is one."""
    return next((one for one in elements if one.role in CHECKABLE and place.point in one.region), None)


def is_ticked(frame: Frame, box: Region) -> bool:
    """Whether a box has a mark in it or is filled, even if only around a mark as large as its middle."""
    inner = frame.crop(box.grown(-(min(box.width, box.height) // 3))).reshape(-1, 3).astype(np.int16)
    middle = np.median(inner, axis=0)
    left = frame.crop(Region(box.x, box.center.y, box.width // 2, 1)).reshape(-1, 3)
    ring = np.count_nonzero(np.abs(left - middle).max(axis=1) > TICK_CONTRAST_MIN)
    grounds = _grounds(frame, box)
    is_filled = bool(grounds) and all(np.abs(middle - ground).max() > TICK_CONTRAST_MIN for ground in grounds)
    return bool(np.ptp(inner, axis=0).max() > TICK_CONTRAST_MIN or is_filled or ring > TICK_RING_MAX * box.width)


def _grounds(frame: Frame, box: Region) -> list[NDArray[np.float64]]:
    """Return the colors to the left of a box: close to it, and beyond the glow that the focus may give it."""
    columns = (Region(x, box.y, 1, box.height) for x in (box.x - 2, box.x - 2 - box.width // 2))
    parts = [frame.crop(column.intersection(frame.region)).reshape(-1, 3) for column in columns]
    return [np.asarray(np.median(part, axis=0)) for part in parts if part.size]


# The roles ---------------------------------------------------------------------------------------------------------


def _buttons(text: str | None, screen: Screen) -> list[Match]:
    """Find buttons: of several texts those in a button, else all, since a button may not look like one."""
    buttons = [element for element in screen.elements if element.role == "button"]
    if text is None:
        return [place_of(element) for element in buttons if element.text] or _large_buttons(screen.frame, screen.lines)
    named = [place_of(element) for element in buttons if plain(element.text) == plain(text)]
    said = find(text, screen.lines)
    return _with_lit(named, said) or [one for one in said if _within(one, buttons)] or said


def _within(place: Match, elements: list[Element]) -> bool:
    return any(place.point in element.region for element in elements)


def _with_lit(named: list[Match], said: list[Match]) -> list[Match]:
    """Add to the buttons the texts in a column with them: highlighted or focused, a button may not look like one."""
    regions = [one.region for one in named if one.region]
    others = [one for one in said if not any(one.point in region for region in regions)]
    return [
        *named,
        *(one for one in others if any(abs(one.point.x - at.center.x) <= OFF_CENTRE_MAX_PX for at in regions)),
    ]


def _large_buttons(frame: Frame, lines: tuple[Line, ...]) -> list[Match]:
    """Return the outlines with one or two centred lines of text and nothing else."""
    outlines = [
        shape.region.shifted(frame.origin.x, frame.origin.y) for shape in shapes(frame.pixels, inked(frame.pixels))
    ]
    found = []
    for region in outlines:
        within = [line for line in lines if line.region.center in region]
        if 1 <= len(within) <= BUTTON_LINES_MAX and region.height > THRESHOLDS.one_line_max_height_px:
            text = functools.reduce(Region.union, (line.region for line in within)).center
            across, down = abs(text.x - region.center.x), abs(text.y - region.center.y)
            slack = THRESHOLDS.button_off_centre_ratio
            if across <= max(OFF_CENTRE_MAX_PX, slack * region.width) and down <= max(
                OFF_CENTRE_MAX_PX, slack * region.height
            ):
                found.append(Match(region.center, " ".join(line.text for line in within), region, role="button"))
    return found


def _textboxes(text: str | None, screen: Screen) -> list[Match]:
    """Find textboxes by label, else by content; without a text, those of one line, or else the larger ones."""
    fields = [element for element in screen.elements if element.role in FIELDS]
    if text is None:
        low = [element for element in fields if element.region.height <= THRESHOLDS.one_line_max_height_px]
        return [place_of(element) for element in low or fields]
    labelled = [place_of(element) for element in fields if plain(element.text) == plain(text)]
    held = [place_of(element) for element in fields if plain(element.holds) == plain(text)]
    places = [place for place in find(text, screen.lines) if place.region]
    beside = [(place, field_beside(screen.frame, place.region)) for place in places if place.region]
    near = [Match(field.center, place.name, field, role="textbox") for place, field in beside if field]
    return labelled or held or near or _dates(text, screen.lines)


def _dates(text: str, lines: tuple[Line, ...]) -> list[Match]:
    """Find textboxes for a date without a label by their placeholder."""
    asked = [line for line in lines if plain(line.text) in DATE_FORMATS] if plain(text) == "date" else []
    return [Match(_first_part(line.region), line.text, line.region, role="textbox") for line in asked]


def _first_part(region: Region) -> Point:
    """Return where the first part of a date is; typing starts there."""
    return Point(region.x + region.width // 8, region.center.y)


def _checkables(text: str | None, screen: Screen) -> list[Match]:
    """Find checkboxes and radio buttons by label, else find the text itself."""
    boxes = [element for element in screen.elements if element.role in CHECKABLE]
    if text is None:
        return [place_of(element) for element in boxes]
    if named := [place_of(element) for element in boxes if plain(element.text) == plain(text)]:
        return named
    places = find(text, screen.lines)  # a label that is wrapped, or was read with its box
    regions = [place.region for place in places if place.region]
    return [place_of(one) for one in boxes if any(_names(region, one.region) for region in regions)] or places


def _names(text: Region, box: Region) -> bool:
    """Whether a text that was read is the label of a box; the box may have been read with it, as a letter."""
    return box.center in text or names_box(text, box)


def _links(text: str | None, screen: Screen) -> list[Match]:
    """Find links: of several texts, the colored ones."""
    if text is None:
        words = [word for line in screen.lines for word in line.words]
        said = [Match(word.region.center, word.text, word.region) for word in words]
        return [place for place in said if place.region and is_coloured(screen.frame, place.region)]
    said = find_all(text, screen.lines)
    coloured = [one for one in said if one.region and is_coloured(screen.frame, one.region)]
    return coloured or find(text, screen.lines)


def _lists(text: str | None, screen: Screen) -> list[Match]:
    """Find dropdowns, which have an arrow at their right end, and lists that show several of their entries."""
    if text is not None:
        return _textboxes(text, screen)
    elements = screen.elements
    found = [
        element
        for element in elements
        if element.role == "combobox" or (element.role in {"textbox", "button"} and _is_list(element, screen))
    ]
    if found:
        return [place_of(element) for element in found]
    return [place_of(element) for element in elements if element.text and ARROWS.issuperset(element.text)]


def _is_list(element: Element, screen: Screen) -> bool:
    """Whether an element shows several lines, or something other than text at its right end."""
    region = element.region
    if region.height > THRESHOLDS.one_line_max_height_px:
        return sum(line.region.center in region for line in screen.lines) > 1
    end = Region(region.right - region.height, region.y, region.height, region.height).grown(-region.height // 6)
    read = any(word.region.overlaps(end) for line in screen.lines for word in line.words if word.text not in ARROWS)
    return not read and bool(np.ptp(screen.frame.crop(end)) > COLOR_MIN)


def place_of(element: Element) -> Match:
    """Return where an element is, and what it is called."""
    name = element.text or element.holds
    called = "" if name else f"the {element.role}"
    return Match(element.region.center, name or element.role, element.region, called=called, role=element.role)


def _images(text: str | None, screen: Screen) -> list[Match]:
    """Find icons and pictures; with a text, those that are read as that text."""
    images = [element for element in screen.elements if element.role == "image"]
    return [place_of(one) for one in images if text is None or plain(one.text) == plain(text)]


def _texts(text: str | None, screen: Screen) -> list[Match]:
    """Find elements by their text, whatever they look like."""
    return find(text, screen.lines) if text is not None else []


def _none(_text: str | None, _screen: Screen) -> list[Match]:
    """Find nothing: pixels do not show this role."""
    return []


FINDERS: Final[Mapping[Role, Callable[[str | None, Screen], list[Match]]]] = MappingProxyType(
    {
        "button": _buttons,
        "checkbox": _checkables,
        "radio": _checkables,
        "switch": _checkables,
        "textbox": _textboxes,
        "combobox": _lists,
        "listbox": _lists,
        "option": _texts,
        "link": _links,
        "tab": _texts,
        "menuitem": _texts,
        "slider": _none,
        "image": _images,
        "text": _texts,
    }
)
