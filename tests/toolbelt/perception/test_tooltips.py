"""What has a tooltip, or has come under the pointer, is clicked; the tooltip itself is not."""

import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests.support import CAP_S
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation, Point

pytestmark = pytest.mark.timing

APPS: Final = Path(__file__).parents[2] / "apps"
GTK: Final = ["/usr/bin/python3", str(APPS / "tips_gtk.py")]
TK: Final = [sys.executable, str(APPS / "tips_tk.py")]
HALF_LIT: Final = [sys.executable, str(APPS / "half_lit.py")]
ON_IT: Final = ("-20", "-20")  # from the pointer to the corner of a tooltip
BUTTONS: Final = ("Button 1", "Button 2")
STILL_S: Final = 0.6
BESIDE: Final = ("14", "20")


def started(
    desktop: VirtualDesktop, program: list[str], clicks: Path, *options: str, names: tuple[str, ...] = BUTTONS
) -> tuple[Eyes, list[Point]]:
    """Start a program with buttons; give the middle of each."""
    clicks.touch()
    desktop.launch([*program, str(clicks), *options])
    eyes = Eyes(desktop, desktop.control)
    lines = eyes.until(lambda lines: all(find(name, lines) for name in names), CAP_S)
    return eyes, [find(name, lines)[0].point for name in names]


def rest(eyes: Eyes) -> None:
    """Wait until nothing has changed for a while: a button fades after a click, also when its program is slow."""
    frame, end_s = eyes.show(), time.monotonic() + STILL_S
    while time.monotonic() < end_s:
        newer = eyes.show()
        if newer is not frame:
            frame, end_s = newer, time.monotonic() + STILL_S
        eyes.control.wait(0.02)


def clicked(eyes: Eyes, at: Point) -> Observation:
    rest(eyes)
    return standard_toolbelt(eyes).call(Action("click", {"target": {"x": at.x, "y": at.y}}), eyes.control).observation


@pytest.mark.parametrize(
    ("program", "options"),
    [(GTK, ()), (TK, (*BESIDE, "0")), (TK, (*ON_IT, "0")), (TK, (*ON_IT, "100"))],
    ids=["GTK", "beside", "on it at once", "on it after a moment"],
)
def test_a_tooltip_that_comes_with_the_pointer_keeps_no_click_away(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, program: list[str], options: tuple[str, ...]
) -> None:
    clicks = tmp_path / "clicks"
    eyes, buttons = started(desktop, program, clicks, *options)

    for count in range(1, 5):
        done = clicked(eyes, buttons[count % 2])

        assert done.ok, done.error
        assert control.until(lambda count=count: clicks.read_text() == "b" * count, CAP_S)  # type: ignore[misc]


def test_a_tooltip_in_the_picture_is_out_of_the_way_in_the_next_one(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    clicks = tmp_path / "clicks"
    eyes, buttons = started(desktop, TK, clicks, *ON_IT, "0")
    assert clicked(eyes, buttons[0]).ok
    assert eyes.until(lambda lines: find("in two lines of text", lines), CAP_S)

    again = [clicked(eyes, buttons[0]) for _ in range(2)]

    assert [done.error and done.error.code for done in again] == ["STALE_TARGET", None]
    assert control.until(lambda: clicks.read_text() == "bb", CAP_S)


def test_a_window_that_came_under_the_pointer_is_clicked_though_the_pointer_lights_it(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    clicks = tmp_path / "clicks"
    desktop.move(Point(700, 500))  # where nothing is, before and after
    eyes, buttons = started(desktop, TK, clicks, *BESIDE, "60000")
    assert clicked(eyes, buttons[0]).ok

    [window] = desktop.windows()
    desktop.close_window(window)
    assert control.until(lambda: not desktop.windows(), CAP_S)
    started(desktop, TK, clicks, *BESIDE, "60000")
    done = clicked(eyes, buttons[0])

    assert done.ok, done.error
    assert control.until(lambda: clicks.read_text() == "bb", CAP_S)


def test_a_light_that_stood_still_halfway_keeps_no_click_away(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    clicks = tmp_path / "clicks"
    desktop.move(Point(700, 700))  # where nothing is
    eyes, [button] = started(desktop, HALF_LIT, clicks, names=BUTTONS[:1])

    done = clicked(eyes, button)

    assert done.ok, done.error
    assert control.until(lambda: clicks.read_text() == "b", CAP_S)
