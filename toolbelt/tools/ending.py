"""The two tools with which the agent ends a run."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from toolbelt.parameters import Shown
from toolbelt.result_schema import ResultSchema
from toolbelt.tool import Ending, GoalKind, Result, Tool, declared, tool
from world_model import ToolFailure


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
    return Ending(done=True, summary=summary, evidence=_given(evidence), kind=kind)


def _given(evidence: list[Evidence | str] | None) -> tuple[Any, ...]:
    return tuple(one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in evidence or [] if one)


def finish_with(schema: ResultSchema) -> Tool:
    """Return the `finish` of a run whose result must fit a schema: one that does not is refused, with the reasons."""

    @tool(risk="look")
    def finish(
        summary: Annotated[str, Shown],
        result: Annotated[Any, Shown],  # noqa: ANN401 - JSON values have no narrower type
        evidence: Proof = None,
        kind: GoalKind | None = None,
    ) -> Ending:
        """End the run: the goal is met. The result is JSON that fits a schema."""
        return Ending(done=True, summary=summary, evidence=_given(evidence), kind=kind, result=Result(result))

    [made] = declared(finish)

    def check(args: Mapping[str, Any]) -> dict[str, Any]:
        checked = made.check({"result": None, **args})  # a reply loses arguments that are null
        if wrong := schema.complaints(checked["result"]):
            hint = "Mend the result, and call finish again with all of it."
            raise ToolFailure("INVALID_ARGS", f"The result does not fit its schema. {'; '.join(wrong)}.", [hint])
        return checked

    return replace(made, description=f"{made.description} The schema: {schema.text}", check=check)


@tool(risk="look")
def fail(reason: Annotated[str, Shown]) -> Ending:
    """End the run: the goal cannot be reached."""
    return Ending(done=False, summary=reason)
