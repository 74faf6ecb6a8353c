"""The threads that run, watch and stop fleets, so that the window never waits for them."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final

from gui.fleet_page.model import FleetEnded, FleetFailed, FleetMessage, FleetReportWritten, FleetSeen
from gui.kit.browser import open_in_browser
from gui.kit.work_thread import WorkThread, describe_bug
from mark_i.config import DEFAULT_PROFILE
from mark_i.runs import is_running, stop_run
from world_model import MarkIError

if TYPE_CHECKING:
    from mark_i.fleet import FleetNow, FleetWatch

POLL_S: Final = 0.5  # between two looks at a fleet
STOP_MAX_S: Final = 60.0  # for all of its runs to release their desktops
REFUSED: Final = 2  # the exit code if the file or the folder is not right
PREFIX: Final = "mark-i: "  # of an error in a terminal
EARLY: Final = {"late": "The time of the fleet is over.", "spent": "The budget of the fleet is spent."}


class FleetThread:
    """The fleets of a profile. `put` is called on its threads."""

    def __init__(self, put: Callable[[FleetMessage], None], profile: str = DEFAULT_PROFILE) -> None:
        self._put, self._profile = put, profile
        self._stops = WorkThread("fleet stop", lambda message: put(FleetFailed(message)))
        self._reports = WorkThread("fleet report", lambda message: put(FleetFailed(message)))
        self._changed = threading.Condition()
        self._wanted: Path | None = None  # the folder to watch
        self._anew = False
        self._visible, self._closed = False, False
        self._watching: threading.Thread | None = None
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def alive(self) -> bool:
        """Whether a fleet that was begun here still runs."""
        return any(process.poll() is None for process in self._processes)

    def run(self, file: Path, folder: Path | None = None) -> None:
        """Run a file in a process of its own, into a folder if that is not the usual one, and watch it."""
        threading.Thread(target=self._guarded, args=(file, folder), name="fleet", daemon=True).start()

    def watch(self, folder: Path) -> None:
        """Watch the fleet in a folder instead of the one before."""
        with self._changed:
            self._wanted, self._anew = folder, True
            self._changed.notify_all()
            if self._watching is None:
                self._watching = threading.Thread(target=self._watch, name="fleet watch", daemon=True)
                self._watching.start()

    def show(self, *, visible: bool) -> None:
        """Look at the fleet only while somebody sees it."""
        with self._changed:
            self._visible = visible
            self._changed.notify_all()

    def stop(self, folder: Path) -> None:
        """Stop a fleet with all of its runs, whoever began it."""
        self._stops.begin(partial(self._stop, folder))

    def report(self, folder: Path) -> None:
        """Write the report of a fleet, and show it in the person's browser, if there is one."""
        self._reports.begin(partial(self._report, folder))

    def close(self) -> None:
        """Watch nothing more, and stop the fleets that were begun here."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            for process in self._processes:
                if process.poll() is None:
                    process.terminate()
        self._stops.close()
        self._reports.close()

    def _guarded(self, file: Path, folder: Path | None) -> None:
        try:
            self._run(file, folder)
        except OSError as error:  # there is no room for its process, or for what it says
            self._put(FleetFailed(f"The fleet cannot be started: {error.strerror or error}."))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            self._put(FleetFailed(describe_bug(error)))

    def _run(self, file: Path, folder: Path | None) -> None:
        out = [] if folder is None else ["--out", str(folder)]
        command = [sys.executable, "-P", "-m", "mark_i", "fleet", "run", str(file), "--json", *out]
        target = folder or file.with_suffix("")
        with TemporaryFile() as said, TemporaryFile() as faults:
            with self._changed:
                if self._closed:
                    return
                process = subprocess.Popen(  # noqa: S603 - our own program
                    [*command, "--profile", self._profile],
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=faults,
                    start_new_session=True,  # Ctrl+C in the terminal is for the window, which then stops it
                )
                self._processes.append(process)
            while _still(process) and not is_running(target):
                pass
            if process.poll() is None:
                self.watch(target)
            code = process.wait()
            if code == REFUSED or not (told := _last(said)).startswith("{"):
                fault = _last(faults).removeprefix(PREFIX) or f"The fleet ended with exit code {code}."
                self._put(FleetFailed(fault))
                return
        self.watch(target)
        self._put(FleetEnded(target, EARLY.get(json.loads(told).get("why"), "")))

    def _watch(self) -> None:
        watch: FleetWatch | None = None
        last: FleetNow | None = None
        while folder := self._next():
            try:
                if self._is_new() or watch is None:
                    watch, last = self._opened(folder), None
                now = watch.look()
                if now != last:
                    last = now
                    self._put(FleetSeen(watch.path, now, time.monotonic()))
            except MarkIError as error:
                self._put(FleetFailed(str(error)))
                watch = self._leave(folder, watch)
            except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
                self._put(FleetFailed(describe_bug(error)))
                watch = self._leave(folder, watch)
            with self._changed:
                self._changed.wait_for(lambda: self._anew or self._closed, POLL_S)

    def _opened(self, folder: Path) -> "FleetWatch":
        from mark_i.fleet import FleetWatch  # noqa: PLC0415 - on this thread: the window comes up without it

        return FleetWatch(folder, self._profile)

    def _next(self) -> Path | None:
        """Wait until a fleet is to be looked at, and return its folder; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: (self._wanted and self._visible) or self._closed)
            return None if self._closed else self._wanted

    def _is_new(self) -> bool:
        with self._changed:
            anew, self._anew = self._anew, False
            return anew

    def _leave(self, folder: Path, watch: "FleetWatch | None") -> "FleetWatch | None":
        """Go back to the fleet that was watched before one that cannot be, if there was one."""
        before = watch if watch and watch.path != folder else None
        with self._changed:
            if self._wanted == folder:
                self._wanted = before.path if before else None
        return before

    def _stop(self, folder: Path) -> None:
        if not stop_run(folder, STOP_MAX_S):
            self._put(FleetFailed(f"The fleet was asked to stop and is still running after {STOP_MAX_S:.0f} s."))

    def _report(self, folder: Path) -> None:
        from mark_i.fleet import FleetFolder, write_fleet_report  # noqa: PLC0415 - as above

        file = write_fleet_report(FleetFolder(folder), self._profile)
        self._put(FleetReportWritten(file))
        open_in_browser(file)


def _still(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process still runs after a moment."""
    try:
        process.wait(POLL_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def _last(file: IO[bytes]) -> str:
    """Return the last line of a file."""
    file.seek(0)
    [*_, line] = file.read().decode(errors="replace").strip().splitlines() or [""]
    return line
