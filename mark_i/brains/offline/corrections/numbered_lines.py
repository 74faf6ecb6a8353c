"""Change a line that is named by its number: "the second line should say 40, not 30"."""

import re
from collections.abc import Mapping
from typing import Final

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.meant import DONE_BEFORE
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import CLAUSE, bare, completed, require_noun, within
from mark_i.brains.offline.corrections.text_lines import is_text
from mark_i.brains.offline.corrections.values import value_in
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import (
    LIST_MARK,
    NOT_YET,
    SEVERAL,
    THERE,
    is_in_field,
    labelled_line,
    line_said,
    rewrite,
)
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import mask

LINES_OR_WORDS: Final = (
    'it could mean the lines, or only those words; say: swap "{0}" and "{1}", or: swap the words "{2}" and "{3}"'
)
NOT_THERE: Final = 'the words "{}" do not stand in the line "{}"'


def set_line(plan: Plan, text: str) -> bool:
    """Put a text in the place of a line that is named by its number, or of some words of it.

    Raises:
        UnclearError: there is no such line, it does not have those words, or they stand there more than once.
    """
    said = fits("line_says", text)
    if not said:
        return False
    new, old = said["new"], bare(said.get("old", ""))
    if not old and mask(new) == new and CLAUSE.search(new):
        return False  # it may say more than one thing
    line = line_said(plan, said["line"])
    if line == said["line"]:
        return False
    old = old or (value_in(line, new) if mask(new) == new else "")
    changed = _replaced(line, old, bare(new)) if old else bare(new)
    if changed == line:
        raise UnclearError(THERE)
    change_lines(plan, {line: changed})
    return True


def swap_lines_or_words(plan: Plan, one: str, other: str, *, kind: str) -> bool:
    """Let two lines, or some words of the lines, change their places; return whether both are there.

    Words of one line can only be words. Those of two may name their lines, and do in a list or as labels; `kind` says
    "lines" or "words". The marks of a list stay.

    Raises:
        UnclearError: they stand there more than once, or their lines may be meant.
    """
    lines = plan.lines()
    whole = [[line for line in lines if line.casefold() == words.casefold()][:1] for words in (one, other)]
    places = [[line for line in lines for _ in range(occurrences(line, words))] for words in (one, other)]
    places = whole if all(whole) and kind != "words" else places
    if not all(places):
        return False
    if any(len(found) > 1 for found in places):
        raise UnclearError(SEVERAL)
    [first], [second] = places
    if first != second and kind != "words":
        marks = [LIST_MARK.match(line) for line in (first, second)]
        is_labels = [labelled_line(lines, words) for words in (one, other)] == [first, second]
        if not (all(whole) or kind or all(marks) or is_labels):
            raise UnclearError(LINES_OR_WORDS.format(first, second, one, other))
        mine, its = (mark[0] if mark and all(marks) else "" for mark in marks)
        change_lines(plan, {first: mine + second.removeprefix(its), second: its + first.removeprefix(mine)})
        return True
    change_lines(plan, {line: _swapped(line, _in(first, one), _in(second, other)) for line in (first, second)})
    return True


def _in(line: str, words: str) -> str:
    """Return some words as a line has them."""
    match = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", line, re.IGNORECASE)
    return match[0] if match else words


def _swapped(line: str, one: str, other: str) -> str:
    both = re.compile(rf"(?<!\w)(?:{re.escape(one)}|{re.escape(other)})(?!\w)")
    return both.sub(lambda match: other if match[0] == one else one, line)


def _replaced(line: str, old: str, new: str) -> str:
    places = occurrences(line, old)
    if not places:
        raise UnclearError(NOT_THERE.format(old, line))
    if places > 1:
        raise UnclearError(SEVERAL)
    require_noun(line, old, new)
    return within(line, old, new)


def occurrences(line: str, words: str) -> int:
    """Return how often some words stand in a line."""
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", line, re.IGNORECASE))


def change_lines(plan: Plan, changes: Mapping[str, str]) -> None:
    """Put other lines in the place of some, typed or to be typed.

    Raises:
        UnclearError: one is there more than once, is not yet typed as a whole, or may be sent already.
    """
    if any(plan.lines().count(line) != 1 for line in changes):
        raise UnclearError(SEVERAL)
    typed = typed_at_end(plan.every[: plan.done]).split("\n")
    left = {
        at: str(getattr(one, "content", "")) for at, one in enumerate(plan.every) if at >= plan.done and is_text(one)
    }
    places = {at: line for at, line in left.items() if line in changes}
    if {*places.values(), *typed} & {*changes} != {*changes}:
        raise UnclearError(NOT_YET)  # a part of it is typed
    for at in sorted(places, reverse=True):
        plan.every[at : at + 1] = [completed(one, plan.every[at]) for one in plan.typing(changes[places[at]])]
    found = [index for index, line in enumerate(typed) if line in changes]
    if not found:
        return
    last = max(index for index, line in enumerate(typed) if line)
    if found[0] != last and (is_in_field(plan) or not plan.is_whole):
        raise UnclearError(DONE_BEFORE)
    rewrite(plan, [changes.get(line, line) for line in typed], _kept(typed, changes, found[0]))


def _kept(typed: list[str], changes: Mapping[str, str], first: int) -> int:
    """Return how many letters stay: the lines before the first that changes, and its words that are the same."""
    pairs = zip(typed[first].split(" "), changes[typed[first]].split(" "), strict=False)
    kept = "\n".join([*typed[:first], ""])
    for was, new in pairs:
        if was != new:
            break
        kept += f"{was} "
    return min(len(kept), len("\n".join(typed[: first + 1])))
