"""What shows that a file is there and is not what the goal asks for: empty, another one, incomplete, or as it was."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mark_i.loop.archives import is_archive, members
from mark_i.loop.file_content import digest, start_of
from mark_i.loop.file_evidence import FileFacts, named_files, named_folders
from mark_i.loop.goal_words import (
    FILE_NAME,
    FULL_PATH,
    adding_clauses,
    asks_to_copy,
    asks_to_link,
    asks_to_move,
    asks_to_remove,
    asks_to_type,
    clauses,
    counted_words,
    done_by,
    file_names,
    holds,
    is_deed,
    quoted,
    says,
    words,
)

SETTING: Final = re.compile(r"([\w.-]+)\s*[=:]\s*(.+)")


def result_objections(made: Iterator[Path], facts: FileFacts) -> Iterator[str]:
    """Yield what is wrong with the files that were `made` for the goal, and with those that it was to change."""
    for path in made:
        if os.path.lexists(path):
            yield from _linked_otherwise(path, facts)
            yield from _empty(path, facts)
            yield from _only_renamed(path, facts)
            yield from _incomplete(path, facts)
            yield from _excerpt(path, facts)
    for path, content in facts.before.contents.items():
        if os.path.lexists(path) and content != digest(path):
            yield from _still_set(path, facts)
            yield from _not_beside(path, facts)


def _linked_otherwise(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the target of a link, if the goal names others."""
    others = [one.resolve() for one in named_files(facts.goal, facts.folders) if one != path]
    if others and path.is_symlink() and asks_to_link(facts.goal) and path.resolve() not in others:
        yield f"{path} is a link to {path.resolve().name}."


def _empty(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield a file in which something was to be saved, and that holds nothing."""
    asked = [clause for clause in clauses(facts.goal) if path.name in clause and done_by("ctrl+s", clause)]
    content = words(FILE_NAME.sub(" ", FULL_PATH.sub(" ", " ".join(asked))))
    if not all(map(is_deed, content)) and path.is_file() and not path.stat().st_size:
        yield f"{path} is empty."


def _only_renamed(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield a file that is another one under a name that ends otherwise, where no copy was asked for."""
    if asks_to_copy(facts.goal) or asks_to_move(facts.goal) or asks_to_link(facts.goal):
        return
    content = digest(path)
    for source, before in facts.before.contents.items():
        if before == content and source.suffix != path.suffix and not content.startswith("0 "):
            yield f"{path} holds what {source} holds: only its name ends otherwise."


def _incomplete(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield what the goal names and an archive does not hold, or that it is none."""
    if not is_archive(path.name):
        return
    try:
        held = members(path)
    except ValueError as error:
        yield f"{error}."
        return
    for clause in clauses(facts.goal):
        folders = (one.name for base in facts.folders for one in named_folders(clause, base))
        there = {one.name for one in facts.before.there} & {*map(_name, file_names(clause)), *folders}
        if held is not None and not asks_to_remove(clause):
            yield from (f"{path} does not hold {name}." for name in sorted(there - held - {*path.parts}))


def _excerpt(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield how many lines of a file were taken, if the goal says another number of them."""
    lines = [line.strip() for line in start_of(path).splitlines() if line.strip()]
    for clause in clauses(facts.goal):
        sources = [one for one in facts.before.lines if one.name in map(_name, file_names(clause))]
        counted = (one for (before, _), found in counted_words(clause).items() for one in found if before)
        wanted = [int(one) for one in counted if one.isdecimal()]
        if len(sources) != 1 or len(wanted) != 1 or path.name not in map(_name, file_names(clause)):
            continue
        there = facts.before.lines[sources[0]]
        if lines and set(lines) <= set(there) and wanted[0] <= len(there) and len(lines) != wanted[0]:
            yield f"{path} holds {len(lines)} of the lines of {sources[0].name}, not {wanted[0]}."


def _still_set(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield the settings of a name that the goal has, if all of them are as they were."""
    asked = [clause for clause in clauses(facts.goal) if path.name in map(_name, file_names(clause))]
    lines = [line.strip() for line in start_of(path).splitlines()]
    for clause in asked:
        if asks_to_type(clause) or asks_to_remove(clause) or adding_clauses(clause):
            continue
        found = [one for one in map(SETTING.fullmatch, facts.before.lines.get(path, ())) if one]
        named = [one for one in found if words(one[1]) <= words(clause.replace(path.name, " "))]
        if named and all(one[0] in lines and not says(clause, one[2]) for one in named):
            yield f'{path} still holds "{named[0][0]}".'


def _not_beside(path: Path, facts: FileFacts) -> Iterator[str]:
    """Yield a quoted text that was to be added beside one that was there, and is not in a line next to it."""
    before = facts.before.quoted.get(path, {})
    new = [text for text, count in before.items() if not count]
    lines = [line for line in start_of(path).splitlines() if line.strip()]
    for clause in adding_clauses(facts.goal, whole=True):
        texts = quoted(clause)
        for old in (text for text in texts if before.get(text)):
            for text in (one for one in texts if one in new):
                far = [abs(at - to) for at in _at(text, lines) for to in _at(old, lines)]
                if far and min(far) > len(new):
                    yield f'"{text}" is not beside "{old}" in {path}.'


def _at(text: str, lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if holds(line, text)]


def _name(path: str) -> str:
    return Path(path).name
