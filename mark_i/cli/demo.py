"""`mark-i demo`: write and save a letter in a real text editor, and check the file."""

import difflib
import tempfile
from pathlib import Path
from typing import Final

import click
from PIL import Image

from mark_i.assembly.run_config import RunConfig
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.cli.desktop_choice import DesktopChoice, placed
from mark_i.cli.runner import carry_out
from mark_i.cli.telling import Telling
from mark_i.doctor.prerequisites import Editor, editor_there
from mark_i.events import EXIT_CODES
from world_model import DesktopError

LINES: Final = (  # short enough for the window: text that scrolls out of view cannot be read
    "Dear reader,",
    "MARK-I typed this: naïve café, Straße, 3,14 €, <b> & π.",
    "Привет! It found its way by reading the screen.",
)


def show(choice: DesktopChoice, telling: Telling) -> int:
    """Write and save a letter on the chosen desktop.

    Raises:
        DesktopError: No editor is installed.
    """
    editor = editor_there()
    if editor is None:
        raise DesktopError("The demo needs a text editor: sudo apt-get install mousepad")
    if choice.virtual is None and not click.confirm(
        "The agent will use your own mouse and keyboard. Continue?", err=True
    ):
        raise click.Abort
    letter = new_letter()
    with placed(RunConfig(OfflineBrain()), choice, telling) as config:
        ran = carry_out(goal(editor, letter), config, telling)
    right, told = compare(letter)
    click.secho(told, fg=28 if right else 160, err=True)
    if ran.last:
        picture = letter.with_name("screen.png")
        Image.fromarray(ran.last.pixels).save(picture)
        click.echo(f"The final screen: {picture}", err=True)
    code = ran.outcome.exit_code
    return code if right else code or EXIT_CODES["failed"]


def goal(editor: Editor, letter: Path) -> str:
    """Return the goal, as a person would word it."""
    typing = ", ".join(f'type "{line}" and press enter' for line in LINES)
    return (
        f"{editor.opening}. Then {typing}. "
        f'Click File > Save As, wait until "Save As" appears, wait until "name:" appears, '
        f'type "{letter}" into "name:", and click Save. '
        f'Wait until "{letter.name}" is shown, and check that "Dear reader" is shown.'
    )


def new_letter() -> Path:
    """Return the path of a new letter, in a temporary folder."""
    return Path(tempfile.mkdtemp(prefix="mark-i-demo-")) / "letter.txt"


def compare(letter: Path) -> tuple[bool, str]:
    """Tell whether the file holds what was asked for, with a sentence and the differences."""
    wanted = "".join(f"{line}\n" for line in LINES)
    found = letter.read_text(encoding="utf-8") if letter.exists() else ""
    if found == wanted:
        return True, f"The file {letter} holds exactly what was asked for."
    difference = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "asked for", "found", lineterm="")
    return False, "\n".join([f"The file {letter} does not hold what was asked for:", *difference])
