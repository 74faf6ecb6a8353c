"""The settings as the window shows them: grouped, with labels and allowed values. No Tk here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

from mark_i.brains import PROVIDERS
from mark_i.config import ABOUT, VARIABLES, KeyringInUse, Settings, as_text

REST: Final = "More"
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {  # what is in none of them stands in one of its own
    "Models": (
        "brain",
        "reply_brain",
        "vision_brain",
        "single_model",
        "base_url",
        "coordinates",
        "image_detail",
        "thinking",
        "model_seconds",
        "workflow",
        "style",
    ),
    "Limits": ("max_steps", "max_seconds", "max_tokens", "max_cost", "observation_chars", "ahead"),
    "Masks": ("masks",),
    "Safety": ("policy", "hotkey"),
    REST: (),
    "Window": ("theme", "scale"),
}
LABELS: Final[Mapping[str, str]] = {  # where the name in the file does not say it to everybody
    "brain": "Model",
    "reply_brain": "Model for the final answer",
    "vision_brain": "Model that describes the screen",
    "single_model": "Use one model for everything",
    "base_url": "Model address",
    "coordinates": "Coordinates in replies",
    "image_detail": "Image detail",
    "thinking": "Thinking effort",
    "model_seconds": "Model timeout (seconds)",
    "style": "Answer style",
    "max_steps": "Maximum steps",
    "max_seconds": "Maximum time (seconds)",
    "max_tokens": "Maximum tokens",
    "max_cost": "Maximum cost (USD)",
    "observation_chars": "Observation length in prompts (characters)",
    "ahead": "Actions that a reply may plan",
    "policy": "Policy file",
    "hotkey": "Stop hotkey",
    "tools_off": "Disabled tools",
    "takeover_idle_seconds": "Resume after idle (seconds)",
    "scale": "Size (percent)",
}
VENDORS: Final[Mapping[str, str]] = {
    "gemini": "Gemini",
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "tavily": "Tavily (web search)",
}
KEY_PAGES: Final[Mapping[str, str]] = {
    **{one.name: one.page for one in PROVIDERS if one.base_url is None},
    "tavily": "https://app.tavily.com",
}
KEPT: Final[Mapping[str, str]] = {
    "keyring": "The key is in the system keyring.",
    "file": "The key is in a file of the profile that only you can read.",
    "environment": "The key is in the environment variable {variable}.",
    ".env": "The key is in the .env file of the folder where MARK-I was started, as {variable}.",
    "none": "No key. Get one at {page}",
}
IN_FILE: Final = "Save keys in a file that only you can read, not in the keyring"  # a checkbox
CHECK_IN_FILE: Final = f"{{told}} Check “{IN_FILE}” below, and save the key again."
IN_PLAIN_TEXT: Final = "The key is in {keyring}."
KEPT_IN_PLAIN_TEXT: Final = (
    "This system has {keyring}. A key that you save goes there, unless you choose the file that only you can read."
)
MAX_OFFERED: Final = 12  # a menu that is higher than the screen loses its end
SWITCHED: Final = {"true": "on", "false": "off"}


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting.

    Attributes:
        key: its name in the file.
        help: what it is for.
        allowed: what it may be, in words.
        default: its default, as a person writes it.
        choices: the values of a switch; empty for what is typed.
        advanced: whether most people leave it alone.
    """

    key: str
    label: str
    help: str
    allowed: str
    default: str
    choices: tuple[str, ...] = ()
    advanced: bool = False

    @property
    def caption(self) -> str:
        """The explanation below the label."""
        allowed = "" if self.choices else f": {self.allowed}"
        return f"{self.help}\n{self.key}{allowed}. Default: {self.default}."


def grouped() -> Mapping[str, tuple[SettingField, ...]]:
    """List every setting once, in groups."""
    named = {key for keys in GROUPS.values() for key in keys}
    rest = tuple(key for key in Settings.model_fields if key not in named)
    groups = {title: keys or rest for title, keys in GROUPS.items()}
    return {
        title: fields
        for title, keys in groups.items()
        if (fields := tuple(_field(key) for key in keys if key in Settings.model_fields))
    }


def label_of(key: str) -> str:
    """Return what a setting, or the key of a vendor, is called on the page."""
    vendor = key.removesuffix(".key")
    return VENDORS.get(vendor) or LABELS.get(key) or key.replace("_", " ").capitalize()


def shown(value: object) -> str:
    """Format a value for its field; empty where there is none."""
    match value:
        case None | ():
            return ""
        case bool():
            return SWITCHED[as_text(value)]
        case float():
            return f"{value:g}"
        case _:
            return as_text(value)


def where_kept(vendor: str, where: str, keyring: KeyringInUse | None = None) -> str:
    """Say where a key is kept, or where to get one."""
    if where == "keyring" and keyring and keyring.plaintext:
        return IN_PLAIN_TEXT.format(keyring=keyring.told)
    return KEPT[where].format(variable=VARIABLES[vendor], page=KEY_PAGES[vendor])


def keyring_warning(keyring: KeyringInUse | None) -> str:
    """Say what a keyring is that does not protect keys; empty for one that does."""
    return KEPT_IN_PLAIN_TEXT.format(keyring=keyring.told) if keyring and keyring.plaintext else ""


def brains(settings: Settings, kept: Mapping[str, str]) -> tuple[str, ...]:
    """List the brains to choose from: those that are set, those that have a key, and those that need none."""
    named = (settings.brain, settings.reply_brain, settings.vision_brain)
    keyed = (vendor for vendor in ("gemini", "openai", "anthropic") if kept.get(vendor, "none") != "none")
    local = ("openai",) if settings.base_url else ()
    return tuple(dict.fromkeys(filter(None, ("offline", *named, *keyed, *local))))


def matching(models: Sequence[str], saved: str, typed: str) -> tuple[str, ...]:
    """List the models whose names contain what was typed, if it is not what is saved: no more than a menu can show."""
    words = "" if typed == saved else typed.strip().lower()
    return tuple(model for model in models if words in model.lower())[:MAX_OFFERED]


def _field(key: str) -> SettingField:
    setting = Settings.model_fields[key]
    return SettingField(
        key,
        label_of(key),
        ABOUT[key].help,
        setting.description or "",
        shown(setting.default) or "none",
        _choices(setting.annotation),
        ABOUT[key].group == "advanced",
    )


def _choices(annotation: Any) -> tuple[str, ...]:  # noqa: ANN401 - any type
    """List the values where there are only a few, with `none` where the setting is optional."""
    if annotation is bool:
        return tuple(SWITCHED[value] for value in ("false", "true"))
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    inner = tuple(choice for part in get_args(annotation) for choice in _choices(part))
    return ("none", *inner) if inner else ()
