"""The page of the tools, as values: messages go in, what to show comes out. Pure, as `state`."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from gui.kit.texts import shorten, tk_safe
from gui.tools_page.catalog import ASKED, Catalog, ToolEntry
from world_model import Action, Observation, structured

LONGEST: Final = 4000  # characters of a result; who wants more has `mark-i tools call`
PATIENCE: Final = 0.5  # seconds after which it is told how long something takes
NOTHING: Final = "It returned nothing."
Phase = Literal["asked", "goes on", "over"]


@dataclass(frozen=True, slots=True)
class ToolsRead:
    """The tools were read."""

    catalog: Catalog


@dataclass(frozen=True, slots=True)
class ToolsSearched:
    """Something was written into the search field."""

    words: str


@dataclass(frozen=True, slots=True)
class ToolOpened:
    """A tool is to be seen; None for the list."""

    name: str | None


@dataclass(frozen=True, slots=True)
class ToolsFailed:
    """Something could not be done, and the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class SampleWritten:
    """A tool to start from was written, into a file."""

    name: str
    file: str


@dataclass(frozen=True, slots=True)
class TrialRequested:
    """Try it was pressed."""

    action: Action
    virtual: bool


@dataclass(frozen=True, slots=True)
class TrialCancelled:
    """The person does not agree after all."""


@dataclass(frozen=True, slots=True)
class TrialConfirmed:
    """The person agrees."""


@dataclass(frozen=True, slots=True)
class TrialNoted:
    """It is done in another way than was asked for."""

    note: str


@dataclass(frozen=True, slots=True)
class TrialTicked:
    """So many seconds have gone by since it began."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TrialEnded:
    """What came of it; an observation, or why there is none."""

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
    """What came of trying a tool; `title` says whether it worked."""

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
        """How long it takes, as soon as that is worth a word."""
        return f"{self.seconds:.1f} s" if self.seconds >= PATIENCE else ""


@dataclass(frozen=True, slots=True)
class ToolsState:
    """All that the page shows.

    Attributes:
        catalog: None as long as it was not read.
        search: the words that are searched for.
        opened: the tool that is seen.
        told: what went wrong last, or what was done.
        wrong: whether it went wrong.
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
        """The tools that have the words that are searched for."""
        return tuple(one for one in self.catalog.entries if one.has(self.search)) if self.catalog else ()

    @property
    def entry(self) -> ToolEntry | None:
        """The tool that is seen."""
        return self.catalog.entry(self.opened) if self.catalog else None

    @property
    def trying(self) -> bool:
        """Whether a tool is being tried."""
        return self.trial is not None and self.trial.phase == "goes on"


def reduce_tools(tools: ToolsState, message: ToolsMessage) -> ToolsState:
    """The page after a message."""
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
    """A tool that is seen may be gone."""
    after = replace(tools, catalog=catalog)
    if tools.opened is None or after.entry:
        return after
    message = f"{tools.opened} is gone: its file or package was removed."
    return replace(_dropped(after), opened=None, message=message, is_error=True)


def _dropped(tools: ToolsState) -> ToolsState:
    """What was not agreed to, or is over, is forgotten; what goes on is not."""
    return tools if tools.trying else replace(tools, trial=None)


def _tried(  # noqa: PLR0911 - a line for each message
    tools: ToolsState, message: TrialRequested | TrialCancelled | TrialConfirmed | TrialNoted | TrialTicked | TrialEnded
) -> Trial | None:
    """What becomes of the newest use of a tool; what may harm is first asked about."""
    trial = tools.trial
    match message:
        case TrialRequested() if not tools.trying:
            entry = tools.entry
            asked = entry is not None and entry.risk in ASKED
            return Trial(message.action, message.virtual, "asked" if asked else "goes on")
        case TrialConfirmed() if trial and trial.phase == "asked":
            return replace(trial, phase="goes on")
        case TrialCancelled() if trial and trial.phase == "asked":
            return None
        case TrialNoted() if trial:
            return replace(trial, note=message.note)
        case TrialTicked() if trial and trial.phase == "goes on":
            return replace(trial, seconds=message.seconds)
        case TrialEnded() if trial:
            return replace(trial, phase="over", result=_result(message.result))
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
    return shorten(text, LONGEST)
