"""What a text says is answered with the text alone, as the program holds it."""

from typing import Any, Final

import pytest

from mark_i import AgentCore, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.following import read_goal
from mark_i.brains.offline.instructions import Read
from mark_i.brains.offline.seen import document_in
from tests.mark_i.brains.offline.plans import begun, written
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes

MENU: Final = 'open mousepad, type "Menu", press enter, type "soup", press enter, type "cake"'
SAID: Final = (
    "what does it say now?",
    "what does it say",
    "read it to me",
    "can you read it to me?",
    "what is in it?",
    "show me the text",
    "what does the list say",
    "what have you written",
    "tell me what the text says",
)


@pytest.mark.parametrize("said", SAID)
def test_a_question_about_the_text_is_understood_as_a_goal_and_as_a_follow_up(said: str) -> None:
    for before in ((), (MENU,), (MENU, "add wine")):
        [read] = read_goal(said, before)
        assert isinstance(read, Read)
        assert read.document


@pytest.mark.parametrize("done", range(7))
@pytest.mark.parametrize("said", SAID)
def test_a_question_about_the_text_is_answered_during_a_run(said: str, done: int) -> None:
    after = begun(done, MENU).after(said)

    assert not after.unclear
    assert isinstance(after.every[done], Read)
    assert written(after) == "Menu\nsoup\ncake"


@pytest.mark.parametrize("said", ["change soup to stew", "add wine", "undo the last change", "undo that"])
def test_a_question_about_the_text_changes_nothing_of_what_follows(said: str) -> None:
    first = (MENU, "add tea")

    assert read_goal(said, [*first, "what does it say"]) == read_goal(said, first)


FIELD: Final[dict[str, Any]] = {"role": "textbox", "text": "", "place": [0, 50, 400, 200]}
LINES: Final[list[dict[str, Any]]] = [
    {"role": "text", "text": "cake", "place": [4, 80, 30, 12]},
    {"role": "text", "text": "soup", "place": [4, 60, 30, 12]},
    {"role": "text", "text": "File", "place": [4, 4, 30, 12]},
]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([*LINES, FIELD | {"value": "soup\ncake\n"}], "soup\ncake\n"),
        ([*LINES, FIELD], "soup\ncake"),
        ([*LINES, FIELD | {"place": [0, 50, 400, 20]}], None),
        (LINES, None),
    ],
)
def test_the_text_is_what_the_field_holds_or_what_is_read_in_it(rows: list[dict[str, Any]], text: str | None) -> None:
    assert document_in(rows) == text


@pytest.mark.usefixtures("patience")
def test_the_text_of_an_editor_is_told_without_its_menus(desktop: VirtualDesktop) -> None:
    eyes, goals = Eyes(desktop, desktop.control), [MENU, "change soup to stew", "what does it say now?"]
    for at, goal in enumerate(goals):
        agent = AgentCore(OfflineBrain.following(goals[:at]), standard_toolbelt(eyes), desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data

    assert ended["outcome"] == "done", ended
    assert ended["summary"].splitlines() == ["It says:", "Menu", "stew", "cake"]
