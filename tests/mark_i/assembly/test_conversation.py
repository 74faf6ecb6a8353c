"""A conversation: its runs share a virtual desktop and know what was said; nothing of it is left at its end."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import rmtree

import pytest

from mark_i.assembly.conversation import Conversation
from mark_i.assembly.desktops import opened
from mark_i.assembly.run_config import RunConfig
from mark_i.brains.scripted import ScriptedBrain
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from world_model import Journal, Size

CONFIG = RunConfig(ScriptedBrain([]))
SIZE = Size(640, 480)


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    with closing(Conversation(DEFAULT_PROFILE)) as begun:
        yield begun


def ended(name: str) -> Path:
    folder = runs_folder() / name
    Journal(folder, {"goal": "paint it", "settings": {}}).close({"outcome": "done", "summary": "It is blue."})
    return folder


def display_of(config: RunConfig) -> str:
    """The display of the run that is made of that."""
    with opened(config.virtual, Control(), shared=config.shared) as desktop:
        assert isinstance(desktop, VirtualDesktop)
        return desktop.display


def test_the_next_run_is_on_the_same_desktop_until_the_end(display: None, conversation: Conversation) -> None:
    first, second = (conversation.joined(CONFIG, SIZE) for _ in range(2))
    name = display_of(first)
    assert display_of(second) == name
    socket = Path("/tmp/.X11-unix") / f"X{name.removeprefix(':')}"
    assert socket.exists()

    conversation.close()

    assert not socket.exists()
    conversation.close()  # twice does no harm


def test_the_next_run_knows_the_one_before(conversation: Conversation) -> None:
    first = conversation.joined(CONFIG, SIZE)
    conversation.run = ended("one").name
    second = conversation.joined(CONFIG, None)

    assert (first.continues, first.earlier) == (None, ())
    assert (second.continues, second.earlier) == ("one", (("paint it", "done: It is blue."),))
    assert second.virtual is not None  # there is no display here


def test_what_was_deleted_is_not_told(conversation: Conversation) -> None:
    folder = ended("one")
    conversation.run = "one"
    rmtree(folder)

    config = conversation.joined(CONFIG, SIZE)

    assert (config.continues, config.earlier) == (None, ())
