"""What was typed is read back: an agent hears of what the program made of it, and of nothing else."""

import string
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.guard.secrets import Secrets
from mark_i.loop.parts import Oversight
from tests.support import action
from toolbelt.desktops import VirtualDesktop

APPS = Path(__file__).parents[2] / "apps"
CORRECTOR = action("open_app", name=sys.executable, args=[str(APPS / "corrector_tk.py")])
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
