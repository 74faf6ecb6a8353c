"""A run whose actions are the calls of an MCP client. Loop, guard, journal and stop are those of every other run."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Final

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.brain import Picture, Prompt, Reply, Space
from mark_i.budget import Budget
from mark_i.events import Outcome
from mark_i.guard.risk import Answer, Approval
from mark_i.human.person import Nobody, awaited
from mark_i.human.takeover_watch import Watcher
from mark_i.prompts.coordinates import in_coordinates_of, spaces_of
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from world_model import Action, MarkIError, Observation, Problem, Step

GOAL: Final = "Carry out the calls of an MCP client."
THOUGHT: Final = "The client called it."
BUG: Final = "MARK-I itself failed; see its standard error."
SIGHT_PX: Final = 1568  # the longest side that widely used models take without scaling
UNLIMITED_STEPS: Final = 10**9  # the client decides how much it does


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """The result of a call, with the pictures that the client has not seen yet, and what the person said meanwhile."""

    observation: Observation
    pictures: tuple[Picture, ...] = ()
    said: tuple[str, ...] = ()


Message = ToolResponse | Approval | Outcome


class Call:
    """One call of a client, waited for on a thread of its own."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.is_cancelled = False
        self.messages: SimpleQueue[Message] = SimpleQueue()
        self.decisions: SimpleQueue[Answer | None] = SimpleQueue()

    def next(self) -> Message:
        """Wait for the result, for an approval to ask for, or for the end of the run."""
        return self.messages.get()

    def decide(self, answer: Answer | None) -> None:
        """Pass the person's decision on; None if nobody could be asked."""
        self.decisions.put(answer)


class McpRun(Nobody):
    """A run for the calls of one client, started by the first. It is the brain of that run, and its person.

    Args:
        config: what the run is made of; the client takes the place of the brain.
        control: stops the run.
        say: receives what happens besides the calls.
        before: waits until whoever used the desktop before has let go of it.
    """

    name = "mcp"
    sight = SIGHT_PX
    space: Space = "image"
    wants_texts = True

    def __init__(
        self,
        config: RunConfig,
        control: Control,
        say: Callable[[str], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        ours = replace(config, servers=False)  # the tools of other servers are not offered
        self._config = replace(ours, brain=self, ahead=1, budget=Budget(UNLIMITED_STEPS), watched=False, workflow=None)
        self._control, self._watcher, self._before = control, Watcher(say), before
        self._calls: SimpleQueue[Call] = SimpleQueue()
        self._now: Call | None = None
        self._step: Step | None = None
        self._shown: Picture | None = None
        self._heard = 0  # words of the person
        self._untold: list[str] = []  # of them, to the client
        self._over: Outcome | None = None
        self._toolbelt = Toolbelt()  # the run's, once it has started
        self._ending = threading.Lock()
        self._taking = threading.Lock()  # for the next call to become the present one
        self._thread: threading.Thread | None = None

    @property
    def over(self) -> Outcome | None:
        """How the run ended."""
        return self._over

    def begin(self, action: Action) -> Call:
        """Queue an action after those that were called before."""
        call = Call(action)
        with self._ending:
            if self._over:
                call.messages.put(self._over)
            else:
                self._calls.put(call)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mcp-run", daemon=True)
                self._thread.start()
        return call

    def cancel(self, call: Call) -> None:
        """Interrupt a call, or drop it if it is still waiting."""
        call.decide(Answer("no"))
        with self._taking:
            call.is_cancelled = True
            if call is self._now:
                self._control.cancel()

    def close(self) -> None:
        """End the run and wait until it has released everything."""
        self._control.stop()
        if self._thread:
            self._thread.join()

    def think(self, prompt: Prompt) -> Reply:
        """Report the result of the last call and wait for the next one; a call that a word came between is repeated."""
        new, self._heard = prompt.said[self._heard :], len(prompt.said)
        self._untold += [word.text for word in new]
        if new and self._now and not self._step:
            call = self._now
        else:
            self._tell(prompt)
            call = self._next()
        return Reply(json.dumps({"thought": THOUGHT, "action": call.action.to_dict()}))

    def approve(self, asked: Approval) -> Answer | None:
        """Let the client ask its user."""
        assert self._now is not None  # noqa: S101 - an action was called for
        self._now.messages.put(asked)
        return awaited(self._now.decisions, self._control)

    def _next(self) -> Call:
        while True:
            call = awaited(self._calls, self._control)
            with self._taking:
                self._control.allow()
                if not call.is_cancelled:
                    self._now = call
                    return call

    def _tell(self, prompt: Prompt) -> None:
        call, step, self._now, self._step = self._now, self._step, None, None
        if call is None:
            return
        if step is None:  # the call was not a valid action
            problem = Problem("INVALID_ARGS", prompt.notices[-1])
            call.messages.put(ToolResponse(Observation(ok=False, text="", error=problem)))
            return
        if step.before:
            step = in_coordinates_of(step, spaces_of(self, step.before.region))
        used = self._toolbelt.known(call.action.tool)
        wanted = used is not None and used.shows_screen  # even if the client already has the picture
        new = prompt.picture if wanted or prompt.picture != self._shown else None
        self._shown = prompt.picture
        said, self._untold = tuple(self._untold), []
        call.messages.put(ToolResponse(step.observation, tuple(filter(None, (new, prompt.closeup))), said))

    def _run(self) -> None:
        outcome = Outcome("failed", BUG)
        try:
            self._before()
            with agent_for(GOAL, self._config, self._control, self, self._watcher) as (agent, _):
                self._toolbelt = agent.toolbelt
                for event in agent.run(GOAL):
                    self._step = event.step or self._step
                    outcome = event.outcome or outcome
        except MarkIError as error:
            outcome = Outcome("desktop_error", str(error))
        finally:
            with self._ending:
                self._over = outcome
            if self._now:
                self._now.messages.put(outcome)
            while not self._calls.empty():
                self._calls.get().messages.put(outcome)
