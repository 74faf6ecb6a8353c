"""The gate: a skill is kept only after it replayed true twice on a clean virtual desktop, once with other values."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path, PurePath
from typing import IO, Any, Final

import platformdirs

from mark_i.catalog import builtin_tool
from mark_i.skills.skill import PLACEHOLDER, Parameter, Skill
from toolbelt.control import Control
from toolbelt.parameters import Aimed, Chosen

REPLAYS: Final = 2
SIZE: Final = "1920x1080"  # of the desktop, where the run had none of its own
REPLAY_MAX_S: Final = 600  # for one replay
STOP_MAX_S: Final = 20.0  # for a replay to release its desktop
POLL_S: Final = 0.1  # between two looks whether it has ended


@dataclass(frozen=True, slots=True)
class Replayed:
    """One replay: with which values, whether it came true, and how it ended."""

    values: Mapping[str, str]
    true: bool
    told: str


def replays(skill: Skill, profile: str, control: Control) -> Iterator[Replayed]:
    """Replay a skill twice, the second time with other values, and yield each; it ends with the first that fails.

    The programs find an empty home folder, and a path that is a parameter lies in a temporary folder, so that nothing
    of the person's is written over.

    Raises:
        Halt: `control` was stopped, and with it the replay.
    """
    for other in (False, True):
        with tempfile.TemporaryDirectory(prefix="mark-i-skill-") as scratch:
            values = {one.name: _value(one, skill, Path(scratch), other=other) for one in skill.parameters}
            replayed = _replayed(skill, values, profile, Path(scratch), control)
        yield replayed
        if not replayed.true:
            return


def judged(skill: Skill, done: Sequence[Replayed]) -> Skill:
    """Return a skill as its replays leave it: kept if all came true, else a draft with the reason."""
    true = all(one.true for one in done)
    return skill.model_copy(update={"state": "kept" if true else "draft", "why": "" if true else done[-1].told})


def _replayed(skill: Skill, values: Mapping[str, str], profile: str, home: Path, control: Control) -> Replayed:
    size = skill.made_from.screen or SIZE
    given = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    command = [sys.executable, "-m", "mark_i", "skill", "run", skill.name, f"--virtual={size}", *given]
    command += ["--json", "--profile", profile, "--max-seconds", str(REPLAY_MAX_S)]
    with tempfile.TemporaryFile() as events, tempfile.TemporaryFile() as said:
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": events, "stderr": said}
        # In a session of its own, so that a Ctrl+C of the terminal reaches it once, from here.
        process = subprocess.Popen(command, **streams, cwd=home, env=_environment(home), start_new_session=True)  # noqa: S603 - ourselves
        try:
            while process.poll() is None:
                control.wait(POLL_S)
        finally:
            _end(process)
        return Replayed(values, process.returncode == 0, _told(_text(events), _text(said)))


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Stop a replay that still goes on, and wait until it has released its desktop."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_MAX_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _environment(home: Path) -> dict[str, str]:
    """Return an environment with another home, in which our own folders and the programs' settings are found."""
    folders = {
        "XDG_CONFIG_HOME": platformdirs.user_config_path(),
        "XDG_DATA_HOME": platformdirs.user_data_path(),
        "XDG_CACHE_HOME": platformdirs.user_cache_path(),
    }
    return os.environ | {name: str(path) for name, path in folders.items()} | {"HOME": str(home)}


def _told(output: str, said: str) -> str:
    """Return how a replay ended, in its own words."""
    events: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    ended = next((one for one in reversed(events) if one.get("event") == "ended"), None)
    if ended is None:
        return " ".join(said.split()) or "It did not begin."
    doubts = [str(one.get("reason") or one.get("doubt") or "") for one in ended["evidence"] if not one.get("confirmed")]
    return " ".join(filter(None, [str(ended["summary"]), *doubts]))


def _value(parameter: Parameter, skill: Skill, scratch: Path, *, other: bool) -> str:
    """Return a value for a replay; an entry that is chosen stays, since a program offers no others."""
    example = parameter.example
    if parameter.type == "path":
        name = PurePath(example).name
        there = f"other-{name}" if other else name
        return str(scratch / there) if PurePath(example).is_absolute() or example.startswith("~") else there
    if not other or parameter.name in _chosen(skill):
        return example
    match parameter.type:
        case "number":
            return f"{example[:-1]}{(int(example[-1]) + 1) % 10}"
        case "date":
            return str(date.fromisoformat(example) + timedelta(days=1))
        case _:
            return f"other {example}"


def _chosen(skill: Skill) -> set[str]:
    """Return the parameters whose values are chosen from what a program offers."""
    found = set()
    for step in skill.steps:
        tool = builtin_tool(step.tool)
        for role, value in tool.parts(step.args) if tool else ():
            if role in {Aimed, Chosen}:
                found |= {match[1] for match in PLACEHOLDER.finditer(str(value))}
    return found
