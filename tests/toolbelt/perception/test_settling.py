"""Settling on real windows: what answers late, what moves by itself, and what comes over a place before the click."""

import contextlib
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from xcffib import xproto

from mark_i.agent import AgentCore
from mark_i.bench.overhead import answered
from mark_i.brain import Prompt, Reply, Space
from mark_i.brains.scripted import ScriptedBrain
from tests.support import action
from toolbelt.control import Control
from toolbelt.desktops.base import SeenPlace
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.ocr.frame_diff import changed_regions, scrolled
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.motion import Motion
from toolbelt.perception.settling import SETTLE_MAX_S
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting import targets
from toolbelt.targeting.targets import PointTarget, resolve
from world_model import Action, Frame, Point, Region

pytestmark = pytest.mark.timing

APPS = Path(__file__).parents[2] / "apps"
PATIENCE = 120.0  # seconds for an application on a busy machine
WATCHED = 3.0  # seconds in which a clock ticks often enough to be known


@contextlib.contextmanager
def restless(desktop: VirtualDesktop, control: Control, kind: str) -> Iterator[Eyes]:
    """Eyes that have watched a window for as long as a model thinks."""
    desktop.launch([sys.executable, str(APPS / "restless.py"), kind])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find("Show", lines), PATIENCE)
    with eyes.idle():
        control.wait(WATCHED)
    yield eyes


def use(eyes: Eyes, tool: str, **args: Any) -> None:
    observation = standard_toolbelt(eyes).call(Action(tool, args), eyes.control).observation
    assert observation.ok, observation.error


@pytest.mark.usefixtures("benchmark", "display")
def test_what_answers_late_is_waited_for_though_much_else_moves(control: Control, tmp_path: Path) -> None:
    figures = answered(control, tmp_path / "answers", 12)

    assert figures["late_clicks"] == 12
    assert figures["too_early"] <= 3  # of a machine that is busy; the benchmark asks for none


@pytest.mark.parametrize("kind", ["caret", "clock", "bar"])
def test_what_moves_by_itself_is_no_change_and_holds_nothing_up(
    desktop: VirtualDesktop, control: Control, kind: str
) -> None:
    with restless(desktop, control, kind) as eyes:
        before = eyes.show()
        control.wait(1.1)  # it has moved by then
        unmoved = eyes.change(before, eyes.settle(before))

        before = eyes.show()
        use(eyes, "click", target="Show")
        settled = eyes.settle(before)
        change = eyes.change(before, settled)

    assert (unmoved.changed, unmoved.settled, unmoved.regions) == (False, True, ())
    assert settled.calm
    assert settled.ms < SETTLE_MAX_S * 1000
    assert (change.changed, change.appeared) == (True, ("It is shown",))


def test_a_scroll_is_told_as_one(desktop: VirtualDesktop, control: Control) -> None:
    with restless(desktop, control, "list") as eyes:
        before = eyes.show()
        use(eyes, "scroll", direction="down", amount=1, target="Row number 3 of the list")
        down = eyes.change(before, eyes.settle(before))

        before = eyes.show()
        use(eyes, "scroll", direction="up", amount=1)
        up = eyes.change(before, eyes.settle(before))

        before = eyes.show()
        use(eyes, "click", target="Show")
        clicked = eyes.change(before, eyes.settle(before))

    assert down.scrolled < 0
    assert up.scrolled == -down.scrolled
    assert (clicked.scrolled, clicked.changed) == (0, True)


@pytest.mark.parametrize("down", [-90, -7, 3, 64])
def test_how_far_was_scrolled_is_exact(down: int) -> None:
    page = np.random.default_rng(7).integers(0, 255, (1000, 400, 3), np.uint8)
    before, after = (Frame(np.ascontiguousarray(page[top : top + 300])) for top in (300, 300 - down))

    found = scrolled(before, after, changed_regions(before, after))

    assert found
    assert found.down == down


def test_another_page_and_a_small_change_are_no_scroll() -> None:
    pages = np.random.default_rng(7).integers(0, 255, (2, 300, 400, 3), np.uint8)
    small = pages[0].copy()
    small[100:120, 50:90] = 0
    before = Frame(pages[0])

    for pixels in (pages[1], small):
        after = Frame(pixels)
        assert scrolled(before, after, changed_regions(before, after)) is None


def test_a_focus_change_between_equal_fields_is_no_scroll() -> None:
    lit, plain = np.random.default_rng(7).integers(0, 255, (2, 34, 168, 3), np.uint8)
    gap = np.full((6, 168, 3), 255, np.uint8)
    before, after = Frame(np.concatenate([lit, gap, plain])), Frame(np.concatenate([plain, gap, lit]))

    assert scrolled(before, after, changed_regions(before, after)) is None


# What moves by itself ------------------------------------------------------------------------------------------------

PLACE = Region(100, 100, 40, 16)


def test_a_list_scrolled_repeatedly_does_not_move_by_itself() -> None:
    rhythm = Motion()
    for turn in range(30):
        rhythm.acted()
        for frame in range(4):  # it glides there
            rhythm.note([PLACE], 0.2 * turn + 0.03 * frame)
        rhythm.settled()

    assert rhythm.news([PLACE]) == [PLACE]


def test_what_changes_once_after_each_action_is_always_news() -> None:
    rhythm, times = Motion(), random.Random(3)
    now = 0.0
    for _ in range(50):
        rhythm.acted()
        now += times.uniform(0.1, 2.0)
        rhythm.note([PLACE], now)
        assert rhythm.news([PLACE]) == [PLACE]


def test_what_ticks_on_the_second_is_a_clock_until_it_does_not() -> None:
    rhythm = Motion()
    for now in (10.01, 11.0, 13.02, 14.01):
        rhythm.acted()
        rhythm.note([PLACE], now)
    assert rhythm.news([PLACE]) == []

    rhythm.note([PLACE], 13.5)
    assert rhythm.news([PLACE]) == [PLACE]


def test_what_moved_while_nothing_was_done_may_come_to_rest() -> None:
    rhythm = Motion()
    for now in (1.0, 1.3):
        rhythm.note([PLACE], now, idle=True)
    assert rhythm.news([PLACE, Region(400, 100, 40, 16)]) == [Region(400, 100, 40, 16)]

    rhythm.rested(5.0, 8.0)
    assert rhythm.news([PLACE]) == [PLACE]


def test_what_was_animated_is_news_again_once_it_has_rested() -> None:
    rhythm = Motion()
    for turn in range(20):
        rhythm.note([PLACE], 1 + 0.05 * turn, idle=True)
    rhythm.rested(1.0, 3.0)
    assert rhythm.news([PLACE]) == [], "it may only pause"

    rhythm.rested(3.0, 6.0)
    assert rhythm.news([PLACE]) == [PLACE]


def test_a_pause_of_what_is_animated_takes_in_nothing_beside_it() -> None:
    rhythm, bar, menu = Motion(), Region(0, 100, 735, 19), Region(0, 16, 200, 90)
    for turn in range(20):
        rhythm.note([bar], 1 + 0.05 * turn)
    rhythm.acted()
    for now in (3.0, 3.05):  # it was not looked at for a moment
        rhythm.note([bar], now)
    rhythm.note([menu], 3.08)
    for turn in range(20):
        rhythm.note([bar], 3.1 + 0.05 * turn)

    assert rhythm.news([bar, menu]) == [menu]


def test_a_text_that_rested_is_news_when_it_changes_again() -> None:
    rhythm = Motion()
    for now in (1.0, 1.6, 2.2):  # it is saving, it is saved, it is ready
        rhythm.note([PLACE], now, idle=True)
    rhythm.rested(0.5, 4.0)
    assert rhythm.news([PLACE]) == [PLACE]


CARET = Region(100, 100, 2, 16)


def blinking() -> Motion:
    rhythm = Motion()
    for now in (1.0, 1.5, 2.0, 2.5):
        rhythm.note([CARET], now, idle=True)
    assert rhythm.news([CARET]) == []
    return rhythm


@pytest.mark.parametrize(
    "change", [Region(20, 40, 600, 400), Region(98, 100, 80, 16), Region(100, 100, 9, 16), Region(109, 100, 2, 16)]
)
def test_what_comes_over_a_caret_or_is_written_beside_it_is_news(change: Region) -> None:
    rhythm = blinking()

    rhythm.acted()
    rhythm.note([change], 4.0)

    assert rhythm.news([change]) == [change]
    assert rhythm.news([CARET]) == []


def test_a_moved_caret_is_news_but_its_blinking_is_not() -> None:
    rhythm, there = blinking(), Region(300, 240, 2, 16)

    rhythm.acted()
    rhythm.note([there], 4.0)
    assert rhythm.news([there], moved=True) == [there]
    rhythm.settled()
    rhythm.note([there], 4.5, idle=True)
    assert rhythm.news([there]) == []

    rhythm.acted()
    rhythm.note([there], 5.0)
    assert rhythm.news([there], moved=True) == []
    rhythm.note([there, CARET], 5.1)  # back to where it was first
    assert rhythm.news([there, CARET], moved=True) == [CARET]


def test_a_caret_that_moves_back_is_news_and_a_blink_is_not() -> None:
    rhythm, there = Motion(), Region(300, 240, 2, 16)
    rhythm.acted()
    rhythm.note([CARET, there], 1.0)
    assert rhythm.news([CARET, there], moved=True) == [CARET, there]
    rhythm.settled()

    rhythm.acted()
    rhythm.note([there], 1.2)
    assert rhythm.news([there], moved=True) == []
    rhythm.note([there, CARET], 1.3)
    assert rhythm.news([there, CARET], moved=True) == [there, CARET]


def test_two_carets_that_blink_are_no_news() -> None:
    rhythm, colon = blinking(), Region(700, 8, 2, 12)
    for now in (3.0, 4.0):
        rhythm.note([colon], now, idle=True)
        rhythm.note([CARET], now + 0.2, idle=True)

    rhythm.acted()
    rhythm.note([CARET, colon], 5.0)

    assert rhythm.news([CARET, colon], moved=True) == []


def test_what_comes_over_something_animated_is_news() -> None:
    rhythm, dialog = Motion(), Region(40, 60, 300, 200)
    for turn in range(20):
        rhythm.note([PLACE], 1 + 0.05 * turn)
    assert rhythm.news([PLACE]) == []

    rhythm.acted()
    rhythm.note([dialog], 4.0)

    assert rhythm.news([dialog]) == [dialog]


def test_a_page_that_comes_up_in_parts_goes_on_being_news() -> None:
    rhythm, page = Motion(), Region(0, 60, 1200, 800)
    for now in (0.5, 1.1):
        rhythm.note([page], now, idle=True)

    assert rhythm.news([page]) == [page]


# Stale targets -------------------------------------------------------------------------------------------------------


class Distracted:
    """A brain during whose thought a window may come up; it clicks where it saw the button."""

    name, sight = "distracted", 0
    space: Space = "pixels"

    def __init__(self, desktop: VirtualDesktop, at: Point) -> None:
        self._desktop, self._at = desktop, at

    def think(self, prompt: Prompt) -> Reply:
        """Not before the window is there."""
        del prompt
        open_windows = len(self._desktop.windows())
        self._desktop.launch(["xterm", "-geometry", "80x30+60+60", "-bg", "white"])
        assert self._desktop.control.until(lambda: len(self._desktop.windows()) > open_windows, PATIENCE)
        target = {"x": self._at.x, "y": self._at.y}
        return ScriptedBrain([action("click", target=target)]).think(Prompt("", "", ""))


def test_what_covers_the_target_during_the_thought_is_not_clicked(desktop: VirtualDesktop, control: Control) -> None:
    with restless(desktop, control, "caret") as eyes:
        (place,) = find("Show", eyes.read(eyes.look()))
        agent = AgentCore(Distracted(desktop, place.point), standard_toolbelt(eyes), desktop, eyes=eyes)
        step = next(event.step for event in agent.run("click Show") if event.step)
        pointer = desktop.pointer()

    error = step.observation.error
    assert error
    assert error.code == "STALE_TARGET"
    assert "nothing was clicked" in error.message
    assert pointer != place.point


class Popup:
    """A screen with a button, over which something comes after so many looks."""

    def __init__(self, looks: int) -> None:
        button = np.full((300, 400, 3), 255, np.uint8)
        button[140:160, 180:220] = 90
        covered = button.copy()
        covered[60:260, 60:360] = 30
        self._button, self._covered = Image.fromarray(button), Image.fromarray(covered)
        self._looks = looks
        self.clicked: list[bool] = []  # whether it was on the screen that was looked at last

    def __call__(self, inputs: Sequence[Any]) -> Image.Image:
        shown = self._looks < 0
        self._looks -= 1
        if len(self.clicked) < sum(name == "click" for name, *_ in inputs):
            self.clicked.append(shown)
        return self._covered if shown else self._button


@pytest.mark.parametrize(
    ("looks", "codes"), [(0, {"STALE_TARGET"}), *((looks, {"STALE_TARGET", ""}) for looks in (1, 2, 5, 9)), (11, {""})]
)
def test_a_popup_between_thought_and_click_is_not_clicked(looks: int, codes: set[str]) -> None:
    popup, control = Popup(looks), Control()
    eyes = Eyes(FakeDesktop(popup, control), control)
    eyes.show()

    done = standard_toolbelt(eyes).call(Action("click", {"target": {"x": 200, "y": 150}}), control).observation
    eyes.look()

    assert bool(popup.clicked) is done.ok
    assert (done.error.code if done.error else "") in codes


class Files:
    """A list of files with the same button at the end of each row, in an order that can change."""

    def __init__(self, names: list[str], buttons: list[int], grounds: list[str]) -> None:
        self.names, self._buttons, self._grounds = names, buttons, grounds

    def __call__(self, inputs: Sequence[Any]) -> Image.Image:
        del inputs
        image = Image.new("RGB", (500, 300), "white")
        draw, font = ImageDraw.Draw(image), ImageFont.load_default(14)
        for row, name in enumerate(self.names):
            draw.rectangle((0, 30 * row, 500, 30 * row + 29), self._grounds[row % len(self._grounds)])
            draw.text((20, 30 * row + 6), name, "black", font)
        for row in self._buttons:
            draw.rectangle((400, 30 * row + 4, 470, 30 * row + 26), "#dddddd", "#888888")
            draw.text((415, 30 * row + 6), "Delete", "black", font)
        return image


@pytest.mark.parametrize(
    ("after", "buttons", "grounds", "code"),
    [
        (["report", "letter", "photo", "music"], [0, 1, 2, 3], ["white"], None),
        (["music", "photo", "letter", "report"], [0, 1, 2, 3], ["white"], "STALE_TARGET"),
        (["music", "photo", "letter", "report"], [0, 1, 2, 3], ["white", "#e8eef4"], "STALE_TARGET"),
        (
            ["invoice", "report", "letter", "photo"],
            [0, 1, 2, 3],
            ["white", "#e8eef4"],
            "STALE_TARGET",
        ),  # a new one came
        (["letter", "photo", "music", "invoice"], [1], ["white"], None),  # it scrolls beside one button that stays
        (["report", "done", "report", "music"], [0, 1, 2, 3], ["white"], None),  # one row says something new
    ],
)
def test_a_button_is_not_clicked_where_its_row_has_gone(
    after: list[str], buttons: list[int], grounds: list[str], code: str | None
) -> None:
    """Each row has the same, so that the pixels at the place tell nothing."""
    before = ["report", "report", "report", "music"] if "done" in after else ["report", "letter", "photo", "music"]
    control, files = Control(), Files(before, buttons, grounds)
    eyes = Eyes(FakeDesktop(files, control), control)
    eyes.show()
    files.names = after

    done = standard_toolbelt(eyes).call(Action("click", {"target": {"x": 435, "y": 45}}), control).observation

    assert (done.error.code if done.error else None) == code


def test_what_follows_a_button_press_is_part_of_the_observation(control: Control) -> None:
    clicked: list[float] = []

    def draw(inputs: Sequence[Input]) -> Image.Image:
        """A button that has a ring from the click on, and a dialog 150 ms after it."""
        if not clicked and [name for name, *_ in inputs if name == "click"]:
            clicked.append(time.monotonic())
        image = Image.new("RGB", (600, 300), "white")
        draw, font = ImageDraw.Draw(image), ImageFont.load_default(16)
        draw.rectangle((40, 40, 160, 76), "#eeeeee", "#0060ff" if clicked else "#888888", 3)
        draw.text((70, 48), "Delete", "black", font)
        if clicked and time.monotonic() - clicked[0] >= 0.15:
            draw.rectangle((220, 100, 560, 200), "#eeeeee", "black")
            draw.text((240, 130), "Are you sure?", "black", font)
        return image

    eyes = Eyes(FakeDesktop(draw, control), control)
    before = eyes.show()
    assert standard_toolbelt(eyes).call(Action("click", {"target": "Delete"}), control).observation.ok
    assert eyes.change(before, eyes.settle(before)).appeared == ("Are you sure?",)


@pytest.mark.parametrize("end", [{"x": 435, "y": 165}, "Folder B"])
def test_nothing_is_dragged_from_where_something_has_come(control: Control, end: object) -> None:
    """Also where what it is dragged to has a name, which is looked for in the meantime."""
    over: list[bool] = []

    def draw(_inputs: Sequence[Input]) -> Image.Image:
        image = Image.new("RGB", (600, 300), "white")
        draw, font = ImageDraw.Draw(image), ImageFont.load_default(16)
        draw.text((60, 60), "Report A", "black", font)
        draw.text((400, 157), "Folder B", "black", font)
        if over:
            draw.rectangle((30, 40, 300, 140), "#ffdddd", "black")
            draw.text((60, 100), "Battery low", "black", font)
        return image

    eyes = Eyes(FakeDesktop(draw, control), control)
    eyes.show()
    over.append(True)
    eyes.until(lambda lines: lines, 1)  # as the guard looks for what it is to judge

    action = Action("drag", {"start": {"x": 90, "y": 68}, "end": end})
    failure = standard_toolbelt(eyes).call(action, control).observation.error
    assert failure
    assert failure.code == "STALE_TARGET"
    assert [name for name, *_ in eyes.desktop.inputs if name != "move"] == []  # type: ignore[attr-defined]


def test_a_click_waits_until_what_is_under_the_pointer_is_lit_up(control: Control) -> None:
    moved: list[float] = []

    def draw(inputs: Sequence[Input]) -> Image.Image:
        """A button that lights up in eight steps, each after 20 ms."""
        if inputs and not moved:
            moved.append(time.monotonic())
        steps = min(int((time.monotonic() - moved[0]) / 0.02), 8) if moved else 0
        image = Image.new("RGB", (200, 100), "white")
        image.paste((0, 0, 20 * steps), (40, 30, 160, 70))
        return image

    desktop = FakeDesktop(draw, control)
    eyes = Eyes(desktop, control)
    eyes.show()
    eyes.click(resolve(PointTarget(x=100, y=50), eyes))

    assert time.monotonic() - moved[0] >= 0.16
    assert [name for name, *_ in desktop.inputs] == ["move", "click"]


def test_a_border_around_all_does_not_cover_a_lit_button(control: Control) -> None:
    def draw(inputs: Sequence[Input]) -> Image.Image:
        """A button in a window, both of which look different once the pointer moves."""
        image = Image.new("RGB", (600, 400), "blue" if inputs else "gray")
        image.paste("white", (2, 2, 598, 398))
        image.paste("silver" if inputs else "gray", (240, 180, 360, 220))
        return image

    eyes = Eyes(FakeDesktop(draw, control), control)
    eyes.show()
    eyes.click(resolve(PointTarget(x=300, y=200), eyes))

    assert [name for name, *_ in eyes.desktop.inputs] == ["move", "click"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["bare", "framed"])  # by itself, or by way of the window manager
def test_a_window_opened_before_the_click_is_never_clicked(
    kind: str, desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    clicks, ask = tmp_path / "clicks", tmp_path / "ask"
    clicks.touch()
    desktop.launch([sys.executable, str(APPS / "popup.py"), kind, str(tmp_path)])
    eyes, chance = Eyes(desktop, control), random.Random(7)
    assert eyes.until(lambda lines: find("Press me", lines), PATIENCE)
    (button,) = find("Press me", eyes.read(eyes.look()))
    target = {"x": button.point.x, "y": button.point.y}
    codes = Counter[str]()
    for turn in range(1, 13):  # and as many of the other kind
        eyes.settle(eyes.show())
        shown = eyes.show()
        late = 1000 if turn % 10 == 0 else chance.randrange(40)  # milliseconds
        (tmp_path / "part").write_text(str(late))
        (tmp_path / "part").rename(ask)
        if turn % 10 == 5:
            assert control.until(lambda shown=shown: eyes.look() is not shown, PATIENCE)  # type: ignore[misc]
        else:
            control.wait(chance.random() / 20)  # about as long as the window takes
        done = standard_toolbelt(eyes).call(Action("click", {"target": target}), control).observation
        codes[done.error.code if done.error else "clicked"] += 1
        assert control.until(lambda turn=turn: clicks.read_text().count("g") == turn, PATIENCE)  # type: ignore[misc]

    assert "w" not in clicks.read_text()
    assert "b" in clicks.read_text()
    assert set(codes) == {"clicked", "STALE_TARGET"}


@dataclass(frozen=True)
class Coming(SeenPlace):
    """What was seen of a place, over which a window comes as soon as any program may go on."""

    display: Connection
    window: int

    def still(self, at: Point, now: Frame) -> bool:
        self.display.core.MapWindow(self.window)
        self.display.flush()
        return super().still(at, now)


@pytest.mark.parametrize("count", [1, 2])
def test_a_window_opened_during_the_press_is_never_clicked(
    count: int, desktop: VirtualDesktop, control: Control
) -> None:
    """A window manager that holds presses back, as that of a virtual desktop does, would give it to the one on top."""
    place, display = Point(300, 250), Connection(desktop.display)
    chosen, above = (
        display.create_window(
            Region(100, 100, 400, 300),
            {xproto.CW.OverrideRedirect: over, xproto.CW.EventMask: xproto.EventMask.ButtonPress},
        )
        for over in (False, True)
    )
    display.core.MapWindow(chosen)
    display.sync()
    assert control.until(desktop.windows, PATIENCE)
    desktop.place_window(desktop.windows()[0], Region(50, 50, 500, 400))
    assert control.until(lambda: any(place in one.region and one.active for one in desktop.windows()), PATIENCE)
    desktop.move(place)
    frame = Eyes(desktop, control).settle(desktop.grab(), reaction=0.5).frame

    assert desktop.click(place, count=count, seen=Coming(frame, time.monotonic(), display, above))

    display.sync()
    pressed = list(iter(display.next_event, None))
    display.close()
    assert [one.event for one in pressed if isinstance(one, xproto.ButtonPressEvent)] == [chosen] * count


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("type_text", {"text": "yes", "into": {"x": 200, "y": 150}}),
        ("drag", {"start": {"x": 200, "y": 150}, "end": {"x": 20, "y": 20}}),
        ("mouse_down", {"target": {"x": 200, "y": 150}}),
    ],
)
def test_nothing_is_pressed_on_what_came_over_a_place(tool: str, args: dict[str, Any]) -> None:
    popup, control = Popup(1), Control()
    eyes = Eyes(FakeDesktop(popup, control), control)
    eyes.show()
    popup._looks = -1

    error = standard_toolbelt(eyes).call(Action(tool, args), control).observation.error

    assert error
    assert error.code == "STALE_TARGET"
    assert not [name for name, *_ in eyes.desktop.inputs if name in {"click", "mouse_down", "type"}]  # type: ignore[attr-defined]


def test_who_looks_with_a_tool_may_click_what_it_showed() -> None:
    popup, control = Popup(1), Control()
    eyes = Eyes(FakeDesktop(popup, control), control)
    eyes.show()
    popup._looks = -1
    belt = standard_toolbelt(eyes)

    belt.call(Action("read_screen", {}), control)

    assert belt.call(Action("click", {"target": {"x": 200, "y": 150}}), control).observation.ok


def test_a_named_target_still_being_drawn_is_looked_for_again() -> None:
    font = ImageFont.load_default(size=20)
    looks = iter(range(1000))

    def draw(_inputs: object) -> Image.Image:
        image = Image.new("RGB", (400, 300), "white")
        ImageDraw.Draw(image).rectangle((150, 130, 260, 170), "#d0d0d0" if next(looks) < 5 else "#e8e8ff")
        ImageDraw.Draw(image).text((180, 138), "Save", "black", font)
        return image

    control = Control()
    eyes = Eyes(FakeDesktop(draw, control), control)

    assert standard_toolbelt(eyes).call(Action("click", {"target": "Save"}), control).observation.ok


def test_what_fades_in_slowly_is_looked_for_until_it_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "AIM_MIN_S", 60.0)
    font, looks = ImageFont.load_default(size=20), iter(range(1000))

    def draw(_inputs: object) -> Image.Image:
        """A list that comes to rest after 20 looks."""
        image, grey = Image.new("RGB", (400, 300), "white"), max(0, 200 - 10 * next(looks))
        ImageDraw.Draw(image).rectangle((150, 70, 260, 230), (255 - grey // 2,) * 3, "black")
        ImageDraw.Draw(image).text((180, 138), "Large", (grey,) * 3, font)
        return image

    control = Control()
    eyes = Eyes(FakeDesktop(draw, control), control)

    assert standard_toolbelt(eyes).call(Action("click", {"target": "Large"}), control).observation.ok


def test_what_covers_the_screen_before_and_after_a_click_hides_no_change() -> None:
    uncovered: list[bool] = []

    def draw(inputs: Sequence[Input]) -> Image.Image:
        """A button that goes behind a cover again when it is clicked."""
        image, font = Image.new("RGB", (400, 300), "white"), ImageFont.load_default(20)
        if uncovered and not [name for name, *_ in inputs if name == "click"]:
            ImageDraw.Draw(image).rectangle((150, 130, 260, 170), "#d0d0d0")
            ImageDraw.Draw(image).text((180, 138), "Save", "black", font)
        else:
            ImageDraw.Draw(image).text((20, 20), "Please wait", "black", font)
        return image

    control = Control()
    eyes = Eyes(FakeDesktop(draw, control), control)
    before = eyes.show()
    uncovered.append(True)
    assert standard_toolbelt(eyes).call(Action("click", {"target": "Save"}), control).observation.ok
    change = eyes.change(before, eyes.settle(before))

    assert change.changed
    assert (change.appeared, change.vanished) == (("Please wait",), ("Save",))
