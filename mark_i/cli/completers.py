"""Shell completion of names: runs, profiles, tools, workflows, brains and settings.

It loads no plugin, and completes nothing if the names cannot be read.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final

import click
from click.shell_completion import CompletionItem

from mark_i.config.paths import DEFAULT_PROFILE, desktops_folder, profile_folder, runs_folder
from world_model import MarkIError

Names = Callable[[str], Iterable[str]]  # the names of a profile
Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
FILES: Final = CompletionItem("", type="file")


def _completing(names: Names, *, or_file: bool = False) -> Completing:
    """Complete a word to one of the names, or to a file if it matches none and `or_file` is set."""

    def complete(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        try:
            known = names(context.params.get("profile") or DEFAULT_PROFILE)
        except (MarkIError, OSError):
            return []
        return [CompletionItem(name) for name in known if name.startswith(begun)] or [FILES] * or_file

    return complete


def _runs(profile: str) -> list[str]:
    folder = runs_folder(profile)
    return ["last", *sorted((run.name for run in folder.iterdir() if run.is_dir()), reverse=True)]


def _desktops(profile: str) -> list[str]:
    return sorted(file.stem for file in desktops_folder(profile).glob("*.json"))


def _skills(profile: str) -> list[str]:
    names: list[str] = import_module("mark_i.skills.store").names_of(profile)
    return names


def _profiles(_profile: str) -> list[str]:
    return sorted(folder.name for folder in profile_folder().parent.iterdir() if folder.is_dir())


def _tools(_profile: str) -> list[str]:
    return [tool.name for tool in import_module("mark_i.catalog").builtin_tools()]


def _workflows(_profile: str) -> Iterable[str]:
    shipped: Iterable[str] = import_module("mark_i.workflows.library").shipped()
    return shipped


def _brains(_profile: str) -> Iterable[str]:
    names: Iterable[str] = import_module("mark_i.brains").NAMES
    return names


def _settings(_profile: str) -> list[str]:
    keys = [f"{vendor}.key" for vendor in import_module("mark_i.config.api_keys").VARIABLES]
    return [*import_module("mark_i.config.settings").Settings.model_fields, *keys]


RUNS: Final = _completing(_runs)
DESKTOPS: Final = _completing(_desktops)
SKILLS: Final = _completing(_skills)
PROFILES: Final = _completing(_profiles)
TOOLS: Final = _completing(_tools)
WORKFLOWS: Final = _completing(_workflows, or_file=True)
BRAINS: Final = _completing(_brains)
SETTINGS: Final = _completing(_settings)
