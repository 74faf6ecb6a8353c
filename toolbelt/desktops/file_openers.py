"""Finds the applications that open a file: those whose desktop entries name its type."""

import codecs
import configparser
import mimetypes
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from toolbelt.desktops.apps import entries, needs_wayland

TEXT: Final = "text/plain"
TEXT_EDITOR: Final = "TextEditor"  # a category of the freedesktop menu specification
START_BYTES: Final = 4096  # of a file, which tell whether it is text
USUAL_FOLDERS: Final = ("", "Desktop", "Documents", "Downloads")  # below the home folder, where programs save


def files_named(name: str) -> list[Path]:
    """Return the files that a name may mean: that in the working folder, or else those where programs save."""
    try:
        path = Path(name).expanduser()
        if path.is_file():
            return [path.absolute()]
        below = [] if path.is_absolute() else [Path.home() / folder / path for folder in USUAL_FOLDERS]
        return [one for one in below if one.is_file()]
    except (OSError, RuntimeError, ValueError):  # no such home, or no name of a file
        return []


def openers_of(file: Path, environment: Mapping[str, str] = os.environ, *, wayland: bool = False) -> list[list[str]]:
    """Return the commands of the applications that open a file of that type, the person's choice first."""
    known = [one for one in entries(environment) if wayland or not needs_wayland(one.command[0])]
    for kind in _types(file):
        chosen = _chosen(kind, environment)
        found = [entry for entry in known if kind in entry.types]
        found.sort(
            key=lambda entry: (
                chosen.index(entry.file) if entry.file in chosen else len(chosen),
                kind == TEXT and TEXT_EDITOR not in entry.categories,
                entry.elsewhere,
                entry.in_terminal,
                len(entry.command),
            )
        )
        if found:
            return [list(command) for command in dict.fromkeys(entry.command for entry in found)]
    return []


def _types(file: Path) -> list[str]:
    """Return the types of a file, the narrowest first: all that is text is plain text, too."""
    kind, packed = mimetypes.guess_type(file.name)
    named = [kind] if kind and not packed else []
    return [*dict.fromkeys([*named, TEXT])] if _is_text(file) else named


def _is_text(file: Path) -> bool:
    try:
        with file.open("rb") as content:
            start = content.read(START_BYTES)
        if b"\0" in start:
            return False
        codecs.getincrementaldecoder("utf-8")().decode(start)  # the last letter may be cut
    except (OSError, UnicodeDecodeError):
        return False
    return True


def _chosen(kind: str, environment: Mapping[str, str]) -> list[str]:
    """Return the entries that the person, or else the system, chose for a type, by the names of their files."""
    found = list[str]()
    for list_file in _lists(environment):
        parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
        try:
            parser.read(list_file, encoding="utf-8")
        except (OSError, configparser.Error, UnicodeDecodeError):
            continue
        chosen = parser.get("Default Applications", kind, fallback="")
        found += [one.strip().removesuffix(".desktop") for one in chosen.split(";") if one.strip()]
    return found


def _lists(environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that say which application opens a type, the person's own first."""
    home = Path.home()
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "mimeapps.list"
    yield from (Path(one) / "mimeapps.list" for one in (environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":"))
    own = environment.get("XDG_DATA_HOME") or str(home / ".local/share")
    system = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    yield from (Path(one) / "applications" / "mimeapps.list" for one in [own, *system.split(":")])
