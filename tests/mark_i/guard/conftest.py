"""What the tests of the guard on a real desktop share."""

from pathlib import Path

import pytest

from mark_i import VirtualDesktop
from tests.mark_i.guard.on_screen import Worker


@pytest.fixture
def worker(desktop: VirtualDesktop) -> Worker:
    return Worker(desktop)


@pytest.fixture
def shell(worker: Worker, tmp_path: Path) -> Worker:
    """A terminal with a shell in a folder of the test."""
    worker.opens_shell(tmp_path)
    return worker
