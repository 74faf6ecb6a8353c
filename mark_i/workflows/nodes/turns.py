"""The nodes of the agent: each calls the same function as the agent's loop."""

import json
from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.events import STRICT, Event, Outcome
from mark_i.loop.parts import Turn
from mark_i.workflows.format.limits import limit_of
from mark_i.workflows.format.node_type import Context, Inputs, Properties, node
from world_model import Step, UsageError, problem

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

    @node(inputs=("state", "goal", "context"), outputs=("plan",))
    def react_planner(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Ask the model for one thought and one action."""
        if self.outcome is not None:
            return {"plan": ""}
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
        if self.outcome is None:  # the workflow left its loop before the goal was reached
            self.outcome = yield from self._agent.end_at_limit()
        return _told(self.outcome)

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
