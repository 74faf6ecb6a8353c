"""Tools across the border to LangChain: the real library, a real graph, and real models' view of the tools."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from mark_i import ReactAgent, ScriptedBrain
from mark_i.plugins.tools import Plugins
from tests.support import Run
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import ToolResult, tool
from world_model import Action, Halt, Observation, ToolFailure, describe

REASON = "LangChain is not installed: pip install 'mark-i[langgraph]'"
pytest.importorskip("langchain_core", reason=REASON)
pytest.importorskip("langgraph", reason=REASON)

from langchain_core.messages import AIMessage, ToolMessage  # noqa: E402 - after it is known to be there
from langchain_core.tools import (  # noqa: E402
    BaseTool,
    InjectedToolCallId,
    StructuredTool,
    Tool as SimpleTool,
    ToolException,
    tool as their_tool,
)
from langchain_core.utils.function_calling import convert_to_openai_tool  # noqa: E402
from langgraph.graph import END, START, MessagesState, StateGraph  # noqa: E402
from langgraph.prebuilt import ToolNode  # noqa: E402

from toolbelt.langchain import all_as_langchain, as_langchain, from_langchain  # noqa: E402


class Place(BaseModel):
    """A value with parts, as an argument."""

    x: int
    y: int


@tool(risk="danger", instead=["call_support"])
def open_ticket(title: Annotated[str, Field(min_length=1)], priority: Literal["low", "high"] = "low") -> str:
    """Open a ticket in the tracker.

    Its number is returned.
    """
    return f"{title} is number 7, {priority}"


@tool(risk="look")
def measure(start: Place, end: Place) -> ToolResult:
    """Measure the way between two places."""
    return ToolResult("a long way", {"dx": end.x - start.x, "dy": end.y - start.y})


@tool
def break_down() -> str:
    """Break down."""
    raise ToolFailure("FILE_NOT_FOUND", "There is no file a.txt.", ["Say which one you mean."])


@tool
def awkward(config: str, schema: str, callbacks: int, run_manager: str, tool_call_id: str, input: str) -> list[object]:  # noqa: A002
    """Take arguments whose names mean something to LangChain."""
    return [config, schema, callbacks, run_manager, tool_call_id, input]


@pytest.fixture
def belt() -> Toolbelt:
    return Toolbelt(open_ticket, measure, break_down, awkward)


def called(tools: list[BaseTool], name: str, args: dict[str, Any]) -> ToolMessage:
    """What a graph's ToolNode shows the model."""
    answer = graph(tools).invoke({"messages": [asked(name, args)]})["messages"][-1]
    assert isinstance(answer, ToolMessage)
    return answer


def asked(name: str, args: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": "one", "type": "tool_call"}])


def graph(tools: list[BaseTool]) -> Any:
    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode(tools))
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    return builder.compile()


def use(source: object, /, **args: Any) -> Observation:
    belt = Toolbelt(source)
    [name] = [tool.name for tool in belt]
    return belt.call(Action(name, args), Control()).observation


def stop_after(event: threading.Event, control: Control) -> None:
    event.wait(60)
    control.stop()


# Ours for them


def test_a_model_is_offered_the_tool_as_it_is(belt: Toolbelt, control: Control) -> None:
    theirs = as_langchain(belt["open_ticket"], control)

    offered = convert_to_openai_tool(theirs)["function"]
    assert (offered["name"], offered["description"]) == ("open_ticket", belt["open_ticket"].description)
    assert offered["parameters"] == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1},
            "priority": {"type": "string", "enum": ["low", "high"], "default": "low"},
        },
        "required": ["title"],
        "additionalProperties": False,
    }
    assert theirs.args_schema == belt["open_ticket"].schema
    assert theirs.metadata == {"risk": "danger", "instead": ["call_support"]}
    assert not theirs.return_direct


def test_a_tool_node_gets_text_and_data(belt: Toolbelt, control: Control) -> None:
    answer = called(all_as_langchain(belt, control), "measure", {"start": {"x": 1, "y": 2}, "end": {"x": 4, "y": 6}})

    assert (answer.content, answer.artifact, answer.status) == ("a long way", {"dx": 3, "dy": 4}, "success")
    assert (answer.name, answer.tool_call_id) == ("measure", "one")


@pytest.mark.parametrize(
    ("name", "args", "begins"),
    [
        ("break_down", {}, "FILE_NOT_FOUND: There is no file a.txt. Say which one you mean."),
        ("open_ticket", {}, "INVALID_ARGS: open_ticket: title: field required. Call it as open_ticket"),
        ("open_ticket", {"title": "a", "colour": 3}, "INVALID_ARGS: open_ticket: colour:"),
        ("break_down", {"extra": 1}, "INVALID_ARGS: break_down: extra:"),
    ],
)
def test_a_failure_is_reported_as_the_toolbelt_words_it(
    belt: Toolbelt, control: Control, name: str, args: dict[str, Any], begins: str
) -> None:
    answer = called(all_as_langchain(belt, control), name, args)

    assert answer.status == "error"
    assert str(answer.content).startswith(begins)
    assert answer.content == describe(belt.call(Action(name, args), control).observation)


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_failure_carries_its_problem(belt: Toolbelt, control: Control, way: str) -> None:
    theirs, call = as_langchain(belt["break_down"], control), {"type": "tool_call", "id": "7", "name": "x", "args": {}}
    answer: Any = theirs.invoke(call) if way == "invoke" else asyncio.run(theirs.ainvoke(call))

    problem = belt.call(Action("break_down"), control).observation.error
    assert problem is not None
    assert (answer.status, answer.artifact) == ("error", {"problem": problem.to_dict()})
    assert (answer.name, answer.tool_call_id) == ("break_down", "7")


def test_a_failure_without_a_graph_gives_its_text(belt: Toolbelt, control: Control) -> None:
    told = as_langchain(belt["break_down"], control).invoke({})
    assert told == "FILE_NOT_FOUND: There is no file a.txt. Say which one you mean."


def test_a_tool_called_without_a_graph_gives_its_text(belt: Toolbelt, control: Control) -> None:
    assert as_langchain(belt["open_ticket"], control).invoke({"title": "Tea"}) == "Tea is number 7, low"


def test_arguments_may_have_names_that_langchain_uses(belt: Toolbelt, control: Control) -> None:
    args = {"config": "a", "schema": "b", "callbacks": 3, "run_manager": "c", "tool_call_id": "d", "input": "e"}
    assert called(all_as_langchain(belt, control), "awkward", args).artifact == ["a", "b", 3, "c", "d", "e"]


def test_a_tool_can_be_awaited(belt: Toolbelt, control: Control) -> None:
    tools = all_as_langchain(belt, control)
    state = asyncio.run(graph(tools).ainvoke({"messages": [asked("open_ticket", {"title": "Tea"})]}))
    assert state["messages"][-1].content == "Tea is number 7, low"


def test_a_call_that_takes_too_long_is_reported(control: Control) -> None:
    over = threading.Event()

    @tool(seconds=0.2)
    def sleep_on() -> str:
        """Sleep on."""
        over.wait(60)
        return "awake"

    answer = called(all_as_langchain(Toolbelt(sleep_on), control), "sleep_on", {})
    over.set()
    assert (answer.status, str(answer.content).startswith("TIMEOUT: sleep_on")) == ("error", True)


@pytest.fixture
def endless() -> Iterator[tuple[Toolbelt, threading.Event]]:
    """A tool that never ends by itself, and an event that says that it has begun."""
    begun, over = threading.Event(), threading.Event()

    @tool
    def wait_on() -> str:
        """Wait on."""
        begun.set()
        over.wait(60)
        return "over"

    yield Toolbelt(wait_on), begun
    over.set()


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
def test_a_stop_ends_the_graph(endless: tuple[Toolbelt, threading.Event], control: Control, way: str) -> None:
    belt, begun = endless
    halted = graph(all_as_langchain(belt, control))
    ask = {"messages": [asked("wait_on", {})]}
    threading.Thread(target=stop_after, args=(begun, control), daemon=True).start()
    with pytest.raises(Halt):
        halted.invoke(ask) if way == "invoke" else asyncio.run(halted.ainvoke(ask))
    assert begun.is_set()


def test_what_ends_a_run_returns_directly_with_its_evidence(control: Control) -> None:
    tools = {tool.name: tool for tool in all_as_langchain(standard_toolbelt(None), control)}
    assert {name for name, tool in tools.items() if tool.return_direct} == {"finish", "fail"}

    done = called(list(tools.values()), "finish", {"summary": "Sent.", "evidence": [{"text": "Sent"}]})
    assert (done.content, done.artifact) == ("Sent.", {"done": True, "evidence": [{"text": "Sent"}]})
    failed = called(list(tools.values()), "fail", {"reason": "No paper."})
    assert (failed.content, failed.artifact) == ("No paper.", {"done": False, "evidence": []})


# Theirs for us


@their_tool
def multiply(first: int, second: int = 2, near: Place | None = None) -> int:
    """Multiply two numbers."""
    return first * second + (near.x if near else 0)


class Shout(BaseTool):
    name: str = "shout"
    description: str = "Shout a text."
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"

    def _run(self, text: str) -> tuple[str, Any]:
        return text.upper(), {"letters": len(text)}


def remote(**args: Any) -> dict[str, Any]:
    return args


SCHEMA = {
    "type": "object",
    "properties": {"from": {"type": "string"}, "user-id": {"type": "integer"}},
    "required": ["from"],
}


def test_their_schema_and_description_are_what_our_brain_is_told() -> None:
    ours = from_langchain(multiply)
    assert (ours.name, ours.description, ours.risk) == ("multiply", "Multiply two numbers.", "write")
    assert ours.signature == "multiply(first: integer, second: integer = 2, near: {x, y} | null = null)"
    assert from_langchain(multiply, risk="look", seconds=3).risk == "look"
    assert from_langchain(multiply, seconds=3).seconds == 3


def test_their_tools_are_used_like_ours() -> None:
    assert use(from_langchain(multiply), first="4", near={"x": 1, "y": 0}).text == "9"
    shouted = use(from_langchain(Shout()), text="ahoy")
    assert (shouted.text, shouted.data) == ("AHOY", {"letters": 4})
    simple = from_langchain(SimpleTool("reverse", lambda text: text[::-1], "Reverse a text."))
    assert (simple.signature, use(simple, tool_input="abc").text) == ("reverse(tool_input: string)", "cba")


def test_a_plain_schema_gets_only_the_given_arguments() -> None:
    theirs = StructuredTool(name="send", description="Send.", args_schema=SCHEMA, func=remote)
    ours = from_langchain(theirs)
    assert ours.signature == "send(from: string, user-id: integer = null)"
    assert json.loads(use(ours, **{"from": "me", "user-id": 3}).text) == {"from": "me", "user-id": 3}
    assert json.loads(use(ours, **{"from": "me"}).text) == {"from": "me"}


def test_a_tool_without_arguments_has_an_empty_schema() -> None:
    ours = from_langchain(StructuredTool(name="now", description="Now.", args_schema={"type": "object"}, func=remote))
    assert (ours.signature, use(ours).ok) == ("now()", True)


def test_the_id_of_the_call_is_not_asked_of_the_brain() -> None:
    @their_tool
    def note(text: str, call: Annotated[str, InjectedToolCallId]) -> str:
        """Note a text."""
        return f"{text}: {bool(call)}"

    ours = from_langchain(note)
    assert ours.signature == "note(text: string)"
    assert use(ours, text="a").text == "a: True"


def test_wrong_arguments_are_named() -> None:
    error = use(from_langchain(multiply), first="many").error
    assert error is not None
    assert (error.code, error.message.startswith("multiply: first: ")) == ("INVALID_ARGS", True)
    assert error.hints == (f"Call it as {from_langchain(multiply).signature}.",)


def refusing(handler: Any) -> StructuredTool:
    def refuse() -> str:
        raise ToolException("no paper")

    return StructuredTool.from_function(refuse, description="Refuse.", handle_tool_error=handler)


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (False, "refuse failed: ToolException: no paper"),
        (True, "no paper"),
        (lambda error: f"{error}; buy some", "no paper; buy some"),
    ],
)
def test_what_they_report_as_an_error_is_one(handler: Any, said: str) -> None:
    seen = use(from_langchain(refusing(handler)))
    assert not seen.ok
    assert seen.error is not None
    assert (seen.error.code, seen.error.message) == ("TOOL_ERROR", said)


def test_their_exceptions_become_observations_with_our_codes() -> None:
    def read() -> str:
        raise FileNotFoundError(2, "No such file", "a.txt")

    error = use(from_langchain(StructuredTool.from_function(read, description="Read."))).error
    assert error is not None
    assert (error.code, error.message) == ("FILE_NOT_FOUND", "There is no file a.txt.")


def test_a_stop_reaches_their_tools() -> None:
    control, begun, over = Control(), threading.Event(), threading.Event()

    def wait() -> str:
        begun.set()
        over.wait(60)
        return ""

    belt = Toolbelt(from_langchain(StructuredTool.from_function(wait, description="Wait.")))
    threading.Thread(target=stop_after, args=(begun, control), daemon=True).start()
    with pytest.raises(Halt):
        belt.call(Action("wait", {}), control)
    over.set()


async def later(text: str) -> str:
    return text


@pytest.mark.parametrize(
    "theirs",
    [
        StructuredTool.from_function(coroutine=later, name="later", description="Later."),
        SimpleTool("later", None, "Later.", coroutine=later),
    ],
)
def test_a_tool_that_must_be_awaited_is_refused_by_name(theirs: BaseTool) -> None:
    with pytest.raises(TypeError, match=r"The LangChain tool later is async only\. Give it"):
        from_langchain(theirs)


def test_a_tool_without_a_description_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="The LangChain tool send needs a description"):
        from_langchain(StructuredTool(name="send", description=" ", args_schema=SCHEMA, func=remote))


def test_an_agent_uses_their_tool() -> None:
    brain = ScriptedBrain([{"tool": "multiply", "arguments": {"first": 21}}, {"answer": "It is 42."}])
    agent = ReactAgent(tools=[from_langchain(multiply)], model=brain)
    assert agent.run("twice 21?", max_steps=3) == "It is 42."
    assert "multiply(first: integer" in brain.prompts[0].system
    assert "42" in brain.prompts[1].scratchpad


def test_their_tool_can_be_a_plugin(tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text('''
from langchain_core.tools import tool

from toolbelt.langchain import from_langchain


@tool
def double(number: int) -> int:
    """Double a number."""
    return number * 2


doubled = from_langchain(double, risk="look")
''')
    belt = Toolbelt()
    assert Plugins(tmp_path).refresh(belt) == []
    assert belt["double"].risk == "look"
    assert belt.call(Action("double", {"number": 21}), Control()).observation.text == "42"


# There and back, and not at all


def test_a_tool_survives_the_round_trip(belt: Toolbelt, control: Control) -> None:
    for ours in belt:
        again = from_langchain(as_langchain(ours, control), risk=ours.risk, seconds=ours.seconds)
        assert (again.name, again.description, again.schema) == (ours.name, ours.description, ours.schema)
        assert again.signature == ours.signature
    args: dict[str, Any] = {"start": {"x": 1, "y": 2}, "end": {"x": 4, "y": 6}}
    again = from_langchain(as_langchain(belt["measure"], control))
    assert use(again, **args) == use(measure, **args)
    failed = use(from_langchain(as_langchain(belt["break_down"], control)))
    assert failed.error is not None
    assert failed.error.message == "FILE_NOT_FOUND: There is no file a.txt. Say which one you mean."


def python(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)


@pytest.mark.usefixtures("processes")
def test_without_the_extra_the_import_says_what_to_install() -> None:
    done = python("import sys; sys.modules['langchain_core'] = None; import toolbelt.langchain")
    last = done.stderr.splitlines()[-1]
    assert last == "ImportError: LangChain is not installed. Install it: pip install 'mark-i[langgraph]'"


def test_nothing_else_loads_langchain(mark_i: Run) -> None:
    code = (
        "import sys, mark_i.cli.main, mark_i.plugins.tools, gui; "
        "print([one for one in sys.modules if one.startswith('lang')])"
    )
    assert python(code).stdout.strip() == "[]"
    assert mark_i("tools", "list").returncode == 0
