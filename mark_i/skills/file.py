"""The file of a skill: TOML that a person can read and edit, in a folder with its pictures."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import tomlkit
from PIL import Image
from pydantic import ValidationError
from tomlkit.items import InlineTable, Table

from mark_i.catalog import builtin_tool
from mark_i.skills.skill import VERSION, Skill
from mark_i.toml_faults import first_fault, line_of
from toolbelt.belt import Toolbelt
from world_model import Pixels, ToolFailure, UsageError, file_fault
from world_model.journal import write_whole

FILE: Final = "skill.toml"
CHANGED: Final = "It was changed after its check."
LISTS: Final = ("parameters", "steps", "check")  # each item has a header of its own


class FileFault(UsageError):  # noqa: N818 - a fault of the file
    """A fault in the file of a skill, in this line (counted from 1), where that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_text(folder: Path) -> str:
    """Return the text of a skill's file.

    Raises:
        UsageError: it cannot be read.
    """
    file = folder / FILE
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text.") from error


def read_skill(folder: Path) -> Skill:
    """Read the skill in a folder.

    Raises:
        UsageError: there is none.
        FileFault: its file has a fault; the message names the line and what is wanted.
    """
    return skill_in(read_text(folder), folder)


def skill_in(text: str, folder: Path) -> Skill:
    """Return the skill in the text of a file in that folder.

    Raises:
        FileFault: the text has a fault; the message names the line and what is wanted.
    """
    file = folder / FILE
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))  # tomllib has no other form of it
        raise FileFault(f"{file} is not valid TOML: {error}.", int(at[1]) if at else None) from error
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise UsageError(f"{file} has version {version}, and this MARK-I knows up to {VERSION}. Update MARK-I.")
    try:
        skill = Skill.model_validate(data)
    except ValidationError as error:
        line = line_of(text, error.errors()[0]["loc"])
        raise FileFault(f"{file}, line {line}, {first_fault(error, Skill)}.", line) from error
    for number, step in enumerate(skill.steps, 1):
        tool = builtin_tool(step.tool)  # one of a plugin is known only to a run
        try:
            _ = tool and tool.validated(step.args)
        except ToolFailure as failure:
            raise FileFault(
                f"{file}, step {number}: {failure}", line_of(text, ("steps", number - 1, "args"))
            ) from failure
        for picture in step.pictures.values():
            if not (folder / picture).is_file():
                line = line_of(text, ("steps", number - 1, "pictures"))
                raise FileFault(f"{file}, step {number}: its picture {picture} is missing. Make the skill again.", line)
    return skill


def check_tools(skill: Skill, folder: Path, toolbelt: Toolbelt) -> None:
    """Check that a run has every tool of a skill; which those of plugins and servers are is known only then.

    Raises:
        UsageError: a step has another tool, or one that is switched off; the message names the line.
    """
    for number, step in enumerate(skill.steps):
        try:
            toolbelt[step.tool]
        except ToolFailure as failure:
            file = folder / FILE
            line = line_of(file.read_text(encoding="utf-8"), ("steps", number, "tool"))
            told = " ".join([f"{failure}", *map(str, failure.hints)])
            raise UsageError(f"{file}, line {line}, step {number + 1}: {told}") from failure


def write_skill(skill: Skill, folder: Path, pictures: Mapping[str, Pixels] = MappingProxyType({})) -> None:
    """Write the pictures of a skill into its folder, and then its file, so that a skill is whole or not there.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, pixels in pictures.items():
            Image.fromarray(pixels).save(folder / name)
        write_whole(folder / FILE, skill_text(skill).encode())
    except OSError as error:
        raise UsageError(f"{folder / FILE} cannot be written: {file_fault(error)}.") from error


def write_edited(text: str, folder: Path) -> Skill:
    """Write what a person made of a skill's file; one that does other things than were checked is a draft.

    Raises:
        UsageError: it cannot be written.
        FileFault: the text has a fault, or another name than the folder; nothing is written.
    """
    edited = skill_in(text, folder)
    if edited.name != folder.name:
        raise FileFault(f"The name must stay {folder.name}, as its folder is called.", line_of(text, ("name",)))
    if edited.state == "kept" and not _does_as(edited, folder):
        document = tomlkit.parse(text)
        document["state"], document["why"] = "draft", CHANGED
        text = tomlkit.dumps(document)
        edited = skill_in(text, folder)
    try:
        write_whole(folder / FILE, text.encode())
    except OSError as error:
        raise UsageError(f"{folder / FILE} cannot be written: {file_fault(error)}.") from error
    return edited


def _does_as(skill: Skill, folder: Path) -> bool:
    """Whether a skill does what that in a folder does, which may have a fault."""
    try:
        before = read_skill(folder)
    except UsageError:
        return False
    told = {"description": "", "why": ""}
    return skill.model_copy(update=told) == before.model_copy(update=told)


def skill_text(skill: Skill) -> str:
    """Return a skill as TOML; what has its default is left out."""
    told = skill.model_dump(mode="python", exclude_defaults=True)
    document = tomlkit.document()
    document.add("version", tomlkit.item(VERSION))
    for name in ("name", "description", "goal", "state", "why"):
        if value := getattr(skill, name):
            document.add(name, tomlkit.item(value))
    if origin := told.get("made_from"):
        document.add("made_from", _table(origin))
    for name in LISTS:
        if items := told.get(name):
            listed = tomlkit.aot()
            for item in items:
                listed.append(_table(item))
            document.add(name, listed)
    return tomlkit.dumps(document)


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for name, value in values.items():
        table.add(name, tomlkit.item(_inline(value)))
    return table


def _inline(value: Any) -> Any:  # noqa: ANN401 - TOML values have no narrower type
    """Return a value whose mappings stand in one line."""
    if isinstance(value, Mapping):
        inline: InlineTable = tomlkit.inline_table()
        for name, one in value.items():
            inline.append(name, _inline(one))
        return inline
    return [_inline(one) for one in value] if isinstance(value, list | tuple) else value
