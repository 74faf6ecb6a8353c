"""The folders and files of MARK-I. Each profile has its own folder, and profiles share nothing."""

import itertools
import os
import re
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from world_model import JournalError, UsageError, file_fault

DEFAULT_PROFILE: Final = "default"
_NUMBERS: Final = itertools.count(secrets.randbelow(0x100))  # two runs may begin at once; so may two processes


def profile_folder(name: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile; `MARK_I_HOME` puts everything under one folder.

    Raises:
        UsageError: The name is not valid; it becomes part of a path, so few characters are allowed.
    """
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name):
        raise UsageError(f"{name!r} cannot be a profile: its name is made of 1 to 64 letters, digits, - and _.")
    home = environment.get("MARK_I_HOME")
    data = Path(home) if home else platformdirs.user_data_path("mark-i", appauthor=False)
    return data / "profiles" / name


def make_private(folder: Path) -> None:
    """Make a folder if it is missing, and restrict it to its owner.

    Raises:
        JournalError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise JournalError(f"The folder {folder} cannot be made: {file_fault(error)}.") from error


def runs_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile's runs."""
    return profile_folder(profile, environment) / "runs"


def watches_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which each watch of a profile has a folder while it is going on."""
    return profile_folder(profile, environment) / "watches"


def sessions_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile's conversations."""
    return profile_folder(profile, environment) / "sessions"


def skills_folder(profile: str) -> Path:
    """Return the folder of a profile's skills."""
    return profile_folder(profile) / "skills"


def tools_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile's own tools."""
    return profile_folder(profile, environment) / "tools"


def nodes_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile's own types of workflow nodes."""
    return profile_folder(profile, environment) / "nodes"


def desktops_folder(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of a profile's kept desktops."""
    return profile_folder(profile, environment) / "desktops"


def settings_file(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a profile's settings."""
    return profile_folder(profile, environment) / "settings.toml"


def servers_file(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a profile's list of MCP servers."""
    return profile_folder(profile, environment) / "mcp.json"


def prices_file(profile: str = DEFAULT_PROFILE, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a profile's own model prices."""
    return profile_folder(profile, environment) / "prices.toml"


def new_run() -> str:
    """Return a new, unique name for a run; names sort by time."""
    now = time.time()
    fraction = int(now % 1 * 0x10000)
    number = (next(_NUMBERS) + os.getpid()) % 0x100  # processes that were forked count on from the same number
    return f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(now))}-{fraction:04x}{number:02x}"
