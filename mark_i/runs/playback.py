"""Playback: the events of a past run, recreated from its journal.

Not recreated: notices, which the journal does not keep, and how the time of a step was spread over its events.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from mark_i.events import EXIT_CODES, LABELS, Event, OutcomeName
from mark_i.runs.store import spent
from world_model import Run, Step
from world_model.shapes import fault

STATES: Final = frozenset({"started", "finished", "skipped"})  # of a node; newer states are ignored
LISTS: Final = {"sources": {"step": int, "text": str}, "unsupported": str, "evidence": {"confirmed": bool}}
RUNNING: Final = "This run is still running. It is shown up to the point at which it was opened."
KILLED: Final = "The run was killed, so it has no outcome."
IN_FLIGHT: Final = "Its last action may have been executed."


def play_back(run: Run, nodes: Sequence[Mapping[str, Any]] = ()) -> Iterator[Event]:
    """Yield the events of a run, in order; the last one is `ended` if the run has a known outcome.

    Args:
        run: the run, read back with or without its images.
        nodes: what the nodes of its workflow did.
    """
    yield Event("run_started", 0.0, _about(run))
    seconds = 0.0
    for step in run.steps:
        yield from _node_events(nodes, step.index - 1, step.index, seconds)
        yield from _before(run, step, seconds)
        seconds += step.timing.seconds
        yield Event("step", seconds, step.to_dict(), step)
    yield from _node_events(nodes, len(run.steps), None, seconds)
    if run.in_flight:
        index = len(run.steps) + 1
        yield from _asked(run, index, seconds)
        yield Event("action", seconds, {"index": index, **run.in_flight.to_dict()})
    if ending := _ending(run):
        yield Event("ended", _seconds(run, seconds), ending)


def why_no_outcome(run: Run, *, running: bool) -> str:
    """Say why `play_back` yields no `ended` event."""
    if running:
        return RUNNING
    name = _object(run.about.get("outcome")).get("outcome")
    if name is not None:
        return f"It ended as {name!r}, which this version of MARK-I does not know."
    return f"{KILLED} {IN_FLIGHT}" if run.in_flight else KILLED


def _about(run: Run) -> dict[str, Any]:
    settings = _object(run.about.get("settings"))
    steps = _object(settings.get("budget")).get("steps")
    style: Any = str(settings.get("style", "default"))
    return {
        "goal": str(run.about.get("goal", "")),
        "brain": str(run.about.get("brain", "")),
        "desktop": run.about.get("desktop"),
        "style": style,
        "mode": LABELS.get(style, ""),
        "max_steps": steps if isinstance(steps, int) and steps > 0 else max(1, len(run.steps)),
        "run": run.folder.name,
    }


def _before(run: Run, step: Step, seconds: float) -> Iterator[Event]:
    """Yield the events of a step before its action is executed."""
    yield Event("thinking", seconds, {"index": step.index})
    planned = {"foreseen": True} if step.foreseen else {}
    yield Event("thought", seconds, {"index": step.index, "text": step.thought.text, **planned})
    yield from _asked(run, step.index, seconds)
    yield Event("action", seconds, {"index": step.index, **step.action.to_dict()})


def _asked(run: Run, index: int, seconds: float) -> Iterator[Event]:
    """Yield the approvals that were asked for before the action of a step."""
    yield from (Event("approval", seconds, dict(asked)) for asked in run.approvals if asked["index"] == index)


def _node_events(nodes: Sequence[Mapping[str, Any]], first: int, end: int | None, seconds: float) -> Iterator[Event]:
    """Yield the nodes that ran after `first` steps; at the end also those without a step count."""
    for node in nodes:
        steps = node.get("steps")
        now = end is None if steps is None else first <= steps and (end is None or steps < end)
        if now and node["state"] in STATES:
            yield Event("node", seconds, {name: node[name] for name in ("node", "type", "title", "state", "count")})


def _ending(run: Run) -> dict[str, Any] | None:
    """Return the outcome; None if the run was killed, is running, or has an unknown outcome."""
    told = _object(run.about.get("outcome"))
    if told.get("outcome") not in get_args(OutcomeName):
        return None
    goal = told.get("goal")
    return {
        **{name: value for name, value in told.items() if name != "goal" or isinstance(goal, str)},
        **{name: _valid(told.get(name), shape) for name, shape in LISTS.items()},
        "summary": str(told.get("summary", "")),
        "steps": len(run.steps),
        "usage": spent(run.folder).to_dict(),
        "run": run.folder.name,
        "exit_code": EXIT_CODES[told["outcome"]],
    }


def _seconds(run: Run, least: float) -> float:
    seconds = run.about.get("seconds")
    return float(seconds) if isinstance(seconds, int | float) else least


def _valid(value: object, shape: object) -> list[Any]:
    """Return the valid items of a list; nothing if it is not a list."""
    return [one for one in value if fault(one, shape) is None] if isinstance(value, list) else []


def _object(value: object) -> Mapping[str, Any]:
    """Return a JSON object; an empty one if it is something else."""
    return value if isinstance(value, Mapping) else {}
