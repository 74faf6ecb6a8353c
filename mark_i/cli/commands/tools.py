"""`mark-i tools`: list and show tools, use one by hand, and start one of your own."""

import json
import shlex
import sys
from collections.abc import Collection
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import click

from mark_i.assembly.manual_call import ProfileTools
from mark_i.cli.command_names import Commands
from mark_i.cli.completers import TOOLS
from mark_i.cli.console import fitted
from mark_i.cli.options import WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.config.paths import DEFAULT_PROFILE, make_private, profile_folder, servers_file, tools_folder
from mark_i.config.settings import load
from mark_i.extras import EXTRAS
from mark_i.json_text import read_json
from mark_i.plugins.scaffold import write_sample
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.extras import not_installed
from toolbelt.perception import Masks
from toolbelt.tool import Tool
from world_model import Action, Size, ToolFailure, UsageError, problem

WANTED: Final = 'The arguments must be a JSON object, such as {"text": "hello"}.'


@click.group(cls=Commands)
def tools() -> None:
    """List and try the agent's tools.

    Example: mark-i tools list
    """


@tools.command("list")
@json_option
@profile_option
def list_tools(as_json: bool, profile: str) -> None:
    """List every tool with its risk; tools of plugins come last.

    `mark-i config set tools_off "search_web; python_repl"` switches some off for every run.

    Example: mark-i tools list
    """
    known, off = _known(profile), load(profile).tools_off
    toolbelt, origins = known.toolbelt, known.plugins.origins
    if as_json:
        click.echo(json.dumps([_about(tool, known, off) for tool in toolbelt]))
        return
    width = max(len(tool.name) for tool in toolbelt) + 2
    click.echo(fitted(f"{'Tool':{width}}{'Risk':8}What it does"))
    for origin, group in groupby(toolbelt, lambda tool: origins.get(tool.name)):
        if origin:
            click.echo("\n" + fitted(f"From {Path(origin).name}:"))
        for tool in group:
            first = _state(tool, known, off) + tool.description.strip().splitlines()[0]
            click.echo(fitted(f"{tool.name:{width}}{tool.risk:8}{first}"))
    for extra in sorted(set(known.missing_extras.values())):
        click.echo(f"\n{not_installed(EXTRAS[extra].subject, extra)}")
    if missing := [name for name in off if name not in toolbelt]:
        click.echo(f"\nSwitched off, but unknown: {', '.join(missing)}.")
    if (servers := servers_file(profile)).exists():
        click.echo(f"\nNot listed: the tools of the MCP servers in {servers}, which each run has too.")


@tools.command("show")
@click.argument("name", shell_complete=TOOLS)
@json_option
@profile_option
def show_tool(name: str, as_json: bool, profile: str) -> None:
    """Show one tool: what it does, how it is called, and its schema.

    Example: mark-i tools show click
    """
    known, off = _known(profile), load(profile).tools_off
    tool = _named(name, known.toolbelt)
    if as_json:
        click.echo(json.dumps({**_about(tool, known, off), "seconds": tool.seconds, "schema": tool.schema}))
        return
    state = " It is switched off." if name in off else ""
    click.echo(f"{tool.signature}\n\n{tool.description}\n\nRisk: {tool.risk}. Time limit: {tool.seconds:g} s.{state}")
    if extra := known.missing_extras.get(name):
        click.echo(not_installed(EXTRAS[extra].subject, extra))
    if origin := known.plugins.origins.get(name):
        click.echo(f"From: {origin}")
    click.echo(f"\n{json.dumps(tool.schema, indent=2)}")


@tools.command("new")
@click.argument("name")
@profile_option
def new_tool(name: str, profile: str) -> None:
    """Start a tool of your own: write a small working tool and its test, to change.

    Example: mark-i tools new open_ticket
    """
    make_private(profile_folder(profile))
    sample = write_sample(name, tools_folder(profile), taken=_known(profile).toolbelt)
    other = "" if profile == DEFAULT_PROFILE else f" --profile {profile}"
    test = shlex.join([sys.executable, "-m", "pytest", str(sample.test)])
    click.echo(f"The tool: {sample.tool}\nIts test: {sample.test}\n")
    click.echo("Change both. Then try the tool and its test, which needs pytest:\n")
    click.echo(f'  mark-i tools call {sample.tool.stem} \'{{"who": "Ada"}}\'{other}\n  {test}')


@tools.command("call", cls=WithVirtual)
@click.argument("name", shell_complete=TOOLS)
@click.argument("arguments", metavar="JSON", default="{}")
@virtual_option
@json_option
@profile_option
def call_tool(name: str, arguments: str, virtual: Size | None, as_json: bool, profile: str) -> int:
    """Use one tool once, without asking. Points are physical pixels of the whole desktop.

    Example: mark-i tools call click '{"target": {"x": 512, "y": 300}}'
    """
    known = _known(profile)
    _named(name, known.toolbelt)
    control, action = Control(), Action(name, _json_object(arguments))
    stop_on_signals(control)
    seen = known.use(action, control, virtual, Masks.parse(load(profile).masks), partial(click.echo, err=True))
    if as_json:
        click.echo(json.dumps(seen.to_dict(), ensure_ascii=False))
    else:
        click.echo(problem(seen.error) if seen.error else seen.text)
    return 0 if seen.ok else 1


def _known(profile: str) -> ProfileTools:
    """Return every tool, also those of plugins, and print what is wrong with a plugin."""
    known = ProfileTools(profile)
    for complaint in known.refresh():
        click.echo(complaint, err=True)
    return known


def _state(tool: Tool, known: ProfileTools, off: Collection[str]) -> str:
    """Why a tool cannot be used in a run, to be put before its description."""
    if tool.name in off:
        return "(switched off) "
    return "(not installed) " if tool.name in known.missing_extras else ""


def _about(tool: Tool, known: ProfileTools, off: Collection[str]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "risk": tool.risk,
        "description": tool.description,
        "origin": known.plugins.origins.get(tool.name),
        "off": tool.name in off,
        "missing_extra": known.missing_extras.get(tool.name),
    }


def _named(name: str, toolbelt: Toolbelt) -> Tool:
    try:
        return toolbelt[name]
    except ToolFailure as error:
        raise UsageError(" ".join((error.message, *error.hints))) from error


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = read_json(text)
    except UsageError as error:
        raise UsageError(f"The arguments cannot be read: {error} {WANTED}") from error
    if not isinstance(value, dict):
        raise UsageError(WANTED)
    return value
