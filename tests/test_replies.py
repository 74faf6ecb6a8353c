"""Reading replies: from whatever a model wrote to one thought and one action, or to what is missing."""

import json
import math
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mark_i.replies import Decision, parse
from world_model import Action, ReplyError, Thought

UNHURRIED = settings(deadline=None)  # the machine may be busy
CLICK = Decision(Thought("I save."), Action("click", {"target": "Save"}))
PLAIN = '{"thought": "I save.", "action": {"tool": "click", "args": {"target": "Save"}}}'


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"  \n{PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"Sure! Here is my reply:\n\n{PLAIN}\n\nLet me know.",
        f"I put {{curly}} words first. {PLAIN}",
        f'The screen said {{"error": 404}}. {PLAIN}',
        f'{{"thought": "I forgot the action."}}\n{PLAIN}',
        f'{PLAIN}\n{{"thought": "Another.", "action": {{"tool": "press", "args": {{"keys": "f5"}}}}}}',
        f"{PLAIN} and then {{",
        json.dumps(json.loads(PLAIN), indent=4),
    ],
    ids=[
        "plain",
        "white space",
        "fenced as json",
        "fenced",
        "in prose",
        "after curly words",
        "after another object",
        "after an object without an action",
        "before a second decision",
        "before a stray brace",
        "indented",
    ],
)
def test_the_decision_is_found(text: str) -> None:
    assert parse(text) == CLICK


def test_an_answer_is_the_end() -> None:
    decision = parse('{"thought": "I know.", "answer": "It is 7.", "style": "default"}')

    assert decision == Decision(Thought("I know."), Action("finish", {"summary": "It is 7."}))


def test_an_action_beside_an_answer_comes_first() -> None:
    reply = json.loads(PLAIN) | {"answer": "Saved."}

    assert parse(json.dumps(reply)) == CLICK


@pytest.mark.parametrize("text", ['{"a": {"b": 1}}', PLAIN, '```json\n{"x": "}"}\n```', 'C:\\new "quoted" \n \u2028'])
def test_json_inside_a_text_is_a_text(text: str) -> None:
    reply = {"thought": text, "action": {"tool": "type_text", "args": {"text": text}}}

    assert parse(json.dumps(reply)) == Decision(Thought(text), Action("type_text", {"text": text}))


@pytest.mark.parametrize("args", ["", ', "args": null', ', "args": {}'])
def test_a_tool_without_arguments_needs_none(args: str) -> None:
    assert parse(f'{{"action": {{"tool": "look"{args}}}}}') == Decision(Thought(""), Action("look", {}))


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("", "holds no JSON object"),
        ("I would click Save.", "holds no JSON object"),
        ("[1, 2]", "holds no JSON object"),
        ('"click"', "holds no JSON object"),
        (PLAIN[:-1], "names no action"),
        ("{}", "names no action"),
        ('{"thought": "Hm."}', "names no action"),
        ('{"thought": "Hm.", "answer": 7}', "names no action"),
        ('{"action": "click"}', "names no action"),
        ('{"action": null}', "names no action"),
        ('{"action": {}}', 'must name a "tool"'),
        ('{"action": {"tool": ""}}', 'must name a "tool"'),
        ('{"action": {"tool": 3}}', 'must name a "tool"'),
        ('{"action": {"tool": "click", "args": ["Save"]}}', 'The "args" of click must be a JSON object'),
        ('{"thought": 5, "action": {"tool": "click"}}', '"thought" must be a text'),
    ],
)
def test_what_is_missing_is_said(text: str, missing: str) -> None:
    with pytest.raises(ReplyError, match=missing):
        parse(text)


@pytest.mark.parametrize("text", ["", "{}"])
def test_the_form_is_told_to_who_did_not_keep_to_it(text: str) -> None:
    with pytest.raises(ReplyError, match=r'"thought".*"action".*"tool".*"args"'):
        parse(text)


def is_read_or_refused(text: str) -> None:
    """Any other error fails the test. What is read can be written down, in the journal and on the wire."""
    try:
        decision = parse(text)
    except ReplyError:
        return
    written = json.dumps([decision.thought.text, decision.action.to_dict()], ensure_ascii=False, allow_nan=False)
    assert written.encode()


PIECES = ["{", "}", "[", "]", ":", ",", '"', "\\", "```", "thought", "action", "tool", "args", "answer", "1e999", " "]
SNIPPETS = st.lists(st.sampled_from([*PIECES, '{"action":', '{"tool":', '"x"', "{}", PLAIN]), max_size=12).map("".join)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PIECES), inner, max_size=4),
    max_leaves=8,
)


@UNHURRIED
@given(st.text() | SNIPPETS)
def test_any_text_is_read_or_refused(text: str) -> None:
    is_read_or_refused(text)


@UNHURRIED
@given(VALUES)
def test_any_json_is_read_or_refused(value: object) -> None:
    is_read_or_refused(json.dumps(value))


@UNHURRIED
@given(st.text(st.characters()), VALUES)
@example("half of a pair: \ud83d", None)
@example("no number", math.nan)
@example("too large for one", math.inf)
def test_any_thought_and_any_arguments_are_read_or_refused(thought: str, value: object) -> None:
    is_read_or_refused(json.dumps({"thought": thought, "action": {"tool": "click", "args": {"target": value}}}))


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"a":[', '{"action":{"tool":"t","args":{"x":'])
def test_nesting_without_an_end_is_refused(opening: str) -> None:
    is_read_or_refused(opening * 2000)
    is_read_or_refused(f'{{"action": {{"tool": "t", "args": {{"x": {"[" * 2000}{"]" * 2000}}}}}}}')


def test_a_model_that_stammers_does_not_hold_up_the_run() -> None:
    began = time.monotonic()

    is_read_or_refused("{" * 150_000)

    assert time.monotonic() - began < 3
