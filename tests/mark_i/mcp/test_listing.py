"""What a client lists: every tool, in few bytes, with schemas and hints that say what the tool accepts and does."""

import asyncio
from typing import Annotated, Any, Final

import pytest
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from mcp.types import Tool as Listed, ToolAnnotations
from pydantic import BaseModel, Field

from mark_i.assembly.run_config import RunConfig
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.cli.commands.mcp import _tools
from mark_i.config.paths import tools_folder
from mark_i.mcp.listing import offered
from mark_i.mcp.resources import RunResources
from mark_i.mcp.server import Calls, server_for
from mark_i.mcp.skill_tools import SkillTools
from mark_i.mcp.turns import Turns
from tests.support import tool_file
from toolbelt.tool import Tool, tool, tools_of
from world_model import ToolFailure

MAX_BYTES: Final = 18_100  # of the whole list; it had 41,846 when each schema was sent as pydantic makes it
DEFAULTS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
)


class Item(BaseModel):
    """One thing."""

    title: str
    count: int | None = None
    next: "Item | None" = None


@tool(risk="write")
def order(items: list[Item], title: str = "An order", note: str | None = None) -> str:
    """Order things.

    Ask for the number of each first.
    """
    return f"{items}{title}{note}"


@tool
def close_account(why: Annotated[str, Field(description="The reason.")]) -> str:
    """Close the account.

    `why` is sent to the bank.
    """
    return why


@tool
def report() -> str:
    """Report.

    Not before noon.
    """
    return ""


@pytest.fixture(scope="module")
def tools() -> list[Tool]:
    return _tools("default", ())


@pytest.fixture(scope="module")
def listed(tools: list[Tool]) -> dict[str, Listed]:
    config = RunConfig(OfflineBrain())
    turns = Turns(config, lambda: config, print)

    async def whole() -> list[Listed]:
        calls = Calls(turns, tools, SkillTools("default", (), print))
        async with Client(server_for(calls, RunResources("default"))) as client:
            return (await client.list_tools()).tools

    return {one.name: one for one in asyncio.run(whole())}


def test_the_list_has_every_tool_in_few_bytes(tools: list[Tool], listed: dict[str, Listed]) -> None:
    sent = [one.model_dump_json(by_alias=True, exclude_none=True) for one in listed.values()]

    assert [one.name for one in tools] == [*listed]
    assert {
        "click",
        "screenshot",
        "write_file",
        "python_repl",
        "fetch_page",
        "run_goal",
        "say",
        "status",
        "stop",
    } <= listed.keys()
    assert sum(len(one.encode()) for one in sent) <= MAX_BYTES


def test_every_tool_and_every_parameter_is_described(listed: dict[str, Listed]) -> None:
    for name, one in listed.items():
        assert one.description
        parameters = one.input_schema["properties"]
        assert [other for other, about in parameters.items() if not about.get("description", "").endswith(".")] == []
        assert one.description.count("\n") == 0 or not parameters, name


def schema_and_tool(name: str, listed: dict[str, Listed], tools: list[Tool]) -> tuple[Draft202012Validator, Tool]:
    """The schema that a client has of a tool, and the tool."""
    Draft202012Validator.check_schema(listed[name].input_schema)
    [one] = [one for one in tools if one.name == name]
    return Draft202012Validator(listed[name].input_schema), one


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("click", {"target": "Save"}),
        ("click", {"target": {"x": 1, "y": 2}, "holding": "ctrl"}),
        ("click", {"target": {"role": "button", "beside": "Milk", "nth": -1}}),
        ("drag", {"start": "a", "end": {"mark": 4}, "via": ["b", {"x": 1, "y": 2}]}),
        ("scroll", {"direction": "down", "until": True}),
        ("type_text", {"text": "a", "pace_ms": 20}),
        ("open_app", {"name": "xterm", "args": ["-e", "top"]}),
        ("screenshot", {}),
    ],
)
def test_a_short_schema_accepts_what_the_tool_accepts(
    tools: list[Tool], listed: dict[str, Listed], name: str, args: dict[str, Any]
) -> None:
    schema, one = schema_and_tool(name, listed, tools)

    assert schema.is_valid(args)
    assert one.validated(args).keys() >= args.keys()


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("click", {}),
        ("click", {"target": 3}),
        ("click", {"target": "Save", "button": "left"}),
        ("drag", {"start": "a", "end": "b", "via": "c"}),
        ("scroll", {"direction": "down", "until": False}),
        ("scroll", {"direction": "sideways"}),
        ("type_text", {"text": "a", "pace_ms": -1}),
        ("select", {"options": []}),
    ],
)
def test_a_short_schema_refuses_what_the_tool_refuses(
    tools: list[Tool], listed: dict[str, Listed], name: str, args: dict[str, Any]
) -> None:
    schema, one = schema_and_tool(name, listed, tools)

    assert not schema.is_valid(args)
    with pytest.raises(ToolFailure, match=name):
        one.validated(args)


def test_the_forms_of_a_target_are_told(listed: dict[str, Listed]) -> None:
    told = listed["click"].input_schema["properties"]["target"]["description"]

    assert told == "Where to click. {x, y} | {text, role, beside, side, nth} | {mark} | {image}."


def test_what_a_plugin_refers_to_stays_in_its_schema() -> None:
    [one] = tools_of(order)
    schema = offered(one).input_schema

    assert schema["$defs"]["Item"] == {
        "description": "One thing.",
        "properties": {"title": {"type": "string"}, "count": {"type": "integer"}, "next": {"$ref": "#/$defs/Item"}},
        "required": ["title"],
        "type": "object",
    }
    assert schema["properties"] == {
        "items": {"items": {"$ref": "#/$defs/Item"}, "type": "array"},
        "title": {"type": "string", "default": "An order"},
        "note": {"type": "string"},
    }
    assert schema["required"] == ["items"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (order, "Order things.\n\nAsk for the number of each first."),
        (close_account, "Close the account."),
        (report, "Report.\n\nNot before noon."),
    ],
)
def test_a_docstring_is_shortened_only_if_its_parameters_are_described(source: object, told: str) -> None:
    [one] = tools_of(source)

    assert offered(one).description == told


@pytest.mark.parametrize(
    ("name", "hints"),
    [
        ("screenshot", {"read_only_hint": True, "open_world_hint": False}),
        ("fetch_page", {"read_only_hint": True}),
        ("search_web", {"read_only_hint": True}),
        ("click", {"destructive_hint": False}),
        ("focus_window", {"destructive_hint": False, "idempotent_hint": True}),
        ("write_file", {"idempotent_hint": True, "open_world_hint": False}),
        ("python_repl", {}),
        ("run_goal", {}),
        ("say", {}),
        ("status", {"read_only_hint": True, "open_world_hint": False}),
        ("stop", {"destructive_hint": False, "idempotent_hint": True}),
    ],
)
def test_hints_differ_from_the_protocols_defaults(listed: dict[str, Listed], name: str, hints: dict[str, bool]) -> None:
    told = listed[name].annotations
    assert told

    assert told.model_dump(exclude_none=True) == hints
    assert all(getattr(DEFAULTS, hint) is not value for hint, value in hints.items())


def test_hints_follow_from_the_risk(tools: list[Tool], listed: dict[str, Listed]) -> None:
    read_only = {name for name, one in listed.items() if one.annotations and one.annotations.read_only_hint}

    assert read_only == {one.name for one in tools if one.risk == "look"}


def test_the_agents_tools_can_be_switched_off_and_no_plugin_takes_their_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tools_folder("default").mkdir(parents=True)
    tool_file(tools_folder("default"), "mine.py", "status")

    names = [one.name for one in _tools("default", ("run_goal",))]

    assert names.count("status") == 1
    assert "run_goal" not in names
    assert capsys.readouterr().err.startswith("The tool status of a plugin is left out")
