"""What was read: words and lines, and where they stand."""

from dataclasses import dataclass

from world_model import Region


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands on the desktop."""

    text: str
    region: Region

    def shifted(self, x: int, y: int) -> "Word":
        """The same word, so far to the right and down."""
        return Word(self.text, self.region.shifted(x, y))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text and where it stands on the desktop."""

    text: str
    region: Region
    words: tuple[Word, ...] = ()

    def shifted(self, x: int, y: int) -> "Line":
        """The same line, so far to the right and down."""
        return Line(self.text, self.region.shifted(x, y), tuple(word.shifted(x, y) for word in self.words))
