"""One attempt of the truth benchmark, and the folder and the program it has."""

import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mark_i.bench.apps import form

WORDS: Final = (
    "amber",
    "birch",
    "copper",
    "dune",
    "ember",
    "fjord",
    "garnet",
    "harbor",
    "iris",
    "juniper",
    "kelp",
    "larch",
)
SHELL: Final = "shell"
EDITOR: Final = "editor"
FORM: Final = "form"
SETTINGS: Final = "settings.json"

Call = tuple[str, Mapping[str, Any]]
Evidence = Mapping[str, Any] | tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run: what is there, what is asked for, what the agent does, and what it gives as evidence.

    Attributes:
        goal: what the person asks for.
        program: the program that is open before the run.
        calls: what the agent does, before it says that the goal is reached.
        evidence: what it gives for that, and once more if it is sent back: each time one of these, in turn.
        reached: reads from the world whether the goal is reached.
        file: what the editor has open.
        shown: what the shell shows before the run.
    """

    goal: str
    program: str
    calls: tuple[Call, ...]
    evidence: tuple[Evidence, ...]
    reached: Callable[[], bool]
    file: str = ""
    shown: str = ""


@dataclass(slots=True)
class Scene:
    """A folder for one attempt, and chance to vary it."""

    folder: Path
    chance: random.Random
    missed: bool
    _used: set[str] = field(default_factory=set)

    def word(self) -> str:
        """Return a word that this scene has not used yet."""
        word = self.chance.choice([one for one in WORDS if one not in self._used])
        self._used.add(word)
        return word

    def write(self, name: str, text: str) -> None:
        """Put a file there before the run."""
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def holds(self, name: str, text: str) -> bool:
        """Whether the file of exactly that name holds exactly that, but for a last line end."""
        path = self.folder / name
        return (
            path.name in {one.name for one in path.parent.glob("*")} and path.read_text("utf-8").strip() == text.strip()
        )

    def there(self, name: str) -> bool:
        """Whether a file is there."""
        return (self.folder / name).exists()

    def settings(self) -> dict[str, Any]:
        """Return what the form saved."""
        return dict(json.loads((self.folder / SETTINGS).read_text("utf-8"))) if self.there(SETTINGS) else {}

    def any_of(self, *evidence: Evidence) -> tuple[Evidence, ...]:
        """Return in chance order what an agent may give."""
        return tuple(self.chance.sample(evidence, len(evidence)))


def enter(command: str) -> Call:
    """Type a command and press Enter."""
    return "type_text", {"text": command, "enter": True}


def click(target: str) -> Call:
    """Click on a text."""
    return "click", {"target": target}


STEP: Final = {"observation": 1}


def command(attempt: Attempt, folder: Path) -> list[str]:
    """Return how the program of an attempt is started."""
    if attempt.program == FORM:
        return [sys.executable, str(Path(form.__file__)), str(folder / SETTINGS)]
    if attempt.program == EDITOR:
        return ["mousepad", "--disable-server", str(folder / attempt.file)]
    begin = f"cd '{folder}'; PS1='$ '; {f'echo {attempt.shown}; ' if attempt.shown else ''}"
    (folder / ".begin").write_text(begin, encoding="utf-8")
    return [
        "xterm",
        "-geometry",
        "100x24",
        "-fa",
        "Monospace",
        "-fs",
        "12",
        "-e",
        "bash",
        "--rcfile",
        str(folder / ".begin"),
        "-i",
    ]
