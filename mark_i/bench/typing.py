"""Typing and clicking in numbers: whether what is typed is what arrives, how fast, and the same of other hands."""

import difflib
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from mark_i.bench.apps.fields import FIELDS, Field, Opening, Take, clicks
from mark_i.bench.apps.rivals import Hands, hands_of, rivals
from mark_i.bench.corpus import LONG, corpus
from toolbelt.control import Control
from toolbelt.desktops import Desktop, VirtualDesktop
from world_model import Point, Size, ToolFailure

OURS: Final = "mark-i"
SIZE: Final = Size(1280, 800)
EVERY: Final = 10  # of so many short strings the rivals are given one: most of them take their time
POINTS: Final = 1000
SEED: Final = 4
SHOWN: Final = 10  # misses that are told in full

Tell = Callable[[str], object]
Taking = Callable[[Desktop, Control, Path], AbstractContextManager[Hands]]


@dataclass(frozen=True, slots=True)
class Try:
    """A string, and what came of typing it."""

    text: str
    seconds: float
    expected: bytes
    arrived: bytes
    refused: str | None

    @property
    def equal(self) -> bool:
        """Whether it arrived, byte for byte."""
        return self.arrived == self.expected


def measured(strings: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Every figure of this benchmark.

    Args:
        strings: how many of the corpus are typed, spread over all of it; the long one is among them.
        control: a stop ends it, and everything that it started.
        tell: is told what is being done.

    Raises:
        DesktopError: there is no virtual desktop to be had here, or an application on it does not start.
    """
    texts = chosen(strings)
    fewer = texts[:-1:EVERY]
    others = rivals()
    contest = Contest(control, tell)
    rows = []
    for field in FIELDS:
        missing = field.missing()
        rows.append(contest.row(field, OURS, missing, our_hands, texts))
        rows.extend(
            contest.row(field, rival.name, missing or rival.missing, partial(hands_of, rival), fewer)
            for rival in others
        )
    return {
        "strings": len(texts),
        "characters": sum(map(len, texts)),
        "long_text": len(texts[-1]),
        "rival_strings": len(fewer),
        "typing": rows,
        "click": clicked(control, tell),
    }


def chosen(strings: int) -> list[str]:
    """So many of the corpus, spread evenly over it, and the long one, which is the last."""
    *short, long = corpus()
    return [*(short[index * len(short) // (strings - 1)] for index in range(strings - 1)), long]


def clicked(control: Control, tell: Tell) -> dict[str, Any]:
    """How long it takes to send a click, and how many of those at random points arrive exactly there.

    Raises:
        DesktopError: there is no virtual desktop to be had here.
    """
    tell(f"{OURS} clicks at {POINTS} points")
    chance = random.Random(SEED)  # noqa: S311 - the same points each time
    wanted = [(chance.randrange(SIZE.width), chance.randrange(SIZE.height)) for _ in range(POINTS)]
    times = []
    refused = 0
    with _opened(clicks, control) as (desktop, take, _):
        for x, y in wanted:
            began = time.perf_counter()
            try:
                desktop.click(Point(x, y))
            except ToolFailure:
                refused += 1
            times.append((time.perf_counter() - began) * 1000)
        arrived = [(x, y) for x, y in json.loads(take())]
    # In order, and one that is lost or too many does not count against those after it.
    same = difflib.SequenceMatcher(None, wanted, arrived, autojunk=False).get_matching_blocks()
    return {
        "points": POINTS,
        "refused": refused,
        "arrived": len(arrived),
        "exact": sum(block.size for block in same),
        "p50_ms": round(statistics.median(times), 2),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 2),
    }


@contextmanager
def _opened(opening: Opening, control: Control) -> Iterator[tuple[Desktop, Take, Path]]:
    """The application on a desktop of its own; nothing of both is left afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-bench-") as name,
        closing(VirtualDesktop(SIZE, control)) as desktop,
        opening(desktop, control, Path(name)) as take,
    ):
        yield desktop, take, Path(name)


@contextmanager
def our_hands(desktop: Desktop, _control: Control, _folder: Path) -> Iterator[Hands]:
    """The desktop's own."""

    def type_text(text: str) -> tuple[float, None]:
        began = time.perf_counter()
        desktop.type(text)
        return time.perf_counter() - began, None

    yield type_text


class Contest:
    """Everybody's hands in the applications, one after the other; `tell` is told where it has got to."""

    def __init__(self, control: Control, tell: Tell) -> None:
        self._control = control
        self._tell = tell

    def row(
        self, field: Field, hands: str, missing: str | None, taking: Taking, texts: Sequence[str]
    ) -> dict[str, Any]:
        """All the texts typed by these hands into this application, unless one of the two is missing."""
        row: dict[str, Any] = {"application": field.name, "hands": hands, "missing": missing}
        return row if missing else row | self._typed(field, hands, taking, texts)

    def _typed(self, field: Field, hands: str, taking: Taking, texts: Sequence[str]) -> dict[str, Any]:
        tries: list[Try] = []
        ended = None
        # Opened anew for each: nothing that other hands left behind counts.
        with (
            _opened(field.open, self._control) as (desktop, take, folder),
            taking(desktop, self._control, folder) as type_text,
        ):
            try:
                for text in texts:
                    self._tell(f"{field.name}: {hands} types string {len(tries) + 1} of {len(texts)}")
                    seconds, refused = type_text(text)
                    tries.append(Try(text, seconds, field.expected(text), take(), refused))
            except ToolFailure as failure:
                ended = str(failure)
        return _figures(tries, len(texts)) | {"ended": ended}


def _figures(tries: Sequence[Try], strings: int) -> dict[str, Any]:
    """Speed is that of the calls that type; getting at what has arrived does not count."""
    long = [one for one in tries if len(one.text) == LONG]
    missed = [one for one in tries if not one.equal]
    return {
        "equal": len(tries) - len(missed),
        "of": strings,
        "characters_per_second": _speed(tries),
        "long_text_per_second": _speed(long) if long else None,
        "missed": [
            {"text": one.text, "arrived": one.arrived.decode("utf-8", "replace"), "refused": one.refused}
            for one in missed[:SHOWN]
        ],
    }


def _speed(tries: Sequence[Try]) -> int:
    return round(sum(len(one.text) for one in tries) / max(sum(one.seconds for one in tries), 1e-6))
