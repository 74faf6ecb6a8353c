"""Change all entries of a list at once: sort them, number them, or mark each: "make it a numbered list"."""

from itertools import takewhile
from typing import Final

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import completed
from mark_i.brains.offline.corrections.text_lines import end_of_texts, is_text
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import LIST_MARK, heading_of, rewrite
from mark_i.brains.offline.instructions.kinds import UnclearError

ALL_TYPED: Final = "I can do that before any line is typed, or once all are"
NO_LIST: Final = "I can do that with the lines of a list, and not with sentences"
_ENTRIES_MIN: Final = 2
_SENTENCE_WORDS_MIN: Final = 8  # of a line that is no entry of a list


def change_list(plan: Plan, text: str) -> bool:
    """Sort, number or mark the entries below the heading; return whether a text asks for that.

    Raises:
        UnclearError: not all is typed, or it is no list.
    """
    kind = next((one for one in ("sorted", "numbered", "bulleted") if fits(one, text) is not None), "")
    if not kind:
        return False
    typed = typed_at_end(plan.every[: plan.done]).rstrip("\n")
    left = [at for at in range(plan.done, end_of_texts(plan.every, plan.done)) if is_text(plan.every[at])]
    if (typed and left) or not plan.is_whole:
        raise UnclearError(ALL_TYPED)
    lines = [str(getattr(plan.every[at], "content", "")) for at in left] or typed.split("\n")
    wanted = _changed(lines, kind)
    for at, line in zip(left, wanted, strict=False):
        plan.every[at : at + 1] = [completed(one, plan.every[at]) for one in plan.typing(line)]
    if not left and wanted != lines:
        same = [*takewhile(lambda pair: pair[0] == pair[1], zip(lines, wanted, strict=True))]
        rewrite(plan, wanted, len("\n".join(lines[: len(same)])))
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
