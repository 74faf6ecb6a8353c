"""The state of the Skills page as values. Pure, as `gui.run`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image

from gui.kit.texts import shorten
from gui.run.skill_goal import SkillGoal
from gui.skills_page.catalog import SkillEntry

if TYPE_CHECKING:
    from mark_i.skills import Compiled

Pictures: TypeAlias = Mapping[str, Image.Image]


@dataclass(frozen=True, slots=True)
class SkillsRead:
    """The skills were read."""

    entries: tuple[SkillEntry, ...]


@dataclass(frozen=True, slots=True)
class SkillsSearched:
    """The text of the search field changed."""

    words: str


@dataclass(frozen=True, slots=True)
class SkillOpened:
    """A skill was opened; None for the list."""

    name: str | None


@dataclass(frozen=True, slots=True)
class PicturesRead:
    """The pictures of the steps of a skill, by their files."""

    name: str
    pictures: Pictures


@dataclass(frozen=True, slots=True)
class SkillsFailed:
    """Something could not be done; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class SkillExported:
    """A skill was written into a folder."""

    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class DeletionRequested:
    """A skill is to be deleted if the person confirms; None where they do not."""

    name: str | None


@dataclass(frozen=True, slots=True)
class SkillDeleted:
    """A skill was deleted."""

    name: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a run makes, and the name that is suggested for it."""

    run: str
    name: str
    compiled: "Compiled"
    pictures: Pictures


@dataclass(frozen=True, slots=True)
class ProposalRequested:
    """A skill is to be made of a run."""

    run: str


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A run was compiled."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalFailed:
    """A run makes no skill; the message says why."""

    run: str
    message: str


@dataclass(frozen=True, slots=True)
class ProposalLeft:
    """The person wants no skill of it."""


@dataclass(frozen=True, slots=True)
class SkillSaved:
    """The proposal was saved under that name."""

    name: str


@dataclass(frozen=True, slots=True)
class TextRead:
    """The text of a skill's file, to edit, and its fault, if it has one, with its line (counted from 1)."""

    name: str
    text: str
    fault: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TextRefused:
    """The edited text has a fault; the message says which, and in which line, if that is known."""

    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class EditingLeft:
    """The text is no longer edited: it was saved, or is to stay as it was."""


@dataclass(frozen=True, slots=True)
class CheckStarted:
    """A skill is checked."""

    name: str


@dataclass(frozen=True, slots=True)
class ReplayEnded:
    """A replay of the check has ended: with which values, whether it came true, and what it said."""

    values: Mapping[str, str]
    true: bool
    told: str


@dataclass(frozen=True, slots=True)
class CheckTicked:
    """Seconds since the check began."""

    seconds: float


@dataclass(frozen=True, slots=True)
class CheckEnded:
    """The check is over; `failure` says why it told nothing."""

    failure: str = ""


@dataclass(frozen=True, slots=True)
class RowsRead:
    """The rows of a table that a skill is to be done for."""

    goals: tuple[SkillGoal, ...]
    virtual: bool


Listed: TypeAlias = SkillsRead | SkillsSearched | SkillOpened | PicturesRead | SkillDeleted | DeletionRequested
Told: TypeAlias = SkillsFailed | SkillExported | RowsRead
Made: TypeAlias = ProposalRequested | ProposalMade | ProposalFailed | ProposalLeft | SkillSaved
Edited: TypeAlias = TextRead | TextRefused | EditingLeft
Checked: TypeAlias = CheckStarted | ReplayEnded | CheckTicked | CheckEnded
SkillsMessage: TypeAlias = Listed | Told | Made | Edited | Checked


@dataclass(frozen=True, slots=True)
class Check:
    """The newest check of a skill."""

    name: str
    running: bool = True
    seconds: float = 0.0
    replays: tuple[ReplayEnded, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Editing:
    """The file of a skill that is edited, and what is wrong with it."""

    name: str
    text: str
    message: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class SkillsState:
    """What the page shows.

    Attributes:
        entries: None until they are read.
        search: the words that are searched for.
        opened: the skill that is open.
        pictures: of its steps, by their files.
        confirming: the skill to delete if the person confirms.
        message: what failed last, or was done.
        is_error: whether it failed.
        proposing: the run that is being compiled.
        proposal: the skill that is being made.
        editing: the file that is being edited.
        check: the newest check.
    """

    entries: tuple[SkillEntry, ...] | None = None
    search: str = ""
    opened: str | None = None
    pictures: Pictures = field(default_factory=dict)
    confirming: str | None = None
    message: str = ""
    is_error: bool = False
    proposing: str | None = None
    proposal: Proposal | None = None
    editing: Editing | None = None
    check: Check | None = None

    @property
    def found(self) -> tuple[SkillEntry, ...]:
        """The skills that match the search."""
        return tuple(one for one in self.entries or () if one.has(self.search))

    @property
    def entry(self) -> SkillEntry | None:
        """The open skill."""
        return next((one for one in self.entries or () if one.name == self.opened), None)

    @property
    def checking(self) -> str | None:
        """The skill that is being checked."""
        return self.check.name if self.check and self.check.running else None


def reduce_skills(skills: SkillsState, message: SkillsMessage) -> SkillsState:
    """Return the state after a message."""
    match message:
        case CheckStarted() | ReplayEnded() | CheckTicked() | CheckEnded():
            return replace(skills, check=_checked(skills.check, message))
        case TextRead() | TextRefused() | EditingLeft():
            return _edited(skills, message)
        case ProposalRequested() | ProposalMade() | ProposalFailed() | ProposalLeft() | SkillSaved():
            return _proposed(skills, message)
        case SkillsFailed() | SkillExported() | RowsRead():
            return _told(skills, message)
        case _:
            return _listed(skills, message)


def _listed(skills: SkillsState, message: Listed) -> SkillsState:
    match message:
        case SkillsRead():
            return _found(skills, message.entries)
        case SkillsSearched():
            return replace(skills, search=message.words, confirming=None, message="")
        case SkillOpened():
            return replace(skills, opened=message.name, pictures={}, confirming=None, editing=None, message="")
        case PicturesRead():
            return replace(skills, pictures=message.pictures) if message.name == skills.opened else skills
        case DeletionRequested():
            return replace(skills, confirming=message.name, message="")
        case SkillDeleted():
            entries = tuple(one for one in skills.entries or () if one.name != message.name)
            return replace(_found(skills, entries), confirming=None, message="")


def _found(skills: SkillsState, entries: tuple[SkillEntry, ...]) -> SkillsState:
    """Take over new entries, among which the open skill may be missing."""
    after = replace(skills, entries=entries)
    if skills.opened is None or after.entry:
        return after
    message = f"{skills.opened} is gone: it was deleted."
    return replace(after, opened=None, editing=None, message=message, is_error=True)


def _told(skills: SkillsState, message: Told) -> SkillsState:
    match message:
        case SkillsFailed():
            return replace(skills, message=shorten(message.message), is_error=True, confirming=None)
        case SkillExported():
            return replace(skills, message=f"{message.name} is in {message.folder}", is_error=False)
        case RowsRead():  # they are run on another page
            return replace(skills, message="")


def _proposed(skills: SkillsState, message: Made) -> SkillsState:
    match message:
        case ProposalRequested():
            return replace(skills, proposing=message.run, proposal=None, opened=None, editing=None, message="")
        case ProposalMade() if message.proposal.run == skills.proposing:
            return replace(skills, proposing=None, proposal=message.proposal)
        case ProposalFailed() if message.run == skills.proposing:
            return replace(skills, proposing=None, message=shorten(message.message), is_error=True)
        case ProposalLeft():
            return replace(skills, proposing=None, proposal=None, message="")
        case SkillSaved():
            told = f"Saved as {message.name}. Check it, and it is kept if it replays true twice."
            return replace(skills, proposal=None, opened=message.name, pictures={}, message=told, is_error=False)
    return skills


def _edited(skills: SkillsState, message: Edited) -> SkillsState:
    match message:
        case TextRead() if message.name == skills.opened:
            editing = Editing(message.name, message.text, shorten(message.fault), message.line)
            return replace(skills, editing=editing, message="")
        case TextRefused() if skills.editing:
            editing = replace(skills.editing, message=shorten(message.message), line=message.line)
            return replace(skills, editing=editing)
        case EditingLeft():
            return replace(skills, editing=None, message="")
    return skills


def _checked(check: Check | None, message: Checked) -> Check | None:
    match message:
        case CheckStarted() if not (check and check.running):
            return Check(message.name)
        case ReplayEnded() if check:
            return replace(check, replays=(*check.replays, message))
        case CheckTicked() if check and check.running:
            return replace(check, seconds=message.seconds)
        case CheckEnded() if check:
            return replace(check, running=False, failure=shorten(message.failure))
    return check
