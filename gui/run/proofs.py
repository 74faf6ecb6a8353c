"""What shows that a run reached its goal, and can be opened from the card of its end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gui.kit.texts import tk_safe
from world_model import cut

MAX_PROOFS: Final = 6  # of one run; a card is no file manager
TITLE_CHARS: Final = 32
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
    """Return what can be opened of the evidence that was confirmed, each once."""
    confirmed = (piece for piece in evidence if piece.get("confirmed"))
    return tuple(dict.fromkeys(proof for piece in confirmed for proof in _of(piece)))[:MAX_PROOFS]


def _of(piece: Mapping[str, Any]) -> Iterator[Proof]:
    file, step, shown = piece.get("path"), piece.get("observation"), piece.get("shown") or {}
    if isinstance(file, str):
        yield Proof(f"Open {cut(tk_safe(Path(file).name), TITLE_CHARS)}", file=file)
    if isinstance(step, int):
        yield Proof(f"Show step {step}", step=step)
    elif file is None and shown.get("how") in ON_SCREEN:
        yield Proof(LAST_SCREEN)
