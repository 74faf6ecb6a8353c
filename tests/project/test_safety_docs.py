"""docs/safety.md: its commands are right, and the three policies on it do what it says of them."""

import re
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from mark_i import AgentCore, Oversight, ScriptedBrain, VirtualDesktop, standard_toolbelt
from mark_i.guard.policy import Policy, read_policy
from mark_i.guard.risk import Guard
from tests.support import Run, action, script
from toolbelt.desktops.base import Window
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.files import Files
from toolbelt.tools.python import Python

PAGE: Final = (Path(__file__).parents[2] / "docs" / "safety.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"^(An agent that .*?):\n\n```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
READS, ONE, KEEPS = range(3)
APP: Final = Path(__file__).parents[1] / "apps" / "buttons_tk.py"
CAP_S: Final = 120.0  # seconds for an application to do something on a busy machine
FAIL: Final = action("fail", reason="That was all.")
# What asks for a secret, and what may be typed then
ASKING: Final = {"mark-i config set secret.bank": "Tr0ub4dor", "mark-i config set totp.bank": "GEZDGNBVGY3TQOJQ"}
COMMANDS: Final = sorted({" ".join(found.split()) for found in re.findall(r"`(mark-i [^`]+)`", PAGE)} - ASKING.keys())


def policy_of(number: int, folder: Path) -> Policy:
    """A policy, taken from the page."""
    file = folder / "policy.toml"
    file.write_text(BLOCKS[number][1], encoding="utf-8")
    return read_policy(file)


def test_the_page_has_these_three_policies() -> None:
    assert [about for about, _ in BLOCKS] == [
        "An agent that may only read",
        "An agent that may work in one application, and may bring it to the front",
        "An agent that may do everything but delete",
    ]


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_is_right(line: str, mark_i: Run, tmp_path: Path) -> None:
    policy = tmp_path / "FILE"
    policy.write_text(BLOCKS[READS][1], encoding="utf-8")
    command = shlex.split(line.replace("[RUN]", ""))[1:]
    expected = (0, "")
    if command[0] == "run":  # with a brain that has its words from here, on a screen of its own
        command += ["--brain", script(tmp_path / "b.jsonl", FAIL), "--virtual", "640x480", "--json"]
        expected = (1, "")
    elif command[0] == "stop":  # what it does to a run that goes on is in test_stops.py
        expected = (2, "mark-i: No run is running.\n")
    elif command[0] == "bench":  # it takes minutes
        command.append("--help")
    told = mark_i(*command, cwd=tmp_path)
    assert (told.returncode, told.stderr) == expected


@pytest.mark.parametrize(("line", "secret"), ASKING.items())
def test_a_secret_is_asked_for_by_the_command_of_the_page(line: str, secret: str, mark_i: Run, keyring: Path) -> None:
    assert f"`{line}`" in PAGE
    told = mark_i(*shlex.split(line)[1:], input=f"{secret}\n")
    assert told.returncode == 0, told.stderr
    assert secret not in told.stdout + told.stderr
    assert any(keyring.rglob("*"))


class Worker:
    """An agent with every built-in tool, in front of an application with buttons."""

    def __init__(self, desktop: VirtualDesktop, folder: Path) -> None:
        self.desktop, self.folder, self.log = desktop, folder, folder.with_suffix(".log")
        self.eyes = Eyes(desktop, desktop.control)

    def open(self, *names: str) -> None:
        self.desktop.launch([sys.executable, str(APP), "Tasks", str(self.log), *names])
        found = self.eyes.until(lambda lines: set(names) <= {line.text for line in lines}, CAP_S)
        assert set(names) <= {line.text for line in found}

    def does(self, policy: Policy, *replies: object) -> list[str]:
        """For each action `done`, or the code with which it was not."""
        python = Python(self.desktop.control, self.folder)
        belt = standard_toolbelt(self.eyes, Files([self.folder]), python)
        brain = ScriptedBrain([*replies, FAIL])
        try:
            agent = AgentCore(
                brain,
                belt,
                self.desktop,
                oversight=Oversight(guard=Guard(policy, yes=True), detect_loops=False),
                eyes=self.eyes,
            )
            agent.execute_command("do what is to be done")
        finally:
            python.close()
        seen = [step.observation for step in agent.world_model][:-1]
        return ["done" if one.ok else one.error.code if one.error else "" for one in seen]

    def windows(self, application: str) -> list[Window]:
        return [one for one in self.desktop.windows() if application in one.application.casefold()]

    @property
    def pressed(self) -> list[str]:
        return self.log.read_text().split("\n")[:-1] if self.log.exists() else []


@pytest.fixture
def worker(desktop: VirtualDesktop, tmp_path: Path) -> Worker:
    folder = tmp_path / "work"
    folder.mkdir()
    return Worker(desktop, folder)


def test_an_agent_that_may_only_read_does_nothing_else(worker: Worker, tmp_path: Path) -> None:
    worker.open("Save", "Delete")
    (worker.folder / "a.txt").write_text("Read me")
    reading = [action("read_screen"), action("read_file", path="a.txt"), action("list_windows"), action("marks")]
    doing = [
        action("click", target="Save"),
        action("type_text", text="x"),
        action("press", keys="a"),
        action("open_app", name="xterm"),
        action("close_window", title="Tasks"),
        action("write_file", path="b.txt", text="x"),
        action("clipboard_write", text="x"),
        action("python_repl", code="open('c.txt', 'w').close()"),
    ]
    assert worker.does(policy_of(READS, tmp_path), *reading, *doing) == ["done"] * 4 + ["DENIED"] * 8
    assert worker.pressed == []
    assert [one.name for one in worker.folder.iterdir()] == ["a.txt"]
    assert [one.title for one in worker.desktop.windows()] == ["Tasks"]


def test_an_agent_limited_to_an_application_uses_no_other(worker: Worker, tmp_path: Path) -> None:
    note = worker.folder / "note.txt"
    note.write_text("")
    worker.open("Save", "Delete")
    worker.desktop.launch(["mousepad", "--disable-server", str(note)])
    assert worker.desktop.control.until(lambda: any(one.active for one in worker.windows("mousepad")), CAP_S)
    [tasks] = worker.windows("buttons")
    x, y = tasks.region.x + 20, tasks.region.bottom - 20
    replies = [
        action("type_text", text="hello"),
        action("press", keys="ctrl+s"),
        action("click", target={"x": x, "y": y}),
        action("focus_window", title="Tasks"),
        action("open_app", name="xterm"),
        action("open_app", name="xterm", args=["-e", "sh", "-c", "touch made # mousepad"]),
        action("write_file", path="b.txt", text="x"),
        action("focus_window", title="Mousepad"),
    ]
    mousepad = worker.windows("mousepad")[0]
    worker.desktop.place_window(mousepad, mousepad.region.shifted(500 - mousepad.region.x, 20 - mousepad.region.y))
    assert worker.desktop.control.until(lambda: worker.windows("mousepad")[0].region.x >= tasks.region.right, CAP_S)
    told = worker.does(policy_of(ONE, tmp_path), *replies)
    assert told == ["done", "done", "DENIED", "DENIED", "DENIED", "DENIED", "DENIED", "done"]
    assert note.read_text() == "hello"
    assert worker.pressed == []
    assert {one.application.casefold() for one in worker.desktop.windows()} == {"mousepad", "buttons"}


def test_the_agent_that_may_do_everything_but_delete(worker: Worker, tmp_path: Path) -> None:
    worker.open("Save", "Send", "Delete", "Remove all")
    (worker.folder / "a.txt").write_text("Keep me")
    replies = [
        action("click", target="Save"),
        action("click", target="Send"),
        action("write_file", path="b.txt", text="x"),
        action("click", target="Delete"),
        action("click", target={"text": "Remove all"}),
        action("type_text", text="rm a.txt", enter=True),
        action("python_repl", code="import os; os.unlink('a.txt')"),
    ]
    assert worker.does(policy_of(KEEPS, tmp_path), *replies) == ["done"] * 3 + ["DENIED"] * 4
    assert worker.pressed == ["Save", "Send"]
    assert sorted(one.name for one in worker.folder.iterdir()) == ["a.txt", "b.txt"]
