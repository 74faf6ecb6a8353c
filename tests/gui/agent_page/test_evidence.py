"""The evidence of a run, opened from the card of its end by mouse and keys."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.opened_window import Window
from tests.support import action, script
from toolbelt.perception.eyes import Eyes


@pytest.fixture
def opened(screen: Eyes, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Window, Path]]:
    """The window, in whose folder a run may write, and what the desktop is asked to open."""
    monkeypatch.chdir(tmp_path)
    asked, browser = tmp_path / "asked", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {asked}\n')
    browser.chmod(0o700)
    with contextlib.closing(Window(screen, home, BROWSER=str(browser))) as window:
        yield window, asked


def begin(window: Window, folder: Path, goal: str, *replies: str | dict[str, object]) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.type(f"{goal}\t{script(folder / 'b.jsonl', *replies)}")
    window.desktop.press("shift+tab")
    window.desktop.press("enter")


def test_a_file_that_proves_a_run_is_opened(opened: tuple[Window, Path], tmp_path: Path) -> None:
    (window, asked), note = opened, tmp_path / "hello.txt"
    made = action("write_file", path=str(note), text="Hello")
    proof = {"file": str(note), "text": "Hello"}
    end = action("finish", summary="It is there.", kind="deed", evidence=[proof])
    begin(window, tmp_path, f"Write Hello into {note}", made, end)
    window.is_to_approve()
    window.click("Allow once")
    assert window.sees("Done", "Open hello.txt")
    window.click("Open hello.txt")
    assert window.wait(asked.exists)
    assert window.wait(lambda: asked.read_text() == f"{note.as_uri()}\n")

    note.unlink()
    window.click("It is there.")  # selects the card
    window.desktop.press("enter")
    assert window.wait(lambda: asked.read_text() == f"{note.as_uri()}\n{tmp_path.as_uri()}\n")


def test_a_file_that_was_saved_without_a_folder_is_opened(opened: tuple[Window, Path]) -> None:
    window, asked = opened
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.type('open mousepad, type "6 eggs", save it as week.txt\n')
    assert window.sees("Done", "Open week.txt", "Open folder")
    window.click("Open week.txt")
    assert window.wait(asked.exists)
    assert window.wait(lambda: asked.read_text().endswith("/week.txt\n"))


def test_a_file_that_nothing_opens_is_said_to_be_where_it_is(screen: Eyes, home: Path, tmp_path: Path) -> None:
    note = tmp_path / "hello.txt"
    for name in ("xdg-open", "gio", "x-www-browser", "firefox", "google-chrome", "chromium", "chromium-browser"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 3\n")
        (tmp_path / name).chmod(0o700)
    note.write_text("Hello")
    end = action("finish", summary="It says hello.", kind="answer", evidence=[{"file": str(note), "text": "Hello"}])
    path = f"{tmp_path}:{os.environ['PATH']}"
    with contextlib.closing(Window(screen, home, PATH=path, BROWSER="")) as window:
        begin(window, tmp_path, f"What does {note} say?", end)
        assert window.sees("Open hello.txt")
        window.click("Open hello.txt")
        assert window.sees("No program opened hello.txt. It is in the folder")


def test_the_picture_that_proves_a_run_is_opened(window: Window, tmp_path: Path) -> None:
    end = action("finish", summary="It is open.", kind="deed", evidence=[{"observation": 1}, {"text": "xterm"}])
    begin(window, tmp_path, "Open xterm", action("open_app", name="xterm"), end)
    assert window.sees("Done", "Show step 1", "Show the last screen")
    window.click("Show step 1")
    assert window.wait(lambda: "Step 1, after" in window.titles(active=True))
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])

    window.click("It is open.")  # selects the card
    window.desktop.press("2")
    assert window.wait(lambda: [one.partition(",")[0] for one in window.titles(active=True)] == ["Step 2"])
