"""MARK-I in the menu of the desktop: a .desktop file and its icon among the person's own files."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gui.icons import DRAWING, SIZES_PX, icon_file
from mark_i.config import DEFAULT_PROFILE, profile_folder
from world_model import UsageError, file_fault
from world_model.journal import write_whole

ENTRY: Final = """\
[Desktop Entry]
Type=Application
Name={name}
GenericName=Desktop Agent
Comment=Give it a goal in plain words, and watch it look, think and act
Exec={command}
TryExec={program}
Icon=mark-i
Categories=Utility;
Keywords=agent;assistant;automation;
StartupWMClass=Mark-I
StartupNotify=false
"""
ICON: Final = "mark-i"


def install_entry(profile: str) -> Path:
    """Put the window of a profile into the menu, and return the file that does it.

    Raises:
        UsageError: this system has no such menu, or the files cannot be written.
    """
    profile_folder(profile)  # refuses what is no name of a profile
    data = _data_folder()
    named = profile != DEFAULT_PROFILE
    command = [sys.executable, "-P", "-m", "mark_i", "gui", *(["--profile", profile] if named else [])]
    name = f"MARK-I: {profile}" if named else "MARK-I"
    entry = ENTRY.format(name=name, command=" ".join(map(_quoted, command)), program=_escaped(sys.executable))
    files = {target: source.read_bytes() for target, source in _icons(data).items()}
    files[_entry(data, profile)] = entry.encode()
    for file, content in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, content)
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {file_fault(error)}.") from error
    return _entry(data, profile)


def remove_entry(profile: str) -> bool:
    """Take the window of a profile out of the menu; the icon goes with the last profile.

    Returns:
        Whether it was there.

    Raises:
        UsageError: this system has no such menu, or the files cannot be deleted.
    """
    profile_folder(profile)
    data = _data_folder()
    entry = _entry(data, profile)
    found = entry.exists()
    others = {*entry.parent.glob(f"{ICON}.desktop"), *entry.parent.glob(f"{ICON}-*.desktop")} - {entry}
    for file in (entry, *(() if others else _icons(data))):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{file} cannot be deleted: {file_fault(error)}.") from error
    return found


def _data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the person's own data, as desktops look for it."""
    if sys.platform != "linux":
        raise UsageError("Only desktops on Linux have a menu of .desktop files. Start the window with `mark-i gui`.")
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local/share")


def _entry(data: Path, profile: str) -> Path:
    return data / "applications" / (f"{ICON}.desktop" if profile == DEFAULT_PROFILE else f"{ICON}-{profile}.desktop")


def _icons(data: Path) -> dict[Path, Path]:
    """Where each image of the icon belongs, and where it is."""
    theme = data / "icons" / "hicolor"
    sized = {theme / f"{size}x{size}" / "apps" / f"{ICON}.png": icon_file(size) for size in SIZES_PX}
    return {**sized, theme / "scalable" / "apps" / f"{ICON}.svg": DRAWING}


def _quoted(word: str) -> str:
    """Quote an argument of Exec, as the specification of desktop entries says."""
    if word.isascii() and word.replace("-", "").replace("_", "").isalnum():
        return word
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    return _escaped(f'"{word}"').replace("%", "%%")


def _escaped(value: str) -> str:
    """Escape a value as every string of a desktop entry is."""
    return value.replace("\\", "\\\\")
