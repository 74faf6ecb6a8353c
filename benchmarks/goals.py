"""First goals in numbers: how many of those that name their means are done, on real programs.

    python benchmarks/goals.py [WORD...]

The goals are those that tests/mark_i/brains/offline/first_goals.toml has in plain instructions; with words, those that
contain one. Each starts on a desktop of its own with a home of its own, in which there are two files and two folders.
What was done is read from the files, the windows, the screen and the answer. A goal whose program is not installed is
named and not counted.
"""

import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mark_i.agent import AgentCore
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.budget import Budget
from mark_i.loop.parts import Limits
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import DesktopError, Size

GOALS: Final = Path(__file__).parents[1] / "tests/mark_i/brains/offline/first_goals.toml"
SIZE: Final = Size(1280, 800)
PATH: Final = os.environ["PATH"]
START_MAX_S: Final = 60.0
CHECK_MAX_S: Final = 10.0  # for a program to show or write what was done
FLAGS: Final = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --no-proxy-server --force-renderer-accessibility"
)
STYLE: Final = "<meta charset=utf-8><style>body{font:18px sans-serif;margin:40px}.far{height:1500px}</style>"
HISTORY: Final = "<title>First</title><p>The first page<script>if(!location.hash)location='second.html'</script>"


@dataclass(frozen=True, slots=True)
class After:
    """What there is after a run: the home, the titles of the windows, the texts on the screen, and the answer."""

    home: Path
    titles: tuple[str, ...]
    texts: str
    answer: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What is there before a goal, and how to tell that it is done."""

    done: Callable[[After], object]
    needs: str
    start: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    ready: str = ""  # a text that is shown once it can begin
    typed: str = ""  # by somebody else before


def page(body: str, done: Callable[[After], object], ready: str, **others: str) -> Scene:
    """Return a scene in a browser."""
    pages = {"page.html": STYLE + body} | {f"{name}.html": STYLE + text for name, text in others.items()}
    return Scene(
        done, "chromium", ("chromium", "--user-data-dir={home}/profile", "--app=file://{home}/page.html"), pages, ready
    )


def titled(part: str) -> Callable[[After], bool]:
    """Return the check that a window has a title with a part."""
    return lambda after: any(part in one for one in after.titles)


def shows(part: str) -> Callable[[After], bool]:
    """Return the check that a text is on the screen."""
    return lambda after: part in after.texts


def holds(name: str, text: str) -> Callable[[After], bool]:
    """Return the check that a file somewhere in the home holds a text."""
    return lambda after: any(text in one.read_text(encoding="utf-8") for one in after.home.rglob(name))


def answers(part: str) -> Callable[[After], bool]:
    """Return the check that the answer has a part."""
    return lambda after: part in after.answer.casefold()


def button(name: str) -> str:
    """Return a button that makes the title of the page say that it was pressed."""
    return f"<button onclick=\"document.title='pressed {name}'\">{name}</button>"


FILES: Final = ("thunar", "{home}")
SCENES: Final[Mapping[str, Scene]] = {
    'open mousepad and write "Hello" and save it as hello.txt': Scene(holds("hello.txt", "Hello"), "mousepad"),
    'Open the text editor and type "Buy milk"': Scene(shows("Buy milk"), "mousepad"),
    'open Writer, type "Meeting notes" and press enter': Scene(shows("Meeting notes"), "lowriter"),
    "select all, copy it, click Notes and paste it": page(
        "<textarea autofocus>Ada</textarea>"
        "<p><label>Notes <input oninput='document.title=`has ${this.value}`'></label>",
        titled("has Ada"), "Notes"),
    "Save the document": Scene(
        holds("report.txt", "Draft"), "mousepad", ("mousepad", "{home}/report.txt"), {}, "Q1", typed="Draft"),
    "Open the file manager and double-click report.txt": Scene(titled("report.txt"), "thunar"),
    "drag notes.txt to the folder Work": Scene(
        lambda after: (after.home / "Work/notes.txt").exists(), "thunar", FILES, {}, "notes.txt"),
    "open my Documents folder": Scene(titled("Documents"), "thunar", FILES, {}, "Documents"),
    "open the browser and go to example.com": Scene(shows("example.com"), "chromium"),
    "scroll down and click Next": page(f"<p>Top<div class=far></div>{button('Next')}", titled("pressed Next"), "Top"),
    'find "Privacy" on the page': page("<p>Top<div class=far></div><a href=x>Privacy</a>", shows("Privacy"), "Top"),
    "when the price is below 60, click Buy": page(
        f"<p>Price: <b id=p>75</b><p>{button('Buy')}<script>setTimeout(()=>p.textContent='58',4000)</script>",
        titled("pressed Buy"), "Price"),
    "click Sign in, enter bob@example.org as Email and press enter": page(
        "<button onclick='f.hidden=0'>Sign in</button>"
        "<form id=f hidden onsubmit='document.title=`in as ${m.value}`;return false'>"
        "<label>Email <input id=m></label></form>", titled("in as bob@example.org"), "Sign in"),
    "go back": page(HISTORY, titled("First"), "second", second="<title>Second</title><p>The second page"),
    "refresh the page": page(
        "<p>A page<script>let n=+sessionStorage.n||0;sessionStorage.n=n+1;document.title=`seen ${n}`</script>",
        titled("seen 1"), "A page"),
    "turn on Dark mode": page(
        "<label><input type=checkbox onchange='document.title=`dark ${this.checked}`'> Dark mode</label>",
        titled("dark true"), "Dark mode"),
    "open the settings and click Display": Scene(titled("Display"), "xfce4-settings-manager"),
    "set the volume to 50": page(
        "<label>Volume <input type=range value=20 oninput='document.title=`volume ${this.value}`'></label>",
        titled("volume 50"), "Volume"),
    "open the calculator and compute 12*7": Scene(shows("84"), "galculator"),
    "Open the calculator, type 12*7 and press enter": Scene(shows("84"), "galculator"),
    "open Calculator and click 7, +, 8 and =": Scene(shows("15"), "galculator"),
    'open a terminal and type "ls" and press enter': Scene(shows("Documents"), "xterm"),
    "open a terminal and run ls -la": Scene(shows("Documents"), "xterm"),
    "open the terminal, run the command date and tell me what it says": Scene(answers("20"), "xterm"),
    "what is the total?": page("<p>Net 40.00<p>Total: 48.50", answers("48.50"), "Total"),
    "How many Delete buttons are there?": page(button("Delete") * 3, answers("3"), "Delete"),
    "Is the Save button visible?": page(button("Save"), answers("yes"), "Save"),
    "What's on my screen?": page("<p>Harbour lights", answers("harbour lights"), "Harbour"),
}  # fmt: skip


def goals() -> list[str]:
    """Return the goals that name their means, in the order of the file."""
    sections = tomllib.loads(GOALS.read_text(encoding="utf-8"))
    return [one["say"] for section in sections.values() for one in section if "does" in one]


def prepare_browser(home: Path) -> None:
    """Make the browser start with our flags, by its name and from the menu: for root it needs them."""
    found = shutil.which("chromium")
    entry = Path("/usr/share/applications/chromium.desktop")
    if not found or not entry.exists():
        return
    wrapper = home / "bin" / "chromium"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {found} {FLAGS} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o700)
    os.environ["PATH"] = f"{wrapper.parent}:{PATH}"
    menu = home / ".local/share/applications"
    menu.mkdir(parents=True)
    lines = entry.read_text(encoding="utf-8").splitlines()
    lines = [f"Exec={wrapper} %U" if line.startswith("Exec=") else line for line in lines]
    (menu / entry.name).write_text("\n".join(lines), encoding="utf-8")


def tried(goal: str, scene: Scene, home: Path) -> tuple[bool, str]:
    """Run a goal; return whether it is done, and how the run ended."""
    for folder in ("Documents", "Work"):
        (home / folder).mkdir()
    (home / "report.txt").write_text("Q1 was good.\n", encoding="utf-8")
    (home / "notes.txt").write_text("Milk\n", encoding="utf-8")
    for name, text in scene.pages.items():
        (home / name).write_text(text, encoding="utf-8")
    os.environ["HOME"] = str(home)
    prepare_browser(home)
    os.chdir(home)
    control = Control()
    with closing(VirtualDesktop(SIZE, control)) as desktop:
        eyes = Eyes(desktop, control)

        def texts() -> str:
            return "\n".join(line.text for line in eyes.read(eyes.look()))

        if scene.start:
            desktop.launch([one.format(home=home) for one in scene.start])
            if not control.until(lambda: scene.ready in texts(), START_MAX_S):
                raise DesktopError(f"{scene.start[0]} did not show {scene.ready}.")
            eyes.settle(eyes.look(), 1.0, quiet=0.5)
            desktop.type(scene.typed) if scene.typed else None
        agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, limits=Limits(Budget(steps=40)), eyes=eyes)
        outcome = agent.execute_command(goal)

        def after() -> After:
            titles = tuple(one.title for one in desktop.windows())
            return After(home, titles, texts(), outcome.summary)

        done = bool(control.until(lambda: scene.done(after()), CHECK_MAX_S))
        return done, f"{outcome.name}: {outcome.summary}"


def main(words: list[str]) -> None:
    """Run the goals and print a line for each."""
    done, count = 0, 0
    for goal in goals():
        scene = SCENES.get(goal)
        if words and not any(word in goal for word in words):
            continue
        if scene is None or not shutil.which(scene.needs):
            sys.stdout.write(f"not tried  {goal}  ({scene.needs if scene else 'no scene'})\n")
            continue
        with tempfile.TemporaryDirectory(prefix="mark-i-goals-", ignore_cleanup_errors=True) as name:
            try:
                is_done, ended = tried(goal, scene, Path(name))
            except DesktopError as error:
                is_done, ended = False, str(error)
            os.chdir("/")
        done, count = done + is_done, count + 1
        sys.stdout.write(f"{'done' if is_done else 'NOT done'}  {goal}  ({ended})\n")
        sys.stdout.flush()
    sys.stdout.write(f"{done} of {count} goals are done.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
