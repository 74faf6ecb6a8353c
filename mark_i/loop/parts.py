"""The parts of a run: its models, its oversight, its limits, what was decided for a step, pauses and the end."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mark_i.brain import Brain
from mark_i.budget import Budget, Ledger
from mark_i.events import Event, Outcome
from mark_i.guard.policy import OPEN
from mark_i.guard.risk import Answer, Approval, Guard
from mark_i.guard.secrets import NO_SECRETS, Secrets
from mark_i.human.words import Words
from mark_i.prompts.builder import MAX_OBSERVATION_CHARS
from mark_i.replies import Decision
from toolbelt.control import Control
from toolbelt.desktops import Desktop
from world_model import DesktopError, Frame, Journal, JournalError, Usage

HEARD: Final = "The person said something."


@dataclass(frozen=True, slots=True)
class Turn:
    """What was decided for one step, or `foreseen` by an earlier reply, and what was seen before; times in ms."""

    index: int
    before: Frame | None
    decision: Decision
    look_ms: float
    think_ms: float
    foreseen: bool = False


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one run.

    Attributes:
        planner: plans each step.
        reply: writes the final words; None if the planner's own words stay.
        vision: describes the screen for a planner that cannot see.
    """

    planner: Brain
    reply: Brain | None = None
    vision: Brain | None = None


def _nobody_there(_asked: Approval) -> Answer | None:
    return None


@dataclass(frozen=True, slots=True)
class Oversight:
    """Who decides what the agent may do, and who stops it.

    Attributes:
        guard: judges each action before it is carried out. The default asks a person only if the brain wants it.
        approve: puts the guard's question to the person and waits; returns None if nobody is there.
        secrets: what the agent may type by its name and must not reveal.
        control: pauses and stops the run; by default that of the eyes.
        detect_loops: whether repeated actions are reported and stopped. They never are for a brain that follows
            orders: it repeats what was ordered.
    """

    guard: Guard = field(default_factory=lambda: Guard(OPEN, literal=True))
    approve: Callable[[Approval], Answer | None] = _nobody_there
    secrets: Secrets = NO_SECRETS
    control: Control | None = None
    detect_loops: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use.

    Attributes:
        budget: steps, time, tokens and money.
        spent: what a resumed run has cost so far, if that is more than its steps say.
        observation_chars: how much of one observation is in a prompt.
    """

    budget: Budget = field(default_factory=Budget)
    spent: Usage | None = None
    observation_chars: int = MAX_OBSERVATION_CHARS


def paused(control: Control, ledger: Ledger) -> Iterator[Event]:
    """Wait while a person holds the run: before it looks, so that it acts on what they leave behind."""
    if control.gate(0):
        return
    began = time.monotonic()
    yield Event("paused", ledger.elapsed, {"reason": "takeover" if control.is_taken_over else "asked"})
    try:
        control.gate()
    finally:
        ledger.excuse(time.monotonic() - began)
    yield Event("resumed", ledger.elapsed, {})


def hear(words: Words, take: Callable[[str], object], event: Callable[..., Event]) -> Iterator[Event]:
    """Let `take` have what the person said meanwhile, and yield it as events."""
    for word in words.take():
        take(word.text)
        yield event("said", index=word.index, text=word.text)


def release(desktop: Desktop | None) -> None:
    """Release every held key and button; a display that is gone holds none."""
    if desktop:
        with contextlib.suppress(DesktopError):
            desktop.release()


def close_journal(journal: Journal | None, outcome: Outcome | None, told: Mapping[str, str]) -> str | None:
    """Close the journal; return what is wrong with it, if anything: a full disk does not hide how the run ended.

    Args:
        journal: of the run, if it has one.
        outcome: how the run ended; None if it was killed.
        told: what the journal keeps beside it.
    """
    try:
        if journal:
            journal.close({**outcome.to_dict(), **told} if outcome else {"outcome": None})
    except JournalError as error:
        return str(error)
    return None
