"""A run whose next action is a client's next call: loop, guard, journal and stops are those of every other run."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Final

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import Setting
from mark_i.brain import Picture, Prompt, Reply, Space
from mark_i.budget import Budget
from mark_i.events import Outcome
from mark_i.guard.guard import Answer, Approval
from mark_i.human.person import Nobody, awaited
from mark_i.human.takeover_watch import Watcher
from mark_i.prompts.coordinates import in_coordinates_of, spaces_of
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from world_model import Action, MarkIError, Observation, Problem, Step

GOAL: Final = "What a program asks for over MCP."
SAID: Final = "The program calls it."
FAULT: Final = "MARK-I itself failed; its standard error says more."
SIGHT: Final = 1568  # pixels; widely used models take a picture of that side as it is
ENDLESS: Final = 10**9  # steps: how much it does is the client's business


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a call, and the screen where it is not as it was last shown."""

    observation: Observation
    picture: Picture | None


Told = Came | Approval | Outcome


class Call:
    """One call of a client, from any thread of its own."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.told: SimpleQueue[Told] = SimpleQueue()
        self.decisions: SimpleQueue[Answer | None] = SimpleQueue()

    def next(self) -> Told:
        """Wait for what came of it, or what a person has to be asked before, or how the run has ended."""
        return self.told.get()

    def decide(self, answer: Answer | None) -> None:
        """What the person decided; None where nobody could be asked. A client that has gone has decided: no."""
        self.decisions.put(answer)


class Served(Nobody):
    """One run for the calls of a client, begun with the first of them. It is that run's brain, and its person.

    Args:
        setting: what it is made of; its brain is the client.
        control: the person's hand on it.
        say: is told what happens beside it.
    """

    name = "mcp"
    sight = SIGHT
    space: Space = "image"

    def __init__(self, setting: Setting, control: Control, say: Callable[[str], None]) -> None:
        ours = replace(setting, servers=False)  # their tools are not offered
        self._setting = replace(ours, brain=self, budget=Budget(ENDLESS), watched=False, workflow=None)
        self._control, self._watcher = control, Watcher(say)
        self._calls: SimpleQueue[Call] = SimpleQueue()
        self._now: Call | None = None
        self._step: Step | None = None
        self._shown: Picture | None = None
        self._over: Outcome | None = None
        self._toolbelt = Toolbelt()  # of the run, once it has begun
        self._ending = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, action: Action) -> Call:
        """Have an action done, after those that were called before."""
        call = Call(action)
        with self._ending:
            if self._over:
                call.told.put(self._over)
            else:
                self._calls.put(call)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mcp-run", daemon=True)
                self._thread.start()
        return call

    def close(self) -> None:
        """No more calls: end the run, and wait until everything is given back."""
        self._control.stop()
        if self._thread:
            self._thread.join()

    def think(self, prompt: Prompt) -> Reply:
        """Tell what came of the last call, and wait for the next one."""
        self._tell(prompt)
        self._now = awaited(self._calls, self._control)
        return Reply(json.dumps({"thought": SAID, "action": self._now.action.to_dict()}))

    def approve(self, asked: Approval) -> Answer | None:
        """Have the client ask its user."""
        assert self._now is not None  # noqa: S101 - an action was called for
        self._now.told.put(asked)
        return awaited(self._now.decisions, self._control)

    def _tell(self, prompt: Prompt) -> None:
        call, step, self._now, self._step = self._now, self._step, None, None
        if call is None:
            return
        if step is None:  # it was no action at all
            problem = Problem("INVALID_ARGS", prompt.notices[-1])
            call.told.put(Came(Observation(ok=False, text="", error=problem), None))
            return
        if step.before:
            step = in_coordinates_of(step, spaces_of(self, step.before.region))
        used = self._toolbelt.known(call.action.tool)
        wanted = used is not None and used.shows_screen  # also where the client has the picture already
        new = prompt.picture if wanted or prompt.picture != self._shown else None
        self._shown = prompt.picture
        call.told.put(Came(step.observation, new))

    def _run(self) -> None:
        outcome = Outcome("failed", FAULT)
        try:
            with agent_for(GOAL, self._setting, self._control, self, self._watcher) as (agent, _):
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
                self._now.told.put(outcome)
            while not self._calls.empty():
                self._calls.get().told.put(outcome)
