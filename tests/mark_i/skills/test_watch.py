"""`mark-i watch`: a skill is done when something comes to be on a real desktop, or at intervals, and no more often."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from mark_i.assembly.kept_desktops import borrowed, is_used, kept_named, start_kept, stop_kept
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder, skills_folder, watches_folder
from mark_i.skills.file import write_skill
from mark_i.skills.skill import Effect, Parameter, Shown, Skill, SkillStep
from tests.support import CAP_S, Run, end, soon, xdotool
from tests.sway import Session
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from world_model import Region, Size, read_run

ORDERS: Final = Path(__file__).parents[2] / "apps" / "orders_gtk.py"
BEGUN, SEEN, AGAIN = "Watching. To stop:", "Seen at ", "Watching again."
ALREADY, GONE = "It is on the screen already", "It is gone."
TAKE: Final = SkillStep(does="Take it", tool="click", args={"target": {"text": "Take", "role": "button"}})
WAIT: Final = SkillStep(does="Wait", tool="wait", args={"seconds": 2 * CAP_S}, then=Effect(changed=False))


class Program:
    """A program whose lines can be waited for."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.told = ""

    def say(self, text: str) -> None:
        """Write a line to it."""
        assert self.process.stdin
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def until(self, text: str, times: int = 1) -> None:
        """Read its lines until so many of them have a text."""
        assert self.process.stdout
        while self.told.count(text) < times:
            line = self.process.stdout.readline()
            assert line, self.told
            self.told += line

    def ended(self) -> int:
        """Wait for its end."""
        self.told += self.process.communicate(timeout=CAP_S)[0]
        return self.process.returncode


@pytest.fixture
def start(processes: None) -> Iterator[Callable[..., Program]]:
    """Start a program, which ends with the test."""
    started: list[Program] = []

    def begin(*command: str, **environment: str) -> Program:
        started.append(Program([*command], os.environ | environment))
        return started[-1]

    yield begin
    for one in started:
        with one.process:
            end(one.process)


@pytest.fixture
def kept(display: None, home: Path) -> Iterator[VirtualDesktop]:
    """A kept desktop, which the watch uses, too."""
    start_kept(DEFAULT_PROFILE, "work", Size(1024, 768), Control())
    try:
        with closing(VirtualDesktop.attach(kept_named(DEFAULT_PROFILE, "work"), Control())) as there:
            yield there
    finally:
        stop_kept(DEFAULT_PROFILE, "work")


def keep(*steps: SkillStep) -> None:
    """Keep the skill `take`."""
    skill = Skill(name="take", goal="press Take", state="kept", steps=steps, check=(Shown(step=1),))
    write_skill(skill, skills_folder(DEFAULT_PROFILE) / "take")


def opened(start: Callable[..., Program], desktop: VirtualDesktop, text: str, button: str = "Take") -> Program:
    """The window with a text in it, once it is seen."""
    window = start("/usr/bin/python3", str(ORDERS), button, DISPLAY=desktop.display, NO_AT_BRIDGE="1")
    window.say(text)
    seen(desktop, text)
    return window


def seen(desktop: VirtualDesktop, text: str) -> Region:
    """Where a text is, once it is there."""
    eyes = Eyes(desktop, Control())
    [found, *_] = find(text, eyes.until(lambda lines: find(text, lines), CAP_S))
    assert found.region
    return found.region


def titles(desktop: VirtualDesktop) -> list[str]:
    return [one.title for one in desktop.windows()]


def watching(start: Callable[..., Program], *arguments: str, **environment: str) -> Program:
    """A watch that does `take`, once it looks."""
    watch = start(sys.executable, "-m", "mark_i", "watch", *arguments, "--do", "take", **environment)
    watch.until(BEGUN)
    return watch


def outcomes() -> list[str]:
    return [read_run(folder).about["outcome"]["outcome"] for folder in sorted(runs_folder().iterdir())]


def nothing_is_left() -> bool:
    return not any(one.is_dir() for one in watches_folder().iterdir())


def test_each_sighting_is_acted_on_once(start: Callable[..., Program], kept: VirtualDesktop) -> None:
    keep(TAKE)
    window = opened(start, kept, "New order")
    watch = watching(start, "New order", "--every", "1s", "--on", "work")

    watch.until(ALREADY)
    window.say("Nothing")
    watch.until(GONE)
    assert SEEN not in watch.told
    window.say("New order")
    watch.until(AGAIN)
    watch.until(ALREADY, 2)
    window.say("Nothing")
    watch.until(GONE, 2)
    window.say("New order")
    watch.until(AGAIN, 2)
    watch.process.send_signal(signal.SIGINT)

    assert watch.ended() == 130, watch.told
    assert (outcomes(), titles(kept)) == (["done", "done"], ["pressed 2"]), watch.told
    assert nothing_is_left()
    assert not is_used(DEFAULT_PROFILE, "work")


def test_without_every_it_ends_with_the_run(start: Callable[..., Program], kept: VirtualDesktop) -> None:
    keep(TAKE)
    window = opened(start, kept, "Nothing")
    watch = watching(start, '"New order"', "--on", "work")
    window.say("New order")

    assert watch.ended() == 0, watch.told
    assert (outcomes(), titles(kept)) == (["done"], ["pressed 1"]), watch.told
    assert nothing_is_left()


def test_a_picture_is_seen(start: Callable[..., Program], kept: VirtualDesktop, tmp_path: Path) -> None:
    keep(TAKE)
    window = opened(start, kept, "New order")
    Image.fromarray(kept.grab().crop(seen(kept, "New order").grown(6))).save(tmp_path / "new order.png")
    window.say("Nothing")
    seen(kept, "Nothing")
    watch = watching(start, str(tmp_path / "new order.png"), "--on", "work")
    assert ALREADY not in watch.told
    window.say("New order")

    assert watch.ended() == 0, watch.told
    assert titles(kept) == ["pressed 1"]


def test_a_skill_that_does_not_fit_ends_the_watch(start: Callable[..., Program], kept: VirtualDesktop) -> None:
    keep(TAKE)
    window = opened(start, kept, "Nothing", button="Leave")
    watch = watching(start, "New order", "--every", "1s", "--on", "work")
    window.say("New order")

    assert watch.ended() == 1, watch.told
    assert (outcomes(), titles(kept)) == (["failed"], ["Orders"])
    assert nothing_is_left()


def test_it_waits_for_a_run_that_uses_the_desktop(start: Callable[..., Program], kept: VirtualDesktop) -> None:
    keep(TAKE)
    window = opened(start, kept, "Nothing")
    watch = watching(start, "New order", "--on", "work")
    with borrowed(DEFAULT_PROFILE, "work", "20260131-1"):
        window.say("New order")
        seen(kept, "New order")
        assert titles(kept) == ["Orders"]
        assert watch.process.poll() is None

    assert watch.ended() == 0, watch.told
    assert titles(kept) == ["pressed 1"]


def test_a_skill_is_done_at_intervals(start: Callable[..., Program], kept: VirtualDesktop) -> None:
    keep(TAKE)
    opened(start, kept, "Nothing")
    watch = watching(start, "--every", "1s", "--on", "work")
    watch.until(AGAIN, 2)
    watch.process.send_signal(signal.SIGTERM)

    assert watch.ended() == 130, watch.told
    assert int(titles(kept)[0].removeprefix("pressed ")) >= 2
    assert nothing_is_left()


def test_a_wayland_session_is_watched(start: Callable[..., Program], sway: Session) -> None:
    keep(TAKE)
    window = start("/usr/bin/python3", str(ORDERS), "Take", **sway.environment)
    watch = watching(start, "New order", **sway.environment)
    window.say("New order")

    assert watch.ended() == 0, watch.told
    assert outcomes() == ["done"]


# Stopping -----------------------------------------------------------------------------------------------------------


def by_signal(number: signal.Signals) -> Callable[[Program, Run, VirtualDesktop], None]:
    return lambda watch, _run, _desktop: watch.process.send_signal(number)


def by_command(_watch: Program, mark_i: Run, _desktop: VirtualDesktop) -> None:
    stopped = mark_i("stop")
    assert stopped.returncode == 0, stopped.stderr


def by_hotkey(watch: Program, _run: Run, desktop: VirtualDesktop) -> None:
    xdotool(desktop, "keydown", "ctrl", "keydown", "alt", "keydown", "Escape")
    try:
        assert soon(lambda: watch.process.poll() is not None)
    finally:
        xdotool(desktop, "keyup", "Escape", "keyup", "alt", "keyup", "ctrl")


STOPS: Final = [
    pytest.param(by_signal(signal.SIGINT), id="ctrl-c"),
    pytest.param(by_signal(signal.SIGTERM), id="sigterm"),
    pytest.param(by_command, id="mark-i stop"),
    pytest.param(by_hotkey, id="hotkey"),
]


@pytest.mark.parametrize("stop", STOPS)
def test_a_watch_that_looks_is_stopped(
    start: Callable[..., Program], desktop: VirtualDesktop, mark_i: Run, stop: Callable[..., None]
) -> None:
    keep(TAKE)
    watch = watching(start, "New order", DISPLAY=desktop.display)

    stop(watch, mark_i, desktop)

    assert watch.ended() == 130, watch.told
    assert nothing_is_left()
    assert not runs_folder().exists()


@pytest.mark.parametrize("stop", STOPS)
def test_a_watch_is_stopped_with_its_run(
    start: Callable[..., Program], desktop: VirtualDesktop, mark_i: Run, stop: Callable[..., None]
) -> None:
    keep(WAIT)
    watch = watching(start, "--every", "1s", DISPLAY=desktop.display)
    watch.until("wait(")

    stop(watch, mark_i, desktop)

    assert watch.ended() == 130, watch.told
    assert outcomes() == ["stopped"]
    assert nothing_is_left()


def test_a_virtual_desktop_ends_with_a_stopped_watch(start: Callable[..., Program], display: None, mark_i: Run) -> None:
    keep(WAIT)
    watch = watching(start, "--every", "1s", "--virtual", "640x480")
    watch.until("wait(")
    before = mark_i("stop", "--all").stdout

    assert watch.ended() == 130, watch.told
    assert before.count("is stopped.") == 2
    assert nothing_is_left()


# Its own terminal, and what cannot be --------------------------------------------------------------------------------


def test_the_command_in_its_own_terminal_is_not_seen(
    start: Callable[..., Program], desktop: VirtualDesktop, tmp_path: Path
) -> None:
    keep(TAKE)
    told = tmp_path / "told.txt"
    said = f"echo New order; echo; exec {sys.executable} -m mark_i watch 'New order' --do take >{told} 2>&1"
    shell = ("-fa", "Mono", "-fs", "12", "-geometry", "50x8+20+500", "-e", "sh", "-c", said)
    start("xterm", *shell, DISPLAY=desktop.display)
    seen(desktop, "New order")
    assert soon(lambda: told.exists() and BEGUN in told.read_text())
    window = opened(start, desktop, "Nothing")
    window.say("New order")

    assert soon(lambda: titles(desktop)[-1] == "pressed 1"), told.read_text()
    assert ALREADY not in told.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ([], 2, "Give WHAT to watch for, or --every, or both. See mark-i watch --help."),
        (["New order", "--do", "tak"], 2, "There is no skill 'tak'. Did you mean take?"),
        (["New order", "--do", "draft"], 2, "The skill draft is a draft, and nobody sees to it here. Check it first:"),
        (["New order", "--do", "order"], 2, "The skill order needs a value for person, since nobody can be asked"),
        (["New order", "--set", "town=Oslo"], 2, "The skill take has no parameter 'town'."),
        (["New order", "--every", "soon"], 2, "Invalid value for '--every': A time is written as 30s, 10m, 2h or 1d"),
        (["New order", "--every", "0s"], 2, "Invalid value for '--every': A time is written as"),
        (["--every", "366d"], 2, "Invalid value for '--every': A time is written as"),
        ([" "], 2, "What is to be watched for is empty: give a text, or the path of a picture."),
        (["\u4f60\U0001f98a\u16a0"], 2, "The letters "),
        (["none.png"], 2, "There is no file none.png. To watch for that text, put it into quotation marks"),
        (["empty.png"], 2, "empty.png is not an image that can be read"),
        (["grey.png"], 2, "The image grey.png shows too little to be found."),
        (["New order", "--virtual"], 2, "Nothing comes to be on a new virtual desktop"),
        (["New order", "--on", "nowhere"], 2, "There is no desktop 'nowhere'."),
        (["New order"], 5, "There is no display here. To watch a virtual desktop that is kept, add --on"),
    ],
)
def test_what_cannot_be_watched_is_one_line_before_anything_begins(
    mark_i: Run, tmp_path: Path, arguments: list[str], code: int, told: str
) -> None:
    keep(TAKE)
    drafted, asking = Skill(name="draft", goal="g", steps=(TAKE,)), (Parameter(name="person", example="Ada"),)
    order = Skill(name="order", goal="g", steps=(TAKE,), state="kept", parameters=asking)
    for skill in (drafted, order):
        write_skill(skill, skills_folder(DEFAULT_PROFILE) / skill.name)
    (tmp_path / "empty.png").touch()
    Image.new("RGB", (40, 40), "grey").save(tmp_path / "grey.png")
    do = [] if "--do" in arguments else ["--do", "take"]

    done = mark_i("watch", *arguments, *do, cwd=tmp_path, stdin=subprocess.DEVNULL)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), done.stderr
    assert done.stderr.startswith(f"mark-i: {told}")
    assert not runs_folder().exists()
    assert not watches_folder().exists() or nothing_is_left()
