"""The keyboard."""

import sys
import time
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from toolbelt.desktops.base import Desktop
from toolbelt.desktops.shells import is_terminal
from toolbelt.elements.text_fields import field_beside
from toolbelt.ocr.text_match import Match, plain
from toolbelt.parameters import Enters, KeyNames, Pastes, Replaces, Times, Typed
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.lateness import is_seen
from toolbelt.perception.settling import REACTION_S, SETTLE_MAX_S
from toolbelt.perception.sighting import Sighting
from toolbelt.targeting.descriptions import described, place_of, screen_of
from toolbelt.targeting.targets import Target, TextTarget, aimed, find_patiently, hit, in_dialog, only
from toolbelt.tool import tool
from world_model import FIELDS, Frame, Region, ToolFailure, message

COMMAND_KEY: Final = "super" if sys.platform == "darwin" else "ctrl"
PASTE_KEYS: Final = f"{COMMAND_KEY}+v"
SELECT_ALL_KEYS: Final = f"{COMMAND_KEY}+a"
SELECT_FROM_START_KEYS: Final = (
    ("super+up", "super+shift+down") if sys.platform == "darwin" else ("ctrl+home", "ctrl+shift+end")
)
MAX_PACE_MS: Final = 1000  # between two keys of a typed text
MAX_PACED_S: Final = 240.0  # for a text that is typed at a pace
MAX_PRESSES: Final = 100  # in one call of `press`
MAX_HOLD_S: Final = 60.0  # of one call of `hold`
FORM_QUIET_S: Final = 0.3  # without a change, after which a form has processed a text

Keys = Annotated[str, KeyNames, Field(description="A key or a combination, such as `ctrl+shift+t`.")]
Key = Annotated[str, KeyNames, Field(description="One key, such as `shift`.")]


class Keyboard:
    """Types and presses keys on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop: Desktop = eyes.desktop
        self._typed_s = 0.0  # when a text was typed last

    @tool(seconds=300, instead=["click"], looks_once=True)
    def type_text(  # noqa: PLR0913, PLR0917 - called by name
        self,
        text: Annotated[str, Typed, Field(description="What to type; a newline is the enter key.")],
        into: Annotated[Target | None, Field(description="The field to click first.")] = None,
        enter: Annotated[bool, Enters, Field(description="Press enter at the end.")] = False,  # noqa: FBT002 - called by name
        pace_ms: Annotated[
            int, Field(ge=0, le=MAX_PACE_MS, description="Time between two keys, for a program that drops keys.")
        ] = 0,
        paste: Annotated[  # noqa: FBT002 - called by name
            bool, Pastes, Field(description="Paste it, for a program that changes what is typed.")
        ] = False,
        replace: Annotated[  # noqa: FBT002 - called by name
            bool, Replaces, Field(description="Replace all that the field holds.")
        ] = False,
    ) -> str:
        """Type a text, a newline as the enter key; `enter` presses it at the end.

        `replace`: over all that the field holds. For a program that drops keys, `pace_ms` is the time between two;
        `paste` is for one that changes what is typed.
        """
        if paste and pace_ms:
            raise ToolFailure("INVALID_ARGS", "A text is pasted at once: leave out `pace_ms` or `paste`.")
        if len(text) * pace_ms / 1000 > MAX_PACED_S:
            told = f"{len(text)} characters at {pace_ms} ms each take more than {MAX_PACED_S:g} s."
            raise ToolFailure("INVALID_ARGS", told, ["Type a part of it, or faster."])
        place = None if into is None else self._enter_field(into)
        front = self._eyes.permit_keys(clicked=place is not None)
        if replace:
            self._select_all(front, delete=paste or not text)  # in some programs, what is pasted replaces nothing
        if paste:
            self._paste(text, front)
        else:
            self._type(text.replace("\r\n", "\n"), front, pace_ms)
        self._typed_s = time.monotonic()
        if place is not None or enter:
            self._wait_for_form()
        if enter:
            if front:
                self._eyes.require_focus(front, "The text was typed, and enter was not pressed.")
            self._desktop.press("enter")
        typed = f"{'Pasted' if paste else 'Typed'} {len(text)} character{'' if len(text) == 1 else 's'}"
        over = " over what was there" if replace else ""
        return message(typed, _where(place), over, " and pressed enter." if enter else ".")

    @tool(instead=["click"])
    def press(
        self, keys: Keys, times: Annotated[int, Field(ge=1, le=MAX_PRESSES, description="How often."), Times] = 1
    ) -> str:
        """Press a key or a combination, such as `enter`, `f5` or `ctrl+shift+t`."""
        front = self._eyes.permit_keys()
        if keys == "enter" and time.monotonic() - self._typed_s < FORM_QUIET_S:
            self._wait_for_form()
            if front:
                self._eyes.require_focus(front, "Enter was not pressed.")
        self._desktop.press(keys)
        for count in range(1, times):
            self._desktop.attend(SETTLE_MAX_S)  # it may open a window, to which the next would go
            if front:
                self._eyes.require_focus(front, f"{keys} was pressed {count} of {times} times.")
            self._desktop.press(keys)
        return f"Pressed {keys}{f' {times} times' if times > 1 else ''}."

    @tool(holds_keys="for", seconds=MAX_HOLD_S + 30, instead=["key_down"], unseen=True, rare=True)
    def hold(self, keys: Keys, seconds: Annotated[float, Field(gt=0, le=MAX_HOLD_S, description="How long.")]) -> str:
        """Hold a key or a combination down for some seconds."""
        self._eyes.permit_keys()
        self._desktop.press(keys, seconds)
        return f"Held {keys} for {seconds:g} s."

    @tool(holds_keys="down", instead=["key_up"], unseen=True, rare=True)
    def key_down(self, key: Key) -> str:
        """Hold one key down until `key_up`.

        It applies to clicks and keys, not to typed text.
        """
        self._eyes.permit_keys()
        self._desktop.key_down(key)
        return f"The key {key} is down, until key_up or the end of the run."

    @tool(holds_keys="up", instead=["key_down"], unseen=True, idempotent=True, rare=True)
    def key_up(self, key: Key) -> str:
        """Release a key."""
        self._desktop.key_up(key)
        return f"Let go of the key {key}."

    def _wait_for_form(self) -> None:
        """Wait for a form to react to a text: suggestions appear, a button is enabled.

        Input before that is lost: until then, GTK's file dialog ignores Save and the enter key.
        """
        self._eyes.settle(self._eyes.look(), FORM_QUIET_S, quiet=FORM_QUIET_S)

    def _type(self, text: str, front: int | None, pace_ms: int) -> None:
        count = 0
        for part in text if pace_ms else (text,):
            count += (typed := self._desktop.type(part, front))
            if typed < len(part):
                raise self._eyes.stale_focus(front or 0, f"{count} of {len(text)} characters were typed.")
            self._eyes.control.wait(pace_ms / 1000)

    def _select_all(self, front: int | None, *, delete: bool) -> None:
        windows = self._desktop.windows()
        pid = next((one.pid for one in windows if one.id == front), None)
        if is_terminal(pid, {one.pid for one in windows} - {pid}):
            raise ToolFailure("INVALID_ARGS", "At a terminal no text can be selected: leave out `replace`.")
        before = self._eyes.look()
        self._desktop.press(SELECT_ALL_KEYS)
        if not is_seen(self._eyes.news(before, self._eyes.settle(before, REACTION_S).frame)):
            for keys in SELECT_FROM_START_KEYS:  # nothing looks selected: in some programs only the caret moves
                self._desktop.press(keys)
        if front:
            self._eyes.require_focus(front, "Nothing was typed.")
        if delete:
            self._desktop.press("delete")

    def _paste(self, text: str, front: int | None) -> None:
        self._desktop.write_clipboard(text)
        if front:
            self._eyes.require_focus(front, "Nothing was pasted.")
        self._desktop.press(PASTE_KEYS)

    def _enter_field(self, into: Target) -> Match:
        name = into.text if isinstance(into, TextTarget) and not into.beside and not into.is_described else into
        if isinstance(name, str):
            place = hit(partial(self._field, name), self._eyes.click)
        elif isinstance(into, TextTarget) and into.is_described:
            place = aimed(into.model_copy(update={"role": into.role or "textbox"}), self._eyes, self._eyes.click)
        else:
            place = aimed(into, self._eyes, self._eyes.click)
        self._eyes.settle(self._eyes.shown, REACTION_S)  # the window manager may still be moving the focus there
        return place

    def _said_fields(self, name: str, frame: Frame) -> list[Match]:
        """Return the fields that their programs call by a name."""
        if not self._eyes.is_said(name, frame):  # to find all elements takes longer
            return []
        fields = [one for one in self._eyes.elements(frame) if one.said and one.role in FIELDS]
        return [place_of(one) for one in fields if plain(one.text) == plain(name)]

    def _field(self, name: str) -> Sighting:
        """Find the field of that name: what its program calls so, else the one whose label (`Name:`) is that text."""
        said, seen = self._eyes.watch(lambda frame: self._said_fields(name, frame), 0)
        if len(said) == 1:
            self._eyes.permit(said[0].point)
            return Sighting(said[0], seen)
        places, look = find_patiently(name, self._eyes)
        frame = self._eyes.look()
        fields = [(place, field) for place in places if place.region and (field := field_beside(frame, place.region))]
        labels = [(place, field) for place, field in fields if place.name.endswith(":")]
        if not fields:  # it may have several lines, or a faint border
            larger = described("textbox", name, screen_of(self._eyes, frame))
            fields = [(place, place.region) for place in larger if place.region]
        if not fields:
            raise ToolFailure(
                "TARGET_NOT_FOUND",
                f'"{name}" is on the screen, but there is no field in, beside or below it.',
                ["Click where the text belongs and type without `into`, or give a point."],
            )
        chosen = only(name, in_dialog(_in_different(labels or fields), self._eyes))
        field = dict(fields)[chosen]
        self._eyes.permit(field.center)
        match = Match(field.center, chosen.name, field, called=f'the field "{chosen.name}"', role="textbox")
        return Sighting(match, look)


def _where(place: Match | None) -> str:
    if place is None:
        return ""
    return message(" into " if place.region else " into the field at ", place.told)


def _in_different(fields: list[tuple[Match, Region]]) -> list[Match]:
    """Drop matches that lead to the same field as an earlier one, such as its label and its text."""
    return [
        place for at, (place, field) in enumerate(fields) if not any(field.overlaps(other) for _, other in fields[:at])
    ]
