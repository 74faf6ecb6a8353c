"""Checking what the agent gives as evidence that the goal is reached. Only what is seen to be true counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mark_i.loop.intents import related, wants_answer, wants_deed, wants_gone
from toolbelt.belt import Toolbelt
from toolbelt.ocr import Line, find, plain
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
        folders: where relative paths of files start.
    """

    goal: str
    world_model: WorldModel
    toolbelt: Toolbelt
    lines: tuple[Line, ...] = ()
    began: float = 0.0
    folders: tuple[Path, ...] = (Path(),)

    def counts(self, step: Step) -> bool:
        """Whether a step did or found something; saying that it is the end does not."""
        tool = step.action.tool
        return step.observation.ok and tool in self.toolbelt and not self.toolbelt[tool].ending

    def ends(self, step: Step) -> bool:
        """Whether a step was the end of the run."""
        return step.action.tool in self.toolbelt and self.toolbelt[step.action.tool].ending

    def looked(self, step: Step) -> bool:
        """Whether a step only looked."""
        return self.counts(step) and self.toolbelt[step.action.tool].risk == "look"

    def found(self, step: Step) -> bool:
        """Whether what a step returned was found and not made: it only looked, or acted where there is no screen."""
        plain = self.counts(step) and step.observation.screen is None
        return self.looked(step) or (plain and self.toolbelt[step.action.tool].risk == "act")

    def worked(self) -> Iterator[Step]:
        """All steps that count."""
        return filter(self.counts, self.world_model)

    def deeds(self) -> bool:
        """Whether anything was done that was more than looking."""
        return any(not self.looked(step) for step in self.worked())


def checked(evidence: Sequence[Any], known: Known, answer: str) -> list[dict[str, Any]]:
    """Each piece of evidence for an answer with `confirmed`: whether it could be seen to be true, here and now.

    A piece is a mapping that says what it is, or a bare text, which may stand on the screen or in what a tool returned,
    or name a file. The mappings are `{"text": ...}`, `{"observation": n}` and `{"file": ...}`, the last also with the
    `text` that must stand in the file.
    """
    return [_checked(piece, known, answer) for piece in evidence]


def _checked(piece: Any, known: Known, answer: str) -> dict[str, Any]:  # noqa: ANN401 - JSON
    told: dict[str, Any] = dict(piece) if isinstance(piece, Mapping) else {"text": str(piece)}
    proofs = []
    if "file" in told:
        proofs.append(_is_file(told["file"], known, told.get("text")))
    elif "text" in told:
        text = told["text"]
        seen = (_on_screen(text, known.lines) and not _self_made(text, known)) or _returned(text, known)
        proofs.append(seen or (not isinstance(piece, Mapping) and _is_file(text, known)))
    if "observation" in told:
        proofs.append(_worked(told["observation"], known, answer))
    return {**told, "confirmed": bool(proofs) and all(proofs)}


def _on_screen(text: str, lines: tuple[Line, ...]) -> bool:
    """Whether it can be read, also when it runs over several lines."""
    return bool(find(text, lines)) or _says(" ".join(line.text for line in lines), text)


def _self_made(text: str, known: Known) -> bool:
    """Whether the agent wrote the text itself, without being asked for it: that it stands there then proves nothing."""
    if _says(known.goal, text):
        return False
    return any(
        _says(told, text) for step in known.worked() if not known.looked(step) for told in _values(step.action.args)
    )


def _is_file(name: str, known: Known, text: str | None = None) -> bool:
    """Whether the file is there, can prove what was asked for, and holds the text."""
    for folder in known.folders:
        try:
            path = folder / Path(name).expanduser()
            if not path.is_file() or not _of_this_run(path, known):
                continue
            if text is None:
                return True
            with path.open(encoding="utf-8", errors="replace") as file:
                if text in file.read(LARGEST):
                    return True
        except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no home: not the path of a file
            continue
    return False


def _of_this_run(path: Path, known: Known) -> bool:
    """Whether a file can prove a deed: it was made or changed in the run, and was not to vanish."""
    return not wants_deed(known.goal) or (path.stat().st_mtime >= known.began and not wants_gone(known.goal))


def _returned(text: str, known: Known) -> bool:
    """Whether a tool returned the text. What the agent itself said or typed proves nothing."""
    if _self_made(text, known):
        return False
    for step in known.worked():
        said = list(_values(step.observation.data))
        if known.found(step) and step.observation.data is None:
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


def _worked(index: int, known: Known, answer: str) -> bool:
    """Whether that step did something that could be seen, or saw what it looked for, and has to do with the matter.

    For a deed that is the goal; for a question the answer too.
    """
    if not 1 <= index <= len(known.world_model):
        return False
    step = known.world_model[index]
    seen = step.observation
    shown = seen.screen is None or seen.screen.changed or seen.data is not None
    read = known.looked(step) and bool(seen.text) and not wants_deed(known.goal)
    if not known.counts(step) or not (shown or read):
        return False
    changes = (*seen.screen.appeared, *seen.screen.vanished) if seen.screen else ()
    texts = (seen.text, *_values(seen.data), *_values(step.action.args), *changes)
    if wants_deed(known.goal):
        return related(known.goal, texts)
    return (shown and not wants_answer(known.goal)) or related(f"{known.goal} {answer}", texts)
