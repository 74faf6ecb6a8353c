"""`mark-i doctor`: check what works here, and say what to do about the rest."""

import json
import shutil
import textwrap
from dataclasses import asdict
from typing import Any, Final

import click

from mark_i.cli.options import WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.doctor.examining import examined, examined_model, exit_code, failed
from mark_i.doctor.prerequisites import Finding
from mark_i.printable import CONTROLS
from mark_i.startup_check import versions
from toolbelt.control import Control
from world_model import Size

INDENT: Final = " " * 6  # as wide as the words before a finding
GREEN: Final = 28
RED: Final = 160


@click.command(cls=WithVirtual)
@virtual_option
@click.option("--model", is_flag=True, help="Check how exactly the model clicks; the desktop only with --virtual.")
@json_option
@profile_option
def doctor(virtual: Size | None, model: bool, as_json: bool, profile: str) -> int:
    """Check what works here, and say what to do about the rest.

    It tries what a run needs on the desktop that `mark-i run` would use. For a second or two it opens a small window
    there, moves the mouse, clicks and types; then it puts the pointer back. A model with a key is asked for one word.

    With --model, the model is sent one picture and asked where a button is. You are told how far off its answer was,
    what it cost and how long it took; if another setting of `coordinates` fits the answer, also which.

    `ok` works, `note` is missing but not needed, `FAIL` keeps a run from working. The exit code is 0 if nothing fails,
    5 for the desktop, 4 for the model, 2 for the settings, and 1 for the folder of the runs.

    Example: mark-i doctor --virtual
    """
    alone = model and virtual is None
    control = Control()
    stop_on_signals(control)
    findings: list[Finding] = []
    if not as_json and not alone:
        about = ", ".join(f"{name} {version}" for name, version in versions().items())
        click.echo("\n".join(_wrapped(about, width=_width())) + "\n")
    for one in examined_model(profile, control) if alone else examined(virtual, profile, control, check=model):
        findings.append(one)
        if not as_json:
            _tell(one)
    code = exit_code(findings)
    if as_json:
        told = [_as_json(one) for one in findings]
        click.echo(json.dumps({"versions": versions(), "findings": told, "exit_code": code}))
    return code


def _as_json(one: Finding) -> dict[str, Any]:
    told = {**asdict(one), "failed": failed(one)}
    return told if one.check else {name: value for name, value in told.items() if name != "check"}


def _tell(one: Finding) -> None:
    """Print a finding, and below it what to do, in the width of the terminal."""
    sign, color = ("ok", GREEN) if one.there else ("FAIL", RED) if failed(one) else ("note", None)
    first, *more = _wrapped(f"{one.name}: {one.told}")
    click.echo(click.style(f"{sign:{len(INDENT)}}", fg=color, bold=True) + first)
    for line in (*more, *(_wrapped(one.todo, "-> ") if one.todo else ())):
        click.echo(INDENT + line)


def _width() -> int:
    return max(30, min(shutil.get_terminal_size().columns, 120))


def _wrapped(text: str, before: str = "", width: int = 0) -> list[str]:
    """Wrap a text into lines; commands and file names stay whole."""
    return textwrap.wrap(
        before + text.translate(CONTROLS),
        width or _width() - len(INDENT),
        subsequent_indent=" " * len(before),
        break_long_words=False,
        break_on_hyphens=False,
    )
