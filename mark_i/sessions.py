"""Conversations of `mark-i ask`: the questions of a session, each with its final answer."""

import json
import re
from pathlib import Path
from typing import Final

from mark_i.folders import sessions_folder
from world_model import JournalError, UsageError

KNOWN: Final = 10  # newest pairs that a prompt holds


class Session:
    """One conversation, in a file of the profile.

    Raises:
        UsageError: the id is none; it becomes part of a path, so not everything may be in it.
    """

    def __init__(self, profile: str, name: str) -> None:
        if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name):
            raise UsageError(f"{name!r} cannot be a session: its id is made of 1 to 64 letters, digits, - and _.")
        self._file: Path = sessions_folder(profile) / f"{name}.jsonl"

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The newest questions with their answers, oldest first.

        Raises:
            JournalError: the file is not one of a session.
        """
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines()
            pairs = [json.loads(line) for line in lines[-KNOWN:]]
            return tuple((pair["question"], pair["answer"]) for pair in pairs)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise JournalError(f"The session {self._file} cannot be read: {error}. Start anew with --reset.") from error

    def add(self, question: str, answer: str) -> None:
        """Remember one more pair."""
        line = json.dumps({"question": question, "answer": answer}) + "\n"
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise JournalError(f"The session {self._file} cannot be written: {error.strerror}.") from error

    def clear(self) -> None:
        """Forget everything."""
        self._file.unlink(missing_ok=True)
