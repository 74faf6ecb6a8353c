"""Checking what the agent gives as evidence that the goal is reached. Only what is seen to be true counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolbelt.reading import Line
from toolbelt.targets import find, plain
from world_model import WorldModel


def checked(evidence: Sequence[Any], lines: Sequence[Line], world_model: WorldModel) -> list[dict[str, Any]]:
    """Each piece of evidence with `confirmed`: whether it could be seen to be true, here and now.

    A piece is a mapping that says what it is, `{"text": ...}`, `{"file": ...}` or `{"observation": n}`, or a bare text,
    which may stand on the screen or in what a tool returned, or name a file.
    """
    return [_checked(piece, tuple(lines), world_model) for piece in evidence]


def _checked(piece: Any, lines: tuple[Line, ...], world_model: WorldModel) -> dict[str, Any]:  # noqa: ANN401 - JSON
    told: dict[str, Any] = dict(piece) if isinstance(piece, Mapping) else {"text": str(piece)}
    proofs = []
    if "text" in told:
        text = told["text"]
        seen = _on_screen(text, lines) or _returned(text, world_model)
        proofs.append(seen or (not isinstance(piece, Mapping) and _is_file(text)))
    if "file" in told:
        proofs.append(_is_file(told["file"]))
    if "observation" in told:
        proofs.append(_worked(told["observation"], world_model))
    return {**told, "confirmed": bool(proofs) and all(proofs)}


def _on_screen(text: str, lines: tuple[Line, ...]) -> bool:
    """Whether it can be read, also when it runs over several lines."""
    return bool(find(text, lines)) or _says(" ".join(line.text for line in lines), text)


def _is_file(path: str) -> bool:
    try:
        return Path(path).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no home: not the path of a file
        return False


def _returned(text: str, world_model: WorldModel) -> bool:
    """Whether a tool returned the text as data. What the agent itself said or typed proves nothing."""
    return any(_says(said, text) for step in world_model for said in _values(step.observation.data))


def _says(said: str, text: str) -> bool:
    """Whether a text stands in it as whole words, however they are spaced; `Save` is not in `Saved`."""
    letters = r"\s*".join(map(re.escape, plain(text)))
    return bool(letters) and re.search(rf"(?<!\w){letters}(?!\w)", said.casefold()) is not None


def _values(data: object) -> Iterator[str]:
    """The texts and numbers in what a tool returned; the names that it gave them say nothing."""
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif isinstance(data, str | int | float) and not isinstance(data, bool):
        yield str(data)


def _worked(index: int, world_model: WorldModel) -> bool:
    """Whether that step did something that could be seen, or saw what it looked for."""
    if not 1 <= index <= len(world_model):
        return False
    observation = world_model[index].observation
    seen = observation.screen is None or observation.screen.changed or observation.data is not None
    return observation.ok and seen
