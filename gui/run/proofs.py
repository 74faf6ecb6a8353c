"""What shows that a run reached its goal, and can be opened from the card of its end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gui.kit.texts import tk_safe
from mark_i.wording import IN_FILE, most_telling
from world_model import cut

MAX_PROOFS: Final = 6  # of one run; a card is no file manager
MAX_FILES: Final = MAX_PROOFS - 1  # beside their folder
TITLE_CHARS: Final = 32
FOLDER: Final = "Open folder"
LAST_SCREEN: Final = "Show the last screen"
ON_SCREEN: Final = frozenset({"screen", "title"})  # how a text was found that the last picture shows


@dataclass(frozen=True, slots=True)
class Proof:
    """A file or a picture.

    Attributes:
        title: of its button.
        file: the path of a file; empty for a picture.
        step: whose picture it is; None for the last one.
    """

    title: str
    file: str = ""
    step: int | None = None


def proofs_of(evidence: Sequence[Mapping[str, Any]]) -> tuple[Proof, ...]:
    """Return what can be opened, each once: the files and their folder first, then what else was confirmed.

    A file that the run saved, or that has what it typed, is one also where that proves nothing.
    """
    confirmed = [piece for piece in evidence if piece.get("confirmed")]
    found = [piece.get("path") for piece in confirmed] + [piece.get("saved") for piece in evidence]
    found += [file for shown in (piece.get("shown") or {} for piece in evidence) for file in _holding(shown)]
    files = [*dict.fromkeys(file for file in found if isinstance(file, str))]
    folders = [Proof(FOLDER, file=str(Path(files[0]).parent))] if files else []
    pictures = [proof for piece in most_telling(confirmed) for proof in _pictures(piece)]
    proofs = (*map(_file, files[:MAX_FILES]), *folders, *pictures)
    return tuple(dict.fromkeys(proofs))[:MAX_PROOFS]


def folder_lines(proofs: Sequence[Proof], told: str) -> tuple[str, ...]:
    """Return the line that says in which folder the files are, unless that is told already."""
    folders = [one.file for one in proofs if one.title == FOLDER]
    return tuple(tk_safe(f"Folder: {folder}") for folder in folders if folder not in told)


def _holding(shown: Mapping[str, Any]) -> Sequence[str]:
    """Return the file that shows what a step typed."""
    return shown.get("texts", ()) if shown.get("how") in IN_FILE else ()


def _file(path: str) -> Proof:
    return Proof(f"Open {cut(tk_safe(Path(path).name), TITLE_CHARS)}", file=path)


def _pictures(piece: Mapping[str, Any]) -> Iterator[Proof]:
    step, shown = piece.get("observation"), piece.get("shown") or {}
    if isinstance(step, int):
        yield Proof(f"Show step {step}", step=step)
    elif piece.get("path") is None and shown.get("how") in ON_SCREEN:
        yield Proof(LAST_SCREEN)
