"""The doctor: what works is really tried, what fails is told with what to do, and nothing is left behind."""

import contextlib
import itertools
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from PIL import Image
from xcffib import xproto

from mark_i.config.api_keys import Keys
from mark_i.doctor import trial
from mark_i.doctor.trial import SLOW_MS, TEXT, Window, tried
from mark_i.testing import GEMINI, OPENAI, Fault, ModelServer
from tests.support import Run, end, processes_with
from tests.sway import Session
from toolbelt.control import Control
from toolbelt.desktops.base import Button, SeenPlace
from toolbelt.desktops.fake import FakeApplication, FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection, keyboard_layouts, scale_of
from toolbelt.desktops.x11.windows import has_window_manager
from world_model import DesktopError, Point, Region

KEY: Final = "sk-a-key-that-nobody-may-see"
VIRTUAL: Final = ("--virtual", "800x600")
ON_A_DESKTOP: Final = (
    "The desktop",
    "Window manager",
    "Accessibility",
    "Scale",
    "Keyboard",
    "Clicks",
    "Typing",
    "Reading",
)
CAPTURED: Final = "A capture of the whole desktop takes "  # how long is the machine's, which may be busy


def examined(mark_i: Run, *arguments: str, **options: Any) -> dict[str, dict[str, Any]]:
    """What the doctor found, by name; with whether the exit code is the one that it tells."""
    done = mark_i("doctor", "--json", *arguments, **options)
    told = json.loads(done.stdout)
    assert done.stderr == ""
    assert done.returncode == told["exit_code"]
    assert KEY not in done.stdout
    assert [one for one in told["findings"] if not one["there"] and not one["todo"]] == []
    return {one["name"]: one for one in told["findings"]} | {"exit": {"code": told["exit_code"]}}


# What works --------------------------------------------------------------------------------------------------------


def test_all_is_tried_on_a_virtual_desktop_and_nothing_is_left(mark_i: Run, home: Path, tmp_path: Path) -> None:
    found = examined(mark_i, *VIRTUAL, env=os.environ | {"TMPDIR": str(tmp_path)})

    assert [name for name in ON_A_DESKTOP if not found[name]["there"]] == []
    assert "800x600" in found["The desktop"]["told"]
    assert TEXT in found["Typing"]["told"]
    assert found["Looking"]["told"].startswith(CAPTURED)
    assert found["exit"]["code"] == 0
    assert list(home.iterdir()) == list(tmp_path.iterdir()) == []
    assert processes_with(f"MARK_I_HOME={home}\0") == []


def test_without_a_display_the_virtual_desktop_is_examined(mark_i: Run) -> None:
    found = examined(mark_i)

    assert found["The desktop"]["there"]
    assert "There is no display here, so the agent works on a virtual desktop" in found["The desktop"]["told"]
    assert (found["This desktop"]["there"], found["This desktop"]["failed"]) == (False, False)
    assert found["exit"]["code"] == 0


def test_a_persons_own_display_is_given_back_as_it_was(mark_i: Run, desktop: VirtualDesktop, control: Control) -> None:
    desktop.move(Point(321, 123))

    bus = {"DBUS_SESSION_BUS_ADDRESS": desktop._environment["DBUS_SESSION_BUS_ADDRESS"]}

    found = examined(mark_i, env=os.environ | bus | {"DISPLAY": desktop.display})

    assert f"display {desktop.display} " in found["The desktop"]["told"]
    assert [name for name in (*ON_A_DESKTOP, "This desktop") if not found[name]["there"]] == []
    assert found["Looking"]["told"].startswith(CAPTURED)
    assert desktop.pointer() == Point(321, 123)
    assert control.until(lambda: not desktop.windows(), 60)
    assert not examined(mark_i, env=os.environ | {"DISPLAY": desktop.display})["Accessibility"]["there"]


@pytest.mark.parametrize(("took_ms", "told"), [(SLOW_MS - 1, "there"), (SLOW_MS + 1, "todo")])
def test_a_desktop_that_slows_a_run_down_is_told(took_ms: float, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, took_ms / 1000)
    monkeypatch.setattr(trial, "time", SimpleNamespace(perf_counter=lambda: next(clock)))

    looking = trial._looking(FakeDesktop(lambda _inputs: Image.new("RGB", (8, 8))))

    assert looking.told == f"{CAPTURED}{took_ms:.1f} ms."
    assert (looking.there, bool(looking.todo)) == (told == "there", told == "todo")


def test_the_report_fits_80_and_40_columns_without_colour(mark_i: Run) -> None:
    for columns in (80, 40):
        done = mark_i("doctor", *VIRTUAL, env=os.environ | {"COLUMNS": str(columns)})

        lines = [line for line in done.stdout.splitlines() if len(line.split()) > 1]  # one long word stays whole
        assert max(map(len, lines)) <= columns
        assert "ok    Clicks: 5 of 5" in done.stdout
        assert "note  API key:" in done.stdout
        assert "      -> With a key, a model" in done.stdout
        assert "\x1b" not in done.stdout
        assert done.returncode == 0


def test_layouts_and_scale_are_those_of_the_display(desktop: VirtualDesktop) -> None:
    with contextlib.closing(Connection(desktop.display)) as display:
        assert scale_of(display) == 100

        with_layouts(desktop, "de,ru")
        display.set_property(display.root, "RESOURCE_MANAGER", xproto.Atom.STRING, b"*x: 1\nXft.dpi:\t144\n")

        assert keyboard_layouts(display) == ["de", "ru"]
        assert scale_of(display) == 150


@pytest.mark.usefixtures("display")
def test_a_display_whose_window_manager_has_died_is_told_of(mark_i: Run, control: Control) -> None:
    readable, told = os.pipe()
    command = ["Xvfb", "-displayfd", str(told), "-screen", "0", "800x600x24", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[told])
    os.close(told)
    try:
        with os.fdopen(readable) as number:
            environment = os.environ | {"DISPLAY": f":{number.readline().strip()}"}
        with subprocess.Popen(["openbox"], env=environment) as manager:
            with contextlib.closing(Connection(environment["DISPLAY"])) as display:
                assert control.until(lambda: has_window_manager(display), 60)
            manager.kill()
        found = examined(mark_i, env=environment)
    finally:
        end(server)

    assert found["Window manager"]["told"].startswith("No window manager runs.")
    assert "--virtual" in found["Window manager"]["todo"]
    assert found["Clicks"]["there"]
    assert found["exit"]["code"] == 0


def test_a_keyboard_without_latin_letters_still_types_exactly(mark_i: Run, desktop: VirtualDesktop) -> None:
    with_layouts(desktop, "ru")

    found = examined(mark_i, env=os.environ | {"DISPLAY": desktop.display})

    assert found["Keyboard"]["told"].startswith("Layout: ru. It has no Latin letters")
    assert found["Typing"]["there"]
    assert found["exit"]["code"] == 0


def with_layouts(desktop: VirtualDesktop, layouts: str) -> None:
    subprocess.run(["setxkbmap", "-display", desktop.display, layouts], check=True, timeout=60)


# What does not -----------------------------------------------------------------------------------------------------


def test_under_wayland_a_virtual_desktop_is_tried(mark_i: Run) -> None:
    found = examined(mark_i, env=os.environ | {"WAYLAND_DISPLAY": "wayland-0"})

    assert "No Wayland compositor listens" in found["This desktop"]["told"]
    assert "X11" in found["This desktop"]["todo"]
    assert "No Wayland compositor listens" in found["The desktop"]["told"]
    assert "so the agent works on a virtual desktop" in found["The desktop"]["told"]
    assert found["exit"]["code"] == 0


def test_a_wayland_session_is_tried_and_says_what_it_lacks(mark_i: Run, sway: Session) -> None:
    found = examined(mark_i, env=sway.environment | dict(os.environ))

    assert found["This desktop"]["there"]
    assert "Wayland desktop has 1280x800 pixels" in found["The desktop"]["told"]
    assert "Where they are is known" in found["Windows"]["told"]
    assert "pauses when you use" in found["Your own input"]["told"]
    assert "the accessibility service does not run" in found["Accessibility"]["told"]
    assert all(found[name]["there"] for name in ("Clicks", "Typing", "Reading"))
    assert found["exit"]["code"] == 0


def test_under_wayland_without_xvfb_no_desktop_is_left(mark_i: Run, tmp_path: Path) -> None:
    found = examined(mark_i, env=os.environ | {"WAYLAND_DISPLAY": "wayland-0", "PATH": str(tmp_path)})

    assert found["The desktop"]["failed"]
    assert "sudo apt-get install xvfb openbox" in found["The desktop"]["todo"]
    assert "Clicks" not in found
    assert found["exit"]["code"] == 5


def test_an_unreachable_display_fails_and_virtual_is_offered(mark_i: Run) -> None:
    found = examined(mark_i, env=os.environ | {"DISPLAY": ":4711"})

    assert ":4711" in found["The desktop"]["told"]
    assert "mark-i doctor --virtual" in found["The desktop"]["todo"]
    assert not found["This desktop"]["there"]
    assert found["exit"]["code"] == 5


def test_a_home_that_cannot_be_written_fails(mark_i: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in ("/proc/mark-i", str(tmp_path / "file")):
        found = examined(mark_i, *VIRTUAL, env=os.environ | {"MARK_I_HOME": place})

        assert place in found["A place for runs"]["told"]
        assert "MARK_I_HOME" in found["A place for runs"]["todo"]
        assert found["Clicks"]["there"]
        assert found["exit"]["code"] == 1


def test_settings_that_cannot_be_used_fail(mark_i: Run, home: Path) -> None:
    file = home / "profiles" / "work" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text("max_steps = 0\n")

    found = examined(mark_i, *VIRTUAL, "--profile", "work")

    assert "max_steps must be" in found["The settings"]["told"]
    assert str(file) in found["The settings"]["todo"]
    assert found["exit"]["code"] == 2
    assert examined(mark_i, *VIRTUAL)["exit"]["code"] == 0


def test_a_window_that_does_not_stay_is_told(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> None:
    file = tmp_path / "told"
    file.touch()
    window = Window(file, desktop.launch(["sh", "-c", "echo no display >&2; exit 3"]), control)

    with pytest.raises(DesktopError, match="did not stay: it ended with exit code 3 and said: no display"):
        window.until(lambda: False)


def test_a_desktop_on_which_no_window_comes_up_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "WINDOW_MAX_S", 0.1)  # none ever comes
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (64, 64)), Control())

    found = list(tried(desktop, desktop.control))

    assert found[0].about == "desktop"
    assert not found[0].there
    assert "mark-i doctor --virtual" in found[0].todo


class MovingDesktop(FakeDesktop):
    """A desktop that puts the doctor's window elsewhere as soon as there is input."""

    WINDOW = Region(300, 240, 500, 200)

    def launch(self, command: Sequence[str]) -> FakeApplication:
        self.file = Path(command[-2])
        self.tell("pad", [0, 40, 500, 200])
        self.tell("focus", told=True)
        self.is_moved = False
        return super().launch(command)

    def tell(self, name: str, told: object) -> None:
        with self.file.open("a", encoding="ascii") as lines:
            lines.write(json.dumps({name: told}) + "\n")

    def arrives(self, name: str, at: Point) -> None:
        if at in self.WINDOW:
            self.tell(name, [at.x, at.y])
        if not self.is_moved:
            self.tell("pad", astuple(self.WINDOW))
            self.is_moved = True

    def move(self, to: Point) -> None:
        super().move(to)
        self.arrives("pointer", to)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        self.arrives("click", at)
        return super().click(at, button, count, seen)


def test_a_window_that_is_moved_is_clicked_where_it_is() -> None:
    desktop = MovingDesktop(lambda _inputs: Image.new("RGB", (1000, 800)), Control())

    found = next(tried(desktop, desktop.control))

    assert found.told == "5 of 5 arrived on the exact pixel."


# The model ---------------------------------------------------------------------------------------------------------


def asking(mark_i: Run, server: ModelServer, key: str = KEY) -> dict[str, dict[str, Any]]:
    for name, value in (("brain", "openai:some-model"), ("base_url", server.base_url)):
        assert mark_i("config", "set", name, value).returncode == 0
    return examined(mark_i, *VIRTUAL, env=os.environ | {"OPENAI_API_KEY": key})


def test_a_model_is_asked_once_for_one_word(mark_i: Run) -> None:
    with ModelServer(OPENAI, ["yes"], key=KEY) as server:
        found = asking(mark_i, server)

    assert found["The model"]["told"] == "openai:some-model answers."
    assert found["exit"]["code"] == 0
    assert (server.requests, server.complaints) == (1, [])


def test_a_wrong_key_fails_and_is_not_told(mark_i: Run) -> None:
    with ModelServer(OPENAI, ["yes"], key="another") as server:
        found = asking(mark_i, server)

    assert "refused the key" in found["The model"]["told"]
    assert "mark-i config set openai.key" in found["The model"]["told"]
    assert found["exit"]["code"] == 4
    assert server.requests == 1


def test_a_service_that_does_not_answer_times_out(mark_i: Run) -> None:
    mark_i("config", "set", "model_seconds", "1")
    with ModelServer(OPENAI, [], key=KEY, faults={1: Fault("hang")}) as server:
        found = asking(mark_i, server)

    assert "gave no answer within 1 seconds" in found["The model"]["told"]
    assert found["exit"]["code"] == 4


def test_a_model_without_a_key_fails_and_is_not_asked(mark_i: Run) -> None:
    with ModelServer(GEMINI, ["yes"], key=KEY) as server:
        mark_i("config", "set", "base_url", server.base_url)
        mark_i("config", "set", "brain", "gemini")
        found = examined(mark_i, *VIRTUAL)

    assert "needs an API key" in found["The model"]["told"]
    assert found["exit"]["code"] == 4
    assert server.requests == 0
    assert Keys().get("gemini") is None


def test_with_a_key_for_gemini_it_is_gemini_that_is_asked(mark_i: Run) -> None:
    with ModelServer(GEMINI, ["yes"], key=KEY) as server:
        mark_i("config", "set", "base_url", server.base_url)
        found = examined(mark_i, *VIRTUAL, env=os.environ | {"GEMINI_API_KEY": KEY})

    assert "(key in the environment)" in found["API key"]["told"]
    assert found["The model"]["told"].startswith("gemini:")
    assert found["The model"]["there"]
    assert server.requests == 1
