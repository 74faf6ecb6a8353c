"""The words of a goal, compared with what was seen, whatever the language."""

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from mark_i.loop.word_lists import has_word, meanings, words_in
from toolbelt.desktops import parse_keys
from toolbelt.ocr import plain
from world_model import ToolFailure

UNIT_LETTERS: Final = 3  # of the sign of a unit at most
STEM_LETTERS: Final = 4  # that a word and a form of it, such as save and saved, begin with at least
# Where one thing to do ends and the next begins; a dot within a file's name is followed by a letter, and a folder may
# have the name of such a word.
CLAUSE_END: Final = re.compile(
    r"[;。、\uff1b]|[.!?](?=\s|$)|\n"
    r"|(?<![\w/.~-])(?:and|then|und|dann|et|puis|y|luego|e|poi|en|dan|\u0438|затем)(?![\w/-]|\.\w)"
)
FILE_NAME: Final = re.compile(
    r"(?<![\w.:/~@-])(?:~?/)?(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![A-Za-z0-9_/])"
)
QUOTED: Final = re.compile(
    r"[\"\u201c\u201e\u00ab\u300c\u300e`]([^\"\u201c\u201d\u00bb\u300d\u300f`]+)[\"\u201c\u201d\u00bb\u300d\u300f`]"
    r"|(?<!\w)['\u2018\u201a]([^'\u2018\u2019\n]+)['\u2018\u2019](?!\w)"
)
NAME: Final = re.compile(rf"{QUOTED.pattern}|((?<=[\w,] )[^\W\d_a-z]\w+)")
NO_FAILURE: Final = re.compile(r"\b(?:(?:0|without|ohne|keine|sans|sin|senza) \w+|no (?:errors?|failures?))")
REPLACED: Final = re.compile(
    r"\b(?:not|instead of|rather than|in place of)\s+(?:the\s+)?\Z", re.IGNORECASE
)  # before it
FIGURE: Final = re.compile(r"(?<![\w.,:/-])\d{2,}(?![\w/]|[.,:-]\d)")
NUMBER: Final = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:/-]\d+)*(?!\w)")
SUFFIX: Final = re.compile(r"(?<![\w/.])\*?(\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w.])")
DEEDS: Final = tuple(
    f"{name}.txt" for name in ("typing", "adding", "changing", "copying", "moving", "renaming", "removing", "pointing")
)
FULL_PATH: Final = re.compile(r"(?<![\w.:/~-])~?/(?:[\w.-]+/)*[\w.-]*\w")


def words(text: str) -> set[str]:
    """Return the words of a text, except those that every text has; of a file's name, it and what is before its end."""
    names = {Path(name).name.casefold() for name in FILE_NAME.findall(text)}
    text = FILE_NAME.sub(lambda name: name[0].rpartition(".")[0], text).casefold()
    return names.union(re.findall(r"\w+", re.sub(r"['\u2019]s\b", "", text))) - words_in("fillers.txt")


def touches(asked: Collection[str], said: Collection[str]) -> bool:
    """Whether two sets have a word in common, or two forms of one word."""
    return not set(asked).isdisjoint(said) or any(
        min(len(one), len(other)) >= STEM_LETTERS and (one.startswith(other) or other.startswith(one))
        for one in asked
        for other in said
    )


def without(text: str, parts: Iterable[str]) -> str:
    """Return a text without the parts, wherever they stand in it as whole words."""
    for part in sorted(filter(str.strip, parts), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){_spaced(part)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def says(said: str, text: str) -> bool:
    """Whether it contains the text as whole words, however they are spaced; `Save` is not in `Saved`."""
    letters = r"\s*".join(map(re.escape, plain(text)))
    return bool(letters) and re.search(rf"(?<!\w){letters}(?!\w)", said.casefold()) is not None


def clauses(goal: str) -> list[str]:
    """Return the parts of a goal that ask for one thing each, in order; within a quoted text none ends."""
    quotes = [text.span() for text in QUOTED.finditer(goal)]
    ends = [end for end in CLAUSE_END.finditer(goal) if not any(a < end.start() < b for a, b in quotes)]
    starts = (0, *(end.end() for end in ends))
    found = (goal[a:b].strip() for a, b in zip(starts, (*(end.start() for end in ends), len(goal)), strict=True))
    return [clause for clause in found if clause]


def listed(clause: str) -> list[str]:
    """Return the parts of a clause between its commas; one within a quoted text or a number separates nothing."""
    texts = [found[0] for found in QUOTED.finditer(clause)]
    for text in texts:
        clause = clause.replace(text, text.replace(",", "\0"))
    return [part.replace("\0", ",").strip() for part in re.split(r",(?!\d)|\u3001", clause) if part.strip()]


def names_in(clause: str) -> set[str]:
    """Return the words that name a person, a thing or a file: by a capital, in quotes, or with a dot in the name."""
    named = (*("".join(parts) for parts in NAME.findall(clause)), *FILE_NAME.findall(clause))
    return set[str]().union(*map(words, named))


def asks_to_type(clause: str) -> bool:
    """Whether it asks for a text to be typed, which is all that typing can prove."""
    return has_word("typing.txt", clause)


def quoted(goal: str) -> list[str]:
    """Return the texts that the goal quotes."""
    return [text.strip() for parts in QUOTED.findall(goal) if (text := "".join(parts)).strip()]


def figures(goal: str) -> list[str]:
    """Return the numbers of at least two digits in a goal, without those in quotes and in the names of files.

    A number that is to go is none: "15, not 12".
    """
    said = FILE_NAME.sub(" ", QUOTED.sub(" ", goal))
    return [found[0] for found in FIGURE.finditer(said) if not REPLACED.search(said, 0, found.start())]


def contradicts(text: str, goal: str) -> bool:
    """Whether a text is about the same as a part of the goal that has a number, and has only other numbers."""
    said = set(NUMBER.findall(text))
    if not said or said & set(NUMBER.findall(goal)):
        return False
    about = {word for word in words(text) if not word.isdecimal()}
    return any(NUMBER.search(clause) and touches(words(clause), about) for clause in clauses(FILE_NAME.sub(" ", goal)))


def counts_otherwise(text: str, goal: str) -> bool:
    """Whether a text has another number than the goal before, or after, the same word, or the same in another unit."""
    wanted, said = counted_words(FILE_NAME.sub(" ", goal)), counted_words(text)
    units, other = _units(wanted), _units(said)
    return any(wanted[place].isdisjoint(said[place]) for place in wanted.keys() & said.keys()) or any(
        units[number].isdisjoint(other[number]) for number in units.keys() & other.keys()
    )


def _units(counted: dict[tuple[bool, str], set[str]]) -> dict[str, set[str]]:
    """Return the units that stand after each number, such as `kg` or `pm`."""
    found: dict[str, set[str]] = {}
    for (before, word), numbers in counted.items():
        if before and word.isalpha() and len(word) <= UNIT_LETTERS:
            for number in numbers:
                found.setdefault(number, set()).add(word)
    return found


def counted_words(text: str) -> dict[tuple[bool, str], set[str]]:
    """Return the numbers that stand before (True) and after each word of a text."""
    found: dict[tuple[bool, str], set[str]] = {}
    tokens = re.findall(r"[\w.,:/-]*\w", text.casefold())
    for one, two in itertools.pairwise(tokens):
        for number, word, before in ((one, two, True), (two, one, False)):
            if NUMBER.fullmatch(number) and words(word) and not NUMBER.fullmatch(word):
                found.setdefault((before, word), set()).add(number)
    return found


def suffixes(goal: str) -> list[str]:
    """Return what the names of files end with that a goal means as a kind, such as `.txt` of `all .txt files`."""
    return SUFFIX.findall(FILE_NAME.sub(" ", goal))


def holds(text: str, part: str) -> int:
    """Return how often a text holds a part that is no piece of a longer word; scripts without spaces have none."""
    before = r"(?<!\w)" if _spells(part[:1]) else ""
    after = r"(?!\w)" if _spells(part[-1:]) else ""
    return len(re.findall(before + re.escape(part) + after, text))


def tells_failure(text: str, goal: str) -> bool:
    """Whether a text says that something failed, in a word that the goal does not have."""
    return bool(_failures(text) - _failures(goal))


def tells_unfinished(text: str, goal: str) -> bool:
    """Whether a text says that what the goal asks for goes on, such as `Saving the file...`."""
    return text.rstrip().endswith(("...", "\u2026")) and touches(words(goal), words(text))


def asks_to_point(clause: str) -> bool:
    """Whether it asks for something to be clicked or chosen, which is all that a click can prove."""
    return has_word("pointing.txt", clause)


def asks_to_open(clause: str) -> bool:
    """Whether it asks for something to be opened or shown."""
    return has_word("opening.txt", clause)


def subjects(text: str) -> set[str]:
    """Return the words of a text without those that say that something is opened."""
    return words(text) - words_in("opening.txt")


def done_by(keys: str, goal: str) -> list[str]:
    """Return the words of a goal for what keys do in nearly every program, such as those for `ctrl+s`."""
    try:
        pressed = frozenset(parse_keys(keys))
    except ToolFailure:  # the tool that presses them reports it
        return []
    return [text for text in meanings().get(pressed, ()) if _in_goal(text, goal)]


def asks_to_close(clause: str) -> bool:
    """Whether it asks for something to be closed."""
    return bool(done_by("alt+f4", clause))


def _in_goal(text: str, goal: str) -> bool:
    return says(goal, text) or (not _spells(text[:1]) and text in goal.casefold())


def asks_to_remove(goal: str) -> bool:
    """Whether something is not to stay: it is to be deleted, or replaced by something else."""
    return has_word("removing.txt", QUOTED.sub(" ", goal))


def asks_to_change(goal: str) -> bool:
    """Whether something is to become something else; what names it may stay, such as the name of a setting."""
    return has_word("changing.txt", QUOTED.sub(" ", goal))


def asks_to_copy(goal: str) -> bool:
    """Whether something is to be there twice."""
    return has_word("copying.txt", QUOTED.sub(" ", goal))


def asks_to_link(goal: str) -> bool:
    """Whether something is to stand for another file, and not to be one itself."""
    return has_word("link.txt", QUOTED.sub(" ", goal))


def asks_to_repeat(goal: str) -> bool:
    """Whether something is to be done more than once."""
    return has_word("repeating.txt", goal) or any(letter.isdigit() for letter in QUOTED.sub(" ", goal))


def excepts(goal: str) -> bool:
    """Whether it names what is to stay as it is, or only some of several."""
    return has_word("keeping.txt", QUOTED.sub(" ", goal))


def asks(goal: str) -> bool:
    """Whether a goal may ask for an answer: it has a question mark, or a word that asks."""
    return "?" in goal or "\uff1f" in goal or has_word("asking.txt", goal)


def is_question(text: str) -> bool:
    """Whether a text ends as a question does."""
    return text.rstrip().endswith(("?", "\uff1f"))


def orders(goal: str) -> bool:
    """Whether a goal begins with a word that orders a deed."""
    said = [word for word in re.findall(r"\w+", goal.casefold()) if word not in words_in("fillers.txt")]
    return bool(said) and any(said[0] in words_in(name) for name in DEEDS)


def orders_content(goal: str) -> bool:
    """Whether something is to be done to what is there or to what it holds, not to a property of it."""
    return bool(quoted(goal)) or any(has_word(name, goal) for name in DEEDS if name != "pointing.txt")


def is_deed(word: str) -> bool:
    """Whether a word orders something, as `save` does."""
    word = word.casefold()
    return any(word in one for one in (*map(words_in, DEEDS), *meanings().values()))


def is_answer(text: str) -> bool:
    """Whether a text is what buttons say that answer a question: Yes, No, Cancel."""
    said = text.casefold().split()
    return bool(said) and words_in("answer.txt").issuperset(said)


def asks_to_move(goal: str) -> bool:
    """Whether something is to be moved or renamed, and so not to stay where it was."""
    return has_word("moving.txt", goal) or asks_to_rename(goal)


def asks_to_rename(goal: str) -> bool:
    """Whether something is to have another name, where it is."""
    return has_word("renaming.txt", goal)


def adding_clauses(goal: str, *, whole: bool = False) -> list[str]:
    """Return the parts of a goal that ask to add something to what is there, the `whole` of each or without quotes."""
    found = [(clause, QUOTED.sub(" ", clause)) for clause in clauses(goal)]
    return [clause if whole else bare for clause, bare in found if has_word("adding.txt", bare)]


def file_names(goal: str) -> list[str]:
    """Return the names of files in a goal, with their folders where it names them; a text in quotes names none."""
    return FILE_NAME.findall(QUOTED.sub(lambda text: text[0] if FILE_NAME.fullmatch(text[0][1:-1]) else " ", goal))


def full_paths(goal: str) -> list[Path]:
    """Return the paths in a goal that name one place, whatever the current folder is."""
    return list(_expanded(FULL_PATH.findall(goal)))


def _expanded(names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        try:
            yield Path(name).expanduser()
        except RuntimeError:  # nobody knows the home folder
            continue


def _spells(letter: str) -> bool:
    """Whether a letter or digit is of a script that separates words by spaces."""
    return (letter.isalnum() or letter == "_") and unicodedata.category(letter or " ") != "Lo"


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def _failures(text: str) -> set[str]:
    """Return the words of failure in a text; an underscore in the list stands for a space."""
    said = NO_FAILURE.sub("", " ".join(re.findall(r"\w+", text.casefold())))
    return {
        one
        for one in words_in("failure.txt")
        if re.search(rf"\b{one.replace('_', ' ')}\b", said) or (not one.isascii() and one in said)
    }
