"""A desktop that tells nobody of windows: keys go only where the agent put the focus; windows cannot be masked."""

from typing import Any

import pytest
from PIL import Image, ImageDraw

from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.masks import Masks
from toolbelt.perception.unseen_focus import COVERED, NOT_PUT, came_up
from toolbelt.standard import standard_toolbelt
from toolbelt.tools.windows import UNKNOWN
from world_model import Action, DesktopError, Observation, Region

KEYS: list[tuple[str, dict[str, Any]]] = [
    ("type_text", {"text": "Q3 2025"}),
    ("press", {"keys": "enter"}),
    ("hold", {"keys": "a", "seconds": 0.1}),
    ("key_down", {"key": "a"}),
]


class Unseen:
    """A desktop of that kind, on which `dialogs` come up."""

    def __init__(self) -> None:
        self.dialogs = list[tuple[int, int, int, int]]()
        self.desktop = FakeDesktop(self.draw, knows_windows=False)
        self.eyes = Eyes(self.desktop, self.desktop.control)
        self.eyes.show()

    def draw(self, inputs: object) -> Image.Image:
        del inputs
        picture = Image.new("RGB", (800, 600), "white")
        for place in self.dialogs:
            ImageDraw.Draw(picture).rectangle(place, "navy")
        return picture

    def use(self, tool: str, **args: Any) -> Observation:
        return standard_toolbelt(self.eyes).call(Action(tool, args), self.desktop.control).observation

    @property
    def typed(self) -> list[Input]:
        return [one for one in self.desktop.inputs if one[0] in {"type", "press", "key_down"}]


@pytest.fixture
def unseen() -> Unseen:
    return Unseen()


@pytest.mark.parametrize(("tool", "args"), KEYS)
def test_no_key_is_sent_before_the_agent_put_the_focus(unseen: Unseen, tool: str, args: dict[str, Any]) -> None:
    error = unseen.use(tool, **args).error
    assert error
    assert (error.code, error.message, unseen.typed) == ("STALE_TARGET", NOT_PUT, [])
    assert unseen.use("click", target={"x": 300, "y": 300}).ok
    unseen.eyes.show()
    assert unseen.use(tool, **args).ok


def test_a_text_is_typed_where_it_clicks_itself(unseen: Unseen) -> None:
    assert unseen.use("type_text", text="Q3", into={"x": 300, "y": 300}).ok
    assert unseen.typed == [("type", "Q3")]


@pytest.mark.parametrize("what", ["asked", "resumed", "stepped", "spoken"])
def test_who_used_a_window_has_the_focus(unseen: Unseen, what: str) -> None:
    unseen.use("click", target={"x": 300, "y": 300})
    unseen.eyes.show()
    control = unseen.desktop.control
    if what == "asked":
        with control.asking():
            pass
    else:
        {"resumed": control.resume, "stepped": control.step, "spoken": control.speak}[what]()
    error = unseen.use("press", keys="enter").error
    assert error
    assert error.message == NOT_PUT


def test_what_comes_up_as_large_as_a_window_gets_no_key(unseen: Unseen) -> None:
    unseen.use("click", target={"x": 300, "y": 300})
    unseen.eyes.show()
    unseen.dialogs.append((100, 100, 500, 400))
    error = unseen.use("press", keys="enter").error
    assert error
    assert (error.code, error.message, unseen.typed) == ("STALE_TARGET", COVERED, [])
    unseen.eyes.show()
    assert unseen.use("press", keys="enter").ok, "the one who chose has seen it"


def test_a_banner_is_no_window() -> None:
    assert not came_up([Region(400, 0, 500, 90)])
    assert came_up([Region(400, 0, 10, 10), Region(0, 0, 400, 300)])


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("list_windows", {}),
        ("focus_window", {"title": "Letter"}),
        ("move_window", {"title": "Letter", "x": 0, "y": 0}),
        ("resize_window", {"title": "Letter", "width": 300, "height": 200}),
        ("close_window", {"title": "Letter"}),
        ("close_window", {}),
    ],
)
def test_what_needs_windows_is_refused_in_one_line(unseen: Unseen, tool: str, args: dict[str, Any]) -> None:
    error = unseen.use(tool, **args).error
    assert error
    assert (error.code, error.message) == ("PERMISSION_DENIED", UNKNOWN)


def test_a_mask_of_windows_is_refused() -> None:
    desktop = FakeDesktop(lambda _: Image.new("RGB", (80, 60)), knows_windows=False)
    with pytest.raises(DesktopError, match='The mask "Bank" names windows'):
        Eyes(desktop, desktop.control, Masks(windows=("Bank",)))
    Eyes(desktop, desktop.control, Masks(parts=(Region(0, 0, 9, 9),)))


def test_a_program_is_opened_by_what_comes_up() -> None:
    def draw(inputs: object) -> Image.Image:
        picture = Image.new("RGB", (800, 600), "white")
        if inputs:
            ImageDraw.Draw(picture).rectangle((100, 100, 500, 400), "navy")
        return picture

    desktop = FakeDesktop(draw, knows_windows=False)
    eyes = Eyes(desktop, desktop.control)
    eyes.show()
    told = standard_toolbelt(eyes).call(Action("open_app", {"name": "sh"}), desktop.control).observation
    assert told.ok
    assert "something like a window came up" in str(told.text)
    eyes.show()
    assert standard_toolbelt(eyes).call(Action("press", {"keys": "enter"}), desktop.control).observation.ok
