"""What a skill is: parameters, steps with what each must bring about, and what shows that it was done."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from world_model import UsageError

VERSION: Final = 1
ParameterType = Literal["text", "number", "date", "path"]
State = Literal["draft", "kept"]
WORD: Final = r"[a-z][a-z0-9_]{0,39}"  # the name of a parameter
NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"  # of a skill; it becomes a folder
PLACEHOLDER: Final = re.compile(rf"\{{({WORD})(\.name)?\}}")  # `{file.name}` is the last part of the path `{file}`
NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)*")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(_Part):
    """A value that may be another one each time; its `example` is that of the run that the skill came from."""

    name: Annotated[str, Field(pattern=f"^{WORD}$")]
    type: ParameterType = "text"
    example: str
    description: str = ""


class Effect(_Part):
    """What a step must bring about.

    Attributes:
        changed: whether the screen must change.
        opened: the title of a window that must be there; only the parts of it that stay the same count.
        closed: the title of a window that must be gone.
        seen: texts of which at least one must be on the screen.
        state: role, name and new state of the control, as its program says it.
        on: what the tool must say that it acted on.
        merged: whether what was typed is shown together with what stood there, so that it cannot be compared.
    """

    changed: bool = True
    opened: str = ""
    closed: str = ""
    seen: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    on: str = ""
    merged: bool = False


class SkillStep(_Part):
    """One step.

    Attributes:
        does: what is meant, for a person.
        tool: the tool that does it.
        args: its arguments; `{name}` stands for the value of a parameter.
        window: the title of the window that was in front.
        pictures: for an argument that is a target, the file with a picture of it.
        then: what it must bring about.
    """

    does: str
    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    window: str = ""
    pictures: Mapping[str, str] = Field(default_factory=dict)
    then: Effect = Effect()


class Shown(_Part):
    """What shows at the end that it was done: what a step (counted from 1) brought about, a text, or a file."""

    step: Annotated[int, Field(ge=1)] | None = None
    text: str | None = None
    file: str | None = None


class Origin(_Part):
    """Where a skill came from: the run, the day, and the size of its desktop, such as `1280x800`."""

    run: str = ""
    made: date | None = None
    screen: str = ""


class Skill(_Part):
    """A skill.

    Attributes:
        goal: what a person would ask for, with the parameters in it.
        state: `kept` once it replayed true twice; until then it is a draft.
        why: why it is a draft, if a check said so.
    """

    version: Literal[1] = 1
    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    description: str = ""
    goal: Annotated[str, Field(min_length=1)]
    state: State = "draft"
    why: str = ""
    made_from: Origin = Origin()
    parameters: tuple[Parameter, ...] = ()
    steps: Annotated[tuple[SkillStep, ...], Field(min_length=1)]
    check: tuple[Shown, ...] = ()


def values_for(skill: Skill, given: Mapping[str, str]) -> dict[str, str]:
    """Return a value for every parameter: what was given, else its example.

    Raises:
        UsageError: there is no such parameter, or a value is not of its type.
    """
    known = {one.name: one for one in skill.parameters}
    for name in given:
        if name not in known:
            there = ", ".join(known) or "none"
            raise UsageError(f"The skill {skill.name} has no parameter {name!r}. It has: {there}.")
    for name, value in given.items():
        if wanted := fault(known[name], value):
            raise UsageError(f"{name} must be {wanted}, not {value!r}.")
    return {name: given.get(name, one.example) for name, one in known.items()}


def counted(steps: int) -> str:
    """Return a number of steps in words: `1 step`, `4 steps`."""
    return f"{steps} step{'' if steps == 1 else 's'}"


def fault(parameter: Parameter, value: str) -> str:
    """Return what a value must be and is not; empty if it is."""
    match parameter.type:
        case "number":
            return "" if NUMBER.fullmatch(value.strip()) else "a number, such as 12 or 3.5"
        case "date":
            try:
                date.fromisoformat(value.strip())
            except ValueError:
                return "a date, such as 2026-11-29"
            return ""
        case "path":
            return "" if PurePath(value).name and "\n" not in value else "the path of a file"
        case "text":
            return ""


def filled(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """Return a value, or what is in it, with each `{name}` replaced; braces around anything else stay."""

    def fill(found: re.Match[str]) -> str:
        text = values.get(found[1])
        if text is None:
            return found[0]
        return PurePath(text).name if found[2] else text

    return mapped(value, lambda text: PLACEHOLDER.sub(fill, text))


def mapped(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - as above
    """Return a JSON value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: mapped(one, change) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [mapped(one, change) for one in value]
    return value
