"""The agent: look, think, act, settle, look, remember, until the goal is reached."""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, Final, TypeVar

from mark_i.brain import Brain, Prompt
from mark_i.events import Event, Outcome
from mark_i.evidence import checked
from mark_i.images import picture_of
from mark_i.points import to_pixels
from mark_i.prompting import system_text
from mark_i.replies import Decision, parse
from toolbelt.belt import Done, Toolbelt
from toolbelt.control import Control
from toolbelt.desktop import Desktop
from toolbelt.eyes import REACTION, Eyes
from toolbelt.tool import Ending
from world_model import (
    DesktopError,
    Frame,
    Halt,
    Journal,
    ModelError,
    Observation,
    ReplyError,
    Step,
    Timing,
    Usage,
    WorldModel,
)

T = TypeVar("T")
MAX_STEPS: Final = 30
READINGS: Final = 2  # how often a reply may be asked for before the run ends as model_error


class AgentCore:
    """One agent, for one run. Everything that it needs is passed in; what it does comes out as events."""

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
        max_steps: int = MAX_STEPS,
    ) -> None:
        self.brain = brain
        self.toolbelt = toolbelt
        self.desktop = desktop
        self.world_model = WorldModel() if world_model is None else world_model
        self.control = control or (eyes.control if eyes else Control())
        self.journal = journal
        self.max_steps = max_steps
        self._eyes = eyes or (Eyes(desktop, self.control) if desktop else None)
        self._system = system_text(toolbelt, brain.space, desktop.region if desktop else None)
        self._started = time.monotonic()

    def execute_command(self, goal: str) -> Outcome:
        """Run to the end, and say how it ended."""
        [last] = deque(self.run(goal), maxlen=1)
        return Outcome(last.data["outcome"], last.data["summary"], tuple(last.data["evidence"]))

    def run(self, goal: str) -> Iterator[Event]:
        """Run, event by event; the last one is `ended`.

        What MARK-I does not expect (a bug) is not turned into an outcome: everything is let go, and it is raised.
        """
        self._started = time.monotonic()
        outcome = None
        try:
            yield self._event("run_started", **self._about(goal))
            outcome = yield from self._loop(goal)
        except Halt:
            outcome = Outcome("stopped", "The run was stopped.")
        except ModelError as error:
            outcome = Outcome("model_error", str(error))
        except DesktopError as error:
            outcome = Outcome("desktop_error", str(error))
        finally:
            self._let_go()
            if self.journal:
                self.journal.close(outcome.to_dict() if outcome else {"outcome": None})
        yield self._event("ended", **outcome.to_dict(), **self._totals(outcome))

    def _loop(self, goal: str) -> Generator[Event, None, Outcome]:
        for index in range(len(self.world_model) + 1, self.max_steps + 1):
            yield from self._pause()
            before, look_ms = _timed(self._look)
            yield self._event("thinking", index=index)
            (decision, usage), think_ms = _timed(partial(self._think, goal, index, before))
            yield self._event("thought", index=index, text=decision.thought.text)
            yield self._event("action", index=index, **decision.action.to_dict())
            done, act_ms = _timed(partial(self.toolbelt.call, decision.action, self.control))
            (observation, after, settle_ms), rest_ms = _timed(partial(self._observe, done, before))
            timing = Timing(look_ms, think_ms, act_ms, settle_ms, rest_ms - settle_ms)
            step = Step(index, decision.thought, decision.action, observation, before, after, usage, timing)
            self._remember(step)
            yield Event("step", self._now(), step.to_dict(), step)
            if done.ending:
                return self._conclude(done.ending, after)
        return Outcome("limit_steps", f"The limit of {self.max_steps} steps was reached before the goal.")

    def _pause(self) -> Iterator[Event]:
        held = self.control.holding
        if held:
            yield self._event("paused")
        self.control.gate()
        if held:
            yield self._event("resumed")

    def _look(self) -> Frame | None:
        return self._eyes.look() if self._eyes else None

    def _think(self, goal: str, index: int, before: Frame | None) -> tuple[Decision, Usage]:
        """Ask the brain; a reply that cannot be read is asked for again, with the reason."""
        prompt, usage, reason = self._prompt(goal, before), Usage(), ""
        for _ in range(READINGS):
            if self.journal:
                self.journal.prompt(index, prompt.to_dict(), prompt.picture.content if prompt.picture else None)
            reply = self.control.call(partial(self.brain.think, prompt))
            usage += reply.usage
            if self.journal:
                self.journal.reply(index, {"text": reply.text, "usage": reply.usage.to_dict()})
            try:
                decision = self._in_pixels(parse(reply.text))
            except ReplyError as error:
                reason = str(error)
                prompt = prompt.noticing(f"Your last reply could not be used. {reason}")
            else:
                if self.journal:
                    self.journal.decided(index, decision.action)
                return decision, usage
        raise ModelError(f"The model gave no reply that can be read, {READINGS} times in a row. {reason}")

    def _observe(self, done: Done, before: Frame | None) -> tuple[Observation, Frame | None, float]:
        """Wait until the screen is settled, look, and say what changed; also how long it took to settle."""
        if not self._eyes or before is None:
            return done.observation, None, 0.0
        eyes = self._eyes
        settled = eyes.settle(before, REACTION if done.acted else 0.0)
        change = self.control.call(partial(eyes.change, before, settled))
        told = done.observation
        return Observation(told.ok, told.text, told.data, told.error, change), settled.frame, settled.ms

    def _remember(self, step: Step) -> None:
        if self.journal:
            self.journal.add(step)
        self.world_model.remember(step)

    def _conclude(self, ending: Ending, after: Frame | None) -> Outcome:
        """Only evidence that was seen to be true makes it `done`."""
        if not ending.done:
            return Outcome("failed", ending.summary)
        lines = self.control.call(partial(self._eyes.read, after)) if self._eyes and after else ()
        evidence = checked(ending.evidence, lines, self.world_model)
        confirmed = bool(evidence) and all(piece["confirmed"] for piece in evidence)
        return Outcome("done" if confirmed else "done_unverified", ending.summary, tuple(evidence))

    def _prompt(self, goal: str, before: Frame | None) -> Prompt:
        prompt = Prompt(self._system, goal, self.world_model.format("text"), tuple(self.world_model))
        if not self._eyes or before is None:
            return prompt
        picture = picture_of(before, self.brain.sight) if self.brain.sight else None
        return prompt.showing(picture, partial(self._eyes.read, before))

    def _in_pixels(self, decision: Decision) -> Decision:
        if not self.desktop:
            return decision
        return Decision(decision.thought, to_pixels(decision.action, self.brain.space, self.desktop.region))

    def _let_go(self) -> None:
        """Nothing stays held down; a display that is gone holds nothing."""
        if self.desktop:
            with contextlib.suppress(DesktopError):
                self.desktop.release()

    def _about(self, goal: str) -> dict[str, Any]:
        desktop = self.desktop.name if self.desktop else None
        return {"goal": goal, "brain": self.brain.name, "desktop": desktop, "max_steps": self.max_steps, **self._run()}

    def _totals(self, outcome: Outcome) -> dict[str, Any]:
        return {"steps": len(self.world_model), **self._run(), "exit_code": outcome.exit_code}

    def _run(self) -> dict[str, str | None]:
        return {"run": self.journal.folder.name if self.journal else None}

    def _now(self) -> float:
        return time.monotonic() - self._started

    def _event(self, name: str, **data: Any) -> Event:  # noqa: ANN401 - JSON values have no narrower type
        return Event(name, self._now(), data)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives, and how many milliseconds it took."""
    began = time.perf_counter()
    return work(), (time.perf_counter() - began) * 1000
