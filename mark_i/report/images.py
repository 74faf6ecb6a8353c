"""The images of a report: each is in the file once, however often it is shown."""

import base64
import io
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from markupsafe import Markup
from PIL import Image

from world_model import Region, read_frame

MAX_SIZE_PX: Final = (1280, 1280)  # pixels that a picture has at most
# WebP has text as legible as JPEG in a third of the bytes: about 30 kB for a screen, in 40 ms.
QUALITY: Final = 75
EFFORT: Final = 2
# How the journal names one; a line that was changed by hand may name any file.
SENT: Final = re.compile(r"frames/[0-9a-f]{32}\.jpg")


@dataclass(frozen=True, slots=True)
class EmbeddedImage:
    """One image.

    Attributes:
        name: its id in the file.
        seen: what it shows: an area of the desktop, or all of an image that was sent. Marks are drawn in its pixels.
        uri: the image itself, at most as large as `MAX_SIZE_PX`.
        bytes: the size of its own file.
    """

    name: str
    seen: Region
    uri: Markup
    bytes: int


def embed_images(folder: Path, names: Iterable[str]) -> Mapping[str, EmbeddedImage]:
    """Embed the images of a run by name, those of its prompts too, and leave out those that are missing.

    Args:
        folder: the run's.
        names: digests of frames, and the `image` of what was sent; each may occur more than once.
    """
    wanted = tuple(dict.fromkeys(names))
    with ThreadPoolExecutor(thread_name_prefix="report") as threads:
        made = threads.map(partial(_embed, folder), wanted, (f"p{number}" for number in range(len(wanted))))
        return {name: one for name, one in zip(wanted, made, strict=True) if one}


def _embed(folder: Path, wanted: str, name: str) -> EmbeddedImage | None:
    if wanted.startswith("frames/"):
        return _sent(folder / wanted, name) if SENT.fullmatch(wanted) else None
    if (frame := read_frame(folder, wanted)) is None:
        return None
    size = (folder / "frames" / f"{wanted}.png").stat().st_size
    return EmbeddedImage(name, frame.region, _uri(Image.fromarray(frame.pixels)), size)


def _sent(file: Path, name: str) -> EmbeddedImage | None:
    try:
        with Image.open(file) as opened:
            image = opened.convert("RGB")
        size = file.stat().st_size
    except (OSError, SyntaxError, ValueError):  # it is not there, or was cut off
        return None
    return EmbeddedImage(name, Region(0, 0, *image.size), _uri(image), size)


def _uri(image: Image.Image) -> Markup:
    """Encode an image; the result is base64 and needs no escaping."""
    image.thumbnail(MAX_SIZE_PX, Image.Resampling.LANCZOS, reducing_gap=2.0)
    content = io.BytesIO()
    image.save(content, "WEBP", quality=QUALITY, method=EFFORT)
    return Markup(f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}")  # noqa: S704
