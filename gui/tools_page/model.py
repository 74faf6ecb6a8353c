"""The state of the Tools page as values. Pure, as `gui.run`."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from gui.kit.texts import shorten, tk_safe
from gui.tools_page.catalog import ASKED, Catalog, ToolEntry
from world_model import Action, Observation, structured

RESULT_CHARS: Final = 4000  # of a result; `mark-i tools call` prints all of it
SHOW_TIME_S: Final = 0.5  # after which the duration is shown
NOTHING: Final = "It returned nothing."
Phase = Literal["confirming", "running", "finished"]


@dataclass(frozen=True, slots=True)
class ToolsRead:
    """The tools were read."""

    catalog: Catalog


@dataclass(frozen=True, slots=True)
class ToolsSearched:
    """The text of the search field changed."""

    words: str


@dataclass(frozen=True, slots=True)
class ToolOpened:
    """A tool was opened; None for the list."""

    name: str | None


@dataclass(frozen=True, slots=True)
class ToolsFailed:
    """Something could not be done; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class SampleWritten:
    """A tool to start from was written into a file."""

    name: str
    file: str


@dataclass(frozen=True, slots=True)
class TrialRequested:
    """Try it was pressed."""

    action: Action
    virtual: bool


@dataclass(frozen=True, slots=True)
class TrialCancelled:
    """The person does not confirm."""


@dataclass(frozen=True, slots=True)
class TrialConfirmed:
    """The person confirms."""


@dataclass(frozen=True, slots=True)
class TrialNoted:
    """The trial differs from what was requested."""

    note: str


@dataclass(frozen=True, slots=True)
class TrialTicked:
    """Seconds since the trial began."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TrialEnded:
    """The result: an observation, or why there is none."""

    result: Observation | str


ToolsMessage: TypeAlias = (
    ToolsRead
    | ToolsSearched
    | ToolOpened
    | ToolsFailed
    | SampleWritten
    | TrialRequested
    | TrialCancelled
    | TrialConfirmed
    | TrialNoted
    | TrialTicked
    | TrialEnded
)


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of a trial; `title` says whether it succeeded."""

    title: str
    ok: bool
    text: str
    hints: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """One use of a tool by hand."""

    action: Action
    virtual: bool
    phase: Phase
    note: str = ""
    seconds: float = 0.0
    result: TrialResult | None = None

    @property
    def waited(self) -> str:
        """How long it has taken, once that is worth showing."""
        return f"{self.seconds:.1f} s" if self.seconds >= SHOW_TIME_S else ""


@dataclass(frozen=True, slots=True)
class ToolsState:
    """What the page shows.

    Attributes:
        catalog: None until it is read.
        search: the words that are searched for.
        opened: the tool that is open.
        message: what failed last, or was done.
        is_error: whether it failed.
        trial: the newest use of a tool.
    """

    catalog: Catalog | None = None
    search: str = ""
    opened: str | None = None
    message: str = ""
    is_error: bool = False
    trial: Trial | None = None

    @property
    def found(self) -> tuple[ToolEntry, ...]:
        """The tools that match the search."""
        return tuple(one for one in self.catalog.entries if one.has(self.search)) if self.catalog else ()

    @property
    def entry(self) -> ToolEntry | None:
        """The open tool."""
        return self.catalog.entry(self.opened) if self.catalog else None

    @property
    def trying(self) -> bool:
        """Whether a tool is being tried."""
        return self.trial is not None and self.trial.phase == "running"


def reduce_tools(tools: ToolsState, message: ToolsMessage) -> ToolsState:
    """Return the state after a message."""
    match message:
        case ToolsRead():
            return _found(tools, message.catalog)
        case ToolsSearched():
            return replace(tools, search=message.words, message="")
        case ToolOpened():
            return replace(_dropped(tools), opened=message.name, message="")
        case ToolsFailed():
            return replace(tools, message=shorten(message.message), is_error=True)
        case SampleWritten():
            text = f"{message.file} is a small working tool. Edit it: runs use the saved file."
            return replace(_dropped(tools), opened=message.name, message=text, is_error=False)
        case _:
            return replace(tools, trial=_tried(tools, message), message="")


def _found(tools: ToolsState, catalog: Catalog) -> ToolsState:
    """Take over a new catalog, in which the open tool may be missing."""
    after = replace(tools, catalog=catalog)
    if tools.opened is None or after.entry:
        return after
    message = f"{tools.opened} is gone: its file or package was removed."
    return replace(_dropped(after), opened=None, message=message, is_error=True)


def _dropped(tools: ToolsState) -> ToolsState:
    """Forget a trial that is not running."""
    return tools if tools.trying else replace(tools, trial=None)


def _tried(  # noqa: PLR0911 - a line for each message
    tools: ToolsState, message: TrialRequested | TrialCancelled | TrialConfirmed | TrialNoted | TrialTicked | TrialEnded
) -> Trial | None:
    """Return the trial after a message; a tool that can do harm is confirmed first."""
    trial = tools.trial
    match message:
        case TrialRequested() if not tools.trying:
            entry = tools.entry
            confirming = entry is not None and entry.risk in ASKED
            return Trial(message.action, message.virtual, "confirming" if confirming else "running")
        case TrialConfirmed() if trial and trial.phase == "confirming":
            return replace(trial, phase="running")
        case TrialCancelled() if trial and trial.phase == "confirming":
            return None
        case TrialNoted() if trial:
            return replace(trial, note=message.note)
        case TrialTicked() if trial and trial.phase == "running":
            return replace(trial, seconds=message.seconds)
        case TrialEnded() if trial:
            return replace(trial, phase="finished", result=_result(message.result))
    return trial


def _result(seen: Observation | str) -> TrialResult:
    if isinstance(seen, str):
        return TrialResult("Not run", ok=False, text=tk_safe(seen))
    if seen.error:
        hints = "\n".join(seen.error.hints)
        return TrialResult(f"Error: {seen.error.code}", ok=False, text=_cut(seen.error.message), hints=_cut(hints))
    data = structured(seen.data) if seen.data not in (None, [], {}) else ""
    return TrialResult(
        "Succeeded", ok=True, text=_cut(seen.text) or NOTHING, data="" if data == seen.text else _cut(data)
    )


def _cut(text: str) -> str:
    return shorten(text, RESULT_CHARS)
