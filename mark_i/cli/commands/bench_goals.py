"""`mark-i bench miniwob` and `mark-i bench tasks`: how many goals a model reaches, and at what cost."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from mark_i.assembly.options import run_config_of
from mark_i.bench.episodes import Kept, Tell, figures, played, write_table
from mark_i.cli.completers import BRAINS
from mark_i.cli.console import GREEN, RED, fitted
from mark_i.cli.options import WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.run_options import model_options
from mark_i.printable import CONTROLS
from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE
from world_model import Size

ALL: Final = "all"
out_option = click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep episodes and the table there, and skip episodes that are kept.",
)


@click.command()
@click.option("--tasks", help="Names of pages, separated by commas, or all. Default: those that suit offline.")
@click.option("--seeds", type=click.IntRange(min=1), default=10, show_default=True, help="Episodes per task.")
@click.option(
    "--brain", metavar="B[:MODEL]", shell_complete=BRAINS, default="offline", show_default=True, help="The model."
)
@click.option("--base-url", metavar="URL", help="The address of the model's service, if it is not the vendor's.")
@out_option
@json_option
@profile_option
def miniwob(tasks: str | None, seeds: int, out: Path | None, as_json: bool, **options: Any) -> None:
    """Solve the small web tasks of MiniWoB++ in a real browser, with the real mouse.

    It uses Chromium on a virtual desktop, and needs the extra `bench` and chromedriver. The same command with the
    same --out resumes an interrupted one.

    Example: mark-i bench miniwob --tasks click-button,login-user --seeds 3
    """
    from mark_i.bench import miniwob as pack  # noqa: PLC0415 - a command loads only what it needs

    chosen = list(pack.pages() if tasks == ALL else tasks.split(",") if tasks else pack.SUITED)
    pack.pages(chosen)
    config = run_config_of({"max_steps": None, **options})
    kept = Kept(out, {"bench": "miniwob", "brain": config.brain.name})
    control = Control()
    stop_on_signals(control)
    with pack.miniwob(chosen, config, control) as play, progress() as tell:
        episodes = played(kept, product(chosen, range(seeds)), play, tell)
    say(figures(kept, episodes), out, as_json=as_json)


@click.command(cls=WithVirtual)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--tries", type=click.IntRange(min=1), default=3, show_default=True, help="Tries per task.")
@out_option
@virtual_option
@model_options
@json_option
def tasks(file: Path, tries: int, out: Path | None, virtual: Size | None, as_json: bool, **options: Any) -> None:
    """Try goals of your own, each with a command that sets it up and one that checks the result.

    FILE is TOML, as for mark-i fleet: one [[task]] per goal, with a name, a goal, a check and optionally a setup. Each
    try starts in an empty folder on a new virtual desktop. Nobody is asked, so actions that need approval also need
    --yes or a policy.

    Example: mark-i bench tasks goals.toml --tries 5 --out measured
    """
    from mark_i.bench.tasks import name_of, player, read_tasks  # noqa: PLC0415 - a command loads only what it needs

    found = read_tasks(file, options["profile"])
    config = replace(run_config_of(options), virtual=virtual or DEFAULT_SIZE)
    about = {"bench": "tasks", "brain": config.brain.name, "tasks": [asdict(job) for job in found]}
    out = out.absolute() if out else None  # each try works in a folder of its own
    kept = Kept(out, about)
    control = Control()
    stop_on_signals(control)
    wanted = product(map(name_of, found), range(tries))
    with progress() as tell:
        episodes = played(kept, wanted, player(found, config, control), tell)
    say(figures(kept, episodes), out, as_json=as_json)


@contextmanager
def progress() -> Iterator[Tell]:
    """Show a progress bar on standard error, with the current episode and the estimated time left."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("", total=None)

        def tell(done: int, of: int, what: str) -> None:
            bar.update(shown, completed=done, total=of, description=what.translate(CONTROLS))

        yield tell


def say(found: Mapping[str, Any], out: Path | None, *, as_json: bool) -> None:
    """Print a table of the tasks, and how each missed episode ended."""
    if out:
        write_table(out, found)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    console = Console(highlight=False)
    table = Table("task", "solved", "steps", "seconds", "tokens", box=box.SIMPLE_HEAD, pad_edge=False)
    for row in (*found["tasks"], {"task": "", **found["all"]}):
        solved = Text(f"{row['solved']} of {row['of']}", GREEN if row["solved"] == row["of"] else RED)
        effort = (f"{row['median_steps']:g}", f"{row['median_s']:.1f}", f"{row['tokens']:,}")
        table.add_row(Text(row["task"].translate(CONTROLS)), solved, *effort)
    console.print(table)
    console.print("Steps and seconds are medians; tokens are totals.")
    for miss in found["missed"]:
        words = f"{miss['task']} {miss['number']}: {miss['goal']} {miss['outcome']}: {miss['said']}"
        console.print(fitted(words.translate(CONTROLS)), markup=False)
    if out:
        console.print(f"Table: {out / 'table.html'}", markup=False)
