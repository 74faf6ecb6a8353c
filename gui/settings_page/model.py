"""The state of the Settings page as values. Pure, as `gui.run`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mark_i.config import KeyringInUse, Settings
from mark_i.doctor import CheckFailure, ModelCheck
from world_model import Frame


@dataclass(frozen=True, slots=True)
class SettingsRead:
    """The settings and keys of the profile, as saved now.

    Attributes:
        brain: the one that plans unless a run says otherwise.
        kept: where the key of each vendor is kept.
        saved: what was just changed; empty where they were only read.
    """

    settings: Settings
    brain: str
    kept: Mapping[str, str]
    saved: str = ""


@dataclass(frozen=True, slots=True)
class SettingsUnreadable:
    """The settings cannot be read; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class SettingRejected:
    """A setting or key is not accepted; the message says why, and an empty one that it is right again."""

    key: str
    message: str


@dataclass(frozen=True, slots=True)
class DesktopCaptured:
    """The desktop as the agent would see it; None where that failed."""

    frame: Frame | None


@dataclass(frozen=True, slots=True)
class KeyringNamed:
    """The keyring that a key is saved in."""

    keyring: KeyringInUse


@dataclass(frozen=True, slots=True)
class CheckBegun:
    """The model is being checked; the number is that of the check."""

    number: int


@dataclass(frozen=True, slots=True)
class CheckEnded:
    """What a check found; None if no model would be asked."""

    number: int
    result: ModelCheck | CheckFailure | None


@dataclass(frozen=True, slots=True)
class CheckStopped:
    """Nobody waits for the check any more."""


@dataclass(frozen=True, slots=True)
class ModelsListed:
    """The models that the service of the brain that plans offers, each as the setting takes it."""

    models: tuple[str, ...]


SettingsMessage: TypeAlias = (
    SettingsRead
    | SettingsUnreadable
    | SettingRejected
    | DesktopCaptured
    | KeyringNamed
    | CheckBegun
    | CheckEnded
    | CheckStopped
    | ModelsListed
)


@dataclass(frozen=True, slots=True)
class SettingsState:
    """What the page shows.

    Attributes:
        found: what is saved; None until it is read, and where it cannot be.
        broken: why it cannot be read.
        faults: what is wrong with what was entered, by setting.
        keyring: the one that a key is saved in; None until that is known.
        check: the check of the model that goes on, or how it ended; None where that says nothing of what is saved now.
        models: what can be chosen of the service; empty until it has listed them.
    """

    found: SettingsRead | None = None
    broken: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    keyring: KeyringInUse | None = None
    check: CheckBegun | CheckEnded | None = None
    models: tuple[str, ...] = ()

    @property
    def saved(self) -> str:
        """What was changed last."""
        return self.found.saved if self.found else ""


def reduce_settings(state: SettingsState, message: SettingsMessage) -> SettingsState:
    """Return the state after a message."""
    match message:
        case CheckBegun() | CheckEnded() | CheckStopped() | ModelsListed():
            return _asked(state, message)
        case SettingsRead():
            faults = {key: fault for key, fault in state.faults.items() if message.saved not in ("", key)}
            check, models = _still_valid(state, message), _still_offered(state, message)
            return replace(state, found=message, broken="", faults=faults, check=check, models=models)
        case SettingsUnreadable():
            return SettingsState(broken=message.message, keyring=state.keyring, check=state.check)
        case SettingRejected():
            others = {key: fault for key, fault in state.faults.items() if key != message.key}
            faults = others | ({message.key: message.message} if message.message else {})
            found = state.found and replace(state.found, saved="")
            return replace(state, faults=faults, found=found)
        case DesktopCaptured():
            return state  # it is shown in a window of its own
        case KeyringNamed():
            return replace(state, keyring=message.keyring)


def _asked(state: SettingsState, message: CheckBegun | CheckEnded | CheckStopped | ModelsListed) -> SettingsState:
    """Note what a service answers; the end of a check that was stopped comes too late."""
    match message:
        case CheckBegun():
            return replace(state, check=message)
        case CheckEnded(number=number):
            return replace(state, check=message) if state.check == CheckBegun(number) else state
        case CheckStopped():
            return replace(state, check=None) if isinstance(state.check, CheckBegun) else state
        case ModelsListed():
            return replace(state, models=message.models)


def _still_valid(state: SettingsState, now: SettingsRead) -> CheckBegun | CheckEnded | None:
    """Return the check, unless it has ended and something has changed since."""
    was = state.found
    same = was is None or (was.settings, was.brain, was.kept) == (now.settings, now.brain, now.kept)
    changed = not same or now.saved.endswith(".key")  # another key may be kept where one was
    return None if isinstance(state.check, CheckEnded) and changed else state.check


def _still_offered(state: SettingsState, now: SettingsRead) -> tuple[str, ...]:
    """Return the models that were listed, unless another service is set now."""
    was = state.found
    same = was is None or _service(was) == _service(now)
    return state.models if same else ()


def _service(found: SettingsRead) -> tuple[str, str | None]:
    return found.brain.partition(":")[0], found.settings.base_url
