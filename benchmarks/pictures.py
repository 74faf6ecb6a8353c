"""Make the pictures in docs/images from the real window: light, dark, paused, asking, and the demo as it is done.

    python benchmarks/pictures.py

It opens the window on a virtual desktop, works it with a real mouse and keyboard, and takes pictures of that screen.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from mark_i.config import DEFAULT_PROFILE
from mark_i.runs import summaries
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from world_model import Size

IMAGES: Final = Path(__file__).parents[1] / "docs" / "images"
BUTTONS: Final = Path(__file__).parents[1] / "tests" / "apps" / "buttons_tk.py"
SCREEN: Final = Size(1280, 800)
MAX_S: Final = 120.0  # for anything to happen
FRAME_S: Final = 0.5  # between two frames of the moving picture
LAST_MS: Final = 3000  # for which its last frame is shown
GIF_SIZE: Final = (960, 600)
GIF_COLORS: Final = 256


class Stage:
    """A virtual desktop with the window on it, as large as the screen."""

    def __init__(self, desktop: VirtualDesktop, home: Path, settings: Mapping[str, str]) -> None:
        self.desktop, self.control = desktop, desktop.control
        self.eyes = Eyes(desktop, self.control)
        self._home = home
        self._environment = desktop._environment | {"MARK_I_HOME": str(home), "HOME": str(home)}
        for key, value in settings.items():
            self._run("config", "set", key, value).wait()
        self.process = self._run("gui")
        self.wait_for("Ready")
        (window,) = desktop.windows()
        desktop.place_window(window, self.eyes.look().region)
        self.picture()  # it is laid out anew

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen."""
        self.eyes.until(lambda lines: bool(find(text, lines)), MAX_S)

    def click(self, text: str) -> None:
        """Click on a text."""
        self.wait_for(text)
        self.desktop.click(find(text, self.eyes.read(self.eyes.look()))[0].point)

    def picture(self) -> Image.Image:
        """The screen once it is still."""
        return Image.fromarray(self.eyes.settle(self.eyes.look(), 1.0).frame.pixels)

    def save(self, name: str) -> None:
        """Keep a picture of the screen."""
        self.picture().save(IMAGES / name, optimize=True)

    def frames(self) -> Iterator[Image.Image]:
        """Pictures of the screen, each different from the last, until the run has ended."""
        shown = None
        while not self._ended():
            pixels = self.eyes.look().pixels
            if shown is None or not np.array_equal(pixels, shown):
                shown = pixels
                yield Image.fromarray(pixels)
            self.control.wait(FRAME_S)
        yield self.picture()

    def _ended(self) -> bool:
        runs = self._home / "profiles" / DEFAULT_PROFILE / "runs"
        return runs.is_dir() and any(one.outcome != "running" for one in summaries(runs))

    def _run(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "mark_i", *arguments]
        return subprocess.Popen(command, env=self._environment, cwd=self._home)


@contextmanager
def stage(**settings: str) -> Iterator[Stage]:
    """The window of a person who has run nothing yet, closed at the end."""
    control = Control()
    with tempfile.TemporaryDirectory() as home, closing(VirtualDesktop(SCREEN, control)) as desktop:
        opened = Stage(desktop, Path(home), settings)
        try:
            yield opened
        finally:
            opened.process.terminate()
            opened.process.wait(MAX_S)


def film_demo() -> None:
    """Make the moving picture, and the window when the demo is done."""
    with stage(theme="light") as window:
        window.click("Watch the demo")
        frames = [frame.resize(GIF_SIZE, Image.Resampling.LANCZOS) for frame in window.frames()]
        window.save("window.png")
    palette = _side_by_side(frames).quantize(GIF_COLORS, Image.Quantize.MAXCOVERAGE)
    first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    times_ms = [round(FRAME_S * 1000)] * len(rest) + [LAST_MS]
    first.save(IMAGES / "demo.gif", save_all=True, append_images=rest, duration=times_ms, loop=0, optimize=True)


def _side_by_side(frames: list[Image.Image]) -> Image.Image:
    """All frames in one image, for a palette that has the colors of all."""
    sheet = Image.new("RGB", (len(frames) * GIF_SIZE[0], GIF_SIZE[1]))
    for number, frame in enumerate(frames):
        sheet.paste(frame, (number * GIF_SIZE[0], 0))
    return sheet


def photograph_pause() -> None:
    """Make the pictures of a paused run, light and dark."""
    for theme, name in (("light", "live.png"), ("dark", "window-dark.png")):
        with stage(theme=theme) as window:
            window.click("Watch the demo")
            window.wait_for("STEP 4")
            window.desktop.press("f6")
            window.wait_for("Paused")
            window.save(name)


def photograph_approval() -> None:
    """Make the picture of an action that waits for approval."""
    with tempfile.TemporaryDirectory() as folder:
        policy, script = Path(folder) / "policy.toml", Path(folder) / "script.jsonl"
        policy.write_text('[[rules]]\ndo = "allow"\ntool = "open_app"\n')
        arguments = [str(BUTTONS), "Checkout", f"{folder}/pressed.txt", "Back", "Pay now"]
        actions = (
            {"tool": "open_app", "args": {"name": sys.executable, "args": arguments}},
            {"tool": "click", "args": {"target": "Pay now"}},
        )
        script.write_text("".join(json.dumps({"thought": "I pay.", "action": one}) + "\n" for one in actions))
        with stage(theme="light", policy=str(policy)) as window:
            window.desktop.type(f"Buy what is in the cart\tscripted:{script}")
            window.desktop.press("ctrl+enter")
            window.wait_for("What should it do instead?")
            window.save("approval.png")


if __name__ == "__main__":
    film_demo()
    photograph_pause()
    photograph_approval()
