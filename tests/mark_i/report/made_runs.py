"""Runs that never were, as journals, and what the command makes of them."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from click.testing import CliRunner, Result
from PIL import Image

from mark_i.cli.commands.runs import runs
from mark_i.config.paths import runs_folder
from world_model import (
    Action,
    Frame,
    Journal,
    Observation,
    Place,
    Point,
    Problem,
    Region,
    ScreenChange,
    Step,
    Thought,
    Timing,
    Usage,
    message,
)

NAME: Final = "20260101-101500-a1b2c3"


def screen(shade: int, size: tuple[int, int] = (80, 60)) -> Frame:
    """A screen of one colour, on the monitor right of the first one."""
    width, height = size
    return Frame(np.full((height, width, 3), shade, np.uint8), Point(100, 0))


def step(
    index: int,
    before: Frame | None,
    after: Frame | None,
    words: str = "Save",
    *,
    failed: bool | None = None,
    places: Sequence[Point] = (Point(150, 30),),
) -> Step:
    """A click, or a drag over several places; by default every third one fails."""
    failed = index % 3 == 0 if failed is None else failed
    error = Problem("TARGET_NOT_FOUND", words, (words,)) if failed else None
    change = ScreenChange(changed=True, appeared=(words,), vanished=(words,), regions=(Region(110, 10, 20, 20),))
    used = tuple(Place(at.x, at.y, words) for at in places)
    said = message(f'Clicked "{words}" at ', used[0], ".")
    seen = Observation(error is None, said, {words: [words]}, error, change, () if failed else used)
    timing, usage = Timing(1.0, 2000.0, 3.0, 40.0, 5.0), Usage(1200, 30, 0.01, 200)
    return Step(index, Thought(words), Action("click", {"target": words}), seen, before, after, usage, timing)


def told(steps: Sequence[Step], words: str = "Save", outcome: str | None = "done", **about: Any) -> Path:
    """A run with these steps that ended so; None is killed."""
    folder = runs_folder() / NAME
    journal = Journal(folder, {"goal": words, "brain": words, "desktop": words, **about})
    for one in steps:
        picture = io.BytesIO()
        Image.new("RGB", (40, 30), (0, 0, one.index % 256)).save(picture, "JPEG")
        journal.prompt(one.index, {"brain": words, "system": words, "text": words}, picture.getvalue())
        journal.reply(one.index, {"brain": words, "text": words, "usage": one.usage.to_dict()})
        journal.decided(one.index, one.action)
        journal.add(one)
    proven, doubted = {"text": words, "confirmed": True}, {"file": words, "confirmed": False, "reason": "It is old."}
    bare = {"observation": 1, "confirmed": False, "reason": "It is only typed.", "saved": words}
    idle = {"observation": 1, "confirmed": False, "reason": "It is nothing.", "idle": True}
    ending = {"summary": words, "evidence": [proven, doubted, bare, idle]}
    journal.close({"outcome": outcome, **ending, "sources": [], "unsupported": [words]})
    if outcome is None:
        kept = {
            name: value for name, value in json.loads((folder / "run.json").read_text()).items() if name != "outcome"
        }
        (folder / "run.json").write_text(json.dumps(kept))
    return folder


def written(tmp_path: Path, *arguments: str) -> Path:
    """The report of the only run, by the command."""
    done = asked(*arguments, "--out", str(tmp_path / "report.html"))
    assert done.output == f"Report: {tmp_path / 'report.html'}\n", done
    return tmp_path / "report.html"


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(runs, ["report", "last", *arguments])
