"""Check what the agent gives as evidence that the goal is reached: only what is verified here and now counts."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_args

from toolbelt.belt import Toolbelt
from toolbelt.ocr import Line, find, plain
from toolbelt.tool import GoalKind
from toolbelt.tools import is_private
from world_model import Step, WorldModel

LARGEST_FILE_BYTES: Final = 5_000_000  # of a file, no more is read
KINDS: Final[tuple[GoalKind, ...]] = get_args(GoalKind)
STEM_LETTERS: Final = 4  # that a word and a form of it, such as save and saved, begin with at least


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known at the end of a run.

    Attributes:
        goal: what the person asked for.
        world_model: every step.
        toolbelt: knows which tools only look, and which end a run.
        lines: the lines of text on the screen now.
        began: the start of the run, in seconds since the epoch.
        folders: where relative paths start.
    """

    goal: str
    world_model: WorldModel
    toolbelt: Toolbelt
    lines: tuple[Line, ...] = ()
    began: float = 0.0
    folders: tuple[Path, ...] = (Path(),)

    def counts(self, step: Step) -> bool:
        """Whether a step did or found something; ending the run does not count."""
        tool = step.action.tool
        return step.observation.ok and tool in self.toolbelt and not self.toolbelt[tool].ending

    def ends(self, step: Step) -> bool:
        """Whether a step ended the run."""
        return step.action.tool in self.toolbelt and self.toolbelt[step.action.tool].ending

    def looked(self, step: Step) -> bool:
        """Whether a step only looked."""
        return self.counts(step) and self.toolbelt[step.action.tool].risk == "look"

    def found(self, step: Step) -> bool:
        """Whether a step returned something it found, not made: it only looked, or acted without a screen."""
        plain = self.counts(step) and step.observation.screen is None
        return self.looked(step) or (plain and self.toolbelt[step.action.tool].risk == "act")

    def worked(self) -> Iterator[Step]:
        """Iterate over the steps that count."""
        return filter(self.counts, self.world_model)

    def deeds(self) -> bool:
        """Whether anything was done besides looking."""
        return any(not self.looked(step) for step in self.worked())


def checked(evidence: Sequence[Any], known: RunFacts, answer: str, kind: GoalKind | None) -> list[dict[str, Any]]:
    """Return each piece of evidence with `confirmed`: whether it is verified here and now.

    Args:
        evidence: each piece is a mapping that says what it is, or a bare text, which may be on the screen, in what a
            tool returned, or the name of a file. The mappings are `{"text": ...}`, `{"observation": n}` and
            `{"file": ...}`, the last also with the `text` that must be in the file.
        known: what is known at the end of the run.
        answer: what the evidence is for.
        kind: what the goal asks for. If nobody said, a piece must be good for a deed and for an answer.
    """
    kinds = (kind,) if kind else KINDS
    return [
        {**_as_mapping(piece), "confirmed": all(_proves(piece, known, answer, one) for one in kinds)}
        for piece in evidence
    ]


def _as_mapping(piece: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    return piece if isinstance(piece, Mapping) else {"text": str(piece)}


def _proves(piece: Any, known: RunFacts, answer: str, kind: GoalKind) -> bool:  # noqa: ANN401 - JSON
    claim = _as_mapping(piece)
    proofs = []
    if "file" in claim:
        proofs.append(_is_file(claim["file"], known, kind, claim.get("text")))
    elif "text" in claim:
        text = claim["text"]
        seen = (_on_screen(text, known.lines) and not _self_made(text, known)) or _returned(text, known)
        proofs.append(seen or (not isinstance(piece, Mapping) and _is_file(text, known, kind)))
    if "observation" in claim:
        proofs.append(_worked(claim["observation"], known, answer, kind))
    return bool(proofs) and all(proofs)


def _on_screen(text: str, lines: tuple[Line, ...]) -> bool:
    """Whether the text can be read on the screen, even over several lines."""
    return bool(find(text, lines)) or _says(" ".join(line.text for line in lines), text)


def _self_made(text: str, known: RunFacts) -> bool:
    """Whether the agent wrote the text unasked: that it is there then proves nothing."""
    if _says(known.goal, text):
        return False
    return any(
        _says(told, text) for step in known.worked() if not known.looked(step) for told in _values(step.action.args)
    )


def _is_file(name: str, known: RunFacts, kind: GoalKind, text: str | None = None) -> bool:
    """Whether the file exists and contains the text; to prove a deed, it must be made or changed in this run."""
    for folder in known.folders:
        try:
            path = folder / Path(name).expanduser()
            if is_private(path) or is_private(path.resolve()) or not path.is_file():
                continue
            if kind == "deed" and path.stat().st_mtime < known.began:
                continue
            if text is None:
                return True
            with path.open(encoding="utf-8", errors="replace") as file:
                if text in file.read(LARGEST_FILE_BYTES):
                    return True
        except (OSError, ValueError, RuntimeError):  # too long, a NUL byte, no home folder: not a path
            continue
    return False


def _returned(text: str, known: RunFacts) -> bool:
    """Whether a tool returned the text. What the agent itself wrote proves nothing."""
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
    """Whether it contains the text as whole words, however they are spaced; `Save` is not in `Saved`."""
    letters = r"\s*".join(map(re.escape, plain(text)))
    return bool(letters) and re.search(rf"(?<!\w){letters}(?!\w)", said.casefold()) is not None


def _values(data: object) -> Iterator[str]:
    """Iterate over the texts and numbers that a tool returned, without the names of the fields."""
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif isinstance(data, str | int | float) and not isinstance(data, bool):
        yield str(data)


def _worked(index: int, known: RunFacts, answer: str, kind: GoalKind) -> bool:
    """Whether that step had a visible effect or found something, and is about the goal, or the answer to it."""
    if not 1 <= index <= len(known.world_model):
        return False
    step = known.world_model[index]
    seen = step.observation
    shown = seen.screen is None or seen.screen.changed or seen.data is not None
    read = known.looked(step) and bool(seen.text) and kind == "answer"
    if not known.counts(step) or not (shown or read):
        return False
    changes = (*seen.screen.appeared, *seen.screen.vanished) if seen.screen else ()
    texts = (seen.text, *_values(seen.data), *_values(step.action.args), *changes)
    return _related(known.goal if kind == "deed" else f"{known.goal} {answer}", texts)


def _related(goal: str, texts: Collection[str]) -> bool:
    """Whether any of the texts mentions something that the goal mentions, in the same or nearly the same words."""
    asked = set(re.findall(r"\w+", goal.casefold())) - _fillers()
    said = {word for text in texts for word in re.findall(r"\w+", text.casefold())}
    return bool(asked & said) or any(
        min(len(one), len(other)) >= STEM_LETTERS and (one.startswith(other) or other.startswith(one))
        for one in asked
        for other in said
    )


@cache
def _fillers() -> frozenset[str]:
    """Words that goals and screens share whatever they are about; a line for each of the most used languages."""
    return frozenset(files("mark_i.loop").joinpath("fillers.txt").read_text(encoding="utf-8").split())
