"""What the person could say instead of what could not be followed: about the same, in words that are understood."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mark_i.brains.offline.corrections.meant import FILLERS, TYPING, names, typed_last
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import is_enter, saves
from mark_i.brains.offline.instructions import Instruction, Pause, Type
from mark_i.brains.offline.instructions.splitting import VERB, mask

_OF_WAITS: Final = re.compile(r"\b(?:wait\w*|pauses?|delays?|seconds?|minutes?|time|longer|shorter)\b", re.IGNORECASE)
_OF_FILES: Final = re.compile(
    r"\b(?:file\w*|name[ds]?|rename\w*|call(?:ed)?|sav(?:e|ed|ing)|folder)\b|\.\w{2,4}\b", re.IGNORECASE
)
_OF_TYPED: Final = re.compile(r"\b(?:undo|back|delete|erase|revert|typed|wrote|written|wrong|mistake)\b", re.IGNORECASE)
_OF_ADDING: Final = re.compile(
    r"\b(?:add|append|include|mention|insert|put|sign|too|also|as well|above|below|top)\b", re.IGNORECASE
)
_OF_CHANGING: Final = re.compile(
    r"\b(?:change|correct|should|must|make|replace|instead|not|without|drop|leave out|remove|spel\w+|is|are|it's)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w{3,}")


def examples(plan: Plan, about: str) -> Iterator[list[str]]:
    """Yield what the person could say of what is left, or was typed, the likeliest first; not all of it need fit."""
    left, masked = plan.every[plan.done :], mask(about)
    pause = next((one for one in left if isinstance(one, Pause)), None)
    if pause and _OF_WAITS.search(masked):
        yield ["wait 5 seconds instead", f"leave out {pause.text}"]
    if any(map(saves, left)) and _OF_FILES.search(masked):
        yield ['call the file "other.txt"', "do not save it"]
    typed = typed_last(plan.every, plan.done).strip()
    taken = [f'take back "{typed}"'] if typed and "\n" not in typed else []
    if _OF_TYPED.search(masked):
        yield taken
    yield _of_written(plan, about, left)
    if not left:
        yield _instead_of(_named(plan.lines(), about) or plan.lines()[-1:])
        return
    yield _of_left([one for one in left if _is_about(about, one)] or left)


def _of_written(plan: Plan, about: str, left: Sequence[Instruction]) -> list[str]:
    """Return examples for the lines of a text, if it is about adding one, or about changing one with none to come."""
    lines = plan.lines()
    if lines and _OF_ADDING.search(mask(about)):
        return ['add a line "something else"', f'write "something else" before "{lines[-1]}"']
    to_come = any(isinstance(one, Type) and not one.text.startswith("save") for one in left)
    if not lines or to_come or not _OF_CHANGING.search(mask(about)):
        return []
    return _instead_of(_named(lines, about) or lines[-1:])


def _named(lines: Sequence[str], about: str) -> Sequence[str]:
    """Return the first line that has one of the words that were said, if any has."""
    words = {*_WORD.findall(about.casefold())} - FILLERS - TYPING
    return [line for line in lines if any(names(word, line) for word in words)][:1]


def _instead_of(lines: Sequence[str]) -> list[str]:
    return [f'write "something else" instead of "{line}"' for line in lines]


def _of_left(left: Sequence[Instruction]) -> list[str]:
    """Return examples of what is left: for a text that is to be typed, and for something that is to be done."""
    texts = [one for one in left if isinstance(one, Type) and isinstance(one.content, str) and not saves(one)]
    doing = [one for one in left if not isinstance(one, Pause) and VERB.match(mask(one.text))]
    first = next((one.text for one in doing if not is_enter(one)), "")
    said = [f'write "something else" instead of "{texts[0].content}"'] if texts else []
    return [*said, f"leave out {first}" if first else "press enter"]


def _is_about(about: str, one: Instruction) -> bool:
    words = {*_WORD.findall(about.casefold())} - FILLERS - TYPING
    return any(names(word, one.text) for word in words)
