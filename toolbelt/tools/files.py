"""Files, in the folders that the agent may use."""

import contextlib
import mimetypes
import os
import stat
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from toolbelt.parameters import FileContent, FilePath
from toolbelt.tool import ToolResult, tool
from toolbelt.tools.sandbox.allowed_folders import AllowedFolders, SafePath, explained, readable
from world_model import ToolFailure

PathName = Annotated[str, FilePath, Field(description="Its path; a relative one starts in the first allowed folder.")]

MAX_BYTES: Final = 5_000_000  # of a file that is read
MAX_ENTRIES: Final = 500  # of a folder that are listed


class Files:
    """Reads, writes and lists files in the allowed folders and below, and nowhere else.

    Args:
        folders: the allowed folders. Relative paths start from the first.
        closed: files and folders in them that may not be used.
    """

    def __init__(self, folders: Sequence[Path], closed: Sequence[Path] = ()) -> None:
        self._area = AllowedFolders(folders, closed)

    @tool(risk="look", instead=["list_files"])
    def read_file(self, path: PathName) -> str:
        """Return the text of a file."""
        place = self._area.place(path)
        with explained(place), place.parent.opened() as folder:
            data = _read(place, folder)
        if len(data) > MAX_BYTES:
            raise ToolFailure(
                "TOOL_ERROR", f"{place} is larger than {MAX_BYTES:,} bytes, which is the most that is read."
            )
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            kind = mimetypes.guess_type(place.name)[0]
            told = f"{place} is not text: its byte {error.start} is {data[error.start]:#04x}, which is not UTF-8 there."
            told += f" By its name it is {kind}." if kind else ""
            raise ToolFailure("TOOL_ERROR", told) from error

    @tool(risk="write", idempotent=True)
    def write_file(
        self, path: PathName, text: Annotated[str, FileContent, Field(description="All of its text.")]
    ) -> str:
        """Write a text file; an existing one is replaced."""
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            told = f"The text cannot be written as UTF-8: its character {error.start} is half of a surrogate pair."
            raise ToolFailure("INVALID_ARGS", told) from error
        place = self._area.place(path)
        if path.endswith(os.sep):
            raise ToolFailure("INVALID_ARGS", f"{path} names a folder, not a file.")
        with explained(place), place.parent.opened(make=True) as folder:
            old = _writable(place, folder)
            _replace(place.name, folder, data, old)
        lines = text.count("\n") + (not text.endswith("\n") and bool(text))
        did = "Replaced" if old else "Created"
        return f"{did} {place}: {_count(len(text), 'character')}, {_count(lines, 'line')}."

    @tool(risk="look")
    def list_files(self, path: PathName = ".") -> ToolResult:
        """List what is in a folder."""
        place = self._area.place(path)
        with explained(place), place.opened() as folder:
            entries, left_out = _entries(folder)
        if not entries:
            return ToolResult(f"{place} is empty.", entries)
        more = [f"and {left_out:,} more"] if left_out else []
        return ToolResult("\n".join([f"In {place}:", *map(_line, entries), *more]), entries)


def _read(place: SafePath, folder: int) -> bytes:
    """Read its bytes; of a file that is too large, one more than allowed."""
    place.state(folder, stat.S_IFREG)  # before opening it, which may have an effect on a pipe or a device
    descriptor = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ToolFailure("PERMISSION_DENIED", f"{place} was replaced while it was opened.")
        return file.read(MAX_BYTES + 1)


def _writable(place: SafePath, folder: int) -> os.stat_result | None:
    """Return the state of the file that will be replaced, if there is one."""
    try:
        state = place.state(folder, stat.S_IFREG)
    except FileNotFoundError:
        return None
    if not os.access(place.name, os.W_OK, dir_fd=folder, effective_ids=True):  # the rename would not check it
        raise ToolFailure("PERMISSION_DENIED", f"{place} may be read, but not written.")
    return state


def _replace(name: str, folder: int, data: bytes, old: os.stat_result | None) -> None:
    """Write a file beside it and rename that, so that there is always either the old file or the new one."""
    part = f".{uuid.uuid4().hex}.part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if old:
                _keep_permissions(old, descriptor)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.rename(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # a stop too: no half-written file stays behind
        os.unlink(part, dir_fd=folder)
        raise
    os.fsync(folder)


def _keep_permissions(old: os.stat_result, descriptor: int) -> None:
    with contextlib.suppress(PermissionError):  # only root may change the owner
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, old.st_mode & 0o777)


def _entries(folder: int) -> tuple[list[dict[str, Any]], int]:
    """List a folder; also how many entries are left out."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda one: (not one.is_dir(follow_symlinks=False), one.name.casefold(), one.name))
    return [_told(entry) for entry in entries[:MAX_ENTRIES]], max(0, len(entries) - MAX_ENTRIES)


def _told(entry: os.DirEntry[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"name": readable(entry.name), "kind": _kind(entry)}
    if told["kind"] == "file":
        with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
            told["size"] = entry.stat(follow_symlinks=False).st_size
    return told


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "special"


def _line(told: dict[str, Any]) -> str:
    if told["kind"] == "folder":
        return f"{told['name']}/"
    return f"{told['name']} ({_count(told['size'], 'byte') if 'size' in told else told['kind']})"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
