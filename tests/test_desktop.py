"""Real desktops: Xvfb, openbox, and applications that nobody here wrote."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import processes_with
from toolbelt.control import Control
from toolbelt.keeper import MARK
from toolbelt.live import LiveDesktop
from toolbelt.virtual import VirtualDesktop
from world_model import DesktopError, Halt, Point, Size

CAP = 30.0  # seconds for an application to do something on a busy machine


def mark_of(desktop: VirtualDesktop) -> str:
    return f"{MARK}={desktop._environment[MARK]}"


def test_a_virtual_desktop_has_its_size_and_a_window_manager_and_leaves_no_process(control: Control) -> None:
    desktop = VirtualDesktop(Size(800, 600), control)
    mark = mark_of(desktop)
    desktop.launch(["xterm"])
    assert control.until(desktop.windows, CAP)

    assert (desktop.region.width, desktop.region.height) == (800, 600)
    assert desktop.grab().pixels.shape == (600, 800, 3)
    assert len(processes_with(mark)) >= 3

    desktop.close()
    assert processes_with(mark) == []


def test_the_keeper_ends_everything_when_its_parent_is_gone(control: Control) -> None:
    desktop = VirtualDesktop(Size(640, 480), control)
    mark = mark_of(desktop)
    with closing(desktop):
        desktop.launch(["xterm", "-e", "trap '' TERM HUP; while :; do sleep 1; done"])
        assert control.until(desktop.windows, CAP)
        assert desktop._keeper.stdin is not None

        desktop._keeper.stdin.close()  # what a kill -9 of this process does to the pipe

        assert control.until(lambda: not processes_with(mark), CAP)


def test_a_forked_child_that_outlives_its_parent_does_not_keep_the_desktop(control: Control) -> None:
    forking = """
import os, sys, time
from toolbelt.control import Control
from toolbelt.virtual import VirtualDesktop
from world_model import Size
desktop = VirtualDesktop(Size(640, 480), Control())
if os.fork() == 0:
    os.close(1)
    time.sleep(15)
print(desktop._environment["MARK_I_DESKTOP"], flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", forking], stdout=subprocess.PIPE, text=True, check=False, timeout=30)

    assert control.until(lambda: not processes_with(f"{MARK}={done.stdout.strip()}"), CAP)


def test_what_is_typed_and_pressed_arrives_in_a_terminal(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    desktop.launch(["xterm", "-e", f"cat > {out}; sleep 60"])
    assert control.until(desktop.windows, CAP)

    desktop.type("Zeile 1: <a> & «é» €\nZeile 2\n")
    desktop.press("ctrl+d")

    wanted = "Zeile 1: <a> & «é» €\nZeile 2\n"
    assert control.until(lambda: out.exists() and out.read_text(encoding="utf-8") == wanted, CAP), out.read_text()


def test_two_desktops_in_one_process_do_not_take_each_others_mouse(desktop: VirtualDesktop, control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as other:
        desktop.move(Point(11, 22))
        other.move(Point(333, 444))

        assert (desktop.pointer(), other.pointer()) == (Point(11, 22), Point(333, 444))


def test_windows_are_listed_by_title_and_can_be_closed(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["xterm", "-T", "Ein Fenster ä"])
    assert control.until(lambda: any(window.active for window in desktop.windows()), CAP)
    [window] = desktop.windows()

    assert (window.title, window.application) == ("Ein Fenster ä", "XTerm")
    assert window.region.center in desktop.region

    desktop.close_window(window)
    assert control.until(lambda: not desktop.windows(), CAP)


def test_a_program_that_fails_says_why(desktop: VirtualDesktop, control: Control) -> None:
    application = desktop.launch(["sh", "-c", "echo no such luck >&2; exit 3"])

    assert control.until(application.failure, CAP) == "it ended with exit code 3 and said: no such luck"


def test_nothing_is_done_after_a_stop(desktop: VirtualDesktop, control: Control) -> None:
    before = desktop.pointer()
    control.stop()

    for act in (
        lambda: desktop.move(Point(5, 5)),
        lambda: desktop.click(Point(5, 5)),
        lambda: desktop.type("x"),
        lambda: desktop.press("enter"),
        lambda: desktop.scroll("down", 1),
        lambda: desktop.launch(["xterm"]),
    ):
        with pytest.raises(Halt):
            act()
    assert desktop.pointer() == before
    desktop.release()


def test_a_display_that_goes_away_is_a_desktop_error(control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        for pid in processes_with(mark_of(desktop)):
            if Path(f"/proc/{pid}/comm").read_text().strip() == "Xvfb":
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(DesktopError, match="went away"):
            control.until(lambda: desktop.grab() and None, CAP)
        with pytest.raises(DesktopError, match="went away"):
            desktop.click(Point(1, 1))


def test_a_display_that_is_not_there_is_a_desktop_error(control: Control) -> None:
    with pytest.raises(DesktopError, match=":4711"):
        LiveDesktop(":4711", control)
