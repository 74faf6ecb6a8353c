"""Virtual desktops that are kept: where one is, whether it is still there, and how it is ended."""

import contextlib
import json
import os
import select
import shutil
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from toolbelt.desktops.virtual import xvfb_keeper
from world_model import DesktopError, Size, file_fault

END_MAX_S: Final = (
    20.0  # for a keeper to end its programs, three times `xvfb_keeper.TERMINATE_MAX_S`, on a busy machine
)
OWNER_END_MAX_S: Final = 5.0  # for a program to end by itself once its display is gone


@dataclass(frozen=True, slots=True)
class KeptDesktop:
    """A virtual desktop that outlives the process that started it, as its state file describes it.

    Attributes:
        file: The state file; its name is that of the desktop.
        display: The X display, such as `:7`.
        bus: The address of its session bus; None if it has none.
        size: Its size when it was started.
        mark: Carried by every process on it, in the environment; a desktop of another time has another mark.
        keeper: The id of the process that ends it.
        start_ticks: When the keeper was started, in clock ticks since the machine was.
        since_s: When it was kept, in seconds of `time.time()`.
        folder: The temporary folder of its keeper.
    """

    file: Path
    display: str
    bus: str | None
    size: Size
    mark: str
    keeper: int
    start_ticks: int
    since_s: float
    folder: Path

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a state file.

        Raises:
            DesktopError: It is not there, or describes no desktop.
        """
        try:
            return cls._from(file, json.loads(file.read_text("utf-8")))
        except OSError as error:
            raise DesktopError(f"{file} cannot be read: {file_fault(error)}.") from error
        except (KeyError, TypeError, ValueError) as error:
            raise DesktopError(f"{file} describes no desktop of this version of MARK-I; delete it.") from error

    @classmethod
    def _from(cls, file: Path, told: dict[str, Any]) -> Self:
        if told["version"] != xvfb_keeper.STATE_VERSION:
            raise ValueError(told["version"])
        size, bus = Size.parse(told["size"]), told["bus"]
        numbers = int(told["keeper"]), int(told["start_ticks"]), float(told["since_s"])
        return cls(
            file, str(told["display"]), bus and str(bus), size, str(told["mark"]), *numbers, Path(told["folder"])
        )

    @property
    def name(self) -> str:
        """Its name."""
        return self.file.stem

    @property
    def is_open(self) -> bool:
        """Whether its keeper runs; after a reboot, another process may have the same id."""
        try:
            ours = xvfb_keeper.start_ticks(self.keeper) == self.start_ticks
            return ours and self.mark.encode() in Path(f"/proc/{self.keeper}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False

    def end(self) -> None:
        """End every program on it, and the display, and remove the state file, whether its keeper runs or not.

        Raises:
            DesktopError: The state file cannot be removed.
        """
        with contextlib.suppress(ProcessLookupError), _handle(self.keeper) as keeper:
            if self.is_open:  # asked only now, when the handle means no other process any longer
                signal.pidfd_send_signal(keeper, signal.SIGTERM)
                _wait(keeper, END_MAX_S)
            if self.is_open:
                signal.pidfd_send_signal(keeper, signal.SIGKILL)
                _wait(keeper, END_MAX_S)
        for suffix in ("", xvfb_keeper.BUS, ""):  # the keeper did so, unless it was killed
            xvfb_keeper.end_all(f"{xvfb_keeper.MARK}={self.mark}{suffix}".encode(), [os.getpid()])
        if self.folder.name.startswith(xvfb_keeper.FOLDER_PREFIX):
            shutil.rmtree(self.folder, ignore_errors=True)
        try:
            if xvfb_keeper.holds(self.file, self.mark):
                self.file.unlink(missing_ok=True)
        except OSError as error:
            raise DesktopError(f"{self.file} cannot be removed: {file_fault(error)}.") from error


class Owners:
    """Processes that are to end by themselves until this is left, and are killed otherwise.

    Some programs overwrite their environment, and their mark with it, such as Chromium.
    """

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._handles: list[int] = []

    def __enter__(self) -> Self:
        return self

    def hold(self, pids: Iterable[int | None]) -> None:
        """Add processes; from now on, no other process can be taken for one of them."""
        for pid in {pid for pid in pids if pid is not None and pid != os.getpid()}:
            with contextlib.suppress(OSError):  # it has ended
                self._handles.append(self._stack.enter_context(_handle(pid)))

    def __exit__(self, *_error: object) -> None:
        with self._stack:
            for handle in self._handles:
                if not _wait(handle, OWNER_END_MAX_S):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)


@contextlib.contextmanager
def _handle(pid: int) -> Iterator[int]:
    """Open a handle of a process, which stays that process's even if its id is used again.

    Raises:
        ProcessLookupError: There is no such process.
    """
    handle = os.pidfd_open(pid)
    try:
        yield handle
    finally:
        os.close(handle)


def _wait(handle: int, seconds: float) -> bool:
    """Wait for a process to end; whether it did."""
    return bool(select.select([handle], [], [], seconds)[0])
