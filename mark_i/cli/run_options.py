"""Options for models and limits that `run`, `ask` and `runs resume` share, and the RunConfig that they make."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar, get_args

import click

from mark_i.assembly.brain_choice import default_brain
from mark_i.assembly.resolve import laid_over, recorded, run_config_from
from mark_i.assembly.run_config import RunConfig
from mark_i.brains import FORMS, REMOTE
from mark_i.cli.completers import BRAINS, WORKFLOWS
from mark_i.cli.profile_option import profile_option
from mark_i.config.api_keys import Keys
from mark_i.config.paths import nodes_folder
from mark_i.config.settings import Settings, load
from mark_i.events import Style
from mark_i.workflows.running import workflow_named
from world_model import Run, Size, UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
ABOVE_0: Final = click.FloatRange(min=0, min_open=True)

_OPTIONS: Final = (
    click.option("--brain", metavar="B[:MODEL]", shell_complete=BRAINS, help=f"The brain that plans: {FORMS}."),
    click.option(
        "--reply-brain", metavar="B[:MODEL]", shell_complete=BRAINS, help="Another model for the final answer."
    ),
    click.option(
        "--vision-brain", metavar="B[:MODEL]", shell_complete=BRAINS, help="Another model that describes the screen."
    ),
    click.option("--single-model", is_flag=True, help="Use one model for everything, whatever the settings say."),
    click.option("--base-url", metavar="URL", help="The address of the model's service, if it is not the vendor's."),
    click.option(
        "--max-steps",
        type=click.IntRange(min=1),
        help="Limit the number of steps; 50 unless the settings say otherwise.",
    ),
    click.option(
        "--ahead",
        type=click.IntRange(1, 20),
        metavar="N",
        help="How many actions a reply may plan; 5 unless the settings say otherwise, 1 is one action a reply.",
    ),
    click.option("--max-seconds", type=ABOVE_0, metavar="S", help="Limit the time, in seconds."),
    click.option("--max-tokens", type=click.IntRange(min=1), help="Limit the number of tokens."),
    click.option("--max-cost", type=ABOVE_0, metavar="USD", help="Limit the cost, in US dollars."),
    click.option(
        "--workflow",
        metavar="NAME|FILE",
        shell_complete=WORKFLOWS,
        help="Follow this workflow; see `mark-i workflow list`.",
    ),
    click.option("--policy", metavar="FILE", help="The file of rules that allow, ask or deny; see docs/safety.md."),
    click.option("--yes", is_flag=True, help="Approve every action in advance. What a policy denies stays denied."),
    click.option("--style", type=click.Choice(get_args(Style)), help="The style of the answer."),
    profile_option,
)


def model_options(command: Command) -> Command:
    """Add these options to a command, which takes them as `**options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def run_config_of(options: dict[str, Any], resumed: Run | None = None) -> RunConfig:
    """Make the RunConfig: options override the resumed run, which overrides the profile's settings.

    Raises:
        UsageError: One of them is not allowed; the message says which and why.
        ModelError: A brain has no key.
    """
    profile = options["profile"]
    saved, keys = load(profile), Keys(profile)
    given = {name: value for name, value in options.items() if value is not None and value is not False}
    chosen = {name: value for name, value in given.items() if name in Settings.model_fields}
    settings = laid_over(saved, chosen, resumed)
    default = default_brain(settings, keys)
    name = default.brain
    if options["base_url"] and name.partition(":")[0] not in REMOTE:
        raise UsageError(f"--base-url is the address of a model's service, and {name} uses none.")
    before = recorded(resumed).get("iterations") is not None if resumed else "max_steps" in saved.model_fields_set
    config = run_config_from(settings, keys, resumed, limited=options["max_steps"] is not None or before)
    workflow, complaints = workflow_named(settings.workflow, nodes_folder(profile)) if settings.workflow else (None, ())
    yes = bool(options.get("yes"))
    return replace(config, workflow=workflow, yes=yes, notices=(*complaints, *filter(None, [default.notice])))


def recorded_size(resumed: Run) -> Size | None:
    """Return the size of the virtual desktop that a run had."""
    size = recorded(resumed).get("virtual")
    return Size.parse(size) if size else None
