"""Keys in a file of the profile that only its owner can read, for whoever has no keyring or wants none."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from world_model import UsageError, file_fault
from world_model.journal import write_whole

NAME: Final = "api_keys.json"  # in the profile's folder
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO  # the permissions of everybody but the owner
HAS_OWNERS: Final = os.name == "posix"  # elsewhere a file in a person's own folder is closed to others anyway


def read_keys(file: Path) -> dict[str, str]:
    """Return the keys in a file; none if it is missing.

    Raises:
        UsageError: others may read it, it belongs to somebody else, or it is not valid.
    """
    try:
        with file.open("rb") as opened:
            if HAS_OWNERS:
                _check(os.fstat(opened.fileno()), file)
            content = opened.read()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{file} cannot be read for keys: {file_fault(error)}.") from error
    try:
        keys = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not JSON. Delete it, and save its keys again.") from error
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise UsageError(f"{file} is not a list of keys. Delete it, and save its keys again.")
    return keys


def write_keys(file: Path, keys: Mapping[str, str]) -> None:
    """Replace the keys in a file, which nobody else can read at any time; without keys there is no file.

    Raises:
        OSError: It cannot be written.
    """
    if keys:
        write_whole(file, json.dumps(dict(sorted(keys.items())), indent=1).encode())
    else:
        file.unlink(missing_ok=True)


def _check(found: os.stat_result, file: Path) -> None:
    if found.st_uid != os.getuid():
        raise UsageError(f"{file} belongs to somebody else, so its keys are not used. Delete it, and save them again.")
    if found.st_mode & OTHERS:
        mode = stat.S_IMODE(found.st_mode)
        raise UsageError(
            f"Others may read {file} (mode {mode:o}), so its keys are not used. Close it: chmod 600 {file}. "
            "Replace the keys if somebody may have read them."
        )
