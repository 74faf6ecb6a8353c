"""The journal of a run: one folder that tells what was asked, seen, thought and done, and outlives a kill.

    run.json         goal, versions, brain, settings, start; outcome and seconds once there is an end
    decisions.jsonl  each action, written before it is carried out
    steps.jsonl      each finished step; flushed and fsynced before the next thought
    prompts.jsonl    exactly what was sent to the brain, and replies.jsonl what came back
    frames/          images, named by what they show, so that an unchanged screen is stored once

Every line file is append-only: a kill can tear its last line and nothing else, and `read_run` leaves a torn line out.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from world_model.errors import JournalError
from world_model.frames import Frame
from world_model.geometry import Point
from world_model.shapes import DECISION, REPLY, STEP, fault
from world_model.steps import Action, Step

LINE_FILES: Final = ("decisions", "steps", "prompts", "replies")
WAITING: Final = 8  # images that may wait to be stored, 6 MB each at 1080p; a step that brings more waits itself


class Journal:
    """Writes one run's folder. Images are encoded on a thread of their own, out of a step's path."""

    def __init__(self, folder: Path, about: Mapping[str, Any], mode: Literal["xb", "ab"] = "xb") -> None:
        """Begin a run in `folder`, which must not hold one yet, and write `about` as run.json.

        Args:
            folder: the run's own.
            about: goal, versions, brain, settings.
            mode: how the line files are opened; `reopen` is the way to go on with those that are there.

        Raises:
            JournalError: the folder cannot be made or written.
        """
        self.folder = folder
        self._about: dict[str, Any] = {"started": datetime.now(UTC).isoformat(timespec="seconds"), **about}
        self._earlier: float | None = self._about.pop("seconds", 0.0)  # of a run that was reopened
        self._began = time.monotonic()
        self._storing: dict[Path, Future[None]] = {}
        with _disk(folder), contextlib.ExitStack() as opened:
            (folder / "frames").mkdir(parents=True, exist_ok=mode == "ab")
            paths = {name: folder / f"{name}.jsonl" for name in LINE_FILES}
            self._files = {name: opened.enter_context(path.open(mode, buffering=0)) for name, path in paths.items()}
            self._write_about()
            self._encoder = opened.enter_context(ThreadPoolExecutor(1, "journal-images"))
            self._open = opened.pop_all()

    @classmethod
    def reopen(cls, folder: Path) -> Self:
        """Go on with a run that has ended, or was killed: what a kill left half written is cut off.

        Raises:
            JournalError: there is no run in `folder`, or it cannot be written.
        """
        about = _about(folder)
        about.pop("outcome", None)
        about.setdefault("seconds", None)  # nobody knows how long one took that was killed
        with _disk(folder):
            _mend(folder)
        return cls(folder, about, "ab")

    def prompt(self, index: int, data: Mapping[str, Any], image: bytes | None) -> None:
        """Record what is about to be sent for step `index`, with the image just as it is sent."""
        name = None
        if image is not None:
            name = f"frames/{hashlib.sha256(image).hexdigest()[:32]}.jpg"
            self._store(self.folder / name, lambda: image)
        self._append("prompts", {"index": index, **data, "image": name})

    def reply(self, index: int, data: Mapping[str, Any]) -> None:
        """Record what the brain sent back for step `index`."""
        self._append("replies", {"index": index, **data})

    def decided(self, index: int, action: Action) -> None:
        """Record an action before it is carried out, so that a resume never does one twice."""
        self._append("decisions", {"index": index, **action.to_dict()}, sync=True)

    def add(self, step: Step) -> None:
        """Record a finished step; it is on the disk when this returns."""
        for frame in (step.before, step.after):
            if frame is not None:
                self._store(self.folder / "frames" / f"{frame.digest}.png", partial(_png, frame))
        self._append("steps", step.to_dict(), sync=True)

    def close(self, outcome: Mapping[str, Any]) -> None:
        """Write the outcome and let the images finish.

        Raises:
            JournalError: not everything could be written; all the same nothing is left open.
        """
        self._about["outcome"] = dict(outcome)
        if self._earlier is not None:
            self._about["seconds"] = round(self._earlier + time.monotonic() - self._began, 1)
        with _disk(self.folder), self._open:
            self._write_about()
            self._await_images(0)

    def _append(self, name: str, data: Mapping[str, Any], *, sync: bool = False) -> None:
        file = self._files[name]
        line = memoryview((json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))
        with _disk(self.folder):
            end = file.tell()
            try:
                while line:
                    line = line[file.write(line) :]
                if sync:
                    os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):  # a half line may only ever be the last one
                    file.seek(end)
                    file.truncate()
                raise
            self._await_images(WAITING)

    def _write_about(self) -> None:
        content = json.dumps(self._about, ensure_ascii=False, indent=2)
        write_whole(self.folder / "run.json", content.encode("utf-8", "surrogatepass"))

    def _store(self, path: Path, content: Callable[[], bytes]) -> None:
        with _disk(self.folder):
            if path not in self._storing and not path.exists():
                self._await_images(WAITING - 1)
                self._storing[path] = self._encoder.submit(lambda: write_whole(path, content()))

    def _await_images(self, most: int) -> None:
        """Wait until at most so many are not stored yet; one that could not be stored is told here."""
        while self._storing:
            path = next(iter(self._storing))
            if len(self._storing) <= most and not self._storing[path].done():
                return
            self._storing.pop(path).result()


@contextlib.contextmanager
def _disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JournalError(f"The run's folder {folder} cannot be written: {error.strerror or error}.") from error


def write_whole(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never half of one; where it cannot be written the old one stays."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def _png(frame: Frame) -> bytes:
    place = PngInfo()
    place.add_text("origin", f"{frame.origin.x} {frame.origin.y}")
    content = io.BytesIO()
    Image.fromarray(frame.pixels).save(content, "PNG", compress_level=1, pnginfo=place)
    return content.getvalue()


def _mend(folder: Path) -> None:
    """Remove what a kill left half written, and nothing else."""
    for part in (folder / "run.json.part", *(folder / "frames").glob("*.part")):
        part.unlink(missing_ok=True)
    for path in (folder / f"{name}.jsonl" for name in LINE_FILES):
        if path.exists():
            os.truncate(path, path.read_bytes().rfind(b"\n") + 1)


@dataclass(frozen=True, slots=True)
class Run:
    """A run read back from its folder.

    Attributes:
        about: run.json; its `outcome` is missing where the run was killed.
        steps: the finished steps, with those images that are there.
        in_flight: an action that was decided and has no result: it may have been carried out.
    """

    folder: Path
    about: Mapping[str, Any]
    steps: tuple[Step, ...]
    in_flight: Action | None


def read_run(folder: Path, *, images: bool = True) -> Run:
    """Read a run back up to its last whole line, also when it was killed.

    Args:
        folder: the run's.
        images: False leaves the pixels out: its frames only name what they showed.

    Raises:
        JournalError: there is no run in `folder`, or a file in it was changed by hand into something else.
    """
    about = _about(folder)
    path = folder / "steps.jsonl"
    lines = _lines(path, STEP)
    names = {name for line in lines for name in (line["before"], line["after"]) if name}
    found = ((name, _frame(folder / "frames" / f"{name}.png") if images else Frame.named(name)) for name in names)
    frames = {name: frame for name, frame in found if frame}
    steps = tuple(_step(path, number, line, frames) for number, line in enumerate(lines, start=1))
    decisions = _lines(folder / "decisions.jsonl", DECISION)
    in_flight = Action.from_dict(decisions[-1]) if decisions and decisions[-1]["index"] > len(steps) else None
    return Run(folder, about, steps, in_flight)


def read_replies(folder: Path) -> list[dict[str, Any]]:
    """What the brain sent back, in order, each with the `index` of its step.

    Raises:
        JournalError: a line was changed by hand into something else.
    """
    return _lines(folder / "replies.jsonl", REPLY)


def read_about(folder: Path) -> tuple[Mapping[str, Any], int]:
    """What run.json says, and how many steps there are: quick, also for many runs.

    Raises:
        JournalError: there is no run in `folder`.
    """
    return _about(folder), _content(folder / "steps.jsonl").count(b"\n")


def _about(folder: Path) -> dict[str, Any]:
    try:
        about = json.loads((folder / "run.json").read_bytes())
    except OSError as error:
        raise JournalError(f"There is no readable run in {folder}: its run.json: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise JournalError(f"There is no readable run in {folder}: its run.json is not JSON: {error}.") from error
    if not isinstance(about, dict):
        raise JournalError(f"There is no readable run in {folder}: its run.json is no JSON object.")
    return about


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.") from error


def _lines(path: Path, shape: Mapping[str, Any]) -> list[dict[str, Any]]:
    *whole, _torn = _content(path).split(b"\n")
    lines = []
    for number, text in enumerate(whole, start=1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{path}, line {number}, is not JSON: {error}.") from error
        if reason := fault(line, shape):
            raise JournalError(f"{path}, line {number}, is not what was written there: {reason}.")
        lines.append(line)
    return lines


def _step(path: Path, number: int, line: Mapping[str, Any], frames: Mapping[str, Frame]) -> Step:
    try:
        step = Step.from_dict(line, frames)
    except (TypeError, ValueError) as error:
        raise JournalError(f"{path}, line {number}, is not a step: {error}.") from error
    if step.index != number:
        raise JournalError(f"{path}, line {number}, is step {step.index}: a line is missing, or stands there twice.")
    return step


def _frame(path: Path) -> Frame | None:
    """The image, or None where it is not there, or is not what its name says."""
    try:
        with Image.open(path) as image:
            x, y = map(int, image.info["origin"].split())
            frame = Frame(np.asarray(image.convert("RGB")), Point(x, y), path.stat().st_mtime)
    except (OSError, SyntaxError, ValueError, KeyError):  # the decoder's, for an image that was cut off or changed
        return None
    return frame if frame.digest == path.stem else None
