"""The keyboard of a Wayland session (virtual-keyboard): a device of our own, with keymaps of our own.

A keymap reaches the program in front in order with the keys, so text is exact whatever layout the person has. The locks
of the person's keyboard do not count for ours, and ours not for theirs. A compositor ends a program that lets too much
input wait, so long text waits for it; so does a change of the keymap, for programs of X11 (XWayland) look a key up only
when they read it, in the map of that moment. The compositor releases all keys of ours if this process ends.
"""

import os
from collections.abc import Callable, Sequence
from typing import Final

from toolbelt.desktops.keysyms import Stroke, keysym_of, keysyms_of_text, parse_key, parse_keys
from toolbelt.desktops.wayland.keymap import MASKS, SHIFT, US, Strokes, batches, keymap_text
from toolbelt.desktops.wayland.mouse import now_ms
from toolbelt.desktops.wayland.protocols import KEYBOARDS, SEAT
from toolbelt.desktops.wayland.wire import Wire
from world_model import ToolFailure

_CHECK_EVERY: Final = 20  # keystrokes
_READ_EVERY: Final = 200  # keystrokes; a program that let some 2,000 wait was ended by sway 1.7
_READ_MAX_S: Final = 10.0  # for a program to read what was typed
_XKB: Final = 1  # the format of a keymap
_RELEASED, _PRESSED = 0, 1
Check = Callable[[], object]


class WaylandKeyboard:
    """Types any text exactly, presses keys, and knows which keys it holds."""

    def __init__(self, wire: Wire, attend: Callable[[float], bool]) -> None:
        self._wire, self._attend = wire, attend
        self._keyboard = wire.bind(KEYBOARDS).send("create_virtual_keyboard", wire.bind(SEAT))
        self._strokes = US  # of the keymap that is set
        self._mask = 0
        self._held: dict[str, tuple[int, int]] = {}  # code and keysym of each key that stays down
        self._set_keymap(US)
        wire.roundtrip()  # programs know of it before the first key

    def type(self, text: str, check: Check, stays: Callable[[], bool] | None = None) -> int:
        """Type text into the focused window; returns how many characters were typed.

        Args:
            text: the text.
            check: raises if the run is to stop.
            stays: tells whether the window that was meant still has the focus.
        """
        keysyms, done = keysyms_of_text(text), 0
        held = [*self._held.values()]
        self._up(held)
        try:
            for run, strokes in batches(keysyms):
                self._use(strokes)
                for start in range(0, len(run), _CHECK_EVERY):
                    check()
                    if start and start % _READ_EVERY == 0:
                        self._wait_until_read()
                    if stays and not stays():
                        return done
                    for keysym in run[start : start + _CHECK_EVERY]:
                        self._tap(strokes[keysym])
                    self._wire.roundtrip()
                    done += len(run[start : start + _CHECK_EVERY])
        finally:
            self._down(held)
        return done

    def press(self, keys: str, hold: Callable[[], object]) -> None:
        """Press keys together, hold them while `hold` runs, and release them in reverse order."""
        down = [one for one in self._codes(parse_keys(keys)) if one not in self._held.values()]
        self._down(down)
        try:
            hold()
        finally:
            self._up(down)

    def down(self, key: str) -> None:
        """Press one key and hold it until `up` or `release`."""
        name = parse_key(key)
        if name in self._held:
            raise ToolFailure("NO_CHANGE", f"The key {name} is down already.", ["Release it with key_up."])
        [pressed] = self._codes([name])
        self._held[name] = pressed
        self._down([pressed])

    def up(self, key: str) -> None:
        """Release a key that `down` pressed."""
        name = parse_key(key)
        if name not in self._held:
            down = f"Down are {', '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The key {name} was not put down with key_down.", [down])
        self._up([self._held.pop(name)])

    def release(self) -> None:
        """Release every key that we hold."""
        held = [*self._held.values()]
        self._held.clear()
        self._up(held)

    def _codes(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """Set a keymap that has these keys, and return their codes and keysyms, with Shift where one needs it."""
        keysyms = [keysym for name in names if (keysym := keysym_of(name)) is not None]
        [(_, strokes)] = batches(keysyms)
        self._use(strokes)
        found = [(strokes[keysym].keycode, keysym) for keysym in keysyms]
        shift = (US[_SHIFT].keycode, _SHIFT)
        if any(strokes[keysym].shift for keysym in keysyms) and shift not in [*found, *self._held.values()]:
            found.insert(-1, shift)
        return found

    def _use(self, strokes: Strokes) -> None:
        """Set a keymap, if another one is set."""
        if strokes == self._strokes:
            return
        self._wait_until_read()
        self._set_keymap(strokes)
        self._wait_until_read()
        self._strokes = strokes

    def _set_keymap(self, strokes: Strokes) -> None:
        content = keymap_text(strokes).encode() + b"\0"
        file = os.memfd_create("mark-i-keymap", os.MFD_CLOEXEC)
        try:
            os.truncate(file, len(content))
            os.pwrite(file, content, 0)
            self._keyboard.send("keymap", _XKB, file, len(content))
        finally:
            os.close(file)

    def _wait_until_read(self) -> None:
        if not self._attend(_READ_MAX_S):
            raise ToolFailure(
                "TOOL_ERROR",
                f"The focused program did not read its keys within {_READ_MAX_S:.0f} s; some may be missing.",
                ["Check what has arrived before typing more."],
            )

    def _tap(self, stroke: Stroke) -> None:
        self._modifiers(SHIFT if stroke.shift else 0)
        self._keyboard.send("key", now_ms(), stroke.keycode, _PRESSED)
        self._keyboard.send("key", now_ms(), stroke.keycode, _RELEASED)
        self._modifiers(0)

    def _down(self, keys: Sequence[tuple[int, int]]) -> None:
        for code, keysym in keys:
            self._keyboard.send("key", now_ms(), code, _PRESSED)
            self._modifiers(self._mask | MASKS.get(keysym, 0))
        self._wire.roundtrip()

    def _up(self, keys: Sequence[tuple[int, int]]) -> None:
        for code, keysym in reversed(keys):
            self._keyboard.send("key", now_ms(), code, _RELEASED)
            self._modifiers(self._mask & ~MASKS.get(keysym, 0))
        self._wire.roundtrip()

    def _modifiers(self, mask: int) -> None:
        """Say which modifiers are down, if others were."""
        if mask != self._mask:
            self._keyboard.send("modifiers", mask, 0, 0, 0)
            self._mask = mask


_SHIFT: Final = next(keysym for keysym, mask in MASKS.items() if mask == SHIFT)
