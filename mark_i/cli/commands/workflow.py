"""`mark-i workflow`: list, draw, check and run workflows, and try single nodes."""

import json
import shutil
from pathlib import Path
from types import GeneratorType
from typing import Any, Final

import click

from mark_i.assembly.options import run_config_of
from mark_i.cli.command_names import Commands
from mark_i.cli.completers import WORKFLOWS
from mark_i.cli.console import fitted
from mark_i.cli.desktop_choice import DesktopChoice, placed
from mark_i.cli.options import WithVirtual, json_option, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.run_options import model_options
from mark_i.cli.runner import carry_out
from mark_i.cli.telling import Telling, telling_options
from mark_i.config.paths import nodes_folder
from mark_i.json_text import read_json
from mark_i.printable import CONTROLS
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.drawing.svg import svg
from mark_i.workflows.drawing.text import drawn, one_line, size
from mark_i.workflows.format.graph import Graph, Node
from mark_i.workflows.format.loading import load_graph
from mark_i.workflows.format.node_type import NodeType, Registry, named, near
from mark_i.workflows.format.order import Order, order_of
from mark_i.workflows.library import found, shipped
from mark_i.workflows.plugins import known_types
from world_model import MarkIError, Size, UsageError, file_fault
from world_model.journal import write_whole

COLUMNS: Final = 80  # if the width of the terminal is unknown


@click.group(cls=Commands)
def workflow() -> None:
    """List, draw, check and run workflows: the agent's loop as a graph in a JSON file.

    Example: mark-i workflow show react
    """


@workflow.command("list")
@json_option
def list_workflows(as_json: bool) -> None:
    """List the workflows that come with MARK-I.

    Example: mark-i workflow list
    """
    known = {name: found(name, CATALOG) for name in shipped()}
    if as_json:
        click.echo(json.dumps([{"name": name, **_about(graph)} for name, graph in known.items()]))
        return
    width = max(map(len, known)) + 2
    click.echo(fitted(f"{'Workflow':{max(width, 10)}}What it does"))
    for name, graph in known.items():
        click.echo(fitted(f"{name:{max(width, 10)}}{one_line(graph.description)}"))


@workflow.command("show")
@click.argument("workflow", metavar="NAME|FILE", shell_complete=WORKFLOWS)
@click.option("--svg", "picture", metavar="FILE", type=click.Path(path_type=Path), help="Write an SVG image instead.")
@json_option
@profile_option
def show_workflow(workflow: str, picture: Path | None, as_json: bool, profile: str) -> None:
    """Draw one workflow, its nodes in the order in which they run.

    Example: mark-i workflow show react --svg react.svg
    """
    types = _types(profile)
    graph = found(workflow, types)
    order = order_of(graph, types)
    if picture:
        _write(picture, svg(graph, order, types))
    if as_json:
        click.echo(json.dumps({**_about(graph), **_drawing(graph, order, types)}))
    elif picture:
        click.echo(f"Drawn: {picture}")
    else:
        columns = max(shutil.get_terminal_size((COLUMNS, 0)).columns, COLUMNS)
        click.echo(drawn(graph, order, columns).translate(CONTROLS))


@workflow.command("copy")
@click.argument("name", shell_complete=WORKFLOWS)
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def copy_workflow(name: str, file: Path, as_json: bool) -> None:
    """Copy the workflow NAME to FILE, for you to edit.

    Example: mark-i workflow copy react mine.json
    """
    if name not in shipped():
        raise UsageError(f"There is no workflow {name!r}. {near(name, shipped())}")
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(shipped()[name].read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {file_fault(error)}.") from error
    if as_json:
        click.echo(json.dumps({"workflow": name, "file": str(file)}))
        return
    click.echo(f"Copied. Edit {file}, and then: mark-i workflow check {file}")


@workflow.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@profile_option
def check_workflow(file: Path, as_json: bool, profile: str) -> None:
    """Check that FILE is a workflow: links, types, and cycles through routers only.

    Example: mark-i workflow check my-workflow.json
    """
    types = _types(profile)
    graph = load_graph(file, types)
    order = order_of(graph, types)
    if as_json:
        click.echo(json.dumps({**_about(graph), **_drawing(graph, order, types)}))
        return
    click.echo(f"{file} is a workflow: {size(graph, order)}.")
    for loop in order.loops.values():
        body = [str(one) for one in order.nodes if one in loop.body]
        click.echo(f"Node {loop.router} repeats {', '.join(body)}.")


@workflow.command("node")
@click.argument("kind", metavar="TYPE")
@click.option("--inputs", metavar="JSON", default="[]", help="A list with the value of each input slot.")
@click.option("--context", metavar="JSON", default="{}", help="An object with what every node of a run can read.")
@click.option("--properties", metavar="JSON", default="{}", help="An object with the node's settings.")
@json_option
@profile_option
def run_node(kind: str, inputs: str, context: str, properties: str, as_json: bool, profile: str) -> None:
    """Run one node by itself, and print its outputs.

    Example: mark-i workflow node conditional_router --inputs '[{"isComplete": true}, "out", "back"]'
    """
    node = named(kind, _types(profile))
    arrived = _json(inputs, "--inputs", list)
    settings, known = _json(properties, "--properties", dict), _json(context, "--context", dict)
    indent = None if as_json else 2
    if node.run is None:
        raise UsageError(f"{kind} needs a run: {node.about} It cannot be run on its own.")
    try:
        outputs = node.run(tuple(arrived), settings, known)
        unfinished = isinstance(outputs, GeneratorType)
        told = "" if unfinished else json.dumps(outputs, ensure_ascii=False, allow_nan=False, indent=indent)
    except MarkIError as error:
        raise UsageError(f"{kind}: {error}") from error
    except Exception as error:  # a node's own code may raise anything
        raise UsageError(f"{kind} failed: {type(error).__name__}: {error}") from error
    if unfinished:
        raise UsageError(f"{kind} needs a run, because it reports events.")
    click.echo(told)


def _about(graph: Graph) -> dict[str, Any]:
    return {"title": graph.name, "description": graph.description, "version": graph.version}


def _types(profile: str) -> Registry:
    """Return every type of node, also those of plugins, and print what is wrong with a plugin."""
    types, complaints = known_types(nodes_folder(profile))
    for told in complaints:
        click.echo(told, err=True)
    return types


def _drawing(graph: Graph, order: Order, types: Registry) -> dict[str, Any]:
    """Return the nodes in the order in which they run, and the links with whether they lead back."""
    nodes = {node.id: node for node in graph.nodes}
    return {
        "nodes": [_node(nodes[one], types[nodes[one].kind]) for one in order.nodes],
        "links": [{**link.model_dump(), "back": link in order.back} for link in graph.links],
        "loops": [
            {"router": loop.router, "body": [one for one in order.nodes if one in loop.body]}
            for loop in order.loops.values()
        ],
    }


def _node(node: Node, kind: NodeType) -> dict[str, Any]:
    values = {"id": node.id, "type": node.kind, "title": node.title, "muted": node.muted, "never": node.never}
    return {
        **values,
        "about": kind.about,
        "inputs": kind.inputs,
        "outputs": kind.outputs,
        "properties": dict(node.properties),
    }


def _json(text: str, option: str, kind: type[Any]) -> Any:
    try:
        value = read_json(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error
    if not isinstance(value, kind):
        raise UsageError(f"{option} must be {'a list' if kind is list else 'an object'}, in JSON.")
    return value


def _write(file: Path, text: str) -> None:
    try:
        write_whole(file, text.encode())
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {file_fault(error)}.") from error


@workflow.command("run", cls=WithVirtual)
@click.argument("file", metavar="NAME|FILE", shell_complete=WORKFLOWS)
@click.argument("goal")
@virtual_option
@model_options
@telling_options
def run_workflow(file: str, goal: str, virtual: Size | None, telling: Telling, **options: Any) -> int:
    """Reach GOAL with a workflow, as `mark-i run --workflow` does.

    Example: mark-i workflow run react --virtual 'open xterm, type "date" and press enter'
    """
    config = run_config_of(options | {"workflow": file})
    with placed(config, DesktopChoice(virtual), telling) as config:
        return carry_out(goal, config, telling).outcome.exit_code
