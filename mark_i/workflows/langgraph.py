"""Think, act, answer as a LangGraph graph. It needs the extra `langgraph`.

    START -> orchestrator -> orchestrator | tools | writer      tools -> orchestrator      writer -> END

The logic is in `thread`; this module has the graph's nodes and converts entries to messages and back. The `metadata` of
a message has its `type` and `source`. LangChain keeps that attribute but does not define it, so messages of others have
none; it survives checkpointers and `messages_to_dict`, and is sent to no vendor.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, NotRequired, TypeVar

from typing_extensions import TypedDict  # on Python 3.11 only this one has a JSON schema of the state

from mark_i.brain import Brain
from mark_i.budget import Budget, Ledger
from mark_i.events import Event
from mark_i.loop.model_calls import ModelCalls, UnusableError
from mark_i.loop.outcome import last_answer
from mark_i.workflows.nodes.thread import (
    MAX_THOUGHTS,
    Entry,
    NextNode,
    added,
    ahead,
    at_the_limit,
    decided,
    pairs,
    prompt,
    thoughts,
)
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.extras import not_installed
from toolbelt.langchain import all_as_langchain
from toolbelt.tool import Ending
from toolbelt.tools import fail, finish
from world_model import Action, Observation, Problem, ReplyError, UsageError

try:
    from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import add_messages
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.prebuilt import ToolNode
except ModuleNotFoundError as error:
    raise ImportError(not_installed("LangGraph", "langgraph")) from error

T = TypeVar("T")
SOURCES: Final = {"final_answer": "writer", "tool_result": "tool"}  # all others come from the orchestrator


class State(TypedDict):
    """The state of a thread: its messages, and whether its answer can be written."""

    messages: Annotated[list[AnyMessage], add_messages]
    ready_to_answer: NotRequired[bool]  # set by the first thought


def chat_graph(  # noqa: PLR0913 - three of them have a default
    brain: Brain,
    toolbelt: Toolbelt,
    control: Control,
    *,
    history: Sequence[tuple[str, str]] = (),
    most: int = MAX_THOUGHTS,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[State, None, State, State]:
    """Return the compiled graph; `invoke({"messages": [HumanMessage("...")]})` answers a question.

    Its tools are those that the Toolbelt has now. The prompt of a later question in the same thread contains the
    earlier answers. An answer with `metadata["done"]` False says why the question was not answered.

    Args:
        brain: its replies are parsed as in the agent's loop, so it needs no tool calls of its own.
        toolbelt: `finish` and `fail`, with which the brain ends a thread, are added if they are missing.
        control: a stop ends the graph at once, with `Halt`.
        history: questions and answers of earlier threads, as `answers_in` returns them.
        most: the largest number of thoughts for one question.
        checkpointer: keeps threads, each under its `thread_id`.

    Raises:
        ModelError: from `invoke`: the model gave no reply. With a checkpointer `invoke(None, ...)` resumes there.
        UsageError: `most` is less than one; from `invoke`, there is no question.
    """
    if most < 1:
        raise UsageError(f"An answer needs at least one thought, not {most}.")
    ends = [one for one in (finish, fail) if one.__name__ not in toolbelt]
    nodes = _Nodes(brain, Toolbelt(*toolbelt, *ends), control, tuple(history), most)
    builder = StateGraph(State)
    builder.add_node("orchestrator", nodes.orchestrator)
    builder.add_node("tools", nodes.tools())
    builder.add_node("writer", nodes.writer)
    builder.add_edge(START, "orchestrator")
    builder.add_conditional_edges("orchestrator", nodes.ahead, ["orchestrator", "tools", "writer"])
    builder.add_edge("tools", "orchestrator")
    builder.add_edge("writer", END)
    longest = 2 * most + 2  # a tool after each thought, the writer, and the step that detects the end
    return builder.compile(checkpointer=checkpointer).with_config(recursion_limit=longest)


def answers_in(messages: Sequence[BaseMessage]) -> tuple[tuple[str, str], ...]:
    """Return each question of a thread with its answer, as the history of another thread."""
    return tuple(pairs([_entry(message) for message in messages]))


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of the graph: each reads the state and returns only what it adds."""

    brain: Brain
    toolbelt: Toolbelt
    control: Control
    history: tuple[tuple[str, str], ...]
    most: int

    def orchestrator(self, state: State) -> dict[str, Any]:
        """Ask the brain for one thought, and add it with its tool call or its ending."""
        entries = _entries(state)
        asked = prompt(self.brain, self.toolbelt, entries, self.history)
        try:
            decision = _through(self._calls().ask(self.brain, asked, thoughts(entries) + 1, decided))
            new = added(entries, decision, self.toolbelt, self.control, self.most)
        except UnusableError as error:
            new = [Entry("reasoning", str(error), ending=Ending(done=False, summary=f"There is no answer. {error}"))]
        messages = [_message(entry, len(entries)) for entry in new]
        return {"messages": messages, "ready_to_answer": new[-1].ending is not None}

    def tools(self) -> ToolNode:
        """Return the tools' node. The Toolbelt turns failures into results, so anything it raises must propagate."""
        used = [tool for tool in self.toolbelt if not (tool.ending or tool.only_thinks)]
        return ToolNode(
            all_as_langchain(Toolbelt(*used), self.control), handle_tool_errors=False, wrap_tool_call=_marked
        )

    def writer(self, state: State) -> dict[str, Any]:
        """Add the answer: that of the last thought, or at the limit the best one so far."""
        entries = _entries(state)
        ending = entries[-1].ending or at_the_limit(self.most, self._last_answer(entries))
        return {"messages": [_message(Entry("final_answer", ending.summary, ending=ending), len(entries))]}

    def ahead(self, state: State) -> NextNode:
        """Return the node after the orchestrator."""
        return ahead(_entries(state), self.most, ready=state["ready_to_answer"])

    def _last_answer(self, entries: Sequence[Entry]) -> str | None:
        """Ask the brain once for the best answer so far; return None if the reply has none."""
        asked = prompt(self.brain, self.toolbelt, entries, self.history, last=True)
        try:
            return _through(self._calls().once(self.brain, asked, thoughts(entries) + 1, last_answer))
        except ReplyError:
            return None

    def _calls(self) -> ModelCalls:
        return ModelCalls(Ledger(Budget()), self.control, None)


def _through(asking: Generator[Event, None, T]) -> T:
    """Return the result of a model call; its events are dropped."""
    while True:
        try:
            next(asking)
        except StopIteration as ended:
            result: T = ended.value
            return result


# Entries as messages, and back


def _marked(request: Any, execute: Any) -> Any:  # noqa: ANN401 - ToolNode's types are not public
    """Run a tool and return its result, marked as a tool result."""
    answer = execute(request)
    return answer.model_copy(update={"metadata": _about("tool_result")}) if isinstance(answer, ToolMessage) else answer


def _about(kind: str) -> dict[str, Any]:
    return {"type": kind, "source": SOURCES.get(kind, "orchestrator")}


def _message(entry: Entry, place: int) -> AIMessage:
    """Return an entry as the message at a place; a thought's metadata has what `steps` and the writer need."""
    about = _about(entry.kind)
    if entry.kind == "final_answer":
        return AIMessage(entry.text, metadata={**about, "done": entry.ending is None or entry.ending.done})
    if entry.kind == "tool_call" and entry.action:
        call = {"name": entry.action.tool, "args": dict(entry.action.args), "id": f"call_{place}", "type": "tool_call"}
        return AIMessage(entry.text, tool_calls=[call], metadata=about)
    if entry.action:
        about["action"] = entry.action.to_dict()
    if entry.observation and entry.observation.error:
        about["problem"] = entry.observation.error.to_dict()
    if entry.ending:
        about["ending"] = {**asdict(entry.ending), "evidence": list(entry.ending.evidence)}
    return AIMessage(entry.text, metadata=about)


def _entries(state: State) -> list[Entry]:
    return [_entry(message) for message in state["messages"]]


def _entry(message: BaseMessage) -> Entry:
    """Return a message as an entry; an AI message without our metadata is an answer."""
    text, about = str(message.text), getattr(message, "metadata", {})
    if isinstance(message, HumanMessage):
        return Entry("question", text)
    if isinstance(message, ToolMessage):
        return Entry("tool_result", text, observation=_observation(message))
    if not isinstance(message, AIMessage):
        raise UsageError(
            f"A {type(message).__name__} cannot be in a thread: only people, the agent and tools speak there."
        )
    if message.tool_calls:
        return Entry("tool_call", text, Action(message.tool_calls[0]["name"], message.tool_calls[0]["args"]))
    if about.get("type") != "reasoning":
        return Entry("final_answer", text, ending=Ending(about.get("done", True), text))
    action, problem, ending = about.get("action"), about.get("problem"), about.get("ending")
    return Entry(
        "reasoning",
        text,
        Action.from_dict(action) if action else None,
        Observation(ok=False, text="", error=Problem.from_dict(problem)) if problem else None,
        Ending(**{**ending, "evidence": tuple(ending["evidence"])}) if ending else None,
    )


def _observation(message: ToolMessage) -> Observation:
    """Return the result in a tool's message; an error of somebody else's tool has only its text."""
    text, artifact = str(message.text), message.artifact
    if message.status != "error":
        return Observation(ok=True, text=text, data=artifact)
    ours = isinstance(artifact, Mapping) and "problem" in artifact
    problem = Problem.from_dict(artifact["problem"]) if ours else Problem("TOOL_ERROR", text)
    return Observation(ok=False, text="", error=problem)
