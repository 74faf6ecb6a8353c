"""A goal that the agent carries out for an MCP client. Brain, loop, guard and journal are those of every other run."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any, Final, Literal, TypeAlias

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.events import Event, Outcome
from mark_i.guard.risk import Answer, Approval
from mark_i.guard.secrets import NO_SECRETS
from mark_i.human.person import awaited
from mark_i.human.takeover_watch import Watcher
from mark_i.human.words import Words
from mark_i.mcp.served import BUG
from toolbelt.control import Control
from world_model import Action, Halt, MarkIError, Usage, call

StateName = Literal["running", "paused", "waiting", "ended"]
ACTION_MAX_CHARS: Final = 200  # of an action that a client is told
STOPPED: Final = Outcome("stopped", "The run was stopped.")  # before it had begun


@dataclass(frozen=True, slots=True)
class Question:
    """What the agent asks; the first answer counts."""

    text: str
    answers: SimpleQueue[str] = field(default_factory=SimpleQueue)


@dataclass(frozen=True, slots=True)
class Permission:
    """An action that needs approval; the first decision counts."""

    action: str
    why: str
    answers: SimpleQueue[Answer | None] = field(default_factory=SimpleQueue)


Asked: TypeAlias = Question | Permission


@dataclass(frozen=True, slots=True)
class GoalState:
    """How far a run is.

    Attributes:
        run: its name, once it has begun.
        brain: what plans it.
        step: the number of the step that it is at.
        thought: the last one.
        action: the last one, as a line.
        asked: what it waits for.
        paused: whether a person uses the mouse or the keyboard.
        steps: how many are done.
        usage: what it has cost so far.
        notices: what the person should know from the start.
        outcome: how it ended.
        refused: why it did not begin.
        ended: whether it has released everything.
    """

    goal: str
    run: str | None = None
    brain: str | None = None
    step: int = 0
    thought: str = ""
    action: str = ""
    asked: Asked | None = None
    paused: bool = False
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()
    outcome: Outcome | None = None
    refused: str = ""
    ended: bool = False

    @property
    def name(self) -> StateName:
        """The state in one word."""
        if self.ended:
            return "ended"
        if self.asked:
            return "waiting"
        return "paused" if self.paused else "running"


class GoalRun:
    """A run for one goal, on a thread of its own. It is also the person at that run, for whom the client speaks.

    Args:
        goal: what is to be done.
        config: makes what the run is made of, or raises a `MarkIError`.
        say: receives what happens besides the run.
        before: waits until whoever used the desktop before has let go of it.
    """

    def __init__(
        self, goal: str, config: Callable[[], RunConfig], say: Callable[[str], None], before: Callable[[], None]
    ) -> None:
        self.is_cancelled = False  # by the client; otherwise a stop came from the person
        self._say = say
        self._control, self._words, self._secrets = Control(), Words(), NO_SECRETS
        self._changed = threading.Condition()
        self._state = GoalState(goal)
        self._told: list[str] = []  # what is being done, in lines
        self._thread = threading.Thread(target=self._run, args=(config, before), name="goal", daemon=True)
        self._thread.start()

    @property
    def state(self) -> GoalState:
        """How far it is."""
        return self._state

    @property
    def told(self) -> int:
        """How many lines tell so far what was done."""
        return len(self._told)

    def await_begin(self) -> None:
        """Wait until it has a name, or has ended without one."""
        with self._changed:
            self._changed.wait_for(lambda: self._state.run or self._state.ended)

    def await_settled(self, asked: Asked) -> None:
        """Wait until it no longer waits for that."""
        with self._changed:
            self._changed.wait_for(lambda: self._state.asked is not asked)

    def news(self, told: int, seconds: float) -> tuple[list[str], GoalState]:
        """Return the lines after the first `told`; wait that long for one, for a question and for the end."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._told) > told or self._state.asked or self._state.ended, seconds)
            return self._told[told:], self._state

    def say(self, text: str) -> bool:
        """Tell the run something; whether it can hear it.

        Raises:
            JournalError: it cannot be written.
        """
        return self._words.say(text)

    def answer(self, asked: Question, text: str) -> bool:
        """Answer a question; whether it was still open."""
        if is_open := self._settled(asked):
            asked.answers.put(text)
        return is_open

    def decide(self, asked: Permission, answer: Answer | None) -> bool:
        """Decide about an action; whether it still waited for that."""
        if is_open := self._settled(asked):
            asked.answers.put(answer)
        return is_open

    def cancel(self) -> None:
        """Stop the run for the client, unless the person has stopped it."""
        self.is_cancelled = self.is_cancelled or not self._control.stopped
        self._control.stop()

    def join(self) -> None:
        """Wait until it has released everything."""
        self._thread.join()

    def ask(self, question: str) -> str:
        """Let the client answer."""
        asked = Question(question)
        self._change(asked=asked)
        return awaited(asked.answers, self._control)

    def approve(self, approval: Approval) -> Answer | None:
        """Let the client's user decide."""
        asked = Permission(call(approval.action), self._secrets.redacted(approval.why))  # it may quote the screen
        self._change(asked=asked)
        return awaited(asked.answers, self._control)

    def _settled(self, asked: Asked) -> bool:
        """Take a question back, so that nobody else answers it; whether it was open."""
        with self._changed:
            is_open = self._state.asked is asked
            if is_open:
                self._change(asked=None)
            return is_open

    def _change(self, told: str = "", **changes: Any) -> None:  # noqa: ANN401 - each attribute has its type
        with self._changed:
            self._state = replace(self._state, **changes)
            if told:
                self._told.append(told)
            self._changed.notify_all()

    def _run(self, config: Callable[[], RunConfig], before: Callable[[], None]) -> None:
        ended: dict[str, Any] = {"refused": BUG}
        try:
            before()
            self._carry_out(config())
            ended = {}
        except Halt:
            ended = {"outcome": STOPPED}
        except MarkIError as error:
            ended = {"refused": str(error)}
        finally:
            self._change(asked=None, ended=True, **ended)

    def _carry_out(self, config: RunConfig) -> None:
        goal, self._secrets = self._state.goal, config.secrets
        self._change(goal=config.secrets.redacted(goal), brain=config.brain.name, notices=config.notices)
        with agent_for(goal, config, self._control, self, Watcher(self._hear), self._words) as (agent, _):
            for event in agent.run(goal):
                self._note(event)

    def _hear(self, text: str) -> None:
        self._say(text)
        self._change(text)

    def _note(self, event: Event) -> None:
        data = event.data
        match event.event:
            case "run_started":
                self._change(run=data["run"])
            case "thought":
                self._change(step=data["index"], thought=data["text"])
            case "action":
                action = call(Action(data["tool"], data["args"]), ACTION_MAX_CHARS)
                self._change(f"Step {data['index']}: {action}. {self._state.thought}".rstrip(), action=action)
            case "step" if event.step:
                self._change(steps=event.step.index, usage=self._state.usage + event.step.usage)
            case "notice":
                self._change(data["text"])
            case "paused" | "resumed":
                self._change(f"The run is {event.event}.", paused=event.event == "paused")
            case "ended":
                self._change(outcome=event.outcome, steps=data["steps"], usage=Usage(**data["usage"]), paused=False)
