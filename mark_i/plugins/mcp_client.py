"""Tools of the MCP servers in the profile's `mcp.json`, which has the format of other programs."""

import logging
import math
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Self

import anyio
import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client._transport import Transport
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import ContentBlock, Implementation, TextContent, Tool as Offered
from pydantic import BaseModel, Field, ValidationError, model_validator

from mark_i.json_text import read_json
from mark_i.startup_check import our_version
from toolbelt.tool import Tool, ToolResult
from world_model import ToolFailure, UsageError

START_TIMEOUT_S: Final = 20.0  # for a server to start and list its tools
CALL_TIMEOUT_S: Final = 60.0
FAILURES: Final = (OSError, MCPError, httpx2.HTTPError)
UNAVAILABLE: Final = "The MCP server {} cannot be used: {}. The run continues without its tools. To change it, edit {}."
OURSELVES: Final = Implementation(name="mark-i", version=our_version())


class Entry(BaseModel):
    """A server: a command that is started for each run, or the address of a running one."""

    command: str | None = None
    args: list[str] = []
    env: dict[str, str] = {}
    url: str | None = None
    headers: dict[str, str] = {}

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("it needs a command, or a url, and not both")
        return self


class Servers(BaseModel):
    """The whole file; settings of other programs in it are ignored."""

    servers: dict[str, Entry] = Field(default={}, alias="mcpServers")

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read the file.

        Raises:
            UsageError: it cannot be read or is not valid; the message says where.
        """
        try:
            return cls.model_validate(read_json(file.read_text(encoding="utf-8")))
        except ValidationError as error:
            one = error.errors()[0]
            place = ".".join(map(str, one["loc"]))
            raise UsageError(f"{file}: {place}: {one['msg'].removeprefix('Value error, ')}.") from error
        except UsageError as error:
            raise UsageError(f"{file} cannot be read: {error}") from error
        except (OSError, ValueError) as error:
            raise UsageError(f"{file} cannot be read: {error}.") from error


@contextmanager
def connected(file: Path, logs: Path, say: Callable[[str], None]) -> Iterator[list[Tool]]:
    """See `tools_of_servers`."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # what it would print is also raised
    servers = Servers.read(file).servers
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        tools: list[Tool] = []
        for name, entry in servers.items():
            opened = portal.wrap_async_context_manager(_opened(name, entry, logs))
            try:
                client, offered = stack.enter_context(opened)
                tools += [_tool(name, one, partial(_use, portal, client, one.name)) for one in offered]
            except* FAILURES as errors:
                say(UNAVAILABLE.format(name, _told(errors), file))
        yield tools


def _told(error: BaseException) -> str:
    """Return the innermost error as text."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error).rstrip(".") or type(error).__name__


@asynccontextmanager
async def _opened(name: str, entry: Entry, logs: Path) -> AsyncIterator[tuple[Client, list[Offered]]]:
    """Connect to a server and yield the client and its tools."""
    async with AsyncExitStack() as stack:
        starting = stack.enter_context(anyio.fail_after(START_TIMEOUT_S))
        client = Client(await _transport(name, entry, logs, stack), client_info=OURSELVES)
        await stack.enter_async_context(client)
        offered = (await client.list_tools()).tools
        starting.deadline = math.inf
        yield client, offered


async def _transport(name: str, entry: Entry, logs: Path, stack: AsyncExitStack) -> Transport:
    if entry.command is None:
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=entry.headers, timeout=CALL_TIMEOUT_S))
        return streamable_http_client(entry.url or "", http_client=http)
    log = stack.enter_context((logs / f"mcp-{_word(name)}.log").open("w", encoding="utf-8"))
    return stdio_client(StdioServerParameters(command=entry.command, args=entry.args, env=entry.env), log)


def _tool(server: str, offered: Offered, use: Callable[..., ToolResult]) -> Tool:
    """Make a tool with the risk `danger`: a server's own claims about safety do not count."""
    schema = {"properties": {}, **offered.input_schema}
    name = f"{_word(server)}_{_word(offered.name)}"
    return Tool(name, offered.description or offered.name, "danger", CALL_TIMEOUT_S, use, schema, dict)


def _word(name: str) -> str:
    """Make a text usable in the name of a tool."""
    return re.sub(r"\W", "_", name)


def _use(portal: BlockingPortal, client: Client, tool: str, **args: object) -> ToolResult:
    """Call a tool of a server and wait for the result."""
    try:
        result = portal.call(partial(client.call_tool, tool, args))
    except MCPError as error:
        raise ToolFailure("TOOL_ERROR", f"The MCP server refused it: {error.error.message}") from error
    text = "\n".join(_words(block) for block in result.content)
    if result.is_error:
        raise ToolFailure("TOOL_ERROR", text or "The MCP server failed without a message.")
    return ToolResult(text, result.structured_content)


def _words(block: ContentBlock) -> str:
    return block.text if isinstance(block, TextContent) else f"({block.type}, which cannot be shown here)"
