"""The key that stops the agent, whatever window has the focus."""

from dataclasses import dataclass
from typing import Final, Self

from toolbelt.desktops.keysyms import MODIFIERS, parse_keys
from world_model import ToolFailure

WEAK: Final = frozenset({"shift", "altgr"})  # used to type characters


@dataclass(frozen=True, slots=True)
class Hotkey:
    """Modifiers and one other key."""

    modifiers: tuple[str, ...]
    key: str

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.key))

    @classmethod
    def parse(cls, keys: str) -> Self:
        """Parse a hotkey such as `ctrl+alt+escape`.

        Raises:
            ValueError: It is not ctrl, alt or super together with one other key.
        """
        try:
            names = parse_keys(keys)
        except ToolFailure as error:
            raise ValueError(error.message) from error
        modifiers = tuple(name for name in names if name in MODIFIERS)
        others = [name for name in names if name not in MODIFIERS]
        if len(others) != 1 or not set(modifiers) - WEAK:
            raise ValueError(f"{keys} is not ctrl, alt or super together with one other key")
        return cls(modifiers, others[0])
