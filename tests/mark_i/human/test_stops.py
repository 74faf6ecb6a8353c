"""Every way to stop a run, in whatever it is doing: it ends as stopped, at once, and nothing stays held down."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.bench.person import Person as Somebody
from mark_i.brain import Prompt, Reply, Space
from mark_i.config.settings import load
from mark_i.human.takeover_watch import REFUSED, Watcher, watched
from tests.support import BUTTONS, Run, action, events, opened_by_its_reader, script, soon, xdotool
from toolbelt.control import Control
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.listener import Listener
from world_model import Point, Size, read_run

pytestmark = pytest.mark.timing

CAP_S: Final = 120.0  # seconds; generous, since the machine may be busy
KEY: Final = Hotkey.parse("ctrl+alt+escape")


@pytest.fixture
def person(desktop: VirtualDesktop) -> Iterator[Somebody]:
    with closing(Somebody(desktop.display)) as person:
        yield person


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def watching(desktop: VirtualDesktop, control: Control, said: list[str]) -> Iterator[None]:
    with watched(desktop, control, Watcher(said.append), KEY, None, own=True):
        yield


def nothing_is_down(desktop: VirtualDesktop) -> bool:
    """Neither a key nor a button, as the display itself says; asked on a connection of our own."""
    with closing(Connection(desktop.display)) as asking:
        return not asking.pointer().mask & BUTTONS and not any(asking.keys_down())


# The hotkey --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("locks", [(), ("capslock",), ("numlock",), ("capslock", "numlock")])
def test_the_hotkey_stops_whatever_locks_are_on(locks: tuple[str, ...], person: Somebody, control: Control) -> None:
    for lock in locks:
        person.tap(lock)
    person.tap(str(KEY))
    assert soon(lambda: control.stopped)


@pytest.mark.usefixtures("watching")
def test_a_part_of_the_hotkey_or_the_agents_own_does_not_stop(
    desktop: VirtualDesktop, person: Somebody, control: Control
) -> None:
    person.tap("escape")
    person.tap("ctrl+escape")
    control.resume()
    assert control.gate(CAP_S)
    desktop.press("ctrl+alt+escape")
    desktop.key_down("ctrl")
    desktop.key_down("alt")
    desktop.press("escape")
    desktop.release()
    assert not control.until(lambda: control.stopped, 0.5)


@pytest.mark.usefixtures("watching")
def test_the_persons_hotkey_stops_while_the_agent_types(
    desktop: VirtualDesktop, person: Somebody, control: Control
) -> None:
    desktop.launch(["xterm", "-e", "cat"])
    assert soon(desktop.windows)
    presses = threading.Timer(0.1, person.tap, [str(KEY)])
    presses.start()
    ended: list[BaseException] = []

    def types() -> None:
        try:
            while True:
                desktop.type("It types and types. " * 50)
        except BaseException as error:  # noqa: BLE001 - kept for the test to look at
            ended.append(error)

    typing = threading.Thread(target=types)
    typing.start()
    typing.join(CAP_S)
    presses.join()
    assert soon(lambda: control.stopped)
    assert ended
    desktop.release()
    assert nothing_is_down(desktop)


def test_a_taken_hotkey_is_reported_and_the_rest_works(
    desktop: VirtualDesktop, control: Control, person: Somebody, said: list[str]
) -> None:
    display = desktop.display
    with closing(Listener(display, Control().stop, KEY)) as other:
        assert other.has_hotkey
        with watched(desktop, control, Watcher(said.append), KEY, None, own=True):
            assert said == [REFUSED.format("ctrl+alt+escape")]
            person.tap(str(KEY))
            assert not control.until(lambda: control.stopped, 0.3)
            person.move(0, 0)
            assert soon(lambda: control.stopped)


def test_the_hotkey_of_a_virtual_desktop_is_on_the_own_display(
    desktop: VirtualDesktop, person: Somebody, control: Control, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", desktop.display)
    with (
        closing(VirtualDesktop(Size(640, 480), control)) as agents,
        watched(agents, control, Watcher(said.append), KEY, None, own=False),
    ):
        xdotool(agents, "key", "ctrl+alt+Escape")
        person.move(0, 0)
        assert not control.until(lambda: control.stopped, 0.3)
        person.tap(str(KEY))
        assert soon(lambda: control.stopped)
    assert REFUSED.format(KEY) not in said


def test_a_run_without_a_display_has_no_hotkey(
    desktop: VirtualDesktop, control: Control, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":12345")
    with watched(desktop, control, Watcher(said.append), KEY, None, own=False):
        desktop.press("a")
    assert said == [REFUSED.format(KEY)]


@pytest.mark.parametrize("text", ["ctrl+alt+escape", "super+f12", "ctrl+shift+q"])
def test_a_hotkey_is_read_as_keys_are(text: str) -> None:
    assert str(Hotkey.parse(text)) == text
    assert str(Hotkey.parse("Control + Alt + Esc".replace(" ", ""))) == "ctrl+alt+escape"


@pytest.mark.parametrize("text", ["escape", "shift+a", "ctrl+alt", "ctrl+a+b", "ctrl+nokey", "altgr+e"])
def test_ordinary_keys_cannot_be_the_hotkey(text: str, mark_i: Run) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Hotkey.parse(text)
    told = mark_i("config", "set", "hotkey", text)
    assert told.returncode == 2
    assert "hotkey must be ctrl, alt or super and one key more" in told.stderr


def test_the_hotkey_can_be_another_one_or_none(mark_i: Run) -> None:
    for value, kept in (("Control+F9", "ctrl+f9"), ("none", "none")):
        assert mark_i("config", "set", "hotkey", value).returncode == 0
        assert load().hotkey == kept
    assert "cannot be empty" in mark_i("config", "set", "hotkey", "").stderr


# The corner --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("by", ["a mouse", "a program", "a warp"])
def test_the_pointer_thrown_into_the_corner_stops(
    by: str, desktop: VirtualDesktop, person: Somebody, control: Control
) -> None:
    match by:
        case "a mouse":
            person.throw(lambda: control.stopped)
        case "a program":
            xdotool(desktop, "mousemove_relative", "--", "-5000", "-5000")
        case _:
            xdotool(desktop, "mousemove", "0", "0")
    assert soon(lambda: control.stopped)


@pytest.mark.usefixtures("watching")
def test_the_agent_itself_does_not_stop_in_the_corner(
    desktop: VirtualDesktop, person: Somebody, control: Control
) -> None:
    desktop.click(Point(0, 0))
    person.move(-3, -3, by=True)
    assert not control.until(lambda: control.stopped, 0.5)

    def comes_back() -> bool:
        person.move(200, 200)
        Control().wait(0.1)
        person.move(0, 0)
        return control.stopped

    assert soon(comes_back)


# Runs --------------------------------------------------------------------------------------------------------------


class Running:
    """A run in a process of its own, on the display of a virtual desktop as on the person's own."""

    def __init__(self, desktop: VirtualDesktop, brain: str, folder: Path | None = None, *more: str) -> None:
        self.desktop = desktop
        command = [sys.executable, "-m", "mark_i", "run", "goal", "--brain", brain, "--json", "--yes", *more]
        environment = os.environ | {"DISPLAY": desktop.display}
        self.process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, told: Callable[[dict[str, Any]], bool]) -> None:
        """Read on until an event is that."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if told(json.loads(line)):
                return
        raise AssertionError(self.process.communicate()[1])

    def ends_as_stopped(self, home: Path) -> None:
        rest, complaints = self.process.communicate(timeout=CAP_S)
        assert (self.process.returncode, complaints) == (130, "")
        assert events(rest)[-1]["outcome"] == "stopped"
        [folder] = home.glob("profiles/default/runs/*")
        assert read_run(folder).about["outcome"]["outcome"] == "stopped"
        assert {path.name for path in folder.iterdir()} >= {"run.json", "steps.jsonl"}
        assert not (folder / "stop").exists()
        assert nothing_is_down(self.desktop)

    def killed(self) -> list[str]:
        """What it has told since, each line in short, and its complaints, for a test that failed."""
        self.process.kill()
        told, complaints = self.process.communicate()
        return [*(line[:400] for line in told.splitlines()), complaints]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def doing(tool: str) -> Callable[[dict[str, Any]], bool]:
    return lambda event: event["event"] == "action" and event["tool"] == tool


SLOW: Final = '''
import threading

from mark_i import Reply


class Brain:
    """Thinks for ever."""

    name, sight, space = "slow", 0, "pixels"

    def think(self, prompt):
        threading.Event().wait(600)
        return Reply("")
'''
STATES: Final = ["model wait", "typing", "drag", "wait_for", "tool call", "paused"]
WAYS: Final = ["hotkey", "corner", "mark-i stop", "SIGINT", "SIGTERM", "command"]
# Each way in two states, each state in two ways: all pairs are in the benchmark.
PAIRS: Final = [(way, STATES[(2 * nth + more) % 6]) for nth, way in enumerate(WAYS) for more in (0, 3)]


def brought_to(state: str, desktop: VirtualDesktop, folder: Path, stack: ExitStack) -> Running:
    """A run that does what takes long, and has a key and a button down."""
    held = [action("key_down", key="shift"), action("mouse_down", button="right", target={"x": 400, "y": 300})]
    long: dict[str, list[dict[str, object]]] = {
        "typing": [action("type_text", text="It types and types. " * 20_000)],
        "drag": [action("drag", start={"x": 20, "y": 20}, end={"x": 1000, "y": 700})] * 2,
        "wait_for": [action("wait_for", text="what never comes", timeout=60)],
        "tool call": [action("python_repl", code="while True: pass")],
        "paused": [action("press", keys="shift")],
    }
    if state == "model wait":
        (folder / "slow.py").write_text(SLOW, encoding="utf-8")
        run = stack.enter_context(closing(Running(desktop, "slow:Brain", folder)))
        run.until(lambda event: event["event"] == "thinking")
        return run
    brain = script(folder / "brain.jsonl", *held, *long[state])
    run = stack.enter_context(closing(Running(desktop, brain)))
    run.until(doing("mouse_down"))
    if state == "paused":
        assert run.process.stdin is not None
        run.process.stdin.write('{"command": "pause"}\n')
        run.process.stdin.flush()
        run.until(lambda event: event["event"] == "paused")
    else:
        run.until(doing(str(long[state][0]["action"]["tool"])))  # type: ignore[index]
    return run


@pytest.mark.parametrize(("way", "state"), PAIRS, ids=[f"{way}, {state}" for way, state in PAIRS])
def test_a_run_can_be_stopped_in_every_state(
    way: str, state: str, desktop: VirtualDesktop, person: Somebody, tmp_path: Path, home: Path, mark_i: Run
) -> None:
    with ExitStack() as stack:
        run = brought_to(state, desktop, tmp_path, stack)
        match way:
            case "hotkey":
                person.tap(str(KEY))
            case "corner":
                person.throw(lambda: run.process.poll() is not None)
            case "mark-i stop":
                told = mark_i("stop")
                assert (told.returncode, told.stderr) == (0, ""), run.killed()
                assert "is stopped." in told.stdout
            case "command":
                assert run.process.stdin is not None
                run.process.stdin.write('{"command": "stop"}\n')
                run.process.stdin.flush()
            case _:
                run.process.send_signal(signal.Signals[way])
        run.ends_as_stopped(home)


def test_keys_of_a_killed_run_are_released(desktop: VirtualDesktop, tmp_path: Path) -> None:
    with ExitStack() as stack:
        run = brought_to("wait_for", desktop, tmp_path, stack)
        assert not nothing_is_down(desktop)
        run.process.kill()
        assert soon(lambda: nothing_is_down(desktop))


class Faulty:
    """A brain with a bug in it, which shows when a key is down."""

    name, sight = "faulty", 0
    space: Space = "pixels"

    def __init__(self) -> None:
        self.asked = 0

    def think(self, prompt: Prompt) -> Reply:
        del prompt
        self.asked += 1
        if self.asked == 3:
            raise KeyError("a bug")
        return Reply(json.dumps(action("key_down", key="shift") if self.asked == 1 else action("mouse_down")))


def test_a_bug_leaves_no_key_down(desktop: VirtualDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", desktop.display)
    with agent_for("goal", RunConfig(Faulty(), hotkey=KEY), Control()) as (agent, _folder):
        with pytest.raises(KeyError, match="a bug"):
            agent.execute_command("goal")
        assert nothing_is_down(desktop)
        assert len(agent.world_model) == 2


def test_the_benchmark_stops_every_state_with_nothing_pressed(mark_i: Run) -> None:
    done = mark_i("bench", "stop", "--tries", "1", "--json")
    figures = json.loads(done.stdout)
    assert [row["name"] for row in figures["states"]] == STATES, done.stderr
    assert (figures["not_stopped"], figures["down_afterwards"]) == (0, 0)
    assert all(row["worst_ms"] > 0 for row in figures["states"])


# mark-i stop -------------------------------------------------------------------------------------------------------


@pytest.fixture
def waiting(desktop: VirtualDesktop, tmp_path: Path) -> Iterator[list[Running]]:
    brain = script(tmp_path / "brain.jsonl", action("wait_for", text="what never comes", timeout=60))
    with ExitStack() as stack:
        running = []
        for _ in range(2):
            running.append(stack.enter_context(closing(Running(desktop, brain))))
            running[-1].until(doing("wait_for"))
        yield running


def runs_of(home: Path) -> list[Path]:
    return sorted(home.glob("profiles/default/runs/*"))


def test_stop_without_a_name_stops_the_newest_run(waiting: list[Running], home: Path, mark_i: Run) -> None:
    older, newer = runs_of(home)
    assert mark_i("stop").stdout == f"The run {newer.name} is stopped.\n"
    waiting[1].process.communicate(timeout=CAP_S)
    assert [run.process.poll() for run in waiting] == [None, 130]
    assert mark_i("stop").stdout == f"The run {older.name} is stopped.\n"
    waiting[0].process.communicate(timeout=CAP_S)
    assert waiting[0].process.returncode == 130
    none = mark_i("stop")
    assert (none.returncode, none.stdout, none.stderr) == (2, "", "mark-i: No run is running.\n")


def test_runs_are_stopped_by_name_or_all_at_once(waiting: list[Running], home: Path, mark_i: Run) -> None:
    older, newer = runs_of(home)
    assert mark_i("stop", older.name).stdout == f"The run {older.name} is stopped.\n"
    assert mark_i("stop", older.name).stderr == f"mark-i: The run {older.name} is not running: it ended as stopped.\n"
    assert mark_i("stop", newer.name, "--all").returncode == 2
    assert mark_i("stop", "--profile", "other").stderr == "mark-i: No run is running.\n"
    assert mark_i("stop", "--all").stdout == f"The run {newer.name} is stopped.\n"
    for run in waiting:
        run.process.communicate(timeout=CAP_S)
        assert run.process.returncode == 130


def test_a_killed_run_is_not_stopped_and_can_be_resumed(
    waiting: list[Running], home: Path, mark_i: Run, tmp_path: Path
) -> None:
    for run in waiting:
        run.process.kill()
        run.process.communicate()
    killed = runs_of(home)[0]
    (killed / "stop").touch()  # asked for in the moment in which it was killed
    assert mark_i("stop").stderr == "mark-i: No run is running.\n"

    brain = script(tmp_path / "rest.jsonl", action("fail", reason="x"), action("fail", reason="Enough."))
    done = mark_i("run", "--resume", killed.name, "--brain", brain, "--virtual", "640x480", "--json")
    assert events(done.stdout)[-1]["outcome"] == "failed", done.stderr


@pytest.mark.parametrize("where", [(), ("--virtual", "640x480")])
def test_a_run_that_has_just_been_started_is_stopped(
    desktop: VirtualDesktop, tmp_path: Path, home: Path, where: tuple[str, ...]
) -> None:
    os.mkfifo(file := tmp_path / "brain.jsonl")
    with closing(Running(desktop, f"scripted:{file}", None, *where)) as run:
        pipe = Control().until(lambda: opened_by_its_reader(file), CAP_S)  # the program has begun, and has no folder
        assert pipe
        with os.fdopen(pipe, "w") as brain:
            command = [sys.executable, "-m", "mark_i", "stop"]
            stopping = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            assert soon((home / "profiles" / "default" / "runs" / "stop").exists)
            brain.write(json.dumps(action("wait_for", text="what never comes", timeout=60)) + "\n")
        _, complaints = run.process.communicate(timeout=CAP_S)
        said, complained = stopping.communicate(timeout=CAP_S)

    assert (run.process.returncode, complaints) == (130, "")
    named = said.startswith("The run ") and said.endswith(" is stopped.\n")
    assert (named, complained) in {(True, ""), (False, "mark-i: No run is running.\n")}


@pytest.mark.parametrize("off_s", [0.0, 86_400.0])
def test_a_run_that_is_started_after_a_stop_is_not_stopped(
    desktop: VirtualDesktop, tmp_path: Path, mark_i: Run, home: Path, off_s: float
) -> None:
    assert mark_i("stop").stderr == "mark-i: No run is running.\n"
    stamp = home / "profiles" / "default" / "runs" / "stop"
    os.utime(stamp, (now := stamp.stat().st_mtime + off_s, now))  # the clock may have been set back since

    brain = script(tmp_path / "brain.jsonl", action("fail", reason="x"), action("fail", reason="Enough."))
    with closing(Running(desktop, brain)) as run:
        run.until(lambda event: event.get("outcome") == "failed")
