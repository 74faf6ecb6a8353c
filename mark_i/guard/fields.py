"""Where the focus is, as far as the agent's own input tells, and which field has it."""

from collections.abc import Sequence
from typing import Final

from mark_i.guard.keystrokes import Focus
from mark_i.guard.provenance import FieldKind
from mark_i.guard.screen import Screen
from mark_i.guard.words import asks_for_recipient
from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.targeting import Aim

SUGGESTED_MAX_PX: Final = 300  # between a field and the last of its suggestions
ONE_LINE_MAX_PX: Final = 64  # the height of a textbox of one line
# Kinds of applications, as their desktop entries declare them, in which delete deletes a thing
KEEPERS: Final = frozenset(
    {
        "FileManager",
        "FileTools",
        "Email",
        "Calendar",
        "ProjectManagement",
        "ContactManagement",
        "Photography",
        "Viewer",
        "Database",
        "News",
    }
    | {"P2P", "FileTransfer", "Filesystem", "Security", "Finance"}
)
LEAVES: Final = frozenset({"up", "down", "escape", "tab"})  # keys that may leave a field of one line
EDITORS: Final = frozenset({"TextEditor", "WordProcessor", "TerminalEmulator", "IDE"})


def element_with(focus: Focus, screen: Screen, window: Window | None) -> Element | None:
    """Return what has the focus: as its program says, or if a click put it there and no key may have moved it."""
    if focus.said:
        return focus.said
    if focus.tabs != 0 or (here := clicked_on(focus, screen.elements(window))) is None:
        return None
    if here.role != "textbox":
        return None if focus.since else here
    return None if here.region.height <= ONE_LINE_MAX_PX and focus.since & LEAVES else here


def is_tall(known: Element | None) -> bool:
    """Whether it is a field of several lines."""
    return known is not None and known.role == "textbox" and known.region.height > ONE_LINE_MAX_PX


def field_of(focus: Focus, screen: Screen, window: Window | None) -> Element | None:
    """Return the field that was clicked or reached with tab, also if a key may have left it since."""
    if focus.said:
        return focus.said if focus.said.role == "textbox" else None
    return _tabbed(focus, screen, window) if focus.tabs else clicked_on(focus, textboxes(screen, window))


def clicked_on(focus: Focus, elements: Sequence[Element]) -> Element | None:
    """Return the smallest element at the place that was clicked."""
    here = [one for one in elements if focus.at and focus.at in one.region]
    return min(here, key=lambda one: one.region.area, default=None)


def in_text(focus: Focus, screen: Screen, window: Window | None) -> bool:
    """Whether the focus is known to be in a text."""
    known = element_with(focus, screen, window)
    return known.role == "textbox" if known else in_bar(focus, screen, window)


def in_bar(focus: Focus, screen: Screen, window: Window | None) -> bool:
    """Whether it is in a bar: a dialog has none, and a key may have closed it."""
    if window is None or not focus.bar or focus.since & LEAVES or screen.is_dialog(window):
        return False
    return "WebBrowser" in screen.categories(window) or bool(textboxes(screen, window))


def textboxes(screen: Screen, window: Window | None) -> list[Element]:
    """Return the fields in a window."""
    return [one for one in screen.elements(window) if one.role == "textbox"]


def field_labels(focus: Focus, screen: Screen, window: Window | None) -> list[str]:
    """Return what says which field has the focus, or the labels of every one that may have it."""
    known = element_with(focus, screen, window) or _tabbed(focus, screen, window)
    near = screen.words_at(focus.at) if focus.at and focus.tabs == 0 and not focus.said else ()
    if known or near:
        return [*([known.text] if known else []), *near]
    return [one.text for one in textboxes(screen, window)]


def _tabbed(focus: Focus, screen: Screen, window: Window | None) -> Element | None:
    """Return the field that tab reaches from a field that was clicked."""
    boxes = textboxes(screen, window)
    if not focus.tabs or (start := clicked_on(focus, boxes)) is None:
        return None
    at = boxes.index(start) + focus.tabs
    return boxes[at] if 0 <= at < len(boxes) else None


def suggested_to(focus: Focus, pressed: Sequence[Aim], screen: Screen, window: Window | None) -> list[str]:
    """Return the suggestions below a field for a recipient that a pointer chooses while the field has the focus."""
    box = field_of(focus, screen, window)
    if box is None or not asks_for_recipient(box.text):
        return []
    places = [aim.region.center for aim in pressed if aim.region]
    below = [
        one
        for one in screen.elements(window)
        if one.role in {"text", "option"} and 0 <= one.region.y - box.region.bottom <= SUGGESTED_MAX_PX
    ]
    across = range(box.region.x, box.region.right)
    return [one.text for one in below if one.region.x in across and any(at in one.region for at in places)]


def field_kind(focus: Focus, screen: Screen, window: Window | None) -> FieldKind:
    """Return what a text that is typed there goes into."""
    kinds = screen.categories(window) if window else frozenset()
    browses = "WebBrowser" in kinds
    if (browses and focus.at is None) or (focus.bar and kinds.isdisjoint(EDITORS | KEEPERS)):
        return "address"
    known = element_with(focus, screen, window)
    if focus.said and focus.said.role == "textbox" and not is_tall(known):
        return "field"
    return "text" if not browses and (is_tall(known) or (kinds & EDITORS and not focus.bar)) else "field"
