"""Archives: files that hold others, of the formats that Python can unpack."""

import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Final

SUFFIXES: Final = {end: name for name, ends, _ in shutil.get_unpack_formats() for end in ends}
LISTED_MAX_BYTES: Final = 5_000_000  # a larger archive takes long to list


def is_archive(name: str) -> bool:
    """Whether a name ends as that of an archive."""
    return name.casefold().endswith(tuple(SUFFIXES))


def members(path: Path) -> set[str] | None:
    """Return the names of the files and folders in an archive; None if it is too large.

    Raises:
        ValueError: it is no archive of the format that its name says.
    """
    try:
        if path.stat().st_size > LISTED_MAX_BYTES:
            return None
        if path.suffix.casefold() == ".zip":
            with zipfile.ZipFile(path) as packed:
                names = packed.namelist()
        else:
            with tarfile.open(path) as packed:
                names = packed.getnames()
    except (OSError, EOFError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise ValueError(f"{path} is no such archive") from error
    return {part for name in names for part in Path(name).parts}
