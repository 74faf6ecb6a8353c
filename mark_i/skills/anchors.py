"""Describe the targets of a step so that they are found again elsewhere, and prove it on the screen of the run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image

from mark_i.catalog import builtin_tool
from toolbelt.control import Control
from toolbelt.desktops import FakeDesktop
from toolbelt.elements import Element
from toolbelt.ocr import Line
from toolbelt.parameters import Aimed
from toolbelt.perception import DEVIATION_MIN, Eyes, find_patch
from toolbelt.targeting import TextTarget, resolve
from world_model import Frame, Pixels, Place, Point, Region, Step, ToolFailure, UsageError, call, read_frame

Target = dict[str, Any]
NEIGHBOURS_MAX: Final = 6  # texts nearest to a target, that are tried as what it is beside
NEIGHBOUR_CHARS_MIN: Final = 3  # of each; shorter ones are often misread
PATCH_MARGIN_PX: Final = 4  # around an element, so that its border is in the picture
PATCH_PX: Final = 48  # the sides of the picture of a place where no element is known
NEAR_PX: Final = 4  # between the place of the run and the place that a description leads to, without an element


@dataclass(frozen=True, slots=True)
class Anchored:
    """The arguments of a step with its targets described, and its pictures: the files by argument, and their pixels."""

    args: Mapping[str, Any]
    files: Mapping[str, str]
    pictures: Mapping[str, Pixels]


def anchored(step: Step, number: int, folder: Path) -> Anchored:
    """Describe the targets of a step.

    Args:
        step: of the run.
        number: of the step in the skill.
        folder: of the run.

    Raises:
        UsageError: the screen of the run does not tell a target from others.
    """
    aimed = _targets(step)
    if not aimed:
        return Anchored(dict(step.action.args), {}, {})
    frame = read_frame(folder, step.before.digest) if step.before else None
    if frame is None:
        raise UsageError(f"Step {step.index} of the run has no picture, so its target cannot be described.")
    screen = _Screen(frame)
    args, files, pictures = dict(step.action.args), {}, {}
    for name, place in zip(aimed, _places(step, aimed), strict=False):
        patch = screen.patch(place.point)
        target = screen.described(place) if _is_place(args[name]) else args[name]
        file = f"step-{number}-{name}.png"
        if patch is not None and screen.shows(patch, place.point):
            pictures[file], files[name] = patch, file
        args[name] = {"image": file} if target is None and name in files else target
    _check(step, args)
    return Anchored(args, files, pictures)


def _places(step: Step, aimed: Sequence[str]) -> Sequence[Place]:
    """Return where the targets of a step were: as its tool says, else the points that it was given."""
    if step.observation.places:
        [first, *rest] = step.observation.places
        change = step.observation.screen
        if change and change.became and not first.name:  # its program said what it was
            first = Place(first.x, first.y, change.became[1], first.role)
        return [first, *rest]
    given = (step.action.args[name] for name in aimed)
    return [Place(one["x"], one["y"]) for one in given if isinstance(one, Mapping) and {"x", "y"} <= one.keys()]


def _check(step: Step, args: Mapping[str, Any]) -> None:
    """Refuse a step with a target that has no description, which would lead to another thing on another screen."""
    tool = builtin_tool(step.action.tool)
    targets = [value for role, value in tool.parts(args) if role is Aimed] if tool else []
    if None in args.values() or any(_is_place(one) and "image" not in one for one in targets):
        told = "what it used has no name, and looks like other things"
        raise UsageError(f"Step {step.index} of the run, {call(step.action)}, makes no step of a skill: {told}.")


def _targets(step: Step) -> list[str]:
    """Return the names of the arguments that are targets, in the order of the places that they led to."""
    tool = builtin_tool(step.action.tool)
    if tool is None:
        return []
    given = step.action.args
    aimed = [name for name in given if [role for role, _ in tool.parts({name: given[name]})] == [Aimed]]
    return sorted(aimed, key=lambda name: name == "end")  # a drag begins at its start, however it was written


def _is_place(target: Any) -> bool:  # noqa: ANN401 - as a model gave it
    """Whether a target means nothing on another screen: a point, the number of a mark, a picture in some file."""
    return isinstance(target, Mapping) and not ({"text", "role", "kind"} & target.keys())


class _Screen:
    """One screen of a run, on which descriptions are tried."""

    def __init__(self, frame: Frame) -> None:
        control = Control()
        image = Image.fromarray(frame.pixels)
        self._frame = frame
        self._eyes = Eyes(FakeDesktop(lambda _: image, control, layout=(frame.region,)), control)
        self._lines = self._eyes.read(frame)
        self._elements = self._eyes.elements(frame)

    def described(self, place: Place) -> Target | None:
        """Return a description that leads to a place and to no other; None if there is none."""
        tried = self._descriptions(place)
        return next((one for one in tried if self.leads(one, place)), None)

    def leads(self, target: Target, place: Place) -> bool:
        """Whether a description leads to what is at a place, and to nothing else."""
        try:
            found = resolve(TextTarget.model_validate(target), self._eyes, 0.0)
        except ToolFailure:
            return False
        is_name = bool(place.name) and target.get("text") == place.name  # an item of a menu is wider than its name
        in_row = is_name and abs(found.point.y - place.y) <= NEAR_PX
        return in_row or self._is_there(found.point, place.point) or bool(found.region and place.point in found.region)

    def shows(self, patch: Pixels, point: Point) -> bool:
        """Whether a picture is on the screen once, at a point."""
        found = find_patch(patch, self._frame) if patch.std(axis=(0, 1)).max() >= DEVIATION_MIN else []
        return len(found) == 1 and self._is_there(found[0].center, point)

    def patch(self, point: Point) -> Pixels | None:
        """Return a picture of what is at a point."""
        element = self._element(point)
        half = PATCH_PX // 2
        around = (
            element.region.grown(PATCH_MARGIN_PX)
            if element
            else Region(point.x - half, point.y - half, PATCH_PX, PATCH_PX)
        )
        part = around.intersection(self._frame.region)
        return self._frame.crop(part) if part.area else None

    def _descriptions(self, place: Place) -> Iterator[Target]:
        element = self._element(place.point)
        name = place.name or (element.text if element else "") or self._said(place.point)
        role = place.role or (element.role if element else None)
        typed = {"role": role} if role else {}
        if name:
            yield {"text": name, **typed}
            yield {"text": name}
        for near in self._neighbours(place.point, name):
            if name:
                yield {"text": name, **typed, "beside": near}
            if role:
                yield from (
                    {"role": role, "beside": near, "side": side} for side in ("right", "below", "left", "above")
                )

    def _neighbours(self, point: Point, name: str) -> list[str]:
        """Return the texts nearest to a point that stand on the screen once."""
        texts = [line.text for line in self._lines]
        once = [
            line
            for line in self._lines
            if texts.count(line.text) == 1 and line.text != name and len(line.text) >= NEIGHBOUR_CHARS_MIN
        ]
        return [line.text for line in sorted(once, key=lambda one: _distance(one, point))[:NEIGHBOURS_MAX]]

    def _said(self, point: Point) -> str:
        """Return the line of text at a point, without a box before it that was read as a letter."""
        words = next((line.text.split() for line in self._lines if point in line.region), [])
        return " ".join(words[1:] if len(words) > 1 and len(words[0]) == 1 else words)

    def _element(self, point: Point) -> Element | None:
        """Return the smallest element at a point."""
        there = [one for one in self._elements if point in one.region]
        return min(there, key=lambda one: one.region.area, default=None)

    def _is_there(self, found: Point, point: Point) -> bool:
        element = self._element(point)
        near = abs(found.x - point.x) <= NEAR_PX and abs(found.y - point.y) <= NEAR_PX
        return near or (element is not None and found in element.region)


def _distance(line: Line, point: Point) -> int:
    at = line.region.center
    return abs(at.x - point.x) + 2 * abs(at.y - point.y)  # what is in the same row says more
