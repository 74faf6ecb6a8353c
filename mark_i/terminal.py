"""One run told on the terminal, from the signals that stop it to the exit code."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from mark_i.cli_parts import stop_on_signals
from mark_i.compose import Setting, agent_for
from mark_i.console import Log, obey_in_background, write_json
from mark_i.events import Event
from toolbelt.control import Control
from world_model import Frame


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that ended: its exit code, its journal's folder, and the last look at the screen."""

    exit_code: int
    folder: Path
    last: Frame | None


def carry_out(goal: str, setting: Setting, notice: str | None, *, as_json: bool, debug: bool = False) -> Ran:
    """Run, and tell every event as it happens."""
    log = Log(Console(highlight=False))
    tell: Callable[[Event], None] = write_json if as_json else log.write
    control = Control()
    stop_on_signals(control)
    if as_json:
        obey_in_background(control)
    code, last = 1, None
    with agent_for(goal, setting, control) as (agent, folder):
        for event in agent.run(goal):
            tell(event)
            if event.event == "run_started" and notice:
                tell(Event("notice", event.t, {"text": notice}))
            last = event.step.after if event.step else last
            code = int(event.data.get("exit_code", code))
        if debug:
            scratchpad = agent.world_model.format("text") + "\n"
            (folder / "scratchpad.txt").write_text(scratchpad, encoding="utf-8")
            click.echo(f"\n{scratchpad}", err=True, nl=False)
    if not as_json:
        click.echo(f"Journal: {folder}")
    return Ran(code, folder, last)
