"""The content of a workflow file: nodes, and links from an output slot of one to an input slot of another."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

PREFIX: Final = "cognitive/"  # the original workflows write it before a type; it has no meaning
MAX_SLOTS: Final = 100  # far more than any node has; a larger number is a mistake and would allocate a list that long

NEVER: Final = 2  # one of LiteGraph's modes of a node
BYPASS: Final = 4  # as above
LINK_PARTS: Final = ("id", "origin_id", "origin_slot", "target_id", "target_slot", "type")  # LiteGraph's list

Slot = Annotated[int, Field(ge=0, lt=MAX_SLOTS)]


class _Part(BaseModel):
    """The base of all parts of a file: unknown keys are ignored, and a null counts as a missing key."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:  # noqa: ANN401 - not yet checked
        return {key: one for key, one in value.items() if one is not None} if isinstance(value, dict) else value


class Node(_Part):
    """One node.

    Attributes:
        type: a node type, with or without `cognitive/` before it.
        properties: its settings, as its type reads them.
        title: the name that a person gave it.
        muted: whether it does nothing and passes on its first input.
        mode: LiteGraph's word for the same: 4 is a bypass, which is muted here, and with 2 the node never runs, nor
            does what only it leads to. The other modes wait for events, which a workflow does not have.
    """

    id: int
    type: str
    properties: Mapping[str, Any] = {}
    title: str = ""
    muted: bool = False
    mode: Literal[0, 2, 4] = 0

    @model_validator(mode="before")
    @classmethod
    def _bypassed(cls, value: Any) -> Any:  # noqa: ANN401 - not yet checked
        return {**value, "muted": True} if isinstance(value, dict) and value.get("mode") == BYPASS else value

    @property
    def never(self) -> bool:
        """Return whether it is never run."""
        return self.mode == NEVER

    @property
    def off(self) -> str:
        """Return the word for how it is switched off; empty if it is not."""
        return "never" if self.never else "muted" if self.muted else ""

    @property
    def kind(self) -> str:
        """Return the name of its type, without the prefix."""
        return self.type.removeprefix(PREFIX)

    def __str__(self) -> str:
        """Return its name in messages: `node 10 (iteration_counter)`."""
        return f"node {self.id} ({self.kind})"


class Link(_Part):
    """One link: the output at `origin_slot` of `origin_id` arrives at `target_slot` of `target_id`."""

    id: int
    origin_id: int
    target_id: int
    origin_slot: Slot = 0
    target_slot: Slot = 0
    comment: str = ""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:  # noqa: ANN401 - not yet checked
        """Read LiteGraph's form of a link: a list of its parts."""
        if not isinstance(value, list):
            return value
        if len(value) < len(LINK_PARTS) - 1:
            raise ValueError(f"a link as a list is [{', '.join(LINK_PARTS)}]")
        return dict(zip(LINK_PARTS, value, strict=False))

    def __str__(self) -> str:
        """Return its name in messages: `link 27 (15 -> 10)`."""
        return f"link {self.id} ({self.origin_id} -> {self.target_id})"


def _text(value: Any) -> Any:  # noqa: ANN401 - not yet checked
    return str(value) if isinstance(value, int | float) else value


class Graph(_Part):
    """A workflow. `loading` checks that it can be executed."""

    name: str = ""
    description: str = ""
    version: Annotated[str, BeforeValidator(_text)] = ""
    # in strict mode a tuple does not accept a list
    nodes: Annotated[tuple[Node, ...], Field(strict=False)] = ()
    links: Annotated[tuple[Link, ...], Field(strict=False)] = ()
