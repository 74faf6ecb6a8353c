"""In what portals differ: where keys and monitors are, what a click of the wheel is, and which clipboard there is."""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.compositor import CaptureStream, compositor, keymap_of
from tests.portal import MONITOR, Kept, Portal
from tests.sway import Session as Sway
from toolbelt.control import Control
from toolbelt.desktops.wayland.portal.bus import REMOTE, Bus
from toolbelt.desktops.wayland.portal.clipboard import Clipboard
from toolbelt.desktops.wayland.portal.desktop import PortalDesktop
from toolbelt.desktops.wayland.portal.keymap import Keymap
from toolbelt.desktops.wayland.portal.mouse import PortalMouse
from toolbelt.desktops.wayland.portal.open_clipboard import OpenClipboard
from toolbelt.desktops.wayland.portal.screen import SCALED
from toolbelt.desktops.wayland.portal.session import ENDED, LOCKED, UNPLACED, Session
from toolbelt.desktops.wayland.portal.traits import Traits, places_in_picture, traits_of
from world_model import DesktopError, Point, Region, ToolFailure

PLASMA = ("org_kde_plasma_shell", "zxdg_output_manager_v1")
SHIFT = 0xFFE1
CAP_S = 60.0
UNSCALED = (7, {"position": ("(ii)", (0, 0)), "size": ("(ii)", (80, 60))})
Opening = Callable[..., contextlib.AbstractContextManager[PortalDesktop]]


def look_on() -> None:
    """Nobody stops the run."""


@pytest.fixture
def bus(portal: Portal) -> Iterator[Bus]:
    """The agent's connection, which ends before the bus."""
    with contextlib.closing(Bus()) as opened:
        yield opened


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> type[CaptureStream]:
    """What brings pictures."""
    monkeypatch.setattr(CaptureStream, "lost", 0)
    monkeypatch.setattr(CaptureStream, "size", (60, 80))
    monkeypatch.setattr(CaptureStream, "made", [], raising=False)
    monkeypatch.setitem(sys.modules, "pipewire_capture", cast("Any", SimpleNamespace(CaptureStream=CaptureStream)))
    return CaptureStream


@pytest.fixture
def opening(portal: Portal, pictures: type[CaptureStream], tmp_path: Path) -> Opening:
    """A desktop whose compositor offers what is given, and has these layouts."""
    portal.streams = [UNSCALED]

    @contextlib.contextmanager
    def opened(*offered: str, layouts: str = "us", **options: Any) -> Iterator[PortalDesktop]:
        with (
            compositor(tmp_path, keymap_of(layouts), offered) as path,
            contextlib.closing(PortalDesktop(path, Control(), **options)) as desktop,
        ):
            yield desktop

    return opened


def test_plasma_is_told_by_what_its_compositor_offers(tmp_path: Path) -> None:
    with compositor(tmp_path, b"", [*PLASMA, "zwlr_data_control_manager_v1"]) as path:
        found = traits_of(path)
    assert (found.wheel, found.joins_monitors, found.takes_logical_units) == (15, True, True)
    assert (found.finds_keys_in_first_layout, found.learns_keys_late, found.opens_clipboard) == (True, True, True)


def test_any_other_portal_does_as_it_is_described(tmp_path: Path) -> None:
    with compositor(tmp_path, b"") as path:
        assert traits_of(path) == Traits()


@pytest.mark.parametrize(("offered", "steps"), [((), [1, 1]), (PLASMA, [15, 15])])
def test_a_click_of_the_wheel_is_what_the_portal_takes_for_one(
    portal: Portal, opening: Opening, offered: Sequence[str], steps: list[int]
) -> None:
    with opening(*offered) as desktop:
        desktop.scroll("down", 2)
        assert [values for method, values in portal.sent if method == "NotifyPointerAxisDiscrete"] == [
            (0, step) for step in steps
        ]


@pytest.mark.parametrize(("offered", "woken"), [((), []), (PLASMA, [(SHIFT, 1), (SHIFT, 0)])])
def test_a_portal_that_learns_the_keys_late_learns_them_before_the_first_text(
    portal: Portal, opening: Opening, offered: Sequence[str], woken: list[tuple[int, int]]
) -> None:
    with opening(*offered):
        assert [values for method, values in portal.sent if method == "NotifyKeyboardKeysym"] == woken


@pytest.mark.parametrize(("offered", "several"), [((), True), (PLASMA, False)])
def test_monitors_come_as_the_portal_says_where_they_are(
    portal: Portal, opening: Opening, offered: Sequence[str], *, several: bool
) -> None:
    with opening(*offered):
        assert portal.asked["SelectSources"]["multiple"] == ("b", several)


LEFT, RIGHT = Region(0, 0, 40, 60), Region(40, 0, 40, 60)


@pytest.mark.parametrize(
    ("places", "sent"),
    [
        ([], [(50, 10)]),
        ([Region(0, 0, 80, 60)], [(50, 10)]),
        ([LEFT, RIGHT], [(60, 30), (60, 30), (60, 30), (50, 10)]),
    ],
)
def test_the_pointer_is_pulled_through_the_barrier_between_monitors(
    portal: Portal, opening: Opening, places: list[Region], sent: list[tuple[int, int]]
) -> None:
    with opening() as desktop:
        mouse = PortalMouse(desktop._session, desktop._screen, Traits(pulls=3), places)
        portal.sent.clear()
        mouse.move(Point(50, 10))
        assert [values[1:] for _, values in portal.sent] == [(x + 0.5, y + 0.5) for x, y in sent]


def test_what_is_dragged_on_a_monitor_does_not_go_by_way_of_its_middle(portal: Portal, opening: Opening) -> None:
    with opening() as desktop:
        mouse = PortalMouse(desktop._session, desktop._screen, Traits(pulls=3), [LEFT, RIGHT])
        mouse.move(Point(50, 10))
        mouse.down("left")
        portal.sent.clear()
        mouse.move(Point(55, 12))
        assert [values[1:] for _, values in portal.sent] == [(55.5, 12.5)]
        mouse.move(Point(5, 12))
        assert [values[1:] for _, values in portal.sent[1:]] == [(20.5, 30.5)] * 3 + [(5.5, 12.5)]


def test_the_pointer_is_not_sent_where_no_monitor_is(portal: Portal, opening: Opening) -> None:
    with opening() as desktop:
        mouse = PortalMouse(desktop._session, desktop._screen, Traits(), [LEFT, Region(40, 0, 40, 30)])
        portal.sent.clear()
        with pytest.raises(ToolFailure, match="No monitor shows"):
            mouse.click(Point(50, 40), "left", 1)
        assert not portal.sent


def test_monitors_are_found_in_the_picture_of_all(sway: Sway) -> None:
    sway.command("output HEADLESS-1 position 0 0 scale 2")
    sway.command("create_output")
    sway.until(lambda: len(places_in_picture(sway.socket)) == 2)
    sway.command("output HEADLESS-2 resolution 600x500 position -600 100")
    sway.until(lambda: Region(0, 100, 600, 500) in places_in_picture(sway.socket))
    assert Region(600, 0, 640, 400) in places_in_picture(sway.socket)


def test_monitors_whose_places_nobody_tells_are_refused(portal: Portal, bus: Bus) -> None:
    portal.streams = [MONITOR, (8, {"size": MONITOR[1]["size"]})]
    kept = Kept("token")
    with pytest.raises(DesktopError) as told:
        Session(bus, kept, look_on)
    assert (str(told.value), kept.token) == (UNPLACED, "")


def test_a_scaled_monitor_is_used_where_points_are_in_logical_units(
    portal: Portal, pictures: type[CaptureStream], opening: Opening
) -> None:
    pictures.size = (120, 160)
    with pytest.raises(DesktopError) as told, opening():
        pass
    assert str(told.value) == SCALED


def test_a_scaled_monitor_of_plasma_is_clicked_on(
    portal: Portal, pictures: type[CaptureStream], opening: Opening
) -> None:
    pictures.size = (120, 160)
    with opening(*PLASMA) as desktop:
        desktop.move(desktop.region.center)
        assert portal.sent[-1] == ("NotifyPointerMotionAbsolute", (7, 40.25, 30.25))


def test_a_first_picture_that_is_lost_is_asked_for_anew(
    monkeypatch: pytest.MonkeyPatch, pictures: type[CaptureStream], opening: Opening
) -> None:
    monkeypatch.setattr("toolbelt.desktops.wayland.portal.screen.ANEW_S", 0.01)
    pictures.lost = 2
    with opening() as desktop:
        assert desktop.grab().region == desktop.region
        assert [one.running for one in pictures.made] == [False, False, True]


def test_pictures_that_never_come_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, pictures: type[CaptureStream], opening: Opening
) -> None:
    monkeypatch.setattr("toolbelt.desktops.wayland.portal.screen.FIRST_MAX_S", 0.05)
    pictures.lost = sys.maxsize
    with pytest.raises(DesktopError, match=r"brought no picture of the screen in 0\.05 s"), opening():
        pass
    assert not any(one.running for one in pictures.made)


def find(layouts: str, character: str, folder: Path, *, everywhere: bool, variants: str = "") -> int | None:
    """How a keyboard has a character."""
    with (
        compositor(folder, keymap_of(layouts, variants)) as path,
        contextlib.closing(Keymap(path, look_on, everywhere=everywhere)) as keymap,
    ):
        return keymap.find(ord(character))


@pytest.mark.parametrize(
    ("character", "everywhere", "there"), [("y", False, True), ("y", True, False), ("a", True, True)]
)
def test_what_is_on_another_key_of_another_layout_counts_as_missing(
    tmp_path: Path, character: str, *, everywhere: bool, there: bool
) -> None:
    found = find("us,de", character, tmp_path, everywhere=everywhere)
    assert found == (ord(character) if there else None)


@pytest.mark.parametrize(("character", "there"), [("a", True), ("{", False)])
def test_what_shift_and_right_alt_do_not_reach_counts_as_missing(
    tmp_path: Path, character: str, *, there: bool
) -> None:
    found = find("de", character, tmp_path, everywhere=False, variants="neo")
    assert found == (ord(character) if there else None)


def test_a_screen_that_is_locked_ends_what_is_under_way(portal: Portal, opening: Opening) -> None:
    with opening() as desktop:
        portal.lock()
        desktop._session._bus.is_locked()  # what was sent before this answer has arrived
        before = [*portal.sent]
        for use in (desktop.grab, lambda: desktop.type("a"), lambda: desktop.move(desktop.region.center)):
            with pytest.raises(DesktopError) as told:
                use()
            assert str(told.value) == LOCKED
        assert portal.sent == before


def test_nobody_is_asked_behind_a_locked_screen(portal: Portal, bus: Bus) -> None:
    portal.locked = True
    with pytest.raises(DesktopError) as told:
        Session(bus, None, look_on)
    assert str(told.value) == LOCKED
    assert not portal.asked


def test_a_screen_that_is_not_locked_is_used(portal: Portal, bus: Bus) -> None:
    portal.locked = False
    Session(bus, None, look_on).send("NotifyKeyboardKeysym", "iu", 0x61, 1)
    assert portal.sent == [("NotifyKeyboardKeysym", (0x61, 1))]


def test_nothing_is_sent_once_the_pictures_have_ended(
    portal: Portal, pictures: type[CaptureStream], opening: Opening
) -> None:
    with opening() as desktop:
        before = [*portal.sent]
        pictures.made[-1].stop()
        for use in (lambda: desktop.type("a"), lambda: desktop.press("a"), lambda: desktop.scroll("up", 1)):
            with pytest.raises(DesktopError, match="monitors have changed"):
                use()
        assert portal.sent == before


def test_the_clipboard_of_every_program_is_used_where_no_portal_asks_about_one(
    sway: Sway, portal: Portal, bus: Bus
) -> None:
    def pasted() -> str:
        done = subprocess.run(["wl-paste", "-n"], env=sway.environment, capture_output=True, check=True, timeout=CAP_S)
        return done.stdout.decode()

    with contextlib.closing(OpenClipboard(sway.socket)) as shared:
        assert (shared.read(look_on), shared.count) == (None, 0)
        with contextlib.closing(shared.offered("Grüße 😀")):
            assert (pasted(), shared.read(look_on), shared.count) == ("Grüße 😀", "Grüße 😀", 0)
            subprocess.run(["wl-copy", "from outside"], env=sway.environment, check=True, timeout=CAP_S)
            sway.until(lambda: shared.count == 1)
        assert shared.read(look_on) == "from outside"


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("has", [False, True])
def test_a_clipboard_about_which_a_person_is_asked_is_not_gone_round(
    sway: Sway, portal: Portal, bus: Bus, *, has: bool, looks: bool
) -> None:
    portal.has_clipboard = has
    desktop = PortalDesktop.__new__(PortalDesktop)  # sway lets the portal show nothing
    desktop._path, desktop._opened = sway.socket, contextlib.ExitStack()
    desktop._session = Session(bus, None, look_on, looks=looks)
    with desktop._opened:
        found = desktop._find_clipboard(is_open=not looks)
        assert isinstance(found, Clipboard if has or looks else OpenClipboard)
        assert found.exists != looks


def test_a_clipboard_is_not_read_once_the_permission_was_taken_back(portal: Portal, opening: Opening) -> None:
    with opening() as desktop:
        desktop._clipboard = cast("OpenClipboard", SimpleNamespace(read=lambda _check: "text", stays=False))
        portal.revoke()
        desktop._session._bus.version(REMOTE)  # what the portal sent before this answer has arrived
        with pytest.raises(DesktopError) as told:
            desktop.read_clipboard()
        assert str(told.value) == ENDED


def test_a_text_that_neither_keys_nor_clipboard_have_is_not_begun(portal: Portal, opening: Opening) -> None:
    with opening() as desktop:
        with pytest.raises(ToolFailure, match="nothing was typed"):
            desktop.type("aЖ")
        assert not [method for method, _ in portal.sent if method == "NotifyKeyboardKeysym"]
