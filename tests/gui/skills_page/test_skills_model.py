"""The Skills page as values."""

import functools

import pytest
from PIL import Image

from gui.agent_page.skill_rows import SkillRows
from gui.run.messages import RunStarted, SkillOffered
from gui.run.skill_goal import SkillGoal
from gui.run.state import EndCard, RunState
from gui.run.update import reduce
from gui.skills_page.catalog import SkillEntry, asked, lines_of, suggested_name
from gui.skills_page.model import (
    CheckEnded,
    CheckStarted,
    CheckTicked,
    DeletionRequested,
    EditingLeft,
    PicturesRead,
    Proposal,
    ProposalFailed,
    ProposalLeft,
    ProposalMade,
    ProposalRequested,
    ReplayEnded,
    SkillDeleted,
    SkillOpened,
    SkillSaved,
    SkillsFailed,
    SkillsMessage,
    SkillsRead,
    SkillsSearched,
    SkillsState,
    TextRead,
    TextRefused,
    reduce_skills,
)
from mark_i.skills import Compiled, Parameter, Skill, SkillStep
from mark_i.skills.skill import Effect, Origin

LETTER = Skill(
    name="letter",
    goal="write {text}",
    made_from=Origin(run="20261129-1"),
    parameters=(Parameter(name="text", example="Dear Ann,"), Parameter(name="pages", type="number", example="2")),
    steps=(
        SkillStep(does="Type {text}", tool="type_text", args={"text": "{text}"}),
        SkillStep(
            does="Click Save",
            tool="click",
            args={"target": "Save"},
            pictures={"target": "step-2.png"},
            then=Effect(
                opened="Save As", closed="Editor", seen=("Home", "Work"), state=("checkbox", "News", "checked")
            ),
        ),
    ),
)
KEPT = SkillEntry("letter", "kept", skill=LETTER)
BROKEN = SkillEntry("odd", "fault", "skill.toml, line 7: it is odd.")
READ = SkillsRead((KEPT, BROKEN))
PICTURE = Image.new("RGB", (4, 4))
PROPOSAL = Proposal("run-1", "write", Compiled(LETTER, (), {}, ()), {})


def shown(*messages: SkillsMessage, start: SkillsState = SkillsState()) -> SkillsState:  # noqa: B008 - frozen
    return functools.reduce(reduce_skills, messages, start)


def test_a_skill_in_one_line() -> None:
    assert (KEPT.about, KEPT.run, KEPT.steps) == ("write {text}", "20261129-1", "2")
    assert (BROKEN.about, BROKEN.run, BROKEN.steps) == ("skill.toml, line 7: it is odd.", "", "")


def test_the_steps_are_told_with_what_must_come_of_them() -> None:
    first, second = lines_of(LETTER)

    assert (first.does, first.then, first.pictures) == ("Type {text}", "", ())
    assert second.then == (
        "Opens “Save As”. Closes “Editor”. Then checkbox “News” is checked. Then “Home” or “Work” is on the screen."
    )
    assert second.pictures == ("step-2.png",)


@pytest.mark.parametrize(
    ("goal", "taken", "name"),
    [
        ("Write a letter to Ann, please", [], "write-a-letter-to"),
        ("Write it", ["write-it", "write-it-2"], "write-it-3"),
        ("写", [], "skill"),
    ],
)
def test_a_name_is_suggested_that_is_free(goal: str, taken: list[str], name: str) -> None:
    assert suggested_name(goal, taken) == name


def test_a_search_leaves_the_skills_that_have_its_words() -> None:
    assert shown(READ, SkillsSearched("KEPT write")).found == (KEPT,)
    assert shown(READ, SkillsSearched("odd")).found == (BROKEN,)
    assert shown(SkillsSearched("x")).found == ()


def test_a_skill_that_is_gone_is_left_and_told_of() -> None:
    gone = shown(READ, SkillOpened("letter"), TextRead("letter", "x"), SkillsRead((BROKEN,)))

    assert (gone.opened, gone.editing, gone.is_error) == (None, None, True)
    assert gone.message == "letter is gone: it was deleted."


def test_pictures_of_another_skill_come_too_late() -> None:
    skills = shown(READ, SkillOpened("letter"), PicturesRead("odd", {"late.png": PICTURE}))
    assert skills.pictures == {}
    assert shown(PicturesRead("letter", {"a.png": PICTURE}), start=skills).pictures == {"a.png": PICTURE}


def test_a_skill_is_deleted_after_a_question() -> None:
    asking = shown(READ, DeletionRequested("odd"))
    assert asking.confirming == "odd"
    assert shown(DeletionRequested(None), start=asking).confirming is None
    deleted = shown(SkillDeleted("odd"), start=asking)
    assert (deleted.entries, deleted.confirming) == ((KEPT,), None)


def test_a_proposal_is_shown_only_while_it_is_waited_for() -> None:
    assert shown(ProposalRequested("run-1"), ProposalMade(PROPOSAL)).proposal is PROPOSAL
    assert shown(ProposalRequested("run-1"), ProposalLeft(), ProposalMade(PROPOSAL)).proposal is None
    assert shown(ProposalRequested("run-2"), ProposalMade(PROPOSAL)).proposal is None


def test_a_run_that_makes_no_skill_says_why() -> None:
    skills = shown(ProposalRequested("run-1"), ProposalFailed("run-1", "It drew."))
    assert (skills.proposing, skills.message, skills.is_error) == (None, "It drew.", True)
    assert shown(ProposalRequested("run-2"), ProposalFailed("run-1", "It drew.")).message == ""


def test_a_saved_proposal_is_opened_and_a_refused_one_stays() -> None:
    made = shown(READ, ProposalRequested("run-1"), ProposalMade(PROPOSAL))
    saved = shown(SkillSaved("letter"), start=made)
    assert (saved.proposal, saved.entry, saved.is_error) == (None, KEPT, False)
    refused = shown(SkillsFailed("There is a skill of that name."), start=made)
    assert (refused.proposal, refused.message) == (PROPOSAL, "There is a skill of that name.")


def test_the_text_stays_with_its_fault_until_it_is_left() -> None:
    editing = shown(READ, SkillOpened("odd"), TextRead("odd", "tool = 7", "It is odd.", 1)).editing
    assert editing
    assert (editing.text, editing.message, editing.line) == ("tool = 7", "It is odd.", 1)
    skills = shown(READ, SkillOpened("odd"), TextRead("odd", "tool = 7"), TextRefused("Still odd.", 3))
    assert skills.editing
    assert (skills.editing.text, skills.editing.message, skills.editing.line) == ("tool = 7", "Still odd.", 3)
    assert shown(EditingLeft(), start=skills).editing is None
    assert shown(READ, SkillOpened("letter"), TextRead("odd", "x")).editing is None


def test_a_check_says_how_far_it_is_and_what_came_of_it() -> None:
    begun = shown(READ, CheckStarted("letter"), CheckTicked(2.0), ReplayEnded({"text": "a"}, True, "Did it."))  # noqa: FBT003
    assert begun.checking == "letter"
    assert shown(CheckStarted("odd"), start=begun).checking == "letter"
    assert begun.check
    assert (begun.check.seconds, len(begun.check.replays)) == (2.0, 1)
    over = shown(CheckEnded("Stopped."), CheckTicked(9.0), start=begun)
    assert over.check
    assert (over.checking, over.check.failure, over.check.seconds) == (None, "Stopped.", 2.0)


def test_what_is_asked_for_has_all_values() -> None:
    assert asked(LETTER, {"text": "Hi"}) == SkillGoal(
        'run letter with text "Hi", pages "2"', {"text": "Hi", "pages": "2"}
    )


# Rows ----------------------------------------------------------------------------------------------------------------

GOALS = tuple(asked(LETTER, {"text": text}) for text in ("a", "b", "c"))


def test_rows_are_done_in_turn_and_told_at_the_end() -> None:
    rows = SkillRows(GOALS[:2], virtual=False)
    requests = []
    for ending in ("Done", "Failed"):
        request = rows.next()
        assert request
        requests.append((request.goal, request.brain, request.virtual))
        rows.note(ending, stopped=False)

    assert requests == [(one.order, "offline", False) for one in GOALS[:2]]
    assert rows.next() is None
    assert rows.told == "Row 1: Done. text=a, pages=2\nRow 2: Failed. text=b, pages=2"


def test_after_a_stop_no_row_is_begun_and_that_is_told() -> None:
    rows = SkillRows(GOALS, virtual=True)
    rows.next()
    rows.note("Stopped", stopped=True)

    assert rows.next() is None
    assert rows.told.endswith("\n2 more rows were not begun.")


def test_a_single_run_needs_no_table() -> None:
    rows = SkillRows(GOALS[:1], virtual=True)
    rows.next()
    rows.note("Done", stopped=False)
    assert rows.told == ""


# On the card ---------------------------------------------------------------------------------------------------------


def test_a_skill_is_offered_on_the_last_card_alone() -> None:
    ended = RunState(cards=(EndCard("done", "Done", "It is."),))

    assert reduce(ended, SkillOffered("run-1")).cards == (EndCard("done", "Done", "It is.", skill_run="run-1"),)
    going_on = reduce(ended, RunStarted("more", follow_up=True))
    assert reduce(going_on, SkillOffered("run-1")) == going_on
