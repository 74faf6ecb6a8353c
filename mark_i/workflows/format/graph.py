"""The content of a workflow file: nodes, and links from an output slot of one to an input slot of another."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

PREFIX: Final = "cognitive/"  # the original workflows write it before a type; it has no meaning
MAX_SLOTS: Final = 100  # far more than any node has; a larger number is a mistake and would allocate a list that long

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
    """

    id: int
    type: str
    properties: Mapping[str, Any] = {}
    title: str = ""
    muted: bool = False

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
