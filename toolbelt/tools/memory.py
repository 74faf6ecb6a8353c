"""Memory: facts that the agent keeps from one run to the next, in a file of the profile."""

import contextlib
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

from filelock import FileLock
from pydantic import Field

from toolbelt.parameters import Query, Shown
from toolbelt.tool import ToolResult, tool
from world_model import ToolFailure
from world_model.shapes import newer

MAX_RECALLED: Final = 20  # facts for one query
LOCK_WAIT_S: Final = 20.0  # for another process that writes
VERSION: Final = 1  # of the tables
# `seen` identifies a fact; `words` is searched. FTS5 only treats emoji as words if it is configured to.
TABLES: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE facts (id INTEGER PRIMARY KEY, fact TEXT NOT NULL, seen TEXT NOT NULL UNIQUE, at TEXT NOT NULL);
CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'");
PRAGMA user_version = {VERSION};
COMMIT;
"""
OTHERWISE: Final = "Continue without it, and tell the user."
FOUND: Final = """
SELECT fact, at FROM search JOIN facts ON facts.id = search.rowid
WHERE search MATCH ? ORDER BY search.rank, facts.id DESC LIMIT ?
"""
# In scripts without spaces between words each letter counts as a word: Thai to Khmer, Chinese, Japanese.
UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)


class Memory:
    """Facts that outlive a run; of equally good matches the newest comes first.

    Several processes may use the file at once. It is created with the first fact.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    @tool(risk="write", idempotent=True, rare=True)
    def remember(
        self, fact: Annotated[str, Field(min_length=1, description="A sentence that is clear without this run."), Shown]
    ) -> str:
        """Keep a fact for later runs.

        Its words must make sense without the context of this run.
        """
        fact = fact.strip()
        seen = " ".join(_storable(unicodedata.normalize("NFC", fact)).split())
        if not seen:
            raise ToolFailure("INVALID_ARGS", "There is no fact to remember: the text is empty.")
        with self._opened() as database:
            database.execute("BEGIN IMMEDIATE")
            known = database.execute("SELECT at FROM facts WHERE seen = ?", (seen,)).fetchone()
            if known:
                return f"This is known already, since {_day(known[0])}. It is not stored twice."
            at = datetime.now(UTC).isoformat(timespec="seconds")
            row = database.execute("INSERT INTO facts (fact, seen, at) VALUES (?, ?, ?)", (fact, seen, at))
            database.execute("INSERT INTO search (rowid, words) VALUES (?, ?)", (row.lastrowid, _spaced(seen)))
        return "Remembered."

    @tool(risk="look", rare=True)
    def recall(
        self,
        query: Annotated[
            str, Field(min_length=1, description="Words, or how they begin; a fact has any of them."), Query
        ],
    ) -> ToolResult:
        """Find what was remembered in earlier runs.

        Returns the facts that contain any of these words, or words that start with them; best first.
        """
        words = _words(_storable(unicodedata.normalize("NFC", query)))
        # In quotation marks no word is FTS5 syntax; the asterisk outside makes it a prefix.
        match = " OR ".join(f'"{_spaced(word)}"' + "*" * (len(word) > 1) for word in words)
        found: list[tuple[str, str]] = []
        if match and self._file.exists():
            with self._opened() as database:
                found = database.execute(FOUND, (match, MAX_RECALLED)).fetchall()
        facts = [{"fact": fact, "when": at} for fact, at in found]
        if not facts:
            return ToolResult(f"Nothing is remembered about {query!r}.", facts)
        return ToolResult("\n".join(f"- {fact} ({_day(at)})" for fact, at in found), facts)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file in a transaction, which is rolled back on an error.

        Raises:
            ToolFailure: the file cannot be used; it is not changed.
        """
        try:
            self._file.parent.mkdir(0o700, parents=True, exist_ok=True)  # the facts of a person are private
            with contextlib.closing(sqlite3.connect(self._file, timeout=LOCK_WAIT_S, isolation_level=None)) as database:
                self._prepare(database)
                with database:
                    yield database
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Create the tables of a new file, one process at a time: SQLite does not wait while another starts a log."""
        if made := _version(database):
            if reason := newer(made, VERSION):
                raise ToolFailure("TOOL_ERROR", f"The memory {self._file} cannot be read. {reason}", [OTHERWISE])
            return
        with FileLock(self._file.with_suffix(".lock"), timeout=LOCK_WAIT_S):
            if not _version(database):
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(TABLES)

    def _unusable(self, error: sqlite3.Error) -> ToolFailure:
        told = f"The memory {self._file} cannot be used: {error}. Nothing in it was changed."
        match getattr(error, "sqlite_errorname", "").split("_")[1:2]:
            case ["BUSY" | "LOCKED"]:
                return ToolFailure(
                    "TIMEOUT", told, ["Another program has locked it. Try again, or continue without it."]
                )
            case ["CANTOPEN" | "READONLY" | "PERM" | "AUTH"]:
                return ToolFailure("PERMISSION_DENIED", told, [OTHERWISE])
            case ["NOTADB" | "CORRUPT"]:
                hint = (
                    "Continue without it, and tell the user: the file is damaged. To get a new one, move it away "
                    f"with its -wal and -shm; `sqlite3 {self._file} .recover` shows what can be recovered."
                )
                return ToolFailure("TOOL_ERROR", told, [hint])
            case _:
                return ToolFailure("TOOL_ERROR", told, [OTHERWISE])


def _version(database: sqlite3.Connection) -> int:
    """Return the version of its tables; 0 if there are none yet."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _storable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        told = f"The text cannot be kept: its character {error.start} is half of a surrogate pair."
        raise ToolFailure("INVALID_ARGS", told) from error
    return text


def _words(text: str) -> list[str]:
    """Split a query into words as FTS5 does."""
    kinds = ((letter, unicodedata.category(letter)) for letter in text)
    return "".join(letter if kind[0] in "LNM" or kind in {"So", "Co"} else " " for letter, kind in kinds).split()


def _spaced(text: str) -> str:
    return UNSPACED.sub(r" \1 ", text)


def _day(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().date().isoformat()
