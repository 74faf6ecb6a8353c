"""Snapshots: texts that are compared with a file, whole; `make snapshots` renews the files."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "snapshots"
Snapshot = Callable[[str, str], None]


def renew(name: str, text: str) -> None:
    """Write the text to its file."""
    file = FOLDER / f"{name}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def compare(name: str, text: str) -> None:
    """Fail where the text is not what the file says."""
    file = FOLDER / f"{name}.txt"
    assert file.exists(), f"There is no {file.name}: make snapshots"
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines(), "If this is meant: make snapshots"
