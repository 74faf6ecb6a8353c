"""A reply with several actions: the first is done, and model, log and journal say that the others were dropped."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import AgentCore, ScriptedBrain, standard_toolbelt, tool
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.loop.foresight import Foresight
from mark_i.replies import parse
from mark_i.testing import ANTHROPIC, GEMINI, OPENAI, ModelServer, Protocol
from tests.odd_replies import candidate, choice, message, odd
from tests.support import action
from world_model import Journal, ReplyError

ONE, TWO, THREE = action("note", text="1"), action("note", text="2"), action("read", name="3")
FINISH: Final = action("finish", summary="Noted.")
INNER: Final = [one["action"] for one in (ONE, TWO, THREE)]

SEVERAL: Final = {
    "two objects": f"{json.dumps(ONE)}\n{json.dumps(TWO)}",
    "two fences": f"```json\n{json.dumps(ONE)}\n```\n```json\n{json.dumps(TWO)}\n```",
    "a list": json.dumps([ONE, TWO]),
    "a list of actions": json.dumps({"thought": "t", "action": INNER[:2]}),
    "a list named actions": json.dumps({"thought": "t", "actions": INNER[:2]}),
    "native calls": json.dumps(
        {
            "tool_calls": [{"function": {"name": "note", "arguments": '{"text": "1"}'}}] * 1
            + [{"function": {"name": "note", "arguments": '{"text": "2"}'}}]
        }
    ),
    "lines": 'Thought: t\nAction: note\nAction Input: {"text": "1"}\nAction: note\nAction Input: {"text": "2"}\n',
    "calls in lines": 'Thought: t\nAction: note(text="1")\nAction: note(text="2")\n',
}


@tool(risk="write")
def note(text: str) -> str:
    """Note a text."""
    return f"Noted {text}."


@tool(risk="look")
def read(name: str) -> str:
    """Read a page."""
    return f"Page {name}."


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL)
def test_the_first_of_several_actions_counts_and_the_others_are_known(text: str) -> None:
    decision = parse(text)
    assert dict(decision.action.args) == {"text": "1"}
    assert [dict(one.args) for one in decision.dropped] == [{"text": "2"}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ONE),
        f"{json.dumps(ONE)}\n{json.dumps(ONE)}",
        f"{json.dumps({'thought': 'a plan'})}\n{json.dumps(ONE)}",
        'Action: note\nAction Input: {"text": "1"}\nObservation: Noted 1.\nAction: note\nAction Input: {"text": "2"}\n',
    ],
)
def test_one_action_drops_nothing(text: str) -> None:
    assert parse(text).dropped == ()


def test_others_that_cannot_be_read_do_not_spoil_the_first() -> None:
    decision = parse(json.dumps({"thought": "t", "action": [INNER[0], {"tool": "???", "args": 5}, INNER[2]]}))
    assert [one.tool for one in decision.dropped] == ["read"]
    with pytest.raises(ReplyError, match="two different actions"):
        parse(f"{json.dumps(ONE)} No, rather this: {json.dumps(TWO)}")


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL)
def test_model_log_and_journal_say_that_the_others_were_dropped(text: str, tmp_path: Path) -> None:
    brain = ScriptedBrain([text, THREE, FINISH])
    journal = Journal(tmp_path, {"goal": "note it"})
    agent = AgentCore(brain, standard_toolbelt(None, note, read), journal=journal)
    told = [event.data["text"] for event in agent.run("note it") if event.event == "notice"]
    assert told == [
        "The last reply had 2 actions. Only the first, note, was used; dropped: note. Give one action in a reply."
    ]
    assert [told[0] in prompt.text for prompt in brain.prompts] == [False, True, False]
    prompts = (journal.folder / "prompts.jsonl").read_text().splitlines()
    assert ["dropped: note" in one for one in prompts] == [False, True, False]
    assert [step.action.tool for step in agent.world_model] == ["note", "read", "finish"]


def call(name: str, /, **args: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": name, "input": args}


def function(name: str, /, **args: Any) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}


NATIVE: Final[list[tuple[str, Protocol, dict[str, Any]]]] = [
    ("anthropic", ANTHROPIC, message("tool_use", call("note", text="1"), call("read", name="2"))),
    ("openai", OPENAI, choice("tool_calls", None, tool_calls=[function("note", text="1"), function("read", name="2")])),
    *[
        (
            vendor,
            GEMINI,
            candidate(
                "STOP",
                {"functionCall": {"name": "note", "args": {"text": "1"}}},
                {"functionCall": {"name": "read", "args": {"name": "2"}}},
            ),
        )
        for vendor in ("gemini", "gemini-legacy")
    ],
]


@pytest.mark.parametrize(("vendor", "protocol", "body"), NATIVE)
def test_further_native_calls_are_told_as_dropped(vendor: str, protocol: Protocol, body: dict[str, Any]) -> None:
    with ModelServer(odd(protocol, body), [FINISH] * 2) as server:
        brain = brain_named(vendor, Access(lambda _vendor: server.key, server.base_url))
        agent = AgentCore(brain, standard_toolbelt(None, note, read))
        agent.execute_command("note it")
    assert [step.action.tool for step in agent.world_model] == ["note", "finish"]
    assert "Only the first, note, was used; dropped: read." in server.received[1].text


@pytest.mark.parametrize(("vendor", "protocol", "body"), NATIVE)
def test_several_native_calls_are_a_plan(vendor: str, protocol: Protocol, body: dict[str, Any]) -> None:
    toolbelt = standard_toolbelt(None, note, read)
    with ModelServer(odd(protocol, body), [FINISH] * 2) as server:
        brain = brain_named(vendor, Access(lambda _vendor: server.key, server.base_url))
        agent = AgentCore(Foresight(brain, 5, toolbelt, None), toolbelt)
        agent.execute_command("note it")
        assert server.requests == 2
    assert [(step.action.tool, step.foreseen) for step in agent.world_model] == [
        ("note", False),
        ("read", True),
        ("finish", False),
    ]
