"""The keyboard of a session of the portal: keysyms, for which the compositor finds the keys of the person's layout.

Each is sent when the portal has taken the one before, for it does not keep the order of those that overlap.
"""

from collections.abc import Callable, Iterable
from typing import Final

from toolbelt.desktops.keysyms import MODIFIERS, keysym_of, keysyms_of_text, parse_key, parse_keys
from toolbelt.desktops.wayland.portal.keymap import Keymap
from toolbelt.desktops.wayland.portal.session import Check, Session
from world_model import ToolFailure

_RELEASED, _PRESSED = 0, 1
_SHIFT: Final = MODIFIERS["shift"]
_STAYS_EVERY: Final = 5  # keystrokes; to ask which window has the focus takes about half as long as one of them


class PortalKeyboard:
    """Types what the person's keyboard has, presses keys, and knows which keys it holds."""

    def __init__(self, session: Session, keymap: Keymap) -> None:
        self._session, self._keymap = session, keymap
        self._held: dict[str, int] = {}  # the keysym of each key that stays down

    @staticmethod
    def wake(session: Session) -> None:
        """Press a key that does nothing by itself, so that a session that has no keyboard gets one."""
        for state in (_PRESSED, _RELEASED):
            session.send("NotifyKeyboardKeysym", "iu", _SHIFT, state)

    def has(self, character: str) -> bool:
        """Whether a character can be typed."""
        return all(self._keymap.find(one) is not None for one in keysyms_of_text(character))

    def type(self, text: str, check: Check, stays: Callable[[], bool] | None = None) -> int:
        """Type text, of which every character is on the keyboard; returns how many characters were typed.

        Args:
            text: the text.
            check: raises if the run is to stop.
            stays: tells whether the window that was meant still has the focus.
        """
        keysyms = [self._there(one, text) for one in keysyms_of_text(text)]
        held = [*self._held.values()]
        self._send(reversed(held), _RELEASED)
        try:
            for done, keysym in enumerate(keysyms):
                check()  # at each: a keystroke takes the portal about 10 ms
                if stays and done % _STAYS_EVERY == 0 and not stays():
                    return done
                self._send([keysym], _PRESSED)
                self._send([keysym], _RELEASED)
            return len(text)
        finally:
            self._send(held, _PRESSED)

    def press(self, keys: str, hold: Callable[[], object]) -> None:
        """Press keys together, hold them while `hold` runs, and release them in reverse order."""
        pressed = [one for one in map(self._key, parse_keys(keys)) if one not in self._held.values()]
        down = list[int]()
        try:
            for keysym in pressed:
                down.append(keysym)
                self._send([keysym], _PRESSED)
            hold()
        finally:
            self._send(reversed(down), _RELEASED)

    def down(self, key: str) -> None:
        """Press one key and hold it until `up` or `release`."""
        name = parse_key(key)
        if name in self._held:
            raise ToolFailure("NO_CHANGE", f"The key {name} is down already.", ["Release it with key_up."])
        self._held[name] = self._key(name)
        self._send([self._held[name]], _PRESSED)

    def up(self, key: str) -> None:
        """Release a key that `down` pressed."""
        name = parse_key(key)
        if name not in self._held:
            down = f"Down are {', '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The key {name} was not put down with key_down.", [down])
        self._send([self._held.pop(name)], _RELEASED)

    def release(self) -> None:
        """Release every key that we hold."""
        held = [*self._held.values()]
        self._held.clear()
        self._send(reversed(held), _RELEASED)

    def _key(self, name: str) -> int:
        keysym = keysym_of(name)
        return self._there(keysym or 0, name)

    def _there(self, keysym: int, name: str) -> int:
        found = self._keymap.find(keysym)
        if found is None:
            told = (
                f'"{name}" has a character or a key that the keyboard layout of this session lacks; nothing was sent.'
            )
            raise ToolFailure("INVALID_ARGS", told, ["Use other keys, or ask the person for another keyboard layout."])
        return found

    def _send(self, keysyms: Iterable[int], state: int) -> None:
        for keysym in keysyms:
            self._session.send("NotifyKeyboardKeysym", "iu", keysym, state)
