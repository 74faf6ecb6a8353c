"""What a goal names in so many words: folders, files without an ending, all of a kind, a place in a text."""

import mimetypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mark_i.loop.goal_words import (
    DEEDS,
    FILE_NAME,
    QUOTED,
    asks_to_rename,
    clauses,
    excepts,
    file_names,
    is_deed,
    quoted,
    touches,
    words,
)
from mark_i.loop.word_lists import has_word, numbers, words_in

TOKEN: Final = re.compile(rf"{QUOTED.pattern}|([\w./~-]*\w)")
# A name with a capital, and one before it that does not begin the sentence.
CAPITALS: Final = re.compile(rf"(?<=[\w,] )((?:[^\W\d_a-z]\w* )+)((?=[^\W\d_a-z]){FILE_NAME.pattern})")
THINGS: Final = ("folder.txt", "file.txt", "universal.txt")


def asked_folders(goal: str) -> set[str]:
    """Return the names of folders in a goal, in lower case: those beside a word for a folder."""
    return {name for name in _named_by(goal, "folder.txt", before=True) if not FILE_NAME.fullmatch(name)}


def asked_files(goal: str) -> set[str]:
    """Return what a goal gives as the name of a file, in lower case, with or without an ending."""
    return set(_named_by(goal, "file.txt")) | set(_named_by(goal, "naming.txt"))


def _named_by(goal: str, kind: str, *, before: bool = False) -> Iterator[str]:
    """Yield what follows the words of a list, past words that say that a name follows; also what is `before` them."""
    tokens = ["".join(parts).casefold() for parts in TOKEN.findall(goal)]
    passed = words_in("fillers.txt") | words_in("naming.txt")
    for at, token in enumerate(tokens):
        if token in words_in(kind):
            after = (one for one in tokens[at + 1 :] if one not in passed)
            yield from (Path(one).name for one in (next(after, ""), *(tokens[at - 1 : at] if before else ())) if one)


def is_part_of_name(name: str, goal: str) -> bool:
    """Whether a name is only a part of one that the goal quotes, or gives with a space in it."""
    longer = [text for text in quoted(goal) if name in text.split() and name != text]
    spaced = any(one.endswith(f" {name.casefold()}") for one in _spaced_names(goal))
    return bool(longer) or spaced or (asks_to_rename(goal) and _goes_on(name, goal))


def _goes_on(name: str, goal: str) -> bool:
    """Whether a name is followed by one more word that may belong to it, as in `final version`."""
    after = re.search(rf"(?<![\w.]){re.escape(name)}[ ]+(\w+)", QUOTED.sub(" ", goal), re.IGNORECASE)
    return after is not None and not is_deed(after[1]) and bool(words(after[1]))


def _spaced_names(goal: str) -> Iterator[str]:
    """Yield the names of files with a space in them: all words from one that says that a name follows.

    Or those with a capital: `Annual Report.txt`.
    """
    for clause in clauses(goal):
        for before, end in CAPITALS.findall(clause):
            if words_in("file.txt").isdisjoint(before.casefold().split()):
                yield f"{before}{end}".casefold()
        tokens = ["".join(parts).casefold() for parts in TOKEN.findall(clause)]
        ends = [at for at, token in enumerate(tokens) if FILE_NAME.fullmatch(token)]
        starts = [at + 1 for at, token in enumerate(tokens) if token in words_in("naming.txt")]
        for start, end in ((one, other) for one in starts for other in ends if one < other):
            name = tokens[start : end + 1]
            if words_in("fillers.txt").isdisjoint(name):
                yield " ".join(name)


def excepted(goal: str) -> set[str]:
    """Return the names of the files that are to stay: those of `all files except keep.txt`."""
    wanted = (clause for clause in clauses(goal) if excepts(clause) and has_word("universal.txt", clause))
    return {Path(name).name for clause in wanted for name in file_names(clause)}


def means_all(clause: str, suffix: str) -> bool:
    """Whether a part of a goal means all files of a kind, such as all text files, and says no more of them."""
    known = set[str]().union(*map(words_in, (*DEEDS, *THINGS)))
    about = _kind_words(clause, suffix)
    more = words(clause) - asked_folders(clause) - about - known
    return has_word("universal.txt", clause) and bool(about) and not more


def is_of_kind(goal: str, suffix: str) -> bool:
    """Whether a goal says of what kind a file with that ending is, such as a text file."""
    return bool(_kind_words(goal, suffix))


def _kind_words(text: str, suffix: str) -> set[str]:
    """Return the words of a text that the type of a file has as well."""
    return {word for word in re.findall(r"\w+", text.casefold()) if touches({word}, kinds_of(suffix))}


def kinds_of(suffix: str) -> set[str]:
    """Return the words of the type of a file: `text` and `plain` of text/plain, `png` of .png."""
    kind, _ = mimetypes.guess_type(f"x{suffix}")
    return {suffix[1:].casefold(), *re.findall(r"[a-z]+", (kind or "").removeprefix("application").replace("x-", ""))}


def asks_for_nothing_else(goal: str) -> bool:
    """Whether a goal says that there is to be only what it names."""
    return has_word("only.txt", QUOTED.sub(" ", goal))


def number_in(clause: str) -> int | None:
    """Return the number that a part of a goal says, in digits or as a word; None if it says none, or several."""
    tokens = re.findall(r"\w+", QUOTED.sub(" ", FILE_NAME.sub(" ", clause)).casefold())
    found = [int(one) if one.isdecimal() else numbers()[one] for one in tokens if one.isdecimal() or one in numbers()]
    return found[0] if len(found) == 1 else None


def asks_for_place(clause: str, place: str) -> bool:
    """Whether a part of a goal wants something at the `start` or the `end` of a file, not of something in it."""
    tokens = ["".join(parts).casefold() for parts in TOKEN.findall(QUOTED.sub(" ", clause))]
    files = {name.casefold() for name in file_names(clause)} | words_in("file.txt")
    for at, token in enumerate(tokens):
        if token in words_in(f"{place}.txt"):
            after = next((one for one in tokens[at + 1 :] if one not in words_in("fillers.txt")), None)
            if after is None or after in files:
                return True
    return False
