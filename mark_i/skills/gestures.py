"""What a person does, as the tools would do it: presses and releases become clicks, drags, texts and keys."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolbelt.desktops.x11 import BUTTON_PRESS, KEY_PRESS, KEY_RELEASE, InputEvent, KeyReader
from toolbelt.tools import MAX_PRESSES
from world_model import Point

DOUBLE_CLICK_MAX_S: Final = 0.5  # between two clicks that belong together
SAME_PLACE_PX: Final = 5  # between them
DRAG_MIN_PX: Final = 8  # between press and release
CLICKS: Final = ("click", "double_click", "triple_click")
OTHER_BUTTONS: Final[Mapping[int, str]] = {2: "middle_click", 3: "right_click"}
WHEEL: Final[Mapping[int, str]] = {4: "up", 5: "down", 6: "left", 7: "right"}
NOTCHES_MAX: Final = 100  # of one scroll
ALONE: Final = frozenset({"alt", "super"})  # modifiers that do something when nothing else is pressed with them


@dataclass(slots=True)
class Gesture:
    """One thing that a person does, which grows while it goes on.

    Attributes:
        tool: the tool that does the same.
        begun_s: when it began, in the time of `time.monotonic`.
        places: where it began, and for a drag where it ended.
        text: what was typed.
        keys: what was pressed.
        count: how often it was clicked, pressed or scrolled.
        holding: the modifiers that were down at a click or a drag.
    """

    tool: str
    begun_s: float
    places: list[Point] = field(default_factory=list)
    text: str = ""
    keys: str = ""
    direction: str = ""
    count: int = 1
    holding: str = ""
    button: int = 0
    ended_s: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether it was taken back: all that was typed is gone again."""
        return self.tool == "type_text" and not self.text

    @property
    def args(self) -> dict[str, Any]:
        """The arguments of the tool, without targets."""
        match self.tool:
            case "type_text":
                return {"text": self.text}
            case "press":
                return {"keys": self.keys, **({"times": self.count} if self.count > 1 else {})}
            case "scroll":
                return {"direction": self.direction, "amount": self.count}
        return {"holding": self.holding} if self.holding and self.tool in {"click", "drag"} else {}


class Gestures:
    """Turns events into gestures, one after the other.

    Args:
        keys: says what keys mean.
        stop: the names of the keys that stop the recording, which belong to no gesture.

    Attributes:
        open: the newest, which may still grow.
        unknown: what could not be told.
    """

    def __init__(self, keys: KeyReader, stop: frozenset[str] = frozenset()) -> None:
        self._keys, self._stop = keys, stop
        self.open: Gesture | None = None
        self.unknown: list[str] = []
        self._lone = ""  # a modifier that is down, and with which nothing was pressed yet

    def take(self, event: InputEvent) -> None:
        """Take the next event."""
        if event.kind == KEY_PRESS:
            self._key(event)
        elif event.kind == KEY_RELEASE:
            self._key_up(event)
        elif event.code in WHEEL:
            if event.kind == BUTTON_PRESS:
                self._wheel(event)
        elif event.kind == BUTTON_PRESS:
            self._down(event)
        else:
            self._up(event)

    def _key(self, event: InputEvent) -> None:
        stroke = self._keys.read(event)
        if stroke.modifier:
            self._lone = stroke.keys if stroke.keys in ALONE else ""
            return
        self._lone = ""
        if stroke.unknown:
            self.unknown.append(stroke.unknown)
        elif stroke.text:
            if self.open is None or self.open.tool != "type_text":
                self.open = Gesture("type_text", event.when_s)
            self.open.text += stroke.text
        elif stroke.keys:
            self._press(stroke.keys, event.when_s)

    def _key_up(self, event: InputEvent) -> None:
        if self._lone and self._keys.read(event).keys == self._lone:
            self._press(self._lone, event.when_s)
        self._lone = ""

    def _press(self, keys: str, when_s: float) -> None:
        now = self.open
        if frozenset(keys.split("+")) == self._stop:
            return
        if keys == "backspace" and now and now.tool == "type_text" and now.text:
            now.text = now.text[:-1]
        elif now and now.tool == "press" and now.keys == keys and now.count < MAX_PRESSES:
            now.count += 1
        else:
            self.open = Gesture("press", when_s, keys=keys)

    def _wheel(self, event: InputEvent) -> None:
        self._lone = ""
        direction, now = WHEEL[event.code], self.open
        if held := self._keys.held(event.state):
            self.unknown.append(f"the wheel with {'+'.join(held)}")
        elif now and now.tool == "scroll" and now.direction == direction and now.count < NOTCHES_MAX:
            now.count += 1
        else:
            self.open = Gesture("scroll", event.when_s, [event.at], direction=direction)

    def _down(self, event: InputEvent) -> None:
        self._lone = ""
        now = self.open
        if now and now.button == event.code == 1 and now.tool in CLICKS[:2] and _is_again(now, event):
            now.tool = CLICKS[CLICKS.index(now.tool) + 1]
            return
        if event.code != 1 and event.code not in OTHER_BUTTONS:
            self.unknown.append(f"the mouse button {event.code}")
            return
        tool = OTHER_BUTTONS.get(event.code, "click")
        holding = "+".join(self._keys.held(event.state))
        self.open = Gesture(tool, event.when_s, [event.at], holding=holding, button=event.code)

    def _up(self, event: InputEvent) -> None:
        now = self.open
        if now is None or now.button != event.code:
            return
        now.ended_s = event.when_s
        if now.tool == "click" and math.dist(_pair(now.places[0]), _pair(event.at)) >= DRAG_MIN_PX:
            now.tool = "drag"
            now.places.append(event.at)


def _is_again(now: Gesture, event: InputEvent) -> bool:
    near = math.dist(_pair(now.places[0]), _pair(event.at)) <= SAME_PLACE_PX
    return near and not now.holding and 0 <= event.when_s - now.ended_s <= DOUBLE_CLICK_MAX_S


def _pair(place: Point) -> tuple[int, int]:
    return place.x, place.y
