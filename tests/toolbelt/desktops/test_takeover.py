"""A person takes the mouse or the keyboard: the run waits for them, and looks again before it goes on."""

import json
import os
import pty
import random
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from xcffib import xproto

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.bench.person import Person as Somebody
from mark_i.brain import Prompt, Reply, Space
from mark_i.config.paths import tools_folder
from mark_i.events import Event
from mark_i.human.takeover_watch import TAKEN, Watcher, watched
from tests.support import CAP_S, WAITING_TOOL, Run, action, events, script, soon, xdotool
from toolbelt.control import Control
from toolbelt.desktops import takeover
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.native.listener import NativeListener
from toolbelt.desktops.takeover import NUDGE_PX
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from world_model import Point, Size, ToolFailure

pytestmark = pytest.mark.timing

TEXT: Final = "What is typed for a long time. " * 40


@pytest.fixture
def person(desktop: VirtualDesktop) -> Iterator[Somebody]:
    with closing(Somebody(desktop.display)) as person:
        yield person


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def watching(desktop: VirtualDesktop, control: Control, said: list[str]) -> Iterator[None]:
    with watched(desktop, control, Watcher(said.append, lambda: "Press F6."), None, None, own=True):
        control._resumed_at -= CAP_S  # long ago, as in the middle of a run
        yield


Deed = Callable[[VirtualDesktop, Somebody], None]
DEEDS: Final[dict[str, Deed]] = {
    "moves the mouse": lambda _desktop, person: person.move(40, 30, by=True),
    "presses a key": lambda _desktop, person: person.tap("a"),
    "presses shift": lambda _desktop, person: person.tap("shift"),
    "moves by a program": lambda desktop, _person: xdotool(desktop, "mousemove_relative", "40", "30"),
    "puts it elsewhere": lambda desktop, _person: xdotool(desktop, "mousemove", "700", "500"),
    "types by a program": lambda desktop, _person: xdotool(desktop, "key", "a"),
    "clicks by a program": lambda desktop, _person: xdotool(desktop, "click", "1"),
    "turns the wheel": lambda desktop, _person: xdotool(desktop, "click", "5"),
}


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_any_input_by_others_pauses_the_run_and_is_reported(
    deed: Deed, desktop: VirtualDesktop, person: Somebody, control: Control, said: list[str]
) -> None:
    deed(desktop, person)

    assert soon(lambda: said)
    assert (control.is_taken_over, control.must_wait, control.stopped) == (True, True, False)
    assert said == [f"{TAKEN} Press F6."]
    with pytest.raises(ToolFailure, match="A person is using the mouse or the keyboard") as denied:
        desktop.press("a")
    assert denied.value.code == "DENIED"


@pytest.mark.usefixtures("watching")
def test_the_agents_own_input_is_no_takeover(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["xterm"])
    assert soon(desktop.windows)
    for turn in range(3):
        desktop.click(Point(100 + 90 * turn, 100), count=2)
        desktop.type("Größe, Ж and 漢\n")
        desktop.press("ctrl+alt+escape")
        desktop.press("a", seconds=0.8)  # which the server repeats
        desktop.key_down("shift")
        desktop.mouse_down("left")
        desktop.move(Point(300, 200 + 90 * turn))
        desktop.mouse_up("left")
        desktop.key_up("shift")
        desktop.scroll("down", 3)
        desktop.move(Point(0, 0))
    assert not control.until(lambda: control.is_taken_over or control.stopped, 0.5)
    assert desktop.pointer() == Point(0, 0)


def test_the_agents_own_motion_is_no_takeover_however_late_the_answers_are(
    desktop: VirtualDesktop, control: Control, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The pointer is asked for while the agent moves it; a busy machine lets the answer, or its reader, wait."""
    chance, query = random.Random(7), Connection.pointer

    def late(display: Connection) -> xproto.QueryPointerReply:
        if threading.current_thread().name != "listener":
            return query(display)
        time.sleep(chance.uniform(0, 0.02))
        at = query(display)
        time.sleep(chance.uniform(0, 0.02))
        return at

    monkeypatch.setattr(Connection, "pointer", late)
    monkeypatch.setattr(takeover, "REACTION_S", 0.0)  # no motion is excused as a program's
    request.getfixturevalue("watching")

    for turn in range(300):
        desktop.move(Point(chance.randrange(1000), chance.randrange(700)))
        assert not control.until(lambda: control.is_taken_over or control.stopped, chance.uniform(0, 0.02)), turn


@pytest.mark.usefixtures("watching")
def test_a_bump_against_the_table_is_no_takeover(person: Somebody, control: Control, desktop: VirtualDesktop) -> None:
    desktop.move(Point(300, 300))
    person.move(2, 2, by=True)
    person.move(-3, 1, by=True)
    assert not control.until(lambda: control.is_taken_over, 0.3)
    person.move(2 * NUDGE_PX, 0, by=True)  # from where the bumps have left it, and not from where it lay
    assert soon(lambda: control.is_taken_over)


@pytest.mark.usefixtures("watching")
def test_a_persons_key_ends_typing_and_nothing_stays_down(
    desktop: VirtualDesktop, person: Somebody, control: Control
) -> None:
    desktop.launch(["xterm", "-e", "cat"])
    assert soon(desktop.windows)
    typing = threading.Timer(0.0, person.tap, ["enter"])
    with pytest.raises(ToolFailure, match="was interrupted"):  # noqa: PT012 - the person comes while it types
        typing.start()
        while True:
            desktop.type(TEXT)
    typing.join()
    assert control.is_taken_over
    assert not any(desktop._own.keys_down())


@pytest.mark.usefixtures("watching")
def test_after_resuming_a_person_may_leave_and_take_over_again(person: Somebody, control: Control) -> None:
    person.move(60, 0, by=True)
    assert soon(lambda: control.is_taken_over)

    control.resume()
    assert control.gate(CAP_S)
    person.wiggle()
    assert not control.until(lambda: control.is_taken_over, 0.2)

    def comes_back() -> bool:
        person.wiggle()
        return control.is_taken_over

    assert soon(comes_back)


def test_the_run_resumes_by_itself_after_a_while_without_input(
    desktop: VirtualDesktop, person: Somebody, control: Control, said: list[str]
) -> None:
    with watched(desktop, control, Watcher(said.append), None, 0.5, own=True):
        control._resumed_at -= CAP_S
        person.tap("a")
        assert soon(lambda: control.is_taken_over)
        assert control.gate(CAP_S)
    assert said == [f"{TAKEN} It resumes when nobody has used them for 0.5 s."]


@pytest.mark.parametrize(
    ("how", "idle", "told"),
    [
        ("", None, "when nobody has used them for 30 s."),
        ("", 5.0, "when nobody has used them for 5 s."),
        ("Say so.", None, f"{TAKEN} Say so."),
        ("Say so.", 5.0, "Say so. It resumes when nobody has used them for 5 s."),
    ],
)
def test_the_run_resumes_unasked_only_if_nobody_is_there(
    how: str, idle: float | None, told: str, desktop: VirtualDesktop, control: Control, person: Somebody
) -> None:
    said: list[str] = []
    with watched(desktop, control, Watcher(said.append, lambda: how), None, idle, own=True):
        control._resumed_at -= CAP_S
        person.tap("a")
        assert soon(lambda: said)
        assert said[0].endswith(told)
        control.stop()


# Runs --------------------------------------------------------------------------------------------------------------


class Thoughtful:
    """A scripted brain; somebody comes while it thinks for the first time."""

    name, sight = "thoughtful", 0
    space: Space = "pixels"

    def __init__(self, *replies: dict[str, object]) -> None:
        self.comes: Callable[[], object] = bool
        self._replies = iter(replies)
        self._thought = 0

    def think(self, prompt: Prompt) -> Reply:
        del prompt
        self._thought += 1
        if self._thought == 1:
            assert soon(self.comes)
        return Reply(json.dumps(next(self._replies)))


@pytest.mark.usefixtures("display")
def test_after_a_takeover_the_agent_looks_again_before_it_acts() -> None:
    """The person comes while the model thinks: what it then decides, it decided on a screen of before."""
    control, texts, told = Control(), list[str](), list[Event]()
    replies = [action("press", keys="a"), action("press", keys="shift"), action("fail", reason="Enough.")]
    brain = Thoughtful(*replies)
    config = RunConfig(brain, virtual=Size(640, 480))

    with agent_for("goal", config, control, watcher=Watcher(texts.append, lambda: "Say so.")) as (agent, _):
        desktop = agent.desktop
        assert isinstance(desktop, VirtualDesktop)
        with closing(Somebody(desktop.display)) as person:

            def comes() -> bool:
                person.wiggle()
                return control.is_taken_over

            brain.comes = comes
            for event in agent.run("goal"):
                told.append(event)
                if event.event == "paused":
                    desktop.launch(["xterm"])
                    assert soon(lambda: len(desktop.windows()) == 1)
                    control.resume()

    assert texts == [f"{TAKEN} Say so."]
    first, second, _end = [event.step for event in told if event.step]
    assert first.observation.error is not None
    assert (first.observation.error.code, first.observation.error.refused_by) == ("DENIED", "takeover")
    assert second.observation.ok
    names = [event.event for event in told if event.event != "notice"]
    assert names[:7] == ["run_started", "thinking", "thought", "action", "step", "paused", "resumed"]
    assert [event.data for event in told if event.event == "paused"] == [{"reason": "takeover"}]
    assert first.after is not None
    assert second.before is not None
    assert second.before.digest != first.after.digest  # the window that came meanwhile


@contextmanager
def started(*more: str, display: str | None = None, stdin: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """A run in a process of its own, on a display where there is one; however the test goes, it ends."""
    command = [sys.executable, "-m", "mark_i", "run", "goal", *more]
    environment = os.environ | ({"DISPLAY": display} if display else {})
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, text=True, env=environment) as run:
        try:
            yield run
        finally:
            run.kill()


def until_told(run: subprocess.Popen[str], words: str, while_waiting: Callable[[], object] = bool) -> str:
    """Read on until a line says that; gives all that was read."""
    assert run.stdout is not None
    read: list[str] = []
    over = threading.Event()

    def keep_on() -> None:
        while not over.wait(0.1):
            while_waiting()

    busy = threading.Thread(target=keep_on)
    busy.start()
    try:
        for line in run.stdout:
            read.append(line)
            if words in line:
                return "".join(read)
    finally:
        over.set()
        busy.join()
    raise AssertionError("".join(read))


@dataclass(frozen=True)
class Patient:
    """A run that does nothing until it is let go, and then fails."""

    brain: str
    go: Path

    def let_go(self) -> None:
        """End its first step: a run is paused between two."""
        self.go.touch()


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    go = tmp_path / "go"
    waits = action("wait_for_file", path=str(go))
    return Patient(script(tmp_path / "brain.jsonl", waits, action("fail", reason="Enough.")), go)


def test_enter_on_the_terminal_resumes(desktop: VirtualDesktop, person: Somebody, patient: Patient) -> None:
    ours, theirs = pty.openpty()
    with started("--brain", patient.brain, display=desktop.display, stdin=theirs) as run:
        until_told(run, "Press Enter here", person.wiggle)
        patient.let_go()
        until_told(run, "The run is paused.")
        os.write(ours, b"\n")
        until_told(run, "The run is resumed.")
        rest, _ = run.communicate(timeout=CAP_S)
    os.close(ours)
    os.close(theirs)
    assert "Failed. Enough." in rest
    assert run.returncode == 1


def test_a_program_is_notified_and_resumes_the_run(desktop: VirtualDesktop, person: Somebody, patient: Patient) -> None:
    with started("--brain", patient.brain, "--json", display=desktop.display) as run:
        told = until_told(run, TAKEN, person.wiggle)
        patient.let_go()
        read = until_told(run, '"paused"')
        rest, _ = run.communicate('{"command": "resume"}\n', timeout=CAP_S)
    notices = [event["text"] for event in events(told) if event["event"] == "notice"]
    assert any(TAKEN in text and '{"command": "resume"}' in text for text in notices)
    assert events(read)[-1]["reason"] == "takeover"
    names = [event["event"] for event in events(rest) if event["event"] != "notice"]  # it may come a little later
    assert names[:1] == ["resumed"]
    assert events(rest)[-1]["outcome"] == "failed"


def test_an_unattended_run_resumes_after_the_set_time(
    desktop: VirtualDesktop, person: Somebody, patient: Patient, mark_i: Run
) -> None:
    assert mark_i("config", "set", "takeover_idle_seconds", "3").returncode == 0
    with started("--brain", patient.brain, display=desktop.display, stdin=subprocess.DEVNULL) as run:
        until_told(run, "It resumes when", person.wiggle)
        patient.let_go()
        rest, _ = run.communicate(timeout=CAP_S)
    assert "The run is resumed." in rest
    assert run.returncode == 1


# Windows and macOS -------------------------------------------------------------------------------------------------


class Told:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def stop(self) -> None:
        self.calls.append(("stop",))

    def pressed(self) -> None:
        self.calls.append(("pressed",))

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None:
        self.calls.append(("looked", at, moved, ours))


class Pynput(types.ModuleType):
    """As far as it is called, after its documentation: a key is its name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.made: list[Pynput.Ears] = []
        self.HotKey = Pynput.Key

        def listener(**functions: Callable[..., None]) -> "Pynput.Ears":
            self.made.append(Pynput.Ears(functions))
            return self.made[-1]

        self.Listener = listener

    class Ears:
        def __init__(self, functions: dict[str, Callable[..., None]]) -> None:
            self.functions, self.goes_on = functions, False

        def start(self) -> None:
            self.goes_on = True

        def stop(self) -> None:
            self.goes_on = False

        def canonical(self, key: str) -> str:
            return key

    class Key:
        def __init__(self, keys: list[str], then: Callable[[], None]) -> None:
            self._keys, self._then, self._down = keys, then, set[str]()

        @staticmethod
        def parse(spelled: str) -> list[str]:
            return [part.strip("<>") for part in spelled.split("+")]

        def press(self, key: str) -> None:
            self._down.add(key)
            if self._down == set(self._keys):
                self._then()

        def release(self, key: str) -> None:
            self._down.discard(key)


def test_on_windows_and_macos_programs_are_not_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard, mouse, told = Pynput("pynput.keyboard"), Pynput("pynput.mouse"), Told()
    for module in (keyboard, mouse):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with closing(NativeListener(told, Hotkey.parse("ctrl+alt+escape"))):
        (keys,), (pointer,) = keyboard.made, mouse.made
        assert keys.goes_on
        assert pointer.goes_on
        for key in ("ctrl", "alt", "esc"):
            keys.functions["on_press"](key, True)  # noqa: FBT003 - as pynput calls it
        pointer.functions["on_move"](5, 6, True)  # noqa: FBT003
        pointer.functions["on_click"](5, 6, "left", True, True)  # noqa: FBT003
        pointer.functions["on_scroll"](5, 6, 0, 1, True)  # noqa: FBT003
        assert told.calls == [("looked", Point(5, 6), False, True)]
        told.calls.clear()

        pointer.functions["on_move"](7.0, 8.0, False)  # noqa: FBT003
        pointer.functions["on_click"](7, 8, "left", True, False)  # noqa: FBT003
        pointer.functions["on_click"](7, 8, "left", False, False)  # noqa: FBT003
        keys.functions["on_press"]("a", False)  # noqa: FBT003
        keys.functions["on_release"]("a", False)  # noqa: FBT003
        assert told.calls == [("looked", Point(7, 8), True, False), ("pressed",), ("pressed",)]
        for key in ("ctrl", "alt", "esc"):
            keys.functions["on_press"](key, False)  # noqa: FBT003
        assert ("stop",) in told.calls
    assert not keys.goes_on
    assert not pointer.goes_on
