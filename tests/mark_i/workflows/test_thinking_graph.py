"""Think, act, answer as a graph: the real LangGraph with real tools; only the model is scripted."""

import copy
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import ScriptedBrain
from mark_i.brain import Brain, Prompt, Reply, Space
from mark_i.workflows.nodes.thread import MAX_THOUGHTS, UNUSED, Entry, ahead, pairs, steps, thoughts
from tests.support import action
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import Ending, ToolResult, tool
from toolbelt.tools.python import Python
from toolbelt.tools.web import Web
from world_model import Action, BusyError, DesktopError, Halt, ModelError, Problem, ToolFailure, UsageError, describe

REASON: Final = "LangGraph is not installed: pip install 'mark-i[langgraph]'"
pytest.importorskip("langgraph", reason=REASON)

from langchain_core.messages import (  # noqa: E402 - after it is known to be there
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
    messages_from_dict,
    messages_to_dict,
)
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402

from mark_i.workflows.langgraph import State, _observation, answers_in, chat_graph  # noqa: E402

SHARED: Final = Path(__file__).resolve().parents[4] / "shared" / "vectors" / "chatbot_paths.json"
LETTERS: Final = {"reasoning": "R", "tool_call": "C", "tool_result": "T", "final_answer": "F"}
GARBAGE: Final = "I would rather not say it in JSON."
THINK: Final = {"thought": "There is more to think of."}
READY: Final = {"thought": "I know enough.", "answer": "It is 4."}
QUESTION: Final = "What is 2 + 2?"


@tool(risk="look")
def add(first: int, second: int) -> ToolResult:
    """Add two numbers."""
    return ToolResult(f"{first} + {second} = {first + second}", {"sum": first + second})


@tool
def boom() -> str:
    """Fail."""
    raise ToolFailure("FILE_NOT_FOUND", "There is no file a.txt.", ["Say which one you mean."])


USE: Final = action("add", first=2, second=2)
BELT: Final = Toolbelt(add, boom)


def run(brain: Brain, belt: Toolbelt = BELT, **options: Any) -> list[Any]:
    """The messages of one question."""
    graph = chat_graph(brain, belt, Control(), **options)
    return list(graph.invoke({"messages": [HumanMessage(QUESTION)]})["messages"])


def path(messages: Sequence[Any]) -> str:
    """The route in letters, as the vectors have it."""
    return " ".join("H" if isinstance(one, HumanMessage) else LETTERS[one.metadata["type"]] for one in messages)


def forever(reply: object) -> ScriptedBrain:
    """More replies than any thread has a use for."""
    return ScriptedBrain([reply] * 10 * MAX_THOUGHTS)


# The paths ---------------------------------------------------------------------------------------------------------

WORDS: Final[dict[str, object]] = {
    "ready": READY,
    "think": THINK,
    "use_tools": USE,
    "use_tools+ready": {**USE, "answer": True},
    "<garbage>": GARBAGE,
    "think (forever)": THINK,
    "use_tools (forever)": USE,
    "<garbage forever>": GARBAGE,
}
PATHS: Final = {  # ours where the vector notes a bug of the original, or has no sequence
    "never ready": " ".join(["H", *["R"] * MAX_THOUGHTS, "F"]),
    "always use_tools": " ".join(["H", *["R C T"] * (MAX_THOUGHTS - 1), "R F"]),
    "replies never JSON": "H R F",
    "tool raises": "H R C T R F",
}


def known(vector: str) -> dict[str, Any]:
    if not SHARED.is_file():
        pytest.skip(f"{SHARED} is not there: it belongs to the shared facts, not to the product")
    vectors = json.loads(SHARED.read_text(encoding="utf-8"))["vectors"]
    assert {one["id"] for one in vectors} == {*VECTORS, "history"}  # that one has a test of its own
    [found] = [one for one in vectors if one["id"] == vector]
    return dict(found)


VECTORS: Final = (
    "minimal",
    "multi-think",
    "tool-augmented",
    "tool raises",
    "use_tools and ready both true",
    "use_tools but tool list empty",
    "never ready",
    "always use_tools",
    "first reply not JSON",
    "replies never JSON",
)


def brain_of(vector: dict[str, Any]) -> ScriptedBrain:
    words = [WORDS[word] for word in vector["orchestrator"]]
    if vector["id"] == "tool raises":
        words[0] = action("boom")
    return forever(words[0]) if "forever" in vector["orchestrator"][0] else ScriptedBrain(words)


@pytest.mark.parametrize("name", VECTORS)
def test_the_paths_are_those_of_the_original_without_its_bugs(name: str) -> None:
    vector = known(name)
    messages = run(brain_of(vector), Toolbelt() if "list empty" in name else BELT)

    assert path(messages) == (PATHS[name] if name in PATHS else " ".join(vector["seq"]))
    assert_sound(messages)


def assert_sound(messages: Sequence[Any]) -> None:
    """What holds on every path."""
    route = path(messages).split()
    assert (route[0], route[-1], route.count("F")) == ("H", "F", 1)
    assert "R" in route
    for before, here in pairwise(route):
        assert here != "C" or before == "R"
        assert here != "T" or before == "C"
        assert here != "F" or before == "R"
    assert {type(one) for one in messages} <= {HumanMessage, AIMessage, ToolMessage}
    for one in messages[1:]:
        source = {"final_answer": "writer", "tool_result": "tool"}.get(one.metadata["type"], "orchestrator")
        assert one.metadata["source"] == source
    calls = [call["id"] for one in messages if isinstance(one, AIMessage) for call in one.tool_calls]
    assert calls == [one.tool_call_id for one in messages if isinstance(one, ToolMessage)]
    assert len(set(calls)) == len(calls)


def test_the_graph_has_these_nodes_and_edges() -> None:
    drawn = chat_graph(ScriptedBrain([]), BELT, Control()).get_graph()

    assert set(drawn.nodes) == {"__start__", "orchestrator", "tools", "writer", "__end__"}
    assert {(edge.source, edge.target, edge.conditional) for edge in drawn.edges} == {
        ("__start__", "orchestrator", False),
        ("orchestrator", "orchestrator", True),
        ("orchestrator", "tools", True),
        ("orchestrator", "writer", True),
        ("tools", "orchestrator", False),
        ("writer", "__end__", False),
    }


def test_the_state_is_the_messages_and_readiness() -> None:
    assert set(State.__annotations__) == {"messages", "ready_to_answer"}
    graph = chat_graph(ScriptedBrain([]), BELT, Control())
    assert set(graph.get_output_jsonschema()["properties"]) == {"messages", "ready_to_answer"}


def test_two_tools_one_after_the_other() -> None:
    brain = ScriptedBrain([USE, THINK, action("add", first=4, second=4), READY])
    assert path(run(brain)) == "H R C T R R C T R F"


def test_what_a_message_holds() -> None:
    _, first, call, result, last, answer = run(ScriptedBrain([USE, READY]))

    assert (first.content, last.content, answer.content) == ("I use add.", "I know enough.", "It is 4.")
    assert [(one["name"], one["args"]) for one in call.tool_calls] == [("add", {"first": 2, "second": 2})]
    assert (result.content, result.artifact, result.status) == ("2 + 2 = 4", {"sum": 4}, "success")
    assert answer.metadata == {"type": "final_answer", "source": "writer", "done": True}


# What a reply means ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        THINK,
        "Thought: There is more to think of.",
        action("think", about="what is missing"),
        {"scratchpad": "There is more to think of.", "action": None},
    ],
    ids=["a thought alone", "in lines", "the tool think", "with no action"],
)
@pytest.mark.parametrize("known_tool", [False, True])
def test_a_thought_alone_is_a_thought(reply: object, *, known_tool: bool) -> None:
    @tool
    def think(about: str) -> str:
        """Think once more."""
        raise AssertionError(about)

    assert path(run(ScriptedBrain([reply, READY]), Toolbelt(add, think) if known_tool else BELT)) == "H R R F"


@pytest.mark.parametrize("reply", [{"answer": "4"}, "Observation: 4", {"thought": " ", "answer": "4"}])
def test_a_reply_without_a_thought_is_asked_for_again(reply: object) -> None:
    brain = ScriptedBrain([reply, READY])
    assert path(run(brain)) == "H R F"
    assert "could not be used" in brain.prompts[1].text


def test_an_unknown_tool_is_an_error_for_the_model() -> None:
    brain = ScriptedBrain([action("ad", first=1), READY])
    assert path(run(brain)) == "H R R F"
    assert "UNKNOWN_TOOL: There is no tool named 'ad'. Did you mean add?" in brain.prompts[1].scratchpad


@pytest.mark.parametrize("belt", [BELT, standard_toolbelt(None, add)], ids=["tools alone", "with finish and fail"])
def test_finish_and_fail_end_a_thread_and_are_no_graph_tools(belt: Toolbelt) -> None:
    finished = run(ScriptedBrain([action("finish", summary="Done so.", evidence=["a"])]), belt)
    failed = run(ScriptedBrain([action("fail", reason="No paper.")]), belt)

    assert (path(finished), path(failed)) == ("H R F", "H R F")
    assert (finished[-1].content, finished[-1].metadata["done"]) == ("Done so.", True)
    assert (failed[-1].content, failed[-1].metadata["done"]) == ("No paper.", False)
    ending = {"done": True, "summary": "Done so.", "evidence": ["a"], "kind": None, "result": None}
    assert finished[1].metadata["ending"] == ending


def test_an_end_with_wrong_arguments_is_none() -> None:
    brain = ScriptedBrain([action("finish", words="Done."), READY])
    assert path(run(brain)) == "H R R F"
    assert "INVALID_ARGS: finish:" in brain.prompts[1].scratchpad


# Limits and failures -----------------------------------------------------------------------------------------------


def test_a_model_that_is_never_ready_gives_its_best_answer() -> None:
    brain = ScriptedBrain([THINK, THINK, {"thought": "So far.", "answer": "Perhaps 4."}])
    messages = run(brain, most=2)

    assert path(messages) == "H R R F"
    told = "The limit of 2 thoughts was reached before an answer. The best answer so far: Perhaps 4."
    assert (messages[-1].content, messages[-1].metadata["done"]) == (told, False)
    assert "No step is left" in brain.prompts[-1].text


def test_a_brain_that_always_uses_tools_ends_and_says_so() -> None:
    brain = forever(USE)
    messages = run(brain)

    assert messages[-1].content == "The limit of 30 thoughts was reached before an answer."
    assert len(brain.prompts) == MAX_THOUGHTS + 1
    assert describe(UNUSED) in brain.prompts[-1].scratchpad


def test_a_brain_that_is_never_read_ends_and_says_so() -> None:
    brain = forever(GARBAGE)
    answer = run(brain)[-1]

    told = "There is no answer. The model gave no usable reply, 4 times in a row. The reply holds no JSON object."
    assert (answer.content, answer.metadata["done"]) == (f"{told} Its last words: {GARBAGE!r}.", False)
    assert len(brain.prompts) == 4


def test_a_brain_that_is_not_read_later_ends_too() -> None:
    assert path(run(ScriptedBrain([USE, *[GARBAGE] * 4]))) == "H R C T R F"


def test_a_limit_is_at_least_one_thought() -> None:
    assert path(run(ScriptedBrain([USE, GARBAGE]), most=1)) == "H R F"
    with pytest.raises(UsageError, match="at least one thought, not 0"):
        chat_graph(ScriptedBrain([]), BELT, Control(), most=0)


def test_a_failing_tool_is_thought_of_and_the_answer_says_so() -> None:
    brain = ScriptedBrain([action("boom"), {"thought": "It is not there.", "answer": "There is no file a.txt."}])
    messages = run(brain)

    assert path(messages) == "H R C T R F"
    assert messages[3].status == "error"
    assert "Error 1: FILE_NOT_FOUND: There is no file a.txt. Say which one" in brain.prompts[1].scratchpad
    assert messages[-1].content == "There is no file a.txt."


def test_wrong_arguments_are_an_error_of_the_call() -> None:
    messages = run(ScriptedBrain([action("add", first="many"), READY]))
    assert path(messages) == "H R C T R F"
    assert str(messages[3].content).startswith("INVALID_ARGS: add: ")


def test_an_observation_is_read_from_the_artifact_and_never_from_the_text() -> None:
    failed = run(ScriptedBrain([action("add", first="many"), READY]))[3]
    known = Toolbelt(add).call(Action("add", {"first": "many"}), Control()).observation
    assert _observation(failed) == known
    assert known.error is not None
    assert known.error.hints

    others = ToolMessage("DENIED: my own words", tool_call_id="1", status="error", artifact={"code": "DENIED"})
    assert _observation(others).error == Problem("TOOL_ERROR", "DENIED: my own words")


def test_a_desktop_that_is_lost_is_no_result_of_a_tool() -> None:
    @tool
    def look() -> str:
        """Look."""
        raise DesktopError("The display went away.")

    with pytest.raises(DesktopError, match="went away"):
        run(ScriptedBrain([action("look"), READY]), Toolbelt(look))


class Failing:
    """A model that fails once, after some replies."""

    name, sight = "failing", 0
    space: Space = "pixels"

    def __init__(self, error: Exception, *replies: object) -> None:
        self.error: Exception | None = error
        self.replies = list(replies)

    def think(self, _prompt: Prompt) -> Reply:
        if len(self.replies) == 1 and self.error:
            error, self.error = self.error, None
            raise error
        return Reply(json.dumps(self.replies.pop(0)))


def test_no_reply_is_no_answer() -> None:
    with pytest.raises(ModelError, match="out of reach"):
        run(Failing(ModelError("It is out of reach."), READY))


def test_a_model_that_is_busy_is_asked_again() -> None:
    assert path(run(Failing(BusyError("Later.", wait=0.0), USE, READY))) == "H R C T R F"


def test_a_stop_ends_the_graph() -> None:
    control, begun, over = Control(), threading.Event(), threading.Event()

    class Slow(ScriptedBrain):
        def think(self, prompt: Prompt) -> Reply:
            begun.set()
            over.wait(60)
            return super().think(prompt)

    def stop() -> None:
        begun.wait(60)
        control.stop()

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(Halt):
        chat_graph(Slow([READY]), BELT, control).invoke({"messages": [HumanMessage(QUESTION)]})
    over.set()


# Purity ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "replies", "keys"),
    [
        ("orchestrator", [USE], {"messages", "ready_to_answer"}),
        ("orchestrator", [READY], {"messages", "ready_to_answer"}),
        ("orchestrator", [GARBAGE] * 4, {"messages", "ready_to_answer"}),
        ("writer", [READY], {"messages"}),
    ],
)
def test_a_node_gives_back_what_it_adds_and_changes_nothing(node: str, replies: list[object], keys: set[str]) -> None:
    state: Any = {"messages": run(ScriptedBrain([USE, READY]))[:-2], "ready_to_answer": False}
    before = copy.deepcopy(state)
    graph = chat_graph(ScriptedBrain(replies), BELT, Control())
    given: Any = graph.nodes[node].bound.invoke(state)

    assert state == before
    assert set(given) == keys
    assert not {one.id for one in given["messages"]} & {one.id for one in before["messages"]}


def test_every_node_of_a_run_adds_and_changes_nothing() -> None:
    graph = chat_graph(ScriptedBrain([USE, THINK, READY]), BELT, Control())
    seen: list[list[BaseMessage]] = []
    states: Iterator[Any] = graph.stream({"messages": [HumanMessage(QUESTION)]}, stream_mode="values")
    for state in states:
        seen.append(copy.deepcopy(state["messages"]))
        for earlier in seen:
            assert state["messages"][: len(earlier)] == earlier
    assert len(seen) == 6


def test_a_system_message_is_no_part_of_a_thread() -> None:
    graph = chat_graph(ScriptedBrain([READY]), BELT, Control())
    with pytest.raises(UsageError, match="A SystemMessage cannot be in a thread"):
        graph.invoke({"messages": [SystemMessage("Be brief."), HumanMessage(QUESTION)]})


def test_the_system_part_is_in_every_prompt_and_in_no_message() -> None:
    brain = ScriptedBrain([USE, READY])
    messages = run(brain)
    assert all("You are MARK-I" in prompt.system and "- add(first" in prompt.system for prompt in brain.prompts)
    assert not any("You are MARK-I" in str(one.content) for one in messages)


def test_a_messages_kind_survives_dictionaries() -> None:
    messages = run(ScriptedBrain([action("nope"), USE, READY]))
    assert messages_from_dict(messages_to_dict(messages)) == messages
    assert "metadata" not in json.dumps(convert_to_openai_messages(messages))


@pytest.mark.usefixtures("processes")
def test_the_functions_know_no_framework() -> None:
    code = "import sys, mark_i.workflows.nodes.thread; print([one for one in sys.modules if one.startswith('lang')])"
    assert python(code).stdout.strip() == "[]"


def test_what_comes_next_follows_from_the_entries() -> None:
    asked, thought, call = Entry("question", "?"), Entry("reasoning", "Hm."), Entry("tool_call", "", Action("add"))
    assert ahead([asked, thought], 2, ready=False) == "orchestrator"
    assert ahead([asked, thought], 1, ready=False) == "writer"
    assert ahead([asked, thought], 2, ready=True) == "writer"
    assert ahead([asked, thought, call], 1, ready=True) == "tools"
    assert thoughts([asked, thought, Entry("final_answer", "!"), asked, thought, thought]) == 2
    assert [step.action.tool for step in steps([asked, thought, thought, call, Entry("tool_result", "4")])] == [
        "think",
        "add",
    ]


# Sessions ----------------------------------------------------------------------------------------------------------


def test_the_second_question_is_told_the_first_pair() -> None:
    first = run(ScriptedBrain([USE, READY]))
    assert answers_in(first) == ((QUESTION, "It is 4."),)

    brain = ScriptedBrain([THINK, READY])
    messages = run(brain, history=answers_in(first))
    assert path(messages) == "H R R F"
    for prompt in brain.prompts:
        assert prompt.text.startswith(f"# Earlier\nQuestion: {QUESTION}\nAnswer: It is 4.\n")
        assert "add(" not in prompt.scratchpad  # what was done for it is not told again


def test_a_thread_may_go_on_with_another_question() -> None:
    brain = ScriptedBrain([USE, READY, {"thought": "That is 8.", "answer": "8"}])
    graph = chat_graph(brain, BELT, Control(), checkpointer=InMemorySaver())
    graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread("a"))
    messages = graph.invoke({"messages": [HumanMessage("And twice that?")]}, thread("a"))["messages"]

    assert path(messages) == "H R C T R F H R F"
    assert answers_in(messages) == ((QUESTION, "It is 4."), ("And twice that?", "8"))
    assert brain.prompts[-1].goal == "And twice that?"
    assert brain.prompts[-1].earlier == ((QUESTION, "It is 4."),)
    assert brain.prompts[-1].scratchpad == ""


def test_another_thread_knows_nothing_of_the_first() -> None:
    brain = ScriptedBrain([READY, READY])
    graph = chat_graph(brain, BELT, Control(), checkpointer=InMemorySaver())
    for name in ("a", "b"):
        assert path(graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread(name))["messages"]) == "H R F"
    assert brain.prompts[-1].earlier == ()


def test_messages_of_others_are_read_as_what_they_are() -> None:
    brain = ScriptedBrain([READY])
    said: list[Any] = [
        HumanMessage("Hello."),
        AIMessage("Hello, too."),
        HumanMessage(QUESTION),
        HumanMessage("In words."),
    ]
    chat_graph(brain, BELT, Control()).invoke({"messages": said})
    assert brain.prompts[0].earlier == (("Hello.", "Hello, too."),)
    assert brain.prompts[0].goal == f"{QUESTION}\n\nIn words."


def test_a_question_without_an_answer_is_no_pair() -> None:
    asked, no = Entry("question", "?"), Entry("final_answer", "No.", ending=Ending(done=False, summary="No."))
    assert list(pairs([asked, no, asked, Entry("final_answer", "Yes.")])) == [("?", "Yes.")]


@pytest.mark.parametrize("messages", [[], [HumanMessage("?"), AIMessage("!")]])
def test_without_a_question_there_is_nothing_to_answer(messages: list[Any]) -> None:
    with pytest.raises(UsageError, match="no question to answer"):
        chat_graph(ScriptedBrain([READY]), BELT, Control()).invoke({"messages": messages})


# Checkpoints -------------------------------------------------------------------------------------------------------


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def test_another_graph_resumes_a_thread_whose_model_failed() -> None:
    saver = InMemorySaver()
    brain = Failing(ModelError("It is out of reach."), action("nope"), USE, READY)
    with pytest.raises(ModelError):
        chat_graph(brain, BELT, Control(), checkpointer=saver).invoke(
            {"messages": [HumanMessage(QUESTION)]}, thread("a")
        )

    fresh = ScriptedBrain([READY])
    graph = chat_graph(fresh, BELT, Control(), checkpointer=saver)
    assert path(graph.get_state(thread("a")).values["messages"]) == "H R R C T"
    assert path(graph.invoke(None, thread("a"))["messages"]) == "H R R C T R F"
    assert "UNKNOWN_TOOL" in fresh.prompts[0].scratchpad
    assert "Observation 2: 2 + 2 = 4" in fresh.prompts[0].scratchpad


def test_from_every_saved_state_the_route_is_the_same() -> None:
    replies: list[object] = [THINK, USE, action("nope"), action("boom"), READY]
    saver = InMemorySaver()
    graph = chat_graph(ScriptedBrain(replies), BELT, Control(), checkpointer=saver)
    whole = graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread("a"))["messages"]
    states = [state for state in graph.get_state_history(thread("a")) if state.next and state.next != ("__start__",)]

    assert len(states) == 8  # five thoughts, two tools, one answer
    for state in states:
        here = state.values["messages"]
        left = replies[path(here).count("R") :]
        again = chat_graph(ScriptedBrain(left), BELT, Control(), checkpointer=saver).invoke(None, state.config)[
            "messages"
        ]
        assert path(again) == path(whole) == "H R R C T R R C T R F"
        assert [one.content for one in again] == [one.content for one in whole]
        assert again[: len(here)] == here


# Real tools --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("code", "seconds", "status", "said"),
    [
        ("2 + 2", 120, "success", "4"),
        ("1 / 0", 120, "error", "ZeroDivisionError"),
        ("while True: pass", 2, "error", "TIMEOUT: The code still ran after 2 s and was ended"),
    ],
)
def test_python_is_a_tool_of_the_graph(
    control: Control, tmp_path: Path, code: str, seconds: float, status: str, said: str
) -> None:
    brain = ScriptedBrain([action("python_repl", code=code), READY])
    with closing(Python(control, tmp_path, seconds=seconds)) as repl:
        messages = run(brain, standard_toolbelt(None, repl))

    assert path(messages) == "H R C T R F"
    assert messages[3].status == status
    assert said in str(messages[3].content)
    assert said in brain.prompts[1].scratchpad


def test_a_failed_search_without_a_tavily_key_is_answered(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDGS_PROXY", "http://127.0.0.1:9")  # nothing listens there
    brain = ScriptedBrain([action("search_web", query="lighthouse"), READY])
    messages = run(brain, standard_toolbelt(None, Web(control)))

    assert path(messages) == "H R C T R F"
    assert messages[3].status == "error"
    assert "NETWORK_ERROR" in brain.prompts[1].scratchpad


def test_without_a_search_the_answer_comes_all_the_same() -> None:
    assert path(run(ScriptedBrain([action("search_web", query="lighthouse"), READY]))) == "H R R F"


# Not at all --------------------------------------------------------------------------------------------------------


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=250)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("missing", ["langgraph", "langchain_core"])
def test_without_the_extra_the_import_says_what_to_install(missing: str) -> None:
    done = python(f"import sys; sys.modules[{missing!r}] = None; import mark_i.workflows.langgraph")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: Lang")
    assert last.endswith("is not installed. Install it: pip install 'mark-i[langgraph]'")
