"""What a run would do from its start on, if everything had been said before: what was taken back is no part of it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from mark_i.brains.offline.corrections.meant import untold
from mark_i.brains.offline.corrections.text_lines import (
    ENTER,
    ends_line,
    has_lines,
    is_enter,
    is_text,
    saved_in_passing,
    saves,
)
from mark_i.brains.offline.instructions import Check, Held, Instruction, Pause, Press, Talk, Type, parse_instructions

LOOKED_FOR: Final = 'look for "{}", which was typed before'
NOTHING: Final = Pause("", 0.0)  # in the place of what was done in vain
_QUOTES: Final = ('""', "''", "\u201c\u201d", "\u00ab\u00bb", "``")


def from_start(every: Sequence[Instruction]) -> list[Instruction]:
    """Return instructions without what some of them take back; a text that was typed in parts for that is one."""
    found, joins, passed = list[Instruction](), False, saved_in_passing(every)
    for one in (one for one in every if one != NOTHING and not is_look(one)):
        if isinstance(one, Press) and one.takes_back:
            joins = _erase(found, one.times, passed)
            continue
        at = _last(found, passed)
        before = found[at] if joins else None
        if isinstance(before, Type) and isinstance(one, Type) and is_text(one) and one.text not in passed:
            found[at] = _with_content(before, f"{before.content}{one.content}", enter=one.enter)
        else:
            found.append(one)
        joins = joins and (isinstance(one, Pause) or one.text in passed)
    return [one for one in found if not (_leaves_dialog(one, passed) or (isinstance(one, Type) and not one.content))]


def reworded(wanted: Sequence[Instruction]) -> list[Instruction]:
    """Return instructions in which a phrase of several actions says what it types now: `set "Amount" to 141`."""
    found, at = [*wanted], 0
    while at < len(found):
        same = [*takewhile(lambda one: one.text == found[at].text, found[at:])]  # noqa: B023 - it is used at once
        end = at + len(same)
        given = parse_instructions(found[at].text) if isinstance(next(iter(found[end:]), None), Type) else []
        last, typed = given[-1] if len(given) == len(same) + 1 else None, found[end : end + 1]
        if isinstance(last, Type) and isinstance(typed[0], Type):
            said = found[at].text.replace(str(last.content), str(typed[0].content))
            if [*map(untold, parse_instructions(said))] == [*map(untold, [*same, *typed])]:
                found[at : end + 1] = [replace(one, text=said) for one in [*same, *typed]]
        at = end
    return found


def is_look(one: Instruction) -> bool:
    """Return whether an instruction only looks whether a text is there that is to be changed."""
    return isinstance(one, Check) and one.text == LOOKED_FOR.format(one.expected)


def _leaves_dialog(one: Instruction, passed: frozenset[str]) -> bool:
    return isinstance(one, Press) and one.keys == "esc" and one.text in passed


def with_held(every: Sequence[Instruction]) -> list[Instruction]:
    """Return instructions in which what a field is seen to hold is typed."""
    found = list[Instruction]()
    for one in every:
        lines = one.content.split("\n") if isinstance(one, Held) else []
        for at, line in enumerate(lines):
            found += [ENTER] if at else []
            found += [Type(f"type {quoted_text(line)}", line)] if line else []
        found += [] if isinstance(one, Held) else [one]
    return found


def typed_at_end(every: Sequence[Instruction]) -> str:
    """Return the text before the caret once the instructions are done, as far as they have typed it, or seen it."""
    typed, passed = "", saved_in_passing(every)
    for one in reversed(from_start(with_held(every))):
        if one.text in passed:
            continue
        if is_enter(one):
            typed = f"\n{typed}"
        elif isinstance(one, Type) and isinstance(one.content, str):
            typed = _letters(one) + typed
            if one.into is not None:
                break
        elif not isinstance(one, Pause):
            break
    return typed


def with_line(every: Sequence[Instruction], at: int, given: list[Instruction]) -> list[Instruction]:
    """Return what is typed at a place with the Enter that makes it a line of its own, if the others are lines."""
    texts = [*takewhile(lambda one: is_text(one) or is_enter(one), given)]
    if texts and len(texts) < len(given):  # "add a line ... and save it"
        return [*with_line(every, at, texts), *given[len(texts) :]]
    if len(given) > 1 and is_enter(given[0]) and has_lines(every):
        given = given[1:]
    if not (given and is_text(given[0]) and is_text(given[-1]) and not ends_line(given[-1]) and has_lines(every)):
        return given
    passed = saved_in_passing(every[:at])
    typed = reversed(from_start(every[:at]))  # what was taken back leaves no line
    before = next((one for one in typed if not isinstance(one, Pause) and one.text not in passed), None)
    follows = next((one for one in every[at:] if not isinstance(one, Pause)), None)
    if before is not None and is_text(before) and not ends_line(before):
        return [ENTER, *given]
    return [*given, ENTER] if follows is not None and is_text(follows) else given


def goal_of(wanted: Sequence[Instruction], talk: Sequence[Talk]) -> str:
    """Return what a person would say, a line for each phrase, for some instructions."""
    left, lines = [*wanted], list[str]()
    while left:
        given = [untold(one) for one in parse_instructions(left[0].text) if not isinstance(one, Talk)]
        same = [*takewhile(lambda one: one.text == left[0].text, left)]  # noqa: B023 - it is used at once
        if saves(left[0]) and [*map(untold, same[1:])] == given[1:]:  # the name was asked for, once the dialog was open
            said, count = left[0].text, len(same)
        elif given and [*map(untold, left[: len(given)])] == given:
            said, count = left[0].text, len(given)
        elif said := _said(left[0]):
            count = 1
        else:
            said = left[0].text
            count = len(same)
        lines.append(said)
        left = left[count:]
    return "\n".join([*filter(None, lines), *(one.text for one in talk)])


def _said(one: Instruction) -> str:
    """Return the words for an instruction whose own words say something else by themselves; none for most."""
    said = ""
    if isinstance(one, Type) and isinstance(one.content, str) and isinstance(one.into, str | None):
        into = f" into {quoted_text(one.into)}" if one.into else ""
        said = f"type {quoted_text(one.content)}{into}{' and press enter' if one.enter else ''}"
    elif isinstance(one, Press):
        said = f"press {one.keys}" + (f" {one.times} times" if one.times > 1 else "")
    elif isinstance(one, Pause):
        said = f"wait {one.seconds:g} seconds"
    return said if [*map(untold, parse_instructions(said))] == [untold(one)] else ""


def quoted_text(text: str) -> str:
    """Return a text in quotes that are not in it."""
    return next((f"{pair[0]}{text}{pair[1]}" for pair in _QUOTES if pair[1] not in text), f'"{text}"')


def line_by_line(every: Sequence[Instruction], done: int) -> list[Instruction]:
    """Return the instructions with each line of a text that is still to be typed as one of its own."""
    return [*every[:done], *(part for one in every[done:] for part in _lines(one))]


def _lines(one: Instruction) -> list[Instruction]:
    if not is_text(one) or not isinstance(one, Type) or "\n" not in str(one.content):
        return [one]
    found = list[Instruction]()
    for line in str(one.content).split("\n"):
        found += [replace(one, text=f"type {quoted_text(line)}", content=line, enter=False)] if line else []
        found.append(ENTER)
    return found if one.enter else found[:-1]


def _letters(one: Type) -> str:
    return f"{one.content}{chr(10) if one.enter else ''}"


def _last(found: Sequence[Instruction], passed: frozenset[str]) -> int:
    """Return the place of the last instruction that moves the caret; -1 if there is none."""
    left = (index for index, one in enumerate(found) if not isinstance(one, Pause) and one.text not in passed)
    return max(left, default=-1)


def _erase(found: list[Instruction], count: int, passed: frozenset[str]) -> bool:
    """Take back the last letters; return whether what is typed next goes on with the text before them."""
    joins = False
    while count > 0 and (at := _last(found, passed)) >= 0:
        one = found[at]
        if is_enter(one):
            del found[at]
            count, joins = count - 1, False
        elif isinstance(one, Type) and isinstance(one.content, str):
            letters = _letters(one)
            kept = letters[: max(0, len(letters) - count)]
            joins = bool(kept or one.into)
            count -= len(letters) - len(kept)
            found[at : at + 1] = [_with_content(one, kept)] if joins else []
            if one.into:
                break
        else:
            break
    return joins


def _with_content(one: Type, content: str, *, enter: bool = False) -> Type:
    changed = replace(one, content=content, enter=enter)
    return replace(changed, text=_said(changed) or one.text)
