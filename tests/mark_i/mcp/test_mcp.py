"""MCP: the official SDK's client uses our tools, and a server that others wrote gives us its own."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, ImageContent, TextContent

from mark_i.config.paths import runs_folder, servers_file
from tests.mark_i.mcp.client_results import ERAS
from tests.support import Run, action, events, gone, processes_with, script
from toolbelt.control import Control
from world_model import read_run

T = TypeVar("T")
ROOT: Final = Path(__file__).resolve().parents[3]
CAP_S: Final = 120.0  # seconds for anything on a busy machine
SERVE: Final = ("-m", "mark_i", "mcp", "--virtual", "800x600")
GREETING: Final[tuple[dict[str, Any], ...]] = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
END: Final = action("finish", summary="That was all.")


def answering(decision: str, asked: list[str]) -> ElicitationFnT:
    async def answer(context: object, params: ElicitRequestParams) -> ElicitResult:
        del context
        asked.append(params.message)
        return ElicitResult(action="accept", content={"decision": decision})

    return answer


async def declining(context: object, params: ElicitRequestParams) -> ElicitResult:
    del context, params
    return ElicitResult(action="decline")


def used(
    work: Callable[[Client], Awaitable[T]],
    folder: Path,
    era: str = "auto",
    ask: ElicitationFnT | None = None,
    serve: Sequence[str] = SERVE,
) -> T:
    """What a client that works in `folder` does with our server."""

    async def whole() -> T:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        server = StdioServerParameters(command=sys.executable, args=[*serve], env=environment, cwd=folder)
        async with Client(stdio_client(server), mode=era, elicitation_callback=ask) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(whole(), CAP_S))


def text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def picture(result: CallToolResult) -> ImageContent | None:
    return next((block for block in result.content if isinstance(block, ImageContent)), None)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("era", ERAS)
def test_a_client_works_on_the_desktop_and_it_is_journaled(tmp_path: Path, era: str) -> None:
    async def work(client: Client) -> None:
        names = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"click", "type_text", "screenshot", "read_screen"} <= names.keys()
        assert not {"finish", "fail", "ask_user"} & names.keys()
        hints = names["screenshot"].annotations
        assert hints
        assert hints.read_only_hint
        seen = await client.call_tool("screenshot", {})
        shown = picture(seen)
        assert shown
        assert shown.mime_type == "image/jpeg"
        opened = await client.call_tool("open_app", {"name": "mousepad"})
        assert not opened.is_error
        assert picture(opened)
        assert not (await client.call_tool("type_text", {"text": "It is half past four."})).is_error
        assert "half past four" in text(await client.call_tool("read_screen", {}))
        nowhere = await client.call_tool("click", {"target": "No such button"})
        assert nowhere.is_error
        assert "TARGET_NOT_FOUND" in text(nowhere)
        unknown = await client.call_tool("finish", {"summary": "x"})
        assert unknown.is_error
        assert "no tool named 'finish'" in text(unknown)

    used(work, tmp_path, era)
    [folder] = runs_folder().iterdir()
    run = read_run(folder)
    assert [step.action.tool for step in run.steps] == ["screenshot", "open_app", "type_text", "read_screen", "click"]
    assert run.about["brain"] == "mcp"


@pytest.mark.usefixtures("processes")
def test_an_unchanged_screen_is_sent_again_only_on_request(tmp_path: Path) -> None:
    async def work(client: Client) -> list[bool]:
        calls = "screenshot", "list_windows", "screenshot"
        return [picture(await client.call_tool(name, {})) is not None for name in calls]

    assert used(work, tmp_path) == [True, False, True]


@pytest.mark.usefixtures("processes")
def test_what_is_enlarged_is_sent_as_a_picture(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        screen = picture(await client.call_tool("screenshot", {}))
        closer = picture(await client.call_tool("zoom", {"target": {"x": 100, "y": 100}}))
        assert screen
        assert closer
        assert closer.data != screen.data

    used(work, tmp_path)


@pytest.mark.usefixtures("processes")
def test_points_are_pixels_of_a_scaled_picture_everywhere(
    tmp_path: Path,
) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("open_app", {"name": "mousepad"})
        await client.call_tool("wait_for", {"text": "File"})
        found = re.search(r'"File" at (\d+), (\d+)', text(await client.call_tool("read_screen", {})))
        assert found
        clicked = await client.call_tool("click", {"target": {"x": int(found[1]), "y": int(found[2])}})
        assert f"Clicked at {found[1]}, {found[2]}." in text(clicked)
        [place] = re.findall(r'"Save As[^"]*" at \d+, \d+', text(clicked))
        assert place in text(await client.call_tool("read_screen", {})), "what appeared is where it is read"

    used(work, tmp_path, serve=(*SERVE[:-1], "2400x1400"))


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("era", ERAS)
def test_the_guard_asks_the_user_of_the_client(tmp_path: Path, era: str) -> None:
    asked: list[str] = []

    async def write(client: Client) -> CallToolResult:
        return await client.call_tool("write_file", {"path": "a.txt", "text": "hello"})

    async def twice(client: Client) -> None:
        for _ in range(2):
            assert not (await write(client)).is_error

    denied = used(write, tmp_path, era, answering("no", asked))
    assert denied.is_error
    assert "DENIED" in text(denied)
    assert "DENIED" in text(used(write, tmp_path, era, declining))
    assert "DENIED" in text(used(write, tmp_path, era))  # a client that cannot ask anybody
    assert not (tmp_path / "a.txt").exists()
    [question] = asked
    assert 'write_file({"path": "a.txt"' in question

    used(twice, tmp_path, era, answering("once", asked))
    assert len(asked) == 3
    used(twice, tmp_path, era, answering("for this run", asked))
    assert len(asked) == 4
    assert (tmp_path / "a.txt").read_text() == "hello"


@pytest.mark.usefixtures("processes")
def test_an_unanswered_question_means_no(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        args = {"path": "a.txt", "text": "hello"}
        first = await client.session.call_tool("write_file", args, allow_input_required=True)
        assert not isinstance(first, CallToolResult)
        assert "screen" in text(await client.call_tool("screenshot", {}))
        late = await client.session.call_tool("write_file", args, request_state=first.request_state)
        assert "too late" in text(late)

    used(work, tmp_path, ask=declining)
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.usefixtures("processes")
def test_a_cancelled_call_does_not_affect_the_next(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("screenshot", {})
        waiting = asyncio.create_task(client.call_tool("wait_for", {"text": "never there", "timeout": 2}))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(waiting, 0.3)
        assert "800x600" in text(await client.call_tool("screenshot", {}))

    used(work, tmp_path)


def decided(tool: str) -> bool:
    """Whether the only run has begun to use a tool."""
    [decisions] = runs_folder().glob("*/decisions.jsonl")
    return f'"{tool}"' in decisions.read_text(encoding="utf-8")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("era", ERAS)
def test_a_call_that_is_cancelled_while_it_works_is_interrupted(tmp_path: Path, era: str) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("screenshot", {})
        held = asyncio.create_task(client.call_tool("hold", {"keys": "x", "seconds": 55}))
        assert await asyncio.to_thread(Control().until, lambda: decided("hold"), CAP_S)
        held.cancel()
        assert "800x600" in text(await asyncio.wait_for(client.call_tool("screenshot", {}), 40))

    used(work, tmp_path, era)

    [folder] = runs_folder().iterdir()
    steps = read_run(folder).steps
    assert [step.action.tool for step in steps] == ["screenshot", "hold", "screenshot"]
    assert steps[1].observation.error
    assert steps[1].observation.error.message == "The call was cancelled, so this was not done or was interrupted."


@pytest.mark.usefixtures("processes")
def test_calls_that_come_at_once_are_carried_out_in_their_order() -> None:
    keys = [f"f{number}" for number in range(1, 36)]
    calls = [
        {"id": nth, "method": "tools/call", "params": {"name": "press", "arguments": {"keys": key}}}
        for nth, key in enumerate(keys, start=2)
    ]
    command = [sys.executable, *SERVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in (*GREETING, *calls)))
        server.stdin.flush()
        answered = {json.loads(server.stdout.readline())["id"] for _ in range(1 + len(calls))}
        server.terminate()
        assert server.wait(CAP_S) == 130

    assert answered == set(range(1, 2 + len(calls)))
    [folder] = runs_folder().iterdir()
    assert [step.action.args["keys"] for step in read_run(folder).steps] == keys


@pytest.mark.usefixtures("processes")
def test_a_call_that_is_cancelled_before_its_turn_is_never_done(tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("screenshot", {})
        first = asyncio.create_task(client.call_tool("wait", {"seconds": 4}))
        second = asyncio.create_task(client.call_tool("press", {"keys": "y"}))
        assert await asyncio.to_thread(Control().until, lambda: decided("wait"), CAP_S)
        second.cancel()
        await first
        await client.call_tool("screenshot", {})

    used(work, tmp_path)

    [folder] = runs_folder().iterdir()
    assert [step.action.tool for step in read_run(folder).steps] == ["screenshot", "wait", "screenshot"]


def test_what_the_person_says_is_told_and_their_stop_ends_it_for_good(tmp_path: Path, mark_i: Run) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("key_down", {"key": "shift"})
        said = await asyncio.to_thread(mark_i, "say", "No, the other file", cwd=ROOT)
        assert said.returncode == 0
        told = [text(await client.call_tool("press", {"keys": "f7"})) for _ in range(2)]
        assert ["The person said meanwhile: No, the other file" in one for one in told] == [True, False]
        [run] = runs_folder().iterdir()
        assert [step.action.tool for step in read_run(run).steps] == ["key_down", "press", "press"]
        stopped = await asyncio.to_thread(mark_i, "stop", cwd=ROOT)
        assert stopped.returncode == 0
        for _ in range(2):
            refused = await client.call_tool("screenshot", {})
            assert refused.is_error
            assert "stopped" in text(refused)

    used(work, tmp_path)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_releases_everything_and_exits(number: signal.Signals, home: Path) -> None:
    messages = (
        *GREETING,
        {"id": 2, "method": "tools/call", "params": {"name": "open_app", "arguments": {"name": "xterm"}}},
    )
    command = [sys.executable, *SERVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdin
        assert server.stdout
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        assert {json.loads(server.stdout.readline())["id"] for _ in range(2)} == {1, 2}
        others = [pid for pid in processes_with(str(home)) if pid != server.pid]
        server.send_signal(number)
        assert server.wait(CAP_S) == 130
    assert gone(*others)


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


@pytest.fixture
def token(processes: None, port: int) -> Iterator[str]:
    """That of a server over HTTP."""
    command = [sys.executable, *SERVE, "--http", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stderr
        assert server.stderr.readline() == f"http://127.0.0.1:{port}/mcp\n"
        header, _, token = server.stderr.readline().strip().partition(" Bearer ")
        assert header == "Authorization:"
        assert Control().until(lambda: listens(port), CAP_S)
        yield token
        server.terminate()
        server.wait(CAP_S)


def test_http_needs_the_token_and_is_local(port: int, token: str) -> None:
    address = f"http://127.0.0.1:{port}/mcp"

    async def whole(headers: dict[str, str]) -> str:
        http = httpx2.AsyncClient(headers=headers, timeout=CAP_S)
        async with http, Client(streamable_http_client(address, http_client=http)) as client:
            return text(await client.call_tool("screenshot", {}))

    assert "800x600" in asyncio.run(whole({"Authorization": f"Bearer {token}"}))
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        assert httpx2.post(address, headers=headers, json={}).status_code == 401
    listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    places = [line[1] for line in listening if line[3] == "0A" and line[1].endswith(f":{port:04X}")]
    assert places == [f"0100007F:{port:04X}"]


def test_a_port_in_use_is_one_line_and_no_token(mark_i: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = mark_i("mcp", "--virtual", "--http", str(port))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"mark-i: Port {port} cannot be used: Address already in use. Choose another: --http PORT.\n"


def serve_others(**servers: object) -> None:
    """The servers whose tools the next run has."""
    servers_file().parent.mkdir(parents=True)
    servers_file().write_text(json.dumps({"mcpServers": servers}))


def test_a_run_has_the_tools_of_other_servers(mark_i: Run, tmp_path: Path) -> None:
    clock = {"command": str(Path(sys.executable).with_name("mcp-server-time")), "args": ["--local-timezone", "UTC"]}
    serve_others(
        **{"my.clock": clock, "my-clock": clock, "gone": {"command": "no-such-program"}, "dies": {"command": "false"}}
    )
    hour = {"target_timezone": "Asia/Tokyo", "time": "12:30"}
    convert = action("my_clock_convert_time", source_timezone="Europe/Lisbon", **hour)
    wrong = action("my_clock_convert_time", source_timezone="Nowhere", **hour)
    brain = script(tmp_path / "b.jsonl", convert, wrong, END, END)

    ran = mark_i("run", "--json", "--virtual", "640x480", "--brain", brain, "--yes", "what time is it?")
    told = events(ran.stdout)
    first, second, *_ = [event["observation"] for event in told if event["event"] == "step"]
    assert "Asia/Tokyo" in first["text"]
    assert second["error"]["code"] == "TOOL_ERROR"
    assert "Nowhere" in second["error"]["message"]
    notices = [event["text"] for event in told if event["event"] == "notice"]
    assert [notice.split(" cannot")[0] for notice in notices[:2]] == ["The MCP server gone", "The MCP server dies"]
    assert "The tool my_clock_convert_time of an MCP server is left out" in notices[3]

    asked = mark_i("run", "--json", "--virtual", "640x480", "--brain", brain, "what time is it?")
    first, *_ = [event["observation"] for event in events(asked.stdout) if event["event"] == "step"]
    assert first["error"]["code"] == "DENIED"  # nobody was there to ask


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "cannot be read"),
        ("[" * 50_000, "cannot be read"),
        ('{"mcpServers": {"a": {}}}', "mcpServers.a: it needs a command, or a url, and not both"),
        ('{"mcpServers": {"a": {"command": 3}}}', "mcpServers.a.command"),
        ('{"mcpServers": []}', "mcpServers"),
    ],
)
def test_a_wrong_server_file_is_one_line(mark_i: Run, tmp_path: Path, content: str, complaint: str) -> None:
    serve_others()
    servers_file().write_text(content)
    ran = mark_i("run", "--virtual", "640x480", "--brain", script(tmp_path / "b.jsonl", END), "anything")
    assert ran.returncode == 2
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert mark_i("runs", "list").stdout.startswith("There are no runs yet")


@pytest.mark.usefixtures("processes")
def test_a_run_for_a_client_starts_no_other_servers(tmp_path: Path) -> None:
    serve_others(other={"command": "touch", "args": [str(tmp_path / "started")]})

    async def work(client: Client) -> None:
        assert not (await client.call_tool("list_files", {"path": "."})).is_error

    used(work, tmp_path)
    assert not (tmp_path / "started").exists()


def test_the_tool_list_names_the_server_file(mark_i: Run) -> None:
    assert "MCP" not in mark_i("tools", "list").stdout
    serve_others(clock={"command": "mcp-server-time"})
    assert str(servers_file()) in mark_i("tools", "list").stdout.splitlines()[-1]


def test_the_agent_cannot_write_the_server_file(mark_i: Run, tmp_path: Path) -> None:
    serve_others()
    write = action("write_file", path=str(servers_file()), text="{}")
    brain = script(tmp_path / "b.jsonl", write, END, END)
    ran = mark_i("run", "--json", "--yes", "--brain", brain, "anything", cwd=servers_file().parent, env=with_root())
    first, *_ = [event["observation"] for event in events(ran.stdout) if event["event"] == "step"]
    assert first["error"]["code"] == "PERMISSION_DENIED"
    assert json.loads(servers_file().read_text()) == {"mcpServers": {}}


def with_root() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
