"""The arguments of a tool as a person reads and fills them in. No Tk here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mark_i import Tool
from mark_i.json_text import read_json
from toolbelt.arguments import referred
from world_model import UsageError

BOUNDS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
}
NUMBERS: Final = frozenset({"integer", "number", "null"})
TEXTS: Final = frozenset({"string", "null"})
KINDS: Final = {  # what JSON calls a value that Python reads
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
    list: "array",
    dict: "object",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument.

    Attributes:
        kind: its type, in few words.
        default: its default as JSON; None where it is required.
        about: its description and bounds.
        types: its JSON types; empty where anything goes.
        choices: all its values, where these are few.
    """

    name: str
    kind: str
    default: str | None
    about: str
    types: frozenset[str]
    choices: tuple[str, ...] = ()

    @property
    def number(self) -> bool:
        """Whether one line is enough for it."""
        return bool(self.types) and self.types <= NUMBERS

    @property
    def message(self) -> str:
        """Its type and its default in one line."""
        return f"{self.kind}, {'required' if self.default is None else f'default {self.default}'}"


def arguments_of(tool: Tool) -> tuple[Argument, ...]:
    """List the arguments of a tool, in order."""
    schema, kinds = tool.schema, tool.kinds
    required = schema.get("required", ())
    return tuple(
        Argument(
            name,
            kinds[name],
            None if name in required else json.dumps(about.get("default"), ensure_ascii=False),
            _about(about, schema),
            frozenset(kind for one in _forms(about, schema) for kind in _types(one)),
            _choices(list(_forms(about, schema))),
        )
        for name, about in schema["properties"].items()
    )


def values_of(arguments: tuple[Argument, ...], texts: Mapping[str, str]) -> dict[str, Any]:
    """Convert what a person typed to what the tool takes; what is empty has its default.

    Raises:
        UsageError: a text is not a value of its argument; the message says which, and how to write it.
    """
    given = {one: texts.get(one.name, "") for one in arguments}
    return {
        one.name: _value(one, text)
        for one, text in given.items()
        if text.strip() or (one.default is None and one.types == {"string"})
    }


def _value(argument: Argument, text: str) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """Convert a text, as JSON only where the argument can have that type."""
    if text in argument.choices and "string" in argument.types:
        return text
    if argument.types and argument.types <= TEXTS:
        return text
    may_be_text = not argument.types or "string" in argument.types
    try:
        value = read_json(text)
    except UsageError as error:
        if may_be_text:
            return text
        raise UsageError(f"{argument.name} cannot be read: {error} Write it as JSON, as a {argument.kind}.") from error
    kind = KINDS[type(value)]
    known = not argument.types or kind in argument.types or (kind == "integer" and "number" in argument.types)
    return text if may_be_text and not known else value


def _forms(about: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """List all its alternatives."""
    if "$ref" in about:
        yield from _forms(referred(about["$ref"], schema), schema)
    elif alternatives := about.get("anyOf") or about.get("oneOf"):
        for one in alternatives:
            yield from _forms(one, schema)
    else:
        yield about


def _types(form: Mapping[str, Any]) -> list[str]:
    if "const" in form or "enum" in form:
        return [KINDS[type(value)] for value in form.get("enum", [form.get("const")])]
    kind = form.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _choices(forms: list[Mapping[str, Any]]) -> tuple[str, ...]:
    """List its values where it can only be one of a few."""
    found: list[str] = []
    for form in forms:
        if form.get("type") == "boolean" and "enum" not in form:
            found += ["false", "true"]
        elif "enum" in form or "const" in form:
            values = form.get("enum", [form.get("const")])
            found += [value if isinstance(value, str) else json.dumps(value) for value in values]
        elif form.get("type") != "null":
            return ()
    return tuple(found)


def _about(about: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Join its description, those of its forms, and its bounds."""
    forms = list(_forms(about, schema))
    said = dict.fromkeys(one.get("description", "") for one in (about, *forms))
    bounds = ", ".join(message.format(one[key]) for one in forms for key, message in BOUNDS.items() if key in one)
    lines = [" ".join(one.split("\n\n")[0].split()) for one in said if one]
    return "\n".join(filter(None, [*lines, bounds and f"{bounds[0].upper()}{bounds[1:]}."]))
