"""Arguments that models give as null, and types of plugins that refer to themselves or have no schema."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from mark_i import AgentCore, Oversight, ScriptedBrain
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Guard
from mark_i.plugins.tools import Plugins
from tests.support import action
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import Tool, tool
from world_model import Action, Observation

FINISH: Final = action("finish", summary="x")
HEAD: Final = """from __future__ import annotations
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing_extensions import TypeAliasType, TypedDict
from pydantic import BaseModel, JsonValue, RootModel
from mark_i import tool

"""
USE: Final = """
@tool(risk="look")
def grow(count: int, value: {}) -> str:
    "Grow."
    return f"{{value!r}}"
"""
TREE: Final = 'class Tree(RootModel[list["Tree"]]):\n    "A tree is a list of trees."\n'
NODE: Final = "class Node(BaseModel):\n    name: str\n    kids: list[Node] = []\n"
ALIAS: Final = 'Json = TypeAliasType("Json", "list[Json] | dict[str, Json] | str")\n'
TYPED: Final = "class Link(TypedDict):\n    next: Link | None\n"
PAIR: Final = "@dataclass\nclass Pair:\n    left: Pair | None = None\n    right: Pair | None = None\n"
MUTUAL: Final = "class A(BaseModel):\n    b: B | None = None\nclass B(BaseModel):\n    a: A | None = None\n"

RECURSIVE: Final = [
    (TREE, "Tree", [[], [[]]], "[Tree]"),
    (NODE, "Node", {"name": "a", "kids": [{"name": "b"}]}, "{name, kids}"),
    (NODE, "Node | None", {"name": "a"}, "{name, kids} | null"),
    (NODE, "list[Node]", [{"name": "a"}], "[{name, kids}]"),
    (NODE, "dict[str, Node]", {"x": {"name": "a"}}, "object"),
    (ALIAS, "Json", [["a"], {"b": "c"}], "[Json] | object | string"),
    (TYPED, "Link", {"next": {"next": None}}, "{next}"),
    (PAIR, "Pair", {"left": {"right": None}}, "{left, right}"),
    (MUTUAL, "A", {"b": {"a": {}}}, "{b}"),
    ("", "JsonValue", {"a": [1, None]}, "any"),
]


def loaded(tmp_path: Path, code: str) -> tuple[Toolbelt, list[str]]:
    (tmp_path / "mine.py").write_text(HEAD + code)
    belt = standard_toolbelt(None)
    return belt, Plugins(tmp_path).refresh(belt)


@pytest.mark.parametrize(("types", "kind", "value", "told"), RECURSIVE)
def test_a_tool_with_a_recursive_type_works(tmp_path: Path, types: str, kind: str, value: Any, told: str) -> None:
    belt, complaints = loaded(tmp_path, types + USE.format(kind))
    assert complaints == []
    brain = ScriptedBrain([action("grow", count=1, value=value), action("grow", count=1, value=7.5), FINISH])
    oversight = Oversight(guard=Guard(DEFAULT))
    agent = AgentCore(brain, belt, oversight=oversight)
    agent.execute_command("grow it")
    first, second, _ = (step.observation for step in agent.world_model)
    assert first.ok, first.error
    assert kind == "JsonValue" or (second.error and second.error.code == "INVALID_ARGS")
    assert f"grow(count: integer, value: {told})" in brain.prompts[0].system


def test_a_tool_may_return_a_recursive_type(tmp_path: Path) -> None:
    made = 'Node(name="a", kids=[Node(name="b")])'
    belt, complaints = loaded(tmp_path, f'{NODE}\n@tool\ndef walk() -> Node:\n    "Walk."\n    return {made}\n')
    assert complaints == []
    assert belt["walk"].returns == "{name, kids}"
    seen = belt.call(Action("walk", {}), Control()).observation
    assert seen.data == {"name": "a", "kids": [{"name": "b", "kids": []}]}


UNUSABLE: Final = [
    ("", "Missing", "Missing"),
    ("", "socket.socket", "socket"),
    ("", "Callable[[int], int]", "Callable"),
    ('Json = list["Json"] | str\n', "Json", "Json"),
    ('Self = TypeAliasType("Self", "Self")\n', "Self", "circular"),
    ("class Lost(BaseModel):\n    kids: list[Missing]\n", "Lost", "Missing"),
    ("", "'int |'", "must be an expression"),
]


@pytest.mark.parametrize(("types", "kind", "reason"), UNUSABLE)
def test_a_type_without_a_schema_is_refused_in_one_line(tmp_path: Path, types: str, kind: str, reason: str) -> None:
    belt, complaints = loaded(tmp_path, types + USE.format(kind))
    assert "grow" not in belt
    [told] = complaints
    assert "\n" not in told
    assert re.search(rf"mine\.py.*parameter value of the tool grow.*{reason}", told), told
    assert told.endswith("It is left out.")
    run = AgentCore(ScriptedBrain([FINISH]), belt).execute_command("x")
    assert run.name == "done_unverified"


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"properties": {"a": {"$ref": "#/definitions/N"}}, "definitions": {"N": {"type": "string"}}}, "a: string"),
        ({"properties": {"a": {"$ref": "#"}}, "type": "object"}, "a: {a}"),
        ({"properties": {"a": {"$ref": "#/$defs/Gone"}}}, "a: any"),
    ],
)
def test_schemas_of_others_may_refer_anywhere(schema: dict[str, Any], told: str) -> None:
    foreign = Tool("f", "F.", "look", 1, print, schema, dict)
    assert told in foreign.signature


# Null


def use(function: Callable[..., Any], **args: Any) -> Observation:
    return Toolbelt(function).call(Action(function.__name__, args), Control()).observation


def test_null_for_an_optional_argument_is_as_if_it_were_left_out() -> None:
    @tool
    def note(text: str, *, count: int = 3, shout: bool = False, tags: tuple[str, ...] = ("a",)) -> str:
        """Note."""
        return f"{text} {count} {shout} {tags}"

    assert use(note, text="x", count=None, shout=None, tags=None).text == "x 3 False ('a',)"
    required = use(note, text=None, count=None)
    assert required.error is not None
    assert required.error.message.startswith("note: text: input should be a valid string")


def test_a_null_that_means_something_stays() -> None:
    @tool
    def limit(most: int | None = 5, other: Any = 7, count: int = 1) -> str:
        """Limit."""
        return f"{most} {other} {count}"

    assert use(limit, most=None, other=None).text == "None None 1"
    assert use(limit, most=None, other=None, count=None).text == "None None 1"


def test_nulls_in_replies_do_what_was_meant() -> None:
    replies = [
        action("scroll", direction="down", amount=None),
        action("type_text", text="a", into=None, enter=None),
        action("click", target={"x": 100, "y": 100, "text": None}),
        {"thought": "t", "action": {"tool": "click", "args": '{"target": {"x": 100, "y": 100}}'}},
        action("finish", summary="x", evidence=None, kind=None),
    ]
    control = Control()
    desktop = FakeDesktop(lambda _: Image.new("RGB", (300, 300), "white"), control)
    eyes = Eyes(desktop, control)
    agent = AgentCore(ScriptedBrain(replies), standard_toolbelt(eyes), desktop, eyes=eyes)
    agent.execute_command("x")
    wrong = [step.observation.error.code for step in agent.world_model if step.observation.error]
    assert "INVALID_ARGS" not in wrong
    assert len(agent.world_model) == len(replies)
