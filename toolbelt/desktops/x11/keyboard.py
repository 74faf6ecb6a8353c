"""Typing on one X11 display: any Unicode text, exactly.

A character of the active layout is typed with its own key; any other one is mapped to a spare keycode for a moment. The
X server sends keycodes, not characters, and each program looks them up when it processes them; so the map may only be
restored once the focused program has read its keys (`input_sync.py`).

Not covered: programs that give single keys another meaning (completion, vi), input methods that compose what is typed,
nine characters that X's compose table replaces in some programs (U+17FB to U+17FF, U+FEF5, U+FEF7, U+FEF9, U+FEFB),
and, in Chromium, which reads the keyboard map only once, shortcuts with a letter that none of the person's layouts has.
A process killed while it types leaves the spare keycodes mapped; `key_releaser.py` or the next keyboard clears them.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

from xcffib import xproto

from toolbelt.desktops.keysyms import (
    MODIFIERS,
    UNMAPPED,
    Key,
    Keymap,
    Stroke,
    keysym_of,
    keysyms_of_text,
    parse_key,
    parse_keys,
)
from toolbelt.desktops.x11.connection import KEY_PRESS, KEY_RELEASE, Connection
from toolbelt.desktops.x11.input_sync import Check, polls, wait_until_loaded, wait_until_read
from toolbelt.desktops.x11.xkb import KeyboardMap, Keyboards
from world_model import ToolFailure

__all__ = ["X11Keyboard", "parse_keys"]

_CHECK_EVERY: Final = 20  # keystrokes
_READ_EVERY: Final = 200  # keystrokes a program may have unread: those can no longer be stopped
_READ_MAX_S: Final = 15.0  # for a program to read its keys
_LIFTED: Final = (
    xproto.MapIndex.Shift,
    xproto.MapIndex.Control,
    xproto.MapIndex._1,  # noqa: SLF001 - its name is a number
    xproto.MapIndex._4,  # noqa: SLF001
    xproto.MapIndex._5,  # noqa: SLF001
)
_LEDGER: Final = "_MARK_I_SPARE_KEYS"  # the root property that lists the spare keycodes in use
_SHIFT: Final = MODIFIERS["shift"]


class X11Keyboard:
    """Types any Unicode text exactly, and presses keys and combinations, on one X11 display.

    Modifiers that a person holds meanwhile, and Caps Lock, have no effect and are restored afterwards.

    `check` is called every 20 characters and inside every wait. Whatever it raises ends the typing, with every key up
    and the keyboard map restored; keys that the program has not read by then are lost.

    Waiting consumes the events of the connection, so pass one that nobody else reads.

    Raises (all methods): ToolFailure if something cannot be typed now, DesktopError if the display went away.
    """

    def __init__(self, display: Connection) -> None:
        self._display = display
        self._map = KeyboardMap(display)
        self._keyboards = Keyboards(display)
        self._held: list[int] = []
        self._held_by_name: dict[str, list[int]] = {}  # those of the held that stay down until `up`, by their names
        self._lifted: dict[int, list[int]] = {}
        self._mapped: list[int] = []

    def type(self, text: str, check: Check, stays: Callable[[], bool] | None = None) -> int:
        """Type text into the focused window; newlines are Return, tabs are Tab, other control characters are refused.

        Keys that `down` holds are released meanwhile.

        Args:
            text: what to type.
            check: called every 20 characters and in every wait.
            stays: called every 20 characters; once it returns False, no more is typed.

        Returns:
            How many characters were typed.
        """
        keysyms, count = keysyms_of_text(text), 0
        check()
        with self._modifiers_lifted(alone=True) as keymap:
            for run, extra in keymap.batches(keysyms):
                self._map_spare(extra, check)
                typed = self._type_run(run, extra, keymap, check, stays)
                self._wait_if_mapped(check)
                count += typed
                if typed < len(run):
                    break
        return count

    def press(self, keys: str, check: Check, seconds: float = 0.0) -> None:
        """Press keys together, such as "ctrl+shift+s", hold them, and release them in reverse order."""
        names = parse_keys(keys)
        check()
        with self._modifiers_lifted(alone=False) as keymap:
            pressed = self._press_keys(self._codes(names, keymap, check))
            self._sync()
            if seconds:
                for _ in polls(self._display, check, seconds):
                    self._display.poll()  # a display that is gone is noticed at once
            self._release_keys(pressed)
            self._wait_if_mapped(check)

    def down(self, key: str, check: Check) -> None:
        """Press one key and hold it until `up` or `release`."""
        name = parse_key(key)
        if name in self._held_by_name:
            raise ToolFailure("NO_CHANGE", f"The key {name} is down already.", ["Release it with key_up."])
        check()
        with self._modifiers_lifted(alone=False) as keymap:
            self._held_by_name[name] = self._press_keys(self._codes([name], keymap, check))
            self._sync()

    def up(self, key: str, check: Check) -> None:
        """Release a key that `down` holds; this happens before `check` is first called."""
        name = parse_key(key)
        if name not in self._held_by_name:
            down = f"Down are {', '.join(self._held_by_name)}." if self._held_by_name else "None is."
            raise ToolFailure("NO_CHANGE", f"The key {name} was not put down with key_down.", [down])
        self._release_keys(self._held_by_name.pop(name))
        try:
            self._wait_if_mapped(check)
        finally:
            self._release_all()

    def release(self) -> None:
        """Release every key that we hold and restore the spare keycodes."""
        self._held_by_name.clear()
        self._release_all()

    def clear_leftovers(self) -> None:
        """Restore the spare keycodes of a process that was killed while it typed; otherwise none would be left."""
        if stale := set(self._display.numbers(self._display.root, _LEDGER)).difference(self._mapped):
            self._map.write(dict.fromkeys(stale, UNMAPPED))
            self._write_ledger()

    @property
    def _staying(self) -> list[int]:
        """The keycodes that stay down until `up` or `release`; a program may read their presses late."""
        return [code for codes in self._held_by_name.values() for code in codes]

    @contextmanager
    def _modifiers_lifted(self, *, alone: bool) -> Iterator[Keymap]:
        """Lift all modifiers and locks, and restore them afterwards.

        The effect of a lock key is kept: if it was on, pressing it turns it off. `alone` also lifts the keys we hold.
        """
        self._display.errors.clear()
        while self._display.next_event() is not None:
            pass  # such as our own changes of the keyboard map
        self.clear_leftovers()
        before = self._map.state()
        self._map.lock(0)
        try:
            if alone:
                self._lift(self._held)
                self._held = []
            self._lift_modifiers()
            yield Keymap(self._map.read(), self._map.state().group)
        finally:
            self._release_all()
            after = self._map.state()
            self._map.lock(before.locks ^ after.locks, before.latches)
            if after.locked_group != before.locked_group:
                self._map.lock_group(before.locked_group)
            self._restore()

    def _lift_modifiers(self) -> None:
        """Release the modifiers that others hold: a held Ctrl would turn text into commands."""
        down = self._keyboards.down().difference(self._held)
        if down:
            rows = self._display.modifier_rows()
            self._lift(down.intersection(code for index in _LIFTED for code in rows[index]))

    def _lift(self, keycodes: Collection[int]) -> None:
        self._lifted |= self._keyboards.holders(keycodes)
        for code in keycodes:
            self._display.fake(KEY_RELEASE, code)

    def _restore(self) -> None:
        for code, holders in self._lifted.items():
            self._keyboards.put_down_again(code, holders)
        self._lifted.clear()
        self._held = self._staying
        self._display.sync()

    def _write_ledger(self) -> None:
        if self._mapped:
            self._display.set_property(self._display.root, _LEDGER, xproto.Atom.CARDINAL, self._mapped)
        else:
            self._display.delete_property(self._display.root, _LEDGER)

    def _codes(self, names: list[str], keymap: Keymap, check: Check) -> list[int]:
        """Return the keycodes of keys that are pressed together."""
        keysyms = [keysym for name in names if (keysym := keysym_of(name)) is not None]
        keymap = self._in_the_layout_that_has(keysyms, keymap)
        [(run, extra)] = keymap.batches(keysyms)
        if lacking := [name for name, keysym in MODIFIERS.items() if keysym in extra]:
            raise ToolFailure("TOOL_ERROR", f"The keyboard layout has no {' and no '.join(lacking)} key.")
        self._map_spare(extra, check)
        return _with_shift([extra.get(keysym) or keymap.find(keysym) for keysym in run], keymap)

    def _in_the_layout_that_has(self, keysyms: list[int], keymap: Keymap) -> Keymap:
        """Switch to another layout of the person if the active one lacks a key: not all programs know a spare one."""
        for other in (keymap, *keymap.others()):
            if all(other.find(keysym) for keysym in keysyms):
                if other is not keymap:
                    self._map.lock_group(other.group)
                return other
        return keymap

    def _map_spare(self, extra: dict[int, Stroke], check: Check) -> None:
        """Map the spare keycodes to the characters of this batch."""
        levels: dict[int, list[int]] = {}
        for keysym, stroke in extra.items():
            # Fill both levels, as the second one may be unused.
            levels.setdefault(stroke.keycode, [keysym, keysym])[stroke.shift] = keysym
        if levels:
            unmapped = dict.fromkeys(set(self._mapped).difference(self._held, self._staying), UNMAPPED)
            self._mapped = sorted({*self._mapped, *levels})
            self._write_ledger()
            self._map.write(unmapped | {code: Key.of_two(*pair) for code, pair in levels.items()})
            self._sync()
            wait_until_loaded(self._display, check)

    def _wait_if_mapped(self, check: Check) -> None:
        self._sync()
        if self._mapped:
            self._wait_until_read(check)

    def _wait_until_read(self, check: Check) -> None:
        if not wait_until_read(self._display, check, _READ_MAX_S):
            raise ToolFailure(
                "TOOL_ERROR",
                f"The focused program did not read its keys within {_READ_MAX_S:.0f} s; some may be missing.",
                ["Check what has arrived before typing more."],
            )

    def _type_run(
        self,
        run: list[int],
        extra: dict[int, Stroke],
        keymap: Keymap,
        check: Check,
        stays: Callable[[], bool] | None,
    ) -> int:
        """Type a batch, and return how much of it was typed."""
        for start in range(0, len(run), _CHECK_EVERY):
            check()
            if stays and not stays():
                return start
            if start % _READ_EVERY == 0 < start:
                self._wait_until_read(check)
            self._lift_modifiers()
            for keysym in run[start : start + _CHECK_EVERY]:
                self._release_keys(self._press_keys(_with_shift([extra.get(keysym) or keymap.find(keysym)], keymap)))
            self._sync()
        return len(run)

    def _press_keys(self, codes: list[int]) -> list[int]:
        """Press keys in this order; return those that we did not hold already."""
        new = [code for code in codes if code not in self._held]
        for code in new:
            self._held.append(code)
            self._display.fake(KEY_PRESS, code)
        return new

    def _release_keys(self, codes: Collection[int]) -> None:
        """Release keys, last pressed first."""
        for code in reversed([code for code in self._held if code in codes]):
            self._display.fake(KEY_RELEASE, code)
            self._held.remove(code)

    def _release_all(self) -> None:
        """Release every key and spare keycode, except those that `down` holds."""
        staying = self._staying
        self._release_keys(set(self._held).difference(staying))
        if spare := set(self._mapped).difference(staying):
            self._map.write(dict.fromkeys(spare, UNMAPPED))
            self._mapped = sorted(set(self._mapped).intersection(staying))
            self._write_ledger()
        self._display.sync()

    def _sync(self) -> None:
        """Wait until the X server has processed everything.

        Raises:
            ToolFailure: It refused something.
        """
        self._display.sync()
        if self._display.errors:
            raise ToolFailure("TOOL_ERROR", f"The X server refused a key: {self._display.errors[0]}.")


def _with_shift(strokes: list[Stroke | None], keymap: Keymap) -> list[int]:
    """Return the keycodes of strokes pressed together, with Shift before the last if any of them needs it."""
    codes = [_code(stroke) for stroke in strokes]
    if any(stroke and stroke.shift for stroke in strokes) and (shift := _code(keymap.find(_SHIFT))) not in codes:
        codes.insert(-1, shift)
    return codes


def _code(stroke: Stroke | None) -> int:
    if stroke is None:
        raise ToolFailure("TOOL_ERROR", "The keyboard layout has no Shift key, which is needed.")
    return stroke.keycode
