"""The skills of a profile: a folder for each."""

import contextlib
import difflib
import hashlib
import re
import shutil
from pathlib import Path

from mark_i.config.paths import skills_folder
from mark_i.skills.file import FILE, read_skill, read_text
from mark_i.skills.skill import NAME, Skill
from world_model import UsageError, file_fault


def new_folder(profile: str, name: str) -> Path:
    """Return the folder for a new skill, which does not exist yet.

    Raises:
        UsageError: the name is not valid, or there is a skill of that name.
    """
    if not re.fullmatch(NAME, name):
        raise UsageError(f"{name!r} cannot be a skill: its name is made of 1 to 64 letters, digits, - and _.")
    folder = skills_folder(profile) / name
    if folder.exists():
        raise UsageError(f"There is a skill {name} already. Delete it first: mark-i skill delete {name}")
    return folder


def names_of(profile: str) -> list[str]:
    """Return the names of a profile's skills, sorted."""
    return sorted(file.parent.name for file in skills_folder(profile).glob(f"*/{FILE}"))


def folder_of(profile: str, name: str) -> Path:
    """Return the folder of a skill.

    Raises:
        UsageError: there is no such skill.
    """
    known = names_of(profile)
    if name in known:
        return skills_folder(profile) / name
    if not known:
        raise UsageError("There are no skills yet. Make one from a run: mark-i skill from last NAME")
    near = difflib.get_close_matches(name, known, n=2)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(known)}."
    raise UsageError(f"There is no skill {name!r}. {hint}")


def skill_named(profile: str, name: str) -> tuple[Skill, Path]:
    """Return a skill and its folder.

    Raises:
        UsageError: there is no such skill, or its file has a fault.
    """
    folder = folder_of(profile, name)
    return read_skill(folder), folder


def usable(profile: str) -> tuple[list[tuple[Skill, Path]], list[str]]:
    """Return the skills of a profile with their folders, and what is wrong with any that is left out."""
    found, faults = [], []
    for name in names_of(profile):
        try:
            found.append(skill_named(profile, name))
        except UsageError as error:
            faults.append(str(error))
    return found, faults


def stamp(folder: Path) -> str:
    """Return what tells the file of a skill from any other version of it."""
    return hashlib.sha256(read_text(folder).encode()).hexdigest()


def stamps(profile: str) -> dict[str, float]:
    """Return when the file of each skill was changed last."""
    found = {}
    for file in skills_folder(profile).glob(f"*/{FILE}"):
        with contextlib.suppress(OSError):  # it is gone again
            found[file.parent.name] = file.stat().st_mtime
    return found


def delete_skill(profile: str, name: str) -> None:
    """Delete a skill with its pictures.

    Raises:
        UsageError: there is no such skill, or it cannot be deleted.
    """
    folder = folder_of(profile, name)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise UsageError(f"The skill {name} cannot be deleted: {file_fault(error)}.") from error
