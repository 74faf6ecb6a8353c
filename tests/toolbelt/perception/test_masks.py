"""What the agent neither sees nor touches."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mark_i.config.settings import load, parsed, save
from tests.support import Run, action, script, tell_window_manager
from toolbelt.control import Control
from toolbelt.desktops.base import Window
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.masks import Masks, covered
from toolbelt.standard import standard_toolbelt
from world_model import Action, Frame, Observation, Point, Region, UsageError

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application on a busy machine
CLOCK = """
import tkinter, sys
root = tkinter.Tk()
root.title(sys.argv[1])
root.geometry("300x120+" + sys.argv[2])
tkinter.Label(root, text=sys.argv[3], font=("TkDefaultFont", 16)).pack()
tkinter.Entry(root).pack()
root.mainloop()
"""


def use(eyes: Eyes, tool: str, **args: Any) -> Observation:
    return standard_toolbelt(eyes).call(Action(tool, args), eyes.control).observation


def code(observation: Observation) -> str | None:
    return observation.error.code if observation.error else None


@pytest.fixture
def two(desktop: VirtualDesktop, control: Control) -> VirtualDesktop:
    """Two windows: one is nobody's business."""
    desktop.launch([sys.executable, "-c", CLOCK, "Passwords - Vault", "50+60", "Secret word"])
    desktop.launch([sys.executable, "-c", CLOCK, "Letter", "500+400", "Dear Ada"])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find("Secret word", lines) and find("Dear Ada", lines), CAP_S)
    return desktop


def test_a_masked_window_is_black_and_gets_no_click_and_no_key(two: VirtualDesktop, control: Control) -> None:
    eyes = Eyes(two, control, Masks.parse(["vault"]))
    vault, letter = (next(one for one in two.windows() if name in one.title) for name in ("Vault", "Letter"))

    frame = eyes.look()
    lines = eyes.read(frame)

    assert not frame.crop(vault.region).any()
    assert frame.crop(letter.region).any()
    assert (find("Secret word", lines), len(find("Dear Ada", lines))) == ([], 1)
    refused: tuple[tuple[str, dict[str, Any]], ...] = (
        ("click", {"target": _at(vault.region.center)}),
        ("drag", {"start": _at(letter.region.center), "end": _at(vault.region.center)}),
        ("type_text", {"text": "x", "into": _at(vault.region.center)}),
    )
    for tool, args in refused:
        assert code(use(eyes, tool, **args)) == "PERMISSION_DENIED", tool
    two.focus_window(vault)
    assert control.until(lambda: any(one.active and "Vault" in one.title for one in two.windows()), CAP_S)
    for tool, args in (("type_text", {"text": "x"}), ("press", {"keys": "enter"}), ("key_down", {"key": "ctrl"})):
        assert code(use(eyes, tool, **args)) == "PERMISSION_DENIED", tool
    assert use(eyes, "click", target="Dear Ada").ok
    told = use(eyes, "screenshot").text + use(eyes, "list_windows").text
    assert ("Letter" in told, "Vault" in told) == (True, False)
    assert code(use(eyes, "close_window", title="Vault")) == "TARGET_NOT_FOUND"


def test_a_window_on_another_workspace_does_not_affect_masks(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch([sys.executable, "-c", CLOCK, "Passwords - Vault", "50+60", "Secret word"])
    assert Eyes(desktop, control).until(lambda lines: find("Secret word", lines), CAP_S)
    desktop.launch([sys.executable, "-c", CLOCK.replace("300x120", "600x400"), "Letter", "20+20", "Dear Ada"])
    assert Eyes(desktop, control).until(lambda lines: find("Dear Ada", lines), CAP_S)
    eyes = Eyes(desktop, control, Masks.parse(["vault"]))
    vault, letter = (next(one.id for one in desktop.windows() if name in one.title) for name in ("Vault", "Letter"))

    with closing(Connection(desktop.display)) as display:
        tell_window_manager(display, display.root, "_NET_NUMBER_OF_DESKTOPS", 2)
        tell_window_manager(display, letter, "_NET_WM_DESKTOP", 1, 2)
        assert control.until(lambda: [one.id for one in desktop.windows() if one.minimized] == [letter], CAP_S)
        frame = eyes.settle(eyes.look()).frame
        assert not frame.crop(Region(60, 90, 200, 40)).any()
        assert find("Secret word", eyes.read(frame)) == []

        tell_window_manager(display, display.root, "_NET_CURRENT_DESKTOP", 1, 0)
        assert control.until(lambda: [one.id for one in desktop.windows() if one.minimized] == [vault], CAP_S)
        assert eyes.until(lambda lines: find("Dear Ada", lines), CAP_S)
        assert eyes.look().crop(Region(60, 90, 200, 40)).all()
        eyes.permit(Point(100, 100))


def test_an_application_whose_window_is_masked_is_told_as_such(desktop: VirtualDesktop, control: Control) -> None:
    eyes = Eyes(desktop, control, Masks.parse(["vault"]))

    refused = use(eyes, "open_app", name="xterm", args=["-T", "The vault", "-e", "cat"])
    opened = use(eyes, "open_app", name="xterm", args=["-T", "Letter", "-e", "cat"])

    assert refused.error
    assert (refused.error.code, "is masked" in refused.error.message) == ("PERMISSION_DENIED", True)
    assert "vault" not in f"{refused.error.message} {refused.error.hints}"
    assert opened.ok


def _at(point: Point) -> dict[str, int]:
    return {"x": point.x, "y": point.y}


def test_the_window_of_this_process_is_never_seen(desktop: VirtualDesktop) -> None:
    program = CLOCK.replace("root.mainloop()", "").replace("sys.argv[1]", "'MARK-I'").replace("sys.argv[2]", "'50+60'")
    program = program.replace("sys.argv[3]", "'Our own'") + SEES_ITSELF
    environment = desktop._environment | {"PYTHONPATH": str(Path(__file__).parents[3])}

    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)

    assert json.loads(ran.stdout) == {"with": True, "without": False}, ran.stderr


SEES_ITSELF = """
import json, os
from toolbelt.control import Control
from toolbelt.perception.eyes import Eyes
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.perception.masks import Masks
control = Control()
desktop = LiveDesktop(os.environ["DISPLAY"], control)
root.update()
assert control.until(lambda: root.update() or any(one.ours for one in desktop.windows()), 60)
region = next(one.region for one in desktop.windows() if one.ours)
seen = {name: bool(Eyes(desktop, control, Masks(own=own)).look().crop(region).any())
        for name, own in (("with", False), ("without", True))}
print(json.dumps(seen))
desktop.close()
"""


def test_a_masked_part_is_kept_black_and_a_click_in_it_refused(mark_i: Run, home: Path, tmp_path: Path) -> None:
    assert mark_i("config", "set", "masks", "100,50,200x120; Vault").returncode == 0
    brain = script(tmp_path / "brain.jsonl", action("click", target=[150, 100]), action("fail", reason="Enough."))

    ran = mark_i("run", "click", "--virtual", "640x480", "--brain", brain, "--json")

    step = next(event for event in map(json.loads, ran.stdout.splitlines()) if event["event"] == "step")
    assert step["observation"]["error"]["code"] == "PERMISSION_DENIED"
    images = list(home.rglob("frames/*.png"))
    assert images
    for image in images:
        pixels = np.asarray(Image.open(image).convert("RGB"))
        assert not pixels[50:170, 100:300].any()
        assert pixels[200:, 350:].any()


def test_masks_are_written_as_people_write_lists() -> None:
    save({"masks": parsed("masks", " 0,0,400x100 ;; KeePassXC")})
    assert load().masks == ("0,0,400x100", "KeePassXC")
    assert Masks.parse(load().masks) == Masks((Region(0, 0, 400, 100),), ("KeePassXC",))

    save({"masks": parsed("masks", "none")})
    assert load().masks == ()


def test_a_mask_beyond_the_screen_leaves_the_frame_unchanged() -> None:
    frame = Frame(np.full((50, 80, 3), 9, np.uint8), Point(-10, 5))

    black = covered(frame, [Region(-100, -100, 120, 120), Region(500, 500, 9, 9)])

    assert (frame.pixels == 9).all()
    assert not black.crop(Region(-10, 5, 30, 15)).any()
    assert (black.pixels == 0).sum() == 30 * 15 * 3
    assert black.origin == frame.origin


def test_what_lies_in_front_of_a_masked_window_is_seen() -> None:
    vault = Window(1, "Vault", "Vault", Region(100, 100, 300, 200))
    front = Window(2, "Letter", "Editor", Region(0, 0, 250, 800))

    hidden = Masks.parse(["vault"]).hidden([vault, front])

    assert hidden == [Region(250, 100, 150, 200)]
    assert Masks.parse(["vault"]).hidden([front, vault]) == [vault.region]


@pytest.mark.parametrize("text", ["0,0,400,100", "0;0;4x4", "400x100"])
def test_what_looks_like_a_part_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="masks must be parts"):
        parsed("masks", text)
