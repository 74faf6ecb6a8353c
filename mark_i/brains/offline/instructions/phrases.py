"""Read what is said in set phrases: shortcuts that every program has, questions, and talk with the program itself."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Count,
    DialogClosed,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Read,
    Scroll,
    Settle,
    Talk,
    Thing,
    Tick,
    Topic,
    Type,
    UnclearError,
)
from mark_i.brains.offline.instructions.nouns import role_of

Known: TypeAlias = Sequence[Instruction | NotUnderstood]


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase that was recognised.

    Attributes:
        text: the user's own words.
        parts: what the named groups of its pattern hold, without quotes.
        before: the instructions before it.
    """

    text: str
    parts: dict[str, str]
    before: Known


Meant: TypeAlias = Callable[[Said], list[Instruction]]


def read_phrase(goal: str, masked: str, start: int, end: int, before: Known) -> list[Instruction] | None:
    """Return what a piece of the goal means as a set phrase; None if it is none.

    Raises:
        UnclearError: it is one, and does not say enough.
    """
    for pattern, meaning in _phrases():
        found = pattern.fullmatch(masked, start, end)
        if not found:
            continue
        spans = {name: found.span(name) for name in found.groupdict() if found[name] is not None}
        parts = {name: _unquoted(goal[slice(*span)], masked[slice(*span)]) for name, span in spans.items()}
        if instructions := meaning(Said(goal[start:end], parts, before)):
            return instructions
    return None


def is_terminal(name: str) -> bool:
    """Whether the name of an application says that it is a terminal, where commands are typed."""
    return bool(_TERMINAL.fullmatch(name.lower()))


def _unquoted(said: str, masked: str) -> str:
    return said[1:-1] if re.fullmatch(r"\x02\x03*", masked) else " ".join(said.split())


def _keys(chords: str) -> Meant:
    return lambda said: [Press(said.text, one) for one in chords.split()]


def _talk(topic: Topic) -> Meant:
    return lambda said: [Talk(said.text, topic)]


def _paste(said: Said) -> list[Instruction]:
    return [Click(said.text, _field(said.parts["name"])), Press(said.text, "ctrl+v")]


def _copy(said: Said) -> list[Instruction]:
    return [Click(said.text, _field(said.parts["name"])), Press(said.text, "ctrl+a"), Press(said.text, "ctrl+c")]


def _field(said: str) -> Thing:
    """Return the field that is meant: the only one, if nothing but its role is said."""
    name = re.sub(r"(?:\A|\s)(?:text|input)?\s?(?:field|box|area|input)\Z", "", said)
    if re.fullmatch(r"\d*(?:st|nd|rd|th)|first|second|third|last|text\s?area", name or said):
        raise UnclearError("it does not name the field by its label")
    return Thing(name or None, "textbox")


def _save_as(said: Said) -> list[Instruction]:
    """Save under a name: the shortcut must open a dialog, whose field for the name has the focus."""
    dialog = Press(said.text, "ctrl+shift+s", opens=True), Press(said.text, "ctrl+a")
    return [*dialog, Type(said.text, said.parts["name"], enter=True), DialogClosed(said.text)]


def _folder(said: Said) -> list[Instruction]:
    return [] if re.search(r"[/\\]", said.parts["name"]) else [Click(said.text, said.parts["name"], double=True)]


def _address(said: Said) -> list[Instruction]:
    """Go to an address in what was opened; without that, open it in a browser."""
    if any(isinstance(one, Open) for one in said.before):
        return [Press(said.text, "ctrl+l"), Type(said.text, said.parts["name"], enter=True)]
    return [Open(said.text, "browser", (said.parts["name"],))]


def _compute(said: Said) -> list[Instruction]:
    if not any(isinstance(one, Open) for one in said.before):
        raise UnclearError("it does not say with which application")
    return [Type(said.text, said.parts["name"], enter=True)]


def _command(said: Said) -> list[Instruction]:
    return [Type(said.text, said.parts["name"], enter=True)]


def _run(said: Said) -> list[Instruction]:
    """Run something: a command, if a terminal was opened before."""
    opened = [one.name for one in said.before if isinstance(one, Open)]
    return _command(said) if opened and is_terminal(opened[-1]) else []


def _compute_in(said: Said) -> list[Instruction]:
    return [*_open(said), Type(said.text, said.parts["name"], enter=True)]


def _run_in(said: Said) -> list[Instruction]:
    return _compute_in(said) if is_terminal(said.parts["app"]) else []


def _open(said: Said) -> list[Instruction]:
    """Open the application that a phrase names, unless it was opened before."""
    name = said.parts["app"]
    opened = [one.name for one in said.before if isinstance(one, Open)]
    return [] if opened[-1:] == [name] else [Open(said.text, name)]


def _settle(said: Said) -> list[Instruction]:
    return [Settle(said.text)]


def _switch(said: Said) -> list[Instruction]:
    return [Tick(said.text, Thing(said.parts["name"], "checkbox"), off="off" in said.parts)]


def _find(said: Said) -> list[Instruction]:
    return [Scroll(said.text, "down", until=said.parts["name"])]


def _check(said: Said) -> list[Instruction]:
    return [Check(said.text, said.parts["name"], asked=True)]


def _read(said: Said) -> list[Instruction]:
    return [Read(said.text)]


def _count(said: Said) -> list[Instruction]:
    name, kind = said.parts.get("name"), said.parts.get("kind")
    if kind == "windows":
        return [Count(said.text)]
    role = role_of(kind[:-2] if kind.endswith(("xes", "ches")) else kind[:-1]) if kind else None
    if not name and not role:
        raise UnclearError(
            "it does not say how to tell them; I count a text in quotes, buttons, links, boxes and windows"
        )
    return [Count(said.text, Thing(name or None, role))]


_TERMINAL: Final = re.compile(
    r"(?:.*\s)?(?:\w*term|\w*terminal|console|shell|command (?:line|prompt))(?: (?:emulator|window|app))?"
)
_MEANINGS: Final[Mapping[str, Meant]] = {
    "paste_into": _paste,
    "copy_from": _copy,
    "save_as": _save_as,
    "folder": _folder,
    "address": _address,
    "compute_in": _compute_in,
    "compute": _compute,
    "run_in": _run_in,
    "switch": _switch,
    "settle": _settle,
    "command": _command,
    "run": _run,
    "find": _find,
    "check": _check,
    "count": _count,
    "read": _read,
}


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], Meant], ...]:
    """Return the patterns of all phrases, in their order, each with what it means."""
    source = files("mark_i.brains.offline.instructions").joinpath("phrases.toml").read_text(encoding="utf-8")
    table = tomllib.loads(source)
    meant: list[tuple[str, Meant]] = []
    for topic, phrases in table["talk"].items():
        meant += [(phrase, _talk(topic)) for phrase in phrases]
    for keys, phrases in table["keys"].items():
        meant += [(phrase, _keys(keys)) for phrase in phrases]
    for name, phrases in table["meanings"].items():
        meant += [(phrase, _MEANINGS[name]) for phrase in phrases]
    return tuple((compiled(phrase, table["parts"], r"[\s?!.]*"), meaning) for phrase, meaning in meant)


def compiled(phrase: str, parts: Mapping[str, str], end: str = "") -> re.Pattern[str]:
    """Compile a phrase, in which a blank is any white space, and a name in braces is that part."""
    whole = re.sub(r"\{([a-z]\w*)\}", lambda name: parts[name[1]], phrase)
    spaced = whole.replace(" ?", r"\s*").replace(" ", r"\s+")
    return re.compile(f"(?:{spaced}){end}", re.IGNORECASE | re.DOTALL)
