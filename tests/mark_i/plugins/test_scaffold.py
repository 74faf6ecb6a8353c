"""`mark-i tools`: a tool of one's own is begun, works as it is, and is listed with where it comes from."""

import ast
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from pathlib import Path

import pytest

from mark_i.plugins.scaffold import write_sample
from tests.support import Run
from world_model import JournalError, UsageError

ROOT = Path(__file__).parents[3]
OWN = '''
from mark_i import tool

@tool(risk="{risk}")
def {name}() -> str:
    """{words}"""
    return "done"
'''


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "profiles" / "default" / "tools"


def own(folder: Path, name: str, words: str = "Do what is mine.", risk: str = "write") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(OWN.format(name=name, words=words, risk=risk))
    return file


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """The lines that the program writes on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    command = [sys.executable, "-m", "mark_i", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=ROOT) as running:
        os.close(theirs)
        written = b""
        try:
            while read := os.read(ours, 65536):
                written += read
        except OSError:  # its other end was closed
            pass
        os.close(ours)
    assert running.returncode == 0
    return written.decode().replace("\r\n", "\n").splitlines()


# Beginning one


@pytest.mark.parametrize("profile", ["default", "work"])
def test_a_new_tool_and_its_test_work_as_they_stand(mark_i: Run, home: Path, tmp_path: Path, profile: str) -> None:
    made = mark_i("tools", "new", "greet", "--profile", profile)

    tools = home / "profiles" / profile / "tools"
    assert (made.returncode, made.stderr) == (0, "")
    assert f"The tool: {tools / 'greet.py'}\nIts test: {tools / 'tests' / 'test_greet.py'}\n" in made.stdout
    call, test = (line.strip() for line in made.stdout.splitlines()[-2:])
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for command, said in ((call, "Hello, Ada!\n"), (f"{test} -p no:cacheprovider", "2 passed")):
        done = subprocess.run(
            command, shell=True, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=250
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert said in done.stdout
    listed = mark_i("tools", "list", "--json", "--profile", profile)
    assert (listed.stderr, [tool["name"] for tool in json.loads(listed.stdout)].count("greet")) == ("", 1)


def test_the_test_fails_once_the_tool_does_something_else(mark_i: Run, folder: Path) -> None:
    mark_i("tools", "new", "greet")
    tool, test = folder / "greet.py", folder / "tests" / "test_greet.py"
    tool.write_text(tool.read_text().replace("Hello", "Good morning"))

    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, cwd=ROOT)

    assert (done.returncode, "2 failed" in done.stdout) == (1, True)


def test_a_new_tool_imports_only_mark_i_and_says_its_risk(mark_i: Run, folder: Path) -> None:
    mark_i("tools", "new", "greet")

    imports = [node for node in ast.walk(ast.parse((folder / "greet.py").read_text())) if hasattr(node, "names")]
    assert [ast.unparse(node) for node in imports] == ["from mark_i import tool"]
    shown = json.loads(mark_i("tools", "show", "greet", "--json").stdout)
    assert (shown["risk"], shown["schema"]["required"]) == ("look", ["who"])
    assert shown["schema"]["properties"]["loudly"]["type"] == "boolean"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("open ticket", "'open ticket' is not a valid name for a Python function."),
        ("2nd", "'2nd' is not a valid name"),
        ("", "'' is not a valid name"),
        ("../greet", "'../greet' is not a valid name"),
        ("greet.py", "'greet.py' is not a valid name"),
        ("class", "'class' is not a valid name"),
        ("_greet", "files that start with _ are not loaded"),
        ("click", "A tool named click already exists"),
    ],
)
def test_an_invalid_name_is_refused_and_nothing_is_written(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        write_sample(name, tmp_path / "tools", taken={"click"})
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_written_as_python_reads_it(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "größe")
    sample = write_sample(decomposed, tmp_path, taken=())
    assert sample.tool.name == "größe.py"
    assert "def größe(" in sample.tool.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["class", "click", "mine"])
def test_a_refusal_is_one_line_and_wrong_usage(mark_i: Run, folder: Path, name: str) -> None:
    own(folder, "other").write_text(OWN.format(name="mine", words="Mine.", risk="look"))

    done = mark_i("tools", "new", name)

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert name in done.stderr
    assert [path.name for path in folder.iterdir()] == ["other.py"]


@pytest.mark.parametrize("there", ["greet.py", "tests/test_greet.py"])
def test_an_existing_file_is_not_overwritten(tmp_path: Path, there: str) -> None:
    file = tmp_path / there
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine = 1\n")

    with pytest.raises(UsageError, match=f"{re.escape(str(file))} already exists"):
        write_sample("greet", tmp_path, taken=())

    assert file.read_text() == "mine = 1\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file]


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "tests").write_text("no folder")

    with pytest.raises(JournalError, match=f"{re.escape(str(tmp_path / 'tests'))} cannot be written: File exists"):
        write_sample("greet", tmp_path, taken=())

    assert not (tmp_path / "greet.py").exists()


# The tools of plugins


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("columns", [80, 120])
def test_the_list_fits_the_terminal_and_names_plugin_sources(folder: Path, columns: int) -> None:
    own(folder, "file_the_papers_of_the_week", words="File " + "all the papers " * 12)

    lines = on_a_terminal(columns, "tools", "list")

    assert max(len(line) for line in lines) == columns
    assert lines[0].split() == ["Tool", "Risk", "What", "it", "does"]
    start = lines[0].index("What")
    rows = [line for line in lines[1:] if line and not line.startswith("From ")]
    assert all(line[start - 8 : start].strip() in {"look", "act", "write", "danger"} for line in rows)
    assert lines[-3:-1] == ["", "From file_the_papers_of_the_week.py:"]
    assert lines[-1].startswith("file_the_papers_of_the_week  write   File all the papers")
    assert lines[-1].endswith("…")


def test_a_list_outside_a_terminal_is_not_cut(mark_i: Run, folder: Path) -> None:
    own(folder, "mine", words="File " + "all the papers " * 20)
    assert mark_i("tools", "list").stdout.splitlines()[-1].endswith("all the papers")


def test_a_plugin_is_shown_with_its_file_and_used(mark_i: Run, folder: Path) -> None:
    file = own(folder, "mine", risk="danger")

    shown = mark_i("tools", "show", "mine").stdout
    listed = {tool["name"]: tool for tool in json.loads(mark_i("tools", "list", "--json").stdout)}
    called = mark_i("tools", "call", "mine", "{}", "--virtual", "640x480", "--json")

    assert f"Risk: danger. Time limit: 60 s.\nFrom: {file}\n" in shown
    assert (listed["mine"]["origin"], listed["click"]["origin"]) == (str(file), None)
    assert (called.returncode, json.loads(called.stdout)["text"]) == (0, "done")
    other = mark_i("tools", "call", "mine", "--profile", "work")
    assert (other.returncode, "There is no tool named 'mine'" in other.stderr) == (2, True)


def test_a_broken_plugin_is_reported_and_the_others_are_listed(mark_i: Run, folder: Path) -> None:
    own(folder, "mine")
    broken = folder / "broken.py"
    broken.write_text("1 / 0\n")

    listed = mark_i("tools", "list", "--json")

    assert listed.returncode == 0
    assert listed.stderr == f"{broken}, line 1: ZeroDivisionError: division by zero. It is left out.\n"
    assert "mine" in {tool["name"] for tool in json.loads(listed.stdout)}


def test_a_package_tool_is_listed_under_its_entry_point(
    mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path, "office_tools").write_text(OWN.format(name="staple", words="Staple.", risk="act"))
    about = tmp_path / "office_tools-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: office-tools\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mark_i.tools]\nstaple = office_tools:staple\n")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{tmp_path}")

    lines = mark_i("tools", "list").stdout.splitlines()

    assert lines[-3:] == ["", "From office-tools (staple = office_tools:staple):", lines[-1]]
    assert lines[-1].split() == ["staple", "act", "Staple."]
