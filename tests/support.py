"""What several tests use."""

import json
import os
from pathlib import Path
from typing import Any


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
