"""Finds the application that a person means: by its desktop entry, or as a program on the path."""

import configparser
import mmap
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

# Categories of many applications, which name none of them
BROAD_CATEGORIES: Final = {
    *("AudioVideo", "Audio", "Video", "Development", "Education", "Game", "Graphics", "Network", "Office", "Science"),
    *("Settings", "System", "Utility", "Core", "GTK", "Qt", "GNOME", "KDE", "XFCE", "Java", "Motif", "ConsoleOnly"),
}
OF_SETTINGS: Final = re.compile(r"^(?:System|Desktop)\s+|\s+(?:Manager|Center|Centre)$")
ELF: Final = b"\x7fELF"  # how the file of a binary program begins
WAYLAND: Final = b"libwayland-client"
X11: Final = (
    b"libX11",
    b"libxcb",
    b"libgtk-",
    b"libgdk",
    b"libQt",
    b"libSDL",
    b"libwx_",
)  # toolkits know both displays
DESCRIPTION: Final = re.compile(r"^(?:Name|GenericName|Comment)(?:\[\w+(?:@\w+)?\])?=(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An application as described by its desktop entry.

    Attributes:
        file: the name of the entry's file, without its ending.
        categories: what kind of application it is, in the words of the freedesktop menu specification.
        window: the class of its windows, if the entry names it.
        hidden: whether menus do not show it.
        keywords: what else a person may call it.
        in_terminal: whether it runs in a terminal.
        elsewhere: whether it says that it is for another desktop environment than this one.
        types: the MIME types of the files that it opens.
    """

    name: str
    generic_name: str
    command: tuple[str, ...]
    file: str
    categories: frozenset[str] = frozenset()
    window: str = ""
    hidden: bool = False
    keywords: frozenset[str] = frozenset()
    in_terminal: bool = False
    elsewhere: bool = False
    types: frozenset[str] = frozenset()


def command_for(name: str, environment: Mapping[str, str] = os.environ) -> tuple[list[str] | None, list[str]]:
    """Return the command that starts an application, or None and the names of all applications.

    A person may give the name ("Mousepad"), the kind ("the Text Editor") or the program ("mousepad").
    """
    found, others = commands_for(name, environment)
    return next(iter(found), None), others


def commands_for(
    name: str, environment: Mapping[str, str] = os.environ, *, wayland: bool = False
) -> tuple[list[list[str]], list[str]]:
    """Return the commands of the applications that a name may mean, the likeliest first; or, if none, all names.

    Args:
        name: the name, the kind or the program.
        environment: says where desktop entries are.
        wayland: whether there is Wayland where they are started.
    """
    wanted, known = _wanted(name), [one for one in entries(environment) if wayland or not _needs_wayland(one)]
    if found := _named(wanted, known, (_names, _programs, _kinds, _categories)):
        return found, []
    if (program := _program(wanted)) and (wayland or not needs_wayland(program)):
        return [[program]], []
    found = _named(wanted, known, (_parts, _keywords))
    return found, [] if found else sorted({entry.name for entry in known})


def is_application(name: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a name is that of an application with a desktop entry, not of just any program."""
    wanted, known = _wanted(name), [*entries(environment)]
    surely = _named(wanted, known, (_names, _programs, _kinds, _categories))
    return bool(surely or (not _program(wanted) and _named(wanted, known, (_parts, _keywords))))


def _program(name: str) -> str | None:
    program = shutil.which(name) or shutil.which(name.lower())
    return os.path.abspath(program) if program else None  # noqa: PTH100 - links stay: their names are what programs go by


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
    bare = re.sub(r"^(the|an?|my)\s+", "", name.strip(), flags=re.IGNORECASE)
    return re.sub(r"(?<=\S)\s+(app|application|program)$", "", bare, flags=re.IGNORECASE)


def _named(wanted: str, known: list[Entry], ways: tuple[Callable[[Entry], tuple[str, ...]], ...]) -> list[list[str]]:
    """Return the commands of the applications with that name, by the first way to name them that gives any.

    One that is made for this desktop, and for a window, comes first. Of several entries for one program, the one with
    the fewest options is the program itself.
    """
    for words in ways:
        found = [entry for entry in known if _plain(wanted) in {_plain(word) for word in words(entry) if word}]
        if found:
            found.sort(key=lambda entry: (entry.elsewhere, entry.in_terminal, len(entry.command)))
            return [list(command) for command in dict.fromkeys(entry.command for entry in found)]
    return []


def _needs_wayland(entry: Entry) -> bool:
    return needs_wayland(entry.command[0])


def needs_wayland(program: str) -> bool:
    """Tell whether a program can only show windows under Wayland: it knows its library, and none for an X display."""
    path = shutil.which(program)
    try:
        with Path(path or "").open("rb") as file:
            if file.read(len(ELF)) != ELF:
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as code:
                return code.find(WAYLAND) >= 0 and all(code.find(library) < 0 for library in X11)
    except OSError:
        return False  # it may not be read: it can be tried


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
    try:
        entry = _section(file, file.stat().st_mtime_ns)
    except OSError:
        return None  # it has gone meanwhile, or is a link to nothing
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
        keywords=frozenset(filter(None, entry.get("Keywords", "").split(";"))),
        in_terminal=entry.get("Terminal") == "true",
        elsewhere=_is_elsewhere(entry.get("OnlyShowIn", ""), entry.get("NotShowIn", "")),
        types=frozenset(filter(None, entry.get("MimeType", "").split(";"))),
    )


@lru_cache(maxsize=1024)  # hundreds of files, of which one in a year changes
def _section(file: Path, _changed_ns: int) -> Mapping[str, str]:
    """Return what the file of an entry says; nothing if it is no such file."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return {}  # a broken file of another program
    return parser["Desktop Entry"] if parser.has_section("Desktop Entry") else {}


def _is_elsewhere(only: str, never: str) -> bool:
    """Tell whether an entry is for other desktop environments than the one of this session."""
    here = set(filter(None, os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")))
    return bool(only and here.isdisjoint(only.split(";"))) or not here.isdisjoint(filter(None, never.split(";")))


def _names(entry: Entry) -> tuple[str, ...]:
    return (entry.name,)


def _programs(entry: Entry) -> tuple[str, ...]:
    return entry.file, entry.file.rpartition(".")[2], Path(entry.command[0]).name


def _kinds(entry: Entry) -> tuple[str, ...]:
    # To a person, a "Simple Text Editor" is a "Text Editor" and an "Editor".
    words = entry.generic_name.split()
    return tuple(" ".join(words[start:]) for start in range(len(words)))


def _categories(entry: Entry) -> tuple[str, ...]:
    """Return what its categories call it: a `WebBrowser` is a browser, a `TerminalEmulator` a terminal."""
    found: list[str] = []
    for category in entry.categories - BROAD_CATEGORIES:
        words = re.findall(r"[A-Z][a-z]+", category)
        ends = range(1, len(words)) if words[-1:] == ["Emulator"] else ()
        found += [" ".join(words[start:]) for start in range(len(words))] + [" ".join(words[:end]) for end in ends]
        found += [f"{words[0]}s"] if words[1:] == ["Manager"] else []  # Files
    return () if _is_for_settings(entry) else tuple(found)


def _parts(entry: Entry) -> tuple[str, ...]:
    """Return the beginnings and ends of its name: "LibreOffice Writer" is Writer, "Firefox ESR" is Firefox."""
    words = entry.name.split()
    if _is_for_settings(entry):
        return tuple(filter(None, (OF_SETTINGS.sub("", entry.name),)))
    return tuple(" ".join(part) for at in range(1, len(words)) for part in (words[at:], words[:at]))


def _is_for_settings(entry: Entry) -> bool:
    """Tell whether it sets something up: its name holds what, which is another application's name."""
    return "Settings" in entry.categories


def _keywords(entry: Entry) -> tuple[str, ...]:
    return () if _is_for_settings(entry) else tuple(entry.keywords)


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.casefold())
