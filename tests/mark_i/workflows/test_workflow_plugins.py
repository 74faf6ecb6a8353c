"""Node types that others made: files of the profile and packages; a broken one is told and left out."""

import json
import os
import sys
from pathlib import Path
from typing import Final

import pytest

from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.plugins import known_types
from tests.support import Run, action, events, script

SHOUT: Final = '''
from mark_i import node


@node(inputs=("state",), outputs=("state",))
def shout(inputs, properties, context):
    """Makes the last thought loud."""
    *before, last = inputs[0]["scratchpad"]
    return {**inputs[0], "scratchpad": [*before, {**last, "thought": last["thought"].upper()}]}
'''
COUNTING: Final = '''
from mark_i import node


class Counting:
    def __init__(self):
        self.count = 0

    @node(outputs=("count",))
    def counting(self, inputs, properties, context):
        """Counts."""
        self.count += 1
        return {"count": self.count}
'''


@pytest.fixture
def folder(home: Path) -> Path:
    found = home / "profiles" / "default" / "nodes"
    found.mkdir(parents=True)
    return found


def test_without_plugins_there_are_the_types_of_mark_i(tmp_path: Path) -> None:
    assert known_types(tmp_path / "nothing") == (dict(CATALOG), [])


def test_functions_and_classes_of_files_are_types(folder: Path) -> None:
    (folder / "shout.py").write_text(SHOUT)
    (folder / "counting.py").write_text(COUNTING)
    (folder / "_not_one.py").write_text("1 / 0")
    types, complaints = known_types(folder)
    assert (set(types) - set(CATALOG), complaints) == ({"shout", "counting"}, [])
    run = types["counting"].run
    assert run is not None
    assert [run((), {}, {}) for _ in range(2)] == [{"count": 1}, {"count": 2}]


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("x = 1", "there is no node type in it: write @node() above a function"),
        ("import nowhere", "line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("def broken(:", "line 1: SyntaxError"),
        ("raise SystemExit(3)", "line 1: SystemExit: 3"),
        (SHOUT.replace("shout", "observe"), "there is a node type observe already"),
        (SHOUT.replace("inputs, properties, context", "inputs"), "must take inputs, properties and context"),
        (SHOUT.replace('    """Makes the last thought loud."""\n', ""), "needs a docstring"),
    ],
)
def test_a_broken_one_is_told_and_left_out(code: str, complaint: str, folder: Path) -> None:
    (folder / "a_broken.py").write_text(code)
    (folder / "shout.py").write_text(SHOUT)
    types, complaints = known_types(folder)
    assert set(types) - set(CATALOG) == {"shout"}
    assert len(complaints) == 1
    assert complaint in complaints[0]
    assert complaints[0].endswith("It is left out.")
    assert "\n" not in complaints[0]


def test_a_package_brings_types(tmp_path: Path, mark_i: Run) -> None:
    (tmp_path / "loud.py").write_text(SHOUT)
    about = tmp_path / "loud-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mark_i.nodes]\nloud = loud:shout\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path[:1])])}
    state = json.dumps([{"scratchpad": [{"thought": "quiet"}]}])
    ran = mark_i("workflow", "node", "shout", "--inputs", state, "--json", env=environment)
    assert json.loads(ran.stdout)["scratchpad"][0]["thought"] == "QUIET", ran.stderr


def test_a_run_uses_them_and_its_journal_shows_it(folder: Path, mark_i: Run, tmp_path: Path, home: Path) -> None:
    (folder / "shout.py").write_text(SHOUT)
    (folder / "broken.py").write_text("1 / 0")
    assert mark_i("workflow", "copy", "ask", "loud.json", cwd=tmp_path).returncode == 0
    graph = json.loads((tmp_path / "loud.json").read_text())
    graph["nodes"].append({"id": 50, "type": "shout"})
    for link in graph["links"]:
        if (link["origin_id"], link["target_id"]) == (6, 7):
            link["target_id"] = 50
    graph["links"].append({"origin_id": 50, "target_id": 7})
    (tmp_path / "loud.json").write_text(json.dumps(graph))
    brain = script(tmp_path / "replies.jsonl", action("list_files", path="."), {"thought": "So.", "answer": "Two."})
    ran = mark_i("ask", "How many?", "--workflow", "loud.json", "--brain", brain, "--json", cwd=tmp_path)
    told = events(ran.stdout)
    assert told[-1]["summary"] == "Two.", ran.stderr
    assert any("ZeroDivisionError" in one["text"] for one in told if one["event"] == "notice")
    [run] = (home / "profiles" / "default" / "runs").iterdir()
    assert "shout x2" in json.loads((run / "run.json").read_text())["nodes"]


def test_one_that_gives_what_no_journal_can_hold_is_named(folder: Path, mark_i: Run, tmp_path: Path) -> None:
    (folder / "odd.py").write_text(COUNTING.replace("counting", "odd").replace('{"count": self.count}', "{1, 2}"))
    (tmp_path / "odd.json").write_text(json.dumps({"nodes": [{"id": 1, "type": "odd"}]}))
    asked = ["ask", "x", "--workflow", "odd.json", "--brain", "offline"]
    for command, code in ((asked, 1), (["workflow", "node", "odd"], 2)):
        failed = mark_i(*command, cwd=tmp_path)
        assert failed.returncode == code
        assert "failed: TypeError: Object of type set is not JSON serializable" in " ".join(
            (failed.stdout + failed.stderr).split()
        )


def test_a_workflow_says_which_broken_one_it_needs(folder: Path, mark_i: Run, tmp_path: Path) -> None:
    (folder / "shout.py").write_text("1 / 0")
    (tmp_path / "loud.json").write_text(json.dumps({"nodes": [{"id": 1, "type": "shout"}]}))
    failed = mark_i("ask", "How many?", "--workflow", "loud.json", "--brain", "offline", cwd=tmp_path)
    assert failed.returncode == 2
    assert "there is no node type 'shout'" in failed.stderr
    assert "ZeroDivisionError" in failed.stderr


def test_the_agent_cannot_write_its_own_nodes(folder: Path, mark_i: Run, tmp_path: Path) -> None:
    put = action("write_file", path=str(folder / "mine.py"), text=SHOUT)
    brain = script(tmp_path / "replies.jsonl", put, {"thought": "No.", "answer": "I may not."})
    told = events(mark_i("ask", "Add a node.", "--brain", brain, "--json", cwd=folder.parent).stdout)
    step = next(one for one in told if one["event"] == "step")
    assert not step["observation"]["ok"]
    assert not (folder / "mine.py").exists()
