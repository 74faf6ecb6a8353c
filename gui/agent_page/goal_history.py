"""Earlier goals, gone through as a shell goes through earlier commands. Pure values."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class GoalHistory:
    """What is being written, then the earlier goals, newest first; what is changed on the way stays changed.

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
        """One further back from the text that is shown now; one that reads just the same is passed over."""
        return self._moved(shown, range(self.place + 1, len(self.texts)))

    def newer(self, shown: str) -> "GoalHistory":
        """One further on from the text that is shown now."""
        return self._moved(shown, range(self.place - 1, -1, -1))

    def _moved(self, shown: str, places: range) -> "GoalHistory":
        texts = (*self.texts[: self.place], shown, *self.texts[self.place + 1 :])
        kept = replace(self, texts=texts)
        other = (place for place in places if texts[place].strip() != shown.strip() or place == 0)
        return replace(kept, place=next(other, self.place))


def history_of(goals: tuple[str, ...]) -> GoalHistory:
    """Nothing written yet, and these goals before it."""
    return GoalHistory(("", *goals))
