"""A program that drops keys, or that changes what is typed, can still be given a text."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation

APP = Path(__file__).parents[2] / "apps" / "corrector_tk.py"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
Type = Callable[..., Observation]


@pytest.fixture
def eyes(desktop: VirtualDesktop, control: Control) -> Eyes:
    desktop.launch([sys.executable, str(APP)])
    assert control.until(lambda: any(one.active for one in desktop.windows()), CAP_S)
    return Eyes(desktop, control)


@pytest.fixture
def types(eyes: Eyes, control: Control) -> Type:
    tools = standard_toolbelt(eyes)
    return lambda text, **args: tools.call(Action("type_text", {"text": text, **args}), control).observation


def shows(eyes: Eyes, text: str) -> bool:
    return bool(find(text, eyes.until(lambda lines: bool(find(text, lines)), CAP_S)))


def test_keys_that_a_program_drops_arrive_at_a_pace(eyes: Eyes, types: Type) -> None:
    assert types("Room 2").text == "Typed 6 characters."
    assert shows(eyes, "Room 2")
    assert types("44", pace_ms=1000).text == "Typed 2 characters."  # at once, the second would be dropped
    assert shows(eyes, "Room 244")


def test_what_is_pasted_is_not_changed(eyes: Eyes, types: Type, desktop: VirtualDesktop) -> None:
    assert types("teh end of teh day, 22", paste=True).text == "Pasted 22 characters."

    assert shows(eyes, "teh end of teh day, 22")
    assert desktop.read_clipboard() == "teh end of teh day, 22"


@pytest.mark.parametrize(
    "args",
    [
        {"pace_ms": 5, "paste": True},
        {"pace_ms": -1},
        {"pace_ms": 1001},
        {"pace_ms": "x"},
        {"text": "a" * 241, "pace_ms": 1000},
    ],
)
def test_what_makes_no_sense_is_refused(args: dict[str, Any], control: Control) -> None:
    tools = standard_toolbelt(Eyes(FakeDesktop(lambda _inputs: Image.new("RGB", (64, 48))), control))

    error = tools.call(Action("type_text", {"text": "a", **args}), control).observation.error

    assert error
    assert error.code == "INVALID_ARGS"
