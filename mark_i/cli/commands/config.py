"""`mark-i config`: the settings of a profile."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from mark_i.brains import check_brain
from mark_i.cli.command_names import Commands
from mark_i.cli.completers import SETTINGS
from mark_i.cli.options import json_option
from mark_i.cli.profile_option import profile_option
from mark_i.config.about import ABOUT, GROUPS
from mark_i.config.api_keys import OWN_VARIABLES, SECRET, TOTP, VARIABLES, Keys
from mark_i.config.keyrings import keyring_in_use
from mark_i.config.paths import nodes_folder, settings_file
from mark_i.config.settings import Settings, as_text, load, parsed, save
from mark_i.guard.one_time_codes import OneTimeCode
from mark_i.guard.policy import read_policy
from mark_i.guard.secrets import NAME, SHORTEST_CHARS
from mark_i.workflows.library import shipped
from mark_i.workflows.running import workflow_named
from world_model import UsageError

KEY_CHARS: Final = 23  # width of the names


@click.group(cls=Commands)
def config() -> None:
    """Show and change the settings that apply to all runs of a profile.

    Example: mark-i config set brain gemini
    """


@config.command("show")
@click.option("--describe", is_flag=True, help="Say in a line what each setting is for, the basic ones first.")
@json_option
@profile_option
def show_settings(describe: bool, as_json: bool, profile: str) -> None:
    """Show every setting, and whether it is set or a default.

    Example: mark-i config show --profile work
    """
    settings, file = load(profile), settings_file(profile)
    kept = {vendor: Keys(profile).find(vendor)[1] for vendor in VARIABLES}
    ring = keyring_in_use() if "keyring" in kept.values() else None
    secrets = Keys(profile).secrets()
    named, codes = sorted(secrets.named), sorted(secrets.codes)
    if as_json:
        told = {
            "profile": profile,
            "file": str(file),
            "set": sorted(settings.model_fields_set),
            "settings": settings.model_dump(),
            "keys": kept,
            "keyring": asdict(ring) if ring else None,
            "secrets": named,
            "totp": codes,
            **({"about": {key: _about(key) for key in ABOUT}} if describe else {}),
        }
        click.echo(json.dumps(told))
        return
    if describe:
        _describe(settings)
    else:
        for key in Settings.model_fields:
            click.echo(_line(key, settings))
    margin = "  " if describe else ""
    unprotected = f", without encryption: plain text in {ring.place}" if ring and ring.plaintext else ""
    for vendor, where in kept.items():
        click.echo(f"{margin}{vendor + '.key':{KEY_CHARS}}{where}{unprotected if where == 'keyring' else ''}")
    click.echo(f"{margin}{'secrets':{KEY_CHARS}}{', '.join(named) or 'none'}")
    click.echo(f"{margin}{'one-time codes':{KEY_CHARS}}{', '.join(codes) or 'none'}")
    click.echo(f"\nSettings file: {file}" + ("" if file.exists() else " (does not exist yet)"))


def _describe(settings: Settings) -> None:
    """Print each setting with what it is for and what it may be, in groups."""
    for group in GROUPS:
        click.echo(group.capitalize())
        for key, about in ABOUT.items():
            if about.group == group:
                allowed = Settings.model_fields[key].description
                click.echo(f"  {_line(key, settings)}\n{'':6}{about.help}\n{'':6}Values: {allowed}.")
        click.echo()
    click.echo("Keys and secrets")


def _line(key: str, settings: Settings) -> str:
    origin = "set" if key in settings.model_fields_set else "default"
    return f"{key:{KEY_CHARS}}{origin:9}{as_text(getattr(settings, key))}"


def _about(key: str) -> dict[str, str]:
    return {**asdict(ABOUT[key]), "allowed": Settings.model_fields[key].description or ""}


@config.command("set")
@click.argument("key", shell_complete=SETTINGS)
@click.argument("value", required=False)
@click.option(
    "--file", "in_file", is_flag=True, help="Keep a key or secret in a file that only you can read, not in the keyring."
)
@profile_option
def set_setting(key: str, value: str | None, in_file: bool, profile: str) -> None:
    """Change one setting. The VALUE none, or an empty one, clears a setting that may be empty.

    API keys (gemini.key, openai.key, anthropic.key, tavily.key) take no VALUE: you type them without echo, and they
    are kept in the system's keyring, or with --file in a file of the profile that only you can read. So are secrets of
    your own, secret.NAME: the agent types {{secret:NAME}} and never sees the value; and keys for one-time codes,
    totp.NAME: {{totp:NAME}} types the code of that moment.

    Example: mark-i config set max_steps 20
    """
    vendor, dot, rest = key.partition(".")
    if dot and rest == "key" and vendor in VARIABLES:
        click.echo(_save_key(vendor, value, Keys(profile), in_file=in_file))
        return
    if dot and f"{vendor}." in OWN_VARIABLES:
        click.echo(_save_own(vendor, rest, value, Keys(profile), in_file=in_file))
        return
    if in_file:
        raise UsageError(f"--file is for keys and secrets. {key} is kept in {settings_file(profile)} anyway.")
    if value is None:
        raise UsageError(f"Give a value for {key}: mark-i config set {key} VALUE.")
    chosen = _usable(key, parsed(key, value), profile)
    save({key: chosen}, profile)
    click.echo(f"{key} is now {as_text(chosen)}, in {settings_file(profile)}.")


def _usable(key: str, value: Any, profile: str) -> Any:
    """Return the value as it is valid in any folder, and refuse what every run would refuse."""
    if value and key == "policy":
        file = Path(value).expanduser().absolute()
        read_policy(file)
        return str(file)
    if value and key == "workflow":
        workflow_named(value, nodes_folder(profile))
        return value if value in shipped() else str(Path(value).absolute())
    if value and key in Settings.model_fields and key.endswith("brain"):
        check_brain(value)
    return value


def _save_key(vendor: str, value: str | None, keys: Keys, *, in_file: bool) -> str:
    """Ask for a key and keep it; an empty one, or `none`, removes it. Return the message."""
    if value and value != "none":
        raise UsageError(
            f"A key on the command line stays in the shell's history. Leave it out: mark-i config set {vendor}.key "
            "asks for it."
        )
    if value is None:
        value = _asked(f"Key for {vendor}")
    key = "" if value == "none" else value.strip()
    keys.save(vendor, key, in_file=in_file)
    return f"{vendor}.key is now in {_kept(keys, in_file=in_file)}." if key else f"{vendor}.key is removed."


def _kept(keys: Keys, *, in_file: bool) -> str:
    return f"{keys.file}, which only you can read" if in_file else keyring_in_use().told


def _save_own(kind: str, name: str, value: str | None, keys: Keys, *, in_file: bool) -> str:
    """Ask for a secret or a key for one-time codes, and keep it; an empty one, or `none`, removes it.

    Return the message.
    """
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the name of a secret. Use 1 to 64 letters, digits, - and _.")
    if value and value != "none":
        raise UsageError(
            f"A secret on the command line stays in the shell's history. Leave it out: mark-i config set {kind}.{name} "
            "asks for it."
        )
    called = "secret" if f"{kind}." == SECRET else "key for the one-time codes"
    secret = "" if value == "none" else _asked(f"{called.capitalize()} {name}").rstrip("\n")
    if secret and f"{kind}." == TOTP:
        OneTimeCode(name, secret)  # refuses what is no key
    elif 0 < len(secret) < SHORTEST_CHARS:
        raise UsageError(
            f"A secret has at least {SHORTEST_CHARS} characters: a shorter one would also match parts of other words."
        )
    keys.save(f"{kind}.{name}", secret, in_file=in_file)
    if not secret:
        return f"The {called} {name} is removed."
    return f"The agent can type {{{{{kind}:{name}}}}} now. It is in {_kept(keys, in_file=in_file)}."


def _asked(question: str) -> str:
    """Return what a person types without echo, or the next line of standard input."""
    stream = sys.stdin
    if not stream.isatty():
        if not (line := stream.readline()):
            raise UsageError(f"{question}: nothing was given. To remove one, give none as its value.")
        return line
    return str(click.prompt(question, hide_input=True, default="", show_default=False))


@config.command("path")
@profile_option
def show_path(profile: str) -> None:
    """Print the path of the settings file, which may not exist yet.

    Example: mark-i config path
    """
    click.echo(settings_file(profile))
