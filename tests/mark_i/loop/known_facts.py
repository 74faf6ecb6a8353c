"""What a run is made to know: steps, screens and files, for tests of evidence."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from PIL import Image

from mark_i.loop.evidence import checked
from mark_i.loop.facts import RunFacts, SeenBefore
from mark_i.loop.file_evidence import FileFacts, FilesBefore, files_before
from toolbelt.belt import Toolbelt
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.ocr.lines import Line
from toolbelt.parameters import Typed
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import tool
from toolbelt.tools.files import Files
from world_model import Action, Observation, Place, Region, ScreenChange, Step, Thought, Timing, WorldModel

Made = tuple[str, dict[str, Any], Observation]


def belt() -> Toolbelt:
    @tool(risk="write")
    def say(text: Annotated[str, Typed]) -> str:
        """Say something."""
        return text

    desktop = FakeDesktop(lambda _: Image.new("RGB", (64, 64), "white"))
    return standard_toolbelt(Eyes(desktop, desktop.control), Files([Path()]), say)


def did(
    tool: str, said: str = "", *, appeared: Sequence[str] = (), changed: bool = True, name: str = "", **args: Any
) -> Made:
    screen = ScreenChange(changed=changed, appeared=tuple(appeared))
    places = (Place(1, 1, name),) if name else ()
    return tool, args, Observation(ok=True, text=said, screen=screen, places=places)


def typed(text: str, *appeared: str) -> Made:
    said = f"Typed {len(text)} characters."
    return did("type_text", said, appeared=appeared or (text,), text=text)


def lines(*texts: str) -> tuple[Line, ...]:
    return tuple(Line(text, Region(0, 20 * row, 100, 15)) for row, text in enumerate(texts))


def facts(goal: str, *steps: Made, screen: Sequence[str] = (), before: Sequence[str] = (), **more: Any) -> RunFacts:
    world_model, timing = WorldModel(), Timing(settle_ms=more.pop("settled_ms", 0.0))
    for index, (name, args, seen) in enumerate(steps, 1):
        world_model.remember(Step(index, Thought(""), Action(name, args), seen, timing=timing))
    seen_before = SeenBefore(lines(*before), more.pop("titles_before", ()))
    more.setdefault("files", FileFacts(goal))
    return RunFacts(goal, world_model, belt(), lines(*screen), before=seen_before, **more)


def proves(piece: object, known: RunFacts, kind: Any = "deed") -> bool:
    [(_, verdict)] = checked([piece], known, "", kind)
    return verdict.proves


def wrong(piece: object, known: RunFacts) -> bool:
    [(_, verdict)] = checked([piece], known, "", "deed")
    return verdict.wrong


CLICK = did("click", "Clicked.", appeared=["report.txt was saved"], name="Save")


def at(goal: str, folder: Path, before: FilesBefore | None = None, **more: Any) -> RunFacts:
    before = before or files_before(goal, [folder])
    return facts(goal, CLICK, files=FileFacts(goal, (folder,), time.time() - 0.05, before, **more))


def old(path: Path, text: str = "old") -> Path:
    path.write_text(text)
    os.utime(path, (time.time() - 3600,) * 2)
    return path


def run(goal: str, folder: Path, act: Callable[[], object]) -> RunFacts:
    """The facts of a run that does that, on the files that are there before."""
    before, began = files_before(goal, [folder]), time.time()
    while time.time() - began < 0.02:  # the clock of a file system is coarse
        pass
    act()
    return facts(goal, CLICK, files=FileFacts(goal, (folder,), began, before))
