"""`mark-i bench miniwob` and `mark-i bench tasks`: how many goals a model reaches, and at what cost."""

from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from mark_i.assembly.options import run_config_of
from mark_i.cli.completers import BRAINS
from mark_i.cli.fleet_runs import exit_code, results_of, run_fleet, workers_option
from mark_i.cli.options import WithVirtual, json_option, stopped_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.run_options import model_options
from mark_i.fleet.file import read_file
from mark_i.fleet.worker import LIMITS
from world_model import Size

ALL: Final = "all"
folder = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.option("--tasks", help="Names of pages, separated by commas, or all. Default: those that suit offline.")
@click.option("--seeds", type=click.IntRange(min=1), default=10, show_default=True, help="Episodes per task.")
@click.option(
    "--brain", metavar="B[:MODEL]", shell_complete=BRAINS, default="offline", show_default=True, help="The model."
)
@click.option("--base-url", metavar="URL", help="The address of the model's service, if it is not the vendor's.")
@workers_option
@click.option(
    "--out",
    metavar="FOLDER",
    type=folder,
    default=Path("miniwob"),
    show_default=True,
    help="The folder of the results. The fleet file is beside it, with its name.",
)
@json_option
@profile_option
def miniwob(tasks: str | None, seeds: int, out: Path, as_json: bool, **options: Any) -> int:
    """Solve the small web tasks of MiniWoB++ in a real browser, with the real mouse.

    It is a fleet, and needs Chromium, chromedriver and the extra `bench`. The same command goes on with one that was
    interrupted.

    Example: mark-i bench miniwob --tasks click-button,login-user --seeds 3
    """
    from mark_i.bench import miniwob as pack  # noqa: PLC0415 - a command loads only what it needs

    chosen = list(pack.pages()) if tasks == ALL else tasks.split(",") if tasks else pack.SUITED
    run_config_of(options | {"max_steps": None})  # what cannot be used is told before anything is written
    out = out.resolve()
    file = out.with_name(f"{out.name}.toml")
    results = results_of(file, out)
    brain = {name: value for name in ("brain", "base_url") if (value := options.pop(name))}
    with Console(stderr=True).status("The goals are read from their pages"):
        pack.write_fleet(file, chosen, seeds, brain, stopped_on_signals())
    return exit_code(run_fleet(read_file(file), file, results, options | pack.OPTIONS, as_json=as_json))


@click.command(cls=WithVirtual)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--tries", type=click.IntRange(min=1), default=3, show_default=True, help="Tries per task.")
@workers_option
@click.option(
    "--out",
    metavar="FOLDER",
    type=folder,
    help="The folder of the results. Default: beside FILE, with its name.",
)
@virtual_option
@model_options
@json_option
def tasks(file: Path, tries: int, out: Path | None, virtual: Size | None, as_json: bool, **options: Any) -> int:
    """Try goals of your own, each with a command that sets it up and one that checks the result.

    FILE is TOML, as for mark-i fleet: one [[task]] per goal, with a name, a goal, a check and optionally a setup. It is
    run as a fleet: each try starts in an empty folder on a new virtual desktop. Nobody is asked, so actions that need
    approval also need --yes or a policy. What the options say comes before what FILE says.

    Example: mark-i bench tasks goals.toml --tries 5 --out measured
    """
    from mark_i.bench.tasks import read_tasks  # noqa: PLC0415 - a command loads only what it needs

    given = {name: options[name] for name in LIMITS} | {"tries": tries, "size": str(virtual) if virtual else None}
    found, results = read_tasks(file, given), results_of(file, out)
    return exit_code(run_fleet(found, file, results, options, as_json=as_json))
