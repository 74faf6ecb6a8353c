"""Which cards the log lists, and which of them match a search. Values, no Tk."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from gui.log.card_parts import words_of
from gui.run.state import Card, EndCard, NoticeCard, PersonCard, StepCard

CardFilter = Literal["All", "Changes", "Errors"]
FILTERS: Final[tuple[CardFilter, ...]] = get_args(CardFilter)


@dataclass(frozen=True, slots=True)
class LogListing:
    """The log as a person wants to see it.

    Attributes:
        cards: all of them, oldest first.
        filter_: which kind is listed: all, steps that changed the screen, or errors.
        words: what is searched for; empty without a search.
        indices: of the listed cards in `cards`.
        hits: those of them that match.
        at: the current hit.
    """

    cards: tuple[Card, ...] = ()
    filter_: CardFilter = "All"
    words: str = ""
    indices: tuple[int, ...] = ()
    hits: tuple[int, ...] = ()
    at: int | None = None

    @property
    def counted(self) -> str:
        """`2 of 14`, or that nothing matches; empty without a search."""
        if not self.words:
            return ""
        if not self.hits:
            return "no matches"
        where = f"{self.hits.index(self.at) + 1:,} of " if self.at in self.hits else ""
        return f"{where}{len(self.hits):,} {'card' if len(self.hits) == 1 else 'cards'}"


def with_cards(listing: LogListing, cards: tuple[Card, ...]) -> LogListing:
    """List these cards. Only those that changed are searched: this is called many times a second."""
    if cards is listing.cards:
        return listing
    pairs = enumerate(zip(listing.cards, cards, strict=False))
    same = next((place for place, (was, card) in pairs if was is not card), min(len(listing.cards), len(cards)))
    return _recomputed(replace(listing, cards=cards), same)


def with_filter(listing: LogListing, filter_: CardFilter) -> LogListing:
    """List only this kind."""
    return _recomputed(replace(listing, filter_=filter_, at=None), 0)


def with_words(listing: LogListing, words: str) -> LogListing:
    """Search for these words."""
    return listing if words == listing.words else _recomputed(replace(listing, words=words, at=None), 0)


def next_hit(listing: LogListing, by: Literal[-1, 1], seen: int) -> LogListing:
    """Go to the next hit or the previous one, around the ends; the first time to the one at or after `seen`."""
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
    """Filter and search the cards from `first` on."""
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
    """A failed step, a notice, or an end without success."""
    match card:
        case StepCard():
            return card.ok is False
        case NoticeCard():
            return True
        case PersonCard():
            return False
        case EndCard():
            return card.tone in ("failed", "error", "stopped")


PASSES: Final[Mapping[CardFilter, Callable[[Card], bool]]] = {
    "All": lambda _card: True,
    "Changes": lambda card: isinstance(card, StepCard) and card.changed,
    "Errors": _is_error,
}
