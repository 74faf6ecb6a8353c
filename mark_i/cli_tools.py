"""`mark-i tools`: what the agent can do, and doing it once by hand."""

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

import click

from mark_i.brains.offline import OfflineBrain
from mark_i.cli_parts import Commands, WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.compose import Setting, desktop_for, opened, toolbelt_without_desktop, tools_for
from toolbelt.control import Control
from toolbelt.eyes import Eyes
from toolbelt.tool import Tool
from world_model import Action, Size, ToolFailure, UsageError


@click.group(cls=Commands)
def tools() -> None:
    """What the agent can do."""


@tools.command("list")
@json_option
def list_tools(as_json: bool) -> None:
    """Every tool, with its risk.

    Example: mark-i tools list
    """
    tools = list(toolbelt_without_desktop())
    if as_json:
        click.echo(
            json.dumps([{"name": tool.name, "risk": tool.risk, "description": tool.description} for tool in tools])
        )
        return
    for tool in tools:
        click.echo(f"{tool.name:14}{tool.risk:8}{tool.description.splitlines()[0]}")


@tools.command("show")
@click.argument("name")
@json_option
def show_tool(name: str, as_json: bool) -> None:
    """One tool: what it does, how it is called, its schema.

    Example: mark-i tools show click
    """
    tool = _named(name)
    about = {"name": tool.name, "description": tool.description, "risk": tool.risk, "seconds": tool.seconds}
    if as_json:
        click.echo(json.dumps({**about, "schema": tool.schema}))
        return
    click.echo(f"{tool.signature}\n\n{tool.description}\n\nRisk: {tool.risk}. Time limit: {tool.seconds:g} s.\n")
    click.echo(json.dumps(tool.schema, indent=2))


@tools.command("call", cls=WithVirtual)
@click.argument("name")
@click.argument("arguments", metavar="JSON", default="{}")
@virtual_option
@json_option
def call_tool(name: str, arguments: str, virtual: Size | None, as_json: bool) -> int:
    """Use one tool once. Points are physical pixels of the whole desktop.

    Example: mark-i tools call click '{"target": {"x": 512, "y": 300}}'
    """
    _named(name)
    args = _json_object(arguments)
    control = Control()
    stop_on_signals(control)
    size, notice = desktop_for(virtual)
    if notice:
        click.echo(notice, err=True)
    with contextlib.ExitStack() as stack:
        desktop = stack.enter_context(opened(size, control))
        stack.callback(desktop.release)
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mark-i-")))
        toolbelt = stack.enter_context(tools_for(Eyes(desktop, control), control, work, Setting(OfflineBrain())))
        done = toolbelt.call(Action(name, args), control)
    seen = done.observation
    if as_json:
        click.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
    else:
        words = seen.error and " ".join((f"{seen.error.code}: {seen.error.message}", *seen.error.hints))
        click.echo(words or seen.text)
    return 0 if seen.ok else 1


def _named(name: str) -> Tool:
    try:
        return toolbelt_without_desktop()[name]
    except ToolFailure as error:
        raise UsageError(" ".join((error.message, *error.hints))) from error


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"The arguments are not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise UsageError('The arguments must be a JSON object, such as {"text": "hello"}.')
    return value
