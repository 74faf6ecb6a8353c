"""One run told on the terminal, from the signals that stop it to the exit code."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from mark_i.asking_people import Answers, ask_on_terminal
from mark_i.cli_parts import stop_on_signals
from mark_i.cli_setting import recorded, recorded_size, setting_of
from mark_i.compose import Setting, agent_for, desktop_for
from mark_i.console import CONTROLS, Log, obey_in_background, write_json
from mark_i.events import Event, Outcome
from mark_i.folders import runs_folder
from mark_i.runs import find_run
from mark_i.sessions import Session
from toolbelt.control import Control
from world_model import Frame, Run, Size, UsageError, read_run

# A run without an outcome was killed; the others stopped before the goal.
GONE_ON_WITH: Final = {None, "stopped", "limit_steps", "limit_time", "limit_cost", "model_error", "desktop_error"}


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that ended: how, its journal's folder, and the last look at the screen."""

    outcome: Outcome
    folder: Path
    last: Frame | None


def carry_out(
    goal: str, setting: Setting, notice: str | None = None, *, as_json: bool = False, debug: bool = False
) -> Ran:
    """Run, and tell every event as it happens."""
    console = Console(highlight=False)
    tell: Callable[[Event], None] = write_json if as_json else Log(console).write
    control = Control()
    stop_on_signals(control)
    answers = Answers(tell, control)
    if as_json:
        obey_in_background(control, answers)
    ask = answers.ask if as_json else partial(ask_on_terminal, console, control)
    outcome, last = None, None
    with agent_for(goal, setting, control, ask) as (agent, folder):
        for event in agent.run(goal):
            tell(event)
            if event.event == "run_started" and notice:
                tell(Event("notice", event.t, {"text": notice}))
            last = event.step.after if event.step else last
            outcome = event.outcome
        if debug:
            scratchpad = agent.world_model.format("text") + "\n"
            (folder / "scratchpad.txt").write_text(scratchpad, encoding="utf-8")
            click.echo(f"\n{scratchpad.translate(CONTROLS)}", err=True, nl=False)
    if not as_json:
        click.echo(f"Journal: {folder}")
    assert outcome is not None  # noqa: S101 - the last event of a run is its end
    return Ran(outcome, folder, last)


def resume(run: str, options: dict[str, Any], virtual: Size | None, *, as_json: bool, debug: bool = False) -> int:
    """Go on with a run that was interrupted, on a desktop like the one that it had; the exit code.

    Raises:
        UsageError: there is no such run, or it came to an end by itself.
    """
    found = read_run(find_run(runs_folder(options["profile"]), run), images=False)
    goal, outcome = found.about.get("goal"), found.about.get("outcome") or {}
    if not isinstance(goal, str) or not isinstance(outcome, Mapping):
        raise UsageError(f"The run {found.folder.name} has no goal in its run.json, so it cannot be gone on with.")
    ended = outcome.get("outcome")
    if ended not in GONE_ON_WITH:
        raise UsageError(f"The run {found.folder.name} has ended: {ended}. Start a new one: mark-i run GOAL.")
    _go_back_to(found)
    session = recorded(found).get("session")
    conversation = Session(options["profile"], session) if isinstance(session, str) else None
    setting = replace(
        setting_of(options, found),
        screen=found.about.get("desktop") is not None,
        earlier=conversation.pairs() if conversation else (),
    )
    notice = None
    if setting.screen:
        size, notice = desktop_for(virtual or recorded_size(found))
        setting = replace(setting, virtual=size)
    ran = carry_out(goal, setting, notice, as_json=as_json, debug=debug)
    if conversation:
        conversation.note(goal, ran.outcome)
    return ran.outcome.exit_code


def _go_back_to(found: Run) -> None:
    """Work in the folder that the run was begun in: its relative paths start there."""
    folder = recorded(found).get("folder")
    try:
        os.chdir(folder or ".")
    except OSError as error:
        raise UsageError(f"The run was begun in {folder}, which cannot be used: {error.strerror}.") from error
