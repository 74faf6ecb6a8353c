"""Finds the application that a person means: by its desktop entry, or as a program on the path."""

import configparser
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DESCRIPTION: Final = re.compile(r"^(?:Name|GenericName|Comment)(?:\[\w+(?:@\w+)?\])?=(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An application as described by its desktop entry.

    Attributes:
        file: the name of the entry's file, without its ending.
        categories: what kind of application it is, in the words of the freedesktop menu specification.
        window: the class of its windows, if the entry names it.
        hidden: whether menus do not show it.
    """

    name: str
    generic_name: str
    command: tuple[str, ...]
    file: str
    categories: frozenset[str] = frozenset()
    window: str = ""
    hidden: bool = False


def command_for(name: str, environment: Mapping[str, str] = os.environ) -> tuple[list[str] | None, list[str]]:
    """Return the command that starts an application, or None and the names of all applications.

    A person may give the name ("Mousepad"), the kind ("the Text Editor") or the program ("mousepad").
    """
    wanted = _wanted(name)
    known = list(entries(environment))
    if found := _named(wanted, known):
        return found, []
    if program := shutil.which(wanted) or shutil.which(wanted.lower()):
        return [os.path.abspath(program)], []  # noqa: PTH100 - links stay: their names are what programs go by
    return None, sorted({entry.name for entry in known})


def is_application(name: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a name is that of an application with a desktop entry, not of just any program."""
    return _named(_wanted(name), list(entries(environment))) is not None


def described_as(name: str, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return how its desktop entries name and describe an application, in every language, and its exact categories.

    A category of one word, such as `System`, is of many applications.
    """
    program = Path((command_for(name, environment)[0] or [name])[0]).name
    found: list[str] = []
    for file in _files(environment):
        if (entry := _read(file)) and program in _programs(entry):
            found += DESCRIPTION.findall(file.read_text("utf-8").partition("\n[Desktop Action")[0])
            parts = (re.findall(r"[A-Z][a-z]+", one) for one in entry.categories)
            found += [" ".join(one) for one in parts if len(one) > 1]
    return tuple(found)


def categories_of(
    application: str, pid: int | None = None, environment: Mapping[str, str] = os.environ
) -> frozenset[str]:
    """Return the categories that the desktop entry of a window's application declares, such as `FileManager`.

    Args:
        application: the class of the window.
        pid: its process.
        environment: says where desktop entries are.
    """
    names = {_plain(name) for name in (application, _program_of(pid)) if name}
    known = (_read(file) for file in _files(environment))
    own = [entry for entry in known if entry and not names.isdisjoint(map(_plain, (entry.window, *_programs(entry))))]
    return frozenset().union(*(entry.categories for entry in own))


def _wanted(name: str) -> str:
    return re.sub(r"^(the|an?|my)\s+", "", name.strip(), flags=re.IGNORECASE)


def _named(wanted: str, known: list[Entry]) -> list[str] | None:
    """Return the command of the application with that name, program or kind."""
    for words in (_names, _programs, _kinds):
        if found := [entry for entry in known if _plain(wanted) in {_plain(word) for word in words(entry) if word}]:
            # Of several entries for one program, the one with the fewest options is the program itself.
            return list(min(found, key=lambda entry: len(entry.command)).command)
    return None


def entries(environment: Mapping[str, str]) -> Iterator[Entry]:
    """Yield the visible applications, the user's own before the system's."""
    yield from filter(None, map(_shown, _files(environment)))


def _files(environment: Mapping[str, str]) -> Iterator[Path]:
    own = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")
    system = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in [own, *system.split(":")]:
        yield from sorted(Path(folder).glob("applications/**/*.desktop"))


def _shown(file: Path) -> Entry | None:
    """Read an entry, unless it is hidden from the menus."""
    entry = _read(file)
    return entry if entry and not entry.hidden else None


def _program_of(pid: int | None) -> str:
    """Return the name of the program that a process runs; an empty text if that is unknown."""
    try:
        return Path(f"/proc/{pid}/exe").readlink().name if pid else ""
    except OSError:
        return ""


def _read(file: Path) -> Entry | None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return None  # a broken file of another program
    if not parser.has_section("Desktop Entry"):
        return None
    entry = parser["Desktop Entry"]
    if entry.get("Type") != "Application":
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
    return Entry(
        entry.get("Name", file.stem),
        entry.get("GenericName", ""),
        command,
        file.stem,
        frozenset(filter(None, entry.get("Categories", "").split(";"))),
        entry.get("StartupWMClass", ""),
        hidden="true" in (entry.get("NoDisplay"), entry.get("Hidden")),
    )


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
