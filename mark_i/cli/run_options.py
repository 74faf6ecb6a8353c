"""Options for models and limits that `run`, `ask` and `runs resume` share."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args

import click

from mark_i.assembly.resolve import recorded
from mark_i.brains import FORMS
from mark_i.cli.completers import BRAINS, WORKFLOWS
from mark_i.cli.profile_option import profile_option
from mark_i.events import Style
from world_model import Run, Size

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


def recorded_size(resumed: Run) -> Size | None:
    """Return the size of the virtual desktop that a run had."""
    size = recorded(resumed).get("virtual")
    return Size.parse(size) if size else None
