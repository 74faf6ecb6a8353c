"""Find a text that is split over several others: over lines of a screen, over entries of a list."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbelt.ocr.text_match import as_read

BETWEEN_MAX: Final = 24  # texts between two parts: another column, or the other values of an entry
PART_MIN: Final = 4  # letters of the longest part


def split_over(wanted: str, texts: Sequence[str]) -> set[int]:
    """Return the indexes of the texts that hold a text in parts: one ends with its beginning, a later one continues it.

    The parts may be read slightly wrong. A text that is whole in one of them is not searched for.
    """
    whole, read = as_read(wanted), [as_read(text) for text in texts]
    if len(whole) < PART_MIN:
        return set()
    found: set[int] = set()
    for index, text in enumerate(read):
        for length in range(1, len(whole)):
            if text.endswith(whole[:length]):
                found.update(*_continued(whole, read, index, length, length))
    return found


def _continued(whole: str, read: Sequence[str], index: int, length: int, longest: int) -> Iterator[set[int]]:
    """Yield the indexes of every way in which the texts after one continue what is known up to a length."""
    rest = whole[length:]
    for at in range(index + 1, min(index + 2 + BETWEEN_MAX, len(read))):
        text = read[at]
        if text.startswith(rest) and max(longest, len(rest)) >= PART_MIN:
            yield {index, at}
        elif text and rest.startswith(text):
            more = _continued(whole, read, at, length + len(text), max(longest, len(text)))
            yield from ({index, *ones} for ones in more)
