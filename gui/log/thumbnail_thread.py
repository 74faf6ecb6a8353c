"""The thread that makes the thumbnails of what is visible. No Tk here."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Protocol

from PIL import Image

from mark_i.runs import Shot

KEPT_IMAGES: Final = 48  # small pictures, of about half a megabyte each


class Pictured(Protocol):
    """What has a thumbnail. Equal ones have the same."""

    def small(self) -> Image.Image | None:
        """Return it; None if it cannot be made now."""

    def __hash__(self) -> int:
        """Identify it."""


class Thumbnails:
    """Makes the thumbnails that are wanted now, and keeps the last few."""

    def __init__(self, kept: int = KEPT_IMAGES) -> None:
        self._kept = kept
        self._thread = ThreadPoolExecutor(1, "thumbnails")
        self._lock = threading.Lock()
        self._wanted: tuple[Pictured, ...] = ()
        self._made: OrderedDict[Pictured, Image.Image] = OrderedDict()
        self._working = False
        self._closed = False

    def small(self, shot: Pictured) -> Image.Image | None:
        """A thumbnail, if it is ready."""
        with self._lock:
            if (image := self._made.get(shot)) is not None:
                self._made.move_to_end(shot)
            return image

    def want(self, shots: Sequence[Pictured]) -> None:
        """Request these thumbnails in order, instead of earlier requests.

        One that fails is tried again when it is requested again: the image of a recent step may not be on disk yet.
        """
        with self._lock:
            self._wanted = tuple(shot for shot in shots if shot not in self._made)
            if self._working or self._closed or not self._wanted:
                return
            self._working = True
            self._thread.submit(self._work)

    def large(self, shot: Shot) -> "Future[Image.Image | None]":
        """A whole screen, as a future."""
        return self._thread.submit(shot.large)

    def close(self) -> None:
        """Make nothing more."""
        with self._lock:
            self._wanted, self._closed = (), True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        while shot := self._next():
            image = shot.small()
            with self._lock:
                if image is not None:
                    self._made[shot] = image
                while len(self._made) > self._kept:
                    self._made.popitem(last=False)

    def _next(self) -> Pictured | None:
        with self._lock:
            if not self._wanted:
                self._working = False
                return None
            first, *rest = self._wanted
            self._wanted = tuple(rest)
            return first
