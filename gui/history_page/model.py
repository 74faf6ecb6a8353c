"""The pages of the window and the past on them, as values: messages go in, what to show comes out. Pure, as `state`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from gui.history_page.rows import Row
from gui.kit.wording import shortened
from gui.run.state import State

if TYPE_CHECKING:
    from gui.history_page.replay import Replay

Page = Literal["Agent", "Runs", "Tools", "Settings"]
PAGES: Final[tuple[Page, ...]] = get_args(Page)


@dataclass(frozen=True, slots=True)
class Turned:
    """Another page was chosen."""

    page: Page


@dataclass(frozen=True, slots=True)
class Listed:
    """The past runs were read."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """Something was written into the search field."""

    words: str


@dataclass(frozen=True, slots=True)
class Unopened:
    """Something could not be done with a run, and the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class OpenAsked:
    """A run is to be opened."""

    run: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A run was read."""

    replay: "Replay"


@dataclass(frozen=True, slots=True)
class Moved:
    """The scrubber was moved to where so many steps are done."""

    to: int


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """A report of a run is to be written."""

    run: str


@dataclass(frozen=True, slots=True)
class Reported:
    """It is written."""

    run: str
    file: Path


@dataclass(frozen=True, slots=True)
class Left:
    """Back was pressed."""


@dataclass(frozen=True, slots=True)
class DeleteAsked:
    """A run is to be deleted, if the person agrees; None where they do not."""

    run: str | None


@dataclass(frozen=True, slots=True)
class Deleted:
    """A run is gone."""

    run: str


PastMessage: TypeAlias = (
    Turned
    | Listed
    | Searched
    | Unopened
    | OpenAsked
    | Opened
    | Moved
    | ReportAsked
    | Reported
    | Left
    | DeleteAsked
    | Deleted
)


@dataclass(frozen=True, slots=True)
class Past:
    """All that the window shows besides the run of its own.

    Attributes:
        page: the one that is seen.
        rows: the past runs, newest first; None as long as they were not read.
        search: the words that are searched for.
        told: what went wrong last.
        opening: the run that is being read.
        asked: the run that is deleted if the person agrees.
        reporting: the run whose report is being written.
        replay: the run that is open.
        report: where its report is, once it was written.
        at: how many of its steps are done.
        shown: what it looks like then.
    """

    page: Page = "Agent"
    rows: tuple[Row, ...] | None = None
    search: str = ""
    told: str = ""
    opening: str | None = None
    asked: str | None = None
    reporting: str | None = None
    replay: "Replay | None" = None
    report: Path | None = None
    at: int = 0
    shown: State = State()  # noqa: RUF009 - frozen

    @property
    def found(self) -> tuple[Row, ...]:
        """The runs that have the words that are searched for."""
        return tuple(row for row in self.rows or () if row.has(self.search))

    def row(self, run: str) -> Row | None:
        """The line of a run."""
        return next((row for row in self.rows or () if row.run == run), None)


def browse(past: Past, message: PastMessage) -> Past:  # noqa: PLR0911 - a line for each message
    """The past after a message."""
    match message:
        case Turned():
            return replace(past, page=message.page, asked=None, told="")
        case Listed():
            return replace(past, rows=message.rows)
        case Searched():
            return replace(past, search=message.words, asked=None, told="")
        case Unopened():
            return replace(past, told=shortened(message.message), opening=None, asked=None, reporting=None)
        case DeleteAsked():
            return replace(past, asked=message.run, told="")
        case Deleted():
            rows = tuple(row for row in past.rows or () if row.run != message.run)
            return replace(past, rows=rows, asked=None, told="")
        case OpenAsked():
            return replace(past, opening=message.run, asked=None, told="")
        case Opened() | Moved() | ReportAsked() | Reported() | Left():
            return _gone_through(past, message)


def _gone_through(past: Past, message: Opened | Moved | ReportAsked | Reported | Left) -> Past:
    """What happens to the run that is open, or is being opened; what comes for another one is too late."""
    match message:
        case Opened() if message.replay.run == past.opening:
            opened = replace(past, opening=None, replay=message.replay)
            return _at(opened, message.replay, message.replay.steps)
        case Moved() if past.replay:
            return _at(past, past.replay, message.to)
        case ReportAsked():
            return replace(past, reporting=message.run, report=None, told="")
        case Reported():
            its = past.replay and past.replay.run == message.run
            return replace(past, reporting=None, report=message.file if its else past.report)
        case Left():
            return replace(past, opening=None, replay=None, report=None, shown=State(), at=0)
    return past


def _at(past: Past, replay: "Replay", steps: int) -> Past:
    at = min(max(0, steps), replay.steps)
    return replace(past, at=at, shown=replay.states[at])
