"""Tools that others made: a package that is really built and installed, and files that come, change and go."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import Action, AgentCore, Control, Observation, ScriptedBrain, Toolbelt, standard_toolbelt
from mark_i.plugins.tools import Plugins
from tests.support import action, tool_file
from world_model import UsageError

ROOT: Final = Path(__file__).parents[3]
GREET: Final = '''
from mark_i import tool

@tool(risk="look")
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"
'''

MARKED: Final = "from mark_i import tool\n@tool({})\ndef f() -> str:\n    'Say f.'\n"
NEEDS_MORE: Final = '''
from mark_i import tool


class Shelf:
    def __init__(self, name: str) -> None:
        self.name = name

    @tool
    def shelf(self) -> str:
        """Name the shelf."""
        return self.name
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "tools"
    found.mkdir()
    return found


@pytest.fixture
def belt() -> Toolbelt:
    return Toolbelt()


def names(belt: Toolbelt) -> set[str]:
    return {tool.name for tool in belt}


def use(belt: Toolbelt, name: str, /, **args: Any) -> Observation:
    return belt.call(Action(name, args), Control()).observation


def load_tools(folder: Path) -> tuple[list[object], list[str]]:
    """The sources of the tools, and a complaint for each plugin that is broken."""
    plugins = Plugins(folder)
    complaints = plugins.refresh(Toolbelt())
    return plugins.sources, complaints


# What a file may bring


def test_a_new_file_adds_its_tools(folder: Path, belt: Toolbelt) -> None:
    (folder / "greet.py").write_text(GREET)
    assert Plugins(folder).refresh(belt) == []
    assert use(belt, "greet", name="Zoë").text == "Hello, Zoë!"
    assert belt["greet"].risk == "look"


def test_the_profile_needs_no_tools_folder(tmp_path: Path, folder: Path) -> None:
    assert load_tools(tmp_path / "nowhere") == ([], [])
    assert load_tools(folder) == ([], [])


def test_classes_objects_and_functions_of_a_file_are_tools(folder: Path, belt: Toolbelt) -> None:
    (folder / "many.py").write_text('''
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mark_i import ToolFailure, Toolbelt, tool


@dataclass
class Counter:
    count: int = 0
    seen: list[int] = field(default_factory=list)

    @tool
    def count_on(self, by: int = 1) -> int:
        """Count on."""
        self.count += by
        return self.count


class Shelf:
    def __init__(self, name: str) -> None:
        self.name = name

    @tool
    def shelf(self) -> str:
        """Name the shelf."""
        return self.name


class _Hidden:
    @tool
    def hidden(self) -> str:
        """Not offered."""
        return ""


@tool
def plain() -> str:
    """Say nothing much."""
    return "plain"


upper = Shelf("the upper one")
again = plain
''')
    assert Plugins(folder).refresh(belt) == []
    assert names(belt) == {"count_on", "shelf", "plain"}
    assert [use(belt, "count_on", by=2).data, use(belt, "count_on").data] == [2, 3]
    assert use(belt, "shelf").text == "the upper one"


def test_other_files_are_ignored(folder: Path) -> None:
    for name in ("_helper.py", ".#draft.py", "notes.txt", "tool.py.bak", "tool.pyc"):
        (folder / name).write_text("raise RuntimeError('read!')")
    (folder / "package.py").mkdir()
    (folder / "gone.py").symlink_to(folder / "nowhere.py")
    assert load_tools(folder) == ([], [])


def test_a_file_shadows_nothing_and_nothing_is_written_beside_it(folder: Path) -> None:
    known = set(sys.modules)
    for name in ("json.py", "mark_i.py", "requests.py", "my-own tool.py"):
        tool_file(folder, name, f"tool_{len(name)}")
    sources, complaints = load_tools(folder)
    assert (len(sources), complaints) == (4, [])
    assert json.loads("[1]") == [1]
    assert {name for name in set(sys.modules) - known if not name.startswith("_mark_i_plugin_")} <= {"__future__"}
    assert sorted(entry.name for entry in folder.iterdir()) == ["json.py", "mark_i.py", "my-own tool.py", "requests.py"]


def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tools").write_text("no folder")
    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        load_tools(tmp_path / "tools")


# What is broken


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = 1\ndef broken(:\n", 2, "SyntaxError: invalid syntax"),
        ("x = 1\n\n1 / 0\n", 3, "ZeroDivisionError: division by zero"),
        ("import json\njson.loads('{')\n", 2, "JSONDecodeError"),
        ("import nothing_of_that_name\n", 1, "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
        ("raise SystemExit\n", 1, "SystemExit."),
        ("def deeper():\n    deeper()\ndeeper()\n", 2, "RecursionError"),
        ("\nraise ValueError('one\\ntwo')", 2, "ValueError: one two"),
        ("from mark_i import tool\n@tool\ndef nothing() -> str: ...\n", 2, "needs a docstring"),
        (
            "from mark_i import tool\n@tool\ndef f(x) -> str:\n    'x'\n",
            2,
            "The parameter x of the tool f needs a type",
        ),
        (MARKED.format("risk='read'"), 2, "The tool f has the risk 'read'. Use one of look, act, write, danger"),
        (MARKED.format("seconds=0"), 2, "The tool f has 0 seconds for a call. Use more than 0"),
        (MARKED.format("seconds=-5"), 2, "The tool f has -5 seconds"),
        (
            "from mark_i import tool\n@tool\ndef f(x: 'Nobody') -> str:\n    'x'\n",
            None,
            "x of the tool f has a type without a schema: name 'Nobody'",
        ),
        (NEEDS_MORE, None, "TypeError: Shelf.__init__() missing 1 required positional argument"),
        ("print", None, "there is no tool in it"),
        ("", None, "there is no tool in it"),
    ],
)
def test_a_broken_file_is_reported_and_the_others_work(
    folder: Path, belt: Toolbelt, text: str, line: int | None, words: str
) -> None:
    broken = folder / "broken.py"
    broken.write_text(text)
    tool_file(folder, "good.py", "good")
    [complaint] = Plugins(folder).refresh(belt)
    assert complaint.startswith(f"{broken}, line {line}: " if line else f"{broken}: ")
    assert words in complaint
    assert complaint.endswith(". It is left out.")
    assert "\n" not in complaint
    assert names(belt) == {"good"}


def test_binary_data_is_a_broken_file(folder: Path) -> None:
    (folder / "broken.py").write_bytes(b"x = '\xff\xfe'\0")
    sources, [complaint] = load_tools(folder)
    assert sources == []
    assert str(folder / "broken.py") in complaint


def test_a_duplicate_name_excludes_the_whole_file(folder: Path) -> None:
    tool_file(folder, "a.py", "twice", "first")
    second = tool_file(folder, "b.py", "twice", "second")
    second.write_text(second.read_text() + "\n\n@tool\ndef other() -> str:\n    'Other.'\n    return ''\n")
    tool_file(folder, "c.py", "finish")
    belt = standard_toolbelt(None)
    before = names(belt)
    complaints = Plugins(folder).refresh(belt)
    assert [complaint.partition(": ")[2] for complaint in complaints] == [
        "There are two tools named twice; rename one. It is left out.",
        "There are two tools named finish; rename one. It is left out.",
    ]
    assert names(belt) - before == {"twice"}
    assert use(belt, "twice").text == "first"
    assert belt["finish"].ending


# What changes


def test_added_changed_and_removed_files_are_noticed(folder: Path, belt: Toolbelt) -> None:
    plugins = Plugins(folder)
    assert plugins.refresh(belt) == []
    assert len(belt) == 0
    path = tool_file(folder, "answer.py", "answer", "one")
    plugins.refresh(belt)
    assert use(belt, "answer").text == "one"
    tool_file(folder, "answer.py", "answer", "two")
    plugins.refresh(belt)
    assert use(belt, "answer").text == "two"
    tool_file(folder, "answer.py", "other", "two")
    plugins.refresh(belt)
    assert names(belt) == {"other"}
    path.unlink()
    plugins.refresh(belt)
    assert names(belt) == set()
    assert plugins.sources == []


def test_an_unchanged_file_is_not_read_again(folder: Path, belt: Toolbelt) -> None:
    log = folder.parent / "log"
    path = tool_file(folder, "answer.py", "answer")
    path.write_text(f"with open({str(log)!r}, 'a') as log: log.write('read ')\n" + path.read_text())
    plugins = Plugins(folder)
    for _ in range(3):
        plugins.refresh(belt)
    tool_file(folder, "another.py", "another")
    plugins.refresh(belt)
    assert log.read_text() == "read "


def test_a_change_with_the_same_size_and_time_is_noticed(folder: Path, belt: Toolbelt) -> None:
    path = tool_file(folder, "answer.py", "answer", "one")
    plugins = Plugins(folder)
    plugins.refresh(belt)
    before = path.stat()
    new = tool_file(folder.parent, "new.py", "answer", "two")
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(path)
    plugins.refresh(belt)
    assert use(belt, "answer").text == "two"


def test_a_file_that_breaks_keeps_its_tools_and_is_reported_once(folder: Path, belt: Toolbelt) -> None:
    path = tool_file(folder, "answer.py", "answer", "one")
    plugins = Plugins(folder)
    plugins.refresh(belt)
    path.write_text("def (")
    [complaint] = plugins.refresh(belt)
    assert "SyntaxError" in complaint
    assert complaint.endswith("Its tools stay as they were.")
    assert use(belt, "answer").text == "one"
    tool_file(folder, "another.py", "another")
    assert plugins.refresh(belt) == []
    tool_file(folder, "answer.py", "answer", "two")
    assert plugins.refresh(belt) == []
    assert use(belt, "answer").text == "two"


@pytest.mark.parametrize(("one", "two"), [("a.py", "b.py"), ("b.py", "a.py")])
def test_a_tool_may_move_to_another_file(folder: Path, belt: Toolbelt, one: str, two: str) -> None:
    tool_file(folder, one, "moving", "from one")
    tool_file(folder, two, "staying")
    plugins = Plugins(folder)
    assert plugins.refresh(belt) == []
    tool_file(folder, one, "something")
    tool_file(folder, two, "moving", "from two")
    assert plugins.refresh(belt) == []
    assert names(belt) == {"something", "moving"}
    assert use(belt, "moving").text == "from two"


def test_a_rejected_file_is_loaded_once_its_name_is_free(folder: Path, belt: Toolbelt) -> None:
    first = tool_file(folder, "a.py", "answer", "first")
    tool_file(folder, "b.py", "answer", "second")
    plugins = Plugins(folder)
    assert len(plugins.refresh(belt)) == 1
    assert plugins.refresh(belt) == []
    first.unlink()
    assert plugins.refresh(belt) == []
    assert use(belt, "answer").text == "second"


def test_a_file_added_during_a_run_is_usable_at_once(folder: Path) -> None:
    plugins, belt = Plugins(folder), standard_toolbelt(None)
    replies = [action("greet", name="nobody yet"), action("greet", name="Zoë"), action("finish", summary="Greeted.")]
    brain = ScriptedBrain(replies)
    agent = AgentCore(brain, belt)
    for event in agent.run("greet Zoë"):
        if event.event == "thinking":
            if event.data["index"] == 2:
                (folder / "greet.py").write_text(GREET)
            assert plugins.refresh(belt) == []
    first, second, _ = agent.world_model
    assert first.observation.error is not None
    assert first.observation.error.code == "UNKNOWN_TOOL"
    assert second.observation.text == "Hello, Zoë!"
    assert ["greet(name" in prompt.system for prompt in brain.prompts] == [False, True, True]


# What is installed

PROJECT: Final = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "sample-tools"
version = "1.0"

[project.entry-points."mark_i.tools"]
function = "sample_tools.functions:greet"
object = "sample_tools.shelves:lower"
class = "sample_tools.shelves:Drawer"
module = "sample_tools.more"
broken = "sample_tools.broken"
missing = "sample_tools.functions:nothing"
empty = "sample_tools:nothing_much"
"""
SHELVES: Final = f'''{NEEDS_MORE}

class Drawer:
    @tool
    def drawer(self) -> str:
        """Open the drawer."""
        return "empty"


lower = Shelf("the lower one")
'''
REPORT: Final = """
import json, sys
from pathlib import Path
from mark_i import Action, Control, Toolbelt
from mark_i.plugins.tools import Plugins
belt = Toolbelt()
complaints = Plugins(Path(sys.argv[1])).refresh(belt)
call = lambda name, /, **args: belt.call(Action(name, args), Control()).observation.text
print(json.dumps({
    "tools": sorted(tool.name for tool in belt), "complaints": complaints,
    "said": [call("greet", name="Zoë"), call("shelf"), call("drawer"), call("more")],
}))
"""


def environment(*folders: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [ROOT, *folders])), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def installed(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a package with plugins was installed from its wheel."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    package = source / "sample_tools"
    package.mkdir()
    (source / "pyproject.toml").write_text(PROJECT)
    (package / "__init__.py").write_text("nothing_much = 3\n")
    (package / "functions.py").write_text(GREET)
    (package / "shelves.py").write_text(SHELVES)
    (package / "more.py").write_text(GREET.replace("greet", "more").replace("(name: str)", "(name: str = 'all')"))
    (package / "broken.py").write_text("import os\n\nos.there_is_no_such_thing()\n")
    wheels = str(source / "dist")
    commands = [
        ["build", "--wheel", "--no-isolation", "--outdir", wheels, str(source)],
        ["pip", "install", "--no-index", "--no-deps", "--target", str(target), "--find-links", wheels, "sample-tools"],
    ]
    for command in commands:
        ran = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False, timeout=250)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    return target


def test_an_installed_package_adds_its_tools(installed: Path, folder: Path, tmp_path: Path) -> None:
    tool_file(folder, "dropped.py", "dropped")
    tool_file(folder, "clash.py", "greet")
    ran = subprocess.run(
        [sys.executable, "-c", REPORT, str(folder)],
        cwd=tmp_path,
        env=environment(installed),
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert report["tools"] == ["drawer", "dropped", "greet", "more", "shelf"]
    assert report["said"] == ["Hello, Zoë!", "the lower one", "empty", "Hello, all!"]
    broken, empty, missing, clash = report["complaints"]
    assert broken.startswith("sample-tools (broken = sample_tools.broken), ")
    assert "broken.py, line 3: AttributeError" in broken
    assert empty.startswith("sample-tools (empty = sample_tools:nothing_much): TypeError: 3 has no tool")
    assert missing.startswith("sample-tools (missing = sample_tools.functions:nothing): AttributeError")
    assert clash == f"{folder / 'clash.py'}: There are two tools named greet; rename one. It is left out."
