"""The kinds of changes that a message can ask for; each function tells whether a text is one, and makes it.

All raise `UnclearError` where a text is such a change and cannot be followed; the plan may be half changed then.
"""

import re
from collections.abc import Mapping
from typing import Final

from mark_i.brains.offline.corrections.files_and_waits import name_file
from mark_i.brains.offline.corrections.from_start import with_line
from mark_i.brains.offline.corrections.meant import (
    NOT_LEFT,
    meant,
)
from mark_i.brains.offline.corrections.message_parts import orders_more
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import (
    BUT,
    CLAUSE,
    NO_NOUN,
    bare,
    completed,
    has_text,
    is_enumeration,
    is_part,
    joined,
    name_only,
    parts,
    require_noun,
    require_words,
    takes_back_first,
    value_of,
    within,
    without_verb,
)
from mark_i.brains.offline.corrections.removals import leave_out, points_at, take_back
from mark_i.brains.offline.corrections.text_lines import (
    ENTER,
    end_of_document,
    has_lines,
    is_text,
    lines_of,
    saves,
    saves_or_closes,
)
from mark_i.brains.offline.corrections.wordings import begins, ends, fits, lead_end, patterns, without_tails
from mark_i.brains.offline.corrections.written import (
    LIST_MARK,
    NOT_YET,
    THERE,
    add_to_letter,
    change_last,
    change_written,
    line_said,
    line_within,
)
from mark_i.brains.offline.instructions import Close, DragBy, Instruction, Open, Pause, Rearrange, Type
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import VERB, mask

SIGNED: Final = 'it is signed with "{0}" already; to change that, say: write "{1}" instead of "{0}"'
BESIDE: Final = 'it does not say where in the text it goes; say: move "{0}" before "...", or: after "..."'
_NUMBER: Final = re.compile(r"\d[\w:.,]*(?:\s+[^\W\d]+)?")
_VALUE_OF: Final = (
    r"(?P<label>(?<!\w){}(?:\s+(?:is|are|was|were|costs?|(?:comes|goes)\s+to|(?:starts|begins)\s+at))?"
    r":?\s+[$\u20ac\u00a3]?)\d(?:[\d:.,]*\d)?"
)
_COUNT_OF: Final = rf"(?<![\w.,:-])\d+(?P<noun>\s+(?:(?!{NO_NOUN})[^\W\d_]+\s+){{{{0,2}}}}?{{}}(?!\w))"
_ADVERB: Final = re.compile(r"\A(?:now|actually|really|rather|called|named)\s+", re.IGNORECASE)
_VAGUE: Final = re.compile(r"(?:forget|leave|remove|delete|take|don't|do not)\b", re.IGNORECASE)  # a wait is skipped
_OF_SEVERAL: Final = re.compile(r"\bthat\s+one\b", re.IGNORECASE)
_WRITE: Final = re.compile(r"(?:put|write|say|type|use)\s+", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"(?:it|that|he|she|they|i|we|you|this|its|thats|im)(?:'\w+)?", re.IGNORECASE)
_CONTRAST: Final = re.compile(
    r"\b(?:not|instead|rather|in place)\b", re.IGNORECASE
)  # "change A to B" gives the very words
_CLOSES: Final = re.compile(r"\b(?:close|quit|exit|shut)\b", re.IGNORECASE)
_INTO_LINE: Final = re.compile(
    r"\s(?:to|in|into|on)\s+(?:the|that|my)\s+(?:\w+\s+)?(?:line|item|entry|row|title|heading|headline)\b",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(r"\b(?:bottom|below|beneath|underneath)\b", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\A(?:(?:oh|ah|hm+|um|well|ok|okay|yes)[ ,.!]+)+", re.IGNORECASE)
STEM_CHARS: Final = 4  # by which "pack" and "packing" are one word
ENTRY_WORDS_MAX: Final = 3  # of a list
_WORDS_MORE_MAX: Final = 4  # than are replaced


def move(plan: Plan, text: str) -> bool:
    """Put first what is left, or a new text."""
    if moved := fits("moved", text):
        try:
            at = meant(plan.every, plan.done, plan.words_for(moved["old"]))
        except UnclearError:
            at = []
        if at and is_text(plan.every[at[0]]):
            one = plan.every[at[0]]
            plan.remove(lines_of(plan.every, at, plan.done))
            plan.every[plan.done : plan.done] = with_line(plan.every, plan.done, [one])
            return True
    if (next_ := fits("put_next", text)) and (given := plan.typing_lines(next_["text"])):
        plan.every[plan.done : plan.done] = with_line(plan.every, plan.done, given)
        return True
    return False


def take_back_first(plan: Plan, text: str) -> bool:
    """Take something back, and follow what is said besides: "undo that and press f6"."""
    if takes_back_first(text):
        follow(plan, text)
        return True
    return False


def close_at_end(plan: Plan, text: str) -> bool:
    """Close once all is written, saved unless that comes anyway, if a text says nothing else."""
    given = plan.instructions_or_none(text) if _CLOSES.search(text) else []
    left = plan.every[plan.done :]
    if not any(isinstance(one, Close) for one in given) or not all(map(saves_or_closes, given)):
        return False
    if not any(map(is_text, left)):
        return False
    is_saved = any(map(saves, left))
    plan.append([one for one in given if isinstance(one, Close) or not is_saved])
    return True


def end(plan: Plan, text: str) -> bool:
    """Leave out what comes after something."""
    if not (said := fits("ended", text)):
        return False
    del plan.every[max(meant(plan.every, plan.done, plan.words_for(said["old"]))) + 1 :]
    return True


def put_last(plan: Plan, text: str) -> bool:
    """Put something last."""
    later = begins("last_lead", text) or ends("last_tail", text)
    if not later:
        return False
    what = (text[: later.start()] + text[later.end() :]).strip(" ,")
    what = without_tails(what[lead_end(what) :])
    is_own = re.search(r"\bline\b", later[0]) or (_BELOW.search(later[0]) and not has_lines(plan.every))
    what += " on a new line" if is_own and not ends("own_line", what) else ""
    if given := plan.instructions_or_none(what):
        plan.require_other_names("" if mask(what) != what else what)
        if is_text(given[0]) and mask(what) == what:
            plan.require_lines(str(getattr(given[0], "content", "")))
        plan.append(given)
    elif (said := fits("added", what) or fits("put_last", what)) and add_to_letter(plan, said.get("clause", "")):
        pass
    elif said and (found := _lines(plan, said)):
        plan.append(found)
    else:
        _heard_last(plan, what)
    return True


def _lines(plan: Plan, said: Mapping[str, str]) -> list[Instruction]:
    """Return the instructions that type a text that is to be added, on a line of its own if that is said before it."""
    if "clause" in said:  # its words are all of it
        return [ENTER, *plan.typing(said["clause"])] if any(map(is_text, plan.every)) else []
    return plan.typing_lines(said["text"] + (" on a new line" if said.get("own") else ""))


def _heard_last(plan: Plan, what: str) -> None:
    """Follow what is said of the end, and is no instruction: "at the end leave out the flour"."""
    if not what:
        raise UnclearError("it asks for nothing")
    before = [*plan.every]
    follow(plan, what)
    if len(plan.every) > len(before):
        new = plan.every[plan.done : plan.done + len(plan.every) - len(before)]
        plan.every = before
        plan.append(new)


def replace_text(plan: Plan, text: str) -> bool:
    """Put something else in the place of what is left."""
    is_less = begins("left_out", text)
    if said := fits("said_wrong", text):
        exchange(plan, said["new"], said["old"])
        return True
    for pattern in (*patterns("replaced"), *(() if is_less else patterns("not_old"))):
        match = pattern.fullmatch(mask(text))
        if not match:
            continue
        new, old = (text[slice(*match.span(name))].strip() for name in ("new", "old"))
        if _PRONOUN.fullmatch(new) or (is_less and not BUT.search(mask(text))):
            continue
        new = without_verb(new, old, plan.lines())
        is_contrast = not VERB.match(mask(new)) and _CONTRAST.search(mask(text).replace(mask(new), ""))
        exchange(plan, name_only(new[lead_end(new) :], old) if is_contrast else new, old)
        return True
    return False


def exchange(plan: Plan, new: str, old: str) -> None:
    """Put something in the place of what some words name, typed or to be typed."""
    new = re.sub(r"\s+(?:who|which)\s.*", "", without_tails(new[lead_end(new) :]))
    if fits("renamed", new) and name_file(plan, new):
        return
    new = _without_same_place(plan, new, old)
    require_words(new)
    new = new[max((one.end() for one in patterns("it_is")[0].finditer(mask(new))), default=0) :]
    new = value_of(_ADVERB.sub("", new), old)
    given = plan.instructions_or_none(new)
    if VERB.match(mask(new)) and not given and not _WRITE.match(new):
        plan.instructions(new)
    if not given and (_says_more(plan, new, old) or len(new.split()) > len(old.split()) + _WORDS_MORE_MAX):
        raise UnclearError("it says more than one thing")
    text = given[0] if len(given) == 1 else None
    is_text_only = not given or (isinstance(text, Type) and is_text(text) and not text.enter)
    if (count := re.match(r"\d+(?=\s+\w)", old)) and re.fullmatch(r"\d+", new):
        new += old[count.end() :]  # "not 6 eggs but 10"
    line = line_said(plan, old)
    new += line[-1] if line != old and line[-1] in ",:" and bare(new) == new and not new.endswith(line[-1]) else ""
    old, new = _with_label(plan, line, new)
    said = text.content if isinstance(text, Type) and isinstance(text.content, str) else _WRITE.sub("", new)
    if old and is_text_only and not plan.is_left(old) and change_written(plan, old, said):
        return
    at = meant(plan.every, plan.done, plan.words_for(old)) if old else []
    part_only = len(given) == 1 and is_text(given[0]) and at and is_part(old, plan.every[at[0]])
    if given and not part_only:
        at = at or plan.of_kind(given)
        plan.every[at[0] : at[-1] + 1] = [completed(one, plan.every[at[0]]) for one in given]
        return
    at = at or meant(plan.every, plan.done, "it")
    new = _WRITE.sub("", new)
    said = plan.every[at[0]].text
    require_noun(said, old, new)
    changed = within(said, old, new)
    if changed == said:
        raise UnclearError(NOT_LEFT)
    plan.every[at[0] : at[-1] + 1] = plan.instructions(changed)


def _with_label(plan: Plan, old: str, new: str) -> tuple[str, str]:
    """Return what a number is a new value of, as it stands there: "Room 12" and "Room 14" for "the room" and "14"."""
    words = re.sub(r"\A(?:the|my|our)\s+", "", bare(old), flags=re.IGNORECASE)
    if not words or re.search(r"\d", words) or not _NUMBER.fullmatch(new):
        return old, new
    label, count = (re.compile(one.format(re.escape(words)), re.IGNORECASE) for one in (_VALUE_OF, _COUNT_OF))
    labelled, counted = ([one for line in plan.lines() for one in known.finditer(line)] for known in (label, count))
    counted = counted if new[-1:].isdigit() else []
    whole = [line for line in plan.lines() if line.casefold() == words.casefold()]
    if whole and not (labelled or counted) and new.isdigit() and bare(old) == old:  # "change the eggs to 4"
        return whole[0], f"{new} {whole[0]}"
    if len(labelled) + len(counted) != 1:
        return old, new
    return (labelled[0][0], labelled[0]["label"] + new) if labelled else (counted[0][0], new + counted[0]["noun"])


def _without_same_place(plan: Plan, new: str, old: str) -> str:
    """Return a text without the words that say where it goes, if what it replaces is there: "X on top, not Y"."""
    for kind, line in (("first_tail", plan.lines()[:1]), ("last_tail", plan.lines()[-1:])):
        if line and line[0].casefold() == bare(old).casefold() and (tail := ends(kind, new)):
            return new[: tail.start()]
    return new


def _says_more(plan: Plan, new: str, old: str) -> bool:
    """Return whether what is to be put somewhere has an order besides; "Lena and Max" has none."""
    if not CLAUSE.search(mask(new)):
        return False
    first, *others = joined(new)
    orders = any(map(plan.instructions_or_none, others))
    if not orders and has_text(plan.lines(), old) and len(CLAUSE.findall(mask(new))) <= len(CLAUSE.findall(mask(old))):
        return False  # "Friday, 12 June" for "Saturday, 13 June"
    return not is_enumeration(new, old) or orders or bool(plan.instructions_or_none(first))


def keep(plan: Plan, text: str) -> bool:
    """Change nothing where what is wanted is there, or is to be typed: "Monday was right"."""
    said = fits("after_all", text) or fits("wanted_back", text)
    return said is not None and "not" not in said and has_text(plan.lines(), plan.words_for(said["old"]))


def mean(plan: Plan, text: str) -> bool:
    """Put a text in the place of the only one whose words it repeats: "I meant brown bread" for "bread"."""
    said = fits("meant_so", text)
    old = line_within(plan, said["new"]) if said else ""
    if said and old:
        exchange(plan, said["new"], old)
    return bool(old)


def add(plan: Plan, text: str) -> bool:
    """Add a text at the end of those that are typed."""
    said = fits("added", text) or (None if VERB.match(mask(text)) else fits("added_too", text))
    if said and has_text(plan.lines(), said.get("text", "")) and fits("added", text) is None:
        return True
    if said and said.get("text", "").casefold() in map(str.casefold, plan.lines()):
        raise UnclearError(THERE)
    if said and add_to_letter(plan, said.get("clause", "")):
        return True
    if said and (_INTO_LINE.search(mask(said.get("text", ""))) or _is_line(plan, said.get("which", ""))):
        raise UnclearError("it does not say how that line should read")
    if not said or not (given := _lines(plan, said)):
        return False
    plan.append(given)
    return True


def _is_line(plan: Plan, which: str) -> bool:
    """Whether a list that is named is one line of several, such as "the packing list" beside "Pack: boots, hat"."""
    stem = re.compile(rf"\b{re.escape(which[:STEM_CHARS])}", re.IGNORECASE)
    return bool(which) and any(map(stem.match, plan.lines()[1:]))


def sign(plan: Plan, text: str) -> bool:
    """Put the names of who writes on a line of their own at the end: "sign it with Maria and Paul"."""
    said = fits("signed", text)
    if not said or not any(map(is_text, plan.every)) or orders_more(said["text"]):
        return False
    require_words(said["text"])
    lines = plan.lines()
    has_closing = len(lines) > 1 and fits("closing", lines[-2].strip()) is not None
    closing, _, name = lines[-1].partition(",")
    if has_closing:
        exchange(plan, said["text"], lines[-1])
        return True
    if "instead" in said or (name.strip() and fits("closing", closing.strip()) is not None):
        raise UnclearError(SIGNED.format(lines[-1], said["text"]))
    plan.append([ENTER, *plan.typing(said["text"])])
    return True


def add_entry(plan: Plan, text: str) -> bool:
    """Add an entry to a list that is typed, which only an "and" or a "too" says: "and sugar"."""
    said = fits("entry", text) or fits("entry", _ASIDE.sub("", text))
    entries = [LIST_MARK.sub("", line, count=1) for line in plan.lines()]
    is_list = has_lines(plan.every) and all(len(one.split()) <= ENTRY_WORDS_MAX for one in entries)
    if not said or not is_list or VERB.match(said["text"]) or not (given := plan.typing_lines(said["text"])):
        return False
    plan.append(given)
    return True


def _require_thing(plan: Plan, moved: Rearrange | DragBy) -> None:
    """Refuse to drag what is a line of the text: it is no thing on the screen."""
    if has_text(plan.lines(), moved.name) or line_said(plan, moved.name) in plan.lines():
        raise UnclearError(BESIDE.format(moved.name) if isinstance(moved, DragBy) else NOT_YET)


def contradict(plan: Plan, text: str) -> bool:
    """Put another text in the place of the one that was typed last, once all is typed: "no, Tuesday"."""
    said = fits("no_but", text.rstrip(" .!"))
    if not said or VERB.match(said["new"]) or any(map(is_text, plan.every[plan.done :])):
        return False
    return change_last(plan, said["new"])


def _is_waiting(plan: Plan) -> bool:
    return any(isinstance(one, Pause) for one in plan.every[plan.done : plan.done + 1])


def follow(plan: Plan, text: str) -> None:
    """Leave out, and put next, what a text says, in order."""
    at, before, last = plan.done, None, ""
    for part in parts(text):
        last, said = part, last
        if fits("left_out", said) and points_at(part):
            continue  # "we don't need the fish, leave it out" says it twice
        if take_back(plan, part):
            continue
        if replace_text(plan, part):
            at, before = plan.done, None
            continue
        if less := fits("left_out", part):
            if points_at(part) and (_VAGUE.match(part) or _OF_SEVERAL.search(part)) and _is_waiting(plan):
                raise UnclearError("it does not say what is to be left out")
            at, before = leave_out(plan, less["old"])
        else:
            given = [completed(one, before) for one in plan.instructions(part)]
            if moved := next((one for one in given if isinstance(one, Rearrange | DragBy)), None):
                _require_thing(plan, moved)
            if before is None and any(isinstance(one, Open) for one in given):
                at = end_of_document(plan.every, at)
            if plan.taken and any(map(is_text, given)):
                at = plan.after_taken
                plan.taken = ""
            given = with_line(plan.every, at, given) if before is None else given
            plan.every[at:at] = given
            at += len(given)
