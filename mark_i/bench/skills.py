"""The skills benchmark: work is shown once in real programs, and done again where something is otherwise."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from mark_i.agent import AgentCore
from mark_i.bench.conditions import (
    CONDITIONS,
    DEFAULTS,
    ENVIRONMENT,
    LOOKS,
    OTHER_SIZE,
    POPUP,
    SIZE,
    Condition,
    moved,
    slowed,
)
from mark_i.bench.demonstrations import Demonstration, demonstrations
from mark_i.brain import Prompt, Reply, Space
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.events import Outcome
from mark_i.skills.brain import SkillBrain
from mark_i.skills.compiling import compiled
from mark_i.skills.file import write_skill
from mark_i.skills.skill import Skill, filled, values_for
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting import TextTarget, resolve
from world_model import DesktopError, Journal, UsageError, problem

START_MAX_S: Final = 60.0  # for a program to open
COMMAND_MAX_S: Final = 30.0  # for a command that prepares or checks
TARGET_MAX_S: Final = 10.0  # for a target of a demonstration to be there
MODEL_S: Final = 3.0  # of a call of a model, which the first run is told to have had
AIMED: Final = frozenset({"target", "into", "start", "end"})
GOOD: Final = frozenset({"done", "done_unverified"})

Tell = Callable[[str], object]


class Shower:
    """Shows how a piece of work is done, as a model that sees does: its targets are points of the picture."""

    name, sight = "shower", 0
    space: Space = "pixels"

    def __init__(self, calls: Sequence[tuple[str, Mapping[str, Any]]], eyes: Eyes) -> None:
        self._calls, self._eyes = calls, eyes

    def think(self, prompt: Prompt) -> Reply:
        """Return the next step."""
        past = prompt.past()
        if past and (error := past[-1].observation.error):
            return _reply("fail", {"reason": problem(error)})
        if len(past) == len(self._calls):
            return _reply(
                "finish", {"summary": "It is done.", "evidence": [{"observation": len(past)}], "kind": "deed"}
            )
        tool, args = self._calls[len(past)]
        return _reply(tool, {name: self._pointed(value) if name in AIMED else value for name, value in args.items()})

    def _pointed(self, target: Any) -> Any:  # noqa: ANN401 - as it stands in the file
        wanted = TextTarget.model_validate({"text": target} if isinstance(target, str) else target)
        at = resolve(wanted, self._eyes, TARGET_MAX_S).point
        return {"x": at.x, "y": at.y}


@dataclass(frozen=True, slots=True)
class Replay:
    """One replay: `right`, `refused` with the reason, or `wrong`: it was told as done and was not."""

    name: str
    condition: Condition
    ended: str
    why: str
    seconds: float
    tokens: int


def measured(wanted: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Show each piece of work, make a skill of it, and do it again under each condition.

    Args:
        wanted: how many demonstrations; they are spread over the programs.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.

    Raises:
        DesktopError: no virtual desktop is available, or a program does not start.
        UsageError: no program of a demonstration is installed.
    """
    there, missing = _installed(demonstrations())
    if not there:
        raise UsageError(f"None of the programs is installed. Install them: sudo apt-get install {' '.join(missing)}")
    rows, replays, found, named = [], [], 0, 0
    for number, work in enumerate(_spread(there, wanted), 1):
        tell(f"{number} of {min(wanted, len(there))}: {work.name}")
        with tempfile.TemporaryDirectory(prefix="mark-i-skills-") as name, chdir(name):
            row, some = _demonstrated(work, Path(name), control, tell)
        rows.append(row)
        replays += some
        found, named = found + row.get("found", 0), named + len(work.values)
    ended = Counter(one.ended for one in replays)
    return {
        "demonstrations": len(rows),
        "programs": len({work.needs for work in there}),
        "not_installed": missing,
        "compiled": sum(not row["refused"] for row in rows),
        "replays": len(replays),
        "right": ended["right"],
        "right_percent": round(100 * ended["right"] / max(1, len(replays)), 1),
        "refused": ended["refused"],
        "silently_wrong": ended["wrong"],
        "by_condition": _by_condition(replays),
        "parameters_found_percent": round(100 * found / max(1, named), 1),
        "tokens": sum(one.tokens for one in replays),
        "times_faster_than_a_model": _median(row["faster_than_model"] for row in rows if not row["refused"]),
        "times_faster_than_offline": _median(row["faster_than_offline"] for row in rows if row["faster_than_offline"]),
        "rows": rows,
        "not_right": [
            f"{one.name}, {one.condition}: {one.ended}: {one.why}" for one in replays if one.ended != "right"
        ],
    }


def _demonstrated(
    work: Demonstration, folder: Path, control: Control, tell: Tell
) -> tuple[dict[str, Any], list[Replay]]:
    """Show a piece of work, make a skill of it, and return its row and its replays."""
    row: dict[str, Any] = {"name": work.name, "refused": "", "faster_than_offline": None}
    first = {name: pair[0] for name, pair in work.values.items()}
    with _opened(work, folder, control, "same") as (desktop, eyes):
        brain = Shower([(tool, filled(args, first)) for tool, args in work.calls], eyes)
        goal = str(filled(work.goal, first))
        run = folder / "run"
        journal = Journal(run, {"goal": goal, "brain": brain.name, "desktop": desktop.name, "settings": {}})
        agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal, folders=(folder,))
        outcome, shown_s = _timed(agent, goal)
    if outcome.name not in GOOD or not _checks(work, first, folder / "work"):
        raise DesktopError(f"The demonstration {work.name} was not carried out: {outcome.name}: {outcome.summary}")
    try:
        made = compiled(run, "shown")
    except UsageError as error:
        return row | {"refused": str(error)}, []
    write_skill(made.skill, folder / "skill", made.pictures)
    examples = {one.example: one.name for one in made.skill.parameters}
    row |= {"steps": len(made.skill.steps), "found": sum(value in examples for value in first.values())}
    replays = []
    can_be = {"relabelled": bool(work.relabelled), "popup": bool(shutil.which(POPUP[0]))}
    for condition in ("same", *(one for one in CONDITIONS if can_be.get(one, True))):
        tell(f"{work.name}, {condition}")
        replays.append(_replayed(work, made.skill, condition, folder, control))
    model_s = shown_s + MODEL_S * (len(work.calls) + 1)
    same, *others = replays
    row["faster_than_model"] = round(model_s / same.seconds, 1)
    offline_s = _offline(work, folder, control)
    row["faster_than_offline"] = round(offline_s / same.seconds, 1) if offline_s else None
    return row, others


def _replayed(work: Demonstration, skill: Skill, condition: Condition, folder: Path, control: Control) -> Replay:
    """Do a skill again in a new folder, on a new desktop."""
    wanted = {name: pair[condition == "values"] for name, pair in work.values.items()}
    by_example = {work.values[name][0]: value for name, value in wanted.items()}
    given = {one.name: by_example[one.example] for one in skill.parameters if one.example in by_example}
    if condition == "values" and (fixed := by_example.keys() - {one.example for one in skill.parameters}):
        return Replay(
            work.name, condition, "refused", f"No parameter was found for {', '.join(sorted(fixed))}.", 0.0, 0
        )
    with _opened(work, folder, control, condition) as (desktop, eyes), ExitStack() as stack:
        brain = SkillBrain(skill, values_for(skill, given), folder / "skill")
        if condition == "slow":
            stack.enter_context(slowed(desktop))
        agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, folders=(folder / "work",))
        outcome, seconds = _timed(agent, brain.goal)
        tokens = sum(step.usage.tokens for step in agent.world_model)
    if outcome.name not in GOOD:
        return Replay(work.name, condition, "refused", outcome.summary, seconds, tokens)
    ended = "right" if _checks(work, wanted, folder / "work") else "wrong"
    return Replay(work.name, condition, ended, outcome.summary, seconds, tokens)


def _offline(work: Demonstration, folder: Path, control: Control) -> float | None:
    """Return how long the offline brain takes; None if it cannot do it."""
    first = {name: pair[0] for name, pair in work.values.items()}
    with _opened(work, folder, control, "same") as (desktop, eyes):
        agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, folders=(folder / "work",))
        outcome, seconds = _timed(agent, str(filled(work.goal, first)))
    return seconds if outcome.name in GOOD and _checks(work, first, folder / "work") else None


def _timed(agent: AgentCore, goal: str) -> tuple[Outcome, float]:
    began = time.monotonic()
    outcome = agent.execute_command(goal)
    return outcome, round(time.monotonic() - began, 2)


@contextmanager
def _opened(
    work: Demonstration, folder: Path, control: Control, condition: Condition
) -> Iterator[tuple[VirtualDesktop, Eyes]]:
    """Open the program of a piece of work in an empty folder, on a desktop of its own; it has ended afterwards."""
    place = folder / "work"
    shutil.rmtree(place, ignore_errors=True)
    (place / "home").mkdir(parents=True)
    (place / "home" / ".Xdefaults").write_text(DEFAULTS.get(condition, ""), encoding="utf-8")
    named = work.relabelled if condition == "relabelled" else {}
    with ExitStack() as stack:
        page = stack.enter_context(_served(_renamed(work.page, named), place / "sent")) if work.page else ""
        size = OTHER_SIZE if condition == "moved" else SIZE
        desktop = stack.enter_context(closing(VirtualDesktop(size, control)))
        eyes = Eyes(desktop, control)
        surroundings = {"HOME": str(place / "home"), **ENVIRONMENT.get(condition, {})}
        if work.setup and not _run(work.setup, place):
            raise DesktopError(f"The folder of {work.name} cannot be prepared: {work.setup}")
        filled_in = {"page": page, "look": LOOKS.get(condition, "")}
        command = _renamed(str(filled(work.program, filled_in)), named)
        names = [f"{name}={value}" for name, value in surroundings.items()]
        desktop.launch(["env", "-C", str(place), *names, "sh", "-c", command])
        _await_window(desktop, eyes, work.needs, 1)
        if condition == "moved":
            moved(desktop)
        if condition == "popup":
            desktop.launch(POPUP)
            _await_window(desktop, eyes, POPUP[0], 2)
        eyes.settle(eyes.look(), 1.0)
        yield desktop, eyes


def _await_window(desktop: VirtualDesktop, eyes: Eyes, program: str, count: int) -> None:
    def stands() -> bool:
        windows = desktop.windows()
        return len(windows) >= count and any(window.active for window in windows)

    if not desktop.control.until(stands, START_MAX_S):
        raise DesktopError(f"{program} did not open a window.")
    eyes.settle(eyes.look(), 2.0)


def _checks(work: Demonstration, values: Mapping[str, str], folder: Path) -> bool:
    return _run(str(filled(work.check, values)), folder)


def _run(command: str, folder: Path) -> bool:
    """Run a command of a demonstration, and return whether it exits with 0."""
    home = {**os.environ, "HOME": str(folder / "home")}
    result = subprocess.run(  # noqa: S603 - a command of our own file
        ["/bin/sh", "-c", command], cwd=folder, env=home, check=False, capture_output=True, timeout=COMMAND_MAX_S
    )
    return result.returncode == 0


def _renamed(text: str, named: Mapping[str, str]) -> str:
    for old, new in named.items():
        text = text.replace(old, new)
    return text


@contextmanager
def _served(page: str, sent: Path) -> Iterator[str]:
    """Serve a page on this machine; what its form sends is written to a file, a field a line."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(page)

        def do_POST(self) -> None:
            given = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = parse_qsl(given, keep_blank_values=True)
            sent.write_text("".join(f"{name}={value}\n" for name, value in fields), encoding="utf-8")
            self._answer("<!doctype html><title>Thanks</title><p>It was received.")

        def _answer(self, text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_args: object) -> None:
            """Say nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="page")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _installed(works: Sequence[Demonstration]) -> tuple[list[Demonstration], list[str]]:
    """Return the demonstrations whose programs are there, and the programs that are not."""
    there = [work for work in works if shutil.which(work.needs)]
    needed = {work.needs for work in works} | {POPUP[0]}
    return there, sorted(name for name in needed if not shutil.which(name))


def _spread(works: Sequence[Demonstration], wanted: int) -> list[Demonstration]:
    """Return so many, from each program in turn."""
    nth: Counter[str] = Counter()
    turns = []
    for work in works:
        nth[work.needs] += 1
        turns.append((nth[work.needs], work))
    return [work for _, work in sorted(turns, key=lambda one: one[0])][:wanted]


def _by_condition(replays: Sequence[Replay]) -> dict[str, dict[str, int]]:
    return {
        condition: dict(Counter(one.ended for one in replays if one.condition == condition)) for condition in CONDITIONS
    }


def _median(values: Iterator[float]) -> float | None:
    found = list(values)
    return round(statistics.median(found), 1) if found else None


def _reply(tool: str, args: Mapping[str, Any]) -> Reply:
    return Reply(json.dumps({"thought": "I go on.", "action": {"tool": tool, "args": args}}))
