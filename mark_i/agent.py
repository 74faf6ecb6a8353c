"""The agent: look, think, act, settle, look, remember, until the goal is reached."""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mark_i.brain import Brain
from mark_i.budget import Budget, Ledger
from mark_i.events import LABELS, Event, Outcome, Style
from mark_i.guard.guard import Answer, Approval, Guard, Scene
from mark_i.guard.policy import OPEN
from mark_i.guard.secrets import NO_SECRETS, Secrets
from mark_i.loop.evidence import Known
from mark_i.loop.loop_detection import RECENT, Repeats
from mark_i.loop.model_calls import Asking
from mark_i.loop.outcome import SAY_KIND, Finisher, plain_words, premature
from mark_i.prompts.builder import LONGEST, Prompting
from mark_i.prompts.coordinates import spaces_of, to_pixels
from mark_i.prompts.screenshot import picture_of
from mark_i.replies import Decision, parse
from toolbelt.belt import Done, Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import Desktop
from toolbelt.perception import Concealing, Eyes
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


@dataclass(frozen=True, slots=True)
class Turn:
    """What was decided for one step, and what was seen before it; times in milliseconds."""

    index: int
    before: Frame | None
    decision: Decision
    look_ms: float
    think_ms: float


def _nobody_there(_asked: Approval) -> Answer | None:
    return None


Course = Callable[["AgentCore", str], Generator[Event, None, Outcome]]


class AgentCore:
    """One agent, for one run. Everything that it needs is passed in; what it does comes out as events.

    Args:
        brain: plans each step. `reply` writes the final words and `vision` describes the screen, where they are given.
        spent: what a run that is gone on with has cost so far, where that is more than its steps say.
        style: how the final answer is told.
        earlier: questions and answers of the same session.
        longest: characters of one observation in a prompt.
        watched: whether repeats are told and stopped; for a brain that only follows orders they are what was ordered.
        folders: where relative paths in evidence start.
        refresh: brings the tools up to date before each thought, and gives back what is wrong with any.
        course: a workflow that takes the place of the loop, and calls the same functions.
        secrets: what it may type by its name and must not tell.
        guard: decides each action before it is done; without one, a person is asked only where the brain wants it.
        approve: puts such a question to the person, and waits; None where nobody is there.
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
        spent: Usage | None = None,
        reply: Brain | None = None,
        vision: Brain | None = None,
        style: Style = "default",
        earlier: Sequence[tuple[str, str]] = (),
        longest: int = LONGEST,
        watched: bool = True,
        folders: Sequence[Path] = (Path(),),
        refresh: Callable[[], Sequence[str]] = tuple,
        secrets: Secrets = NO_SECRETS,
        guard: Guard | None = None,
        approve: Callable[[Approval], Answer | None] = _nobody_there,
        course: Course | None = None,
    ) -> None:
        self.brain = brain
        self.toolbelt = toolbelt
        self.desktop = desktop
        self.world_model = WorldModel() if world_model is None else world_model
        self.control = control or (eyes.control if eyes else Control())
        self.journal = journal
        self.style: Style = style
        self._vision, self._course = vision, course
        self._eyes = eyes or (Eyes(desktop, self.control) if desktop else None)
        before = list(self.world_model)
        usage = sum((step.usage for step in before), Usage())
        self._ledger = Ledger(budget or Budget(), spent or usage, sum(step.timing.seconds for step in before))
        self._asking = Asking(self._ledger, self.control, journal, secrets)
        self._prompting = Prompting(
            toolbelt, self.world_model, self._eyes, longest=longest, earlier=earlier, secrets=tuple(secrets.named)
        )
        self._secrets = secrets
        typed = [value for step in before for value in secrets.used(step.action, toolbelt.known(step.action.tool))]
        self._concealing = Concealing(self._eyes, typed) if self._eyes else None
        self._finisher = Finisher(brain, reply, style, self._asking, self._prompting)
        self._repeats = Repeats(toolbelt, self.world_model.last(RECENT)) if watched else None
        self._folders, self._refresh = tuple(folders), refresh
        self._guard, self._approve = guard or Guard(OPEN, literal=True), approve
        self._said = [question for question, _ in earlier]
        self._sent_back = False  # the agent was told that nothing was done yet
        self._asked_kind = False  # the brain was asked what the goal asks for

    def execute_command(self, goal: str) -> Outcome:
        """Run to the end, and say how it ended."""
        [last] = deque(self.run(goal), maxlen=1)
        assert last.outcome is not None  # noqa: S101 - the last event of a run is its end
        return last.outcome

    def run(self, goal: str) -> Iterator[Event]:
        """Run, event by event; the last one is `ended`.

        What MARK-I does not expect (a bug) is not turned into an outcome: everything is let go, and it is raised.
        """
        for event in self._happening(self._secrets.redacted(goal)):
            yield replace(event, data=self._secrets.redacted(event.data))

    def _happening(self, goal: str) -> Iterator[Event]:
        self._ledger.begin()
        outcome, complaint = None, None
        try:
            yield self.event("run_started", **self._about(goal))
            outcome = yield from (self._course(self, goal) if self._course else self.loop(goal))
            outcome = self._secrets.cleared(outcome)
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
        yield Event("ended", self._ledger.elapsed, {**outcome.to_dict(), **self._totals(outcome)}, outcome=outcome)

    def loop(self, goal: str, most: int | None = None) -> Generator[Event, None, Outcome]:
        """Look, think, act, settle, look, remember, until the goal is reached; in at most so many steps."""
        if outcome := (yield from self.ended_before(goal)):
            return outcome
        steps = self._ledger.budget.steps
        while len(self.world_model) < (steps if most is None else min(most, steps)):
            turn = yield from self.think(goal)
            step, done = yield from self.act(goal, turn)
            if outcome := (yield from self.conclude(goal, turn, step, done)):
                return outcome
        return (yield from self.at_the_limit(goal))

    def think(self, goal: str, notes: Sequence[str] = (), background: str = "") -> Generator[Event, None, Turn]:
        """Look, and let the brain decide; it is told the notes and the background too."""
        index = len(self.world_model) + 1
        yield from self._pause()
        before, look_ms = _timed(self._show)
        thinking = self.event("thinking", index=index, last=False, budget=self._ledger.to_dict(index - 1))
        yield replace(thinking, screen=self._shown(before))
        began = time.perf_counter()
        with self._eyes.idle() if self._eyes else contextlib.nullcontext():
            decision = yield from self._think(goal, index, before, notes, background)
        think_ms = (time.perf_counter() - began) * 1000
        yield self.event("thought", index=index, text=decision.thought.text)
        return Turn(index, before, decision, look_ms, think_ms)

    def act(self, goal: str, turn: Turn) -> Generator[Event, None, tuple[Step, Done]]:
        """Carry the decision out, wait until the screen is settled, look, and remember."""
        decision, before = turn.decision, turn.before
        refusal = yield from self._judged(goal, turn)
        yield self.event("action", index=turn.index, **decision.action.to_dict())
        done, act_ms = (Done(refusal), 0.0) if refusal else _timed(partial(self._act, goal, decision))
        (observation, after, settle_ms), seeing_ms = _timed(partial(self._observe, decision.action, done, before))
        timing = Timing(turn.look_ms, turn.think_ms, act_ms, settle_ms, other_ms=seeing_ms - settle_ms)
        usage = self._ledger.close_step()
        seen = self._shown(before), self._shown(after)
        step = Step(turn.index, decision.thought, decision.action, observation, *seen, usage, timing)
        self._remember(step)
        yield Event("step", self._ledger.elapsed, step.to_dict(), step)
        return step, done

    def conclude(self, goal: str, turn: Turn, step: Step, done: Done) -> Generator[Event, None, Outcome | None]:
        """How the run ends with this step; None where it goes on."""
        known = self._known(goal, step.after if done.ending else None)
        return (yield from self._finisher.after(step, done.ending, turn.decision.style, known))

    def reflect(self, goal: str) -> Generator[Event, None, str]:
        """What the brain, asked apart from any action, sees wrong in what was done so far."""
        prompt = self._prompting.reflection(goal)
        return (yield from self._asking.ask(self.brain, prompt, len(self.world_model) + 1, plain_words))

    def read_screen(self) -> str:
        """The text on the screen, as it is now; nothing without one."""
        screen = self._show()
        lines = self.control.call(partial(self._eyes.read, screen)) if self._eyes and screen else ()
        return "\n".join(line.text for line in lines)

    def at_the_limit(self, goal: str) -> Generator[Event, None, Outcome]:
        """How the run ends when no step is left: of the budget, or of its workflow."""
        index = len(self.world_model) + 1
        yield self.event("thinking", index=index, last=True, budget=self._ledger.to_dict(index - 1))
        return (yield from self._finisher.at_the_limit(index, index - 1, self._known(goal)))

    def ended_before(self, goal: str) -> Generator[Event, None, Outcome | None]:
        """How a run ends that was interrupted after its last step and before it could say so."""
        newest = self.world_model.last(1)
        if not newest or not newest[0].observation.ok or not self._known(goal).ends(newest[0]):
            return None
        done = self.toolbelt.call(newest[0].action, self.control)
        return (yield from self._finisher.after(newest[0], done.ending, None, self._known(goal, self._show())))

    def _pause(self) -> Iterator[Event]:
        """Wait where a person holds the run; before it looks, so that it acts on what is there when they let it go."""
        if self.control.gate(0):
            return
        began = time.monotonic()
        yield self.event("paused", reason="takeover" if self.control.taken else "asked")
        try:
            self.control.gate()
        finally:
            self._ledger.excuse(time.monotonic() - began)
        yield self.event("resumed")

    def _show(self) -> Frame | None:
        return self._eyes.show() if self._eyes else None

    def _shown(self, screen: Frame | None) -> Frame | None:
        """The screen as anybody may see it: without what was typed as a secret."""
        return self.control.call(partial(self._concealing, screen)) if self._concealing and screen else screen

    def _think(
        self, goal: str, index: int, before: Frame | None, notes: Sequence[str], background: str
    ) -> Generator[Event, None, Decision]:
        """Ask the brain for the next action; it is in the journal before it is carried out."""
        yield from map(self._asking.notice, self.control.call(self._refresh))
        found = (self._repeats.notice() if self._repeats else None, self._ledger.notice(index - 1))
        notices = [*notes, *filter(None, found)]
        yield from map(self._asking.notice, notices)
        seen = ""
        shown = self._shown(before)
        if self._vision and shown is not None:
            prompt = self._prompting.vision(self._vision, goal, shown)
            seen = yield from self._asking.ask(self._vision, prompt, index, plain_words)
        prompt = self.control.call(partial(self._prompting.next, self.brain, goal, shown, notices, seen, background))
        read = partial(self._read, before)
        decision = yield from self._asking.ask(self.brain, prompt, index, read)
        if not self._asked_kind and self._needs_kind(goal, decision, before):
            self._asked_kind = True
            decision = yield from self._asking.again(self.brain, prompt, index, read, decision, SAY_KIND)
        if self.journal:
            self.journal.decided(index, decision.action)
        return decision

    def _needs_kind(self, goal: str, decision: Decision, before: Frame | None) -> bool:
        """Whether the brain ends the run and leaves open what the end depends on: a deed, or an answer."""
        tool = decision.action.tool
        if tool not in self.toolbelt or not self.toolbelt[tool].ending or "kind" not in self.toolbelt[tool].kinds:
            return False
        ending = self.toolbelt.call(decision.action, self.control).ending
        return ending is not None and self._finisher.needs_kind(ending, decision.style, self._known(goal, before))

    def _read(self, before: Frame | None, text: str) -> Decision:
        decision = self._secrets.cleared(parse(text))
        if before is None:
            return decision
        spaces = spaces_of(self.brain, before.region)  # as it was shown: a monitor may have come or gone since
        return replace(decision, action=to_pixels(decision.action, spaces))

    def _judged(self, goal: str, turn: Turn) -> Generator[Event, None, Observation | None]:
        """Why the action is not done: it was in vain twice, or it is not allowed, or a person does not agree to it."""
        action, consent = turn.decision.action, turn.decision.consent
        if self._repeats and (refusal := self._repeats.refusal(action)):
            return refusal
        scene = Scene(self.toolbelt, self.world_model, (goal, *self._said), self._eyes, turn.before)
        judged = self._guard.judge(action, consent, scene)
        if judged.approval is None:
            return judged.refusal
        if self.journal:
            self.journal.asked(turn.index, judged.approval.to_dict())
        seen = self._eyes.shown if self._eyes else None  # the place in the event is where it was found on that
        yield replace(self.event("approval", index=turn.index, **judged.approval.to_dict()), screen=seen)
        self.control.check()
        began = time.monotonic()
        with self.control.asking():
            answer = self._approve(judged.approval)
        self._ledger.excuse(time.monotonic() - began)
        return self._guard.answered(judged, answer, scene)

    def _act(self, goal: str, decision: Decision) -> Done:
        """Use the tool; where that would end the run and nothing was done yet, the agent is sent back once."""
        asked = self.control.asked
        done = self.toolbelt.call(decision.action, self.control, self._ledger.seconds_left, self._secrets.filled)
        self._ledger.excuse(self.control.asked - asked)
        told = premature(done.ending, self._known(goal)) if done.ending and not self._sent_back else None
        self._sent_back = self._sent_back or told is not None
        return Done(told) if told else done

    def _observe(self, action: Action, done: Done, before: Frame | None) -> tuple[Observation, Frame | None, float]:
        """Wait until the screen is settled, look, and say what changed; also how long it took to settle."""
        if not self._eyes or before is None:
            return self._secrets.cleared(done.observation), None, 0.0
        eyes = self._eyes
        settled = eyes.settle(before, None if done.acted else 0.0, self._prepare)
        change = self.control.call(partial(eyes.change, before, settled, texts=not self.brain.sight))
        if self._concealing and (typed := self._secrets.used(action, self.toolbelt.known(action.tool))):
            self._concealing.typed(typed, change.regions, settled.frame)
        observation = replace(done.observation, screen=change)
        return self._secrets.cleared(observation), settled.frame, settled.ms

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

    def event(self, name: str, **data: Any) -> Event:  # noqa: ANN401 - JSON values have no narrower type
        """An event of this run, now."""
        return Event(name, self._ledger.elapsed, data)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives, and how many milliseconds it took."""
    began = time.perf_counter()
    return work(), (time.perf_counter() - began) * 1000
