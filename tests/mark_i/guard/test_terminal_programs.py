"""A program that fills a terminal acts on single letters, so all but those that only move or quit are asked about."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.mark_i.guard.on_screen import Worker, keys
from tests.mark_i.guard.pretended import Call, Shown, press, spelled, tried


def program(*rows: str) -> Shown:
    return Shown(tuple(f"text {row}" for row in rows), shell="program")


EDITOR: Final = program("My thesis", '"thesis.txt" 2L, 20B')
SHELL_ELSEWHERE: Final = program("ada@far:~$", '[0] 0:ssh* "host" 12:30')
ASKED: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "an editor": (EDITOR, press("g", "g", "d", "shift+g", "shift+z", "shift+z")),
    "an editor, saving": (EDITOR, press("shift+z", "shift+z")),
    "a list of branches": (program("Branches", "push: P"), press("shift+p")),
    "a list of mails": (program("1 Ann: lunch", "---Mutt: =inbox"), press("j", "d")),
    "a shell elsewhere": (SHELL_ELSEWHERE, [*spelled("git push"), *press("enter")]),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_letter_that_may_do_harm_is_asked_about(name: str) -> None:
    assert tried(*ASKED[name]).asked


@pytest.mark.parametrize("last", ["(END)", ":", "top - 12:30", "ncdu 1.15"])
def test_reading_is_not_asked_about(last: str) -> None:
    calls = press("j", "space", "g", "shift+g", "n", "pagedown", "q")

    assert not tried(program("A long text", last), calls).stopped


def test_a_line_behind_a_prompt_is_asked_about_when_it_is_entered() -> None:
    calls = spelled("del x")
    screens = [program(f">>> {'del x'[:count]}") for count in range(6)]

    assert not tried(screens[:5], calls).stopped
    assert tried(screens, [*calls, *press("enter")]).asked
    assert not tried(SHELL_ELSEWHERE, spelled("git push")).stopped


def test_keys_that_the_person_named_are_pressed() -> None:
    assert not tried(EDITOR, press("x", "x"), "Press xx in vi").stopped


@pytest.mark.skipif(not shutil.which("vi"), reason="There is no vi")
def test_an_editor_in_a_real_terminal_saves_only_with_approval(shell: Worker, tmp_path: Path) -> None:
    note = tmp_path / "note"
    note.write_text("keep me\n")
    shell.desktop.type("vi -u NONE note\n")
    shell.until(lambda: shell.reads("keep me"))

    codes, asked = shell.does(*keys("j", "k", "g", "g", "shift+d", "shift+z", "shift+z"))

    assert codes == [None] * 4 + ["DENIED"] * 3
    assert len(asked) == 3
    assert note.read_text() == "keep me\n"


@pytest.mark.skipif(not shutil.which("less"), reason="There is no less")
def test_a_text_is_read_in_a_real_terminal_without_a_question(shell: Worker, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("".join(f"line {number}\n" for number in range(200)))
    shell.desktop.type("less log\n")
    shell.until(lambda: shell.reads("line 1"))

    assert shell.does(*keys("j", "space", "shift+g", "g", "q")) == ([None] * 5, [])
