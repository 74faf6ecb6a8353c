"""Tools that the user switched off: in no prompt, of no use to a run, and told of on the command line."""

import json
from pathlib import Path

import pytest

from mark_i import Action, Control, Toolbelt
from mark_i.config.paths import tools_folder
from mark_i.config.settings import Settings, parsed
from mark_i.plugins.tools import Plugins
from tests.support import Run, action, events, script, tool_file
from toolbelt.tools.ending import fail, finish
from toolbelt.tools.thinking import think
from world_model import ToolFailure, UsageError

END = action("finish", summary="That is all.")


def test_a_tool_that_is_off_is_unavailable_and_says_why() -> None:
    belt = Toolbelt(finish, fail, think)
    belt.switch_off(["think", "unheard_of"])

    assert [tool.name for tool in belt] == ["finish", "fail"]
    assert len(belt) == 2
    assert "think" not in belt
    error = belt.call(Action("think", {}), Control()).observation.error
    assert error
    assert (error.code, error.message) == ("UNKNOWN_TOOL", "The tool think is switched off.")
    assert "The user switched it off" in error.hints[0]
    with pytest.raises(ToolFailure, match="There is no tool named 'unheard_of'") as unknown:
        belt["unheard_of"]
    assert "think" not in str(unknown.value.hints)


def test_a_plugin_added_later_is_off_too(tmp_path: Path) -> None:
    belt = Toolbelt(finish, think)
    belt.switch_off(["late", "think"])
    tool_file(tmp_path, "late.py", "late")
    tool_file(tmp_path, "thinks.py", "think")

    complaints = Plugins(tmp_path).refresh(belt)

    assert [tool.name for tool in belt] == ["finish"]
    assert len(complaints) == 1
    assert "There are two tools named think" in complaints[0]


@pytest.mark.parametrize(
    ("text", "names"),
    [("python_repl; search_web", ("python_repl", "search_web")), ("a;;a ; b", ("a", "b")), ("none", ()), ("", ())],
)
def test_the_setting_is_a_list_of_names(text: str, names: tuple[str, ...]) -> None:
    assert parsed("tools_off", text) == names
    assert Settings.model_validate({"tools_off": list(names)}).tools_off == names


@pytest.mark.parametrize("name", ["finish", "fail"])
def test_tools_that_end_a_run_cannot_be_switched_off(name: str) -> None:
    with pytest.raises(UsageError, match="without finish and fail, which every run needs"):
        parsed("tools_off", f"think; {name}")


def test_a_run_has_no_tool_that_is_off(home: Path, tmp_path: Path, mark_i: Run) -> None:
    tools_folder().mkdir(parents=True)
    tool_file(tools_folder(), "mine.py", "my_own_tool")
    assert mark_i("config", "set", "tools_off", "list_files; my_own_tool").returncode == 0
    brain = script(tmp_path / "b.jsonl", action("list_files"), action("my_own_tool"), END, END)

    done = mark_i("ask", "What is here?", "--brain", brain, "--json")

    errors = [one["observation"]["error"] for one in events(done.stdout) if one["event"] == "step"][:2]
    assert [error["code"] for error in errors] == ["UNKNOWN_TOOL", "UNKNOWN_TOOL"]
    assert [error["message"] for error in errors] == [
        "The tool list_files is switched off.",
        "The tool my_own_tool is switched off.",
    ]
    (run,) = (home / "profiles" / "default" / "runs").iterdir()
    system = json.loads((run / "prompts.jsonl").read_text().splitlines()[0])["system"]
    assert "- read_file(" in system
    assert "list_files(" not in system
    assert "my_own_tool(" not in system


def test_the_command_line_lists_and_tries_tools_that_are_off(mark_i: Run) -> None:
    assert mark_i("config", "set", "tools_off", "list_files; unheard_of").returncode == 0

    listed = mark_i("tools", "list").stdout
    assert "list_files        look    (switched off) List what is in a folder" in listed
    assert listed.endswith("Switched off, but unknown: unheard_of.\n")
    off = {one["name"]: one["off"] for one in json.loads(mark_i("tools", "list", "--json").stdout)}
    assert [name for name, is_off in off.items() if is_off] == ["list_files"]
    assert "It is switched off." in mark_i("tools", "show", "list_files").stdout
    assert "It is switched off." not in mark_i("tools", "show", "read_file").stdout

    called = mark_i("tools", "call", "list_files")
    assert (called.returncode, called.stderr) == (0, "")
