"""The settings of a profile, in a small TOML file that a user or `mark-i config set` edits."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args
from urllib.parse import urlsplit

import tomlkit
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mark_i.brain import DEFAULT_AHEAD
from mark_i.brains.access import Access, Coordinates, Level
from mark_i.brains.remote import TIMEOUT_S
from mark_i.budget import Budget
from mark_i.config.api_keys import Keys
from mark_i.config.file_lock import locked
from mark_i.config.paths import DEFAULT_PROFILE, make_private, prices_file, settings_file
from mark_i.events import Style
from mark_i.guard.policy import DEFAULT, Policy, read_policy
from toolbelt.desktops import Hotkey
from toolbelt.perception import Masks
from toolbelt.tools import fail, finish
from world_model import JournalError, UsageError, file_fault
from world_model.journal import write_whole
from world_model.shapes import newer

VERSION: Final = 1  # of the file format, written to each new file
A_BRAIN: Final = "the name of one, such as gemini or offline"
AT_LEAST_ONE: Final = "a whole number, 1 or more"
ABOVE_0: Final = "a number above 0"
NO_KEY: Final = "none"
ALWAYS_ON: Final = (finish.__name__, fail.__name__)  # a run ends with one of these tools
WRONG_VALUE_MAX_CHARS: Final = 60  # of a wrong value that a message quotes


def _listed(value: object) -> object:
    """Split a text at semicolons, or convert a TOML list."""
    if isinstance(value, str):
        return tuple(filter(None, map(str.strip, value.split(";"))))
    return tuple(value) if isinstance(value, list) else value


def _masks(value: tuple[str, ...]) -> tuple[str, ...]:
    Masks.parse(value)
    return value


def _spared(value: tuple[str, ...]) -> tuple[str, ...]:
    if set(ALWAYS_ON) & set(value):
        raise ValueError(value)
    return tuple(dict.fromkeys(value))


def _address(value: str) -> str:
    """Check that an address can be called; a user name or password in it would leak into messages and journals."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or (parts.port or 1) < 1:
        raise ValueError(value)
    return value


def _with_scheme(value: str) -> str | None:
    """Return an address that only lacks its scheme with the one that it needs; None if more is wrong."""
    if "://" in value or value != "".join(value.split()):
        return None
    try:
        host = urlsplit(f"//{value}").hostname or ""
        return _address(f"{'http' if _is_local(host) else 'https'}://{value}")
    except ValueError:
        return None


def _is_local(host: str) -> bool:
    """Whether a host is this machine, or one of the same network."""
    try:
        return ip_address(host).is_private
    except ValueError:  # a name
        return "." not in host


def _hotkey(value: str) -> str:
    return NO_KEY if value == NO_KEY else str(Hotkey.parse(value))


Theme = Literal["system", "dark", "light"]
Address = Annotated[str, AfterValidator(_address)]
Switched = Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_spared)]
Key = Annotated[str, AfterValidator(_hotkey)]
Masked = Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_masks)]


class Settings(BaseModel):
    """The settings of all runs of a profile. Each description says what is allowed, and error messages quote it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    brain: str | None = Field(default=None, min_length=1, description=A_BRAIN)
    reply_brain: str | None = Field(default=None, min_length=1, description=A_BRAIN)
    vision_brain: str | None = Field(default=None, min_length=1, description=A_BRAIN)
    single_model: bool = Field(default=False, description="true or false")
    base_url: Address | None = Field(
        default=None, description="an address without a name or password, such as http://localhost:11434/v1"
    )
    coordinates: Coordinates | None = Field(
        default=None, description=f"one of {', '.join(get_args(Coordinates))}, or none for what the models do best"
    )
    image_detail: Level = Field(default="high", description=f"one of {', '.join(get_args(Level))}")
    thinking: Level | None = Field(default=None, description=f"one of {', '.join(get_args(Level))}, or none")
    model_seconds: float = Field(default=TIMEOUT_S, gt=0, allow_inf_nan=False, description=ABOVE_0)
    workflow: str | None = Field(default=None, min_length=1, description="the name of one, or a file")
    style: Style = Field(default="default", description=f"one of {', '.join(get_args(Style))}")
    max_steps: int = Field(default=50, ge=1, description=AT_LEAST_ONE)
    max_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False, description=ABOVE_0)
    max_tokens: int | None = Field(default=None, ge=1, description=AT_LEAST_ONE)
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False, description=ABOVE_0)
    policy: str | None = Field(default=None, min_length=1, description="a file that says what is allowed")
    masks: Masked = Field(default=(), description="parts such as 0,0,400x100, or words of windows' titles")
    tools_off: Switched = Field(
        default=(), description=f"names of tools, without {' and '.join(ALWAYS_ON)}, which every run needs"
    )
    hotkey: Key = Field(
        default="ctrl+alt+escape", description="ctrl, alt or super and one key more, such as ctrl+alt+escape, or none"
    )
    takeover_idle_seconds: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description=f"{ABOVE_0}, or none to resume only on command"
    )
    observation_chars: int = Field(default=500, ge=50, description="a whole number, 50 or more")
    ahead: int = Field(default=DEFAULT_AHEAD, ge=1, le=20, description="a whole number from 1 to 20")
    theme: Theme = Field(default="system", description=f"one of {', '.join(get_args(Theme))}")
    scale: int = Field(default=100, ge=100, le=200, description="a percentage from 100 to 200")

    def budget(self) -> Budget:
        """Return the limits of a run."""
        return Budget(self.max_steps, self.max_seconds, self.max_tokens, self.max_cost)

    def permissions(self) -> Policy:
        """Return the policy: which actions to allow, ask about or deny.

        Raises:
            UsageError: The policy file cannot be used.
        """
        return read_policy(Path(self.policy).expanduser()) if self.policy else DEFAULT

    def stop_key(self) -> Hotkey | None:
        """Return the hotkey that stops a run, wherever the focus is."""
        return None if self.hotkey == NO_KEY else Hotkey.parse(self.hotkey)

    def access(self, keys: Keys) -> Access:
        """Return how models are reached."""
        return Access(
            keys.get,
            self.base_url,
            self.model_seconds,
            self.coordinates,
            self.image_detail,
            self.thinking,
            prices_file(keys.profile),
        )


def load(profile: str = DEFAULT_PROFILE) -> Settings:
    """Read the settings of a profile; `model_fields_set` names those that its file sets.

    Raises:
        UsageError: The file cannot be read, or a value in it is not allowed.
    """
    file = settings_file(profile)
    _, values = _read(file)
    return _checked(values, file)


def parsed(key: str, text: str) -> Any:  # noqa: ANN401 - the settings differ in type
    """Parse the text of a setting; an empty text or `none` is None if the setting may be unset.

    Raises:
        UsageError: There is no such setting, or the value is not allowed.
    """
    if key not in Settings.model_fields:
        raise UsageError(f"{_unknown(key)}.")
    default = Settings.model_fields[key].default
    empty = text.strip().lower() in ("", NO_KEY)
    if empty and default in (None, ()):
        return default
    try:
        return getattr(Settings.model_validate_strings({key: text}), key)
    except ValidationError as error:
        if not text.strip():
            raise UsageError(f"{key} cannot be empty. Its default is {as_text(default)}.") from error
        hint = f" Its default is {as_text(default)}." if empty else ""
        raise UsageError(f"{faults(error)}.{hint}") from error


def save(changes: Mapping[str, Any], profile: str = DEFAULT_PROFILE) -> None:
    """Change settings in the profile's file, and leave the rest of it as it was. None removes a setting.

    Raises:
        UsageError: A value is not allowed, or the file is not valid; nothing was changed.
        JournalError: The file cannot be written.
    """
    file = settings_file(profile)
    make_private(file.parent)
    try:
        with locked(file):
            document = tomlkit.parse(_read(file)[0] or f"version = {VERSION}\n")
            for key, value in changes.items():
                if value in (None, ()):
                    document.pop(key, None)
                else:
                    document[key] = list(value) if isinstance(value, tuple) else value
            _checked(document.unwrap(), file)
            write_whole(file, tomlkit.dumps(document).encode())
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {file_fault(error)}.") from error


def as_text(value: object) -> str:
    """Format a value as a user writes it."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case tuple():
            return "; ".join(map(str, value)) or "none"
        case _:
            return str(value)


def _read(file: Path) -> tuple[str, dict[str, Any]]:
    """Return the contents of the file as text and as values; a missing file counts as empty."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        return text, tomllib.loads(text)
    except FileNotFoundError:
        return "", {}
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not TOML: {error}. Fix it, or delete it to use the defaults.") from error


def _checked(values: Mapping[str, Any], file: Path) -> Settings:
    if reason := newer(values.get("version", VERSION), VERSION):
        raise UsageError(f"{file} cannot be read. {reason}")
    try:
        return Settings.model_validate({key: values[key] for key in values if key != "version"}, strict=True)
    except ValidationError as error:
        raise UsageError(f"{file}: {faults(error)}.") from error


def faults(error: ValidationError) -> str:
    """Describe what is wrong with settings."""
    return "; ".join(_fault(str(one["loc"][0]), one["input"]) for one in error.errors())


def _fault(key: str, value: object) -> str:
    setting = Settings.model_fields.get(key)
    if setting is None:
        return _unknown(key)
    near = _near(value, get_args(setting.annotation)) if isinstance(value, str) else ""
    if key == "base_url" and isinstance(value, str) and (whole := _with_scheme(value)):
        near = f" (did you mean {whole}?)"
    return f"{key} must be {setting.description}, not {repr(value)[:WRONG_VALUE_MAX_CHARS]}{near}"


def _unknown(key: str) -> str:
    near = _near(key, Settings.model_fields) or f" (there are {', '.join(Settings.model_fields)})"
    return f"There is no setting {key!r}{near}"


def _near(word: str, known: Iterable[object]) -> str:
    near = difflib.get_close_matches(word, [one for one in known if isinstance(one, str)], n=2, cutoff=0.5)
    return f" (did you mean {' or '.join(near)}?)" if near else ""
