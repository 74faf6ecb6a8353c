"""`mark-i bench`: measure the promised figures on this machine."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mark_i.bench.corpus import STRINGS
from mark_i.brains import brain_named
from mark_i.cli.command_names import Commands
from mark_i.cli.commands.bench_elements import elements
from mark_i.cli.commands.bench_goals import miniwob, tasks
from mark_i.cli.commands.bench_skills import skills
from mark_i.cli.console import GREEN, RED, fitted
from mark_i.cli.options import json_option, stopped_on_signals
from mark_i.config.api_keys import Keys
from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.config.settings import load
from toolbelt.control import Control

Figures = dict[str, Any]
Tell = Callable[[str], object]


@click.group(cls=Commands)
def bench() -> None:
    """Measure the promised figures on this machine.

    Example: mark-i bench reading
    """


@bench.command()
@click.option(
    "--steps", type=click.IntRange(min=1000), default=10_000, show_default=True, help="Steps of the long run."
)
@json_option
def mind(steps: int, as_json: bool) -> None:
    """Measure prompts, replies, and a very long run.

    Example: mark-i bench mind --steps 2000
    """
    from mark_i.bench.mind import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(measured(steps), as_json=as_json)


@bench.command()
@click.option(
    "--strings",
    type=click.IntRange(min=2, max=STRINGS),
    default=STRINGS,
    show_default=True,
    help="How many of the strings to type.",
)
@json_option
def typing(strings: int, as_json: bool) -> None:
    """Measure typing and clicking in real applications, next to other libraries.

    It uses a virtual desktop. With all strings it takes a quarter of an hour. A library that is not installed with
    MARK-I is taken from the first python3 on the path.

    Example: mark-i bench typing --strings 100
    """
    from mark_i.bench.typing import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(stoppable(measured, strings), as_json=as_json, table=tell_typing)


@bench.command()
@click.option(
    "--clicks", type=click.IntRange(min=2), default=300, show_default=True, help="Clicks on a window that answers late."
)
@json_option
def overhead(clicks: int, as_json: bool) -> None:
    """Measure what a step costs beside the model, and whether a late answer is missed.

    It uses virtual desktops, and a model of its own that answers after a second. With all clicks it takes 25 minutes.

    Example: mark-i bench overhead --clicks 50
    """
    from mark_i.bench.overhead import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(stoppable(measured, clicks), as_json=as_json)


@bench.command()
@click.option("--frames", type=click.IntRange(min=1), default=200, show_default=True, help="Frames of the session.")
@json_option
def reading(frames: int, as_json: bool) -> None:
    """Measure reading a whole screen, and what changed after a step.

    It uses real applications on a virtual desktop.

    Example: mark-i bench reading --frames 20
    """
    from mark_i.bench.reading import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(stoppable(measured, frames), as_json=as_json)


@bench.command()
@click.option(
    "--tries", type=click.IntRange(min=1), default=200, show_default=True, help="Stops in each of six states."
)
@json_option
def stop(tries: int, as_json: bool) -> None:
    """Measure how soon a run ends after a stop, and whether a key or button stays down.

    It uses a virtual desktop as if it were your own. With all tries it takes half an hour.

    Example: mark-i bench stop --tries 20
    """
    from mark_i.bench.stops import measured  # noqa: PLC0415 - a command loads only what it needs

    tell(stoppable(measured, tries), as_json=as_json, table=tell_stops)


@bench.command()
@click.option(
    "--runs", type=click.IntRange(min=2), default=300, show_default=True, help="Runs, half of them near misses."
)
@json_option
def truth(runs: int, as_json: bool) -> None:
    """Measure how often a run that missed its goal ends as done, and one that reached it does not.

    It uses real programs on virtual desktops, and no model. With all runs it takes ten minutes.

    Example: mark-i bench truth --runs 50
    """
    from mark_i.bench.truth import measured  # noqa: PLC0415 - a command loads only what it needs

    figures = stoppable(measured, runs)
    wrong = [] if as_json else figures.pop("wrong")
    tell(figures, as_json=as_json)
    for run in wrong:
        told = f"{run['kind']}, {'reached' if run['reached'] else 'missed'}, ended as {run['outcome']}: {run['goal']}"
        click.echo(told)


@bench.command()
@click.option(
    "--surprises", type=click.IntRange(min=0), default=200, show_default=True, help="Surprises that are planted."
)
@click.option("--brain", metavar="B[:MODEL]", help="A model that works on the tasks; by default one that knows them.")
@json_option
def foresight(surprises: int, brain: str | None, as_json: bool) -> None:
    """Measure calls and success with and without plans, and whether a surprise is acted on.

    It uses real programs on virtual desktops. With all surprises it takes fifteen minutes.

    Example: mark-i bench foresight --surprises 12
    """
    from mark_i.bench.foresight import measured  # noqa: PLC0415 - a command loads only what it needs

    chosen = brain_named(brain, load().access(Keys(DEFAULT_PROFILE))) if brain else None
    figures = stoppable(partial(measured, brain=chosen), surprises)
    rows = [] if as_json else figures.pop("rows")
    tell(figures, as_json=as_json)
    for row in rows:
        click.echo("  ".join(f"{name} {value}" for name, value in row.items()))


@bench.command()
@click.option(
    "--runs", type=click.IntRange(min=1), default=1000, show_default=True, help="Short runs while processes are killed."
)
@click.option("--desktops", type=click.IntRange(min=1), default=16, show_default=True, help="Desktops at a time.")
@json_option
def fleet(runs: int, desktops: int, as_json: bool) -> None:
    """Measure live desktops, how runs scale with the cores, what a thousand need, and what kills lose.

    It uses a server on this machine for the model. With all runs it takes an hour. Figures are printed as they are
    measured.

    Example: mark-i bench fleet --runs 100
    """
    from mark_i.bench.fleet import measured  # noqa: PLC0415 - a command loads only what it needs

    control = stopped_on_signals()
    found: Figures = {}
    with Console(stderr=True).status("") as status:
        for part in measured(runs, desktops, control, status.update):
            found |= part
            if not as_json:
                status.stop()  # it draws on the same line
                tell(part, as_json=False)
                status.start()
    if as_json:
        tell(found, as_json=True)


for command in (miniwob, tasks, elements, skills):
    bench.add_command(command)


def stoppable(measured: Callable[[int, Control, Tell], Figures], amount: int) -> Figures:
    """Measure until it is done or a signal comes, and show meanwhile how far it is."""
    control = stopped_on_signals()
    with Console(stderr=True).status("") as status:
        return measured(amount, control, status.update)


def tell(figures: Figures, *, as_json: bool, table: Callable[[Figures], None] | None = None) -> None:
    """Print the figures as one JSON object, as a table, or one per line."""
    if as_json:
        click.echo(json.dumps(figures))
    elif table:
        table(figures)
    else:
        for name, value in figures.items():
            click.echo(f"{name:40}{value}")


def tell_stops(figures: Figures) -> None:
    """Print a table of the states and of the ways to stop, and what stayed down."""
    console, limits = Console(highlight=False), figures["limits"]
    table = Table("", "tries", "median ms", "worst ms", "all released, ms", box=box.SIMPLE_HEAD, pad_edge=False)
    for row in (*figures["states"], *figures["ways"]):
        pairs = (("median_ms", limits["median_ms"]), ("worst_ms", limits["worst_ms"]))
        times = (Text(f"{row[name]:.1f}", GREEN if row[name] <= limit else RED) for name, limit in pairs)
        table.add_row(row["name"], str(row["tries"]), *times, f"{row['given_back_median_ms']:.0f}")
    console.print(table)
    console.print(
        f"Still down: {figures['down_afterwards']} keys and buttons. Other outcomes: {figures['not_stopped']}. "
        f"Load of the machine: {', '.join(map(str, figures['load']))}."
    )


def tell_typing(figures: Figures) -> None:
    """Print a table of typing by library and application, with remarks."""
    console, rows, clicks = Console(highlight=False), figures["typing"], figures["click"]
    console.print(
        f"[bold]Typing[/]  {figures['strings']:,} strings with {figures['characters']:,} characters, one of them with "
        f"{figures['long_text']:,}; the others are given {figures['rival_strings']:,} of the short ones. How many "
        "arrived byte for byte, and characters a second, also of the long one."
    )
    applications = list(dict.fromkeys(row["application"] for row in rows))
    table = Table("", *applications, box=box.SIMPLE_HEAD, pad_edge=False)
    for hands in dict.fromkeys(row["hands"] for row in rows):
        table.add_row(hands, *(_cell(row) for row in rows if row["hands"] == hands))
    console.print(table)
    for line in dict.fromkeys(_remarks(rows)):
        console.print(fitted(line), markup=False)
    console.print()
    console.print(
        f"[bold]Clicks[/]  {clicks['exact']:,} of {clicks['points']:,} at random points went down exactly there; "
        f"sent within {clicks['p50_ms']} ms (p50), {clicks['p95_ms']} ms (p95)."
    )


def _cell(row: Mapping[str, Any]) -> Text:
    if row["missing"]:
        return Text("missing", "dim")
    equal, long = row["equal"], row["long_text_per_second"]
    speed = f"{row['characters_per_second']:,}/s" + (f"\nlong {long:,}/s\n" if long else "")
    return Text.assemble((f"{equal:,} of {row['of']:,}", GREEN if equal == row["of"] else RED), "\n", (speed, "dim"))


def _remarks(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is missing or was ended, and the first string that each library missed."""
    yield from (f"{row['missing']}." for row in rows if row["missing"])
    for row in (row for row in rows if not row["missing"]):
        where = f"{row['hands']} in {row['application']}"
        if row["ended"]:
            yield f"{where} was ended: {row['ended']}"
        for miss in row["missed"][:1]:
            yield f"{where}: {miss['text']!r} arrived as {miss['arrived']!r}"
