"""`mark-i config`: the settings of a profile."""

import json

import click

from mark_i.cli_parts import Commands, json_option
from mark_i.folders import DEFAULT_PROFILE, settings_file
from mark_i.settings import as_text, load, parsed, save

profile_option = click.option(
    "--profile", metavar="NAME", default=DEFAULT_PROFILE, show_default=True, help="Whose settings, runs and tools."
)


@click.group(cls=Commands)
def config() -> None:
    """The settings that hold for all runs of a profile.

    Example: mark-i config set brain gemini
    """


@config.command("show")
@json_option
@profile_option
def show_settings(as_json: bool, profile: str) -> None:
    """Every setting, and whether the settings file sets it.

    Example: mark-i config show --profile work
    """
    settings, file = load(profile), settings_file(profile)
    values = settings.model_dump()
    if as_json:
        told = {"profile": profile, "file": str(file), "set": sorted(settings.model_fields_set), "settings": values}
        click.echo(json.dumps(told))
        return
    for key, value in values.items():
        origin = "set" if key in settings.model_fields_set else "default"
        click.echo(f"{key:19}{origin:9}{as_text(value)}")
    click.echo(f"\nWhat is set stands in {file}" + ("." if file.exists() else ", which is not there yet."))


@config.command("set")
@click.argument("key")
@click.argument("value")
@profile_option
def set_setting(key: str, value: str, profile: str) -> None:
    """Change one setting. VALUE none, or an empty one, clears a setting that may be empty.

    Example: mark-i config set max_steps 20
    """
    chosen = parsed(key, value)
    save({key: chosen}, profile)
    click.echo(f"{key} is now {as_text(chosen)}, in {settings_file(profile)}.")


@config.command("path")
@profile_option
def show_path(profile: str) -> None:
    """Where the settings file is, or would be.

    Example: mark-i config path
    """
    click.echo(settings_file(profile))
