"""What several tests use."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PIL import Image
from xcffib import xproto

from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.format.node_type import NodeFunction, NodeType
from toolbelt.control import Control
from toolbelt.desktops.fake import Draw, Input
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from world_model import Region

Run = Callable[..., subprocess.CompletedProcess[str]]  # what the fixture `mark_i` gives
CAP_S: Final = 120.0  # seconds; generous, since the machine may be busy
WAITING_TOOL: Final = '''"""A step that lasts for as long as the test wants."""

import time
from pathlib import Path

from mark_i import tool


@tool(risk="look")
def wait_for_file(path: str) -> str:
    """Wait until a file is there."""
    while not Path(path).exists():
        time.sleep(0.01)
    return "It is there."
'''


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


def finish(*evidence: object) -> dict[str, object]:
    """The end of a run that was to do something."""
    return action("finish", summary="It is done.", kind="deed", evidence=list(evidence))


def tool_file(folder: Path, name: str, tool: str, answer: str = "yes") -> Path:
    """A plugin file with one tool that gives that answer."""
    path = folder / name
    path.write_text(
        f'from mark_i import tool\n\n\n@tool\ndef {tool}() -> str:\n    """Answer."""\n    return "{answer}"\n'
    )
    return path


def reacting(draw: Draw) -> Draw:
    """A screen that shows each click, in its last corner: a click that shows nothing is waited for."""

    def drawn(inputs: Sequence[Input]) -> Image.Image:
        image = draw(inputs).convert("RGB")
        if clicks := sum(name == "click" for name, *_ in inputs):
            image.paste((0, 0, 255 - clicks), (image.width - 8, image.height - 8, image.width, image.height))
        return image

    return drawn


class Unhurried(Control):
    """Remembers the waits that it was asked for, and takes no time for them."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)


def soon(condition: Callable[[], object]) -> bool:
    """Whether it comes to be, on a control of its own: the run's may be stopped."""
    return bool(Control().until(condition, CAP_S))


def xdotool(desktop: VirtualDesktop, *what: str) -> None:
    """Use the display as another program does."""
    subprocess.run(["xdotool", *what], env=desktop._environment, check=True, timeout=CAP_S)


def end(process: subprocess.Popen[Any]) -> None:
    """End a program: an X server may miss a signal that comes just before it waits for its clients."""

    def ended() -> bool:
        process.terminate()
        return process.poll() is not None

    try:
        assert soon(ended)
    finally:
        process.kill()


def opened_by_its_reader(file: Path) -> int | None:
    """A pipe, open for writing; None while nobody reads it."""
    try:
        return os.open(file, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


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


def tell_window_manager(display: Connection, window: int, name: str, *data: int) -> None:
    """What a pager asks of the window manager (EWMH)."""
    mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
    display.send_message(display.root, name, window, data, mask)
    display.sync()


def plain_window(display: Connection, region: Region, attributes: dict[int, int]) -> int:
    """A window that is of no toolkit, shown."""
    window = display.create_window(region, attributes)
    display.core.MapWindow(window)
    display.sync()
    return window


BUTTONS: Final = xproto.KeyButMask.Button1 | xproto.KeyButMask.Button2 | xproto.KeyButMask.Button3


def in_background(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    """A thread that does the work, and a list that gets what it raises."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - kept for the test to look at
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised
