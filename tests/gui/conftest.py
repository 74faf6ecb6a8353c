"""A screen for each file of tests, and the window on it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.opened_window import Window
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.perception.eyes import Eyes
from world_model import Size


@pytest.fixture(scope="module")
def screen(request: pytest.FixtureRequest, x_servers: Servers) -> Iterator[Eyes]:
    """A screen as large as the file's SCREEN_SIZE."""
    control = Control()
    with x_servers.desktop(getattr(request.module, "SCREEN_SIZE", Size(940, 760)), control) as desktop:
        yield Eyes(desktop, control)


@pytest.fixture
def window(screen: Eyes, home: Path) -> Iterator[Window]:
    with contextlib.closing(Window(screen, home)) as opened:
        yield opened
