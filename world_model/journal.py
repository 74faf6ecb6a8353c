"""The journal of a run: one folder that tells what was asked, seen, thought and done, and outlives a kill.

    run.json         goal, versions, brain, settings, start; outcome and seconds once there is an end
    decisions.jsonl  each action, written before it is carried out
    approvals.jsonl  what a person was asked before one was done
    steps.jsonl      each finished step; flushed and fsynced before the next thought
    prompts.jsonl    exactly what was sent to the brain, and replies.jsonl what came back
    frames/          images, named by what they show, so that an unchanged screen is stored once

Every line file is append-only: a kill can tear its last line and nothing else, and `read_run` leaves a torn line out.
Each line, and run.json, has the `version` of its form; a newer one than is known is refused.
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

from world_model.errors import JournalError
from world_model.frames import Frame
from world_model.readback import about_of
from world_model.shapes import VERSION
from world_model.steps import Action, Step

LINE_FILES: Final = ("decisions", "approvals", "steps", "prompts", "replies", "nodes")
WAITING: Final = 8  # images that may wait to be stored, 6 MB each at 1080p; a step that brings more waits itself
COMPRESSION: Final = 3  # zlib's, of an image
HEAD: Final = 33  # bytes of a PNG before anything may be told about it: its signature and its size


Clean = Callable[[Any], Any]


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    return value


class Journal:
    """Writes one run's folder. Images are encoded on a thread of their own, out of a step's path."""

    def __init__(
        self, folder: Path, about: Mapping[str, Any], mode: Literal["xb", "ab"] = "xb", clean: Clean = _as_it_is
    ) -> None:
        """Begin a run in `folder`, which must not hold one yet, and write `about` as run.json.

        Args:
            folder: the run's own.
            about: goal, versions, brain, settings.
            mode: how the line files are opened; `reopen` is the way to go on with those that are there.
            clean: takes out of everything that is written what must not be told.

        Raises:
            JournalError: the folder cannot be made or written.
        """
        self.folder = folder
        self._clean = clean
        self._about: dict[str, Any] = {"started": datetime.now(UTC).isoformat(timespec="seconds"), **about}
        self._earlier: float | None = self._about.pop("seconds", 0.0)  # of a run that was reopened
        self._began = time.monotonic()
        self._storing: dict[Path, Future[None]] = {}
        with _disk(folder), contextlib.ExitStack() as opened:
            (folder / "frames").mkdir(parents=True, exist_ok=mode == "ab")
            folder.chmod(0o700)  # what stood on the screen is nobody else's business
            paths = {name: folder / f"{name}.jsonl" for name in LINE_FILES}
            self._files = {
                name: opened.enter_context(open(path, mode, buffering=0, opener=_private))
                for name, path in paths.items()
            }
            self._write_about()
            self._encoder = opened.enter_context(ThreadPoolExecutor(1, "journal-images"))
            self._open = opened.pop_all()

    @classmethod
    def reopen(cls, folder: Path, clean: Clean = _as_it_is) -> Self:
        """Go on with a run that has ended, or was killed: what a kill left half written is cut off.

        Raises:
            JournalError: there is no run in `folder`, or it cannot be written.
        """
        about = about_of(folder)
        about.pop("outcome", None)
        about.setdefault("seconds", None)  # nobody knows how long one took that was killed
        with _disk(folder):
            _mend(folder)
        return cls(folder, about, "ab", clean)

    @property
    def started(self) -> float:
        """When the run began, in seconds since the epoch, also where it was gone on with."""
        return datetime.fromisoformat(self._about["started"]).timestamp()

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

    def asked(self, index: int, approval: Mapping[str, Any]) -> None:
        """Record what a person is asked before the action of step `index`."""
        self._append("approvals", {"index": index, **approval})

    def add(self, step: Step) -> None:
        """Record a finished step; it is on the disk when this returns."""
        for frame in (step.before, step.after):
            if frame is not None:
                self._store(self.folder / "frames" / f"{frame.digest}.png", partial(_png, frame))
        self._append("steps", step.to_dict(), sync=True)

    def node(self, data: Mapping[str, Any]) -> None:
        """Record what a node of a workflow got or gave."""
        self._append("nodes", data)

    def note(self, **about: Any) -> None:  # noqa: ANN401 - JSON values have no narrower type
        """Record more about the run, in run.json at its end."""
        self._about |= about

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
        text = json.dumps({"version": VERSION, **self._clean(data)}, ensure_ascii=False) + "\n"
        line = memoryview(text.encode("utf-8", "surrogatepass"))
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
        content = json.dumps({"version": VERSION, **self._clean(self._about)}, ensure_ascii=False, indent=2)
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


def _private(path: str, flags: int) -> int:
    """Open a file that is the person's alone, where it is a new one."""
    return os.open(path, flags, 0o600)


def write_whole(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never half of one; where it cannot be written the old one stays.

    What is no file, such as /dev/stdout where that is a pipe, is written to as it is.

    Raises:
        OSError: with the name of the file itself.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()  # a link stays one
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")  # two who write at once have one each
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
    """Rows without a filter: a third of the work and no more bytes, for screens are drawn in even colours."""
    import cv2  # noqa: PLC0415 - who only reads journals need not wait for it

    without = [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE, cv2.IMWRITE_PNG_COMPRESSION, COMPRESSION]
    encoded = cv2.imencode(".png", cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2BGR), without)[1].tobytes()
    content = io.BytesIO()
    content.write(encoded[:HEAD])
    putchunk(content, b"tEXt", f"origin\0{frame.origin.x} {frame.origin.y}".encode())
    content.write(encoded[HEAD:])
    return content.getvalue()


def _mend(folder: Path) -> None:
    """Remove what a kill left half written, and nothing else."""
    for part in (*folder.glob("run.json.*part"), *(folder / "frames").glob("*.part")):
        part.unlink(missing_ok=True)
    for path in (folder / f"{name}.jsonl" for name in LINE_FILES):
        if path.exists():
            os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
