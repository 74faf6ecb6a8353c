"""The journal of a run: one folder that records what was asked, seen, thought and done, and survives a kill.

    run.json         goal, versions, brain, settings, start; at the end outcome and seconds
    decisions.jsonl  each action, written before it is executed
    approvals.jsonl  what a person was asked before an action
    steps.jsonl      each finished step; flushed and fsynced before the next thought
    words.jsonl      what the person said to the run, at once
    prompts.jsonl    exactly what was sent to the brain, and replies.jsonl what came back
    frames/          images, named by their content, so that an unchanged screen is stored once

The line files are append-only: a kill can only tear the last line, and `read_run` ignores a torn line. Each line and
run.json carry the `version` of their format; a newer version than this program knows is refused.
"""

import contextlib
import hashlib
import io
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, Self

from PIL.PngImagePlugin import putchunk

from world_model.errors import JournalError, file_fault
from world_model.frames import Frame
from world_model.journal_reader import about_of
from world_model.shapes import VERSION
from world_model.steps import Action, Step

LINE_FILES: Final = ("decisions", "approvals", "words", "steps", "prompts", "replies", "nodes")
MAX_QUEUED_IMAGES: Final = 8  # waiting to be stored, 6 MB each at 1080p; a step that adds more has to wait
PNG_COMPRESSION: Final = 3  # zlib level
PNG_HEADER_BYTES: Final = 33  # signature and IHDR chunk; text chunks may follow


Clean = Callable[[Any], Any]
Listener = Callable[[str, Mapping[str, Any]], object]


def unheard(_name: str, _data: Mapping[str, Any]) -> None:
    """Listen to nothing."""


def _unchanged(value: Any) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    return value


class Journal:
    """Writes the folder of one run. A separate thread encodes the images, so that no step waits for it."""

    def __init__(
        self, folder: Path, about: Mapping[str, Any], mode: Literal["xb", "ab"] = "xb", clean: Clean = _unchanged
    ) -> None:
        """Start a run in `folder`, which must not contain one yet, and write `about` to run.json.

        Args:
            folder: the folder of this run alone.
            about: goal, versions, brain, settings.
            mode: how the line files are opened; use `reopen` to append to existing ones.
            clean: redacts everything that is written.

        Raises:
            JournalError: the folder cannot be made or written.
        """
        self.folder = folder
        self._clean = clean
        self._listener: Listener = unheard
        self._about: dict[str, Any] = {"started": datetime.now(UTC).isoformat(timespec="seconds"), **about}
        self._earlier: float | None = self._about.pop("seconds", 0.0)  # of a run that was reopened
        self._began = time.monotonic()
        self._storing: dict[Path, Future[None]] = {}
        with _disk(folder), contextlib.ExitStack() as opened:
            (folder / "frames").mkdir(parents=True, exist_ok=mode == "ab")
            folder.chmod(0o700)  # screenshots are private
            paths = {name: folder / f"{name}.jsonl" for name in LINE_FILES}
            self._files = {
                name: opened.enter_context(open(path, mode, buffering=0, opener=_private))
                for name, path in paths.items()
            }
            self._write_about()
            self._encoder = opened.enter_context(ThreadPoolExecutor(1, "journal-images"))
            self._open = opened.pop_all()

    @classmethod
    def reopen(cls, folder: Path, clean: Clean = _unchanged) -> Self:
        """Continue a run that has ended or was killed; a line that a kill tore is removed.

        Raises:
            JournalError: there is no run in `folder`, or it cannot be written.
        """
        about = about_of(folder)
        about.pop("outcome", None)
        about.setdefault("seconds", None)  # unknown for a run that was killed
        with _disk(folder):
            _drop_torn(folder)
        return cls(folder, about, "ab", clean)

    @property
    def started(self) -> float:
        """When the run first started, in seconds since the epoch, also after a resume."""
        return datetime.fromisoformat(self._about["started"]).timestamp()

    def tell(self, listener: Listener) -> None:
        """Let `listener` have each record, too: the name of its line file and its data, and at the end `run`."""
        self._listener = listener

    def prompt(self, index: int, data: Mapping[str, Any], image: bytes | None, closeup: bytes | None = None) -> None:
        """Record the prompt that is about to be sent for step `index`, with exactly the images that are sent."""
        names: dict[str, str | None] = {"image": None}
        for name, content in (("image", image), ("closeup", closeup)):
            if content is not None:
                names[name] = f"frames/{hashlib.sha256(content).hexdigest()[:32]}.jpg"
                self._store(self.folder / str(names[name]), partial(bytes, content))
        self._append("prompts", {"index": index, **data, **names})

    def reply(self, index: int, data: Mapping[str, Any]) -> None:
        """Record the reply of the brain for step `index`."""
        self._append("replies", {"index": index, **data})

    def decided(self, index: int, action: Action) -> None:
        """Record an action before it is executed, so that a resume never repeats one."""
        self._append("decisions", {"index": index, **action.to_dict()}, sync=True)

    def asked(self, index: int, approval: Mapping[str, Any]) -> None:
        """Record what a person is asked to approve before the action of step `index`."""
        self._append("approvals", {"index": index, **approval})

    def said(self, index: int, text: str) -> None:
        """Record what the person said before step `index`, from any thread; it is on disk when this returns."""
        self._write("words", {"index": index, "text": text}, sync=True)

    def add(self, step: Step) -> None:
        """Record a finished step; it is on disk when this returns."""
        for frame in (step.before, step.after):
            if frame is not None:
                self._store(self.folder / "frames" / f"{frame.digest}.png", partial(_png, frame))
        self._append("steps", step.to_dict(), sync=True)

    def node(self, data: Mapping[str, Any]) -> None:
        """Record the input or output of a workflow node."""
        self._append("nodes", data)

    def note(self, **about: Any) -> None:  # noqa: ANN401 - JSON values have no narrower type
        """Add values to run.json, which is written at the end of the run."""
        self._about |= about

    def close(self, outcome: Mapping[str, Any]) -> None:
        """Write the outcome and wait for the images.

        Raises:
            JournalError: not everything could be written; every file is closed all the same.
        """
        self._about["outcome"] = dict(outcome)
        if self._earlier is not None:
            self._about["seconds"] = round(self._earlier + time.monotonic() - self._began, 1)
        self._listener("run", self._clean(self._about))
        with _disk(self.folder), self._open:
            self._write_about()
            self._await_images(0)

    def _append(self, name: str, data: Mapping[str, Any], *, sync: bool = False) -> None:
        self._write(name, data, sync=sync)
        with _disk(self.folder):
            self._await_images(MAX_QUEUED_IMAGES)

    def _write(self, name: str, data: Mapping[str, Any], *, sync: bool) -> None:
        file, cleaned = self._files[name], self._clean(data)
        self._listener(name, cleaned)
        text = json.dumps({"version": VERSION, **cleaned}, ensure_ascii=False) + "\n"
        line = memoryview(text.encode("utf-8", "surrogatepass"))
        with _disk(self.folder):
            end = file.tell()
            try:
                while line:
                    line = line[file.write(line) :]
                if sync:
                    os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):  # a torn line may only be the last one
                    file.seek(end)
                    file.truncate()
                raise

    def _write_about(self) -> None:
        content = json.dumps({"version": VERSION, **self._clean(self._about)}, ensure_ascii=False, indent=2)
        write_whole(self.folder / "run.json", content.encode("utf-8", "surrogatepass"))

    def _store(self, path: Path, content: Callable[[], bytes]) -> None:
        with _disk(self.folder):
            if path not in self._storing and not path.exists():
                self._await_images(MAX_QUEUED_IMAGES - 1)
                self._storing[path] = self._encoder.submit(lambda: write_whole(path, content()))

    def _await_images(self, most: int) -> None:
        """Wait until at most `most` images are still queued.

        Raises:
            OSError: an image could not be stored.
        """
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
        raise JournalError(f"The run's folder {folder} cannot be written: {file_fault(error)}.") from error


def _private(path: str, flags: int) -> int:
    """Open a file; a new one is readable for its owner only."""
    return os.open(path, flags, 0o600)


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader sees the old content or the new, and a failure keeps the old.

    What is not a regular file, such as /dev/stdout as a pipe, is written directly.

    Raises:
        OSError: it cannot be written; `filename` is the path of the file itself.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()  # keep a symbolic link
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")  # concurrent writers each have their own
    try:
        with open(part, "wb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        error.filename = str(path)
        raise


def _png(frame: Frame) -> bytes:
    """Encode without row filters: a third of the time and no larger, since screens have uniform colours."""
    import cv2  # noqa: PLC0415 - slow to import, and reading a journal does not need it

    without = [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE, cv2.IMWRITE_PNG_COMPRESSION, PNG_COMPRESSION]
    encoded = cv2.imencode(".png", cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2BGR), without)[1].tobytes()
    content = io.BytesIO()
    content.write(encoded[:PNG_HEADER_BYTES])
    putchunk(content, b"tEXt", f"origin\0{frame.origin.x} {frame.origin.y}".encode())
    content.write(encoded[PNG_HEADER_BYTES:])
    return content.getvalue()


def _drop_torn(folder: Path) -> None:
    """Remove what a kill left half written."""
    for part in (*folder.glob("run.json.*part"), *(folder / "frames").glob("*.part")):
        part.unlink(missing_ok=True)
    for path in (folder / f"{name}.jsonl" for name in LINE_FILES):
        if path.exists():
            os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
