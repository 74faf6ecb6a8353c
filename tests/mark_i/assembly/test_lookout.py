"""What is looked for on the screen: pictures where something changed, and how often it is looked."""

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from mark_i.assembly import lookout
from mark_i.assembly.lookout import Lookout, Picture, Text, wanted
from tests.support import Unhurried
from toolbelt.desktops import FakeDesktop
from toolbelt.perception import Eyes
from world_model import Frame, Halt, Pixels, Point, Size

NOISE = np.random.default_rng(1).integers(0, 255, (30, 40, 3), dtype=np.uint8)
LARGE = np.asarray(Image.fromarray(NOISE).resize((80, 60), Image.Resampling.BILINEAR), np.uint8)
PLACE = Point(4, 5)
SCREEN = Size(800, 600)
EYES = Eyes(FakeDesktop(lambda _: Image.new("RGB", (8, 8))), Unhurried())


def frame(*drawn: tuple[Pixels, Point]) -> Frame:
    """A grey screen with these on it."""
    pixels = np.full((SCREEN.height, SCREEN.width, 3), 200, np.uint8)
    for image, at in drawn:
        pixels[at.y : at.y + image.shape[0], at.x : at.x + image.shape[1]] = image
    return Frame(pixels)


def without_corner(image: Pixels) -> Pixels:
    """The picture before a small sign came to be in its corner."""
    pixels = image.copy()
    pixels[:16, :16] = 200
    return pixels


@pytest.mark.parametrize(
    ("screens", "places"),
    [
        ([frame(), frame((NOISE, Point(100, 100)))], [None, Point(120, 115)]),
        ([frame((NOISE, Point(100, 100))), frame()], [Point(120, 115), None]),
        ([frame(), frame((LARGE, Point(100, 100)))], [None, Point(140, 130)]),
        (
            [frame((without_corner(NOISE), Point(100, 100))), frame((NOISE, Point(100, 100)))],
            [None, Point(120, 115)],
        ),
        (
            [
                frame((LARGE, Point(100, 100))),
                frame((LARGE, Point(100, 100)), (NOISE[:9, :9], Point(100, 165))),
            ],
            [Point(140, 130), Point(140, 130)],
        ),
        (
            [frame((NOISE, Point(100, 100))), frame((NOISE, Point(100, 100)), (NOISE[::-1], Point(500, 400)))],
            [Point(120, 115), Point(120, 115)],
        ),
    ],
    ids=["comes", "goes", "comes larger", "is completed", "stays beside a change", "stays"],
)
def test_a_picture_is_where_the_screen_shows_it(screens: list[Frame], places: list[Point | None]) -> None:
    picture = Picture(NOISE)

    assert [picture.place(one, EYES) for one in screens] == places


def test_only_what_changed_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    def find_patch(_patch: Pixels, part: Frame, _scales: object) -> list[object]:
        searched.append(part.region.area)
        return []

    monkeypatch.setattr(lookout, "find_patch", find_patch)
    picture = Picture(NOISE)
    for one in (frame(), frame((NOISE[:10, :2], Point(100, 100)))):
        picture.place(one, EYES)

    assert searched[0] == SCREEN.width * SCREEN.height
    assert searched[1:] == [(10 + 80) * (2 + 80)]


def test_a_text_in_quotation_marks_is_no_picture() -> None:
    assert isinstance(wanted(' "bell.png" '), Text)


class Light:
    """Is there while the screen is not black."""

    def place(self, frame: Frame, _eyes: Eyes) -> Point | None:
        """Return where it is."""
        return PLACE if frame.pixels.any() else None


class Lights(Unhurried):
    """Shows a light or none at each look, and is stopped after the last."""

    def __init__(self, *shown: int) -> None:
        super().__init__()
        self.shown = shown

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        if len(self.waits) == len(self.shown):
            self.stop()


def looking(control: Lights, tell: Callable[[str], None] = lambda _: None) -> Lookout:
    """Look at the light, for the first time."""

    def drawn(_inputs: object) -> Image.Image:
        return Image.new("RGB", (8, 8), "white" if control.shown[len(control.waits)] else "black")

    looks = Lookout(Eyes(FakeDesktop(drawn, control), control), Light(), tell)
    looks.begin()
    return looks


@pytest.mark.parametrize(("took_s", "rest_s"), [(0.0, 1.0), (0.2, 1.8), (60.0, 5.0)])
def test_the_more_a_look_takes_the_longer_it_rests(
    monkeypatch: pytest.MonkeyPatch, took_s: float, rest_s: float
) -> None:
    control, times = Lights(0, 1, 1), iter((0.0, took_s, 0.0, 0.0))
    monkeypatch.setattr("time.process_time", lambda: next(times))

    assert looking(control).until_it_comes(0.0, lambda: True) == PLACE
    assert control.waits == [pytest.approx(rest_s)]


def test_what_is_out_of_sight_for_a_moment_is_not_gone() -> None:
    told: list[str] = []

    with pytest.raises(Halt):
        looking(Lights(1, 0, 1, 0, 1, 1), told.append).until_it_comes(0.0, lambda: True)

    assert told == ["It is on the screen already, at 4, 5. It counts once it was gone and comes again."]


def test_one_look_without_it_is_not_enough_however_late_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    control = Lights(1, 0, 1, 1)
    monkeypatch.setattr("time.monotonic", lambda: 100.0 * len(control.waits))

    with pytest.raises(Halt):
        looking(control).until_it_comes(0.0, lambda: True)


def test_what_was_gone_counts_when_it_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    control = Lights(1, 0, 0, 1, 1)
    monkeypatch.setattr("time.monotonic", lambda: 2.0 * len(control.waits))

    assert looking(control).until_it_comes(0.0, lambda: True) == PLACE
    assert len(control.waits) == 3


@pytest.mark.parametrize(("not_before_s", "looks"), [(0.0, 1), (2.5, 3)])
def test_it_counts_once_it_is_due_if_it_is_still_there(
    monkeypatch: pytest.MonkeyPatch, not_before_s: float, looks: int
) -> None:
    control = Lights(0, 1, 1, 1, 1)
    monkeypatch.setattr("time.monotonic", lambda: float(len(control.waits)))

    looking(control).until_it_comes(not_before_s, lambda: True)

    assert len(control.waits) == looks


def test_it_waits_until_the_desktop_is_free() -> None:
    control = Lights(0, 1, 1, 1, 1)

    looking(control).until_it_comes(0.0, lambda: len(control.waits) == 3)

    assert len(control.waits) == 3
