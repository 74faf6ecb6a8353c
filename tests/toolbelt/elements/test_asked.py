"""What is asked of a program that says what it shows, and when."""

import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageDraw

from toolbelt.control import Control
from toolbelt.desktops.accessibility import Node, WindowTree, worker
from toolbelt.desktops.base import Window
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.ocr import Line
from toolbelt.perception.eyes import Eyes
from world_model import Frame, Region

CAP_S = 120.0
WINDOW = Window(1, "Form", "form", Region(100, 50, 400, 300), pid=7)
SAVE = Region(200, 100, 36, 36)


class Thing:
    """An element as the library for accessibility gives it."""

    def __init__(self, role: str, name: str = "", description: str = "", *inner: "Thing") -> None:
        self.role, self.name, self.description, self.inner = role, name, description, inner
        self.bounds = SimpleNamespace(x=1, y=1, width=9, height=9)
        self.raw: dict[str, object] = {}

    def __getattr__(self, name: str) -> Any:
        return name in {"visible", "enabled"} if name not in {"value", "checked"} else None

    def children(self) -> tuple["Thing", ...]:
        return self.inner


def names_in(thing: Thing) -> list[tuple[str, str]]:
    """The roles and names of what is read of a thing."""
    nodes, _ = worker.read(thing, (0, 0, 99, 99), time.monotonic() + CAP_S)  # type: ignore[arg-type]
    return [(role, name) for _parent, role, name, *_ in nodes]


def test_an_icon_is_called_by_its_tooltip_and_a_text_is_not() -> None:
    icon, text = Thing("image", "GtkImage"), Thing("static_text", "Print")

    assert names_in(Thing("button", "GtkButton", "Print it", icon))[0] == ("button", "Print it")
    assert names_in(Thing("button", "", "Print it", text))[0] == ("button", "")


def test_what_is_in_a_label_is_read() -> None:
    label = Thing("static_text", "\ufffcNews", "", Thing("check_box", "News"))

    assert ("check_box", "News") in names_in(label)


def test_a_menu_on_the_screen_is_read_and_a_closed_one_is_not() -> None:
    menu = Thing("menu", "", "", Thing("menu_item", "Open"))

    assert ("menu_item", "Open") in names_in(menu)
    assert ("menu_item", "Open") in names_in(Thing("menu_item", "", "", Thing("menu_item", "Open")))
    assert ("menu_item", "Open") not in names_in(Thing("menu_item", "File", "", Thing("menu_item", "Open")))


class Heard(FakeDesktop):
    """A desktop with one window, whose program answers only once something has been read on the screen."""

    reading = threading.Event()

    def windows(self) -> list[Window]:
        return [WINDOW]

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...]:  # noqa: ARG002 - of one program
        assert self.reading.wait(CAP_S)
        nodes = Node(-1, "window", "Form", "", WINDOW.region), Node(0, "button", "Print", "", SAVE)
        return (WindowTree(7, "Form", nodes),)


def test_programs_are_asked_while_the_screen_is_read(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    image = Image.new("RGB", (640, 400), "white")
    ImageDraw.Draw(image).line((210, 110, 226, 126), "black", 3)
    desktop = Heard(lambda _inputs: image, control)
    eyes = Eyes(desktop, control)
    read = eyes.read

    def reading(frame: Frame) -> tuple[Line, ...]:
        desktop.reading.set()
        return read(frame)

    monkeypatch.setattr(eyes, "read", reading)

    assert ("button", "Print") in {(one.role, one.text) for one in eyes.elements(eyes.look()) if one.said}
