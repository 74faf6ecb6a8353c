"""How to reach models: what the command line and the settings say, for all vendors alike."""

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
    """How to reach models.

    Attributes:
        key_for: returns the API key saved under a vendor's name.
        base_url: the address of the service; None for the vendor's own.
        seconds: the time limit of one call.
        coordinates: how the model names places; None for what its vendor's models do best.
        image_detail: how closely the model looks at pictures.
        thinking: how much the model thinks before it answers; None for its default.
        prices: the file with the user's own prices.
    """

    key_for: Callable[[str], str | None] = _no_key
    base_url: str | None = None
    seconds: float = TIMEOUT_S
    coordinates: Coordinates | None = None
    image_detail: Level = "high"
    thinking: Level | None = None
    prices: Path | None = None

    def space(self, usual: Space) -> Space:
        """Return how the model names places."""
        return SPACES[self.coordinates] if self.coordinates else usual

    def sight(self, usual: int) -> int:
        """Return the longer side of the pictures that the model gets; 0 if it names marks, which needs none."""
        return 0 if self.coordinates == "marks" else usual

    def scaled_sight(self, usual: int) -> int:
        """Return the same for a service without an option for image detail: it gets a smaller picture."""
        return self.sight(usual * SCALE_PERCENT[self.image_detail] // 100)

    def brain(self, service: Service, model: str, key: str) -> RemoteBrain:
        """Return a brain for a model of a service, with its price."""
        price = price_of(model, self.prices, at_vendor=self.base_url is None)
        return RemoteBrain(service, model, key, price, self.seconds)
