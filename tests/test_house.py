"""The house: who may know whom, what is in the wheel, what importing does, and who is let in at the door."""

import ast
import importlib
import json
import os
import platform
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import entry_points, version
from pathlib import Path

import click
import pytest

import mark_i
from mark_i.cli.main import ELSEWHERE

CHECKOUT = Path(__file__).parents[1]
LAYERS = ("world_model", "toolbelt", "mark_i", "gui")  # each may know itself and those before it
FILES = {layer: sorted((CHECKOUT / layer).rglob("*.py")) for layer in LAYERS}
PROMPTS = {
    "system.md",
    "now.md",
    "no_step_left.md",
    "final_answer.md",
    "vision.md",
    "reflection.md",
}
DATA = {
    "__init__.pyi",
    "phrases.toml",
    "wordings.toml",
    "suggestions.toml",
    *PROMPTS,
    "demonstrations.toml",
    "prices.toml",
    "private_files.txt",
    "control_words.toml",
    "forms.json",
    "keys.json",
    "lists.json",
    "pages.json",
    "settings.json",
    "windows.json",
    "ask.json",
    "critic.json",
    "adding.txt",
    "on.txt",
    "off.txt",
    "answer.txt",
    "changing.txt",
    "copying.txt",
    "repeating.txt",
    "renaming.txt",
    "folder.txt",
    "file.txt",
    "naming.txt",
    "shortcuts.txt",
    "asking.txt",
    "link.txt",
    "number.txt",
    "universal.txt",
    "only.txt",
    "start.txt",
    "end.txt",
    "keeping.txt",
    "opening.txt",
    "pointing.txt",
    "removing.txt",
    "failure.txt",
    "fillers.txt",
    "loop.json",
    "react.json",
    "tool.py.txt",
    "moving.txt",
    "typing.txt",
    "test.py.txt",
    "grammar.lark",
    "openbox.xml",
    "py.typed",
    "play.js",
    "report.css",
    "risky_words.toml",
    "report.html",
    "report.js",
    "fleet.html",
    "table.css",
    "mark-i.svg",
    *(f"mark-i-{size}.png" for size in (16, 32, 48, 256)),
}


def calls_and_imports(file: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(file.read_text(encoding="utf-8")))


# Layers ------------------------------------------------------------------------------------------------------------

# The folders of each package, and the files beside them, from the ground up: each may know those before it, and none
# beside it. What a group shares is that none of them knows another.
STOREYS: dict[str, tuple[str, ...]] = {
    "world_model": (),
    "toolbelt": (
        "arguments control extras ocr parameters result_schema",
        "desktops.accessibility tool",
        "belt desktops tools.internet tools.sandbox",
        "desktops.native desktops.x11 elements langchain",
        "desktops.virtual desktops.wayland perception",
        "desktops.wayland.portal targeting",
        "tools",
        "standard",
    ),
    "mark_i": (
        (
            "bench.apps brain brains.offline.instructions budget catalog control_words events extras guard "
            "json_text printable startup_check testing toml_faults wording"
        ),
        "bench.attempts bench.screens brains.offline.corrections plugins prompts workflows.format",
        "brains.offline human replies workflows.drawing",
        "brains",
        "config loop",
        "agent",
        "react runs",
        "report skills workflows.nodes",
        "workflows",
        "assembly",
        "doctor fleet mcp",
        "bench",
        "cli",
        "__main__ cli.commands",
    ),
    "gui": (
        "icons toolkit",
        "kit",
        "run settings_page tools_page",
        "live log notifications request",
        "agent_page fleet_page history_page skills_page",
        "key_sheet navigation",
        "desktop_window menu_entry window",
    ),
}
COMPOSITION_ROOT = CHECKOUT / "mark_i" / "cli" / "main.py"  # the one place that opens the window


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it: `from a.b import c` is `a.b.c` where that is a module."""
    for node in calls_and_imports(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield f"{node.module}.{alias.name}" if is_module(f"{node.module}.{alias.name}") else node.module


def is_folder(module: str) -> bool:
    return (CHECKOUT / module.replace(".", "/") / "__init__.py").exists()


def is_module(module: str) -> bool:
    return is_folder(module) or (CHECKOUT / (module.replace(".", "/") + ".py")).exists()


def unit(module: str) -> str:
    """The folder that a module is in; a file beside the folders of its package counts as one."""
    inside = module.partition(".")[2]
    return inside if is_folder(module) else inside.rpartition(".")[0] or inside


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(CHECKOUT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("layer", LAYERS)
def test_no_package_knows_the_packages_above_it(layer: str) -> None:
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    known = {
        (file, top) for file in FILES[layer] for name in imported(file) if (top := name.partition(".")[0]) in above
    }

    assert {one for one in known if one[1] in above} <= {(COMPOSITION_ROOT, "gui")}
    assert len(FILES[layer]) > 1


@pytest.mark.parametrize("layer", LAYERS)
def test_no_folder_knows_a_folder_beside_or_above_it(layer: str) -> None:
    storeys = {name: height for height, names in enumerate(STOREYS[layer]) for name in names.split()}
    for file in FILES[layer]:
        here = unit(module_of(file))
        if not here or layer == "world_model":
            continue
        below = {name for name, height in storeys.items() if height < storeys[here]}
        known = {unit(name) for name in imported(file) if name.partition(".")[0] == layer} - {"", here}
        assert known <= below, f"{file.relative_to(CHECKOUT)} knows {sorted(known - below)}"


@pytest.mark.parametrize("layer", LAYERS)
def test_every_folder_has_its_storey(layer: str) -> None:
    units = {unit(module_of(file)) for file in FILES[layer]} - {""}

    assert layer == "world_model" or {name for names in STOREYS[layer] for name in names.split()} == units


@pytest.mark.parametrize("layer", LAYERS)
def test_another_package_is_entered_by_the_doors_of_its_folders(layer: str) -> None:
    """From elsewhere, a folder is what its `__init__` says; a file beside the folders is its own door."""
    for file in FILES[layer]:
        names = {name for name in imported(file) if name.partition(".")[0] in {*LAYERS} - {layer}}
        inside = {name for name in names if name.count(".") > 1 and not is_folder(name)}
        assert inside <= set(), f"{file.relative_to(CHECKOUT)} reaches into {sorted(inside)}"


@pytest.mark.parametrize("layer", LAYERS)
def test_nobody_sleeps_for_a_fixed_time(layer: str) -> None:
    calls = [node for file in FILES[layer] for node in calls_and_imports(file) if isinstance(node, ast.Call)]
    sleeps = [ast.unparse(call) for call in calls if ast.unparse(call.func).rpartition(".")[2] == "sleep"]

    assert [call for call in sleeps if any(letter.isdigit() for letter in call)] == []
    assert calls


# The wheel ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(processes: None, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names of the files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as packed:
        return packed.namelist()


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel: list[str]) -> None:
    assert {name.partition("/")[0] for name in wheel} == {*LAYERS, f"mark_i-{version('mark-i')}.dist-info"}


def test_the_wheel_holds_every_file_of_the_packages_and_no_test(wheel: list[str]) -> None:
    sources = {file for layer in LAYERS for file in (CHECKOUT / layer).rglob("*") if file.is_file()}
    wanted = {str(file.relative_to(CHECKOUT)) for file in sources if "__pycache__" not in file.parts}

    assert {name for name in wheel if ".dist-info/" not in name} == wanted
    assert not any("test_" in name or "conftest" in name for name in wheel)


def test_the_data_files_are_in_the_wheel(wheel: list[str]) -> None:
    data = [name for name in wheel if ".dist-info/" not in name and not name.endswith(".py")]

    assert {Path(name).name for name in data} == DATA
    assert {"mark_i/prompts/system.md", "toolbelt/desktops/virtual/openbox.xml"} <= set(data)


def test_a_type_checker_may_trust_the_types_of_all_four(wheel: list[str]) -> None:
    assert {f"{layer}/py.typed" for layer in LAYERS} <= set(wheel)


# Public names ------------------------------------------------------------------------------------------------------


def test_the_public_names_are_these() -> None:
    assert mark_i.__all__ == [
        "DEFAULT_SIZE",
        "EXIT_CODES",
        "Access",
        "Action",
        "Address",
        "AgentCore",
        "Answers",
        "AppName",
        "Brain",
        "Budget",
        "Chosen",
        "Command",
        "Control",
        "Desktop",
        "Enters",
        "Event",
        "Eyes",
        "FakeDesktop",
        "FileContent",
        "FilePath",
        "KeyNames",
        "Limits",
        "LiveDesktop",
        "MarkIError",
        "Models",
        "Observation",
        "OfflineBrain",
        "Outcome",
        "Oversight",
        "Picture",
        "Place",
        "Prompt",
        "Query",
        "ReactAgent",
        "Reply",
        "ResultSchema",
        "RunConfig",
        "Runs",
        "ScriptedBrain",
        "Shown",
        "Step",
        "StepLimitReached",
        "Thought",
        "Tool",
        "ToolFailure",
        "ToolResult",
        "Toolbelt",
        "Typed",
        "VirtualDesktop",
        "WindowTitle",
        "WorldModel",
        "agent_for",
        "brain_named",
        "compose_prompt",
        "desktop_for",
        "message",
        "node",
        "standard_toolbelt",
        "tool",
    ]


@pytest.mark.parametrize("name", mark_i.__all__)
def test_a_public_name_is_the_thing_itself_from_where_it_lives(name: str) -> None:
    value = getattr(mark_i, name)
    home = mark_i._HOMES.get(name, "world_model")

    assert value is getattr(importlib.import_module(home), name)
    if not name.isupper():  # a constant does not know its name
        assert value.__name__ == name
        assert value.__module__.startswith(home)  # the place where it is made, not one that passes it on


def test_every_home_is_of_a_public_name() -> None:
    assert set(mark_i._HOMES) <= set(mark_i.__all__)


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'AgentCode'"):
        _ = mark_i.AgentCode


# Importing ---------------------------------------------------------------------------------------------------------

IMPORT_ALL = """
import importlib, json, pathlib, sys, threading
report, *names = sys.argv[1:]
for name in names:
    importlib.import_module(name)
seen = {"threads": threading.active_count(), "modules": [name for name in sys.modules if "." not in name]}
pathlib.Path(report).write_text(json.dumps(seen))
"""


def importing(layers: tuple[str, ...], home: Path, report: Path) -> set[str]:
    """What a process without a display has loaded when it has imported all of some layers, and done nothing else."""
    names = [".".join(file.relative_to(CHECKOUT).with_suffix("").parts) for layer in layers for file in FILES[layer]]
    command = [
        sys.executable,
        "-W",
        "error",
        "-c",
        IMPORT_ALL,
        str(report),
        *(name.removesuffix(".__init__") for name in names),
    ]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "MARK_I_HOME": str(home / "mark-i")}
    environment |= {"PYTHONPATH": str(CHECKOUT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, env=environment, cwd=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    seen = json.loads(report.read_text())
    assert seen["threads"] == 1
    return set(seen["modules"])


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A home that nobody has used."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.usefixtures("processes")
def test_importing_all_but_the_window_has_no_effect_and_no_tk(fresh: Path, tmp_path: Path) -> None:
    loaded = importing(LAYERS[:3], fresh, tmp_path / "report.json")

    assert list(fresh.rglob("*")) == []
    assert set(LAYERS[:3]) <= loaded
    assert not {"gui", "tkinter", "customtkinter", "pyautogui"} & loaded


@pytest.mark.usefixtures("processes")
def test_importing_the_window_leaves_only_its_toolkits_files(fresh: Path, tmp_path: Path) -> None:
    loaded = importing(LAYERS, fresh, tmp_path / "report.json")

    left = {file.relative_to(fresh).parts[0] for file in fresh.rglob("*") if file.is_file()}
    assert left <= {".fonts", ".cache"}  # customtkinter installs its fonts when it is imported, and asks dconf
    assert "gui" in loaded
    assert "pyautogui" not in loaded


# The door ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["toolbelt.py", "world_model.py", "gui.py", "toolbelt/__init__.py"])
def stranger(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with somebody else's code under a name of ours, which tells when it was run."""
    file = tmp_path / "stranger" / str(request.param)
    file.parent.mkdir(parents=True)
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    return tmp_path / "stranger"


def assert_refused(command: list[str], cwd: Path, path: list[Path], ran: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=cwd, env=environment)
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.startswith("MARK-I does not start: ")
    assert done.stderr.count("\n") == 1
    assert not ran.exists()


@pytest.mark.usefixtures("processes")
def test_foreign_code_in_the_current_folder_is_refused(stranger: Path) -> None:
    command = [sys.executable, "-m", "mark_i", "--version"]

    assert_refused(command, stranger, [CHECKOUT], stranger.parent / "ran")


@pytest.mark.usefixtures("processes")
def test_foreign_code_first_on_the_path_is_refused(stranger: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mark_i", "--version"]

    assert_refused(command, tmp_path, [stranger, CHECKOUT], tmp_path / "ran")


@pytest.mark.usefixtures("processes")
def test_the_installed_program_refuses_a_stranger_too(stranger: Path, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("mark-i")), "--version"]

    assert_refused(command, tmp_path, [stranger], tmp_path / "ran")


@pytest.mark.usefixtures("processes")
def test_a_plugin_is_not_given_a_strangers_tool_either(stranger: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(stranger), str(CHECKOUT)])}
    command = [sys.executable, "-c", "from mark_i import tool"]

    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=environment, cwd=tmp_path
    )

    assert "ImportError: MARK-I does not start" in done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.usefixtures("processes")
def test_the_program_is_installed_and_tells_its_version() -> None:
    (script,) = entry_points(group="console_scripts", name="mark-i")
    command = [str(Path(sys.executable).with_name("mark-i")), "--version"]

    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert script.value == "mark_i.__main__:main"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"mark-i, version {version('mark-i')}\n")


@pytest.mark.usefixtures("processes")
def test_the_version_tells_all_that_a_report_of_a_fault_needs() -> None:
    environment = {**os.environ, "XDG_SESSION_TYPE": "wayland", "WAYLAND_DISPLAY": "wayland-0"}
    command = [sys.executable, "-m", "mark_i", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)

    told = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[1:])
    assert told["python"] == platform.python_version()
    assert told["session"] == "XDG_SESSION_TYPE=wayland, WAYLAND_DISPLAY=wayland-0"
    assert {name: told[name] for name in ("mss", "numpy", "pyautogui", "rapidocr", "click")} == {
        name: version(name) for name in ("mss", "numpy", "pyautogui", "rapidocr", "click")
    }


LIGHT = """
import sys
from click.testing import CliRunner
from mark_i.cli.main import program
for arguments in (["--help"], ["--version"]):
    assert CliRunner().invoke(program, arguments).exit_code == 0
print(*sys.modules)
"""


@pytest.mark.usefixtures("processes")
def test_help_and_version_load_only_the_names_of_the_commands() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True, cwd=CHECKOUT)

    loaded = set(done.stdout.split())
    assert not {"numpy", "PIL", "cv2", "pydantic", "rich", "lark", "tkinter", "toolbelt"} & loaded
    assert {name for name in loaded if name.startswith("mark_i")} == {
        "mark_i",
        "mark_i.cli",
        "mark_i.cli.invocation",
        "mark_i.cli.main",
        "mark_i.config",
        "mark_i.cli.completers",
        "mark_i.cli.command_names",
        "mark_i.cli.profile_option",
        "mark_i.config.paths",
        "mark_i.startup_check",
    }


def test_every_command_that_help_names_is_there_and_says_more() -> None:
    for name, (module, about) in ELSEWHERE.items():
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert about.endswith(".")
        assert command.help
