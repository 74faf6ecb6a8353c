"""`mark-i fleet`: many goals on many virtual desktops."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from mark_i.cli.command_names import Commands
from mark_i.cli.fleet_runs import exit_code, results_of, run_fleet, tell_differences, tell_table, workers_option
from mark_i.cli.options import json_option
from mark_i.cli.profile_option import profile_option
from mark_i.fleet.figures import differences
from mark_i.fleet.file import read_file
from mark_i.fleet.folder import UNKNOWN, existing_fleet
from mark_i.fleet.report import all_rows, write_fleet_report
from mark_i.runs.stop_file import stop_run
from mark_i.runs.store import is_running
from world_model import MarkIError, UsageError

STOP_MAX_S: Final = 60.0  # for all runs of a fleet to release their desktops
folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@click.group(cls=Commands)
def fleet() -> None:
    """Run many goals on many virtual desktops.

    Example: mark-i fleet run goals.toml --workers 4
    """


@fleet.command()
@click.argument("file", type=click.Path(path_type=Path))
@workers_option
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
def run(file: Path, out: Path | None, as_json: bool, **options: Any) -> int:
    """Run every task of FILE, for each row of its table and each try.

    FILE is TOML; see docs/fleets.md. The same command goes on with a fleet that was interrupted: what has ended is not
    done again. The exit code is 0 if every run reached its goal.

    Example: mark-i fleet run goals.toml --workers 4 --out measured
    """
    found, folder = read_file(file), results_of(file, out)
    why = run_fleet(found, file, folder, options, as_json=as_json)
    return exit_code(why) or int(not all(one.solved for one in folder.results.values()))


@fleet.command()
@folder_argument
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Show how far the fleet in FOLDER is.

    Example: mark-i fleet status measured
    """
    found = existing_fleet(folder)
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
    tell_table(Console(highlight=False), all_rows(found))
    click.echo(f"{about['ended']} of {about['runs']} runs have ended.")


@fleet.command()
@folder_argument
def stop(folder: Path) -> None:
    """Stop the fleet in FOLDER with all of its runs. The same `mark-i fleet run` goes on with it.

    Example: mark-i fleet stop measured
    """
    existing_fleet(folder)
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
    """Write the report of the fleet in FOLDER as one HTML file; with OTHER, of how that fleet does beside it.

    Example: mark-i fleet report before after
    """
    found, second = existing_fleet(folder), existing_fleet(other) if other else None
    written = write_fleet_report(found, profile, second)
    beside = differences(all_rows(found), all_rows(second)) if second else []
    if as_json:
        told = {"report": str(written), "rows": [asdict(one) for one in all_rows(found)]}
        click.echo(json.dumps(told | ({"differences": [asdict(one) for one in beside]} if second else {})))
        return
    console = Console(highlight=False)
    tell_table(console, all_rows(found))
    if second:
        tell_differences(console, found.path.name, second.path.name, beside)
    click.echo(f"Report: {written}")
