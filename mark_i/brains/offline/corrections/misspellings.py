"""Put right a word, or a few, that are nearly those that a message gives: "she is Mrs. Miller, fix that"."""

from mark_i.brains.offline.corrections.changes import exchange
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import is_misspelled, nearly
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import line_said
from mark_i.brains.offline.instructions.kinds import UnclearError


def fix(plan: Plan, text: str) -> bool:
    """Put right the words of a line that look like those that a text gives; return whether it asks for that.

    Raises:
        UnclearError: none do, or several.
    """
    if said := fits("fixed", text):
        where = line_said(plan, said["where"]) if "where" in said else ""
        lines = [where] if where in plan.lines() else plan.lines()
        found = [old for line in lines if (old := nearly(line, said["new"]))]
    elif said := fits("spelled", text):
        words = [word.strip(",;:.!?") for line in plan.lines() for word in line.split()]
        found = [*{word for word in words if is_misspelled(word, said["new"])}]
    else:
        return False
    if len(found) != 1:
        raise UnclearError("it does not say instead of what")
    exchange(plan, said["new"], found[0])
    return True
