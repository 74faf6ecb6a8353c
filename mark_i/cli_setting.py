"""What `run`, `ask` and `runs resume` have in common: the options for models and limits, and what they make."""

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args

import click
from pydantic import ValidationError

from mark_i.brain import Brain
from mark_i.brains import REMOTE, brain_named
from mark_i.brains.scripted import ScriptedBrain
from mark_i.budget import Budget
from mark_i.cli_config import profile_option
from mark_i.compose import Setting, may_have_acted
from mark_i.events import Style
from mark_i.settings import Settings, load
from toolbelt.masks import Masks
from world_model import Run, Size, UsageError, read_replies

Command = TypeVar("Command", bound=Callable[..., Any])
KEY: Final = "GEMINI_API_KEY"
TAVILY_KEY: Final = "TAVILY_API_KEY"
ABOVE_0: Final = click.FloatRange(min=0, min_open=True)

_OPTIONS: Final = (
    click.option("--brain", metavar="B[:MODEL]", help="gemini[:MODEL], offline or scripted:FILE."),
    click.option("--reply-brain", metavar="B[:MODEL]", help="Another one for the final words."),
    click.option("--vision-brain", metavar="B[:MODEL]", help="Another one that describes the screen."),
    click.option("--single-model", is_flag=True, help="One brain for everything, whatever the settings say."),
    click.option("--base-url", metavar="URL", help="Where the model is reached, if not at its maker's."),
    click.option("--max-steps", type=click.IntRange(min=1), help="Stop after so many steps; 50 if nothing is set."),
    click.option("--max-seconds", type=ABOVE_0, metavar="S", help="Stop before more time has passed."),
    click.option("--max-tokens", type=click.IntRange(min=1), help="Stop before more tokens are used."),
    click.option("--max-cost", type=ABOVE_0, metavar="USD", help="Stop before more money is spent."),
    click.option("--style", type=click.Choice(get_args(Style)), help="How the answer is told."),
    profile_option,
)


def model_options(command: Command) -> Command:
    """Give a command these options; it takes them as `**options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def setting_of(options: dict[str, Any], resumed: Run | None = None) -> Setting:
    """The Setting that options, the resumed run and the profile's settings make, in that order.

    Raises:
        UsageError: one of them is not allowed; the message says which and why.
        ModelError: a brain has no key.
    """
    settings = _laid_over(load(options["profile"]), options, resumed)
    key = os.environ.get(KEY)
    single = options["single_model"] or settings.single_model
    name = settings.brain or ("gemini" if key else "offline")
    remote = name.partition(":")[0] in REMOTE
    if options["base_url"] and not remote:
        raise UsageError(f"--base-url says where a model is reached, and {name} is not reached over a network.")
    if settings.max_cost is not None and remote:
        raise UsageError(f"What {name} costs is not known here, so --max-cost cannot hold. Use --max-tokens.")
    brain = brain_named(name, base_url=settings.base_url, key=key)
    if resumed and isinstance(brain, ScriptedBrain):
        brain.skip(_replies_used(resumed))

    def other(name: str | None) -> Brain | None:
        return brain_named(name, base_url=settings.base_url, key=key) if name and not single else None

    return Setting(
        brain,
        budget=Budget(settings.max_steps, settings.max_seconds, settings.max_tokens, settings.max_cost),
        style=settings.style,
        reply=other(settings.reply_brain),
        vision=other(settings.vision_brain),
        longest=settings.observation_chars,
        profile=options["profile"],
        resumed=resumed,
        tavily_key=os.environ.get(TAVILY_KEY),
        masks=Masks.parse(settings.masks),
    )


def _replies_used(resumed: Run) -> int:
    """How many replies led to the actions that were decided; those after them were never acted upon."""
    lost = resumed.in_flight is not None and may_have_acted(resumed.in_flight)
    decided = len(resumed.steps) + lost
    planner = resumed.about.get("brain")
    replies = read_replies(resumed.folder)
    return sum(reply["index"] <= decided and reply.get("brain", planner) == planner for reply in replies)


def recorded_size(resumed: Run) -> Size | None:
    """The virtual desktop that a run had."""
    size = recorded(resumed).get("virtual")
    return Size.parse(size) if size else None


def _laid_over(settings: Settings, options: dict[str, Any], resumed: Run | None) -> Settings:
    kept = recorded(resumed) if resumed else {}
    known = {name: value for name, value in kept.items() if name in Settings.model_fields and value is not None}
    given = {name: value for name, value in options.items() if name in Settings.model_fields and value is not None}
    try:
        return Settings.model_validate(settings.model_dump() | known | given)
    except ValidationError as error:
        raise UsageError(f"The settings of the run cannot be used: {error.errors()[0]['msg']}.") from error


def recorded(resumed: Run) -> dict[str, Any]:
    """The settings of a run as it began, in the words of the options."""
    kept = dict(resumed.about.get("settings") or {})
    budget = kept.pop("budget", None) or {}
    limits = {f"max_{'cost' if name == 'usd' else name}": value for name, value in budget.items()}
    return {"brain": resumed.about.get("brain"), **kept, **limits}
