"""What several tests use."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from Xlib import X
from Xlib.display import Display
from Xlib.protocol import event
from Xlib.xobject.drawable import Window as XWindow

from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.format.node_type import NodeFunction, NodeType
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


SCRATCHPAD: Final = {  # the nodes that stay what they are in a graph whose other nodes are scripted
    "scratchpad_initializer",
    "iteration_counter",
    "scratchpad_updater",
    "scratchpad_completion_checker",
    "conditional_router",
    "scratchpad_formatter",
}


def scripted_nodes(echo: NodeFunction, **functions: NodeFunction) -> dict[str, NodeType]:
    """Every node type; those around the scratchpad do what `echo` does, or what is given for them."""
    scripted = {name: echo for name in CATALOG if name not in SCRATCHPAD} | functions
    return {name: replace(one, run=scripted.get(name, one.run)) for name, one in CATALOG.items()}


def tell_window_manager(display: Display, window: XWindow, name: str, *data: int) -> None:
    """What a pager asks of the window manager (EWMH)."""
    kind = display.intern_atom(name)
    message = event.ClientMessage(window=window, client_type=kind, data=(32, [*data, 0, 0, 0, 0, 0][:5]))
    mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
    display.screen().root.send_event(message, event_mask=mask)
    display.sync()
