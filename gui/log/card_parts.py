"""The parts of a card, from which it is drawn, searched and copied. No Tk here."""

from dataclasses import dataclass
from typing import Final, Literal

from gui.kit.texts import folded
from gui.kit.tones import Tone
from gui.run.state import Card, EndCard, NoticeCard, PersonCard, StepCard
from world_model import Usage

CALL: Final = "Call"  # caption of the action as the model wrote it
Kind = Literal["head", "strong", "text", "code", "small"]


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a card.

    Attributes:
        text: the text.
        caption: shown before it.
        kind: its font.
        tone: its color, where that is not the usual one of its kind.
    """

    text: str
    caption: str = ""
    kind: Kind = "text"
    tone: Tone | None = None


def parts_of(card: Card, *, detailed: bool = True) -> tuple[Part, ...]:
    """List the parts of a card, top to bottom.

    One that is not `detailed` leaves out how the model wrote the action, and folds a very long text.
    """
    if isinstance(card, StepCard):
        return tuple(part for part in _of_step(card) if detailed or part.caption != CALL)
    text = card.text if detailed else folded(card.text)
    match card:
        case NoticeCard():
            return (Part(text),)
        case PersonCard(note=note):
            said = Part(text, "You", "strong")
            return (said, Part(note, kind="small", tone="paused")) if note else (said,)
        case EndCard():
            evidence = (Part(piece, kind="small") for piece in card.evidence)
            parts = (Part(card.title, kind="strong", tone=card.tone), Part(text), *evidence)
            return tuple(part for part in parts if part.text)


def has_details(card: Card) -> bool:
    """Whether a card has more than it shows at first."""
    return parts_of(card, detailed=False) != parts_of(card)


def words_of(card: Card) -> str:
    """Collect what a search looks through: everything except captions and figures."""
    match card:
        case StepCard():
            parts = (
                card.thought,
                card.sentence,
                card.call,
                card.approval,
                card.decided,
                card.code,
                card.observation,
                card.hints,
                card.change,
            )
            return "\n".join(parts)
        case NoticeCard() | PersonCard():
            return card.text
        case EndCard():
            return "\n".join((card.title, card.text, *card.evidence))


def text_of(card: Card) -> str:
    """Format a card for the clipboard: one part a line, with its caption."""
    return "\n".join(f"{part.caption}: {part.text}" if part.caption else part.text for part in parts_of(card))


def title_of(card: StepCard) -> str:
    """`STEP 3 · 1.2 s · 1,954 tokens · 0.0011 USD`, without what is not known yet; `planned ahead` where that is so."""
    took = f"{card.seconds:.1f} s" if card.ok is not None else ""
    planned = "planned ahead" if card.foreseen else ""
    return " · ".join(filter(None, (f"STEP {card.index}", took, *_spent(card.usage), planned)))


def _spent(usage: Usage) -> tuple[str, ...]:
    """Tokens and cost; an unknown cost is named, and nothing is shown where no model was asked."""
    if not usage.tokens:
        return ()
    return f"{usage.tokens:,} tokens", "cost unknown" if usage.cost_usd is None else f"{usage.cost_usd:.4f} USD"


def _of_step(card: StepCard) -> tuple[Part, ...]:
    failed = card.ok is False
    error = Part(f"{card.code}: {card.observation}", "Error", tone="failed")
    parts = (
        Part(card.thought, "Thought"),
        Part(card.sentence, "Action", tone="busy"),
        Part(card.call, CALL, "code"),
        Part(card.approval, "Approval"),
        Part(card.decided, "You", tone="paused"),
        error if failed else Part(card.observation, "Observation"),
        Part(card.hints, "Hint", "small"),
        Part(card.change, "Screen", "small"),
    )
    return (Part(title_of(card), kind="head"), *(part for part in parts if part.text))
