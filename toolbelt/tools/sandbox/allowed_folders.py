"""The folders that the agent may use, and the one way to what is in them.

A path is followed to its end first, links and all, and refused where that is outside. What was found is then opened
name by name, each from the folder before it and never through a link: a link that is put there in the meantime leads
to a refusal, not out. A hard link and a mounted folder look like any other file and folder here, so they are inside.

POSIX only: there are no such descriptors on Windows, where every use is refused.
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

from world_model import ToolFailure

KINDS: Final = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link that leads nowhere, or was put there just now",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
CODES: Final = {
    errno.EACCES: "PERMISSION_DENIED",
    errno.EPERM: "PERMISSION_DENIED",
    errno.EROFS: "PERMISSION_DENIED",
    errno.ELOOP: "PERMISSION_DENIED",  # the two that O_NOFOLLOW has for a link
    errno.ENOTDIR: "PERMISSION_DENIED",
    errno.ENAMETOOLONG: "INVALID_ARGS",
}
NAMES: Final = 2000  # of a folder that are compared with one that is not there


@dataclass(frozen=True, slots=True)
class Place:
    """A path inside of an allowed folder, without any link: the folder, and the names that lead on from there."""

    root: Path
    names: tuple[str, ...]

    def __str__(self) -> str:
        return readable(str(self.root.joinpath(*self.names)))

    @property
    def name(self) -> str:
        """What it is called in the folder that it is in."""
        return self.names[-1] if self.names else "."

    @property
    def parent(self) -> "Place":
        """The folder that it is in; the allowed folder itself is as far as it goes."""
        return Place(self.root, self.names[:-1])

    @contextlib.contextmanager
    def opened(self, *, make: bool = False) -> Iterator[int]:
        """A descriptor of this folder; `make` makes what is missing on the way."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for count in range(1, len(self.names) + 1):
                above, folder = folder, Place(self.root, self.names[:count]).entered(folder, make=make)
                os.close(above)
            yield folder
        finally:
            os.close(folder)

    def state(self, folder: int, kind: int) -> os.stat_result:
        """What is known of it, in the opened folder that it is in.

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
        """A descriptor of this folder, from the one that it is in."""
        try:
            self.state(above, stat.S_IFDIR)
        except FileNotFoundError:
            if not make:
                raise
            with contextlib.suppress(FileExistsError):  # another writer was faster
                os.mkdir(self.name, dir_fd=above)
                os.fsync(above)
        return os.open(self.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)


class Area:
    """The allowed folders, but for what is closed in them; relative paths start from the first."""

    def __init__(self, folders: Sequence[Path], closed: Sequence[Path] = ()) -> None:
        if not folders:
            raise ValueError("Files can be used in some folders only: name at least one.")
        self._folders = tuple(folders)
        self._closed = tuple(closed)

    def place(self, path: str) -> Place:
        """Where a path leads; nothing need be there.

        Raises:
            ToolFailure: it leads outside, or it is no path, or this is Windows.
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
        except ValueError as error:  # a NUL, or half of a surrogate pair
            raise ToolFailure("INVALID_ARGS", f"{path!a} is no path: {error}.") from error
        except OSError as error:  # a link was replaced between two looks at it
            raise ToolFailure("PERMISSION_DENIED", f"{path} cannot be followed: {error.strerror}.") from error
        roots = [Path(os.path.realpath(folder)) for folder in self._folders]
        closed = any(real.is_relative_to(os.path.realpath(place)) for place in self._closed)
        for root in roots:
            if real.is_relative_to(root) and not closed:
                return Place(root, real.relative_to(root).parts)
        allowed = " and ".join(readable(str(root)) for root in roots)
        raise ToolFailure(
            "PERMISSION_DENIED",
            f"{path} leads to {readable(str(real))}, where no file may be used.",
            ["This is closed: it decides what MARK-I runs." if closed else f"Files may be used in {allowed}."],
        )


@contextlib.contextmanager
def explained(place: Place) -> Iterator[None]:
    """Say what the system refuses in words, with what is there instead."""
    try:
        yield
    except FileNotFoundError as error:
        raise _missing(place) from error
    except OSError as error:
        code = CODES.get(error.errno or 0, "TOOL_ERROR")
        raise ToolFailure(code, f"{place} cannot be used: {error.strerror}.") from error


def readable(name: str) -> str:
    """A name as text; what is no character in it, or has no look of its own, is spelled out."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def _missing(place: Place) -> ToolFailure:
    """What there is in the nearest folder that exists."""
    told = f"There is no file or folder {place}."
    for count in reversed(range(len(place.names))):
        folder = Place(place.root, place.names[:count])
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
        names = {readable(entry.name).casefold(): readable(entry.name) for entry in itertools.islice(entries, NAMES)}
    return [names[near] for near in difflib.get_close_matches(name.casefold(), names, n=3, cutoff=0.6)]
