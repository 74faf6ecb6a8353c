"""The file of a skill: TOML that a person can read and edit, in a folder with its pictures."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import tomlkit
from PIL import Image
from pydantic import ValidationError
from tomlkit.items import InlineTable, Table

from mark_i.catalog import builtin_tool
from mark_i.skills.skill import VERSION, Skill
from toolbelt.belt import Toolbelt
from world_model import Pixels, ToolFailure, UsageError
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
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
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
        line = _line(text, error.errors()[0]["loc"])
        raise FileFault(f"{file}, line {line}, {_fault(error)}.", line) from error
    for number, step in enumerate(skill.steps, 1):
        tool = builtin_tool(step.tool)  # one of a plugin is known only to a run
        try:
            _ = tool and tool.validated(step.args)
        except ToolFailure as failure:
            raise FileFault(
                f"{file}, step {number}: {failure}", _line(text, ("steps", number - 1, "args"))
            ) from failure
        for picture in step.pictures.values():
            if not (folder / picture).is_file():
                line = _line(text, ("steps", number - 1, "pictures"))
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
            line = _line(file.read_text(encoding="utf-8"), ("steps", number, "tool"))
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
        raise UsageError(f"{folder / FILE} cannot be written: {error.strerror}.") from error


def write_edited(text: str, folder: Path) -> Skill:
    """Write what a person made of a skill's file; one that does other things than were checked is a draft.

    Raises:
        UsageError: it cannot be written.
        FileFault: the text has a fault, or another name than the folder; nothing is written.
    """
    edited = skill_in(text, folder)
    if edited.name != folder.name:
        raise FileFault(f"The name must stay {folder.name}, as its folder is called.", _line(text, ("name",)))
    if edited.state == "kept" and not _does_as(edited, folder):
        document = tomlkit.parse(text)
        document["state"], document["why"] = "draft", CHANGED
        text = tomlkit.dumps(document)
        edited = skill_in(text, folder)
    try:
        write_whole(folder / FILE, text.encode())
    except OSError as error:
        raise UsageError(f"{folder / FILE} cannot be written: {error.strerror}.") from error
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


def _fault(error: ValidationError) -> str:
    """Say what the first fault is in and what is wanted: `steps 2, tool: field required`."""
    first = error.errors()[0]
    place = first["loc"]
    where = ", ".join(_named(place))
    wanted = first["msg"][:1].lower() + first["msg"][1:]
    return f"{where or 'the whole file'}: {wanted}"


def _named(place: Sequence[int | str]) -> list[str]:
    """Return a place with its numbers counted from 1, each beside its list."""
    named: list[str] = []
    for part in place:
        if isinstance(part, int) and named:
            named[-1] += f" {part + 1}"
        else:
            named.append(str(part))
    return named


def _line(text: str, place: Sequence[int | str]) -> int:
    """Return the line of a value, or of the item or the file that it is missing in."""
    lines, number = text.splitlines(), 0
    match place:
        case [str(name), int(index), *rest] if name in LISTS:
            headers = [at for at, line in enumerate(lines) if line.strip() == f"[[{name}]]"]
            number = headers[index] if index < len(headers) else 0
            key = str(rest[0]) if rest else ""
        case [str(name), str(inner), *_]:
            number = next((at for at, line in enumerate(lines) if line.strip() == f"[{name}]"), 0)
            key = inner
        case _:
            key = str(place[0]) if place else ""
    for at in range(number + 1 if lines[number : number + 1] and lines[number].startswith("[") else number, len(lines)):
        if at > number and lines[at].startswith("["):
            break
        if key and re.match(rf"{re.escape(key)}\s*=", lines[at]):
            return at + 1
    return number + 1
