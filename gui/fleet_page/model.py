"""The state of the Fleets page as values. Pure, as `gui.run`."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from gui.kit.texts import clock, shorten
from gui.kit.tones import Tone

if TYPE_CHECKING:
    from mark_i.fleet import FleetNow, RunNow, RunState

S_PER_MINUTE: Final = 60
FIRST: Final[tuple["RunState", ...]] = ("running", "failed", "unknown")  # on the wall
BAR: Final[tuple["RunState", ...]] = ("solved", "failed", "unknown")  # from left to right
STATES: Final[Mapping["RunState", tuple[Tone, str]]] = {  # the tone and the name of each
    "waiting": ("quiet", "Waiting"),
    "running": ("busy", "Running"),
    "solved": ("done", "Solved"),
    "failed": ("failed", "Failed"),
    "unknown": ("unverified", "Unknown"),
}


@dataclass(frozen=True, slots=True)
class FleetStarted:
    """A file is to be run."""

    file: Path


@dataclass(frozen=True, slots=True)
class FleetSeen:
    """A fleet was looked at, at a time of `time.monotonic`."""

    folder: Path
    now: "FleetNow"
    at_s: float


@dataclass(frozen=True, slots=True)
class FleetEnded:
    """The process of a fleet has ended; `told` says why before its end, if it did."""

    folder: Path
    told: str


@dataclass(frozen=True, slots=True)
class FleetFailed:
    """Something could not be done; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class StopRequested:
    """The fleet is to stop."""


@dataclass(frozen=True, slots=True)
class FleetReportRequested:
    """The report of the fleet is to be written."""


@dataclass(frozen=True, slots=True)
class FleetReportWritten:
    """The report of a fleet was written."""

    file: Path


FleetMessage: TypeAlias = (
    FleetStarted | FleetSeen | FleetEnded | FleetFailed | StopRequested | FleetReportRequested | FleetReportWritten
)


@dataclass(frozen=True, slots=True)
class FleetState:
    """What the page shows.

    Attributes:
        folder: of the fleet that is open.
        now: what it does.
        at_s: when it was looked at.
        began_s: when it was first seen to run, and `ended_before` how many runs had ended then.
        starting: the file whose fleet does not run yet.
        stopping: whether it was asked to stop.
        reporting: whether its report is being written.
        message: what failed last, or was done.
        is_error: whether it failed.
    """

    folder: Path | None = None
    now: "FleetNow | None" = None
    at_s: float = 0.0
    began_s: float = 0.0
    ended_before: int = 0
    starting: Path | None = None
    stopping: bool = False
    reporting: bool = False
    message: str = ""
    is_error: bool = False

    @property
    def runs(self) -> tuple["RunNow", ...]:
        """The runs in the order of the wall: those that are going on, those that failed, and the rest."""
        runs = self.now.runs if self.now else ()
        return tuple(
            sorted(runs, key=lambda one: FIRST.index(one.state) if one.state in FIRST else len(FIRST))
        )  # which keeps the order of the file

    @property
    def shares(self) -> Counter["RunState"]:
        """How many runs are in each state."""
        return Counter(one.state for one in self.now.runs) if self.now else Counter()

    @property
    def running(self) -> bool:
        """Whether a process is at it."""
        return self.now is not None and self.now.running

    @property
    def left(self) -> int:
        """How many runs have not ended."""
        return self.shares["waiting"] + self.shares["running"]

    @property
    def ended(self) -> int:
        """How many runs have."""
        return self.shares.total() - self.left

    @property
    def goes_on(self) -> bool:
        """Whether the same file can be run again for what is left."""
        return self.now is not None and not self.running and self.left > 0

    @property
    def status(self) -> tuple[Tone, str]:
        """What the fleet does, in a word."""
        if self.running:
            return ("paused", "Stopping …") if self.stopping else ("busy", "Running")
        return ("stopped", "Interrupted") if self.left else ("done", "Ended")

    @property
    def counts(self) -> str:
        """How far it is: ended, solved, not, left, and how fast."""
        solved = self.shares["solved"]
        told = f"{self.ended} of {self.shares.total()} ended: {solved} solved, {self.ended - solved} not"
        return " · ".join([told, *([f"{self.left} left"] if self.left else []), *self._rate()])

    def _rate(self) -> list[str]:
        here, seconds = self.ended - self.ended_before, self.at_s - self.began_s
        if not (self.running and here > 0 and seconds > 0):
            return []
        return [f"{S_PER_MINUTE * here / seconds:.1f} a minute", f"about {clock(seconds / here * self.left)} to go"]


def reduce_fleet(fleet: FleetState, message: FleetMessage) -> FleetState:
    """Return the state after a message."""
    match message:
        case FleetStarted():
            return replace(fleet, starting=message.file, message="", is_error=False)
        case FleetSeen():
            return _seen(fleet, message)
        case FleetEnded():
            told = message.told if message.folder == fleet.folder else fleet.message
            return replace(fleet, starting=None, message=told, is_error=False)
        case FleetFailed():
            failed = replace(fleet, starting=None, stopping=False, reporting=False)
            return replace(failed, message=shorten(message.message), is_error=True)
        case StopRequested() | FleetReportRequested() | FleetReportWritten():
            return _used(fleet, message)


def _used(fleet: FleetState, message: StopRequested | FleetReportRequested | FleetReportWritten) -> FleetState:
    match message:
        case StopRequested():
            return replace(fleet, stopping=True, message="")
        case FleetReportRequested():
            return replace(fleet, reporting=True, message="")
        case FleetReportWritten():
            return replace(fleet, reporting=False, message=f"Report: {message.file}", is_error=False)


def _seen(fleet: FleetState, message: FleetSeen) -> FleetState:
    """Take over what a fleet does; its rate is that since it was first seen to run."""
    again = message.folder != fleet.folder or (message.now.running and not fleet.running)
    after = replace(fleet, folder=message.folder, now=message.now, at_s=message.at_s)
    if message.folder != fleet.folder:
        after = replace(after, reporting=False, message="", is_error=False)
    if again:
        after = replace(after, began_s=message.at_s, ended_before=after.ended)
    return replace(
        after,
        starting=None if message.now.running else fleet.starting,
        stopping=fleet.stopping and message.now.running and not again,
    )
