"""Reading replies: from whatever a model wrote to one thought and one action, or to what is missing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from PIL import Image

from mark_i.prompts.coordinates import Spaces, to_pixels
from mark_i.replies import Decision, UndecidedError, parse
from mark_i.replies.forms import NOTHING
from mark_i.replies.vocabulary import is_known
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import Tool
from world_model import Action, ReplyError, Thought, ToolFailure

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "replies.json").read_text(encoding="utf-8"))["vectors"]
READ = [vector for vector in VECTORS if "action" in vector]
VOCABULARIES = {"Anthropic", "OpenAI", "Gemini", "UI-TARS"}
CLICK = Decision(Thought("I save."), Action("click", {"target": "Save"}))
PLAIN = '{"thought": "I save.", "action": {"tool": "click", "args": {"target": "Save"}}}'


def named(vector: dict[str, Any]) -> str:
    return f"{vector['form']}: {vector['id']}"


# What models really say --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", READ, ids=named)
def test_a_reply_is_read_in_every_form(vector: dict[str, Any]) -> None:
    action = Action.from_dict(vector["action"])

    assert parse(vector["text"]) == Decision(Thought(vector["thought"]), action, vector["style"], vector.get("consent"))


@pytest.mark.parametrize("vector", [vector for vector in VECTORS if "refused" in vector], ids=named)
def test_what_cannot_be_used_is_refused_with_the_reason(vector: dict[str, Any]) -> None:
    with pytest.raises(ReplyError) as refusal:
        parse(vector["text"])

    assert vector["refused"] in str(refusal.value)


def test_what_is_put_into_our_words_is_what_our_tools_take() -> None:
    """And what has no counterpart is left for them to refuse: nothing is done that was not meant."""
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (640, 480)))
    tools = {tool.name: tool for tool in standard_toolbelt(Eyes(desktop, Control()))}
    told = [
        (one, to_pixels(Action.from_dict(one["action"]), Spaces("thousandths", desktop.region, desktop.region.size)))
        for one in READ
    ]
    ours = [(one, action) for one, action in told if one["form"] in VOCABULARIES and action.tool in tools]

    taken = {named(one) for one, action in ours if is_taken(tools[action.tool], action)}

    assert taken == {named(one) for one, _ in ours if not one.get("refused_by_the_tool")}
    assert len(taken) > 30


def is_taken(tool: Tool, action: Action) -> bool:
    try:
        tool.validated(action.args)
    except ToolFailure:
        return False
    return True


# What stands around it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"  \n{PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"Sure! Here is my reply:\n\n{PLAIN}\n\nLet me know.",
        f"I put {{curly}} words first. {PLAIN}",
        f'The screen said {{"error": 404}}. {PLAIN}',
        f'{{"thought": "I forgot the action."}}\n{PLAIN}',
        f'{PLAIN}\n{{"thought": "Another.", "action": {{"tool": "press", "args": {{"keys": "f5"}}}}}}',
        f"{PLAIN} and then {{",
        f'{PLAIN}\n{{"thought": "I go on',
        json.dumps(json.loads(PLAIN), indent=4),
    ],
    ids=[
        "white space",
        "fenced as json",
        "fenced",
        "in prose",
        "after curly words",
        "after another object",
        "after an object without an action",
        "before a second decision",
        "before a stray brace",
        "before what is cut off",
        "indented",
    ],
)
def test_the_decision_is_found(text: str) -> None:
    assert parse(text) == CLICK


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ('{"thought": "Hm."}', "Hm."),
        ('Well: {"a": 1} {"scratchpad": "Hm.", "action": null}', "Hm."),
        ("Thought: Hm.\nThought: And on.", "Hm.\nAnd on."),
        ('{"thought": "\\ud800Hm."}', "?Hm."),
        ("Observation: It is saved.", ""),
    ],
)
def test_a_thought_without_a_decision_is_kept(text: str, thought: str) -> None:
    with pytest.raises(UndecidedError, match="names no action") as raised:
        parse(text)
    assert raised.value.thought == thought


@pytest.mark.parametrize("text", ['{"a": {"b": 1}}', PLAIN, '```json\n{"x": "}"}\n```', 'C:\\new "quoted" \n \u2028'])
def test_json_inside_a_text_is_a_text(text: str) -> None:
    reply = {"thought": text, "action": {"tool": "type_text", "args": {"text": text}}}

    assert parse(json.dumps(reply)) == Decision(Thought(text), Action("type_text", {"text": text}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"thought":"t"}', "The thought is noted"),
        ('```json\n{"a":{"b":1}}\n```', "names no action"),
        # the first brace to the last is no JSON here; ours reads one object after the other
        ('{"a":1} and {"b":2}', "names no action"),
        ('  {"a":1}\n', "names no action"),
    ],
)
def test_the_objects_of_seed_004_are_found(text: str, expected: str) -> None:
    with pytest.raises(ReplyError, match=expected):
        parse(text)


# Every form, with anything in it -------------------------------------------------------------------------------------

NAMES = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
TOOLS = NAMES.filter(lambda name: not is_known(name) and name not in {"computer", "computer_use", "final_answer"})
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ARGS = st.dictionaries(NAMES, VALUES, max_size=4)
Form = Callable[[str, str, dict[str, Any]], str]

JSON_FORMS: dict[str, Form] = {
    "own": lambda thought, tool, args: json.dumps({"thought": thought, "action": {"tool": tool, "args": args}}),
    "own, not only ASCII": lambda thought, tool, args: json.dumps(
        {"thought": thought, "action": {"tool": tool, "args": args}}, ensure_ascii=False
    ),
    "fenced": lambda thought, tool, args: (
        f"```json\n{json.dumps({'thought': thought, 'action': {'tool': tool, 'args': args}}, indent=2)}\n```"
    ),
    "scratchpad": lambda thought, tool, args: json.dumps({"scratchpad": thought, "tool": tool, "arguments": args}),
    "tool_name": lambda thought, tool, args: json.dumps(
        {"thought": thought, "action": {"tool_name": tool, "tool_args": args}}
    ),
    "action_input": lambda thought, tool, args: json.dumps({"thought": thought, "action": tool, "action_input": args}),
    "OpenAI": lambda thought, tool, args: json.dumps(
        {"content": thought, "tool_calls": [{"function": {"name": tool, "arguments": json.dumps(args)}}]}
    ),
    "Anthropic": lambda thought, tool, args: json.dumps(
        {"thought": thought, "type": "tool_use", "name": tool, "input": args}
    ),
    "Gemini": lambda thought, tool, args: json.dumps(
        {"thought": thought, "functionCall": {"name": tool, "args": args}}
    ),
    "tag": lambda thought, tool, args: (
        f"<tool_call>{json.dumps({'thought': thought, 'name': tool, 'arguments': args})}</tool_call>"
    ),
    "Python": lambda thought, tool, args: repr({"thought": thought, "action": {"tool": tool, "args": args}}),
}
LINE_FORMS: dict[str, Form] = {
    "input": lambda thought, tool, args: f"Thought: {thought}\nAction: {tool}\nAction Input: {json.dumps(args)}",
    "call": lambda thought, tool, args: f"Thought: {thought}\nAction: {tool}({json.dumps(args)})\nObservation: made up",
    "named": lambda thought, tool, args: (
        f"Thought: {thought}\nAction: {tool}({', '.join(f'{name}={value!r}' for name, value in args.items())})"
    ),
}
LINES = st.text(st.characters(exclude_characters="{*", exclude_categories=["Cs", "Cc"])).map(str.strip)


def said(thought: str) -> str:
    """What is left of a thought: "None" and the like say nothing."""
    return "" if thought.strip().casefold() in NOTHING else thought


@pytest.mark.parametrize("form", JSON_FORMS)
@settings(max_examples=40)
@given(st.text(), TOOLS, ARGS)
def test_what_was_meant_comes_out_of_every_form_of_json(form: str, thought: str, tool: str, args: Any) -> None:
    decision = parse(JSON_FORMS[form](thought, tool, args))

    assert decision == Decision(Thought(said(thought)), Action(tool, args))


@pytest.mark.parametrize("form", LINE_FORMS)
@settings(max_examples=40)
@given(LINES, TOOLS, ARGS)
@example("None", "press", {})
def test_what_was_meant_comes_out_of_lines(form: str, thought: str, tool: str, args: Any) -> None:
    assert parse(LINE_FORMS[form](thought, tool, args)) == Decision(Thought(said(thought)), Action(tool, args))


def means_the_same_or_nothing(whole: str) -> None:
    decision = parse(whole)
    for length in range(len(whole)):
        try:
            read = parse(whole[:length])
        except ReplyError:
            continue
        assert read == decision, whole[:length]


@pytest.mark.parametrize("form", JSON_FORMS)
@settings(max_examples=20)
@given(st.text(max_size=20), TOOLS, st.dictionaries(NAMES, VALUES, max_size=2))
def test_a_reply_that_is_cut_off_means_the_same_or_nothing(form: str, thought: str, tool: str, args: Any) -> None:
    means_the_same_or_nothing(JSON_FORMS[form](thought, tool, args))


@pytest.mark.parametrize("form", LINE_FORMS)
@settings(max_examples=20)
@given(LINES, TOOLS, st.dictionaries(NAMES, VALUES, max_size=2))
def test_lines_that_are_cut_off_mean_the_same_or_nothing(form: str, thought: str, tool: str, args: Any) -> None:
    means_the_same_or_nothing(LINE_FORMS[form](thought, tool, args))


ENDLESS = ("lines: a final answer", "repaired: after thinking aloud, without its first tag")


@pytest.mark.parametrize("vector", [one for one in READ if named(one) not in ENDLESS], ids=named)
def test_nothing_means_anything_else_when_cut_off(vector: dict[str, Any]) -> None:
    """Only where a reply has no end, or no beginning, that could be missed, it cannot be known."""
    means_the_same_or_nothing(vector["text"])


@pytest.mark.parametrize(
    "text",
    [
        'Not {"tool": "click", "args": {"target": "Delete"}} but {"tool": "click", "args": {"target": "Cancel"}}',
        'Wrong: {"tool": "press", "args": {"keys": "a"}}\nRight:\n{"tool": "press", "args": {"keys": "b"}}',
        'It returned {"tool": "hammer", "price": 3}; so next: {"tool": "click", "args": {"target": "Buy"}}',
    ],
)
def test_of_two_contradicting_actions_none_is_done(text: str) -> None:
    with pytest.raises(ReplyError, match="two different actions"):
        parse(text)


def test_a_flag_beside_an_action_is_no_answer() -> None:
    told = {"thought": "t", "answer": False, "action": {"tool": "click", "args": {"target": "Save"}}}

    assert parse(json.dumps(told)).action == Action("click", {"target": "Save"})
    assert parse('{"answer": "none", "tool": "press", "arguments": {"keys": "a"}}').action.tool == "press"


def test_a_flag_says_whether_the_thought_is_the_answer() -> None:
    told = parse('{"thought": "The note says Lisbon.", "respond": true, "responseStyle": "strict"}')

    assert (told.action, told.style) == (Action("finish", {"summary": "The note says Lisbon."}), "strict")
    assert parse('{"answer": "Lisbon", "respond": true}').action == Action("finish", {"summary": "Lisbon"})
    with pytest.raises(UndecidedError):
        parse('{"thought": "Not yet.", "respond": false}')


def test_an_answer_may_bring_its_evidence() -> None:
    told = parse('{"answer": "Two.", "evidence": [{"observation": 1}]}').action

    assert told == Action("finish", {"summary": "Two.", "evidence": [{"observation": 1}]})
