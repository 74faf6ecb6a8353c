"""A key may choose an entry of a menu, however it was opened."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, click, press, spelled, tried

OPEN: Final = Shown(("text File | text Edit", "text plan.txt | text Rename", "text thesis.docx | text Move to Trash"))
HAMBURGER: Final = Shown(("button Menu | text plan", "text Delete account", "text Help"))
ASIDE: Final = Shown(("text Ann: lunch | text Bob", "text Bob: report | text Move to Trash"), categories=("Email",))
FIELD: Final = Shown(("textbox Name", "text Delete account"))
BROWSER: Final = Shown(("textbox Address", "text Welcome"), categories=("WebBrowser",))
ASKED: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "arrows and enter": (OPEN, [click("Edit"), *press("down", "down", "enter")]),
    "arrows and space": (OPEN, [click("Edit"), *press("up", "space")]),
    "a letter": (OPEN, [click("Edit"), *press("m")]),
    "a letter after an arrow": (OPEN, [click("Edit"), *press("down", "m")]),
    "a menu button": (HAMBURGER, [click("Menu"), *press("up", "enter")]),
    "an entry beside a harmless button": (
        Shown(("text Edit", "text Delete", "button Help")),
        [click("Edit"), *press("down", "enter")],
    ),
    "alt alone": (OPEN, press("alt", "e", "m")),
    "alt held for a moment": (OPEN, [("hold", {"keys": "alt", "seconds": 1}), *press("m")]),
    "after a submenu": (OPEN, press("menu", "right", "escape", "down", "enter")),
    "letters of an address, if no menu opens": (
        BROWSER,
        [*press("ctrl+l", "alt"), *spelled("evil.example"), *press("enter")],
    ),
}
NOT_ASKED: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "another letter": (OPEN, [click("Edit"), *press("n")]),
    "enter without an arrow": (OPEN, [click("Edit"), *press("enter")]),
    "a text in another column": (ASIDE, [click("Ann: lunch"), *press("down", "enter", "m")]),
    "a letter in a field": (FIELD, [click("Name"), *press("d", "down", "e")]),
    "a list without such a name": (OPEN, [click("plan.txt"), *press("down", "enter", "t")]),
    "after the menu was closed": (OPEN, press("right", "menu", "escape", "down", "enter")),
    "after all menus were closed": (OPEN, press("menu", "right", "escape", "escape", "m")),
    "to another window": (OPEN, press("alt+tab")),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_key_that_may_choose_harm_in_a_menu_is_asked_about(name: str) -> None:
    assert tried(*ASKED[name]).asked


@pytest.mark.parametrize("name", NOT_ASKED)
def test_a_key_that_can_choose_no_harm_is_not_asked_about(name: str) -> None:
    assert not tried(*NOT_ASKED[name]).stopped
