"""The detector: finds buttons, textboxes, checkboxes, links, images and texts on a frame by how they look.

It returns a radio button as a `checkbox`: checked and antialiased, many of both fill about as much of their rectangle.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.elements.element import Element
from toolbelt.elements.labels import has_close_label, label_of_box, label_of_field, plain_label
from toolbelt.elements.links import is_underlined_link
from toolbelt.elements.outlines import Shape, inked, shapes, wipe
from toolbelt.elements.text_runs import TextRun, pieces_of
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line
from world_model import Frame, Pixels, Region

RADIO_LOOKALIKES: Final = "O0o"  # a radio button may be read as one of these
BOX_LOOKALIKES: Final = "O0oCDQVvXxYJ"  # a box may be read as one of these, empty or with a mark in it
OPENING_QUOTES: Final = "\"'“”„«»("  # before a word


@lru_cache(maxsize=1)  # the guard and the tool look at the same frame
def elements_on(frame: Frame, lines: tuple[Line, ...]) -> tuple[Element, ...]:
    """Return what can be pointed at on a frame, in reading order; `lines` are the texts on it."""
    x, y = frame.origin.x, frame.origin.y
    found = _elements(frame.pixels, [line.shifted(-x, -y) for line in lines])
    there = [replace(element, region=element.region.shifted(x, y)) for element in found]
    return tuple(sorted(there, key=lambda element: (element.region.y, element.region.x)))


def _elements(pixels: Pixels, lines: list[Line]) -> list[Element]:
    ink = inked(pixels)
    outlines = shapes(pixels, ink)
    large = [shape for shape in outlines if not shape.tiny]
    for shape in large:
        wipe(ink, shape)
    boxes = [shape for shape in outlines if shape.tiny and _is_box(shape.region, ink, lines)]
    low = [shape.region for shape in large if shape.region.height <= THRESHOLDS.one_line_max_height_px]
    boxes = [shape for shape in boxes if not any(_is_icon_of(shape, region, boxes) for region in low)]
    keys = [shape for shape in outlines if shape.tiny and shape not in boxes and _is_key(shape.region, lines)]
    for shape in keys:
        wipe(ink, shape)
        low.append(shape.region)
    for shape in boxes:
        wipe(ink, shape, whole=True)
    ticked = [Element("checkbox", shape.region) for shape in boxes]
    texts = [piece for line in lines for piece in pieces_of(line, pixels, ink, [box.region for box in ticked], low)]
    regions = [shape.region for shape in outlines if shape in keys or not shape.tiny]
    panels = {region for region in regions if any(box.region.center in region for box in ticked)}
    # Neither a frame around a checkbox and its label nor the rest of that frame, beside the checkbox, is a control.
    frames = [(box.region, one) for box in ticked for one in panels if box.region.center in one and one in low]
    panels |= {one for one in regions for box, frame in frames if one.overlaps(box) and one.intersection(frame) == one}
    panels |= _tables(regions, ink)
    controls = _controls([region for region in regions if region not in panels], texts, ink)
    small = [element.region for element in controls if element.region.height <= THRESHOLDS.one_line_max_height_px]
    free = [piece for piece in texts if not _within(piece.region, small)]
    named, free = _named(controls, ticked, free)
    signs = [shape.region for shape in outlines if shape.tiny and shape not in boxes and shape not in keys]
    icons = _icons(ink, signs, [*small, *(box.region for box in ticked), *(piece.region for piece in texts)])
    return [*named, *icons, *(_as_thing(piece, pixels) for piece in free)]


def _within(region: Region, others: list[Region]) -> bool:
    middle = region.center
    return any(middle in other for other in others)


def _as_thing(piece: TextRun, pixels: Pixels) -> Element:
    if _is_sign(piece):
        return Element("image", piece.region, piece.text)
    return Element("link" if is_underlined_link(pixels, piece.region) else "text", piece.region, piece.text)


def _is_sign(piece: TextRun) -> bool:
    """Whether a text is a single sign that is not on a keyboard; icons are read as such."""
    return len(piece.text) == 1 and not piece.text.isascii()


def _is_box(box: Region, ink: Pixels, lines: list[Line]) -> bool:
    """Whether a square has free space around it and a text close to its right, and is not a letter of a text."""
    rows = slice(box.y, box.bottom)
    left = ink[rows, max(0, box.x - 2 * THRESHOLDS.checkbox_free_px) : max(0, box.x - THRESHOLDS.checkbox_free_px)]
    right = np.flatnonzero(
        ink[rows, box.right + THRESHOLDS.checkbox_free_px : box.right + THRESHOLDS.checkbox_text_max_gap_px].any(axis=0)
    )
    if left.any() or not len(right):
        return False
    x = box.right + THRESHOLDS.checkbox_free_px + int(right[0])
    row = [line for line in lines if line.region.y < box.center.y < line.region.bottom]
    text = any(line.region.x <= x < line.region.right for line in row)
    apart = x - box.right >= THRESHOLDS.checkbox_text_min_gap_ratio * box.height
    return text and not any(
        box.center in word.region and _is_letter(word.text, apart=apart) for line in row for word in line.words
    )


def _is_key(sign: Region, lines: list[Line]) -> bool:
    """Whether an outline as small as a checkbox has a digit or a letter in it, like a key of a keypad."""
    words = (word for line in lines for word in line.words if line.region.height <= sign.height)
    return any(word.text.isalnum() and word.region.center in sign for word in words)


def _is_icon_of(box: Shape, control: Region, boxes: list[Shape]) -> bool:
    """Whether a circle is an icon in a button or textbox, or the knob of a switch, not a box in a highlighted row."""
    if box.square or box.region.center not in control:
        return False
    if (
        THRESHOLDS.switch_min_width_ratio * box.region.width
        <= control.width
        <= THRESHOLDS.switch_max_width_ratio * box.region.width
    ):
        return True
    if box.region.x - control.x <= THRESHOLDS.checkbox_hover_margin_px:
        return False
    return [one for one in boxes if one.region.center in control] == [box]


def _is_letter(word: str, *, apart: bool) -> bool:
    """Whether an outline within a word is a letter of it, not a radio button that was read with its label.

    A box may be read as one of a few letters; any other letter, or a digit, is on a key.
    """
    if len(word) == 1:
        return word.isalnum() and word not in BOX_LOOKALIKES
    return word.lstrip(OPENING_QUOTES)[:1].isalnum() and not (apart and word[0] in RADIO_LOOKALIKES)


# Buttons and textboxes ---------------------------------------------------------------------------------------------


def _controls(regions: list[Region], texts: list[TextRun], ink: Pixels) -> list[Element]:
    """Return the outlines that are buttons or textboxes, not the panels around them; the smallest first."""
    found: list[Element] = []
    middles = [one.region.center for one in texts]
    for region in reversed(regions):
        inner = [
            element
            for element in found
            if region.x - THRESHOLDS.shared_border_px <= element.region.x and element.region.center in region
        ]
        own = [one.region for one in inner]
        there = [(one, at) for one, at in zip(texts, middles, strict=True) if at in region]
        within = [one for one, at in there if not any(at in it for it in own) and not _is_handle(one.region, region)]
        if not inner:
            element = _control(region, within, ink)
        elif len(inner) == 1 and _is_rest(inner[0], region, texts):
            element = Element("textbox", region, holds=_selected(within, inner[0]))
        else:
            element = _field_around(region, within, inner)
        if element:
            found = [one for one in found if one not in inner or one.role == "button"]
            found.append(element)
    return found


def _is_rest(element: Element, field: Region, texts: list[TextRun]) -> bool:
    """Whether an element is the rest of a textbox, to the right of a selected text."""
    rest = element.region
    ends = rest.y - field.y, field.bottom - rest.bottom, field.right - rest.right
    beside = any(
        abs(one.region.right - rest.x) <= THRESHOLDS.selection_gap_px
        and rest.center.y in range(one.region.y, one.region.bottom)
        for one in texts
    )
    return element.role == "textbox" and max(ends) <= THRESHOLDS.selection_gap_px and beside


def _selected(before: list[TextRun], rest: Element) -> str:
    """Return what a textbox with a selection holds; a word that is cut at the end of the selection is read twice."""
    texts = [*(piece.text for piece in before), rest.holds]
    return " ".join(text for text in texts if not any(text in other for other in texts if other != text))


def _tables(regions: list[Region], ink: Pixels) -> set[Region]:
    """Return the cells of tables and the outlines around them."""
    edges = np.array([(one.x, one.y, one.right, one.bottom) for one in regions], np.int32).reshape(-1, 4)
    cells = edges[[at for at in range(len(regions)) if _is_cell(at, regions, edges, ink)]]
    inside = (edges[:, np.newaxis, :2] <= cells[:, :2]) & (edges[:, np.newaxis, 2:] >= cells[:, 2:])
    return {regions[at] for at in np.flatnonzero(np.any(np.all(inside, axis=2), axis=1))}


def _is_cell(at: int, regions: list[Region], edges: NDArray[np.int32], ink: Pixels) -> bool:
    """Whether a region shares one side with a region beside it and one with a region above or below it.

    The keys of a keypad may do so too, but all texts in their row and column are centred.
    """
    left, top, right, bottom = edges[at]
    off = np.abs(edges - (left, top, right, bottom)) <= THRESHOLDS.shared_border_px
    touch = np.abs(edges - (right, bottom, left, top)) <= THRESHOLDS.shared_border_px
    row, column = off[:, 1] & off[:, 3], off[:, 0] & off[:, 2]
    shared = (row & (touch[:, 0] | touch[:, 2])).any() and (column & (touch[:, 1] | touch[:, 3])).any()
    return bool(shared) and not all(_is_filled(regions[one], ink) for one in np.flatnonzero(row | column))


def _control(region: Region, within: list[TextRun], ink: Pixels) -> Element | None:
    if region.height > THRESHOLDS.one_line_max_height_px:
        return _large_field(region, within, ink)
    left, right = _ink_span(region, ink)
    if right - left <= THRESHOLDS.caret_max_width_px:
        return (
            Element("textbox", region)
            if region.width >= THRESHOLDS.empty_textbox_min_width_ratio * region.height
            else None
        )
    filled, words = _is_filled(region, ink), _words(within)
    if not words:
        return Element("button" if filled else "textbox", region, " ".join(one.text for one in within))
    after = region.x + right - words[-1].region.right  # an arrow that opens a list
    if filled and after <= region.height / 2:
        return Element("button", region, " ".join(one.text for one in words))
    return _one_line(region, words)


def _words(within: list[TextRun]) -> list[TextRun]:
    """Return the pieces from left to right, without icons: signs, or a single letter at the end."""
    row = sorted(within, key=lambda one: one.region.x)
    if len(row) > 1 and len(row[-1].text) == 1:
        row.pop()
    return [one for one in row if not _is_sign(one)]


def _is_filled(region: Region, ink: Pixels) -> bool:
    """Whether the content of a region is centred, as in a button."""
    left, right = _ink_span(region, ink)
    centred = abs(left + right - region.width) / 2 <= max(
        THRESHOLDS.border_px, THRESHOLDS.button_off_centre_ratio * region.width
    )
    return (
        right > left
        and centred
        and region.height <= THRESHOLDS.one_line_max_height_px
        and region.width <= THRESHOLDS.button_max_width_ratio * region.height
    )


def _one_line(region: Region, words: list[TextRun]) -> Element | None:
    """Return a textbox of one line, if the text begins at its left."""
    first = words[0].region
    if (
        len(words) > 1
        or first.x - region.x > THRESHOLDS.textbox_max_indent_px
        or region.height > THRESHOLDS.textbox_max_height_ratio * first.height
    ):
        return None
    return Element("textbox", region, holds=words[0].text)


def _field_around(region: Region, within: list[TextRun], inner: list[Element]) -> Element | None:
    """Return a textbox with small controls in it, such as the arrow of a list, or with a selected text.

    A strip of buttons that begins with a highlighted one is none: there is a gap before the next text.
    """
    narrow = all(3 * element.region.width <= region.width for element in inner)
    words = _words(within)
    if (
        not narrow
        or len(inner) > THRESHOLDS.textbox_max_controls
        or region.height > THRESHOLDS.one_line_max_height_px
        or len(words) != 1
    ):
        return None
    if any(
        element.text and element.region.right + THRESHOLDS.selection_gap_px < words[0].region.x for element in inner
    ):
        return None
    return Element("textbox", region, holds=words[0].text)


def _large_field(region: Region, within: list[TextRun], ink: Pixels) -> Element | None:
    """Return a textbox of several lines, if it is empty or its text begins in its corner."""
    if not within:
        part = _inner(region, ink)[1].copy()
        part[-THRESHOLDS.resize_handle_px :, -THRESHOLDS.resize_handle_px :] = 0
        return None if part.any() else Element("textbox", region)
    first = within[0].region
    return (
        Element("textbox", region)
        if max(first.x - region.x, first.y - region.y) <= THRESHOLDS.textbox_max_indent_px
        else None
    )


def _is_handle(sign: Region, field: Region) -> bool:
    """Whether a sign is the handle that resizes a large textbox."""
    corner = Region(
        field.right - THRESHOLDS.resize_handle_px,
        field.bottom - THRESHOLDS.resize_handle_px,
        THRESHOLDS.resize_handle_px,
        THRESHOLDS.resize_handle_px,
    )
    return field.height > 2 * THRESHOLDS.resize_handle_px and sign.intersection(corner) == sign


def _inner(region: Region, ink: Pixels) -> tuple[int, Pixels]:
    """Return the width of a region's border, and the ink within the border."""
    for border in (THRESHOLDS.border_px, THRESHOLDS.focus_border_px):
        inner = region.grown(-border)
        part = ink[inner.y : inner.bottom, inner.x : inner.right]
        if not part.size or 2 * part[0].sum() < part.shape[1]:
            break
    return border, part


def _ink_span(region: Region, ink: Pixels) -> tuple[int, int]:
    """Return the first column with ink and the one after the last, counted from the left of the region."""
    border, part = _inner(region, ink)
    columns = np.flatnonzero(part.any(axis=0))
    return (int(columns[0]) + border, int(columns[-1]) + border + 1) if len(columns) else (0, 0)


# Labels and icons --------------------------------------------------------------------------------------------------


def _named(controls: list[Element], boxes: list[Element], texts: list[TextRun]) -> tuple[list[Element], list[TextRun]]:
    """Return the controls and the boxes with their labels, and the other texts.

    The label of a textbox is among the other texts too; the label of a checkbox is a part of the checkbox.
    """
    taken = [element.region for element in (*controls, *boxes)]
    others, free, found = list(texts), list(texts), []
    for box in boxes:
        label = label_of_box(box.region, free)
        found.append(replace(box, text=label.text) if label else replace(box, role="image"))
        if label:
            free.remove(label)
            others.remove(label)
    fields = [element for element in controls if element.role == "textbox"]
    found += [element for element in controls if element not in fields]
    # First the textboxes with a label to their left, then those below one.
    for element in sorted(fields, key=lambda one: not has_close_label(one.region, free)):
        label = label_of_field(element.region, free, taken)
        found.append(replace(element, text=plain_label(label.text)) if label else element)
        if label:
            free = [one for one in free if one.region.intersection(label.region) != one.region]
    return found, others


def _icons(ink: Pixels, signs: list[Region], known: list[Region]) -> list[Element]:
    """Return what stands out, is not text and is not a part of a known element."""
    alone = [sign for sign in signs if not _within(sign, known)]
    rest = ink.copy()
    for region in (*known, *alone):
        rest[
            max(0, region.y - THRESHOLDS.checkbox_free_px) : region.bottom + THRESHOLDS.checkbox_free_px,
            max(0, region.x - THRESHOLDS.checkbox_free_px) : region.right + THRESHOLDS.checkbox_free_px,
        ] = 0
    joined = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _count, _labels, stats, _centers = cv2.connectedComponentsWithStats(joined, connectivity=8)
    short, long = np.minimum(stats[1:, 2], stats[1:, 3]), np.maximum(stats[1:, 2], stats[1:, 3])
    fits = (
        (short >= THRESHOLDS.icon_min_side_px)
        & (long <= THRESHOLDS.icon_max_side_px)
        & (long <= THRESHOLDS.icon_max_side_ratio * short)
    )
    found = [Region(*(int(value) for value in row[:4])) for row in stats[1:][fits]]
    return [Element("image", region) for region in (*alone, *found)]
