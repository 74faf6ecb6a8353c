"""What is typed is what appears, in real applications on a display of their own."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import xcffib
from hypothesis import given, strategies as st
from xcffib import xproto

from toolbelt.desktops.keysyms import MODIFIERS, pastes
from toolbelt.desktops.x11.connection import KEY_PRESS, KEY_RELEASE, Connection
from toolbelt.desktops.x11.keyboard import X11Keyboard, parse_keys
from toolbelt.desktops.x11.xkb import KeyboardMap, Keyboards
from world_model import Halt, ToolFailure

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
PROGRAMS = ("Xvfb", "openbox", "mousepad", "xterm", "setxkbmap")

ASCII = "".join(map(chr, range(0x20, 0x7F)))
CORPUS = "\n".join(
    [
        ASCII,
        "<a> <<b>> </c> <>",
        "àéîõüß ÀÉÎÕÜẞ ñ¿¡ ÿŸ œŒ",
        "e\N{COMBINING ACUTE ACCENT} q\N{COMBINING TILDE} ẛ̣",
        "€ £ ¥ “quoted” — … ÷ ½",
        "漢字 你好 好 こんにちは 한국어",
        "مرحبا بالعالم",
        "שלום עולם",
        "Привет, мир",
        "😀 👩\u200d👩\u200d👧\u200d👦 👍🏽 🏴\u200d☠️ 🇩🇪🇫🇷 𠜎 \N{MATHEMATICAL SCRIPT CAPITAL X}",
        "a\tb\t\tc",
        "",
        "".join(chr(0x4E00 + 7 * i) for i in range(200)),
        "end",
    ]
)

# Tk 8.6.13 takes characters beyond U+FFFF from the keyboard, and tkinter hands them out whole.
TK_NOTE = """
import sys, tkinter
root = tkinter.Tk(className="note")
text = tkinter.Text(root)
text.pack()
text.focus_force()
text.bind("<FocusIn>", lambda event: root.after_idle(open(sys.argv[1] + ".ready", "wb").close))
def keep(event):
    with open(sys.argv[1], "wb") as out:
        out.write(text.get("1.0", "end-1c").encode())
    root.destroy()
root.bind("<Control-q>", keep)
root.mainloop()
"""


def go_on() -> None:
    """A check that never says stop."""


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + CAP_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        select.select([], [], [], 0.01)


@contextlib.contextmanager
def running(*command: str, **options: object) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload]  # options
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@dataclass
class Screen:
    name: str
    display: Connection
    keyboard: X11Keyboard
    environment: dict[str, str]
    folder: Path

    def layout(self, *options: str) -> None:
        subprocess.run(["setxkbmap", "-display", self.name, *options], check=True, env=self.environment)

    def keymap(self) -> list[list[int]]:
        """The keysyms of each key, without the empty places at the end."""
        found = self.display.core.GetKeyboardMapping(8, 248).reply()
        rows = [list(row) for row in batched(found.keysyms, found.keysyms_per_keycode)]
        return [row[: max((place for place, keysym in enumerate(row, 1) if keysym), default=0)] for row in rows]

    def tap(self, keycode: int) -> None:
        self.display.fake(KEY_PRESS, keycode)
        self.display.fake(KEY_RELEASE, keycode)
        self.display.sync()

    def group(self) -> int:
        return int(self.display.pointer().mask) >> 13 & 3

    def has_focus(self, wm_class: str) -> bool:
        """Whether keys go to a window of the class, or to a part of it."""
        core, node = self.display.core, self.display.core.GetInputFocus().reply().focus
        with contextlib.suppress(xcffib.Error):
            while node > xproto.InputFocus.PointerRoot:
                if wm_class in self.display.text(node, "WM_CLASS").split("\0"):
                    return True
                node = core.QueryTree(node).reply().parent
        return False


def batched(numbers: Iterable[int], size: int) -> Iterator[tuple[int, ...]]:
    return zip(*[iter(numbers)] * size, strict=True)


def opened(name: str, xauthority: str) -> Connection:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XAUTHORITY", xauthority)
        return Connection(name)


@pytest.fixture(scope="module")
def screen(display: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    if missing := [program for program in PROGRAMS if not shutil.which(program)]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    folder = tmp_path_factory.mktemp("screen")
    (folder / "xauthority").touch()
    environment = os.environ | {
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "XAUTHORITY": str(folder / "xauthority"),
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "1",
    }
    reading, writing = os.pipe()
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, reading)
        stack.enter_context(running("Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", pass_fds=[writing]))
        os.close(writing)
        name = f":{os.read(reading, 10).decode().strip()}"
        environment["DISPLAY"] = name
        connection = opened(name, environment["XAUTHORITY"])
        stack.callback(connection.close)
        stack.enter_context(running("openbox", env=environment))
        until(lambda: bool(connection.numbers(connection.root, "_NET_SUPPORTING_WM_CHECK")))
        yield Screen(name, connection, X11Keyboard(connection), environment, folder)


@pytest.fixture(autouse=True)
def as_it_was(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test with a screen nothing is held, and the keyboard map is what it was."""
    if "screen" not in request.fixturenames:
        yield
        return
    screen: Screen = request.getfixturevalue("screen")
    before = screen.keymap()
    yield
    assert not any(screen.display.keys_down())
    assert screen.keymap() == before


@contextlib.contextmanager
def xterm(screen: Screen, out: Path) -> Iterator[None]:
    with running("xterm", "-class", "note", "-e", f"cat > {out}", env=screen.environment) as process:
        until(lambda: screen.has_focus("note"))
        yield
        screen.keyboard.press("enter", go_on)  # else Ctrl+D only ends the line
        screen.keyboard.press("ctrl+d", go_on)
        process.wait(CAP_S)
    out.write_bytes(out.read_bytes().removesuffix(b"\n"))


@contextlib.contextmanager
def tk(screen: Screen, out: Path) -> Iterator[None]:
    with running(sys.executable, "-c", TK_NOTE, str(out), env=screen.environment) as process:
        # Tk hands keys to its widgets only from the moment it has itself noticed the focus.
        until(lambda: screen.has_focus("Note") and out.with_name(f"{out.name}.ready").exists())
        yield
        screen.keyboard.press("ctrl+q", go_on)
        process.wait(CAP_S)


@contextlib.contextmanager
def mousepad(screen: Screen, out: Path) -> Iterator[None]:
    out.touch()
    with running("mousepad", "--disable-server", str(out), env=screen.environment) as process:
        until(lambda: screen.has_focus("Mousepad"))
        yield
        screen.keyboard.press("ctrl+s", go_on)
        screen.keyboard.press("ctrl+q", go_on)
        process.wait(CAP_S)


@contextlib.contextmanager
def qt(screen: Screen, out: Path) -> Iterator[None]:
    with running("/usr/bin/python3", str(APPS / "note_qt.py"), str(out), env=screen.environment) as process:
        until(lambda: screen.has_focus("note") and out.with_name(f"{out.name}.ready").exists())
        yield
        screen.keyboard.press("ctrl+q", go_on)
        process.wait(CAP_S)


@contextlib.contextmanager
def chromium(screen: Screen, out: Path) -> Iterator[None]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write((APPS / "note.html").read_bytes() if self.path == "/" else b"")

        def do_POST(self) -> None:
            received[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    def answers() -> bool:
        screen.keyboard.press("f8", go_on)
        time.sleep(0.2)
        return "/ready" in received

    received: dict[str, bytes] = {}
    options = "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update", "--no-proxy-server"
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever).start()
        app = f"--app=http://127.0.0.1:{server.server_port}/"
        profile = f"--user-data-dir={out.parent / 'profile'}"
        try:
            with running("chromium", *options, profile, app, env=screen.environment):
                until(lambda: screen.has_focus("Chromium") and answers())
                yield
                screen.keyboard.press("f9", go_on)
                until(lambda: "/note" in received)
        finally:
            server.shutdown()
    out.write_bytes(received["/note"])


Application = Callable[[Screen, Path], contextlib.AbstractContextManager[None]]


def typed(screen: Screen, application: Application, text: str, out: Path) -> str:
    with application(screen, out):
        screen.keyboard.type(text, go_on)
    return out.read_bytes().decode()


@pytest.mark.parametrize("application", [mousepad, xterm, tk, qt, pytest.param(chromium, marks=pytest.mark.browser)])
def test_what_is_typed_is_what_appears(screen: Screen, application: Application, tmp_path: Path) -> None:
    assert typed(screen, application, CORPUS, tmp_path / "out") == CORPUS


@pytest.mark.parametrize("application", [xterm, tk, mousepad, qt, pytest.param(chromium, marks=pytest.mark.browser)])
@pytest.mark.parametrize("layout", ["de", "fr", "ru", "us(intl)", "us,de,fr,ru"])
def test_in_any_layout(screen: Screen, application: Application, layout: str, tmp_path: Path) -> None:
    text = ASCII + "äöü ß éèà ç € щука <>|@ 好 ¨"
    screen.layout("-layout", layout)
    try:
        assert typed(screen, application, text, tmp_path / "out") == text
    finally:
        screen.layout("us")


def test_in_each_group_of_a_layout(screen: Screen, tmp_path: Path) -> None:
    text = "zy qa <> щука é 123!"
    menu = screen.display.keycodes(0xFF67)[0]
    screen.layout("-layout", "us,ru,fr,de", "-option", "grp:menu_toggle")
    try:
        for group in range(4):
            assert screen.group() == group
            assert typed(screen, xterm, text, tmp_path / f"out{group}") == text
            screen.tap(menu)
    finally:
        screen.layout("us", "-option", "")


@pytest.mark.parametrize("application", [mousepad, qt, pytest.param(chromium, marks=pytest.mark.browser)])
def test_shortcuts_work_where_another_layout_is_active(
    screen: Screen, application: Application, tmp_path: Path
) -> None:
    groups = KeyboardMap(screen.display)
    screen.layout("-layout", "us,ru")
    groups.lock_group(1)
    try:
        with application(screen, tmp_path / "out"):
            screen.keyboard.type("wrong", go_on)
            screen.keyboard.press("ctrl+a", go_on)
            screen.keyboard.press("ctrl+x", go_on)
            screen.keyboard.type("щ right ", go_on)
            screen.keyboard.press("ctrl+v", go_on)
            screen.keyboard.press("z", go_on)
            assert screen.group() == 1
        assert (tmp_path / "out").read_bytes().decode() == "щ right wrongz"
    finally:
        groups.lock_group(0)
        screen.layout("us")


@pytest.mark.parametrize("key", ["capslock", "numlock"])
def test_a_lock_changes_nothing_and_stays(screen: Screen, key: str, tmp_path: Path) -> None:
    text = "Locked: é É ж Ж 1! 4,5"
    locks = KeyboardMap(screen.display)
    with tk(screen, tmp_path / "out"):
        screen.keyboard.press(key, go_on)
        on = locks.state().locks
        assert on
        screen.keyboard.type(text, go_on)
        assert locks.state().locks == on
        screen.keyboard.press(key, go_on)
        assert not locks.state().locks
    assert (tmp_path / "out").read_bytes().decode() == text


def test_keys_and_combinations(screen: Screen, tmp_path: Path) -> None:
    with mousepad(screen, tmp_path / "out"):
        screen.keyboard.type("one two\r\nthree\rfour", go_on)
        for keys in (
            "ctrl+home",
            "shift+end",
            "backspace",
            "é",
            "shift+a",
            "B",
            "+",
            "end",
            "enter",
            "ctrl+shift+home",
        ):
            screen.keyboard.press(keys, go_on)
        for keys in ("ctrl+x", "ctrl+V", "ctrl+end", "<", "ctrl+left", "escape"):
            screen.keyboard.press(keys, go_on)
    assert (tmp_path / "out").read_bytes().decode() == "éAB+\n\nthree\nfour<"


def test_a_letter_that_the_layout_lacks_still_makes_a_shortcut(screen: Screen, tmp_path: Path) -> None:
    screen.layout("ru")
    try:
        assert typed(screen, mousepad, "да", tmp_path / "out") == "да"  # saved by Ctrl+S, closed by Ctrl+Q
    finally:
        screen.layout("us")


def test_typing_does_not_wait_for_a_window_that_it_closes(screen: Screen) -> None:
    with running("xterm", "-class", "note", "-e", "read line", env=screen.environment) as process:
        until(lambda: screen.has_focus("note"))
        screen.keyboard.type("好\n", go_on)
        assert process.wait(5) == 0


def test_a_halt_in_the_middle_leaves_nothing_behind(screen: Screen, tmp_path: Path) -> None:
    before = screen.keymap()
    calls: list[int] = []

    def halt_at_the_fifth() -> None:
        calls.append(len(calls))
        if len(calls) == 5:
            raise Halt

    with xterm(screen, tmp_path / "out"):
        with pytest.raises(Halt):
            screen.keyboard.type("Ä好B" * 100, halt_at_the_fifth)
        assert not any(screen.display.keys_down())
        assert screen.keymap() == before
    assert 0 < len((tmp_path / "out").read_bytes().decode()) <= 100


def test_spare_keys_of_a_killed_process_are_cleared(screen: Screen, tmp_path: Path) -> None:
    script = (
        "import os; from toolbelt.desktops.x11.connection import Connection\n"
        "from toolbelt.desktops.x11.keyboard import X11Keyboard; calls = []\n"
        "def die(): calls.append(1); len(calls) > 4 and os._exit(9)\n"
        "X11Keyboard(Connection(os.environ['DISPLAY'])).type('好' * 100, die)"
    )
    before = screen.keymap()
    ended = subprocess.run([sys.executable, "-c", script], env=screen.environment, check=False, capture_output=True)
    assert ended.returncode == 9
    assert screen.keymap() != before
    assert typed(screen, xterm, "é", tmp_path / "out") == "é"


@pytest.mark.parametrize("bad", ["\0", "\x07", "\x1b", "\x7f", "\x85", "\ud800"])
def test_what_cannot_be_typed_is_refused_before_anything_is(screen: Screen, bad: str, tmp_path: Path) -> None:
    with xterm(screen, tmp_path / "out"), pytest.raises(ToolFailure, match=r"nothing was typed") as refused:
        screen.keyboard.type(f"good{bad}", go_on)
    assert refused.value.code == "INVALID_ARGS"
    assert (tmp_path / "out").read_bytes() == b""


@dataclass
class Person:
    """Somebody at the display's own keyboard, beside which programs have one of theirs."""

    screen: Screen

    def _key(self, name: str, kind: int) -> None:
        keyboards = Keyboards(self.screen.display)
        [device] = [number for number, title in keyboards._devices() if "XTEST" not in title]
        keyboards._fake(device, kind, self.screen.display.keycodes(MODIFIERS[name])[0])
        self.screen.display.sync()

    def holds(self, *names: str) -> None:
        for name in names:
            self._key(name, KEY_PRESS)

    def lets_go_of(self, *names: str) -> None:
        for name in names:
            self._key(name, KEY_RELEASE)


@pytest.fixture
def person(screen: Screen) -> Iterator[Person]:
    person = Person(screen)
    yield person
    person.lets_go_of("ctrl", "alt", "shift", "super")


HELD = "Held: aB1 <é> 好!"


@pytest.mark.parametrize("names", [("ctrl",), ("shift",), ("alt", "shift"), ("super",)])
def test_modifiers_that_a_person_holds_do_not_alter_typing(
    screen: Screen, person: Person, names: tuple[str, ...], tmp_path: Path
) -> None:
    with tk(screen, tmp_path / "out"):
        person.holds(*names)
        before = screen.display.keys_down()
        assert sum(map(int.bit_count, before)) == len(names)

        screen.keyboard.type(HELD, go_on)

        assert screen.display.keys_down() == before
        person.lets_go_of(*names)
        assert not any(screen.display.keys_down())
    assert (tmp_path / "out").read_bytes().decode() == HELD


def test_a_modifier_that_a_program_holds_stays_down_too(screen: Screen, tmp_path: Path) -> None:
    shift = screen.display.keycodes(MODIFIERS["shift"])[0]
    with tk(screen, tmp_path / "out"):
        screen.display.fake(KEY_PRESS, shift)
        screen.keyboard.type(HELD, go_on)
        assert any(screen.display.keys_down())
        screen.display.fake(KEY_RELEASE, shift)
        screen.display.sync()
    assert (tmp_path / "out").read_bytes().decode() == HELD


def test_a_modifier_released_during_typing_stays_up(screen: Screen, person: Person, tmp_path: Path) -> None:
    asked: list[int] = []

    def let_go_at_the_second() -> None:
        asked.append(1)
        if len(asked) == 2:
            person.lets_go_of("ctrl")

    text = "plain letters only, forty of them or more"
    with tk(screen, tmp_path / "out"):
        person.holds("ctrl")
        screen.keyboard.type(text, let_go_at_the_second)
        assert not any(screen.display.keys_down())
    assert (tmp_path / "out").read_bytes().decode() == text


def test_a_modifier_pressed_during_typing_changes_nothing(screen: Screen, person: Person, tmp_path: Path) -> None:
    asked: list[int] = []

    def press_at_the_second() -> None:
        asked.append(1)
        if len(asked) == 2:
            person.holds("ctrl")

    text = "plain letters only, forty of them or more"
    with tk(screen, tmp_path / "out"):
        screen.keyboard.type(text, press_at_the_second)
        assert any(screen.display.keys_down())
        person.lets_go_of("ctrl")
    assert (tmp_path / "out").read_bytes().decode() == text


def test_a_combination_is_exact_while_a_person_holds_a_key(screen: Screen, person: Person, tmp_path: Path) -> None:
    with mousepad(screen, tmp_path / "out"):
        screen.keyboard.type("one two", go_on)
        person.holds("shift")
        for keys in ("home", "delete", "ctrl+right", "X"):
            screen.keyboard.press(keys, go_on)
        person.lets_go_of("shift")
    assert (tmp_path / "out").read_bytes().decode() == "neX two"


def test_a_latched_modifier_changes_nothing_and_stays(screen: Screen, tmp_path: Path) -> None:
    latches = KeyboardMap(screen.display)
    with tk(screen, tmp_path / "out"):
        latches.lock(0, xproto.ModMask.Shift)
        screen.keyboard.type(HELD, go_on)
        assert latches.state().latches == xproto.ModMask.Shift
        latches.lock(0)
    assert (tmp_path / "out").read_bytes().decode() == HELD


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        ("enter", ["enter"]),
        ("Return", ["enter"]),
        ("Ctrl+Shift+S", ["ctrl", "shift", "s"]),
        ("ctrl++", ["ctrl", "+"]),
        ("ctrl + +", ["ctrl", "+"]),
        ("+", ["+"]),
        ("ctrl+plus", ["ctrl", "+"]),
        ("alt+F4", ["alt", "f4"]),
        ("ctrl+<", ["ctrl", "<"]),
        ("Page Up", ["pageup"]),
        ("page_down", ["pagedown"]),
        ("win", ["super"]),
        ("é", ["é"]),
        ("A", ["A"]),
        ("-", ["-"]),
        ("ctrl+-", ["ctrl", "-"]),
    ],
)
def test_key_names(keys: str, names: list[str]) -> None:
    assert parse_keys(keys) == names


def test_paste_keys_are_recognised_in_any_order_and_spelling() -> None:
    assert all(map(pastes, ("ctrl+v", "Control+V", "v+ctrl", "ctrl+shift+v", "shift+insert", "shift+ins", "cmd+v")))
    assert not any(map(pastes, ("v", "ctrl+c", "alt+v", "insert", "ctrl+", "nothing+v")))
    assert pastes("V", {"ctrl", "shift"})
    assert pastes("shift", {"insert"})
    assert not pastes("c", {"ctrl", "v"})


@pytest.mark.parametrize("keys", ["", " ", "ctrl+", "+ctrl", "ctrl+++", "entre", "ctrl+ctrl", "a+A+ctrl", "\n", "f25"])
def test_unknown_keys_are_refused(keys: str) -> None:
    with pytest.raises(ToolFailure) as refused:
        parse_keys(keys)
    assert refused.value.code == "INVALID_ARGS"


def test_an_unknown_key_hints_at_near_ones() -> None:
    with pytest.raises(ToolFailure) as refused:
        parse_keys("ctrl+entre")
    assert refused.value.hints
    assert "enter" in refused.value.hints[0]


characters = st.characters(exclude_categories=["Cc", "Cs", "Z"])


@given(st.sets(st.sampled_from(sorted(MODIFIERS))), characters)
def test_any_character_is_a_key_under_any_modifiers(modifiers: set[str], character: str) -> None:
    names = parse_keys("+".join([*modifiers, character]))
    assert set(names[:-1]) == modifiers
    assert names[-1].lower() == character.lower() or names[-1] == character
    assert parse_keys("+".join(names)) == names


@given(st.text())
def test_any_text_is_names_or_refused(keys: str) -> None:
    try:
        names = parse_keys(keys)
    except ToolFailure:
        return
    assert parse_keys("+".join(names)) == names
