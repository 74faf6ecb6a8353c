"""What an agent is told of the effect of an action, with real programs."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Eyes, FakeDesktop, ScriptedBrain, standard_toolbelt
from tests.support import CAP_S, action
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from world_model import Step, describe

SENTENCES: Final = ("The quick brown fox jumps over the lazy dog near the river. " * 4)[:200]
UNCHANGED: Final = "Nothing changed on the screen."
COPIED: Final = "Something was copied to the clipboard."
NOTES: Final = """
import tkinter

def details(_event):
    window = tkinter.Toplevel()
    window.title("Details")
    tkinter.Label(window, text="All details").pack(padx=80, pady=60)
    window.bind("<Escape>", lambda _event: window.destroy())
    window.focus_force()

root = tkinter.Tk()
root.title("Notes")
tkinter.Label(root, text="Press a key").pack(padx=80, pady=60)
root.bind("<F2>", details)
root.bind("x", lambda _event: root.title("Notes, changed"))
root.mainloop()
"""
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


def told(desktop: VirtualDesktop | FakeDesktop, *actions: Any, sight: int = 0) -> list[str]:
    """What an agent hears after each of its actions."""
    return [describe(step.observation) for step in steps(desktop, *actions, sight=sight)]


def steps(desktop: VirtualDesktop | FakeDesktop, *actions: Any, sight: int = 0) -> list[Step]:
    """What an agent remembers of its actions."""
    eyes, end = Eyes(desktop, desktop.control), action("fail", reason="That is all.")
    agent = AgentCore(ScriptedBrain([*actions, end], sight=sight), standard_toolbelt(eyes), desktop, eyes=eyes)
    agent.execute_command("Do it.")
    return list(agent.world_model)[: len(actions)]


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


def test_windows_that_came_and_went_are_told(desktop: VirtualDesktop) -> None:
    """A brain that sees is told so too, for nothing of it must be read."""
    opened(desktop, [sys.executable, "-c", NOTES], "Press a key")
    come, go = (action("wait_for", text="All details", timeout=60, gone=gone) for gone in (False, True))

    (notes,) = (one.region for one in desktop.windows())

    done = steps(
        desktop,
        action("press", keys="x"),
        action("press", keys="f2"),
        come,
        action("press", keys="escape"),
        go,
        sight=1024,
    )

    seen = [step.observation.screen for step in done]
    assert all(seen)
    fronts = [(one.front_before, one.front_after) for one in seen if one]
    assert (fronts[0], fronts[-1][1]) == ((notes, notes), notes)
    details = fronts[2][1]
    assert details not in (None, notes)
    assert fronts[3][0] == details

    said = [describe(step.observation) for step in done]
    title = 'The title of the window in front is "Notes, changed" now.'
    windows = (
        f"The window {what}" for what in ('"Details" opened', '"Details" closed.', '"Notes, changed" is in front')
    )
    for words in (title, *windows):
        assert " ".join(said).count(words) == 1, said


def still() -> FakeDesktop:
    """A desktop that never changes, with a text field."""
    image = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(image).rectangle((100, 100, 300, 130), fill="white", outline="black")
    return FakeDesktop(lambda _inputs: image)


@pytest.mark.parametrize(
    "quiet",
    [
        action("move", target={"x": 5, "y": 5}),
        action("key_down", key="shift"),
        action("hold", keys="right", seconds=0.01),
        action("clipboard_write", text="x"),
        action("wait", seconds=0.01),
        action("read_screen"),
        action("click", target={"role": "textbox"}),
        action("unheard_of"),
    ],
    ids=lambda quiet: str(quiet["action"]["tool"]),
)
def test_what_shows_nothing_by_its_nature_is_not_told_to_have_changed_nothing(quiet: dict[str, Any]) -> None:
    [said] = told(still(), quiet)

    assert UNCHANGED not in said


@pytest.mark.parametrize(
    "vain", [action("press", keys="f5"), action("type_text", text="x", into={"role": "textbox"})], ids=["press", "type"]
)
def test_what_should_have_shown_something_is_told_to_have_changed_nothing(vain: dict[str, Any]) -> None:
    [said] = told(still(), vain)

    assert UNCHANGED in said


def written(inputs: Sequence[tuple[object, ...]]) -> Image.Image:
    """A page with the texts that were typed, and another one after a key."""
    image = Image.new("RGB", (500, 120), "white")
    lines = [str(words) if done == "type" else "Another page altogether" for done, words, *_ in inputs[-1:]]
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((20, 20 + 40 * number), line, "black", ImageFont.load_default(20))
    return image


@pytest.mark.parametrize(("sight", "read"), [(0, True), (500, False)], ids=["blind", "seeing"])
def test_a_brain_that_sees_is_told_texts_where_they_were_read_anyway(sight: int, *, read: bool) -> None:
    """What was typed is read back for every brain; for the rest, one that sees has the picture."""
    typing, turning = told(FakeDesktop(written), typed("The weather was fine"), action("press", keys="f5"), sight=sight)

    assert re.search(r'Appeared: "The weather was fine" at \d+, \d+\.', typing)
    assert ('Appeared: "Another page altogether" at ' in turning) == read
    assert "changed" in turning or read


def test_a_copy_of_nothing_is_not_told(desktop: VirtualDesktop) -> None:
    opened(desktop, ["mousepad"])

    [said] = told(desktop, action("press", keys="ctrl+c"))

    assert COPIED not in said


def test_a_change_that_was_waited_for_is_told_once(desktop: VirtualDesktop) -> None:
    opened(desktop, ["xterm", "-e", "for n in $(seq 1000); do sleep 1; echo late $n; done"], "late")

    [said] = told(desktop, action("wait_for_change", timeout=60))

    assert said.count("change") == 1, said
