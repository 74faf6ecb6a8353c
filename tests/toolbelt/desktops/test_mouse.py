"""Mouse and held keys, in real applications of four toolkits that write down what reaches them."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from xcffib import xproto

from mark_i.catalog import builtin_tools
from tests.support import BUTTONS, processes_with
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.keysyms import MODIFIERS
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from toolbelt.desktops.x11.connection import KEY_PRESS, Connection
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, DesktopError, Halt, Observation, Point, Size

pytestmark = pytest.mark.timing

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
KEYS_AND_BUTTONS = xproto.KeyButMask


@dataclass
class Watched:
    """An application on a desktop that writes down what reaches it."""

    desktop: VirtualDesktop
    control: Control
    file: Path
    belt: Toolbelt
    display: Connection  # of the test's own
    old: int = 0

    def events(self) -> list[list[Any]]:
        lines = self.file.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines[self.old :]]

    def find(self, *wanted: object) -> list[list[Any]]:
        """The events that begin so."""
        return [one for one in self.events() if one[: len(wanted)] == [*wanted]]

    def told(self, *wanted: object, times: int = 1) -> bool:
        """Whether so many events arrive that begin so."""
        return bool(Control().until(lambda: len(self.find(*wanted)) >= times, CAP_S))

    def forget(self) -> None:
        """What arrived so far counts no more."""
        self.old += len(self.events())

    def use(self, tool: str, **args: Any) -> Observation:
        return self.belt.call(Action(tool, args), self.control).observation

    def done(self, tool: str, **args: Any) -> str:
        """What the tool says, which has to work."""
        observation = self.use(tool, **args)
        assert observation.ok, observation.error
        return observation.text

    def refused(self, tool: str, **args: Any) -> tuple[str, str]:
        """The code and the message of the failure."""
        problem = self.use(tool, **args).error
        assert problem
        return problem.code, problem.message

    def nothing_is_down(self) -> bool:
        return not any(self.display.keys_down()) and not self.state() & BUTTONS

    def state(self) -> int:
        """The modifiers and buttons that are down, as bits."""
        return int(self.display.pointer().mask)

    def keymap(self) -> list[int]:
        return list(self.display.core.GetKeyboardMapping(8, 248).reply().keysyms)

    def set_buttons(self, *mapping: int) -> None:
        """What the first buttons of the mouse count as."""
        now = list(self.display.core.GetPointerMapping().reply().map)
        whole = [*mapping, *now[len(mapping) :]]
        self.display.core.SetPointerMapping(len(whole), whole).reply()


@contextmanager
def page(log: Path) -> Iterator[str]:
    """The address of a page that writes its events into the log."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((APPS / "watch.html").read_bytes() if self.path == "/" else b"")

        def do_POST(self) -> None:
            line = self.rfile.read(int(self.headers["Content-Length"])) + b"\n"
            with log.open("ab") as out:
                out.write(line)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def started(desktop: VirtualDesktop, control: Control, folder: Path, *command: str) -> Iterator[Watched]:
    file = folder / "events"
    file.touch()
    with closing(Connection(desktop.display)) as display:
        watched = Watched(desktop, control, file, standard_toolbelt(Eyes(desktop, control)), display)
        desktop.launch(command)
        assert watched.told("ready")
        assert control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
        watched.forget()
        yield watched


App = Callable[[VirtualDesktop, Control, Path], AbstractContextManager[Watched]]


def tk(desktop: VirtualDesktop, control: Control, folder: Path) -> AbstractContextManager[Watched]:
    return started(desktop, control, folder, sys.executable, str(APPS / "watch_tk.py"), str(folder / "events"))


def gtk(desktop: VirtualDesktop, control: Control, folder: Path) -> AbstractContextManager[Watched]:
    return started(desktop, control, folder, "/usr/bin/python3", str(APPS / "watch_gtk.py"), str(folder / "events"))


def qt(desktop: VirtualDesktop, control: Control, folder: Path) -> AbstractContextManager[Watched]:
    return started(desktop, control, folder, "/usr/bin/python3", str(APPS / "watch_qt.py"), str(folder / "events"))


@contextmanager
def web(desktop: VirtualDesktop, control: Control, folder: Path) -> Iterator[Watched]:
    options = "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update", "--no-proxy-server"
    with page(folder / "events") as address:
        command = "chromium", *options, f"--user-data-dir={folder / 'profile'}", f"--app={address}"
        with started(desktop, control, folder, *command) as app:
            yield app


@pytest.fixture
def watched(
    request: pytest.FixtureRequest, desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> Iterator[Watched]:
    with request.param(desktop, control, tmp_path) as app:
        yield app


WEB = pytest.param(web, marks=pytest.mark.browser)
ALL = pytest.mark.parametrize("watched", [tk, gtk, qt, WEB], indirect=True)
ALL_BUT_TK = pytest.mark.parametrize("watched", [gtk, qt, WEB], indirect=True)
TK = pytest.mark.parametrize("watched", [tk], indirect=True)

# Mouse -------------------------------------------------------------------------------------------------------------


@ALL
def test_each_click_arrives_at_its_text(watched: Watched) -> None:
    for tool, button in (("click", 1), ("middle_click", 2), ("right_click", 3)):
        watched.forget()
        said = watched.done(tool, target="Handle")
        assert watched.told("up", button), watched.events()
        [[_, _, x, y]] = watched.find("down", button)
        assert said.endswith(f'licked "Handle" at {x}, {y}.')
    for tool, count in (("double_click", 2), ("triple_click", 3)):
        watched.forget()
        watched.done(tool, target="Handle")
        assert watched.told(f"click {count}"), watched.events()


@ALL_BUT_TK
def test_the_wheel_turns_in_four_directions(watched: Watched) -> None:
    for direction in ("up", "down", "left", "right"):
        said = watched.done("scroll", direction=direction, amount=2, target="Handle")
        assert said.startswith(f"Scrolled {direction} by 2 at ")
        assert watched.told("wheel", direction), watched.events()
    directions = [event[1] for event in watched.find("wheel")]
    assert [name for name, _ in itertools.groupby(directions)] == ["up", "down", "left", "right"]


@ALL_BUT_TK
def test_a_drag_moves_a_row(watched: Watched) -> None:
    watched.done("drag", start="Quince", end="Banana")

    assert watched.told("order"), watched.events()
    [[_, *rows]] = watched.find("order")
    assert sorted(rows) == ["Apple", "Banana", "Cherry", "Quince"]
    assert rows.index("Quince") < rows.index("Cherry")
    assert watched.nothing_is_down()


@ALL
def test_a_drag_goes_by_every_corner_of_its_path(watched: Watched) -> None:
    watched.done("move", target="Handle")
    start = watched.desktop.pointer()
    path = [Point(start.x + across, start.y + down) for across, down in ((0, 0), (60, 0), (60, 80), (0, 80))]
    first, *corners, last = [{"x": one.x, "y": one.y} for one in path]

    said = watched.done("drag", start=first, via=corners, end=last)

    assert said == "Dragged from {}, {} via {}, {} via {}, {} to {}, {}.".format(
        *(n for one in path for n in (one.x, one.y))
    )
    assert watched.told("up", 1, last["x"], last["y"]), watched.events()
    passed = [tuple(rest[-2:]) for kind, *rest in watched.events() if kind == "drag"]
    at = [passed.index((one.x, one.y)) for one in path[1:]]
    assert at == sorted(at)
    assert watched.nothing_is_down()


@TK
def test_a_path_may_end_where_it_starts(watched: Watched) -> None:
    start = {"x": 300, "y": 300}

    watched.done("drag", start=start, via=[{"x": 330, "y": 330}], end=start)

    assert watched.told("up", 1, 300, 300)
    assert watched.find("drag", "??", 330, 330)


@TK
@pytest.mark.parametrize(("start", "end"), [((0, 0), (701, 502)), ((701, 502), (0, 0)), ((0, 300), (0, 310))])
def test_a_drag_is_exact_even_at_coordinate_0(watched: Watched, start: tuple[int, int], end: tuple[int, int]) -> None:
    said = watched.done("drag", start={"x": start[0], "y": start[1]}, end={"x": end[0], "y": end[1]})

    assert said == f"Dragged from {start[0]}, {start[1]} to {end[0]}, {end[1]}."
    assert watched.told("up", 1)
    assert watched.find("down") == [["down", 1, *start]]
    assert watched.find("up") == [["up", 1, *end]]
    assert watched.find("drag", "??", *end)


@pytest.mark.parametrize("end", [Point(639, 199), Point(1, 0), Point(0, 100), Point(333, 50)])
def test_a_drag_moves_in_small_steps(end: Point) -> None:
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (640, 200)))
    belt = standard_toolbelt(Eyes(desktop, desktop.control))

    belt.call(Action("drag", {"start": {"x": 0, "y": 0}, "end": {"x": end.x, "y": end.y}}), desktop.control)

    first, pressed, *moves, let_go = desktop.inputs
    assert (first, pressed, let_go) == (("move", Point(0, 0)), ("mouse_down", "left"), ("mouse_up", "left"))
    way = [Point(0, 0), *(part for move in moves for part in move if isinstance(part, Point))]
    assert way[-1] == end
    assert all(0 < max(abs(one.x - two.x), abs(one.y - two.y)) <= 8 for one, two in itertools.pairwise(way))


@TK
def test_a_drag_that_ends_where_it_starts_is_no_drag(watched: Watched) -> None:
    code, message = watched.refused("drag", start={"x": 9, "y": 9}, end={"x": 9, "y": 9})

    assert (code, message) == ("INVALID_ARGS", "start and end are the same place.")
    assert watched.find("down") == []


@TK
def test_a_button_stays_down_until_released(watched: Watched) -> None:
    said = watched.done("mouse_down", target={"x": 100, "y": 90})
    assert said == "The left mouse button is down at 100, 90, until mouse_up or the end of the run."
    assert watched.refused("mouse_down")[0] == "NO_CHANGE"
    assert watched.refused("click", target={"x": 5, "y": 5})[0] == "NO_CHANGE"
    assert watched.done("move", target={"x": 150, "y": 120}) == "Moved the pointer to 150, 120."
    assert watched.told("drag", "??", 150, 120)
    assert watched.find("up") == []

    assert watched.done("mouse_up") == "Let go of the left mouse button at 150, 120."
    assert watched.told("up", 1, 150, 120)
    code, message = watched.refused("mouse_up")
    assert (code, message) == ("NO_CHANGE", "The left mouse button was not put down with mouse_down.")
    assert len(watched.find("down")) == len(watched.find("up")) == 1


@TK
@pytest.mark.parametrize("mapping", [(3, 2, 1, 5, 4), (1, 2, 3, 4, 5)])
def test_swapped_buttons_of_a_left_handed_person_change_nothing(watched: Watched, mapping: tuple[int, ...]) -> None:
    watched.set_buttons(*mapping)

    watched.done("click", target={"x": 300, "y": 300})
    assert watched.told("up", 1)
    watched.done("right_click", target={"x": 400, "y": 300})
    assert watched.told("up", 3)
    watched.done("scroll", direction="down", amount=1, target={"x": 500, "y": 300})
    assert watched.told("up", 5)

    assert watched.find("down") == [["down", 1, 300, 300], ["down", 3, 400, 300], ["down", 5, 500, 300]]


@TK
def test_an_unknown_mouse_button_is_refused_and_not_held(watched: Watched) -> None:
    watched.set_buttons(1, 2, 0)  # as `xmodmap -e "pointer = 1 2 0"` does

    for tool, args in (("mouse_down", {"button": "right"}), ("right_click", {"target": {"x": 5, "y": 5}})):
        code, message = watched.refused(tool, **args)
        assert code == "TOOL_ERROR"
        assert message.startswith("No button of the mouse is mapped to button 3")
    watched.desktop.release()

    assert watched.nothing_is_down()
    assert watched.find("down") == []


@TK
def test_a_place_beside_the_desktop_is_refused_and_nothing_moves(watched: Watched) -> None:
    before = watched.desktop.pointer()

    for tool, args in (
        ("move", {"target": {"x": 1024, "y": 5}}),
        ("drag", {"start": {"x": 5, "y": 5}, "end": {"x": -1, "y": 5}}),
        ("drag", {"start": {"x": 5, "y": 5}, "via": [{"x": -1, "y": 5}], "end": {"x": 9, "y": 9}}),
        ("mouse_down", {"target": {"x": 5, "y": 768}}),
        ("middle_click", {"target": {"x": 5, "y": 768}}),
    ):
        assert watched.refused(tool, **args)[0] == "OFF_SCREEN"
    assert watched.desktop.pointer() == before
    assert watched.nothing_is_down()


def pressed(watched: Watched) -> list[str]:
    return [kind for kind, *_ in watched.events() if kind not in {"move", "drag"}]


@TK
def test_modifiers_are_held_while_the_mouse_acts(watched: Watched) -> None:
    goal = {"x": 300, "y": 300}

    assert watched.done("click", target=goal, holding="ctrl") == "Clicked with ctrl held at 300, 300."
    assert watched.told("key up", "Control_L")
    assert pressed(watched) == ["key down", "down", "up", "key up"]
    watched.forget()

    said = watched.done("drag", start={"x": 100, "y": 500}, end={"x": 400, "y": 300}, holding="shift")
    assert said == "Dragged with shift held from 100, 500 to 400, 300."
    assert watched.told("key up", "Shift_L")
    assert pressed(watched) == ["key down", "down", "up", "key up"]


@TK
def test_modifiers_are_released_if_the_click_fails(watched: Watched) -> None:
    watched.done("mouse_down", target={"x": 300, "y": 300})

    assert watched.refused("click", target={"x": 300, "y": 300}, holding="ctrl+shift")[0] == "NO_CHANGE"

    watched.done("mouse_up")
    assert watched.nothing_is_down()


@pytest.mark.parametrize("keys", ["a", "ctrl+s", "", "hyper"])
def test_only_modifiers_are_held(keys: str) -> None:
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (640, 200)))
    belt = standard_toolbelt(Eyes(desktop, desktop.control))

    done = belt.call(Action("click", {"target": {"x": 1, "y": 1}, "holding": keys}), desktop.control).observation

    assert done.error
    assert done.error.code == "INVALID_ARGS"
    assert desktop.inputs == []


# Keys --------------------------------------------------------------------------------------------------------------


def keys_of(watched: Watched) -> list[str]:
    return [{"key down": "+", "key up": "-"}[kind] + rest[0] for kind, *rest in watched.events() if "key" in kind]


@TK
def test_held_keys_go_down_in_order_and_up_in_reverse(watched: Watched) -> None:
    assert watched.done("hold", keys="ctrl+shift+F4", seconds=0.3) == "Held ctrl+shift+F4 for 0.3 s."
    assert watched.told("key up", "Control_L")

    pressed = [key for key in keys_of(watched) if key[1:] != "F4"]
    assert pressed == ["+Control_L", "+Shift_L", "-Shift_L", "-Control_L"]
    order = keys_of(watched)
    assert order[2] == "+F4"
    assert order[-3] == "-F4"


@TK
def test_a_key_stays_down_for_clicks_and_keys_until_released(watched: Watched) -> None:
    assert watched.done("key_down", key="Control") == "The key Control is down, until key_up or the end of the run."
    watched.done("press", keys="s")
    watched.done("press", keys="ctrl+s")
    watched.done("click", target={"x": 50, "y": 50})
    assert watched.told("up", 1)
    assert watched.state() & KEYS_AND_BUTTONS.Control
    assert watched.refused("key_down", key="ctrl") == ("NO_CHANGE", "The key ctrl is down already.")

    assert watched.done("key_up", key="ctrl") == "Let go of the key ctrl."
    assert watched.told("key up", "Control_L")
    assert keys_of(watched) == ["+Control_L", "+s", "-s", "+s", "-s", "-Control_L"]
    assert watched.refused("key_up", key="ctrl")[0] == "NO_CHANGE"
    assert watched.nothing_is_down()


@TK
def test_typing_is_exact_while_keys_are_held(watched: Watched) -> None:
    watched.done("key_down", key="shift")
    watched.done("key_down", key="a")
    assert watched.told("key down", "A")
    watched.forget()
    watched.done("type_text", text="ab1")
    assert watched.told("key down", "1")
    assert watched.state() & KEYS_AND_BUTTONS.Shift

    assert [key for key in keys_of(watched) if key[0] == "+"][:3] == ["+a", "+b", "+1"]
    watched.desktop.release()
    assert watched.nothing_is_down()


@TK
def test_a_key_that_the_layout_lacks_can_be_held_too(watched: Watched) -> None:
    before = watched.keymap()
    watched.done("key_down", key="é")
    held = watched.keymap()
    watched.done("type_text", text="ñaж")
    assert watched.keymap() == held, "a program may look up the held key later"
    watched.done("key_up", key="é")

    assert watched.told("key down", "U0436"), watched.events()
    assert keys_of(watched)[0] == "+eacute"
    assert watched.nothing_is_down()
    assert watched.keymap() == before


@TK
@pytest.mark.parametrize(
    ("tool", "args", "message", "hint"),
    [
        ("press", {"keys": ""}, "No key is named.", "Name one, such as `enter`, or several: `ctrl+s`."),
        ("press", {"keys": "ctrl+entr"}, '"entr" in "ctrl+entr" is not a key.', "Did you mean enter"),
        ("press", {"keys": "ctrl+"}, 'In "ctrl+" a + has no key beside it.', "The plus key itself is `plus`."),
        ("hold", {"keys": "shfit", "seconds": 1}, '"shfit" is not a key.', "Did you mean shift"),
        ("key_down", {"key": "ctrl+s"}, '"ctrl+s" is more than one key.', "Name one key at a time, or use hold."),
        ("key_up", {"key": "§§"}, '"§§" is not a key.', "Keys are single characters and ctrl, "),
    ],
)
def test_an_unknown_key_is_reported_with_known_ones(
    watched: Watched, tool: str, args: dict[str, Any], message: str, hint: str
) -> None:
    problem = watched.use(tool, **args).error

    assert problem
    assert (problem.code, problem.message) == ("INVALID_ARGS", message)
    assert problem.hints[0].startswith(hint)
    assert keys_of(watched) == []


# Nothing stays down ------------------------------------------------------------------------------------------------


def hold_much(watched: Watched) -> None:
    watched.done("mouse_down", target={"x": 400, "y": 300})
    for key in ("ctrl", "shift", "a", "é"):
        watched.done("key_down", key=key)
    assert not watched.nothing_is_down()


@TK
def test_release_works_in_reverse_order_even_after_a_stop(watched: Watched) -> None:
    hold_much(watched)
    watched.control.stop()

    watched.desktop.release()

    assert watched.nothing_is_down()
    assert watched.told("key up", "Control_L")
    assert [key for key in keys_of(watched) if key[0] == "-"][-3:] == ["-A", "-Shift_L", "-Control_L"]


@TK
@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("drag", {"start": {"x": 0, "y": 0}, "end": {"x": 1023, "y": 767}}),
        ("drag", {"start": {"x": 0, "y": 0}, "end": {"x": 1023, "y": 767}, "holding": "ctrl+shift"}),
        ("hold", {"keys": "ctrl+shift+é", "seconds": 50}),
    ],
)
def test_a_stop_in_the_middle_releases_everything(watched: Watched, tool: str, args: dict[str, Any]) -> None:
    before = watched.keymap()

    def stop_once_something_is_down() -> None:
        Control().until(lambda: not watched.nothing_is_down(), CAP_S)
        watched.control.stop()

    stopping = threading.Thread(target=stop_once_something_is_down)
    stopping.start()
    with pytest.raises(Halt):
        watched.use(tool, **args)
    stopping.join()

    assert Control().until(watched.nothing_is_down, CAP_S)
    assert Control().until(lambda: watched.keymap() == before, CAP_S)


@TK
def test_closing_the_desktop_releases_everything(watched: Watched) -> None:
    with closing(LiveDesktop(watched.desktop.display, Control())) as other:
        other.mouse_down("right")
        other.key_down("alt")
        assert not watched.nothing_is_down()

    assert watched.nothing_is_down()
    assert other._releaser
    assert other._releaser._process.returncode == 0


@TK
def test_closing_leaves_keys_that_others_hold(watched: Watched) -> None:
    watched.display.fake(KEY_PRESS, watched.display.keycodes(MODIFIERS["shift"])[0])
    watched.display.sync()

    with closing(LiveDesktop(watched.desktop.display, Control())) as other:
        other.press("f5")

    assert watched.state() & KEYS_AND_BUTTONS.Shift


def server_of(desktop: VirtualDesktop) -> int:
    """The process of its X server."""
    names = {}
    for pid in processes_with(f"{MARK}={desktop._environment[MARK]}"):
        with suppress(OSError):  # some end on their own
            names[Path(f"/proc/{pid}/comm").read_text().strip()] = pid
    return names["Xvfb"]


KILLED = """
import os, sys, threading
from toolbelt.control import Control
from toolbelt.desktops.x11.desktop import LiveDesktop
desktop = LiveDesktop(sys.argv[1], Control())
desktop.mouse_down("left")
for key in ("ctrl", "shift", "a", "é"):
    desktop.key_down(key)
print("down", flush=True)
sys.stdin.read()
"""


@TK
def test_keys_held_by_a_killed_process_are_released(watched: Watched) -> None:
    before = watched.keymap()
    command = [sys.executable, "-c", KILLED, watched.desktop.display]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"down\n"
        assert watched.state() & (KEYS_AND_BUTTONS.Control | KEYS_AND_BUTTONS.Shift | KEYS_AND_BUTTONS.Button1)
        assert watched.keymap() != before

        process.kill()

    assert watched.control.until(watched.nothing_is_down, CAP_S)
    assert watched.control.until(lambda: watched.keymap() == before, CAP_S)


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(
    "act",
    [
        lambda desktop: desktop.move(Point(1, 1)),
        lambda desktop: desktop.type("é" * 100_000),
        lambda desktop: desktop.press("ctrl+é", CAP_S),
        lambda desktop: desktop.read_clipboard(),
        lambda desktop: desktop.windows() and None,
    ],
)
def test_a_lost_display_is_reported_and_nothing_stays_held(
    control: Control, act: Callable[[VirtualDesktop], None]
) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        desktop.launch(["xterm"])
        assert control.until(desktop.windows, CAP_S)
        desktop.mouse_down("left")
        desktop.key_down("ctrl")
        killing = threading.Timer(0.5, os.kill, (server_of(desktop), signal.SIGKILL))
        killing.start()

        with pytest.raises(DesktopError, match="went away"):
            control.until(lambda: act(desktop), CAP_S)
        killing.join()
        with pytest.raises(DesktopError, match="went away"):
            desktop.release()


# Tools -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("click", ["target", "holding"]),
        ("move", ["target"]),
        ("drag", ["start", "via", "end", "holding"]),
        ("mouse_down", ["button", "target"]),
        ("mouse_up", ["button"]),
        ("scroll", ["direction", "amount", "target", "until"]),
        ("press", ["keys", "times"]),
        ("hold", ["keys", "seconds"]),
        ("key_down", ["key"]),
        ("key_up", ["key"]),
    ],
)
def test_tools_have_fixed_arguments_and_a_time_limit(name: str, arguments: list[str]) -> None:
    tool = builtin_tools()[name]

    assert list(tool.schema["properties"]) == arguments
    assert tool.risk == "act"
    assert 0 < tool.seconds <= 120
