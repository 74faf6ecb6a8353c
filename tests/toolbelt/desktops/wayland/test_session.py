"""A real Wayland session, with programs that nobody here wrote: text, clicks, windows, clipboard, and its end."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.portal import closed_session
from tests.support import Run
from tests.sway import Session, desktop_of, page
from toolbelt.control import Control
from toolbelt.desktops import Hotkey
from toolbelt.desktops.base import SeenPlace
from toolbelt.desktops.wayland import WaylandDesktop
from toolbelt.desktops.wayland.sway import HotkeyListener
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, DesktopError, Halt, Point, Region, ToolFailure

CAP_S = 60.0
TEXT = "Straße, naïve, 3,14 €\n\tПривет 漢字 日本 שלום — {[<|>]} ~`'\"\\ ABCxyz ∑≠→ ñ"
ALPHABET = "".join(map(chr, (*range(0x21, 0x7F), *range(0xC0, 0x180), *range(0x391, 0x3A9), *range(0x410, 0x450))))
CHROMIUM = (
    "chromium --ozone-platform=wayland --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
REPORTS = """<script>
const told = {downs: [], ups: 0, keys: [], wheel: 0};
const tell = () => {document.title = JSON.stringify(told)};
addEventListener("mousedown", one => {told.downs.push([one.clientX, one.clientY, one.button, one.detail]); tell()});
addEventListener("mouseup", () => {told.ups += 1; tell()});
addEventListener("keydown", one => {if (!one.repeat) {told.keys.push("+" + one.key); tell()}});
addEventListener("keyup", one => {told.keys.push("-" + one.key); tell()});
addEventListener("wheel", one => {told.wheel += one.deltaY; tell()});
addEventListener("contextmenu", one => one.preventDefault());
const ready = () => {document.title = "ready"};
const draw = () => requestAnimationFrame(() => requestAnimationFrame(ready));
const wait = () => {if (document.hasFocus()) draw(); else setTimeout(wait, 20)};
wait();
</script>"""


def editor(sway: Session, file: Path, backend: str = "wayland") -> None:
    """An editor with an empty file, which has the focus."""
    file.touch()
    sway.start_program("mousepad", str(file), GDK_BACKEND=backend)
    sway.until(lambda: any(file.name in title for title in sway.titles()[:1]))


def saved(sway: Session, wayland: WaylandDesktop, file: Path) -> str:
    """What an editor saves."""
    before = file.stat().st_mtime_ns
    wayland.press("ctrl+s")
    sway.until(lambda: file.stat().st_mtime_ns != before and "*" not in sway.titles()[0])
    return file.read_text()


def reporter(sway: Session, folder: Path, body: str = REPORTS) -> None:
    """A browser with a page that reports by its title what it gets."""
    address = page(folder, body)
    sway.start_program(*CHROMIUM.split(), f"--user-data-dir={folder / 'profile'}", f"--app={address}")
    sway.until(lambda: sway.titles()[:1] == ["ready"])


def report(sway: Session) -> dict[str, Any]:
    """What the page has got."""
    titles = [one for one in sway.titles() if one.startswith("{")]
    return json.loads(titles[0]) if titles else {"downs": [], "ups": 0, "keys": [], "wheel": 0}


@pytest.mark.parametrize("backend", ["wayland", "x11"])
def test_any_text_is_typed_exactly(sway: Session, wayland: WaylandDesktop, tmp_path: Path, backend: str) -> None:
    editor(sway, file := tmp_path / "letter.txt", backend)
    assert wayland.type(TEXT) == len(TEXT)
    assert saved(sway, wayland, file).rstrip("\n") == TEXT

    wayland.press("ctrl+a")
    lines = "\n".join(ALPHABET[start : start + 60] for start in range(0, len(ALPHABET), 60))
    whole = f"{lines}\n" * 6  # more than a program may let wait
    assert wayland.type(whole) == len(whole)
    assert saved(sway, wayland, file).rstrip("\n") == whole.rstrip("\n")


def test_keys_are_held_and_released(sway: Session, wayland: WaylandDesktop, tmp_path: Path, browser: None) -> None:
    reporter(sway, tmp_path)
    wayland.key_down("shift")
    wayland.press("a")
    wayland.type("b")  # as text: a held key does not change it
    wayland.key_up("shift")
    wayland.press("ctrl+é")
    sway.until(lambda: len(report(sway)["keys"]) >= 10)

    typed = [one for one in report(sway)["keys"] if one[1:] not in {"Shift", "Control"}]
    assert typed == ["+A", "-A", "+b", "-b", "+é", "-é"]
    with pytest.raises(ToolFailure):
        wayland.key_up("shift")


@pytest.mark.parametrize("copied", [None, "copied before"])
def test_what_a_program_does_not_take_as_keys_is_pasted(
    sway: Session, wayland: WaylandDesktop, tmp_path: Path, browser: None, copied: str | None
) -> None:
    field = "<textarea id=field autofocus></textarea>"
    fields = REPORTS + field + "<script>field.oninput = () => {told.text = field.value; tell()}</script>"
    reporter(sway, tmp_path, fields)
    if copied:
        wayland.write_clipboard(copied)
    copies = wayland.copies()

    assert wayland.type("a 😀👩‍👩‍👧‍👦 𝒳 b") == len("a 😀👩‍👩‍👧‍👦 𝒳 b")
    sway.until(lambda: report(sway).get("text", "").endswith(" b"))

    assert report(sway)["text"] == "a 😀👩‍👩‍👧‍👦 𝒳 b"
    assert (wayland.read_clipboard(), wayland.copies()) == (copied, copies)


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_clicks_arrive_on_the_exact_pixel(
    sway: Session, wayland: WaylandDesktop, tmp_path: Path, browser: None, scale: float
) -> None:
    sway.command(f"output HEADLESS-1 scale {scale}")
    reporter(sway, tmp_path)

    def arrives(at: Point) -> tuple[int, int]:
        """How far from a place the page says that the click was: where its own corner is, if it was exact."""
        before = len(report(sway)["downs"])
        assert wayland.click(at)
        sway.until(lambda: len(report(sway)["downs"]) > before)
        x, y, *_ = report(sway)["downs"][-1]
        return at.x - round(x * scale), at.y - round(y * scale)

    corner = arrives(Point(640, 400))
    while corner != (again := arrives(Point(640, 400))):  # its title bar may go once it is there
        corner = again
    for place in (Point(300, 400), Point(301, 401), Point(900, 700), Point(1200, 333)):
        x, y = arrives(place)
        assert (abs(x - corner[0]), abs(y - corner[1])) <= ((0, 0) if scale == 1 else (1, 1))

    wayland.click(Point(400, 500), count=2)
    wayland.click(Point(400, 500), "right")
    wayland.scroll("down", 3)
    sway.until(lambda: report(sway)["wheel"] > 0)
    wayland.scroll("up", 3)
    sway.until(lambda: report(sway)["wheel"] == 0)
    assert [one[2:] for one in report(sway)["downs"][-3:]] == [[0, 1], [0, 2], [2, 1]]


def test_a_click_is_refused_where_something_changed(sway: Session, wayland: WaylandDesktop, tmp_path: Path) -> None:
    assert wayland.grab() is wayland.grab()  # nothing changes, and nothing is copied

    editor(sway, tmp_path / "letter.txt")
    place = Point(60, 200)
    sway.until(lambda: wayland.click(place, seen=SeenPlace(wayland.grab(), time.monotonic())))  # it is drawn by then
    wayland.move(Point(1200, 700))  # this compositor draws the pointer into the picture
    seen = SeenPlace(wayland.grab(), time.monotonic())
    wayland.type("changed\n" * 30)
    sway.until(lambda: not seen.still(place, wayland.grab()))
    assert not wayland.click(place, seen=seen)


def test_monitors_that_are_turned_and_scaled_are_one_desktop(sway: Session, wayland: WaylandDesktop) -> None:
    sway.command("output HEADLESS-1 position 0 0 transform 90 scale 2")
    sway.command("create_output")
    sway.until(lambda: len(wayland.monitors) == 2)
    sway.command("output HEADLESS-2 resolution 600x500 position -600 0")
    sway.until(lambda: wayland.monitors[0] == Region(0, 0, 800, 1280))

    assert wayland.monitors == (Region(0, 0, 800, 1280), Region(-1200, 0, 1200, 1000))
    assert wayland.region == wayland.grab().region == Region(-1200, 0, 2000, 1280)


def test_windows_are_listed_raised_placed_and_closed(sway: Session, wayland: WaylandDesktop, tmp_path: Path) -> None:
    editor(sway, tmp_path / "first.txt")
    editor(sway, tmp_path / "second.txt")
    first, second = sorted(wayland.windows(), key=lambda one: one.title)
    assert (first.application, first.active, second.active) == ("mousepad", False, True)
    assert second.pid
    assert wayland.front() == second.id
    assert not first.region.intersection(second.region).width

    wayland.focus_window(first)
    assert wayland.front() == first.id
    place = Region(100, 120, 640, 480)

    def placed() -> bool:
        """Ask until it is there: a program that has yet to answer that it was tiled keeps that size."""
        wayland.place_window(first, place)
        return place in [one.region for one in wayland.windows()]

    sway.until(placed)

    wayland.press("ctrl+o")
    sway.until(lambda: any(one.dialog for one in wayland.windows()))
    wayland.press("escape")
    wayland.close_window(second)
    sway.until(lambda: [one.title for one in wayland.windows()] == [first.title])


def test_windows_are_known_without_sway_but_for_their_places(
    sway: Session, control: Control, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(sway, tmp_path / "first.txt")
    monkeypatch.delenv("SWAYSOCK")
    with desktop_of(sway, control) as desktop:
        [window] = desktop.windows()
        assert ("first.txt" in window.title, window.active, window.pid) == (True, True, None)
        assert desktop.front() == window.id
        with pytest.raises(ToolFailure, match="move windows"):
            desktop.place_window(window, Region(0, 0, 300, 300))
        desktop.type("text")
        desktop.press("ctrl+s")
        desktop.close_window(window)
        sway.until(lambda: not desktop.windows())


def test_the_clipboard_is_shared_with_other_programs_and_stays(
    sway: Session, control: Control, processes: None
) -> None:
    long = "Grüße 漢字 😀\n" * 20000

    def pasted() -> str:
        done = subprocess.run(["wl-paste", "-n"], env=sway.environment, capture_output=True, check=True, timeout=CAP_S)
        return done.stdout.decode()

    with desktop_of(sway, control) as desktop:
        assert (desktop.read_clipboard(), desktop.copies()) == (None, 0)
        desktop.write_clipboard(long)
        assert pasted() == long
        assert desktop.read_clipboard() == long
        subprocess.run(["wl-copy", "from outside"], env=sway.environment, check=True, timeout=CAP_S)
        sway.until(lambda: desktop.copies() == 2)
        assert desktop.read_clipboard() == "from outside"
        subprocess.run(["wl-copy", "-t", "image/png"], input=b"x", env=sway.environment, check=True, timeout=CAP_S)
        with pytest.raises(ToolFailure, match="image/png"):
            desktop.read_clipboard()
        desktop.write_clipboard("kept")
    assert pasted() == "kept"


HOLD = """
import sys, time
from pathlib import Path
from toolbelt.control import Control
from toolbelt.desktops.wayland import WaylandDesktop
from toolbelt.desktops.wayland.sway import HotkeyListener
from world_model import Point
desktop = WaylandDesktop(Path(sys.argv[1]), Control())
desktop.click(Point(600, 500))
desktop.key_down("shift")
desktop.mouse_down("left")
print("held", flush=True)
time.sleep(600)
"""


def test_nothing_stays_down_when_the_agent_is_killed(
    sway: Session, wayland: WaylandDesktop, tmp_path: Path, browser: None
) -> None:
    reporter(sway, tmp_path)
    wayland.move(Point(620, 520))  # a second mouse, as the person has one
    command = [sys.executable, "-c", HOLD, str(sway.socket)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ, cwd=Path(__file__).parents[4]) as agent:
        assert agent.stdout
        assert agent.stdout.readline() == b"held\n"
        sway.until(lambda: len(report(sway)["downs"]) == 2)
        assert (report(sway)["ups"], report(sway)["keys"]) == (1, ["+Shift"])
        agent.send_signal(signal.SIGKILL)
        sway.until(lambda: report(sway)["ups"] == 2 and report(sway)["keys"] == ["+Shift", "-Shift"])


@pytest.mark.parametrize("keys", ["ctrl+alt+escape", "super+pageup"])
def test_the_hotkey_stops_a_run(sway: Session, wayland: WaylandDesktop, control: Control, keys: str) -> None:
    class Watcher:
        def stop(self) -> None:
            control.stop()

        def pressed(self) -> None: ...

        def looked(self, at: Point, *, moved: bool, ours: bool) -> None: ...

    listening = wayland.listen(Watcher(), Hotkey.parse(keys))
    assert listening.has_hotkey
    with desktop_of(sway, Control()) as person:
        person.press(keys)
        sway.until(lambda: control.stopped)
        with pytest.raises(Halt):
            wayland.press("a")
        listening.close()


def test_a_key_that_the_person_uses_is_no_hotkey(sway: Session, wayland: WaylandDesktop) -> None:
    with sway.config.open("a") as config:
        config.write("bindsym Mod1+Ctrl+Escape kill\n")
    sway.command("reload")
    hotkey = Hotkey.parse("ctrl+alt+escape")
    with contextlib.closing(HotkeyListener(Path(sway.environment["SWAYSOCK"]), hotkey, lambda: None)) as listener:
        assert not listener.has_hotkey


def test_a_program_that_needs_wayland_is_opened_here_alone(sway: Session, wayland: WaylandDesktop) -> None:
    belt = standard_toolbelt(Eyes(wayland, wayland.control))
    done = belt.call(Action("open_app", {"name": "weston-terminal"}), wayland.control).observation
    assert done.ok, done
    [window] = wayland.windows()
    assert "terminal" in window.title.casefold()
    [program] = wayland._started
    os.kill(program.pid, signal.SIGTERM)
    sway.until(lambda: not program.running())


def test_a_session_that_ends_is_told_in_one_line(sway: Session, wayland: WaylandDesktop) -> None:
    sway.process.kill()
    sway.process.wait()
    for use in (wayland.grab, wayland.windows, lambda: wayland.type("x"), wayland.read_clipboard):
        with pytest.raises(DesktopError) as caught:
            use()
        assert "\n" not in str(caught.value)
        assert "Wayland" in str(caught.value)


def test_a_session_that_lets_programs_do_nothing_is_refused(processes: None, control: Control, tmp_path: Path) -> None:
    with closed_session(tmp_path) as socket, pytest.raises(DesktopError, match="does not let programs see the screen"):
        WaylandDesktop(socket, control)


def test_a_run_works_in_the_session(sway: Session, mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.touch()
    goal = f'open mousepad with "{file}", type "Dear Anna, 5 €", press enter, type "Ж", press ctrl+s'

    done = mark_i("run", goal, "--brain", "offline", "--yes", env=sway.environment | dict(os.environ))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Wayland desktop" in done.stdout
    assert file.read_text().rstrip("\n") == "Dear Anna, 5 €\nЖ"
