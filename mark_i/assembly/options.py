"""The RunConfig that options make: those of the command line, or of a file that names the same ones."""

from dataclasses import replace
from typing import Any

from mark_i.assembly.brain_choice import default_brain
from mark_i.assembly.resolve import laid_over, recorded, run_config_from
from mark_i.assembly.run_config import RunConfig
from mark_i.brains import REMOTE
from mark_i.config.api_keys import Keys
from mark_i.config.paths import nodes_folder
from mark_i.config.settings import Settings, load
from mark_i.workflows.running import workflow_named
from world_model import Run, UsageError


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
