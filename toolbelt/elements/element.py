"""An element: one thing on the screen that can be pointed at."""

from dataclasses import dataclass
from typing import Final

from toolbelt.desktops.accessibility.nodes import State
from world_model import Region, Role

TOLD_STATES: Final[tuple[State, ...]] = ("checked", "unchecked", "mixed", "disabled", "focused", "expanded", "selected")


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the screen that can be pointed at.

    Attributes:
        text: its own text; for a textbox, a checkbox or a radio button, the text of its label.
        holds: the text in a textbox, or what a combobox shows.
        states: what holds for it, as far as its program says.
        said: whether its program says that it is there; otherwise it was only found by its looks.
        value: the text in a textbox to the letter, as its program says; None if it does not.
        around: the boxes that it is in, the innermost first, as its program says.
    """

    role: Role
    region: Region
    text: str = ""
    holds: str = ""
    states: frozenset[State] = frozenset()
    said: bool = False
    value: str | None = None
    around: tuple[Region, ...] = ()

    @property
    def told_states(self) -> tuple[State, ...]:
        """Its states that matter to who uses it, in a fixed order."""
        return tuple(state for state in TOLD_STATES if state in self.states)
