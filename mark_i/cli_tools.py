"""`mark-i tools`: what the agent can do, doing it once by hand, and beginning a tool of one's own."""

import contextlib
import json
import os
import shlex
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from mark_i.brains.offline import OfflineBrain
from mark_i.cli_config import profile_option
from mark_i.cli_parts import Commands, WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli_setting import TAVILY_KEY
from mark_i.compose import Setting, desktop_for, opened, toolbelt_without_desktop, tools_for
from mark_i.console import fitted
from mark_i.folders import DEFAULT_PROFILE, tools_folder
from mark_i.plugins import Plugins
from mark_i.sample import write_sample
from mark_i.settings import load
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.eyes import Eyes
from toolbelt.masks import Masks
from toolbelt.standard import of_the_desktop
from toolbelt.tool import Tool
from world_model import Action, Size, ToolFailure, UsageError, problem


@click.group(cls=Commands)
def tools() -> None:
    """What the agent can do."""


@tools.command("list")
@json_option
@profile_option
def list_tools(as_json: bool, profile: str) -> None:
    """Every tool, with its risk; those of plugins last, with where they come from.

    Example: mark-i tools list
    """
    toolbelt, plugins = _known(profile)
    origins = plugins.origins
    if as_json:
        click.echo(json.dumps([_about(tool, origins) for tool in toolbelt]))
        return
    width = max(len(tool.name) for tool in toolbelt) + 2
    click.echo(fitted(f"{'Tool':{width}}{'Risk':8}What it does"))
    for origin, group in groupby(toolbelt, lambda tool: origins.get(tool.name)):
        if origin:
            click.echo("\n" + fitted(f"From {Path(origin).name}:"))
        for tool in group:
            click.echo(fitted(f"{tool.name:{width}}{tool.risk:8}{tool.description.strip().splitlines()[0]}"))


@tools.command("show")
@click.argument("name")
@json_option
@profile_option
def show_tool(name: str, as_json: bool, profile: str) -> None:
    """One tool: what it does, how it is called, its schema.

    Example: mark-i tools show click
    """
    toolbelt, plugins = _known(profile)
    tool, origins = _named(name, toolbelt), plugins.origins
    if as_json:
        click.echo(json.dumps({**_about(tool, origins), "seconds": tool.seconds, "schema": tool.schema}))
        return
    click.echo(f"{tool.signature}\n\n{tool.description}\n\nRisk: {tool.risk}. Time limit: {tool.seconds:g} s.")
    if origin := origins.get(name):
        click.echo(f"From: {origin}")
    click.echo(f"\n{json.dumps(tool.schema, indent=2)}")


@tools.command("new")
@click.argument("name")
@profile_option
def new_tool(name: str, profile: str) -> None:
    """Begin a tool of your own: a small one that works, to be changed, and its test.

    Example: mark-i tools new open_ticket
    """
    sample = write_sample(name, tools_folder(profile), taken=_known(profile)[0])
    other = "" if profile == DEFAULT_PROFILE else f" --profile {profile}"
    test = shlex.join([sys.executable, "-m", "pytest", str(sample.test)])
    click.echo(f"The tool: {sample.tool}\nIts test: {sample.test}\n")
    click.echo("Change both. Then try the tool, and its test, which needs pytest:\n")
    click.echo(f'  mark-i tools call {sample.tool.stem} \'{{"who": "Ada"}}\'{other}\n  {test}')


@tools.command("call", cls=WithVirtual)
@click.argument("name")
@click.argument("arguments", metavar="JSON", default="{}")
@virtual_option
@json_option
@profile_option
def call_tool(name: str, arguments: str, virtual: Size | None, as_json: bool, profile: str) -> int:
    """Use one tool once. Points are physical pixels of the whole desktop.

    Example: mark-i tools call click '{"target": {"x": 512, "y": 300}}'
    """
    known, plugins = _known(profile)
    _named(name, known)
    args = _json_object(arguments)
    control = Control()
    stop_on_signals(control)
    with contextlib.ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mark-i-")))
        setting = Setting(OfflineBrain(), profile=profile, tavily_key=os.environ.get(TAVILY_KEY))
        toolbelt = stack.enter_context(tools_for(None, control, work, setting))
        toolbelt.add(*plugins.sources)
        if name not in toolbelt:
            size, notice = desktop_for(virtual)
            if notice:
                click.echo(notice, err=True)
            desktop = stack.enter_context(opened(size, control))
            stack.callback(desktop.release)
            toolbelt.add(*of_the_desktop(Eyes(desktop, control, Masks.parse(load(profile).masks))))
        done = toolbelt.call(Action(name, args), control)
    seen = done.observation
    if as_json:
        click.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
    else:
        click.echo(problem(seen.error) if seen.error else seen.text)
    return 0 if seen.ok else 1


def _known(profile: str) -> tuple[Toolbelt, Plugins]:
    """Every tool, to be told of and not to be used, and the plugins among them. What is wrong with these is said."""
    toolbelt, plugins = toolbelt_without_desktop(), Plugins(tools_folder(profile))
    for complaint in plugins.refresh(toolbelt):
        click.echo(complaint, err=True)
    return toolbelt, plugins


def _about(tool: Tool, origins: dict[str, str]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "risk": tool.risk,
        "description": tool.description,
        "origin": origins.get(tool.name),
    }


def _named(name: str, toolbelt: Toolbelt) -> Tool:
    try:
        return toolbelt[name]
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
