"""`mark-i skill`: make skills from runs, and do them again without a model."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from mark_i.assembly.skill_runs import for_skill
from mark_i.cli.command_names import Commands
from mark_i.cli.completers import BRAINS, RUNS, SKILLS
from mark_i.cli.console import fitted
from mark_i.cli.desktop_choice import DesktopChoice, keep_option, on_option, option, placed, watch_option
from mark_i.cli.options import WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.repairs import replay_told
from mark_i.cli.runner import Ran, carry_out, settled
from mark_i.cli.skill_config import assignments, oversight_options, set_option, skill_config
from mark_i.cli.telling import Telling, telling_options
from mark_i.config.paths import runs_folder
from mark_i.events import EXIT_CODES
from mark_i.runs.store import find_run
from mark_i.skills.compiling import Compiled, compiled
from mark_i.skills.essence import WHY, Dropped
from mark_i.skills.exporting import export_skill
from mark_i.skills.file import FILE, write_skill
from mark_i.skills.gate import judged, replays
from mark_i.skills.rows import rows_of
from mark_i.skills.skill import Skill, filled, values_for
from mark_i.skills.store import delete_skill, folder_of, new_folder, skill_named, usable
from mark_i.wording import HIDDEN, action_sentence
from toolbelt.control import Control
from world_model import Size

if TYPE_CHECKING:
    from mark_i.skills.recording import Recorded

DRAFT: Final = "This skill is a draft: it has not replayed true yet. Check it: mark-i skill check {}"

rows_option = click.option(
    "--rows", type=click.Path(path_type=Path), metavar="FILE.csv", help="Do it for each row; columns are parameters."
)


@click.group(cls=Commands)
def skill() -> None:
    """Make a skill from a run, and do it again without a model, with other values if you like.

    Example: mark-i skill from last letter
    """


@skill.command("from")
@click.argument("run", shell_complete=RUNS)
@click.argument("name")
@json_option
@profile_option
def make(run: str, name: str, as_json: bool, profile: str) -> None:
    """Make the skill NAME from RUN; `last` is the newest. It is a draft until `mark-i skill check` kept it.

    Example: mark-i skill from last letter
    """
    folder = new_folder(profile, name)
    made = compiled(find_run(runs_folder(profile), run), name)
    write_skill(made.skill, folder, made.pictures)
    if as_json:
        click.echo(json.dumps(_made(made, folder)))
        return
    _tell_made(made, folder, profile)


@skill.command(cls=WithVirtual)
@click.argument("name")
@click.option(
    "--goal", metavar="TEXT", help="What you show, in words; values in it become parameters. Asked if left out."
)
@click.option("--open", "programs", multiple=True, metavar="APP", help="Open this program first; can be repeated.")
@virtual_option
@keep_option
@on_option
@watch_option
@json_option
@profile_option
def record(
    name: str,
    goal: str | None,
    programs: tuple[str, ...],
    virtual: Size | None,
    keep: bool,
    on: str | None,
    watch: bool,
    as_json: bool,
    profile: str,
) -> None:
    """Record what you do with mouse and keyboard as the skill NAME, until you press the hotkey or Ctrl-C.

    Example: mark-i skill record letter --goal 'write "Dear Ann," and save it as /tmp/ann.txt' --open mousepad
    """
    from mark_i.assembly.demonstration import check_desktop, record  # noqa: PLC0415 - only this command watches

    folder, choice = new_folder(profile, name), DesktopChoice(virtual, keep, on, watch)
    check_desktop(virtual=virtual is not None or on is not None or watch)
    if goal is None and not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError("Say with --goal what you show.")
    goal = (goal if goal is not None else click.prompt("What do you show? In words, with its values", err=True)).strip()
    if not goal:
        raise click.UsageError("The goal is empty.")
    stop = Control()
    stop_on_signals(stop)
    with placed(skill_config(profile), choice, Telling(as_json)) as config:
        for notice in config.notices:
            click.echo(notice, err=True)
        made_from, recorded = record(goal, config, programs, stop, partial(click.echo, err=as_json))
    made = compiled(made_from, name)
    write_skill(made.skill, folder, made.pictures)
    if as_json:
        named = {"secrets": recorded.secrets, "unjudged": [*recorded.unjudged], "unknown": recorded.unknown}
        click.echo(json.dumps({**_made(made, folder), **named}))
        return
    click.echo("")
    _tell_made(made, folder, profile, hidden=[*recorded.unjudged.values()])
    _tell_recorded(recorded, profile)


@skill.command("list")
@json_option
@profile_option
def list_skills(as_json: bool, profile: str) -> None:
    """List the skills of the profile.

    Example: mark-i skill list
    """
    skills, faults = usable(profile)  # one with a fault hides no others
    found = [one for one, _ in skills]
    for fault in faults:
        click.echo(fault, err=True)
    if as_json:
        click.echo(json.dumps([_values(one) for one in found]))
        return
    if not found:
        click.echo("There are no skills yet. Make one from a run: mark-i skill from last NAME")
        return
    width = max(7, *(len(one.name) for one in found)) + 2
    click.echo(fitted(f"{'Skill':{width}}{'State':7}What it does"))
    for one in found:
        click.echo(fitted(f"{one.name:{width}}{one.state:7}{' '.join(one.description.split())}"))


@skill.command()
@click.argument("name", shell_complete=SKILLS)
@json_option
@profile_option
def show(name: str, as_json: bool, profile: str) -> None:
    """Show a skill: its parameters and its steps.

    Example: mark-i skill show letter
    """
    found, folder = skill_named(profile, name)
    if as_json:
        click.echo(json.dumps({**_values(found), "file": str(folder / FILE)}))
        return
    _tell(found)
    if found.why:
        click.echo(f"\nWhy it is a draft: {found.why}")
    click.echo(f"\nFile: {folder / FILE}")


@skill.command(cls=WithVirtual)
@click.argument("name", shell_complete=SKILLS)
@set_option
@rows_option
@virtual_option
@keep_option
@on_option
@watch_option
@click.option(
    "--brain", metavar="B[:MODEL]", shell_complete=BRAINS, help="The model that is asked where a step does not fit."
)
@click.option("--base-url", metavar="URL", help="The address of the model's service, if it is not the vendor's.")
@oversight_options
@profile_option
@telling_options
def run(
    name: str,
    given: tuple[str, ...],
    rows: Path | None,
    virtual: Size | None,
    keep: bool,
    on: str | None,
    watch: bool,
    telling: Telling,
    **options: Any,
) -> int:
    """Do the skill NAME again, without a model; what is not given with --set is as it was in its run.

    With --brain, that model does what does not fit, and the skill is repaired if it then replays true.

    Example: mark-i skill run letter --virtual --set text="Dear Ann,"
    """
    found, _ = skill_named(options["profile"], name)
    fixed = assignments(given)
    table = [values_for(found, fixed | row) for row in (rows_of(rows) if rows else [{}])]
    choice = DesktopChoice(virtual, keep, on, watch)
    if found.state == "draft":
        click.echo(DRAFT.format(name), err=True)
    ended: list[Ran] = []
    codes: list[int] = []
    for values in table:
        began = time.monotonic()
        ran = _replay(name, values, choice, telling, options)
        ended.append(ran)
        repaired = options["brain"] is not None
        codes.append(settled(ran, options["profile"], telling, began) if repaired else ran.outcome.exit_code)
        if codes[-1] == EXIT_CODES["stopped"]:
            break
    if rows and not telling.is_read:
        _tell_rows(table, ended)
    if len(table) == 1 or codes[-1] == EXIT_CODES["stopped"]:
        return codes[-1]
    return EXIT_CODES["failed"] if any(codes) else 0


def _replay(
    name: str, values: Mapping[str, str], choice: DesktopChoice, telling: Telling, options: Mapping[str, Any]
) -> Ran:
    found, folder = skill_named(options["profile"], name)  # the row before may have repaired it
    config = skill_config(**options)
    config, goal = for_skill(config, found, values, folder, repairs=options["brain"] is not None)
    with placed(config, choice, telling) as config:
        return carry_out(goal, config, telling)


@skill.command()
@click.argument("name", shell_complete=SKILLS)
@json_option
@profile_option
def check(name: str, as_json: bool, profile: str) -> int:
    """Do the skill NAME twice on a clean virtual desktop, once with other values, and keep it if both come true.

    Example: mark-i skill check letter
    """
    found, folder = skill_named(profile, name)
    done = []
    for number, replayed in enumerate(replays(found, profile, Control()), 1):
        done.append(replayed)
        if not as_json:
            click.echo(replay_told(number, replayed))
    kept = judged(found, done)
    true = kept.state == "kept"
    write_skill(kept, folder)
    if as_json:
        click.echo(
            json.dumps(
                {
                    **_values(kept),
                    "replays": [{"true": one.true, "values": dict(one.values), "told": one.told} for one in done],
                }
            )
        )
    else:
        click.echo(f"The skill {name} is kept." if true else f"The skill {name} stays a draft.")
    return 0 if true else EXIT_CODES["failed"]


@skill.command()
@click.argument("name", shell_complete=SKILLS)
@click.argument("folder", type=click.Path(path_type=Path))
@profile_option
def export(name: str, folder: Path, profile: str) -> None:
    """Copy the skill NAME into a new FOLDER, with a SKILL.md that tells other agents how to use it.

    Example: mark-i skill export letter ./letter
    """
    found, source = skill_named(profile, name)
    export_skill(found, source, folder)
    click.echo(f"Exported: {folder}")


@skill.command()
@click.argument("name", shell_complete=SKILLS)
@click.option("--yes", is_flag=True, help="Do not ask.")
@profile_option
def delete(name: str, yes: bool, profile: str) -> None:
    """Delete the skill NAME with its pictures.

    Example: mark-i skill delete letter
    """
    folder_of(profile, name)
    if not yes and not click.confirm(f"Delete the skill {name}?", err=True):
        raise click.Abort
    delete_skill(profile, name)
    click.echo(f"Deleted: {name}")


def _tell(found: Skill, hidden: Sequence[str] = ()) -> None:
    """Print what a skill does, without the texts that are hidden."""
    examples = values_for(found, {})
    click.echo(f"{found.name} ({found.state}): {' '.join(found.goal.split())}\n")
    width = max((len(one.name) for one in found.parameters), default=0) + 2
    for one in found.parameters:
        click.echo(fitted(f"  {one.name:{width}}{one.type:8}{HIDDEN if one.example in hidden else repr(one.example)}"))
    if found.parameters:
        click.echo("")
    for number, step in enumerate(found.steps, 1):
        is_hidden = filled(step.args.get("text"), examples) in hidden
        told = action_sentence(step.tool, {**step.args, "text": HIDDEN}) if is_hidden else step.does
        click.echo(fitted(f"{number:>3}  {told}"))


def _made(made: Compiled, folder: Path) -> dict[str, Any]:
    dropped = [{"step": one.index, "why": one.why} for one in made.dropped]
    return {**_values(made.skill), "file": str(folder / FILE), "left_out": dropped}


def _tell_made(made: Compiled, folder: Path, profile: str, hidden: Sequence[str] = ()) -> None:
    _tell(made.skill, hidden)
    _tell_dropped(made.dropped)
    check = f"mark-i skill check {made.skill.name}{option(profile)}"
    click.echo(f"\nDraft: {folder / FILE}\nRead it, edit it if you like, and then: {check}")


def _tell_recorded(recorded: "Recorded", profile: str) -> None:
    for name in recorded.secrets:
        told = f"A password was not recorded. The skill types the secret {name}; save it:"
        click.echo(f"{told} mark-i config set secret.{name}{option(profile)}")
    for step, text in recorded.unjudged.items():
        told = f"No program said whether step {step} typed a password ({len(text)} letters)."
        click.echo(f"{told} If it did, delete the skill and its run.")
    for what in recorded.unknown:
        click.echo(f"Could not be recorded: {what}.")


def _tell_dropped(dropped: Sequence[Dropped]) -> None:
    for one in dropped:
        click.echo(f"Left out: step {one.index}, since {WHY[one.why]}.")


def _tell_rows(table: Sequence[Mapping[str, str]], ended: Sequence[Ran]) -> None:
    """Print a line for each row: its number, how it ended, and its values."""
    click.echo(f"\n{'Row':>4}  {'Outcome':16}Values")
    for number, (values, ran) in enumerate(zip(table, ended, strict=False), 1):
        told = ", ".join(f"{name}={value}" for name, value in values.items())
        click.echo(fitted(f"{number:>4}  {ran.outcome.name:16}{told}"))
    if len(ended) < len(table):
        click.echo(f"{len(table) - len(ended)} more rows were not begun.")


def _values(found: Skill) -> dict[str, Any]:
    return found.model_dump(mode="json")
