"""How a skill is ordered in words, for a run that is started again."""

from collections.abc import Mapping
from typing import Any


def in_words(name: str, values: Mapping[str, str]) -> str:
    """Return the order of a skill with these values, which `ordered` reads back."""
    told = ", ".join(f"{one} {_quoted(value)}" for one, value in values.items())
    return f"run {name} with {told}" if told else f"run {name}"


def order_of(settings: Mapping[str, Any]) -> str:
    """Return the order of the skill that a run did, by the settings in its run.json; empty if it did none."""
    match settings.get("skill"):
        case {"name": str(name), "values": dict(values)}:
            return in_words(name, {str(one): str(value) for one, value in values.items()})
    return ""


def _quoted(value: str) -> str:
    doubled = value.replace('"', '""')
    return f'"{doubled}"'
