"""Files that a person attaches to a goal: copies in the folder of the run, which its tools may read."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from world_model import JournalError, UsageError, file_fault

FOLDER: Final = "attached"  # in the folder of the run's files
MAX_FILES: Final = 20  # their paths are in every prompt


def checked(files: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the paths of files that can be attached, each once.

    Raises:
        UsageError: one of them cannot be read, or there are too many.
    """
    paths = tuple(dict.fromkeys(Path(file).expanduser().absolute() for file in files))
    if len(paths) > MAX_FILES:
        raise UsageError(
            f"{len(paths)} files are too many to attach; {MAX_FILES} are allowed. Name their folder instead."
        )
    for path in paths:
        if path.is_dir():
            raise UsageError(
                f"{path} is a folder, and only files can be attached. Name the folder in the goal instead."
            )
        try:
            path.open("rb").close()
        except OSError as error:
            raise UsageError(f"{path} cannot be attached: {file_fault(error)}.") from error
    return paths


def attach(files: Sequence[Path], work: Path) -> None:
    """Copy files into the folder of a run's files; of two with one name, the second gets a number.

    Raises:
        JournalError: one cannot be copied.
    """
    folder = work / FOLDER
    try:
        for number, file in enumerate(files):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            taken = (folder / file.name).exists()
            shutil.copyfile(file, folder / (f"{file.stem}-{number + 1}{file.suffix}" if taken else file.name))
    except OSError as error:
        raise JournalError(f"{file} cannot be copied into {folder}: {file_fault(error)}.") from error


def attached(work: Path) -> tuple[Path, ...]:
    """Return the files that are attached to a run."""
    return tuple(sorted((work / FOLDER).iterdir())) if (work / FOLDER).is_dir() else ()
