"""Write a line or some words in capitals: "put the title in capital letters", "make Urgent all caps"."""

import re

from mark_i.brains.offline.corrections.numbered_lines import change_lines
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import bare
from mark_i.brains.offline.corrections.wordings import fits
from mark_i.brains.offline.corrections.written import line_said


def set_capitals(plan: Plan, text: str) -> bool:
    """Write what a text names in capitals, if it asks for that and one line has it; return whether it does.

    Raises:
        UnclearError: there is no such line.
    """
    said = fits("capitals", text)
    if not said:
        return False
    named = line_said(plan, said["what"])
    words = re.compile(rf"(?<!\w){re.escape(bare(named))}(?!\w)", re.IGNORECASE)
    found = [line for line in plan.lines() if words.search(line)]
    if len(found) != 1:
        return False
    change_lines(plan, {found[0]: words.sub(lambda match: match[0].upper(), found[0])})
    return True
