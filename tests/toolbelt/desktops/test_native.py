"""The desktops of Windows and macOS, as far as another system can tell: what is sent to them, and in what form."""

import ast
import ctypes
import os
import shutil
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from xcffib import xproto

from mark_i.assembly.desktops import desktop_for, opened
from tests.support import BUTTONS
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import keysyms
from toolbelt.desktops.native import macos as quartz, windows as win32, windows_keyboard as sendinput
from toolbelt.desktops.native.base import BATCH_CHARACTERS, Keys, NativeKeyboard, NativeMouse, quick_pyautogui, typeable
from toolbelt.desktops.native.desktop import NativeDesktop, platform_for
from toolbelt.desktops.native.windows_keyboard import Input, KeyboardInput, MouseInput, Stroke
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.tools.files import Files
from world_model import Action, DesktopError, Halt, Point, Region, Size, ToolFailure

CONTROLS = [chr(code) for code in range(32) if chr(code) not in "\t\n\r"] + [chr(code) for code in range(127, 160)]
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=CONTROLS), max_size=90)
LINES_PER_NOTCH = TEXTS.map(typeable)
HELD = st.lists(st.sampled_from(sendinput.MODIFIERS), unique=True)
NAMES = [*keysyms.MODIFIERS, *keysyms._NAMED]
GERMAN = {"a": (ord("A"), 0), "A": (ord("A"), 1), "/": (ord("7"), 1), "@": (ord("Q"), 6), "z": (ord("Z"), 0)}
# What Apple's keyboards have not got.
NOT_ON_A_MAC = {"insert", "numlock", "scrolllock", "printscreen", "pause", "menu", "f21", "f22", "f23", "f24"}


def table(system: str) -> dict[str, int | None]:
    """Pyautogui's numbers of the named keys of a system, out of the file that only loads there."""
    package = next(Path(one, "pyautogui") for one in sys.path if Path(one, "pyautogui").is_dir())
    tree = ast.parse((package / f"_pyautogui_{system}.py").read_text(encoding="utf-8"))
    [update] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "keyboardMapping.update"
    ]
    found: dict[str, int | None] = ast.literal_eval(update.args[0])
    return found


WINDOWS = table("win")
MAC = table("osx")


@dataclass
class Machine:
    """A keyboard of Windows as programs see it: what is typed and pressed, and what is down."""

    down: set[int] = field(default_factory=set)
    units: list[int] = field(default_factory=list)
    pressed: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    menus: int = 0
    untouched: set[int] = field(default_factory=set)  # since when nothing else was pressed
    calls: int = 0
    after: Callable[[], None] = lambda: None

    def send(self, strokes: Sequence[Stroke]) -> None:
        self.calls += 1
        for stroke in strokes:
            self.take(stroke)
        self.after()

    def take(self, stroke: Stroke) -> None:
        going_up = bool(stroke.flags & sendinput.KEY_UP)
        if going_up and stroke.key in self.untouched & sendinput.OPENS_MENU:
            self.menus += 1
        self.untouched = {stroke.key} if not going_up else set()
        if stroke.flags & sendinput.UNICODE:
            assert stroke.key == 0
            if not going_up:
                assert not self.down.intersection(sendinput.MODIFIERS), "a command and no text"
                self.units.append(stroke.unit)
        elif going_up:
            self.down.discard(stroke.key)
        else:
            held = frozenset(self.down)
            self.down.add(stroke.key)
            if stroke.key not in (*sendinput.MODIFIERS, sendinput.UNASSIGNED):
                self.pressed.append((stroke.key, held))
            if stroke.key in (sendinput.RETURN, sendinput.TAB):
                self.units.append({sendinput.RETURN: 10, sendinput.TAB: 9}[stroke.key])

    def is_down(self, key: int) -> bool:
        return key in self.down

    def find(self, character: str) -> tuple[int, int] | None:
        return GERMAN.get(character)

    @property
    def text(self) -> str:
        return struct.pack(f"<{len(self.units)}H", *self.units).decode("utf-16-le")


def on_windows(control: Control | None = None) -> tuple[Machine, NativeKeyboard]:
    machine = Machine()
    return machine, NativeKeyboard(sendinput.WindowsKeys(machine, WINDOWS), control or Control())


def on_a_mac() -> tuple[list[quartz.Event], NativeKeyboard]:
    sent: list[quartz.Event] = []
    return sent, NativeKeyboard(quartz.MacKeys(sent.extend, MAC), Control())


@given(TEXTS, HELD)
def test_windows_gets_any_text_exactly_whatever_a_person_holds(text: str, held: list[int]) -> None:
    machine, keyboard = on_windows()
    machine.down |= set(held)
    machine.untouched = {*held[-1:]}
    keyboard.type(text)
    assert machine.text == typeable(text)
    assert machine.down == set(held)
    for key in held if text else []:
        machine.take(sendinput.up(key))
    assert machine.menus == 0


@given(LINES_PER_NOTCH)
def test_macos_gets_any_text_in_events_of_whole_characters(text: str) -> None:
    events = quartz.text_events(text)
    named = {quartz.RETURN: "\n", quartz.TAB: "\t"}
    assert "".join(event.text or named[event.code] for event in events if event.down) == text
    assert [event.text for event in events if event.down] == [event.text for event in events if not event.down]
    assert all(len(event.text.encode("utf-16-le")) <= 2 * quartz.EVENT_MAX_UNITS for event in events)
    assert not any(event.flags for event in events)


def test_a_piece_ends_before_a_surrogate_pair_that_does_not_fit() -> None:
    assert list(quartz.chunks("x" * 19 + "😀y")) == ["x" * 19, "😀y"]
    assert list(quartz.chunks("😀" * 11)) == ["😀" * 10, "😀"]
    assert list(quartz.chunks("")) == []


def test_windows_gets_an_astral_character_as_two_units() -> None:
    units = [(stroke.key, stroke.unit, stroke.flags) for stroke in sendinput.text_strokes("😀\n\t")]
    assert units == [
        (0, 0xD83D, 4),
        (0, 0xD83D, 6),
        (0, 0xDE00, 4),
        (0, 0xDE00, 6),
        (0x0D, 0, 0),
        (0x0D, 0, 2),
        (0x09, 0, 0),
        (0x09, 0, 2),
    ]


@pytest.mark.parametrize("text", ["bell\a", "half \ud83d", "\x85"])
def test_what_cannot_be_typed_is_refused_before_anything_is(text: str) -> None:
    machine, keyboard = on_windows()
    with pytest.raises(ToolFailure) as failure:
        keyboard.type("before " + text)
    assert failure.value.code == "INVALID_ARGS"
    assert not machine.calls


def test_every_kind_of_line_end_is_one_enter() -> None:
    machine, keyboard = on_windows()
    keyboard.type("a\r\nb\rc\nd")
    assert machine.text == "a\nb\nc\nd"


def test_a_stop_ends_typing_between_two_batches() -> None:
    control = Control()
    machine, keyboard = on_windows(control)
    machine.after = control.stop
    with pytest.raises(Halt):
        keyboard.type("x" * (3 * BATCH_CHARACTERS))
    assert machine.text == "x" * BATCH_CHARACTERS


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the numbers are those of 64 bits")
def test_the_structures_are_those_of_winuser_h() -> None:
    """The numbers are what mingw-w64's winuser.h gives for x86_64, as the test below asks it."""
    assert ctypes.sizeof(Input) == 40
    assert (Input.kind.offset, Input.either.offset) == (0, 8)
    assert ctypes.sizeof(KeyboardInput) == 24
    assert [getattr(KeyboardInput, name).offset for name, *_ in KeyboardInput._fields_] == [0, 2, 4, 8, 16]
    assert ctypes.sizeof(MouseInput) == 32
    assert [getattr(MouseInput, name).offset for name, *_ in MouseInput._fields_] == [0, 4, 8, 12, 16, 24]


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(not shutil.which("x86_64-w64-mingw32-gcc"), reason="needs gcc-mingw-w64-x86-64")
def test_windows_own_headers_say_the_same(tmp_path: Path) -> None:
    said = {
        "sizeof(INPUT)": ctypes.sizeof(Input),
        "offsetof(INPUT, type)": Input.kind.offset,
        "offsetof(INPUT, ki)": Input.either.offset,
        "sizeof(KEYBDINPUT)": ctypes.sizeof(KeyboardInput),
        "offsetof(KEYBDINPUT, wVk)": KeyboardInput.key.offset,
        "offsetof(KEYBDINPUT, wScan)": KeyboardInput.scan.offset,
        "offsetof(KEYBDINPUT, dwFlags)": KeyboardInput.flags.offset,
        "offsetof(KEYBDINPUT, time)": KeyboardInput.time.offset,
        "offsetof(KEYBDINPUT, dwExtraInfo)": KeyboardInput.extra.offset,
        "sizeof(MOUSEINPUT)": ctypes.sizeof(MouseInput),
        "INPUT_KEYBOARD": sendinput.KEYBOARD,
        "KEYEVENTF_EXTENDEDKEY": sendinput.EXTENDED_KEY,
        "KEYEVENTF_KEYUP": sendinput.KEY_UP,
        "KEYEVENTF_UNICODE": sendinput.UNICODE,
        "VK_RETURN": sendinput.RETURN,
        "VK_TAB": sendinput.TAB,
        "VK_LSHIFT": sendinput.LEFT_SHIFT,
        "VK_LCONTROL": sendinput.LEFT_CTRL,
        "VK_LMENU": sendinput.LEFT_ALT,
        "VK_RMENU": sendinput.RIGHT_ALT,
        "VK_LWIN": sendinput.LEFT_WIN,
        "VK_RWIN": sendinput.RIGHT_WIN,
        "VK_RSHIFT": sendinput.MODIFIERS[1],
        "VK_RCONTROL": sendinput.MODIFIERS[3],
        "MOUSEEVENTF_WHEEL": win32.WHEEL["up"][0],
        "MOUSEEVENTF_HWHEEL": win32.WHEEL["right"][0],
        "WHEEL_DELTA": win32.WHEEL["up"][1],
        "GWL_EXSTYLE": win32.EXTENDED_STYLE,
        "WS_EX_TOOLWINDOW": win32.TOOL_WINDOW,
        "PROCESS_QUERY_LIMITED_INFORMATION": win32.QUERY_LIMITED,
        "DWMWA_EXTENDED_FRAME_BOUNDS": win32.FRAME_BOUNDS,
        "DWMWA_CLOAKED": win32.CLOAKED,
    }
    asserts = "\n".join(f'_Static_assert({what} == {number}, "{what}");' for what, number in said.items())
    source = tmp_path / "said.c"
    source.write_text(f"#include <windows.h>\n#include <dwmapi.h>\n#include <stddef.h>\n{asserts}\n")
    command = ["x86_64-w64-mingw32-gcc", "-fsyntax-only", "-D_WIN32_WINNT=0x0A00", str(source)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


def test_strokes_are_packed_with_their_unit_or_scan_code() -> None:
    strokes = [*sendinput.text_strokes("é"), sendinput.down(0x25)]
    packed = bytes(sendinput.packed(strokes, {0x25: 0x4B}.__getitem__))
    keyboard = struct.Struct("<I4xHHII4xQ8x")
    assert list(keyboard.iter_unpack(packed)) == [
        (1, 0, 0xE9, 4, 0, 0),
        (1, 0, 0xE9, 6, 0, 0),
        (1, 0x25, 0x4B, 1, 0, 0),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_named_key_is_on_windows_and_most_are_on_a_mac(name: str) -> None:
    [code] = sendinput.chord([name], WINDOWS, GERMAN.get) or [0]
    assert 0 < code < 0xFF
    assert (quartz.chord([name], MAC) is None) == (name in NOT_ON_A_MAC)


def test_the_named_keys_of_windows_all_differ() -> None:
    codes = [tuple(sendinput.chord([name], WINDOWS, GERMAN.get) or ()) for name in NAMES]
    assert len(set(codes)) == len(NAMES)


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("ctrl+s", [0xA2, ord("S")]),
        ("ctrl+shift+1", [0xA2, 0xA0, ord("1")]),  # the key, not what German has on it
        ("ctrl+/", [0xA2, 0xA0, ord("7")]),
        ("A", [0xA0, ord("A")]),
        ("@", [0xA2, 0xA4, ord("Q")]),
        ("alt+f4", [0xA4, 0x73]),
        ("super", [0x5B]),
        ("é", None),
        ("ctrl+é", None),
    ],
)
def test_keys_of_windows_are_those_of_the_layout(keys: str, codes: list[int] | None) -> None:
    assert sendinput.chord(keysyms.parse_keys(keys), WINDOWS, GERMAN.get) == codes


@pytest.mark.parametrize("state", [8, 16, 0x21])
def test_a_character_with_an_unknown_shift_state_has_no_key(state: int) -> None:
    assert sendinput.chord(["ö"], WINDOWS, lambda _: (0x41, state)) is None


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("super+c", [0x37, 0x08]),
        ("ctrl++", [0x3B, 0x38, 0x18]),
        ("shift++", [0x38, 0x18]),
        ("c", None),
        ("super+é", None),
    ],
)
def test_keys_of_a_mac_are_those_of_its_table(keys: str, codes: list[int] | None) -> None:
    assert quartz.chord(keysyms.parse_keys(keys), MAC) == codes


def test_cursor_keys_are_not_those_of_the_keypad() -> None:
    """Without the flag, shift+left is a 4 where Num Lock is on."""
    names = ["left", "up", "right", "down", "home", "end", "pageup", "pagedown", "insert", "delete", "altgr", "super"]
    extended = [
        name for name in NAMES if sendinput.down((sendinput.chord([name], WINDOWS, GERMAN.get) or [0])[0]).flags
    ]
    assert set(names) <= set(extended)
    assert set(extended).isdisjoint({"enter", "tab", "space", "backspace", "escape", "ctrl", "shift", "alt", "f1"})


@given(HELD)
def test_a_combination_ignores_keys_that_a_person_holds(held: list[int]) -> None:
    machine, keyboard = on_windows()
    machine.down |= set(held)
    keyboard.press("ctrl+s")
    assert machine.pressed == [(ord("S"), frozenset({sendinput.LEFT_CTRL}))]
    assert machine.down == set(held)
    assert machine.calls == 1


def test_held_keys_apply_to_key_presses_but_not_to_text() -> None:
    machine, keyboard = on_windows()
    keyboard.down("shift")
    keyboard.press("left")
    keyboard.type("é")
    assert machine.pressed == [(0x25, frozenset({sendinput.LEFT_SHIFT}))]
    assert machine.text == "é"
    assert machine.down == {sendinput.LEFT_SHIFT}
    keyboard.press("shift+left")
    assert machine.down == {sendinput.LEFT_SHIFT}
    keyboard.up("shift")
    assert not machine.down


def test_a_lone_character_that_has_no_key_is_typed() -> None:
    machine, keyboard = on_windows()
    keyboard.press("é")
    assert machine.text == "é"
    sent, keyboard = on_a_mac()
    keyboard.press("z")
    assert [event.text for event in sent] == ["z", "z"]


@pytest.mark.parametrize("keys", ["ctrl+é", "é"])
def test_a_missing_key_is_reported_and_nothing_is_pressed(keys: str) -> None:
    machine, keyboard = on_windows()
    with pytest.raises(ToolFailure, match=r"has no .*é"):
        keyboard.press(keys, seconds=0.01)
    assert not machine.calls


def test_a_key_is_pressed_once_and_released_once() -> None:
    _, keyboard = on_windows()
    keyboard.down("a")
    with pytest.raises(ToolFailure, match="is down already"):
        keyboard.down("A")
    keyboard.up("a")
    with pytest.raises(ToolFailure, match="was not put down"):
        keyboard.up("a")


def test_release_releases_everything() -> None:
    machine, keyboard = on_windows()
    for key in ("ctrl", "altgr", "a"):
        keyboard.down(key)
    keyboard.release()
    assert not machine.down
    keyboard.release()
    with pytest.raises(ToolFailure):
        keyboard.up("ctrl")


def test_a_stop_releases_held_keys() -> None:
    control = Control()
    machine, keyboard = on_windows(control)
    machine.after = control.stop
    with pytest.raises(Halt):
        keyboard.press("ctrl+a", seconds=60)
    assert not machine.down
    assert machine.pressed == [(ord("A"), frozenset({sendinput.LEFT_CTRL}))]


def test_a_refused_press_is_undone_by_release() -> None:
    machine, keyboard = on_windows()
    machine.after = refuse
    with pytest.raises(ToolFailure, match="not taken"):
        keyboard.down("ctrl")
    machine.after = lambda: None
    keyboard.release()
    assert not machine.down


def refuse() -> None:
    raise ToolFailure("PERMISSION_DENIED", "not taken")


def test_each_macos_event_states_its_modifiers() -> None:
    sent, keyboard = on_a_mac()
    keyboard.down("shift")
    keyboard.press("super+c")
    keyboard.type("ü")
    keyboard.release()
    shift, command = 1 << 17, 1 << 20
    assert [(event.code, event.down, event.flags) for event in sent] == [
        (0x38, True, shift),
        (0x37, True, shift | command),
        (0x08, True, shift | command),
        (0x08, False, shift | command),
        (0x37, False, shift),
        (0, True, 0),
        (0, False, 0),
        (0x38, False, 0),
    ]


def test_windows_on_macos_are_listed_bottom_to_top() -> None:
    def told(number: int, layer: int = 0, **more: Any) -> dict[str, Any]:
        bounds = {"X": -1440.0, "Y": 25.0, "Width": 800.4, "Height": 600.0}
        return {"kCGWindowNumber": number, "kCGWindowLayer": layer, "kCGWindowBounds": bounds, **more}

    menu_bar = told(1, layer=25, kCGWindowOwnerName="Window Server")
    hidden = told(2, kCGWindowOwnerName="Agent", kCGWindowAlpha=0.0)
    notes = told(3, kCGWindowOwnerName="Notes", kCGWindowName="Shopping")
    safari = told(4, kCGWindowOwnerName="Safari")  # without the right to see titles
    below, top = quartz.windows_of([menu_bar, hidden, notes, safari])
    assert (top.id, top.title, top.application, top.active) == (3, "Shopping", "Notes", True)
    assert top.region == Region(-1440, 25, 800, 600)
    assert (below.id, below.title, below.active) == (4, "Safari", False)
    assert quartz.windows_of([menu_bar]) == []


@pytest.mark.parametrize("platform", ["linux", "freebsd14"])
def test_an_unsupported_platform_is_refused(platform: str) -> None:
    with pytest.raises(DesktopError, match=f"{platform} is neither"):
        platform_for(platform)


def test_on_windows_a_window_is_placed_by_its_visible_frame() -> None:
    outer, seen = Region(93, 100, 814, 607), Region(100, 100, 800, 600)
    assert win32.with_border(Region(-1920, 0, 960, 1080), outer, seen) == Region(-1927, 0, 974, 1087)
    assert win32.with_border(seen, outer, seen) == outer


class NativePlatform:
    """NativePlatform that click where the mouse is and do nothing else."""

    def __init__(self, pyautogui: Any, keys: Keys) -> None:
        self.pyautogui = pyautogui
        self.keys = keys
        self.clicks: list[tuple[Point, str, int]] = []

    def click(self, at: Point, button: str, count: int) -> None:
        self.clicks.append((at, button, count))

    def scroll(self, *_: Any) -> None: ...

    def windows(self) -> list[Any]:
        return []

    def close_window(self, *_: Any) -> None: ...

    def focus_window(self, *_: Any) -> None: ...

    def place_window(self, *_: Any) -> None: ...


def test_the_native_mouse_moves_holds_and_releases(desktop: VirtualDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    """By pyautogui, which is the same everywhere, on a real display."""
    monkeypatch.setenv("DISPLAY", desktop.display)
    monkeypatch.setenv("XAUTHORITY", os.devnull)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # python3-xlib does not close the file
        pyautogui = quick_pyautogui()
        display = pyautogui.platformModule.Display(desktop.display)  # another test may have loaded it
    hands = NativePlatform(pyautogui, sendinput.WindowsKeys(Machine(), WINDOWS))
    mouse = NativeMouse(pyautogui, hands)
    with closing(display):
        monkeypatch.setattr(pyautogui.platformModule, "_display", display)
        mouse.down("left")
        with pytest.raises(ToolFailure, match="down already"):
            mouse.click(Point(5, 5), "left", 1)
        mouse.move(Point(300, 200))
        assert buttons(desktop) == xproto.KeyButMask.Button1
        assert desktop.pointer() == Point(300, 200)
        mouse.down("right")
        mouse.release()
        assert buttons(desktop) == 0
        with pytest.raises(ToolFailure, match="was not put down"):
            mouse.up("left")
        mouse.click(Point(40, 50), "right", 2)
        assert desktop.pointer() == Point(40, 50)
    assert hands.clicks == [(Point(40, 50), "secondary", 2)]


def buttons(desktop: VirtualDesktop) -> int:
    """Which mouse buttons the display has down."""
    return int(desktop._display.pointer().mask & BUTTONS)


def test_the_native_desktop_is_refused_on_other_systems(control: Control) -> None:
    with pytest.raises(DesktopError, match="neither Windows nor macOS"):
        NativeDesktop(control)
    with pytest.raises(DesktopError, match="not Windows"):
        win32.require_pixel_coordinates()


@pytest.mark.parametrize(("platform", "system"), [("win32", "Windows"), ("darwin", "macOS")])
def test_windows_and_macos_have_no_virtual_desktop(
    platform: str, system: str, monkeypatch: pytest.MonkeyPatch, control: Control
) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")  # there are X servers for both
    monkeypatch.setattr(sys, "platform", platform)
    assert desktop_for(None) == (None, None)
    with (
        pytest.raises(DesktopError, match=f"no virtual desktop on {system}: leave out `--virtual`"),
        opened(Size(800, 600), control),
    ):
        pass


def test_files_are_refused_on_windows_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    belt = Toolbelt(Files([tmp_path]))
    monkeypatch.setattr(sys, "platform", "win32")
    for tool, args in (
        ("read_file", {"path": "a.txt"}),
        ("write_file", {"path": "b.txt", "text": "b"}),
        ("list_files", {}),
    ):
        problem = belt.call(Action(tool, args), Control()).observation.error
        assert problem
        assert problem.code == "TOOL_ERROR"
        assert problem.message.startswith("Files cannot be used on Windows: ")
        assert "\n" not in problem.message
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.usefixtures("processes")
def test_the_native_desktop_loads_nothing_of_x11_or_linux() -> None:
    code = """
import sys
import warnings
for name in ("xcffib", "Xlib", "Xlib.display", "fcntl", "resource", "pwd", "grp", "termios", "tty", "curses"):
    sys.modules[name] = None
import toolbelt.desktops.native.desktop, mark_i.assembly.compose, mark_i.cli.main
print(*sorted({"pyautogui", "pygetwindow", "pyperclip", "Quartz"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3])
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
