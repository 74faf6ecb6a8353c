"""The arguments of a tool: the model that checks them, their JSON schema, and their types in short."""

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

TEXT: Final = "string"
PLAIN: Final = frozenset({TEXT, "integer", "number", "boolean"})  # types that a default tells


def model_of(name: str, parameters: Sequence[inspect.Parameter]) -> tuple[type[BaseModel], dict[str, Any]]:
    """Make a model of the arguments of a function, and its schema."""
    fields: dict[str, Any] = {
        # pydantic accepts any alias, but not any name of a field
        f"argument_{parameter.name}": (
            Annotated[parameter.annotation, Field(alias=parameter.name)],
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
    }
    model: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    return model, model.model_json_schema()


def checked(arguments: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    """Validate; a null that is refused, also one within an argument, is as if it were left out."""
    try:
        model = arguments.model_validate(dict(args))
    except ValidationError as error:
        wrong = {one["loc"][0] for one in error.errors() if one["loc"]}
        given = {name: _without_nulls(value) if name in wrong else value for name, value in args.items()}
        try:
            model = arguments.model_validate(
                {name: value for name, value in given.items() if value is not None or name not in wrong}
            )
        except ValidationError:
            raise error from None
    return {str(field.alias): getattr(model, name) for name, field in arguments.model_fields.items()}


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _without_nulls(one) for name, one in value.items() if one is not None}
    return value


def kind_of(about: Mapping[str, Any], schema: Mapping[str, Any], within: tuple[str, ...] = ()) -> str:
    """Return a type of a JSON schema in short; a type within itself by its name."""
    if "$ref" in about:
        to = str(about["$ref"])
        return to.rpartition("/")[2] if to in within else kind_of(referred(to, schema), schema, (*within, to))
    if "anyOf" in about:
        return " | ".join(kind_of(one, schema, within) for one in about["anyOf"])
    if "enum" in about:
        return " | ".join(json.dumps(value) for value in about["enum"])
    if about.get("type") == "array":
        return f"[{kind_of(about.get('items', {}), schema, within)}]"
    if about.get("type") == "object" and "properties" in about:
        return f"{{{', '.join(about['properties'])}}}"
    return str(about.get("type", "any"))


def in_short(kinds: Mapping[str, str], schema: Mapping[str, Any]) -> str:
    """Return arguments as a prompt lists them, such as `target, amount = 3, into?: target`.

    A type is left out if it is a text, or if the name or the default tells it.
    """
    required, given = schema.get("required", ()), schema["properties"]
    return ", ".join(
        _in_short(name, kind) if name in required else _optional(name, kind, given[name].get("default"))
        for name, kind in kinds.items()
    )


def _optional(name: str, kind: str, default: object) -> str:
    if default is None:
        return _in_short(name, kind.removesuffix(" | null"), "?")
    return f"{name if kind in PLAIN else _in_short(name, kind)} = {json.dumps(default)}"


def _in_short(name: str, kind: str, mark: str = "") -> str:
    return f"{name}{mark}" if kind in (name, TEXT) else f"{name}{mark}: {kind}"


def referred(to: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a schema that a `$ref` such as `#/$defs/Node` names; an empty one if there is none."""
    found: Any = schema
    for name in to.removeprefix("#").strip("/").split("/"):
        found = found.get(name, {}) if name and isinstance(found, Mapping) else found
    return found if isinstance(found, Mapping) else {}


def complaint(error: Mapping[str, Any]) -> str:
    """Return what is wrong with an argument, by an error of pydantic."""
    names = [str(part) for part in error["loc"] if isinstance(part, int) or part.isidentifier()]
    return f"{'.'.join(names) or 'the arguments'}: {error['msg'][0].lower()}{error['msg'][1:]}"
