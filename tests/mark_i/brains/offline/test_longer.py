"""What the brain without a model does step by step, on a real page, each by what is on the screen then."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mark_i.brains.offline.solving import solution_of
from tests.mark_i.brains.offline.noting_page import CHROMIUM, Shop
from tests.x_servers import Servers
from toolbelt.control import Control
from world_model import Size

PAGE = Path(__file__).parents[3] / "apps" / "longer.html"


DONE: dict[str, tuple[str, dict[str, Any]]] = {  # by the parts of the page, in their order
    "tabs": ('switch between the tabs to find and click the link "warranty"', {"Clicked": "warranty"}),
    "sections": ('expand the sections below, to find and click on the link "courier"', {"Clicked": "courier"}),
    "calendar": ("select 05/24/2026 as the date", {"Day": "2026-5-24"}),
    "slider": ("select 17 with the slider", {"Volume": "17"}),
    "knob": ("select 15 with the slider", {"Level": 15}),
    "pages": ("find Cid Poe in the address book and click on his phone number", {"Called": "555 666"}),
    "menu": ("select Export > Picture", {"Chosen": "Picture"}),
    "sum": ("solve the problem and type the answer into the textbox, then click Send", {"Answer": "42"}),
    "areas": (
        "copy the text from the 2nd text area and paste it into the text input, then click Send",
        {"Pasted": "second text here"},
    ),
    "table": (
        "enter the value that corresponds to each label into the form, then click Send",
        {"Colour": "green", "Weight": "12 kg"},
    ),
    "numbers": ("click the numbers in ascending order", {"Order": "7 19 41 "}),
    "time": ("enter 9:05 PM as the time", {"Time": "21:05"}),
    "paragraphs": ("highlight the text in the 2nd paragraph", {"Selected": "A second one follows it here."}),
}
REFUSED = {
    "tabs": ('switch between the tabs to find and click the link "refund"', "behind none of the 3 tabs"),
    "sections": ("select 17 with the slider", "I see 0 sliders"),
    "calendar": ("solve for x and type the answer into the textbox", "no such single sum or equation"),
}


@pytest.fixture
def page(browser: None, x_servers: Servers, control: Control, tmp_path: Path) -> Iterator[Shop]:
    with x_servers.desktop(Size(900, 800), control) as desktop:
        shown = ["--window-position=0,0", "--window-size=900,800", f"--app={PAGE.as_uri()}?tabs"]
        desktop.launch([*CHROMIUM, "--test-type", "--no-proxy-server", f"--user-data-dir={tmp_path}", *shown])
        shop = Shop(desktop, control)
        assert shop.comes_to({})
        yield shop


def turned(page: Shop) -> None:
    """Go on to the next part of the page, which has nothing noted."""
    page.told("press f8")
    assert page.comes_to({})


def test_what_takes_several_steps_is_done(page: Shop) -> None:
    for part, (goal, noted) in DONE.items():
        outcome = page.told(goal)

        assert page.comes_to(noted), (part, page.noted, outcome)
        if part != [*DONE][-1]:
            turned(page)


def test_what_is_not_there_is_told_and_nothing_is_done(page: Shop) -> None:
    for part, (goal, reason) in REFUSED.items():
        outcome = page.told(goal)

        assert (outcome.name, reason in outcome.summary) == ("failed", True), (part, outcome)
        assert page.noted == {}, part
        turned(page)


@pytest.mark.parametrize(
    ("texts", "solution"),
    [
        (["4 + 7 ="], "11"),
        (["3 - 9 = ?", "Submit"], "-6"),
        (["x + 3 = 8"], "5"),
        (["3x - 2 = 10"], "4"),
        (["12 ÷ 8"], "1.5"),
        (["4 x 5 ="], "20"),
        (["(3 + 4) * 2 ="], "14"),
        (["9 - x = 4"], "5"),
        (["hello", "x"], None),
        (["1 + 1", "2 + 2"], None),
        (["5 / 0"], None),
        (["x * x = 4"], None),
        (["__import__('os')"], None),
        (["9" * 30 + " + 1"], "1" + "0" * 30),
    ],
)
def test_sums_and_equations_are_solved(texts: list[str], solution: str | None) -> None:
    assert solution_of(texts) == solution
