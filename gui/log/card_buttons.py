"""The buttons on the card of a run's end: what mends it, shows what proves it, or makes a skill. No Tk here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from gui.run.mends import TITLES, Mend
from gui.run.proofs import Proof
from gui.run.state import Card, EndCard, StepCard

BUTTON: Final = "button "  # the tag of a button, before its number on its card
MAX_BUTTONS: Final = 9  # on one card, as many as there are keys for them
MAKE_SKILL: Final = "Make a skill"


@dataclass(frozen=True, slots=True)
class SkillOffer:
    """A skill can be made of this run."""

    run: str


CardButton: TypeAlias = Mend | Proof | SkillOffer


def buttons_of(card: Card) -> tuple[CardButton, ...]:
    """List the buttons of a card; the offer of a skill comes late, so it stands last and moves none."""
    if not isinstance(card, EndCard):
        return ()
    offer = (SkillOffer(card.skill_run),) if card.skill_run else ()
    return (*(*card.mends, *card.proofs)[: MAX_BUTTONS - len(offer)], *offer)


def title_of_button(button: CardButton) -> str:
    """Return what is written on a button."""
    if isinstance(button, SkillOffer):
        return MAKE_SKILL
    return button.title if isinstance(button, Proof) else TITLES[button]


def shown_by(proof: Proof, before: Sequence[Card]) -> StepCard | None:
    """Find the step whose picture a proof is, among the cards before the end of its run; None if it is not there."""
    for card in reversed(before):
        if isinstance(card, EndCard):  # of the run before
            break
        if isinstance(card, StepCard) and (card.after or card.before) and proof.step in {None, card.index}:
            return card
    return None
