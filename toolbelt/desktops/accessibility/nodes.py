"""What a program says of one of its windows, as values."""

from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

from world_model import Region

State: TypeAlias = Literal[
    "checked", "unchecked", "mixed", "disabled", "focused", "expanded", "collapsed", "selected", "editable", "secret"
]


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in a window, in the words of the program.

    Attributes:
        parent: the index of the node around it; -1 for the window itself.
        role: its role, in the words of `xa11y`.
        name: its accessible name; empty if it has none.
        value: the text or the number in it; always empty for a password.
        region: where it is, as the program says; None if it does not say.
        states: what holds for it; `secret` is a field for a password.
    """

    parent: int
    role: str
    name: str
    value: str
    region: Region | None
    states: frozenset[State] = frozenset()

    @classmethod
    def from_list(cls, data: list[Any]) -> Self:
        """Read a node of the worker's reply."""
        parent, role, name, value, region, states = data
        return cls(parent, role, name, value, Region(*region) if region else None, frozenset(states))


@dataclass(frozen=True, slots=True)
class WindowTree:
    """The nodes of one window, each after its parent; those that are not on the screen are left out.

    Attributes:
        pid: the program.
        title: the title of the window.
        complete: False if there was no time for all of it.
    """

    pid: int
    title: str
    nodes: tuple[Node, ...]
    complete: bool = True
