"""What a correction made of a text, told as a person would: the keys that it took are no news."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from mark_i.brains.offline.corrections.from_start import is_look, typed_at_end
from mark_i.brains.offline.corrections.meant import takes_back
from mark_i.brains.offline.corrections.text_lines import is_enter, is_text
from mark_i.brains.offline.instructions import Held, Instruction
from world_model import cut

AS_IT_WAS: Final = "left the text as it was"
TOLD_CHARS_MAX: Final = 60  # of a line
_NUMBER: Final = re.compile(r"\d+\W*")


def evidence_of(before: Sequence[Instruction], every: Sequence[Instruction], *, change: bool) -> list[dict[str, str]]:
    """Return the evidence that a text is what was meant, if it was changed.

    Args:
        before: what the conversation did before this run, by which the text is known.
        every: what this run did.
        change: whether the goal changes what was done before.
    """
    seen = max((at + 1 for at, one in enumerate(every) if isinstance(one, Held)), default=0)
    old, new = typed_at_end([*before, *every[:seen]]), typed_at_end([*before, *every])
    changed = old != new and (change or any(map(takes_back, every)))
    return [{"text": new, "was": old}] if changed else []


def deeds_in_text(
    before: Sequence[Instruction], every: Sequence[Instruction], *, change: bool
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the first and the last place, and the deeds in the past tense, of each part that changes a text.

    A look whether the text is still there is a part without deeds. The arguments are those of `evidence_of`.
    """
    start = 0
    while start < len(every):
        end = start
        if is_look(every[start]):
            yield start, start + 1, ()
        elif takes_back(every[start]) or (change and _types(every[start])):
            while end < len(every) and (takes_back(every[end]) or _types(every[end])):
                end += 1
            old, new = typed_at_end([*before, *every[:start]]), typed_at_end([*before, *every[:end]])
            told = tuple(_changes(old.split("\n"), new.split("\n")))
            if told := told or (AS_IT_WAS,) * (old == new):
                yield start, end, told
        start = max(start + 1, end)


def _types(one: Instruction) -> bool:
    return is_text(one) or is_enter(one)


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    if old != new and Counter(old) == Counter(new):
        yield "put the lines in another order"
        return
    for kind, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = old[start:end], new[first:last]
        if kind == "equal":
            continue
        if len(gone) == len(come) and all(gone) and all(come):
            yield from (_change(*pair) for pair in zip(gone, come, strict=True))
            continue
        if any(gone):
            yield f"removed {_listed(gone)} from the text"
        if any(come):
            yield f"added {_listed(come)} to the text"
        if not any([*gone, *come]):
            yield "added an empty line to the text" if come else "removed an empty line from the text"


def _change(old: str, new: str) -> str:
    """Tell the words that differ; a number with the word after it."""
    was, now = old.split(" "), new.split(" ")
    same = next((at for at, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), None)
    start = min(len(was), len(now)) if same is None else same
    most = min(len(was), len(now)) - start
    end = next((at for at in range(most) if was[-1 - at] != now[-1 - at]), most)
    gone, come = was[start : len(was) - end], now[start : len(now) - end]
    if not come:
        return f"removed {_listed([' '.join(gone)])} from the text"
    if not gone:
        gone, come = was, now
    elif end and all(_NUMBER.fullmatch(word) for word in (*gone, *come)):
        gone, come = [*gone, was[len(was) - end]], [*come, was[len(was) - end]]
    return f"changed {_listed([' '.join(gone)])} to {_listed([' '.join(come)])} in the text"


def _listed(lines: Sequence[str]) -> str:
    *first, last = (f'"{cut(line, TOLD_CHARS_MAX)}"' for line in lines if line)
    return f"{', '.join(first)} and {last}" if first else last
