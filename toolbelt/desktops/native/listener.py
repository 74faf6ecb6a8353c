"""Detects mouse and keyboard input of a person on Windows or macOS, through pynput.

Both systems mark input that a program made; such input, by the agent or another program, is never a takeover. Not yet
run on either system.
"""

import importlib
from typing import Any, Final

from toolbelt.desktops.base import InputWatcher
from toolbelt.desktops.hotkey import Hotkey
from world_model import Point

# Keys that have another name in pynput.
NAMES: Final = {
    "altgr": "alt_gr",
    "super": "cmd",
    "escape": "esc",
    "pageup": "page_up",
    "pagedown": "page_down",
    "capslock": "caps_lock",
    "numlock": "num_lock",
    "scrolllock": "scroll_lock",
    "printscreen": "print_screen",
    "volumeup": "media_volume_up",
    "volumedown": "media_volume_down",
    "volumemute": "media_volume_mute",
}


class NativeListener:
    """Listens until it is closed. The hotkey works even if another program uses it: no program has it exclusively."""

    has_hotkey = True

    def __init__(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> None:
        keyboard: Any = importlib.import_module("pynput.keyboard")
        mouse: Any = importlib.import_module("pynput.mouse")
        self._watcher = watcher
        self._hotkey: Any = keyboard.HotKey(keyboard.HotKey.parse(spelled(hotkey)), watcher.stop) if hotkey else None
        self._mouse: Any = mouse.Listener(on_move=self._on_move, on_click=self._on_click, on_scroll=self._on_scroll)
        self._keys: Any = keyboard.Listener(on_press=self._on_press, on_release=self._on_release)
        for listener in (self._mouse, self._keys):
            listener.start()

    def close(self) -> None:
        """Stop listening."""
        for listener in (self._mouse, self._keys):
            listener.stop()

    def _on_move(self, x: float, y: float, injected: bool) -> None:  # noqa: FBT001 - as pynput calls it
        self._watcher.looked(Point(int(x), int(y)), moved=not injected, ours=injected)

    def _on_click(self, _x: float, _y: float, _button: object, pressed: bool, injected: bool) -> None:  # noqa: FBT001
        if pressed and not injected:
            self._watcher.pressed()

    def _on_scroll(self, _x: float, _y: float, _dx: float, _dy: float, injected: bool) -> None:  # noqa: FBT001
        if not injected:
            self._watcher.pressed()

    def _on_press(self, key: object, injected: bool) -> None:  # noqa: FBT001
        if injected:
            return
        if self._hotkey:
            self._hotkey.press(self._keys.canonical(key))
        self._watcher.pressed()

    def _on_release(self, key: object, injected: bool) -> None:  # noqa: FBT001
        if self._hotkey and not injected:
            self._hotkey.release(self._keys.canonical(key))


def spelled(hotkey: Hotkey) -> str:
    """Return the hotkey in pynput's notation, `<ctrl>+<alt>+<esc>`."""
    names = [NAMES.get(name, name) for name in (*hotkey.modifiers, hotkey.key)]
    return "+".join(name if len(name) == 1 else f"<{name}>" for name in names)
