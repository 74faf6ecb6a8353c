"""Running a fleet from the command line: what the terminal shows meanwhile, and the table at the end."""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TextIO

import click
from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mark_i.cli.console import BROWN, GREEN, RED, fitted
from mark_i.cli.options import stopped_on_signals
from mark_i.events import EXIT_CODES
from mark_i.extras import require
from mark_i.fleet.engine import Engine
from mark_i.fleet.figures import Difference, Row
from mark_i.fleet.file import FleetFile, jobs_of
from mark_i.fleet.folder import FleetFolder
from mark_i.fleet.local import LocalEngine, workers_for
from mark_i.fleet.report import all_rows, ended_as, write_fleet_report
from mark_i.fleet.supervisor import Fleet, Tell, Why
from mark_i.fleet.worker import config_of
from mark_i.printable import CONTROLS
from mark_i.runs.tracing import hindrance
from toolbelt.desktops import native_system
from world_model import DesktopError, UsageError

SHOWN: Final = 12  # runs in the live table, and failures
REFRESHES_PER_S: Final = 4
HAD_ENDED: Final = "All {} runs had ended before, so nothing was done. To do them again, say another folder with --out."
EARLY: Final[Mapping[Why, str]] = {
    "stopped": "The fleet was stopped.",
    "late": "The time of the fleet is over.",
    "spent": "The budget of the fleet is spent.",
}


workers_option = click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Desktops at a time. Default: 2 for each core."
)


def results_of(file: Path, out: Path | None) -> FleetFolder:
    """Return the folder of the results of a fleet file: `out`, or the one beside the file with its name.

    Raises:
        UsageError: It holds something else, or the file has that name.
    """
    if out is None and not file.suffix:
        raise UsageError(f"Say with --out where the results go: beside {file} they would have its name.")
    return FleetFolder((out or file.with_suffix("")).absolute())


def run_fleet(
    found: FleetFile, file: Path, folder: FleetFolder, options: Mapping[str, Any], *, as_json: bool
) -> Why | None:
    """Run a fleet, show how far it is, and tell how it ended.

    Args:
        found: what stands in the file.
        file: in whose folder the tables are.
        folder: for the results.
        options: of `mark-i run`, for all runs, and `workers`, and `ray` if it may be on other machines.
        as_json: whether a program reads what is printed.

    Returns:
        Why it ended early; None if it did not.

    Raises:
        UsageError: Something in it cannot be used.
        DesktopError: There are no virtual desktops here.
    """
    if system := native_system():
        raise DesktopError(f"There is no virtual desktop on {system}, and a fleet needs them.")
    jobs = jobs_of(found, file, options["profile"])
    given = {**options, "base_url": None, "max_steps": None}
    budget = found.budget.model_dump(exclude_none=True)
    limited = tuple(replace(job, **_limits(job, budget)) for job in jobs)
    for job in {(job.brain, job.base_url, job.skill, job.schema): job for job in limited}.values():
        config_of(job, given)  # what cannot be used is told before anything is begun
    if untraced := hindrance():
        click.echo(untraced, err=True)
    told = _told(folder, len(jobs), sys.stdout, as_json=as_json)
    with _engine(options.get("ray"), options["workers"], len(jobs)) as (engine, at_a_time):
        folder.begin(file, jobs)
        had_ended = len(folder.results) == len(jobs)
        control = stopped_on_signals()
        with folder.locked(), told as tell:
            why = Fleet(folder, limited, found.budget, given, at_a_time, control, tell, engine).run()
    report = write_fleet_report(folder, options["profile"])
    _say(folder, why, report, as_json=as_json)
    if had_ended and not as_json:
        click.echo(HAD_ENDED.format(len(jobs)))
    return why


def exit_code(why: Why | None) -> int:
    """Return the exit code of a fleet that ended early for that reason; 0 if it did not."""
    return EXIT_CODES["stopped"] if why == "stopped" else int(why is not None)


def _limits(job: Any, budget: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limits of a run: its own, and none above that of the fleet."""
    return {name: min(filter(None, (getattr(job, name), value))) for name, value in budget.items()}


@contextmanager
def _engine(ray: str | None, workers: int | None, jobs: int) -> Iterator[tuple[Engine, int]]:
    """Return where the runs are, and how many there may be at a time."""
    if ray is None:
        yield LocalEngine(), workers_for(workers, jobs)
        return
    require("fleet")
    from mark_i.fleet.on_ray import connected  # noqa: PLC0415 - Ray is an extra

    with connected(ray, workers) as engine:
        yield engine, workers or jobs


class _Shown:
    """What the terminal shows while a fleet runs: how far it is, what runs now, and the last failures."""

    def __init__(self, folder: FleetFolder, of: int) -> None:
        self._folder, self._of = folder, of
        self._began_s, self._ended_before = time.monotonic(), len(folder.results)
        self._now: dict[str, tuple[str, float, int]] = {}
        self._failed: list[str] = []
        self._notice = ""

    def tell(self, kind: str, about: Mapping[str, Any]) -> None:
        """Take what happens."""
        match kind:
            case "started":
                self._now[about["id"]] = (about["title"], time.monotonic(), 0)
            case "step":
                title, began_s, _ = self._now[about["id"]]
                self._now[about["id"]] = (title, began_s, about["steps"])
            case "again":
                self._now.pop(about["id"], None)
                self._notice = f"The process of {about['title']} ended before it did anything; it is done again."
            case "ended":
                self._now.pop(about["id"], None)
                if not about["solved"]:
                    title = self._folder.titles.get(about["id"], about["id"])
                    self._failed.append(f"{title}: {ended_as(self._folder.results[about['id']])}: {about['said']}")
            case _:
                self._notice = about["text"]

    def __rich__(self) -> RenderableType:
        """Draw it."""
        results, running = [*self._folder.results.values()], [*self._now.values()]  # another thread adds to them
        ended, solved = len(results), sum(one.solved for one in results)
        seconds = time.monotonic() - self._began_s
        here = ended - self._ended_before
        left = f", about {timedelta(seconds=round(seconds / here * (self._of - ended)))} left" if here else ""
        rate = f", {60 * here / seconds:.1f} a minute" if here else ""
        counts = Text.assemble(
            f"{ended} of {self._of} ended, ",
            (f"{solved} solved", GREEN),
            ", ",
            (f"{ended - solved} not", RED if ended - solved else ""),
            f"{rate}{left}",
        )
        lines: list[RenderableType] = [ProgressBar(self._of, ended, width=60), Text(), counts]  # each in its line
        table = Table("running now", "steps", "seconds", box=box.SIMPLE_HEAD, pad_edge=False)
        for title, began_s, steps in running[:SHOWN]:
            table.add_row(Text(title.translate(CONTROLS)), str(steps), f"{time.monotonic() - began_s:.0f}")
        if running:
            lines.append(table)
        lines += [Text(fitted(one), RED) for one in self._failed[-SHOWN:]]
        return Group(*lines, *([Text(self._notice, BROWN)] if self._notice else []))


@contextmanager
def _told(folder: FleetFolder, of: int, out: TextIO, *, as_json: bool) -> Iterator[Tell]:
    """Show a fleet on the terminal, or print its events for a program to `out`, while it runs."""
    if as_json:
        yield lambda kind, about: click.echo(json.dumps({"event": kind, **about}), out)
        return
    shown, console = _Shown(folder, of), Console(stderr=True, highlight=False)
    with Live(shown, console=console, refresh_per_second=REFRESHES_PER_S, transient=True, redirect_stdout=False):
        yield shown.tell


def _say(folder: FleetFolder, why: Why | None, report: Path, *, as_json: bool) -> None:
    """Tell how a fleet ended."""
    rows, left = all_rows(folder), len(folder.titles) - len(folder.results)
    if as_json:
        whole = {**asdict(rows[-1]), "left": left, "why": why, "report": str(report)}
        click.echo(json.dumps({"event": "fleet_ended", **whole}))
        return
    tell_table(Console(highlight=False), rows)
    for one in folder.results.values():
        if not one.solved:
            click.echo(f"{folder.titles.get(one.id, one.id)}: {ended_as(one)}: {one.said}".translate(CONTROLS))
    if why:
        click.echo(f"{EARLY[why]} {left} of {len(folder.titles)} runs have no result.")
    click.echo(f"Report: {report}")


def tell_table(console: Console, rows: list[Row]) -> None:
    """Print the figures of tasks."""
    table = Table(
        "task", "solved", "interval", "steps", "seconds", "tokens", "USD", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for one in rows:
        solved = Text(f"{one.solved} of {one.of}", GREEN if one.solved == one.of else RED)
        usd = "unknown" if one.usd is None else f"{one.usd:.4f}"
        span = f"{100 * one.low:.0f} to {100 * one.high:.0f} %"
        effort = (f"{one.median_steps:g}", f"{one.median_s:.1f}", f"{one.tokens:,}", usd)
        table.add_row(Text(one.name.translate(CONTROLS)), solved, span, *effort)
    console.print(table)


def tell_differences(console: Console, first: str, second: str, found: list[Difference]) -> None:
    """Print how a second fleet does beside a first one."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("task", first, second, "change in points", "may be"):
        table.add_column(Text(name.translate(CONTROLS)))
    for one in found:
        colour = (GREEN if one.change > 0 else RED) if one.is_clear else ""
        told = [Text(f"{row.solved} of {row.of}") for row in (one.first, one.second)]
        span = f"{100 * one.low:+.0f} to {100 * one.high:+.0f}"
        table.add_row(Text(one.name.translate(CONTROLS)), *told, Text(f"{100 * one.change:+.0f}", colour), span)
    console.print(table)
