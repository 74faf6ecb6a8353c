"""Checking what the agent gives as evidence that the goal is reached. Only what is seen to be true counts."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolbelt.belt import Toolbelt
from toolbelt.reading import Line
from toolbelt.targets import find, plain
from world_model import Step, WorldModel

LARGEST: Final = 5_000_000  # bytes of a file whose content is looked at


@dataclass(frozen=True, slots=True)
class Known:
    """What is known at the end of a run.

    Attributes:
        goal: what the person asked for.
        world_model: every step.
        toolbelt: says which tools only look, and which end a run.
        lines: what can be read on the screen now.
        began: when the run began, in seconds since the epoch.
    """

    goal: str
    world_model: WorldModel
    toolbelt: Toolbelt
    lines: tuple[Line, ...] = ()
    began: float = 0.0

    def counts(self, step: Step) -> bool:
        """Whether a step did or found something; saying that it is the end does not."""
        tool = step.action.tool
        return step.observation.ok and tool in self.toolbelt and not self.toolbelt[tool].ends

    def looked(self, step: Step) -> bool:
        """Whether a step only looked: then what it returned was found and not made."""
        return self.counts(step) and self.toolbelt[step.action.tool].risk == "look"

    def worked(self) -> Iterator[Step]:
        """All steps that count."""
        return filter(self.counts, self.world_model)

    def deeds(self) -> bool:
        """Whether anything was done that was more than looking."""
        return any(not self.looked(step) for step in self.worked())


def checked(evidence: Sequence[Any], known: Known) -> list[dict[str, Any]]:
    """Each piece of evidence with `confirmed`: whether it could be seen to be true, here and now.

    A piece is a mapping that says what it is, or a bare text, which may stand on the screen or in what a tool returned,
    or name a file. The mappings are `{"text": ...}`, `{"observation": n}` and `{"file": ...}`, the last also with the
    `text` that must stand in the file.
    """
    return [_checked(piece, known) for piece in evidence]


def _checked(piece: Any, known: Known) -> dict[str, Any]:  # noqa: ANN401 - JSON
    told: dict[str, Any] = dict(piece) if isinstance(piece, Mapping) else {"text": str(piece)}
    proofs = []
    if "file" in told:
        proofs.append(_is_file(told["file"], known, told.get("text")))
    elif "text" in told:
        text = told["text"]
        seen = _on_screen(text, known.lines) or _returned(text, known)
        proofs.append(seen or (not isinstance(piece, Mapping) and _is_file(text, known)))
    if "observation" in told:
        proofs.append(_worked(told["observation"], known.world_model))
    return {**told, "confirmed": bool(proofs) and all(proofs)}


def _on_screen(text: str, lines: tuple[Line, ...]) -> bool:
    """Whether it can be read, also when it runs over several lines."""
    return bool(find(text, lines)) or _says(" ".join(line.text for line in lines), text)


def _is_file(name: str, known: Known, text: str | None = None) -> bool:
    """Whether the file is there, has to do with this run, and holds the text."""
    try:
        path = Path(name).expanduser()
        if not path.is_file() or not (path.stat().st_mtime >= known.began or _named(path.name, known)):
            return False
        if text is None:
            return True
        with path.open(encoding="utf-8", errors="replace") as file:
            return text in file.read(LARGEST)
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no home: not the path of a file
        return False


def _named(file: str, known: Known) -> bool:
    """Whether the goal or an action speaks of the file: any other that was there before proves nothing."""
    return file in known.goal or any(
        file in json.dumps(dict(step.action.args), ensure_ascii=False) for step in known.worked()
    )


def _returned(text: str, known: Known) -> bool:
    """Whether a tool returned the text. What the agent itself said or typed proves nothing."""
    for step in known.worked():
        said = list(_values(step.observation.data))
        if known.looked(step) and step.observation.data is None:
            said.append(step.observation.text)
        if any(_says(one, text) for one in said):
            return True
    return False


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
