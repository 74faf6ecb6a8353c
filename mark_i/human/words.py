"""What the person says to a run while it goes on: it is kept at once, and stands in the next prompt."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Final

from mark_i.brain import Word
from mark_i.control_words import control_word, goes_on
from toolbelt.control import Control
from world_model import Journal

TEXT_MAX_CHARS: Final = 4000


class Words:
    """What the person says, from any thread; a run that has not begun yet hears it when it begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all = list[Word]()
        self._kept = 0  # of them, in the journal
        self._told = 0  # of them, to the brain
        self._journal: Journal | None = None
        self._index: Callable[[], int] = lambda: 1
        self._redacted: Callable[[str], str] = str
        self._control: Control | None = None
        self._ended = False
        self._answers: SimpleQueue[str] | None = None  # to the question that is open

    def recall(self, said: Sequence[Mapping[str, Any]], steps: int) -> None:
        """Recall what was said to a run before it was resumed, as its journal has it; its brain is told it anew.

        Args:
            said: the words; what was said during a step that is forgotten is for the next one.
            steps: how many are remembered.
        """
        with self._lock:
            self._all[:0] = [Word(min(one["index"], steps + 1), one["text"]) for one in said]
            self._kept = len(said)

    def begin(
        self,
        journal: Journal | None,
        index: Callable[[], int],
        redacted: Callable[[str], str],
        control: Control | None = None,
    ) -> None:
        """Begin to keep what is said.

        Args:
            journal: keeps it on disk.
            index: returns the number of the next step.
            redacted: takes secrets out of a text.
            control: stops the run, or lets it wait or go on, if that is all that a word asks for.
        """
        with self._lock:
            self._journal, self._index, self._redacted = journal, index, redacted
            self._control = control or self._control
            early, self._all[self._kept :] = self._all[self._kept :], []
        for word in early:
            self.say(word.text)

    def say(self, text: str) -> bool:
        """Tell the run something; once this returns it is on disk.

        Returns:
            Whether the run can hear it: it has not ended.

        Raises:
            JournalError: it cannot be written.
        """
        if self._ended or not (text := text.strip()[:TEXT_MAX_CHARS]):
            return not self._ended
        asked = control_word(text)
        with self._lock:
            if self._answers and asked not in {"stop", "pause"}:
                self._answers.put(text)
                return True
        if self._control and asked in {"pause", "resume"}:
            (self._control.pause if asked == "pause" else self._control.resume)()
            return True
        with self._lock:
            if self._ended:
                return False
            word = Word(self._index(), self._redacted(text))
            if self._journal:
                self._journal.said(word.index, word.text)
                self._kept += 1
            self._all.append(word)
        if self._control:
            (self._control.stop if asked == "stop" else self._control.speak)()
            if goes_on(text):
                self._control.resume()
        return True

    @contextmanager
    def answering(self) -> Iterator["SimpleQueue[str]"]:
        """Take what is said as the answer to a question, until that is answered; what came too late is a word again."""
        answers = SimpleQueue[str]()
        with self._lock:
            self._answers = answers
        try:
            yield answers
        finally:
            with self._lock:
                self._answers = None
            while not answers.empty():
                self.say(answers.get())

    def end(self) -> tuple[str, ...]:
        """Hear nothing any longer.

        Returns:
            What the brain was not told; a stop is for no brain.
        """
        with self._lock:
            self._ended = True
            return tuple(word.text for word in self._all[self._told :] if control_word(word.text) != "stop")

    @property
    def all(self) -> tuple[Word, ...]:
        """All that was said."""
        return tuple(self._all)

    @property
    def is_new(self) -> bool:
        """Whether something was said that the brain was not told."""
        return len(self._all) > self._told

    def take(self) -> tuple[Word, ...]:
        """Return what the brain was not told yet; now it is."""
        with self._lock:
            new, self._told = tuple(self._all[self._told :]), len(self._all)
            if self._control:
                self._control.heard()
        return new
