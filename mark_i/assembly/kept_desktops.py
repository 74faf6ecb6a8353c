"""The kept desktops of a profile: starting, finding, using and ending them. Each has a name and a state file."""

import contextlib
import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from mark_i.config.file_lock import CHECK_MAX_S, is_locked
from mark_i.config.paths import desktops_folder, make_private
from toolbelt.control import Control
from toolbelt.desktops import native_system
from world_model import DesktopError, MarkIError, Size, UsageError, file_fault
from world_model.journal import write_whole

if TYPE_CHECKING:
    from toolbelt.desktops import KeptDesktop

NAME: Final = re.compile("[A-Za-z0-9_-]{1,32}")
SIZE: Final = re.compile(r"\d+[xX]\d+")  # no name: `mark-i desktop start` takes it for a size
STATE, LOCK, USER, PART = ".json", ".lock", ".run", ".part"  # the files of a desktop


@dataclass(frozen=True, slots=True)
class Listed:
    """A kept desktop and what is on it.

    Attributes:
        used: whether somebody uses it, or is about to end it.
        run: the run that uses it; None if none does.
        titles: of the windows, bottom to top.
        unsaved: the titles of those that say that they hold something unsaved.
    """

    desktop: "KeptDesktop"
    used: bool
    run: str | None
    titles: tuple[str, ...]
    unsaved: tuple[str, ...]


def start_kept(profile: str, name: str | None, size: Size, control: Control, *, owned: bool = False) -> "KeptDesktop":
    """Start a virtual desktop that stays; without a name, it gets a short one. An `owned` one ends with this process.

    Raises:
        UsageError: the name is not valid, or taken.
        DesktopError: it does not start.
    """
    if system := native_system():
        raise DesktopError(f"There is no virtual desktop on {system}.")
    from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415 - only on Linux

    folder = desktops_folder(profile)
    make_private(folder.parent)
    make_private(folder)
    with _reserved(folder, name) as file, closing(VirtualDesktop(size, control)) as desktop:
        return desktop.keep(file, owned=owned)


def kept_named(profile: str, name: str) -> "KeptDesktop":
    """Return the kept desktop of that name.

    Raises:
        UsageError: there is none.
        DesktopError: it is gone; what was left of it is ended.
    """
    file = desktops_folder(profile) / (name + STATE)
    if not NAME.fullmatch(name) or not file.exists():
        names = names_of(profile)
        hint = f"There are {', '.join(names)}." if names else "None is open. Start one: mark-i desktop start."
        raise UsageError(f"There is no desktop {name!r}. {hint}")
    kept = _read(file)
    if kept.is_open:
        return kept
    with _locked(file):
        return _still_open(file)


@contextlib.contextmanager
def borrowed(profile: str, name: str, run: str) -> Iterator["KeptDesktop"]:
    """Lock a kept desktop for a run.

    Raises:
        UsageError: there is none of that name, or another run uses it.
        DesktopError: it is gone.
    """
    file = kept_named(profile, name).file
    with _locked(file):
        kept = _still_open(file)  # it may have been ended meanwhile
        write_whole(file.with_suffix(USER), run.encode())
        yield kept


def stop_kept(profile: str, name: str) -> None:
    """End a kept desktop: ask its windows to close, give the programs time, then end everything on it.

    Raises:
        UsageError: there is none of that name, or a run uses it.
        DesktopError: it is gone; what was left of it is ended.
    """
    file = kept_named(profile, name).file
    from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415 - only on Linux

    with _locked(file):
        kept = _still_open(file)
        try:
            VirtualDesktop.attach(kept, Control()).end()
        except DesktopError:  # its display is going away
            kept.end()


def names_of(profile: str) -> list[str]:
    """Return the names of the kept desktops, also of those that are lost."""
    return [file.stem for file in _files(profile)]


def is_used(profile: str, name: str) -> bool:
    """Whether somebody uses a kept desktop, or is about to end it."""
    return is_locked(desktops_folder(profile) / (name + LOCK))


def listed(profile: str) -> list[Listed]:
    """Return the kept desktops that are open, and what is on them."""
    found = []
    for file in _files(profile):
        with contextlib.suppress(DesktopError):  # it has just been ended, or is told of by `end_lost`
            kept = _read(file)
            if kept.is_open:
                used = is_locked(file.with_suffix(LOCK))
                found.append(Listed(kept, used, _user(file) if used else None, *_titles(kept)))
    return found


def end_lost(profile: str) -> list[str]:
    """End what is left of desktops whose keeper was killed or shut down; return a line for each."""
    told = []
    for file in _files(profile):
        try:
            if _read(file).is_open:
                continue
            with _locked(file):
                if _end_lost(file):
                    told.append(
                        f"The desktop {file.stem} was lost: its keeper was ended. What was left of it is ended."
                    )
        except UsageError:  # the run on it is just ending
            continue
        except MarkIError as error:
            told.append(str(error))
    return told


def _still_open(file: Path) -> "KeptDesktop":
    """Return the desktop, whose lock the caller holds; what is left of one that is gone is ended."""
    if file.exists() and (kept := _read(file)).is_open:
        return kept
    _end_lost(file)
    raise DesktopError(f"The desktop {file.stem} is gone, and nothing of it is left. Start another one.")


def _end_lost(file: Path) -> bool:
    """End what is left of a lost desktop, whose lock the caller holds; whether it was one."""
    if not file.exists() or (kept := _read(file)).is_open:
        return False
    kept.end()
    return True


def _files(profile: str) -> list[Path]:
    """Return the state files of the kept desktops."""
    return sorted(desktops_folder(profile).glob(f"*{STATE}"))


def _read(file: Path) -> "KeptDesktop":
    from toolbelt.desktops import KeptDesktop  # noqa: PLC0415 - only on Linux

    return KeptDesktop.read(file)


def _titles(kept: "KeptDesktop") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the titles of the windows, and of those that hold something unsaved."""
    from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415 - only on Linux

    with closing(VirtualDesktop.attach(kept, Control())) as desktop:
        windows = desktop.windows()
    return tuple(one.title for one in windows), tuple(one.title for one in windows if one.unsaved)


@contextlib.contextmanager
def _reserved(folder: Path, name: str | None) -> Iterator[Path]:
    """Lock a name that no desktop has, and return the path of its state file."""
    if name is not None:
        if not NAME.fullmatch(name) or SIZE.fullmatch(name):
            raise UsageError(f"{name!r} cannot be a desktop: its name is made of 1 to 32 letters, digits, - and _.")
        file = folder / (name + STATE)
        with _locked(file):
            if file.exists():
                raise UsageError(f"There is a desktop {name} already. To end it: mark-i desktop stop {name}.")
            yield file
        return
    for number in itertools.count(1):
        file = folder / f"d{number}{STATE}"
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(_locked(file))
            except UsageError:  # somebody else is starting it
                continue
            if not file.exists():
                yield file
                return


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Lock a desktop; its other files go with its state file.

    Raises:
        UsageError: another process has locked it.
        DesktopError: the folder cannot be written.
    """
    lock = FileLock(file.with_suffix(LOCK), timeout=CHECK_MAX_S, thread_local=False)  # another thread may release it
    try:
        lock.acquire()
    except Timeout as error:
        run = _user(file)
        who, todo = (f"the run {run}", f" Stop it first: mark-i stop {run}.") if run else ("somebody else", "")
        raise UsageError(f"The desktop {file.stem} is used by {who}.{todo}") from error
    except OSError as error:
        raise DesktopError(f"{file.parent} cannot be written: {file_fault(error)}.") from error
    try:
        file.with_suffix(USER).unlink(missing_ok=True)  # of a run before, which may have been killed
        yield
    finally:
        if not file.exists():
            for suffix in (USER, PART, LOCK):
                file.with_suffix(suffix).unlink(missing_ok=True)
        lock.release()


def _user(file: Path) -> str | None:
    """Return the run that locked a desktop."""
    try:
        return file.with_suffix(USER).read_text("utf-8")
    except OSError:
        return None
