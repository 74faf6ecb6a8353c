"""How models are reached: what the command line and the settings say, for all vendors alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from mark_i.brain import Space
from mark_i.brains.prices import price_of
from mark_i.brains.remote import TIMEOUT_S, RemoteBrain, Service

Coordinates = Literal["normalized", "pixels", "marks"]
Level = Literal["low", "medium", "high"]
SCALE_PERCENT: Final[Mapping[Level, int]] = {"low": 50, "medium": 75, "high": 100}  # percent of a picture's sides
SPACES: Final[Mapping[Coordinates, Space]] = {"normalized": "thousandths", "pixels": "image", "marks": "marks"}


def _no_key(_vendor: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Access:
    """How models are reached.

    Attributes:
        key_for: the API key that is kept under a vendor's name.
        base_url: where another service speaks for the vendor's.
        seconds: for one call.
        coordinates: what the model's points mean, where that is not what its vendor's models do best.
        image_detail: how closely it looks at pictures.
        thinking: how much it thinks before it answers; None for as much as it likes.
        prices: the person's own prices.
    """

    key_for: Callable[[str], str | None] = _no_key
    base_url: str | None = None
    seconds: float = TIMEOUT_S
    coordinates: Coordinates | None = None
    image_detail: Level = "high"
    thinking: Level | None = None
    prices: Path | None = None

    def space(self, usual: Space) -> Space:
        """What the model's points mean."""
        return SPACES[self.coordinates] if self.coordinates else usual

    def sight(self, usual: int) -> int:
        """The longest side of the picture that the model gets; one that names marks sees none."""
        return 0 if self.coordinates == "marks" else usual

    def scaled_sight(self, usual: int) -> int:
        """The same, for a service that cannot be told how closely to look: it gets a smaller picture."""
        return self.sight(usual * SCALE_PERCENT[self.image_detail] // 100)

    def brain(self, service: Service, model: str, key: str) -> RemoteBrain:
        """A model of a service, with its price."""
        return RemoteBrain(service, model, key, price_of(model, self.prices), self.seconds)
