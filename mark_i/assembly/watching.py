"""Watch a desktop, or the time, and do something each time: one process, which stops like a run."""

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from mark_i.assembly.desktops import NO_DISPLAY, OwnDesktop, opened, wayland_fault
from mark_i.assembly.kept_desktops import is_used, kept_named
from mark_i.assembly.lookout import Lookout, Wanted
from mark_i.assembly.run_config import RunConfig
from mark_i.config.paths import make_private, new_run, profile_folder, watches_folder
from mark_i.config.portal_token import PortalToken
from mark_i.runs.stop_file import reachable
from mark_i.runs.store import begun, running
from toolbelt.control import Control
from toolbelt.desktops import Hotkey, live_display, native_system, on_wayland
from toolbelt.perception import Eyes
from world_model import DesktopError

FREE_POLL_S: Final = 1.0  # between two looks whether another run still uses the desktop
NOT_THERE: Final = "{} To watch a virtual desktop that is kept, add --on; see mark-i desktop list."
SEEN: Final = "Seen at {}, {}."
AGAIN: Final = "Watching again."
BEGUN: Final = "Watching. To stop: {}press Ctrl-C here, or run mark-i stop."


@dataclass(frozen=True, slots=True)
class Watch:
    """What is watched for.

    Attributes:
        what: comes to be on the desktop; None for the time alone.
        every_s: between the beginnings of two runs at least; None to end after the first.
    """

    what: Wanted | None
    every_s: float | None


def check_desktop(*, kept: bool) -> None:
    """Check that there is a desktop to look at.

    Args:
        kept: whether it is a virtual one that is kept.

    Raises:
        DesktopError: there is none; the message says what to do.
    """
    if kept or native_system() or live_display():
        return
    if fault := wayland_fault() if on_wayland() else f"{NO_DISPLAY}.":
        raise DesktopError(NOT_THERE.format(fault))


def do_when_due(
    watch: Watch, config: RunConfig, stop: Control, run: Callable[[], int], tell: Callable[[str], None]
) -> int:
    """Do something each time, until it fails; what is wanted once ends with that.

    Args:
        watch: when it is due.
        config: has the desktop, whose masks are not looked at.
        stop: stops this and the run.
        run: does it, and returns an exit code.
        tell: tells the person what is seen.

    Returns:
        The exit code of the last run.

    Raises:
        Halt: somebody stopped this.
        DesktopError: the desktop is gone.
        UsageError: there is no such desktop.
    """
    folder, due_s = watches_folder(config.profile) / new_run(), float("-inf")
    make_private(profile_folder(config.profile))
    with ExitStack() as stack:
        stack.enter_context(begun(folder))
        stack.enter_context(running(folder))
        stack.enter_context(reachable(folder, stop, config.started or time.time(), lambda _: False))
        heard = _stopped_by_hotkey(config.hotkey, stop, stack)
        lookout = stack.enter_context(_lookout(watch.what, config, stop, tell)) if watch.what else None
        told, is_free = BEGUN.format(f"press {config.hotkey}, or " if heard else ""), partial(_is_free, config)
        while True:
            if lookout:
                lookout.begin()
            tell(told)
            if lookout:
                place = lookout.until_it_comes(due_s, is_free)
                tell(SEEN.format(place.x, place.y))
            else:
                _until(due_s, is_free, stop)
            due_s = time.monotonic() + (watch.every_s or 0.0)
            stop.resume()  # what paused the run before is over
            code = run()
            stop.check()
            if code or watch.every_s is None:
                return code
            told = AGAIN


@contextlib.contextmanager
def _lookout(what: Wanted, config: RunConfig, stop: Control, tell: Callable[[str], None]) -> Iterator[Lookout]:
    """Open the desktop to look at it alone: no other run is kept from using it."""
    kept = kept_named(config.profile, config.on) if config.on else None
    own = OwnDesktop(PortalToken(config.profile), tell, looks=True)
    masks = replace(config.masks, own=True, terminal=True)  # the command that was typed there says what is wanted
    with opened(None, stop, kept, own=own) as desktop:
        yield Lookout(Eyes(desktop, stop, masks), what, tell)


def _until(due_s: float, is_free: Callable[[], bool], stop: Control) -> None:
    """Wait until it is due, and then until the desktop is free."""
    stop.wait(max(0.0, due_s - time.monotonic()))
    while not is_free():
        stop.wait(FREE_POLL_S)


def _is_free(config: RunConfig) -> bool:
    """Whether no other run uses the desktop, if it is one that only one at a time may use."""
    return config.on is None or not is_used(config.profile, config.on)


def _stopped_by_hotkey(hotkey: Hotkey | None, stop: Control, stack: ExitStack) -> bool:
    """Listen for the hotkey on the person's own display; return whether that works.

    Elsewhere it stops the runs alone, which listen as any run does.
    """
    display = live_display()
    if not (hotkey and display) or native_system():
        return False
    from toolbelt.desktops.x11 import HotkeyListener  # noqa: PLC0415 - only where there is an X display

    try:
        stack.enter_context(closing(HotkeyListener(display, stop.stop, hotkey)))
    except DesktopError:  # without access to the display there is no hotkey on it
        return False
    return True
