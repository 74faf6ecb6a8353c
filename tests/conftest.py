"""What all tests share: a home of their own, and never the developer's own screen."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from mark_i.config.api_keys import VARIABLES
from mark_i.runs.tracing import ENDPOINTS
from tests import tiers
from tests.order_skill import FORM
from tests.snapshot import Snapshot, compare, renew
from tests.support import Run
from tests.sway import Session, desktop_of, opened, skip_without
from tests.warm_program import program
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.wayland import WaylandDesktop
from world_model import Size

if TYPE_CHECKING:
    from tests.portal import Portal

GUARD = tiers.install()
HOMES = itertools.count()

hypothesis.settings.register_profile("unhurried", deadline=None)  # the machine may be busy
hypothesis.settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-snapshots", action="store_true", help="write tests/snapshots anew")


def pytest_configure() -> None:
    """Heed the signals that a shell lets its background jobs ignore: what the tests start inherits that."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tiers.mark(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Refuse what the test may not start."""
    GUARD.item = item
    try:
        return (yield)
    finally:
        GUARD.item = None


@pytest.fixture(autouse=True)
def tier() -> Iterator[None]:
    """Fail a test that tried to start what it may not, even where the refusal was caught."""
    GUARD.refused.clear()
    yield
    assert not GUARD.refused


@pytest.fixture(scope="session")
def processes() -> None:
    """Let a test start processes."""


@pytest.fixture(scope="session")
def display(processes: None) -> None:
    """Let a test use an X display."""


@pytest.fixture(scope="session")
def browser(processes: None) -> None:
    """Let a test start Chromium; it is skipped where there is none."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("There is no chromium or no chromedriver")


@pytest.fixture(scope="session")
def benchmark(processes: None) -> None:
    """Let a test run a part of a benchmark."""


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, journals and what programs keep go to a folder of the test; no display and no key is inherited."""
    person = tmp_path_factory.getbasetemp() / f"person-{next(HOMES)}"  # `mktemp` would look through thousands of them
    folder = person / "mark-i"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(person))  # a shell that is ended may be busy with the developer's own files
    monkeypatch.setenv("MARK_I_HOME", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "XDG_SESSION_TYPE", *VARIABLES.values(), *ENDPOINTS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")  # the developer has one of their own
    if library := sys.modules.get("keyring.core"):  # it keeps what the variable named for the test before
        monkeypatch.setattr(library, "_keyring_backend", None)
    return folder


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A real keyring, in a file of the test's own; that it is not encrypted makes its content easy to look for."""
    folder = tmp_path / "keyring"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyrings.alt.file.PlaintextKeyring")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs have time to say what they show, however busy the machine is."""
    monkeypatch.setattr("toolbelt.perception.hearing.TREES_MAX_S", 60.0)


@pytest.fixture
def snapshot(pytestconfig: pytest.Config) -> Snapshot:
    """Compare a text with its file in tests/snapshots, or renew the file."""
    return renew if pytestconfig.getoption("--renew-snapshots") else compare


@pytest.fixture
def control() -> Control:
    return Control()


@pytest.fixture(scope="session")
def x_servers(display: None) -> Iterator[Servers]:
    """The X servers of this process, which its tests use in turn."""
    with closing(Servers()) as servers:
        yield servers


@pytest.fixture
def desktop(x_servers: Servers, control: Control) -> Iterator[VirtualDesktop]:
    """A virtual desktop with nothing on it."""
    with x_servers.desktop(Size(1024, 768), control) as virtual:
        yield virtual


@pytest.fixture
def sway(
    processes: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Session]:
    """A Wayland session with nothing in it; skipped where there is no sway."""
    skip_without()
    with opened(tmp_path_factory.mktemp("s", numbered=True), monkeypatch) as session:  # the path of a socket is short
        yield session


@pytest.fixture
def portal(
    processes: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator["Portal"]:
    """A desktop portal on a session bus of its own; skipped where there is no bus."""
    from tests.gui.notifications.desktop_service import session_bus  # noqa: PLC0415 - jeepney is optional
    from tests.portal import Portal  # noqa: PLC0415 - as above

    if not shutil.which("dbus-daemon"):
        pytest.skip("There is no dbus-daemon")
    with session_bus(tmp_path_factory.mktemp("b", numbered=True)) as address:  # the path of a socket is short
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield Portal(address)


@pytest.fixture
def closed(processes: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A session whose compositor lets programs do nothing, as our own."""
    from tests.portal import closed_session  # noqa: PLC0415 - as above

    (tmp_path / "w").mkdir()
    with closed_session(tmp_path / "w") as socket:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(socket.parent))
        monkeypatch.setenv("WAYLAND_DISPLAY", socket.name)
        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("SWAYSOCK", raising=False)
        yield socket


@pytest.fixture
def wayland(sway: Session, control: Control) -> Iterator[WaylandDesktop]:
    """The desktop of that session."""
    with desktop_of(sway, control) as desktop:
        yield desktop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program `orderform` on the path; what it runs can be changed."""
    program = tmp_path / "bin" / "orderform"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec /usr/bin/python3 {FORM} $FORM_LOOK\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return program


@pytest.fixture
def mark_i(processes: None) -> Run:
    """The program, in a process of its own."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [*program(options.get("env") or os.environ), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, **options)

    return run
