"""Targets: wherever a tool takes a place, it takes a point, a text on the screen, a mark, or an image."""

import difflib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from toolbelt.desktops.base import Desktop
from toolbelt.elements.detector import elements_on
from toolbelt.ocr.lines import Line
from toolbelt.ocr.on_screen import not_found, what_is_there
from toolbelt.ocr.text_match import Match, find, find_alike, find_all, find_exactly, plain
from toolbelt.ocr.upscaled import read_enlarged
from toolbelt.parameters import Aimed
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.sighting import Look, Sighting
from toolbelt.perception.template_match import find_patch, image_in
from toolbelt.targeting.descriptions import (
    Screen,
    Side,
    areas_on,
    described,
    in_reading_order,
    on_side,
    place_of,
    screen_of,
)
from toolbelt.targeting.key_signs import keys_that_say
from toolbelt.targeting.neighbours import are_in_row, nearest
from world_model import ROLE_OF_KIND, Frame, Point, Region, Role, ToolFailure, joined, message

AIM_TRIES: Final = 3  # at a named target that changes meanwhile, such as a button that is still being drawn
AIM_MIN_S: Final = 3.0  # they go on for at least so long: on a busy machine a list takes its time to fade in
PATIENCE_S: Final = 2.0  # for a text to appear; a dialog is often still opening
SMALL_MAX_PX: Final = 24  # the height of a text that is read again, enlarged, if in doubt
ENLARGED_MARGIN_PX: Final = 12  # around it, read with it
SIMILARITY_MIN: Final = 0.6  # of 1.0: a small text at least as similar is read again
ENLARGED_MAX: Final = 5  # how many small texts are read again to find one
SEEN_FROM: Final = {None: "beside", "left": "left of", "right": "right of", "above": "above", "below": "below"}
FORMS: Final = 'it is a text, {"x", "y"}, {"text"}, {"mark"} or {"image"}'


class PointTarget(BaseModel):
    """A point of the desktop, in pixels unless the caller uses other coordinates."""

    model_config = ConfigDict(extra="forbid")
    x: int
    y: int


class TextTarget(BaseModel):
    """A text on the screen, or the label of an element of that `role`; of several the one nearest to the text `beside`.

    `side` is where it is, seen from there; `nth` counts in reading order, and -1 is the last.
    """

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1)] | None = None
    role: Role | None = None
    beside: Annotated[str, Field(min_length=1)] | None = None
    side: Side | None = None
    nth: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _with_role(cls, given: Any) -> Any:  # noqa: ANN401 - what a model or a file says
        """Read the `kind` that older scripts and runs have as the role that it names."""
        if not isinstance(given, dict) or "role" in given or "kind" not in given:
            return given
        rest, kind = {name: value for name, value in given.items() if name != "kind"}, given["kind"]
        return rest | {"role": ROLE_OF_KIND.get(kind, kind) if isinstance(kind, str) else kind}

    @model_validator(mode="after")
    def _says_enough(self) -> Self:
        if not (self.text or self.role) or (self.side and not self.beside) or self.nth == 0:
            raise ValueError("give a text or a role, `side` only with `beside`, and count `nth` from 1")
        return self

    @property
    def is_described(self) -> bool:
        """Whether more is said of it than a text, and what is nearby."""
        return bool(self.role or self.side or self.nth)

    def __str__(self) -> str:
        """`the button "Delete" number 2 beside "Milk"`."""
        words = [f"the {self.role}" if self.role else "", f'"{self.text}"' if self.text else ""]
        words.append(f"number {self.nth}" if self.nth else "")
        if self.beside:
            words.append(f'{SEEN_FROM[self.side]} "{self.beside}"')
        return " ".join(filter(None, words))


class MarkTarget(BaseModel):
    """The number of a mark."""

    model_config = ConfigDict(extra="forbid")
    mark: int


class ImageTarget(BaseModel):
    """An image file that shows what is on the screen."""

    model_config = ConfigDict(extra="forbid")
    image: Annotated[str, Field(min_length=1)]


def _in_few_words(value: Any, check: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - what a model wrote
    """Report one error for an invalid target, not one for each form of a target."""
    try:
        return check(value)
    except ValidationError as error:
        number = isinstance(value, int) and not isinstance(value, bool)
        told = f'the mark {value} is named {{"mark": {value}}}' if number else FORMS
        raise PydanticCustomError("target", "{told}", {"told": told}) from error


Target = Annotated[
    PointTarget | TextTarget | MarkTarget | ImageTarget | Annotated[str, Field(min_length=1)],
    Aimed,
    WrapValidator(_in_few_words),
]


def resolve(target: Target, eyes: Eyes, patience: float = PATIENCE_S) -> Sighting:
    """Find a target where it is now; any but a point gets `patience` seconds to appear.

    Raises:
        ToolFailure: `OFF_SCREEN`, `TARGET_NOT_FOUND` with what is there, `TARGET_AMBIGUOUS` with the candidates,
            `STALE_TARGET` if a marked element is gone, `PERMISSION_DENIED` if the place is masked.
    """
    sighting = _found(target, eyes, patience)
    eyes.permit(sighting.point)
    return sighting


def aimed(target: Target, eyes: Eyes, aim: Callable[[Sighting], object]) -> Match:
    """Find a target and `aim` at it; if it is stale, find it again, unless it is a point.

    Raises:
        ToolFailure: as for `resolve`, or from `aim`.
    """
    if isinstance(target, PointTarget):
        sighting = resolve(target, eyes)
        aim(sighting)
        return sighting.match
    return hit(lambda: resolve(target, eyes), aim)


def hit(find: Callable[[], Sighting], aim: Callable[[Sighting], object]) -> Match:
    """Find something and `aim` at it; if it is stale, find it again, several times."""
    end, tries = time.monotonic() + AIM_MIN_S, AIM_TRIES
    while True:
        sighting, tries = find(), tries - 1
        try:
            aim(sighting)
        except ToolFailure as failure:
            if failure.code != "STALE_TARGET" or (tries <= 0 and time.monotonic() >= end):
                raise
        else:
            return sighting.match


def _found(target: Target, eyes: Eyes, patience: float) -> Sighting:
    if isinstance(target, PointTarget):
        look = eyes.as_shown()
        return Sighting(_point(Point(target.x, target.y), eyes.desktop), look)
    if isinstance(target, ImageTarget):
        return _pictured(target.image, eyes, patience)
    if isinstance(target, MarkTarget):
        return _marked(target.mark, eyes, patience)
    if isinstance(target, str):
        places, look = find_patiently(target, eyes, patience)
        return Sighting(only(target, in_dialog(places, eyes)), look)
    if target.is_described or target.text is None:
        return _described(target, eyes, patience)
    places, look = find_patiently(target.text, eyes, patience)
    if target.beside:
        wanted = (target.text, target.beside)
        _, look = eyes.seek(lambda frame: all(find(one, eyes.read(frame)) for one in wanted), patience)
        places, neighbours = (_standing(one, eyes, look.frame) for one in wanted)  # both on the same frame
        rows = any(are_in_row(one, other) for one in places for other in neighbours)
        if not rows:  # it may be a word in that row, and a whole line elsewhere
            known = {place.point for place in places}
            words = find_all(target.text, eyes.read(look.frame))
            places = [*places, *(word for word in words if word.point not in known)]
        places = nearest(places, neighbours, areas_on(look.frame, eyes))
    return Sighting(only(target.text, in_dialog(places, eyes)), look)


def _described(target: TextTarget, eyes: Eyes, patience: float) -> Sighting:
    places, look = eyes.seek(lambda frame: _meant(target, screen_of(eyes, frame)), patience)
    if not places:
        there = what_is_there(eyes.read(look.frame), target.text or "")
        raise ToolFailure("TARGET_NOT_FOUND", f"Not on the screen: {target}.", [there])
    return Sighting(only(target.text or str(target.role), in_dialog(places, eyes)), look)


def _meant(target: TextTarget, screen: Screen) -> list[Match]:
    """Return the places on a frame that match all of a description."""
    if target.role:
        places = described(target.role, target.text, screen)
    else:
        places = in_reading_order(_closer(target.text or "", screen.lines, screen.frame))
    if target.beside:
        neighbours = find(target.beside, screen.lines)
        near = on_side(places, neighbours, target.side) if target.side else places
        places = nearest(near, neighbours, screen.areas) if near and neighbours else []
    if target.nth is None:
        return places
    first = target.nth if target.nth < 0 else target.nth - 1
    return places[first:][:1] if -len(places) <= first else []


def find_patiently(wanted: str, eyes: Eyes, patience: float = PATIENCE_S) -> tuple[list[Match], Look]:
    """Return where a text is, and the look on which it was found; it gets `patience` seconds to appear.

    Raises:
        ToolFailure: `TARGET_NOT_FOUND` with what is there.
    """
    _, look = eyes.seek(
        lambda frame: (
            find(wanted, eyes.read(frame)) or _keys(wanted, frame, eyes.read(frame)) or _said(wanted, frame, eyes)
        ),
        patience,
    )
    return _standing(wanted, eyes, look.frame), look


def _standing(wanted: str, eyes: Eyes, frame: Frame) -> list[Match]:
    lines = eyes.read(frame)
    is_sign = len(wanted.strip()) == 1
    if is_sign and (signs := _said(wanted, frame, eyes)):
        return signs
    if places := _closer(wanted, lines, frame) or _said(wanted, frame, eyes, patiently=True):
        return places
    raise ToolFailure("TARGET_NOT_FOUND", not_found(wanted), [what_is_there(lines, wanted)])


def _said(wanted: str, frame: Frame, eyes: Eyes, *, patiently: bool = False) -> list[Match]:
    """Return what its program calls by a text that is not read there, such as an icon."""
    if not eyes.is_said(wanted, frame, patiently=patiently):  # to find all elements takes longer
        return []
    found = eyes.every_element(frame) if patiently else eyes.elements(frame)
    return [place_of(one) for one in found if one.said and plain(one.text) == plain(wanted)]


def only(wanted: str, places: list[Match]) -> Match:
    """Return the only place, or the only one with exactly this name.

    Raises:
        ToolFailure: `TARGET_AMBIGUOUS` with the candidates.
    """
    places = [one for at, one in enumerate(places) if not any(_is_same(one, other) for other in places[:at])]
    exact = [place for place in places if place.name == wanted]
    for choice in (places, exact):
        if len(choice) == 1:
            return choice[0]
    listed = joined("; ", (message(f'"{place.name}" at ', place.point) for place in places))
    named = f'{{"text": "{wanted}", "beside": "..."}}'
    hint = message(f"Name a text near the one you mean, {named}, or a point. There are ", listed, ".")
    raise ToolFailure("TARGET_AMBIGUOUS", f'"{wanted}" is on the screen {len(places)} times.', [hint])


def _is_same(one: Match, other: Match) -> bool:
    """Whether two places are one text that was read twice, such as with and without the frame around it."""
    if one.region is None or other.region is None or plain(one.name) != plain(other.name):
        return False
    return one.point in other.region and other.point in one.region


def in_dialog(places: list[Match], eyes: Eyes) -> list[Match]:
    """Return of several places those in the dialog that has the focus, if any are: what is behind it waits for it."""
    if len(places) < 2:  # noqa: PLR2004 - several
        return places
    dialogs = [one.region for one in eyes.windows() if one.active and one.dialog]
    return [place for place in places if any(place.point in region for region in dialogs)] or places


def _point(point: Point, desktop: Desktop) -> Match:
    """Return a point, if a monitor shows it; the monitors need not fill the desktop's rectangle."""
    shown = dict.fromkeys(desktop.monitors)  # without duplicates: one may mirror another
    if not any(point in monitor for monitor in shown):
        reach = joined(" and ", map(_reach, shown))
        hint = message("It reaches ", reach, ".")
        raise ToolFailure("OFF_SCREEN", message(point, " is outside of the desktop."), [hint])
    return Match(point, f"{point.x}, {point.y}")


def _reach(monitor: Region) -> str:
    return message("from ", Point(monitor.x, monitor.y), " to ", Point(monitor.right - 1, monitor.bottom - 1))


def _marked(number: int, eyes: Eyes, patience: float) -> Sighting:
    was = eyes.marked.shown(number)
    if not (was or eyes.marked.given(number)):
        raise ToolFailure(
            "TARGET_NOT_FOUND", f"There is no mark {number}.", ["Use marks to see which there are."], ["marks"]
        )
    mark, look = eyes.watch(
        lambda frame: eyes.marked.find(number, frame, eyes.elements), patience if number in eyes.marked else 0
    )
    if not mark:
        place = message(f": it was the {was.called} at ", was.region.center) if was else ""
        told = message(f"Mark {number} is no longer on the screen", place, ".")
        raise ToolFailure("STALE_TARGET", told, ["Use marks to see what is there now."], ["marks"])
    called = f"mark {number}, the {mark.called},"
    return Sighting(Match(mark.region.center, mark.text or mark.role, mark.region, called=called, role=mark.role), look)


def _pictured(path: str, eyes: Eyes, patience: float) -> Sighting:
    patch = image_in(path)
    found, look = eyes.seek(lambda frame: find_patch(patch, frame), patience)
    if not found:
        told = f"The image {path} is not on the screen."
        raise ToolFailure("TARGET_NOT_FOUND", told, ["It may look different now: give a text or a point."])
    if len(found) > 1:
        listed = joined("; ", (message(region.center) for region in found))
        told = f"The image {path} is on the screen {len(found)} times."
        hint = message("Give a point, or a larger image. They are at ", listed, ".")
        raise ToolFailure("TARGET_AMBIGUOUS", told, [hint])
    name = f"the image {Path(path).name}"
    return Sighting(Match(found[0].center, name, found[0], called=name), look)


def _closer(wanted: str, lines: tuple[Line, ...], frame: Frame) -> list[Match]:
    """Return where a text is; if in doubt, read small texts again, enlarged.

    That tells look-alikes apart, prefers the text itself to what only looks like it, and finds what was too small.
    """
    if keys := _keys(wanted, frame, lines):
        return keys
    exact = find_exactly(wanted, lines)
    if exact:
        exact += [place for place in _buttons_in_rows(wanted, lines, frame) if place not in exact]
        doubted = exact if 1 < len(exact) <= ENLARGED_MAX else []
        others = [place for place in doubted if place.region and _is_another(wanted, place.region, frame)]
        return [place for place in exact if place not in others] or exact
    alike = find(wanted, lines)
    regions = [place.region for place in alike if place.region] or [line.region for line in _nearly(wanted, lines)]
    read = [find_exactly(wanted, _enlarged(region, frame)) for region in regions[:ENLARGED_MAX]]
    return [place for found in read for place in found] or alike


def _keys(wanted: str, frame: Frame, lines: tuple[Line, ...]) -> list[Match]:
    """Return the keys with a sign; none for a longer text."""
    return keys_that_say(wanted, frame, lines) if len(wanted.strip()) == 1 else []


def _buttons_in_rows(wanted: str, lines: tuple[Line, ...], frame: Frame) -> list[Match]:
    """Return the buttons that say just this, but were read as one line with the buttons beside them."""
    words = [place for place in find_all(wanted, lines) if place.line and plain(place.line) != plain(wanted)]
    if not words:
        return []
    buttons = [
        element
        for element in elements_on(frame, lines)
        if element.role == "button" and plain(element.text) == plain(wanted)
    ]
    return [word for word in words if any(word.point in button.region for button in buttons)]


def _enlarged(region: Region, frame: Frame) -> tuple[Line, ...]:
    """Return the lines in a region, read enlarged."""
    lines = read_enlarged(frame, region.grown(ENLARGED_MARGIN_PX))
    return tuple(line for line in lines if line.region.y < region.center.y < line.region.bottom)


def _is_another(wanted: str, region: Region, frame: Frame) -> bool:
    """Whether a small text, read enlarged, only looks like the wanted one."""
    if region.height >= SMALL_MAX_PX:
        return False
    lines = _enlarged(region, frame)
    return not find_exactly(wanted, lines) and bool(find_alike(wanted, lines))


def _nearly(wanted: str, lines: tuple[Line, ...]) -> list[Line]:
    """Return the small lines similar to a text that was not found, the most similar first."""
    matcher = difflib.SequenceMatcher(b=plain(wanted), autojunk=False)
    found = []
    for line in lines:
        matcher.set_seq1(plain(line.text))
        if (
            line.region.height < SMALL_MAX_PX
            and matcher.real_quick_ratio() >= SIMILARITY_MIN
            and (like := matcher.ratio()) >= SIMILARITY_MIN
        ):
            found.append((like, line))
    return [line for _, line in sorted(found, key=lambda one: -one[0])]
