"""Wait at the end of a run until the programs that were used are at rest, so that nothing is cut off."""

import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import Activity, Desktop, Rest

REST_S: Final = 0.25  # without work and without a window that comes or goes, after which programs count as at rest
BUSY_MAX_S: Final = 10.0  # for a program that keeps a processor busy: it may only show an animation
UNFINISHED_MAX_S: Final = 90.0  # for a command at a shell to end, or a shell to start: its set-up may take a minute
UNCHANGED_S: Final = 1.0  # after which a file that its program keeps open is written
POLL_S: Final = 0.02


def unfinished(  # noqa: PLR0913, PLR0917 - what is known of the run
    desktop: Desktop, control: Control, files: Collection[str], within_s: float | None, killed: int, since: float
) -> str | None:
    """Wait for the programs of a desktop to be at rest; return what is not finished when the wait is over.

    Args:
        desktop: where the programs were started.
        control: a stop ends the wait.
        files: the names of files that must not be open for writing any more.
        within_s: the seconds that are left for it; None without a limit.
        killed: how many programs had been killed, or had crashed, before the run.
        since: the start of the run, in seconds since the epoch.
    """
    rest, began = Rest(), time.monotonic()
    most_s = UNFINISHED_MAX_S if within_s is None else min(UNFINISHED_MAX_S, within_s)
    while True:
        now_s, active = time.monotonic(), desktop.activity()
        if len(active.killed) > killed:
            return f"{active.killed[-1]} was killed, or crashed: what it was doing may be half done."
        if not active.used_s:
            return None
        at_work = _at_work(active, files, since)
        windows = tuple((window.id, window.title) for window in desktop.windows())
        rested = rest.seconds(active, windows, now_s) >= REST_S
        over_s = most_s if at_work else min(BUSY_MAX_S, most_s)
        if at_work and now_s - began >= over_s:
            return f"{at_work} after {now_s - began:.0f} s."
        if not at_work and (rested or now_s - began >= over_s):
            return None if desktop.attend(max(REST_S, min(BUSY_MAX_S, most_s))) else _hung(desktop)
        control.wait(POLL_S)


def _hung(desktop: Desktop) -> str:
    title = next((f' of "{window.title}"' for window in desktop.windows() if window.active), " in front")
    return f"The program{title} does not respond: what it was to do may not be done."


def _at_work(active: Activity, files: Collection[str], since: float) -> str | None:
    if active.jobs:
        return f"{active.jobs[0]} is still at work in its terminal"
    open_ones = (path for path in active.writing if path.name in files)
    written = sorted(path.name for path in open_ones if not (path in active.held and _is_written(path, since)))
    return f"The file {written[0]} is still being written" if written else None


def _is_written(path: Path, since: float) -> bool:
    """Whether a file that its program keeps open has changed in this run, holds something, and changes no more."""
    try:
        state = path.stat()
    except OSError:
        return False
    return since <= state.st_mtime <= time.time() - UNCHANGED_S and state.st_size > 0


def names_of(files: Collection[str]) -> set[str]:
    """Return the names of files without their folders."""
    return {Path(file).name for file in files}
