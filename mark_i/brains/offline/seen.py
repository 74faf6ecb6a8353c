"""What is known when the next step of a longer instruction is chosen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mark_i.brains.offline.instructions import Thing
from toolbelt.elements import Element
from toolbelt.ocr import Line, plain
from world_model import Point, Region, Step

ON_THE_WAY: Final = "on the way"  # the note of a step that does not yet carry out its instruction
ANSWERED: Final = "answered"  # the note of a step that answers a dialog which was there before the run
CLOSING: Final = "closing"  # the note of a step that asks what to answer to a window that is to be closed
ASKED_ANEW: Final = "asked anew"  # the note of a step that asks for a goal in other words
NAMING: Final = "naming"  # the note of a step that asks for the name of a file
LOOKED: Final = "looked"  # the note of a step that looks what came of an action in which a run was stopped
CAME: Final = "came"  # that of a step that asks what came of it
REPLACING: Final = "replacing"  # that of a step that asks whether a file is to be replaced
TALL_RATIO: Final = 1.15  # to the lowest field; a higher one has several lines
DOCUMENT_MIN_PX: Final = 60  # the height of a field of several lines
NUMBER: Final = re.compile(r"\s*[-+]?\d{1,9}\s*")


class SeekError(Exception):
    """What is sought is not there; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Move:
    """The next call, and whether it carries out the instruction.

    Attributes:
        why: is told in the thought.
    """

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    last: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known when the next step is chosen.

    Attributes:
        lines: the lines on the screen, without those that repeat the goal.
        elements: what can be pointed at, with the same exception.
        since: the steps that worked since the instruction before was carried out.
    """

    lines: tuple[Line, ...]
    elements: tuple[Element, ...]
    since: tuple[Step, ...]

    @property
    def deeds(self) -> int:
        """How many steps did something for the instruction so far."""
        return sum(bool(step.observation.places) for step in self.since)

    @property
    def lookups(self) -> int:
        """How many steps only waited or looked."""
        return len(self.since) - self.deeds

    @property
    def texts(self) -> list[tuple[str, Region]]:
        """What is there, as programs say and as it is read, with its places."""
        said = [(one.text, one.region) for one in self.elements]
        return said + [(line.text, line.region) for line in self.lines]

    def visited(self, region: Region) -> bool:
        """Whether a step pointed at a region before."""
        return any(place.point in region for step in self.since for place in step.observation.places)

    def of_role(self, *roles: str) -> list[Element]:
        """Return the elements of some roles, top to bottom."""
        return sorted((one for one in self.elements if one.role in roles), key=lambda one: one.region.y)

    def fields(self, *, tall: bool = False) -> list[Element]:
        """Return the textboxes of one line, or the `tall` ones, top to bottom; all where they are alike."""
        found = self.of_role("textbox")
        lowest = min((one.region.height for one in found), default=0)
        return [one for one in found if (one.region.height > TALL_RATIO * lowest) == tall] or found

    def only_field(self, *, tall: bool = False) -> Element:
        """Return the only field of one line, or the only `tall` one.

        Raises:
            SeekError: there is none, or more than one.
        """
        found = self.fields(tall=tall)
        if len(found) != 1:
            raise SeekError(f"There are {len(found)} such fields on the screen, and I need one.")
        return found[0]

    def field_of(self, thing: Thing) -> Element:
        """Return the field that is meant by its number, or the only one.

        Raises:
            SeekError: there is no such field, or more than one.
        """
        if thing.nth is None:
            return self.only_field(tall=thing.tall)
        found = self.fields(tall=thing.tall)
        if not 1 <= abs(thing.nth) <= len(found):
            raise SeekError(f"There are {len(found)} such fields on the screen.")
        return found[thing.nth if thing.nth < 0 else thing.nth - 1]

    def named(self, name: str, *roles: str) -> list[Element]:
        """Return the elements with a name, those of the roles first."""
        found = [one for one in self.elements if plain(one.text) == plain(name)]
        return sorted(found, key=lambda one: one.role not in roles)

    def numbers(self) -> list[Element]:
        """Return the texts that are a number."""
        return [one for one in self.of_role("text") if NUMBER.fullmatch(one.text)]


def focused_value(data: object) -> str | None:
    """Return what the focused field holds, to the letter, in the result of a look at all elements; None if unknown."""
    rows = data if isinstance(data, list) else []
    held = [row["value"] for row in rows if "value" in row and "focused" in row.get("states", ())]
    return str(held[0]) if len(held) == 1 else None


def document_in(data: object) -> str | None:
    """Return the text in the largest field of several lines, as a look at all elements shows it; None without one.

    It is what the program says that the field holds, else what is read inside it.
    """
    rows = data if isinstance(data, list) else []
    tall = [row for row in rows if row.get("role") == "textbox" and row["place"][3] >= DOCUMENT_MIN_PX]
    if not tall:
        return None
    focused = [row for row in tall if "focused" in row.get("states", ())]
    field = max(focused or tall, key=lambda row: row["place"][2] * row["place"][3])
    if "value" in field:
        return str(field["value"])
    region = Region(*field["place"])
    inside = [row for row in rows if row["text"] and row["role"] == "text" and Region(*row["place"]).center in region]
    return "\n".join(row["text"] for row in sorted(inside, key=lambda row: (row["place"][1], row["place"][0])))


def at(place: Region | Point) -> dict[str, int]:
    """Return a target: a point, or the middle of a region."""
    point = place.center if isinstance(place, Region) else place
    return {"x": point.x, "y": point.y}


def nearest_to(region: Region, found: Sequence[Element]) -> Element | None:
    """Return what is nearest to a region, from edge to edge."""
    return min(found, key=lambda one: _apart(one.region, region), default=None)


def _apart(one: Region, other: Region) -> int:
    across = max(one.x - other.right, other.x - one.right, 0)
    down = max(one.y - other.bottom, other.y - one.bottom, 0)
    return across + down


def is_dismissed(step: Step) -> bool:
    """Return whether the person gave no answer to a question, and pointed at nothing either."""
    data = step.observation.data
    if step.action.tool != "ask_user" or not step.observation.ok or not isinstance(data, Mapping):
        return False
    return "x" not in data and not str(data.get("answer", "")).strip()
