"""Where a piece of evidence was found, as values: whoever tells a person of it makes a sentence of them."""

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mark_i.loop.evidence import was_returned
from mark_i.loop.facts import RunFacts, on_screen
from mark_i.loop.file_content import start_of
from mark_i.loop.file_evidence import home_folders, judged, named_files
from mark_i.loop.goal_words import holds, says
from toolbelt.tools import is_private
from world_model import Step

# What titles show of a file: its path ("/home/ada/a.txt - Editor"), or its name and folder ("a.txt (~/x) - Editor").
_PATH: Final = re.compile(r"(?<![^\s*\u2022\u25cf])(?P<folder>~?/)(?P<name>.+?)(?= [-\u2013\u2014] |$)")
_NAME_IN_FOLDER: Final = re.compile(r"[*\u2022\u25cf]?\s*(?P<name>[^/]+?) \((?P<folder>~?/[^)]*)\)")
_FILE_NAME: Final = re.compile(r"[^\n]*[^\n/]\.\w{1,5}")
TEXTS_MAX: Final = 2  # of those that appeared with a step
RESULT_MAX_CHARS: Final = 100  # of what a tool returned; longer ones are data, which nobody reads in a sentence


def how_shown(piece: Mapping[str, Any], known: RunFacts) -> Mapping[str, Any] | None:
    """Return how a piece that was confirmed is shown, with the texts that a person may know it by; None if it says so.

    `how` is the `title` of a window, the `screen`, the `result` of a tool, a `file`, or what a step did: what it
    `opened`, `closed`, what `became` of a control, what `appeared`, or that the screen `changed`. What a step typed is
    `kept` in a file, or a file is `named` so.
    """
    text = piece.get("text")
    if step := _step_of(piece, known):
        return in_file(piece, known) or _step(step, known)
    if not isinstance(text, str) or piece.get("file") is not None or piece.get("state") is not None:
        return None
    if "was" in piece:
        return {"how": "screen"}
    if any(says(title, text) for title in known.titles):
        return {"how": "title"}
    if on_screen(text, known.lines):
        return {"how": "screen"}
    return {"how": "result" if was_returned(text, known) else "file"}


def in_file(piece: Mapping[str, Any], known: RunFacts) -> Mapping[str, Any] | None:
    """Return which file shows what the step of a piece typed, in it or as its name; None if there is none.

    It must be a result of this run that the goal wants. That proves what was typed, not all that the goal asks for.
    """
    step = _step_of(piece, known)
    if step is None or not piece.keys().isdisjoint({"file", "text"}) or not (texts := known.texts(step)):
        return None
    named = _saved_as(step, known)
    saved = filter(None, (_saved_as(one, known) for one in known.worked()))
    for path in dict.fromkeys((*named_files(known.goal, known.files.folders), *saved)):
        if all(_is_new_in(path, text, known) for text in texts):
            return {"how": "kept", "texts": [str(path)]}
    if named and judged(str(named), None, known.files, deed=True).proves:
        return {"how": "named", "texts": [str(named)]}
    return None


def _is_new_in(path: Path, text: str, known: RunFacts) -> bool:
    if not judged(str(path), text, known.files, deed=True).proves:
        return False
    before = "\n".join(known.files.before.lines.get(path.resolve(), ()))
    return holds(start_of(path), text) > holds(before, text)


def saved_by(piece: Mapping[str, Any], known: RunFacts) -> Path | None:
    """Return the file that came or changed since the run began, if the step of a piece typed its name; None if not.

    If a piece is a text, it is the name of the file or in it, and the title of a window says where that is, or a step
    typed its name.
    """
    if step := _step_of(piece, known):
        return _saved_as(step, known)
    text = piece.get("text")
    if not isinstance(text, str) or not text or "file" in piece:
        return None
    typed = filter(None, (_saved_as(one, known) for one in known.worked()))
    return next((one for one in (*_titled(known), *typed) if one.name == text or holds(start_of(one), text)), None)


def _titled(known: RunFacts) -> Iterator[Path]:
    """Yield the files that came or changed since the run began, of which the title of a window says where they are."""
    for title in known.titles:
        for found in filter(None, (_PATH.search(title), _NAME_IN_FOLDER.match(title))):
            with contextlib.suppress(OSError, RuntimeError):  # as below
                path = Path(found["folder"]).expanduser() / found["name"]
                if _is_of_run(path, known) and not is_private(path):
                    yield path


def _is_of_run(path: Path, known: RunFacts) -> bool:
    return path.is_file() and path.stat().st_mtime >= known.files.began


def _step_of(piece: Mapping[str, Any], known: RunFacts) -> Step | None:
    step = piece.get("observation")
    return known.world_model[step] if isinstance(step, int) and 1 <= step <= len(known.world_model) else None


def _saved_as(step: Step, known: RunFacts) -> Path | None:
    names = [text for text in known.texts(step) if _FILE_NAME.fullmatch(text)]
    for name, folder in itertools.product(names, (*known.files.folders, *home_folders())):
        with contextlib.suppress(OSError, RuntimeError):  # no such file, or nobody knows whose home it is
            path = folder / Path(name).expanduser()
            if _is_of_run(path, known):
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
