"""What stands in a field or at a shell because of what the agent typed."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Line:
    """What stands in a field or at a shell because of the agent.

    Attributes:
        known: whether a key has changed it in a way that is not followed here, such as one that recalls a line.
        begun: whether it is known how it began: at a shell, after enter.
        caret: before which letter the next text is put.
        anchor: where a selection begins that ends at the caret; the next text replaces it.
        also: what may stand there instead.
        emptied: whether all that stood there was deleted, also what the agent did not type.
    """

    text: str = ""
    known: bool = True
    begun: bool = False
    caret: int = 0
    anchor: int | None = None
    also: "Line | None" = None
    emptied: bool = False

    def typed(self, text: str) -> "Line":
        """Return the line with more text."""
        return self._without(*self._selection(), text)

    def erased(self, key: str) -> "Line":
        """Return the line after backspace or delete."""
        start, stop = self._selection()
        if self.anchor == 0 and stop == len(self.text):
            return replace(self._without(start, stop, "", key), emptied=True)
        if start == stop:
            start, stop = (max(start - 1, 0), stop) if key == "backspace" else (start, stop + 1)
        return self._without(start, stop, "", key)

    def moved(self, key: str, *, selects: bool) -> "Line":
        """Return the line after a key that moves the caret."""
        start, stop = self._selection()
        ends = (start, stop) if start != stop and not selects else (self.caret - 1, self.caret + 1)
        places = {"left": ends[0], "right": ends[1], "home": 0, "end": len(self.text)}
        if key not in places:
            return replace(self.selected(), anchor=None, also=replace(self, caret=0, anchor=None, also=None))
        caret = min(max(places[key], 0), len(self.text))
        anchor = (self.caret if self.anchor is None else self.anchor) if selects else None
        return replace(self, caret=caret, anchor=anchor, also=self.also and self.also.moved(key, selects=selects))

    def selected(self) -> "Line":
        """Return the line with all of it selected."""
        return replace(self, caret=len(self.text), anchor=0, also=self.also and self.also.selected())

    def _selection(self) -> tuple[int, int]:
        other = self.caret if self.anchor is None else self.anchor
        return min(self.caret, other), max(self.caret, other)

    def _without(self, start: int, stop: int, text: str, key: str = "") -> "Line":
        """Return the line with a text instead of a part of it."""
        also = self.also and (self.also.erased(key) if key else self.also.typed(text))
        rest = self.text[:start] + text + self.text[stop:]
        return replace(self, text=rest, caret=start + len(text), anchor=None, also=also)
