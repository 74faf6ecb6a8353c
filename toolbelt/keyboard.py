"""The hands on the keyboard: any Unicode text, exactly, on one X11 display.

A character that the active layout has is typed with its own key. Every other one gets a spare keycode for a moment.
The X server sends key numbers, not characters, and each program looks the number up itself, when it gets to it; so the
map may only be put back when the program that has the focus has read its keys (`toolbelt/attention.py`).

Not covered: a program that gives single keys another meaning (auto-completion, vi), an input method that composes what
is typed, and nine characters that X's own compose table replaces in some programs (U+17FB to U+17FF, U+FEF5, U+FEF7,
U+FEF9, U+FEFB). A process killed while it types leaves the spare keycodes mapped; the next keyboard clears them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from Xlib import X, Xatom, error
from Xlib.display import Display
from Xlib.ext import xtest

from toolbelt.attention import Check, looks, wait_until_loaded, wait_until_read
from toolbelt.keysyms import (
    MODIFIERS,
    UNMAPPED,
    Key,
    KeyboardMap,
    Keymap,
    Stroke,
    keysym_of,
    keysyms_of_text,
    parse_keys,
)
from world_model.errors import DesktopError, ToolFailure

__all__ = ["X11Keyboard", "parse_keys"]

_CHECK_EVERY: Final = 20  # keystrokes
_READ_CAP: Final = 15.0  # seconds for a program to read its keys
_HELD_CAP: Final = 2.0  # seconds for a person to let go of a modifier
_MODIFIER_BITS: Final = {
    X.ShiftMask: "Shift",
    X.ControlMask: "Ctrl",
    X.Mod1Mask: "Alt",
    X.Mod4Mask: "Super",
    X.Mod5Mask: "AltGr",
}
_CAPS_LOCK: Final = 0xFFE5
_SHIFT: Final = MODIFIERS["shift"]


class X11Keyboard:
    """Types any Unicode text exactly, and presses keys and combinations, on one X11 display.

    `check` is called every 20 characters and inside every wait. Whatever it raises ends the typing, with every key up
    and the keyboard map as it was; keys that the program had not read by then are lost.

    The display's event queue is used and emptied while we wait, so give us a connection of our own.

    Raises (all methods): ToolFailure for what cannot be typed now, DesktopError if the display went away.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._root = display.screen().root
        self._ledger = display.intern_atom("_MARK_I_SPARE_KEYS")
        self._map = KeyboardMap(display)
        self._held: list[int] = []
        self._mapped: list[int] = []
        self._errors: list[error.XError] = []
        # Without a handler Xlib prints what went wrong and goes on.
        display.set_error_handler(lambda xerror, _request: self._errors.append(xerror))

    def type(self, text: str, check: Check) -> None:
        """Type the text where the focus is; line ends are Return, tabs are Tab, other controls are refused."""
        keysyms = keysyms_of_text(text)
        check()
        with self._hands(check) as keymap:
            for run, extra in keymap.batches(keysyms):
                self._map_spare(extra, check)
                self._type_run([extra.get(keysym) or keymap.find(keysym) for keysym in run], keymap, check)
                self._wait_if_mapped(check)

    def press(self, keys: str, check: Check) -> None:
        """Press keys together, "ctrl+shift+s", and let them go in reverse."""
        keysyms = [keysym for name in parse_keys(keys) if (keysym := keysym_of(name)) is not None]
        check()
        with self._hands(check) as keymap:
            [(run, extra)] = keymap.batches(keysyms)
            if lacking := [name for name, keysym in MODIFIERS.items() if keysym in extra]:
                raise ToolFailure("TOOL_ERROR", f"the keyboard has no {' and no '.join(lacking)} key")
            self._map_spare(extra, check)
            self._chord([extra.get(keysym) or keymap.find(keysym) for keysym in run], keymap)
            self._wait_if_mapped(check)

    def release(self) -> None:
        """Let go of every key that we hold and put the spare keycodes back."""
        with _display_there():
            for keycode in reversed(self._held):
                xtest.fake_input(self._display, X.KeyRelease, keycode)
            self._held.clear()
            if self._mapped:
                self._map.write(dict.fromkeys(self._mapped, UNMAPPED))
                self._root.delete_property(self._ledger)
            self._mapped.clear()
            self._display.sync()

    @contextmanager
    def _hands(self, check: Check) -> Iterator[Keymap]:
        """The keyboard to ourselves: no modifier down, Caps Lock off, and everything as it was afterwards."""
        self._errors.clear()
        with _display_there():
            while self._display.pending_events():
                self._display.next_event()  # nobody else takes the news of our own map changes away
            self._clear_leftovers()
            state = self._state_without_modifiers(check)
            keymap = Keymap(self._map.read(), group=state >> 13 & 3)
            caps = [keymap.find(_CAPS_LOCK)] if state & X.LockMask else []
            try:
                self._chord(caps, keymap)
                yield keymap
            finally:
                self.release()
                self._chord(caps, keymap)
                self._display.sync()

    def _clear_leftovers(self) -> None:
        """Put back what a process that was killed while it typed wrote down: else no key would be spare for us."""
        if ledger := self._root.get_full_property(self._ledger, Xatom.CARDINAL):
            self._mapped = list(ledger.value)
            self.release()

    def _state_without_modifiers(self, check: Check) -> int:
        """The keyboard's state bits, once no modifier is down: a held Ctrl would turn text into commands."""
        down: list[str] = []
        for _ in looks(self._display, check, _HELD_CAP):
            state: int = self._root.query_pointer().mask
            down = [name for bit, name in _MODIFIER_BITS.items() if state & bit]
            if not down:
                return state
        raise ToolFailure("TOOL_ERROR", f"{' and '.join(down)} is held down on the keyboard; nothing was typed")

    def _map_spare(self, extra: dict[int, Stroke], check: Check) -> None:
        """Give the spare keycodes their characters, in place of those of the batch before."""
        levels: dict[int, list[int]] = {}
        for keysym, stroke in extra.items():
            # Both levels are filled, as the second place may be unused.
            levels.setdefault(stroke.keycode, [keysym, keysym])[stroke.shift] = keysym
        if levels:
            self._mapped = sorted({*self._mapped, *levels})
            self._root.change_property(self._ledger, Xatom.CARDINAL, 32, self._mapped)
            unmapped = dict.fromkeys(self._mapped, UNMAPPED)
            self._map.write(unmapped | {code: Key.of_two(*pair) for code, pair in levels.items()})
            self._sync()
            wait_until_loaded(self._display, check)

    def _wait_if_mapped(self, check: Check) -> None:
        self._sync()
        if self._mapped and not wait_until_read(self._display, check, _READ_CAP):
            raise ToolFailure(
                "TOOL_ERROR",
                f"the program that has the focus did not read its keys within {_READ_CAP:.0f} s; some may be missing",
                ["Look at what has arrived before typing more."],
            )

    def _type_run(self, strokes: list[Stroke | None], keymap: Keymap, check: Check) -> None:
        for start in range(0, len(strokes), _CHECK_EVERY):
            check()
            for stroke in strokes[start : start + _CHECK_EVERY]:
                self._chord([stroke], keymap)
            self._sync()

    def _chord(self, strokes: list[Stroke | None], keymap: Keymap) -> None:
        """Put down all the keys, with Shift before the last if any of them needs it, and let them go in reverse."""
        codes = [self._code(stroke) for stroke in strokes]
        shift = self._code(keymap.find(_SHIFT))
        if any(stroke and stroke.shift for stroke in strokes) and shift not in codes:
            codes.insert(-1, shift)
        for keycode in codes:
            self._held.append(keycode)
            xtest.fake_input(self._display, X.KeyPress, keycode)
        for keycode in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, keycode)
            self._held.remove(keycode)

    @staticmethod
    def _code(stroke: Stroke | None) -> int:
        if stroke is None:
            raise ToolFailure("TOOL_ERROR", "the keyboard map lacks a key that is needed (Shift or Caps Lock)")
        return stroke.keycode

    def _sync(self) -> None:
        """Wait until the X server has taken everything, and say so if it refused something."""
        self._display.sync()
        if self._errors:
            raise ToolFailure("TOOL_ERROR", f"the X server refused a key: {self._errors[0]}")


@contextmanager
def _display_there() -> Iterator[None]:
    try:
        yield
    except error.ConnectionClosedError as closed:
        raise DesktopError("the display went away under the keyboard") from closed
