"""What metahuman-os's reasoning functions gave when they were run, and what MARK-I makes of the same.

Theirs are a dozen functions over dictionaries, ours are the parts of one loop; so each fact is put to the part of ours
that answers the same question. Where ours answers otherwise, the reason stands beside it.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mark_i import AgentCore, Control, ScriptedBrain, ToolFailure, standard_toolbelt, tool
from mark_i.loop.loop_detection import LoopDetector
from mark_i.replies.values import Source
from tests.support import action
from toolbelt.belt import Toolbelt
from world_model import Action, Observation, Problem, Step, Thought, structured, told, verbatim

FACTS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "operator_reasoning.json"
pytestmark = pytest.mark.skipif(not FACTS.exists(), reason="the facts of metahuman-os are not beside this checkout")


def facts(function: str) -> list[Any]:
    if not FACTS.exists():
        return []
    vectors = json.loads(FACTS.read_text(encoding="utf-8"))["vectors"]
    return [pytest.param(vector, id=vector["id"]) for vector in vectors if vector["fn"] == function]


def test_every_kind_of_fact_is_put_to_something() -> None:
    kinds = {vector["fn"] for vector in json.loads(FACTS.read_text(encoding="utf-8"))["vectors"]}

    assert kinds == {
        "analyzeError",
        "classifyGoalIntent",
        "detectDataRetrievalIntent",
        "detectFailureLoop",
        "extractJsonBlock",
        "formatObservation(narrative, max 500)",
        "formatObservationV2(reasoning)",
        "formatScratchpadForLLM",
        "isRetryable",
        "isTerminal",
    }


RAISED: dict[str, Exception] = {  # their message as the exception that Python has for it
    "File not found": FileNotFoundError(2, "No such file", "x"),
    "ENOENT: no such file": FileNotFoundError(2, "No such file", "x"),
    "not found": FileNotFoundError(2, "No such file", "x"),
    "EACCES: permission denied": PermissionError(13, "Permission denied", "x"),
    "Invalid path: permission": PermissionError(13, "Permission denied", "x"),
    "Network unreachable": ConnectionError("Network unreachable"),
    "ECONNREFUSED": ConnectionRefusedError("Connection refused"),
    "Timeout": TimeoutError(),
    "Invalid args": ToolFailure("INVALID_ARGS", "Invalid args"),
}
OTHER_CODES = {  # theirs guess from words in a message; ours come from the kind of the error
    "Timeout": "TIMEOUT",  # a code of its own: the network may have nothing to do with it
    "task not found": None,  # a task list is no part of MARK-I
    "Task not found": None,
    "Page not found": None,
    "Skill 'xyz' not found": "UNKNOWN_TOOL",
}


@pytest.mark.parametrize("fact", facts("analyzeError"))
def test_an_error_has_a_code(fact: dict[str, Any]) -> None:
    name, _, message = fact["args"]
    expected = OTHER_CODES.get(message, fact["expected"]["code"])
    if expected is None or expected == "TASK_NOT_FOUND":
        return

    @tool
    def fs() -> None:
        """Raise it."""
        raise RAISED[message]

    called = "xyz" if expected == "UNKNOWN_TOOL" else "fs"
    error = Toolbelt(fs).call(Action(called), Control()).observation.error

    assert error is not None
    assert error.code == expected, name


OURS = {"SKILL_NOT_FOUND": "UNKNOWN_TOOL", "UNKNOWN_ERROR": "TOOL_ERROR", "TASK_NOT_FOUND": "TARGET_NOT_FOUND"}


@pytest.mark.parametrize("fact", [*facts("isRetryable"), *facts("isTerminal")])
def test_no_error_is_tried_again_by_itself_and_none_ends_a_run(fact: dict[str, Any]) -> None:
    """Theirs ends the run at wrong arguments and unknown tools; ours tells the model and goes on."""
    calls = []

    @tool(risk="look")
    def look() -> None:
        """Fail."""
        calls.append(1)
        raise ToolFailure(OURS.get(fact["args"][0], fact["args"][0]), "It failed.")

    brain = ScriptedBrain([action("look"), {"answer": "It failed."}])
    agent = AgentCore(brain, standard_toolbelt(None, look))

    assert agent.execute_command("look").summary == "It failed."
    assert (len(calls), len(agent.world_model)) == (1, 2)


def _step(entry: dict[str, Any], index: int) -> Step:
    action, seen = entry["action"], entry["observation"]
    error = seen.get("error")
    problem = Problem(error["code"], error["message"]) if error else None
    observation = Observation(ok=seen["success"], text=seen["content"], error=problem)
    return Step(index, Thought(entry["thought"]), Action(action["tool"], action["args"]), observation)


@tool(risk="look")
def fs_read(path: str) -> str:
    """Read a file."""
    return path


@tool(risk="look")
def fs_list() -> str:
    """List files."""
    return "a.txt"


LOOPS_OTHERWISE = {
    "detectFailureLoop/key order matters (quirk)": True,  # the order of keys says nothing
    "detectFailureLoop/success of same action does not reset": False,  # what has worked may work again
}


@pytest.mark.parametrize("fact", facts("detectFailureLoop"))
def test_the_third_time_of_a_failing_action_is_stopped(fact: dict[str, Any]) -> None:
    entries, action = fact["args"]
    steps = [_step(entry, index) for index, entry in enumerate(entries, 1)]
    repeats = LoopDetector(standard_toolbelt(None, fs_read, fs_list), steps)

    refusal = repeats.refusal(Action(action["tool"], action["args"]))

    assert (refusal is not None) is LOOPS_OTHERWISE.get(fact["id"], fact["expected"]["isLoop"])
    if refusal and refusal.error:
        assert refusal.error.code == "FILE_NOT_FOUND"
        assert "Consider" in refusal.error.hints[0]


@tool(risk="write")
def change_it() -> str:
    """Change it."""
    return "Changed."


@pytest.mark.parametrize("fact", facts("detectDataRetrievalIntent"))
def test_data_is_shown_directly_because_the_brain_says_so(fact: dict[str, Any]) -> None:
    """Theirs looks for words in the goal, and finds "get" in "forget"; ours takes the brain's word, in any language."""
    [goal] = fact["args"]

    for style in ({"style": "verbatim"}, {}):
        brain = ScriptedBrain([{**action("fs_list"), **style}, {"answer": "Hm."}])
        agent = AgentCore(brain, standard_toolbelt(None, fs_list))
        assert agent.execute_command(goal).direct is bool(style)


@pytest.mark.parametrize("fact", facts("classifyGoalIntent"))
def test_a_deed_must_be_done_because_the_brain_says_so(fact: dict[str, Any]) -> None:
    """Theirs looks for words in the goal, and finds "git" in "digital"; ours takes the brain's word."""
    [goal] = fact["args"]
    kind = "deed" if fact["expected"].startswith("action_") else "answer"
    end = action("finish", summary="So it is.", kind=kind)
    agent = AgentCore(ScriptedBrain([end, action("change_it"), end]), standard_toolbelt(None, change_it))

    agent.execute_command(goal)

    assert len(agent.world_model) == (3 if kind == "deed" else 1)


@pytest.mark.parametrize("fact", facts("extractJsonBlock"))
def test_json_is_found_in_what_is_around_it(fact: dict[str, Any]) -> None:
    source = Source(fact["args"][0])
    start = source.opening()
    assert start is not None

    found = source.object_at(start).value

    if "two objects" in fact["id"]:  # theirs takes from the first brace to the last, which is no JSON at all
        assert found == {"a": 1}
    else:
        assert found == json.loads(fact["expected"])


SCRATCHPADS: dict[str, Callable[[str], str]] = {
    "formatScratchpadForLLM/empty": lambda _text: "",  # the prompt says so itself: "(Nothing yet: ...)"
    # a call is written with spaces, and an error under its own name, with the code that theirs leaves out
    "formatScratchpadForLLM/one ok": lambda text: text.replace('"path":"x"', '"path": "x"'),
    "formatScratchpadForLLM/error shows message only": lambda _text: (
        'Thought 1: t\nAction 1: fs_read({"path": "x"})\nError 1: FILE_NOT_FOUND: boom'
    ),
}


@pytest.mark.parametrize("fact", facts("formatScratchpadForLLM"))
def test_the_scratchpad_reads_like_theirs(fact: dict[str, Any]) -> None:
    if fact["id"] not in SCRATCHPADS:  # a thought without an action is no step here: it is asked for one
        assert all("action" not in entry for entry in fact["args"][0])
        return
    steps = [_step(entry, index) for index, entry in enumerate(fact["args"][0], 1)]

    assert told(steps) == SCRATCHPADS[fact["id"]](fact["expected"])


@pytest.mark.parametrize("fact", facts("formatObservationV2(reasoning)"))
def test_what_a_tool_returned_is_told_whole(fact: dict[str, Any]) -> None:
    """Verbatim is theirs to the letter. Structured is laid out for any data, where theirs knows its tools by name."""
    _, result, mode = fact["args"]
    expected = fact["expected"]["content"]
    if not result["success"]:
        assert "Error" in expected
        return
    if mode == "verbatim":
        assert verbatim(result["outputs"]) == expected
    if mode == "structured" and "directories" in result["outputs"]:
        assert structured(result["outputs"]) == "files (2):\n  - a\n  - b\ndirectories (1):\n  - d"
    if mode == "structured" and not result["outputs"]:
        assert structured(result["outputs"]) == "(empty)"


@pytest.mark.parametrize("fact", facts("formatObservation(narrative, max 500)"))
def test_nothing_that_a_tool_returned_is_left_out(fact: dict[str, Any]) -> None:
    """Theirs leaves out from the sixth entry on; ours keeps all, and cuts in the prompt alone."""
    [result] = fact["args"]
    outputs = (result or {}).get("outputs")
    if not outputs:
        return

    text = structured(outputs)

    for value in _leaves(outputs):
        assert value in text


def _leaves(data: Any) -> list[str]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        return [leaf for one in data for leaf in _leaves(one)]
    return [str(data)]
