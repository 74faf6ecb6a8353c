"""A past run as the window shows it: its journal's events, put through the same `reduce` as those of a live one."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui.history_page.rows import local
from gui.run.choices import Choices, recorded_choices
from gui.run.messages import ClockTicked, ImagesReady, Message, RunRefused, RunReleased, RunStarted, WorkflowChosen
from gui.run.state import RunState
from gui.run.update import reduce
from gui.run.workflow_graph import WorkflowDrawing, drawing_of
from mark_i import Event
from mark_i.config import DEFAULT_PROFILE
from mark_i.runs import by_version, is_running, play_back, shots_of, why_no_outcome
from mark_i.skills import makes_skill, order_of
from mark_i.workflows import shipped
from world_model import Run, UsageError, read_nodes, read_run


@dataclass(frozen=True, slots=True)
class Replay:
    """A run to go through step by step.

    Attributes:
        run: its name.
        when: its start, in local time.
        chosen: what it was made of.
        follows: whether it followed on another run.
        makes_skill: whether a skill may be made of it.
        order: how the skill that it did is ordered in words; empty if it did none.
        states: what the window shows after each number of steps; the last one includes the end.
    """

    run: str
    when: str
    goal: str
    chosen: Choices
    states: tuple[RunState, ...]
    follows: bool
    makes_skill: bool
    order: str = ""

    @property
    def goal_anew(self) -> str:
        """The goal for a run that begins anew: the skill that it did, or its goal with what was said during the run."""
        return self.order or self.changed_goal or self.goal

    @property
    def changed_goal(self) -> str:
        """The goal with what was said during the run; empty if that changed nothing."""
        return self.states[-1].changed_goal

    @property
    def steps(self) -> int:
        """How many there are."""
        return len(self.states) - 1


def replay_in(folder: Path, profile: str = DEFAULT_PROFILE) -> Replay:
    """Read the run in a folder, without its images.

    Raises:
        JournalError: it cannot be read, or another version wrote it differently.
    """
    with by_version(folder):
        running = is_running(folder)
        run, nodes = read_run(folder, images=False), read_nodes(folder)
    about = run.about
    drawing, notices = _drawn(about, nodes, profile)
    states = states_of(run, nodes, drawing, notices, running=running)
    when, goal = local(str(about.get("started", ""))), str(about.get("goal", ""))
    settings = about.get("settings")
    settings = settings if isinstance(settings, Mapping) else {}
    follows, order, makes = bool(settings.get("continues")), order_of(settings), makes_skill(run)
    chosen = recorded_choices(about)
    return Replay(folder.name, when, goal, chosen, states, follows=follows, makes_skill=makes, order=order)


def states_of(
    run: Run,
    nodes: Sequence[Mapping[str, Any]] = (),
    drawing: WorkflowDrawing | None = None,
    notices: Sequence[str] = (),
    *,
    running: bool = False,
) -> tuple[RunState, ...]:
    """List what the window shows after no step, after one, and so on."""
    before: list[Message] = [
        WorkflowChosen(drawing),
        RunStarted(),
        *(Event("notice", 0.0, {"text": text}) for text in notices),
    ]
    state = functools.reduce(reduce, before, RunState())
    states = []
    for event in play_back(run, nodes):
        state = reduce(reduce(state, ClockTicked(event.t)), event)
        if event.step:
            state = reduce(state, ImagesReady(event.step.index, *shots_of(event.step, run.folder)))
        if event.event in ("run_started", "step"):
            states.append(state)
    if not state.ended:
        state = reduce(state, _end(run, running=running))
    return (*states[:-1], reduce(state, RunReleased()))


def _end(run: Run, *, running: bool) -> Message:
    """What stands in for a missing end."""
    words = why_no_outcome(run, running=running)
    return Event("notice", 0.0, {"text": words}) if running else RunRefused(words)


def _drawn(
    about: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]], profile: str
) -> tuple[WorkflowDrawing | None, list[str]]:
    """Read the workflow of a run as it is now, with a notice where it is not the one that ran."""
    settings = about.get("settings")
    settings = settings if isinstance(settings, Mapping) else {}
    name = settings.get("workflow")
    if not isinstance(name, str):
        return None, []
    try:
        file = Path(str(settings.get("folder", ""))) / name
        drawing = drawing_of(str(file) if name not in shipped() and file.is_file() else name, profile)
    except (UsageError, OSError, ValueError) as error:
        return None, [f"The workflow of this run cannot be drawn: {error}"]
    known = {(node.id, node.kind) for node in drawing.graph.nodes}
    changed = any((node["node"], node["type"]) not in known for node in nodes)
    return drawing, [f"The workflow {name} has changed since this run; it is drawn as it is now."] if changed else []
