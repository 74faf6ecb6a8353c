"""The texts of an action with their roles, and the reasons to ask about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mark_i.guard.provenance import FieldKind, RequiredPart, pieces_of
from mark_i.guard.secrets import texts_in
from toolbelt.parameters import (
    Address,
    Aimed,
    AppName,
    Chosen,
    Command,
    Enters,
    FileContent,
    Fixed,
    Held,
    KeyNames,
    ParameterRole,
    Pastes,
    Replaces,
    Runs,
    Times,
    Typed,
    Unmarked,
    WindowTitle,
)
from toolbelt.tool import Tool
from toolbelt.tools import is_private, private_paths, site_of
from world_model import cut

USED: Final = frozenset({Unmarked, Typed, Runs, Command, Chosen})  # typed, run or chosen
RUN: Final = USED - {Typed}  # a risky word anywhere in these may do harm
TYPED: Final = frozenset({Unmarked, Typed})  # a command if the focus is in a shell
WRITING: Final = TYPED | {KeyNames, Enters}  # what uses the keyboard
NAMING: Final = frozenset({WindowTitle, AppName})
# No free text, or text that is sent nowhere
SILENT: Final = frozenset({Aimed, KeyNames, Held, Times, Pastes, Replaces, Enters, FileContent, Fixed})
QUOTE_MAX_CHARS: Final = 120  # of what is quoted in a reason
NAME_MAX_WORDS: Final = 4  # of a line that names a file; a longer one is prose


@dataclass(frozen=True, slots=True)
class RoleText:
    """A text in an action with its role.

    Attributes:
        is_read: False if the text could not be read.
        begun: whether more of it may follow before it has an effect.
        line: where it stands, if it is typed; an approval is for this place only.
        stood: whether it stood there before, so that an approval to type it covers it.
        kind: what it is typed into.
    """

    role: type[ParameterRole]
    text: str
    is_read: bool = True
    begun: bool = field(default=False, compare=False)
    line: object = None
    stood: bool = field(default=False, compare=False)
    kind: FieldKind = field(default="field", compare=False)


COPIED: Final = RoleText(Typed, "(what was copied)", is_read=False)
CHOSEN: Final = RoleText(Chosen, "(what the arrow keys chose)", is_read=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person is asked; `key` identifies what they allow for the rest of the run."""

    key: str
    words: str


def texts_of(tool: Tool, args: Mapping[str, Any]) -> list[RoleText]:
    """Return the texts in the arguments, including those within lists, mappings and models."""
    return [RoleText(role, text) for role, value in tool.parts(args) if role not in SILENT for text in texts_in(value)]


def contacted(said: Sequence[RoleText]) -> list[RequiredPart]:
    """Return what a tool that only looks may contact: its addresses, and those in a text without a role."""
    pieces = [piece for one in said if one.role is Address for piece in _addresses(one.text)]
    hidden = [piece for one in said if one.role is Unmarked for piece in pieces_of(one.text)]
    return [*pieces, *(piece for piece in hidden if piece.kind == "address")]


def _addresses(text: str) -> Iterator[RequiredPart]:
    """Yield the addresses in a text, and the one that would be fetched for it, whatever it looks like."""
    yield from pieces_of(text)
    if site := site_of(text):
        yield RequiredPart("address", text, host=site)


def private(said: Sequence[RoleText], labels: Sequence[str], names: Sequence[str] = ()) -> list[Reason]:
    """Return a reason for each private file that an action names or points at; `names` are nothing but names."""
    lines = [line for label in labels for line in label.splitlines() if len(line.split()) <= NAME_MAX_WORDS]
    for one in said:
        lines += [line for line in one.text.splitlines() if one.role in RUN or len(line.split()) <= NAME_MAX_WORDS]
    found = dict.fromkeys([*(path for line in lines for path in private_paths(line)), *filter(is_private, names)])
    return [Reason(f"private file {path}", f'"{path}" may hold keys, passwords or sessions.') for path in found]


def by_word(word: str) -> Reason:
    """Return the reason for a risky word."""
    return Reason(f"word {word}", f'"{word}" may be impossible to undo.')


def by_origin(piece: RequiredPart) -> Reason:
    """Return the reason for a piece that the person never gave."""
    quoted = cut(piece.text, QUOTE_MAX_CHARS)
    return Reason(
        f"{piece.kind} {piece.text}", f'The {piece.kind} "{quoted}" appears in neither the goal nor an answer.'
    )
