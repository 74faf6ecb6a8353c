"""Open again what the runs before have opened or saved: "open it again", or a file by its name."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from mark_i.brains.offline.corrections.from_start import quoted_text
from mark_i.brains.offline.corrections.wordings import patterns
from mark_i.brains.offline.instructions import DialogClosed, Instruction, Open
from mark_i.brains.offline.instructions.splitting import mask

_NAMED: Final = (
    r"\b(?:re-?)?open (?:up )?(?:(?:the|my) )?(?:(?:file|document) )?{}(?: again)?(?: please)?"
    r"(?=\s*(?:\Z|[,.;!]|and\b|then\b))"
)


def reopened(text: str, history: Sequence[Instruction]) -> str:
    """Return a text that names what is to be opened again, if it was opened or saved before; else as it is."""
    said = patterns("reopened")[0].search(mask(text))
    opened = [one for one in history if isinstance(one, Open)][-1:]
    if not opened:
        return text
    since = history[history.index(opened[0]) :]
    files = [one.file for one in since if isinstance(one, DialogClosed) and one.file] or [*opened[0].args[-1:]]
    for file in (*reversed(files), *(one.file for one in reversed(history) if isinstance(one, DialogClosed))):
        named = re.search(_NAMED.format(re.escape(PurePath(file).name)), mask(text), re.IGNORECASE) if file else None
        if named:
            return f"{text[: named.start()]}open {opened[0].name} with {quoted_text(file)}{text[named.end() :]}"
    if not said:
        return text
    if (said["file"] or said["file2"]) and not files:
        return text
    file = "" if said["app"] or said["app2"] else "".join(f" with {quoted_text(one)}" for one in files[-1:])
    return f"{text[: said.start()]}open {opened[0].name}{file}{text[said.end() :]}"
