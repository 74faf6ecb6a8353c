"""The cards of the log: adding one, changing that of a step or of the end, and noting what was asked."""

from dataclasses import replace
from typing import Any

from gui.run.messages import ImagesReady
from gui.run.requests import PendingApproval, PendingQuestion
from gui.run.state import Card, EndCard, NoticeCard, PersonCard, RunState, StepCard


def added(state: RunState, *cards: Card) -> RunState:
    """Add cards."""
    return replace(state, cards=(*state.cards, *cards))


def _place(state: RunState, index: int) -> int | None:
    """Find the card of a step of the newest run, searching from the end, for it is one of the last."""
    for place in range(len(state.cards) - 1, -1, -1):
        card = state.cards[place]
        if isinstance(card, EndCard) and place < len(state.cards) - 1:  # of the run before
            return None
        if isinstance(card, StepCard) and card.index == index:
            return place
    return None


def updated(state: RunState, index: int, **values: Any) -> RunState:  # noqa: ANN401 - the fields of a StepCard
    """Change a step's card, or add it where this is the first message about it."""
    place = _place(state, index)
    if place is None:
        return added(state, replace(StepCard(index), **values))
    card = state.cards[place]
    assert isinstance(card, StepCard)  # noqa: S101 - `_place` looks for nothing else
    cards = (*state.cards[:place], replace(card, **values), *state.cards[place + 1 :])
    return replace(state, cards=cards)


def pictured(state: RunState, message: ImagesReady) -> RunState:
    """Put the images of a step on its card, if it has one."""
    if _place(state, message.index) is None:
        return state
    return updated(state, message.index, pictured=True, before=message.before, after=message.after)


def told_once(state: RunState, summary: str) -> RunState:
    """Take from the card of the last step what the end says again."""
    card = state.cards[-1] if state.cards else None
    if not isinstance(card, StepCard) or card.thought != summary:
        return state
    return replace(state, cards=(*state.cards[:-1], replace(card, thought="")))


def offered(state: RunState, run: str) -> RunState:
    """Offer to make a skill of the run that has ended, on its card."""
    *before, card = state.cards
    return replace(state, cards=(*before, replace(card, skill_run=run))) if isinstance(card, EndCard) else state


def settled(state: RunState) -> RunState:
    """Ask nobody any longer: what was asked, which stood below the log, is noted in it."""
    pending = state.pending
    state = replace(state, pending=None)
    match pending:
        case PendingQuestion(text):
            return added(state, NoticeCard(text, asks=True))
        case PendingApproval(index, sentence):
            return updated(state, index, approval=f"{sentence}? {pending.why}")
    return state


def with_question(state: RunState, index: int, question: str, answer: str) -> RunState:
    """Note what a step asked and the answer, unless they are noted already: a journal keeps them in the step alone."""
    place = _place(state, index)
    since = state.cards[place + 1 :] if place is not None else ()
    if any(isinstance(card, NoticeCard) and card.asks for card in since):
        return state
    return added(state, NoticeCard(question, asks=True), *((PersonCard(answer),) if answer else ()))


def without_note(state: RunState, text: str | None = None) -> RunState:
    """Remove the note of what the person said, which the run has heard by now; without a text, all notes."""
    if not any(isinstance(card, PersonCard) and card.note for card in state.cards):
        return state
    cards = [
        replace(card, note="") if isinstance(card, PersonCard) and card.note and text in {None, card.text} else card
        for card in state.cards
    ]
    return replace(state, cards=tuple(cards))
