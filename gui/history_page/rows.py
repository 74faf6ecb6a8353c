"""The past runs as the window lists them. No Tk here."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gui.kit.texts import clock, shorten
from gui.run.state import ENDINGS
from mark_i.runs import Summary, spent, summaries
from world_model import JournalError

GOAL_CHARS: Final = 200  # of a goal in one line
STATES: Final = {"running": "Running", "killed": "Killed", "unreadable": "Unreadable"}


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in one line; what is unknown is empty.

    Attributes:
        run: its name.
        when: its start, in local time.
        goal: what its outcome is of: the goal with what was said during the run.
        words: what a search looks through: when, goal as it was at first and at the end, outcome and answer.
    """

    run: str
    when: str
    goal: str
    outcome: str
    steps: str = ""
    time: str = ""
    cost: str = ""
    words: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.outcome == STATES["running"]

    @property
    def told(self) -> str:
        """What tells it from other runs of the same goal, in a sentence."""
        return f"It ran {self.when}: {self.outcome}."

    def has(self, search: str) -> bool:
        """Whether it has every word of a search."""
        return all(word in self.words for word in search.casefold().split())


def rows_in(runs: Path) -> tuple[RunRow, ...]:
    """List every run in a folder, newest first.

    Raises:
        JournalError: the folder cannot be read.
    """
    return tuple(row_of(one, _cost(runs / one.run)) for one in summaries(runs))


def row_of(one: Summary, cost: str = "") -> RunRow:
    """Format a run in one line."""
    when = local(one.started) if one.started else one.run
    outcome = ENDINGS[one.outcome][1] if one.outcome in ENDINGS else STATES.get(one.outcome, shorten(one.outcome))
    return RunRow(
        one.run,
        when,
        shorten(" ".join(one.worked_on.split()), GOAL_CHARS),
        outcome,
        str(one.steps),
        "" if one.seconds is None else clock(one.seconds),
        cost,
        f"{when}\n{one.goal}\n{one.changed_goal}\n{outcome}\n{one.said}".casefold(),
    )


def local(started: str) -> str:
    """Convert a journal's time to local time."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:  # changed by hand
        return shorten(started, GOAL_CHARS)


def _cost(folder: Path) -> str:
    """The cost; empty where no model was asked, or where it cannot be read, which opening the run reports."""
    try:
        usage = spent(folder)
    except JournalError:
        return ""
    if not usage.tokens:
        return ""
    return "unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
