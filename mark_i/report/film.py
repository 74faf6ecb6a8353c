"""The film of a run, from its journal: each step's screen, where the pointer went, and the screen after it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mark_i.events import OUTCOME_LABELS
from mark_i.guard.secrets import Secrets
from mark_i.printable import CONTROLS
from mark_i.report.film_files import ENCODERS, can_encode
from mark_i.report.film_frames import Caption, Card, FilmFrame, FrameDrawer
from mark_i.report.pace import MOVE_MS, RING_MS, after_ms, path_of, reading_ms
from mark_i.report.page import ENDINGS
from mark_i.runs.playback import why_no_outcome
from mark_i.runs.store import Summary, by_version, is_running, summary
from world_model import (
    Frame,
    JournalError,
    Point,
    Run,
    Step,
    UsageError,
    call,
    file_fault,
    problem,
    read_frame,
    read_run,
)
from world_model.journal import write_whole

MOVE_FRAMES: Final = 8  # 20 a second


def write_film(folder: Path, secrets: Secrets, file: Path) -> None:
    """Write the film of the run in a folder to a new file.

    Args:
        folder: the run's.
        secrets: what the captions must not show; the images are as the journal has them.
        file: its ending says which kind of film it is.

    Raises:
        UsageError: no film can be written to that file, or the run has no step.
        JournalError: the run cannot be read, all of its images are missing, or the file cannot be written.
    """
    _check(file)
    with by_version(folder):
        run = read_run(folder, images=False)
    if not run.steps:
        raise UsageError(f"The run {folder.name} has no step, so there is nothing to film.")
    script = _Script(run, secrets, summary(folder))
    film = ENCODERS[file.suffix.lower()](script.frames, script.drawer)
    try:
        write_whole(file, film)
    except OSError as error:
        raise JournalError(f"The film {file} cannot be written: {file_fault(error)}.") from error


def _check(file: Path) -> None:
    """Refuse a file that cannot become a film before anything is drawn: a long run takes a while."""
    kind = file.suffix.lower()
    if kind not in ENCODERS:
        raise UsageError(f"The film {file} must end in .mp4, .webp or .gif.")
    if not can_encode(kind):
        raise UsageError(f"The film {file} cannot be encoded by the Pillow that is installed. Use .webp or .gif.")
    if file.exists() or file.is_symlink():
        raise UsageError(f"The film {file} is not written: the file exists already.")
    if not file.absolute().parent.is_dir():
        raise UsageError(f"The film {file} is not written: there is no folder {file.absolute().parent}.")


class _Script:
    """What is shown in a film, and in which order."""

    def __init__(self, run: Run, secrets: Secrets, about: Summary) -> None:
        self._run, self._secrets, self._about = run, secrets, about
        first = _first_screen(run)
        self.frames = tuple(self._shown(first))
        told = {word for frame in self.frames for word in frame.told.texts}
        self.drawer = FrameDrawer(run.folder, first, "".join(told))

    def _shown(self, first: Frame) -> Iterator[FilmFrame]:
        screen, pointer = first.digest, first.region.center
        yield self._card(screen, "Goal", self._about.goal)
        for step in self._run.steps:
            screen = step.before.digest if step.before else screen
            caption = self._caption(step, call(step.action))
            yield FilmFrame(screen, caption, reading_ms(caption.words + caption.action), pointer)
            for leg, place in enumerate(path_of(step)):
                yield from _moved(screen, caption, pointer, place, ring=leg > 0)  # of a drag, the button is held
                yield FilmFrame(screen, caption, RING_MS, place, ring=True)
                pointer = place
            screen = step.after.digest if step.after else screen
            yield self._after(step, screen, caption, pointer)
        yield self._card(screen, ENDINGS.get(self._about.outcome, self._about.outcome), self._ending())

    def _after(self, step: Step, screen: str, caption: Caption, pointer: Point) -> FilmFrame:
        if (error := step.observation.error) is None:
            return FilmFrame(screen, caption, after_ms(step), pointer)
        failed = self._caption(step, problem(error), failed=True)
        return FilmFrame(screen, failed, after_ms(step), pointer)

    def _caption(self, step: Step, action: str, *, failed: bool = False) -> Caption:
        count = f"{step.index} of {len(self._run.steps)}"
        return Caption(self._printed(step.thought.text), self._printed(action), count, failed=failed)

    def _card(self, screen: str, heading: str, words: str) -> FilmFrame:
        card = Card(self._printed(heading), self._printed(words))
        return FilmFrame(screen, card, reading_ms(card.heading + card.words))

    def _ending(self) -> str:
        if self._about.said or self._about.outcome in OUTCOME_LABELS:
            return self._about.said
        return why_no_outcome(self._run, running=is_running(self._run.folder))

    def _printed(self, words: str) -> str:
        """Return a text as it may be shown: in one line, without secrets, and without half a character."""
        shown = self._secrets.redacted(words).translate(CONTROLS)
        return " ".join(shown.encode("utf-8", "replace").decode().split())


def _first_screen(run: Run) -> Frame:
    """Read the first image of a run that is there.

    Raises:
        JournalError: there is none.
    """
    named = [frame.digest for step in run.steps for frame in (step.before, step.after) if frame]
    for digest in dict.fromkeys(named):
        if frame := read_frame(run.folder, digest):
            return frame
    why = "its images are missing from its folder" if named else "it had no screen"
    raise JournalError(f"There is no film of the run {run.folder.name}: {why}.")


def _moved(screen: str, caption: Caption, start: Point, end: Point, *, ring: bool) -> Iterator[FilmFrame]:
    """Show the pointer on its way: fast in the middle, as a hand moves it."""
    if start == end:
        return
    for number in range(1, MOVE_FRAMES + 1):
        part = number / MOVE_FRAMES
        eased = part * part * (3 - 2 * part)
        at = Point(round(start.x + (end.x - start.x) * eased), round(start.y + (end.y - start.y) * eased))
        yield FilmFrame(screen, caption, MOVE_MS // MOVE_FRAMES, at, ring)
