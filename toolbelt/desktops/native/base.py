"""Mouse and keyboard on Windows and macOS, as far as both work alike: exact text, held keys and buttons.

What differs between them is a `NativePlatform` (`windows.py`, `macos.py`).
"""

import importlib
import re
from collections.abc import Sequence
from typing import Any, Final, Protocol

from toolbelt.control import Control
from toolbelt.desktops.base import Button, Direction, Window, native_system
from toolbelt.desktops.buttons import HoldingMouse
from toolbelt.desktops.keysyms import keysyms_of_text, parse_key, parse_keys
from world_model import DesktopError, Point, Region, ToolFailure

BATCH_CHARACTERS: Final = 20  # typed between two checks for a stop
AS_MEANT: Final = {
    "left": "primary",
    "middle": "middle",
    "right": "secondary",
}  # even if a left-handed person has swapped them


class Keys(Protocol):
    """The keyboard of a system."""

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """Return the codes of named keys, in the order in which they are pressed, or None if one is missing."""

    def type(self, text: str) -> None:
        """Type text, without any modifiers that are held."""

    def tap(self, codes: Sequence[int]) -> None:
        """Press and release keys together."""

    def down(self, codes: Sequence[int]) -> list[int]:
        """Press keys; return those that we did not hold already."""

    def up(self, codes: Sequence[int]) -> None:
        """Release keys, last pressed first."""

    def release(self) -> None:
        """Release every key that `down` pressed."""


class NativePlatform(Protocol):
    """What differs between the systems. Windows are those of a `Desktop`; buttons have pyautogui's names."""

    @property
    def keys(self) -> Keys:
        """The keyboard."""

    def click(self, at: Point, button: str, count: int) -> None:
        """Click several times in a row at the pointer, which was moved there before."""

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel."""

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""

    def close_window(self, window: Window) -> None:
        """Ask a window to close."""

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be raised."""

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to be moved and resized to a region."""


def typeable(text: str) -> str:
    """Return the text with newlines as its only line ends.

    Raises:
        ToolFailure: INVALID_ARGS for characters that cannot be typed.
    """
    keysyms_of_text(text)
    return re.sub("\r\n?", "\n", text)


class NativeKeyboard:
    """Types any text exactly, presses keys, and knows which keys it holds."""

    def __init__(self, keys: Keys, control: Control) -> None:
        self._keys = keys
        self._control = control
        self._staying: dict[str, list[int]] = {}

    def type(self, text: str) -> None:
        """Type text into the focused window; a stop ends it between two batches."""
        whole = typeable(text)
        for start in range(0, len(whole), BATCH_CHARACTERS):
            self._control.check_takeover()
            self._keys.type(whole[start : start + BATCH_CHARACTERS])

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press keys together, hold them, and release them in reverse order."""
        names = parse_keys(keys)
        if not seconds and self._keys.chord(names) is None and len(names) == len(names[0]) == 1:
            self._keys.type(names[0])
        elif not seconds:
            self._keys.tap(self._codes(names))
        else:
            pressed = self._keys.down(self._codes(names))
            try:
                self._control.wait(seconds)
            finally:
                self._keys.up(pressed)

    def down(self, key: str) -> None:
        """Press one key and hold it until `up` or `release`."""
        name = parse_key(key)
        if name in self._staying:
            raise ToolFailure("NO_CHANGE", f"The key {name} is down already.", ["Release it with key_up."])
        self._staying[name] = self._keys.down(self._codes([name]))

    def up(self, key: str) -> None:
        """Release a key that `down` pressed."""
        name = parse_key(key)
        if name not in self._staying:
            down = f"Down are {', '.join(self._staying)}." if self._staying else "None is."
            raise ToolFailure("NO_CHANGE", f"The key {name} was not put down with key_down.", [down])
        self._keys.up(self._staying[name])
        del self._staying[name]

    def release(self) -> None:
        """Release every key that we hold."""
        self._staying.clear()
        self._keys.release()

    def _codes(self, names: Sequence[str]) -> list[int]:
        codes = self._keys.chord(names)
        if codes is None:
            raise ToolFailure(
                "TOOL_ERROR",
                f"The keyboard of {native_system()} has no {' + '.join(names)}.",
                ["Any text can be typed with type_text."],
            )
        return codes


class NativeMouse(HoldingMouse):
    """Moves the pointer and clicks with pyautogui."""

    def __init__(self, pyautogui: Any, platform: NativePlatform) -> None:  # noqa: ANN401 - it ships no types
        super().__init__()
        self._pyautogui = pyautogui
        self._platform = platform

    def move(self, to: Point) -> None:
        """Move the pointer."""
        self._go(to)
        if self._pyautogui.position() != (to.x, to.y):
            self._go(to)  # on Windows, the first move between monitors of different scales may fall short

    def click(self, at: Point, button: Button, count: int) -> None:
        """Click `count` times in a row."""
        self._refuse_if_held(button)
        self.move(at)
        self._platform.click(at, self._own_name(button), count)

    def _go(self, to: Point) -> None:
        """Move the pointer: on macOS, moving with a button down is a different event."""
        if self._held:
            self._pyautogui.dragTo(to.x, to.y, button=next(reversed(self._held)), mouseDownUp=False)
        else:
            self._pyautogui.moveTo(to.x, to.y)

    def _own_name(self, button: Button) -> str:
        return AS_MEANT[button]

    def _press(self, own: str) -> None:
        self._pyautogui.mouseDown(button=own)

    def _release(self, own: str) -> None:
        self._pyautogui.mouseUp(button=own)


def quick_pyautogui() -> Any:  # noqa: ANN401 - it ships no types
    """Import pyautogui, without its pauses and its fail-safe.

    The fail-safe raises an `Exception`, which a tool can swallow, and fires if the agent itself moves into a corner.

    Raises:
        DesktopError: pyautogui cannot be imported; without tkinter, it ends the program.
    """
    try:
        pyautogui: Any = importlib.import_module("pyautogui")
    except (ImportError, SystemExit) as error:
        raise DesktopError(f"pyautogui, which moves the mouse, cannot be loaded: {error}".rstrip()) from error
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui
