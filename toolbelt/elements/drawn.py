"""Tell dropdowns and sliders, which pixels show as fields, by the arrow and the knob that are drawn in them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from toolbelt.elements.element import Element
from toolbelt.elements.thresholds import THRESHOLDS
from world_model import Frame, Pixels, Region

INK_MIN_RATIO: Final = 0.5  # to the strongest contrast in a part; less is a bevel
CONTRAST_MIN: Final = 60  # of 255, of an arrow to its ground
BUTTON_RATIO: Final = 0.75  # of the width of a button with an arrow, beside a field, to its height; at most
ARROW_MIN_PX: Final = 5  # wide at its top
ARROW_MAX_RATIO: Final = 0.8  # of its width to the height of its field
TIP_MAX_RATIO: Final = 0.5  # of its tip to its top
GAP_MAX_PX: Final = 4  # between the parts of a slider
BAR_MAX_PX: Final = 20  # the height of a slider; a field for text is higher


def as_drawn(elements: Sequence[Element], frame: Frame) -> tuple[Element, ...]:
    """Return what was found on a frame, with the fields that are dropdowns or sliders as such."""
    rest, found = list(elements), list[Element]()
    while rest:
        one = rest.pop(0)
        if _is_low_field(one):
            others = [*found, *rest]
            one, parts = _slider(one, others) or _dropdown(one, others, frame) or (one, [])
            rest = [other for other in rest if other not in parts]
            found = [other for other in found if other not in parts]
        found.append(one)
    return tuple(found)


def _is_low_field(one: Element) -> bool:
    return one.role == "textbox" and one.region.height <= THRESHOLDS.one_line_max_height_px


def _dropdown(field: Element, others: Sequence[Element], frame: Frame) -> tuple[Element, list[Element]] | None:
    """Return a field with an arrow at its right end, or close to it, as a dropdown, and the parts of it."""
    region = field.region
    ends = (
        Region(region.right - region.height, region.y, region.height, region.height),
        Region(region.right, region.y, round(BUTTON_RATIO * region.height), region.height),
    )
    for end in ends:
        if _has_arrow(frame.crop(end.intersection(frame.region))):
            whole = region.union(end) if end is ends[1] else region
            parts = [one for one in others if one.role in {"image", "text"} and one.region.center in end]
            return replace(field, role="combobox", region=whole), parts
    return None


def _has_arrow(pixels: Pixels) -> bool:
    """Whether one sign that narrows downwards is all that is drawn in a picture, apart from its border."""
    if not pixels.size:
        return False
    gray = pixels.mean(axis=2)
    contrast = np.abs(gray - np.median(gray))
    if contrast.max() < CONTRAST_MIN:
        return False
    ink = (contrast > INK_MIN_RATIO * contrast.max()).astype(np.uint8)
    _count, labels, stats, _middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    height, width = ink.shape
    inner = [
        number
        for number, (x, y, across, down, _area) in enumerate(stats)
        if number and x > 0 and y > 0 and x + across < width and y + down < height
    ]
    return len(inner) == 1 and _narrows(labels == inner[0], height)


def _narrows(sign: Pixels, height_px: int) -> bool:
    """Whether a sign has its widest row at the top and its tip at the bottom."""
    rows = [np.flatnonzero(row) for row in sign if row.any()]
    spans = [int(row[-1] - row[0]) + 1 for row in rows]
    fits = ARROW_MIN_PX <= spans[0] <= ARROW_MAX_RATIO * height_px
    falls = all(lower <= upper for upper, lower in pairwise(spans))
    return fits and falls and spans[-1] <= TIP_MAX_RATIO * spans[0]


def _slider(field: Element, others: Sequence[Element]) -> tuple[Element, list[Element]] | None:
    """Return two empty bars with nothing but a knob between them as one slider, and the parts of it."""
    bar = field.region
    if field.holds or bar.height > BAR_MAX_PX:
        return None
    for other in others:
        beside = other.region
        if not _is_low_field(other) or other.holds or (beside.y, beside.height) != (bar.y, bar.height):
            continue
        left, right = sorted((bar, beside), key=lambda one: one.x)
        gap = Region(left.right, bar.y, max(0, right.x - left.right), bar.height)
        knob = [one for one in others if one.role == "image" and one.region.center in gap]
        filled = sum(one.region.width for one in knob) + GAP_MAX_PX * (len(knob) + 1) >= gap.width
        if knob and filled and gap.width <= 3 * bar.height:
            slider = replace(field, role="slider", text=field.text or other.text, region=left.union(right))
            return slider, [other, *knob]
    return None
