"""Programs that are no applications: opened by a path, or known to do harm."""

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final

from mark_i.guard.policy import Policy
from mark_i.guard.provenance import RequiredPart, unknown
from mark_i.guard.texts import Reason
from mark_i.guard.words import known_words, letters
from toolbelt.desktops import command_for, is_application

# How the names of files end that a browser fetches, or opens, to install a program
_INSTALLS: Final = "appimage apk deb dmg exe flatpakref jar msi msix pkg rpm snap"
# How the names of files end that are started when they are opened from a list of files, or install something
_STARTED: Final = (
    "bat bin chm cmd com command cpl crx desktop docm flatpak flatpakrepo hta inf jnlp js jse lnk msc msp php pif pl "
    f"ps1 pptm py pyw rb reg run scf scr sh url vb vbe vbs wsf wsh xlsm xpi {_INSTALLS}"
)
# Names of files that a program looks for and runs, such as those that begin with a dot
_RUN_LATER: Final = re.compile(r"\.[\w-]+|[Mm]akefile|[Dd]ockerfile|crontab|authorized_keys")


def is_program_file(name: str) -> bool:
    """Whether a name is that of a file that is a program, or installs one."""
    return PurePath(name).suffix.casefold().removeprefix(".") in _STARTED.split()


def is_started(name: str) -> bool:
    """Whether opening a file of that name starts a program: by its ending, or by what it is called without one."""
    return is_program_file(name) or letters(name) in known_words().starters


def is_installer(name: str) -> bool:
    """Whether a name is that of a file that installs a program."""
    return PurePath(name).suffix.casefold().removeprefix(".") in _INSTALLS.split()


def is_run_later(name: str) -> bool:
    """Whether a file of that name is run by itself or by a click later: what is saved in it is a program."""
    return is_program_file(name) or _RUN_LATER.fullmatch(name) is not None


def is_path(name: str) -> bool:
    """Whether a name leads to a program by a path, not by the name of an application."""
    return bool(re.search(r"[/\\]", name)) or name.strip().startswith(("~", "."))


def _is_harmless_file(path: str) -> bool:
    """Whether a path is that of a file that is there and is no program: opening it only shows it."""
    try:
        file = Path(path).expanduser()
        return file.is_file() and not os.access(file, os.X_OK) and not is_started(file.name)
    except (OSError, RuntimeError, ValueError):  # no such home, or no name of a file
        return False


def program(name: str, args: Sequence[str], policy: Policy, given: str) -> Reason | None:
    """Return why a person is asked before a program is opened; None for an application, or one that is `given`.

    With arguments a program is a command line, which must be given as a whole.
    """
    command, _ = command_for(name)
    found = None if is_application(name) or command is None else PurePath(command[0]).name
    own = found or PurePath(name.strip()).name
    head = re.split(r"[\s.]", own.casefold())[0]
    if head in known_words().commands or policy.risky_label([name.replace("-", " "), own.replace("-", " ")]):
        return Reason(f"word {own.casefold()}", f'"{own.casefold()}" may be impossible to undo.')
    if command is None and is_started(own) and unknown([RequiredPart("program", name)], given):
        return Reason(f"program {name}", f'"{name}" may start when it is opened.')
    if is_path(name) and _is_harmless_file(name) and not unknown([RequiredPart("file", name)], given):
        return None
    if is_path(name):
        return Reason(f"program {name}", f'"{name}" is a program at a path, not an application.')
    if found is None or not unknown([RequiredPart("program", line := " ".join([found, *args]))], given):
        return None
    return Reason(f"program {line}", f'"{line}" is a program, not an application.')
