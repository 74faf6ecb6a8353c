"""What an agent enlarges is before it in the next prompt, in the journal and in the report."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mark_i import AgentCore, Prompt, Reply, ScriptedBrain, VirtualDesktop, standard_toolbelt
from mark_i.brain import Picture
from mark_i.guard.secrets import Secrets
from mark_i.report.page import report
from tests.support import action
from toolbelt.control import Control
from toolbelt.ocr import find, read_region
from toolbelt.perception import Eyes
from world_model import Frame, Journal, Point, Size, read_prompts

CAP_S = 60.0  # seconds for an application to do something on a busy machine
SMALL = """
import tkinter as tk
root = tk.Tk()
root.geometry("500x300+100+100")
tk.Label(root, text="Serial number", font=("DejaVu Sans", 14)).pack()
tk.Label(root, text="QX-20714-B", font=("DejaVu Sans", -9)).pack()
root.mainloop()
"""
REPLIES = (
    action("zoom", target="Serial number"),
    action("zoom", target="No such thing"),
    action("move", target="Serial number"),
    action("fail", reason="That was all."),
)


class Seeing(ScriptedBrain):
    """A brain with sight that keeps the pictures of every prompt."""

    def __init__(self, sight: int) -> None:
        super().__init__(list(REPLIES))
        self.sight = sight
        self.closeups: list[Picture | None] = []

    def think(self, prompt: Prompt) -> Reply:
        self.closeups.append(prompt.closeup)
        return super().think(prompt)


@pytest.fixture
def eyes(desktop: VirtualDesktop, control: Control) -> Eyes:
    desktop.launch([sys.executable, "-c", SMALL])
    eyes = Eyes(desktop, control)
    assert find("Serial number", eyes.until(lambda lines: find("Serial number", lines), CAP_S))
    return eyes


def run(brain: ScriptedBrain, eyes: Eyes, folder: Path) -> AgentCore:
    tools = standard_toolbelt(eyes)
    agent = AgentCore(brain, tools, eyes.desktop, eyes=eyes, journal=Journal(folder, {"goal": "read it"}))
    agent.execute_command("read it")
    return agent


def read(picture: Picture) -> tuple[Size, str]:
    with Image.open(io.BytesIO(picture.content)) as image:
        frame = Frame(np.asarray(image.convert("RGB")), Point(0, 0))
    return frame.region.size, " ".join(line.text for line in read_region(frame, frame.region))


def test_the_enlarged_part_is_a_picture_of_the_next_prompt_only(eyes: Eyes, tmp_path: Path) -> None:
    brain = Seeing(1024)

    agent = run(brain, eyes, tmp_path / "run")

    first, closeup, failed, moved = brain.closeups
    assert (first, failed, moved) == (None, None, None)
    assert closeup
    size, text = read(closeup)
    assert size.width > 600
    assert "QX-20714-B" in text
    assert "QX-20714-B" in agent.world_model.last(4)[0].observation.text, "a brain without sight reads it"
    assert "The second is a part of the first, enlarged" in brain.prompts[1].text
    assert "The second is a part of the first" not in brain.prompts[2].text

    sent = read_prompts(tmp_path / "run")
    assert ["closeup" in one for one in sent] == [False, True, False, False]
    kept = (tmp_path / "run" / sent[1]["closeup"]).read_bytes()
    assert kept == closeup.content
    page = report(tmp_path / "run", Secrets()).decode()
    assert sent[1]["closeup"] in page
    assert page.count("The image that was sent") == 5


def test_a_brain_without_sight_gets_its_text_only(eyes: Eyes, tmp_path: Path) -> None:
    brain = Seeing(0)

    agent = run(brain, eyes, tmp_path / "run")

    assert brain.closeups == [None] * 4
    assert "QX-20714-B" in agent.world_model.last(4)[0].observation.text
