"""The journal of a run: one folder that tells what was asked, seen, thought and done, and outlives a kill.

    run.json         goal, versions, brain, settings; its outcome once there is one
    decisions.jsonl  each action, written before it is carried out
    steps.jsonl      each finished step; flushed and fsynced before the next thought
    prompts.jsonl    exactly what was sent to the brain, and replies.jsonl what came back
    frames/          images, named by what they show, so that an unchanged screen is stored once

Every line file is append-only: a kill can tear its last line and nothing else, and `read_run` leaves a torn line out.
"""

import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from world_model.errors import JournalError
from world_model.frames import Frame
from world_model.geometry import Point
from world_model.steps import Action, Step

LINE_FILES = ("decisions", "steps", "prompts", "replies")


class Journal:
    """Writes one run's folder. Images are encoded on a thread of their own, out of a step's path."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Make `folder`, which must not exist yet, and write `about` as run.json.

        Raises:
            JournalError: the folder cannot be made or written.
        """
        self.folder = folder
        self._about = dict(about)
        try:
            (folder / "frames").mkdir(parents=True)
            self._files: dict[str, TextIO] = {
                name: (folder / f"{name}.jsonl").open("x", encoding="utf-8", errors="surrogatepass", newline="\n")
                for name in LINE_FILES
            }
        except OSError as error:
            raise JournalError(f"The run's folder {folder} cannot be written: {error.strerror}.") from error
        self._write_about()
        self._images: SimpleQueue[tuple[Path, Frame | bytes] | None] = SimpleQueue()
        self._queued: set[Path] = set()
        self._failed: OSError | None = None
        self._encoder = threading.Thread(target=self._encode, name="journal-images", daemon=True)
        self._encoder.start()

    def prompt(self, index: int, data: Mapping[str, Any], image: bytes | None) -> None:
        """Record what is about to be sent for step `index`, with the image just as it is sent."""
        name = None
        if image is not None:
            name = f"frames/prompt-{index}-{len(self._queued)}.jpg"
            self._save(self.folder / name, image)
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
                self._save(self.folder / "frames" / f"{frame.digest}.png", frame)
        self._append("steps", step.to_dict(), sync=True)

    def close(self, outcome: Mapping[str, Any]) -> None:
        """Write the outcome and let the images finish."""
        self._about["outcome"] = dict(outcome)
        self._write_about()
        self._images.put(None)
        self._encoder.join()
        for file in self._files.values():
            file.close()
        if self._failed:
            raise JournalError(
                f"The journal in {self.folder} cannot be written: {self._failed.strerror}."
            ) from self._failed

    def _append(self, name: str, data: Mapping[str, Any], *, sync: bool = False) -> None:
        file = self._files[name]
        try:
            file.write(json.dumps(data, ensure_ascii=False) + "\n")
            file.flush()
            if sync:
                os.fsync(file.fileno())
            if self._failed:
                raise self._failed
        except OSError as error:
            raise JournalError(f"The journal in {self.folder} cannot be written: {error.strerror}.") from error

    def _write_about(self) -> None:
        try:
            _write_whole(
                self.folder / "run.json",
                json.dumps(self._about, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass"),
            )
        except OSError as error:
            raise JournalError(f"{self.folder / 'run.json'} cannot be written: {error.strerror}.") from error

    def _save(self, path: Path, image: Frame | bytes) -> None:
        if path not in self._queued:
            self._queued.add(path)
            self._images.put((path, image))

    def _encode(self) -> None:
        while task := self._images.get():
            path, image = task
            try:
                if isinstance(image, bytes):
                    _write_whole(path, image)
                else:
                    place = PngInfo()
                    place.add_text("origin", f"{image.origin.x} {image.origin.y}")
                    part = path.with_suffix(".part")
                    Image.fromarray(image.pixels).save(part, "PNG", compress_level=1, pnginfo=place)
                    part.replace(path)
            except OSError as error:
                self._failed = error  # told at the next step, on the run's own thread


def _write_whole(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never half of one."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


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


def read_run(folder: Path) -> Run:
    """Read a run back up to its last whole line, also when it was killed.

    Raises:
        JournalError: there is no run in `folder`, or its run.json is not a run's.
    """
    try:
        about = json.loads((folder / "run.json").read_bytes())
    except (OSError, ValueError) as error:
        raise JournalError(f"There is no readable run in {folder}: {error}.") from error
    lines = _lines(folder / "steps.jsonl")
    named = {name for line in lines for name in (line["before"], line["after"]) if name}
    frames = {name: frame for name in named if (frame := _frame(folder / "frames" / f"{name}.png"))}
    steps = tuple(Step.from_dict(line, frames) for line in lines)
    decisions = _lines(folder / "decisions.jsonl")
    in_flight = Action.from_dict(decisions[-1]) if decisions and decisions[-1]["index"] > len(steps) else None
    return Run(folder, about, steps, in_flight)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    *whole, _torn = path.read_bytes().split(b"\n")
    return [json.loads(line) for line in whole]


def _frame(path: Path) -> Frame | None:
    if not path.exists():
        return None
    with Image.open(path) as image:
        x, y = map(int, image.info["origin"].split())
        return Frame(np.asarray(image.convert("RGB")), Point(x, y), path.stat().st_mtime)
