"""Values: what stands in the field that a label names, or else beside or below the label."""

import re
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final

from toolbelt.elements.detector import elements_on
from toolbelt.elements.labels import in_row
from toolbelt.elements.text_fields import field_beside
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import Match, find, plain
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.targets import Target, TextTarget, find_patiently, in_dialog, only, resolve
from world_model import Frame, Point, Region, ToolFailure

NUMBER: Final = re.compile(r"[-\u2212]?\d(?:[\d.,'\u2019]|\s(?=\d{3}(?!\d)))*")
SEPARATORS: Final = " :=\t"  # between a label and its value


@dataclass(frozen=True, slots=True)
class Value:
    """A value, the label that names it, and where it stands."""

    label: Match
    text: str
    region: Region


def find_value(target: Target, eyes: Eyes) -> Value:
    """Find the value of a label, or of the field at a place.

    Raises:
        ToolFailure: `TARGET_NOT_FOUND`, also if there is no value, `TARGET_AMBIGUOUS`, or as `resolve`.
    """
    name: object = target
    if isinstance(target, TextTarget) and not (target.is_described or target.beside):
        name = target.text
    if isinstance(name, str):
        _, look = find_patiently(name, eyes)
        found = values_of(name, look.frame, eyes)
    else:
        place, frame = resolve(target, eyes).match, eyes.look()
        found = list(filter(None, [_value_at(place, frame, _in_its_window(place, frame, eyes))]))
    if not found:
        called = f'"{name}"' if isinstance(name, str) else "the place"
        told = f"No value stands in, beside or below {called}."
        raise ToolFailure("TARGET_NOT_FOUND", told, ["Give a point in the field, or zoom in on it."], ["zoom"])
    chosen = only(str(name), in_dialog([one.label for one in found], eyes))
    value = next(one for one in found if one.label is chosen)
    eyes.permit(value.region.center)
    return value


def values_of(name: str, frame: Frame, eyes: Eyes) -> list[Value]:
    """Return the value of each label with a name; of several, of those that end with a colon if there are any."""
    lines = eyes.read(frame)
    fields = [one for one in elements_on(frame, lines) if one.role == "textbox" and plain(one.text) == plain(name)]
    labels = find(name, lines)
    found = [value for place in labels if (value := _value_at(place, frame, _in_its_window(place, frame, eyes)))]
    here = {value.region for value in found}
    found += [
        Value(Match(one.region.center, one.text, one.region), _held(one.region, lines), one.region)
        for one in fields
        if not any(one.region.overlaps(other) for other in here)
    ]
    return [one for one in found if one.label.name.endswith(":")] or found


def _in_its_window(label: Match, frame: Frame, eyes: Eyes) -> tuple[Line, ...]:
    """Return the lines in the window of a label: what stands beside it in another one is not its value."""
    windows = [one.region for one in eyes.windows() if not one.minimized]

    def window_at(point: Point) -> Region | None:
        return next((region for region in reversed(windows) if point in region), None)

    own = window_at(label.point)
    return tuple(line for line in eyes.read(frame) if window_at(line.region.center) == own)


def _value_at(place: Match, frame: Frame, lines: tuple[Line, ...]) -> Value | None:
    """Return the value of the label at a place, or of the field that is there; None if there is none."""
    field = _field_around(place, frame, lines)
    if field is None and place.region:
        named = field_beside(frame, place.region)
        field = None if named and place.point in named else named
    if field:
        return Value(place, _held(field, lines), field)
    beside = _beside(place, lines)
    return Value(place, *beside) if beside else None


def number_in(text: str) -> float | None:
    """Return the first number in a text, such as `1,234.50`, `1.234,5` or `1 234`; `1,234` has no decimals."""
    found = NUMBER.search(text)
    if found is None:
        return None
    digits = re.sub(r"[\s'\u2019]", "", found[0]).replace("\u2212", "-").rstrip(".,")
    last = max(digits.rfind("."), digits.rfind(","))
    sign = digits[last] if last >= 0 else ""
    grouped = digits.count(sign) > 1 or (sign == "," and re.search(r"^-?[1-9]\d{0,2},\d{3}$", digits))
    whole, part = (digits, "") if not sign or grouped else (digits[:last], digits[last + 1 :])
    return float(f"{re.sub('[.,]', '', whole)}.{part or 0}")


def _field_around(place: Match, frame: Frame, lines: tuple[Line, ...]) -> Region | None:
    """Return the textbox that a place is, if it is not a text."""
    if place.region and place.role != "textbox":
        return None
    fields = [one.region for one in elements_on(frame, lines) if one.role == "textbox" and place.point in one.region]
    return min(fields, key=lambda region: region.area, default=place.region)


def _held(field: Region, lines: tuple[Line, ...]) -> str:
    """Return the text in a field; what stands far from its beginning is on a button of the field."""
    within = [line for line in lines if any(word.region.center in field for word in line.words)]
    if field.height > THRESHOLDS.one_line_max_height_px:
        return "\n".join(line.text for line in within)
    words = sorted((word for line in within for word in line.words), key=lambda word: word.region.x)
    words = [word for word in words if word.region.center in field]
    gaps = [after.region.x - before.region.right for before, after in pairwise(words)]
    near = next((at for at, gap in enumerate(gaps, 1) if gap > field.height), len(words))
    return " ".join(word.text for word in words[:near])


def _beside(label: Match, lines: tuple[Line, ...]) -> tuple[str, Region] | None:
    """Return what follows a label in its line, else the text to its right, else the one close below, and its place."""
    region = label.region
    if region is None:
        return None
    own = next((line for line in lines if label.point in line.region), None)
    rest = [word for word in own.words if word.region.center.x >= region.right] if own else []
    if text := " ".join(word.text for word in rest).strip(SEPARATORS):
        return text, reduce(Region.union, (word.region for word in rest))
    others = [line for line in lines if line is not own]
    right = [line for line in others if in_row(line.region, region) and line.region.x >= region.right]
    below = [line for line in others if _is_close_below(line.region, region)]
    nearest = min(right, key=lambda line: line.region.x, default=None)
    nearest = nearest or min(below, key=lambda line: line.region.y, default=None)
    return (nearest.text, nearest.region) if nearest else None


def _is_close_below(text: Region, label: Region) -> bool:
    across = text.x < label.right and label.x < text.right
    return across and label.center.y < text.y <= label.bottom + label.height
