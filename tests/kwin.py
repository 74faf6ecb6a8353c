"""The real compositor of Plasma for tests: KWin without a screen, and a portal whose input really arrives in it."""

import contextlib
import os
import shutil
import signal
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.portal import Portal
from tests.session_programs import SessionPrograms
from toolbelt.desktops.virtual import xvfb_keeper
from toolbelt.desktops.virtual.desktop import ACCESSIBLE
from toolbelt.desktops.virtual.xvfb_keeper import ADDRESS
from toolbelt.desktops.wayland.wire import Interface, Wire

WIDTH, HEIGHT = 1280, 800
FAKE_INPUT: Final = "org_kde_kwin_fake_input"
REQUESTS: Final = {
    "authenticate": "s s",
    "pointer_motion": "f f",
    "button": "u u",
    "axis": "u f",
    "touch_down": "u f f",
    "touch_motion": "u f f",
    "touch_up": "u",
    "touch_cancel": "",
    "touch_frame": "",
    "pointer_motion_absolute": "f f",
    "keyboard_key": "u u",
}
KEYCODES: Final = dict(zip("qwertyuiop[]\r\0asdfghjkl;'`\0\\zxcvbnm", range(16, 51), strict=True)) | {" ": 57}


class KWin(SessionPrograms, Portal):
    """KWin, what runs in it, and a portal that gives it the input that it gets."""

    _log = "kwin.log"

    def __init__(self, folder: Path) -> None:
        self._folder, self._mark = folder, uuid.uuid4().hex
        self._services, self._programs = list[subprocess.Popen[bytes]](), list[subprocess.Popen[bytes]]()
        self._input: Any = None
        address = xvfb_keeper.begin_bus(folder, os.environ | {xvfb_keeper.MARK: self._mark}, self._services)
        assert address, "There is no dbus-daemon or no at-spi2-core"
        own = {name: str(folder) for name in ("XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
        self.environment = os.environ | own | ACCESSIBLE | {ADDRESS: address, "GSETTINGS_BACKEND": "memory"}
        self.environment |= {"WAYLAND_DISPLAY": "w", "XDG_SESSION_TYPE": "wayland", "GDK_BACKEND": "wayland"}
        super().__init__(address)
        self.streams = [(7, {"position": ("(ii)", (0, 0)), "size": ("(ii)", (WIDTH, HEIGHT))})]

    def start(self) -> None:
        """Start KWin; a copy of it, for the right that Debian gives the original may be beyond this process."""
        copied = shutil.copy(str(shutil.which("kwin_wayland")), self._folder / "kwin_wayland")
        without = {"KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "KWIN_COMPOSE": "Q"}
        command = f"{copied} --virtual --width {WIDTH} --height {HEIGHT} --socket w --no-lockscreen"
        told, script = self._folder / "display", self._folder / "script"
        script.write_text(f"#!/bin/sh\nprintf %s $DISPLAY >{told}\n")
        script.chmod(0o755)
        with (self._folder / "kwin.log").open("wb") as log:
            self.process = subprocess.Popen(
                [*command.split(), "--no-global-shortcuts", "--xwayland", str(script)],
                env={name: value for name, value in self.environment.items() if name != "WAYLAND_DISPLAY"} | without,
                cwd=self._folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.until(lambda: told.exists() and told.read_text())
        self.environment["DISPLAY"] = told.read_text()
        self._wire = Wire(self.socket, {FAKE_INPUT: Interface(FAKE_INPUT, 4, REQUESTS)})
        self._input = self._wire.bind(FAKE_INPUT)
        self._input.send("authenticate", "the tests", "there is no person")

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self._folder / "w"

    def end(self) -> None:
        """End it with everything in it."""
        self._wire.close()
        for process in (*self._programs, self.process):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        xvfb_keeper.end_all(f"{xvfb_keeper.MARK}={self._mark}{xvfb_keeper.BUS}".encode())
        for process in self._services:
            process.wait()
        self.close()

    def notified(self, method: str, values: tuple[Any, ...]) -> None:
        """Give KWin the input that the portal gets."""
        super().notified(method, values)
        match method, values:
            case "NotifyPointerMotionAbsolute", (_, x, y):
                self._input.send("pointer_motion_absolute", x, y)
            case "NotifyPointerButton", (button, state):
                self._input.send("button", button, state)
            case "NotifyKeyboardKeysym", (keysym, state) if code := KEYCODES.get(chr(keysym)):
                self._input.send("keyboard_key", code, state)
        self._wire.roundtrip()


@contextmanager
def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KWin]:
    """A session of its own for a test."""
    monkeypatch.delenv("SWAYSOCK", raising=False)
    kwin = KWin(folder)
    try:
        kwin.start()
        for name in ("XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "WAYLAND_DISPLAY", "DISPLAY", ADDRESS):
            monkeypatch.setenv(name, kwin.environment[name])
        yield kwin
    finally:
        kwin.end()
