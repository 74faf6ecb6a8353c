"""The words that the guard goes by, and how a text is searched for them."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from mark_i.guard.homoglyphs import latin_lookalike

LABEL_MAX_WORDS: Final = 6
# Scripts that do not separate words, or attach endings to them: a word counts anywhere.
_JOINED: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI")


@dataclass(frozen=True, slots=True)
class Words:
    """The words in `risky_words.toml`; the file says what each list is for."""

    risky: tuple[str, ...]  # with the commands
    buttons: frozenset[str]  # those that are more than commands
    commands: tuple[str, ...]
    bins: tuple[str, ...]
    assent: frozenset[str]
    refusal: frozenset[str]
    keeping: tuple[str, ...]
    harmless: tuple[str, ...]


@cache
def known_words() -> Words:
    """Return the words of the file."""
    data = tomllib.loads(files("mark_i.guard").joinpath("risky_words.toml").read_text(encoding="utf-8"))
    buttons = dict.fromkeys(word for words in data["risky"].values() for word in words)
    risky = dict.fromkeys([*buttons, *data["commands"]])
    assent, refusal = (frozenset(map(letters, data[answers])) for answers in ("assent", "refusal"))
    commands, bins, keeping, harmless = (tuple(data[name]) for name in ("commands", "bins", "keeping", "harmless"))
    return Words(tuple(risky), frozenset(buttons), commands, bins, assent, refusal, keeping, harmless)


def contains_word(word: str, text: str) -> bool:
    """Whether a text contains a word or phrase as whole words, compared by how they look; `_` separates words too."""
    return _pattern(word).search(latin_lookalike(text)) is not None


def first_word(words: tuple[str, ...], text: str) -> str | None:
    """Return the first of the words that a text contains, apart from the phrases that do no harm."""
    seen = without_harmless(text)
    if not words or not _any_of(words).search(seen):
        return None
    return next((word for word in words if _pattern(word).search(seen)), None)


def same_word(words: tuple[str, ...], text: str) -> str | None:
    """Return the word that a text consists of."""
    return _by_letters(words).get(letters(text))


def without_harmless(text: str) -> str:
    """Return a text without the phrases that contain a risky word and do no harm, such as `Sign in`."""
    seen = latin_lookalike(text)
    for phrase in known_words().harmless:
        seen = _pattern(phrase, between=r"[\s_-]*").sub(" ", seen)
    return seen


def agrees(label: str) -> bool:
    """Whether a label begins with words that agree, such as `Yes, I'm sure`; a longer text is prose."""
    said = latin_lookalike(label).split()
    return len(said) <= LABEL_MAX_WORDS and any(
        letters(" ".join(said[: at + 1])) in known_words().assent for at in range(len(said))
    )


def letters(text: str) -> str:
    """Return only the letters and digits of a text, by how they look."""
    return "".join(re.findall(r"\w+", latin_lookalike(text).casefold()))


@cache
def _pattern(word: str, between: str = r"[\s_]+") -> re.Pattern[str]:
    return re.compile(_expression(word, between), re.IGNORECASE)


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_expression, words)), re.IGNORECASE)


@cache
def _by_letters(words: tuple[str, ...]) -> dict[str, str]:
    return {letters(word): word for word in reversed(words)}


def _expression(word: str, between: str = r"[\s_]+") -> str:
    seen = latin_lookalike(word)
    before = "" if _is_joined(seen[:1]) else r"(?<![^\W_])"
    after = "" if _is_joined(seen[-1:]) else r"(?![^\W_])"
    return before + between.join(map(re.escape, seen.split())) + after


def _is_joined(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_JOINED)
