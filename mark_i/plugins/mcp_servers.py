"""The tools of other MCP servers, for the agent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mark_i.extras import require
from toolbelt.tool import Tool
from world_model import UsageError


@contextmanager
def tools_of_servers(file: Path, logs: Path, say: Callable[[str], None]) -> Iterator[list[Tool]]:
    """Every tool of the servers that a file names, as long as they are used; none where there is no such file.

    Args:
        file: the profile's.
        logs: the folder in which each server's standard error is kept.
        say: is told of a server that cannot be used; the others can.

    Raises:
        UsageError: the file is not as it should be, or the package for it is not installed.
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
