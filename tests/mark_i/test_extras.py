"""A plain install: everything without a model works, and what needs an extra says which, in one line."""

import json
import os
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.extras import EXTRAS
from tests.support import Run

PROJECT: Final[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]
# Python loads this first, and then finds none of these modules.
HIDING: Final = """\
import sys

HIDDEN = {hidden!r}

class Hiding:
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in HIDDEN):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hiding())
"""


def spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def modules_of(*requirements: str) -> set[str]:
    """The top modules of the distributions of some requirements."""
    wanted = {spelled(re.split(r"[ ;<>=\[]", one, maxsplit=1)[0]) for one in requirements}
    return {top for top, names in packages_distributions().items() if wanted & set(map(spelled, names))}


def hidden() -> list[str]:
    """What a plain install does not have, as far as an extra names it and nothing else brings it."""
    extras = PROJECT["optional-dependencies"]
    optional = modules_of(*(one for name in EXTRAS for one in extras[name]))
    # rapidocr brings requests, which brings urllib3; pydantic brings typing_extensions.
    brought = modules_of(*PROJECT["dependencies"], "requests", "urllib3", "typing-extensions")
    return sorted(optional - brought)


@pytest.fixture
def plain(tmp_path: Path) -> dict[str, str]:
    """An environment in which no extra is installed."""
    folder = tmp_path / "hiding"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(HIDING.format(hidden=hidden()), encoding="utf-8")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{Path(__file__).parents[2]}"}


def test_the_packages_of_the_extras_are_really_hidden() -> None:
    assert {"customtkinter", "ddgs", "trafilatura", "httpx2", "openai", "anthropic", "mcp", "google"} <= set(hidden())


def test_a_plain_install_carries_out_instructions(mark_i: Run, plain: dict[str, str], tmp_path: Path) -> None:
    goal = 'open xterm, type "touch made" and press enter'
    ran = mark_i("run", "--virtual", "800x600", "--brain", "offline", "--yes", goal, env=plain, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_run_that_cannot_be_traced_says_so_in_a_line_and_goes_on(
    mark_i: Run, plain: dict[str, str], tmp_path: Path
) -> None:
    asked = plain | {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}  # perhaps for another program
    (tmp_path / "goals.toml").write_text('[[task]]\nname = "shift"\ngoal = "Press shift."\nbrain = "offline"\n')
    line = "OTEL_EXPORTER_OTLP_ENDPOINT is set, but no run is traced: OpenTelemetry is not installed. "
    ran = mark_i("run", "--virtual", "800x600", "--brain", "offline", "Press shift.", env=asked, cwd=tmp_path)
    many = mark_i("fleet", "run", "goals.toml", env=asked, cwd=tmp_path)
    assert ran.stderr == many.stderr == f"{line}Install it: pip install 'mark-i[otel]'\n"
    assert "Pressed shift" in ran.stdout
    assert "Pressed shift" in many.stdout


@pytest.mark.parametrize("brain", ["gemini", "openai", "anthropic", "gemini-legacy"])
def test_a_brain_without_its_sdk_names_the_extra(brain: str, mark_i: Run, plain: dict[str, str]) -> None:
    keys = {f"{name}_API_KEY": "a-key" for name in ("GEMINI", "OPENAI", "ANTHROPIC")}
    ran = mark_i("run", "--virtual", "--brain", brain, "Say hello", env=plain | keys)
    assert ran.returncode == 2
    assert ran.stderr.endswith(f" is not installed. Install it: pip install 'mark-i[{brain}]'\n")
    assert ran.stderr.count("\n") == 1


def test_a_fleet_on_ray_names_the_extra(mark_i: Run, plain: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "goals.toml"
    file.write_text('[[task]]\nname = "a"\nbrain = "offline"\ngoal = "Press shift."\n')
    ran = mark_i("fleet", "run", str(file), "--ray", "local", env=plain)
    assert ran.returncode == 2
    assert ran.stderr == "mark-i: Ray is not installed. Install it: pip install 'mark-i[fleet]'\n"
    assert not (tmp_path / "goals").exists()


@pytest.mark.parametrize(("command", "extra"), [("gui", "window"), ("mcp", "mcp")])
def test_a_command_without_its_extra_names_it(command: str, extra: str, mark_i: Run, plain: dict[str, str]) -> None:
    ran = mark_i(command, env=plain)
    assert ran.returncode == 2
    assert (ran.stdout, ran.stderr.count("\n")) == ("", 1)
    assert f"is not installed. Install it: pip install 'mark-i[{extra}]'" in ran.stderr


def test_mcp_servers_of_a_profile_need_the_extra(mark_i: Run, plain: dict[str, str], home: Path) -> None:
    profile = home / "profiles" / "default"
    profile.mkdir(parents=True)
    (profile / "mcp.json").write_text('{"mcpServers": {"clock": {"command": "clock"}}}')
    ran = mark_i("ask", "--brain", "offline", "Hello", env=plain)
    assert ran.returncode == 2
    assert "mcp.json names servers. MCP is not installed. Install it: pip install 'mark-i[mcp]'" in ran.stderr


def test_a_web_tool_without_its_extra_names_it(mark_i: Run, plain: dict[str, str]) -> None:
    for call in (("search_web", '{"query": "x"}'), ("fetch_page", '{"url": "http://example.org"}')):
        used = mark_i("tools", "call", *call, env=plain)
        assert used.returncode == 1
        assert "is not installed. Install it: pip install 'mark-i[web]'" in used.stdout


def test_the_list_of_tools_tells_which_extra_is_missing(mark_i: Run, plain: dict[str, str]) -> None:
    listed = mark_i("tools", "list", env=plain)
    assert listed.returncode == 0, listed.stderr
    assert "Install it: pip install 'mark-i[web]'" in listed.stdout
    assert re.findall(r"^(\w+) .*\(not installed\)", listed.stdout, re.MULTILINE) == ["fetch_page", "search_web"]
    about = json.loads(mark_i("tools", "list", "--json", env=plain).stdout)
    assert {one["name"] for one in about if one["missing_extra"] == "web"} == {"search_web", "fetch_page"}


def test_the_doctor_tells_which_extras_are_missing(mark_i: Run, plain: dict[str, str]) -> None:
    told = json.loads(mark_i("doctor", "--json", "--virtual", "800x600", env=plain).stdout)
    [extras] = [one for one in told["findings"] if one["about"] == "extras"]
    assert (extras["there"], extras["failed"]) == (False, False)
    assert extras["todo"].endswith(
        "pip install 'mark-i[window,accessibility,portal,web,gemini,openai,anthropic,mcp,langgraph]'"
    )
    [window] = [one for one in told["findings"] if one["about"] == "gui"]
    assert (window["there"], window["failed"]) == (False, False)
    assert "pip install 'mark-i[window]'" in window["told"]


def test_with_every_extra_the_doctor_says_so(mark_i: Run) -> None:
    told = json.loads(mark_i("doctor", "--json", "--virtual", "800x600").stdout)
    [extras] = [one for one in told["findings"] if one["about"] == "extras"]
    assert extras["there"]
