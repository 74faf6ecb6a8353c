"""The agent: look, think, act, settle, look, remember, until the goal is reached."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from mark_i.brain import Brain, Prompt, actions_ahead, begin, follows_orders, wants_texts
from mark_i.budget import Ledger, timed
from mark_i.events import LABELS, Event, Outcome, Style
from mark_i.guard.scene import Scene
from mark_i.guard.screen import Sight
from mark_i.human.words import Words
from mark_i.loop.foresight import await_expected
from mark_i.loop.loop_detection import RECENT, LoopDetector
from mark_i.loop.meanwhile import ASKED_AGAIN_MAX, Meanwhile
from mark_i.loop.model_calls import ModelCalls
from mark_i.loop.outcome import SAY_KIND, Finisher, concluded, plain_words
from mark_i.loop.parts import Limits, Models, Oversight, Turn, close_journal, hear, paused, release
from mark_i.loop.screen_view import ScreenView
from mark_i.loop.witness import Witness
from mark_i.prompts.builder import PromptBuilder
from mark_i.prompts.coordinates import spaces_of, to_pixels
from mark_i.prompts.screenshot import picture_of
from mark_i.replies import Decision, parse
from toolbelt.belt import CallResult, Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import Desktop
from toolbelt.perception import QUIET_S, Eyes
from toolbelt.result_schema import ResultSchema
from toolbelt.tool import Ending
from toolbelt.tools import finish, finish_with
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
    UsageError,
    WorldModel,
)

Workflow: TypeAlias = Callable[["AgentCore"], Generator[Event, None, Outcome]]


class AgentCore:
    """One agent, for one run. Everything it needs is passed in; what it does comes out as events.

    Args:
        brain: plans each step; `Models` if others write the final words or look at the screen.
        toolbelt: what it can do.
        desktop: where it works; None for a run without a screen.
        world_model: the steps so far of a run that is resumed.
        eyes: those that the tools use; by default new ones for the desktop.
        journal: keeps the run on disk.
        oversight: who decides what it may do, and who stops it.
        limits: what it may use.
        style: how the final answer is told.
        earlier: questions and answers of the same session.
        words: what the person says while it runs.
        folders: where relative paths in evidence start.
        attached: files that the person gave with the goal.
        refresh: brings the tools up to date before each thought, and returns what is wrong with any.
        workflow: takes the place of the loop, and calls the same functions.
        schema: what the result of the run must fit; None if it needs none but words.
    """

    def __init__(  # noqa: PLR0913 - the parts of an agent
        self,
        brain: Brain | Models,
        toolbelt: Toolbelt,
        desktop: Desktop | None = None,
        world_model: WorldModel | None = None,
        *,
        eyes: Eyes | None = None,
        journal: Journal | None = None,
        oversight: Oversight | None = None,
        limits: Limits | None = None,
        style: Style = "default",
        earlier: Sequence[tuple[str, str]] = (),
        words: Words | None = None,
        folders: Sequence[Path] = (Path(),),
        attached: Sequence[Path] = (),
        refresh: Callable[[], Sequence[str]] = tuple,
        workflow: Workflow | None = None,
        schema: ResultSchema | None = None,
    ) -> None:
        models = brain if isinstance(brain, Models) else Models(brain)
        oversight, limits = oversight or Oversight(), limits or Limits()
        self.goal = ""  # what the person wants, once the run has begun
        self.brain, self._vision = models.planner, models.vision
        self.toolbelt, self.desktop = toolbelt, desktop
        if schema:
            toolbelt.remove(finish)
            toolbelt.add(finish_with(schema))
        self.world_model = WorldModel() if world_model is None else world_model
        self.control = oversight.control or (eyes.control if eyes else Control())
        self.journal = journal
        self.style: Style = style
        self._secrets, self._guard, self._approve = oversight.secrets, oversight.guard, oversight.approve
        self._earlier, self._refresh, self._workflow = tuple(earlier), refresh, workflow
        self.words = words or Words()
        self._acting = False
        self.words.begin(
            journal, lambda: len(self.world_model) + 1 + self._acting, self._secrets.redacted, self.control
        )
        self._asked_kind = False  # the brain was asked what the goal asks for
        self._remarks: tuple[str, ...] = ()  # on the last reply, for the next prompt
        before = tuple(self.world_model)
        usage = limits.spent or sum((step.usage for step in before), Usage())
        self._ledger = Ledger(limits.budget, usage, sum(step.timing.seconds for step in before))
        eyes = eyes or (Eyes(desktop, self.control) if desktop else None)
        orders = follows_orders(self.brain)  # who only does what the goal says waits for nobody, and is not doubted
        quiet_s = QUIET_S if orders else None
        self._screen = ScreenView(eyes, self.control, toolbelt, self._secrets, before, quiet_s)
        self._witness = Witness(self._screen, self.control, toolbelt, self.world_model, tuple(folders), journal)
        self._calls = ModelCalls(self._ledger, self.control, journal, self._secrets)
        self._prompting = PromptBuilder(
            toolbelt,
            self.world_model,
            eyes,
            longest=limits.observation_chars,
            steps=limits.budget.steps,
            earlier=earlier,
            said=lambda: self.words.all,
            secrets=self._secrets.placeholders,
            folders=folders,
            attached=attached,
        )
        can_ask = not (self._vision or workflow)
        follows, last = self._prompt_after if can_ask else None, limits.budget.steps
        self._meanwhile = Meanwhile(
            self.brain, self._calls, self._screen, toolbelt, follows, self._read, last, self.words
        )
        self._overlap_ms = 0.0  # in which the brain thought about the next step already
        end = (self.brain, models.reply, style, self._calls, self._prompting)
        self._finisher = Finisher(*end, has_schema=schema is not None)
        detects = oversight.detect_loops and not orders
        self._repeats = LoopDetector(toolbelt, self.world_model.last(RECENT)) if detects else None

    def execute_command(self, goal: str) -> Outcome:
        """Run to the end, and return how it ended."""
        [last] = deque(self.run(goal), maxlen=1)
        assert last.outcome is not None  # noqa: S101 - the last event of a run is its end
        return last.outcome

    def run(self, goal: str) -> Iterator[Event]:
        """Run, event by event; the last one is `ended`.

        What MARK-I does not expect (a bug) does not become an outcome: everything is released, and it is raised.
        """
        self.goal = self._secrets.redacted(goal)
        self._witness.begin(self.goal)
        for event in self._events():
            yield replace(event, data=self._secrets.redacted(event.data))

    def loop(self, max_steps: int | None = None) -> Generator[Event, None, Outcome]:
        """Look, think, act, settle, look, remember, until the goal is reached; in at most so many steps."""
        if outcome := (yield from self.end_of_resumed()):
            return outcome
        steps = self._ledger.budget.steps
        while len(self.world_model) < (steps if max_steps is None else min(max_steps, steps)):
            turn = yield from self.think()
            step, done = yield from self.act(turn)
            if outcome := (yield from self.conclude(turn, step, done)):
                return outcome
        return (yield from self.end_at_limit())

    def think(self, notes: Sequence[str] = (), background: str = "") -> Generator[Event, None, Turn]:
        """Look, and let the brain decide; it reads the notes and the background too."""
        index = len(self.world_model) + 1
        yield from paused(self.control, self._ledger)
        before, look_ms = timed(self._look)
        self._meanwhile.looked(before)
        thinking = self.event("thinking", index=index, last=False, budget=self._ledger.to_dict(index - 1))
        yield replace(thinking, screen=self._screen.redacted(before))
        began = time.perf_counter()
        for again in range(ASKED_AGAIN_MAX, -1, -1):
            yield from hear(self.words, self._witness.say, self.event)
            with self._screen.idle(lambda: self._calls.thought_s):
                decision = yield from self._decide(index, before, notes, background)
            decided_s = self._ledger.elapsed
            why = self._meanwhile.outdated(decision.action, before, self.world_model.last(1)) if again else ""
            if not why:
                break
            yield self._calls.notice(f"{why} The next step is decided again.")
            before, notes = self._screen.look(), [*notes, f"Since you were asked: {why}"]
            yield replace(thinking, t=self._ledger.elapsed, screen=self._screen.redacted(before))
        if self.journal:
            self.journal.decided(index, decision.action)
        think_ms = (time.perf_counter() - began) * 1000 + self._overlap_ms
        planned = {"foreseen": True} if self._calls.foreseen else {}
        yield replace(self.event("thought", index=index, text=decision.thought.text, **planned), t=decided_s)
        return Turn(index, before, decision, look_ms, think_ms, self._calls.foreseen)

    def act(self, turn: Turn) -> Generator[Event, None, tuple[Step, CallResult]]:
        """Carry the decision out, wait until the screen is settled, look, and remember."""
        decision, before = turn.decision, turn.before
        self._acting = True  # what is said from here on is for the step after this one
        refusal = yield from self._judge(turn)
        yield self.event("action", index=turn.index, **decision.action.to_dict())
        self._witness.before(decision.action, before)
        done, act_ms = (CallResult(refusal), 0.0) if refusal else timed(partial(self._use_tool, turn))
        done = self._screen.named(done, before)
        yield from map(self._calls.notice, [*self._witness.notices(), *self._screen.notices()])
        early = self._meanwhile.early_call(turn, done)
        observe = partial(self._screen.observe, decision.action, done, before, self._prepare, early=early)
        (observation, after, settle_ms), observe_ms = timed(partial(observe, texts=wants_texts(self.brain)))
        self._overlap_ms = self._calls.early_ms  # of the next thought
        rest_ms = observe_ms - self._overlap_ms
        settle_ms = min(settle_ms, rest_ms)
        timing = Timing(turn.look_ms, turn.think_ms, act_ms, settle_ms, other_ms=rest_ms - settle_ms)
        usage = self._ledger.close_step()
        frames = self._screen.redacted(before), self._screen.redacted(after)
        step = Step(turn.index, decision.thought, decision.action, observation, *frames, usage, timing)
        step = replace(step, foreseen=turn.foreseen, note=decision.note)
        self._remember(step)
        if done.acted:
            self._witness.after(step.index)
        yield Event("step", self._ledger.elapsed, step.to_dict(), step)
        return step, done

    def conclude(self, turn: Turn, step: Step, done: CallResult) -> Generator[Event, None, Outcome | None]:
        """Return how the run ends with this step; None if it continues, as it does with a word not heard yet."""
        if done.ending and self.words.is_new:
            return None
        known = self._witness.facts(step.after if done.ending else None)
        return (yield from self._finisher.after(step, done.ending, turn.decision.style, known))

    def follow(self, action: Action) -> Generator[Event, None, Step | Outcome]:
        """Carry out an action whose steps the brain knows; return their last step, or how the run ended before it.

        Raises:
            UsageError: it knows no such action.
        """
        if not begin(self.brain, action):
            raise UsageError(f"There is no skill {action.tool} that is kept: mark-i skill list")
        while len(self.world_model) < self._ledger.budget.steps:
            turn = yield from self.think()
            step, done = yield from self.act(turn)
            if outcome := (yield from self.conclude(turn, step, done)):
                return outcome
            used = self.toolbelt.known(step.action.tool)
            if used and (used.ends_steps or (used.begins_steps and not step.observation.ok)):
                return step
        return (yield from self.end_at_limit())

    def judged(self, ending: Ending, goal: str) -> Outcome:
        """Return what an ending is worth now, for a goal that may be a part of the run's."""
        known = self._witness.facts(self._screen.redacted(self._screen.look()))
        known = replace(known, goal=goal, files=replace(known.files, goal=goal))
        return concluded(ending, known, self.style, computed=True)

    def reflect(self) -> Generator[Event, None, str]:
        """Return what the brain, asked apart from any action, sees wrong in what was done so far."""
        prompt = self._prompting.reflection(self.goal)
        return (yield from self._calls.ask(self.brain, prompt, len(self.world_model) + 1, plain_words))

    def read_screen(self) -> str:
        """Return the text on the screen, as it is now; nothing without one."""
        return "\n".join(line.text for line in self._screen.lines(self._screen.look()))

    def end_at_limit(self) -> Generator[Event, None, Outcome]:
        """Return how the run ends when no step is left: of the budget, or of its workflow."""
        if outcome := self._finisher.standing(len(self.world_model)):
            return outcome
        index = len(self.world_model) + 1
        yield self.event("thinking", index=index, last=True, budget=self._ledger.to_dict(index - 1))
        return (yield from self._finisher.at_the_limit(index, index - 1, self._witness.facts()))

    def end_of_resumed(self) -> Generator[Event, None, Outcome | None]:
        """Return how a run ends that was interrupted between its last step and its end; None if it continues."""
        newest = self.world_model.last(1)
        if not newest or not newest[0].observation.ok or not self._witness.facts().ends(newest[0]):
            return None
        done = self.toolbelt.call(newest[0].action, self.control)
        return (yield from self._finisher.after(newest[0], done.ending, None, self._witness.facts(self._screen.look())))

    def event(self, name: str, **data: Any) -> Event:  # noqa: ANN401 - JSON values have no narrower type
        """Make an event of this run, now."""
        return Event(name, self._ledger.elapsed, data)

    # Around the loop --------------------------------------------------------------------------------------------------

    def _events(self) -> Iterator[Event]:
        self._ledger.begin()
        outcome, complaint, lost, told = None, None, None, dict[str, Any]()
        try:
            yield self.event("run_started", **self._about())
            outcome = yield from (self._workflow(self) if self._workflow else self.loop())
            outcome = self._secrets.cleared(outcome)
        except Halt:
            outcome = self._witness.stopped(self.brain, self.goal, self.words)
        except LimitError as error:
            outcome = Outcome(error.limit, str(error))
        except ModelError as error:
            outcome = self._finisher.standing(len(self.world_model)) or Outcome(
                "model_error", str(error), cause=error.cause
            )
        except DesktopError as error:
            outcome = Outcome("desktop_error", str(error))
        except JournalError as error:
            outcome, lost = Outcome("failed", str(error)), error
        finally:
            release(self.desktop)
            self._calls.take_back()
            told = self._witness.told_at_end(outcome, self.brain, self.goal, self.words)
            complaint = close_journal(self.journal, None if lost else outcome, told)
        if complaint and not lost:
            yield self._calls.notice(complaint)
        told = {**outcome.to_dict(), **self._totals(outcome), **told}
        yield Event("ended", self._ledger.elapsed, told, outcome=outcome)
        if lost:
            raise lost  # the run can be resumed once it can be written again

    def _about(self) -> dict[str, Any]:
        return {
            "goal": self.goal,
            "brain": self.brain.name,
            "desktop": self.desktop.name if self.desktop else None,
            "max_steps": self._ledger.budget.steps,
            "style": self.style,
            "mode": LABELS[self.style],
            **self._run(),
        }

    def _totals(self, outcome: Outcome) -> dict[str, Any]:
        spent = self._ledger.usage.to_dict()
        return {"steps": len(self.world_model), "usage": spent, **self._run(), "exit_code": outcome.exit_code}

    def _run(self) -> dict[str, str | None]:
        return {"run": self.journal.folder.name if self.journal else None}

    # Within a step ----------------------------------------------------------------------------------------------------

    def _look(self) -> Frame | None:
        """Look, as soon as what was expected of the last action is there, or late."""
        await_expected(self.brain)
        return self._screen.look()

    def _decide(
        self, index: int, before: Frame | None, notes: Sequence[str], background: str
    ) -> Generator[Event, None, Decision]:
        """Ask the brain for the next action; the journal has it before it is carried out."""
        yield from map(self._calls.notice, self.control.call(self._refresh))
        notices = [*notes, *self._notices(index)]
        yield from map(self._calls.notice, notices)
        shown = self._screen.redacted(before)
        described = yield from self._describe(index, shown)
        told = (self.goal, shown, [*self._remarks, *notices], described, background)
        prompt = self.control.call(partial(self._prompting.next, self.brain, *told))
        read = partial(self._read, before)
        decision = yield from self._calls.ask(self.brain, prompt, index, read)
        facts = partial(self._witness.facts, before)
        if not self._asked_kind and self._finisher.needs_kind(decision, self.toolbelt, facts):
            self._asked_kind = True
            decision = yield from self._calls.again(self.brain, prompt, index, read, decision, SAY_KIND)
        if decision.goal and follows_orders(self.brain):
            self._witness.understand(decision.goal, decision.from_start)
        if not self._calls.foreseen:  # else the brain has yet to be told
            self._remarks = decision.remarks
            yield from map(self._calls.notice, self._remarks)
        return decision

    def _notices(self, index: int) -> Iterator[str]:
        """Yield what the brain must know before step `index`."""
        found = (self._repeats.notice() if self._repeats else None, self._ledger.notice(index - 1))
        return filter(None, found)

    def _prompt_after(self, turn: Turn, observation: Observation, after: Frame) -> Prompt:
        """Build the prompt that follows on a step, before it is remembered."""
        decision, shown = turn.decision, self._screen.redacted(after)
        step = Step(turn.index, decision.thought, decision.action, observation, note=decision.note)
        notices = [*self._remarks, *self._notices(turn.index + 1)]
        return self._prompting.after(step).next(self.brain, self.goal, shown, notices)

    def _describe(self, index: int, screen: Frame | None) -> Generator[Event, None, str]:
        """Return the screen in the words of the model that looks, if there is one."""
        if not self._vision or screen is None:
            return ""
        prompt = self._prompting.vision(self._vision, self.goal, screen)
        return (yield from self._calls.ask(self._vision, prompt, index, plain_words))

    def _read(self, before: Frame | None, text: str) -> Decision:
        decision = self._secrets.cleared(parse(text, actions_ahead(self.brain)))
        tool = self.toolbelt.known(decision.action.tool)
        if before is None or (tool and tool.ending):  # x and y in a result are no point
            return decision
        spaces = spaces_of(self.brain, before.region)  # as it was shown: a monitor may have come or gone since
        return replace(decision, action=to_pixels(decision.action, spaces))

    def _judge(self, turn: Turn) -> Generator[Event, None, Observation | None]:
        """Return why the action is refused: it was in vain twice, is not allowed, or a person said no."""
        action, consent = turn.decision.action, turn.decision.consent
        if self._repeats and not self._calls.ordered and (refusal := self._repeats.refusal(action)):
            return refusal
        eyes = self._screen.eyes
        said = (self.goal, *(question for question, _ in self._earlier), *(word.text for word in self.words.all))
        screen = Sight(eyes, turn.before) if eyes and turn.before else None
        scene = Scene(self.toolbelt, self.world_model, said, screen)
        judged = self._guard.judge(action, consent, scene, ordered=self._calls.literal)
        if judged.approval is None:
            return judged.refusal
        if self.journal:
            self.journal.asked(turn.index, judged.approval.to_dict())
        seen = eyes.shown if eyes else None  # the screen on which the place in the event was found
        yield replace(self.event("approval", index=turn.index, **judged.approval.to_dict()), screen=seen)
        self.control.check()
        began = time.monotonic()
        with self.control.asking():
            answer = self._approve(judged.approval)
        self._ledger.excuse(time.monotonic() - began)
        return self._guard.refusal_after(judged, answer, scene)

    def _use_tool(self, turn: Turn) -> CallResult:
        """Use the tool; one that ends the run waits for the programs, and may send the agent back."""
        decision, asked = turn.decision, self.control.asked
        fill = partial(self._secrets.filled, wait=self.control.wait)
        done = self.toolbelt.call(decision.action, self.control, self._ledger.seconds_left, fill)
        self._ledger.excuse(self.control.asked - asked)
        if not done.ending or not done.ending.done:
            return done
        self._witness.await_rest(done.ending, self._ledger.seconds_left)
        known = self._witness.facts(self._screen.redacted(self._screen.look()))
        orders = follows_orders(self.brain) or self._calls.literal
        how = {"ask": not orders, "foreseen": turn.foreseen}
        ending, refusal = self._finisher.reconsidered(done.ending, decision.style, known, **how)
        return CallResult(refusal) if refusal else replace(done, ending=ending)

    def _prepare(self, screen: Frame) -> None:
        """Make what the journal and the next prompt need of a screen while it settles."""
        if self.journal:
            _ = screen.digest
        if self.brain.sight and self.brain.space != "marks" and not self._vision:
            picture_of(screen, self.brain.sight)

    def _remember(self, step: Step) -> None:
        if self.journal:
            self.journal.add(step)
        self.world_model.remember(step)
        self._acting = False
        if self._repeats:
            self._repeats.note(step)
