"""Tells whether text typed into a window reaches a shell, by what its process runs, not by its name."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

PSEUDO: Final = range(136, 144)  # major numbers of pseudo-terminals
SHELLS: Final = Path("/etc/shells")  # where a system declares its shells


@dataclass(frozen=True, slots=True)
class Process:
    """What /proc/PID/stat says: its parent, its group, its terminal, and the group that the terminal listens to."""

    pid: int
    parent: int
    group: int
    terminal: int
    listening: int


def is_terminal(pid: int | None, apart: Collection[int | None] = ()) -> bool:
    """Tell whether a process runs another one on a pseudo-terminal of its own; False if that is unknown.

    Args:
        pid: a process that shows a window.
        apart: those that show other windows; what runs below them belongs to these.
    """
    return any(_on_terminals_of(pid, apart))


def is_at_prompt(pid: int | None, apart: Collection[int | None] = ()) -> bool:
    """Tell whether all that such a process runs are shells that wait at their prompt: nothing happens before enter."""
    found = list(_on_terminals_of(pid, apart))
    return bool(found) and all(one.listening == one.group and _reads_lines(one.pid) for one in found)


def is_own_terminal(pid: int | None, apart: Collection[int | None] = ()) -> bool:
    """Tell whether it is the terminal in which this process runs: what is typed there answers its questions."""
    own = _process(os.getpid())
    terminals = {one.terminal for one in _on_terminals_of(pid, apart)}
    return own is not None and own.terminal in terminals


def _on_terminals_of(pid: int | None, apart: Collection[int | None]) -> Iterator[Process]:
    """Yield the first processes below a process that run on other pseudo-terminals than its own."""
    if pid is None or not (own := _process(pid)):
        return
    above = [pid]
    while above:
        parent = above.pop()
        for child in _children(parent):
            one = _process(child)
            if one is None or one.parent != parent or child in apart:
                continue
            if one.terminal != own.terminal and one.terminal >> 8 & 0xFFF in PSEUDO:
                yield one
            else:
                above.append(child)


def _children(pid: int) -> list[int]:
    """Return the children of a process; of every process, where the kernel does not list them."""
    lists = list(Path(f"/proc/{pid}/task").glob("*/children"))
    try:
        return [int(child) for one in lists for child in one.read_text().split()] if lists else _processes()
    except OSError:  # a thread has ended meanwhile
        return _processes()


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def _process(pid: int) -> Process | None:
    """Return what is known of a process, or None if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    _, parent, group, _, terminal, listening = fields[:6]
    return Process(pid, int(parent), int(group), int(terminal), int(listening))


def _reads_lines(pid: int) -> bool:
    """Whether it is a shell that runs the lines that are typed, not a script or a line that it was given."""
    folder = Path(f"/proc/{pid}")
    try:
        program = (folder / "exe").resolve(strict=True)
        given = (folder / "cmdline").read_bytes().split(b"\0")[1:-1]
    except OSError:
        return False
    return program in _shells() and all(one.startswith((b"-", b"+")) for one in given)


@cache
def _shells() -> frozenset[Path]:
    """Return the declared shells; multiplexers are declared too, and what runs in them is not known."""
    try:
        lines = SHELLS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(Path(line).resolve() for line in lines if line.startswith("/") and line.endswith("sh"))
