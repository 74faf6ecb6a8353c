"""The words of a goal, compared with what was seen, whatever the language."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from toolbelt.ocr import plain

STEM_LETTERS: Final = 4  # that a word and a form of it, such as save and saved, begin with at least
# Where one thing to do ends and the next begins; a dot within a file's name is followed by a letter.
CLAUSE_END: Final = re.compile(
    r"[;。、\uff1b]|[.!?](?=\s|$)|\n|\b(?:and|then|und|dann|et|puis|y|luego|e|poi|en|dan|\u0438|затем)\b"
)
FILE_NAME: Final = re.compile(
    r"(?<![\w.:/~@-])(?:~?/)?(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![A-Za-z0-9_/])"
)
NAME: Final = re.compile(r"[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00bb\n]+.?|(?<=[\w,] )[^\W\d_a-z]\w+")
NO_FAILURE: Final = re.compile(r"\b(?:(?:0|without|ohne|keine|sans|sin|senza) \w+|no (?:errors?|failures?))")
QUOTED: Final = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb\n]+)[\"\u201c\u201d\u00bb]")
FULL_PATH: Final = re.compile(r"(?<![\w.:/~-])~?/(?:[\w.-]+/)*[\w.-]*\w")


def words(text: str) -> set[str]:
    """Return the words of a text, except those that every text has."""
    return set(re.findall(r"\w+", re.sub(r"['\u2019]s\b", "", text.casefold()))) - _listed("fillers.txt")


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
    """Return the parts of a goal that ask for one thing each, in order."""
    return [clause.strip() for clause in CLAUSE_END.split(goal) if clause.strip()]


def names_in(clause: str) -> set[str]:
    """Return the words that name a person, a thing or a file: by a capital, in quotes, or with a dot in the name."""
    named = (*NAME.findall(clause), *FILE_NAME.findall(clause))
    return set[str]().union(*map(words, named))


def asks_to_type(clause: str) -> bool:
    """Whether it asks for a text to be typed, which is all that typing can prove."""
    return _any_of("typing_words.txt", clause)


def quoted(goal: str) -> list[str]:
    """Return the texts that the goal quotes."""
    return [text.strip() for text in QUOTED.findall(goal) if text.strip()]


def tells_failure(text: str, goal: str) -> bool:
    """Whether a text says that something failed, in a word that the goal does not have."""
    return bool(_failures(text) - _failures(goal))


def asks_to_move(goal: str) -> bool:
    """Whether something is to be moved or renamed, and so not to stay where it was."""
    return _any_of("moving_words.txt", goal)


def adding_clauses(goal: str) -> list[str]:
    """Return the parts of a goal that ask to add something to what is there, without what they quote."""
    return [clause for clause in clauses(QUOTED.sub(" ", goal)) if _any_of("adding_words.txt", clause)]


def file_names(goal: str) -> list[str]:
    """Return the names of files in a goal, with their folders where it names them."""
    return FILE_NAME.findall(goal)


def full_paths(goal: str) -> list[Path]:
    """Return the paths in a goal that name one place, whatever the current folder is."""
    return list(_expanded(FULL_PATH.findall(goal)))


def _expanded(names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        try:
            yield Path(name).expanduser()
        except RuntimeError:  # nobody knows the home folder
            continue


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def _any_of(name: str, text: str) -> bool:
    """Whether a text has a word of a list; one of a script without spaces may be anywhere in it."""
    known = _listed(name)
    said = re.findall(r"\w+", text.casefold())
    return not known.isdisjoint(said) or any(not one.isascii() and one in word for one in known for word in said)


def _failures(text: str) -> set[str]:
    """Return the words of failure in a text; an underscore in the list stands for a space."""
    said = NO_FAILURE.sub("", " ".join(re.findall(r"\w+", text.casefold())))
    return {
        one
        for one in _listed("failure_words.txt")
        if re.search(rf"\b{one.replace('_', ' ')}\b", said) or (not one.isascii() and one in said)
    }


@cache
def _listed(name: str) -> frozenset[str]:
    """Return the words of a list, which has a line for each of the most used languages."""
    return frozenset(files("mark_i.loop").joinpath(name).read_text(encoding="utf-8").split())
