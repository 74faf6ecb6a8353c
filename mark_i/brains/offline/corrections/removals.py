"""Leave out what is typed, or to be typed, and take back what was typed last."""

import re
from typing import Final

from mark_i.brains.offline.corrections.line_parts import without_sentence
from mark_i.brains.offline.corrections.meant import POINTING, names, typed_last
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import CLAUSE, bare, end_of, joined
from mark_i.brains.offline.corrections.text_lines import lines_of
from mark_i.brains.offline.corrections.unsaying import unsay
from mark_i.brains.offline.corrections.wordings import fits, lead_end, patterns, without_tails
from mark_i.brains.offline.corrections.written import (
    is_item,
    is_sentence,
    leave_out_all_written,
    leave_out_of_sentence,
    leave_out_part,
    leave_out_written,
    line_named,
    lines_counted,
    require_cut,
)
from mark_i.brains.offline.instructions import Instruction
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import mask

_BACK: Final = re.compile(r"\b(?:back|undo|revert)\b", re.IGNORECASE)
_HANGING: Final = re.compile(r"\s+(?:on|at|in|with|for|from|to|by|until|and|or|about|the|an?)\s*\Z", re.IGNORECASE)
_SENTENCE: Final = re.compile(
    r"(?:the|that|my)\s+(?:part|bit|sentence|section|passage|stuff)\s+(?:with|about|on|for|saying|(?:that|which)\s+says)\s+(?P<words>\S.*)",
    re.IGNORECASE,
)
_COUNTS: Final = ("two", "three", "four", "five")
_AT_EDGE: Final = re.compile(
    rf"(?:the\s+)?(?P<edge>first|last)\s+(?P<count>{'|'.join(_COUNTS)})\s+(?P<what>lines|items|entries|rows)",
    re.IGNORECASE,
)
_LAST_LINE: Final = re.compile(r"\blast\s+(?:line|item|entry|row|sentence)\b", re.IGNORECASE)
_WORDS: Final = re.compile(r"(?:the|that|this)\s+(?:words?|phrase)\s+(?P<words>\S.*)", re.IGNORECASE)


def leave_out_none(plan: Plan, text: str) -> bool:
    """Leave out what there should be none of: "no eggs"."""
    if not (none := fits("no", text)) or CLAUSE.search(text):
        return False
    try:
        leave_out(plan, none["old"])
    except UnclearError:
        return False
    return True


def take_back(plan: Plan, text: str) -> bool:
    """Take back what was said or typed last, or type something else in its place."""
    if unsay(plan, text):
        return True
    typed = typed_last(plan.every, plan.done)
    is_line = "\n" in typed.strip("\n") and _LAST_LINE.search(text) is not None  # several were typed at once
    if not is_line and (fits("taken_back", text) is not None or (typed and fits("erased", text) is not None)):
        plan.take_back(text, typed)
        return True
    if plan.taken and (said := fits("should_be", text)) and not CLAUSE.search(mask(said["new"])):
        plan.retype(said["new"])
        return True
    matches = (pattern.fullmatch(mask(text)) for pattern in patterns("typed_last"))
    return any(_take_back_named(plan, text, typed, match) for match in matches if match)


def _leave_out_words(plan: Plan, what: str) -> bool:
    """Leave out only the words that are named as such, "the word staples", or a sentence; return whether some are."""
    if said := _SENTENCE.fullmatch(what):
        return leave_out_part(plan, said["words"], without_sentence)
    if not (said := _WORDS.fullmatch(what)):
        return False
    words = bare(said["words"])
    is_cut = leave_out_part(plan, words) or leave_out_of_sentence(plan, words)
    if not is_cut and leave_out_written(plan, words) is None:
        plan.leave_out(words)
    return True


def _take_back_named(plan: Plan, text: str, typed: str, match: re.Match[str]) -> bool:
    """Take back what is named: a part of a line, a line, or the end of what was typed last."""
    said = text[slice(*match.span("old"))]
    if _leave_out_words(plan, said):
        return True
    old = line_named(plan, bare(said))
    left = any(names(old, one.text) for one in plan.every[plan.done :])
    if not match["typed"] and bare(said) == said and leave_out_part(plan, old):
        return True
    end = end_of(typed, old) if (match["typed"] or not left) else ""
    if end and bare(said) == said and not _BACK.search(text) and (hung := _HANGING.search(typed.removesuffix(end))):
        end = hung[0] + end
    is_named = bare(said) == said and not match["typed"] and not _BACK.search(text)
    if is_named and "\n" in typed.strip("\n") and not left and leave_out_written(plan, old) is not None:
        return True
    if end and end == typed and is_named:
        require_cut([typed.strip()], old)
    is_all = not plan.every[plan.done :] and not _BACK.search(text)  # nothing is typed anew where the line was
    is_line = is_all and bool(end) and end.strip("\n") == typed.strip("\n")
    if not left and (is_item(plan, old) or is_line or not end) and leave_out_written(plan, old) is not None:
        return True
    if end:
        plan.take_back(text, end)
    return bool(end)


def leave_out(plan: Plan, what: str) -> tuple[int, Instruction | None]:
    """Leave out what is left, or take back a line that is typed; return where it was, and the first that was left."""
    if _leave_out_words(plan, what):
        return plan.done, None
    line = line_named(plan, what)
    if leave_out_part(plan, line):
        return plan.done, None
    if line == what:
        require_cut(filter(is_sentence, plan.lines()), what)
    what = line
    try:
        return plan.leave_out(what)
    except UnclearError:
        if (at := leave_out_written(plan, what)) is None:
            require_cut(plan.lines(), what)
            raise
        return at, None


def leave_out_several(plan: Plan, text: str) -> bool:
    """Leave out several lines that are typed already: "remove milk, bread and salt"."""
    if (said := fits("left_out", text)) is None:
        return False
    if not (lines := _lines_at_edge(plan, said["old"])):
        return leave_out_all_written(plan, joined(said["old"]))
    typed = [one for one in lines if not _leave_out_line(plan, one)]
    return not typed or leave_out_all_written(plan, typed) or leave_out_written(plan, typed[0]) is not None


def _leave_out_line(plan: Plan, line: str) -> bool:
    """Leave out a line that is still to be typed; return whether it is."""
    left = [at for at in range(plan.done, len(plan.every)) if getattr(plan.every[at], "content", None) == line]
    plan.remove(lines_of(plan.every, left[-1:], plan.done))
    return bool(left)


def _lines_at_edge(plan: Plan, what: str) -> list[str]:
    """Return the lines that are named by how many they are, from the start or the end: "the last two lines"."""
    said = _AT_EDGE.fullmatch(what)
    lines = lines_counted(plan.lines(), said["what"]) if said else []
    count = _COUNTS.index(said["count"].lower()) + 2 if said else 0
    if not said or count > len(lines):
        return []
    return lines[:count] if said["edge"].lower() == "first" else lines[-count:]


def points_at(text: str) -> bool:
    """Return whether a part of a message leaves out what another part names: "leave it out"."""
    said = fits("left_out", without_tails(text[lead_end(text) :]))
    return said is not None and POINTING.fullmatch(said["old"]) is not None
