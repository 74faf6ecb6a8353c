"""`mark-i doctor`: what works here, what does not, and what to do about that."""

import json
import shutil
import textwrap
from dataclasses import asdict
from typing import Final

import click

from mark_i.cli.options import WithVirtual, json_option, stop_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.doctor.examining import examined, exit_code, failed
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
@json_option
@profile_option
def doctor(virtual: Size | None, as_json: bool, profile: str) -> int:
    """What works here, what does not, and what to do about that.

    It tries all that a run needs on the desktop that `mark-i run` would use: for a second or two a small window comes
    up there, in which it moves the mouse, clicks and types. Then the pointer is put back. Where there is a model with
    a key, it is asked for one word.

    `ok` works, `note` is not there and not needed for a run, `FAIL` keeps a run from working. The exit code is 0 where
    nothing fails, 5 for the desktop, 4 for the model, 2 for the settings, 1 for the place of the runs.

    Example: mark-i doctor --virtual
    """
    control = Control()
    stop_on_signals(control)
    findings: list[Finding] = []
    if not as_json:
        about = ", ".join(f"{name} {version}" for name, version in versions().items())
        click.echo("\n".join(_wrapped(about, width=_width())) + "\n")
    for one in examined(virtual, profile, control):
        findings.append(one)
        if not as_json:
            _tell(one)
    code = exit_code(findings)
    if as_json:
        told = [{**asdict(one), "failed": failed(one)} for one in findings]
        click.echo(json.dumps({"versions": versions(), "findings": told, "exit_code": code}))
    return code


def _tell(one: Finding) -> None:
    """A finding, and below it what to do; as wide as the terminal is."""
    sign, color = ("ok", GREEN) if one.there else ("FAIL", RED) if failed(one) else ("note", None)
    first, *more = _wrapped(f"{one.name}: {one.told}")
    click.echo(click.style(f"{sign:{len(INDENT)}}", fg=color, bold=True) + first)
    for line in (*more, *(_wrapped(one.todo, "-> ") if one.todo else ())):
        click.echo(INDENT + line)


def _width() -> int:
    return max(30, min(shutil.get_terminal_size().columns, 120))


def _wrapped(text: str, before: str = "", width: int = 0) -> list[str]:
    """Lines beside the sign; commands and file names stay whole."""
    return textwrap.wrap(
        before + text.translate(CONTROLS),
        width or _width() - len(INDENT),
        subsequent_indent=" " * len(before),
        break_long_words=False,
        break_on_hyphens=False,
    )
