"""What comes of a run in which a model went on where its skill did not fit: the skill is repaired, or stays."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from mark_i.cli.console import write_json
from mark_i.cli.desktop_choice import option
from mark_i.cli.telling import Telling
from mark_i.events import EXIT_CODES, Event
from mark_i.skills.gate import REPLAYS, Replayed, replays
from mark_i.skills.proposals import CHANGED, proposed, take_over
from mark_i.skills.repair import Change, repaired, was_left
from mark_i.skills.store import skill_named, stamp
from toolbelt.control import Control
from world_model import Halt, UsageError, read_run

KEPT: Final = "The skill {name} is repaired and kept: its new steps replayed true."
STAYS: Final = "The skill {name} stays as it was. {why}"
AS_IT_IS: Final = "All its steps were done as they are."
DRAFT: Final = (
    "It is a draft, which nobody has checked. To make a skill of this run: mark-i skill from {run} NAME{profile}"
)
CHECKS: Final = "The repaired skill is checked now: it is done twice on a virtual desktop, once with other values."
NOT_TRUE: Final = "The repair did not replay true. {told}"
STOPPED: Final = "The check of its repair was stopped."


class Repairs:
    """Repairs the skill of a run, or leaves it as it was.

    Args:
        folder: of the run.
        profile: whose skill it is.
        telling: how it is told.
        control: stops the check.
    """

    def __init__(self, folder: Path, profile: str, telling: Telling, control: Control) -> None:
        self._run, self._folder, self._profile = read_run(folder, images=False), folder, profile
        self._telling, self._control = telling, control
        self._changes: tuple[Change, ...] = ()
        self._replays: list[Replayed] = []

    def settle(self, began: float) -> int | None:
        """Check what the model did where the skill did not fit, keep it if it replays true, and tell what came of it.

        Args:
            began: when the run began, in the time of `time.monotonic`.

        Returns:
            The exit code, if the check was stopped; None leaves that to the run.
        """
        match self._run.about.get("settings"):
            case {"skill": {"name": str(name), "values": dict(values), "file": str(file)}}:
                pass
            case _:
                return None
        if not was_left(self._run, name):
            return None
        code, why = None, ""
        try:
            self._repair(name, values, file)
            told = KEPT.format(name=name)
        except UsageError as error:
            why, told = f"{error}", STAYS.format(name=name, why=error)
        except Halt:
            code, why, told = EXIT_CODES["stopped"], STOPPED, STAYS.format(name=name, why=STOPPED)
        self._say(told)
        if self._telling.as_json:
            data = {"skill": name, "run": self._folder.name, "kept": not why, "told": told}
            made = {
                "changes": [asdict(one) for one in self._changes],
                "replays": [asdict(one) for one in self._replays],
            }
            write_json(Event("repair", time.monotonic() - began, data | made))
        return code

    def _repair(self, name: str, values: Mapping[str, str], file: str) -> None:
        """Repair the skill.

        Raises:
            UsageError: it stays as it was; the message says why.
            Halt: the check was stopped.
        """
        skill, folder = skill_named(self._profile, name)
        if stamp(folder) != file:
            raise UsageError(CHANGED)
        repair = repaired(skill, values, self._folder, folder)
        if repair is None:
            raise UsageError(AS_IT_IS)
        self._changes = repair.changes
        self._tell(repair.changes)
        if skill.state == "draft":
            raise UsageError(DRAFT.format(run=self._folder.name, profile=option(self._profile)))
        self._say(CHECKS)
        with proposed(repair, folder, self._profile) as draft:
            for replay in replays(draft, self._profile, self._control):
                self._replays.append(replay)
                self._say(replay_told(len(self._replays), replay))
        if not all(one.true for one in self._replays):
            raise UsageError(NOT_TRUE.format(told=self._replays[-1].told))
        take_over(repair, folder, file)

    def _tell(self, changes: Sequence[Change]) -> None:
        self._say("")
        for one in changes:
            self._say(f"Step {one.step} of the skill did not fit. Was: {_listed(one.was)}. Is: {_listed(one.now)}.")

    def _say(self, text: str) -> None:
        if not self._telling.as_json:
            click.echo(text, err=self._telling.is_read)


def replay_told(number: int, replay: Replayed) -> str:
    """Return a line about a replay: its number, its values, and how it ended."""
    told = ", ".join(f"{name}={value}" for name, value in replay.values.items())
    return f"Replay {number} of {REPLAYS}{f' with {told}' if told else ''}: {replay.told}"


def _listed(steps: Sequence[str]) -> str:
    return "; ".join(steps) or "nothing"
