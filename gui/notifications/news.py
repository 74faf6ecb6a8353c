"""What there is to notify of in a run. Pure values."""

from dataclasses import dataclass
from typing import Final

from gui.run.requests import PendingApproval, PendingRequest
from gui.run.state import Card, RunState

APPROVAL: Final = ("MARK-I needs your approval", "The run waits for it before it acts.")
QUESTION: Final = ("MARK-I has a question", "The run waits for your answer.")


@dataclass(frozen=True, slots=True)
class News:
    """A notification. Its texts are ours: what a run reads or types does not belong into a desktop's history.

    Attributes:
        about: the request or the card that it tells of, which tells it from another with the same texts.
    """

    about: PendingRequest | Card
    title: str
    text: str


def news_of(state: RunState) -> News | None:
    """Return what to notify of: the run waits for the person, or it has ended."""
    if state.pending:
        return News(state.pending, *(APPROVAL if isinstance(state.pending, PendingApproval) else QUESTION))
    return News(state.cards[-1], f"MARK-I: {state.status}", state.figures) if state.ended else None
