"""Skills as tools: a brain calls one, its steps follow without a model, and the last one tells what came of it."""

import inspect
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from mark_i.skills.skill import Parameter, ParameterType, Skill, counted, fault
from toolbelt.arguments import checked, model_of
from toolbelt.tool import Tool, ToolResult, tool
from world_model import Step, ToolFailure, cut

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
END: Final = "end_skill"
RESUME: Final = "resume_skill"
GO_ON: Final = "What its steps did before that stays done. Go on from there by yourself."
ACTED: Final = "Step {step} was carried out, or may have been: look what came of it, and do not do it blindly again."
BACK: Final = (
    'Once the screen fits step {step} or a later one, resume_skill(skill="{name}", step=N) does the rest by itself.'
)
TO_DO: Final = "Not done yet: {steps}."
WHY_CHARS: Final = 160  # of why it was left; the arguments have all of it, and a prompt has no room for what follows
RESUMED: Final = "The skill {name} goes on with step {step}."


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
    return step.action.tool in {END, RESUME} or (isinstance(data, Mapping) and data.get("skill") == step.action.tool)


def is_left(step: Step) -> bool:
    """Whether a step says that a skill was left before its end."""
    return step.action.tool == END and bool(step.action.args.get("why"))


def is_resumed(step: Step) -> bool:
    """Whether a step lets a skill go on that was left."""
    return step.action.tool == RESUME and step.observation.ok


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
def end_skill(  # noqa: PLR0913, PLR0917 - all that is known of its end
    skill: str,
    goal: str,
    steps: int,
    evidence: list[Any],
    why: str = "",
    step: int = 0,
    acted: bool = False,  # noqa: FBT001, FBT002 - an argument of a tool
    left: Sequence[str] = (),
) -> ToolResult:
    """Tell what came of a skill; the steps of a skill end with it.

    Args:
        skill: Its name.
        goal: What it is for.
        steps: How many it has.
        evidence: What shows that it was done.
        why: Why it was left; empty if it was done.
        step: The number of the step at which it was left.
        acted: Whether that step was carried out, or may have been.
        left: What the steps mean that are not done yet.
    """
    if why:
        first = steps - len(left) + 1
        to_do = "; ".join(f"{number}. {does}" for number, does in enumerate(left, first))
        hints = [GO_ON, *([ACTED.format(step=step)] if acted else [])]
        hints += [BACK.format(name=skill, step=first), TO_DO.format(steps=to_do)] if left else []
        raise ToolFailure("TOOL_ERROR", NOT_DONE.format(name=skill, why=cut(why, WHY_CHARS)), hints)
    shown = json.dumps(evidence, ensure_ascii=False)
    told = DONE.format(name=skill, steps=counted(steps), evidence=shown)
    return ToolResult(told, {"skill": skill, "goal": goal, "evidence": evidence})


def resume_tool(names: Collection[str]) -> Callable[..., ToolResult]:
    """Return the tool that lets one of these skills go on where a model wants it to."""

    @tool(risk="look", begins_steps=True)
    def resume_skill(skill: str, step: int) -> ToolResult:
        """Let a skill that was left go on by itself from one of its steps on, once what comes before that is done.

        Args:
            skill: Its name.
            step: The number of the step that it goes on with.
        """
        if skill not in names:
            raise ToolFailure(
                "INVALID_ARGS", f"There is no skill {skill!r} in this run.", [f"There are: {', '.join(names)}."]
            )
        return ToolResult(RESUMED.format(name=skill, step=step), {"skill": skill, "step": step})

    return resume_skill
