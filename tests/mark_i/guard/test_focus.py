"""What has the focus is known only while no key may have moved it."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, click, press, spelled, tried, typed

FILES: Final = Shown(("text plan.txt", "text thesis.docx"), categories=("FileManager",))
BAR: Final = Shown(("textbox Location", *FILES.rows), categories=("FileManager",))
CODE: Final = Shown(("text main.py | text README.md", "text test_a.py", "area Text"), categories=("TextEditor", "IDE"))
FORM: Final = Shown(("textbox Name | button Delete account", "textbox Street", "area Note"))
LINKS: Final = Shown(("textbox Search", "text Delete account | text Help"), categories=("WebBrowser",))
BROWSER: Final = Shown(("button good.example", "text Welcome", "button Pay now"), categories=("WebBrowser",))
NOTE: Final = Shown(("textbox Note", "button Delete"), large=False)


def dialog(*buttons: str) -> Shown:
    return Shown(("text Are you sure?", " | ".join(f"button {one}" for one in buttons)), large=False)


ASKED: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "a bar in a dialog": (dialog("Cancel", "Delete"), press("ctrl+k", "enter")),
    "a bar in a window without one": (Shown(("text Total", "button Pay now")), press("f6", "enter")),
    "a bar that was closed": (BAR, press("ctrl+f", "escape", "delete")),
    "a bar that was left": (BAR, press("ctrl+f", "down", "delete")),
    "a letter, then space": (dialog("Cancel", "Delete"), press("x", "space")),
    "a text, then space": (dialog("Cancel", "Pay now"), [typed("x"), *press("space")]),
    "a letter, then delete": (FILES, press("t", "escape", "delete")),
    "a name that was given up": (FILES, [click("plan.txt"), *press("f2", "x", "escape", "delete")]),
    "a field that escape left": (NOTE, [typed("hello", into="Note"), *press("escape", "space")]),
    "a field that down left": (NOTE, [typed("hello", into="Note"), *press("down", "space")]),
    "a field that tab left": (FORM, [typed("Ann", into="Name"), *press("tab", "space")]),
    "a letter on the next button": (FORM, [typed("Ann", into="Name"), *press("tab", "x", "space")]),
    "a button that an arrow left": (dialog("Details", "Delete"), [click("Details"), *press("right", "enter")]),
    "another button that is read as a text": (
        Shown(("text The old notes", "button Details | text Delete")),
        [click("Details"), *press("right", "enter")],
    ),
    "a button of a page that is new": (dialog("Details", "Delete"), [click("Details"), *press("f5", "enter")]),
    "a button that opened another": (dialog("Details", "Delete"), [click("Details"), *press("enter", "enter")]),
    "a link by tab": (LINKS, press("tab", "enter")),
    "a file of an editor": (CODE, [click("main.py"), *press("delete")]),
    "the files of an editor by a shortcut": (CODE, press("ctrl+shift+e", "delete")),
}
NOT_ASKED: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "deleting in a bar": (BAR, press("ctrl+l", "delete")),
    "space in a bar": (LINKS, [*press("ctrl+f"), *spelled("a b")]),
    "enter in a bar": (Shown(("textbox Search", "button Pay now")), [*press("ctrl+l"), typed("tea", enter=True)]),
    "enter in a bar that is read as a button": (BROWSER, [*press("ctrl+l"), typed("tea", enter=True)]),
    "enter in a list": (Shown(("text plan.txt", "text Trash")), [click("plan.txt"), *press("down", "enter")]),
    "space in a field": (FORM, [click("Street"), *spelled("a b"), *press("left", "space")]),
    "keys in a large field": (FORM, [click("Note"), *press("down", "escape", "space", "delete", "enter")]),
    "a known button": (dialog("Details", "Delete"), [click("Details"), *press("enter")]),
    "deleting in an editor": (CODE, press("ctrl+delete", "home", "shift+end", "delete")),
    "deleting in its text": (CODE, [*press("ctrl+shift+e"), click("Text"), *press("delete")]),
    "reading a page": (LINKS, press("space", "pagedown", "tab", "end")),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_key_counts_by_all_that_may_have_the_focus(name: str) -> None:
    assert tried(*ASKED[name]).asked


@pytest.mark.parametrize("name", NOT_ASKED)
def test_a_key_in_a_known_place_is_not_asked_about(name: str) -> None:
    assert not tried(*NOT_ASKED[name]).stopped
