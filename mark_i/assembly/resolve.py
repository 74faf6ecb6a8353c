"""Resolve the configuration of a run: command line over resumed run over the profile's settings."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from mark_i.assembly.brain_choice import declines_models, planner
from mark_i.assembly.compose import may_have_acted
from mark_i.assembly.run_config import RunConfig
from mark_i.brain import Brain
from mark_i.brains import NAMES, brain_named
from mark_i.brains.remote import RemoteBrain
from mark_i.brains.replay import ReplayBrain
from mark_i.brains.scripted import ScriptedBrain
from mark_i.config.api_keys import Keys
from mark_i.config.paths import prices_file, runs_folder
from mark_i.config.settings import Settings, faults
from mark_i.runs.store import find_run
from toolbelt.perception import Masks
from world_model import Run, UsageError, read_replies
from world_model.shapes import fault

# What a resumed run needs besides its brain and its limits.
RECORDED: Final = ("workflow", "base_url", "coordinates", "image_detail", "thinking", "model_seconds", "policy")

KEPT: Final = {  # the shape in run.json; the values are checked with the other settings
    "brain?": (str,),
    "settings?": ({"budget?": (dict,), "folder?": (str,), "virtual?": (str,), "schema?": (dict,)},),
}


def laid_over(settings: Settings, chosen: Mapping[str, Any], resumed: Run | None = None) -> Settings:
    """Return the profile's settings, overridden by those of a resumed run, and by those chosen for this run.

    An address and a meaning of coordinates do not apply to a brain of another vendor.

    Raises:
        UsageError: a setting is not allowed; the message says which and why.
    """
    kept = recorded(resumed) if resumed else {}
    before = kept.get("brain") or settings.brain
    brain = chosen.get("brain")
    if brain and before and _vendor(brain) != _vendor(before):
        settings = settings.model_copy(update={"base_url": None, "coordinates": None})
        kept = {name: value for name, value in kept.items() if name not in ("base_url", "coordinates")}
    known = {name: value for name, value in kept.items() if name in Settings.model_fields and value is not None}
    try:
        return Settings.model_validate({**settings.model_dump(), **known, **chosen})
    except ValidationError as error:
        raise UsageError(f"{faults(error)}.") from error


def run_config_from(settings: Settings, keys: Keys, resumed: Run | None = None, *, limited: bool) -> RunConfig:
    """Return the configuration of a run, without a workflow.

    Args:
        settings: as `laid_over` returns them.
        keys: the API keys and secrets of the profile.
        resumed: the run to resume.
        limited: whether the user set the step limit.

    Raises:
        UsageError: a setting is not allowed; the message says which and why.
        ModelError: a brain has no key.
    """
    name = planner(settings, keys)
    brain = _brain(name, name, settings, keys)
    reply, vision = (
        _brain(other, name, settings, keys) if other and not settings.single_model else None
        for other in (settings.reply_brain, settings.vision_brain)
    )
    if resumed and isinstance(brain, ScriptedBrain | ReplayBrain):
        brain.skip(_replies_used(resumed, foreseen=isinstance(brain, ReplayBrain)))
    return RunConfig(
        brain,
        budget=settings.budget(),
        style=settings.style,
        reply=reply,
        vision=vision,
        longest=settings.observation_chars,
        ahead=settings.ahead,
        profile=keys.profile,
        resumed=resumed,
        tavily_key=keys.get("tavily"),
        masks=Masks.parse(settings.masks),
        tools_off=settings.tools_off,
        hotkey=settings.stop_key(),
        idle=settings.takeover_idle_seconds,
        # Without a step limit from the user, a workflow's own limit applies.
        iterations=settings.max_steps if limited else None,
        secrets=keys.secrets(),
        policy=settings.permissions(),
        recorded={one: getattr(settings, one) for one in RECORDED} | _own(name, keys),
    )


def recorded(resumed: Run) -> dict[str, Any]:
    """Return the settings that a run started with, under the names of the options.

    Raises:
        UsageError: its run.json was changed by hand and is not valid.
    """
    if reason := fault(resumed.about, KEPT):
        raise UsageError(f"The run {resumed.folder.name} cannot be resumed: in its run.json, {reason}.")
    kept = dict(resumed.about.get("settings") or {})
    budget = kept.pop("budget", None) or {}
    limits = {f"max_{'cost' if name == 'usd' else name}": value for name, value in budget.items()}
    return {"brain": resumed.about.get("brain"), **kept, **limits}


def _own(brain: str, keys: Keys) -> dict[str, str]:
    """Return what the run's brain does not say: the name of a user's own one, or that no model was wanted."""
    said = brain.partition(":")[0] in NAMES and not declines_models(brain, keys)
    return {} if said else {"brain": brain}


def _brain(name: str, planning: str, settings: Settings, keys: Keys) -> Brain:
    """Return one brain of a run. The address is the planner's: no other vendor's key is sent there."""
    access = settings.access(keys)
    if _vendor(name) != _vendor(planning):
        access = replace(access, base_url=None, coordinates=None)
    brain = brain_named(name, access, partial(find_run, runs_folder(keys.profile)))
    if settings.max_cost is not None and isinstance(brain, RemoteBrain) and brain.price is None:
        raise UsageError(
            f"What {brain.name} costs is not known, so --max-cost cannot hold. "
            f"Write its price into {prices_file(keys.profile)}, or use --max-tokens."
        )
    return brain


def _replies_used(resumed: Run, *, foreseen: bool) -> int:
    """Count the replies that led to recorded actions, perhaps with the `foreseen`; later ones were never acted on."""
    lost = resumed.in_flight is not None and may_have_acted(resumed.in_flight)
    decided = len(resumed.steps) + lost
    planner = resumed.about.get("brain")
    replies = read_replies(resumed.folder)
    used = [one for one in replies if one["index"] <= decided and one.get("brain", planner) == planner]
    return sum(foreseen or not one.get("foreseen") for one in used)


def _vendor(brain: str) -> str:
    """Return the vendor of a brain, for which an address and coordinates are valid."""
    return brain.partition(":")[0].partition("-")[0]
