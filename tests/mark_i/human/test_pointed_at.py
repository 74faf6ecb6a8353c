"""Where a person pointed, told to brains that speak of places in different ways."""

import io
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import Action, AgentCore, Control, FakeDesktop, Prompt, Reply, standard_toolbelt
from mark_i.brain import Space
from mark_i.cli.console import obey
from mark_i.human.person import Answers
from mark_i.human.pointed_at import place_told
from mark_i.human.words import Words
from mark_i.prompts.coordinates import Spaces, spaces_of, to_pixels
from tests.support import action, reacting
from toolbelt.belt import Toolbelt
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.people import People, Pointed
from world_model import Point, Region, Size, rendered

SPACES: list[Space] = ["pixels", "thousandths", "image", "marks"]
SAVE = Region(300, 200, 160, 40)


def screen(_inputs: object) -> Image.Image:
    """One button on an empty ground."""
    image = Image.new("RGB", (800, 600), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((SAVE.x, SAVE.y, SAVE.right - 1, SAVE.bottom - 1), outline="black", fill="#dddddd")
    draw.text((350, 208), "Save", fill="black", font=ImageFont.load_default(22))
    return image


@dataclass
class Speaker:
    """A brain of some space that asks first, and then clicks on what it was told in the way that is tried."""

    space: Space
    target: Any
    name: str = "speaker"
    sight: int = 400
    prompts: list[str] = field(default_factory=list)

    def think(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt.text)
        replies = [
            action("ask_user", question="Where?"),
            action("click", target=self.target),
            action("fail", reason="x"),
        ]
        return Reply(json.dumps(replies[len(self.prompts) - 1]))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("point", [Point(-700, 3), Point(0, 0), Point(511, 499), Point(-1, 1079), Point(919, 540)])
def test_a_point_is_described_by_a_usable_mark(space: Space, point: Point) -> None:
    desktop, picture = Region(-1000, 0, 1920, 1080), Size(960, 540)
    spaces = Spaces(space, desktop, picture)
    named = spaces.named((point.x, point.y))
    back = to_pixels(Action("click", {"target": named}), spaces).args["target"]
    assert abs(back["x"] - point.x) <= 2
    assert abs(back["y"] - point.y) <= 2


def test_the_numbers_are_those_of_the_brain() -> None:
    desktop, picture = Region(0, 0, 2000, 1000), Size(1000, 500)
    named = {space: Spaces(space, desktop, picture).named((1000, 250)) for space in SPACES}
    assert named["pixels"] == named["marks"] == {"x": 1000, "y": 250}
    assert named["thousandths"] == {"x": 500, "y": 250}
    assert named["image"] == {"x": 500, "y": 125}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("way", ["mark", "place"])
def test_any_brain_can_use_what_a_person_pointed_at(space: Space, way: str) -> None:
    """The mark that it is told of, and the point in its own numbers, both lead to where the person pointed."""
    desktop = FakeDesktop(reacting(screen))
    eyes = Eyes(desktop, desktop.control)
    brain = Speaker(space, None)
    point = Point(320, 230)
    told = place_told(point, eyes)
    written = rendered(told, spaces_of(brain, desktop.region).written)
    assert 'button "Save"' in told
    mark, numbers = written.removeprefix('the button "Save", which has the mark ').split(", at the place ")
    x, y = map(int, numbers.split(", "))
    brain.target = json.loads(mark) if way == "mark" else {"x": x, "y": y}

    agent = AgentCore(
        brain,
        standard_toolbelt(eyes, People(lambda _: Pointed("this one", point), lambda at: place_told(at, eyes))),
        desktop,
        eyes=eyes,
    )
    agent.execute_command("Save it")

    asked, clicked = agent.world_model[1].observation, agent.world_model[2]
    assert asked.text == f"this one\nThe user pointed at {told}."
    assert asked.data == {"answer": "this one", "x": 320, "y": 230}
    assert f"The user pointed at {written}." in brain.prompts[1]
    assert clicked.observation.ok, clicked.observation
    assert desktop.pointer() in SAVE


def test_a_point_on_nothing_is_described_as_such() -> None:
    desktop = FakeDesktop(screen)
    eyes = Eyes(desktop, desktop.control)
    told = place_told(Point(700, 500), eyes)
    assert told == "the place 700, 500, where no text and no control is"


def test_a_program_points_too() -> None:
    control, complaints = Control(), io.StringIO()
    answers = Answers(lambda _event: None, control)
    obey(
        ['{"answer": {"x": 5, "y": -7}}', '{"answer": {"x": "5"}}', '{"answer": "blue"}'],
        control,
        complaints,
        answers,
        Words(),
    )

    seen = Toolbelt(People(answers.ask)).call(Action("ask_user", {"question": "Where?"}), control).observation

    assert (seen.text, seen.data) == ("The user pointed at the place 5, -7.", {"answer": "", "x": 5, "y": -7})
    assert answers.ask("And which colour?") == "blue"
    assert complaints.getvalue().count("not a command") == 1
