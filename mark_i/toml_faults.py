"""Where the fault in a TOML file is, and what is wanted there."""

import re
from collections.abc import Sequence
from typing import Final

from pydantic import ValidationError

UNKNOWN_KEY: Final = "extra_forbidden"  # as pydantic calls it


def first_fault(error: ValidationError) -> str:
    """Say what the first fault is in and what is wanted: `steps 2, tool: field required`."""
    first = error.errors()[0]
    where = ", ".join(_named(first["loc"]))
    told = "there is no such key" if first["type"] == UNKNOWN_KEY else first["msg"].removeprefix("Value error, ")
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
