"""Run a workflow instead of the agent's loop; its nodes call the same functions."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mark_i.agent import AgentCore
from mark_i.events import Event, Outcome
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.executor import GraphFinished, NodeFinished, NodeSkipped, NodeStarted, counted, execute
from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.node_type import Registry, registry_of
from mark_i.workflows.library import found
from mark_i.workflows.nodes.surroundings import Earlier, ProfileNodes
from mark_i.workflows.nodes.turns import Turns, entries_of
from mark_i.workflows.plugins import known_types
from world_model import ToolFailure, UsageError, WorkflowError


def _keep_nothing(_fact: str) -> str:
    return "Nothing was kept: there is no memory here."


@dataclass(frozen=True, slots=True)
class Workflow:
    """A graph for an agent to run.

    Attributes:
        name: the name that the user gave, for the journal.
        context: what its nodes can read besides the goal; see `surroundings`.
        secrets: texts that no answer may contain.
        keep: remembers a fact for later runs.
        runs: reads the earlier runs of the profile.
        types: the known node types, by name.
    """

    name: str
    graph: Graph
    context: Mapping[str, Any] = field(default_factory=dict)
    secrets: Sequence[str] = ()
    keep: Callable[[str], str] = _keep_nothing
    runs: Callable[[], Sequence[Earlier]] = tuple
    types: Registry = field(default_factory=lambda: CATALOG)

    def run(self, agent: AgentCore) -> Generator[Event, None, Outcome]:
        """Run instead of the agent's loop, with an event for every node; the run fails if it cannot continue."""
        if outcome := (yield from agent.end_of_resumed()):
            return outcome
        turns = Turns(agent)
        registry = {**self.types, **registry_of(turns, ProfileNodes(self.secrets, self.keep, self.runs))}
        context = {**self.context, "goal": agent.goal, "entries": entries_of(agent.world_model)}
        counts: dict[int, int] = {}
        try:
            finished = yield from self._followed(agent, registry, context, counts)
        except (ToolFailure, UsageError, WorkflowError) as error:
            return Outcome("failed", str(error))
        finally:
            if agent.journal:
                agent.journal.note(workflow=self.name, nodes=list(counted(self.graph, counts)))
        outcome = yield from turns.ended()
        answer = _answer(self.graph, registry, finished)
        return replace(outcome, summary=answer) if answer else outcome

    def _followed(
        self, agent: AgentCore, registry: Registry, context: Mapping[str, Any], counts: dict[int, int]
    ) -> Generator[Event, None, GraphFinished]:
        finished = GraphFinished({}, {}, ())
        for event in execute(self.graph, registry, context):
            if isinstance(event, Event):
                yield event
            elif isinstance(event, GraphFinished):
                finished = event
            else:
                if isinstance(event, NodeStarted):
                    counts[event.node.id] = event.count
                agent.control.check()
                told = _told(event)
                if agent.journal:
                    agent.journal.node({**told, "steps": len(agent.world_model), **_flowed(event)})
                yield agent.event("node", **told)
        return finished


def workflow_named(name: str, folder: Path) -> tuple[Workflow, Sequence[str]]:
    """Return the workflow of that name, or in the file of that name, and complaints about broken plugins.

    Args:
        name: the name or the file that the user gave.
        folder: the folder with the user's own node types.

    Raises:
        UsageError: there is no such workflow, or it is not valid; names broken plugins too, as a possible cause.
    """
    types, complaints = known_types(folder)
    try:
        return Workflow(name, found(name, types), types=types), complaints
    except UsageError as error:
        raise UsageError(" ".join([str(error), *complaints])) from error


def _told(event: NodeStarted | NodeFinished | NodeSkipped) -> dict[str, Any]:
    state = {NodeStarted: "started", NodeFinished: "finished", NodeSkipped: "skipped"}[type(event)]
    count = 0 if isinstance(event, NodeSkipped) else event.count
    node = event.node
    return {"node": node.id, "type": node.kind, "title": node.title, "state": state, "count": count}


def _flowed(event: NodeStarted | NodeFinished | NodeSkipped) -> dict[str, Any]:
    match event:
        case NodeStarted():
            return {"inputs": list(event.inputs)}
        case NodeFinished():
            return {"outputs": event.outputs}
    return {}


def _answer(graph: Graph, registry: Registry, finished: GraphFinished) -> str:
    """Return the output of the last node that gives an answer."""
    kinds = {node.id: node.kind for node in graph.nodes}
    for one, outputs in reversed(list(finished.outputs.items())):
        if "response" in registry[kinds[one]].outputs:
            for part in outputs if isinstance(outputs, list) else [outputs]:
                if isinstance(part, Mapping) and isinstance(part.get("response"), str):
                    return str(part["response"])
    return ""
