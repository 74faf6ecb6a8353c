"""Live view, strip and first start as values, and a person's hand: no display is opened here."""

import functools
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gui.agent_page.demo_run import demo_request
from gui.live.input_thread import RemoteInput
from gui.live.keymap import KeyInput, key_input
from gui.live.screen_thread import with_pointer
from gui.run.messages import (
    Answered,
    ControlRequested,
    GoalsLoaded,
    Message,
    RunReleased,
    RunStarted,
    SetupChecked,
    StopRequested,
)
from gui.run.state import RunState
from gui.run.update import YOURS, reduce
from gui.run.view import BarToggled, DesktopReady, TabChosen, TakeoverRequested, ViewState
from mark_i import Control, Event, FakeDesktop
from mark_i.cli.demo import LINES
from mark_i.config.api_keys import Keys
from mark_i.doctor.prerequisites import Finding, survey
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.spectator import ScreenView, fitted
from world_model import Point, Size

PAUSE, RESUME, STEP = ControlRequested("pause"), ControlRequested("resume"), ControlRequested("step")
HELD, LET_GO = Event("paused", 0), Event("resumed", 0)
QUESTION = Event("notice", 0, {"text": "Which?", "question": True})
ENDED = Event("ended", 9, {"outcome": "done", "summary": "", "evidence": []})
OWN, THIS = DesktopReady(":7"), DesktopReady("")
CAP_S = 120.0


def after(*messages: Message, start: RunState = RunState()) -> RunState:  # noqa: B008 - frozen
    return functools.reduce(reduce, messages, start)


# Taking over --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "taken_over"),
    [
        ([OWN, PAUSE, TakeoverRequested()], False),  # the agent still does its step
        ([OWN, PAUSE, TakeoverRequested(), HELD], True),
        ([OWN, PAUSE, HELD, TakeoverRequested()], True),
        ([THIS, PAUSE, TakeoverRequested(), HELD], False),  # that one they have already
        ([OWN, PAUSE, HELD], False),
        ([OWN, PAUSE, TakeoverRequested(), HELD, RESUME], False),
        ([OWN, PAUSE, TakeoverRequested(), HELD, STEP], False),
        ([OWN, PAUSE, TakeoverRequested(), HELD, STEP, LET_GO, HELD], False),
        ([OWN, PAUSE, TakeoverRequested(), HELD, StopRequested()], False),
        ([OWN, PAUSE, TakeoverRequested(), HELD, ENDED], False),
        ([OWN, PAUSE, TakeoverRequested(), ENDED, RunReleased(), RunStarted(), OWN, PAUSE, HELD], False),
    ],
)
def test_when_the_hand_is_theirs(messages: list[Message], *, taken_over: bool) -> None:
    assert after(RunStarted(), *messages).taken_over is taken_over


def test_whose_hand_it_is_stands_in_the_status_line() -> None:
    state = after(RunStarted(), OWN, PAUSE, TakeoverRequested(), HELD)
    assert (state.status, state.tone) == (YOURS, "paused")
    assert after(RESUME, LET_GO, start=state).status == "Looking"
    assert after(StopRequested(), start=state).status == "Stopping"
    assert after(RunStarted(), OWN, PAUSE, HELD, TakeoverRequested()).status == YOURS


def test_who_takes_over_sees_the_screen_and_goes_on_to_see_it() -> None:
    state = after(RunStarted(), OWN, TabChosen("Log"), PAUSE, TakeoverRequested())
    assert state.view.tab == "Live"
    assert after(ENDED, RunReleased(), RunStarted(), start=state).view == ViewState(tab="Live")


# The strip ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "hides_window"),
    [
        ([], False),
        ([OWN], False),
        ([THIS], True),
        ([THIS, QUESTION], False),
        ([THIS, QUESTION, Answered()], True),
        ([THIS, Event("notice", 0, {"text": "Only so you know."})], True),
        ([THIS, BarToggled(expanded=True)], False),
        ([THIS, BarToggled(expanded=True), QUESTION, Answered()], False),
        ([THIS, BarToggled(expanded=True), BarToggled(expanded=False)], True),
        ([THIS, StopRequested()], True),
        ([THIS, ENDED], False),
        ([THIS, ENDED, RunReleased(), RunStarted()], False),
    ],
)
def test_when_the_window_is_out_of_the_way(messages: list[Message], *, hides_window: bool) -> None:
    assert after(RunStarted(), *messages).hides_window is hides_window


def test_the_run_waits_for_the_window_only_if_it_is_in_the_way() -> None:
    assert not after(RunStarted(), OWN).needs_screen
    assert after(RunStarted(), THIS).needs_screen
    assert not after(RunStarted(), THIS, QUESTION).needs_screen


# Keys and places ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "stroke"),
    [
        (("a", 0x61, "a", 0), KeyInput(text="a")),
        (("A", 0x41, "A", 1), KeyInput(text="A")),
        (("at", 0x40, "@", 0x80), KeyInput(text="@")),  # AltGr
        (("Cyrillic_ya", 0x6D1, "я", 0), KeyInput(text="я")),
        (("space", 0x20, " ", 0), KeyInput(text=" ")),
        (("s", 0x73, "\x13", 4), KeyInput(keys="ctrl+s")),
        (("S", 0x53, "\x13", 5), KeyInput(keys="ctrl+shift+s")),
        (("plus", 0x2B, "+", 5), KeyInput(keys="ctrl+plus")),
        (("space", 0x20, " ", 4), KeyInput(keys="ctrl+space")),
        (("Return", 0xFF0D, "\r", 0), KeyInput(keys="enter")),
        (("ISO_Left_Tab", 0xFE20, "", 1), KeyInput(keys="shift+tab")),
        (("F4", 0xFFC1, "", 8), KeyInput(keys="alt+f4")),
        (("Control_L", 0xFFE3, "", 0), None),
        (("Shift_L", 0xFFE1, "", 4), None),
        (("dead_acute", 0xFE51, "", 0), None),
    ],
)
def test_what_a_key_means(event: tuple[str, int, str, int], stroke: KeyInput | None) -> None:
    assert key_input(*event) == stroke


def test_a_screen_is_made_small_and_keeps_its_shape() -> None:
    screen = Size(1920, 1080)
    assert fitted(screen, Size(960, 900)) == Size(960, 540)
    assert fitted(screen, Size(4000, 270)) == Size(480, 270)
    assert fitted(screen, Size(4000, 4000)) == screen
    assert fitted(screen, Size(1, 1)) == Size(1, 1)


def test_the_pointer_is_drawn_in_place_and_in_normal_size() -> None:
    sight = ScreenView(np.full((100, 200, 3), 90, np.uint8), Size(2000, 1000), Point(1000, 500))
    drawn = (np.asarray(with_pointer(sight, 1.0)) != 90).any(axis=2).nonzero()
    assert (drawn[1].min(), drawn[0].min()) == (100, 50)
    assert 10 < drawn[0].max() - 50 < 30


# The hand -----------------------------------------------------------------------------------------------------------


def test_commands_run_in_order_and_release_before_resuming() -> None:
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (320, 96)))
    seen: list[object] = []
    over = threading.Event()
    hand = RemoteInput(desktop, pytest.fail)
    hand.move(Point(5, 6))
    hand.down(Point(7, 8), "left", ("shift",))
    hand.up(Point(9, 9))
    hand.key(KeyInput(text="ä"))
    hand.key(KeyInput(keys="ctrl+s"))
    hand.scroll(Point(1, 1), "down")
    hand.down(Point(2, 2), "left", ())

    def go_on() -> None:
        seen.extend(desktop.inputs)
        over.set()

    hand.end(go_on)

    assert over.wait(CAP_S)
    assert seen == [
        ("move", Point(5, 6)),
        ("release",),
        ("move", Point(7, 8)),
        ("key_down", "shift"),
        ("mouse_down", "left"),
        ("move", Point(9, 9)),
        ("release",),
        ("type", "ä"),
        ("press", "ctrl+s"),
        ("move", Point(1, 1)),
        ("scroll", "down", 1),
        ("release",),
        ("move", Point(2, 2)),
        ("mouse_down", "left"),
        ("release",),
    ]


def test_after_a_stop_no_command_runs() -> None:
    control = Control()
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (320, 96)), control)
    over = threading.Event()
    hand = RemoteInput(desktop, pytest.fail)
    control.stop()
    hand.move(Point(5, 6))
    hand.end(over.set)

    assert over.wait(CAP_S)
    assert list(desktop.inputs) == []


# First start --------------------------------------------------------------------------------------------------------


def found(folder: Path, *programs: str, **environment: str) -> dict[str, Finding]:
    keys = Keys(environment={"MARK_I_HOME": str(folder), **environment}, folder=folder)
    return {one.about: one for one in survey(keys, lambda name: f"/usr/bin/{name}" if name in programs else None)}


def test_what_is_there_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desktop: VirtualDesktop) -> None:
    monkeypatch.setenv("DISPLAY", desktop.display)
    all_of_it = found(tmp_path, "Xvfb", "openbox", "mousepad", OPENAI_API_KEY="secret-1")

    assert all(one.there for one in all_of_it.values())
    assert "OpenAI (key in the environment)" in all_of_it["key"].told
    assert "secret-1" not in str(all_of_it)


def test_what_is_lacking_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    nothing = found(tmp_path)

    assert not any(one.there for one in nothing.values())
    assert nothing["virtual"].todo == "In a terminal: sudo apt-get install xvfb openbox"
    assert "X11" in nothing["this"].todo
    assert "mark-i config set gemini.key" in nothing["key"].todo
    assert found(tmp_path, "Xvfb", "openbox")["demo"].todo == "In a terminal: sudo apt-get install mousepad"
    assert found(tmp_path, "Xvfb")["virtual"].todo == "In a terminal: sudo apt-get install openbox"


def test_a_file_of_keys_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"GEMINI_API_KEY=\xff")
    finding = found(tmp_path)["key"]
    assert not finding.there
    assert "cannot be read for keys" in finding.told


def test_what_was_found_is_gone_after_the_first_run() -> None:
    findings = (Finding("A virtual desktop", "It is there.", there=True),)
    state = after(SetupChecked(findings))
    assert state.findings == findings
    assert after(RunStarted(), start=state).findings == ()
    assert after(RunStarted(), SetupChecked(findings)).findings == ()
    assert after(GoalsLoaded(("one",))).findings == ()


def test_the_demo_of_the_window_is_that_of_the_command() -> None:
    job = demo_request()
    assert job is not None
    assert job.virtual
    assert job.brain == "offline"
    assert all(line in job.goal for line in LINES)
    assert job.check is not None
    assert "does not hold what was asked for" in job.check()
