"""What a person does on a real desktop becomes what the tools would do."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from mark_i.skills.gestures import Gesture, Gestures
from tests.support import soon, xdotool
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.x11 import InputLog, KeyReader

HOTKEY = frozenset({"ctrl", "alt", "escape"})


class Watched:
    """The gestures on a desktop, in order."""

    def __init__(self, desktop: VirtualDesktop, keys: KeyReader, log: InputLog) -> None:
        self._desktop, self._log = desktop, log
        self.gestures = Gestures(keys, HOTKEY)
        self.done: list[Gesture] = []

    def do(self, *what: str) -> None:
        """Use the desktop, and end with a key that nothing else presses."""
        self.done.clear()
        xdotool(self._desktop, *what)
        xdotool(self._desktop, "key", "F12")
        assert soon(self._is_over)

    def told(self) -> list[tuple[str, dict[str, Any]]]:
        return [(one.tool, one.args) for one in self.done if one.keys != "f12"]

    def _is_over(self) -> bool:
        for event in self._log.take():
            self.gestures.take(event)
            if self.gestures.open and self.gestures.open not in self.done:
                self.done.append(self.gestures.open)
        return bool(self.done) and self.done[-1].keys == "f12"


@pytest.fixture
def watched(desktop: VirtualDesktop) -> Iterator[Watched]:
    with closing(KeyReader(desktop.display)) as keys, closing(InputLog(desktop.display)) as log:
        yield Watched(desktop, keys, log)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (["type", "Hi, 7>5 {a}"], [("type_text", {"text": "Hi, 7>5 {a}"})]),
        (["key", "a", "b", "BackSpace", "c"], [("type_text", {"text": "ac"})]),
        (["key", "Caps_Lock", "a", "1", "Caps_Lock", "b"], [("type_text", {"text": "A1b"})]),
        (["key", "ctrl+shift+s"], [("press", {"keys": "ctrl+shift+s"})]),
        (["key", "Down", "Down"], [("press", {"keys": "down", "times": 2})]),
        (["key", "shift+Left"], [("press", {"keys": "shift+left"})]),
        (["key", "shift+Tab", "Return"], [("press", {"keys": "shift+tab"}), ("press", {"keys": "enter"})]),
        (["key", "super"], [("press", {"keys": "super"})]),
        (["key", "ctrl+alt+Escape"], []),
        (["mousemove", "90", "80", "click", "1"], [("click", {})]),
        (["mousemove", "90", "80", "click", "3"], [("right_click", {})]),
        (["mousemove", "90", "80", "click", "--repeat", "2", "--delay", "20", "1"], [("double_click", {})]),
        (["mousemove", "90", "80", "keydown", "ctrl", "click", "1", "keyup", "ctrl"], [("click", {"holding": "ctrl"})]),
        (["mousemove", "90", "80", "mousedown", "1", "mousemove", "190", "80", "mouseup", "1"], [("drag", {})]),
        (["click", "5", "click", "5"], [("scroll", {"direction": "down", "amount": 2})]),
    ],
    ids=lambda value: " ".join(value) if value and isinstance(value[0], str) else "",
)  # fmt: skip
def test_what_is_done_becomes_what_a_tool_does(
    watched: Watched, done: list[str], told: list[tuple[str, dict[str, Any]]]
) -> None:
    watched.do(*done)

    assert watched.told() == told


def test_a_click_is_where_the_pointer_was_then(watched: Watched) -> None:
    watched.do(
        "mousemove", "90", "80", "mousedown", "1", "mousemove", "190", "85", "mouseup", "1", "mousemove", "5", "5"
    )

    [drag, _] = watched.done
    assert [(one.x, one.y) for one in drag.places] == [(90, 80), (190, 85)]


def test_dead_keys_and_other_layouts_type_their_characters(watched: Watched, desktop: VirtualDesktop) -> None:
    try:
        subprocess.run(["setxkbmap", "de"], env=desktop._environment, check=True)
        watched.do("key", "dead_acute", "e", "dead_circumflex", "O", "udiaeresis", "ssharp", "EuroSign", "at")
        german = watched.told()
        subprocess.run(["setxkbmap", "ru"], env=desktop._environment, check=True)
        watched.do("key", "Cyrillic_ya", "Cyrillic_IO")
    finally:
        subprocess.run(["setxkbmap", "us"], env=desktop._environment, check=True)

    assert german == [("type_text", {"text": "\u00e9\u00d4\u00fc\u00df\u20ac@"})]
    assert watched.told() == [("type_text", {"text": "\u044f\u0401"})]


def test_what_cannot_be_told_is_named(watched: Watched) -> None:
    watched.do("click", "9", "keydown", "ctrl", "click", "4", "keyup", "ctrl", "key", "XF86Calculator")

    assert watched.told() == []
    wheel, button, key = sorted(watched.gestures.unknown, reverse=True)
    assert (button, wheel) == ("the mouse button 9", "the wheel with ctrl")
    assert key.startswith("the key with the code ")
