"""Change all entries of a list at once: sort them, number them, or mark each: "make it a numbered list"."""

from typing import Final

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.moving import rewrite_all
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import end_of_texts
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import LIST_MARK, NOT_YET, heading_of
from mark_i.brains.offline.instructions.kinds import UnclearError

NOT_HERE: Final = "Enter may have sent the lines that are typed"
NO_LIST: Final = "I can do that with the lines of a list, and not with sentences"
_ENTRIES_MIN: Final = 2
_SENTENCE_WORDS_MIN: Final = 8  # of a line that is no entry of a list


def change_list(plan: Plan, text: str) -> bool:
    """Sort, number or mark the entries below the heading; return whether a text asks for that.

    Raises:
        UnclearError: it is no list, or not one in an editor.
    """
    kind = next((one for one in ("sorted", "numbered", "bulleted") if fits(one, text) is not None), "")
    if not kind:
        return False
    if not plan.is_whole:
        raise UnclearError(NOT_HERE)
    lines = typed_at_end(plan.every[: end_of_texts(plan.every, plan.done)]).rstrip("\n").split("\n")
    wanted = _changed(lines, kind)
    if wanted != lines and not rewrite_all(plan, wanted):
        raise UnclearError(NOT_YET)
    return True


def _changed(lines: list[str], kind: str) -> list[str]:
    first = 1 if heading_of(lines) else 0
    entries = [LIST_MARK.sub("", line, count=1) for line in lines[first:]]
    is_long = any(len(one.split()) >= _SENTENCE_WORDS_MIN or not one for one in entries)
    if len(entries) < _ENTRIES_MIN or is_long or any(fits("closing", one.strip()) is not None for one in lines):
        raise UnclearError(NO_LIST)
    if kind == "sorted":
        marks = [line[: len(line) - len(entry)] for line, entry in zip(lines[first:], entries, strict=True)]
        changed = [mark + one for mark, one in zip(marks, sorted(entries, key=str.casefold), strict=True)]
    else:
        changed = [f"{at}. {one}" if kind == "numbered" else f"- {one}" for at, one in enumerate(entries, start=1)]
    return [*lines[:first], *changed]
