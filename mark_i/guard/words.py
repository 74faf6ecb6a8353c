"""The words that the guard goes by, and how a text is searched for them."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from mark_i.guard.homoglyphs import latin_lookalike

LABEL_MAX_WORDS: Final = 6
SETTING_MAX_WORDS: Final = 12  # on a checkbox; a longer text is prose
BIN_LABEL_MAX_WORDS: Final = 5  # of a label that says what is moved to a bin; a longer one is prose
COMPOUND_MIN_CHARS: Final = 6  # of a word that counts as a part of a longer one; a shorter one is in many words
# Scripts that do not separate words, or attach endings to them: a word counts anywhere.
_JOINED: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI")


_JOINED_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")  # where OCR lost the space, as in `BuyNow`
_NUMBERED: Final = re.compile(r"^\s*[(\[]?\w{1,2}[.):\]]\s+|\s*\(\w\)\s*$")  # beside an answer: its number, or its key


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
    recipients: tuple[str, ...]
    recipients_alone: frozenset[str]
    amounts: tuple[str, ...]
    launchers: tuple[str, ...]
    consequences: tuple[str, ...]
    opening: tuple[str, ...]
    switching: tuple[str, ...]
    alone: frozenset[str]
    keeps: frozenset[str]
    loses: frozenset[str]
    declining: frozenset[str]
    credentials: tuple[str, ...]
    codes: tuple[str, ...]
    busy: tuple[str, ...]
    executes: frozenset[str]
    messages: tuple[str, ...]
    runs: tuple[str, ...]
    acting: frozenset[str]
    audience: tuple[str, ...]
    granting: tuple[str, ...]
    sending: frozenset[str]
    uploads: tuple[str, ...]
    forbidding: tuple[str, ...]
    periods: tuple[str, ...]
    autosaves: tuple[str, ...]
    searches: tuple[str, ...]
    starters: frozenset[str]


@cache
def known_words() -> Words:
    """Return the words of the file."""
    data = tomllib.loads(files("mark_i.guard").joinpath("risky_words.toml").read_text(encoding="utf-8"))
    buttons = dict.fromkeys(word for words in data["risky"].values() for word in words)
    risky = dict.fromkeys([*buttons, *data["commands"]])
    return Words(
        risky=tuple(risky),
        buttons=frozenset(buttons),
        commands=tuple(data["commands"]),
        bins=tuple(data["bins"]),
        assent=frozenset(map(letters, data["assent"])),
        refusal=frozenset(map(letters, data["refusal"])),
        keeping=tuple(data["keeping"]),
        harmless=tuple(data["harmless"]),
        recipients=tuple(data["recipients"]),
        recipients_alone=frozenset(map(letters, data["recipients_alone"])),
        amounts=tuple(data["amounts"]),
        launchers=tuple(data["launchers"]),
        consequences=tuple(data["consequences"]),
        opening=tuple(data["opening"]),
        switching=tuple(data["switching"]),
        alone=frozenset(map(letters, data["alone"])),
        keeps=frozenset(map(letters, data["keeps"])),
        loses=frozenset(map(letters, data["loses"])),
        declining=frozenset(map(letters, data["declining"])),
        credentials=tuple(data["credentials"]),
        codes=tuple(data["codes"]),
        busy=tuple(data["busy"]),
        executes=frozenset(map(letters, data["executes"])),
        messages=tuple(data["messages"]),
        runs=tuple(data["runs"]),
        acting=frozenset(data["acting"]),
        audience=tuple(data["audience"]),
        granting=tuple(data["granting"]),
        sending=frozenset(map(letters, data["sending"])),
        uploads=tuple(data["uploads"]),
        forbidding=tuple(data["forbidding"]),
        periods=tuple(data["periods"]),
        autosaves=tuple(data["autosaves"]),
        searches=tuple(data["searches"]),
        starters=frozenset(map(letters, data["starters"])),
    )


def contains_word(word: str, text: str) -> bool:
    """Whether a text contains a word or phrase as whole words, compared by how they look; `_` separates words too."""
    return _first((word,), latin_lookalike(text)) is not None


def first_word(words: tuple[str, ...], text: str) -> str | None:
    """Return the first of the words that a text contains, apart from the phrases that do no harm."""
    return _first(words, without_harmless(text))


def same_word(words: tuple[str, ...], text: str) -> str | None:
    """Return the word that a text consists of."""
    return _by_letters(words).get(letters(text))


def asks_for_recipient(label: str) -> bool:
    """Whether the label of a field asks for a recipient."""
    alone = letters(re.sub(r"\(.*?\)", "", label))
    return alone in known_words().recipients_alone or _names(known_words().recipients, label)


def asks_for_amount(label: str) -> bool:
    """Whether the label of a field asks for an amount."""
    return _names(known_words().amounts, label)


def asks_for_password(label: str) -> bool:
    """Whether what is typed into a field with that label lets in who knows it."""
    return _is_label_with(known_words().credentials + known_words().codes, label)


def tells_password(text: str) -> str | None:
    """Return the password, the PIN or the code that a text tells, as in `my PIN is 4711`."""
    words = known_words().credentials + known_words().codes
    word = next((one for one in words if contains_word(one, text)), None)
    found = word and re.search(
        rf"{re.escape(latin_lookalike(word))}[\s:=-]*(?:(?:is|was|ist|est|es|è|é|for\s\w+\sis)\s+)?(?P<told>(?=\S*\d)\S{{4,}})",
        latin_lookalike(text),
        re.IGNORECASE,
    )
    return found["told"].rstrip(".,;") if found else None


def is_busy(text: str) -> bool:
    """Whether a text says that something must not be interrupted."""
    return first_word(known_words().busy, text) is not None


def sends(label: str) -> bool:
    """Whether what is entered into a field with that label is sent to somebody."""
    return _is_label_with(known_words().messages, label)


def asks_for_audience(label: str) -> bool:
    """Whether what is chosen in a field with that label says who may see or change something."""
    return _is_label_with(known_words().audience, label)


def grants(heading: str) -> bool:
    """Whether a heading says that what is below it lets somebody see or change something."""
    return _is_label_with(known_words().granting, heading)


def asks_for_file(label: str) -> bool:
    """Whether a label, or a goal, asks for a file that leaves this computer, or is put where others see it."""
    return first_word(known_words().uploads, label) is not None


def without_forbidden(text: str) -> str:
    """Return what a person said without the parts that forbid something, such as `never start setup.sh`."""
    parts = re.split(r"(?<=[;!?,\n])|(?<=\.)(?=\s)", text)
    return "".join(part for part in parts if not _forbids(part))


def _forbids(part: str) -> bool:
    return first_word(known_words().forbidding, part) is not None and not contains_word("forget", part)


def recurs(label: str) -> bool:
    """Whether what a label offers comes again and again, as in `5 € a month`."""
    return _is_label_with(known_words().periods, label)


def autosaves(text: str) -> bool:
    """Whether a text says that each change is kept at once."""
    return first_word(known_words().autosaves, text) is not None


def declines(label: str) -> bool:
    """Whether a button with that label does nothing but leave."""
    return letters(label) in known_words().declining


def searches(label: str) -> bool:
    """Whether what is entered into a field with that label is only searched for."""
    return _is_label_with(known_words().searches, label)


def executes(label: str) -> bool:
    """Whether a button or an entry of a menu with that label runs what is written in its window."""
    return letters(label) in known_words().executes or _is_label_with(known_words().runs, label)


def consequence(text: str) -> str | None:
    """Return the word in a question for what comes of agreeing to it, if that may be impossible to undo."""
    return first_word(known_words().consequences, text)


def opens_up(label: str) -> str | None:
    """Return the word on a setting that lets somebody in, publishes something, or takes a protection away."""
    return first_word(known_words().opening, label) if len(label.split()) <= SETTING_MAX_WORDS else None


def switches(label: str) -> bool:
    """Whether a label says that it turns something on or off."""
    return _is_label_with(known_words().switching, label)


def asks_for_command(label: str) -> bool:
    """Whether a label says that what is entered is run as a command; a longer text is prose."""
    return _is_label_with(known_words().launchers, label)


def bin_in(label: str) -> str | None:
    """Return the bin that a label names with other words, such as `Move to the trash`; alone it only opens it."""
    seen = without_harmless(label)
    found = first_word(known_words().bins, seen)
    if found is None or len(seen.split()) > BIN_LABEL_MAX_WORDS:
        return None
    for word in sorted(known_words().bins, key=len, reverse=True):
        seen = _pattern(word).sub(" ", seen)
    return found if re.search(r"[^\W\d_]", seen) else None


@lru_cache(maxsize=4096)
def without_harmless(text: str) -> str:
    """Return a text without the phrases that contain a risky word and do no harm, such as `Sign in`."""
    return _harmless().sub(" ", latin_lookalike(_JOINED_WORDS.sub(" ", text)))


def agrees(label: str) -> bool:
    """Whether a label begins with words that agree, such as `Yes, I'm sure`; a longer text is prose."""
    said = latin_lookalike(_NUMBERED.sub("", label)).split()
    return len(said) <= LABEL_MAX_WORDS and (
        said[-1:] == ["anyway"]
        or any(letters(" ".join(said[: at + 1])) in known_words().assent for at in range(len(said)))
    )


def _is_label_with(words: tuple[str, ...], label: str) -> bool:
    """Whether a label contains one of the words; a longer text is prose."""
    return len(label.split()) <= LABEL_MAX_WORDS and bool(_any_of(words).search(latin_lookalike(label)))


def _names(words: tuple[str, ...], label: str) -> bool:
    """Whether a label contains one of the words, a long one also within another word."""
    seen, (whole, parts) = latin_lookalike(label), _by_length(words)
    return bool(_any_of(whole).search(seen)) or any(part in seen for part in parts)


def letters(text: str) -> str:
    """Return only the letters and digits of a text, by how they look."""
    return "".join(re.findall(r"\w+", latin_lookalike(text).casefold()))


def _first(words: tuple[str, ...], seen: str) -> str | None:
    """Return the first of the words in a text; few of their letters stand in it, which is found far sooner."""
    dotted = _dotted(seen)
    possible = dict.fromkeys(word for part, word in _parts(words) if part in dotted)
    return next((word for word in possible if _pattern(word).search(seen)), None)


def _dotted(seen: str) -> str:
    """Return a text with each i dotted: the only letters that a pattern takes for each other in small ones."""
    return seen.replace("\u0131", "i")


@cache
def _parts(words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the longest part of each form of a word, which a text with the word contains, beside the word."""
    forms = ((form, word) for word in words for form in _forms(word))
    return tuple((_dotted(max(latin_lookalike(form).split(), key=len, default="")), word) for form, word in forms)


@cache
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(_expression(word), re.IGNORECASE)


@cache
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_expression, words)) or r"(?!)", re.IGNORECASE)


@cache
def _harmless() -> re.Pattern[str]:
    phrases = sorted(known_words().harmless, key=len, reverse=True)  # the longest first
    return re.compile("|".join(_expression(one, r"[\s_-]*") for one in phrases), re.IGNORECASE)


@cache
def _by_length(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the short words, and how the long ones look."""
    short = tuple(word for word in words if len(word) < COMPOUND_MIN_CHARS)
    return short, tuple(latin_lookalike(word) for word in words if word not in short)


@cache
def _by_letters(words: tuple[str, ...]) -> dict[str, str]:
    return {letters(word): word for word in reversed(words)}


def _expression(word: str, between: str = r"[\s_]+") -> str:
    return "|".join(_as_seen(form, between) for form in _forms(word))


def _forms(word: str) -> list[str]:
    """Return a word as often as it looks different: a capital of another script may look Latin, and its letter not."""
    written = (word,) if word.isascii() else (word.capitalize(), word.upper(), word)
    return list({latin_lookalike(one).casefold(): one for one in written}.values())


def _as_seen(word: str, between: str) -> str:
    seen = latin_lookalike(word)
    before = "" if _is_joined(seen[:1]) else r"(?<![^\W_\d])"
    after = "" if _is_joined(seen[-1:]) else r"(?![^\W_])"
    return before + between.join(map(re.escape, seen.split())) + after


def _is_joined(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_JOINED)
