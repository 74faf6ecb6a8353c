"""`mark-i bench elements`: what is found on screens whose truth is known."""

import json
from collections.abc import Mapping
from typing import Any, Final

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mark_i.bench.screens.described import FAMILIES
from mark_i.cli.console import GREEN, RED, fitted
from mark_i.cli.options import json_option, stopped_on_signals
from mark_i.printable import CONTROLS

TARGETS: Final = {"found_percent": 97.0, "right_percent": 92.0, "invented_percent": 1.0}  # the last is a maximum
MAX_MS: Final = 150


@click.command()
@click.option(
    "--family", "families", type=click.Choice(FAMILIES), multiple=True, help="Only these screens; may be repeated."
)
@click.option("--misses", is_flag=True, help="List what was missed, wrong or invented.")
@json_option
def elements(families: tuple[str, ...], misses: bool, as_json: bool) -> None:
    """Measure which elements are found on screens of six toolkits, and by pixels alone.

    It shows over a hundred screens on virtual desktops and compares each with its truth. All take several
    minutes. A toolkit that is not installed is left out.

    Example: mark-i bench elements --family qt6 --misses
    """
    from mark_i.bench.elements import measured  # noqa: PLC0415 - a command loads only what it needs

    control = stopped_on_signals()
    with Console(stderr=True).status("") as status:
        figures = measured(families or FAMILIES, control, status.update)
    for family, hint in figures["missing"].items():
        click.echo(f"No screens of {family}: what shows them is not installed. {hint}", err=True)
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
        return
    tell_elements(figures)
    if misses:
        console = Console(highlight=False)
        for miss in figures["misses"]:
            console.print(fitted(miss.translate(CONTROLS)), markup=False)


def tell_elements(figures: Mapping[str, Any]) -> None:
    """Print a table of the families: what is found with what programs say, and beside it by pixels alone."""
    console = Console(highlight=False)
    table = Table(
        "", "screens", "elements", "found %", "right %", "values %", "invented %", "ms (p50, p95)",
        box=box.SIMPLE_HEAD, pad_edge=False,
    )  # fmt: skip
    for row in (*figures["families"], figures["all"]):
        joined, pixels = row["joined"], row["pixels"]
        cells = [_beside(joined, pixels, name) for name in ("found_percent", "right_percent", "values_percent")]
        cells.append(_beside(joined, pixels, "invented_percent"))
        times = Text(f"{row['p50_ms']}, {row['p95_ms']}", GREEN if (row["p95_ms"] or 0) <= MAX_MS else RED)
        table.add_row(row["family"], str(row["screens"]), str(joined["elements"]), *cells, times)
    console.print(table)
    console.print(
        "Found are all elements; right in role and name, and in value or state, are controls; invented are controls "
        f"where there is none. Dim: pixels alone. Load of the machine: {', '.join(map(str, figures['load']))}."
    )


def _beside(joined: Mapping[str, Any], pixels: Mapping[str, Any], name: str) -> Text:
    value, target = joined[name], TARGETS.get(name)
    colour = ""
    if value is not None and target is not None:
        fits = value <= target if name == "invented_percent" else value >= target
        colour = GREEN if fits else RED
    return Text.assemble((_number(value), colour), "  ", (_number(pixels[name]), "dim"))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
