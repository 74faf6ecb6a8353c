"""Skills as tools: a brain calls one, its steps follow without a model, and the last one tells what came of it."""

import inspect
import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from mark_i.skills.skill import Parameter, ParameterType, Skill, counted, fault
from toolbelt.arguments import checked, model_of
from toolbelt.tool import Tool, ToolResult, tool
from world_model import Step, ToolFailure

TYPES: Final[Mapping[ParameterType, Any]] = {
    "text": str,
    "number": float | int | str,
    "date": Annotated[str, Field(json_schema_extra={"format": "date"})],
    "path": str,
}
ABOUT: Final = "{what}\nA skill of {steps} on the desktop, done one after another without you; then you go on."
BEGUN: Final = "The skill {name} begins: {steps}."
DONE: Final = "The skill {name} is done: {steps}, each with its effect. Evidence to finish with: {evidence}"
NOT_DONE: Final = "The skill {name} was left. {why}"
GO_ON: Final = "What its steps did before that stays done. Go on from there by yourself."


def skill_tool(skill: Skill) -> Tool:
    """Return the tool that begins a skill. It does nothing by itself: each step that follows is judged on its own."""
    name = skill.name
    parameters = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, annotation=_annotated(one))
        for one in skill.parameters
    ]
    arguments, schema = model_of(name, parameters)

    def begin(**given: Any) -> ToolResult:  # noqa: ANN401 - as the model of the arguments has them
        values = values_of(given)
        for one in skill.parameters:
            if wanted := fault(one, values[one.name]):
                raise ToolFailure("INVALID_ARGS", f"{one.name} must be {wanted}, not {values[one.name]!r}.")
        return ToolResult(BEGUN.format(name=name, steps=counted(len(skill.steps))), {"skill": name, "values": values})

    return Tool(
        name=name,
        description=described(skill),
        risk="look",
        seconds=60.0,
        run=begin,
        schema=schema,
        check=lambda args: checked(arguments, args),
        annotations={one.name: one.annotation for one in parameters},
        begins_steps=True,
    )


def is_call(step: Step) -> bool:
    """Whether a step only begins or ends a skill."""
    data = step.observation.data
    return step.action.tool == end_skill.__name__ or (
        isinstance(data, Mapping) and data.get("skill") == step.action.tool
    )


def values_of(given: Mapping[str, Any]) -> dict[str, str]:
    """Return arguments as the texts that a skill has for them."""
    return {name: str(value) for name, value in given.items()}


def described(skill: Skill) -> str:
    """Return what a skill does, and its parameters, for who may call it."""
    what = " ".join((skill.description or skill.goal).split())
    return ABOUT.format(what=what if what.endswith((".", "!", "?")) else f"{what}.", steps=counted(len(skill.steps)))


def _annotated(parameter: Parameter) -> Any:  # noqa: ANN401 - a type
    example = f"Such as {' '.join(parameter.example.split())!r}."
    told = " ".join(filter(None, (" ".join(parameter.description.split()), example)))
    return Annotated[TYPES[parameter.type], Field(description=told)]


@tool(risk="look", ends_steps=True)
def end_skill(skill: str, goal: str, steps: int, evidence: list[Any], why: str = "") -> ToolResult:
    """Tell what came of a skill; the steps of a skill end with it."""
    if why:
        raise ToolFailure("TOOL_ERROR", NOT_DONE.format(name=skill, why=why), [GO_ON])
    shown = json.dumps(evidence, ensure_ascii=False)
    told = DONE.format(name=skill, steps=counted(steps), evidence=shown)
    return ToolResult(told, {"skill": skill, "goal": goal, "evidence": evidence})
