"""A real Wayland session for tests: sway without a screen, in a folder of its own."""

import contextlib
import os
import shutil
import signal
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.session_programs import SessionPrograms
from toolbelt.control import Control
from toolbelt.desktops.virtual import xvfb_keeper
from toolbelt.desktops.virtual.desktop import ACCESSIBLE
from toolbelt.desktops.virtual.xvfb_keeper import ADDRESS
from toolbelt.desktops.wayland import WaylandDesktop
from toolbelt.desktops.wayland.sway import Sway

SESSION: Final = ("WAYLAND_DISPLAY", "SWAYSOCK", "DISPLAY")  # the variables that name one
CONFIG: Final = "output HEADLESS-1 resolution 1280x800\nfocus_follows_mouse no\nxwayland force\n"


class Session(SessionPrograms):
    """sway, and what runs in it; the environment of this process names it meanwhile.

    With `heard`, programs in it say what they show, on a bus of its own.
    """

    _log = "sway.log"

    def __init__(self, folder: Path, *, heard: bool = False) -> None:
        self._folder, self._programs = folder, list[subprocess.Popen[bytes]]()
        self._heard, self._mark, self._services = heard, uuid.uuid4().hex, list[subprocess.Popen[bytes]]()
        self.config = folder / "config"
        self.config.write_text(CONFIG + f"exec env > {folder}/environment\n")

    def start(self) -> None:
        """Start it; as root in a namespace of users, for sway refuses to be root's, and its X server wants a name."""
        runtime = self._folder / "runtime"
        runtime.mkdir(mode=0o700)
        before = {name: value for name, value in os.environ.items() if name not in SESSION}
        headless = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
        self.environment = before | headless | {"XDG_RUNTIME_DIR": str(runtime), ADDRESS: "disabled:"}
        if self._heard:
            self.environment |= self._begun_bus() | ACCESSIBLE
        namespace = ["unshare", "--user", "--map-user=nobody", "--map-group=nogroup"] if os.getuid() == 0 else []
        with (self._folder / "sway.log").open("wb") as log:
            self.process = subprocess.Popen(
                [*namespace, "sway", "-c", str(self.config)],
                env=self.environment,
                cwd=self._folder,  # where a program that crashes leaves its memory
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        told = self._folder / "environment"
        self.until(lambda: told.exists() and "SWAYSOCK=" in told.read_text())
        given = dict(line.split("=", 1) for line in told.read_text().splitlines() if "=" in line)
        for name in SESSION:
            self.environment[name] = given[name]
        self.environment |= {"XDG_SESSION_TYPE": "wayland", "GDK_BACKEND": "wayland"}

    @property
    def socket(self) -> Path:
        """Where its compositor listens."""
        return Path(self.environment["XDG_RUNTIME_DIR"], self.environment["WAYLAND_DISPLAY"])

    def command(self, text: str) -> None:
        """Tell sway to do something, as its user would."""
        with contextlib.closing(Sway(Path(self.environment["SWAYSOCK"]))) as sway:
            assert not sway.command(text)

    def titles(self) -> list[str]:
        """The titles of all windows, the focused one first."""
        with contextlib.closing(Sway(Path(self.environment["SWAYSOCK"]))) as sway:
            found = sorted(sway.windows(), key=lambda one: not one["focused"])
            return [one["name"] or "" for one in found]

    def _begun_bus(self) -> dict[str, str]:
        """Start a bus with the accessibility service; return the variable that names it."""
        folder = self._folder / "bus"
        folder.mkdir(mode=0o700)
        address = xvfb_keeper.begin_bus(folder, os.environ | {xvfb_keeper.MARK: self._mark}, self._services)
        assert address, "There is no dbus-daemon or no at-spi2-core"
        return {ADDRESS: address, "GSETTINGS_BACKEND": "memory"}

    def close(self) -> None:
        """End it with everything in it."""
        for process in (*self._programs, self.process):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        xvfb_keeper.end_all(f"{xvfb_keeper.MARK}={self._mark}{xvfb_keeper.BUS}".encode())
        for process in self._services:
            process.wait()


@contextmanager
def opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, heard: bool = False, config: str = ""
) -> Iterator[Session]:
    """A session of its own for a test."""
    session = Session(folder, heard=heard)
    session.config.write_text(session.config.read_text() + config)
    try:
        session.start()
        for name in ("XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", ADDRESS, *SESSION):
            monkeypatch.setenv(name, session.environment[name])
        yield session
    finally:
        session.close()


@contextmanager
def desktop_of(session: Session, control: Control) -> Iterator[WaylandDesktop]:
    """The desktop of a session."""
    with contextlib.closing(WaylandDesktop(session.socket, control)) as desktop:
        yield desktop


def skip_without() -> None:
    """Skip a test where there is no sway."""
    if not shutil.which("sway"):
        pytest.skip("There is no sway")


def page(folder: Path, body: str) -> str:
    """The address of a page."""
    file = folder / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>page</title><body style='margin:0'>{body}")
    return file.as_uri()
