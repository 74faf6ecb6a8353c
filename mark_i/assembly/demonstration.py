"""Record a person on the desktop of a run, from the lock of its folder to the end of its journal."""

import platform
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mark_i.assembly.compose import run_desktop, tools_for
from mark_i.assembly.run_config import RunConfig
from mark_i.config.paths import make_private, new_run, profile_folder, runs_folder
from mark_i.runs.stop_file import reachable
from mark_i.runs.store import begun, running
from mark_i.skills.recording import Recorded, Recorder
from mark_i.startup_check import our_version
from toolbelt.control import Control
from toolbelt.desktops import Desktop, Hotkey, live_display, native_system, on_wayland
from toolbelt.perception import Eyes
from world_model import DesktopError, Journal, MarkIError

BRAIN: Final = "person"  # in the journal
OTHER_SYSTEM: Final = "On {} nothing can be recorded yet: that needs an X display, as Linux has."
WAYLAND: Final = (
    "On Wayland no program sees what you do in others, so nothing can be recorded there. Record on a virtual desktop "
    "in a window: add --virtual --watch."
)
NO_DISPLAY: Final = "There is no display here to record. Record on a virtual desktop: add --virtual or --on."
NOTHING: Final = "Nothing was recorded: nobody used the mouse or the keyboard on that desktop."
NO_HOTKEY: Final = "{} does not stop the recording: another program uses that key. Press Ctrl-C here."
SIGN: Final = "Recording"


def check_desktop(*, virtual: bool) -> None:
    """Check that a person can be recorded here.

    Args:
        virtual: whether the desktop is a virtual one.

    Raises:
        DesktopError: they cannot; the message says what to do.
    """
    if system := native_system():
        raise DesktopError(OTHER_SYSTEM.format(system))
    if not virtual and not live_display():
        raise DesktopError(WAYLAND if on_wayland() else NO_DISPLAY)


def record(
    goal: str,
    config: RunConfig,
    programs: Sequence[str],
    stop: Control,
    tell: Callable[[str], None],
) -> tuple[Path, Recorded]:
    """Record a person until the hotkey or somebody else stops it.

    Args:
        goal: what they show.
        config: has the desktop.
        programs: those to open first.
        stop: stops it.
        tell: tells them of each step.

    Returns:
        The folder of the journal, and what came of it.

    Raises:
        DesktopError: there is no desktop, or it was lost.
        UsageError: a program cannot be opened, or somebody else uses the desktop.
        MarkIError: nothing was recorded.
    """
    folder, control = runs_folder(config.profile) / new_run(), Control()
    make_private(profile_folder(config.profile))
    with ExitStack() as stack:
        stack.enter_context(begun(folder))
        stack.enter_context(running(folder))
        stack.enter_context(reachable(folder, stop, config.started or time.time(), lambda _: False))
        desktop = stack.enter_context(run_desktop(config, control, folder.name))
        display = _display_of(desktop)
        heard = _stopped_by_hotkey(display, config.hotkey, stop, stack)
        if config.hotkey and not heard:
            tell(NO_HOTKEY.format(config.hotkey))
        masks = replace(
            config.masks, parts=(*config.masks.parts, *_sign(display, config.hotkey if heard else None, stack))
        )
        eyes = Eyes(desktop, control, masks)
        journal = Journal(folder, _about(goal, config, desktop.name), clean=config.secrets.redacted)
        outcome: dict[str, Any] = {
            "outcome": "failed",
            "goal": goal,
            "summary": "The recording broke off.",
            "evidence": [],
        }
        try:
            with closing(Recorder(eyes, display, journal, config.secrets, config.hotkey, tell)) as recorder:
                with tools_for(eyes, control, folder / "work", config) as toolbelt:
                    for name in programs:
                        recorder.open(name, toolbelt)
                tell(_begun(config.hotkey if heard else None))
                recorder.watch(stop)
                opened = len(programs)
            recorded = recorder.recorded
            evidence = [{**piece, "confirmed": True} for piece in _evidence(recorded, journal.started)]
            outcome |= {"outcome": "done", "summary": f"Recorded {recorded.steps} steps.", "evidence": evidence}
        finally:
            journal.close(outcome)
    if recorded.steps <= opened:
        shutil.rmtree(folder, ignore_errors=True)
        raise MarkIError(NOTHING)
    return folder, recorded


def _evidence(recorded: Recorded, began: float) -> list[dict[str, Any]]:
    """Return what may show that the goal is reached: a file that was written, else what steps changed.

    Which of them are about the goal is judged when the skill is done again: programs may not have answered in time.
    """
    files = [text for text in recorded.typed if _is_written(Path(text).expanduser(), began)]
    if files:
        return [{"file": files[-1]}]
    return [{"observation": step} for step in recorded.effects]


def _is_written(file: Path, began: float) -> bool:
    """Whether an absolute path is that of a file that was written since the recording began."""
    try:
        return file.is_absolute() and file.is_file() and file.stat().st_mtime >= began
    except (OSError, ValueError):  # a text that cannot be a path
        return False


def _display_of(desktop: Desktop) -> str:
    from toolbelt.desktops import LiveDesktop  # noqa: PLC0415 - only on Linux

    assert isinstance(desktop, LiveDesktop)  # noqa: S101 - `check_desktop` has seen to it
    return desktop.display


def _begun(hotkey: Hotkey | None) -> str:
    how = f"press {hotkey}, or " if hotkey else ""
    return f"Recording. Show it now. To stop: {how}press Ctrl-C here, or run mark-i stop."


def _stopped_by_hotkey(display: str, hotkey: Hotkey | None, stop: Control, stack: ExitStack) -> bool:
    """Listen for the hotkey on a display, and on the person's own; return whether that works on one of them."""
    from toolbelt.desktops.x11 import Listener  # noqa: PLC0415 - only where there is an X display

    heard = False
    for one in dict.fromkeys(filter(None, [display, live_display()])) if hotkey else ():
        with suppress(DesktopError):  # without access to the person's own display there is no hotkey on it
            heard = stack.enter_context(closing(Listener(one, stop.stop, hotkey))).has_hotkey or heard
    return heard


def _sign(display: str, hotkey: Hotkey | None, stack: ExitStack) -> list[Any]:
    """Show that it is recording; return where that is seen, which is in no picture."""
    from toolbelt.desktops.x11 import Sign  # noqa: PLC0415 - only where there is an X display

    try:
        return [stack.enter_context(closing(Sign(display, f"{SIGN}. To stop: {hotkey}" if hotkey else SIGN))).region]
    except DesktopError:  # the terminal says it, too
        return []


def _about(goal: str, config: RunConfig, desktop: str) -> dict[str, Any]:
    virtual = str(config.virtual) if config.virtual else None
    return {
        "goal": goal,
        "brain": BRAIN,
        "desktop": desktop,
        "settings": {"virtual": virtual, "folder": str(Path.cwd()), "on": config.on},
        "versions": {"mark-i": our_version(), "python": platform.python_version(), "system": platform.platform()},
    }
