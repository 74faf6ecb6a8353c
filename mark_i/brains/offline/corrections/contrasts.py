"""What something is not, and what it is instead: "her name isn't Okafor, it's Okonkwo"."""

from pathlib import PurePath
from typing import Final

from mark_i.brains.offline.corrections.changes import exchange
from mark_i.brains.offline.corrections.files_and_waits import name_file
from mark_i.brains.offline.corrections.meant import NOT_LEFT, quoted_or
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import bare, has_text
from mark_i.brains.offline.corrections.wordings import all_fits
from mark_i.brains.offline.instructions import DialogClosed
from mark_i.brains.offline.instructions.kinds import UnclearError

NOUN_WORDS_MAX: Final = 1  # that come with what is new: "it is 7 tables, not 5"
FILE_OR_TEXT: Final = "it could mean the file, or {}"


def contrast(plan: Plan, text: str) -> bool:
    """Put what something is in the place of what it is not; return whether that is there, or is a file's name.

    Raises:
        UnclearError: it could be the name of the file, or stand in the text; or it is nowhere.
    """
    found = [*all_fits("contrasted", text)]
    for said in found:
        old, new = bare(said["old"]), bare(said["new"])
        if "isnt" not in said and len(new.split()) > len(old.split()) + NOUN_WORDS_MAX:
            continue  # a clause: "it is Max writing this, not Tom"
        file, lines = _file_called(plan, old), [line for line in plan.lines() if has_text([line], old)]
        if file and lines:
            raise UnclearError(FILE_OR_TEXT.format(quoted_or(lines)))
        if file:
            return name_file(plan, f'call the file "{new if PurePath(new).suffix else new + PurePath(file).suffix}"')
        if lines or plan.is_left(old):
            exchange(plan, said["new"], said["old"])
            return True
    if any("isnt" in said for said in found):
        raise UnclearError(NOT_LEFT)
    return False


def _file_called(plan: Plan, name: str) -> str:
    """Return the file that is saved, or to be saved, if that is its name, with its ending or without; else nothing."""
    file = next((one.file for one in reversed(plan.every) if isinstance(one, DialogClosed) and one.file), "")
    named = {PurePath(file).name.casefold(), PurePath(file).stem.casefold()}
    return file if name.casefold() in named else ""
