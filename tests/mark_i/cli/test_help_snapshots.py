"""What every command's `--help` says: see tests/snapshots/help."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mark_i.cli.main import ELSEWHERE, program
from tests.snapshot import FOLDER, Snapshot

COMMANDS = ["mark-i", "gui", *ELSEWHERE]
WIDTH_CHARACTERS = 100


def helps(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
    """The help of a command, and of those below it."""
    command._help_option = None  # click keeps the one of the context in which it was asked first
    result = CliRunner().invoke(program, [*path, "--help"], prog_name="mark-i", terminal_width=WIDTH_CHARACTERS)
    assert result.exit_code == 0
    yield f"$ {' '.join(('mark-i', *path))} --help\n{result.output}"
    if path and isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            yield from helps(below, (*path, name))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command(name: str, snapshot: Snapshot, home: Path) -> None:
    path = () if name == "mark-i" else (name,)
    command = program.get_command(click.Context(program), name) if path else program
    assert command

    snapshot(f"help/{name}", "\n\n".join(helps(command, path)).replace(str(home), "~"))


def test_every_command_has_a_snapshot_and_nothing_else() -> None:
    assert {file.stem for file in (FOLDER / "help").iterdir()} == set(COMMANDS)
    assert set(program.list_commands(click.Context(program))) | {"mark-i"} == set(COMMANDS)
