"""The typing benchmark: whether typed text and clicks arrive exactly, how fast, and how other libraries compare."""

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
from mark_i.bench.apps.rivals import TypeText, rivals, typing_of
from mark_i.bench.corpus import LONG_CHARS, corpus
from toolbelt.control import Control
from toolbelt.desktops import Desktop, VirtualDesktop
from world_model import Point, Size, ToolFailure

OURS: Final = "mark-i"
SIZE: Final = Size(1280, 800)
RIVAL_SHARE: Final = 10  # rivals type every tenth of the short strings: most of them are slow
POINTS: Final = 1000
SEED: Final = 4
MISSES_SHOWN: Final = 10  # reported in full

Tell = Callable[[str], object]
OpenTyping = Callable[[Desktop, Control, Path], AbstractContextManager[TypeText]]


@dataclass(frozen=True, slots=True)
class TypingAttempt:
    """A string, and the result of typing it."""

    text: str
    seconds: float
    expected: bytes
    arrived: bytes
    refused: str | None

    @property
    def equal(self) -> bool:
        """Whether it arrived byte for byte."""
        return self.arrived == self.expected


def measured(strings: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Run the whole benchmark and return its figures.

    Args:
        strings: How many strings of the corpus are typed, evenly spread, including the long one.
        control: A stop ends the benchmark and everything that it started.
        tell: Receives progress messages.

    Raises:
        DesktopError: No virtual desktop is available, or an application does not start.
    """
    texts = chosen(strings)
    fewer = texts[:-1:RIVAL_SHARE]
    others = rivals()
    contest = Contest(control, tell)
    rows = []
    for field in FIELDS:
        missing = field.missing()
        rows.append(contest.row(field, OURS, missing, our_typing, texts))
        rows.extend(
            contest.row(field, rival.name, missing or rival.missing, partial(typing_of, rival), fewer)
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
    """Return strings spread evenly over the corpus, and the long one at the end."""
    *short, long = corpus()
    return [*(short[index * len(short) // (strings - 1)] for index in range(strings - 1)), long]


def clicked(control: Control, tell: Tell) -> dict[str, Any]:
    """Measure how long a click takes, and how many clicks at random points arrive exactly.

    Raises:
        DesktopError: No virtual desktop is available.
    """
    tell(f"{OURS} clicks at {POINTS} points")
    chance = random.Random(SEED)  # noqa: S311 - a benchmark repeats the same points
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
    # In order; a lost or an extra click does not affect the ones after it.
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
    """Open an application on a desktop of its own; both are gone afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-bench-") as name,
        closing(VirtualDesktop(SIZE, control)) as desktop,
        opening(desktop, control, Path(name)) as take,
    ):
        yield desktop, take, Path(name)


@contextmanager
def our_typing(desktop: Desktop, _control: Control, _folder: Path) -> Iterator[TypeText]:
    """Type with MARK-I itself."""

    def type_text(text: str) -> tuple[float, None]:
        began = time.perf_counter()
        desktop.type(text)
        return time.perf_counter() - began, None

    yield type_text


class Contest:
    """Types with each library into each application, one after the other; `tell` receives the progress."""

    def __init__(self, control: Control, tell: Tell) -> None:
        self._control = control
        self._tell = tell

    def row(
        self, field: Field, hands: str, missing: str | None, taking: OpenTyping, texts: Sequence[str]
    ) -> dict[str, Any]:
        """Type all texts with one library into one application, unless one of them is missing."""
        row: dict[str, Any] = {"application": field.name, "hands": hands, "missing": missing}
        return row if missing else row | self._typed(field, hands, taking, texts)

    def _typed(self, field: Field, hands: str, taking: OpenTyping, texts: Sequence[str]) -> dict[str, Any]:
        tries: list[TypingAttempt] = []
        ended = None
        # Reopened for each, so that nothing is left over from another library.
        with (
            _opened(field.open, self._control) as (desktop, take, folder),
            taking(desktop, self._control, folder) as type_text,
        ):
            try:
                for text in texts:
                    self._tell(f"{field.name}: {hands} types string {len(tries) + 1} of {len(texts)}")
                    seconds, refused = type_text(text)
                    tries.append(TypingAttempt(text, seconds, field.expected(text), take(), refused))
            except ToolFailure as failure:
                ended = str(failure)
        return _figures(tries, len(texts)) | {"ended": ended}


def _figures(tries: Sequence[TypingAttempt], strings: int) -> dict[str, Any]:
    """Compute the figures; the speed counts only the calls that type."""
    long = [one for one in tries if len(one.text) == LONG_CHARS]
    missed = [one for one in tries if not one.equal]
    return {
        "equal": len(tries) - len(missed),
        "of": strings,
        "characters_per_second": _speed(tries),
        "long_text_per_second": _speed(long) if long else None,
        "missed": [
            {"text": one.text, "arrived": one.arrived.decode("utf-8", "replace"), "refused": one.refused}
            for one in missed[:MISSES_SHOWN]
        ],
    }


def _speed(tries: Sequence[TypingAttempt]) -> int:
    return round(sum(len(one.text) for one in tries) / max(sum(one.seconds for one in tries), 1e-6))
