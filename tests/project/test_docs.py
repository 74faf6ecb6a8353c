"""The pages in docs/: what they tell the reader to do works as it is written."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.brains import PROVIDERS, Provider
from mark_i.config.paths import tools_folder
from mark_i.config.settings import load
from mark_i.testing import GEMINI, ModelServer
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.library import shipped
from tests.support import Run, action, events, script

CHECKOUT: Final = Path(__file__).parents[2]


def page(name: str) -> str:
    return (CHECKOUT / "docs" / f"{name}.md").read_text(encoding="utf-8")


WORKFLOWS, BRAINS, TOOLS, START, TROUBLE, SKILLS, FLEETS = map(
    page, ("workflows", "brains", "tools", "getting-started", "troubleshooting", "skills", "fleets")
)


def commands(page: str) -> list[list[str]]:
    return [shlex.split(line) for line in re.findall(r"^    mark-i (.+)$", page, re.MULTILINE)]


COMMANDS: Final = commands(WORKFLOWS)
ANSWER: Final = {"thought": "I know it.", "answer": "Nothing."}
# Of a goal that wants something done, an answer is sent back once.
LOOKS: Final = [action("list_files", path="."), "All is well.", ANSWER, "It is.", ANSWER]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def rows(page: str) -> dict[str, str]:
    return dict(re.findall(r"^\| `([\w]+)` \| (.+) \|$", page, re.MULTILINE))


@pytest.fixture
def mine(tmp_path: Path, mark_i: Run) -> Path:
    """`react` with a node more, edited as the page tells."""
    copied = mark_i("workflow", "copy", "react", "mine.json", cwd=tmp_path)
    assert copied.returncode == 0, copied.stderr
    file = tmp_path / "mine.json"
    graph: dict[str, list[dict[str, Any]]] = json.loads(file.read_text(encoding="utf-8"))
    node, moved, added = map(json.loads, blocks(WORKFLOWS, "json"))
    graph["nodes"].append(node)
    graph["links"] = [moved if link["id"] == moved["id"] else link for link in graph["links"]]
    graph["links"].append(added)
    file.write_text(json.dumps(graph), encoding="utf-8")
    return file


def test_the_page_shows_how_to_add_a_node_to_react(mine: Path, mark_i: Run, home: Path) -> None:
    brain = script(mine.with_name("replies.jsonl"), *LOOKS)
    ran = mark_i("run", "--workflow", str(mine), "Tell", "--virtual", "800x600", "--brain", brain, "--json")

    told = [(one["type"], one["state"]) for one in events(ran.stdout) if one["event"] == "node"]
    assert told.count(("reflect", "finished")) == 2
    [folder] = (home / "profiles" / "default" / "runs").iterdir()
    assert "reflect x2" in json.loads((folder / "run.json").read_text(encoding="utf-8"))["nodes"]
    assert '"reflect"' in (folder / "nodes.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_of_the_page_is_right(command: list[str], mine: Path, mark_i: Run) -> None:
    if command[1:2] == ["copy"]:
        command[-1] = "another.json"  # the page's own is there by now
    if command[0] == "run":  # on a screen of its own, and with a brain that has its words from here
        brain = script(mine.with_name("replies.jsonl"), *LOOKS)
        command = [*command, "--virtual", "800x600", "--brain", brain]
    done = mark_i(*command, cwd=mine.parent)
    assert done.returncode in ({6} if command[0] == "run" else {0}), done.stderr


def test_the_tables_of_the_page_are_whole() -> None:
    told = rows(WORKFLOWS)
    assert {name: about for name, about in told.items() if name in CATALOG} == {
        name: kind.about for name, kind in CATALOG.items()
    }
    assert set(told) - set(CATALOG) == set(shipped())


def test_the_node_type_of_the_page_works(home: Path, mark_i: Run) -> None:
    folder = home / "profiles" / "default" / "nodes"
    folder.mkdir(parents=True)
    [code] = blocks(WORKFLOWS, "python")
    (folder / "shout.py").write_text(code, encoding="utf-8")
    state = {"scratchpad": [{"thought": "quiet"}], "iteration": 1}
    ran = mark_i("workflow", "node", "shout", "--inputs", json.dumps([state]), "--json")
    assert json.loads(ran.stdout) == {"scratchpad": [{"thought": "QUIET"}], "iteration": 1}, ran.stderr


# Brains and tools: a page's commands one after the other, as somebody reads it ---------------------------------------


def test_every_command_of_the_page_of_brains_is_right(
    mark_i: Run, keyring: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "replies.jsonl").write_text(blocks(BRAINS, "json")[0], encoding="utf-8")
    (tmp_path / "clerk.py").write_text(blocks(BRAINS, "python")[0], encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    with ModelServer(GEMINI, lambda _: action("click", target="Confirm order")) as server:
        assert mark_i("config", "set", "base_url", server.base_url).returncode == 0  # in place of the vendor's own
        for command in commands(BRAINS):
            done = mark_i(*command, cwd=tmp_path, input=f"{server.key}\n")
            assert done.returncode == (6 if command[0] == "ask" else 0), (command, done.stderr)
        assert server.requests == 1

    assert keyring.exists()
    settings = load()
    assert (settings.brain, settings.base_url) == ("openai:qwen3-vl", "http://localhost:11434/v1")
    assert (settings.coordinates, settings.reply_brain) == ("marks", "gemini:gemini-flash-latest")


def test_the_table_of_providers_is_that_of_the_program() -> None:
    told = re.findall(r"^\| ([\w. ]+) \| `(\w+)` \| `(\w+)` \| (.+?) \| (.*?) ?\|$", BRAINS, re.MULTILINE)

    def cells(one: Provider) -> tuple[str, ...]:
        source = f"`{one.keys}.key` from <{one.page}>" if one.keys else f"no key; <{one.page}>"
        return one.title, one.brain, one.extra, source, f"<{one.base_url}>" if one.base_url else ""

    assert told == [cells(one) for one in PROVIDERS]


def test_every_command_of_the_page_of_tools_is_right(
    mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    tools_folder().mkdir(parents=True)
    (tools_folder() / "prices.py").write_text(blocks(TOOLS, "python")[0], encoding="utf-8")
    said = {}
    for command in commands(TOOLS):
        done = mark_i(*command, cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)
        said[" ".join(command[1:3])] = done.stdout

    assert said["call price_of"] == "3.50\n"
    assert "Ada" in said["call greet"]
    assert json.loads(said["call wait"])["ok"]
    assert load().tools_off == ()
    refused = mark_i("tools", "call", "price_of", '{"drink": "beer"}')
    assert refused.returncode == 1
    assert "There are tea, coffee." in refused.stdout


def test_every_command_of_the_guides_works(mark_i: Run, keyring: Path, tmp_path: Path) -> None:
    told = [*commands(START), *commands(TROUBLE)]
    assert ["demo"] in told
    for command in (one for one in told if one != ["demo"]):  # which has tests of its own
        done = mark_i(*command, cwd=tmp_path, input="a-key\n")
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert keyring.exists()
    assert (tmp_path / "report.html").stat().st_size > 0


@pytest.mark.usefixtures("processes")
def test_systemd_takes_the_units_of_the_page_of_skills(tmp_path: Path, home: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("There is no systemd-analyze")
    program = home.parent / ".mark-i" / "bin" / "mark-i"  # where the README installs it
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    units = {unit.splitlines()[0].removeprefix("# "): unit for unit in blocks(SKILLS, "ini")}
    for name, unit in units.items():
        (tmp_path / name).write_text(unit, encoding="utf-8")

    command = ["systemd-analyze", "--user", "verify", *units]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert {*units} == {"letter.service", "letter.timer", "orders.service"}
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("display")
def test_the_first_fleet_of_the_page_reaches_its_goals(tmp_path: Path, mark_i: Run) -> None:
    if not shutil.which("mousepad"):
        pytest.skip("There is no mousepad")
    (tmp_path / "notes.toml").write_text(blocks(FLEETS, "toml")[0])
    (tmp_path / "notes.csv").write_text(blocks(FLEETS, "csv")[0])
    command, *others, on_ray = commands(FLEETS)

    done = mark_i(*command, cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 of 3" in done.stdout
    assert (tmp_path / "notes" / "report.html").is_file()
    assert on_ray[:3] == command[:3]  # with the option --ray, for which there are tests of their own
    assert [one[:2] for one in others] == [["fleet", "status"], ["fleet", "stop"], ["fleet", "report"]]
    assert "3 of 3 runs have ended" in mark_i(*others[0], cwd=tmp_path).stdout
    assert "is not running" in mark_i(*others[1], cwd=tmp_path).stderr
    (tmp_path / "notes").rename(tmp_path / "another")
    assert mark_i(*command, cwd=tmp_path).returncode == 0
    assert "notes/beside-another.html" in mark_i(*others[2], cwd=tmp_path).stdout
