"""The tools as a client lists them: in few bytes, since most clients send the whole list to their model."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp.types import Tool as Offered, ToolAnnotations

from toolbelt.parameters import Address
from toolbelt.tool import Tool

NULL: Final = {"type": "null"}
SCHEMAS_BY_NAME: Final = frozenset({"properties", "$defs", "patternProperties"})  # keywords that map names to schemas
DEFINITIONS: Final = "$defs"


def offered(tool: Tool) -> Offered:
    """Describe a tool for a client."""
    schema = input_schema(tool)
    about = schema["properties"].values()
    # After its first line a docstring tells about the parameters, which is needed only if they do not do so themselves
    is_told = bool(about) and all("description" in one for one in about)
    description = tool.description.partition("\n")[0] if is_told else tool.description
    return Offered(name=tool.name, description=description, input_schema=schema, annotations=hints(tool))


def hints(tool: Tool) -> ToolAnnotations:
    """Say what kind of tool it is; a hint that is as the protocol assumes by default is left out."""
    looks = tool.risk == "look"
    return ToolAnnotations(
        read_only_hint=looks or None,
        destructive_hint=False if tool.risk == "act" else None,
        idempotent_hint=(tool.idempotent and not looks) or None,
        open_world_hint=None if _reaches_out(tool) else False,
    )


def _reaches_out(tool: Tool) -> bool:
    """Whether a tool deals with more than this machine: programs may send what is done in them, and code anything."""
    contacts = tool.finds_addresses or any(tool.role(name) is Address for name in tool.annotations)
    return contacts or tool.risk in {"act", "danger"}


def input_schema(tool: Tool) -> dict[str, Any]:
    """Return the schema of the arguments without what a client does not need; what it accepts is still checked.

    Titles repeat names, and an argument that may be left out need not be null. The forms of a target, which a third of
    the tools share, are named and not defined.
    """
    targets, kinds = tool.targets, tool.kinds
    properties = {
        name: _target(about, word, kinds[name]) if (word := targets.get(name)) else _short(about)
        for name, about in tool.schema["properties"].items()
    }
    short = {**_short({**tool.schema, "properties": {}}), "properties": properties}
    return _without_unused(short)


def _target(about: Mapping[str, Any], word: str, kind: str) -> dict[str, Any]:
    forms = kind.removesuffix(" | null").replace(" | string", "")  # its type tells that it may be a text
    one = {"type": ["object", "string"]}
    described = {"description": " ".join(filter(None, (about.get("description"), f"{forms}.")))}
    return described | (one if word == "target" else {"type": "array", "items": one})


def _short(about: Any) -> Any:  # noqa: ANN401 - a schema is a mapping or a boolean
    """Return a schema without titles and nulls that are only a default."""
    if not isinstance(about, Mapping):
        return about
    return {key: _part(key, value) for key, value in _without_null(about).items() if key != "title"}


def _part(key: str, value: Any) -> Any:  # noqa: ANN401 - any keyword of a schema
    if key in SCHEMAS_BY_NAME and isinstance(value, Mapping):
        return {name: _short(one) for name, one in value.items()}
    if key in {"default", "const", "enum", "examples", "required"}:
        return value
    return [_short(one) for one in value] if isinstance(value, list) else _short(value)


def _without_null(about: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema that offers no null, if null is only its default."""
    forms = about.get("anyOf")
    if about.get("default", forms) is not None or not forms:
        return about
    others = [form for form in forms if form != NULL]
    rest = {key: value for key, value in about.items() if key not in {"anyOf", "default"}}
    return {**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}


def _without_unused(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with only those definitions that something refers to."""
    used: set[str] = set()
    new = set(_referred({key: value for key, value in schema.items() if key != DEFINITIONS}))
    definitions = schema.get(DEFINITIONS, {})
    while new:
        used |= new
        new = {name for one in new for name in _referred(definitions.get(one))} - used
    kept = {name: about for name, about in definitions.items() if name in used}
    return {key: value for key, value in schema.items() if key != DEFINITIONS} | ({DEFINITIONS: kept} if kept else {})


def _referred(part: Any) -> Iterator[str]:  # noqa: ANN401 - any part of a schema
    """Yield the names of the definitions that a part of a schema refers to."""
    if isinstance(part, Mapping):
        if isinstance(to := part.get("$ref"), str):
            yield to.removeprefix(f"#/{DEFINITIONS}/").partition("/")[0]
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from _referred(one)
