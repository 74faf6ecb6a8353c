"""A tool to start from, with its test: files of the person's own, written into their profile."""

import keyword
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from world_model import JournalError, UsageError
from world_model.journal import write_whole


@dataclass(frozen=True, slots=True)
class Sample:
    """The two files that were written. The test is in a folder below, where no tools are looked for."""

    tool: Path
    test: Path


def write_sample(name: str, folder: Path, taken: Container[str]) -> Sample:
    """Write a tool of that name into the folder of tools, and its test.

    Args:
        name: of the function, and so of the tool and its file.
        folder: where the tools of a profile are; it need not be there.
        taken: the names of tools that there are.

    Raises:
        UsageError: the name cannot be had; nothing was written.
        JournalError: the files cannot be written.
    """
    name = unicodedata.normalize("NFKC", name)  # as Python reads it in the file
    _check(name, taken)
    sample = Sample(folder / f"{name}.py", folder / "tests" / f"test_{name}.py")
    try:
        for file in (sample.tool, sample.test):
            if file.exists():
                raise UsageError(f"{file} is there already and is left as it is; choose another name.")
        sample.test.parent.mkdir(parents=True, exist_ok=True)
        _write(sample.tool, "tool", name)
        _write(sample.test, "test", name)
    except OSError as error:
        raise JournalError(f"{error.filename} cannot be written: {error.strerror}.") from error
    return sample


def _check(name: str, taken: Container[str]) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(
            f"{name!r} cannot be a tool: no Python function can be called that. Take a name like open_ticket."
        )
    if name.startswith("_"):
        raise UsageError(f"{name!r} cannot be a tool: files that begin with _ are not read as tools.")
    if name in taken:
        raise UsageError(f"There is a tool named {name} already; choose another name.")


def _write(file: Path, which: str, name: str) -> None:
    text = (resources.files("mark_i.plugins") / "samples" / f"{which}.py.txt").read_text(encoding="utf-8")
    write_whole(file, Template(text).substitute(name=name).encode())
