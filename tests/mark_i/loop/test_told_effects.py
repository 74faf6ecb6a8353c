"""What an agent is told of the effect of an action, with real programs."""

import sys
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from tests.support import CAP_S, action
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from world_model import describe

SENTENCES: Final = ("The quick brown fox jumps over the lazy dog near the river. " * 4)[:200]
UNCHANGED: Final = "Nothing changed on the screen."
COPIED: Final = "Something was copied to the clipboard."
LETTER: Final = """<title>Letter</title><body contenteditable style="font: 18px sans-serif; width: 400px">
<p>Dear reader,</p><p id="bold">this line becomes bold, all of it, and so it is wrapped into another line.</p>
<p>The others stay as they are.</p><p>Even this one here.</p><p>Kind regards</p>
<script>document.body.focus(); getSelection().selectAllChildren(document.getElementById("bold"))</script>"""


def opened(desktop: VirtualDesktop, command: list[str], shows: str = "") -> None:
    """Start a program, and wait until its window has the focus, shows a text, and rests."""
    desktop.launch(command)
    assert desktop.control.until(lambda: any(one.active for one in desktop.windows()), CAP_S)
    eyes = Eyes(desktop, desktop.control)
    if shows:
        assert eyes.until(lambda lines: find(shows, lines), CAP_S)
    eyes.settle(eyes.look(), 1.0)


def told(desktop: VirtualDesktop, *actions: Any) -> list[str]:
    """What an agent hears after each of its actions."""
    eyes, end = Eyes(desktop, desktop.control), action("fail", reason="That is all.")
    agent = AgentCore(ScriptedBrain([*actions, end]), standard_toolbelt(eyes), desktop, eyes=eyes)
    agent.execute_command("Do it.")
    return [describe(step.observation) for step in agent.world_model][: len(actions)]


def typed(text: str) -> dict[str, object]:
    return action("type_text", text=text)


@pytest.mark.parametrize("command", [["mousepad"], ["xterm", "-e", "cat"]], ids=lambda command: command[0])
def test_a_text_that_arrived_is_never_told_to_have_changed_nothing(desktop: VirtualDesktop, command: list[str]) -> None:
    opened(desktop, command)

    said = told(desktop, *[typed(SENTENCES)] * 3)

    assert [one.partition(". ")[0] for one in said] == ["Typed 200 characters"] * 3
    assert not [one for one in said if UNCHANGED in one]


def test_a_text_that_went_nowhere_changed_nothing(desktop: VirtualDesktop) -> None:
    label = "import tkinter; tkinter.Label(text='No field').pack(); tkinter.mainloop()"
    opened(desktop, [sys.executable, "-c", label], "No field")

    assert told(desktop, typed(SENTENCES)) == [f"Typed 200 characters. {UNCHANGED}"]


def test_bold_letters_are_no_scrolling(desktop: VirtualDesktop, tmp_path: Path, browser: None) -> None:
    page = tmp_path / "letter.html"
    page.write_text(LETTER)
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    opened(desktop, ["chromium", "--no-sandbox", "--no-first-run", profile, f"--app=file://{page}"], "Kind regards")

    said = told(desktop, action("press", keys="ctrl+b"), action("press", keys="ctrl+b"))

    assert all(one.startswith("Pressed ctrl+b.") and "moved" not in one and UNCHANGED not in one for one in said), said


def test_a_copy_to_the_clipboard_is_told(desktop: VirtualDesktop) -> None:
    opened(desktop, ["mousepad"])
    select, copy = action("press", keys="ctrl+a"), action("press", keys="ctrl+c")

    said = told(desktop, typed("hello"), select, copy, action("press", keys="f5"))

    assert [COPIED in one for one in said] == [False, False, True, False]
    assert UNCHANGED not in said[2]
    assert desktop.read_clipboard() == "hello"


def test_a_copy_of_nothing_is_not_told(desktop: VirtualDesktop) -> None:
    opened(desktop, ["mousepad"])

    [said] = told(desktop, action("press", keys="ctrl+c"))

    assert COPIED not in said


def test_a_change_that_was_waited_for_is_told_once(desktop: VirtualDesktop) -> None:
    opened(desktop, ["xterm", "-e", "for n in $(seq 1000); do sleep 1; echo late $n; done"], "late")

    [said] = told(desktop, action("wait_for_change", timeout=60))

    assert said.count("change") == 1, said
