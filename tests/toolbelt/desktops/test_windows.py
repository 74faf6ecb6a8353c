"""Windows of four toolkits, under a window manager: named as a person names them, and truly told of."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from xcffib import xproto

from tests.support import tell_window_manager
from toolbelt.desktops.base import Window
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tools.windows import described, window_named
from world_model import Action, Observation, Point, Region, ToolFailure

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
COMMANDS = {
    "Watch GTK": ("/usr/bin/python3", str(APPS / "watch_gtk.py"), "/dev/null"),
    "Watch Qt": ("/usr/bin/python3", str(APPS / "watch_qt.py"), "/dev/null"),
    "Fixed Tk": (sys.executable, str(APPS / "plain_tk.py"), "Fixed Tk", "300x200"),
    "Some shell": ("xterm", "-T", "Some shell", "-geometry", "60x15", "-e", "cat"),
}


class Screen:
    """A desktop, its tools, and a connection of the test's own."""

    def __init__(self, desktop: VirtualDesktop, display: Connection) -> None:
        self.desktop = desktop
        self.display = display
        self.belt = standard_toolbelt(Eyes(desktop, desktop.control))

    def open(self, *titles: str) -> None:
        """Start the applications, one after the other, each in front of those before."""
        for title in titles:
            self.desktop.launch(COMMANDS[title])
            self.until(lambda title=title: any(one.title == title and one.active for one in self.desktop.windows()))

    def until(self, condition: Any) -> None:
        assert self.desktop.control.until(condition, CAP_S), self.desktop.windows()

    def use(self, tool: str, **args: Any) -> Observation:
        return self.belt.call(Action(tool, args), self.desktop.control).observation

    def done(self, tool: str, **args: Any) -> Observation:
        observation = self.use(tool, **args)
        assert observation.ok, observation.error
        return observation

    def refused(self, tool: str, **args: Any) -> tuple[str, str, str]:
        problem = self.use(tool, **args).error
        assert problem
        return problem.code, problem.message, " ".join(problem.hints)

    def window(self, title: str) -> Window:
        [found] = [window for window in self.desktop.windows() if window.title == title]
        return found

    def frame(self, title: str) -> Region:
        """Where the X server has the window with its frame."""
        core, node = self.display.core, self.window(title).id
        while (parent := core.QueryTree(node).reply().parent) != self.display.root:
            node = parent
        size = core.GetGeometry(node).reply()
        return Region(size.x, size.y, size.width + 2 * size.border_width, size.height + 2 * size.border_width)

    def minimize(self, title: str) -> None:
        tell_window_manager(self.display, self.window(title).id, "WM_CHANGE_STATE", 3)
        self.until(lambda: self.window(title).minimized)

    def new_window(self, title: str, **properties: list[int]) -> int:
        """A window that is not of any toolkit."""
        window = self.display.create_window(Region(0, 0, 300, 200), {xproto.CW.BackPixel: 0xFFFFFF})
        self.display.set_property(window, "WM_NAME", xproto.Atom.STRING, title.encode("latin-1"))
        for name, value in properties.items():
            kind = xproto.Atom.ATOM if name == "_NET_WM_WINDOW_TYPE" else xproto.Atom.CARDINAL
            self.display.set_property(window, name, kind, value)
        self.display.core.MapWindow(window)
        self.display.sync()
        return window


@pytest.fixture
def screen(desktop: VirtualDesktop) -> Iterator[Screen]:
    with closing(Connection(desktop.display)) as display:
        yield Screen(desktop, display)


# The list ----------------------------------------------------------------------------------------------------------


def test_windows_of_four_toolkits_are_listed_topmost_first(screen: Screen) -> None:
    screen.open(*COMMANDS)

    seen = screen.done("list_windows")

    assert [one["title"] for one in seen.data] == list(COMMANDS)[::-1]
    assert [one["application"] for one in seen.data] == ["XTerm", "Plain", "watch_qt.py", "Watch_gtk.py"]
    assert [one["focused"] for one in seen.data] == [True, False, False, False]
    assert not any(one["minimized"] for one in seen.data)
    for one in seen.data:
        frame = screen.frame(one["title"])
        assert one["place"] == frame.to_list()
        assert (
            f'"{one["title"]}" ({one["application"]}), {frame.width}x{frame.height} at {frame.x}, {frame.y}'
            in seen.text
        )
    assert seen.text.splitlines()[0].endswith(", focused")


def test_panels_and_an_empty_desktop_are_no_windows(screen: Screen) -> None:
    assert (screen.done("list_windows").text, screen.done("list_windows").data) == ("No window is open.", [])
    dock = screen.display.atom("_NET_WM_WINDOW_TYPE_DOCK")

    panel = screen.new_window("Panel", _NET_WM_WINDOW_TYPE=[dock])
    screen.new_window("Mine")
    screen.until(lambda: any(one.title == "Mine" for one in screen.desktop.windows()))

    assert screen.display.core.GetWindowAttributes(panel).reply().map_state == xproto.MapState.Viewable
    assert [one["title"] for one in screen.done("list_windows").data] == ["Mine"]


def test_a_long_title_in_any_script_is_whole(screen: Screen) -> None:
    title = "Ж" * 19 + "a" + "好" * 30 + " é"
    window = screen.new_window("")
    screen.display.set_property(window, "_NET_WM_NAME", "UTF8_STRING", title.encode())
    screen.display.sync()

    screen.until(lambda: [one.title for one in screen.desktop.windows()] == [title])


def test_a_shadow_drawn_by_a_window_is_not_part_of_its_place(screen: Screen) -> None:
    window = screen.new_window("Shadowed", _GTK_FRAME_EXTENTS=[10, 20, 30, 40])
    screen.until(screen.desktop.windows)
    whole = screen.frame("Shadowed")
    seen = screen.window("Shadowed").region
    assert (whole.width - seen.width, whole.height - seen.height) == (30, 70)
    assert seen.x - whole.x == 10

    screen.done("move_window", title="Shadowed", x=200, y=150)
    screen.done("resize_window", title="Shadowed", width=250, height=180)

    assert screen.window("Shadowed").region == Region(200, 150, 250, 180)
    assert screen.frame("Shadowed").x == 190
    assert screen.display.core.GetGeometry(window).reply().width > 270


# Focus -------------------------------------------------------------------------------------------------------------


def test_a_window_is_raised_by_a_persons_words(screen: Screen) -> None:
    screen.open(*COMMANDS)

    for said, title in (("watch gtk", "Watch GTK"), ("XTERM", "Some shell"), ("fixed", "Fixed Tk"), ("Qt", "Watch Qt")):
        seen = screen.done("focus_window", title=said)
        assert seen.text == f'"{title}" is in front and has the focus.'
        assert seen.data["focused"] is True
        assert [one.title for one in screen.desktop.windows() if one.active] == [title]
        assert screen.desktop.windows()[-1].title == title


def test_a_minimized_window_is_listed_and_restored(screen: Screen) -> None:
    screen.open("Watch GTK", "Some shell")
    screen.minimize("Some shell")
    assert '"Some shell" (XTerm)' in screen.done("list_windows").text
    assert [one["minimized"] for one in screen.done("list_windows").data if one["title"] == "Some shell"] == [True]

    assert screen.done("focus_window", title="shell").data["minimized"] is False
    assert not screen.window("Some shell").minimized


def test_a_missing_or_ambiguous_window_is_reported(screen: Screen) -> None:
    screen.open("Watch GTK", "Watch Qt")

    for tool, args in (
        ("focus_window", {}),
        ("close_window", {}),
        ("move_window", {"x": 1, "y": 2}),
        ("resize_window", {"width": 100, "height": 100}),
    ):
        code, message, hint = screen.refused(tool, title="Browser", **args)
        assert (code, message) == ("TARGET_NOT_FOUND", 'There is no window named "Browser".')
        assert hint == 'The windows are "Watch GTK" (Watch_gtk.py); "Watch Qt" (watch_qt.py).'
        code, message, hint = screen.refused(tool, title="watch", **args)
        assert (code, message) == ("TARGET_AMBIGUOUS", '2 windows could be "watch".')
        assert '"watch #1" is "Watch Qt" (watch_qt.py), ' in hint
        assert '"watch #2" is "Watch GTK" (Watch_gtk.py), ' in hint
    assert len(screen.desktop.windows()) == 2


# Place and size ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", COMMANDS)
def test_a_window_moves_to_where_it_was_asked(screen: Screen, title: str) -> None:
    screen.open(title)
    before = screen.window(title).region

    for x, y in ((10, 20), (0, 0), (400, 300)):
        seen = screen.done("move_window", title=title, x=x, y=y)
        assert seen.text == f'"{title}" is now {before.width}x{before.height} at {x}, {y}.'
        assert screen.frame(title) == Region(x, y, before.width, before.height)
        assert seen.data["place"] == [x, y, before.width, before.height]


@pytest.mark.parametrize("title", ["Watch GTK", "Watch Qt"])
def test_a_window_gets_the_size_that_was_asked(screen: Screen, title: str) -> None:
    screen.open(title)
    at = screen.window(title).region

    for width, height in ((700, 640), (720, 641)):
        seen = screen.done("resize_window", title=title, width=width, height=height)
        assert seen.text == f'"{title}" is now {width}x{height} at {at.x}, {at.y}.'
        assert screen.frame(title) == Region(at.x, at.y, width, height)


def test_a_terminals_rounded_size_is_reported(screen: Screen) -> None:
    screen.open("Some shell")

    seen = screen.done("resize_window", title="Some shell", width=501, height=303)

    now = screen.frame("Some shell")
    assert (now.width, now.height) != (501, 303)
    assert abs(now.width - 501) < 20
    told = f'"Some shell" is now {now.width}x{now.height} at {now.x}, {now.y}. The window manager did not take 501x303.'
    assert seen.text == told


def test_a_size_that_a_window_refuses_is_a_failure(screen: Screen) -> None:
    screen.open("Fixed Tk")
    before = screen.frame("Fixed Tk")

    code, message, _ = screen.refused("resize_window", title="Fixed Tk", width=10, height=10)

    assert code == "NO_CHANGE"
    assert message == (
        f'"Fixed Tk" is now {before.width}x{before.height} at {before.x}, {before.y}. '
        "The window manager did not take 10x10."
    )
    assert screen.frame("Fixed Tk") == before


def test_a_maximized_window_moves_or_the_failure_is_reported(screen: Screen) -> None:
    screen.open("Watch GTK")
    screen.desktop.press("alt+f10")
    screen.until(lambda: screen.window("Watch GTK").region.width == 1024)

    seen = screen.use("resize_window", title="Watch GTK", width=700, height=600)

    now = screen.frame("Watch GTK")
    told = seen.text if seen.ok else seen.error.message if seen.error else ""
    assert f"is now {now.width}x{now.height}" in told
    assert ("did not take" in told) is ((now.width, now.height) != (700, 600))


def test_nothing_is_moved_out_of_sight(screen: Screen) -> None:
    screen.open("Some shell")
    before = screen.frame("Some shell")

    assert screen.refused("move_window", title="shell", x=1024, y=0)[0] == "OFF_SCREEN"
    assert screen.refused("move_window", title="shell", x=0, y=-before.height)[0] == "OFF_SCREEN"
    assert screen.refused("resize_window", title="shell", width=0, height=10)[0] == "INVALID_ARGS"
    assert screen.frame("Some shell") == before


# Closing -----------------------------------------------------------------------------------------------------------


def test_windows_are_closed_by_name_or_the_focused_one(screen: Screen) -> None:
    screen.open("Watch GTK", "Watch Qt", "Some shell")

    assert screen.done("close_window", title="gtk").text == '"Watch GTK" is closed.'
    assert screen.done("close_window").text == '"Some shell" is closed.'
    assert [window.title for window in screen.desktop.windows()] == ["Watch Qt"]
    screen.minimize("Watch Qt")
    assert screen.refused("close_window")[:2] == ("TARGET_NOT_FOUND", "There is no window in front.")


def test_a_window_that_asks_before_it_closes_is_not_closed(screen: Screen) -> None:
    screen.open("Fixed Tk")

    told = screen.done("close_window", title="Fixed Tk")

    assert told.text.startswith('"Fixed Tk" asks something first, in "Really?".')
    assert told.data == {"closed": False}
    assert {window.title for window in screen.desktop.windows()} == {"Fixed Tk", "Really?"}


# Names -------------------------------------------------------------------------------------------------------------


def windows(*names: tuple[str, str]) -> list[Window]:
    return [Window(number, title, application, Region(0, 0, 9, 9)) for number, (title, application) in enumerate(names)]


DESK = windows(
    ("notes.txt - Mousepad", "Mousepad"),
    ("Save As", "Mousepad"),
    ("How to install Firefox - Chromium", "Chromium"),
    ("News — Mozilla Firefox", "firefox"),
    ("Orders", "Tk"),
    ("Orders of today", "Tk"),
    ("*letter (~/Öffentlich) - Writer", "libreoffice-writer"),
)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("save as", "Save As"),
        ("Mousepad", "notes.txt - Mousepad"),
        ("notes.txt", "notes.txt - Mousepad"),
        ("notes", "notes.txt - Mousepad"),
        ("Firefox", "News — Mozilla Firefox"),
        ("how to install", "How to install Firefox - Chromium"),
        ("chrom", "How to install Firefox - Chromium"),
        ("orders", "Orders"),
        ("of today", "Orders of today"),
        ("letter", "*letter (~/Öffentlich) - Writer"),
        ("öffentlich - writer", "*letter (~/Öffentlich) - Writer"),
        ("LibreOffice Writer", "*letter (~/Öffentlich) - Writer"),
        ("libre", "*letter (~/Öffentlich) - Writer"),
    ],
)
def test_a_window_is_found_by_the_words_of_a_person(said: str, title: str) -> None:
    assert window_named(said, DESK).title == title


@pytest.mark.parametrize("said", ["ozilla", "pad", "...", " ", "Orders of tomorrow", "Saved", "a"])
def test_other_words_find_no_window(said: str) -> None:
    with pytest.raises(ToolFailure) as failure:
        window_named(said, [window for window in DESK if window.title != "Save As"])
    assert failure.value.code == "TARGET_NOT_FOUND"


@pytest.mark.parametrize(("said", "count"), [("tk", 2), ("o", 2)])
def test_words_of_several_windows_name_none(said: str, count: int) -> None:
    with pytest.raises(ToolFailure, match=f'{count} windows could be "{said}"') as failure:
        window_named(said, DESK)
    assert failure.value.code == "TARGET_AMBIGUOUS"


def test_windows_of_one_title_are_told_apart_by_their_number() -> None:
    low, high, other = windows(("Untitled", "Mousepad"), ("Untitled", "Mousepad"), ("Order #2", "Tk"))
    with pytest.raises(ToolFailure) as failure:
        window_named("Untitled", [low, other, high])

    told = failure.value.hints[0]
    assert f'"Untitled #1" is {described(high)}; "Untitled #2" is {described(low)}' in told
    assert window_named("Untitled #1", [low, other, high]) is high
    assert window_named("untitled #2", [low, other, high]) is low
    assert window_named("Order #2", [low, other, high]) is other, "a title that has a number of its own"
    for number in (0, 3):
        with pytest.raises(ToolFailure, match=f'no window named "Untitled #{number}"'):
            window_named(f"Untitled #{number}", [low, high])


def test_a_title_without_words_matches_only_as_a_whole() -> None:
    assert window_named("…", windows(("…", "x"), ("", "y"))).id == 0
    with pytest.raises(ToolFailure, match='no window named "!"'):
        window_named("!", windows(("Only", "x")))


def test_the_pointer_stays_where_it_was_when_windows_are_moved(screen: Screen) -> None:
    screen.open("Some shell")
    screen.desktop.move(Point(7, 9))

    screen.done("move_window", title="shell", x=50, y=60)

    assert screen.desktop.pointer() == Point(7, 9)
