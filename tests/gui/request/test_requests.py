"""What the agent asks a person, and what they say to it, as the window keeps it: no display is opened here."""

import functools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gui.request.screen_crop import MARGIN_PX, ScreenCrop, Seen, crop_around, draw_crop, fit_crop
from gui.run.messages import (
    Answered,
    Decided,
    Message,
    QuestionKept,
    RunHalted,
    RunRefused,
    RunReleased,
    RunStarted,
    StopRequested,
)
from gui.run.requests import PendingApproval, PendingQuestion, pending_approval
from gui.run.state import NoticeCard, PersonCard, RunState, StepCard
from gui.run.update import reduce
from mark_i import Event
from world_model import Frame, Point, Region, Size

CLICK = {"index": 1, "tool": "click", "args": {"target": "Pay now"}}
ASKED = {**CLICK, "tier": "danger", "why": "It spends money.", "place": [90, 40, 60, 20], "window": "Checkout"}
APPROVAL = Event("approval", 0.3, ASKED)
QUESTION = Event("notice", 0.3, {"text": "Which colour?", "question": True})
THOUGHT = Event("thought", 0.2, {"index": 1, "text": "I pay."})
ENDED = Event("ended", 2, {"outcome": "stopped", "summary": "", "evidence": []})
STEP = Event(
    "step",
    1,
    {
        "index": 1,
        "thought": "I pay.",
        "action": {"tool": "click", "args": {"target": "Pay now"}},
        "observation": {"ok": True, "text": "Clicked.", "error": None, "screen": None},
        "timing": {},
    },
)


def after(*messages: Message) -> RunState:
    return functools.reduce(reduce, messages, RunState())


def card(state: RunState) -> StepCard:
    [found] = [one for one in state.cards if isinstance(one, StepCard)]
    return found


# What is asked ------------------------------------------------------------------------------------------------------


def test_an_action_that_waits_is_asked_for_in_words_and_exactly() -> None:
    assert pending_approval(ASKED) == PendingApproval(
        1,
        'Click on "Pay now" in Checkout',
        'click(target="Pay now")',
        "danger",
        "It spends money.",
        Region(90, 40, 60, 20),
    )


# What a person says -------------------------------------------------------------------------------------------------


def test_the_card_of_the_step_says_what_was_asked_once_that_is_over() -> None:
    state = after(RunStarted(), THOUGHT, APPROVAL)

    assert state.pending == pending_approval(ASKED)
    assert state.status == "Waiting for your approval"
    assert card(state) == StepCard(1, "I pay.", 'click(target="Pay now")'), "the question stands once"
    assert card(reduce(state, StopRequested())).approval == 'Click on "Pay now" in Checkout? It spends money.'


@pytest.mark.parametrize(
    ("decided", "told"),
    [
        (Decided("once"), "Allowed once"),
        (Decided("run"), "Allowed for this run"),
        (Decided("no"), "Denied"),
        (Decided("no", " the other one "), "Denied: the other one"),
        (Decided("no", "here", Point(7, 9)), "Denied: here, pointed at 7, 9"),
        (Decided("no", at=Point(7, 9)), "Denied: pointed at 7, 9"),
    ],
)
def test_the_card_says_what_the_person_decided_and_keeps_that(decided: Decided, told: str) -> None:
    state = after(RunStarted(), THOUGHT, APPROVAL, decided)
    assert (state.pending, card(state).decided, state.status) == (None, told, "Continuing")

    done = reduce(reduce(state, Event("action", 0.4, CLICK)), STEP)
    assert (card(done).approval, card(done).decided, card(done).ok) == (card(state).approval, told, True)


def test_a_question_waits_for_an_answer() -> None:
    state = after(RunStarted(), QUESTION)
    assert (state.pending, state.status) == (PendingQuestion("Which colour?"), "Waiting for your answer")
    assert state.cards == (), "it stands below the log"
    answered = reduce(state, Answered("violet"))
    assert answered.pending is None
    assert answered.cards == (NoticeCard("Which colour?", asks=True), PersonCard("violet"))


def test_a_question_is_shown_whole() -> None:
    question = "Which colour? " * 500
    state = after(RunStarted(), Event("notice", 0.3, {"text": question, "question": True}), Answered(question))
    assert state.cards == (NoticeCard(question, asks=True), PersonCard(question))
    asked = {**ASKED, "args": {"target": question}, "why": question}
    assert question in pending_approval(asked).call
    assert pending_approval(asked).why == question


@pytest.mark.parametrize("is_live", [True, False])
def test_a_question_and_its_answer_stand_once_in_a_run_and_in_its_journal(*, is_live: bool) -> None:
    action = {"tool": "ask_user", "args": {"question": "Which colour?"}}
    observation = {"ok": True, "text": "violet", "error": None, "screen": None, "data": {"answer": "violet"}}
    step = Event(
        "step", 1, {"index": 1, "thought": "I ask.", "action": action, "observation": observation, "timing": {}}
    )
    asked = (QUESTION, Answered("violet")) if is_live else ()
    state = after(RunStarted(), Event("action", 0.2, {"index": 1, **action}), *asked, step)

    first, *others = state.cards
    assert isinstance(first, StepCard)
    assert (first.sentence, first.observation) == ("", "")
    assert others == [NoticeCard("Which colour?", asks=True), PersonCard("violet")]


def test_what_asks_stays_open_until_it_is_answered_or_the_run_is_stopped() -> None:
    state = after(RunStarted(), QUESTION, QuestionKept())
    assert state.pending == PendingQuestion("Which colour?")
    assert state.status == "The question stays open. Esc again stops the run"


def test_a_notice_that_is_no_question_asks_nothing() -> None:
    assert after(RunStarted(), Event("notice", 0, {"text": "Oh."})).pending is None


def test_what_is_said_to_something_else_changes_nothing() -> None:
    waiting, asked = after(RunStarted(), THOUGHT, APPROVAL), after(RunStarted(), QUESTION)
    assert reduce(waiting, Answered("violet")).pending == waiting.pending
    assert reduce(asked, Decided("once")).pending == asked.pending
    nothing = after(RunStarted(), THOUGHT)
    assert reduce(nothing, Decided("once")).cards == nothing.cards


@pytest.mark.parametrize("end", [StopRequested(), RunHalted(), RunRefused("No."), RunReleased(), ENDED, STEP])
@pytest.mark.parametrize("asked", [APPROVAL, QUESTION])
def test_when_nobody_waits_any_more_nothing_is_asked(asked: Event, end: Message) -> None:
    assert after(RunStarted(), THOUGHT, asked).pending
    assert after(RunStarted(), THOUGHT, asked, end).pending is None


@pytest.mark.parametrize("asked", [APPROVAL, QUESTION])
def test_who_stops_a_run_is_asked_nothing_more(asked: Event) -> None:
    state = after(RunStarted(), StopRequested(), asked)
    assert (state.pending, state.status) == (None, "Stopping")


# What is seen of the screen ------------------------------------------------------------------------------------------

SCREEN = Region(-1000, 0, 1920, 1080)


@given(st.integers(-1000, 900), st.integers(0, 1060), st.integers(1, 1920), st.integers(1, 1080), st.integers(40, 3000))
def test_the_closeup_holds_the_place_and_is_on_the_screen(x: int, y: int, width: int, height: int, room: int) -> None:
    place = Region(x, y, width, height).intersection(SCREEN)
    part = crop_around(place, SCREEN, Size(room, room // 2))

    assert part.intersection(SCREEN) == part
    assert part.intersection(place) == place or part == SCREEN or part.area >= place.area
    assert place.center in part


def test_a_place_is_shown_as_large_as_it_is() -> None:
    part = crop_around(Region(100, 500, 80, 30), SCREEN, Size(600, 300))
    assert part == Region(140 - 300, 515 - 150, 600, 300)
    assert fit_crop(part, Size(1200, 600)).size == Size(1200, 600)


def test_where_a_person_points_is_the_pixel_that_they_see_there() -> None:
    view = ScreenCrop(Region(-100, 50, 400, 200), Size(800, 400))
    assert view.point(0, 0) == Point(-100, 50)
    assert view.point(799, 399) == Point(299, 249)
    assert view.point(-5, 9999) == Point(-100, 249)
    assert view.region(Region(-90, 60, 10, 20)) == (20, 20, 40, 60)


@given(st.integers(0, 399), st.integers(0, 199), st.integers(20, 900), st.integers(20, 900))
def test_pointing_at_what_is_marked_hits_it(x: int, y: int, wide: int, high: int) -> None:
    view = fit_crop(Region(-100, 50, 400, 200), Size(wide, high))
    left, top, right, bottom = view.region(Region(-100 + x, 50 + y, 1, 1))
    found = view.point((left + right) // 2, (top + bottom) // 2)
    assert abs(found.x - (x - 100)) <= 400 / view.size.width + 1
    assert abs(found.y - (y + 50)) <= 200 / view.size.height + 1


@pytest.mark.parametrize("ground", [0, 255])
def test_the_marks_contrast_and_leave_the_place_uncovered(ground: int) -> None:
    frame = Frame(np.full((200, 400, 3), ground, np.uint8))
    view = ScreenCrop(frame.region, Size(400, 200))
    plain = np.asarray(draw_crop(frame, view, None, None, 1.0))
    place, point = Region(150, 80, 60, 20), Point(320, 50)
    marked = np.asarray(draw_crop(frame, view, place, point, 1.0))

    assert (plain == ground).all()
    assert (marked[place.y : place.bottom, place.x : place.right] == ground).all()
    assert (marked[point.y, point.x] == ground).all()
    around_place = marked[place.y - 9 : place.bottom + 9, place.x - 9 : place.right + 9].astype(int)
    assert abs(around_place - ground).max() > 200
    assert (marked[40:60, 305:335] != ground).any()


@pytest.mark.parametrize(
    ("front", "part"),
    [
        (Region(100, 100, 300, 200), Region(100, 100, 300, 200).grown(MARGIN_PX)),
        (Region(-50, -50, 200, 100), Region(0, 0, 150 + MARGIN_PX, 50 + MARGIN_PX)),
        (Region(0, 0, 800, 600), None),  # there is nothing to leave out
        (Region(2000, 0, 300, 200), None),
        (None, None),
    ],
)
def test_a_small_window_in_front_is_shown_by_itself(front: Region | None, part: Region | None) -> None:
    assert Seen(Frame(np.zeros((600, 800, 3), np.uint8)), front).small_front == part
