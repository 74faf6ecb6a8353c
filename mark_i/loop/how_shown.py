"""Where a piece of evidence was found, as values: whoever tells a person of it makes a sentence of them."""

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mark_i.loop.evidence import was_returned
from mark_i.loop.facts import RunFacts, on_screen
from mark_i.loop.file_evidence import home_folders
from mark_i.loop.goal_words import says
from world_model import Step

_FILE_NAME: Final = re.compile(r"[^\n]*[^\n/]\.\w{1,5}")
TEXTS_MAX: Final = 2  # of those that appeared with a step
RESULT_MAX_CHARS: Final = 100  # of what a tool returned; longer ones are data, which nobody reads in a sentence


def how_shown(piece: Mapping[str, Any], known: RunFacts) -> Mapping[str, Any] | None:
    """Return how a piece that was confirmed is shown, with the texts that a person may know it by; None if it says so.

    `how` is the `title` of a window, the `screen`, the `result` of a tool, a `file`, or what a step did: what it
    `opened`, `closed`, what `became` of a control, what `appeared`, or that the screen `changed`.
    """
    step, text = piece.get("observation"), piece.get("text")
    if isinstance(step, int) and 1 <= step <= len(known.world_model):
        return _step(known.world_model[step], known)
    if not isinstance(text, str) or piece.get("file") is not None or piece.get("state") is not None:
        return None
    if "was" in piece:
        return {"how": "screen"}
    if any(says(title, text) for title in known.titles):
        return {"how": "title"}
    if on_screen(text, known.lines):
        return {"how": "screen"}
    return {"how": "result" if was_returned(text, known) else "file"}


def saved_by(piece: Mapping[str, Any], known: RunFacts) -> Path | None:
    """Return the file that came or changed since the run began, if the step of a piece typed its name; None if not."""
    step = piece.get("observation")
    if not isinstance(step, int) or not 1 <= step <= len(known.world_model):
        return None
    names = [text for text in known.texts(known.world_model[step]) if _FILE_NAME.fullmatch(text)]
    for name, folder in itertools.product(names, (*known.files.folders, *home_folders())):
        with contextlib.suppress(OSError, RuntimeError):  # no such file, or nobody knows whose home it is
            path = folder / Path(name).expanduser()
            if path.is_file() and path.stat().st_mtime >= known.files.began:
                return path.absolute()
    return None


def _step(step: Step, known: RunFacts) -> Mapping[str, Any]:
    """Return the most telling of what a step did."""
    how, texts = next(((how, texts) for how, texts in _effects(step, known) if texts), ("", []))
    return {"how": how, "texts": texts} if how else {"how": "changed" if step.observation.screen else "result"}


def _effects(step: Step, known: RunFacts) -> Iterator[tuple[str, list[str]]]:
    """Yield what came of a step, the most telling first, and what the goal names before other texts."""
    screen, result = step.observation.screen, step.observation.text.strip()
    if len(result) <= RESULT_MAX_CHARS and (screen is None or known.looked(step)):
        yield "result", [result]
    if screen:
        yield "opened", [title for title in screen.opened if title]
        yield "closed", [title for title in screen.closed if title]
        yield "became", list(screen.became[1:]) if all(screen.became[1:]) else []
        others = [text for text in screen.appeared if text not in known.titles]
        yield "appeared", ([text for text in others if says(known.goal, text)] or others)[:TEXTS_MAX]
