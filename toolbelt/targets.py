"""Targets: wherever a tool takes a place, it takes a point, a text that can be read on the screen, or a picture."""

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from toolbelt.eyes import Eyes
from toolbelt.patches import find_patch, picture_in
from toolbelt.reading import Line
from world_model import Point, Region, ToolFailure

PATIENCE: Final = 2.0  # seconds that a text may take to come up; a dialog is often on its way
LOOK_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("l", "i"), ("1", "i"), ("|", "i"), ("0", "o"), ("5", "s"), ("8", "b"))
CARETS: Final = ("l", "i", "|")
SHORTEST: Final = 3  # letters; `is` is not a misread `15`
LISTED: Final = 40  # texts named when the one that was asked for is not there


class PointTarget(BaseModel):
    """A point, in physical pixels of the whole desktop."""

    model_config = ConfigDict(extra="forbid")
    x: int
    y: int


class TextTarget(BaseModel):
    """A text on the screen."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1)]


class ImageTarget(BaseModel):
    """A picture in a file, of what is on the screen."""

    model_config = ConfigDict(extra="forbid")
    image: Annotated[str, Field(min_length=1)]


Target = PointTarget | TextTarget | ImageTarget | Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target is: the point to use, and the text there with its box, where it was found by its text.

    Attributes:
        line: the line that the text is only a part of.
    """

    point: Point
    name: str
    region: Region | None = None
    line: str = field(default="", compare=False)


def resolve(target: Target, eyes: Eyes, patience: float = PATIENCE) -> Place:
    """Find a target; a text or a picture gets `patience` seconds to come up.

    Raises:
        ToolFailure: `OFF_SCREEN`, `TARGET_NOT_FOUND` with what is there, `TARGET_AMBIGUOUS` with the candidates.
    """
    if isinstance(target, PointTarget):
        return _point(Point(target.x, target.y), eyes.desktop.region)
    if isinstance(target, ImageTarget):
        return _pictured(target.image, eyes, patience)
    wanted = target if isinstance(target, str) else target.text
    return only(wanted, find_patiently(wanted, eyes, patience))


def find_patiently(wanted: str, eyes: Eyes, patience: float = PATIENCE) -> list[Place]:
    """Where a text stands, which gets `patience` seconds to come up.

    Raises:
        ToolFailure: `TARGET_NOT_FOUND` with what is there.
    """
    lines = eyes.until(lambda lines: find(wanted, lines), patience)
    if places := find(wanted, lines):
        return places
    raise ToolFailure("TARGET_NOT_FOUND", f'"{wanted}" is not on the screen.', [what_is_there(lines)])


def only(wanted: str, places: list[Place]) -> Place:
    """The one place there is.

    Raises:
        ToolFailure: `TARGET_AMBIGUOUS` with the candidates.
    """
    exact = [place for place in places if place.name == wanted]
    for choice in (places, exact):
        if len(choice) == 1:
            return choice[0]
    listed = "; ".join(f'"{place.name}" at {place.point.x}, {place.point.y}' for place in places)
    hint = f"Name a point or a longer text. There are {listed}."
    raise ToolFailure("TARGET_AMBIGUOUS", f'"{wanted}" is on the screen {len(places)} times.', [hint])


def find(wanted: str, lines: tuple[Line, ...]) -> list[Place]:
    """Where a text stands: as a whole line, else as words of one, else within a word, else read a little wrong."""
    if not plain(wanted):
        same = [line for line in lines if line.text.strip() == wanted.strip()]
        return [Place(line.region.center, line.text, line.region) for line in same]
    for search in (_whole_lines, _within_lines, _within_words, _alike):
        if places := search(plain(wanted), lines):
            return places
    return []


def what_is_there(lines: tuple[Line, ...]) -> str:
    """The texts that can be read, for an agent that looked for another."""
    if not lines:
        return "No text can be read on the screen."
    texts = ", ".join(f'"{line.text}"' for line in lines[:LISTED])
    return f"On the screen: {texts}" + (f" and {len(lines) - LISTED} more lines." if len(lines) > LISTED else ".")


def plain(text: str) -> str:
    """A text as it is compared: without case, white space, and the dots that say that a dialog follows."""
    return re.sub(r"\s+", "", text.casefold()).rstrip(".…:")


def _point(point: Point, desktop: Region) -> Place:
    if point not in desktop:
        reach = f"x from {desktop.x} to {desktop.right - 1}, y from {desktop.y} to {desktop.bottom - 1}"
        raise ToolFailure("OFF_SCREEN", f"{point.x}, {point.y} is outside of the desktop.", [f"It has {reach}."])
    return Place(point, f"{point.x}, {point.y}")


def _pictured(path: str, eyes: Eyes, patience: float) -> Place:
    patch = picture_in(path)
    found, _ = eyes.watch(lambda frame: find_patch(patch, frame), patience)
    if not found:
        told = f"The picture {path} is not on the screen."
        raise ToolFailure("TARGET_NOT_FOUND", told, ["It may look another way now: name a text or a point."])
    if len(found) > 1:
        listed = "; ".join(f"{region.center.x}, {region.center.y}" for region in found)
        told = f"The picture {path} is on the screen {len(found)} times."
        raise ToolFailure("TARGET_AMBIGUOUS", told, [f"Name a point, or take a larger picture. They are at {listed}."])
    return Place(found[0].center, f"the picture {Path(path).name}", found[0])


def _whole_lines(wanted: str, lines: tuple[Line, ...]) -> list[Place]:
    return [Place(line.region.center, line.text, line.region) for line in lines if plain(line.text) == wanted]


def _within_lines(wanted: str, lines: tuple[Line, ...]) -> list[Place]:
    """Whole words only: `Save` is not in `Saved`."""
    places = []
    for line in lines:
        for first in range(len(line.words)):
            for last in range(first, len(line.words)):
                words = line.words[first : last + 1]
                text = plain("".join(word.text for word in words))
                if text == wanted:
                    region = words[0].region.union(words[-1].region)
                    places.append(Place(region.center, " ".join(word.text for word in words), region, line.text))
                if len(text) >= len(wanted):
                    break
    return places


def _within_words(wanted: str, lines: tuple[Line, ...]) -> list[Place]:
    """A part of a word that stands by itself, as `notes.txt` does in `/home/notes.txt-`; its place is estimated."""
    places = []
    for line in lines:
        text = plain(line.text)
        for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", text):
            per_letter = line.region.width / len(text)
            left, right = round(match.start() * per_letter), round(match.end() * per_letter)
            region = Region(line.region.x + left, line.region.y, right - left, line.region.height)
            places.append(Place(region.center, line.text, region))
    return places


def _alike(wanted: str, lines: tuple[Line, ...]) -> list[Place]:
    """The lines or words that look like the text to a reader, who takes `l` for `I`, `0` for `O` and `rn` for `m`."""
    parts = [(line.text, line.region) for line in lines]
    parts += [(word.text, word.region) for line in lines if len(line.words) > 1 for word in line.words]
    found = [(text, region) for text, region in parts if _looks(_without_caret(plain(text), wanted)) == _looks(wanted)]
    return [Place(region.center, text, region) for text, region in found if _tolerable(wanted) and _tolerable(text)]


def _without_caret(text: str, wanted: str) -> str:
    """The text without the caret that stands behind it, which is read as a letter."""
    return text[:-1] if len(text) == len(wanted) + 1 and text.endswith(CARETS) else text


def _tolerable(text: str) -> bool:
    """Whether it may be taken for another: a number, or what is very short, must be read as it is."""
    return len(text) >= SHORTEST and any(letter.isalpha() for letter in text)


def _looks(text: str) -> str:
    """What is left of a text without what a reader mixes up; a whole letter more or less is another text."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    for read, meant in LOOK_ALIKE:
        bare = bare.replace(read, meant)
    return bare
