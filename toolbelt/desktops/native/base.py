"""The hands on Windows and macOS, as far as both do it alike: any text exactly, keys and buttons that stay down.

What each does in its own way is a `Hands` (`toolbelt/desktops/native/windows.py`, `toolbelt/desktops/native/macos.py`).
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

BATCH: Final = 20  # characters between two looks at whether the run was stopped
AS_MEANT: Final = {"left": "primary", "middle": "middle", "right": "secondary"}  # whichever a left-handed person has


class Keys(Protocol):
    """The keyboard of one system."""

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """The keys of these names, in the order in which they go down; None where one is lacking."""

    def type(self, text: str) -> None:
        """Type a text, with nobody's modifiers."""

    def tap(self, codes: Sequence[int]) -> None:
        """Press keys together and let them go."""

    def down(self, codes: Sequence[int]) -> list[int]:
        """Put keys down; gives those that were not down through us already."""

    def up(self, codes: Sequence[int]) -> None:
        """Let go of keys, the last first."""

    def release(self) -> None:
        """Let go of every key that `down` put down."""


class Hands(Protocol):
    """What each system does in its own way; windows as a `Desktop` has them, buttons as pyautogui names them."""

    @property
    def keys(self) -> Keys:
        """Its keyboard."""

    def click(self, at: Point, button: str, count: int) -> None:
        """Click several times in a row; the pointer was sent there before."""

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel."""

    def windows(self) -> list[Window]:
        """The applications' windows, the topmost last."""

    def close_window(self, window: Window) -> None:
        """Ask a window to close."""

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be brought to the front."""

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to cover a region."""


def typeable(text: str) -> str:
    """The text with a newline at the end of every line.

    Raises:
        ToolFailure: INVALID_ARGS for what cannot be typed.
    """
    keysyms_of_text(text)
    return re.sub("\r\n?", "\n", text)


class NativeKeyboard:
    """Types any text exactly, presses keys, and knows what it holds."""

    def __init__(self, keys: Keys, control: Control) -> None:
        self._keys = keys
        self._control = control
        self._staying: dict[str, list[int]] = {}

    def type(self, text: str) -> None:
        """Type the text where the focus is; a stop ends it between two batches."""
        whole = typeable(text)
        for start in range(0, len(whole), BATCH):
            self._control.check_takeover()
            self._keys.type(whole[start : start + BATCH])

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press keys together, hold them so long, and let them go in reverse."""
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
        """Put one key down, to stay so until `up` or `release`."""
        name = parse_key(key)
        if name in self._staying:
            raise ToolFailure("NO_CHANGE", f"The key {name} is down already.", ["Let it go with key_up."])
        self._staying[name] = self._keys.down(self._codes([name]))

    def up(self, key: str) -> None:
        """Let go of a key that `down` put down."""
        name = parse_key(key)
        if name not in self._staying:
            down = f"Down are {', '.join(self._staying)}." if self._staying else "None is."
            raise ToolFailure("NO_CHANGE", f"The key {name} was not put down with key_down.", [down])
        self._keys.up(self._staying[name])
        del self._staying[name]

    def release(self) -> None:
        """Let go of every key that we hold."""
        self._staying.clear()
        self._keys.release()

    def _codes(self, names: Sequence[str]) -> list[int]:
        codes = self._keys.chord(names)
        if codes is None:
            raise ToolFailure(
                "TOOL_ERROR",
                f"The keyboard of {native_system()} has no {' + '.join(names)}.",
                ["Text, whatever it is, can be typed with type_text."],
            )
        return codes


class NativeMouse(HoldingMouse):
    """Moves the pointer and clicks, and knows which buttons it holds."""

    def __init__(self, pyautogui: Any, hands: Hands) -> None:  # noqa: ANN401 - it ships no types
        super().__init__()
        self._pyautogui = pyautogui
        self._hands = hands

    def move(self, to: Point) -> None:
        """Move the pointer."""
        self._go(to)
        if self._pyautogui.position() != (to.x, to.y):
            self._go(to)  # on Windows, between monitors of different scales, the first may fall short

    def click(self, at: Point, button: Button, count: int) -> None:
        """Click `count` times in a row."""
        self._refuse_if_held(button)
        self.move(at)
        self._hands.click(at, self._own_name(button), count)

    def _go(self, to: Point) -> None:
        """To macOS, to move is another thing while a button is down."""
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
    """Import pyautogui, without its pauses, and without its fail-safe.

    The fail-safe raises an `Exception`, which a tool can swallow, and fires in a corner that the agent itself went to.

    Raises:
        DesktopError: pyautogui cannot be imported: without tkinter it ends the program.
    """
    try:
        pyautogui: Any = importlib.import_module("pyautogui")
    except (ImportError, SystemExit) as error:
        raise DesktopError(f"pyautogui, which moves the mouse, cannot be loaded: {error}".rstrip()) from error
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui
