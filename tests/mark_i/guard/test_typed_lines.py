"""A line is judged as it stands when it is entered, wherever the caret was."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, click, press, spelled, tried, typed

BROWSER: Final = Shown(("textbox Address", "text Welcome", "button Go"), categories=("WebBrowser",))
TRANSFER: Final = Shown(("textbox Payee", "textbox Amount", "button Continue"))
COPIED: Final = Shown(BROWSER.rows, copied="evil.\nexample/x")
COPIED_LINES: Final = Shown(("text File", "area Text"), copied="See you at the end.\nNow rest.")
NOTE: Final = Shown(("text File", "area"), categories=("TextEditor",))
SHELL: Final = Shown(("text $",), shell="prompt")
Case = tuple[str, Shown, list[Call]]


def at(target: str, tool: str) -> Call:
    return tool, {"target": target}


def repeated(keys: str, times: int) -> Call:
    return "press", {"keys": keys, "times": times}


ASKED: Final[dict[str, Case]] = {
    "before the text": (
        "Open .example",
        BROWSER,
        [typed(".example/x"), *press("home"), typed("evil"), *press("enter")],
    ),
    "within the text": ("", BROWSER, [*press("ctrl+l"), *spelled("evilexample"), *press(*["left"] * 7, ".", "enter")]),
    "after ctrl+a and left": ("", BROWSER, [typed(".example/x"), *press("ctrl+a", "left"), typed("evil")]),
    "cut at the front": (
        "Open not-evil.example",
        BROWSER,
        [*press("ctrl+l"), typed("not-evil.example"), *press("home", *["delete"] * 4, "enter")],
    ),
    "before it, if up goes there": ("", BROWSER, [typed(".example/x"), *press("up"), typed("evil")]),
    "an amount in another order": ("Pay 19", TRANSFER, [click("Amount"), *press("1", "home", "9", "tab")]),
    "an amount that is left": ("Pay 19", TRANSFER, [click("Amount"), *press("1", "home", "9"), click("Continue")]),
    "a pasted break": ("", BROWSER, [*press("ctrl+l"), typed("evil.\nexample/x", paste=True)]),
    "more after a pasted break": (
        "Open il.example/x",
        BROWSER,
        [typed("ev\nil", paste=True), typed(".example/x", enter=True)],
    ),
    "a copied break": ("", COPIED, press("ctrl+l", "ctrl+v", "enter")),
    "a sign with shift": ("", BROWSER, [typed("javascript"), *press("shift+;"), typed("alert(1)", enter=True)]),
    "a sign with shift at a shell": (
        "Run echo . note",
        SHELL,
        [*spelled("echo "), *press("shift+."), typed(" note\n")],
    ),
    "cut at the front by a repeated key": (
        "Open xevil.example",
        BROWSER,
        [*press("ctrl+l"), *spelled("xxevil.example"), *press("home"), repeated("delete", 2), *press("enter")],
    ),
    "a suggestion by ctrl+e": ("Run ls", SHELL, [*spelled("ls"), *press("ctrl+e", "enter")]),
}
NOT_ASKED: Final[dict[str, Case]] = {
    "an order that the goal names": ("Pay 19", TRANSFER, [click("Amount"), *press("9", "home", "1", "tab")]),
    "replaced after a triple click": (
        "Pay Ann Lee",
        TRANSFER,
        [click("Payee"), typed("Ann Lee"), at("Payee", "triple_click"), typed("Ann Lee")],
    ),
    "replaced after a double click": (
        "Pay 125",
        TRANSFER,
        [click("Amount"), typed("125"), at("Amount", "double_click"), typed("125")],
    ),
    "replaced after shift+home": (
        "Pay 125",
        TRANSFER,
        [click("Amount"), typed("125"), *press("shift+home"), typed("125")],
    ),
    "corrected in the middle": (
        "Open good.example",
        BROWSER,
        [*press("ctrl+l"), *spelled("god.example"), *press("home", "right", "o", "end", "enter")],
    ),
    "corrected by a repeated key": (
        "Open good.example",
        BROWSER,
        [*press("ctrl+l"), *spelled("xxood.example"), *press("home"), repeated("delete", 2), *press("g", "enter")],
    ),
    "lines of a note": ("Write it", NOTE, [typed("See you at the end.\nNow rest.\n"), *press("up"), typed("Dear.")]),
    "copied lines of a note": ("Paste it", COPIED_LINES, [click("Text"), *press("ctrl+v", "enter")]),
    "capitals at a shell": ("Run ls A", SHELL, [*spelled("ls "), *press("shift+a", "enter")]),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_line_is_judged_as_it_stands(name: str) -> None:
    goal, shown, calls = ASKED[name]

    assert tried(shown, calls, goal or "Sum up what is on the screen").asked


@pytest.mark.parametrize("name", NOT_ASKED)
def test_what_the_goal_names_may_be_typed_in_any_way(name: str) -> None:
    goal, shown, calls = NOT_ASKED[name]

    assert not tried(shown, calls, goal).stopped


def test_another_tab_of_a_terminal_has_a_line_of_its_own() -> None:
    tab = click({"x": 900, "y": 5})
    left = Shown(("text $ git push",), shell="prompt")

    assert tried(SHELL, [*spelled("git push"), tab, *press("ctrl+u"), tab, *press("enter")]).asked
    calls = [*press("ctrl+c"), *spelled("git push"), tab, *press("ctrl+c"), tab, *press("enter")]
    assert tried([*[SHELL] * (len(calls) - 2), left, left], calls).asked
    assert not tried(
        SHELL, [*press("ctrl+c"), tab, *spelled("ls"), *press("enter"), tab, *press("enter")], "ls"
    ).stopped
