"""Keys on a real desktop, in real applications: what they would do is asked about, and then done."""

import os
import shutil
from pathlib import Path

import pytest

from mark_i.guard.policy import Policy, Rule
from mark_i.guard.risk import Answer
from tests.mark_i.guard.on_screen import APPS, CHROMIUM, Worker, keys
from tests.support import action
from toolbelt.desktops.shells import is_at_prompt, is_own_terminal, is_terminal


def test_a_command_typed_key_by_key_is_asked_about_as_a_whole(shell: Worker, tmp_path: Path) -> None:
    calls = keys(*"touch owned", "enter")

    codes, asked = shell.does(*calls)

    assert codes == [None] * 11 + ["DENIED"]
    assert asked == ['The command "touch owned" appears in neither the goal nor an answer.']
    assert not (tmp_path / "owned").exists()

    assert shell.does(*keys("ctrl+u", *"touch mine", "enter"), goal="run touch mine") == ([None] * 12, [])
    shell.until((tmp_path / "mine").exists)


def test_a_recalled_command_is_asked_about(shell: Worker, tmp_path: Path) -> None:
    assert shell.does(*keys(*"rm x", "ctrl+c"), *keys("up", "enter"))[0][-1] == "DENIED"
    denied = Policy(danger="allow", rules=(Rule(do="deny", target=("rm",)),))
    assert shell.does(*keys("ctrl+c", *"rm x", "enter"), goal="rm x", policy=denied) == ([None] * 5 + ["DENIED"], [])
    assert shell.does(*keys("ctrl+c", "enter"))[0] == [None, None]


def test_text_at_an_empty_place_goes_to_the_shell_that_keeps_the_focus(shell: Worker, tmp_path: Path) -> None:
    empty = {"x": 1020, "y": 760}

    codes, asked = shell.does(action("type_text", text="touch owned\n", into=empty))

    assert codes == ["DENIED"]
    assert "touch owned" in asked[0]
    assert not (tmp_path / "owned").exists()


def test_a_shell_waits_at_its_prompt_and_another_program_does_not(shell: Worker) -> None:
    [window] = shell.desktop.windows()
    shell.desktop.type("cat\n")
    shell.until(lambda: not is_at_prompt(window.pid))
    assert is_terminal(window.pid)
    assert not is_own_terminal(window.pid)
    assert not is_at_prompt(os.getpid())


@pytest.mark.parametrize("key", ["enter", "space", "alt+d"])
def test_a_key_that_presses_delete_is_asked_about(worker: Worker, tmp_path: Path, key: str) -> None:
    note = tmp_path / "note"
    note.write_text("keep me")
    worker.desktop.launch(["/usr/bin/python3", str(APPS / "delete_gtk.py"), str(note)])
    worker.comes("Notes", "Delete")

    codes, asked = worker.does(*keys(key))

    assert codes == ["DENIED"]
    assert asked == ['"delete" may be impossible to undo.']
    assert note.exists()
    if key != "alt+d":  # GTK gave the button no mnemonic
        assert worker.does(*keys(key), answers=[Answer("once")])[0] == [None]
        worker.until(lambda: not note.exists())


@pytest.mark.usefixtures("browser")
def test_an_address_is_judged_as_it_is_entered(worker: Worker, tmp_path: Path) -> None:
    if not shutil.which("chromium"):
        pytest.skip("There is no chromium")
    page = tmp_path / "page.html"
    page.write_text("<title>Shop</title><h1>Welcome</h1><button>Buy now</button>")
    worker.desktop.launch([*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()])
    worker.comes("Shop", "Welcome")

    codes, asked = worker.does(*keys("ctrl+l", *"evil.example", "enter"))
    assert codes == [None] * 13 + ["DENIED"]
    assert asked == ['The address "evil.example" appears in neither the goal nor an answer.']

    codes, asked = worker.does(*keys("ctrl+l", *"evil", "ctrl+enter"))
    assert codes == [None] * 5 + ["DENIED"]
    assert asked == ['The address "https://www.evil.com" appears in neither the goal nor an answer.']

    assert worker.does(*keys("ctrl+l", *"good.example", "enter"), goal="open good.example") == ([None] * 14, [])
