"""`mark-i bench skills`: work that was shown once, done again where something is otherwise."""

import json
from collections.abc import Mapping
from typing import Any, Final

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mark_i.bench.conditions import CONDITIONS
from mark_i.cli.console import GREEN, RED, fitted
from mark_i.cli.options import json_option, stopped_on_signals
from mark_i.printable import CONTROLS

MEANT: Final[Mapping[str, str]] = {
    "moved": "the window is elsewhere and has another size",
    "theme": "another theme",
    "font": "larger letters",
    "relabelled": "a control has another name",
    "popup": "a popup is in front",
    "values": "other values",
    "slow": "the programs get a quarter of the time",
}
RIGHT_PERCENT_MIN: Final = 95.0


@click.command()
@click.option(
    "--demonstrations", type=click.IntRange(min=1), default=40, show_default=True, help="How many to show and do again."
)
@json_option
def skills(demonstrations: int, as_json: bool) -> None:
    """Measure how well a skill does again what was shown once, where something is otherwise.

    It uses real programs of three toolkits and a browser on virtual desktops, and no model. With all demonstrations it
    takes an hour. Programs that are not installed are left out.

    Example: mark-i bench skills --demonstrations 5
    """
    from mark_i.bench.skills import measured  # noqa: PLC0415 - a command loads only what it needs

    control = stopped_on_signals()
    with Console(stderr=True).status("") as status:
        figures = measured(demonstrations, control, status.update)
    if missing := figures["not_installed"]:
        click.echo(f"Left out, since they are not installed: {', '.join(missing)}.", err=True)
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
    else:
        tell_skills(figures)


def tell_skills(figures: Mapping[str, Any]) -> None:
    """Print a table of what was otherwise, the sums, and each replay that was not right with its reason."""
    console = Console(highlight=False)
    table = Table("", "right", "refused", "silently wrong", box=box.SIMPLE_HEAD, pad_edge=False)
    for condition in CONDITIONS:
        counts = figures["by_condition"][condition]
        wrong = counts.get("wrong", 0)
        row = (str(counts.get(name, 0)) for name in ("right", "refused"))
        table.add_row(MEANT[condition], *row, Text(str(wrong), RED if wrong else GREEN))
    console.print(table)
    percent = figures["right_percent"]
    right = Text(
        f"{figures['right']} of {figures['replays']}, {percent} %", GREEN if percent >= RIGHT_PERCENT_MIN else RED
    )
    console.print("Right:", right)
    console.print(
        f"{figures['compiled']} of {figures['demonstrations']} demonstrations in {figures['programs']} programs made a "
        f"skill; {figures['parameters_found_percent']} % of the values were found; {figures['tokens']} tokens; "
        f"{figures['times_faster_than_a_model']} times faster than a model that takes 3 s for a step, "
        f"{figures['times_faster_than_offline']} times faster than the offline brain."
    )
    refused = [f"{row['name']}: no skill: {row['refused']}" for row in figures["rows"] if row["refused"]]
    for line in (*refused, *figures["not_right"]):
        console.print(fitted(line.translate(CONTROLS)), markup=False)
