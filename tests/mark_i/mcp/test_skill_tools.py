"""A client has the kept skills as tools, hears when there is a new one, and gets a result like that of a goal."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, ToolListChangedNotification

from tests.mark_i.mcp.client_results import ERAS, text, values
from tests.order_skill import keep_order
from tests.support import CAP_S

ROOT = Path(__file__).resolve().parents[3]


def used(work: Callable[[Client, asyncio.Event], Awaitable[None]], folder: Path, era: str) -> None:
    """What a client does with our server; the event is set once it hears that the list has changed."""

    async def whole() -> None:
        changed, listens = asyncio.Event(), asyncio.Event()

        async def note(message: object) -> None:
            if isinstance(message, ToolListChangedNotification):
                changed.set()

        async def listen(client: Client) -> None:
            async with client.listen(tools_list_changed=True) as events:
                listens.set()
                async for _ in events:
                    changed.set()

        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        serve = ["-m", "mark_i", "mcp", "--virtual", "1024x768"]
        server = StdioServerParameters(command=sys.executable, args=serve, env=environment, cwd=folder)
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(Client(stdio_client(server), mode=era, message_handler=note))
            listening = asyncio.create_task(listen(client)) if era == "auto" else None
            if listening:
                await listens.wait()
            await work(client, changed)
            if listening:
                listening.cancel()

    asyncio.run(asyncio.wait_for(whole(), CAP_S))


@pytest.mark.usefixtures("processes", "shop", "patience")
@pytest.mark.parametrize("era", ERAS)
def test_a_kept_skill_is_a_tool_of_the_server(tmp_path: Path, era: str) -> None:
    keep_order("draft", state="draft")

    async def work(client: Client, changed: asyncio.Event) -> None:
        before = {tool.name for tool in (await client.list_tools()).tools}
        keep_order()
        await changed.wait()
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() - before == {"order"}
        assert "draft" not in tools
        schema = tools["order"].input_schema
        assert schema["properties"]["person"] == {"type": "string", "description": "Such as 'Ada'."}
        assert schema["required"] == ["person", "company"]
        assert str(tools["order"].description).startswith("Order something for a person.")

        done: CallToolResult = await client.call_tool("order", {"person": "Eve", "company": "Acme"})
        if values(done)["state"] == "running":
            done = await client.call_tool("status", {"wait_seconds": CAP_S})
        missing = await client.call_tool("order", {"person": "Eve"})

        assert (values(done)["outcome"], values(done)["goal"]) == ("done", "order for Eve at Acme, apply"), text(done)
        assert (values(done)["brain"], done.is_error) == ("skill:order", False)
        assert missing.is_error
        assert "company" in text(missing)

    used(work, tmp_path, era)


@pytest.mark.usefixtures("processes", "shop")
def test_a_skill_that_is_refused_is_an_error_with_its_step(tmp_path: Path) -> None:
    keep_order(button="Send")

    async def work(client: Client, _changed: asyncio.Event) -> None:
        await client.list_tools()
        done = await client.call_tool("order", {"person": "Eve", "company": "Acme"})
        if values(done)["state"] == "running":
            done = await client.call_tool("status", {"wait_seconds": CAP_S})

        assert values(done)["outcome"] == "failed"
        assert "Step 4 of the skill: " in text(done)

    used(work, tmp_path, "auto")
