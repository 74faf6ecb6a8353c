"""Earlier goals, recalled as a shell recalls commands. Pure values."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class GoalHistory:
    """The text being written, then the earlier goals, newest first; edits to any of them are kept.

    Attributes:
        texts: the one being written first.
        place: of the one that is shown.
    """

    texts: tuple[str, ...] = ("",)
    place: int = 0

    @property
    def text(self) -> str:
        """The one that is shown."""
        return self.texts[self.place]

    def older(self, shown: str) -> "GoalHistory":
        """Go one back from the text that is shown now, past those that read the same."""
        return self._moved(shown, range(self.place + 1, len(self.texts)))

    def newer(self, shown: str) -> "GoalHistory":
        """Go one forward from the text that is shown now."""
        return self._moved(shown, range(self.place - 1, -1, -1))

    def _moved(self, shown: str, places: range) -> "GoalHistory":
        texts = (*self.texts[: self.place], shown, *self.texts[self.place + 1 :])
        kept = replace(self, texts=texts)
        other = (place for place in places if texts[place].strip() != shown.strip() or place == 0)
        return replace(kept, place=next(other, self.place))


def history_of(goals: tuple[str, ...]) -> GoalHistory:
    """Start with an empty text and these goals."""
    return GoalHistory(("", *goals))
