"""What shows that the files of a goal are not as it wants them: missing, left as they were, lost, or half done."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from mark_i.loop.file_content import LINES_KEPT, counted, digest, start_of
from mark_i.loop.file_evidence import FileFacts, home_folders, named_files, named_folders
from mark_i.loop.goal_names import asks_for_nothing_else, asks_for_place, excepted, means_all, number_in
from mark_i.loop.goal_words import (
    adding_clauses,
    asks_to_change,
    asks_to_copy,
    asks_to_move,
    asks_to_remove,
    asks_to_repeat,
    clauses,
    excepts,
    file_names,
    full_paths,
    holds,
    quoted,
    suffixes,
    words,
)
from mark_i.loop.result_objections import result_objections


def file_objections(facts: FileFacts) -> Iterator[str]:
    """Yield what is wrong with the files that the goal names, compared with how they were before the run."""
    yield from _missing(facts)
    yield from _left_over(facts)
    yield from _not_copied(facts)
    yield from _too_few_copies(facts)
    yield from _more_than_asked(facts)
    yield from result_objections(_wanted(facts), facts)
    for path in facts.before.contents:
        if os.path.lexists(path):
            yield from _not_replaced(path, facts)
            yield from _lost(path, facts)
            yield from _doubled(path, facts)
            yield from _misplaced(path, facts)


def _missing(facts: FileFacts) -> Iterator[str]:
    """Yield what the goal names, was not there before the run, and is not there now, though others are."""
    whole = [path for path in full_paths(facts.goal) if path.suffix]
    new = [one for folder in facts.folders for one in _new_in(folder, facts)]
    made = {one.suffix for one in new if one.name not in facts.goal or one.name in map(_name, file_names(facts.goal))}
    if asks_to_move(facts.goal) and any(map(os.path.lexists, _wanted(facts))):
        return  # what was made first may have another name now
    for path in missing_files(facts):
        if path in whole or path.suffix in made:
            yield f"{path} is not there."


def missing_files(facts: FileFacts) -> list[Path]:
    """Return the files that the goal names, were not there before the run, and are not there now."""
    new = (path for path in named_files(facts.goal, facts.folders) if facts.before.had(path) is False)
    places = ((path, [*_places(path, facts), *(folder / path.name for folder in home_folders())]) for path in new)
    return [
        path for path, may_be in places if not any(os.path.lexists(one) and not facts.before.had(one) for one in may_be)
    ]


def _wanted(facts: FileFacts) -> Iterator[Path]:
    """Yield where the files may be that the goal names and that were not there before the run."""
    new = (path for path in named_files(facts.goal, facts.folders) if facts.before.had(path) is False)
    yield from dict.fromkeys(place for path in new for place in _places(path, facts))


def _places(path: Path, facts: FileFacts) -> Iterator[Path]:
    """Yield where a file may be that the goal names: the folders that it names as well."""
    yield path
    for folder in (path.parent, *facts.folders):
        yield from (one / path.name for one in (folder, *named_folders(facts.goal, folder)))


def _new_in(folder: Path, facts: FileFacts) -> list[Path]:
    folder = folder.resolve()
    if folder not in facts.before.listed:
        return []
    with contextlib.suppress(OSError):  # the run has deleted it
        return [path for path in folder.iterdir() if path not in facts.before.there]
    return []


def _left_over(facts: FileFacts) -> Iterator[str]:
    """Yield what is still there of several files that were to go, and what is gone that was to stay."""
    if asks_to_move(facts.goal) or asks_to_remove(facts.goal):
        there = (path for path in facts.before.contents if path.name in excepted(facts.goal))
        yield from (f"{path} is gone." for path in there if not os.path.lexists(path))
        for group in (*_groups(facts), *_kinds(facts)):
            if not all(map(os.path.lexists, group)):
                yield from (f"{path} is still there." for path in group if _is_as_before(path, facts))
        return
    for path in facts.before.contents:
        if not os.path.lexists(path) and not any(path.name in one.name for one in _new_in(path.parent, facts)):
            yield f"{path} is gone."


def _groups(facts: FileFacts) -> Iterator[list[Path]]:
    """Yield the files that are to go together: those of `delete a.txt, b.txt and c.txt`."""
    there = {path.name: path for path in facts.before.contents}
    group: list[Path] = []
    for clause in clauses(facts.goal):
        names = [Path(name).name for name in file_names(clause)]
        folders = (one.name for folder in facts.folders for one in named_folders(clause, folder))
        if words(clause) - set[str]().union(*map(words, (*names, *folders))):  # more than a list that goes on
            yield group
            group = []
            if excepts(clause) or not (asks_to_move(clause) or asks_to_remove(clause)):
                continue
        group = [*group, *(there[name] for name in names if name in there)]
    yield group


def _kinds(facts: FileFacts) -> Iterator[list[Path]]:
    """Yield the files of each kind that the goal means, such as all `.txt` files, without those that are to stay."""
    folders = {folder.resolve() for folder in facts.folders}
    kept = excepted(facts.goal)
    there = [path for path in facts.before.there if path.suffix and path.parent in folders and path.name not in kept]
    for suffix in () if excepts(facts.goal) and not kept else suffixes(facts.goal):
        yield [path for path in there if path.suffix == suffix]
    for suffix in {path.suffix for path in there if not os.path.lexists(path)}:
        if any(means_all(clause, suffix) for clause in clauses(facts.goal)):
            yield [path for path in there if path.suffix == suffix]


def _not_replaced(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the text that was to go from a file and is still there, if the goal quotes it."""
    before = facts.before.quoted.get(path, {})
    old = next((text for text in quoted(facts.goal) if before.get(text)), None)
    removes = asks_to_remove(facts.goal)
    if old is None or not (removes or asks_to_change(facts.goal)) or facts.before.contents[path] == digest(path):
        return
    content = start_of(path)
    new = {text: count for text, count in counted(quoted(facts.goal), content).items() if text != old}
    left = holds(content, old) - sum(count * holds(text, old) for text, count in new.items())
    if not removes and any(holds(line, old) and any(holds(line, one) for one in new) for line in content.splitlines()):
        return  # the name of a setting that has another value now
    if left >= before[old] or (removes and left > 0 and not excepts(facts.goal)):
        yield f'{path} still holds "{old}".'


def _doubled(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the text that was to be added once and was added more often."""
    for clause in () if asks_to_repeat(facts.goal) else adding_clauses(facts.goal, whole=True):
        for text in quoted(clause):
            added = holds(start_of(path), text) - facts.before.quoted.get(path, {}).get(text, 0)
            if added > quoted(facts.goal).count(text):
                yield f'"{text}" was added to {path} {added} times.'


def _not_copied(facts: FileFacts) -> Iterator[str]:
    """Yield the copy that has nothing of what was to be copied."""
    sources = [path for path, lines in facts.before.lines.items() if lines]
    if len(sources) != 1 or not asks_to_copy(facts.goal):
        return
    for path in _wanted(facts):
        if os.path.isfile(path) and path.suffix == sources[0].suffix:  # noqa: PTH113 - raises for no name
            content = start_of(path)
            if not any(line in content for line in facts.before.lines[sources[0]]):
                yield f"{path} holds nothing of {sources[0]}."


def _too_few_copies(facts: FileFacts) -> Iterator[str]:
    """Yield the number of copies that there are of a file, if the goal wants more."""
    for clause in clauses(facts.goal):
        names, wanted = file_names(clause), number_in(clause)
        if not asks_to_copy(clause) or len(names) != 1 or not wanted:
            continue
        new = [digest(path) for folder in facts.folders for path in _new_in(folder, facts)]
        for folder in facts.folders:
            content = facts.before.contents.get(folder.resolve() / names[0])
            if content and new.count(content) < wanted:
                yield f"{names[0]} was copied {new.count(content)} times, not {wanted}."


def _more_than_asked(facts: FileFacts) -> Iterator[str]:
    """Yield the line of a new file that the goal does not quote, if there is to be nothing else in it."""
    texts = [text for text in quoted(facts.goal) if text not in file_names(facts.goal)]
    if not texts or not asks_for_nothing_else(facts.goal):
        return
    for path in _wanted(facts):
        wanted = {line.strip() for text in texts for line in text.splitlines()}
        more = next((line for line in map(str.strip, start_of(path).splitlines()) if line and line not in wanted), "")
        if more:
            yield f'{path} also holds "{more}".'


def _misplaced(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the place, the start or the end of a file, where something was to be added and there is nothing new."""
    before = facts.before.lines.get(path, ())
    now = [line.strip() for line in start_of(path).splitlines() if line.strip()]
    if not (before and now) or facts.before.contents[path] == digest(path) or len(before) == LINES_KEPT:
        return
    for clause in adding_clauses(facts.goal, whole=True):
        if path.name not in map(_name, file_names(clause) or file_names(facts.goal)):
            continue
        for place, old, new in (("start", before[0], now[0]), ("end", before[-1], now[-1])):
            if asks_for_place(clause, place) and new == old and now.count(new) <= before.count(old):
                yield f"There is nothing new at the {place} of {path}."


def _lost(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the line that a file has lost, where only something quoted was to change, or something to be added."""
    lines, before = facts.before.lines.get(path, ()), facts.before.quoted.get(path, {})
    texts = [text for text in quoted(facts.goal) if before.get(text)]
    adds = any(path.name in map(_name, file_names(one) or file_names(facts.goal)) for one in adding_clauses(facts.goal))
    wanted = asks_to_remove(facts.goal) or asks_to_change(facts.goal)
    changes = bool(texts) and wanted and not excepts(facts.goal)
    if not (adds or changes):
        return
    now = start_of(path).casefold()
    kept = [line for line in lines if not any(text in line for text in texts)] if changes else lines
    lost = [line for line in kept if line.casefold() not in now]
    if lost and (changes or len(lost) == len(lines)):
        yield f'{path} does not hold "{lost[0]}" any more.'


def _is_as_before(path: Path, facts: FileFacts) -> bool:
    before = facts.before.contents.get(path)
    return os.path.lexists(path) and (before is None or before == digest(path))


def _name(path: str) -> str:
    return Path(path).name
