"""The agent: look, think, act, settle, look, remember, until the goal is reached."""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mark_i.asking import Asking
from mark_i.brain import Brain
from mark_i.budget import Budget, Ledger
from mark_i.closing import Closing
from mark_i.ending import LABELS, plain_words, premature
from mark_i.events import Event, Outcome, Style
from mark_i.evidence import Known
from mark_i.images import picture_of, size_for
from mark_i.points import to_pixels
from mark_i.prompting import LONGEST, Prompting
from mark_i.repeats import RECENT, Repeats
from mark_i.replies import Decision, parse
from toolbelt.belt import Done, Toolbelt
from toolbelt.control import Control
from toolbelt.desktop import Desktop
from toolbelt.eyes import Eyes
from world_model import (
    Action,
    DesktopError,
    Frame,
    Halt,
    Journal,
    JournalError,
    LimitError,
    ModelError,
    Observation,
    Step,
    Timing,
    Usage,
    WorldModel,
)

T = TypeVar("T")


class AgentCore:
    """One agent, for one run. Everything that it needs is passed in; what it does comes out as events.

    Args:
        brain: plans each step. `reply` writes the final words and `vision` describes the screen, where they are given.
        style: how the final answer is told.
        earlier: questions and answers of the same session.
        longest: characters of one observation in a prompt.
        watched: whether repeats are told and stopped; for a brain that only follows orders they are what was ordered.
        folders: where relative paths in evidence start.
        refresh: brings the tools up to date before each thought, and gives back what is wrong with any.
    """

    def __init__(  # noqa: PLR0913 - the parts of an agent
        self,
        brain: Brain,
        toolbelt: Toolbelt,
        desktop: Desktop | None = None,
        world_model: WorldModel | None = None,
        *,
        eyes: Eyes | None = None,
        control: Control | None = None,
        journal: Journal | None = None,
        budget: Budget | None = None,
        reply: Brain | None = None,
        vision: Brain | None = None,
        style: Style = "default",
        earlier: Sequence[tuple[str, str]] = (),
        longest: int = LONGEST,
        watched: bool = True,
        folders: Sequence[Path] = (Path(),),
        refresh: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.brain = brain
        self.toolbelt = toolbelt
        self.desktop = desktop
        self.world_model = WorldModel() if world_model is None else world_model
        self.control = control or (eyes.control if eyes else Control())
        self.journal = journal
        self.style: Style = style
        self._vision = vision
        self._eyes = eyes or (Eyes(desktop, self.control) if desktop else None)
        before = list(self.world_model)
        spent = sum((step.usage for step in before), Usage())
        self._ledger = Ledger(budget or Budget(), spent, sum(step.timing.seconds for step in before))
        self._asking = Asking(self._ledger, self.control, journal)
        self._prompting = Prompting(toolbelt, self.world_model, self._eyes, longest=longest, earlier=earlier)
        self._closing = Closing(brain, reply, style, self._asking, self._prompting)
        self._repeats = Repeats(toolbelt, self.world_model.last(RECENT)) if watched else None
        self._folders, self._refresh = tuple(folders), refresh
        self._sent_back = False  # the agent was told that nothing was done yet

    def execute_command(self, goal: str) -> Outcome:
        """Run to the end, and say how it ended."""
        [last] = deque(self.run(goal), maxlen=1)
        assert last.outcome is not None  # noqa: S101 - the last event of a run is its end
        return last.outcome

    def run(self, goal: str) -> Iterator[Event]:
        """Run, event by event; the last one is `ended`.

        What MARK-I does not expect (a bug) is not turned into an outcome: everything is let go, and it is raised.
        """
        self._ledger.begin()
        outcome, complaint = None, None
        try:
            yield self._event("run_started", **self._about(goal))
            outcome = yield from self._loop(goal)
        except Halt:
            outcome = Outcome("stopped", "The run was stopped.")
        except LimitError as error:
            outcome = Outcome(error.limit, str(error))
        except ModelError as error:
            outcome = Outcome("model_error", str(error))
        except DesktopError as error:
            outcome = Outcome("desktop_error", str(error))
        finally:
            self._let_go()
            complaint = self._close_journal(outcome)
        if complaint:
            yield self._asking.notice(complaint)
        yield Event("ended", self._ledger.seconds, {**outcome.to_dict(), **self._totals(outcome)}, outcome=outcome)

    def _loop(self, goal: str) -> Generator[Event, None, Outcome]:
        if outcome := (yield from self._ended_before(goal)):
            return outcome
        for index in range(len(self.world_model) + 1, self._ledger.budget.steps + 1):
            yield from self._pause()
            before, look_ms = _timed(self._show)
            yield self._event("thinking", index=index, last=False, budget=self._ledger.to_dict(index - 1))
            began = time.perf_counter()
            with self._eyes.idle() if self._eyes else contextlib.nullcontext():
                decision = yield from self._think(goal, index, before)
            think_ms = (time.perf_counter() - began) * 1000
            yield self._event("thought", index=index, text=decision.thought.text)
            yield self._event("action", index=index, **decision.action.to_dict())
            done, act_ms = _timed(partial(self._act, goal, decision.action))
            (observation, after, settle_ms), seeing_ms = _timed(partial(self._observe, done, before))
            timing = Timing(look_ms, think_ms, act_ms, settle_ms, other_ms=seeing_ms - settle_ms)
            usage = self._ledger.close_step()
            step = Step(index, decision.thought, decision.action, observation, before, after, usage, timing)
            self._remember(step)
            yield Event("step", self._ledger.seconds, step.to_dict(), step)
            known = self._known(goal, step.after if done.ending else None)
            if outcome := (yield from self._closing.after(step, done.ending, decision.style, known)):
                return outcome
        index = len(self.world_model) + 1
        yield self._event("thinking", index=index, last=True, budget=self._ledger.to_dict(index - 1))
        return self._closing.at_the_limit(index, self._ledger.budget.steps, self._known(goal))

    def _ended_before(self, goal: str) -> Generator[Event, None, Outcome | None]:
        """How a run ends that was interrupted after its last step and before it could say so."""
        newest = self.world_model.last(1)
        if not newest or not newest[0].observation.ok or not self._known(goal).ends(newest[0]):
            return None
        done = self.toolbelt.call(newest[0].action, self.control)
        return (yield from self._closing.after(newest[0], done.ending, None, self._known(goal, self._show())))

    def _pause(self) -> Iterator[Event]:
        held, began = self.control.holding, time.monotonic()
        if held:
            yield self._event("paused")
        self.control.gate()
        if held:
            self._ledger.excuse(time.monotonic() - began)
            yield self._event("resumed")

    def _show(self) -> Frame | None:
        return self._eyes.show() if self._eyes else None

    def _think(self, goal: str, index: int, before: Frame | None) -> Generator[Event, None, Decision]:
        """Ask the brain for the next action; it is in the journal before it is carried out."""
        yield from map(self._asking.notice, self.control.call(self._refresh))
        found = (self._repeats.notice() if self._repeats else None, self._ledger.notice(index - 1))
        notices = [notice for notice in found if notice]
        yield from map(self._asking.notice, notices)
        seen = ""
        if self._vision and before is not None:
            prompt = self._prompting.vision(self._vision, goal, before)
            seen = yield from self._asking.ask(self._vision, prompt, index, plain_words)
        prompt = self.control.call(partial(self._prompting.next, self.brain, goal, before, notices, seen))
        decision = yield from self._asking.ask(self.brain, prompt, index, partial(self._read, before))
        if self.journal:
            self.journal.decided(index, decision.action)
        return decision

    def _read(self, before: Frame | None, text: str) -> Decision:
        decision = parse(text)
        if before is None:
            return decision
        screen, sight = before.region, self.brain.sight  # as it was shown: a monitor may have come or gone since
        sent = size_for(screen.size, sight) if sight else None
        return replace(decision, action=to_pixels(decision.action, self.brain.space, screen, sent))

    def _act(self, goal: str, action: Action) -> Done:
        """Use the tool, unless it would be the third time in vain, or the end before anything was done."""
        if self._repeats and (refusal := self._repeats.refusal(action)):
            return Done(refusal)
        done = self.toolbelt.call(action, self.control, self._ledger.seconds_left)
        told = premature(done.ending, self._known(goal)) if done.ending and not self._sent_back else None
        self._sent_back = self._sent_back or told is not None
        return Done(told) if told else done

    def _observe(self, done: Done, before: Frame | None) -> tuple[Observation, Frame | None, float]:
        """Wait until the screen is settled, look, and say what changed; also how long it took to settle."""
        if not self._eyes or before is None:
            return done.observation, None, 0.0
        eyes = self._eyes
        settled = eyes.settle(before, None if done.acted else 0.0, self._prepare)
        change = self.control.call(partial(eyes.change, before, settled, texts=not self.brain.sight))
        return replace(done.observation, screen=change), settled.frame, settled.ms

    def _prepare(self, screen: Frame) -> None:
        """What the journal and the next prompt need of a screen, while nobody waits for it."""
        if self.journal:
            _ = screen.digest
        if self.brain.sight and self.brain.space != "marks" and not self._vision:
            picture_of(screen, self.brain.sight)

    def _remember(self, step: Step) -> None:
        if self.journal:
            self.journal.add(step)
        self.world_model.remember(step)
        if self._repeats:
            self._repeats.note(step)

    def _known(self, goal: str, screen: Frame | None = None) -> Known:
        """What the end of the run is checked against; the texts on `screen` with it."""
        lines = self.control.call(partial(self._eyes.read, screen)) if self._eyes and screen else ()
        began = self.journal.started if self.journal else self._ledger.began
        return Known(goal, self.world_model, self.toolbelt, lines, began, self._folders)

    def _let_go(self) -> None:
        """Nothing stays held down; a display that is gone holds nothing."""
        if self.desktop:
            with contextlib.suppress(DesktopError):
                self.desktop.release()

    def _close_journal(self, outcome: Outcome | None) -> str | None:
        """What is wrong with it, if anything: a full disk does not hide how the run ended."""
        if not self.journal:
            return None
        try:
            self.journal.close(outcome.to_dict() if outcome else {"outcome": None})
        except JournalError as error:
            return str(error)
        return None

    def _about(self, goal: str) -> dict[str, Any]:
        return {
            "goal": goal,
            "brain": self.brain.name,
            "desktop": self.desktop.name if self.desktop else None,
            "max_steps": self._ledger.budget.steps,
            "style": self.style,
            "mode": LABELS[self.style],
            **self._run(),
        }

    def _totals(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "steps": len(self.world_model),
            "usage": self._ledger.usage.to_dict(),
            **self._run(),
            "exit_code": outcome.exit_code,
        }

    def _run(self) -> dict[str, str | None]:
        return {"run": self.journal.folder.name if self.journal else None}

    def _event(self, name: str, **data: Any) -> Event:  # noqa: ANN401 - JSON values have no narrower type
        return Event(name, self._ledger.seconds, data)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives, and how many milliseconds it took."""
    began = time.perf_counter()
    return work(), (time.perf_counter() - began) * 1000
