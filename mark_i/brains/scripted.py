"""A brain whose replies come from a file, for tests, demos and tutorials."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

from mark_i.brain import Prompt, Reply, Space
from mark_i.json_text import read_json
from world_model import ModelError, UsageError, file_fault

PICTURES_KEPT: Final = 10


class ScriptedBrain:
    """Returns the given replies, one after the other, whatever the prompt is.

    Each is an object in the form of a reply, or a string: a model's raw text. The prompts are kept in `prompts`; of all
    but the newest ten only the words.
    """

    def __init__(self, replies: Iterable[Any], name: str = "scripted", *, sight: int = 0) -> None:
        self.name = name
        self.sight = sight
        self.space: Space = "pixels"
        self.prompts: list[Prompt] = []
        self._given = 0
        self._replies = [reply if isinstance(reply, str) else json.dumps(reply) for reply in replies]

    @classmethod
    def from_file(cls, path: str) -> Self:
        """Read JSON Lines, one reply per line; empty lines do not count.

        Raises:
            UsageError: the file is missing or empty, or a line of it is not a reply; the message says which.
        """
        if not path:
            raise UsageError("Say which file the replies are in: --brain scripted:FILE.")
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"The scripted brain's file {path} cannot be read: {file_fault(error)}.") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"The scripted brain's file {path} is not UTF-8 text.") from error
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise UsageError(f"The scripted brain's file {path} is empty: it needs one reply per line.")
        return cls([_reply(path, number, line) for number, line in lines], f"scripted:{path}")

    def skip(self, count: int) -> None:
        """Skip so many replies: they were given before the run was interrupted."""
        self._given += count

    def think(self, prompt: Prompt) -> Reply:
        """Return the next reply."""
        self.prompts.append(prompt)
        if len(self.prompts) > PICTURES_KEPT:
            old = len(self.prompts) - PICTURES_KEPT - 1
            without = replace(self.prompts[old], picture=None, closeup=None)
            self.prompts[old] = replace(without, past=tuple, read=tuple)  # these hold screens
        self._given += 1
        if self._given > len(self._replies):
            raise ModelError(f"The script has no reply left: it has {len(self._replies)}, and one more was asked for.")
        return Reply(self._replies[self._given - 1])


def _reply(path: str, number: int, line: str) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    try:
        reply = read_json(line)
    except UsageError as error:
        raise UsageError(f"Line {number} of {path} cannot be read: {error}") from error
    if not isinstance(reply, dict | str):
        raise UsageError(f"Line {number} of {path} is not a reply: it must be an object or a string.")
    return reply
