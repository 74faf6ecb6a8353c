"""The tests themselves: their tiers, the X servers that they share, and how they start the program."""

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests import x_servers
from tests.support import opened_by_its_reader, soon
from tests.tiers import Guard
from tests.warm_program import program
from tests.x_servers import Servers
from toolbelt.control import Control
from world_model import Point, Size

TESTS: Final = Path(__file__).parents[1]
SIZE: Final = Size(800, 600)
CAP_S: Final = 120.0


@pytest.mark.parametrize(
    ("event", "args", "fixture"),
    [
        ("subprocess.Popen", ("true", ["true"], None, None), "processes"),
        ("subprocess.Popen", ("sh", "true", None, None), "processes"),
        ("os.fork", (), "processes"),
        ("os.posix_spawn", ("/bin/true", ["true"], {}), "processes"),
        ("subprocess.Popen", ("Xvfb", ["/usr/bin/Xvfb", ":1"], None, None), "display"),
        ("subprocess.Popen", ("chromium", ["chromium"], None, None), "browser"),
        ("socket.connect", (None, "/tmp/.X11-unix/X0"), "display"),
    ],
)
def test_what_a_test_may_not_start_is_refused(
    event: str, args: tuple[Any, ...], fixture: str, request: pytest.FixtureRequest
) -> None:
    guard = Guard()
    guard(event, args)  # between tests anything goes
    guard.item = request.node

    with pytest.raises(RuntimeError, match=f"request the fixture `{fixture}`"):
        guard(event, args)

    assert len(guard.refused) == 1


@pytest.mark.usefixtures("processes")
def test_what_a_fixture_allows_is_not_refused(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("process")
    assert subprocess.run([sys.executable, "-c", ""], check=True).returncode == 0


def test_a_test_may_connect_to_its_own_server_on_the_network(request: pytest.FixtureRequest) -> None:
    guard = Guard()
    guard.item = request.node

    guard("socket.connect", (None, ("127.0.0.1", 80)))

    assert guard.refused == []


def test_no_test_file_imports_another() -> None:
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests."):
                assert not node.module.rpartition(".")[2].startswith("test_"), file


@pytest.fixture
def servers(display: None) -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.close()


def test_what_a_test_leaves_on_a_server_is_gone_for_the_next(servers: Servers, control: Control) -> None:
    with servers.desktop(SIZE, control) as desktop:
        used, home = desktop.display, desktop.pointer()
        desktop.launch(["xterm"])
        assert control.until(desktop.windows, CAP_S)
        desktop.write_clipboard("left")
        desktop.move(Point(3, 4))
        desktop.key_down("shift")
        desktop.mouse_down("left")

    with servers.desktop(SIZE, control) as desktop:
        assert desktop.display == used
        assert desktop.windows() == []
        assert desktop.read_clipboard() is None
        assert desktop.pointer() == home


def test_a_server_that_is_not_as_good_as_new_is_replaced(
    servers: Servers, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(x_servers, "RESET_CAP_S", 0.5)  # which this one waits in full
    with servers.desktop(SIZE, control) as desktop:
        used = desktop._environment["DISPLAY"]
        subprocess.run(["setxkbmap", "-display", used, "de"], check=True, timeout=CAP_S)

    with servers.desktop(SIZE, control) as desktop:
        layout = subprocess.run(
            ["setxkbmap", "-display", desktop.display, "-query"],
            capture_output=True, text=True, check=True, timeout=CAP_S,
        ).stdout  # fmt: skip
    assert "de" not in layout.partition("layout:")[2].splitlines()[0]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, -15), (signal.SIGINT, 130)])
def test_a_program_that_was_forked_ends_with_its_process(tmp_path: Path, number: int, code: int) -> None:
    os.mkfifo(brain := tmp_path / "brain.jsonl")
    with subprocess.Popen([*program(os.environ), "ask", "What?", "--brain", f"scripted:{brain}"]) as process:
        pipe = Control().until(lambda: opened_by_its_reader(brain), CAP_S)
        assert pipe
        process.send_signal(number)
        assert process.wait(CAP_S) == code
        assert soon(lambda: not read_by_anybody(pipe))
        os.close(pipe)


def read_by_anybody(pipe: int) -> bool:
    """Whether somebody has the other end of a pipe open."""
    try:
        os.write(pipe, b"\n")
    except BrokenPipeError:
        return False
    return True


@pytest.mark.usefixtures("processes")
def test_what_the_interpreter_reads_as_it_starts_is_never_taken_from_another() -> None:
    usual, other = program(os.environ), program(os.environ | {"PYTHONPATH": "/elsewhere"})

    assert (usual[1], other[1:]) == ("-I", ["-m", "mark_i"])
    assert program(os.environ | {"PYTHONPATH": str(TESTS.parent)}) == usual
    assert program(os.environ | {"LC_ALL": "C"}) == other
