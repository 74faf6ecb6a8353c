"""Changes of the file that is saved, of windows that are closed, and of waits; each tells whether a text is one.

All raise `UnclearError` where a text is such a change and cannot be followed.
"""

import contextlib
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from mark_i.brains.offline.corrections.meant import AT_ONCE, DONE_BEFORE, NOT_LEFT, meant, phrases_of
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import bare
from mark_i.brains.offline.corrections.text_lines import saves
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.instructions import Close, DialogClosed, Instruction, Pause, Talk, Type
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.nouns import folder_of

UNNAMED: Final = 'it does not say under what name; say it as well: save it in my documents as "notes.txt"'


def name_file(plan: Plan, text: str) -> bool:
    """Give the file another name, save it nowhere, or leave its window open."""
    phrases = _saving(plan)
    if (unsaved := fits("unsaved", text)) is not None:
        without = phrases[: -1 if unsaved.get("between") else None]
        if not without:
            raise UnclearError(NOT_LEFT)
        is_begun = not saves(plan.every[without[0][0]])
        plan.remove([index for one in without for index in one])
        plan.every[plan.done : plan.done] = plan.instructions("press esc") if is_begun else []
        return True
    if kept := fits("kept_open", text):
        at = meant(plan.every, plan.done, kept["old"])
        if not isinstance(plan.every[at[0]], Close):
            return False
        plan.remove(at)
        return True
    if save_copy(plan, text):
        return True
    named = fits("renamed", text)
    if not (named and phrases):
        return False
    at = next((one for one in phrases if len(one) > 1), phrases[-1])
    before = [one.content for one in plan.every[at[0] : at[-1] + 1] if isinstance(one, Type)]
    new = _beside(str(before[0]) if before else "", bare(named["new"]))
    instructions = plan.instructions(f'save it as "{new}"')
    if not saves(plan.every[at[0]]):  # its dialog is open
        if not before:
            raise UnclearError(DONE_BEFORE)
        instructions = instructions[-len(at) :]
        old = plan.every[at[0]].text  # what is done of it already is for the new name
        begun = [replace(one, text=instructions[0].text) if one.text == old else one for one in plan.every[: at[0]]]
        plan.every[: at[0]] = begun
    plan.every[at[0] : at[-1] + 1] = instructions
    return True


def save_in_folder(plan: Plan, text: str) -> bool:
    """Save the file under its name in another folder; return whether a text says so.

    Raises:
        UnclearError: no file has a name.
    """
    if not (said := fits("saved_in", text)):
        return False
    file = next((one.file for one in reversed(plan.every) if isinstance(one, DialogClosed) and one.file), "")
    if not file:
        raise UnclearError(UNNAMED)
    path = f"{folder_of(said).rstrip('/')}/{PurePath(file).name}"
    return name_file(plan, f'call the file "{path}"')


def save_copy(plan: Plan, text: str) -> bool:
    """Save the text in one more file, after all that is to be saved; return whether a text says so."""
    phrases = _saving(plan)
    file = _copy_of_saved(plan, text, is_left=bool(phrases))
    if not file:
        return False
    place_at = phrases[-1][-1] + 1 if phrases else len(plan.every)
    plan.every[place_at:place_at] = plan.instructions(f'save it as "{file}"')
    if fits("renamed", text) and not phrases:  # whoever renames a file wants one of them
        plan.talk.append(Talk(text, "kept"))
    return True


def _copy_of_saved(plan: Plan, text: str, *, is_left: bool) -> str:
    """Return the file in which the text is to be saved, too; empty if none is meant, or if saving `is_left` to do."""
    if copied := fits("copied", text):
        return bare(copied["new"])
    saved = [one.file for one in plan.every if isinstance(one, DialogClosed)]
    if is_left or not saved:
        return ""
    if too := fits("saved_too", text):
        return bare(too["new"])
    named = fits("renamed", text)
    return _beside(saved[-1], bare(named["new"])) if named else ""


def _beside(file: str, new: str) -> str:
    """Return a new name in the folder of a file, unless it has a folder of its own."""
    folder = file.rpartition("/")
    return new if "/" in new else f"{folder[0]}{folder[1]}{new}"


def save_over(plan: Plan, text: str) -> bool:
    """Save over a file in place of the save that is to come, else once all is typed, as half a text replaces none."""
    given = _replacing(plan, text)
    if not given:
        return False
    phrases = _saving(plan)
    if not phrases:
        end = len(plan.every)
        while end > plan.done and isinstance(plan.every[end - 1], Close):
            end -= 1
        plan.every[end:end] = given
        return True
    at = next((one for one in phrases if len(one) > 1), phrases[-1])
    begun = not saves(plan.every[at[0]])  # its dialog is open
    if begun and not any(isinstance(plan.every[index], Type) for index in at):
        raise UnclearError(DONE_BEFORE)
    plan.every[at[0] : at[-1] + 1] = given[-len(at) :] if begun else given
    return True


def _saving(plan: Plan) -> list[list[int]]:
    """Return the phrases that are to come and save something."""
    saving = {one.text for one in plan.every if saves(one)}
    return [one for one in phrases_of(plan.every, plan.done) if plan.every[one[0]].text in saving]


def _replacing(plan: Plan, text: str) -> list[Instruction]:
    """Return what saves over a file, if a text says that and not that it is to be done at once."""
    with contextlib.suppress(UnclearError):
        given = [] if AT_ONCE.search(text) else replace(plan, talk=[]).instructions(text)  # what it asks stays unasked
        replaces = any(isinstance(one, DialogClosed) and one.replaces for one in given)
        return given if replaces and saves(given[0]) else []  # what else it says is for others
    return []


def skip_pause(plan: Plan, text: str) -> bool:
    """Leave out the wait that is next, or the only one that is left."""
    pauses = [index for index in range(plan.done, len(plan.every)) if isinstance(plan.every[index], Pause)]
    if fits("unwaited", text) is None or not pauses:
        return False
    may_be_begun = any(isinstance(one, Pause) for one in plan.every[: plan.done][-1:])
    if pauses[0] != plan.done and (may_be_begun or len(pauses) > 1):
        return False
    plan.remove(pauses[:1])
    return True


def set_pause(plan: Plan, text: str) -> bool:
    """Wait longer or shorter."""
    each = fits("spans", text)
    said = each or fits("span", text)
    pauses = [index for index in range(plan.done, len(plan.every)) if isinstance(plan.every[index], Pause)]
    if not (said and pauses):
        return False
    for index in pauses if each else pauses[:1]:
        [plan.every[index]] = plan.instructions(f"wait {said['span']}")
    return True
