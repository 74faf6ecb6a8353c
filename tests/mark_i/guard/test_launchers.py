"""What a launcher runs is judged like a command or an opened program, and so is a program in a list of files."""

from typing import Final

import pytest

from mark_i.guard import words
from mark_i.guard.code import harmful_code
from tests.mark_i.guard.pretended import Shown, click, press, spelled, tried, typed

RUN: Final = Shown(("text Run a command", "textbox", "button Cancel | button OK"), large=False)
TITLED: Final = Shown(("textbox", "button Cancel | button OK"), large=False, title="Ausführen")
SHORTCUT: Final = Shown(("textbox Name", "textbox Command", "textbox Keys", "button Set"))
FIND: Final = Shown(("text Find", "textbox", "button Cancel | button Run"), large=False)
LINES: Final = (
    "systemctl poweroff",
    "git push --force",
    "env rm -rf x",
    "sh -c 'rm -rf x'",
    "find x -delete",
    "gio trash x",
)


@pytest.mark.parametrize("line", [*LINES, "poweroff", "./setup.sh"])
@pytest.mark.parametrize("shown", [RUN, TITLED])
def test_a_line_in_a_launcher_is_a_command_however_it_is_entered(line: str, shown: Shown) -> None:
    assert tried(shown, [typed(line, enter=True)]).asked
    assert tried(shown, [*spelled(line), *press("enter")]).asked
    assert tried(shown, [click({"x": 30, "y": 80}), *spelled(line), click("OK")]).asked


def test_a_field_for_a_command_counts_in_any_window() -> None:
    assert tried(SHORTCUT, [typed("git push --force", into="Command")]).asked
    assert tried(SHORTCUT, [typed("gio trash x", into="Command")]).asked
    assert not tried(SHORTCUT, [typed("gio trash x", into="Name")]).stopped


def test_an_approved_line_is_asked_about_once() -> None:
    calls = [typed("git push --force", into="Command"), click("Set")]

    assert len(tried(SHORTCUT, calls, approve=True).asked) == 1


EDITOR: Final = Shown(("area",), categories=("TextEditor",))
BARE: Final = Shown(("textbox", "text Files | text Mail"), large=False)


@pytest.mark.parametrize("keys", ["alt+f2", "super", "super+r", "super+space"])
@pytest.mark.parametrize("line", [*LINES, "poweroff", "./setup.sh"])
def test_a_line_after_the_keys_of_a_launcher_is_a_command(keys: str, line: str) -> None:
    opens = [typed("Dear Ann"), *press(keys)]
    for shown in (EDITOR, BARE):
        assert tried([EDITOR, EDITOR, shown], [*opens, typed(line, enter=True)]).asked
        assert tried([EDITOR, EDITOR, *[shown] * (len(line) + 1)], [*opens, *spelled(line), *press("enter")]).asked


def test_the_keys_of_a_launcher_open_applications_and_are_left_behind() -> None:
    assert not tried(
        BARE, [*press("super"), typed("xterm", enter=True), typed("git push and more", enter=True)]
    ).stopped
    assert not tried(EDITOR, [*press("alt+f2", "escape"), typed("Send it to env rm, please.")]).stopped
    assert not tried(EDITOR, [*press("super"), click("area"), typed("Dear Ann, find it soon.")]).stopped
    assert not tried(BARE, [*press("alt+f2"), typed("git push", enter=True)], "Run git push").stopped


def test_an_application_or_an_ordered_line_is_run_without_a_question() -> None:
    assert not tried(RUN, [typed("xterm", enter=True)]).stopped
    assert not tried(RUN, [*spelled("text editor"), *press("escape")]).stopped
    assert not tried(RUN, [typed("git push --force", enter=True)], "Run git push --force").stopped


@pytest.mark.parametrize("line", [*(one for one in LINES if not harmful_code(one)), "how to delete a branch"])
def test_a_line_in_another_dialog_is_a_text(line: str) -> None:
    assert not tried(FIND, [typed(line, enter=True)]).stopped


def test_a_label_is_not_prose() -> None:
    assert words.asks_for_command("Run Program...")
    assert words.asks_for_command("Befehl:")
    assert not words.asks_for_command("The program may run for a long time")
    assert not words.asks_for_command("Runner")


@pytest.mark.parametrize("name", ["update.desktop", "Viewer.AppImage", "setup.sh", "INVOICE.PDF.EXE", "x.jar"])
@pytest.mark.parametrize("click_on", ["click", "double_click", "right_click"])
def test_a_program_is_not_opened_from_a_list_of_files_without_a_question(name: str, click_on: str) -> None:
    names = (f"text {name}", "text notes.txt", "text plan.txt")
    calls = [(click_on, {"target": name})]

    assert tried(Shown(names, categories=("FileManager",)), calls).asked
    assert tried(Shown(names), calls).asked
    assert not tried(Shown(names), [(click_on, {"target": "notes.txt"})]).stopped
    assert not tried(Shown(names), calls, f"Open {name}").stopped
    page = tried(Shown((f"text {name}", "text Help"), categories=("WebBrowser",)), calls)
    assert page.stopped is name.endswith(("AppImage", "EXE", "jar"))  # a page may show the text of a script
