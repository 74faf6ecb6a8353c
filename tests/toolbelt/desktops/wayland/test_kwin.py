"""The windows of Plasma: KWin itself, GTK and Qt in it, and input that arrives there through the portal."""

import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest

from tests.compositor import CaptureStream
from tests.kwin import HEIGHT, WIDTH, KWin, opened
from toolbelt.control import Control
from toolbelt.desktops import Window
from toolbelt.desktops.wayland.portal.desktop import PortalDesktop
from toolbelt.desktops.wayland.portal.kwin import KWin as Scripting
from world_model import DesktopError, Region

APPS: Final = Path(__file__).parents[3] / "apps"
SYSTEM_PYTHON: Final = "/usr/bin/python3"
HEARD_MAX_S: Final = 20.0
BUTTONS: Final = {"form_gtk.py": ("OK", "clicked ok"), "form_qt6.py": ("Order", "pressed Order")}


@pytest.fixture
def kwin(processes: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[KWin]:
    """A session of Plasma with nothing in it; skipped where there is no KWin."""
    if not shutil.which("kwin_wayland"):
        pytest.skip("There is no kwin_wayland")
    with opened(tmp_path_factory.mktemp("k", numbered=True), monkeypatch) as session:  # the path of a socket is short
        yield session


@pytest.fixture
def plasma(kwin: KWin, control: Control, monkeypatch: pytest.MonkeyPatch) -> Iterator[PortalDesktop]:
    """The desktop of that session, but for its pictures."""
    monkeypatch.setattr(CaptureStream, "size", (HEIGHT, WIDTH))
    monkeypatch.setattr(CaptureStream, "made", [], raising=False)
    monkeypatch.setitem(sys.modules, "pipewire_capture", cast("Any", SimpleNamespace(CaptureStream=CaptureStream)))
    with contextlib.closing(PortalDesktop(kwin.socket, control)) as desktop:
        yield desktop


def titled(desktop: PortalDesktop, title: str) -> Window | None:
    """The window of which the title begins so."""
    return next((one for one in desktop.windows() if one.title.startswith(title)), None)


def editor(kwin: KWin, desktop: PortalDesktop, file: Path) -> Window:
    """An editor with a file, once it has the focus."""
    file.touch()
    kwin.start_program("mousepad", "--disable-server", str(file))
    kwin.until(lambda: (one := titled(desktop, str(file))) and one.active)
    return next(one for one in desktop.windows() if one.active)


def test_windows_are_listed_raised_placed_and_closed(kwin: KWin, plasma: PortalDesktop, tmp_path: Path) -> None:
    assert plasma.knows_windows
    assert (plasma.windows(), plasma.front()) == ([], None)
    first = editor(kwin, plasma, tmp_path / "first.txt")
    second = editor(kwin, plasma, tmp_path / "second.txt")
    assert [one.title for one in plasma.windows()] == [first.title, second.title]
    assert (first.application, second.active, second.minimized, second.dialog) == ("mousepad", True, False, False)
    assert first.pid != second.pid
    assert plasma.front() == second.id
    assert plasma.region.intersection(second.region) == second.region

    plasma.focus_window(first)
    kwin.until(lambda: plasma.front() == first.id)
    assert [one.title for one in plasma.windows()] == [second.title, first.title]

    place = Region(100, 120, 640, 480)
    plasma.place_window(first, place)
    kwin.until(lambda: titled(plasma, first.title).region == place)  # type: ignore[union-attr]

    plasma.close_window(second)
    kwin.until(lambda: [one.title for one in plasma.windows()] == [first.title])


def test_a_dialog_is_told_from_its_window(kwin: KWin, plasma: PortalDesktop, tmp_path: Path) -> None:
    window = editor(kwin, plasma, tmp_path / "first.txt")
    plasma.type("a")
    kwin.until(lambda: (one := titled(plasma, "*")) and one.unsaved)
    plasma.close_window(window)
    kwin.until(lambda: any(one.dialog and one.active for one in plasma.windows()))
    assert [one.pid for one in plasma.windows()] == [window.pid] * 2


def test_a_text_ends_where_another_window_takes_the_focus(kwin: KWin, plasma: PortalDesktop, tmp_path: Path) -> None:
    other = editor(kwin, plasma, tmp_path / "other.txt")
    meant = editor(kwin, plasma, tmp_path / "meant.txt")
    assert plasma.type("typed ", meant.id) == len("typed ")
    plasma.focus_window(other)
    kwin.until(lambda: plasma.front() == other.id)
    before = [*kwin.sent]
    assert plasma.type("elsewhere", meant.id) == 0
    assert kwin.sent == before


@pytest.mark.parametrize("app", BUTTONS)
def test_what_a_program_says_is_where_it_is_clicked(kwin: KWin, plasma: PortalDesktop, app: str) -> None:
    name, title = BUTTONS[app]
    kwin.start_program(SYSTEM_PYTHON, str(APPS / app))

    def buttons() -> list[Region]:
        pids = [one.pid for one in plasma.windows() if one.pid]
        nodes = [node for tree in plasma.trees(pids, HEARD_MAX_S) or () for node in tree.nodes]
        return [one.region for one in nodes if (one.role, one.name) == ("button", name) and one.region]

    kwin.until(buttons)
    assert not plasma.unheard
    plasma.click(buttons()[0].center)
    kwin.until(lambda: titled(plasma, title))


def test_a_session_that_ends_is_told_in_one_line(kwin: KWin, plasma: PortalDesktop) -> None:
    kwin.process.kill()
    kwin.process.wait()
    with pytest.raises(DesktopError, match="KWin") as told:
        plasma.windows()
    assert "\n" not in str(told.value)


def test_nothing_stays_in_kwin(kwin: KWin, plasma: PortalDesktop) -> None:
    plasma.windows()
    scripting = plasma._windows._kwin  # type: ignore[attr-defined]
    assert scripting._ask("isScriptLoaded", scripting._name) == (False,)


def test_without_kwin_no_windows_are_known(kwin: KWin) -> None:
    kwin.process.kill()
    kwin.process.wait()
    with pytest.raises(DesktopError, match="KWin"):
        Scripting()
