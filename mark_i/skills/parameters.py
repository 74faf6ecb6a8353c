"""The values of a run that may be others next time: what it typed or chose, and what stands in its goal."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any, Final

from mark_i.catalog import builtin_tool
from mark_i.skills.skill import (
    NUMBER,
    PLACEHOLDER,
    WORD,
    Parameter,
    ParameterType,
    Skill,
    SkillStep,
    fault,
    mapped,
)
from toolbelt.parameters import (
    Address,
    Aimed,
    AppName,
    Chosen,
    FileContent,
    FilePath,
    Fixed,
    Held,
    KeyNames,
    Query,
    Typed,
)
from world_model import UsageError

# The roles whose values may be others.
VALUES: Final = frozenset({Typed, Chosen, FilePath, FileContent, Query, Address})
FIXED: Final = frozenset({AppName, Fixed, Held, KeyNames})  # the roles whose values say how, and not what
WORD_CHARS_MAX: Final = 40
KIND_NAMES: Final[Mapping[ParameterType, str]] = {"text": "text", "number": "number", "date": "date", "path": "file"}


def parameters_of(skill: Skill, clicked: Collection[str] = ()) -> tuple[Parameter, ...]:
    """Return the parameters of a skill whose steps still have the values of its run.

    Args:
        skill: without parameters.
        clicked: what the run chose by a click, such as an entry of a list.
    """
    found: dict[str, Parameter] = {}
    taken = _meant(skill)
    for step in skill.steps:
        label = _label(step, clicked)
        for value in _values(step, clicked):
            pieces = [value, *value.splitlines()] if "\n" in value else [value]
            for piece in pieces:
                if piece not in found and (_is_in(piece, skill.goal) or _is_path(piece)):
                    kind = _kind(piece)
                    name = _free(KIND_NAMES[kind] if kind == "path" else label or KIND_NAMES[kind], taken)
                    taken.add(name)
                    found[piece] = Parameter(name=name, type=kind, example=piece)
                    break
    return tuple(found.values())


def parameter(name: str, kind: ParameterType, example: str) -> Parameter:
    """Return a parameter that a person named.

    Raises:
        UsageError: it cannot have that name, or its example is not of its type.
    """
    if not re.fullmatch(WORD, name):
        wanted = "a small letter, then up to 39 small letters, digits and _"
        raise UsageError(f"{name!r} cannot be a parameter: its name is {wanted}.")
    made = Parameter(name=name, type=kind, example=example)
    if wanted := fault(made, example):
        raise UsageError(f"{name} cannot be a {kind}: its value in the run is {example!r}, and not {wanted}.")
    return made


def require_apart(parameters: Sequence[Parameter], skill: Skill) -> None:
    """Check that each name stands for one thing in a skill whose steps still have the values of its run.

    Raises:
        UsageError: two parameters have one name, or a text of the skill has it in braces.
    """
    meant = _meant(skill)
    for number, one in enumerate(parameters):
        if one.name in {other.name for other in parameters[:number]}:
            raise UsageError(f"Two parameters are named {one.name}.")
        if one.name in meant:
            raise UsageError(f"{one.name} cannot be a parameter: {{{one.name}}} already stands in a text of the run.")


def _meant(skill: Skill) -> set[str]:
    """Return the words that stand in braces already."""
    return set(re.findall(r"\{(\w+)", skill.model_dump_json()))


def with_parameters(skill: Skill, parameters: Sequence[Parameter]) -> Skill:
    """Return a skill whose steps and goal name the parameters in place of their examples."""
    if not parameters:
        return skill
    replaced = {one.example: f"{{{one.name}}}" for one in parameters}
    paths = [one for one in parameters if one.type == "path"]
    names = {PurePath(one.example).name: f"{{{one.name}.name}}" for one in paths}
    replaced = names | replaced
    longest = sorted(replaced, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in longest))

    def named(text: str) -> str:
        return pattern.sub(lambda match: replaced[match[0]], text)

    steps = [_named(step, named) for step in skill.steps]
    check = mapped([one.model_dump() for one in skill.check], named)
    told = skill.model_dump() | {"goal": named(skill.goal)}
    return Skill.model_validate(
        told | {"parameters": [one.model_dump() for one in parameters], "steps": steps, "check": check}
    )


def _named(step: SkillStep, named: Callable[[str], str]) -> dict[str, Any]:
    """Return a step with the parameters in its texts; names of keys and programs stay as they are."""
    tool = builtin_tool(step.tool)
    told, then = step.model_dump(), step.then.model_dump()
    for name, value in step.args.items():
        roles = {role for role, _ in tool.parts({name: value})} if tool else set()
        if not roles & FIXED:
            told["args"][name] = mapped(value, named)
    then |= {name: named(then[name]) for name in ("opened", "closed", "on")}
    then["seen"] = [text for text in map(named, then["seen"]) if _is_certain(text)]
    return told | {"window": named(step.window), "does": named(step.does), "then": then}


def _is_certain(text: str) -> bool:
    """Whether a text is known with other values, too: one with a value within it may be cut or read in another way."""
    return not PLACEHOLDER.search(text) or bool(PLACEHOLDER.fullmatch(text))


def _values(step: SkillStep, clicked: Collection[str]) -> Iterator[str]:
    tool = builtin_tool(step.tool)
    for role, value in tool.parts(step.args) if tool else ():
        if role in VALUES and isinstance(value, str) and value.strip():
            yield value
        elif role is Aimed and isinstance(value, Mapping) and value.get("text") in clicked:
            yield value["text"]


def _label(step: SkillStep, clicked: Collection[str]) -> str:
    """Return the label of the field that a step fills, as the name of a parameter; empty if it has none."""
    for key in ("into", "target"):
        target = step.args.get(key)
        text = target.get("text", target.get("beside")) if isinstance(target, Mapping) else target
        if isinstance(text, str) and text not in clicked:
            word = "_".join(re.findall(r"[a-z0-9]+", text.casefold()))[:WORD_CHARS_MAX].strip("_")
            return word if re.fullmatch(WORD, word) else ""
    return ""


def _is_in(value: str, goal: str) -> bool:
    """Whether a goal has a value, as words of its own."""
    return bool(re.search(rf"(?<!\w){re.escape(value.strip())}(?!\w)", goal))


def _is_path(value: str) -> bool:
    return value.startswith(("/", "~/")) and "\n" not in value and bool(PurePath(value).name)


def _kind(value: str) -> ParameterType:
    if NUMBER.fullmatch(value.strip()):
        return "number"
    try:
        date.fromisoformat(value.strip())
    except ValueError:
        return "path" if _is_path(value) or re.fullmatch(r"[\w-]+\.[a-z0-9]{1,5}", value) else "text"
    return "date"


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, with a number if need be."""
    numbers = (f"{name}_{number}" for number in range(2, 1000))
    return name if name not in taken else next(one for one in numbers if one not in taken)
