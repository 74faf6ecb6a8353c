"""Several monitors: seen as one desktop, and every click arrives on the pixel that was meant, on each of them."""

import functools
import json
import os
import random
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xcffib
from PIL import Image, ImageDraw, ImageFont
from xcffib import xproto

from mark_i import AgentCore, FakeDesktop, Prompt, Reply, ScriptedBrain, standard_toolbelt
from mark_i.brain import Space
from tests.support import Run, action, end, plain_window, reacting
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.perception.eyes import Eyes
from world_model import Action, Frame, Journal, Observation, Point, Region, Size, read_replies, read_run

CAP_S = 120.0  # seconds for an application to do something on a busy machine
FLOOR = 0x000000  # of what no monitor shows; where the server knows of that, it is black anyway
COLORS = (0xC03020, 0x20A040, 0x3050C0)
AN_L = (Region(0, 0, 800, 600), Region(800, 300, 640, 480), Region(100, 700, 500, 300))
SIDE_BY_SIDE = (Region(0, 0, 800, 600), Region(800, 0, 640, 480))
SEED = 4108


class Screens:
    """A desktop of several monitors, its tools, and windows over it that write down where a button goes down."""

    def __init__(self, desktop: LiveDesktop, display: Connection, layout: tuple[Region, ...]) -> None:
        self.desktop = desktop
        self.layout = layout
        self.belt = standard_toolbelt(Eyes(desktop, desktop.control))
        self._display = display
        windows = [self._window(desktop.region, FLOOR), *map(self._window, layout, COLORS)]
        states = [display.core.GetWindowAttributes(window).reply().map_state for window in windows]
        assert {*states} == {xproto.MapState.Viewable}

    def _window(self, region: Region, color: int) -> int:
        buttons = xproto.EventMask.ButtonPress | xproto.EventMask.ButtonRelease
        attributes = {xproto.CW.OverrideRedirect: True, xproto.CW.BackPixel: color, xproto.CW.EventMask: buttons}
        return plain_window(self._display, region, attributes)

    def use(self, tool: str, **args: Any) -> Observation:
        return self.belt.call(Action(tool, args), self.desktop.control).observation

    def buttons(self) -> list[tuple[str, Point]]:
        """Where the left button went down and up since it was last asked for."""
        self._display.sync()
        told = iter(self._display.next_event, None)
        names = {xproto.ButtonPressEvent: "down", xproto.ButtonReleaseEvent: "up"}
        return [(names[type(one)], Point(one.root_x, one.root_y)) for one in told if type(one) in names]

    def nowhere(self) -> list[Point]:
        """Points of the desktop that no monitor shows."""
        region, dice = self.desktop.region, random.Random(SEED)
        points = (Point(dice.randrange(region.right), dice.randrange(region.bottom)) for _ in range(1000))
        return [point for point in points if not any(point in monitor for monitor in self.layout)][:20]


def xrandr(desktop: LiveDesktop, *arguments: str) -> None:
    environment = os.environ | {"DISPLAY": desktop.display}
    subprocess.run(["xrandr", *arguments], env=environment, check=True, timeout=CAP_S, stdout=subprocess.DEVNULL)


@contextmanager
def randr(control: Control) -> Iterator[tuple[LiveDesktop, tuple[Region, ...]]]:
    """One X screen that several monitors show parts of, as everywhere today; three of them, and some of it on none."""
    with closing(VirtualDesktop(Size(1440, 1000), control)) as desktop:
        for number, part in enumerate(AN_L):
            place = f"{part.width}/300x{part.height}/200+{part.x}+{part.y}"
            xrandr(desktop, "--setmonitor", f"M{number}", place, "none" if number else "screen")
        yield desktop, AN_L


@contextmanager
def xinerama(control: Control) -> Iterator[tuple[LiveDesktop, tuple[Region, ...]]]:
    """Two X screens that the server joins to one desktop."""
    with closing(VirtualDesktop(Size(1600, 1000), control)) as outer:
        readable, writable = os.pipe()
        sizes = [word for part in SIDE_BY_SIDE for word in ("-screen", str(part.size))]
        command = ["Xephyr", "+xinerama", *sizes, "-displayfd", str(writable), "-noreset", "-nolisten", "tcp"]
        environment = os.environ | {"DISPLAY": outer.display}
        with (
            subprocess.Popen(command, env=environment, pass_fds=[writable], stderr=subprocess.DEVNULL) as server,
            os.fdopen(readable) as told,
        ):
            os.close(writable)
            number = told.readline().strip()
            assert number, f"Xephyr ended with {server.wait()}"
            try:
                with closing(LiveDesktop(f":{number}", control)) as desktop:
                    yield desktop, SIDE_BY_SIDE
            finally:
                end(server)


@pytest.fixture(params=[randr, xinerama])
def screens(display: None, request: pytest.FixtureRequest, control: Control) -> Iterator[Screens]:
    with (
        request.param(control) as (desktop, layout),
        closing(Connection(desktop.display)) as connection,
    ):
        yield Screens(desktop, connection, layout)


RANDR = pytest.mark.parametrize("screens", [randr], indirect=True)


def corners(part: Region) -> list[Point]:
    return [Point(x, y) for x in (part.x, part.right - 1) for y in (part.y, part.bottom - 1)]


def anywhere(parts: Sequence[Region], count: int) -> list[Point]:
    """So many points on the monitors, in an order that jumps between them."""
    dice = random.Random(SEED)
    chosen = [dice.choice(parts) for _ in range(count)]
    return [Point(dice.randrange(part.x, part.right), dice.randrange(part.y, part.bottom)) for part in chosen]


# On an X server ------------------------------------------------------------------------------------------------------


def test_every_monitor_is_known_and_seen(screens: Screens) -> None:
    desktop = screens.desktop

    assert desktop.monitors == screens.layout
    frame = desktop.grab()
    assert frame.region == desktop.region
    for part, color in zip(screens.layout, COLORS, strict=False):
        assert part.intersection(desktop.region) == part
        assert shows_only(frame, part, color)
    assert all(shows_only(frame, Region(point.x, point.y, 1, 1), FLOOR) for point in screens.nowhere())


def shows_only(frame: Frame, part: Region, color: int) -> bool:
    return bool(np.all(frame.crop(part) == [color >> 16, color >> 8 & 255, color & 255]))


def test_every_click_arrives_on_the_pixel_that_was_meant(screens: Screens) -> None:
    points = [corner for part in screens.layout for corner in corners(part)] + anywhere(screens.layout, 200)

    for point in points:
        observation = screens.use("click", target={"x": point.x, "y": point.y})

        assert observation.ok, observation.error
        assert observation.text == f"Clicked at {point.x}, {point.y}."
        assert screens.buttons() == [("down", point), ("up", point)]
        assert screens.desktop.pointer() == point


def test_a_drag_goes_from_one_monitor_to_the_other(screens: Screens) -> None:
    start, end = Point(700, 400), Point(900, 420)

    observation = screens.use("drag", start={"x": start.x, "y": start.y}, end={"x": end.x, "y": end.y})

    assert observation.ok, observation.error
    assert screens.buttons() == [("down", start), ("up", end)]


def test_points_on_no_monitor_are_refused_and_not_clicked(screens: Screens) -> None:
    before = screens.desktop.pointer()

    for point in screens.nowhere():
        target = {"x": point.x, "y": point.y}
        for tool, args in (("click", {"target": target}), ("drag", {"start": {"x": 1, "y": 1}, "end": target})):
            problem = screens.use(tool, **args).error
            assert problem
            assert (problem.code, problem.message) == ("OFF_SCREEN", f"{point.x}, {point.y} is outside of the desktop.")
            parts = (f"from {one.x}, {one.y} to {one.right - 1}, {one.bottom - 1}" for one in screens.layout)
            assert problem.hints == (f"It reaches {' and '.join(parts)}.",)

    assert len(screens.nowhere()) == 20
    assert screens.buttons() == []
    assert screens.desktop.pointer() == before


@pytest.fixture
def caged(screens: Screens) -> Iterator[Screens]:
    """A program that keeps the pointer within its window, as games do."""
    cage = Region(50, 60, 200, 100)
    with closing(Connection(screens.desktop.display)) as keeper:
        window = plain_window(keeper, cage, {xproto.CW.OverrideRedirect: True})
        ways = xproto.GrabMode.Async, xproto.GrabMode.Async
        grab = keeper.core.GrabPointer(True, window, 0, *ways, window, xcffib.NONE, xcffib.CurrentTime)  # noqa: FBT003
        assert grab.reply().status == xproto.GrabStatus.Success
        yield screens


INSIDE, OUTSIDE = {"x": 100, "y": 90}, {"x": 600, "y": 90}


@pytest.mark.parametrize(
    ("tool", "args", "so"),
    [
        ("click", {"target": OUTSIDE}, "nothing was clicked"),
        ("move", {"target": OUTSIDE}, "it is not over the target"),
        ("mouse_down", {"target": OUTSIDE}, "no button was pressed"),
        ("scroll", {"direction": "down", "target": OUTSIDE}, "nothing was scrolled"),
        ("drag", {"start": OUTSIDE, "end": INSIDE}, "nothing was dragged"),
        ("drag", {"start": INSIDE, "end": OUTSIDE}, "what was dragged from 100, 90 was dropped there"),
    ],
)
def test_an_unreachable_target_is_reported_as_no_change(
    caged: Screens, tool: str, args: dict[str, Any], so: str
) -> None:
    problem = caged.use(tool, **args).error

    assert problem
    assert problem.code == "NO_CHANGE"
    assert problem.message == f"The pointer was sent to 600, 90 and stays at 249, 90: {so}."
    assert caged.buttons() == []
    assert not caged.desktop._display.pointer().mask & xproto.KeyButMask.Button1
    assert caged.use("mouse_down", target=INSIDE).ok
    assert caged.use("mouse_up").ok


@RANDR
def test_a_manually_called_tool_works_on_every_monitor(screens: Screens, mark_i: Run) -> None:
    environment = os.environ | {"DISPLAY": screens.desktop.display}

    done = mark_i("tools", "call", "click", '{"target": {"x": 1439, "y": 779}}', env=environment)
    assert (done.returncode, done.stdout) == (0, "Clicked at 1439, 779.\n")
    assert screens.buttons() == [("down", Point(1439, 779)), ("up", Point(1439, 779))]

    refused = mark_i("tools", "call", "click", '{"target": {"x": 1439, "y": 780}}', "--json", env=environment)
    assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (1, "OFF_SCREEN")
    assert screens.buttons() == []


@pytest.mark.usefixtures("display")
def test_the_wheel_turns_on_the_visible_part_of_the_window(control: Control) -> None:
    with randr(control) as (desktop, layout):
        belt = standard_toolbelt(Eyes(desktop, control))
        desktop.launch(["xterm"])
        assert control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
        [window] = desktop.windows()
        desktop.place_window(window, Region(650, 50, 600, 300))
        assert control.until(lambda: desktop.windows()[0].region.right > layout[0].right, CAP_S)
        desktop.move(Point(20, 20))
        region = desktop.windows()[0].region
        assert not any(region.center in part for part in layout)

        observation = belt.call(Action("scroll", {"direction": "down"}), control).observation

        at = desktop.pointer()
        assert observation.text == f"Scrolled down by 3 at {at.x}, {at.y}."
        assert at == region.intersection(layout[0]).center
        assert belt.call(Action("scroll", {"direction": "up"}), control).observation.ok
        assert desktop.pointer() == at


@pytest.mark.usefixtures("display")
def test_monitors_may_change_while_the_agent_works(control: Control) -> None:
    with closing(VirtualDesktop(Size(1440, 1000), control)) as desktop:
        eyes = Eyes(desktop, control)
        belt = standard_toolbelt(eyes)
        click = Action("click", {"target": {"x": 1300, "y": 900}})
        xrandr(desktop, "--newmode", "small", "0", "800", "0", "0", "0", "600", "0", "0", "0")
        xrandr(desktop, "--addmode", "screen", "small")
        for mode, region in (("small", Region(0, 0, 800, 600)), ("1440x1000", Region(0, 0, 1440, 1000))):
            before = eyes.look()
            xrandr(desktop, "--output", "screen", "--mode", mode)

            assert desktop.region == region
            assert desktop.monitors == (region,)
            assert eyes.look().region == region
            assert eyes.change(before, eyes.settle(before)).regions == (region,)
            problem = belt.call(click, control).observation.error
            assert (problem.code if problem else None) == ("OFF_SCREEN" if mode == "small" else None)


# Left of and above the first monitor ---------------------------------------------------------------------------------

NEGATIVE = (Region(-640, -200, 640, 480), Region(0, 0, 800, 600))  # as Windows and macOS have it; X11 begins at 0, 0


@functools.cache
def drawn() -> Image.Image:
    image = Image.new("RGB", (1440, 800), "white")
    ImageDraw.Draw(image).text((100, 50), "Save all", "black", ImageFont.load_default(size=20))
    return image


def at_home(layout: tuple[Region, ...] = NEGATIVE) -> FakeDesktop:
    return FakeDesktop(reacting(lambda _inputs: drawn()), layout=layout)


def clicked(desktop: FakeDesktop) -> list[Point]:
    return [part for done in desktop.inputs if done[0] == "click" for part in done if isinstance(part, Point)]


def test_a_text_on_a_monitor_to_the_left_is_clicked_there() -> None:
    desktop = at_home()
    assert desktop.region == Region(-640, -200, 1440, 800)

    done = standard_toolbelt(Eyes(desktop, desktop.control)).call(
        Action("click", {"target": "Save all"}), desktop.control
    )

    assert done.observation.ok, done.observation.error
    [point] = clicked(desktop)
    assert point in Region(-540, -150, 90, 30)


def test_a_point_outside_the_left_monitor_is_off_screen() -> None:
    desktop = at_home()
    belt = standard_toolbelt(Eyes(desktop, desktop.control))

    for x, y, shown in ((-640, -200, True), (-1, 279, True), (-1, 280, False), (0, -1, False), (799, 599, True)):
        assert belt.call(Action("click", {"target": {"x": x, "y": y}}), desktop.control).observation.ok == shown
    assert clicked(desktop) == [Point(-640, -200), Point(-1, 279), Point(799, 599)]


def test_points_are_those_of_the_frame_the_model_saw() -> None:
    sizes = [Size(1000, 600)]
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (sizes[-1].width, sizes[-1].height)))

    class Slow(ScriptedBrain):
        def think(self, prompt: Prompt) -> Reply:
            sizes.append(Size(3000, 600))
            return super().think(prompt)

    brain = Slow([action("click", target={"x": 500, "y": 500}), action("fail", reason="That was all.")])
    brain.space = "thousandths"
    eyes = Eyes(desktop, desktop.control)
    AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes).execute_command("click")

    assert clicked(desktop) == [Point(500, 300)]


# In the journal ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "sight", "said", "meant"),
    [
        ("pixels", 0, {"x": -12, "y": 34}, Point(-12, 34)),
        ("thousandths", 720, {"x": 250, "y": 250}, Point(-280, 0)),
        ("image", 720, {"x": 10, "y": 20}, Point(-619, -159)),
        ("thousandths", 720, {"box_2d": [0, 0, 500, 500]}, Point(-280, 0)),
    ],
)
def test_the_journal_has_the_models_and_the_real_coordinates(
    tmp_path: Path, space: Space, sight: int, said: dict[str, Any], meant: Point
) -> None:
    desktop = at_home()
    click = action("click", target=said)
    brain = ScriptedBrain([click, action("fail", reason="That was all.")], sight=sight)
    brain.space = space
    eyes = Eyes(desktop, desktop.control)

    journal = Journal(tmp_path / "run", {})
    AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal).execute_command("click")

    raw, *_ = read_replies(tmp_path / "run")
    decided, *_ = map(json.loads, (tmp_path / "run" / "decisions.jsonl").read_text(encoding="utf-8").splitlines())
    step, *_ = read_run(tmp_path / "run").steps
    mapped = {"x": meant.x, "y": meant.y}
    assert raw["index"] == decided["index"] == step.index == 1
    assert json.loads(raw["text"]) == click
    assert decided["args"] == step.action.args == {"target": mapped}
    assert step.observation.text == f"Clicked at {meant.x}, {meant.y}."
    assert step.before
    assert step.before.region == desktop.region
    assert clicked(desktop) == [meant]
