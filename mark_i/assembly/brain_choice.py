"""Which brain plans when nobody named one: the one that was used last, a model whose key is there, or none."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal

from mark_i.brains import REMOTE
from mark_i.brains.providers import VENDORS, Provider
from mark_i.config.api_keys import Keys
from mark_i.config.paths import runs_folder
from mark_i.config.settings import Settings
from mark_i.extras import EXTRAS
from mark_i.runs.store import newest
from mark_i.skills.order_words import order_of
from world_model import JournalError, read_about

Reason = Literal["set", "used_last", "key", "no_sdk", "no_key"]

OFFLINE: Final = "offline"
RUNS_SEARCHED: Final = 20  # the newest, for the model that was used last
CHOOSE: Final = "To choose another: mark-i config set brain BRAIN:MODEL."
NOTICES: Final[Mapping[Reason, str]] = {
    "set": "",
    "used_last": f"No brain is set, so the one that was used last is used: {{brain}}. {CHOOSE}",
    "key": f"No brain is set, and there is a key for {{title}}, so its model is used. {CHOOSE}",
    "no_sdk": (
        "There is a key for {title}, but its SDK is not installed, so the offline brain follows plain instructions. "
        "Install it: pip install 'mark-i[{extra}]'"
    ),
    "no_key": (
        "There is no key for a model, so the offline brain follows plain instructions. "
        "To save one: mark-i config set gemini.key. For another model: --brain, see --help."
    ),
}


@dataclass(frozen=True, slots=True)
class DefaultBrain:
    """The brain that plans, and why.

    Attributes:
        provider: whose key decided; None if none did.
    """

    brain: str
    reason: Reason
    provider: Provider | None = None

    @property
    def notice(self) -> str:
        """What the person is told about it; empty if they chose it."""
        title, extra = (self.provider.title, self.provider.extra) if self.provider else ("", "")
        return NOTICES[self.reason].format(brain=self.brain, title=title, extra=extra)


def default_brain(settings: Settings, keys: Keys) -> DefaultBrain:
    """Return the brain that plans: the one that is set, or else one that can be used."""
    if settings.brain:
        return DefaultBrain(settings.brain, "set")
    keyed, usable = _keyed(keys), _usable(keys)
    if not usable:
        return DefaultBrain(OFFLINE, "no_sdk" if keyed else "no_key", next(iter(keyed), None))
    for brain, declined in _used(settings, keys):
        if declined:
            return DefaultBrain(OFFLINE, "used_last")
        kind = brain.partition(":")[0]
        if kind in REMOTE and (provider := usable.get(kind.partition("-")[0])):
            return DefaultBrain(brain, "used_last", provider)
    first = next(iter(usable.values()))
    return DefaultBrain(first.brain, "key", first)


def planner(settings: Settings, keys: Keys) -> str:
    """Return the name of the brain that plans."""
    return default_brain(settings, keys).brain


def declines_models(brain: str, keys: Keys) -> bool:
    """Whether a brain was chosen though a model could be used: only the offline one, which else stands in for them."""
    return brain == OFFLINE and bool(_usable(keys))


def _keyed(keys: Keys) -> list[Provider]:
    return [one for one in VENDORS.values() if keys.get(one.name)]


def _usable(keys: Keys) -> Mapping[str, Provider]:
    """Return the vendors whose key and SDK are there, by their brains."""
    return {one.brain: one for one in _keyed(keys) if EXTRAS[one.extra].installed}


def _used(settings: Settings, keys: Keys) -> Iterator[tuple[str, bool]]:
    """Yield the brains of runs at the same address that were answered, and whether they declined models, newest first.

    A skill that is ordered in words has the offline brain, whatever was chosen.
    """
    for folder in islice(newest(runs_folder(keys.profile, keys.environment)), RUNS_SEARCHED):
        try:
            about, _ = read_about(folder)
        except JournalError:  # it has just begun, or is damaged
            continue
        outcome, recorded = _mapping(about.get("outcome")), _mapping(about.get("settings"))
        answered = outcome.get("outcome") not in {None, "model_error"}  # a name that is wrong is not used again
        if answered and recorded.get("base_url") == settings.base_url:
            yield str(about.get("brain")), recorded.get("brain") == OFFLINE and not order_of(recorded)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
