"""How a run is told: `--json` for a program, `--quiet` for its answer alone, `--debug` with the scratchpad."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import click

from mark_i.cli.options import debug_option, json_option
from world_model import UsageError

quiet_option = click.option(
    "--quiet", is_flag=True, help="Print only the answer; on standard error, what went wrong and what you are asked."
)


@dataclass(frozen=True, slots=True)
class Telling:
    """How a run is told.

    Attributes:
        as_json: every event as a line of JSON, and nothing else, on standard output.
        quiet: only the answer on standard output.
        debug: the scratchpad at the end, on standard error.
        result: only the result by a schema on standard output; the log on standard error.

    Raises:
        UsageError: they contradict each other.
    """

    as_json: bool = False
    quiet: bool = False
    debug: bool = False
    result: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.quiet:
            raise UsageError("--json prints every event, and --quiet only the answer; leave one of them out.")

    @property
    def is_read(self) -> bool:
        """Whether a program may read standard output, where only the run itself belongs then."""
        return self.as_json or self.quiet or self.result


LOGGED: Final = Telling()


def telling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which takes them as `telling`."""

    @functools.wraps(command)
    def told(*args: Any, as_json: bool, quiet: bool, debug: bool, **options: Any) -> Any:
        return command(*args, telling=Telling(as_json, quiet, debug), **options)

    for option in (debug_option, quiet_option, json_option):
        told = option(told)
    return told
