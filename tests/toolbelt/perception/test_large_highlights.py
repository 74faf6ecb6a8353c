"""What lights up under the pointer is clicked, however large it is; what comes over it in that moment is not."""

import random
import sys
from pathlib import Path
from typing import Final

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation, Point

pytestmark = pytest.mark.timing

APPS: Final = Path(__file__).parents[2] / "apps"
CAP_S: Final = 120.0  # seconds for an application on a busy machine
CORNER: Final = 50, 70  # of the window's content, about
PLACES: Final = [(x, y) for x in (120, 350, 580) for y in (40, 110, 180)] + [(300, 245 + 60 * nth) for nth in range(5)]


def cards(desktop: VirtualDesktop, control: Control, tmp_path: Path, steps: int) -> Eyes:
    (tmp_path / "clicks").touch()
    desktop.launch([sys.executable, str(APPS / "cards_tk.py"), str(tmp_path), str(steps)])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find("Row 5", lines), CAP_S)
    return eyes


def clicked(eyes: Eyes, place: tuple[int, int]) -> Observation:
    at = Point(CORNER[0] + place[0], CORNER[1] + place[1])
    eyes.settle(eyes.show(), reaction=0.1)
    eyes.show()
    action = Action("click", {"target": {"x": at.x, "y": at.y}})
    return standard_toolbelt(eyes).call(action, eyes.control).observation


@pytest.mark.parametrize("steps", [1, 7], ids=["at once", "bit by bit"])
def test_cards_and_rows_that_light_up_are_clicked(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, steps: int
) -> None:
    eyes = cards(desktop, control, tmp_path, steps)
    chance = random.Random(5)
    places = [chance.choice(PLACES) for _ in range(12)]

    refused = [place for place in places if not clicked(eyes, place).ok]

    assert refused == []
    assert control.until(lambda: (tmp_path / "clicks").read_text() == "c" * len(places), CAP_S)


def test_what_comes_over_a_card_with_the_pointer_and_stays_is_not_clicked(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    eyes = cards(desktop, control, tmp_path, 1)
    ask, clicks = tmp_path / "ask", tmp_path / "clicks"
    covered = PLACES[:9:4]  # on each card; what covers a place is given its full time to go
    for nth, place in enumerate(covered):
        assert clicked(eyes, PLACES[-1 - nth]).ok
        ask.touch()
        done = clicked(eyes, place)
        ask.unlink()

        assert done.error
        assert done.error.code == "STALE_TARGET"
        assert control.until(lambda: not find("Delete everything", eyes.read(eyes.look())), CAP_S)
    assert clicks.read_text() == "c" * len(covered)
