"""The two tools with which the agent ends a run."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from toolbelt.parameters import Shown
from toolbelt.tool import Ending, GoalKind, tool


class Evidence(BaseModel):
    """Evidence that the goal is reached: a text or a control on the screen, a file, or the number of an observation.

    Attributes:
        text: on the screen now; with a state, what the control is called; with a file, what is in it; with an
            observation, what it shows.
        exists: False for a file that was removed.
        was: what stood in a text field where the text stands now.
    """

    model_config = ConfigDict(extra="forbid")
    text: str | None = None
    state: Literal["checked", "unchecked", "mixed", "disabled", "expanded", "collapsed", "selected"] | None = None
    file: str | None = None
    exists: bool | None = None
    observation: int | None = None
    was: str | None = None


Proof = Annotated[list[Evidence | Annotated[str, Field(min_length=1)]] | None, Shown]


@tool(risk="look")
def finish(summary: Annotated[str, Shown], evidence: Proof = None, kind: GoalKind | None = None) -> Ending:
    """End the run: the goal is met."""
    found: list[Any] = [
        one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in evidence or [] if one
    ]
    return Ending(done=True, summary=summary, evidence=tuple(found), kind=kind)


@tool(risk="look")
def fail(reason: Annotated[str, Shown]) -> Ending:
    """End the run: the goal cannot be reached."""
    return Ending(done=False, summary=reason)
