"""Sessions of `mark-i ask`: questions, each with its final answer."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mark_i.config.file_lock import locked
from mark_i.config.paths import make_private, sessions_folder
from mark_i.events import Outcome
from world_model import JournalError, UsageError, cut
from world_model.journal import write_whole
from world_model.shapes import newer

VERSION: Final = 1  # of the format of a line
PAIRS_IN_PROMPT: Final = 10  # the newest
MAX_CHARS: Final = 1000  # of a question or an answer in a prompt


class Session:
    """One conversation, in a file of the profile.

    Raises:
        UsageError: the id is not valid; it becomes part of a path.
    """

    def __init__(self, profile: str, name: str) -> None:
        if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name):
            raise UsageError(f"{name!r} is not a session id: use 1 to 64 letters, digits, - and _.")
        self._file: Path = sessions_folder(profile) / f"{name}.jsonl"

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the newest questions with their answers, oldest first.

        Raises:
            JournalError: the file is not a session.
        """
        try:
            lines = self._whole_lines()
            pairs = [json.loads(line) for line in lines[-PAIRS_IN_PROMPT:]]
            if reason := newer(max((pair.get("version", VERSION) for pair in pairs), default=VERSION), VERSION):
                raise JournalError(f"The session {self._file} cannot be read. {reason}")
            return tuple((cut(pair["question"], MAX_CHARS), cut(pair["answer"], MAX_CHARS)) for pair in pairs)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise JournalError(f"The session {self._file} cannot be read: {error}. Start over with --reset.") from error

    def note(self, question: str, outcome: Outcome) -> None:
        """Add a question with its answer, if it has one.

        Raises:
            JournalError: the file cannot be written.
        """
        if outcome.name in {"done", "done_unverified"}:
            self._add(question, outcome.summary)

    def _add(self, question: str, answer: str) -> None:
        line = json.dumps({"version": VERSION, "question": question, "answer": answer}) + "\n"
        with self._held("written"):
            before = "".join(f"{one}\n" for one in self._whole_lines()) if self._file.exists() else ""
            write_whole(self._file, (before + line).encode())

    def clear(self) -> None:
        """Delete all questions and answers.

        Raises:
            JournalError: the file cannot be deleted.
        """
        with self._held("deleted"):
            self._file.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _held(self, done: str) -> Iterator[None]:
        try:
            make_private(self._file.parent.parent)  # the folder of the profile
            with locked(self._file):
                yield
        except OSError as error:
            reason = error.strerror or error
            raise JournalError(f"The session {self._file} cannot be {done}: {reason}.") from error

    def _whole_lines(self) -> list[str]:
        """Return the complete lines, without one that a kill tore."""
        *whole, _torn = self._file.read_text(encoding="utf-8").split("\n")
        return whole
