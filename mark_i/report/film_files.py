"""The kinds of files that a film can be, and how each is encoded."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PIL import Image, ImageChops
from PIL.GifImagePlugin import getdata, getheader

from mark_i.report.film_frames import FilmFrame, FrameDrawer
from mark_i.report.images import EFFORT, QUALITY
from mark_i.report.mp4 import mp4_of

AV1_QUALITY: Final = 60  # of 100: text is legible, and a film of ten steps has 300 kB
AV1_SPEED: Final = 10  # the fastest: 10 ms a frame, and larger by a hundredth than at 8
COLORS: Final = 256  # of a GIF
KEEP: Final = 1  # in a GIF: the next frame is drawn over this one
CENTISECOND_MS: Final = 10  # the unit of time in a GIF


class Reel(Image.Image):
    """All frames of a film as one image.

    An encoder of Pillow seeks one frame after the other, and each is drawn then: a long film need not fit into memory.
    """

    is_animated = True

    def __init__(self, frames: Sequence[FilmFrame], drawer: FrameDrawer) -> None:
        super().__init__()
        self._frames, self._drawer = frames, drawer
        self.n_frames = len(frames)
        self._mode, self._size = "RGB", drawer.size
        self._at = -1
        self.seek(0)

    def seek(self, frame: int) -> None:
        """Draw a frame.

        Raises:
            EOFError: there is no such frame.
        """
        if frame >= self.n_frames:
            raise EOFError
        if frame != self._at:
            self.im = self._drawer.draw(self._frames[frame]).im
            self._at = frame

    def tell(self) -> int:
        """Return which frame it is."""
        return self._at


def _mp4(frames: Sequence[FilmFrame], drawer: FrameDrawer) -> bytes:
    """Encode as AV1, which every browser plays."""
    content, times = io.BytesIO(), [frame.shown_ms for frame in frames]
    Reel(frames, drawer).save(content, "AVIF", save_all=True, duration=times, quality=AV1_QUALITY, speed=AV1_SPEED)
    return mp4_of(content.getvalue(), drawer.size, sum(times))


def _webp(frames: Sequence[FilmFrame], drawer: FrameDrawer) -> bytes:
    content, times = io.BytesIO(), [frame.shown_ms for frame in frames]
    # No whole frames in between: a third of the size.
    Reel(frames, drawer).save(content, "WEBP", save_all=True, duration=times, quality=QUALITY, method=EFFORT, kmax=0)
    return content.getvalue()


def _gif(frames: Sequence[FilmFrame], drawer: FrameDrawer) -> bytes:
    """Encode what differs from one frame to the next.

    Pillow's own way keeps all frames in memory, and reduces the colours of each as a whole: what stays the same would
    flicker.
    """
    content = io.BytesIO()
    before: Image.Image | None = None
    for frame in frames:
        image = drawer.draw(frame)
        changed = ImageChops.difference(before, image).getbbox() if before else (0, 0, *image.size)
        left, top, right, bottom = changed or (0, 0, 1, 1)  # a pause, which needs a picture too
        part = image.crop((left, top, right, bottom)).quantize(COLORS)
        if before is None:
            content.write(b"".join(getheader(part, info={"loop": 0})[0]))
        told = {"duration": frame.shown_ms, "disposal": KEEP, "include_color_table": True}
        content.write(b"".join(getdata(part, (left, top), **told)))
        before = image
    content.write(b";")
    return content.getvalue()


ENCODERS: Final[Mapping[str, Callable[[Sequence[FilmFrame], FrameDrawer], bytes]]] = {
    ".mp4": _mp4,
    ".webp": _webp,
    ".gif": _gif,
}


def can_encode(kind: str) -> bool:
    """Whether this Pillow was built with the encoder of a kind of film."""
    Image.init()
    return {".mp4": "AVIF", ".webp": "WEBP", ".gif": "GIF"}[kind] in Image.SAVE_ALL
