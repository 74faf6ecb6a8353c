"""`mark-i mcp`: serve the tools to other programs, behind the guard."""

import os
import secrets
import signal
import socket
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from mark_i.assembly.desktops import desktop_for
from mark_i.assembly.manual_call import ProfileTools
from mark_i.assembly.options import run_config_of
from mark_i.cli.options import WithVirtual, heeded, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.events import EXIT_CODES
from mark_i.extras import require
from toolbelt.tool import Tool
from world_model import Size, UsageError

if TYPE_CHECKING:
    from mark_i.mcp.turns import Turns


HOST: Final = "127.0.0.1"  # this machine only
# Options of a run that the command has not: single calls need none of them, and goals have them from the settings.
UNUSED: Final = ("brain", "reply_brain", "vision_brain", "base_url", "max_steps", "workflow")


@click.command(cls=WithVirtual)
@virtual_option
@click.option(
    "--http",
    "port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Serve HTTP on this port, for this machine only.",
)
@click.option("--policy", metavar="FILE", help="The file of rules that allow, ask or deny; see docs/safety.md.")
@click.option("--yes", is_flag=True, help="Approve every action in advance. What a policy denies stays denied.")
@profile_option
def mcp(virtual: Size | None, port: int | None, **options: Any) -> None:
    """Serve the tools and the agent to another program: an MCP server on standard input and output.

    That program calls single tools, or hands a whole goal to the agent with `run_goal`. The guard judges as in a run,
    and its questions go to that program's user. The hotkey, the corner and `mark-i stop` end it, and `mark-i runs`
    lists it. With --http it prints the token that clients need.

    Example: mark-i mcp --virtual
    """
    require("mcp")
    import anyio  # noqa: PLC0415 - optional

    from mark_i.mcp.resources import RunResources  # noqa: PLC0415
    from mark_i.mcp.server import Calls, on_standard_streams, over_http, server_for  # noqa: PLC0415
    from mark_i.mcp.skill_tools import SkillTools  # noqa: PLC0415
    from mark_i.mcp.turns import Turns  # noqa: PLC0415

    door = _door(port) if port is not None else None
    options = dict.fromkeys(UNUSED) | options
    config = run_config_of({**options, "brain": "offline", "single_model": True})
    size, notice = desktop_for(virtual)
    turns = Turns(replace(config, virtual=size), partial(run_config_of, options), _tell)
    if notice:
        _tell(notice)
    _leave_on_signals(turns)
    tools = _tools(options["profile"], config.tools_off)
    taken = {tool.name for tool in tools}.union(config.tools_off)
    calls = Calls(turns, tools, SkillTools(options["profile"], taken, _tell))
    server = server_for(calls, RunResources(options["profile"]))
    try:
        if door is None:
            anyio.run(on_standard_streams, server)
        else:
            token = secrets.token_urlsafe()
            _tell(f"http://{HOST}:{port}/mcp\nAuthorization: Bearer {token}")
            anyio.run(over_http, server, door, token)
    finally:
        turns.close()


def _door(port: int) -> socket.socket:
    """Open the port; one that is in use is reported before there is a token."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        why = os.strerror(error.errno or 0)  # its own words name the address too
        raise UsageError(f"Port {port} cannot be used: {why}. Choose another: --http PORT.") from error


def _leave_on_signals(turns: "Turns") -> None:
    """Release everything and exit on a signal: the thread that reads standard input cannot be woken."""

    def leave() -> None:
        turns.close()
        os._exit(EXIT_CODES["stopped"])

    for number in heeded():
        signal.signal(number, lambda _number, _frame: threading.Thread(target=leave).start())


def _tools(profile: str, off: tuple[str, ...]) -> list[Tool]:
    """What a client can use: nothing that is switched off or ends a run; it has a user and schemas of its own.

    The tools by which it uses the agent come last.
    """
    from mark_i.mcp.goals import GOAL_TOOLS  # noqa: PLC0415 - optional

    known = ProfileTools(profile)
    for complaint in known.refresh():
        _tell(complaint)
    useless = {tool.name for tool in known.toolbelt if tool.ending or tool.asks_person or tool.describes_tools}
    for name in sorted(GOAL_TOOLS.keys() & {tool.name for tool in known.toolbelt}):
        _tell(f"The tool {name} of a plugin is left out: the agent is used by a tool of that name.")
    single = [tool for tool in known.toolbelt if tool.name not in useless.union(off, GOAL_TOOLS)]
    return [*single, *(tool for name, tool in GOAL_TOOLS.items() if name not in off)]


def _tell(text: str) -> None:
    """Print a line for the person, not for the program."""
    click.echo(text, err=True)
