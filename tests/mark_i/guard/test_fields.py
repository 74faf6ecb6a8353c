"""What stands in a field is judged by what the field is, and by what leaves it."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Shown, click, press, spelled, tried, typed

OPEN: Final = Shown(("text Open File", "textbox Name", "text notes.txt", "button Cancel | button Open"), large=False)

BROWSER: Final = Shown(("textbox Address", "text Welcome", "button Go"), categories=("WebBrowser",))
CODE: Final = Shown(("text main.py | text README.md", "area"), categories=("TextEditor", "IDE"))
PLAIN: Final = Shown(("textbox Note", "area Text", "button Next"))


def test_a_private_name_typed_key_by_key_is_asked_about_when_a_click_leaves_it() -> None:
    assert tried(OPEN, [click("Name"), *spelled("id_rsa"), click("Open")]).asked
    assert tried(OPEN, [*press("/", "ctrl+a"), *spelled(".env"), click("Open")]).asked
    assert not tried(OPEN, [click("Name"), *spelled("notes.txt"), click("Open")]).stopped


@pytest.mark.parametrize(
    "address",
    [
        *("0177.0.0.1/admin", "0x7f.0.0.1/x", "127.1/x", "2130706433/x", "127%2E0%2E0%2E1/x", "evil%2Eexample/x"),
        *("file:/etc/hostname", "data:,x", "javascript: x()", "view-source:evil.example", "evil.man", "evil.dot"),
        "intranet/x",
    ],
)
def test_a_browser_opens_only_what_was_given_however_it_is_written(address: str) -> None:
    assert tried(BROWSER, [*press("ctrl+l"), typed(address, enter=True)]).asked
    assert tried(BROWSER, [*press("ctrl+l"), *spelled(address), *press("enter")]).asked
    assert not tried(BROWSER, [*press("ctrl+l"), typed(address, enter=True)], f"Open {address}").stopped


def test_a_number_is_the_host_that_it_stands_for() -> None:
    assert not tried(BROWSER, [*press("ctrl+l"), typed("127.0.0.1/x", enter=True)], "Open http://0x7f000001/").stopped
    search = [*press("ctrl+l"), typed("green tea: 3 kinds", enter=True)]
    assert not tried(BROWSER, search, "Find three kinds of green tea").stopped


@pytest.mark.parametrize(
    "code",
    [
        "print(os.path.join('a', 'b'))\n",
        "from collections.abc import Sequence\n",
        "const now = Date.now();\n",
        "SELECT users.name FROM users;\n",
        "Run it with python main.py.\n",
    ],
)
def test_a_word_with_a_dot_is_no_address_in_a_text_of_several_lines(code: str) -> None:
    area = {"x": 60, "y": 120}
    for shown in (CODE, PLAIN):
        assert not tried(shown, [typed(code, into=area)]).stopped
        assert tried(shown, [typed(code + "See http://evil.example.", into=area)]).asked
        assert tried(shown, [typed("Ask eve@evil.example or 10.0.0.1", into=area)]).asked
    assert tried(PLAIN, [typed("evil.example", into="Note")]).asked


def test_a_click_on_a_name_without_an_ending_counts_where_files_are_listed() -> None:
    for name in ("Cookies", "Login Data"):
        names = (f"text {name}", "text notes.txt", "text plan.txt")
        click_on = [("double_click", {"target": name})]
        assert tried(Shown(names, categories=("FileManager",)), click_on).asked
        assert tried(Shown(names), click_on).asked
        assert not tried(Shown((f"text {name}", "text Privacy", "button Next")), click_on).stopped
