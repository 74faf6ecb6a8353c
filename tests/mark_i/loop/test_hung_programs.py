"""A program that hangs while a run ends."""

import os
import signal
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt, tool
from mark_i.events import Event
from tests.support import action, finish, gone
from toolbelt.desktops import VirtualDesktop


def ran(desktop: VirtualDesktop, folder: Path, goal: str, *replies: Any) -> list[Event]:
    """Run with tools that make the program in front hang, and go on."""

    def send(sign: signal.Signals) -> str:
        [pid] = [one.pid for one in desktop.windows() if one.active]
        assert pid
        os.kill(pid, sign)
        return "It is sent."

    @tool(risk="act")
    def hang() -> str:
        """Stop the program in front."""
        return send(signal.SIGSTOP)

    @tool(risk="act")
    def wake() -> str:
        """Let it go on."""
        return send(signal.SIGCONT)

    eyes, brain = Eyes(desktop, desktop.control), ScriptedBrain(replies)
    return list(AgentCore(brain, standard_toolbelt(eyes, hang, wake), desktop, eyes=eyes, folders=(folder,)).run(goal))


MOUSEPAD: Final = action("open_app", name="mousepad")
HELLO: Final = action("type_text", text="hello")


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mark_i.loop.rest.BUSY_MAX_S", 2.0)


@pytest.mark.parametrize(
    ("goal", "steps", "evidence"),
    [
        ("type hello in mousepad", [MOUSEPAD, HELLO, action("hang")], {"observation": 2}),
        ("save hello as report.txt", [MOUSEPAD, HELLO, action("hang"), action("press", keys="ctrl+s")], "hello"),
    ],
)
def test_a_program_that_hangs_at_the_end_is_told_and_never_done(
    own_desktop: VirtualDesktop, tmp_path: Path, goal: str, steps: list[object], evidence: object
) -> None:
    ended = ran(own_desktop, tmp_path, goal, *steps, finish(evidence))

    told = 'The program of "*Untitled 1 - Mousepad" does not respond: what it was to do may not be done.'
    assert [event.data["text"] for event in ended if event.event == "notice"] == [told]
    assert ended[-1].data["outcome"] == "done_unverified"
    pids = [window.pid for window in own_desktop.windows() if window.pid]
    own_desktop.close()
    assert gone(*pids)


def test_a_terminal_that_hangs_is_told(
    own_desktop: VirtualDesktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbelt.desktops.x11.input_sync._SLEEP_MAX_S", 0.5)
    steps = [action("open_app", name="xterm", args=["-e", "sh"]), action("type_text", text="ls"), action("hang")]

    ended = ran(own_desktop, tmp_path, "type ls in xterm", *steps, finish({"observation": 2}))

    assert ended[-1].data["outcome"] == "done_unverified"


def test_a_program_that_hung_for_a_while_is_done(desktop: VirtualDesktop, tmp_path: Path) -> None:
    steps = [MOUSEPAD, action("hang"), HELLO, action("wake")]

    ended = ran(desktop, tmp_path, "type hello in mousepad", *steps, finish("hello"))

    assert ended[-1].data["outcome"] == "done", ended[-1].data
