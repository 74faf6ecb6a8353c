"""What programs say under Wayland lies where it is drawn: real toolkits, and windows whose place is not sure."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.sway import Session, desktop_of, opened, skip_without
from toolbelt.control import Control
from toolbelt.desktops.accessibility import Node, WindowTree
from toolbelt.desktops.wayland import WaylandDesktop
from toolbelt.desktops.wayland.heard import Content, placed, searched
from toolbelt.desktops.wayland.screen import Layout, Monitor
from toolbelt.desktops.wayland.windowed import UNHEARD
from toolbelt.elements import Element, said_of
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Point, Region, Role

APPS: Final = Path(__file__).parents[3] / "apps"
SYSTEM_PYTHON: Final = "/usr/bin/python3"
CAP_S: Final = 60.0
FLOATS: Final = 'for_window [title=".*"] floating enable, move absolute position 150 px 110 px\n'
CHROMIUM: Final = (
    "chromium --ozone-platform=wayland --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --force-renderer-accessibility"
)
# The box of each form, whether it is ticked at first, the button, and the title once that was pressed.
FORMS: Final = {
    "gtk3": ("form_gtk.py", "Gift wrap", False, "OK", "clicked ok"),
    "gtk4": ("form_gtk4.py", "News", True, "Order", "pressed Order"),
    "qt6": ("form_qt6.py", "News", True, "Order", "pressed Order"),
    "shadow": ("headed_gtk.py", "News", False, "Close", ""),
    "chromium": ("form.html", "I accept the terms", True, "Reset", "clicked reset"),
}


class Stage:
    """A session in which programs are heard, and who looks at it."""

    def __init__(self, session: Session, desktop: WaylandDesktop) -> None:
        self.session, self.desktop = session, desktop
        self.eyes = Eyes(desktop, desktop.control)

    def start(self, app: str, **environment: str) -> None:
        """Start a program of the tests, and wait until it says what it shows."""
        if app.endswith(".html"):
            profile = self.session.config.with_name("profile")
            command = [*CHROMIUM.split(), f"--user-data-dir={profile}", f"--app={(APPS / app).as_uri()}"]
        else:
            command = [SYSTEM_PYTHON, str(APPS / app)]
        self.session.start_program(*command, **environment)
        self.session.until(lambda: self.said() and not self.desktop.unheard)
        self.eyes.settle(self.eyes.look(), 1.0, quiet=0.5)

    def said(self) -> tuple[Element, ...]:
        """What programs say is on the screen, however slow they are."""
        frame, windows = self.eyes.look(), self.desktop.windows()
        trees = self.desktop.trees([one.pid for one in windows if one.pid], CAP_S) or ()
        return said_of(trees, windows, self.eyes.read(frame)).elements

    def named(self, role: Role, name: str) -> Element:
        """A control, once its program says it."""
        self.session.until(lambda: any(one.role == role and one.text == name for one in self.said()))
        return next(one for one in self.said() if one.role == role and one.text == name)


@pytest.fixture
def stage(
    processes: None,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    control: Control,
    request: pytest.FixtureRequest,
) -> Iterator[Stage]:
    """Such a session; its parameter is an addition to the configuration."""
    skip_without()
    folder = tmp_path_factory.mktemp("s", numbered=True)
    config = getattr(request, "param", "")
    with opened(folder, monkeypatch, heard=True, config=config) as session, desktop_of(session, control) as desktop:
        yield Stage(session, desktop)


def operate(stage: Stage, toolkit: str, **environment: str) -> None:
    """Tick and press what a program says it shows; it says what came of it."""
    app, box, ticked, button, title = FORMS[toolkit]
    stage.start(app, **environment)
    before, after = ("checked", "unchecked") if ticked else ("unchecked", "checked")
    assert before in stage.named("checkbox", box).states

    belt = standard_toolbelt(stage.eyes)
    belt.call(Action("tick", {"target": box, "off": ticked}), stage.eyes.control)

    stage.session.until(lambda: after in stage.named("checkbox", box).states)
    assert stage.desktop.click(stage.named("button", button).region.center)
    stage.session.until(lambda: stage.session.titles() == ([title] if title else []))


@pytest.mark.parametrize("stage", ["", FLOATS], ids=["tiled", "floating"], indirect=True)
@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt6", "shadow"])
def test_what_a_program_says_is_where_it_is_drawn(stage: Stage, toolkit: str) -> None:
    operate(stage, toolkit)


@pytest.mark.parametrize("stage", [FLOATS], ids=["floating"], indirect=True)
@pytest.mark.parametrize("scale", [1.5, 2.0])
@pytest.mark.parametrize("toolkit", ["gtk3", "qt6"])
def test_what_a_program_says_is_scaled(stage: Stage, toolkit: str, scale: float) -> None:
    stage.session.command(f"output HEADLESS-1 resolution 1920x1600 scale {scale}")
    operate(stage, toolkit)


@pytest.mark.parametrize("stage", ["", FLOATS], ids=["tiled", "floating"], indirect=True)
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_page_that_counts_in_pixels_is_heard(stage: Stage, browser: None, scale: float) -> None:
    stage.session.command(f"output HEADLESS-1 resolution {round(1280 * scale)}x{round(1000 * scale)} scale {scale}")
    operate(stage, "chromium")


def test_a_second_monitor_is_heard(stage: Stage) -> None:
    stage.session.command("output HEADLESS-1 position 0 300")
    stage.session.command("create_output")
    stage.session.until(lambda: len(stage.desktop.monitors) == 2)
    stage.session.command("output HEADLESS-2 resolution 1280x800 scale 1.25 position 1280 0")
    stage.session.command("focus output HEADLESS-2")
    operate(stage, "gtk3")


@pytest.mark.parametrize("stage", [FLOATS], ids=["floating"], indirect=True)
@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt6"])
def test_programs_of_x11_are_heard(stage: Stage, toolkit: str) -> None:
    operate(stage, toolkit, GDK_BACKEND="x11", QT_QPA_PLATFORM="xcb")


@pytest.mark.parametrize("stage", [FLOATS], ids=["floating"], indirect=True)
def test_what_opens_from_a_control_is_found_by_its_looks(stage: Stage) -> None:
    stage.start("popover_gtk4.py")
    belt = standard_toolbelt(stage.eyes)
    belt.call(Action("click", {"target": "More"}), stage.eyes.control)
    stage.session.until(lambda: "Order" in [one.text for one in stage.eyes.read(stage.eyes.look())])
    assert "More" in [one.text for one in stage.said()]
    assert "Order" not in [one.text for one in stage.said()]
    belt.call(Action("click", {"target": "Order"}), stage.eyes.control)
    stage.session.until(lambda: stage.session.titles() == ["pressed Order"])


def test_without_places_of_windows_nothing_is_heard(
    stage: Stage, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.start("form_gtk.py")
    [pid] = [one.pid for one in stage.desktop.windows() if one.pid]
    assert stage.desktop.trees([pid], CAP_S)
    monkeypatch.delenv("SWAYSOCK")
    with desktop_of(stage.session, control) as desktop:
        assert desktop.trees([pid], CAP_S) == ()
        assert desktop.unheard == UNHEARD


def test_why_nothing_is_heard_is_told(sway: Session, wayland: WaylandDesktop) -> None:
    sway.start_program(SYSTEM_PYTHON, str(APPS / "form_gtk.py"))
    sway.until(wayland.windows)
    assert wayland.trees([one.pid for one in wayland.windows() if one.pid], CAP_S) == ()
    assert wayland.unheard == "the accessibility service does not run"


# Trees that no program here makes at will --------------------------------------------------------------------------

LAYOUT: Final = Layout.of([Monitor("one", 0, 0, 640, 400, (1280, 800))])
WINDOW: Final = Content(7, "Mail", Region(100, 50, 300, 200), is_shown=True)


def tree(*nodes: Node, title: str = "Mail") -> WindowTree:
    return WindowTree(7, title, nodes)


def node(parent: int, role: str, *region: int, name: str = "") -> Node:
    return Node(parent, role, name, "", Region(*region) if region else None)


WHOLE: Final = node(-1, "window", 0, 0, 300, 200)


def test_the_place_of_a_window_and_the_scale_are_added() -> None:
    told = tree(WHOLE, node(0, "group"), node(1, "button", 10, 20, 30, 40, name="Send"))
    [found] = placed([told], [WINDOW], LAYOUT)
    assert [one.region for one in found.nodes] == [Region(200, 100, 600, 400), None, Region(220, 140, 60, 80)]


def test_a_shadow_is_no_part_of_a_window() -> None:
    told = tree(
        node(-1, "window", 0, 0, 340, 240), node(0, "group", 20, 10, 300, 40), node(0, "group", 20, 50, 300, 160)
    )
    [found] = placed([told], [WINDOW], LAYOUT)
    assert [one.region for one in found.nodes[1:]] == [Region(200, 100, 600, 80), Region(200, 180, 600, 320)]


def test_the_compositor_may_know_where_a_window_begins_in_what_is_drawn() -> None:
    told = tree(node(-1, "window", 0, 0, 340, 240), node(0, "group", 40, 30, 260, 160))  # nothing is as large
    assert placed([told], [WINDOW], LAYOUT) == ()
    [found] = placed([told], [WINDOW._replace(surface=Region(80, 40, 340, 240))], LAYOUT)
    assert found.nodes[1].region == Region(240, 140, 520, 320)


def test_what_is_beside_a_window_is_left_out_with_its_parts() -> None:
    told = tree(
        WHOLE, node(0, "list", 0, 300, 100, 100), node(1, "list_item", 0, 0, 50, 20), node(0, "button", 5, 5, 9, 9)
    )
    [found] = placed([told], [WINDOW], LAYOUT)
    assert [(one.role, one.parent) for one in found.nodes] == [("window", -1), ("button", 0)]


@pytest.mark.parametrize("scale", [2.0, 1.5])
def test_a_page_in_pixels_is_put_where_its_view_is(scale: float) -> None:
    layout = Layout.of([Monitor("one", 0, 0, 640, 400, (round(640 * scale), round(400 * scale)))])
    view, link = node(0, "group", 0, 50, 300, 150), (20, 120, 40, 20)
    told = tree(WHOLE, view, node(1, "web_area", 0, 100, 600, 300), node(2, "link", *link), node(0, "button", *link))
    [found] = placed([told], [WINDOW], layout)
    assert [one.region for one in found.nodes[2:]] == [
        layout.region(100, 100, 300, 150),
        layout.region(110, 110, 20, 10),
        layout.region(120, 170, 40, 20),
    ]


@pytest.mark.parametrize(
    "popup",
    [
        [node(0, "combo_box", 10, 10, 90, 20), node(1, "list", 10, 30, 90, 90), node(2, "list_item", 10, 30, 90, 20)],
        [node(0, "group", 10, 10, 90, 20), node(1, "menu", 10, 10, 90, 90), node(2, "menu_item", 10, 10, 90, 20)],
        [node(0, "group", 10, 10, 90, 20), node(1, "web_area", 90, 90, 90, 90), node(2, "link", 90, 90, 90, 20)],
    ],
    ids=["dropdown", "menu", "page"],
)
def test_of_a_window_from_which_something_opened_not_all_is_said(popup: list[Node]) -> None:
    [found] = placed([tree(WHOLE, *popup)], [WINDOW], LAYOUT)
    assert found.nodes[1].role == popup[0].role
    assert found.nodes[2:] == (node(0, "unknown", 200, 100, 600, 400),)


def test_a_menu_of_a_page_stays() -> None:
    page = [node(0, "web_area", 0, 0, 300, 200), node(1, "menu", 10, 10, 90, 90), node(2, "menu_item", 10, 10, 90, 20)]
    [found] = placed([tree(WHOLE, *page)], [WINDOW], LAYOUT)
    assert [one.role for one in found.nodes] == ["window", "web_area", "menu", "menu_item"]


def test_a_popup_that_is_a_window_of_its_own_is_left_out() -> None:
    popup = tree(node(-1, "window", 10, 30, 80, 90), title="")
    [found] = placed([tree(WHOLE), popup], [WINDOW], LAYOUT)
    assert [one.role for one in found.nodes] == ["window", "unknown"]


def test_a_window_that_may_be_another_one_is_left_out() -> None:
    other = Content(7, "Mail", Region(0, 0, 300, 200), is_shown=True)
    renamed = other._replace(title="Draft")
    assert placed([tree(WHOLE)], [WINDOW, other], LAYOUT) == ()
    assert placed([tree(WHOLE, title="Mail (1)")], [WINDOW, renamed], LAYOUT) == ()
    assert len(placed([tree(WHOLE)], [WINDOW, renamed], LAYOUT)) == 1
    assert len(placed([tree(WHOLE, title="Mail (1)")], [WINDOW], LAYOUT)) == 1
    assert placed([tree(WHOLE)], [WINDOW._replace(pid=8)], LAYOUT) == ()
    assert placed([tree(WHOLE)], [WINDOW._replace(is_shown=False)], LAYOUT) == ()
    assert placed([tree(WHOLE)], [WINDOW._replace(region=Region(0, 0, 200, 200))], LAYOUT) == ()


def test_what_may_be_on_the_desktop_is_asked_for() -> None:
    part = searched([WINDOW], LAYOUT)
    assert all(corner in part for corner in (Point(0, 0), Point(639, 399), Point(599, 0)))
    assert Point(-1, -1) not in part
