"""The charts of a report as numbers: a column for each step, made of stacked parts."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from world_model import Step

HEIGHT: Final = 100.0  # of the highest column, in the chart's own measure
TIMES: Final = ("Look", "Think", "Act", "Settle", "Other")  # the fields of a Timing, in order
TOKENS: Final = ("Input", "Cached input", "Output")


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of a column: its distance from the top, and its height."""

    top: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        name: what it shows, also in the classes of its parts.
        parts: what each part of a column is, and its total.
        columns: the parts of each step, and its tooltip.
        highest: what the highest column stands for.
    """

    name: str
    title: str
    parts: tuple[tuple[str, str], ...]
    columns: tuple[tuple[tuple[Bar, ...], str], ...]
    highest: str


def times(steps: Sequence[Step]) -> Chart:
    """Chart where the time of each step went."""
    rows = [astuple(step.timing) for step in steps]
    return _chart("time", "Where the time went", TIMES, rows, lambda ms: f"{ms / 1000:,.2f} s")


def tokens(steps: Sequence[Step]) -> Chart:
    """Chart the tokens of each step."""
    rows = [
        (step.usage.input_tokens - step.usage.cached_tokens, step.usage.cached_tokens, step.usage.output_tokens)
        for step in steps
    ]
    return _chart("tokens", "Tokens", TOKENS, rows, lambda count: f"{count:,.0f}")


def _chart(
    name: str, title: str, parts: Sequence[str], rows: Sequence[Sequence[float]], words: Callable[[float], str]
) -> Chart:
    most = max((sum(row) for row in rows), default=0)
    by = HEIGHT / most if most else 0.0
    columns = tuple(
        (_bars(row, by), f"Step {index}: {', '.join(_described(parts, row, words)) or words(0)}")
        for index, row in enumerate(rows, start=1)
    )
    totals = tuple((part, words(sum(row[at] for row in rows))) for at, part in enumerate(parts))
    return Chart(name, title, totals, columns, words(most))


def _bars(row: Sequence[float], by: float) -> tuple[Bar, ...]:
    """Stack the parts from the bottom up."""
    bars, top = [], HEIGHT
    for value in row:
        height = max(0.0, value * by)
        top -= height
        bars.append(Bar(round(top, 2), round(height, 2)))
    return tuple(bars)


def _described(parts: Sequence[str], row: Sequence[float], words: Callable[[float], str]) -> list[str]:
    return [f"{part.lower()} {words(value)}" for part, value in zip(parts, row, strict=True) if value]
