"""What was read: words and lines, and where they are."""

from dataclasses import dataclass

from world_model import Region


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it is on the desktop."""

    text: str
    region: Region

    def shifted(self, x: int, y: int) -> "Word":
        """Return the same word, moved to the right by `x` and down by `y`."""
        return Word(self.text, self.region.shifted(x, y))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text and where it is on the desktop."""

    text: str
    region: Region
    words: tuple[Word, ...] = ()

    def shifted(self, x: int, y: int) -> "Line":
        """Return the same line, moved to the right by `x` and down by `y`."""
        return Line(self.text, self.region.shifted(x, y), tuple(word.shifted(x, y) for word in self.words))
