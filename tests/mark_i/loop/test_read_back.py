"""What was typed is read back: an agent hears of what the program made of it, and of nothing else."""

import string
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.guard.secrets import Secrets
from mark_i.loop import screen_view
from mark_i.loop.parts import Oversight
from tests.support import action
from toolbelt.desktops import FakeDesktop, VirtualDesktop
from toolbelt.desktops.fake import Input

APPS = Path(__file__).parents[2] / "apps"
CORRECTOR = action("open_app", name=sys.executable, args=[str(APPS / "corrector_tk.py")])
LATE_LOOKS = 60  # more than there are in the time in which a key shows its effect
END = action("fail", reason="That is all.")


def typed(desktop: VirtualDesktop, opened: dict[str, object], text: str, secret: str = "", **args: Any) -> str:
    """What an agent hears that types a text into a program which it has opened."""
    eyes = Eyes(desktop, desktop.control)
    brain = ScriptedBrain([opened, action("type_text", text=text, **args), END])
    secrets = Secrets({"word": secret}) if secret else Secrets()
    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, oversight=Oversight(secrets=secrets))
    agent.execute_command("Type it.")
    return agent.world_model.last(2)[0].observation.text


@pytest.mark.parametrize(
    ("text", "enter", "shown"),
    [
        ("It was teh end of it", False, "It was the end of it"),
        ("See you on wednes", True, "wednesday"),
        ("Room 22445", False, "Room 245"),
    ],
)
def test_what_a_program_changed_is_told(desktop: VirtualDesktop, text: str, shown: str, *, enter: bool) -> None:
    told = typed(desktop, CORRECTOR, text, enter=enter)

    assert told.endswith(f' The screen shows "{shown}" instead: the program may have changed it.')


@pytest.mark.parametrize("program", ["mousepad", "xterm", "corrector"])
def test_what_is_shown_as_it_was_typed_is_not_told(desktop: VirtualDesktop, program: str) -> None:
    opened = CORRECTOR if program == "corrector" else action("open_app", name=program)
    letters = Random(program)
    words = ("".join(letters.choices(string.ascii_lowercase, k=letters.randint(2, 8))) for _ in range(40))
    text = " ".join(words)

    assert typed(desktop, opened, text) == f"Typed {len(text)} characters."


def test_a_secret_is_not_read_back(desktop: VirtualDesktop) -> None:
    told = typed(desktop, CORRECTOR, "{{secret:word}}", secret="it was teh end ")

    assert told == "Typed 15 characters."


def test_a_text_that_is_drawn_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_view, "CLICK_REACTION_S", 60.0)
    looks: list[bool] = []

    def drawn(inputs: Sequence[Input]) -> Image.Image:
        looks.append(("type", "A letter") in inputs)
        image = Image.new("RGB", (400, 200), "white")
        if sum(looks) > LATE_LOOKS:
            ImageDraw.Draw(image).text((20, 20), "A letter", "black")
        return image

    desktop = FakeDesktop(drawn)
    eyes = Eyes(desktop, desktop.control)
    brain = ScriptedBrain([action("type_text", text="A letter"), END])
    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes)
    agent.execute_command("Type it.")

    screen = agent.world_model[1].observation.screen
    assert screen
    assert screen.changed
