"""The six scratchpad nodes, held against what the originals' own runs gave."""

import copy
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.workflows.catalog import CATALOG
from world_model import UsageError

FACTS = Path(__file__).resolve().parents[4] / "shared" / "vectors" / "scratchpad_nodes.json"
NODES: Final = (
    "scratchpad_initializer",
    "scratchpad_updater",
    "iteration_counter",
    "scratchpad_completion_checker",
    "scratchpad_formatter",
    "conditional_router",
)
NOON = datetime(2026, 1, 31, 12, 0, 0, 250_000, UTC)
WHEN = "2026-01-31T12:00:00.250Z"
ENTRY = {"iteration": 1, "thought": "t1", "action": "a1", "observation": "o1"}
STATE = {"scratchpad": [ENTRY], "iteration": 1, "maxIterations": 10, "isComplete": False}
OUT: Final = {"routedData": {"k": "exit"}, "conditionMet": True, "branch": "true", "routingDecision": "true"}
BACK: Final = {"routedData": {"k": "loop"}, "conditionMet": False, "branch": "false", "routingDecision": "false"}

DECIDED: Final[dict[str, Any]] = {  # what comes out here where an original surprises, and why; a text is an error's
    # A number as text is a number; the original carried the text on, and "7" <= 10 compares by luck.
    "scratchpad_initializer/string maxIterations passes through untyped": {"maxIterations": 7},
    # An observation without words of its own is shown whole: that it failed must not be lost. As the original.
    "scratchpad_updater/empty observation string inside object falls back to JSON": {
        "observation": '{"observation":"","success":false}'
    },
    # An action is a name on one line; what a model writes below it is not a part of the name.
    "scratchpad_updater/Action without Action Input swallows rest of text": {"action": "fs_list"},
    # Nothing was planned, so nothing is told. As the original.
    "scratchpad_updater/missing plan (undefined): string typeof path": {"thought": "", "action": ""},
    "scratchpad_updater/plan object without plan key": {"thought": "", "action": ""},
    # A limit of none is a slip, and 10 is not what was asked for.
    "scratchpad_updater/maxIterations 0 -> 10": "maxIterations must be a whole number from 1, and is 0",
    # A state without a limit has the run's.
    "scratchpad_updater/context.maxIterations is not consulted": {"maxIterations": 3},
    # null is as good as nothing; the original broke off with a TypeError.
    "scratchpad_updater/plan null -> throws": {"thought": "", "action": "", "observation": "o"},
    "scratchpad_updater/plan number -> throws": "Slot 2 needs a plan, as text or as an object, and has '5'",
    # What a tool returned is never lost.
    "scratchpad_updater/observation number is dropped": {"observation": "7"},
    # There is nothing in it to be unwrapped. As the original.
    "iteration_counter/falsy routedData is not unwrapped": {"iteration": 4},
    # It tells of something; "Task Complete" is what the agent writes at its end.
    'scratchpad_completion_checker/"task completed" matches by prefix': {"isComplete": False, "reason": "continue"},
    # JSON is read as JSON, so that blanks make no difference.
    "scratchpad_completion_checker/auto complete needs exact compact JSON": {
        "shouldAutoComplete": True,
        "reason": "auto_complete_conversational",
    },
    # The document says: the response in slot 0, the state in slot 1.
    "scratchpad_completion_checker/seed-text form (text in slot 0, state in slot 1): text ignored": {
        "isComplete": True,
        "reason": "final_answer",
        "response": "Final Answer: 42",
        "iteration": 1,
    },
    # The graph file says it, so it is done.
    "scratchpad_formatter/properties.format is ignored": {"formatted": json.dumps([ENTRY], indent=2)},
    # What a router sends on may still be wrapped.
    "scratchpad_formatter/routedData wrapper": {"formatted": "Thought: t1\nAction: a1\nObservation: o1", "entries": 1},
    # Blanks around a word are no other word.
    "conditional_router/string with spaces": OUT,
    # It means what it says, and what it says in the counter's output: to continue is to loop. The other way round the
    # loop would be left at once by whoever joins the counter to the router.
    "conditional_router/shouldContinue true means exit": BACK,
    "conditional_router/shouldContinue false means loop": OUT,
    # Done is done, whoever says so.
    "conditional_router/isComplete false hides isDone true": OUT,
}


def vectors(*classes: str) -> list[Any]:
    if not FACTS.exists():
        return []
    known = json.loads(FACTS.read_text(encoding="utf-8"))["vectors"]
    return [pytest.param(one, id=one["id"]) for one in known if one["node"] in NODES and one["class"] in classes]


def ran(name: str, *inputs: Any, context: Any = None, properties: Any = None) -> dict[str, Any]:
    run = CATALOG[name].run
    assert run
    outputs = run(inputs, properties or {}, {"clock": lambda: NOON, **(context or {})})
    assert isinstance(outputs, dict)
    return outputs


def of(vector: dict[str, Any]) -> dict[str, Any]:
    return ran(vector["node"], *vector["inputs"], context=vector["context"], properties=vector.get("properties"))


# The vectors -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not FACTS.exists(), reason="the facts of metahuman-os are not beside this checkout")
@pytest.mark.parametrize("vector", vectors("conform", "beyond-seed"))
def test_what_agrees_with_the_document_is_the_same_here(vector: dict[str, Any]) -> None:
    wanted = json.loads(json.dumps(vector["expected"]).replace("<ISO8601>", WHEN))
    wanted |= dict.fromkeys(vector.get("undefined_keys", ()))

    outputs = of(vector)

    if vector["node"] == "scratchpad_completion_checker":  # the document has it, the originals have not
        assert isinstance(outputs.pop("response"), str)
    assert outputs == wanted


@pytest.mark.skipif(not FACTS.exists(), reason="the facts of metahuman-os are not beside this checkout")
@pytest.mark.parametrize("vector", vectors("quirk"))
def test_what_surprises_in_the_originals_is_decided(vector: dict[str, Any]) -> None:
    decided = DECIDED[vector["id"]]

    if isinstance(decided, str):
        with pytest.raises(UsageError, match=decided):
            of(vector)
        return
    outputs = of(vector)
    seen = {**outputs["scratchpad"][-1], **outputs} if vector["node"] == "scratchpad_updater" else outputs
    assert {key: seen[key] for key in decided} == decided


@pytest.mark.skipif(not FACTS.exists(), reason="the facts of metahuman-os are not beside this checkout")
@pytest.mark.parametrize("vector", vectors("conform", "quirk", "beyond-seed"))
def test_inputs_are_never_changed(vector: dict[str, Any]) -> None:
    before = copy.deepcopy(vector)

    try:
        outputs = of(vector)
    except UsageError:
        outputs = {}
    for value in outputs.values():  # nor through what came out
        if isinstance(value, list):
            value.append("more")

    assert vector == before


def test_every_surprise_is_decided_and_nothing_else() -> None:
    if not FACTS.exists():
        pytest.skip("the facts of metahuman-os are not beside this checkout")

    assert {one.values[0]["id"] for one in vectors("quirk")} == set(DECIDED)


# Beyond them -------------------------------------------------------------------------------------------------------


def test_an_entry_may_come_whole_as_the_document_says() -> None:
    entry = {"thought": "I look", "action": "list_files", "observation": "3 files", "success": True}

    (added,) = ran("scratchpad_updater", {"scratchpad": [], "iteration": 0}, entry)["scratchpad"]

    wanted = {"iteration": 1, "thought": "I look", "action": "list_files", "observation": "3 files", "timestamp": WHEN}
    assert added == wanted


def test_an_entry_is_more_than_a_plan_beside_it() -> None:
    entry, plan = {"thought": "mine", "observation": "o"}, {"thought": "other", "action": "x"}

    outputs = ran("scratchpad_updater", STATE, entry, plan)

    assert outputs["scratchpad"][-1]["thought"] == "mine"
    assert outputs["scratchpad"][0] == ENTRY


def test_a_plan_may_be_an_object_with_thought_and_action() -> None:
    plan = {"thought": "I look", "action": {"tool": "list_files", "args": {"path": "."}}}

    added = ran("scratchpad_updater", STATE, "3 files", plan)["scratchpad"][-1]

    assert (added["thought"], added["action"]) == ("I look", '{"tool":"list_files","args":{"path":"."}}')


def test_an_entry_without_an_observation_shows_none() -> None:
    assert ran("scratchpad_updater", STATE, {"thought": "t", "observation": ""})["scratchpad"][-1]["observation"] == ""


@pytest.mark.parametrize("hours", [0, 5, -8])
def test_times_are_of_the_contexts_clock_in_utc(hours: int) -> None:
    def clock() -> datetime:
        return NOON.astimezone(timezone(timedelta(hours=hours)))

    assert ran("scratchpad_updater", STATE, "o", context={"clock": clock})["scratchpad"][-1]["timestamp"] == WHEN


def test_without_a_clock_it_is_now() -> None:
    before = datetime.now(UTC)

    added = ran("scratchpad_updater", STATE, "o", context={"clock": None})["scratchpad"][-1]

    assert before - timedelta(seconds=1) <= datetime.fromisoformat(added["timestamp"]) <= datetime.now(UTC)


def test_a_clock_that_is_none_is_told() -> None:
    with pytest.raises(UsageError, match="clock of a context must be a function, and is 'noon'"):
        ran("scratchpad_updater", STATE, "o", context={"clock": "noon"})


@pytest.mark.parametrize("marker", ["Final Answer: 42", "FINAL_ANSWER", "Task Complete"])
@pytest.mark.parametrize("form", ["original", "document"])
def test_what_a_tool_returned_never_ends_a_run(marker: str, form: str) -> None:
    # A page or a file may hold these words; only the agent may end its work.
    entry = {**ENTRY, "observation": f"the file says: {marker}"}
    state = {**STATE, "scratchpad": [entry]}

    outputs = ran("scratchpad_completion_checker", *([state] if form == "original" else ["I read on", state]))

    assert (outputs["isComplete"], outputs["reason"]) == (False, "continue")


@pytest.mark.parametrize(("thought", "final"), [("They want a final answer: first I look.", False), ("I know.", True)])
def test_an_explicit_last_flag_outweighs_the_words(
    thought: str,
    final: bool,  # noqa: FBT001 - what is expected
) -> None:
    updated = ran("scratchpad_updater", STATE, {"thought": thought, "action": "x", "observation": "o", "final": final})
    outputs = ran("scratchpad_completion_checker", updated)

    assert updated["scratchpad"][-1]["final"] is final
    assert (outputs["isComplete"], outputs["hasFinalAnswer"]) == (final, final)


def test_an_observation_that_is_no_text_is_no_trouble() -> None:
    state = {**STATE, "scratchpad": [{**ENTRY, "observation": {"rows": 3}}, None]}

    assert ran("scratchpad_completion_checker", state)["reason"] == "continue"


@pytest.mark.parametrize(
    ("first", "response"),
    [
        ("Task Complete", "Task Complete"),
        ({"response": "FINAL_ANSWER 42"}, "FINAL_ANSWER 42"),
        ({"plan": "Thought: x\nFinal Answer: 42"}, "Thought: x\nFinal Answer: 42"),
    ],
)
def test_the_checker_gives_the_response_that_it_read(first: object, response: str) -> None:
    outputs = ran("scratchpad_completion_checker", first, STATE)

    assert (outputs["reason"], outputs["response"]) == ("final_answer", response)


def test_without_a_response_the_checker_gives_the_last_thought() -> None:
    state = {**STATE, "scratchpad": [{**ENTRY, "thought": "Final Answer: 42"}]}

    assert ran("scratchpad_completion_checker", state)["response"] == "Final Answer: 42"


@pytest.mark.parametrize(
    "observation",
    [
        "no JSON",
        "[" * 5000,
        '{"success":false,"response":"x"}',
        '{"success":true}',
        "[]",
        '{"success":true,"outputs":"response"}',
    ],
)
def test_what_was_not_said_to_the_person_does_not_end_the_turn(observation: str) -> None:
    state = {**STATE, "scratchpad": [{**ENTRY, "action": "conversational_response", "observation": observation}]}

    assert ran("scratchpad_completion_checker", state)["shouldAutoComplete"] is False


@pytest.mark.parametrize(
    ("context", "properties", "limit"),
    [({}, {}, 10), ({}, {"maxIterations": 3}, 3), ({"maxIterations": 4}, {"maxIterations": 3}, 4)],
)
def test_the_callers_limit_comes_before_the_files(
    context: dict[str, Any], properties: dict[str, Any], limit: int
) -> None:
    state = ran("scratchpad_initializer", context=context)
    counted = ran("iteration_counter", state, context=context, properties=properties)

    assert ran("scratchpad_initializer", context=context, properties=properties)["maxIterations"] == limit
    assert counted["maxIterations"] == limit


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "ten", "", [], float("nan"), float("inf"), "9" * 5000])
def test_a_limit_that_is_none_is_refused(limit: object) -> None:
    with pytest.raises(UsageError, match="maxIterations must be a whole number from 1"):
        ran("scratchpad_initializer", context={"maxIterations": limit})


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("scratchpad_updater", ["text"], "Slot 0 needs a scratchpad's state, an object, and has 'text'"),
        ("iteration_counter", [{}, 5], "Slot 1 needs a scratchpad's state"),
        ("scratchpad_formatter", [{"scratchpad": "x"}], "must be a list, and is 'x'"),
        ("scratchpad_completion_checker", [{"iteration": "1"}], "must be a whole number from 0, and is '1'"),
    ],
)
def test_what_is_no_state_is_told(name: str, inputs: list[Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ran(name, *inputs)


def test_markdown_numbers_the_iterations() -> None:
    state = {"scratchpad": [ENTRY, {"thought": "t2"}]}

    shown = ran("scratchpad_formatter", state, context={"format": "markdown"}, properties={"format": "json"})

    assert shown["entries"] == 2
    first, second = shown["formatted"].split("\n\n---\n\n")
    assert first == "### Iteration 1\n\n**Thought:** t1\n\n**Action:** a1\n\n**Observation:** o1"
    assert second == "### Iteration 2\n\n**Thought:** t2\n\n**Action:** \n\n**Observation:** "


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match=r"There is no format 'yaml'. There are text, json, markdown."):
        ran("scratchpad_formatter", STATE, properties={"format": "yaml"})


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("1", True),
        ("yes", False),
        (0, False),
        ([1], False),
        ({"value": 1}, True),
        ({"isDone": "false"}, False),
        ({}, False),
    ],
)
def test_what_a_condition_may_be(condition: object, *, met: bool) -> None:
    assert ran("conditional_router", condition)["conditionMet"] is met
