"""Real desktops: Xvfb, openbox, and applications that nobody here wrote."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from xcffib import xproto

from tests.support import plain_window, processes_with
from toolbelt.control import Control
from toolbelt.desktops.apps import command_for
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, DesktopError, Halt, Observation, Point, Region, Size

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine


def mark_of(desktop: VirtualDesktop) -> str:
    return f"{MARK}={desktop._environment[MARK]}"


@pytest.mark.usefixtures("display")
def test_a_virtual_desktop_has_its_size_and_leaves_no_process(control: Control) -> None:
    desktop = VirtualDesktop(Size(800, 600), control)
    mark = mark_of(desktop)
    desktop.launch(["xterm"])
    assert control.until(desktop.windows, CAP_S)

    assert (desktop.region.width, desktop.region.height) == (800, 600)
    assert desktop.grab().pixels.shape == (600, 800, 3)
    assert len(processes_with(mark)) >= 3

    desktop.close()
    assert processes_with(mark) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_other_users_cannot_access_a_virtual_desktop(desktop: VirtualDesktop) -> None:
    asked = ["xdotool", "getdisplaygeometry"]
    display = {"PATH": os.environ["PATH"], "DISPLAY": desktop._environment["DISPLAY"]}

    mine = subprocess.run(asked, env=display, capture_output=True, check=True)
    theirs = subprocess.run(asked, env=display, capture_output=True, check=False, user="nobody", cwd="/")

    assert mine.stdout
    assert (theirs.stdout, theirs.returncode) == (b"", 1)
    assert b"Authorization required" in theirs.stderr


@pytest.mark.usefixtures("display")
def test_what_is_on_a_shared_desktop_stays_when_one_user_leaves_it(control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        mark = mark_of(desktop)
        first, second = Control(), Control()
        with closing(desktop.share(first)) as shared:
            shared.launch(["xterm", "-T", "Stays"])
            shared.launch(["env", "-i", "sleep", "600"])  # as Chromium, which overwrites its environment
            unmarked = shared._started[-1].pid
            assert first.until(shared.windows, CAP_S)
            shared.key_down("shift")
            first.stop()

        with closing(desktop.share(second)) as shared:
            assert [window.title for window in shared.windows()] == ["Stays"]
            assert not any(shared._own.keys_down())
            assert unmarked in shared._programs()
            shared.press("a")
        assert unmarked in desktop._programs()
        os.kill(unmarked, signal.SIGKILL)

    assert processes_with(mark) == []


@pytest.mark.usefixtures("display")
def test_the_keeper_ends_everything_when_its_parent_is_gone(control: Control) -> None:
    desktop = VirtualDesktop(Size(640, 480), control)
    mark = mark_of(desktop)
    with closing(desktop):
        desktop.launch(["xterm", "-e", "trap '' TERM HUP; while :; do sleep 1; done"])
        assert control.until(desktop.windows, CAP_S)
        assert desktop._keeper.stdin is not None

        desktop._keeper.stdin.close()  # what a kill -9 of this process does to the pipe

        assert control.until(lambda: not processes_with(mark), CAP_S)


@pytest.mark.usefixtures("display")
def test_a_killed_keeper_leaves_no_display(control: Control) -> None:
    desktop = VirtualDesktop(Size(640, 480), control)
    with closing(desktop):
        display = desktop._own_processes()
        assert len(display) == 4, "Xvfb, openbox, the bus, and the accessibility service"

        desktop._keeper.kill()

        assert control.until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in display), CAP_S)
        assert not processes_with(mark_of(desktop))
        assert control.until(lambda: not processes_with(f"{mark_of(desktop)}.bus"), CAP_S)


@pytest.mark.usefixtures("processes")
def test_a_forked_child_does_not_keep_the_desktop(control: Control) -> None:
    forking = """
import os, sys, time
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from world_model import Size
desktop = VirtualDesktop(Size(640, 480), Control())
if os.fork() == 0:
    os.close(1)
    time.sleep(15)
    os._exit(0)
print(desktop._environment["MARK_I_DESKTOP"], flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run(
        [sys.executable, "-c", forking], stdout=subprocess.PIPE, text=True, check=False, timeout=CAP_S
    )

    assert control.until(lambda: not processes_with(f"{MARK}={done.stdout.strip()}"), CAP_S)


def test_what_is_typed_and_pressed_arrives_in_a_terminal(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    desktop.launch(["xterm", "-e", f"cat > {out}; sleep 60"])
    assert control.until(desktop.front, CAP_S), "a window is listed before it has the focus"

    desktop.type("Zeile 1: <a> & «é» €\nZeile 2\n")
    desktop.press("ctrl+d")

    wanted = "Zeile 1: <a> & «é» €\nZeile 2\n"
    assert control.until(lambda: out.exists() and out.read_text(encoding="utf-8") == wanted, CAP_S), out.read_text()


def test_two_desktops_in_one_process_have_their_own_mouse(desktop: VirtualDesktop, control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as other:
        desktop.move(Point(11, 22))
        other.move(Point(333, 444))

        assert (desktop.pointer(), other.pointer()) == (Point(11, 22), Point(333, 444))


@pytest.mark.usefixtures("display")
def test_a_window_opened_immediately_is_shown(control: Control) -> None:
    """A window manager that had just started left it until something else happened, on every second desktop."""
    for _ in range(5):
        with (
            closing(VirtualDesktop(Size(640, 480), control)) as desktop,
            closing(Connection(desktop.display)) as display,
        ):
            plain_window(display, Region(0, 0, 100, 100), {})
            assert control.until(lambda: any(one.active for one in desktop.windows()), CAP_S)


def test_windows_are_listed_by_title_and_can_be_closed(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    desktop.launch(["xterm", "-T", "Ein Fenster ä", "-e", f"touch {ready}; exec sleep 600"])
    assert control.until(lambda: ready.exists() and any(window.active for window in desktop.windows()), CAP_S)
    [window] = desktop.windows()

    assert (window.title, window.application) == ("Ein Fenster ä", "XTerm")
    assert window.region.center in desktop.region

    desktop.close_window(window)
    assert control.until(lambda: not desktop.windows(), CAP_S)


@pytest.mark.usefixtures("display")
def test_a_started_program_gets_no_secret(control: Control, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MARK_I_SECRET_BANK", "MARK_I_TOTP_BANK", "GEMINI_API_KEY", "HARMLESS"):
        monkeypatch.setenv(name, "hunter22")
    written = tmp_path / "environment"
    with closing(VirtualDesktop(Size(320, 240), control)) as desktop:
        desktop.launch(["sh", "-c", f"env > {written}.part; mv {written}.part {written}"])
        assert control.until(written.exists, CAP_S)
    assert [line for line in written.read_text().splitlines() if "hunter22" in line] == ["HARMLESS=hunter22"]


def test_a_program_that_fails_says_why(desktop: VirtualDesktop, control: Control) -> None:
    application = desktop.launch(["sh", "-c", "echo no such luck >&2; exit 3"])

    assert control.until(application.failure, CAP_S) == "it ended with exit code 3 and said: no such luck"


def test_nothing_is_done_after_a_stop(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["xterm"])
    assert control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
    [window] = desktop.windows()
    before = desktop.pointer()
    control.stop()

    for act in (
        lambda: desktop.move(Point(5, 5)),
        lambda: desktop.click(Point(5, 5)),
        lambda: desktop.type("x"),
        lambda: desktop.press("enter"),
        lambda: desktop.scroll("down", 1),
        lambda: desktop.mouse_down("left"),
        lambda: desktop.key_down("shift"),
        lambda: desktop.press("shift", 0.1),
        lambda: desktop.write_clipboard("x"),
        lambda: desktop.focus_window(window),
        lambda: desktop.place_window(window, Region(1, 2, 3, 4)),
        lambda: desktop.close_window(window),
        lambda: desktop.launch(["xterm"]),
    ):
        with pytest.raises(Halt):
            act()
    assert desktop.pointer() == before
    assert desktop.windows() == [window]
    desktop.release()


def test_held_input_can_be_released_after_a_stop(desktop: VirtualDesktop, control: Control) -> None:
    desktop.mouse_down("middle")
    desktop.key_down("shift")
    control.stop()

    desktop.mouse_up("middle")
    desktop.key_up("shift")

    assert not any(desktop._display.keys_down())
    assert not desktop._display.pointer().mask & xproto.KeyButMask.Button2


@pytest.mark.usefixtures("display")
def test_a_display_that_goes_away_is_a_desktop_error(control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        for pid in processes_with(mark_of(desktop)):
            if Path(f"/proc/{pid}/comm").read_text().strip() == "Xvfb":
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(DesktopError, match="went away"):
            control.until(lambda: desktop.grab() and None, CAP_S)
        with pytest.raises(DesktopError, match="went away"):
            desktop.click(Point(1, 1))


@pytest.mark.usefixtures("display")
def test_a_display_that_is_not_there_is_a_desktop_error(control: Control) -> None:
    with pytest.raises(DesktopError, match=":4711"):
        LiveDesktop(":4711", control)


# Opening an application --------------------------------------------------------------------------------------------


def test_a_broken_application_entry_hides_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "applications"
    folder.mkdir()
    head = "[Desktop Entry]\nType=Application\n"
    (folder / "broken.desktop").write_text(f'{head}Name=Broken\nExec=xterm "unclosed\n')
    (folder / "whole.desktop").write_text(f"{head}Name=Whole\nExec=xterm -T Whole\n")
    where = {"XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}

    assert command_for("whole", where) == (["xterm", "-T", "Whole"], [])
    assert command_for("no such program", where) == (None, ["Whole"])


def opened(desktop: VirtualDesktop, control: Control, name: str, *args: str) -> Observation:
    belt = standard_toolbelt(Eyes(desktop, control))
    return belt.call(Action("open_app", {"name": name, "args": list(args)}), control).observation


@pytest.fixture
def counters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two applications of one kind, of which the first does not run here, and one program for Wayland."""
    head = "[Desktop Entry]\nType=Application\nCategories=Utility;Calculator;\n"
    folder = tmp_path / "applications"
    folder.mkdir()
    (folder / "broken.desktop").write_text(f"{head}Name=Broken\nExec=false\n")
    (folder / "whole.desktop").write_text(f"{head}Name=Whole\nExec=xterm -T Whole -e cat\n")
    aqua = tmp_path / "aqua"
    aqua.write_bytes(b"\x7fELF libwayland-client.so.0")
    aqua.chmod(0o755)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


@pytest.mark.usefixtures("counters")
def test_the_first_application_of_a_kind_that_runs_is_opened(desktop: VirtualDesktop, control: Control) -> None:
    assert opened(desktop, control, "the calculator").text == 'Started xterm; its window "Whole" (XTerm) is in front.'


@pytest.mark.usefixtures("counters")
def test_a_program_for_wayland_is_refused_with_the_reason(desktop: VirtualDesktop, control: Control) -> None:
    error = opened(desktop, control, "aqua").error

    assert error is not None
    assert "only under Wayland" in error.message


def test_a_file_is_opened_in_what_opens_its_type(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "applications").mkdir()
    entry = "[Desktop Entry]\nType=Application\nName=Reader\nExec=xterm -e less %f\nMimeType=text/plain;\n"
    (tmp_path / "applications" / "reader.desktop").write_text(entry)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "monday.txt").write_text("soup")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")

    assert opened(desktop, control, "monday.txt").text.startswith("Started xterm")
    picture, nothing = (opened(desktop, control, name).error for name in ("picture.png", "tuesday.txt"))
    assert picture is not None
    assert picture.message == f"No application that is installed opens files like {tmp_path / 'picture.png'}."
    assert nothing is not None
    assert nothing.message == 'There is no application "tuesday.txt".'


def test_an_opened_application_is_reported_with_its_window_title(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    lone = sys.executable, str(APPS / "lone_tk.py"), str(tmp_path / "door")
    first = opened(desktop, control, *lone)
    assert first.ok
    assert first.text == f'Started {sys.executable}; its window "Loading" (Lone) is in front.'
    assert control.until(lambda: [window.title for window in desktop.windows()] == ["Alone"], CAP_S)

    second = opened(desktop, control, "xterm", "-T", "Über", "-e", "cat")  # a shell may rename its window
    assert second.text.startswith("Started ")
    assert second.text.endswith('xterm; its window "Über" (XTerm) is in front.')

    again = opened(desktop, control, *lone)
    assert again.text == f'{sys.executable} is running already; its window "Alone" (Lone) is in front.'
    assert len(desktop.windows()) == 2


def test_an_application_that_is_in_front_may_open_a_tab_or_nothing_there(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk")
    assert opened(desktop, control, "mousepad", str(file)).ok
    assert len(desktop.windows()) == 1

    tab, same = opened(desktop, control, "mousepad"), opened(desktop, control, "mousepad")
    file_again = opened(desktop, control, "mousepad", str(file)), opened(desktop, control, "mousepad", str(file))

    assert [one.ok for one in (tab, same, *file_again)] == [True] * 4
    assert "running already" in tab.text
    assert "notes.txt" in file_again[1].text
    assert len(desktop.windows()) == 1


@pytest.mark.parametrize(
    ("kind", "told"), [("splash", '"Sheet"'), ("hint", '"Sheet"'), ("alone", '"Loading"')], ids=lambda one: one[:6]
)
def test_a_window_that_takes_no_keys_counts_only_if_no_other_comes(
    desktop: VirtualDesktop, control: Control, kind: str, told: str
) -> None:
    python = "/usr/bin/python3"  # it has GTK

    done = opened(desktop, control, python, str(APPS / "splash_gtk.py"), kind)

    assert done.ok, done.error
    assert f"its window {told} " in done.text
    assert done.text.endswith("is in front." if kind != "alone" else "is not in front.")


def test_a_failure_to_open_is_reported_in_one_line(desktop: VirtualDesktop, control: Control) -> None:
    says = r"printf 'loading\r\n\033[31mError:\033[0m\tno \007file.\r\n' >&2; exit 4"

    problem = opened(desktop, control, "sh", "-c", says).error

    assert problem
    assert problem.code == "TOOL_ERROR"
    assert problem.message.endswith("sh opened no window: it ended with exit code 4 and said: loading Error: no file.")
    assert problem.message.isprintable()


def test_only_the_end_of_a_long_error_is_reported(desktop: VirtualDesktop, control: Control) -> None:
    says = "seq 1 1000 >&2; echo out of paper >&2; exit 1"

    problem = opened(desktop, control, "sh", "-c", says).error

    assert problem
    assert problem.message.endswith(" 999 1000 out of paper.")
    assert "said: … " in problem.message
    assert len(problem.message) < 500


def test_a_missing_application_is_an_error_with_near_names(desktop: VirtualDesktop, control: Control) -> None:
    problem = opened(desktop, control, "mousepat").error

    assert problem
    assert (problem.code, problem.message) == ("TARGET_NOT_FOUND", 'There is no application "mousepat".')
    assert "Mousepad" in problem.hints[0]
    assert desktop.windows() == []
