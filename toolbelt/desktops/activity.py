"""What programs are doing, as Linux reports it under /proc: whether they rest, and what they have not finished."""

import contextlib
import os
import stat
import sys
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PSEUDO_TERMINALS: Final = range(136, 144)  # major device numbers
BUSY_SHARE: Final = 0.1  # of a processor; carets, clocks and idle browsers use less (measured: under 0.04)
TICKS_MIN_S: Final = 2.5 / TICKS_PER_S  # less than that is within what the clock of a process can tell
LOOKS_KEPT: Final = 256  # of the latest
WORK_SHARE: Final = 0.3  # of a processor; a program that draws an animation uses less
PROCESS_CLOCK: Final = 2  # Linux: of the three clocks of a process, the processor time of all its threads
READS_TERMINAL: Final = frozenset({"wait_woken", "n_tty_read"})  # where in the kernel a read of a terminal waits
WRITES: Final = os.O_WRONLY | os.O_RDWR


@dataclass(frozen=True, slots=True)
class Activity:
    """What programs are doing at one moment.

    Attributes:
        used_s: the processor time that each process has used so far, by its id.
        working: the processes that use a processor or wait for a disk right now.
        jobs: the names of commands that a terminal waits for: a shell runs them, or they have not read what was typed.
        writing: the files that are open for writing.
        held: those of them that programs keep open rather than write: they wait for a key at a terminal, or have a
            window and opened the file for reading too, as a document.
        killed: the names of programs that crashed or were killed, so that what they were doing may be half done.
    """

    used_s: Mapping[int, float] = field(default_factory=dict, hash=False)
    working: frozenset[int] = frozenset()
    jobs: tuple[str, ...] = ()
    writing: frozenset[Path] = frozenset()
    killed: tuple[str, ...] = ()
    held: frozenset[Path] = frozenset()

    def since(self, earlier: "Activity") -> float:
        """Return the processor time in seconds that was used since then; infinite if a process came or went."""
        if self.used_s.keys() != earlier.used_s.keys() or self.working:
            return float("inf")
        return sum(used - earlier.used_s[pid] for pid, used in self.used_s.items())


class Rest:
    """Measures for how long programs have been at rest."""

    def __init__(self) -> None:
        self._first, self._seen, self._since_s = Activity(), object(), 0.0

    def seconds(self, now: Activity, seen: object, at_s: float) -> float:
        """Return for how long nothing has happened.

        Args:
            now: what the programs are doing.
            seen: what else must stay equal, such as the windows.
            at_s: the time, of the monotonic clock.
        """
        used_s = now.since(self._first)
        if seen != self._seen or used_s > BUSY_SHARE * (at_s - self._since_s) + TICKS_MIN_S:
            self._first, self._seen, self._since_s = now, seen, at_s
        return at_s - self._since_s


class Work:
    """Whether a program works right now; never, where its processor time cannot be read."""

    def __init__(self, pid: int | None) -> None:
        self.pid = pid
        self._used: deque[tuple[float, float]] = deque(maxlen=LOOKS_KEPT)  # when, and the processor time until then

    def look(self, at_s: float) -> None:
        """Note what it has used until now; `at_s` is of the monotonic clock."""
        used_s = _used_s(self.pid)
        if used_s is None:
            self._used.clear()  # it has ended
        else:
            self._used.append((at_s, used_s))

    def goes_on(self, within_s: float) -> bool:
        """Whether it worked for a good part of the last seconds, or waits for a processor or a disk."""
        if self.pid is None or not self._used:
            return False
        at_s, used_s = self._used[-1]
        before_s = next((used for at, used in reversed(self._used) if at <= at_s - within_s), self._used[0][1])
        return used_s - before_s > WORK_SHARE * within_s or _waits(self.pid)


def _waits(pid: int) -> bool:
    """Whether a thread of a process waits for a processor or a disk, or has one."""
    for task in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            if task.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0] in "RD":
                return True
    return False


def _used_s(pid: int | None) -> float | None:
    """Return the processor time of a process, far finer than in /proc; None if it is not known."""
    if pid is None or sys.platform != "linux":
        return None
    try:
        return time.clock_gettime(~pid << 3 | PROCESS_CLOCK)
    except OSError:
        return None  # it has ended


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    name: str
    state: str
    parent: int
    group: int
    session: int
    terminal: int
    foreground: int  # the group that has the terminal
    used_s: float


def activity(pids: Collection[int], with_windows: Collection[int] = ()) -> Activity:
    """Return what processes and their descendants are doing; nothing where there is no /proc.

    Args:
        pids: the processes.
        with_windows: the processes that have windows: a shell that waits for one has nothing to finish.
    """
    if not pids:
        return Activity()
    every = {one.pid: one for one in _processes()}
    family = _family(pids, every)
    written = [
        (path, _waits_for_key(one) or (reads and one.pid in with_windows))
        for one in family
        for path, reads in _written(one.pid)
    ]
    return Activity(
        {one.pid: one.used_s for one in family},
        frozenset(one.pid for one in family if one.state in "RD"),
        tuple(one.name for one in family if _is_job(one, every, with_windows)),
        frozenset(path for path, _ in written),
        held=frozenset(path for path, _ in written if all(kept for other, kept in written if other == path)),
    )


def _processes() -> Iterator[_Process]:
    with contextlib.suppress(FileNotFoundError):
        for entry in os.scandir("/proc"):
            if entry.name.isdigit() and (found := _process(int(entry.name))):
                yield found


def _process(pid: int) -> _Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None  # it has ended
    head, _, rest = text.rpartition(")")
    state, *numbers = rest.split()
    if state in "ZX":
        return None
    parent, group, session, terminal, foreground = map(int, numbers[:5])
    used_s = (int(numbers[10]) + int(numbers[11])) / TICKS_PER_S
    return _Process(pid, head.partition("(")[2], state, parent, group, session, terminal, foreground, used_s)


def _family(pids: Collection[int], every: Mapping[int, _Process]) -> list[_Process]:
    """Return the processes and their descendants that are there."""
    children: dict[int, list[int]] = {}
    for one in every.values():
        children.setdefault(one.parent, []).append(one.pid)
    found, rest = dict[int, _Process](), list(pids)
    while rest:
        pid = rest.pop()
        if pid in every and pid not in found:
            found[pid] = every[pid]
            rest += children.get(pid, [])
    return list(found.values())


def _is_job(process: _Process, every: Mapping[int, _Process], with_windows: Collection[int]) -> bool:
    """Whether a terminal waits for it: a shell runs it in the foreground, or has not read yet what was typed."""
    if not process.pid == process.group == process.foreground or process.state == "T":
        return False
    unread = _unread(process.terminal)
    if unread is None or process.pid == process.session:
        return bool(unread)
    group = [one for one in every.values() if one.group == process.group]
    return not any(one.pid in with_windows or _waits_for_input(one.pid) for one in group)


def _waits_for_input(pid: int) -> bool:
    with contextlib.suppress(OSError):
        waits = Path(f"/proc/{pid}/wchan").read_text(encoding="utf-8") in READS_TERMINAL
        return waits and Path(f"/proc/{pid}/fd/0").readlink().is_relative_to("/dev/pts")
    return False


def _waits_for_key(process: _Process) -> bool:
    """Whether a program has its terminal, takes each key itself, and does nothing."""
    return process.state == "S" and process.group == process.foreground and _unread(process.terminal) is None


def _unread(terminal: int) -> int | None:
    """Return how much was typed into a terminal and not read yet; None if the program takes each key itself."""
    major, minor = terminal >> 8 & 0xFFF, terminal & 0xFF | terminal >> 12 & 0xFFF00
    if major not in PSEUDO_TERMINALS:
        return None
    import fcntl  # noqa: PLC0415 - Windows has neither
    import termios  # noqa: PLC0415

    number = (major - PSEUDO_TERMINALS.start) * 256 + minor
    try:
        descriptor = os.open(f"/dev/pts/{number}", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        modes: int = termios.tcgetattr(descriptor)[3]
        count = fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4))
        return int.from_bytes(count, sys.byteorder) if modes & termios.ICANON else None
    except (OSError, termios.error):
        return None
    finally:
        os.close(descriptor)


def _written(pid: int) -> Iterator[tuple[Path, bool]]:
    """Yield the regular files that a process has open for writing, and whether it may read them too."""
    with contextlib.suppress(OSError):  # it has ended, or belongs to another user
        for entry in os.scandir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError, ValueError):
                about = Path(f"/proc/{pid}/fdinfo/{entry.name}").read_text(encoding="utf-8")
                flags = int(about.partition("flags:")[2].split()[0], 8)
                if flags & WRITES and stat.S_ISREG(entry.stat().st_mode):
                    yield Path(entry.path).readlink(), bool(flags & os.O_RDWR)
