"""What is on the screen, in words, enlarged and waited for; on real windows and on pictures of them."""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Halt, Observation, Region

pytestmark = pytest.mark.timing

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
FONT, SMALL = ImageFont.load_default(size=22), ImageFont.load_default(size=9)
BLANK = Image.new("RGB", (640, 400), "white")

Draw = Callable[[Any], Image.Image]


def picture(*texts: tuple[int, int, str], font: Any = FONT) -> Image.Image:
    image = BLANK.copy()
    for x, y, text in texts:
        ImageDraw.Draw(image).text((x, y), text, font=font, fill="black")
    return image


def told(region: Region) -> str:
    return f"{region.width}x{region.height} at {region.x}, {region.y}"


class Use:
    """The tools on a screen that is drawn."""

    def __init__(self, draw: Draw) -> None:
        self.desktop = FakeDesktop(draw)
        self.eyes = Eyes(self.desktop, self.desktop.control)
        self.belt = standard_toolbelt(self.eyes)

    def __call__(self, tool: str, **args: Any) -> Observation:
        return self.belt.call(Action(tool, args), self.desktop.control).observation


class After:
    """A screen that shows one picture after the other, each so many seconds after the first look."""

    def __init__(self, *pictures: tuple[float, Image.Image]) -> None:
        self.pictures = pictures
        self.began: float | None = None

    def __call__(self, _inputs: list[Input]) -> Image.Image:
        now = time.monotonic()
        self.began = self.began or now
        return [image for seconds, image in self.pictures if now - self.began >= seconds][-1]


# In words ----------------------------------------------------------------------------------------------------------


def test_a_screenshot_tells_size_windows_and_texts(desktop: VirtualDesktop, control: Control) -> None:
    belt = standard_toolbelt(Eyes(desktop, control))
    for title in ("First", "Second"):
        belt.call(
            Action("open_app", {"name": sys.executable, "args": [str(APPS / "plain_tk.py"), title, "300x200"]}), control
        )
    desktop.move(desktop.region.center)

    seen = belt.call(Action("screenshot", {}), control).observation

    second, first = desktop.windows()[::-1]
    assert seen.text.splitlines()[:3] == [
        "The screen is 1024x768.",
        f'"Second" (Plain), {told(second.region)}, focused',
        f'"First" (Plain), {told(first.region)}',
    ]
    assert "On the screen: " in seen.text
    assert "Second" in " ".join(seen.data["texts"])
    assert seen.data["place"] == [0, 0, 1024, 768]
    assert [window["title"] for window in seen.data["windows"]] == ["Second", "First"]


def test_the_screen_is_read_line_by_line_with_places() -> None:
    use = Use(lambda _inputs: picture((40, 30, "Invoice 4711"), (300, 200, "Send")))

    seen = use("read_screen")

    assert [line["text"] for line in seen.data] == ["Invoice 4711", "Send"]
    x, y, width, height = seen.data[1]["place"]
    assert Region(x, y, width, height).overlaps(Region(310, 205, 20, 10))
    assert seen.text.splitlines()[1] == f'"Send" at {x + width // 2}, {y + height // 2}'


def test_an_empty_screen_is_told_as_such() -> None:
    use = Use(lambda _inputs: BLANK)

    assert (use("read_screen").text, use("read_screen").data) == ("No text can be read on the screen.", [])
    assert use("screenshot").text == "The screen is 640x400.\nNo text can be read on the screen."
    assert use("zoom", target={"x": 10, "y": 10}).data["lines"] == []


# Enlarged ----------------------------------------------------------------------------------------------------------


def test_what_is_small_is_read_enlarged_where_it_stands() -> None:
    use = Use(lambda _inputs: picture((300, 200, "serial-8841-QX"), (20, 370, "somewhere else"), font=SMALL))

    seen = use("zoom", target={"x": 320, "y": 205})

    assert [line["text"] for line in seen.data["lines"]] == ["serial-8841-QX"]
    assert seen.data["part"] == [160, 105, 320, 200]
    assert seen.data["scale"] == 4
    x, y, width, height = seen.data["lines"][0]["place"]
    drawn = Region(300, 200, int(SMALL.getlength("serial-8841-QX")), 11)
    assert Region(x, y, width, height).overlaps(drawn)
    assert abs(x - drawn.x) <= 4
    assert abs(x + width - drawn.right) <= 5


def test_a_part_is_given_by_two_corners_or_by_a_text() -> None:
    use = Use(lambda _inputs: picture((40, 30, "Alpha"), (400, 300, "Omega")))

    for start, end in (({"x": 380, "y": 280}, {"x": 600, "y": 390}), ({"x": 600, "y": 280}, {"x": 380, "y": 390})):
        seen = use("zoom", target=start, end=end)
        assert seen.data["part"] == [380, 280, 221, 111]
        assert [line["text"] for line in seen.data["lines"]] == ["Omega"]
    seen = use("zoom", target="Alpha")
    assert [line["text"] for line in seen.data["lines"]] == ["Alpha"]
    x, y, width, height = seen.data["part"]
    assert (x, y) == (0, 0)
    assert width < 640
    assert height < 400


def test_a_part_beside_the_screen_is_refused() -> None:
    use = Use(lambda _inputs: BLANK)

    for args in ({"target": {"x": 640, "y": 1}}, {"target": {"x": 1, "y": 1}, "end": {"x": 1, "y": 400}}):
        problem = use("zoom", **args).error
        assert problem
        assert problem.code == "OFF_SCREEN"


# Waited for --------------------------------------------------------------------------------------------------------


def test_a_change_is_waited_for_and_told() -> None:
    use = Use(After((0, picture((40, 30, "Working"))), (0.4, picture((40, 30, "Finished")))))

    seen = use("wait_for_change", timeout=30)

    assert seen.text.startswith("Waited ")
    assert (seen.data["appeared"], seen.data["vanished"]) == (["Finished"], ["Working"])
    [[x, y, width, height]] = seen.data["places"]
    assert Region(x, y, width, height).overlaps(Region(40, 30, 90, 25))


def test_what_changed_during_the_thought_is_not_waited_for_again() -> None:
    use = Use(After((0, picture((40, 30, "Working"))), (0.1, picture((40, 30, "Finished")))))
    use.eyes.show()
    Control().wait(0.3)

    assert use("wait_for_change", timeout=5).data["appeared"] == ["Finished"]


def test_waiting_in_vain_is_a_timeout_with_what_is_there() -> None:
    problem = Use(lambda _inputs: picture((40, 30, "Working")))("wait_for_change", timeout=0.3).error

    assert problem
    assert (problem.code, problem.message) == ("TIMEOUT", "Nothing on the screen changed in 0.3 s.")
    assert problem.hints == ('On the screen: "Working".',)


def test_a_blinking_caret_is_no_change() -> None:
    caret = picture((40, 30, "Name"))
    ImageDraw.Draw(caret).rectangle((200, 30, 201, 52), fill="black")
    plain = picture((40, 30, "Name"))
    blinking = After((0, plain), (0.1, caret), (0.3, plain), (0.5, caret), (0.7, plain))

    problem = Use(blinking)("wait_for_change", timeout=1).error
    assert problem
    assert problem.code == "TIMEOUT"
    assert Use(blinking)("wait_until_still", seconds=0.5).text == "Nothing on the screen changed for 0.5 s."


def test_rest_is_waited_for_and_not_found_where_something_moves() -> None:
    images = [picture((40, 30, "Load"), (200, 200 + 20 * turn, "X")) for turn in range(3)]
    moving = After(*((0.1 * turn, images[turn % 3]) for turn in range(5)))
    use = Use(moving)
    assert use("wait_until_still", seconds=0.4, timeout=30).text == "Nothing on the screen changed for 0.4 s."
    assert moving.began is not None
    assert time.monotonic() - moving.began >= 0.8

    forever = After(*((0.05 * turn, images[turn % 3]) for turn in range(2000)))
    problem = Use(forever)("wait_until_still", seconds=0.5, timeout=1).error
    assert problem
    assert problem.code == "TIMEOUT"
    assert problem.message.startswith("The screen is still changing after 1 s, at 2")


@pytest.mark.parametrize(
    ("tool", "args"), [("wait", {"seconds": 60}), ("wait_for_change", {"timeout": 60}), ("wait_until_still", {})]
)
def test_a_stop_ends_any_wait(tool: str, args: dict[str, float]) -> None:
    use = Use(After(*((0.05 * turn, picture((40 + turn, 30, "Load"))) for turn in range(100))))
    if tool == "wait_for_change":
        use = Use(lambda _inputs: BLANK)
    stopping = threading.Timer(0.3, use.desktop.control.stop)
    stopping.start()

    with pytest.raises(Halt):
        use(tool, **args)
    stopping.join()


def test_a_wait_ends_when_a_person_says_something() -> None:
    use = Use(lambda _inputs: BLANK)
    use.desktop.control.speak()

    assert use("wait", seconds=60).data == {"left_s": 60}

    use.desktop.control.heard()
    assert use("wait", seconds=0.1).data is None


def test_a_wait_takes_its_time() -> None:
    began = time.monotonic()

    assert Use(lambda _inputs: BLANK)("wait", seconds=0.3).text == "Waited 0.3 s."

    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("name", ["screenshot", "read_screen", "marks", "zoom", "wait", "wait_for", "wait_for_change"])
def test_looking_changes_nothing(name: str) -> None:
    use = Use(lambda _inputs: BLANK)

    assert use.belt[name].risk == "look"
    assert use.desktop.inputs == []
