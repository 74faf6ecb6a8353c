"""MP4 from an animated AVIF.

Pillow encodes AV1, which every browser plays, but writes it only as an image. A film needs other boxes around the same
samples (ISO 14496-12): a video track with a known duration.
"""

import struct
from collections.abc import Iterator
from typing import Final

TIMESCALE: Final = 1000  # units of a second
UNTURNED: Final = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)  # the identity, fixed point
BRANDS: Final = b"isom" + struct.pack(">I", 0x200) + b"isomiso2av01mp41"
UNDETERMINED: Final = 0x55C4  # the language `und`
SHOWN: Final = 3  # flags of a track: enabled, and in the film
SAMPLES: Final = (b"stsd", b"stts", b"stss", b"stsc", b"stsz")  # what a film takes over: codec, times, sizes
FULL_BOX_BYTES: Final = 12  # size, type, version and flags


def mp4_of(avif: bytes, size: tuple[int, int], duration_ms: int) -> bytes:
    """Return the frames of an animated AVIF as an MP4 file.

    Args:
        avif: an image as Pillow writes it, with all samples in one chunk.
        size: its width and height in pixels.
        duration_ms: of all frames together.
    """
    table = dict(_boxes(_inside(avif, b"moov", b"trak", b"mdia", b"minf", b"stbl")))
    count = struct.unpack_from(">I", table[b"stsz"], FULL_BOX_BYTES + 4)[0]
    sizes = struct.unpack_from(f">{count}I", table[b"stsz"], FULL_BOX_BYTES + 8)
    start = struct.unpack_from(">I", table[b"stco"], FULL_BOX_BYTES + 4)[0]
    samples = b"".join(table[name] for name in SAMPLES)
    kind = _box(b"ftyp", BRANDS)
    offset = len(kind) + len(_movie(samples, 0, size, duration_ms)) + 8
    return kind + _movie(samples, offset, size, duration_ms) + _box(b"mdat", avif[start : start + sum(sizes)])


def _movie(samples: bytes, offset: int, size: tuple[int, int], duration_ms: int) -> bytes:
    """Return the box that describes the film; `offset` is where its samples begin in the file."""
    one_chunk = _full(b"stco", struct.pack(">II", 1, offset))
    here = _full(b"dref", struct.pack(">I", 1), _full(b"url ", flags=1))
    media = _box(
        b"mdia",
        _full(b"mdhd", struct.pack(">4I2H", 0, 0, TIMESCALE, duration_ms, UNDETERMINED, 0)),
        _full(b"hdlr", struct.pack(">I4s12x", 0, b"vide"), b"\0"),
        _box(b"minf", _full(b"vmhd", bytes(8), flags=1), _box(b"dinf", here), _box(b"stbl", samples, one_chunk)),
    )
    width, height = size
    track = _full(
        b"tkhd",
        struct.pack(">5I8x4H", 0, 0, 1, 0, duration_ms, 0, 0, 0, 0),
        UNTURNED,
        struct.pack(">2I", width << 16, height << 16),
        flags=SHOWN,
    )
    head = _full(
        b"mvhd",
        struct.pack(">4IIH10x", 0, 0, TIMESCALE, duration_ms, 0x10000, 0x100),
        UNTURNED,
        bytes(24),
        struct.pack(">I", 2),  # the number of the next track
    )
    return _box(b"moov", head, _box(b"trak", track, media))


def _box(kind: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I4s", len(content) + 8, kind) + content


def _full(kind: bytes, *parts: bytes, flags: int = 0) -> bytes:
    """Return a box of version 0 with flags."""
    return _box(kind, struct.pack(">I", flags), *parts)


def _boxes(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each box with its kind."""
    while content:
        length, kind = struct.unpack_from(">I4s", content)
        yield kind, content[:length]
        content = content[length:]


def _inside(content: bytes, *path: bytes) -> bytes:
    """Return what is in the box at the end of the path."""
    for wanted in path:
        content = next(box for kind, box in _boxes(content) if kind == wanted)[8:]
    return content
