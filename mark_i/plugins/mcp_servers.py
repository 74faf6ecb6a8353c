"""The tools of other MCP servers, for the agent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mark_i.extras import require
from toolbelt.tool import Tool
from world_model import UsageError


@contextmanager
def tools_of_servers(file: Path, logs: Path, say: Callable[[str], None]) -> Iterator[list[Tool]]:
    """Connect to the servers that a file names and yield their tools; none if there is no such file.

    Args:
        file: `mcp.json` of the profile.
        logs: the folder for the standard error of each server.
        say: receives a message about each server that cannot be used.

    Raises:
        UsageError: the file is not valid, or the package for MCP is not installed.
    """
    if not file.exists():
        yield []
        return
    try:
        require("mcp")
    except UsageError as error:
        raise UsageError(f"{file} names servers. {error}") from error
    from mark_i.plugins.mcp_client import connected  # noqa: PLC0415 - optional, and slow to load

    with connected(file, logs, say) as tools:
        yield tools
