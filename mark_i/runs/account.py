"""The account of one run: its goal, its outcome, and every Thought, Action and Observation."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mark_i.printable import CONTROLS
from mark_i.runs.store import Summary, local, summary
from world_model import Format, Run, call, read_run, told


def account(folder: Path, form: Format) -> str:
    """Return what happened in the run in a folder.

    Raises:
        JournalError: it cannot be read.
    """
    run, about = read_run(folder, images=False), summary(folder)
    if form == "json":
        return json.dumps(_values(run, about))
    line = "- **{}:** {}" if form == "markdown" else "{:11}{}"
    head = "\n".join(line.format(name, words) for name, words in _facts(run, about))
    return f"{head}\n\n{told(run.steps, form)}".rstrip().translate(CONTROLS)


def seconds_text(seconds: float | None) -> str:
    """Return how long a run took; an empty text if that is unknown."""
    return "" if seconds is None else f"{seconds:.1f} s"


def _facts(run: Run, about: Summary) -> Iterator[tuple[str, str]]:
    """Yield the facts about a run, by name."""
    yield "Goal", about.goal
    if about.changed_goal:
        yield "Changed to", about.changed_goal
    yield "Outcome", f"{about.outcome}: {about.said}" if about.said else about.outcome
    ended = run.about.get("outcome")
    if isinstance(ended, Mapping) and "result" in ended:
        yield "Result", json.dumps(ended["result"], ensure_ascii=False)
    yield "Run", about.run
    if about.started:
        yield "Started", local(about.started)
    yield "Brain", about.brain
    yield "Steps", " in ".join(filter(None, (str(len(run.steps)), seconds_text(about.seconds))))
    if run.in_flight:
        yield "In flight", f"{call(run.in_flight)}, which may have been executed"
    yield "Folder", str(run.folder)


def _values(run: Run, about: Summary) -> dict[str, Any]:
    """Return all of the journal except images and prompts, which are in the run's folder."""
    return {
        **asdict(about),
        "folder": str(run.folder),
        "about": run.about,
        "steps": [step.to_dict() for step in run.steps],
        "in_flight": run.in_flight.to_dict() if run.in_flight else None,
    }
