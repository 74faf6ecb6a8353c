"""What shows that an answer is of something else than was asked."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from mark_i.loop.facts import RunFacts
from mark_i.loop.goal_words import FILE_NAME, NUMBER, file_names, touches, words
from toolbelt.ocr import Line


def answer_objections(answer: str, known: RunFacts) -> Iterator[str]:
    """Yield the number in an answer that stands only in rows of something else, though what was asked has a row."""
    there = [row for row in rows(known.lines) if NUMBER.search(row)]
    asked = [row for row in there if _names(row, known.goal)]
    for number in dict.fromkeys(NUMBER.findall(answer)):
        holding = [row for row in there if number in NUMBER.findall(row)]
        others = [row for row in holding if _is_of_another_file(row, known.goal)]
        if holding and len(others) == len(holding):
            yield f'"{number}" is of another file: "{others[0]}".'
        elif holding and not any(row in asked for row in holding):
            alike = (row for row in asked if {_shape(row)} == set(map(_shape, holding)))
            yield from (f'"{number}" stands in "{holding[0]}", and not in "{row}".' for row in list(alike)[:1])


def rows(lines: tuple[Line, ...]) -> list[str]:
    """Return the texts that stand side by side on the screen, each row from left to right."""
    found: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.region.center.y):
        if found and found[-1][0].region.y <= line.region.center.y < found[-1][0].region.bottom:
            found[-1].append(line)
        else:
            found.append([line])
    return ["  ".join(one.text for one in sorted(row, key=lambda line: line.region.x)) for row in found]


def _shape(row: str) -> str:
    """Return the order of words and numbers in a row, by which the rows of a table are alike."""
    kinds = ("1" if NUMBER.fullmatch(token) else "a" for token in row.split())
    return "".join(kind for kind, _ in itertools.groupby(kinds))


def _names(row: str, goal: str) -> bool:
    """Whether a row has a word of the goal that is no number."""
    return touches(_about(goal), _about(row))


def _about(text: str) -> set[str]:
    return {word for word in words(text) if re.search(r"[^\W\d_]", word)}


def _is_of_another_file(row: str, goal: str) -> bool:
    asked = [Path(name) for name in file_names(goal)]
    named = [Path(name) for name in FILE_NAME.findall(row)]
    alike = [name for name in named if name.suffix in {one.suffix for one in asked}]
    return bool(alike) and {one.name for one in alike}.isdisjoint(one.name for one in asked)
