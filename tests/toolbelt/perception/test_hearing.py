"""A program that is busy for a moment is waited for where its controls decide about harm."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Final

import pytest

from mark_i import standard_toolbelt
from mark_i.guard.screen import Sight
from toolbelt.control import Control
from toolbelt.desktops.accessibility import WindowTree
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes

APP: Final = ("/usr/bin/python3", str(Path(__file__).parents[2] / "apps" / "form_gtk.py"))
CAP_S: Final = 120.0
HASTE_S: Final = 1.0  # programs are waited for no longer unless they are busy
BUSY_S: Final = 1.0  # longer than programs are waited for elsewhere


@pytest.fixture
def eyes(desktop: VirtualDesktop, control: Control) -> Eyes:
    eyes = Eyes(desktop, control)
    desktop.launch(APP)
    assert control.until(lambda: eyes.windows() and is_told(eyes), CAP_S)
    return eyes


def is_told(eyes: Eyes) -> bool:
    """Whether the program says what it shows."""
    return any(one.said for one in eyes.elements(eyes.look()))


@contextmanager
def stopped(eyes: Eyes) -> Iterator[int]:
    """Stop the program; what it said before may no longer hold."""
    [pid] = {one.pid for one in eyes.windows() if one.pid}
    os.kill(pid, signal.SIGSTOP)
    eyes.control.acted()
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_program_that_is_busy_for_a_moment_is_heard_out(eyes: Eyes) -> None:
    [window] = eyes.windows()
    sight, press = Sight(eyes, eyes.look()), standard_toolbelt(eyes)["press"]

    with stopped(eyes) as pid:
        Timer(BUSY_S, os.kill, (pid, signal.SIGCONT)).start()
        sight.aims(press, press.validated({"keys": "enter"}))
        assert any(one.said for one in sight.elements(window))


def test_a_program_that_has_never_said_anything_is_heard_out(eyes: Eyes) -> None:
    later = Eyes(eyes.desktop, eyes.control)

    with stopped(eyes) as pid:
        Timer(BUSY_S, os.kill, (pid, signal.SIGCONT)).start()
        assert any("focused" in mark.states for mark in later.marks(later.look()))


def test_a_program_that_hangs_is_not_waited_for_twice(eyes: Eyes) -> None:
    with stopped(eyes):
        eyes.every_element(eyes.look())
        assert not is_told(eyes)
        heard = eyes._hearing.ask(eyes.look())
        assert not eyes._hearing.busy(heard)


def test_a_program_that_has_never_said_all_is_heard_out(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...]:
        said = trees(pids, CAP_S) or ()
        return said if seconds > HASTE_S else tuple(replace(one, nodes=one.nodes[:1], complete=False) for one in said)

    trees = eyes.desktop.trees
    monkeypatch.setattr(eyes.desktop, "trees", half)
    later = Eyes(eyes.desktop, eyes.control)

    assert not any(one.said for one in later.elements(later.look()))
    [place, *_] = [one.region.center for one in later.every_element(later.look()) if one.said and one.role == "button"]
    asked = Eyes(eyes.desktop, eyes.control)
    assert asked.said_at(place)


def test_a_program_that_was_heard_out_is_not_asked_again_in_haste(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbelt.perception.hearing.TREES_MAX_S", 0.0)

    with stopped(eyes) as pid:
        Timer(BUSY_S, os.kill, (pid, signal.SIGCONT)).start()
        assert any(one.said for one in eyes.every_element(eyes.look()))
    monkeypatch.setattr(eyes._hearing, "is_late", lambda _heard: True)
    assert any(one.said for one in eyes.every_element(eyes.look()))
