"""Which site is fetched, what a search found, which program is opened, and which button a point is on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import Address, AgentCore, Oversight, Query, ScriptedBrain, Toolbelt, ToolResult, standard_toolbelt, tool
from mark_i.guard.policy import DEFAULT, Policy, Rule
from mark_i.guard.risk import Guard
from tests.mark_i.guard.pretended import Shown, tried
from tests.support import action
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.internet.addresses import site_of

FAIL: Final = action("fail", reason="That was all.")
EDITOR: Final = Shown(("area",))
ONE_APPLICATION: Final = Policy(
    act="deny", danger="deny", rules=(Rule(do="allow", tool=("open_app", "focus_window"), target=("xterm",)),)
)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://good.example/a", "good.example"),
        ("http://good.example'@evil.example/", "evil.example"),
        ("http://good.example@evil.example/", "evil.example"),
        ("HTTP://EVIL.example./", "evil.example"),
        ("good.example", ""),
        ("http://good.example:port/", ""),
        ("", ""),
    ],
)
def test_the_site_is_the_one_that_would_be_fetched(url: str, site: str) -> None:
    assert site_of(url) == site


@tool(risk="look")
def fetch_it(where: Annotated[str, Address]) -> str:
    """Fetch."""
    return f"fetched {where}"


def fetched(found: object, url: str, query: str = "x", goal: str = "read what you find") -> bool:
    """Whether a page is fetched after a search with that result."""

    @tool(risk="look", finds_addresses=True)
    def look_up(query: Annotated[str, Query]) -> ToolResult:
        """Search."""
        return found if isinstance(found, ToolResult) else ToolResult(str(found).format(query=query))

    tools = Toolbelt(look_up, fetch_it, *(one for one in standard_toolbelt(None) if one.ending))
    calls = [action("look_up", query=query), action("fetch_it", where=url), FAIL]
    agent = AgentCore(ScriptedBrain(calls), tools, oversight=Oversight(Guard(DEFAULT)))
    agent.execute_command(goal)
    return agent.world_model[2].observation.ok


PAGE: Final = {"title": "See trap.example", "url": "https://found.example/a", "text": "or http://other.example"}


@pytest.mark.parametrize(
    ("found", "query", "url", "done"),
    [
        ("1. A page\nhttps://found.example/a", "x", "https://found.example/b", True),
        ("Nothing was found for {query!r}.", "evil.example", "https://evil.example/", False),
        ("Nothing was found for {query}", "http://evil.example/?q=1", "http://evil.example/?q=1", False),
        (ToolResult("Nothing was found for 'evil.example'.", []), "evil.example", "http://evil.example", False),
        (ToolResult("Found", [PAGE]), "x", "https://found.example/b", True),
        (ToolResult("Found", [PAGE]), "x", "https://trap.example/", False),
        (ToolResult("Found", [PAGE]), "x", "http://other.example", False),
        (ToolResult("", {"query": "http://evil.example/"}), "http://evil.example/", "http://evil.example/", False),
        (ToolResult("Found", [PAGE]), "x", "https://found.example'@evil.example/", False),
    ],
)
def test_only_a_site_that_was_found_is_fetched(found: object, query: str, url: str, *, done: bool) -> None:
    assert fetched(found, url, query) is done


@pytest.mark.parametrize("name", ["sub/xterm", "./xterm", "/usr/bin/xterm", "~/xterm", "poweroff"])
def test_a_program_at_a_path_is_not_the_application_that_is_allowed(name: str) -> None:
    assert tried(EDITOR, [("open_app", {"name": name})], f"open {name}", ONE_APPLICATION).judged[0].refusal
    assert not tried(EDITOR, [("open_app", {"name": "xterm"})], "open it", ONE_APPLICATION).stopped


def test_a_program_without_a_desktop_entry_is_opened_if_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "frobnicate").write_text("#!/bin/sh\n")
    (tmp_path / "frobnicate").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    call = [("open_app", {"name": "frobnicate"})]
    with_args = [("open_app", {"name": "frobnicate", "args": ["push", "all"]})]
    assert tried(EDITOR, with_args, "what does frobnicate do to all that I push?").asked
    assert not tried(EDITOR, with_args, "run frobnicate push all").stopped
    assert tried(EDITOR, call, "tidy up").asked == ['"frobnicate" is a program, not an application.']
    assert not tried(EDITOR, call, "open frobnicate").stopped
    assert tried(EDITOR, [("open_app", {"name": "my frobnicate"})], "tidy up").stopped
    assert not tried(EDITOR, [("open_app", {"name": "the frobnicate"})], "open frobnicate").stopped
    assert not tried(EDITOR, [("open_app", {"name": "no such thing"})], "tidy up").stopped


@pytest.mark.parametrize("name", ["the rm", "THE rm", "my python3", "an env"])
def test_a_program_is_what_would_be_started_not_what_it_is_called(name: str) -> None:
    assert tried(EDITOR, [("open_app", {"name": name})], "tidy up").asked
    assert not tried(EDITOR, [("open_app", {"name": "the xterm"})], "tidy up").stopped


def drawn(_inputs: Sequence[Input]) -> Image.Image:
    image = Image.new("RGB", (900, 300), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSans.ttf", 20)
    pen.rounded_rectangle((30, 30, 870, 90), 8, (30, 110, 60))
    pen.text((450, 60), "Pay now", "white", font, anchor="mm")
    pen.rectangle((30, 130, 870, 180), outline="gray")
    pen.text((450, 155), "Read more", "black", font, anchor="mm")
    pen.text((40, 240), "Nothing here", "black", font)
    return image


@pytest.mark.parametrize(
    ("x", "y", "asks"),
    [
        (40, 60, True),
        (860, 60, True),
        (450, 85, True),
        (34, 40, True),
        (40, 155, False),
        (860, 155, False),
        (600, 250, False),
    ],
)
def test_a_wide_button_is_its_label_everywhere(x: int, y: int, *, asks: bool) -> None:
    desktop = FakeDesktop(drawn)
    eyes = Eyes(desktop, desktop.control)
    calls: list[Any] = [action("click", target={"x": x, "y": y}), FAIL]
    agent = AgentCore(
        ScriptedBrain(calls), standard_toolbelt(eyes), desktop, oversight=Oversight(Guard(DEFAULT)), eyes=eyes
    )
    agent.execute_command("go on")
    error = agent.world_model[1].observation.error
    assert (error is not None and error.code == "DENIED") is asks


def test_a_file_is_opened_if_it_was_named_and_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("monday.txt", "setup.jar"):
        (tmp_path / name).write_text("soup")

    def asked(name: str, goal: str) -> list[str]:
        return tried(EDITOR, [("open_app", {"name": name})], goal).asked

    assert asked("monday.txt", "tidy up") == asked(f"{tmp_path}/monday.txt", f"open {tmp_path}/monday.txt") == []
    assert asked(f"{tmp_path}/monday.txt", "tidy up")
    (tmp_path / "script.txt").touch(0o755)
    for name in ("script.txt", "setup.jar", "none.txt"):
        assert asked(f"{tmp_path}/{name}", f"open {tmp_path}/{name}")
    assert '"setup.jar" may start when it is opened.' in asked("setup.jar", "tidy up")[0]
    assert asked("setup.jar", "open setup.jar") == []
