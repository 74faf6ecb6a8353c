"""Calls of a model: within the budget, recorded in the journal, and repeated if the reply cannot be used."""

import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_exponential_jitter

from mark_i.brain import Brain, Prompt, Reply, expected_of, foreseen_by
from mark_i.budget import Ledger
from mark_i.events import Event
from mark_i.guard.secrets import NO_SECRETS, Secrets
from mark_i.loop.foresight import Foresight, unplanned
from mark_i.replies import REPLY_FORMS
from toolbelt.control import Control, Pending
from world_model import BusyError, Journal, LimitError, ModelError, ReplyError

T = TypeVar("T")
MAX_REASKS: Final = 3  # after a reply that cannot be used
QUOTED_CHARS: Final = 300  # of such a reply, that the model is shown
MAX_TRIES: Final = 4  # of a model that is busy
MAX_PAUSE_S: Final = 60.0  # a service that asks for a longer pause is given up
ASKED_AGAIN: Final = "The model is asked once more."
SILENT: Final = "Word the goal differently, or choose another model (`--brain`)."

_BACKOFF: Final = wait_exponential_jitter(initial=1, max=20)


class UnusableError(ModelError):
    """None of the replies of a model could be read."""


# The fields of a prompt that may contain what was read or said.
TEXT_FIELDS: Final = ("goal", "scratchpad", "earlier", "background", "notices", "seen", "things", "notes", "now")


TAKEN_BACK: Final = "The screen changed after the model was asked, so the call was taken back: about {tokens} tokens."


@dataclass(frozen=True, slots=True)
class _Early:
    """A call that was begun before its prompt was due."""

    brain: Brain
    prompt: Prompt
    pending: Pending[Reply]


class ModelCalls:
    """The one way to a model: every call of a run goes through here.

    Attributes:
        secrets: what no prompt contains, and no answer may reveal.
        foreseen: whether the newest reply was planned by an earlier one, and no model was asked.
        ordered: whether the newest reply is a step of what was decided before as a whole.
        literal: whether the person ordered the very step in the newest reply.
        thought_s: how long the newest call took.
    """

    def __init__(
        self, ledger: Ledger, control: Control, journal: Journal | None, secrets: Secrets = NO_SECRETS
    ) -> None:
        self._ledger = ledger
        self.secrets = secrets
        self.foreseen = self.ordered = self.literal = False
        self.thought_s = 0.0
        self._lasted_s: deque[float] = deque([0.0, 0.0], 2)  # the latest calls; the first also loads an SDK
        self._early: _Early | None = None
        self._untold: list[str] = []
        self._control = control
        self._journal = journal

    def ask(self, brain: Brain, prompt: Prompt, index: int, read: Callable[[str], T]) -> Generator[Event, None, T]:
        """Return what `read` makes of the reply. If it cannot be used, ask again and say why.

        Raises:
            UnusableError: none of the replies could be read.
            ModelError: the model gave no reply.
            LimitError: another call would exceed a limit.
        """
        said = ""
        for asked in range(1 + MAX_REASKS):
            reply = yield from self._reply(brain, prompt, index)
            try:
                return _read(reply, read)
            except ReplyError as error:
                said = " ".join(reply.text.split())[:QUOTED_CHARS]
                reason = str(error)
            if asked < MAX_REASKS:
                yield self._retry(f"A reply could not be used; the model is asked again. {reason}", reason, ASKED_AGAIN)
                how = "" if prompt.plain else f" {REPLY_FORMS}"
                began = f" It began: {said!r}." if said else ""
                prompt = prompt.noticing(f"Your last reply could not be used: {reason}{began}{how}")
        told = f"The model gave no usable reply, {1 + MAX_REASKS} times in a row. {reason}"
        raise UnusableError(f"{told} Its last words: {said!r}." if said else f"{told} {SILENT}", "unreadable")

    def notice(self, text: str) -> Event:
        """Make an event for what the person should know besides the steps."""
        return Event("notice", self._ledger.elapsed, {"text": text})

    def _retry(self, text: str, why: str, then: str) -> Event:
        """Make a notice that something went wrong; who has told `why` before may tell only what is done `then`."""
        return Event("notice", self._ledger.elapsed, {"text": text, "why": why, "then": then})

    def once(self, brain: Brain, prompt: Prompt, index: int, read: Callable[[str], T]) -> Generator[Event, None, T]:
        """Return what `read` makes of one reply; raises as `ask`, and `ReplyError` if it cannot be used."""
        return _read((yield from self._reply(brain, prompt, index)), read)

    def again(  # noqa: PLR0913, PLR0917 - as `ask`, with what it falls back on
        self, brain: Brain, prompt: Prompt, index: int, read: Callable[[str], T], first: T, reason: str
    ) -> Generator[Event, None, T]:
        """Ask once more and say why; without a usable reply the first one is kept."""
        yield self.notice(f"The model is asked once more. {reason}")
        try:
            return (yield from self.once(brain, prompt.noticing(reason), index, read))
        except (ModelError, LimitError, ReplyError) as error:
            yield self.notice(f"The first reply is kept: {error}")
            return first

    @property
    def usual_s(self) -> float:
        """How long a call takes at least, as the latest ones have shown."""
        return min(self._lasted_s)

    @property
    def is_early(self) -> bool:
        """Whether a call was begun whose prompt is not due yet."""
        return self._early is not None

    @property
    def early_ms(self) -> float:
        """How long that call has been going on, or took; 0 if there is none."""
        pending = self._early.pending if self._early else None
        return ((pending.ended_s or time.monotonic()) - pending.began_s) * 1000 if pending else 0.0

    @property
    def early_reply(self) -> Reply | None:
        """The reply to that call, once it is there."""
        return next(iter(self._early.pending.results), None) if self._early else None

    def begin(self, brain: Brain, prompt: Prompt) -> None:
        """Ask before the prompt is due; if it turns out to be the same, `ask` returns that reply."""
        prompt = self._redacted(prompt)
        with suppress(LimitError):  # the next call raises it
            self._ledger.admit(expected_of(brain, prompt))
            sent = replace(prompt, usd_left=self._ledger.usd_left)
            self._early = _Early(brain, prompt, self._control.start(partial(unplanned(brain).think, sent)))

    def take_back(self) -> None:
        """Do without the reply to a call that was begun early; what it is expected to cost counts."""
        early, self._early = self._early, None
        if early is None:
            return
        reply = next(iter(early.pending.results), None)
        self._control.abandon(early.pending)
        cost = reply.usage if reply else expected_of(early.brain, early.prompt)
        self._ledger.book(cost, 0.0)
        self._untold.append(TAKEN_BACK.format(tokens=f"{cost.tokens:,}"))

    def _redacted(self, prompt: Prompt) -> Prompt:
        return replace(prompt, **{name: self.secrets.redacted(getattr(prompt, name)) for name in TEXT_FIELDS})

    def _due(self, prompt: Prompt) -> _Early | None:
        """Return the call that was begun early, if it is the one that is due now."""
        if self._early and (self._early.prompt.messages, self._early.prompt.plain) == (prompt.messages, prompt.plain):
            early, self._early = self._early, None
            return early
        self.take_back()
        return None

    def _reply(self, brain: Brain, prompt: Prompt, index: int) -> Generator[Event, None, Reply]:
        """Return the reply and record both it and the prompt; a busy model is asked again after a pause."""
        prompt = self._redacted(prompt)
        planned = self._control.call(partial(foreseen_by, brain, prompt))
        self.foreseen, self.ordered = planned is not None, planned is not None and planned.ordered
        self.literal = planned is not None and planned.literal
        if planned:
            self._record(brain, index, planned)
            return planned
        if isinstance(brain, Foresight) and (left := brain.left()):
            yield self.notice(left)
            prompt = prompt.noticing(left)
        early = self._due(prompt)
        yield from map(self.notice, self._untold)
        self._untold.clear()
        if early:
            prompt = early.prompt  # with the picture that was sent
        else:
            self._ledger.admit(expected_of(brain, prompt))
        if self._journal:
            sent = {"brain": brain.name, **prompt.to_dict()}
            self._journal.prompt(
                index, sent, *(one.content if one else None for one in (prompt.picture, prompt.closeup))
            )
        failed: list[tuple[str, float]] = []  # why, and seconds until the next try
        retrying = Retrying(
            retry=retry_if_exception_type(BusyError),
            wait=_pause,
            stop=self._given_up,
            before_sleep=lambda state: failed.append((_reason(state), state.upcoming_sleep)),
            sleep=lambda _: None,  # the pause is below, where it can be reported and stopped
            reraise=True,
        )
        reply = Reply("")
        for attempt in retrying:
            if failed:
                reason, pause = failed.pop()
                then = f"Trying again in {pause:.0f} s."
                yield self._retry(f"{reason} {then}", reason, then)
                self._control.wait(pause)
                self._ledger.admit(expected_of(brain, prompt))
            begun, early = early, None
            with attempt:
                reply = self._thought(brain, replace(prompt, usd_left=self._ledger.usd_left), begun)
        yield from map(self.notice, reply.notices)
        if reply.left is not None or reply.choices:
            told = {"left": [*(reply.left or ())], "choices": [*reply.choices]}
            yield Event("outlook", self._ledger.elapsed, told)
        self._record(brain, index, reply)
        return reply

    def _record(self, brain: Brain, index: int, reply: Reply) -> None:
        if not self._journal:
            return
        told: dict[str, Any] = {"brain": brain.name, "text": reply.text, "usage": reply.usage.to_dict()}
        lasted_ms = 0.0 if reply.foreseen else round(self.thought_s * 1000, 1)
        marks = {"cut_off": reply.cut_off, "flaw": reply.flaw, "foreseen": reply.foreseen, "ms": lasted_ms}
        self._journal.reply(index, told | {name: mark for name, mark in marks.items() if mark})

    def _thought(self, brain: Brain, prompt: Prompt, early: _Early | None) -> Reply:
        pending = early.pending if early else self._control.start(partial(unplanned(brain).think, prompt))
        try:
            reply = self._control.join(pending, self._ledger.seconds_left)
        except TimeoutError as error:
            if self._ledger.seconds_left == 0:
                raise self._ledger.late() from None
            raise ModelError(f"The brain {brain.name} timed out.") from error
        self.thought_s = pending.ended_s - pending.began_s
        self._lasted_s.append(self.thought_s)
        self._ledger.book(reply.usage, self.thought_s)
        if isinstance(brain, Foresight):
            brain.keep(prompt, reply)
        return reply

    def _given_up(self, state: RetryCallState) -> bool:
        """Whether to give up: after some tries, or if the pause would be too long for the run."""
        left = self._ledger.seconds_left
        longest = MAX_PAUSE_S if left is None else min(MAX_PAUSE_S, left)
        return state.attempt_number >= MAX_TRIES or state.upcoming_sleep > longest


def _pause(state: RetryCallState) -> float:
    """Return the seconds until the next try: doubled each time, with jitter, and at least what the service asks for."""
    error = state.outcome.exception() if state.outcome else None
    wanted = error.wait if isinstance(error, BusyError) else None
    return max(_BACKOFF(state), wanted or 0.0)


def _reason(state: RetryCallState) -> str:
    return str(state.outcome.exception()) if state.outcome else ""


def _read(reply: Reply, read: Callable[[str], T]) -> T:
    if reply.cut_off:
        raise ReplyError("The reply was cut off at the output limit. Reply in fewer words.")
    if reply.flaw:
        raise ReplyError(reply.flaw)
    return read(reply.text)
