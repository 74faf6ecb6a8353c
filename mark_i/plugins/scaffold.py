"""A sample tool with its test, written into the profile for the person to change."""

import keyword
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from world_model import JournalError, UsageError, file_fault
from world_model.journal import write_whole


@dataclass(frozen=True, slots=True)
class Sample:
    """The two files that were written; the test is in a subfolder, which is not searched for tools."""

    tool: Path
    test: Path


def write_sample(name: str, folder: Path, taken: Container[str]) -> Sample:
    """Write a tool with that name and its test.

    Args:
        name: the name of the function, the tool and its file.
        folder: the `tools/` folder of the profile; it need not exist.
        taken: the names of existing tools.

    Raises:
        UsageError: the name is invalid or taken; nothing was written.
        JournalError: the files cannot be written.
    """
    name = unicodedata.normalize("NFKC", name)  # as Python reads it in the file
    _check(name, taken)
    sample = Sample(folder / f"{name}.py", folder / "tests" / f"test_{name}.py")
    try:
        for file in (sample.tool, sample.test):
            if file.exists():
                raise UsageError(f"{file} already exists; choose another name.")
        sample.test.parent.mkdir(parents=True, exist_ok=True)
        _write(sample.tool, "tool", name)
        _write(sample.test, "test", name)
    except OSError as error:
        raise JournalError(f"{error.filename} cannot be written: {file_fault(error)}.") from error
    return sample


def _check(name: str, taken: Container[str]) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is not a valid name for a Python function. Use a name such as open_ticket.")
    if name.startswith("_"):
        raise UsageError(f"{name!r} is not a valid name for a tool: files that start with _ are not loaded.")
    if name in taken:
        raise UsageError(f"A tool named {name} already exists; choose another name.")


def _write(file: Path, which: str, name: str) -> None:
    text = (resources.files("mark_i.plugins") / "samples" / f"{which}.py.txt").read_text(encoding="utf-8")
    write_whole(file, Template(text).substitute(name=name).encode())
