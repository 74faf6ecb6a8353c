"""Where the fault in a TOML file is, and what is wanted there."""

import difflib
import re
from collections.abc import Sequence
from typing import Final, TypeGuard, get_args

from pydantic import BaseModel, ValidationError

UNKNOWN_KEY: Final = "extra_forbidden"  # as pydantic calls it


def first_fault(error: ValidationError, model: type[BaseModel]) -> str:
    """Say what the first fault is in and what is wanted: `steps 2, tool: field required`.

    Args:
        error: that of the values.
        model: of the whole file, whose keys are suggested for an unknown one.
    """
    first = error.errors()[0]
    where = ", ".join(_named(first["loc"]))
    told = first["msg"].removeprefix("Value error, ")
    if first["type"] == UNKNOWN_KEY:
        near = difflib.get_close_matches(str(first["loc"][-1]), _keys(model, first["loc"][:-1]), n=1)
        told = "there is no such key" + "".join(f" (did you mean {one}?)" for one in near)
    wanted = told[:1].lower() + told[1:]
    return f"{where or 'the whole file'}: {wanted}"


def line_of(text: str, place: Sequence[int | str]) -> int:
    """Return the line of a value, or of the item or the file that it is missing in."""
    lines, number = text.splitlines(), 0
    match place:
        case [str(name), int(index), *rest] if f"[[{name}]]" in map(str.strip, lines):
            headers = [at for at, line in enumerate(lines) if line.strip() == f"[[{name}]]"]
            number = headers[index] if index < len(headers) else 0
            key = str(rest[0]) if rest else ""
        case [str(name), str(inner), *_]:
            number = next((at for at, line in enumerate(lines) if line.strip() == f"[{name}]"), 0)
            key = inner
        case _:
            key = str(place[0]) if place else ""
    for at in range(number + 1 if lines[number : number + 1] and lines[number].startswith("[") else number, len(lines)):
        if at > number and lines[at].startswith("["):
            break
        if key and re.match(rf"{re.escape(key)}\s*=", lines[at]):
            return at + 1
    return number + 1


def _named(place: Sequence[int | str]) -> list[str]:
    """Return a place with its numbers counted from 1, each beside its list."""
    named: list[str] = []
    for part in place:
        if isinstance(part, int) and named:
            named[-1] += f" {part + 1}"
        else:
            named.append(str(part))
    return named


def _keys(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """Return the keys that may stand at a place of a file."""
    for part in place:
        if field := model.model_fields.get(str(part)):
            models = [one for one in (field.annotation, *get_args(field.annotation)) if _is_model(one)]
            model = models[0] if models else model
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
