"""A screen of the agent's own: Xvfb and a small window manager."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from xcffib import xproto

from toolbelt.control import Control
from toolbelt.desktops.activity import Rest
from toolbelt.desktops.base import Application, Window
from toolbelt.desktops.virtual import xvfb_keeper
from toolbelt.desktops.virtual.kept import KeptDesktop, Owners
from toolbelt.desktops.virtual.toolkits import speaking
from toolbelt.desktops.virtual.xauth import restrict_to_current_user
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.desktops.x11.windows import close, is_managed
from world_model import DesktopError, Region, Size

FOLDER: Final = Path(__file__).parent
BACKGROUND: Final = 0x2E3B4E  # a calm blue: a black screenshot of the empty desktop would look broken
CLOSE_MAX_S: Final = 5.0  # for windows to close and their programs to end by themselves
CLOSE_REST_S: Final = 0.3  # after so long at rest, a program is not closing: it waits for an answer, or ignores us
CLOSE_POLL_S: Final = 0.02
START_MAX_S: Final = 15.0  # for the window manager to start
# Toolkits that say what they show only if somebody wants to know: Qt, Chromium and Electron, Firefox.
ACCESSIBLE: Final = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "ACCESSIBILITY_ENABLED": "1", "GNOME_ACCESSIBILITY": "1"}
PACKAGES: Final = {"Xvfb": "xvfb", "openbox": "openbox"}


class VirtualDesktop(LiveDesktop):
    """A virtual desktop of `size`, on a free display number.

    Nothing on it outlives `close` or this process, unless it is kept: then it stays until somebody calls `end`.

    Raises:
        DesktopError: Xvfb or openbox is not installed, or does not start.
    """

    stays = False
    kept: KeptDesktop | None = None  # where it is, if it is kept

    def __init__(self, size: Size, control: Control) -> None:
        mark = uuid.uuid4().hex
        about = str(size), str(FOLDER / "openbox.xml"), mark, tempfile.gettempdir()
        self._keeper = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", "-S", xvfb_keeper.__file__, *about],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            display, bus = self._begun()
            self._connect(display, bus, mark, control)
            self.name = f"virtual desktop {size} ({self.name})"
            restrict_to_current_user(self._display)
            self._wait_for_window_manager()
            self._paint_background()
        except BaseException:  # a stop too: no X server stays behind
            self._end()
            raise

    @classmethod
    def attach(cls, kept: KeptDesktop, control: Control) -> Self:
        """Use a desktop that is kept. What runs on it stays as it is, before and after.

        Raises:
            DesktopError: It is gone.
        """
        if not kept.is_open:
            raise DesktopError(f"The desktop {kept.name} is gone.")
        desktop = cls.__new__(cls)
        desktop.stays, desktop.kept = True, kept
        desktop._connect(kept.display, kept.bus, kept.mark, control)  # noqa: SLF001 - its own
        desktop.name = f"kept desktop {kept.name}, {kept.size} ({desktop.name})"
        return desktop

    def share(self, control: Control) -> Self:
        """Use this desktop with another control. Closing the result leaves everything on it as it is.

        Raises:
            DesktopError: It is gone.
        """
        shared = type(self).__new__(type(self))
        shared._share(self, control)  # noqa: SLF001 - its own
        return shared

    def keep(self, file: Path, *, owned: bool = False) -> KeptDesktop:
        """Let the desktop outlive this object, and this process unless it is `owned`.

        `attach` finds it by its state file.

        Raises:
            DesktopError: The state file cannot be written; the desktop is gone.
        """
        keeper = self._keeper
        assert keeper.stdin is not None  # noqa: S101 - both were asked for
        assert keeper.stdout is not None  # noqa: S101
        with contextlib.suppress(BrokenPipeError), keeper.stdin:
            asked = str(file.absolute()), os.getpid() if owned else None
            keeper.stdin.write(json.dumps(asked).encode() + b"\n")
        with keeper.stdout:
            reply = json.loads(keeper.stdout.readline() or '{"error": "Its keeper ended."}')
        if reason := reply.get("error"):
            raise DesktopError(f"The virtual desktop cannot be kept: {reason}")
        self.stays, self.kept = True, KeptDesktop.read(file)
        threading.Thread(target=keeper.wait, name="keeper", daemon=True).start()  # once it ends, it leaves no zombie
        return self.kept

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program on this desktop; it ends with it, and says what it shows if it can."""
        return super().launch(speaking(command) if self._is_heard else command)

    def close(self) -> None:
        """End the desktop; one that is kept only is released, and everything on it stays."""
        if self.stays:
            super().close()
        else:
            self.end()

    def end(self) -> None:
        """Close the windows, then end every program on it, and the display."""
        with Owners() as owners:
            with contextlib.suppress(DesktopError):  # the display is gone already
                if self.kept:  # of programs that others started, only those with a window are known
                    owners.hold(window.pid for window in self.windows())
                self.close_windows()
            self.stays = False
            self._end()
        for process in self._started:
            process.end()  # the keeper misses programs that overwrite their environment, such as Chromium
        super().close()

    def _share(self, other: Self, control: Control) -> None:
        self.stays, self.kept, self._keeper = True, other.kept, other._keeper
        bus = other._environment[xvfb_keeper.ADDRESS] if other._is_heard else None
        self._connect(other.display, bus, other._environment[xvfb_keeper.MARK], control)
        self.name = other.name
        self._started = other._started  # what is started here ends with the other

    def _programs(self) -> list[int]:
        """Return every process on it, also one whose parent has ended."""
        mark = f"{xvfb_keeper.MARK}={self._environment[xvfb_keeper.MARK]}".encode()
        return list({*super()._programs(), *xvfb_keeper.marked(mark)} - self._own_processes())

    def _reader_environment(self) -> dict[str, str]:
        """Return the environment of the process that asks programs what they show; it is none of the programs."""
        return self._environment | {xvfb_keeper.MARK: self._environment[xvfb_keeper.MARK] + xvfb_keeper.BUS}

    def _own_processes(self) -> set[int]:
        """Return the processes of the display itself."""
        keeper = self.kept.keeper if self.kept else self._keeper.pid
        children = Path(f"/proc/{keeper}/task/{keeper}/children")
        with contextlib.suppress(OSError):
            return set(map(int, children.read_text(encoding="ascii").split()))
        return set()

    def close_windows(self) -> list[Window]:
        """Ask every window to close, the topmost first, and give the programs time to end by themselves.

        A window that asks something first ("Save changes?") is left: nobody answers it. A stop does not end this.

        Returns:
            The windows that are left.
        """
        control, rest, remaining = Control(), Rest(), self.windows()[::-1]
        count = len(remaining) + 1
        end = time.monotonic() + CLOSE_MAX_S
        while True:
            left = self.windows()
            windows = {window.id for window in left}
            remaining = [window for window in remaining if window.id in windows]
            if len(remaining) < count:  # a dialog may have closed, and its owner can close now
                count = len(remaining)
                self._ask_to_close(remaining)
            now, active = time.monotonic(), self.activity()
            if not (windows or active.used_s) or now >= end or rest.seconds(active, windows, now) >= CLOSE_REST_S:
                return left
            control.wait(CLOSE_POLL_S)

    def _ask_to_close(self, asked: Sequence[Window]) -> None:
        with self._capturing:
            for window in asked:
                close(self._display, window)

    def _start_releaser(self) -> None:
        """Start it only on a desktop that is kept: any other ends if this process is killed."""
        if self.stays:
            super()._start_releaser()

    def _connect(self, display: str, bus: str | None, mark: str, control: Control) -> None:
        """Connect to the display, and prepare the environment of the programs that are started here."""
        super().__init__(display, control)
        self._environment |= {xvfb_keeper.MARK: mark, "GSETTINGS_BACKEND": "memory"}
        # Not the person's own bus: through it, an application could open its window on their screen instead.
        self._environment[xvfb_keeper.ADDRESS] = bus or "disabled:"
        self._environment |= ACCESSIBLE if bus else {"NO_AT_BRIDGE": "1"}
        self._is_heard = bus is not None

    def _begun(self) -> tuple[str, str | None]:
        """Return the display and the address of the session bus, once both are there."""
        assert self._keeper.stdout is not None  # noqa: S101 - it was asked for above
        reply = json.loads(self._keeper.stdout.readline() or '{"error": "its keeper ended"}')
        if program := reply.get("missing"):
            package = PACKAGES[program]
            raise DesktopError(
                f"A virtual desktop needs {program}, which is not installed: sudo apt-get install {package}"
            )
        if "display" not in reply:
            raise DesktopError(f"The virtual desktop did not start: {reply['error']}")
        return str(reply["display"]), reply["bus"]

    def _wait_for_window_manager(self) -> None:
        window = self._display.create_window(Region(0, 0, 1, 1), {})
        if not self.control.until(lambda: is_managed(self._display, window), START_MAX_S):
            raise DesktopError(f"The window manager of the {self.name} did not start.")
        self._display.core.DestroyWindow(window)
        self._display.sync()

    def _paint_background(self) -> None:
        self._display.change_attributes(self._display.root, {xproto.CW.BackPixel: BACKGROUND})
        self._display.core.ClearArea(False, self._display.root, 0, 0, 0, 0)  # noqa: FBT003 - all of it
        self._display.sync()

    def _end(self) -> None:
        if self.kept:
            self.kept.end()
            return
        if self._keeper.stdin is not None:
            self._keeper.stdin.close()
        self._keeper.wait()
        if self._keeper.stdout is not None:
            self._keeper.stdout.close()
