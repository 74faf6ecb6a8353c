"""Tells whether text typed into a window reaches a shell, by what its process runs, not by its name."""

from pathlib import Path
from typing import Final

PARENT, TERMINAL = 1, 4  # fields of /proc/PID/stat after the name, counted from 0
PSEUDO: Final = range(136, 144)  # major numbers of pseudo-terminals


def is_terminal(pid: int | None) -> bool:
    """Tell whether a process runs another one on a pseudo-terminal of its own; False if that is unknown."""
    if pid is None or not (own := _stat(Path(f"/proc/{pid}"))):
        return False
    children = (stat for folder in Path("/proc").glob("[0-9]*") if (stat := _stat(folder)) and stat[0] == pid)
    return any(terminal != own[1] and terminal >> 8 & 0xFFF in PSEUDO for _, terminal in children)


def _stat(process: Path) -> tuple[int, int] | None:
    """Return the parent of a process and the number of its terminal, or None if it is gone."""
    try:
        fields = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[PARENT]), int(fields[TERMINAL])
