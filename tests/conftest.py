"""What all tests share: a home of their own, and never the developer's own screen."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mark_i.config.api_keys import VARIABLES
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from world_model import Size

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and journals go to a folder of the test; no display and no key is inherited."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MARK_I_HOME", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", *VARIABLES.values()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")  # the developer has one of their own
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
def control() -> Control:
    return Control()


@pytest.fixture
def desktop(control: Control) -> Iterator[VirtualDesktop]:
    """A virtual desktop of the test's own."""
    with closing(VirtualDesktop(Size(1024, 768), control)) as virtual:
        yield virtual


@pytest.fixture
def mark_i() -> Run:
    """The program, in a process of its own."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mark_i", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, **options)

    return run
