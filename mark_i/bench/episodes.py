"""The files of a measurement of whole goals: a line for each episode, so that it can be resumed, and a table.

FOLDER/episodes.jsonl   what is measured, and a line for each episode as soon as it ends
FOLDER/figures.json     the figures of the table, and every episode that failed
FOLDER/table.html       the same as a page
"""

import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mark_i.fleet.report import table_style
from mark_i.printable import CONTROLS
from mark_i.startup_check import our_version
from world_model import JournalError, UsageError
from world_model.journal import write_whole
from world_model.shapes import newer

VERSION: Final = 1  # of episodes.jsonl
EPISODES: Final = "episodes.jsonl"

Tell = Callable[[int, int, str], object]  # episodes that ended, episodes in all, and what runs now


@dataclass(frozen=True, slots=True)
class Episode:
    """One attempt at a goal.

    Attributes:
        number: Its seed, or the number of the attempt, from 0.
        outcome: How the run ended; `not begun` if it could not start.
        said: The agent's final words, or why it could not start.
        usd: The cost; None if the price is unknown.
        actions: The actions, as calls in JSON.
        run: The name of its journal; None if it has none.
    """

    task: str
    number: int
    goal: str
    solved: bool
    outcome: str
    said: str
    seconds: float
    steps: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    actions: Sequence[str] = ()
    run: str | None = None


Play = Callable[[str, int], Episode]


class Kept:
    """The episodes of one measurement, in a folder if one is given.

    Args:
        about: What is measured, and with which brain; a measurement resumes only if this is the same.

    Raises:
        UsageError: The folder holds another measurement, or a newer or damaged one.
        JournalError: The folder cannot be written.
    """

    def __init__(self, folder: Path | None, about: Mapping[str, Any]) -> None:
        self.about = dict(about)
        self._file = folder / EPISODES if folder else None
        self._episodes: dict[tuple[str, int], Episode] = {}
        if self._file is None:
            return
        head = json.dumps({"version": VERSION, **self.about}) + "\n"
        lines = self._lines()
        if lines and lines[0] != head:
            reason = newer(_version(lines[0]), VERSION) or "It holds another measurement."
            raise UsageError(f"{self._file} cannot be resumed. {reason} Say another folder with --out.")
        self._episodes = {(one.task, one.number): one for one in map(self._episode, lines[1:])}
        try:  # this also drops a partial line that a kill left
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, "".join(lines or [head]).encode())
        except OSError as error:
            raise self._unwritten(error) from error

    def find(self, task: str, number: int) -> Episode | None:
        """Return an episode that has ended already; None if it has not."""
        return self._episodes.get((task, number))

    def add(self, episode: Episode) -> None:
        """Add an episode, and write it to the file."""
        self._episodes[episode.task, episode.number] = episode
        if self._file is None:
            return
        try:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(episode)) + "\n")
        except OSError as error:
            raise self._unwritten(error) from error

    def _lines(self) -> list[str]:
        assert self._file is not None  # noqa: S101 - checked by the caller
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except (OSError, ValueError) as error:
            raise UsageError(f"{self._file} cannot be read: {error}") from error
        return [line for line in lines if line.endswith("\n")]

    def _episode(self, line: str) -> Episode:
        try:
            return Episode(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise UsageError(f"{self._file} has a line that is not an episode: {line[:80].strip()}") from error

    def _unwritten(self, error: OSError) -> JournalError:
        return JournalError(f"{self._file} cannot be written: {error.strerror}. Say another folder with --out.")


def played(kept: Kept, wanted: Iterable[tuple[str, int]], play: Play, tell: Tell) -> list[Episode]:
    """Play the wanted episodes, by task and number; those that are kept already are not repeated."""
    wanted = list(wanted)
    done: list[Episode] = []
    for task, number in wanted:
        tell(len(done), len(wanted), f"{task} {number}")
        found = kept.find(task, number)
        if found is None:
            found = play(task, number)
            kept.add(found)
        done.append(found)
    tell(len(done), len(wanted), "")
    return done


def figures(kept: Kept, episodes: Sequence[Episode]) -> dict[str, Any]:
    """Compute the table: a row for each task, a row for all of them, and every episode that failed."""
    by_task: dict[str, list[Episode]] = {}
    for one in episodes:
        by_task.setdefault(one.task, []).append(one)
    return {
        **kept.about,
        "mark-i": our_version(),
        "tasks": [{"task": task, **_row(some)} for task, some in by_task.items()],
        "all": _row(episodes),
        "missed": [asdict(one) for one in episodes if not one.solved],
    }


def _row(episodes: Sequence[Episode]) -> dict[str, Any]:
    known = [one.usd for one in episodes if one.usd is not None]
    return {
        "solved": sum(one.solved for one in episodes),
        "of": len(episodes),
        "median_steps": statistics.median(one.steps for one in episodes) if episodes else 0,
        "median_s": round(statistics.median(one.seconds for one in episodes), 1) if episodes else 0.0,
        "tokens": sum(one.tokens for one in episodes),
        "usd": round(sum(known), 4) if len(known) == len(episodes) else None,
    }


def write_table(folder: Path, found: Mapping[str, Any]) -> None:
    """Write the figures as JSON and as a page.

    Raises:
        JournalError: They cannot be written.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_printed, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.from_string(resources.files("mark_i.bench").joinpath("table.html").read_text("utf-8"))
    try:
        write_whole(folder / "figures.json", json.dumps(found, ensure_ascii=False, indent=1).encode())
        write_whole(folder / "table.html", page.render(found=found, style=table_style()).encode())
    except OSError as error:
        raise JournalError(f"The table in {folder} cannot be written: {error.strerror}.") from error


def _printed(value: object) -> object:
    return value.translate(CONTROLS) if isinstance(value, str) and not isinstance(value, Markup) else value


def _version(line: str) -> object:
    try:
        return json.loads(line)["version"]
    except (ValueError, TypeError, KeyError):
        return VERSION  # it has none
