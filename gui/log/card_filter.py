"""Which cards of the log are listed, and in which of them words were found. Values, and no Tk here."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from gui.log.card_parts import words_of
from gui.run.state import Card, EndCard, NoticeCard, StepCard

CardFilter = Literal["All", "Changes", "Errors"]
FILTERS: Final[tuple[CardFilter, ...]] = get_args(CardFilter)


@dataclass(frozen=True, slots=True)
class LogListing:
    """The log as a person wants to see it.

    Attributes:
        cards: all of them, oldest first.
        sieve: which kind is listed: those of steps that changed the screen, those of errors, or all.
        words: what is searched for; nothing is searched for where it is empty.
        places: where the listed ones stand in `cards`.
        hits: those of them that have the words.
        at: the hit that was gone to.
    """

    cards: tuple[Card, ...] = ()
    filter_: CardFilter = "All"
    words: str = ""
    indices: tuple[int, ...] = ()
    hits: tuple[int, ...] = ()
    at: int | None = None

    @property
    def counted(self) -> str:
        """`2 of 14`, or that there is none; nothing as long as nothing is searched for."""
        if not self.words:
            return ""
        if not self.hits:
            return "no matches"
        where = f"{self.hits.index(self.at) + 1:,} of " if self.at in self.hits else ""
        return f"{where}{len(self.hits):,} {'card' if len(self.hits) == 1 else 'cards'}"


def with_cards(listing: LogListing, cards: tuple[Card, ...]) -> LogListing:
    """The listing of these cards; only those that changed are looked through, for that is asked many times a second."""
    if cards is listing.cards:
        return listing
    pairs = enumerate(zip(listing.cards, cards, strict=False))
    same = next((place for place, (was, card) in pairs if was is not card), min(len(listing.cards), len(cards)))
    return _recomputed(replace(listing, cards=cards), same)


def with_filter(listing: LogListing, filter_: CardFilter) -> LogListing:
    """Only that kind is listed now."""
    return _recomputed(replace(listing, filter_=filter_, at=None), 0)


def with_words(listing: LogListing, words: str) -> LogListing:
    """These words are searched for now."""
    return listing if words == listing.words else _recomputed(replace(listing, words=words, at=None), 0)


def next_hit(listing: LogListing, by: Literal[-1, 1], seen: int) -> LogListing:
    """Gone to the next hit or the one before, round the ends; the first time to the one at `seen` or after it."""
    hits = listing.hits
    if not hits:
        return listing
    if listing.at is None:
        number = bisect_left(hits, seen)
        return replace(
            listing, at=hits[(number if by > 0 or hits[number % len(hits)] == seen else number - 1) % len(hits)]
        )
    number = bisect_left(hits, listing.at)
    passed = number if by > 0 and listing.at not in hits else number + by  # it may not be a hit any more
    return replace(listing, at=hits[passed % len(hits)])


def _recomputed(listing: LogListing, first: int) -> LogListing:
    """What comes of the cards from the one at `first` on."""
    passes, words = PASSES[listing.filter_], listing.words.casefold()
    cards = range(first, len(listing.cards))
    indices = tuple(place for place in cards if passes(listing.cards[place]))
    hits = tuple(place for place in indices if words and words in words_of(listing.cards[place]).casefold())
    return replace(
        listing,
        indices=(*listing.indices[: bisect_left(listing.indices, first)], *indices),
        hits=(*listing.hits[: bisect_left(listing.hits, first)], *hits),
    )


def _is_error(card: Card) -> bool:
    """A step that failed, what the person should know, and an end that is none of success."""
    match card:
        case StepCard():
            return card.ok is False
        case NoticeCard():
            return True
        case EndCard():
            return card.tone in ("failed", "error", "stopped")


PASSES: Final[Mapping[CardFilter, Callable[[Card], bool]]] = {
    "All": lambda _card: True,
    "Changes": lambda card: isinstance(card, StepCard) and card.changed,
    "Errors": _is_error,
}
