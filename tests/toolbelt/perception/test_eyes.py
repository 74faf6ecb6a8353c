"""Eyes on a screen that is drawn: settling, reading, and saying what changed."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.base import DEFAULT_SIZE
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.ocr.frame_diff import changed_regions
from toolbelt.ocr.lines import Line
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.settling import SETTLE_MAX_S
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.targets import resolve
from world_model import Action, DesktopError, Frame, Region

LOOKS_MAX = 5  # once the time is over: one that began before, one more, and some for a machine that is busy
FONT = ImageFont.load_default(size=20)
Texts = dict[tuple[int, int], str]


def picture(texts: Texts, size: tuple[int, int] = (600, 300)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for place, text in texts.items():
        draw.text(place, text, "black", FONT)
    return image


def frame(texts: Texts) -> Frame:
    return Frame(np.asarray(picture(texts)))


class Film:
    """A desktop that shows one picture after the other, each for as many looks as it says."""

    def __init__(self, *scenes: tuple[int, Image.Image]) -> None:
        self._left = [image for looks, image in scenes for _ in range(looks)]

    def __call__(self, _inputs: object) -> Image.Image:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


def eyes_on(draw: Callable[[object], Image.Image]) -> Eyes:
    control = Control()
    return Eyes(FakeDesktop(draw, control), control)


EMPTY, BUTTON, DIALOG = ({(20, 20): "Desktop"}, {(20, 20): "Desktop", (30, 80): "Save"}, {(200, 150): "Really save?"})


def test_a_screen_that_does_not_react_has_settled() -> None:
    eyes = eyes_on(lambda _inputs: picture(EMPTY))
    before = eyes.look()

    settled = eyes.settle(before)

    assert (settled.frame, settled.calm) == (before, True)
    assert eyes.change(before, settled).changed is False


def test_settling_waits_until_the_picture_rests() -> None:
    moving = [(1, picture({(20 + step, 20): "Moving"})) for step in range(16)]  # another one at each look
    eyes = eyes_on(Film((1, picture(EMPTY)), *moving, (1, picture(DIALOG))))
    before = eyes.look()

    settled = eyes.settle(before, reaction=2.0)

    assert settled.calm
    assert np.array_equal(settled.frame.pixels, np.asarray(picture(DIALOG)))


def test_a_screen_that_never_settles_is_taken_as_it_is() -> None:
    places = ((now * 97 % 1100, now * 53 % 800) for now in range(10_000))
    eyes = eyes_on(lambda _inputs: picture({next(places): "x"}, (1200, 900)))

    settled = eyes.settle(eyes.look())

    assert not settled.calm
    assert settled.ms == pytest.approx(SETTLE_MAX_S * 1000, rel=0.5)


@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_a_screen_that_changes_faster_than_it_is_read_is_watched_no_longer_than_said(seconds: float) -> None:
    places = ((now * 97 % 1100, now * 53 % 800) for now in range(10_000))
    eyes, late = eyes_on(lambda _inputs: picture({next(places): "x"}, (1200, 900))), list[bool]()
    end_s = time.monotonic() + seconds

    def found(_frame: Frame) -> bool:
        late.append(time.monotonic() > end_s)
        return late.count(True) > LOOKS_MAX

    assert eyes.watch(found, seconds)[0] is False


def test_a_screen_is_prepared_while_it_settles() -> None:
    eyes = eyes_on(Film((1, picture(EMPTY)), (99, picture(DIALOG))))
    prepared: list[Frame] = []

    settled = eyes.settle(eyes.look(), prepare=prepared.append)

    assert [one is settled.frame for one in prepared] == [True]


def test_a_display_that_goes_away_while_it_settles_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_desktop: FakeDesktop, _seconds: float) -> None:
        raise DesktopError("The display went away.")

    eyes = eyes_on(lambda _inputs: picture(EMPTY))
    monkeypatch.setattr(FakeDesktop, "attend", gone)

    with pytest.raises(DesktopError, match="went away"):
        eyes.settle(eyes.look())


def test_what_appeared_and_vanished_is_told_with_places() -> None:
    eyes = eyes_on(Film((1, picture(BUTTON)), (99, picture(EMPTY | DIALOG))))
    before = eyes.look()

    change = eyes.change(before, eyes.settle(before))

    assert (change.changed, change.appeared, change.vanished) == (True, ("Really save?",), ("Save",))
    assert [at in Region(200, 150, 150, 30) for at in change.appeared_at] == [True]
    assert any(region.overlaps(Region(200, 150, 100, 20)) for region in change.regions)
    assert any(region.overlaps(Region(30, 80, 40, 20)) for region in change.regions)


def test_a_text_that_appears_above_the_same_one_is_said() -> None:
    save, dialog = {(30, 200): "Save"}, {(200, 20): "Keep it?", (200, 60): "Save"}
    eyes = eyes_on(Film((1, picture(save)), (99, picture(save | dialog))))
    before = eyes.look()
    assert eyes.change(before, eyes.settle(before)).appeared == ("Keep it?", "Save")

    eyes = eyes_on(Film((1, picture(save | dialog)), (99, picture(save))))
    before = eyes.look()
    assert eyes.change(before, eyes.settle(before)).vanished == ("Keep it?", "Save")


def test_a_caret_that_blinks_is_no_change() -> None:
    with_caret = picture(BUTTON)
    ImageDraw.Draw(with_caret).rectangle((300, 80, 301, 98), "black")
    blinking = Film((1, with_caret), (1, picture(BUTTON)), (1, with_caret), (1, picture(BUTTON)), (99, with_caret))
    eyes = eyes_on(blinking)
    for _ in range(3):
        eyes.look()
    before = eyes.look()

    assert eyes.change(before, eyes.settle(before)).changed is False


def test_changed_regions_hold_all_changed_pixels_and_little_more() -> None:
    size = DEFAULT_SIZE
    before = np.zeros((size.height, size.width, 3), np.uint8)
    after = before.copy()
    after[100:120, 200:260] = 255
    after[size.height - 1, size.width - 1] = (0, 0, 1)

    regions = changed_regions(Frame(before), Frame(after))

    assert sorted(regions, key=lambda region: region.x) == [
        Region(200, 100, 60, 20),
        Region(size.width - 1, size.height - 1, 1, 1),
    ]
    assert changed_regions(Frame(before), Frame(before.copy())) == []


def test_waiting_for_a_text_reads_only_what_changed() -> None:
    eyes = eyes_on(Film((50, picture(EMPTY)), (99, picture(DIALOG))))
    reads: list[tuple[Line, ...]] = []

    def found(lines: tuple[Line, ...]) -> bool:
        reads.append(lines)
        return any("Really" in line.text for line in lines)

    assert [line.text for line in eyes.until(found, 10)] == ["Really save?"]
    assert len(reads) == 2


# What is not there yet ------------------------------------------------------------------------------------------------

PATIENCE = 120.0  # seconds for a text to appear
CLOCK = Region(500, 0, 100, 50)  # moves by itself


class Counted(Control):
    """Counts its waits."""

    waits = 0

    def wait(self, seconds: float) -> None:
        self.waits += 1
        super().wait(seconds)


def shown_long_ago(*scenes: tuple[int, Image.Image]) -> tuple[Eyes, Counted]:
    """Eyes that showed the first scene, which was there for one look, longer ago than anything is waited for."""
    control = Counted()
    eyes = Eyes(FakeDesktop(Film(*scenes), control), control)
    for ago_s in (1.0, 0.5):
        eyes.motion.note([CLOCK], time.monotonic() - ago_s, idle=True)
    eyes.show()
    assert eyes._shown
    eyes._shown = replace(eyes._shown, began_s=eyes._shown.began_s - 2 * PATIENCE)
    return eyes, control


def with_time(texts: Texts, now: str) -> Image.Image:
    return picture({**texts, (CLOCK.x + 4, CLOCK.y + 4): now})


@pytest.mark.parametrize("later", [picture(EMPTY), with_time(EMPTY, "10:41")])
@pytest.mark.parametrize("target", ["Save", {"text": "Save", "role": "button"}, {"text": "Desktop", "beside": "Save"}])
def test_what_the_picture_did_not_hold_is_not_waited_for_on_a_screen_at_rest(
    target: object, later: Image.Image
) -> None:
    eyes, control = shown_long_ago((1, picture(EMPTY)), (99, later))

    failure = standard_toolbelt(eyes).call(Action("click", {"target": target}), control).observation.error

    assert failure
    assert failure.code == "TARGET_NOT_FOUND"
    assert control.waits == 0


@pytest.mark.parametrize("passing", [picture({(20, 20): "Desktop", (300, 200): "Opening"}), picture({})])
def test_what_appears_after_a_change_is_waited_for(passing: Image.Image) -> None:
    eyes, control = shown_long_ago((1, picture(EMPTY)), (5, passing), (5, picture(EMPTY)), (99, picture(BUTTON)))

    assert resolve("Save", eyes, PATIENCE).match.name == "Save"
    assert control.waits


def test_what_appears_after_an_action_is_waited_for() -> None:
    eyes, control = shown_long_ago((20, picture(EMPTY)), (99, picture(BUTTON)))

    assert standard_toolbelt(eyes).call(Action("press", {"keys": "ctrl+s"}), control).observation.ok

    assert resolve("Save", eyes, PATIENCE).match.name == "Save"
    assert control.waits


def test_what_the_picture_held_is_waited_for_where_it_comes_and_goes() -> None:
    eyes, control = shown_long_ago(
        (1, with_time(EMPTY, "10:41")), (9, with_time(EMPTY, "10:42")), (99, with_time(EMPTY, "10:41"))
    )

    assert resolve("10:41", eyes, PATIENCE).match.name == "10:41"
    assert control.waits


def test_what_was_just_shown_may_still_be_appearing() -> None:
    control = Counted()
    eyes = Eyes(FakeDesktop(Film((20, picture(EMPTY)), (99, picture(BUTTON))), control), control)
    eyes.show()

    assert resolve("Save", eyes, PATIENCE).match.name == "Save"
    assert control.waits


def test_what_nobody_was_shown_may_still_be_appearing() -> None:
    eyes = eyes_on(Film((20, picture(EMPTY)), (99, picture(BUTTON))))

    assert resolve("Save", eyes, PATIENCE).match.name == "Save"
