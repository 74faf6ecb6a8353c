"""What a workflow file says: nodes, and links from an output slot of one to an input slot of another."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

PREFIX: Final = "cognitive/"  # what the originals write before a type; it means nothing
MAX_SLOTS: Final = 100  # far more than any node has; a larger number is a slip, and would be a list of that length

Slot = Annotated[int, Field(ge=0, lt=MAX_SLOTS)]


class _Part(BaseModel):
    """Of a file: what it does not know it ignores, and a null is as good as nothing."""

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
        title: what a person calls it.
        muted: it does nothing and passes its first input on.
    """

    id: int
    type: str
    properties: Mapping[str, Any] = {}
    title: str = ""
    muted: bool = False

    @property
    def kind(self) -> str:
        """The name of its type."""
        return self.type.removeprefix(PREFIX)

    def __str__(self) -> str:
        """What a message calls it: `node 10 (iteration_counter)`."""
        return f"node {self.id} ({self.kind})"


class Link(_Part):
    """One link: what leaves `origin_id` at `origin_slot` arrives at `target_id` in `target_slot`."""

    id: int
    origin_id: int
    target_id: int
    origin_slot: Slot = 0
    target_slot: Slot = 0
    comment: str = ""

    def __str__(self) -> str:
        """What a message calls it: `link 27 (15 -> 10)`."""
        return f"link {self.id} ({self.origin_id} -> {self.target_id})"


def _text(value: Any) -> Any:  # noqa: ANN401 - not yet checked
    return str(value) if isinstance(value, int | float) else value


class Graph(_Part):
    """A workflow. Whether it can be executed is checked where it is read: see `loading`."""

    name: str = ""
    description: str = ""
    version: Annotated[str, BeforeValidator(_text)] = ""
    # strict, a tuple would not take a list
    nodes: Annotated[tuple[Node, ...], Field(strict=False)] = ()
    links: Annotated[tuple[Link, ...], Field(strict=False)] = ()
