"""The folders that the agent may use, and the only way to open what is in them.

A path is resolved first, including links, and refused if it leads outside. The result is then opened name by name, each
from the folder before it and never through a link, so that a link created meanwhile leads to a refusal and not outside.
Hard links and mounted folders look like any other file or folder, so they count as inside.

POSIX only: Windows has no such descriptors, so every use is refused there.
"""

import contextlib
import difflib
import errno
import itertools
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbelt.tools.sandbox.private_files import is_private
from world_model import ToolFailure

KINDS: Final = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a broken link, or one that was created just now",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
CODES: Final = {
    errno.EACCES: "PERMISSION_DENIED",
    errno.EPERM: "PERMISSION_DENIED",
    errno.EROFS: "PERMISSION_DENIED",
    errno.ELOOP: "PERMISSION_DENIED",  # these two are what O_NOFOLLOW gives for a link
    errno.ENOTDIR: "PERMISSION_DENIED",
    errno.ENAMETOOLONG: "INVALID_ARGS",
}
MAX_COMPARED_NAMES: Final = 2000  # of a folder, to suggest a name for one that is missing


@dataclass(frozen=True, slots=True)
class SafePath:
    """A path inside an allowed folder, without links: the folder, and the names that lead on from there."""

    root: Path
    names: tuple[str, ...]

    def __str__(self) -> str:
        return readable(str(self.root.joinpath(*self.names)))

    @property
    def name(self) -> str:
        """Its name in its folder."""
        return self.names[-1] if self.names else "."

    @property
    def parent(self) -> "SafePath":
        """Its folder; of an allowed folder, that folder itself."""
        return SafePath(self.root, self.names[:-1])

    @contextlib.contextmanager
    def opened(self, *, make: bool = False) -> Iterator[int]:
        """Open a descriptor of this folder; `make` creates missing folders."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for count in range(1, len(self.names) + 1):
                above, folder = folder, SafePath(self.root, self.names[:count]).entered(folder, make=make)
                os.close(above)
            yield folder
        finally:
            os.close(folder)

    def state(self, folder: int, kind: int) -> os.stat_result:
        """Return its state, given its opened folder.

        Raises:
            ToolFailure: it is not of that kind, one of `KINDS`.
        """
        state = os.stat(self.name, dir_fd=folder, follow_symlinks=False)
        found = stat.S_IFMT(state.st_mode)
        if found != kind:
            code = "PERMISSION_DENIED" if found == stat.S_IFLNK else "INVALID_ARGS"
            hints = [f'list_files("{self}") shows what is in it.'] if found == stat.S_IFDIR else []
            raise ToolFailure(code, f"{self} is {KINDS[found]}, not {KINDS[kind]}.", hints)
        return state

    def entered(self, above: int, *, make: bool) -> int:
        """Open a descriptor of this folder, given the one that contains it."""
        try:
            self.state(above, stat.S_IFDIR)
        except FileNotFoundError:
            if not make:
                raise
            with contextlib.suppress(FileExistsError):  # another writer was faster
                os.mkdir(self.name, dir_fd=above)
                os.fsync(above)
        return os.open(self.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)


class AllowedFolders:
    """The allowed folders, except for private files and what is closed in them; relative paths start from the first."""

    def __init__(self, folders: Sequence[Path], closed: Sequence[Path] = ()) -> None:
        if not folders:
            raise ValueError("Files can be used in some folders only: name at least one.")
        self._folders = tuple(folders)
        self._closed = tuple(closed)

    def place(self, path: str) -> SafePath:
        """Resolve a path; it need not exist.

        Raises:
            ToolFailure: it leads outside or to a private file, it is not a valid path, or this is Windows.
        """
        if sys.platform == "win32":
            raise ToolFailure(
                "TOOL_ERROR",
                "Files cannot be used on Windows: there a link put in the way could lead out of the allowed folders.",
                ["Use an application to open, save or list files."],
            )
        try:
            path.encode()
            start = self._folders[0] / os.path.expanduser(path)  # noqa: PTH111 - `~x` may also be a file
            real = Path(os.path.realpath(start))
        except ValueError as error:  # it has a NUL or a lone surrogate
            raise ToolFailure("INVALID_ARGS", f"{path!a} is not a valid path: {error}.") from error
        except OSError as error:  # a link was replaced meanwhile
            raise ToolFailure("PERMISSION_DENIED", f"{path} cannot be followed: {error.strerror}.") from error
        roots = [Path(os.path.realpath(folder)) for folder in self._folders]
        if is_private(real) or is_private(start):
            told = f"{path} is private: it may hold keys, passwords, sessions or what was typed, so it is not used."
            raise ToolFailure("PERMISSION_DENIED", told, ["Leave it to the person, or give up and say why."])
        closed = any(real.is_relative_to(os.path.realpath(place)) for place in self._closed)
        for root in roots:
            if real.is_relative_to(root) and not closed:
                return SafePath(root, real.relative_to(root).parts)
        allowed = " and ".join(readable(str(root)) for root in roots)
        raise ToolFailure(
            "PERMISSION_DENIED",
            f"{path} leads to {readable(str(real))}, where no file may be used.",
            ["This is closed: it decides what MARK-I runs." if closed else f"Files may be used in {allowed}."],
        )


@contextlib.contextmanager
def explained(place: SafePath) -> Iterator[None]:
    """Convert errors of the system to failures that say what is there instead."""
    try:
        yield
    except FileNotFoundError as error:
        raise _missing(place) from error
    except OSError as error:
        code = CODES.get(error.errno or 0, "TOOL_ERROR")
        raise ToolFailure(code, f"{place} cannot be used: {error.strerror}.") from error


def readable(name: str) -> str:
    """Return a name as text, with undecodable bytes and unprintable characters escaped."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def _missing(place: SafePath) -> ToolFailure:
    """Say what is in the nearest folder that exists."""
    told = f"There is no file or folder {place}."
    for count in reversed(range(len(place.names))):
        folder = SafePath(place.root, place.names[:count])
        with contextlib.suppress(OSError, ToolFailure), folder.opened() as descriptor:
            near = _near(place.names[count], descriptor)
            hints = [f'list_files("{folder}") shows what is there.']
            return ToolFailure(
                "FILE_NOT_FOUND",
                told,
                [f"Did you mean {' or '.join(near)}?", *hints] if near else hints,
                ["list_files"],
            )
    return ToolFailure("FILE_NOT_FOUND", told, ["write_file makes the folders that a new file needs."], ["write_file"])


def _near(name: str, folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        names = {
            readable(entry.name).casefold(): readable(entry.name)
            for entry in itertools.islice(entries, MAX_COMPARED_NAMES)
        }
    return [names[near] for near in difflib.get_close_matches(name.casefold(), names, n=3, cutoff=0.6)]
