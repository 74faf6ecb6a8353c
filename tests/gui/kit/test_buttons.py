"""A button under the mouse."""

import subprocess
import sys
from pathlib import Path

from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from world_model import Point

APP = Path(__file__).parents[2] / "apps" / "hiding_button.py"
CHECKOUT = Path(__file__).parents[3]
CAP_S = 60.0


def test_a_button_that_is_gone_takes_no_click(screen: Eyes) -> None:
    assert isinstance(screen.desktop, VirtualDesktop)
    environment = screen.desktop._environment | {"PYTHONPATH": str(CHECKOUT)}
    with subprocess.Popen(
        [sys.executable, str(APP)], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as app:
        assert app.stdin
        assert app.stdout
        (place,) = find("Hide", screen.until(lambda lines: bool(find("Hide", lines)), CAP_S))
        screen.desktop.click(place.point)
        assert app.stdout.readline() == "clicked\n"
        screen.desktop.click(place.point)  # while the button is still there, as the second of a double click
        app.stdin.write("\n")
        app.stdin.flush()
        assert not find("Hide", screen.until(lambda lines: not find("Hide", lines), CAP_S))
        screen.desktop.click(Point(place.point.x, place.point.y + 60))
        screen.desktop.press("enter")
        assert app.communicate(timeout=CAP_S)[0] == ""
        assert app.returncode == 0
