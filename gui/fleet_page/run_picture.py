"""The small picture of a run on the wall. No Tk here."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from world_model import JournalError, read_frame


@dataclass(frozen=True, slots=True)
class RunPicture:
    """A screen of a run, as large as there is room for.

    Attributes:
        folder: of its journal.
        screen: the digest of the screen; empty for the last one of a run that has ended.
        room: width and height, in pixels.
    """

    folder: Path
    screen: str
    room: tuple[int, int]

    def small(self) -> Image.Image | None:
        """Return it; None if it is not on the disk yet. A run that has ended without one has an empty picture."""
        from mark_i.fleet import last_screen  # noqa: PLC0415 - on the thread that makes it

        try:
            frame = read_frame(self.folder, self.screen) if self.screen else last_screen(self.folder)
        except JournalError:  # it was deleted, or edited
            frame = None
        if frame is None:
            return None if self.screen else Image.new("RGBA", (1, 1))
        image = Image.fromarray(frame.pixels)
        image.thumbnail(self.room, Image.Resampling.LANCZOS, reducing_gap=2.0)
        return image
