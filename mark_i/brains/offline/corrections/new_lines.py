"""Give the lines that a change adds what the others have: the mark of a list, and the full stop of a sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mark_i.brains.offline.corrections.from_start import quoted_text, typed_at_end
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import end_of_texts, is_enter, is_text
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import LIST_MARK
from mark_i.brains.offline.instructions import Pause, Press, Type

_SENTENCE: Final = re.compile(r"[A-Z]\S*(?: \S+){2,}[\w)]")
_QUOTES: Final = re.compile('["\u201c\u201d\u201e\u00ab]')
_ENTRIES_MIN: Final = 2  # of a list


@dataclass(frozen=True, slots=True)
class _Text:
    """The lines once all is typed, and which instruction types each of those that are still to be typed whole."""

    lines: list[str]
    typed_by: dict[int, int]


def as_the_others(before: Sequence[str], plan: Plan, said: str) -> None:
    """Change what is to be typed of the lines that were not there before.

    Args:
        before: the lines before the change.
        plan: what is left after it.
        said: the person's words; what they quote stays as it is.
    """
    text = _text(plan)
    wanted = [*text.lines]
    if not _QUOTES.search(said):
        _mark(wanted, before)
        _stop(wanted, before, said)
    if _is_counted(before):
        _count(wanted)
    for line, at in text.typed_by.items():
        one = plan.every[at]
        if wanted[line] != text.lines[line] and isinstance(one, Type):
            plan.every[at] = replace(one, text=f"type {quoted_text(wanted[line])}", content=wanted[line])


def _text(plan: Plan) -> _Text:
    lines, typed_by = typed_at_end(plan.every[: plan.done]).split("\n"), dict[int, int]()
    for at in range(plan.done, end_of_texts(plan.every, plan.done)):
        one = plan.every[at]
        if is_enter(one):
            lines.append("")
        elif isinstance(one, Press) and one.takes_back:
            lines = "\n".join(lines)[: -one.times].split("\n")
            typed_by = {line: by for line, by in typed_by.items() if line < len(lines) - 1}
        elif isinstance(one, Type) and is_text(one):
            if not lines[-1] and "\n" not in str(one.content):
                typed_by[len(lines) - 1] = at
            lines = [*lines[:-1], *f"{lines[-1]}{one.content}".split("\n"), *([""] if one.enter else [])]
        elif not isinstance(one, Pause):
            lines, typed_by = [""], {}  # what comes next is typed elsewhere
    return _Text(lines, typed_by)


def _mark(lines: list[str], before: Sequence[str]) -> None:
    """Put the mark before a new entry of a list, which follows another one."""
    if sum(LIST_MARK.match(line) is not None for line in before) < _ENTRIES_MIN:
        return
    is_new = [bool(line.strip()) and line not in before and not LIST_MARK.match(line) for line in lines]
    is_at_end = LIST_MARK.match(before[-1]) is not None
    for at in range(1, len(lines)):
        line, mark = lines[at], LIST_MARK.match(lines[at - 1])
        if not (is_new[at] and mark):
            continue
        is_within = LIST_MARK.match("".join(lines[at + 1 : at + 2])) is not None
        is_entry = fits("closing", line.strip()) is None and not line.rstrip().endswith(":")
        if is_within or (is_at_end and is_entry and all(is_new[at:])):
            lines[at] = mark[0] + line


def _is_counted(before: Sequence[str]) -> bool:
    """Return whether the entries of the only list are numbered from one on."""
    numbers = [int(mark["number"]) for line in before if (mark := LIST_MARK.match(line)) and mark["number"]]
    return len(numbers) >= _ENTRIES_MIN and numbers == [*range(1, len(numbers) + 1)]


def _count(lines: list[str]) -> None:
    number = 0
    for at, line in enumerate(lines):
        if (mark := LIST_MARK.match(line)) and mark["number"]:
            number += 1
            lines[at] = f"{mark['before']}{number}{mark[0][mark.end('number') :]}{line[mark.end() :]}"


def _stop(lines: list[str], before: Sequence[str], said: str) -> None:
    """Put the full stop of a sentence back that ended the person's words, where other sentences have one."""
    has_stops = any(line.rstrip().endswith(".") and len(line.split()) > _ENTRIES_MIN for line in before)
    for at, line in enumerate(lines):
        is_new = line not in before and _SENTENCE.fullmatch(line) is not None
        if is_new and has_stops and said.rstrip().endswith(f"{line}."):
            lines[at] = f"{line}."
