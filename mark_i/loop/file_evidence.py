"""Files as evidence: whether one is the result of this run, by its content, its times, and what was there before."""

import contextlib
import itertools
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mark_i.loop.archives import is_archive
from mark_i.loop.file_content import READ_MAX_BYTES, counted, digest, first_lines, start_of
from mark_i.loop.goal_names import asked_folders, excepted, is_part_of_name
from mark_i.loop.goal_words import (
    asks_to_copy,
    asks_to_link,
    asks_to_move,
    asks_to_remove,
    asks_to_rename,
    file_names,
    full_paths,
    holds,
    orders_content,
    quoted,
    says,
    words,
)
from mark_i.loop.verdict import PROVES, Verdict, doubtful, false
from toolbelt.desktops import USUAL_FOLDERS
from toolbelt.tools import is_private

LISTED_MAX: Final = 5_000  # entries of a folder that are remembered
NO_RESULT: Final = tuple(map(Path, ("/proc", "/sys", "/dev")))  # the system's own; a program does not save there
BACKUP_SUFFIXES: Final = frozenset({".bak", ".old", ".orig", ".swp", ".tmp"})
UNSAVED: Final = frozenset("*\u2022\u25cf")  # signs in the title of a window


@dataclass(frozen=True, slots=True)
class FilesBefore:
    """The files that were there before the run began, as far as they were looked at.

    Attributes:
        listed: the folders whose files are known.
        there: the files and folders in them.
        contents: the digests of the files that the goal names.
        quoted: how often each text that the goal quotes was in these files.
        lines: the first lines of those that are plain text.
        modes: their permissions, and what kind of file they are.
    """

    listed: frozenset[Path] = frozenset()
    there: frozenset[Path] = frozenset()
    contents: dict[Path, str] = field(default_factory=dict, hash=False)
    quoted: dict[Path, dict[str, int]] = field(default_factory=dict, hash=False)
    lines: dict[Path, tuple[str, ...]] = field(default_factory=dict, hash=False)
    modes: dict[Path, str] = field(default_factory=dict, hash=False)

    def had(self, path: Path) -> bool | None:
        """Whether it was there; None if nobody knows."""
        if path in self.there:
            return True
        if path.parent in self.listed or (path.parent != path and self.had(path.parent) is False):
            return False
        return None


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What files are judged by.

    Attributes:
        goal: what the person asked for.
        folders: where relative paths start.
        began: the start of the run, in seconds since the epoch.
        before: what was there then.
        own: the folders of the program itself; what changes there is no result.
    """

    goal: str
    folders: tuple[Path, ...] = (Path(),)
    began: float = 0.0
    before: FilesBefore = field(default_factory=FilesBefore)
    own: tuple[Path, ...] = ()


def files_before(goal: str, folders: Sequence[Path]) -> FilesBefore:
    """Look at the files that are there now, where the goal may want something done."""
    named = full_paths(goal)
    listed, there = set[Path](), set[Path]()
    within = [one for folder in folders for one in named_folders(goal, folder)]
    for folder in (*folders, *within, *home_folders(), *(path.parent for path in named)):
        try:
            folder = folder.resolve()  # noqa: PLW2901
            with os.scandir(folder) as entries:
                found = [Path(entry.path) for entry in itertools.islice(entries, LISTED_MAX + 1)]
        except (OSError, RuntimeError):
            continue
        there.update(found)
        if len(found) <= LISTED_MAX:
            listed.add(folder)
    contents = {path: content for path in named_files(goal, folders) if (content := digest(path))}
    texts = {path: counted(quoted(goal), start_of(path)) for path in contents}
    lines = {path: first_lines(path) for path in contents}
    modes = {path: _mode(path) for path in contents}
    return FilesBefore(frozenset(listed), frozenset(there), contents, texts, lines, modes)


def shows_mode(text: str, facts: FileFacts) -> bool:
    """Whether a text shows the permissions that a file got in this run, if the goal wants nothing done to its content.

    They are shown as `ls -l` does: -rwxr-xr-x.
    """
    if orders_content(facts.goal):
        return False
    there = ((path, mode) for path, mode in facts.before.modes.items() if os.path.lexists(path))
    return any(mode != _mode(path) and _mode(path) in text.split() for path, mode in there)


def _mode(path: Path) -> str:
    return stat.filemode(path.lstat().st_mode)


def judged(name: str, text: str | None, facts: FileFacts, *, deed: bool) -> Verdict:
    """Judge a file that is said to be there, with the text that is said to be in it."""
    found = list(_found(name, facts.folders))
    if not found:
        return false(f"There is no file {name}.")
    verdicts = [_judged(path, text, facts, deed=deed) for path in found]
    return next((one for one in verdicts if one.proves), verdicts[0])


def found_file(name: str, facts: FileFacts) -> Path | None:
    """Return where a file is that evidence names; None if there is none."""
    return next((path.absolute() for path in _found(name, facts.folders)), None)


def judged_gone(name: str, facts: FileFacts, *, deed: bool, seen: bool) -> Verdict:
    """Judge a file that is said not to be there: to prove a deed, it must have been there, or been `seen`, before."""
    if list(_found(name, facts.folders)):
        return false(f"{name} is there.")
    if not deed:
        return PROVES
    if left := _left(name, facts):
        return left
    if not seen and not any(facts.before.had(_real(folder / name)) for folder in facts.folders):
        return doubtful(f"Nobody knows that {name} was there before the run.")
    return _named_in_goal(Path(name), facts)


def _left(name: str, facts: FileFacts) -> Verdict | None:
    """Judge what is left where a file is gone: it may be elsewhere, or only a part of what was to go."""
    within = [one / Path(name).name for base in facts.folders for one in named_folders(facts.goal, base)]
    there = [path for path in within if os.path.lexists(path)]
    if asks_to_move(facts.goal):
        new = (one for one in named_files(facts.goal, facts.folders) if facts.before.had(one) is False)
        if not (there or any(map(os.path.lexists, new))):
            return doubtful(f"That {name} is gone does not show where it is now.")
    elif there:
        return false(f"{there[0]} is there.")
    elif part_of := _part_of(name, facts):
        return doubtful(f"{part_of} is still there.")
    return None


def _part_of(name: str, facts: FileFacts) -> Path | None:
    """Return the folder that the goal names, if a file was only in it, and the goal does not name the file."""
    if excepted(facts.goal) or Path(name).name in (Path(one).name for one in file_names(facts.goal)):
        return None
    within = (folder for base in facts.folders for folder in named_folders(facts.goal, base))
    return next((folder for folder in within if folder.name in Path(name).parts[:-1]), None)


def judged_open(names: Sequence[str], titles: Sequence[str], facts: FileFacts) -> Verdict:
    """Judge that a window shows files in its title: they must be there, under these names, and saved."""
    for name in (Path(one).name for one in names):
        token = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-]*\w)")
        shown = [(title, found.span()) for title in titles if (found := token.search(title))]
        if not shown:
            return doubtful(f"No window has {name} as a name in its title.")
        if all(
            {title[:1], title[max(0, start - 1) : start], title[end : end + 1]} & UNSAVED
            for title, (start, end) in shown
        ):
            return doubtful(f"{name} is not saved.")
        places = (*facts.folders, *home_folders(), *(path.parent for path in full_paths(facts.goal)))
        within = [one for folder in facts.folders for one in _subfolders(folder)]
        if not any(os.path.lexists(folder / name) for folder in (*places, *within)):
            return doubtful(f"There is no file {name}.")
    return PROVES


def _subfolders(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [one for one in itertools.islice(folder.iterdir(), LISTED_MAX) if one.is_dir()]
    return []


def _judged(path: Path, text: str | None, facts: FileFacts, *, deed: bool) -> Verdict:
    state, real = path.stat(), path.resolve()
    if text is not None and (fault := _content_fault(path, text)):
        return false(fault)
    if not deed:
        return PROVES if stat.S_ISREG(state.st_mode) else false(f"{path} is no file.")
    if any(real.is_relative_to(folder) for folder in NO_RESULT):
        return doubtful(f"{path} belongs to the system and is no result.")
    allowed = any(real.is_relative_to(_real(folder)) for folder in facts.folders)
    if not allowed and any(real.is_relative_to(_real(folder)) for folder in facts.own):
        return doubtful(f"{path} belongs to MARK-I itself and is no result.")
    return _changed(path, real, state, text, facts)


def _content_fault(path: Path, text: str) -> str:
    """Say that a file does not hold a text, or is not empty if the text is."""
    if not path.is_file():
        return f"{path} is no file that holds a text."
    content = start_of(path)
    if not text:
        return f"{path} is not empty." if content.strip() else ""
    if holds(content, text):
        return ""
    return f'"{text}" is not in {path}, or not in its first {READ_MAX_BYTES // 1_000_000} MB.'


def _changed(path: Path, real: Path, state: os.stat_result, text: str | None, facts: FileFacts) -> Verdict:
    """Judge whether a file or folder was made or changed in this run, and is what the goal asks for."""
    if path.is_symlink() and facts.before.had(_real(path)) is False and asks_to_link(facts.goal):
        return _named_in_goal(path, facts)
    had = facts.before.had(real)
    if stat.S_ISDIR(state.st_mode):
        return _judged_folder(path, real, facts)
    if not stat.S_ISREG(state.st_mode):
        return false(f"{path} is no file.")
    # A copied or renamed file keeps the time of its content; the time of its entry shows that it is new here.
    if max(state.st_mtime, state.st_ctime) < facts.began or facts.before.contents.get(real, "") == digest(real):
        mode = "" if _mode(path) == facts.before.modes.get(real, _mode(path)) else _mode(path)
        return doubtful(f"{path} is as it was before the run{mode and f', but for {mode}: show that as text'}.")
    if had and text is None and not _is_rid_of_quoted(path, real, facts):
        return doubtful(f'{path} was there before the run. Say with "text" what it holds now.')
    doubts = (_other_name, _kept_copy, _elsewhere, _without_quoted)
    faults = next(filter(None, (one(path, real, facts) for one in doubts)), "")
    doubt = faults or (_was_to_go(text, path, real, facts) if text else _hole(path))
    return doubtful(doubt) if doubt else _named_in_goal(path, facts)


def _judged_folder(path: Path, real: Path, facts: FileFacts) -> Verdict:
    """Judge a folder: it must be new, have a name that the goal has, and be where the goal wants it."""
    new = facts.before.had(real) is False and says(facts.goal, path.name) and not is_part_of_name(path.name, facts.goal)
    if not new:
        return doubtful(f"{path} is not known to be a new folder that the goal names.")
    from_elsewhere = asks_to_copy(facts.goal) or asks_to_move(facts.goal)
    doubt = "" if from_elsewhere else _elsewhere(path, real, facts)
    return doubtful(doubt) if doubt else PROVES


def _was_to_go(text: str, path: Path, real: Path, facts: FileFacts) -> str:
    """Say that a file holds a text that the goal names as often as before, where it wants something removed."""
    before = "\n".join(facts.before.lines.get(real, ()))
    if not asks_to_remove(facts.goal) or not says(facts.goal, text) or not holds(before, text):
        return ""
    return f'"{text}" is in {path} as it was before.' if holds(start_of(path), text) >= holds(before, text) else ""


def _other_name(path: Path, _real: Path, facts: FileFacts) -> str:
    """Say that a file has the name that the goal gives to a folder, or only a part of the name that it gives."""
    if path.name.casefold() in asked_folders(facts.goal):
        return f"{path} is a file, and the goal asks for a folder."
    part = is_part_of_name(path.name, facts.goal)
    return f"{path.name} is only a part of the name that the goal gives." if part else ""


def _hole(path: Path) -> str:
    """Say that a file is longer than what was written to it, as one that is still being downloaded."""
    with contextlib.suppress(OSError, AttributeError), path.open("rb") as file:  # empty; a system that knows no holes
        if os.lseek(file.fileno(), 0, os.SEEK_HOLE) < path.stat().st_size:
            return f'Parts of {path} were never written. Say with "text" what it holds.'
    return ""


def _kept_copy(path: Path, _real: Path, facts: FileFacts) -> str:
    """Say that a file is what a program keeps of an older one, unless the goal names such files."""
    kept = path.name.endswith("~") or (path.suffix in BACKUP_SUFFIXES and path.suffix not in facts.goal)
    kept = kept and not asks_to_copy(facts.goal)
    return f"{path.name} is what a program keeps of an older file." if kept else ""


def _without_quoted(path: Path, real: Path, facts: FileFacts) -> str:
    """Say that a file holds none of the texts that the goal quotes, and never did; names of files do not count."""
    names = {path.name, *(Path(name).name for name in file_names(facts.goal))}
    texts = [text for text in quoted(facts.goal) if text not in names and Path(text).name != path.name]
    now = start_of(path) if texts else ""
    if not texts or any(facts.before.quoted.get(real, {}).values()) or any(holds(now, text) for text in texts):
        return ""
    return f'{path} does not hold "{texts[0]}".'


def _is_rid_of_quoted(path: Path, real: Path, facts: FileFacts) -> bool:
    """Whether a file that the goal names held a text that was to be removed, and holds none of it now."""
    held = [text for text, count in facts.before.quoted.get(real, {}).items() if count]
    return bool(held) and asks_to_remove(facts.goal) and not any(counted(held, start_of(path)).values())


def _elsewhere(path: Path, real: Path, facts: FileFacts) -> str:
    """Say that a file is not in the folder that the goal names, or that what was to be moved is still there."""
    within = (one for folder in facts.folders for one in named_folders(facts.goal, folder))
    named = {one.name for one in within if facts.before.had(one.resolve()) is not False and one.resolve() != real}
    if named and named.isdisjoint(real.parts) and not is_archive(path.name):  # it may hold the folder
        return f"{path} is not in the folder {' or '.join(sorted(named))}."
    if asks_to_move(facts.goal):
        for folder in facts.folders:
            source = _real(folder / path.name)
            if source != real and facts.before.contents.get(source, "") == digest(source):
                return f"{source} is still there."
    return ""


def _without_files(goal: str) -> str:
    for name in file_names(goal):
        goal = goal.replace(name, " ")
    return goal


def named_folders(goal: str, folder: Path) -> list[Path]:
    """Return the folders in a folder that the goal names."""
    asked = words(_without_files(goal))
    return [one for one in _subfolders(folder) if one.name.casefold() in asked]


def named_files(goal: str, folders: Sequence[Path]) -> list[Path]:
    """Return where the files are that the goal names, if they are there at all."""
    names, whole = file_names(goal), map(_real, full_paths(goal))
    return [*dict.fromkeys([*(_real(folder / name) for folder in folders for name in names), *whole])]


def _named_in_goal(path: Path, facts: FileFacts) -> Verdict:
    """Judge whether it is a file that the goal names; if it names only files that were there, any other is meant."""
    kept = excepted(facts.goal)
    if path.name in kept:
        return doubtful(f"{path.name} is to stay as it is.")
    names = [Path(name) for name in file_names(facts.goal) if Path(name).name not in kept]
    said = path.name in {name.name for name in names} or (" " in path.name and path.name in facts.goal)
    if said or (asks_to_rename(facts.goal) and path.name in re.findall(r"[\w-]+", _without_files(facts.goal))):
        return PROVES
    if asks_to_copy(facts.goal) and len(names) == 1 and _is_copy(path, names[0], facts):
        return PROVES
    same = [name for name in names if name.suffix == path.suffix and name.stem not in path.stem]
    old = [_real(folder / name) for folder in facts.folders for name in same]
    if old and all(one in facts.before.contents and facts.before.contents[one] == digest(one) for one in old):
        return doubtful(f"{old[0]}, which the goal names, is as it was before the run.")
    around = (*facts.folders, path.parent)
    there = {name for name in names if any(os.path.lexists(folder / name.expanduser()) for folder in around)}
    missing = [name for name in names if name not in there and name.name not in path.name]
    alike = [name for name in names if name.suffix == path.suffix and _is_slip(name.stem, path.stem)]
    if missing or alike:
        return doubtful(f"The goal names {', '.join(map(str, missing or alike))}, not {path.name}.")
    return PROVES


def _is_copy(path: Path, source: Path, facts: FileFacts) -> bool:
    """Whether a new file is of the same kind and content as the one that the goal names."""
    content = digest(path)
    sources = (facts.before.contents.get(_real(folder / source)) for folder in facts.folders)
    return path.suffix == source.suffix and facts.before.had(_real(path)) is False and content in set(sources)


def _is_slip(one: str, other: str) -> bool:
    """Whether two names are so alike that one may be a slip for the other."""
    return one != other and (one.casefold() == other.casefold() or one.startswith(other) or other.startswith(one))


def _found(name: str, folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        try:
            path = folder / Path(name).expanduser()
            if name.strip() and path.exists() and not (is_private(path) or is_private(path.resolve())):
                yield path
        except (OSError, ValueError, RuntimeError):  # too long, a NUL byte, no home folder: not a path
            continue


def _real(path: Path) -> Path:
    try:
        return path.expanduser().parent.resolve() / path.name if path.name else path.resolve()
    except (OSError, ValueError, RuntimeError):
        return path


def home_folders() -> Iterator[Path]:
    """Yield the folders where programs save if nobody says where."""
    try:
        home = Path.home()
    except RuntimeError:  # nobody knows it
        return
    yield from (home / name for name in USUAL_FOLDERS)
