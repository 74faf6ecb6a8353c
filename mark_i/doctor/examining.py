"""The checks of the doctor: the installation, the profile, the models, and a trial on the desktop."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from mark_i.assembly.brain_choice import planner
from mark_i.assembly.desktops import OwnDesktop, desktop_for, opened
from mark_i.assembly.kept_desktops import end_lost, names_of
from mark_i.assembly.resolve import run_config_from
from mark_i.brain import Brain, Prompt
from mark_i.brains.remote import RemoteBrain
from mark_i.config.api_keys import Keys
from mark_i.config.paths import profile_folder, settings_file
from mark_i.config.portal_token import PortalToken
from mark_i.config.settings import load
from mark_i.doctor.model_check import ModelCheck, check_model
from mark_i.doctor.prerequisites import Finding, survey
from mark_i.doctor.session import accessibility_finding, session_findings
from mark_i.doctor.trial import AGAIN, ELSEWHERE, finding, tried
from mark_i.events import EXIT_CODES
from mark_i.extras import EXTRAS, FOR_USERS, NEEDS_TK, has_tk, require
from toolbelt.control import Control
from toolbelt.desktops import Desktop, native_system, on_wayland
from toolbelt.ocr import warm_up
from world_model import DesktopError, JournalError, MarkIError, ModelError, Size, UsageError, file_fault

UNMANAGED: Final = (
    "No window manager runs. Programs start, but their windows cannot be listed, moved or brought to the front, and "
    "opening an application waits for its window in vain."
)
FREE_MIN_BYTES: Final = 100 * 1024 * 1024  # a long run may need as much
MODEL_MAX_S: Final = 10.0
WITHOUT_MODEL: Final = "Or do without one: mark-i config set brain offline"
ITS_MODEL: Final = "Name one that it has: mark-i config set brain BRAIN:MODEL"
ASKED: Final = Prompt("You are asked whether you can be reached.", "Answer with the word yes.", "", plain=True)
# What a run needs, and the exit code if it is missing. Anything else that is missing is reported, but is no failure.
NEEDED: Final = {
    "files": EXIT_CODES["failed"],
    "settings": 2,
    "model": EXIT_CODES["model_error"],
    "desktop": EXIT_CODES["desktop_error"],
}


def examined(virtual: Size | None, profile: str, control: Control, *, check: bool = False) -> Iterator[Finding]:
    """Yield each finding as soon as it is known; each model receives at most one tiny request, or its check."""
    there = survey(Keys(profile))
    warm_up()
    pool = ThreadPoolExecutor(1, "doctor-models")
    models = pool.submit(lambda: list(examined_model(profile, control) if check else _thinking(profile)))
    pool.shutdown(wait=False)
    yield from there
    yield _extras()
    yield _window()
    yield _files(profile)
    yield _kept(profile)
    own = OwnDesktop(PortalToken(profile))
    yield from _desktop(virtual, own, control, next(one.todo for one in there if one.about == "virtual"))
    yield from control.call(models.result)


def examined_model(profile: str, control: Control) -> Iterator[Finding]:
    """Yield how the model of the profile does in its check."""
    try:
        settings, keys = load(profile), Keys(profile)
        name, result = planner(settings, keys), check_model(settings, keys, control)
    except UsageError as error:
        yield _settings(profile, error)
        return
    if result is None:
        yield Finding(
            "The model", f"The brain {name} uses none, so there is no model to check.", "", "model", there=True
        )
    elif isinstance(result, ModelCheck):
        yield Finding("The model", f"{result.told}", result.todo, "model", result.inside, result.to_dict())
    elif result.cause == "settings":
        yield _settings(profile, UsageError(result.told))
    else:
        todo = result.todo or (ITS_MODEL if result.cause == "unknown_model" else WITHOUT_MODEL)
        yield Finding("The model", result.told, todo, "model", check=result.to_dict())


def exit_code(findings: Sequence[Finding]) -> int:
    """Return the exit code of the first thing that a run lacks, or 0."""
    lacking = {one.about for one in findings if failed(one)}
    return next((code for about, code in NEEDED.items() if about in lacking), 0)


def failed(one: Finding) -> bool:
    """Return whether something is missing that a run needs."""
    return one.about in NEEDED and not one.there


def _extras() -> Finding:
    """Report the extras that a plain install leaves out and a user may want."""
    missing = [name for name in FOR_USERS if not EXTRAS[name].installed]
    if not missing:
        return Finding("Extras", f"All are installed: {', '.join(FOR_USERS)}.", about="extras", there=True)
    subjects = "; ".join(f"{EXTRAS[name].subject} ({name})" for name in missing)
    todo = f"Install what you need: pip install 'mark-i[{','.join(missing)}]'"
    return Finding("Extras", f"Not installed: {subjects}.", todo, "extras")


def _window() -> Finding:
    if not has_tk():
        return Finding("The window", f"It {NEEDS_TK}", "Use `mark-i run` until then.", "gui")
    try:
        require("window")
    except UsageError as error:
        return Finding("The window", str(error), "Use `mark-i run` until then.", "gui")
    return Finding("The window", "It can be opened: mark-i gui.", about="gui", there=True)


def _files(profile: str) -> Finding:
    todo = "Make it writable, or use another folder for everything: MARK_I_HOME=FOLDER."
    return finding("A place for runs", partial(_room, profile_folder(profile)), todo, "files")


def _kept(profile: str) -> Finding:
    """Report the virtual desktops that stay, and end what is left of lost ones."""
    lost, names = end_lost(profile), ", ".join(names_of(profile))
    told = [*lost, f"Open: {names}. See mark-i desktop list." if names else "None is open."]
    return Finding("Kept desktops", " ".join(told), about="kept", there=True)


def _room(folder: Path) -> str:
    """Check that runs can be kept in a folder; only an unnamed temporary file is created for the check."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            free = shutil.disk_usage(there).free
    except OSError as error:
        raise JournalError(f"{folder} cannot be written: {file_fault(error)}.") from error
    if free < FREE_MIN_BYTES:
        raise JournalError(f"Only {free / 1e6:.0f} MB are free for {folder}.")
    return f"Runs can be kept in {folder}: {free / 1e9:.1f} GB are free."


def _thinking(profile: str) -> Iterator[Finding]:
    """Check the settings as a run uses them, and ask each model that they name for one word."""
    try:
        settings, keys = load(profile), Keys(profile)
        patience = min(settings.model_seconds, MODEL_MAX_S)
        config = run_config_from(settings.model_copy(update={"model_seconds": patience}), keys, limited=False)
    except ModelError as error:
        yield Finding("The model", str(error), "Save a key, or: mark-i config set brain offline", "model")
        return
    except MarkIError as error:
        yield _settings(profile, error)
        return
    yield Finding("The settings", "They can be used.", about="settings", there=True)
    for brain in filter(None, (config.brain, config.reply, config.vision)):
        one = finding("The model", partial(_asked, brain), WITHOUT_MODEL, "model")
        yield config.secrets.cleared(one)


def _settings(profile: str, error: MarkIError) -> Finding:
    todo = f"Fix that. Settings are in {settings_file(profile)}; to change one: mark-i config set KEY VALUE"
    return Finding("The settings", str(error), todo, "settings")


def _asked(brain: Brain) -> str:
    if not isinstance(brain, RemoteBrain):
        return f"The brain {brain.name} is available; it needs no service."
    if flaw := brain.think(ASKED).flaw:
        raise ModelError(f"{brain.name} gave no answer. {flaw}")
    return f"{brain.name} answers."


def _desktop(virtual: Size | None, own: OwnDesktop, control: Control, install: str) -> Iterator[Finding]:
    """Check the desktop that a run would use, and try it out."""
    size, notice = desktop_for(virtual)
    with contextlib.ExitStack() as stack:
        try:
            desktop = stack.enter_context(opened(size, control, own=own))
        except DesktopError as error:
            yield Finding("The desktop", str(error), ELSEWHERE if size is None else install or AGAIN, "desktop")
            return
        count = len(desktop.monitors)
        monitors = f"{count} monitors: {'; '.join(map(str, desktop.monitors))}" if count > 1 else "1 monitor"
        told = f"The {desktop.name} has {desktop.region.size} pixels, {monitors}."
        yield Finding("The desktop", " ".join(filter(None, (notice, told))), about="desktop", there=True)
        if on_wayland() and size is None:
            yield from session_findings(desktop)
        elif not native_system():
            yield from _display(desktop)
        yield from tried(desktop, control)


def _display(desktop: Desktop) -> Iterator[Finding]:
    """Report the window manager, the scale and the keyboard layout of an X display."""
    from toolbelt.desktops import Keymap, LiveDesktop  # noqa: PLC0415 - only on Linux
    from toolbelt.desktops.x11 import (  # noqa: PLC0415
        Connection,
        KeyboardMap,
        has_window_manager,
        keyboard_layouts,
        scale_of,
    )

    assert isinstance(desktop, LiveDesktop)  # noqa: S101 - the only kind with an X display
    with contextlib.closing(Connection(desktop.display)) as display:
        layouts, scale = " and ".join(keyboard_layouts(display)) or "one without a name", scale_of(display)
        keymap = Keymap(KeyboardMap(display).read(), 0)
        managed = has_window_manager(display)
        latin = any(one.find(ord("a")) for one in (keymap, *keymap.others()))
    if managed:
        yield Finding("Window manager", "One runs.", about="windows", there=True)
    else:
        yield Finding("Window manager", UNMANAGED, "Start one there, such as openbox, or use --virtual.", "windows")
    yield accessibility_finding(desktop)
    yield Finding("Scale", f"Programs draw at {scale} %; the agent counts in pixels.", about="scale", there=True)
    if latin:
        yield Finding("Keyboard", f"Layout: {layouts}.", about="keyboard", there=True)
    else:
        told = f"Layout: {layouts}. It has no Latin letters, so in Chromium shortcuts such as ctrl+c do something else."
        yield Finding("Keyboard", told, "Add a Latin layout beside it, such as us.", "keyboard")
