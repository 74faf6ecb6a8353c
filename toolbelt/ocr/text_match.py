"""Find a text among the lines that were read, even if it was read slightly wrong."""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import world_model
from toolbelt.ocr.lines import Line, Word
from world_model import Point, Region, Role, message

LOOK_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("l", "i"), ("1", "i"), ("|", "i"), ("0", "o"), ("5", "s"), ("8", "b"))
CARETS: Final = ("l", "i", "|")
SIGNS: Final = str.maketrans("×✕✖−–一十米二·", "xxx---+*=.")  # noqa: RUF001 - alone on a key, one is read as the other
# The dot in a file name, which the recognizer may miss or take for a comma; not the one in a number.
LOST_DOT: Final = re.compile(r"(?<=[^\W\d])[.,](?=\w)|(?<=\w)[.,](?=[^\W\d])")
WRAPPED_GAP_MAX_RATIO: Final = 0.15  # between two lines of one label as they were read, to the lower of their heights
WRAPPED_WIDTH_MIN_RATIO: Final = 0.6  # of a line that is wrapped, to the next one
WRAPPED_OFF_MAX_PX: Final = 12  # between the left ends or the middles of the lines of one label
SPACE_MAX_RATIO: Final = 0.4  # between two words of a line, to its height; the regions of words have margins
LETTERS_MIN: Final = 3  # for a tolerant match: `is` is not a misread `15`
OPENERS: Final = "▶▸►▼▾•◦·"  # before an entry, or before something that unfolds
LINE_MAX_CHARS: Final = 300  # a longer text is not cached
PUNCTUATION: Final = ",.;:!?()[]\"'“”„‘’«»"  # noqa: RUF001 - people use these quotes


@dataclass(frozen=True, slots=True)
class Match:
    """A target found on the screen: the point to use, and what is there with its region, unless only a point was given.

    Attributes:
        line: the whole line, if the text is only a part of it.
        called: its name in a sentence, if that is not its text.
        role: what kind of element it is, if known.
    """

    point: Point
    name: str
    region: Region | None = None
    line: str = field(default="", compare=False)
    called: str = field(default="", compare=False)
    role: Role | None = field(default=None, compare=False)

    @property
    def told(self) -> str:
        """Say where a tool acted: `"Save" at 10, 20`, with the line that the text is part of; `10, 20` for a point."""
        if self.region is None:
            return message(self.place)
        part = f', a part of the line "{self.line}"' if self.line else ""
        called = self.called or f'"{self.name}"'
        return message(called, " at ", self.place, part)

    @property
    def place(self) -> world_model.Place:
        """The place for the observation of a tool that acted here."""
        return world_model.Place(self.point.x, self.point.y, self.name if self.region else "", self.role)


def find(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Return where a text is: in one line, as `find_exactly` says, else read slightly wrong, else over several."""
    return find_exactly(wanted, lines) or find_alike(wanted, lines) or _over_lines(wanted.split(), lines)


def find_exactly(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Return where exactly this text was read: as a whole line, else as words of one, else within a word.

    A single sign matches only a whole line: `-` is neither in `a - b` nor in `<-`.
    """
    if len(sign := plain(wanted).translate(SIGNS)) == 1 and not wanted.strip().isalnum():
        said = [line for line in lines if plain(line.text).translate(SIGNS) == sign]
        return [Match(line.region.center, line.text, line.region) for line in said]
    if not plain(wanted):
        same = [line for line in lines if line.text.strip() == wanted.strip()]
        return [Match(line.region.center, line.text, line.region) for line in same]
    for search in (_whole_lines, _within_lines, _in_sentences, _within_words):
        if places := search(plain(wanted), lines):
            return places
    return []


def find_all(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Return every place where exactly this text was read, as a whole line or as words of one."""
    said = tuple(line for line in lines if line.words)
    return _in_sentences(plain(wanted), said) or find(wanted, lines)


def find_alike(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Return the lines or words, or else parts of words, that the recognizer may have misread for the text.

    It reads `l` for `I`, `0` for `O` and `rn` for `m`, and misses the dot in `letter.txt` or takes it for a comma. In a
    part of a word, only the dot may be wrong.
    """
    meant = plain(wanted)
    looks = _looks(meant)
    if not _tolerable(meant):
        return []
    parts = [(line.text, line.region) for line in lines]
    parts += [(word.text, word.region) for line in lines if len(line.words) > 1 for word in line.words]
    found = [(text, region) for text, region in parts if _looks(_without_caret(plain(text), meant)) == looks]
    whole = [Match(region.center, text, region) for text, region in found if _tolerable(text)]
    return whole or _within_words(meant, lines, _without_dots)


def find_entries(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Return the lines that say just this, like the entries of a list; else those that look like it."""
    alike = (place for place in find_alike(wanted, lines) if any(place.region == line.region for line in lines))
    return _whole_lines(plain(wanted), lines) or list(alike)


def holds_alike(wanted: str, text: str) -> bool:
    """Whether a text contains another, even if that was read slightly wrong or with other spaces."""
    return holds_any_alike([wanted], text)


def holds_any_alike(wanted: Iterable[str], text: str) -> bool:
    """Whether a text contains one of several, as `holds_alike` says; it is reduced once for all of them."""
    read = as_read(text)
    # Nothing is left of a text of dots alone, and that would match every text.
    return any(looks in read for looks in map(as_read, wanted) if looks)


def as_read(text: str) -> str:
    """Reduce a text to what the recognizer does not mix up, for comparison.

    The same lines are compared with each secret, at each look and in each line of a journal, so lines are cached.
    """
    return _line_as_read(text) if len(text) <= LINE_MAX_CHARS else _looks(plain(text))


@functools.lru_cache(maxsize=4096)
def _line_as_read(line: str) -> str:
    return _looks(plain(line))


def plain(text: str) -> str:
    """Normalize a text for comparison: no case, no white space, no dots or colon at its end."""
    return re.sub(r"\s+", "", text.casefold()).rstrip(".…:")


def _whole_lines(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    exact = [line for line in lines if plain(line.text) == wanted]
    said = exact or [line for line in lines if plain(line.text).lstrip(OPENERS) == wanted]
    return [Match(line.region.center, line.text, line.region) for line in said]


def _within_lines(wanted: str, lines: tuple[Line, ...], around: str = "") -> list[Match]:
    """Find whole words: `Save` is not in `Saved`. The signs in `around` may come before and after them."""
    places = []
    for line in lines:
        for first in range(len(line.words)):
            for last in range(first, len(line.words)):
                words = line.words[first : last + 1]
                text = plain("".join(word.text for word in words))
                ends = (words[0].text, words[-1].text)
                if text.strip(around) == wanted and all(plain(end).strip(around) for end in ends):
                    region = words[0].region.union(words[-1].region)
                    places.append(Match(region.center, " ".join(word.text for word in words), region, line.text))
                if len(text) >= len(wanted):
                    break
    return places


def _in_sentences(wanted: str, lines: tuple[Line, ...]) -> list[Match]:
    """Find whole words, with any punctuation before or after them."""
    return _within_lines(wanted, lines, PUNCTUATION)


def _over_lines(wanted: Sequence[str], lines: tuple[Line, ...]) -> list[Match]:
    """Find words that were read as several lines: the first at the end of one, the rest from the next one's start.

    The place is in the first line; its region is all of them if they hold nothing else, as on a button.
    """
    places = []
    for count in range(1, len(wanted)):
        start = plain("".join(wanted[:count]))
        for line in lines if _has_letter(start) else ():
            first = next((at for at in range(len(line.words)) if _said(line.words[at:]) == start), None)
            if first is None or not (rest := _continued(wanted[count:], line, lines)):
                continue
            bare = first == 0 and all(part.fills_line for part in rest)
            if first == 0 and not bare and line.region.width < WRAPPED_WIDTH_MIN_RATIO * rest[0].line.region.width:
                continue  # too short to have been wrapped: the entry of a list above another
            begun = functools.reduce(Region.union, (word.region for word in line.words[first:]))
            region = functools.reduce(Region.union, (part.line.region for part in rest), line.region)
            name = " ".join((*(word.text for word in line.words[first:]), *(part.text for part in rest)))
            places.append(Match(begun.center, name, region if bare else begun))
    return places


@dataclass(frozen=True, slots=True)
class _Start:
    """The start of a line that continues a wrapped text, and whether the line holds nothing else."""

    line: Line
    text: str
    fills_line: bool


def _continued(wanted: Sequence[str], above: Line, lines: tuple[Line, ...]) -> list[_Start]:
    """Return the lines that continue a wrapped text; empty if it does not go on below."""
    for line in lines:
        if not line.words or not _is_next(above, line):
            continue
        for count in range(len(wanted), 0, -1):
            meant = plain("".join(wanted[:count]))
            ends = (end for end in range(1, len(line.words) + 1) if meant in _sayings(line.words[:end]))
            if (end := next(ends, None)) is None or not _has_letter(meant):
                continue
            start = _Start(line, " ".join(word.text for word in line.words[:end]), end == len(line.words))
            if count == len(wanted):
                return [start]
            if start.fills_line and (rest := _continued(wanted[count:], line, lines)):
                return [start, *rest]
    return []


def _said(words: Sequence[Word]) -> str:
    return plain("".join(word.text for word in words))


def _sayings(words: Sequence[Word]) -> set[str]:
    """Return what words say, with the signs at their end and without."""
    return {(said := _said(words)), said.rstrip(PUNCTUATION)}


def _has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _is_next(above: Line, below: Line) -> bool:
    """Whether a line is right below another in one label or paragraph: as near as its lines are, and aligned.

    Or it stands right beside it: the reader may take one line for two where a word ends with a sign. The reader's
    margins may overlap. The entries of a menu or a list are farther apart.
    """
    one, other = above.region, below.region
    if _is_beside(one, other):
        return True
    near = one.center.y < other.y <= one.bottom + WRAPPED_GAP_MAX_RATIO * min(one.height, other.height)
    off = above.words[0].region.x - below.words[0].region.x, one.center.x - other.center.x
    return near and min(map(abs, off)) <= WRAPPED_OFF_MAX_PX


def _is_beside(left: Region, right: Region) -> bool:
    """Whether there is no more than a space between two texts of a row."""
    height = min(left.height, right.height)
    return (
        abs(left.center.y - right.center.y) < height / 2
        and -height / 2 < right.x - left.right < SPACE_MAX_RATIO * height
    )


def _within_words(wanted: str, lines: tuple[Line, ...], seen: Callable[[str], str] = str) -> list[Match]:
    """Find a separate part of a word, such as `notes.txt` in `/home/notes.txt-`; its place is an estimate."""
    itself = re.compile(rf"(?<!\w){re.escape(seen(wanted))}(?!\w)")
    places = []
    for line in lines:
        text = seen(plain(line.text))
        for match in itself.finditer(text):
            per_letter = line.region.width / len(text)
            left, right = round(match.start() * per_letter), round(match.end() * per_letter)
            region = Region(line.region.x + left, line.region.y, right - left, line.region.height)
            places.append(Match(region.center, line.text, region))
    return places


def _without_caret(text: str, wanted: str) -> str:
    """Drop the caret after a text, which is read as a letter."""
    return text[:-1] if len(text) == len(wanted) + 1 and text.endswith(CARETS) else text


def _tolerable(text: str) -> bool:
    """Whether a text may match others that look like it; a number or a very short text must match exactly."""
    return len(text) >= LETTERS_MIN and any(letter.isalpha() for letter in text)


def _looks(text: str) -> str:
    """Reduce a text to what the recognizer does not mix up; one letter more or less is still another text."""
    bare = text if text.isascii() else _without_marks(text)
    bare = _without_dots(bare)
    for read, meant in LOOK_ALIKE:
        bare = bare.replace(read, meant)
    return bare


def _without_marks(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def _without_dots(text: str) -> str:
    return LOST_DOT.sub("", text)
