"""What all tests share: a home of their own, and never the developer's own screen."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from toolbelt.control import Control
from toolbelt.virtual import VirtualDesktop
from world_model import Size

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and journals go to a folder of the test; no display and no key is inherited."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MARK_I_HOME", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
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
