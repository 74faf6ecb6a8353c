"""Finds the application that a person means: by its desktop entry, or as a program on the path."""

import configparser
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """An application as described by its desktop entry."""

    name: str
    generic_name: str
    command: tuple[str, ...]
    file: str


def command_for(name: str, environment: Mapping[str, str] = os.environ) -> tuple[list[str] | None, list[str]]:
    """Return the command that starts an application, or None and the names of all applications.

    A person may give the name ("Mousepad"), the kind ("the Text Editor") or the program ("mousepad").
    """
    wanted = re.sub(r"^(the|an?|my)\s+", "", name.strip(), flags=re.IGNORECASE)
    known = list(entries(environment))
    for words in (_names, _programs, _kinds):
        if found := [entry for entry in known if _plain(wanted) in {_plain(word) for word in words(entry) if word}]:
            # Of several entries for one program, the one with the fewest options is the program itself.
            return list(min(found, key=lambda entry: len(entry.command)).command), []
    if program := shutil.which(wanted) or shutil.which(wanted.lower()):
        return [program], []
    return None, sorted({entry.name for entry in known})


def entries(environment: Mapping[str, str]) -> Iterator[Entry]:
    """Yield the visible applications, the user's own before the system's."""
    own = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")
    system = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in [own, *system.split(":")]:
        for file in sorted(Path(folder).glob("applications/**/*.desktop")):
            if entry := _read(file):
                yield entry


def _read(file: Path) -> Entry | None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return None  # a broken file of another program
    if not parser.has_section("Desktop Entry"):
        return None
    entry = parser["Desktop Entry"]
    if entry.get("Type") != "Application" or "true" in (entry.get("NoDisplay"), entry.get("Hidden")):
        return None
    try:
        words = shlex.split(entry.get("Exec", ""))
    except ValueError:
        return None  # a broken file, too
    # %f, %U and the like stand for files; there are none
    command = tuple(word for word in words if not re.fullmatch(r"%[a-zA-Z]", word))
    if not command or not shutil.which(command[0]):
        return None
    if entry.get("Terminal") == "true":
        command = ("x-terminal-emulator", "-e", *command)
    return Entry(entry.get("Name", file.stem), entry.get("GenericName", ""), command, file.stem)


def _names(entry: Entry) -> tuple[str, ...]:
    return (entry.name,)


def _programs(entry: Entry) -> tuple[str, ...]:
    return entry.file, entry.file.rpartition(".")[2], Path(entry.command[0]).name


def _kinds(entry: Entry) -> tuple[str, ...]:
    # To a person, a "Simple Text Editor" is a "Text Editor" and an "Editor".
    words = entry.generic_name.split()
    return tuple(" ".join(words[start:]) for start in range(len(words)))


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.casefold())
