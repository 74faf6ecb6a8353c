"""A secret that a real screen shows over two lines is told to nobody: in no text, no prompt and no picture."""

from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from mark_i import AgentCore, Oversight, ScriptedBrain, standard_toolbelt
from mark_i.brain import Prompt
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import Secrets
from tests.mark_i.guard.on_screen import FAIL, Worker
from tests.support import action
from toolbelt.ocr.text_match import as_read
from world_model import Frame, Journal, Region, read_run

PARTS: Final = ("Tr0ub4dor-Zebra7", "Kitchen-Window9")  # each as long as a line of the terminal, or its rest
SECRETS: Final = Secrets({"bank": "".join(PARTS)})


def picture_in(prompt: Prompt) -> Frame:
    assert prompt.picture
    return Frame(np.asarray(Image.open(BytesIO(prompt.picture.content)).convert("RGB")))


def shown(worker: Worker, frame: Frame) -> list[Region]:
    """Where a part of the secret can be read."""
    read = [(as_read(line.text), line.region) for line in worker.eyes.read(frame)]
    return [region for text, region in read if any(as_read(part)[:8] in text for part in PARTS)]


def test_a_secret_over_two_lines_is_in_no_text_and_no_picture(worker: Worker, tmp_path: Path) -> None:
    terminal = ("-fa", "DejaVu Sans Mono", "-fs", "14", "-geometry", f"{len(PARTS[0])}x8+200+150")
    worker.desktop.launch(["xterm", "-T", "Log in", *terminal, "-e", "cat"])
    worker.comes("Log in")
    replies = [
        action("type_text", text="{{secret:bank}}", enter=True),
        action("read_screen"),
        action("type_text", text="plain words", enter=True),
        action("read_screen"),
        FAIL,
    ]
    brain = ScriptedBrain(replies, sight=worker.desktop.region.width)
    journal = Journal(tmp_path / "run", {"goal": "log in"}, clean=SECRETS.redacted)
    agent = AgentCore(
        brain,
        standard_toolbelt(worker.eyes),
        worker.desktop,
        oversight=Oversight(secrets=SECRETS, guard=Guard(DEFAULT, yes=True), detect_loops=False),
        eyes=worker.eyes,
        journal=journal,
    )

    told = list(agent.run("type the secret bank and then plain words"))

    assert [step.observation.ok for step in agent.world_model] == [True] * 5
    real = worker.eyes.look()
    regions = shown(worker, real)
    assert len(regions) == 4, "typed and repeated, each over two lines"
    assert all(real.crop(region).any() for region in regions)

    texts = [text for prompt in brain.prompts for text in (prompt.system, prompt.text)]
    texts += [*map(str, agent.world_model), *(str(event.to_dict()) for event in told)]
    texts += [file.read_text() for file in (tmp_path / "run").iterdir() if file.is_file()]
    assert not [part for part in PARTS for text in texts if as_read(part) in as_read(text)]
    assert any("plain words" in text for text in texts)

    steps = read_run(tmp_path / "run").steps
    pictures = [*map(picture_in, brain.prompts), *(event.screen for event in told if event.screen)]
    pictures += [frame for step in steps for frame in (step.before, step.after) if frame]
    assert len(pictures) > 10
    assert not [frame for frame in pictures if shown(worker, frame)]
    stored = steps[-1].after
    assert stored is not None
    assert not any(stored.crop(region).any() for region in regions)
    assert any("plain words" in line.text for line in worker.eyes.read(stored))
