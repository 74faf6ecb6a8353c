"""A desktop for one test of a run and its end."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from world_model import Size


@pytest.fixture
def own_desktop(display: None, control: Control) -> Iterator[VirtualDesktop]:
    """A desktop that starts and ends with the test."""
    with closing(VirtualDesktop(Size(1024, 768), control)) as desktop:
        yield desktop
