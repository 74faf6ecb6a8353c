"""What is asked where a button only agrees, and which buttons there are."""

from collections.abc import Sequence
from typing import Final

from mark_i.guard.screen import Screen
from mark_i.guard.words import LABEL_MAX_WORDS, agrees, consequence, contains_word, declines, known_words, letters
from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.ocr import Line
from world_model import Region

ASKED_MAX_PX: Final = 320  # between a button in a large window and what is asked there
BOXED_MAX_PX: Final = 560  # the same if one that declines is beside it: both belong to a box, which may be tall
BELOW_MAX_PX: Final = 30  # between a control and what is said of it below
BOX_MAX_RATIO: Final = 0.6  # of a window; a box that takes more of it is the page
# What enter, space or a letter with alt presses
PRESSED: Final = frozenset({"button", "link", "checkbox", "radio", "switch", "menuitem", "tab", "option"})
NOT_SAVED_LABEL: Final = ("don't save",)


def buttons_in(screen: Screen, window: Window | None, *, flat: bool = False) -> list[Element]:
    """Return all buttons in a window; in a dialog, or where keys go, short texts may be flat ones or links."""
    flat = flat or screen.is_dialog(window)
    return [
        one
        for one in screen.elements(window)
        if one.text
        and (one.role in PRESSED or (flat and one.role == "text" and len(one.text.split()) <= LABEL_MAX_WORDS))
    ]


def question(label: Sequence[str], at: Region | None, screen: Screen, window: Window | None) -> list[str]:
    """Return what is asked where a button only agrees, such as `OK`, or refuses to save."""
    words = known_words()
    refuses = bool(label) and all(letters(one) in words.refusal for one in label)
    if not refuses and not (label and all(map(agrees, label))):
        return _answered(label, at, screen, window)
    asked = asked_in(at, screen, window)
    if not refuses:
        return asked
    return list(NOT_SAVED_LABEL) if any(contains_word(word, text) for word in words.keeping for text in asked) else []


def _answered(label: Sequence[str], at: Region | None, screen: Screen, window: Window | None) -> list[str]:
    """Return what is said right below to come of it, or in a small window where one beside it declines."""
    if not label:
        return []
    if not screen.is_dialog(window):
        return [
            line.text for line in screen.texts(window) if at and _is_below(line.region, at) and consequence(line.text)
        ]
    others = [one.text for one in buttons_in(screen, window) if one.role == "button" and one.text not in label]
    if any(map(declines, label)) or not any(map(declines, others)):
        return []
    return [text for text in asked_in(None, screen, window) if consequence(text)]


def _is_below(text: Region, control: Region) -> bool:
    return 0 <= text.y - control.bottom <= BELOW_MAX_PX and text.x < control.right and control.x < text.right


def asked_in(at: Region | None, screen: Screen, window: Window | None) -> list[str]:
    """Return the title of a window, and the texts in it: in a large one, those of a box in it, or near a button."""
    pressed = [one.region for one in screen.elements(window) if one.role == "button"]
    lines = [line for line in screen.texts(window) if not any(line.region.center in region for region in pressed)]
    if at and not screen.is_dialog(window):
        box, reach = _box(at, lines, screen, window), _reach(at, screen, window)
        lines = (
            [line for line in lines if line.region.center in box]
            if box
            else [line for line in lines if between(line.region, at) <= reach]
        )
    return [*([window.title] if window else []), *(line.text for line in lines)]


def _reach(at: Region, screen: Screen, window: Window | None) -> int:
    """Return how far from a button its question may be."""
    row = [one for one in buttons_in(screen, window) if one.region.y <= at.center.y < one.region.bottom]
    is_boxed = any(declines(one.text) and at.center not in one.region for one in row)
    return BOXED_MAX_PX if is_boxed else ASKED_MAX_PX


def _box(at: Region, lines: Sequence[Line], screen: Screen, window: Window | None) -> Region | None:
    """Return the largest box around a control that is no more than a part of its window, as its program says."""
    there = [one for one in screen.elements(window) if one.said and at.center in one.region]
    if not there or window is None:
        return None
    around = min(there, key=lambda one: one.region.area).around
    boxes = [one for one in around if one.area <= BOX_MAX_RATIO * window.region.area]
    asks = [box for box in boxes if any(line.region.center in box for line in lines)]
    return max(asks, key=lambda box: box.area, default=None)


def beside(one: Region, other: Region) -> int:
    """Return the pixels between two regions across; none or fewer if one is above the other."""
    return max(one.x - other.right, other.x - one.right)


def between(one: Region, other: Region) -> int:
    """Return the pixels between two regions, across or down, whichever are more."""
    return max(beside(one, other), one.y - other.bottom, other.y - one.bottom)
