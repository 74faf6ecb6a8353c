"""Asking a model: within the budget, into the journal, and once more where its words cannot be used."""

import time
from collections.abc import Callable, Generator
from functools import partial
from typing import Final, TypeVar

from mark_i.brain import Brain, Prompt, Reply
from mark_i.budget import Ledger
from mark_i.events import Event
from mark_i.replies import HOW
from toolbelt.control import Control
from world_model import Journal, ModelError, ReplyError

T = TypeVar("T")
ASKED_AGAIN: Final = 3  # times that a reply which cannot be used is asked for again
QUOTED: Final = 300  # characters of such a reply that its writer is shown


class Asking:
    """The one way to a model. Whatever is asked and answered in a run goes through here."""

    def __init__(self, ledger: Ledger, control: Control, journal: Journal | None) -> None:
        self._ledger = ledger
        self._control = control
        self._journal = journal

    def ask(self, brain: Brain, prompt: Prompt, index: int, read: Callable[[str], T]) -> Generator[Event, None, T]:
        """What `read` makes of the reply; tells in between why one was not usable.

        Raises:
            ModelError: none of the replies could be read, or there was none to be had.
            LimitError: another call would pass a limit.
        """
        said = ""
        for asked in range(1 + ASKED_AGAIN):
            reply = self._reply(brain, prompt, index)
            try:
                return _read(reply, read)
            except ReplyError as error:
                said = " ".join(reply.text.split())[:QUOTED]
                reason = str(error)
            if asked < ASKED_AGAIN:
                yield self.notice(f"A reply could not be used and is asked for again: {reason}")
                how = "" if prompt.plain else f" {HOW}"
                prompt = prompt.noticing(f"Your last reply could not be used: {reason} It began: {said!r}.{how}")
        times = 1 + ASKED_AGAIN
        raise ModelError(f"The model gave no usable reply, {times} times in a row. {reason} Its last words: {said!r}.")

    def notice(self, text: str) -> Event:
        """What the readers of the run are told besides its steps."""
        return Event("notice", self._ledger.seconds, {"text": text})

    def once(self, brain: Brain, prompt: Prompt, index: int, read: Callable[[str], T]) -> T:
        """What `read` makes of the one reply; raises as above, and `ReplyError` where it cannot be used."""
        return _read(self._reply(brain, prompt, index), read)

    def _reply(self, brain: Brain, prompt: Prompt, index: int) -> Reply:
        self._ledger.admit(len(prompt.system) + len(prompt.text))
        if self._journal:
            sent = {"brain": brain.name, **prompt.to_dict()}
            self._journal.prompt(index, sent, prompt.picture.content if prompt.picture else None)
        began = time.monotonic()
        try:
            reply = self._control.call(partial(brain.think, prompt), self._ledger.seconds_left)
        except TimeoutError as error:
            if self._ledger.seconds_left == 0:
                raise self._ledger.late() from None
            raise ModelError(f"The brain {brain.name} gave no answer in its time.") from error
        self._ledger.book(reply.usage, time.monotonic() - began)
        if self._journal:
            told = {"brain": brain.name, "text": reply.text, "usage": reply.usage.to_dict()}
            self._journal.reply(index, told)
        return reply


def _read(reply: Reply, read: Callable[[str], T]) -> T:
    if reply.cut_off:
        raise ReplyError("The reply was cut off where the model may write no more. Reply in fewer words.")
    return read(reply.text)
