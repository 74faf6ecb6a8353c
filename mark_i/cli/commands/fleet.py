"""`mark-i fleet`: many goals on many virtual desktops."""

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

from mark_i.cli.command_names import Commands
from mark_i.cli.console import BROWN, GREEN, RED, fitted
from mark_i.cli.options import json_option, stopped_on_signals
from mark_i.cli.profile_option import profile_option
from mark_i.events import EXIT_CODES
from mark_i.extras import require
from mark_i.fleet.engine import Engine
from mark_i.fleet.figures import Row
from mark_i.fleet.file import jobs_of, read_file
from mark_i.fleet.folder import UNKNOWN, FleetFolder
from mark_i.fleet.local import LocalEngine, workers_for
from mark_i.fleet.report import all_rows, ended_as, write_fleet_report
from mark_i.fleet.supervisor import Fleet, Tell, Why
from mark_i.fleet.worker import config_of
from mark_i.printable import CONTROLS
from mark_i.runs.stop_file import stop_run
from mark_i.runs.store import is_running
from toolbelt.desktops import native_system
from world_model import DesktopError, MarkIError, UsageError

STOP_MAX_S: Final = 60.0  # for all runs of a fleet to release their desktops
SHOWN: Final = 12  # runs in the live table, and failures
REFRESHES_PER_S: Final = 4
EARLY: Final[Mapping[Why, str]] = {
    "stopped": "The fleet was stopped.",
    "late": "The time of the fleet is over.",
    "spent": "The budget of the fleet is spent.",
}
CODES: Final[Mapping[Why, int]] = {"stopped": EXIT_CODES["stopped"]}
folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@click.group(cls=Commands)
def fleet() -> None:
    """Run many goals on many virtual desktops.

    Example: mark-i fleet run goals.toml --workers 4
    """


@fleet.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Desktops at a time. Default: 2 for each core."
)
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Run it on the machines of a Ray: HOST:PORT of its head, or local for one on this machine.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="The folder of the results. Default: beside FILE, with its name.",
)
@click.option("--policy", metavar="FILE", help="The file of rules that allow, ask or deny; see docs/safety.md.")
@click.option("--yes", is_flag=True, help="Approve every action in advance. What a policy denies stays denied.")
@json_option
@profile_option
def run(file: Path, workers: int | None, ray: str | None, out: Path | None, as_json: bool, **options: Any) -> int:
    """Run every task of FILE, for each row of its table and each try.

    FILE is TOML; see docs/fleets.md. The same command goes on with a fleet that was interrupted: what has ended is not
    done again. The exit code is 0 if every run reached its goal.

    Example: mark-i fleet run goals.toml --workers 4 --out measured
    """
    if system := native_system():
        raise DesktopError(f"There is no virtual desktop on {system}, and a fleet needs them.")
    found = read_file(file)
    if out is None and not file.suffix:
        raise UsageError(f"Say with --out where the results go: beside {file} they would have its name.")
    jobs = jobs_of(found, file, options["profile"])
    given = {**options, "base_url": None, "max_steps": None}
    budget = found.budget.model_dump(exclude_none=True)
    limited = tuple(replace(job, **_limits(job, budget)) for job in jobs)
    for job in {(job.brain, job.base_url, job.skill): job for job in limited}.values():
        config_of(job, given)  # what cannot be used is told before anything is begun
    folder = FleetFolder((out or file.with_suffix("")).absolute())
    told = _told(folder, len(jobs), sys.stdout, as_json=as_json)
    with _engine(ray, workers, len(jobs)) as (engine, at_a_time):
        folder.begin(file, jobs)
        control = stopped_on_signals()
        with folder.locked(), told as tell:
            why = Fleet(folder, limited, found.budget, given, at_a_time, control, tell, engine).run()
    report = write_fleet_report(folder, options["profile"])
    _say(folder, why, report, as_json=as_json)
    solved = sum(one.solved for one in folder.results.values())
    return CODES.get(why, 1) if why else int(solved < len(jobs))


@fleet.command()
@folder_argument
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Show how far the fleet in FOLDER is.

    Example: mark-i fleet status measured
    """
    found = _existing(folder)
    solved = sum(one.solved for one in found.results.values())
    about = {
        "running": is_running(folder),
        "runs": len(found.titles),
        "ended": len(found.results),
        "solved": solved,
        "unknown": sum(one.outcome == UNKNOWN for one in found.results.values()),
    }
    if as_json:
        click.echo(json.dumps(about))
        return
    click.echo("It is running." if about["running"] else "It is not running.")
    _tell_table(Console(highlight=False), all_rows(found))
    click.echo(f"{about['ended']} of {about['runs']} runs have ended.")


@fleet.command()
@folder_argument
def stop(folder: Path) -> None:
    """Stop the fleet in FOLDER with all of its runs. The same `mark-i fleet run` goes on with it.

    Example: mark-i fleet stop measured
    """
    _existing(folder)
    if not is_running(folder):
        raise UsageError(f"The fleet in {folder} is not running.")
    if not stop_run(folder, STOP_MAX_S):
        raise MarkIError(f"The fleet in {folder} was asked to stop and is still running after {STOP_MAX_S:.0f} s.")
    click.echo(f"The fleet in {folder} is stopped.")


@fleet.command()
@folder_argument
@click.argument("other", type=click.Path(path_type=Path, file_okay=False), required=False)
@json_option
@profile_option
def report(folder: Path, other: Path | None, as_json: bool, profile: str) -> None:
    """Write the report of the fleet in FOLDER as one HTML file; with OTHER, how that fleet does beside it.

    Example: mark-i fleet report before after
    """
    found, second = _existing(folder), _existing(other) if other else None
    written = write_fleet_report(found, profile, second)
    if as_json:
        click.echo(json.dumps({"report": str(written), "rows": [asdict(one) for one in all_rows(found)]}))
        return
    _tell_table(Console(highlight=False), all_rows(found))
    click.echo(f"Report: {written}")


def _existing(path: Path) -> FleetFolder:
    folder = FleetFolder(path)
    if not folder.exists:
        raise UsageError(f"There is no fleet in {path}.")
    return folder


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
        lines: list[RenderableType] = [ProgressBar(self._of, ended, width=60), counts]
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
    _tell_table(Console(highlight=False), rows)
    for one in folder.results.values():
        if not one.solved:
            click.echo(fitted(f"{folder.titles.get(one.id, one.id)}: {ended_as(one)}: {one.said}"))
    if why:
        click.echo(f"{EARLY[why]} {left} of {len(folder.titles)} runs have no result.")
    click.echo(f"Report: {report}")


def _tell_table(console: Console, rows: list[Row]) -> None:
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
