"""Join what is seen with what programs say: the pixels tell that an element is there, its program what it is."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from toolbelt.elements.accessible import Said
from toolbelt.elements.element import Element
from toolbelt.elements.labels import in_row, label_of_field, plain_label
from toolbelt.elements.text_runs import TextRun
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line
from toolbelt.ocr.on_screen import unreadable
from toolbelt.ocr.text_match import plain
from world_model import CHECKABLE, FIELDS, Frame, Region, Role

FLAT_MAX: Final = 12  # of 255, between the pixels of a part of the screen where nothing is drawn
OVERLAP_MIN: Final = 0.4  # of two boxes of one element, of what they cover together
LIKENESS_MIN: Final = 0.5  # of 1.0, between what a program says and what is read; less is something else
SHOWN_MIN: Final = 0.8  # of 1.0, between the name of a combobox and what is read in it, to be the same
READABLE_MIN: Final = 3  # letters that must be read to contradict a name; icons are read as one or two
CONTROLS: Final = frozenset[Role]({"button", "checkbox", "radio", "switch", "textbox", "combobox", "listbox", "slider"})
SHOWS_NAME: Final = frozenset[Role]({"button", "link", "tab", "menuitem", "option", "text"})  # what reads as its name
MAY_SHOW_NAME: Final = SHOWS_NAME | CHECKABLE  # for some toolkits, the label is a part of the box
NAMED_BESIDE: Final = FIELDS | CHECKABLE
LABELLED: Final = NAMED_BESIDE | frozenset[Role]({"slider", "listbox"})
SWITCH_RATIO: Final = (1.5, 2.6)  # of the width of a switch to its height
LABEL_WORDS_MAX: Final = 6  # a longer text is a sentence
SIGNS: Final = " ▼▾▿⌄˅"  # as which the arrow of a combobox is read
LETTERS: Final = re.compile(r"[^\W_]")


def joined(
    found: Sequence[Element], said: Said, frame: Frame, lines: tuple[Line, ...]
) -> tuple[tuple[Element, ...], int]:
    """Return one list of what is there, in reading order, and how many elements are said to be there and are not.

    Args:
        found: what was found by its looks.
        said: what programs say.
        frame: the screen.
        lines: the texts on it.
    """
    seen = [replace(one, region=one.region.intersection(frame.region)) for one in said.elements]
    seen = [one for one in seen if _is_drawn(one.region, frame)]
    true = [_as_switch(_as_shown(one, lines), lines) for one in seen if not _is_contradicted(one, lines)]
    kept, left, hints = list[Element](), list(found), dict[Element, str]()
    for element in (one for one in true if one.role != "text"):
        match = _same(element, left)
        both = _both(element, match)
        parts = [one for one in left if one is not match and _is_part(one, both)]
        kept.append(_holding(both, [*([match] if match else []), *parts]))
        hints[kept[-1]] = match.holds if match and element.role == "textbox" and not element.holds else ""
        left = [one for one in left if one is not match and one not in parts]
    rest = [other for one in left if (other := _as_seen(one, said))]
    rest = _spelled([one for one in true if one.role == "text"], rest, kept)
    named = _labelled(kept, rest, hints)
    whole = tuple(sorted((*named, *rest), key=lambda one: (one.region.y, one.region.x)))
    return whole, len(seen) - len(true)


def _is_drawn(region: Region, frame: Frame) -> bool:
    """Whether anything is drawn in a part of the screen."""
    if region.area <= 0:
        return False
    pixels = frame.crop(region.grown(1).intersection(frame.region))
    return bool(np.ptp(pixels.reshape(-1, 3), axis=0).max() > FLAT_MAX)


def _is_contradicted(element: Element, lines: tuple[Line, ...]) -> bool:
    """Whether something else is read where an element shows its name."""
    if element.role not in MAY_SHOW_NAME or not element.text:
        return False
    words = [word.text for line in lines for word in line.words if word.region.center in element.region]
    words = [word for word in words if len(word) > 1 or len(words) == 1]  # signs are read as single letters
    read, name = plain(" ".join(words)), plain(element.text)
    if len(LETTERS.findall(read)) < READABLE_MIN or not LETTERS.search(name) or unreadable(element.text):
        return False
    return not _shares(read, name)


def _like(one: str, other: str) -> float:
    return difflib.SequenceMatcher(a=one, b=other, autojunk=False).ratio()


def _same(element: Element, found: Sequence[Element]) -> Element | None:
    """Return what was found by its looks where an element is said to be: the most alike."""
    if element.role in CHECKABLE:
        inside = [one for one in found if one.role in CHECKABLE and one.region.center in element.region.grown(2)]
        if inside:
            return min(inside, key=lambda one: one.region.x)
    overlaps = [(_overlap(element.region, one.region), one) for one in found if one.region.overlaps(element.region)]
    best = max(overlaps, key=lambda one: one[0], default=(0.0, None))
    return best[1] if best[0] >= OVERLAP_MIN else None


def _overlap(one: Region, other: Region) -> float:
    shared = one.intersection(other).area
    return shared / (one.area + other.area - shared)


def _both(element: Element, match: Element | None) -> Element:
    """Return one element from what is said and what was found there."""
    if match is None:
        return element
    is_box = element.role in CHECKABLE and match.role in CHECKABLE
    region = match.region if is_box or match.role == element.role else element.region
    named = element.role in SHOWS_NAME or (match.role != "text" and element.role in NAMED_BESIDE)
    text = element.text or (match.text if named else "")
    role = "link" if element.role == "button" and match.role == "link" else element.role  # a button that looks like one
    return replace(element, role=role, region=region, text=text)


def _as_shown(element: Element, lines: tuple[Line, ...]) -> Element:
    """Return a field without a value that cannot be read in it: a password is shown as dots."""
    letters = [one for one in plain(element.holds) if one.isalnum()]
    if (
        element.role != "textbox"
        or len(letters) < READABLE_MIN
        or all(one in unreadable(element.holds) for one in letters)
    ):
        return element
    words = [word.text for line in lines for word in line.words if word.region.center in element.region]
    return element if _shares(plain(" ".join(words)), plain(element.holds)) else replace(element, holds="", value=None)


def _as_switch(element: Element, lines: tuple[Line, ...]) -> Element:
    """Return a checkbox as a switch if it is as wide as one, and not by its label."""
    width, height = element.region.width, element.region.height
    if element.role != "checkbox" or not SWITCH_RATIO[0] * height <= width <= SWITCH_RATIO[1] * height:
        return element
    words = [word for line in lines for word in line.words if word.region.center in element.region]
    is_labelled = any(len(word.text) > 1 for word in words)  # the signs on a switch are read as one letter
    return element if is_labelled else replace(element, role="switch")


def _shares(read: str, said: str) -> bool:
    """Whether half of the shorter of two texts is in the other, in parts of more than one letter."""
    shared = difflib.SequenceMatcher(a=read, b=said, autojunk=False).get_matching_blocks()
    shorter = min(len(read), len(said))
    return (
        shorter > 0 and sum(one.size for one in shared if one.size > 1 or one.size == shorter) >= LIKENESS_MIN * shorter
    )


def _holding(element: Element, parts: Sequence[Element]) -> Element:
    """Return a combobox with what is read in it, if its program does not say what it shows, or says a number for it."""
    if element.role != "combobox":
        return element
    inner = " ".join(
        one.holds if one.role in FIELDS else one.text for one in parts if one.role not in CHECKABLE
    ).rstrip(SIGNS)
    is_read = len(LETTERS.findall(inner)) >= READABLE_MIN
    if element.holds and not (is_read and element.holds.isdecimal() and element.holds not in inner):
        return element
    if inner and _like(plain(inner), plain(element.text)) >= SHOWN_MIN:
        return replace(element, text="", holds=element.text)  # a toolkit may name it by what it shows
    return replace(element, holds=inner)


def _is_part(one: Element, element: Element) -> bool:
    """Whether what was found by its looks is a part of an element: its text, or what it holds."""
    if one.region.center not in element.region:
        return False
    if element.role in {"listbox", "image"}:
        return False
    small = element.region.height <= THRESHOLDS.one_line_max_height_px
    return one.role in {"text", "image", "link"} or (small and one.role in CONTROLS)


def _spelled(texts: Sequence[Element], found: Sequence[Element], controls: Sequence[Element]) -> list[Element]:
    """Return what was found, with texts as their programs spell them, and those that could not be read."""
    spelled = list(found)
    for text in texts:
        lines = [one for one in spelled if one.role == "text" and one.region.center in text.region]
        is_label = len(text.text.split()) <= LABEL_WORDS_MAX and _is_read(lines, text)
        if len(lines) > 1 and (is_label or all(len(LETTERS.findall(one.text)) < READABLE_MIN for one in lines)):
            spelled = [one for one in spelled if one not in lines]
            spelled.append(replace(text, text=" ".join(text.text.split())))
            continue
        match = _same(text, [one for one in spelled if one.role in {"text", "link"}])
        if match and _like(plain(match.text), plain(text.text)) >= LIKENESS_MIN:
            spelled[spelled.index(match)] = replace(match, text=text.text, said=True)
        elif not any(one.region.center in text.region for one in (*spelled, *controls)):
            spelled.append(text)
    return spelled


def _is_read(lines: Sequence[Element], text: Element) -> bool:
    """Whether lines are those of a text."""
    read = " ".join(one.text for one in sorted(lines, key=lambda one: one.region.y))
    return _like(plain(read), plain(text.text)) >= LIKENESS_MIN


def _labelled(elements: Sequence[Element], found: Sequence[Element], hints: Mapping[Element, str]) -> list[Element]:
    """Name the fields whose program gives them no name by the text beside or above them, or by the hint in them."""
    texts = [
        TextRun(one.text, one.region)
        for one in found
        if one.role == "text" and len(one.text.split()) <= LABEL_WORDS_MAX
    ]
    controls = [one.region for one in elements if one.role in CONTROLS]
    fields = [one for one in elements if one.role in LABELLED]
    labels = {one: label for one in fields if (label := label_of_field(_first_line(one), texts, controls))}
    taken = {label for one, label in labels.items() if in_row(label.region, one.region)}
    named = []
    for one in elements:
        label = labels.get(one)
        own = label and not one.text and (label not in taken or in_row(label.region, one.region))
        name = plain_label(label.text) if label and own else hints[one]
        named.append(replace(one, text=one.text or name))
    return named


def _first_line(element: Element) -> Region:
    """Return where the label of an element is looked for: that of a list is above it, or beside its first line."""
    region = element.region
    if element.role != "listbox":
        return region
    return replace(region, height=min(region.height, THRESHOLDS.one_line_max_height_px))


def _as_seen(one: Element, said: Said) -> Element | None:
    """Return what was found only by its looks; where a program says all that is there, it is a text or nothing."""
    if one.role not in CONTROLS or not said.describes(one.region.center):
        return one
    name = one.holds if one.role in FIELDS else one.text
    return Element("text", one.region, name) if name else None
