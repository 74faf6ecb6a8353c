"""Listens to the person in a Wayland session: to the hotkey with sway, and to their use of mouse and keyboard."""

import contextlib
import os
from pathlib import Path

from toolbelt.desktops.base import InputWatcher
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.wayland.activity import ActivityWatch
from toolbelt.desktops.wayland.sway import SOCKET, HotkeyListener


class Listener:
    """Listens until it is closed.

    Args:
        socket_path: where the compositor listens.
        watcher: is told of the person's input.
        hotkey: stops the run.
        sees_input: whether the compositor tells of the person's input.
    """

    def __init__(self, socket_path: Path, watcher: InputWatcher, hotkey: Hotkey | None, *, sees_input: bool) -> None:
        path = os.environ.get(SOCKET)
        self._keys = HotkeyListener(Path(path), hotkey, watcher.stop) if path and hotkey else None
        self._activity = ActivityWatch(socket_path, watcher.pressed) if sees_input else None

    @property
    def has_hotkey(self) -> bool:
        """Whether the hotkey works."""
        return bool(self._keys and self._keys.has_hotkey)

    def look(self) -> None:
        """Report what the person used until now."""
        if activity := self._activity:
            activity.look()

    def own(self) -> contextlib.AbstractContextManager[None]:
        """Mark input of the agent."""
        activity = self._activity
        return activity.own() if activity else contextlib.nullcontext()

    def close(self) -> None:
        """Stop listening."""
        activity, self._activity = self._activity, None
        if activity:
            activity.close()
        if self._keys:
            self._keys.close()
