"""The MiniWoB++ benchmark: how many of its small web tasks a brain solves, in the exact words of their pages.

Its episodes are a fleet. `miniwob_page` shows the page of each on a desktop of its own, and judges it; the agent reads
the screen and uses the real mouse and keyboard. Only the full reward is a success.

Shi et al., World of Bits (ICML 2017); Liu et al., Reinforcement Learning on Web Interfaces (ICLR 2018).
"""

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import tomlkit

from mark_i.bench import miniwob_page
from mark_i.extras import require
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.tool import declared
from toolbelt.tools import Files, Memory, People, Python, Web
from world_model import DesktopError, JournalError, Size, UsageError, file_fault
from world_model.journal import write_whole

SUITED: Final = (  # for a brain that follows plain instructions
    "ascending-numbers",
    "choose-date",
    "choose-date-easy",
    "choose-date-medium",
    "choose-date-nodelay",
    "choose-list",
    "click-button",
    "click-button-sequence",
    "click-checkboxes",
    "click-checkboxes-large",
    "click-checkboxes-transfer",
    "click-collapsible",
    "click-collapsible-2",
    "click-collapsible-2-nodelay",
    "click-collapsible-nodelay",
    "click-dialog",
    "click-dialog-2",
    "click-link",
    "click-menu",
    "click-option",
    "click-scroll-list",
    "click-tab",
    "click-tab-2",
    "click-tab-2-easy",
    "click-tab-2-hard",
    "click-tab-2-medium",
    "click-test",
    "click-test-2",
    "click-test-transfer",
    "click-widget",
    "copy-paste",
    "copy-paste-2",
    "drag-circle",
    "drag-items",
    "drag-single-shape",
    "enter-date",
    "enter-password",
    "enter-text",
    "enter-text-2",
    "enter-text-dynamic",
    "enter-time",
    "find-word",
    "focus-text",
    "focus-text-2",
    "form-sequence",
    "generate-number",
    "highlight-text",
    "highlight-text-2",
    "login-user",
    "phone-book",
    "read-table",
    "read-table-2",
    "resize-textarea",
    "scroll-text",
    "scroll-text-2",
    "search-engine",
    "sign-agreement",
    "simple-algebra",
    "simple-arithmetic",
    "stock-market",
    "use-slider",
    "use-slider-2",
    "use-spinner",
)
SIZE: Final = Size(800, 600)
STEPS: Final = 30
GOALS_MAX_S: Final = 3600.0  # for reading the goals, some five in a second
PROGRAM: Final = (sys.executable, "-P", "-m", miniwob_page.__name__)
# What may be done on the page needs no approval, and what reaches it in another way than a person does is switched off.
OPTIONS: Final = {"yes": True, "tools_off": [tool.name for tool in declared(Files, Python, Web, People, Memory)]}


def pages(tasks: Sequence[str] | None = None) -> dict[str, str]:
    """Return the address of each task's page; of every task if none is named.

    Raises:
        UsageError: MiniWoB++ is not installed, or it has no such task.
    """
    require("bench")
    found = find_spec("miniwob")
    folder = Path(*(found.submodule_search_locations or [""])[:1]) / "html" / "miniwob" if found else Path()
    there = {page.stem: page.as_uri() for page in sorted(folder.glob("*.html"))}
    unknown = [task for task in tasks or () if task not in there]
    if unknown:
        near = get_close_matches(unknown[0], there)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(f"MiniWoB++ has no task {' and no '.join(unknown)}.{hint}")
    return {task: there[task] for task in tasks} if tasks else there


def write_fleet(file: Path, tasks: Sequence[str], seeds: int, defaults: Mapping[str, Any], control: Control) -> None:
    """Write the fleet file of some tasks, and beside it the table of their goals; the same file is left as it is.

    Args:
        file: what to write.
        tasks: by the names of their pages.
        seeds: how many episodes of each; a seed always gives the same one.
        defaults: what else holds for every task, as in a fleet file.
        control: stops it.

    Raises:
        UsageError: MiniWoB++ is not installed, there is no such task, or the file holds another fleet.
        DesktopError: No virtual desktop is available, or Chromium does not start.
        JournalError: It cannot be written.
    """
    addresses, table = pages(tasks), file.with_suffix(".csv")
    text = _fleet(addresses, table.name, seeds, defaults)
    try:
        if file.exists():
            if file.read_bytes() != text.encode():
                raise UsageError(f"{file} holds another fleet. Say another folder with --out.")
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_goals(table, seeds, addresses.values(), control)
        write_whole(file, text.encode())
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {file_fault(error)}. Say another folder with --out.") from error


def _fleet(addresses: Mapping[str, str], table: str, seeds: int, defaults: Mapping[str, Any]) -> str:
    """Return a fleet file; its table has a row for each seed, and a column for the goals of each task."""
    limits = {"size": str(SIZE), "max_steps": STEPS, "max_seconds": miniwob_page.EPISODE_MAX_S}
    document = tomlkit.document()
    document.add(tomlkit.comment(f"MiniWoB++, seeds 0 to {seeds - 1}; written by mark-i bench miniwob"))
    document["defaults"] = {**defaults, **limits}
    tasks = tomlkit.aot()
    for task, page in addresses.items():
        goal = f"{{{miniwob_page.column_of(task)}}}"
        begin = f"{shlex.join((*PROGRAM, 'begin', page))} {{seed}} {goal}"
        check = shlex.join((*PROGRAM, "check"))
        tasks.append(tomlkit.item({"name": task, "goal": goal, "rows": table, "setup": begin, "check": check}))
    document["task"] = tasks
    return tomlkit.dumps(document)


def _write_goals(table: Path, seeds: int, addresses: Iterable[str], control: Control) -> None:
    """Write the table of the goals, which the pages tell."""
    with closing(VirtualDesktop(SIZE, control)) as desktop:
        program = desktop.launch([*PROGRAM, "goals", str(table.absolute()), str(seeds), *addresses])
        ended = control.until(lambda: not program.running(), GOALS_MAX_S)
        if failure := program.failure() if ended else "it took too long":
            raise DesktopError(f"The goals cannot be read: {failure}.")
