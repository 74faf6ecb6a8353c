"""Past runs as resources: listed page by page, read as the command line reads them, without secrets."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import TextResourceContents

from mark_i.assembly.run_config import RunConfig
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.cli.commands.runs import runs
from mark_i.config.paths import runs_folder
from mark_i.mcp.resources import PAGE_RUNS, RUNS, RunResources
from mark_i.mcp.server import Calls, server_for
from mark_i.mcp.skill_tools import SkillTools
from mark_i.mcp.turns import Turns
from world_model import Action, Frame, Journal, Observation, Step, Thought

T = TypeVar("T")
FIRST: Final = "20260101-101500-a1b2c3"
SECOND: Final = "20260102-101500-a1b2c3"
SECRET: Final = "correct horse battery"


def made(name: str, goal: str = "save it", text: str = "Clicked.", profile: str = "default") -> Path:
    """A run of one step."""
    frame = Frame(np.zeros((4, 4, 3), np.uint8))
    seen = Observation(ok=True, text=text)
    journal = Journal(runs_folder(profile) / name, {"goal": goal, "brain": "offline"})
    journal.add(Step(1, Thought("I click."), Action("click", {"target": "Save"}), seen, frame, frame))
    journal.close({"outcome": "done", "summary": "It is saved."})
    return journal.folder


def asked(work: Callable[[Client], Awaitable[T]], profile: str = "default") -> T:
    """What a client asks of our server."""
    config = RunConfig(OfflineBrain())
    calls = Calls(Turns(config, lambda: config, print), (), SkillTools("default", (), print))

    async def whole() -> T:
        async with Client(server_for(calls, RunResources(profile))) as client:
            return await work(client)

    return asyncio.run(whole())


def read(uri: str, profile: str = "default") -> TextResourceContents:
    async def work(client: Client) -> TextResourceContents:
        [only] = (await client.read_resource(uri)).contents
        assert isinstance(only, TextResourceContents)
        return only

    return asked(work, profile)


def refusal(uri: str) -> str:
    """Why an address cannot be read."""

    async def work(client: Client) -> str:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
        return str(raised.value)

    return asked(work)


async def addresses(client: Client) -> list[list[str]]:
    """The addresses of every resource, page by page."""
    pages: list[list[str]] = []
    cursor = None
    while cursor or not pages:
        page = await client.list_resources(cursor=cursor)
        pages.append([one.uri for one in page.resources])
        cursor = page.next_cursor
    return pages


def test_every_run_and_its_report_is_listed_newest_first() -> None:
    made(FIRST)
    made(SECOND)
    made("20260103-101500-a1b2c3", profile="other")

    newest, oldest = f"{RUNS}/{SECOND}", f"{RUNS}/{FIRST}"
    assert asked(addresses) == [[RUNS, newest, f"{newest}/report", oldest, f"{oldest}/report"]]


def test_many_runs_are_listed_in_pages() -> None:
    for number in range(PAGE_RUNS + 1):
        made(f"20260101-101500-{number:06x}")

    first, second = asked(addresses)
    assert (len(first), len(second)) == (1 + 2 * PAGE_RUNS, 2)
    assert second[0] == f"{RUNS}/20260101-101500-000000"


def test_a_run_reads_as_the_command_line_shows_it() -> None:
    made(FIRST)
    shown = CliRunner().invoke(runs, ["show", FIRST, "--format", "markdown"])

    told = read(f"{RUNS}/{FIRST}")
    assert (told.text, told.mime_type) == (shown.output.rstrip("\n"), "text/markdown")
    assert "- **Outcome:** done: It is saved." in told.text
    assert '**Action:** click({"target": "Save"})' in told.text


def test_the_list_of_runs_reads_as_the_command_line_lists_it() -> None:
    made(FIRST)
    made(SECOND)
    listed = CliRunner().invoke(runs, ["list", "--json"])

    assert json.loads(read(RUNS).text) == json.loads(listed.output)


def test_the_report_of_a_run_is_a_page() -> None:
    made(FIRST)

    told = read(f"{RUNS}/last/report")
    assert told.mime_type == "text/html"
    assert "It is saved." in told.text
    assert told.text.startswith("<!doctype html>")


@pytest.mark.parametrize("address", [RUNS, f"{RUNS}/{FIRST}", f"{RUNS}/{FIRST}/report"])
def test_a_secret_that_was_saved_after_the_run_is_not_read(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    made(FIRST, goal=f"type {SECRET}", text=f"It shows {SECRET}.")
    assert SECRET in read(address).text

    monkeypatch.setenv("MARK_I_SECRET_BANK", SECRET)
    told = read(address).text
    assert SECRET not in told
    assert "{{secret:bank}}" in told


def test_a_secret_in_a_goal_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    made(FIRST, goal=f"type {SECRET}")
    monkeypatch.setenv("MARK_I_SECRET_BANK", SECRET)

    async def work(client: Client) -> list[tuple[str | None, str | None]]:
        return [(one.title, one.description) for one in (await client.list_resources()).resources]

    _, steps, report = asked(work)
    assert steps == ("type {{secret:bank}}", "Outcome: done. Steps: 1.")
    assert report[0] == "type {{secret:bank}}"


def test_the_forms_of_the_addresses_are_told() -> None:
    async def work(client: Client) -> list[str]:
        return [one.uri_template for one in (await client.list_resource_templates()).resource_templates]

    assert asked(work) == ["mark-i://runs/{run}", "mark-i://runs/{run}/report"]


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        (f"{RUNS}/20260909-000000-000000", "There is no run"),
        (f"{RUNS}/../keys", "There is no resource"),
        (f"{RUNS}/..", "There is no run"),
        ("file:///etc/passwd", "There is no resource"),
    ],
)
def test_another_address_is_an_error(address: str, complaint: str) -> None:
    made(FIRST)

    assert complaint in refusal(address)


def test_an_unreadable_run_is_an_error_and_the_others_are_listed() -> None:
    made(FIRST)
    (runs_folder() / SECOND).mkdir()

    assert "its run.json" in refusal(f"{RUNS}/{SECOND}")
    assert f"{RUNS}/{FIRST}" in asked(addresses)[0]


def test_a_page_that_is_none_is_an_error() -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError, match="no page"):
            await client.list_resources(cursor="next")

    asked(work)
