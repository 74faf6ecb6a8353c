"""Find things, values and echoes of the goal in the lines on the screen."""

import difflib
import re
from collections.abc import Mapping
from typing import Any, Final

from mark_i.brains.offline.instructions import Thing
from toolbelt.ocr import Line, Match, find, plain
from toolbelt.targeting import in_reading_order, nearest, on_side
from world_model import CHECKABLE, ROLE_OF_KIND, Region, Role

MIN_ECHO_LIKENESS: Final = 0.85  # of 1.0; lines so similar to the goal are the goal, read a little wrong
MIN_FIRST_LINE_LIKENESS: Final = 0.6  # of 1.0; between the first line and the beginning of the goal


def places_of(thing: Thing, lines: tuple[Line, ...]) -> list[Match]:
    """Return the places of its text, narrowed down to those that are meant."""
    places = in_reading_order(find(thing.name or "", lines))
    if thing.beside and places:
        neighbours = find(thing.beside, lines)
        near = on_side(places, neighbours, thing.side) if thing.side else places
        places = nearest(near, neighbours) if near else []
    if thing.nth is None:
        return places
    first = thing.nth if thing.nth < 0 else thing.nth - 1
    return places[first:][:1]


def echo_of(goal: str, lines: tuple[Line, ...]) -> frozenset[Line]:
    """Return the lines that only repeat the goal: in the terminal where it was typed, or on a page that asks for it."""
    said = plain(goal)
    for at, line in enumerate(lines):
        if said in plain(line.text):
            return frozenset({line})
        if _alike(plain(line.text), said[: len(plain(line.text))]) >= MIN_FIRST_LINE_LIKENESS:
            block = _block(line, lines[at + 1 :], len(said))
            if _alike("".join(plain(one.text) for one in block), said) >= MIN_ECHO_LIKENESS:
                return frozenset(block)
    return frozenset()


def value_of(name: str, lines: tuple[Line, ...], column: str | None = None) -> str | None:
    """Return the text to the right of a name, or after it in its line; of several, the one under `column`.

    None if that is not clear.
    """
    for line in lines:
        if plain(line.text) == plain(name):
            row = [one for one in lines if one is not line and _in_row(one.region, line.region)]
            right = [one for one in row if one.region.x >= line.region.right]
            heads = [one for one in lines if column and plain(one.text) == plain(column)]
            under = [one for one in right if any(_in_column(one.region, head.region) for head in heads)]
            chosen = under or [one for head in heads for one in _in_its_place(line, head, lines)] or right
            return chosen[0].text.strip() if len(chosen) == 1 else None
    behind = [
        line.text.strip()[len(name) :] for line in lines if line.text.strip().casefold().startswith(name.casefold())
    ]
    found = [text.strip(" :=\t") for text in behind if not text[:1].isalnum()]
    return found[0] if len(found) == 1 and found[0] else None


def lines_in(data: object) -> tuple[Line, ...]:
    """Return the lines that a tool read."""
    rows = data if isinstance(data, list) else []
    return tuple(Line(row["text"], Region(*row["place"])) for row in rows)


def counted(thing: Thing, data: object) -> list[dict[str, Any]]:
    """Return the rows that a tool returned, of marks or of lines, that are a thing of this name and role."""
    rows = data if isinstance(data, list) else []
    if thing.role is None:
        said = re.compile(rf"(?<!\w){re.escape(thing.name or '')}(?!\w)", re.IGNORECASE)
        return [row for row in rows for _ in said.findall(row["text"])]
    named = [row for row in rows if thing.name is None or plain(row["text"]) == plain(thing.name)]
    roles = CHECKABLE if thing.role in CHECKABLE else {thing.role}
    if thing.name and thing.role in {"button", "link"}:
        roles = roles | {"text"}
    return [row for row in named if _role(row) in roles]


def _role(mark: Mapping[str, Any]) -> Role:
    """The role of what has a mark; runs from before there were roles say its kind."""
    return mark["role"] if "role" in mark else ROLE_OF_KIND.get(mark["kind"], mark["kind"])


def _block(first: Line, after: tuple[Line, ...], length: int) -> list[Line]:
    """Return a paragraph: a line and those right below it with the same left edge, until there is enough text."""
    block = [first]
    for line in after:
        above = block[-1].region
        if sum(len(plain(one.text)) for one in block) >= length:
            break
        if abs(line.region.x - above.x) <= above.height and 0 < line.region.y - above.y <= 2 * above.height:
            block.append(line)
    return block


def _alike(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _in_its_place(name: Line, head: Line, lines: tuple[Line, ...]) -> list[Line]:
    """Return the cell of a heading that is not aligned with it: the one with the same rank in a row of equal length."""
    cells, heads = (
        sorted((one for one in lines if _in_row(one.region, row.region)), key=lambda one: one.region.x)
        for row in (name, head)
    )
    return [cells[heads.index(head)]] if len(cells) == len(heads) else []


def _in_row(one: Region, other: Region) -> bool:
    return other.y < one.center.y < other.bottom


def _in_column(one: Region, head: Region) -> bool:
    return one.x < head.right and head.x < one.right
