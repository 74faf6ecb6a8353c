"""The demonstrations of the skills benchmark: what is open, what is asked for, how it is done and checked."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

FILE: Final = "demonstrations.toml"


class Demonstration(BaseModel):
    """One piece of work in one program. `{name}` stands for a value in `goal`, `calls` and `check`.

    Attributes:
        program: the command that opens it, in a shell and in the folder of the work. `{page}` is the address of `page`,
            `{look}` stands for what changes the looks of a browser.
        page: a page that the command opens; what its form sends is in the file `sent`.
        setup: a command that prepares the folder.
        calls: the tool and the arguments of each step; targets are texts on the screen.
        check: a command that exits with 0 if it was done.
        values: for each value, what it is at first, and what it is the second time.
        relabelled: controls that have another name in a newer version of the program.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    program: str = Field(min_length=1)
    page: str = ""
    setup: str = ""
    goal: str = Field(min_length=1)
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = Field(min_length=1)
    check: str = Field(min_length=1)
    values: Mapping[str, tuple[str, str]] = Field(default_factory=dict)
    relabelled: Mapping[str, str] = Field(default_factory=dict)

    @property
    def needs(self) -> str:
        """The program that must be installed."""
        return self.program.split()[0]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    demonstration: tuple[Demonstration, ...]


def demonstrations() -> tuple[Demonstration, ...]:
    """Return all of them."""
    text = resources.files("mark_i.bench").joinpath(FILE).read_text("utf-8")
    return _File.model_validate(tomllib.loads(text)).demonstration
