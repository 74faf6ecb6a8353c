"""What several tests use."""

import json
import os
from pathlib import Path
from typing import Any

from toolbelt.control import Control


def events(output: str) -> list[dict[str, Any]]:
    """The events of a `--json` run; anything else on standard output is an error here."""
    return [json.loads(line) for line in output.splitlines()]


def script(path: Path, *replies: object) -> str:
    """A file for the scripted brain, as the `--brain` that names it."""
    path.write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    return f"scripted:{path}"


def action(tool: str, **args: object) -> dict[str, object]:
    """A reply that uses a tool."""
    return {"thought": f"I use {tool}.", "action": {"tool": tool, "args": args}}


def processes_with(mark: str) -> list[int]:
    """Every process whose environment holds `mark`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                found.append(int(entry.name))
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(*pids: int) -> bool:
    """Whether they all end; it may take them a moment."""
    assert pids
    return bool(Control().until(lambda: not any(alive(pid) for pid in pids), 120.0))
