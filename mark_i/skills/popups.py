"""Windows that only inform: they may be closed, since there is nothing to choose in them."""

from collections.abc import Sequence
from typing import Final

from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.ocr import plain

# What buttons say that do nothing but close their window.
CLOSING: Final = frozenset({"ok", "close", "gotit", "dismiss", "notnow", "later", "remindmelater", "skip", "nothanks"})


def closing_button(window: Window, elements: Sequence[Element]) -> Element | None:
    """Return the button that closes a window; None if it offers anything else, or nothing that is known."""
    there = [one for one in elements if one.region.center in window.region]
    buttons = [one for one in there if one.role == "button" and one.text]
    others = [one for one in there if one.role not in {"button", "text", "image"}]
    return buttons[-1] if buttons and not others and all(plain(one.text) in CLOSING for one in buttons) else None
