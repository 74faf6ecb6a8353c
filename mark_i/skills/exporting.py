"""A skill in a folder of its own, with a SKILL.md for other agents."""

import json
import shutil
from pathlib import Path

from mark_i.skills.skill import Skill
from world_model import UsageError, file_fault
from world_model.journal import write_whole


def export_skill(skill: Skill, source: Path, folder: Path) -> None:
    """Copy a skill and its pictures into a new folder, and write SKILL.md beside them.

    Raises:
        UsageError: the folder exists, or cannot be written.
    """
    try:
        shutil.copytree(source, folder)
        write_whole(folder / "SKILL.md", about(skill).encode())
    except FileExistsError as error:
        raise UsageError(f"{folder} exists already. Name a new folder.") from error
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {file_fault(error)}.") from error


def about(skill: Skill) -> str:
    """Return the text of SKILL.md."""
    description = " ".join(skill.description.split()) or skill.name
    given = " ".join(f"--set {one.name}=VALUE" for one in skill.parameters)
    lines = [
        "---",
        f"name: {skill.name}",
        f"description: {json.dumps(description, ensure_ascii=False)}",
        "---",
        "",
        f"Done on a real desktop by MARK-I, without a model: `mark-i skill run {skill.name} {given}`".rstrip("` ")
        + "`.",
        "It ends with exit code 0 if it was done and seen to be done.",
        "",
        *(
            f"- `{one.name}` ({one.type}), such as `{one.example}`. {one.description}".rstrip()
            for one in skill.parameters
        ),
        *([""] if skill.parameters else []),
        "Steps:",
        "",
        *(f"{number}. {step.does}" for number, step in enumerate(skill.steps, 1)),
    ]
    return "\n".join(lines) + "\n"
