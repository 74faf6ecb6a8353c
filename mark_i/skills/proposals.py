"""A repair as a proposal: a draft beside its skill while it is checked, and in the place of the skill if it is kept."""

import contextlib
import shutil
from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from typing import Final

from mark_i.config.paths import skills_folder
from mark_i.skills.file import write_skill
from mark_i.skills.repair import Repair
from mark_i.skills.skill import Skill
from mark_i.skills.store import stamp
from world_model import UsageError, file_fault

NAME_CHARS: Final = 50  # of the skill, in the name of its proposal
CHECKED: Final = "It is a repair of the skill {name} that was being checked."
CHANGED: Final = "It was changed since the run began."


@contextlib.contextmanager
def proposed(repair: Repair, folder: Path, profile: str) -> Iterator[Skill]:
    """Write a repair of the skill in a folder as a draft beside it, and return that; at the end it is gone.

    Raises:
        UsageError: it cannot be written.
    """
    name = repair.skill.name
    names = (f"{name[:NAME_CHARS]}-repair{'' if number == 1 else f'-{number}'}" for number in count(1))
    draft = next(one for one in (skills_folder(profile) / free for free in names) if not one.exists())
    skill = repair.skill.model_copy(update={"name": draft.name, "why": CHECKED.format(name=name)})
    try:
        _copy(_pictures(skill) - repair.pictures.keys(), folder, draft)
        write_skill(skill, draft, repair.pictures)
        yield skill
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def take_over(repair: Repair, folder: Path, before: str) -> None:
    """Write a repair into the folder of its skill, if the file there still is the one with that stamp.

    Raises:
        UsageError: the file was changed, or cannot be written.
    """
    if stamp(folder) != before:
        raise UsageError(CHANGED)
    write_skill(repair.skill.model_copy(update={"state": "kept"}), folder, repair.pictures)
    for file in folder.glob("step-*.png"):
        if file.name not in _pictures(repair.skill):
            file.unlink(missing_ok=True)


def _copy(files: Collection[str], folder: Path, draft: Path) -> None:
    try:
        draft.mkdir()
        for file in files:
            shutil.copy(folder / file, draft)
    except OSError as error:
        raise UsageError(f"{draft} cannot be written: {file_fault(error)}.") from error


def _pictures(skill: Skill) -> set[str]:
    return {file for step in skill.steps for file in step.pictures.values()}
