"""Reads a run back from its folder, up to the last complete line, even if the run was killed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from world_model.errors import JournalError, file_fault
from world_model.frames import Frame
from world_model.geometry import Point
from world_model.shapes import APPROVAL, DECISION, FIRST, NODE, PROMPT, REPLY, STEP, STEP_1, VERSION, WORD, fault, newer
from world_model.steps import Action, Step
from world_model.version1 import upgraded


@dataclass(frozen=True, slots=True)
class Run:
    """A run read back from its folder.

    Attributes:
        about: run.json; without `outcome` if the run was killed.
        steps: the finished steps, with the images that exist.
        in_flight: an action that was decided and has no result; it may have been executed.
        approvals: what a person was asked to approve, each with the `index` of its step.
        words: what a person said while it ran, each with the `index` of the step that came next.
    """

    folder: Path
    about: Mapping[str, Any]
    steps: tuple[Step, ...]
    in_flight: Action | None
    approvals: tuple[Mapping[str, Any], ...] = ()
    words: tuple[Mapping[str, Any], ...] = ()


def read_run(folder: Path, *, images: bool = True) -> Run:
    """Read a run back up to its last complete line, even if it was killed.

    Args:
        folder: the folder of the run.
        images: False skips the pixels: the frames only have their digests.

    Raises:
        JournalError: there is no run in `folder`, a newer version wrote it, or a file in it was edited and is no longer
            valid.
    """
    about = about_of(folder)
    path = folder / "steps.jsonl"
    lines = _lines(path, STEP, STEP_1)
    names = {name for line in lines for name in (line["before"], line["after"]) if name}
    found = ((name, read_frame(folder, name) if images else Frame.named(name)) for name in names)
    frames = {name: frame for name, frame in found if frame}
    steps = tuple(_step(path, number, line, frames) for number, line in enumerate(lines, start=1))
    decisions = _lines(folder / "decisions.jsonl", DECISION)
    in_flight = Action.from_dict(decisions[-1]) if decisions and decisions[-1]["index"] > len(steps) else None
    approvals = tuple(_lines(folder / "approvals.jsonl", APPROVAL))
    words = tuple(_lines(folder / "words.jsonl", WORD))
    return Run(folder, about, steps, in_flight, approvals, words)


def read_prompts(folder: Path) -> list[dict[str, Any]]:
    """Read the prompts that were sent, in order, each with the `index` of its step and the name of its `image`, if any.

    Raises:
        JournalError: a line was edited and is no longer valid.
    """
    return _lines(folder / "prompts.jsonl", PROMPT)


def read_replies(folder: Path) -> list[dict[str, Any]]:
    """Read the replies of the brain, in order, each with the `index` of its step.

    Raises:
        JournalError: a line was edited and is no longer valid.
    """
    return _lines(folder / "replies.jsonl", REPLY)


def read_nodes(folder: Path) -> list[dict[str, Any]]:
    """Read what the nodes of its workflow did, in order, each with the number of `steps` finished before it.

    Raises:
        JournalError: a line was edited and is no longer valid.
    """
    return _lines(folder / "nodes.jsonl", NODE)


def read_frame(folder: Path, digest: str) -> Frame | None:
    """Read one image of a run; None if it is missing or does not match its digest."""
    return _frame(folder / "frames" / f"{digest}.png")


def read_about(folder: Path) -> tuple[Mapping[str, Any], int]:
    """Read run.json and count the steps: fast, even for many runs.

    Raises:
        JournalError: there is no run in `folder`.
    """
    return about_of(folder), _content(folder / "steps.jsonl").count(b"\n")


def about_of(folder: Path) -> dict[str, Any]:
    """Read run.json.

    Raises:
        JournalError: there is no run in `folder`, or a newer version wrote it.
    """
    try:
        about = json.loads((folder / "run.json").read_bytes())
    except OSError as error:
        raise JournalError(f"There is no readable run in {folder}: its run.json: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise JournalError(f"There is no readable run in {folder}: its run.json is not JSON: {error}.") from error
    if not isinstance(about, dict):
        raise JournalError(f"There is no readable run in {folder}: its run.json is not a JSON object.")
    if reason := newer(about.pop("version", VERSION), VERSION):
        raise JournalError(f"The run in {folder} cannot be read. {reason}")
    return about


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {file_fault(error)}.") from error


def _lines(path: Path, shape: Mapping[str, Any], first: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Read the lines of a file.

    Args:
        path: the file.
        shape: what each line must look like.
        first: what it had to look like in version 1, if that differed.
    """
    *whole, _torn = _content(path).split(b"\n")
    lines = []
    for number, text in enumerate(whole, start=1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{path}, line {number}, is not JSON: {error}.") from error
        version = line.pop("version", FIRST) if isinstance(line, dict) else FIRST
        if reason := newer(version, VERSION):
            raise JournalError(f"{path}, line {number}, cannot be read. {reason}")
        old = first if version == FIRST else None
        if reason := fault(line, old or shape):
            raise JournalError(f"{path}, line {number}, is not what was written there: {reason}.")
        lines.append(upgraded(line) if old else line)
    return lines


def _step(path: Path, number: int, line: Mapping[str, Any], frames: Mapping[str, Frame]) -> Step:
    try:
        step = Step.from_dict(line, frames)
    except (TypeError, ValueError) as error:
        raise JournalError(f"{path}, line {number}, is not a step: {error}.") from error
    if step.index != number:
        raise JournalError(f"{path}, line {number}, is step {step.index}: a line is missing or duplicated.")
    return step


def _frame(path: Path) -> Frame | None:
    """Read an image; None if it is missing or does not match its name."""
    try:
        with Image.open(path) as image:
            x, y = map(int, image.info["origin"].split())
            frame = Frame(np.asarray(image.convert("RGB")), Point(x, y), path.stat().st_mtime)
    except (OSError, SyntaxError, ValueError, KeyError):  # from the decoder, if the image was truncated or edited
        return None
    return frame if frame.digest == path.stem else None
