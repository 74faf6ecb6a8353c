"""Aims: where the arguments of an action point, and the texts there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbelt.elements.detector import elements_on
from toolbelt.elements.outlines import outlines_at
from toolbelt.ocr.reader import read_region
from toolbelt.ocr.text_match import Match, holds_alike, plain
from toolbelt.parameters import Aimed
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.targets import ImageTarget, MarkTarget, PointTarget, TextTarget, resolve
from toolbelt.tool import Tool
from world_model import Frame, Point, Region, ToolFailure

LABEL_AREA_PX: Final = Region(-160, -24, 320, 48)  # around a point that is not on a text; its label is that near
CONTROL_MAX_PX: Final = 100  # the height of a button
TEXT_MARGIN_PX: Final = 6  # around a text, where a point still is on it
LABEL_WORDS_MAX: Final = 6  # a longer text that is not a button is a sentence


@dataclass(frozen=True, slots=True)
class Aim:
    """Where an argument points, or None if that was not found; and the texts that say what it is."""

    region: Region | None
    words: tuple[str, ...]

    def same_as(self, before: "Aim") -> bool:
        """Whether it is the same as before, at the same place within a few pixels."""
        here = self.region == before.region or (self.region and before.region and self.region.center in before.region)
        return bool(here) and self.words == before.words


def aims_of(tool: Tool, args: Mapping[str, Any], eyes: Eyes, frame: Frame) -> list[Aim]:
    """Return what an action aims at. `args` are validated; `frame` is the screen on which its points were chosen."""
    return [_aim(value, eyes, frame) for role, value in tool.parts(args) if role is Aimed]


def _aim(target: Any, eyes: Eyes, frame: Frame) -> Aim:  # noqa: ANN401 - one of the forms of a target
    if isinstance(target, PointTarget):
        point = Point(target.x, target.y)
        return Aim(Region(point.x, point.y, 1, 1), tuple(said_words_at(point, frame, eyes)))
    said = _said(target, eyes)
    try:
        place = resolve(target, eyes).match  # waits until the target is there, as the tool does
    except ToolFailure:  # the tool will report it
        return Aim(None, said)
    region = place.region or Region(place.point.x, place.point.y, 1, 1)
    there = (
        [*_whole(place, eyes), *_called(place.point, eyes)] if said else said_words_at(place.point, eyes.shown, eyes)
    )
    return Aim(region, tuple(dict.fromkeys([*said, place.name, *there])))


def _said(target: TextTarget | MarkTarget | ImageTarget | str, eyes: Eyes) -> tuple[str, ...]:
    """Return the name of a target, if it has one."""
    match target:
        case str():
            return (target,)
        case TextTarget(text=str(text)):
            return (text,)
        case MarkTarget(mark=number) if mark := eyes.marked.shown(number):
            return tuple(filter(None, (mark.text,)))
    return ()


def _whole(place: Match, eyes: Eyes) -> list[str]:
    """Return the text that a named one is a part of, if it is a button or no longer than a label."""
    frame = eyes.shown
    lines = eyes.read(frame)
    line = next((one.text for one in lines if place.point in one.region), "")
    if plain(line) == plain(place.name) or not holds_alike(place.name, line):
        return []
    there = [one for one in elements_on(frame, lines) if place.point in one.region]
    element = min(there, key=lambda one: one.region.area, default=None)
    text = (element.holds or element.text) if element else line
    return [text] if (element and element.role == "button") or len(text.split()) <= LABEL_WORDS_MAX else []


def said_words_at(point: Point, frame: Frame, eyes: Eyes) -> list[str]:
    """Return the texts that say what is at a point: those that are read, and what its program calls it."""
    return list(dict.fromkeys([*words_at(point, frame), *_called(point, eyes)]))


def _called(point: Point, eyes: Eyes) -> list[str]:
    """Return what a program calls the control at a point, whatever is drawn on it."""
    said = eyes.said_at(point)
    return [said.text] if said and said.text else []


def words_at(point: Point, frame: Frame) -> list[str]:
    """Return the texts of the control around a point of a frame, or at the point, or else the nearest in its row.

    A wide button is pressed anywhere, and its label is in its middle.
    """
    if control := _control_at(point, frame):
        return control
    lines = read_region(frame, LABEL_AREA_PX.shifted(point.x, point.y).intersection(frame.region))
    on = [line.text for line in lines if point in line.region.grown(TEXT_MARGIN_PX)]
    if on:
        return on
    row = [line for line in lines if line.region.y <= point.y < line.region.bottom]
    row.sort(key=lambda line: min(abs(line.region.x - point.x), abs(line.region.right - point.x)))
    return [line.text for line in row[:1]]


def _control_at(point: Point, frame: Frame) -> list[str]:
    """Return the texts in the smallest outline around a point, if they are no longer than a label."""
    band = Region(frame.region.x, point.y - CONTROL_MAX_PX, frame.region.width, 2 * CONTROL_MAX_PX)
    for outline in outlines_at(point, frame, band):
        texts = [line.text for line in read_region(frame, outline)] if outline.height <= CONTROL_MAX_PX else []
        if texts:
            return texts if sum(len(text.split()) for text in texts) <= LABEL_WORDS_MAX else []
    return []
