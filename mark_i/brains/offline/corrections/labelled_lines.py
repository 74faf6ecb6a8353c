"""Change lines of the form "Topic: budget", which a message names by their label: "the topic was hiring"."""

import re
from collections.abc import Sequence
from typing import Final

from mark_i.brains.offline.corrections.message_parts import beginnings, is_order, orders_more
from mark_i.brains.offline.corrections.numbered_lines import change_lines
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import CLAUSE, bare, joined
from mark_i.brains.offline.corrections.values import is_same_kind
from mark_i.brains.offline.corrections.wordings import all_fits, fits
from mark_i.brains.offline.corrections.written import label_of, labelled_line, name_of
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import mask

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_THING_WORDS_MAX: Final = 3  # of each that a value enumerates
LINES_MIN: Final = 2  # with a label, after which another one is taken for one


def set_labelled(plan: Plan, text: str) -> bool:
    """Put another value behind a label; return whether a text says so."""
    for said in all_fits("labelled", text):
        line, new = labelled_line(plan.lines(), said["label"]), bare(said["new"])
        if not line or is_same_kind(said["label"], new):
            continue
        if CLAUSE.search(mask(new)) and not _is_enumeration(plan, new):
            raise UnclearError("it says more than one thing")
        label = line[: line.index(name_of(line)) + len(name_of(line))]
        joint, value = (": ", line[len(label) + 1 :]) if line.startswith(":", len(label)) else (" ", line[len(label) :])
        if _NUMBER.fullmatch(new) and _NUMBER.search(value) and not _NUMBER.fullmatch(value.strip()):
            continue  # only the number changes: "275" for "250 euros"
        if not new.casefold().startswith(name_of(line).casefold()):
            change_lines(plan, {line: f"{label}{joint}{new}"})
            return True
    return False


def _is_enumeration(plan: Plan, new: str) -> bool:
    """Return whether a value enumerates things: "Gina and Hugo", and not "Gina and Tuesday Hugo"."""
    is_short = all(len(one.split()) <= _THING_WORDS_MAX for one in joined(new))
    labels = {label_of(line).casefold() for line in plan.lines()} - {""}
    return is_short and not orders_more(new) and not any(one.casefold().startswith((*labels,)) for one in joined(new))


def add_to_labelled(plan: Plan, text: str) -> bool:
    """Add something to what a label enumerates: "also present: Dora", "add Dora to the people present"."""
    for said in all_fits("added_to_label", text):
        line, new = labelled_line(plan.lines(), said["label"]), bare(said["new"])
        if line and (not CLAUSE.search(mask(said["new"])) or _is_enumeration(plan, new)):
            change_lines(plan, {line: _with_more(line.rstrip(), new)})
            return True
    return False


def _with_more(line: str, new: str) -> str:
    """Return an enumeration with one thing more, or several: "a, b and c" for "a and b"."""
    *others, last = joined(line)
    if not others or not line.endswith(f" and {last}"):
        return f"{line}, {new}"
    return f"{line.removesuffix(f' and {last}')}, {last}{',' if len(joined(new)) > 1 else ' and'} {new}"


def with_label_quoted(lines: Sequence[str], text: str) -> str:
    """Return a message in which a line with a label that is to be added is quoted: "add Friday: Emma"."""
    for beginning, rest in beginnings(text):
        if (
            is_order(rest)
            and not orders_more(beginning)
            and (quoted := with_label_quoted(lines, beginning)) != beginning
        ):
            return f"{quoted}, {rest}"
    said = fits("labelled_line", text)
    labelled = [line for line in lines if label_of(line)]
    if not said or (len(labelled) < LINES_MIN and not said["label"][0].isupper()):
        return text
    if labelled_line(lines, said["label"]):
        return text if said.get("place") else f'add "{said["new"]}" to {said["label"]}'
    line = f'"{said["label"][:1].upper()}{said["label"][1:]}: {said["new"].rstrip(" .")}"'
    return f"put {line} {said['place']}" if said.get("place") else f"add a line {line}"
