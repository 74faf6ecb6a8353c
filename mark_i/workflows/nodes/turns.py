"""The nodes of the agent: each calls the same function as the agent's loop."""

import json
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from itertools import dropwhile
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.events import STRICT, Event, Outcome
from mark_i.loop.parts import Turn
from mark_i.workflows.format.limits import limit_of
from mark_i.workflows.format.node_type import Context, Inputs, Properties, node
from toolbelt.tool import Ending
from world_model import Action, Step, UsageError, problem

Outputs = Generator[Event, None, dict[str, Any]]

ENDED: Final[Mapping[str, Any]] = {  # the entry of an action after the end of the run
    "thought": "",
    "action": "",
    "observation": "Nothing was done: the run has ended.",
    "success": False,
    "final": True,
}


class Turns:
    """The agent's functions as nodes of one run. After its end they neither ask the brain nor act.

    Attributes:
        outcome: how the run ended, or None until a node ends it.
    """

    def __init__(self, agent: AgentCore) -> None:
        self.outcome: Outcome | None = None
        self._agent = agent
        self._turn: Turn | None = None
        self._notes: list[str] = []
        self._skills: list[Outcome] = []  # since the brain planned last
        self._before = deque(agent.world_model)  # of the run that is resumed

    @node(inputs=("state", "goal", "context"), outputs=("plan",))
    def react_planner(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Ask the model for one thought and one action."""
        if self.outcome is not None:
            return {"plan": ""}
        self._skills.clear()
        turn = yield from self._agent.think(self._notes, _background(inputs))
        self._turn, self._notes = turn, []
        action = turn.decision.action
        args = json.dumps(dict(action.args), ensure_ascii=False)
        return {"plan": f"Thought: {turn.decision.thought.text}\nAction: {action.tool}\nAction Input: {args}"}

    @node(inputs=("plan",), outputs=("plan",))
    def approve(self, inputs: Inputs, properties: Properties, context: Context) -> Any:  # noqa: ANN401, ARG002
        """Ask the person to approve the planned action."""
        if self.outcome is None:
            turn = self._planned()
            question = str(properties.get("question") or "The workflow wants your consent.")
            self._turn = replace(turn, decision=replace(turn.decision, consent=question))
        return inputs[0] if inputs else None

    @node(inputs=("plan",), outputs=("entry",))
    def skill_executor(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Call the tool that the plan names, and return the observation."""
        if self.outcome is not None:
            return dict(ENDED)
        turn, self._turn = self._planned(), None
        step, done = yield from self._agent.act(turn)
        self.outcome = yield from self._agent.conclude(turn, step, done)
        return _entry(step, self.outcome)

    @node(inputs=("parameters",), outputs=("outcome", "result"))
    def run_skill(
        self,
        inputs: Inputs,
        properties: Properties,
        context: Context,  # noqa: ARG002
    ) -> Generator[Event, None, list[str]]:
        """Do a kept skill with its parameters, and return how it ended and what is to be said about it."""
        if self.outcome is not None:
            return ["", str(ENDED["observation"])]
        action = self._call(properties, inputs[0] if inputs else None)
        end = self._ended_before(action) or (yield from self._agent.follow(action))
        if isinstance(end, Outcome):
            self.outcome = end
            return [end.name, end.summary]
        self._skills.append(self._worth(end))
        return [self._skills[-1].name, self._skills[-1].summary]

    def _call(self, properties: Properties, given: Any) -> Action:  # noqa: ANN401 - what another node gave
        """Return the call of the skill that a node names, with its parameters, and over them those that it was given.

        Raises:
            UsageError: no skill is named, or the parameters are no mapping.
        """
        name, values = properties.get("skill"), properties.get("parameters") or {}
        if not isinstance(name, str) or not name:
            raise UsageError('It names no skill: set its property "skill".')
        if not isinstance(values, Mapping):
            raise UsageError('Its property "parameters" must be a mapping, such as {"month": "October"}.')
        known = self._agent.toolbelt.known(name)
        names = known.kinds if known and isinstance(given, Mapping) else ()
        return Action(name, {**values, **{one: given[one] for one in names if one in given}})

    def _ended_before(self, action: Action) -> Step | None:
        """Return the last step of a skill that the run did before it was resumed; None if it did not."""
        steps = dropwhile(lambda step: step.action != action or not step.observation.ok, self._before)
        rest = deque(dropwhile(lambda step: not self._ends(step), steps))
        self._before = rest or self._before
        return rest.popleft() if rest else None

    def _ends(self, step: Step) -> bool:
        used = self._agent.toolbelt.known(step.action.tool)
        return used is not None and used.ends_steps

    def _worth(self, end: Step) -> Outcome:
        """Return how a skill ended, with its evidence checked for its own goal."""
        seen = end.observation
        if not seen.ok or not isinstance(seen.data, Mapping):
            return Outcome("failed", problem(seen.error) if seen.error else seen.text)
        ending = Ending(done=True, summary=seen.text, evidence=tuple(seen.data["evidence"]), kind="deed")
        return self._agent.judged(ending, str(seen.data["goal"]))

    def ended(self) -> Generator[Event, None, Outcome]:
        """Return how the run ended: as a node said, as its skills did, or without an answer."""
        if self.outcome is None and self._skills:
            self.outcome = max(self._skills, key=lambda one: one.exit_code != 0)  # the first that was not done
        if self.outcome is None:
            self.outcome = yield from self._agent.end_at_limit()
        return self.outcome

    @node(inputs=("context", "goal"), outputs=("result",))
    def loop_controller(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Run the whole agent as one node, until the goal is reached."""
        if self.outcome is None:
            most = limit_of("The loop", context, properties)
            self.outcome = yield from self._agent.loop(most)
        return {**_told(self.outcome), "scratchpad": entries_of(self._agent.world_model)}

    @node(inputs=("state",), outputs=("screen",))
    def observe(self, inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:  # noqa: ARG002
        """Look at the screen and read it."""
        return {"screen": self._agent.read_screen()}

    @node(inputs=("state",), outputs=("state",))
    def reflect(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Ask the model what went wrong and what to try instead, and pass the state through."""
        state = inputs[0] if inputs else None
        if self.outcome is not None:
            return dict(state) if isinstance(state, Mapping) else {}
        words = yield from self._agent.reflect()
        self._notes.append(f"On what was done so far: {words}")
        return {**state, "notes": words} if isinstance(state, Mapping) else {"notes": words}

    @node(inputs=("scratchpad", "goal", "context"), outputs=("response",))
    def response_synthesizer(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Write the answer in the requested style, from the observations."""
        return _told((yield from self.ended()))

    def _planned(self) -> Turn:
        if self._turn is None:
            raise UsageError("There is no plan left to carry out: put a react_planner before this node.")
        return self._turn


def entries_of(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Return earlier steps as entries of a scratchpad."""
    return [{"iteration": step.index, **_entry(step, None)} for step in steps]


def _entry(step: Step, outcome: Outcome | None) -> dict[str, Any]:
    """Return a step as an entry of the scratchpad; the step that ends the run has the answer in its thought."""
    thought = step.thought.text if outcome is None else f"{step.thought.text}\nFinal Answer: {outcome.summary}"
    seen = step.observation
    return {
        "thought": thought,
        "action": step.action.tool,
        "args": dict(step.action.args),
        "observation": problem(seen.error) if seen.error else seen.text,
        "success": seen.ok,
        "final": outcome is not None,
    }


def _told(outcome: Outcome) -> dict[str, Any]:
    """Return the answer, and whether it is verbatim: returned by tools, so that no node may change it."""
    verbatim = outcome.direct or outcome.style in STRICT
    return {"response": outcome.summary, **({"verbatim": True} if verbatim else {})}


def _background(inputs: Inputs) -> str:
    """Return what other nodes found for the planner: a context in words, and the screen."""
    found = [one for one in inputs if isinstance(one, Mapping)]
    words = [one[name] for one in found for name in ("context", "screen") if isinstance(one.get(name), str)]
    return "\n\n".join(filter(None, words))
