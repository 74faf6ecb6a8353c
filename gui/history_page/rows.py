"""The past runs as the window lists them. No Tk here."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gui.kit.texts import clock, shorten
from gui.run.state import ENDINGS
from mark_i.runs import Summary, spent, summaries
from world_model import JournalError

LONGEST: Final = 200  # characters of a goal in one line
STATES: Final = {"running": "Running", "killed": "Killed", "unreadable": "Unreadable"}


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in one line, in the words of the window; what is not known of it is empty.

    Attributes:
        run: its name.
        when: it began, in the person's own time.
        words: what a search looks through: its goal and its answer.
    """

    run: str
    when: str
    goal: str
    outcome: str
    steps: str = ""
    time: str = ""
    cost: str = ""
    words: str = ""

    def has(self, search: str) -> bool:
        """Whether every word of a search is in its goal or its answer."""
        return all(word in self.words for word in search.casefold().split())


def rows_in(runs: Path) -> tuple[RunRow, ...]:
    """Every run in that folder, newest first.

    Raises:
        JournalError: the folder cannot be read.
    """
    return tuple(row_of(one, _cost(runs / one.run)) for one in summaries(runs))


def row_of(one: Summary, cost: str = "") -> RunRow:
    """A run in one line."""
    return RunRow(
        one.run,
        local(one.started) if one.started else one.run,
        shorten(" ".join(one.goal.split()), LONGEST),
        ENDINGS[one.outcome][1] if one.outcome in ENDINGS else STATES.get(one.outcome, shorten(one.outcome)),
        str(one.steps),
        "" if one.seconds is None else clock(one.seconds),
        cost,
        f"{one.goal}\n{one.said}".casefold(),
    )


def local(started: str) -> str:
    """A time of a journal in the person's own time."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:  # changed by hand
        return shorten(started, LONGEST)


def _cost(folder: Path) -> str:
    """Nothing where no model was asked, or where that cannot be read: who opens the run is told then."""
    try:
        usage = spent(folder)
    except JournalError:
        return ""
    if not usage.tokens:
        return ""
    return "unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
