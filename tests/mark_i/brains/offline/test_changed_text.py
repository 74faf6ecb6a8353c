"""A correction is verified by the text that it leaves, and told as a person would."""

from pathlib import Path

import pytest

from mark_i import AgentCore, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.changed_text import deeds_in_text, evidence_of
from mark_i.brains.offline.following import done_before, is_change, read_goal
from mark_i.brains.offline.instructions import NotUnderstood
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes

GUESTS = 'open mousepad, type "Guests", press enter, type "Ann", press enter, type "Cleo on 19 May at 7:30"'
CORRECTIONS = {
    "make it 7:45": 'Changed "7:30" to "7:45" in the text.',
    "change 19 May to 20 May": 'Changed "19 May" to "20 May" in the text.',
    "add Dora": 'Added "Dora" to the text.',
    'take back "Dora"': 'Removed "Dora" from the text.',
}


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("make it 7:45", "Cleo on 19 May at 7:30", "Cleo on 19 May at 7:45"),
        ("add Dora", "Cleo on 19 May at 7:30", "Cleo on 19 May at 7:30\nDora"),
    ],
)
def test_a_change_is_told_without_its_keys(said: str, old: str, new: str) -> None:
    given = [one for one in read_goal(said, [GUESTS]) if not isinstance(one, NotUnderstood)]
    before, change = done_before([GUESTS]), is_change(said, given)
    told = [deed for _, _, deeds in deeds_in_text(before, given, change=change) for deed in deeds]

    assert [f"{one[0].upper()}{one[1:]}." for one in told] == [CORRECTIONS[said]]
    assert evidence_of(before, given, change=change) == [{"text": f"Guests\nAnn\n{new}", "was": f"Guests\nAnn\n{old}"}]


def test_an_empty_line_is_told_as_one() -> None:
    read = read_goal("put a blank line after Guests", [GUESTS], is_document=True)
    given = [one for one in read if not isinstance(one, NotUnderstood)]
    before = done_before([GUESTS], is_document=True)

    told = [deed for _, _, deeds in deeds_in_text(before, given, change=True) for deed in deeds]

    assert told == ["added an empty line to the text"]


@pytest.mark.usefixtures("patience")
def test_what_follows_on_a_saved_text_is_verified(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes, file, told = Eyes(desktop, desktop.control), tmp_path / "guests.txt", dict[str, str]()
    swap, put = 'swap "Guests" and "Cleo on 19 May at 7:30"', "put eggs before Guests and save it"
    goals = [GUESTS, f"save it as {file}", "drop Ann", swap, put]
    for at, goal in enumerate(goals):
        agent = AgentCore(OfflineBrain.following(goals[:at]), standard_toolbelt(eyes), desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data
        told[goal] = ended["summary"].splitlines()[0]

        assert ended["outcome"] == "done", (goal, ended["summary"], ended["evidence"])
    assert [*told.values()][2:] == [
        'Removed "Ann" from the text.',
        "Put the lines in another order.",
        'Added "eggs" to the text and saved it.',
    ]
    assert file.read_text() == "Cleo on 19 May at 7:30\neggs\nGuests"


@pytest.mark.usefixtures("patience")
def test_right_corrections_are_verified_and_told_in_plain_words(desktop: VirtualDesktop) -> None:
    eyes, goals = Eyes(desktop, desktop.control), [GUESTS, *CORRECTIONS]
    for at, goal in enumerate(goals):
        agent = AgentCore(OfflineBrain.following(goals[:at]), standard_toolbelt(eyes), desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data

        assert ended["outcome"] == "done", (goal, ended["summary"], ended["evidence"])
        assert at == 0 or ended["summary"].splitlines()[0] == CORRECTIONS[goal]
