"""Which of the instructions that are left a person means by a few words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from mark_i.brains.offline.corrections.text_lines import is_enter, saves
from mark_i.brains.offline.instructions import (
    Check,
    Close,
    DialogClosed,
    Instruction,
    NotUnderstood,
    Open,
    Pause,
    Press,
    Type,
    Wait,
    parse_instructions,
)
from mark_i.brains.offline.instructions.kinds import UnclearError

AT_ONCE: Final = re.compile(
    r"\b(?:now|first|next|already|again|immediately|right away|straight away|at once|in between|before|after|twice)\b",
    re.IGNORECASE,
)
DONE_BEFORE: Final = "it was done before you said so"
NOT_LEFT: Final = "it is neither in the text nor left to do"

_NUMBERED: Final = re.compile(r"(?:the\s+)?(?:step|instruction)\s+(\d+)", re.IGNORECASE)
NEXT: Final = re.compile(r"it|that|this|so|(?:the\s+next|this|that)\s+(?:one|step|instruction|part)", re.IGNORECASE)
POINTING: Final = re.compile(rf"{NEXT.pattern}|him|her|them", re.IGNORECASE)  # what is named beside it
LAST: Final = re.compile(r"the\s+last\s+(?:one|step|instruction|part)", re.IGNORECASE)
_REST: Final = re.compile(r"(?:all\s+)?(?:the\s+)?rest|(?:any|every)thing(?:\s+(?:else|more))?", re.IGNORECASE)
FILLERS: Final = frozenset(
    {"the", "a", "an", "it", "that", "this", "those", "these", "some", "line", "lines", "step", "part", "text", "word"}
    | {"words", "you", "i", "please", "bit", "one", "thing", "item", "entry", "about", "with", "of", "my", "your"}
    | {"there", "for", "longer", "more", "anymore", "further"}
)
TYPING: Final = frozenset(
    {"type", "typing", "typed", "write", "writing", "written", "wrote", "put", "putting", "enter", "add", "adding"}
    | {"say", "saying", "hit", "press", "click"}
)
_ALL: Final = frozenset({"any", "anything", "all"})
_OF_WAIT: Final = re.compile(r"\b(?:wait\w*|paus\w+|delays?|sec\w*|min\w*)\b", re.IGNORECASE)
_OF_FILE: Final = re.compile(
    r"\b(?:sav(?:e|es|ed|ing)|files?|names?|stor(?:e|ed|ing)|cop(?:y|ies))\b|\w\.\w{1,5}\b", re.IGNORECASE
)


def meant(every: Sequence[Instruction], done: int, what: str) -> list[int]:
    """Return which of what is left are meant; at least one, and all of one phrase.

    Raises:
        UnclearError: none is, or several could be.
    """
    left = range(done, len(every))
    if _REST.fullmatch(what) and left:
        return [*left]
    if (number := _NUMBERED.fullmatch(what)) and int(number[1]) - 1 in left:
        return [int(number[1]) - 1]
    phrases = [one for one in phrases_of(every, done) if not takes_back(every[one[0]])]
    if NEXT.fullmatch(what) or LAST.fullmatch(what):
        if not phrases:
            raise nothing_meant(every, done, what)
        return phrases[0 if NEXT.fullmatch(what) else -1]
    parsed = [*map(untold, parse_instructions(what))]
    if same := [index for index in left if untold(every[index]) in parsed]:
        return same
    phrases = [phrase for phrase in phrases if may_mean(what, every[phrase[0]], every)]
    found = [phrase for phrase in phrases if names(what, every[phrase[0]].text)]
    if _ALL & {*re.findall(r"\w+", what.casefold())}:
        found = [[index for phrase in found for index in phrase]] if found else []
    elif found and any(names(what, one.text) and not takes_back(one) for one in every[:done][-1:]):
        raise UnclearError(f"it could mean what was begun before you said so, or {quoted(found, every)}")
    if len(found) > 1:
        raise UnclearError(f"it could mean {quoted(found, every)}")
    if not found:
        raise nothing_meant(every, done, what)
    return found[0]


def may_mean(what: str, one: Instruction, every: Sequence[Instruction]) -> bool:
    """Return whether some words can name an instruction: "Brown" is not brown.txt, and "40" is not 40 seconds."""
    files = set[str]() if _OF_FILE.search(what) else {each.text for each in every if isinstance(each, DialogClosed)}
    is_time = isinstance(one, Pause) and not _OF_WAIT.search(what)
    texts = (each.content for each in every if is_time and isinstance(each, Type) and isinstance(each.content, str))
    return one.text not in files and not any(re.search(rf"(?<!\w){re.escape(what)}(?!\w)", text) for text in texts)


def phrases_of(every: Sequence[Instruction], done: int) -> list[list[int]]:
    """Return the places of what is left, together where one phrase means several."""
    return [[*group] for _, group in groupby(range(done, len(every)), lambda index: every[index].text)]


def nothing_meant(every: Sequence[Instruction], done: int, what: str) -> UnclearError:
    """Return what to raise where nothing that is left is meant."""
    return UnclearError(DONE_BEFORE if any(names(what, one.text) for one in every[:done]) else NOT_LEFT)


def takes_back(instruction: Instruction) -> bool:
    """Return whether an instruction takes back what was typed."""
    return isinstance(instruction, Press) and instruction.takes_back


def can_be_undone(one: Instruction) -> bool:
    """Return whether an instruction changes something in a program: saving, opening and looking do not."""
    return not isinstance(one, Check | Close | DialogClosed | Open | Pause | Wait) and not saves(one)


def quoted(phrases: Sequence[Sequence[int]], every: Sequence[Instruction]) -> str:
    """Return the phrases for a message."""
    return quoted_or([every[phrase[0]].text for phrase in phrases])


def quoted_or(texts: Sequence[str]) -> str:
    """Return texts for a message, any of which may be meant."""
    return " or ".join(f'"{text}"' for text in texts)


def names(what: str, text: str) -> bool:
    """Return whether all words of what is meant stand in the text of an instruction, in some form."""
    wanted = {*re.findall(r"[\w+]+", what.casefold())} - FILLERS - _ALL
    wanted = wanted - TYPING or wanted  # one may be said for another
    words = {*re.findall(r"[\w+]+", text.casefold())}
    return bool(wanted) and all(_forms(one) & words for one in wanted)


def _forms(word: str) -> set[str]:
    stem = word.removesuffix("ing")
    return {
        word,
        word.removesuffix("d"),
        word.removesuffix("ed"),
        stem,
        f"{stem}e",
        stem[:-1] if stem[-2:-1] == stem[-1:] else stem,
        word.removesuffix("s"),
        f"{word}s",
    }


def untold(instruction: Instruction | NotUnderstood) -> Instruction | NotUnderstood:
    """Return an instruction without the words for it."""
    return replace(instruction, text="")


def typed_last(every: Sequence[Instruction], done: int) -> str:
    """Return the text that was typed last, with the line breaks after it; empty if something else was done last."""
    breaks = 0
    for one in reversed(every[:done]):
        if is_enter(one):
            breaks += 1
        elif isinstance(one, Type) and isinstance(one.content, str) and not (one.into and (one.enter or breaks)):
            return one.content + "\n" * (one.enter + breaks)
        else:
            break
    return ""
