"""The threads that read the tools and try one, so that the window never waits for a plugin or a tool."""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from gui.kit.work_thread import WorkThread, describe_bug
from gui.tools_page.catalog import Catalog, catalog_of
from gui.tools_page.model import SampleWritten, ToolsFailed, ToolsMessage, ToolsRead, TrialEnded, TrialNoted
from mark_i import DEFAULT_SIZE, Action, Control
from mark_i.assembly import ProfileTools
from mark_i.config import DEFAULT_PROFILE, load, save, tools_folder
from mark_i.plugins import write_sample
from toolbelt.perception import Masks
from world_model import Halt, MarkIError, UsageError

SAMPLE: Final = "my_tool"
STOPPED: Final = "Stopped."


class ToolsThread:
    """The tools of a profile. `put` is called on its threads."""

    def __init__(self, put: Callable[[ToolsMessage], None], profile: str = DEFAULT_PROFILE) -> None:
        self._put, self._profile = put, profile
        self._folder = tools_folder(profile)
        self._known: ProfileTools | None = None
        self._last_catalog: Catalog | None = None
        self._looking = False
        self._thread = WorkThread("tools", lambda message: put(ToolsFailed(message)))
        self._control = Control()
        self._trial: threading.Thread | None = None
        self._began = 0.0

    @property
    def alive(self) -> bool:
        """Whether a tool is still being tried."""
        return self._trial is not None and self._trial.is_alive()

    @property
    def seconds(self) -> float:
        """How long the newest trial has taken so far."""
        return time.monotonic() - self._began

    def look(self) -> None:
        """Read the tools, and report them where something changed; only one reading at a time."""
        if not self._looking:
            self._looking = True
            self._thread.begin(self._look)

    def switch(self, name: str, *, on: bool) -> None:
        """Enable or disable a tool in runs."""
        self._thread.begin(partial(self._switch, name, on=on))

    def write_sample(self) -> None:
        """Write a tool to start from, under a free name."""
        self._thread.begin(self._sample)

    def use(self, action: Action, *, virtual: bool) -> None:
        """Use a tool once; `TrialEnded` comes last, whatever happens."""
        self._control, self._began = Control(), time.monotonic()
        # A daemon: a tool that does not end must not keep the program alive after the window gave up waiting.
        self._trial = threading.Thread(target=self._use, args=(action, virtual), name="try", daemon=True)
        self._trial.start()

    def stop(self) -> None:
        """Stop the trial."""
        self._control.stop()

    def close(self) -> None:
        """Start nothing more."""
        self.stop()
        self._thread.close()

    def _look(self) -> None:
        try:
            catalog = self._read()
            if catalog != self._last_catalog:
                self._last_catalog = catalog
                self._put(ToolsRead(catalog))
        finally:
            self._looking = False

    def _read(self) -> Catalog:
        """Read the tools; what cannot be read is listed among the faults of plugins, as long as that is so."""
        known = self._known = self._known or ProfileTools(self._profile)
        off: tuple[str, ...] = ()
        faults = []
        try:
            known.refresh()
        except UsageError as error:
            faults.append(str(error))
        try:
            off = load(self._profile).tools_off
        except UsageError as error:
            faults.append(str(error))
        catalog = catalog_of(known, off, self._folder)
        return replace(catalog, faults=(*faults, *catalog.faults))

    def _switch(self, name: str, *, on: bool) -> None:
        off = [one for one in load(self._profile).tools_off if one != name]
        save({"tools_off": tuple(off if on else [*off, name])}, self._profile)
        self._look()

    def _sample(self) -> None:
        taken = {one.name for one in self._read().entries} | {file.stem for file in self._folder.rglob("*.py")}
        taken |= {one.removeprefix("test_") for one in taken}
        name = next(one for one in _names() if one not in taken)
        sample = write_sample(name, self._folder, taken)
        self._look()
        self._put(SampleWritten(name, str(sample.tool)))

    def _use(self, action: Action, virtual: bool) -> None:  # noqa: FBT001 - a thread's argument
        try:
            known = ProfileTools(self._profile)  # of its own: the shared one may be refreshed meanwhile
            known.refresh()
            masks = replace(Masks.parse(load(self._profile).masks), own=True)
            size = DEFAULT_SIZE if virtual else None
            self._put(TrialEnded(known.use(action, self._control, size, masks, self._noted)))
        except Halt:
            self._put(TrialEnded(STOPPED))
        except MarkIError as error:
            self._put(TrialEnded(str(error)))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            self._put(TrialEnded(describe_bug(error)))

    def _noted(self, note: str) -> None:
        self._put(TrialNoted(note))


def _names() -> "itertools.chain[str]":
    return itertools.chain([SAMPLE], (f"{SAMPLE}_{number}" for number in itertools.count(2)))
