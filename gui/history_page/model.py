"""Which page is open, and the state of the history page, as values. Pure, as `gui.run`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from gui.history_page.rows import RunRow
from gui.kit.texts import shorten
from gui.run.state import RunState

if TYPE_CHECKING:
    from gui.history_page.replay import Replay

Page = Literal["Agent", "Runs", "Skills", "Fleets", "Tools", "Settings"]
PAGES: Final[tuple[Page, ...]] = get_args(Page)


@dataclass(frozen=True, slots=True)
class PageChosen:
    """Another page was chosen."""

    page: Page


@dataclass(frozen=True, slots=True)
class RunsListed:
    """The past runs were read."""

    rows: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class RunsSearched:
    """The text of the search field changed."""

    words: str


@dataclass(frozen=True, slots=True)
class HistoryFailed:
    """Something could not be done with a run; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class OpenRequested:
    """A run is to be opened."""

    run: str


@dataclass(frozen=True, slots=True)
class RunOpened:
    """A run was read."""

    replay: "Replay"


@dataclass(frozen=True, slots=True)
class StepChosen:
    """The scrubber was moved to this number of steps."""

    to: int


@dataclass(frozen=True, slots=True)
class ReportRequested:
    """A report of a run is to be written."""

    run: str


@dataclass(frozen=True, slots=True)
class ReportWritten:
    """The report was written."""

    run: str
    file: Path


@dataclass(frozen=True, slots=True)
class FolderShown:
    """The folder of a run was opened, where there is a program for that."""

    run: str
    folder: Path


@dataclass(frozen=True, slots=True)
class RunClosed:
    """Back was pressed."""


@dataclass(frozen=True, slots=True)
class DeleteRequested:
    """A run is to be deleted if the person confirms; None where they do not."""

    run: str | None


@dataclass(frozen=True, slots=True)
class RunDeleted:
    """A run was deleted."""

    run: str


HistoryMessage: TypeAlias = (
    PageChosen
    | RunsListed
    | RunsSearched
    | HistoryFailed
    | OpenRequested
    | RunOpened
    | StepChosen
    | ReportRequested
    | ReportWritten
    | FolderShown
    | RunClosed
    | DeleteRequested
    | RunDeleted
)


@dataclass(frozen=True, slots=True)
class HistoryState:
    """What the window shows besides its own run.

    Attributes:
        page: the open one.
        rows: the past runs, newest first; None until they are read.
        search: the words that are searched for.
        message: what failed last.
        opening: the run that is being read.
        confirming: the run to delete if the person confirms.
        reporting: the run whose report is being written.
        replay: the open run.
        report: where its report is, once it is written.
        folder: where its files are, once they were shown.
        step: how many of its steps are shown.
        view_state: what it looks like after that step.
    """

    page: Page = "Agent"
    rows: tuple[RunRow, ...] | None = None
    search: str = ""
    message: str = ""
    opening: str | None = None
    confirming: str | None = None
    reporting: str | None = None
    replay: "Replay | None" = None
    report: Path | None = None
    folder: Path | None = None
    step: int = 0
    view_state: RunState = RunState()  # noqa: RUF009 - frozen

    @property
    def found(self) -> tuple[RunRow, ...]:
        """The runs that match the search."""
        return tuple(row for row in self.rows or () if row.has(self.search))

    def row(self, run: str) -> RunRow | None:
        """The row of a run."""
        return next((row for row in self.rows or () if row.run == run), None)


def reduce_history(history: HistoryState, message: HistoryMessage) -> HistoryState:  # noqa: PLR0911 - a line for each message
    """Return the state after a message."""
    match message:
        case PageChosen():
            return replace(history, page=message.page, confirming=None, message="")
        case RunsListed():
            return replace(history, rows=message.rows, message="" if _one_ended(history, message) else history.message)
        case RunsSearched():
            return replace(history, search=message.words, confirming=None, message="")
        case HistoryFailed():
            return replace(history, message=shorten(message.message), opening=None, confirming=None, reporting=None)
        case DeleteRequested():
            return replace(history, confirming=message.run, message="")
        case RunDeleted():
            rows = tuple(row for row in history.rows or () if row.run != message.run)
            return replace(history, rows=rows, confirming=None, message="")
        case OpenRequested():
            return replace(history, opening=message.run, confirming=None, message="")
        case RunClosed():
            return replace(history, opening=None, replay=None, report=None, folder=None, view_state=RunState(), step=0)
        case RunOpened() | StepChosen() | ReportRequested() | ReportWritten() | FolderShown():
            return _gone_through(history, message)


def _one_ended(history: HistoryState, listed: RunsListed) -> bool:
    """Whether a run has ended since: what could not be done with it while it went on can be done now."""
    runs = {row.run for row in history.rows or () if row.is_running}
    return any(row.run in runs and not row.is_running for row in listed.rows)


def _gone_through(
    history: HistoryState, message: RunOpened | StepChosen | ReportRequested | ReportWritten | FolderShown
) -> HistoryState:
    """Handle what concerns the run that is open or being opened; messages about another one are too late."""
    match message:
        case RunOpened() if message.replay.run == history.opening:
            opened = replace(history, opening=None, replay=message.replay)
            return _at(opened, message.replay, message.replay.steps)
        case StepChosen() if history.replay:
            return _at(history, history.replay, message.to)
        case ReportRequested():
            return replace(history, reporting=message.run, report=None, folder=None, message="")
        case ReportWritten():
            its = history.replay and history.replay.run == message.run
            return replace(history, reporting=None, report=message.file if its else history.report)
        case FolderShown() if history.replay and history.replay.run == message.run:
            return replace(history, folder=message.folder, report=None, message="")
    return history


def _at(history: HistoryState, replay: "Replay", steps: int) -> HistoryState:
    step = min(max(0, steps), replay.steps)
    return replace(history, step=step, view_state=replay.states[step])
