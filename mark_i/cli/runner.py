"""One run on the terminal, from the signals that stop it to the exit code."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from mark_i.assembly.compose import agent_for
from mark_i.assembly.conversation import resuming
from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.cli.console import WIDEST_CHARS, Log, Quiet, obey_in_background, only_events, write_result
from mark_i.cli.desktop_choice import DesktopChoice, placed
from mark_i.cli.invocation import started
from mark_i.cli.options import stopped_on_signals
from mark_i.cli.run_options import recorded_size
from mark_i.cli.skill_config import resumed_config
from mark_i.cli.telling import LOGGED, Telling
from mark_i.config.paths import runs_folder
from mark_i.events import Event, Outcome
from mark_i.human.person import Answers, AtTheTerminal, Person, forget_typed_ahead, resume_on_enter
from mark_i.human.takeover_watch import Watcher
from mark_i.human.words import Words
from mark_i.printable import CONTROLS
from mark_i.runs.dry_run import write_planned
from mark_i.runs.sessions import Session
from mark_i.runs.store import RESUMABLE, find_run, summary
from mark_i.wording import action_call
from toolbelt.control import Control
from world_model import Frame, JournalError, Region, Run, UsageError, file_fault, read_run
from world_model.journal import write_whole

SAID: Final = "That run did not reach its goal, and during it you said: {}. See whether all of that is done now."
EMPTY: Final = "The run resumes on an empty virtual desktop: programs that were open before are closed."


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished run: its outcome, its folder, the last frame of the screen, and what stops what follows on it."""

    outcome: Outcome
    folder: Path
    last: Frame | None
    control: Control


class Aside:
    """Reports what happens beside the run as notices, after `run_started`, which must be the first event."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._tell: Callable[[Mapping[str, Any]], None] | None = None
        self._early: list[Mapping[str, Any]] = []

    def say(self, text: str, **more: Any) -> None:
        """Report a notice now, or as soon as the run has started."""
        data = {"text": text, **more}
        if self._tell is None:
            self._early.append(data)
        else:
            self._tell(data)

    def warn(self, text: str) -> None:
        """Print a notice at once, though the run has not started; a program hears of it once it has."""
        click.echo(text, err=True)
        if self._as_json:
            self.say(text)

    def begin(self, tell: Callable[[Mapping[str, Any]], None]) -> None:
        """Report the early notices, now that the run has started."""
        self._tell = tell
        for data in self._early:
            tell(data)


def carry_out(goal: str, config: RunConfig, telling: Telling = LOGGED, control: Control | None = None) -> Ran:
    """Run, and report every event as it happens; a preview ends at the first action, which is drawn, not executed.

    Args:
        goal: what the person wants.
        config: what the run is made of.
        telling: how it is told.
        control: stops the run, and on signals, too; by default one of its own.
    """
    config = replace(config, started=config.started or started())
    console = Console(highlight=False, stderr=telling.quiet or telling.result)
    control = control or stopped_on_signals()
    aside = Aside(as_json=telling.as_json)
    answers = Answers(partial(aside.say, question=True), control, early=not (sys.stdin and sys.stdin.isatty()))
    words = Words()
    if telling.as_json:
        obey_in_background(control, answers, words)
    person: Person = answers if telling.as_json else AtTheTerminal(console, control, words)
    for text in config.notices:
        aside.say(text)
    at_terminal = not telling.as_json and sys.stdin.isatty()
    resuming = partial(_how_to_resume, answers if telling.as_json else None, at_terminal=at_terminal)
    outcome, last, screen = None, None, None
    with (
        _reader(telling, console, resuming) as tell,
        agent_for(goal, config, control, person, Watcher(aside.say, resuming, aside.warn), words) as (agent, folder),
    ):
        for event in agent.run(goal) if telling.as_json else _told_once(agent.run(goal)):
            waits_for_enter = at_terminal and event.event == "paused"
            if waits_for_enter:
                forget_typed_ahead()
            tell(event)
            if event.event == "run_started":
                aside.begin(lambda data: tell(agent.event("notice", **data)))
            if waits_for_enter:
                resume_on_enter(control)
            screen = event.screen or screen
            if config.preview and event.event == "approval":
                tell(_planned(event, screen, folder))
                control.stop()
            last = event.step.after if event.step else last
            outcome = event.outcome
        if telling.debug:
            scratchpad = agent.world_model.format("text") + "\n"
            _keep(scratchpad, folder / "scratchpad.txt")
            click.echo(f"\n{scratchpad.translate(CONTROLS)}", err=True, nl=False)
    if not (telling.as_json or telling.quiet):
        click.echo(f"Journal: {folder}", err=telling.result)
    assert outcome is not None  # noqa: S101 - the last event of a run is its end
    return Ran(outcome, folder, last, control)


def _reader(
    telling: Telling, console: Console, resuming: Callable[[], str]
) -> AbstractContextManager[Callable[[Event], None]]:
    """Return who reads the events of a run, and tells the person or the program of them."""
    if telling.as_json:
        return only_events()
    return nullcontext(partial(_told, Quiet(resuming).write if telling.quiet else Log(console).write))


def _told(write: Callable[[Event], None], event: Event) -> None:
    write(event)
    if event.outcome and event.outcome.result:
        write_result(event.outcome.result)


def _told_once(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a run, and no error after its end: to a person, that has told of the lost journal."""
    outcome = None
    try:
        for event in events:
            outcome = event.outcome
            yield event
    except JournalError:
        if outcome is None:
            raise


def _keep(text: str, file: Path) -> None:
    try:
        write_whole(file, text.encode("utf-8", "replace"))  # a tool may return half of a surrogate pair
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {file_fault(error)}.") from error


def _how_to_resume(answers: Answers | None, *, at_terminal: bool) -> str:
    """Say how a person resumes a paused run; empty if there is nobody."""
    if answers:
        return "" if answers.ended else 'To resume it, send {"command": "resume"}.'
    return "Press Enter here to resume it." if at_terminal else ""


def resume(run: str, options: dict[str, Any], choice: DesktopChoice, telling: Telling) -> int:
    """Resume an interrupted run, on a desktop like the one that it had, and return the exit code.

    Raises:
        UsageError: There is no such run, or it reached its end.
    """
    found = read_run(find_run(runs_folder(options["profile"]), run), images=False)
    goal, outcome = _goal_of(found, "resumed"), found.about.get("outcome") or {}
    ended = outcome.get("outcome")
    if ended not in RESUMABLE:
        raise UsageError(f"The run {found.folder.name} has ended: {ended}. Do it again: mark-i runs again {run}")
    _go_back_to(found)
    session = recorded(found).get("session")
    conversation = Session(options["profile"], session) if isinstance(session, str) else None
    began, config = time.monotonic(), resuming(resumed_config(options, found), found)
    telling = replace(telling, result=config.schema is not None)
    config = replace(
        config,
        screen=found.about.get("desktop") is not None,
        earlier=conversation.pairs() if conversation else config.earlier,
    )
    with placed(config, choice.like(recorded_size(found)), telling) as there:
        empty = (EMPTY,) if there.virtual and not choice.on and found.steps else ()
        ran = carry_out(goal, replace(there, notices=(*there.notices, *empty)), telling)
    if conversation:
        conversation.note(config.secrets.redacted(goal), ran.outcome)
    return settled(ran, options["profile"], telling, began) if config.skill else ran.outcome.exit_code


def again(run: str, options: dict[str, Any], choice: DesktopChoice, telling: Telling) -> int:
    """Reach the goal of a run again, with its settings and on a desktop like the one that it had, as a run of its own.

    The goal is as it was at the end: with what the person said during the run.

    Returns:
        The exit code.

    Raises:
        UsageError: There is no such run, or it has no goal.
    """
    found = read_run(find_run(runs_folder(options["profile"]), run), images=False)
    goal = _goal_of(found, "run again")
    _go_back_to(found)
    began, config = time.monotonic(), resuming(resumed_config(options, found), found)
    goal = goal if config.skill else summary(found.folder).worked_on
    telling = replace(telling, result=config.schema is not None)
    said = [f'"{word["text"]}"' for word in found.words]
    is_done = (found.about.get("outcome") or {}).get("outcome") in {"done", "done_unverified"}
    told = () if is_done or not said or config.skill else (SAID.format(", ".join(said)),)
    config = replace(config, resumed=None, screen=found.about.get("desktop") is not None)
    config = replace(config, notices=(*config.notices, *told))
    with placed(config, choice.like(recorded_size(found)), telling) as there:
        ran = carry_out(goal, there, telling)
    return settled(ran, options["profile"], telling, began) if config.skill else ran.outcome.exit_code


def _goal_of(found: Run, how: str) -> str:
    """Return the goal of a run.

    Raises:
        UsageError: It has none, or no outcome.
    """
    goal = found.about.get("goal")
    if not isinstance(goal, str) or not isinstance(found.about.get("outcome") or {}, Mapping):
        raise UsageError(f"The run {found.folder.name} has no goal in its run.json, so it cannot be {how}.")
    return goal


def settled(ran: Ran, profile: str, telling: Telling, began: float) -> int:
    """Repair the skill of a run if a model had to go on where it did not fit, and return the exit code of the run.

    Args:
        ran: the run.
        profile: whose skill it is.
        telling: how it is told.
        began: when the run began, in the time of `time.monotonic`.
    """
    from mark_i.cli.repairs import Repairs  # noqa: PLC0415 - slow to load

    code = Repairs(ran.folder, profile, telling, ran.control).settle(began)
    return ran.outcome.exit_code if code is None else code


def _planned(event: Event, screen: Frame | None, folder: Path) -> Event:
    """Make a notice of what a dry run found, with an image of it if there is a screen."""
    words = f"This was not done: {action_call(event.data['tool'], event.data['args'], WIDEST_CHARS)}."
    if screen is None:
        return Event("notice", event.t, {"text": words})
    place, file = event.data["place"], folder / "planned.png"
    try:
        write_planned(screen, Region(*place) if place else None, words, file)
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {file_fault(error)}.") from error
    return Event("notice", event.t, {"text": f"{words} Where: {file}", "picture": str(file)})


def _go_back_to(found: Run) -> None:
    """Change to the folder in which the run was started: its relative paths start there."""
    folder = recorded(found).get("folder")
    try:
        os.chdir(folder or ".")
    except OSError as error:
        raise UsageError(f"The run was started in {folder}, which cannot be used: {file_fault(error)}.") from error
