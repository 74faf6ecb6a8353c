"""Reading the screen, enlarging a part of it, and waiting for it."""

import operator
import re
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from toolbelt.ocr.lines import Line
from toolbelt.ocr.on_screen import not_found, unreadable, what_is_there
from toolbelt.ocr.patterns import check_pattern, search
from toolbelt.ocr.text_match import find
from toolbelt.ocr.upscaled import read_enlarged, scale_for
from toolbelt.parameters import Query
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.targets import Target, resolve
from toolbelt.targeting.values import find_value, number_in, values_of
from toolbelt.tool import ToolResult, tool
from toolbelt.tools.windows import described, window_data
from world_model import Frame, Place, Point, Region, Size, ToolFailure, joined, message

MAX_WAIT_S: Final = 600.0
ZOOM_PX: Final = Size(320, 200)  # the part around a point that is enlarged
ZOOM_MARGIN_PX: Final = 24  # around an element that is larger than that

COMPARISON: Final = re.compile(r"\s*(<=|>=|!=|<|>|=)\s*(-?\d+(?:\.\d+)?)\s*")
COMPARE: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}

Timeout = Annotated[float, Field(ge=0, le=MAX_WAIT_S, description="Seconds to wait at most.")]


def _comparison(written: str) -> str:
    if not COMPARISON.fullmatch(written):
        signs = ", ".join(COMPARE)
        raise ToolFailure("INVALID_ARGS", f'"{written}" is no comparison such as "> 100". Its sign is one of {signs}.')
    return written


class Screen:
    """Reads the screen of one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    @tool(risk="look", shows_screen=True, rare=True)
    def screenshot(self) -> ToolResult:
        """Describe the screen, its windows and texts."""
        frame = self._eyes.show()
        lines = self._eyes.read(frame)
        windows = self._eyes.windows()[::-1]
        told = [f"The screen is {frame.region.size}.", *map(described, windows), what_is_there(lines)]
        data = {
            "place": frame.region.to_list(),
            "windows": [window_data(window) for window in windows],
            "texts": [line.text for line in lines],
        }
        return ToolResult("\n".join(told), data)

    @tool(risk="look")
    def read_screen(self) -> ToolResult:
        """Read all text on the screen, with its places."""
        return _read(self._eyes.read(self._eyes.show()), "No text can be read on the screen.")

    @tool(risk="look", instead=["read_screen"], shows_marks=True, rare=True)
    def marks(self) -> ToolResult:
        """Number all that can be pointed at.

        A number is a target, as in `{"mark": 12}`, and what stays on the screen keeps it. The next picture shows them.
        """
        marks = self._eyes.marks(self._eyes.show())
        told = joined("\n", (mark.told for mark in marks))
        return ToolResult(told or "Nothing on the screen can be told apart.", [mark.to_dict() for mark in marks])

    @tool(risk="look", instead=["read_screen"], enlarges=True)
    def zoom(
        self,
        target: Annotated[Target, Field(description="What to enlarge, or one corner of it.")],
        end: Annotated[Target | None, Field(description="The opposite corner.")] = None,
    ) -> ToolResult:
        """Read and show a part of the screen enlarged, around a target or from it to `end`."""
        part, place = self._part(target, end)
        frame = self._eyes.show()
        scale = scale_for(part)
        found = _read(tuple(read_enlarged(frame, part)), f"No text can be read there, {scale} times enlarged.")
        return ToolResult(found.text, {"part": part.to_list(), "scale": scale, "lines": found.data}, (place,))

    @tool(risk="look", instead=["read_screen"])
    def read_value(self, label: Annotated[Target, Field(description="The label.")]) -> ToolResult:
        """Read the value in the field that a label names, or beside the label."""
        value = find_value(label, self._eyes)
        told = f'"{value.text}"' if value.text else "empty"
        data = {"value": value.text, "place": value.region.to_list()}
        return ToolResult(message("The value of ", value.label.told, " is ", told, "."), data)

    def _part(self, target: Target, end: Target | None) -> tuple[Region, Place]:
        desktop = self._eyes.desktop.region
        found = resolve(target, self._eyes).match
        at = found.point
        if end is not None:
            corner = resolve(end, self._eyes).point
            return Region(at.x, at.y, 1, 1).union(Region(corner.x, corner.y, 1, 1)), found.place
        around = Region(at.x - ZOOM_PX.width // 2, at.y - ZOOM_PX.height // 2, ZOOM_PX.width, ZOOM_PX.height)
        return (around.union(found.region.grown(ZOOM_MARGIN_PX)) if found.region else around).intersection(
            desktop
        ), found.place


class Waiting:
    """Waits on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    @tool(risk="look", seconds=MAX_WAIT_S + 30, instead=["read_screen"])
    def wait_for(
        self,
        text: Annotated[str, Field(min_length=1, description="The text, or the label of the number."), Query],
        timeout: Timeout = 10,
        gone: Annotated[bool, Field(description="Wait until it is gone.")] = False,  # noqa: FBT002 - called by name
        number: Annotated[
            Annotated[str, Query, AfterValidator(_comparison)] | None,
            Field(description="What the number at the label is to be, such as `> 100`."),
        ] = None,
        regex: Annotated[  # noqa: FBT002 - called by name
            bool, Field(description="The text is a regular expression.")
        ] = False,
    ) -> ToolResult:
        """Wait until a text is on the screen, or `gone` from it.

        `number`, such as `> 100`: the text is its label. `regex`: the text is a pattern.
        """
        if number is not None:
            if regex:
                raise ToolFailure("INVALID_ARGS", "The label of a number is no pattern: leave out `regex` or `number`.")
            return self._wait_for_number(text, number, timeout, gone=gone)
        if regex:
            return self._wait_for_pattern(text, timeout, gone=gone)
        if gone and unreadable(text) and not find(text, lines := self._eyes.read(self._eyes.look())):
            raise ToolFailure("TARGET_NOT_FOUND", not_found(text), [what_is_there(lines, text)])
        lines = self._eyes.until(lambda lines: bool(find(text, lines)) is not gone, timeout)
        if bool(find(text, lines)) is gone:
            still = "still" if gone else "not"
            raise ToolFailure(
                "TIMEOUT",
                f'"{text}" is {still} on the screen after {timeout:g} s.',
                [what_is_there(lines, "" if gone else text)],
            )
        return ToolResult(f'"{text}" is {"gone from" if gone else "on"} the screen.', {"seen": not gone})

    @tool(risk="look", seconds=MAX_WAIT_S + 30, instead=["screenshot"], rare=True)
    def wait_for_change(self, timeout: Timeout = 10) -> ToolResult:
        """Wait until the screen changes.

        It differs from what you were shown then, and has settled.
        """
        before, began = self._eyes.shown, time.monotonic()
        places, frame = self._until_changed(before, timeout, animated=False)
        if not places:
            told = f"Nothing on the screen changed in {timeout:g} s."
            raise ToolFailure("TIMEOUT", told, [what_is_there(self._eyes.read(frame))])
        after = time.monotonic() - began
        seen = self._eyes.change(before, self._eyes.settle(before, reaction=0.0))
        data = {"appeared": seen.appeared, "vanished": seen.vanished, "places": [one.to_list() for one in seen.regions]}
        return ToolResult(f"Waited {after:.1f} s for a change.", data)

    @tool(risk="look", seconds=MAX_WAIT_S + 30, rare=True)
    def wait_until_still(
        self,
        seconds: Annotated[float, Field(gt=0, le=60, description="How long nothing may change.")] = 1,
        timeout: Timeout = 10,
    ) -> str:
        """Wait until nothing changes for some seconds."""
        end = time.monotonic() + timeout
        places, frame = self._until_changed(self._eyes.look(), seconds, animated=True)
        while places and time.monotonic() < end:
            places, frame = self._until_changed(frame, seconds, animated=True)
        if places:
            where = joined("; ", (message(Point(one.x, one.y), f" ({one.size})") for one in places))
            raise ToolFailure("TIMEOUT", message(f"The screen is still changing after {timeout:g} s, at ", where, "."))
        return f"Nothing on the screen changed for {seconds:g} s."

    @tool(risk="look", seconds=MAX_WAIT_S + 30, rare=True)
    def wait(self, seconds: Annotated[float, Field(gt=0, le=MAX_WAIT_S, description="How long.")]) -> ToolResult:
        """Wait for some seconds."""
        left_s = round(self._eyes.control.pause_for(seconds), 1)
        if not left_s:
            return ToolResult(f"Waited {seconds:g} s.")
        return ToolResult(
            f"The person spoke, or paused the run: {left_s:g} of {seconds:g} s are left.", {"left_s": left_s}
        )

    def _wait_for_pattern(self, pattern: str, timeout: float, *, gone: bool) -> ToolResult:
        check_pattern(pattern)

        def found(lines: tuple[Line, ...]) -> str | None:
            return search(pattern, [line.text for line in lines])

        lines = self._eyes.until(lambda lines: (found(lines) is None) is gone, timeout)
        seen = found(lines)
        if (seen is None) is not gone:
            still = "still matches" if gone else "matches nothing"
            raise ToolFailure("TIMEOUT", f'"{pattern}" {still} after {timeout:g} s.', [what_is_there(lines)])
        told = f'matches "{seen}"' if seen is not None else "matches nothing any more"
        return ToolResult(f'"{pattern}" {told}.', {"seen": not gone, "text": seen})

    def _wait_for_number(self, label: str, wanted: str, timeout: float, *, gone: bool) -> ToolResult:
        sign, limit = COMPARISON.fullmatch(wanted).groups()  # type: ignore[union-attr]  # it was validated

        def numbers(frame: Frame) -> list[float]:
            found = (number_in(value.text) for value in values_of(label, frame, self._eyes))
            return [one for one in found if one is not None]

        def is_so(frame: Frame) -> bool:
            found = numbers(frame)
            return bool(found) and all(COMPARE[sign](one, float(limit)) for one in found) is not gone

        done, look = self._eyes.watch(is_so, timeout)
        told = ", ".join(f"{one:g}" for one in numbers(look.frame))
        if not done:
            there = f'The number of "{label}" is {told}' if told else f'There is no number of "{label}"'
            lines = self._eyes.read(look.frame)
            raise ToolFailure("TIMEOUT", f"{there} after {timeout:g} s.", [what_is_there(lines, label)])
        return ToolResult(f'The number of "{label}" is {told}.', {"seen": not gone, "numbers": numbers(look.frame)})

    def _until_changed(self, before: Frame, seconds: float, *, animated: bool) -> tuple[list[Region], Frame]:
        """Wait until the screen differs from `before`; return where, and the screen then."""
        places, look = self._eyes.watch(lambda frame: self._eyes.news(before, frame, animated=animated), seconds)
        return places, look.frame


def _read(lines: tuple[Line, ...], nothing: str) -> ToolResult:
    told = joined("\n", (message(f'"{line.text}" at ', line.region.center) for line in lines))
    data: list[dict[str, Any]] = [{"text": line.text, "place": line.region.to_list()} for line in lines]
    return ToolResult(told or nothing, data)
