"""What models are sent, word for word: see tests/snapshots/prompts."""

from datetime import UTC, datetime

import pytest
from PIL import Image, ImageDraw

from mark_i import AgentCore, Eyes, FakeDesktop, Prompt, ScriptedBrain, standard_toolbelt
from mark_i.brain import Space
from mark_i.prompts.builder import PromptBuilder
from tests.snapshot import Snapshot
from tests.support import action
from world_model import WorldModel

SCREEN = Image.new("RGB", (800, 600), "white")
ImageDraw.Draw(SCREEN).rectangle((300, 200, 420, 240), fill="#dddddd", outline="black")
CLICK = action("click", target={"x": 360, "y": 220})
REPLIES = [CLICK, action("press", keys="ctrl+nothing"), action("ask_user"), action("fail", reason="That was all.")]


@pytest.fixture(autouse=True)
def _time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt tells the time and the system, which are the same for every snapshot."""
    monkeypatch.setattr("mark_i.prompts.builder.now", lambda: datetime(2026, 11, 27, 9, 30, tzinfo=UTC))
    monkeypatch.setattr("platform.system", lambda: "Linux")


def whole(prompt: Prompt) -> str:
    return f"{prompt.system}\n\n{'=' * 120}\n\n{prompt.text}\n"


def last_prompt(space: Space | None) -> Prompt:
    """The prompt after a step that worked and two that did not, on a screen or without one."""
    brain = ScriptedBrain(REPLIES, sight=400 if space else 0)
    if space is None:
        AgentCore(brain, standard_toolbelt(None)).execute_command("Count to three.")
    else:
        brain.space = space
        desktop = FakeDesktop(lambda _inputs: SCREEN)
        eyes = Eyes(desktop, desktop.control)
        AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes).execute_command("Press it.")
    return brain.prompts[-1]


@pytest.mark.parametrize("space", ["pixels", "image", "thousandths", "marks"])
def test_the_prompt_with_a_screen(space: Space, snapshot: Snapshot) -> None:
    snapshot(f"prompts/screen-{space}", whole(last_prompt(space)))


def test_the_prompt_without_a_screen(snapshot: Snapshot) -> None:
    snapshot("prompts/no-screen", whole(last_prompt(None)))


def test_the_other_questions_to_a_model(snapshot: Snapshot) -> None:
    prompting, brain = PromptBuilder(standard_toolbelt(None), WorldModel()), ScriptedBrain([])
    frame = FakeDesktop(lambda _inputs: SCREEN).grab()
    prompts = {
        "no step left": prompting.last(brain, "Count.").text,
        "final words": whole(prompting.words("Count.", "default")),
        "final words, short": whole(prompting.words("Count.", "summary")),
        "reflection": whole(prompting.reflection("Count.")),
        "vision": whole(prompting.vision(brain, "Count.", frame)),
    }
    snapshot("prompts/other", "\n\n".join(f"##### {name}\n\n{text}" for name, text in prompts.items()))
