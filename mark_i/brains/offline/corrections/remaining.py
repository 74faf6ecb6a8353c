"""What is left of a run's instructions, and what it is after what the person says: more, less, or something else.

What is new is done next, or after all the rest if it begins with "then".
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, takewhile
from typing import Final

from mark_i.brains.offline.corrections import (
    changes,
    contrasts,
    files_and_waits,
    labelled_lines,
    misspellings,
    numbered_lines,
    placing,
    reasons,
    removals,
    saving,
    values,
)
from mark_i.brains.offline.corrections.capitals import set_capitals
from mark_i.brains.offline.corrections.counts import recount
from mark_i.brains.offline.corrections.everywhere import replace_everywhere
from mark_i.brains.offline.corrections.examples import examples
from mark_i.brains.offline.corrections.from_start import from_start, goal_of, line_by_line, reworded, typed_at_end
from mark_i.brains.offline.corrections.labelled_lines import with_label_quoted
from mark_i.brains.offline.corrections.line_parts import without_label
from mark_i.brains.offline.corrections.meant import AT_ONCE, FILLERS, names, takes_back, untold
from mark_i.brains.offline.corrections.message_parts import beginnings, begins_anew, is_order, is_reason, with_quotes
from mark_i.brains.offline.corrections.new_lines import as_the_others
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.text_lines import (
    is_to_come,
    only_saves_or_closes,
    saved_in_passing,
    saves,
    saves_or_closes,
)
from mark_i.brains.offline.corrections.unsaying import unsay_after_all
from mark_i.brains.offline.corrections.whole_changes import around_change, asks_for_whole, takes_back_last
from mark_i.brains.offline.corrections.whole_lists import change_list
from mark_i.brains.offline.corrections.wordings import fits, lead_end, says_nothing, with_orders, without_tails
from mark_i.brains.offline.corrections.written import rewrite
from mark_i.brains.offline.instructions import DialogClosed, Instruction, Pause, Press, Talk, Type
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.nouns import POINTING
from mark_i.brains.offline.instructions.splitting import mask

ANEW: Final = "I cannot begin anew while I am at work, but if you stop this run, Run begins anew"

UNQUOTED: Final = "it does not say which words are the text, and quotes around them help"
ANY_EXAMPLE: Final = 'type "Hello"'
_POLITE: Final = re.compile(r"[\s,]+(?:please|pls|thanks|thank you)\Z", re.IGNORECASE)
_MORE: Final = re.compile(  # what may be a wish, in whatever words
    r"\b(?:too|also|as well|another|more|else|not|n't|wrong|missing|forgot\w*|without|empty|gone|left|out of|but)\b",
    re.IGNORECASE,
)
_UNREAD: Final = re.compile(r"an instruction cannot start with|I cannot read what follows")
_ADDS: Final = re.compile(r"(?:add|append|include|insert|put|write)\b", re.IGNORECASE)
_IS_SO: Final = re.compile(r"(?:it'?s|it is|that'?s) [a-z]+(?: [a-z]+)?\W*")  # why something is left out
_AND: Final = re.compile(r"\W*and\b", re.IGNORECASE)
_CONTRAST: Final = re.compile(r"(?:not|instead|rather than|in place of)\b", re.IGNORECASE)  # of the part before it
_QUOTES: Final = re.compile("[\"\u201c\u2018'`\x02-\x04]")
_CHANGES: Final = (
    placing.move_line,
    numbered_lines.set_line,
    recount,
    change_list,
    set_capitals,
    contrasts.contrast,
    files_and_waits.set_pause,
    files_and_waits.skip_pause,
    changes.move,
    removals.take_back,
    changes.take_back_first,
    files_and_waits.save_over,
    files_and_waits.save_in_folder,
    files_and_waits.name_file,
    changes.end,
    placing.put_first,
    placing.come,
    placing.place,
    changes.sign,
    changes.put_last,
    placing.swap,
    misspellings.fix,
    replace_everywhere,
    labelled_lines.set_labelled,
    values.set_value,
    labelled_lines.add_to_labelled,
    removals.leave_out_several,
    changes.replace_text,
    changes.add,
    changes.keep,
    changes.close_at_end,
)


@dataclass(slots=True)
class Remaining(Plan):
    """What is left to do, and what of the last message is unclear.

    Attributes:
        unclear: the parts of what the person said last that cannot be followed, each with the reason.
        is_to_come: whether what the person said last was still to do, so that it changed nothing.
        saves_again: whether a text that was saved is saved again after a change.
        earlier: what was done before the goal, if the goal changes that: then what is done is one change.
    """

    unclear: list[tuple[str, str]] = field(default_factory=list)
    is_to_come: bool = False
    saves_again: bool = True
    earlier: Sequence[Instruction] | None = None

    @property
    def takes_back_next(self) -> bool:
        """Whether something that was typed is taken back next."""
        return any(map(takes_back, self.every[self.done :][:1]))

    @property
    def leaves_unsaved(self) -> bool:
        """Whether a text that was saved is changed, and not saved again."""
        passed = saved_in_passing(self.every)
        left = self.every[self.done :]
        typed = (isinstance(one, Type) and one.text not in passed for one in left)
        last = max((at for at, types in enumerate(typed) if types or takes_back(left[at])), default=-1)
        return (
            last >= 0
            and any(one.text in passed for one in self.every[: self.done])
            and not any(map(saves, left[last:]))
        )

    @staticmethod
    def is_change(text: str) -> bool:
        """Return whether a text says that something stands in the place of something else."""
        return any(fits(kind, without_tails(text[lead_end(text) :])) for kind in ("replaced", "not_old"))

    def phrases(self) -> list[str]:
        """Return the person's own words for the instructions; one phrase may mean several.

        What only takes back what was typed is none of them: its text is not to be there at the end.
        """
        return [text for text, _ in groupby(one.text for one in reworded(saving.saved_once(self.every)))]

    def left(self) -> list[str]:
        """Return the phrases of what is still to do, with what is left of a wait that a word has ended."""
        return [text for text, _ in groupby(map(_left_of, self.every[self.done :])) if text]

    def goal(self, first: str, ordered: Sequence[Instruction]) -> str:
        """Return the goal for a run that begins anew; the first goal if it means just that."""
        wanted = reworded(saving.saved_once(self.every))
        return first if [*map(untold, wanted)] == [*map(untold, from_start(ordered))] else goal_of(wanted, self.talk)

    def examples(self, about: str) -> str:
        """Return what the person could say instead of what could not be followed; all of that can be followed."""
        for offered in examples(self, about):
            if fit := [one for one in offered if not self.after(one).unclear]:
                return "; ".join(fit)
        return ANY_EXAMPLE

    def is_remark(self, text: str) -> bool:
        """Return whether a word that comes when all is done only tells something, and nothing of what was typed."""
        if self.every[self.done :] or not is_reason(text) or _MORE.search(text):
            return False
        words = {*re.findall(r"\w{3,}", text.casefold())} - FILLERS
        typed = [one.content for one in self.every if isinstance(one, Type) and isinstance(one.content, str)]
        return not any(names(word, content) for word in words for content in typed)

    def saved_as(self, name: str, looks: int) -> "Remaining":
        """Return what is left if a text is saved under a name for which was asked; without one it is not saved.

        Args:
            name: the name.
            looks: the steps that looked in vain whether the dialog was closed.
        """
        if isinstance(next(iter(self.every[self.done :]), None), DialogClosed):
            return replace(self, every=saving.saved_elsewhere(self.every, self.done, name, looks))
        return replace(self, every=saving.saved_under(self.every, self.done, name))

    def back_to(self, earlier: Sequence[Instruction], text: str) -> "Remaining | None":
        """Return what makes the text what it was after some instructions, and what a message says besides.

        None if the message does not ask for that, or the text was not changed since.
        """
        rest = next((last for first, last in beginnings(text) if takes_back_last(first)), "")
        rest = re.sub(r",?\s+instead\W*\Z", "", rest, flags=re.IGNORECASE)
        if not (takes_back_last(text) or rest):
            return None
        was, now = (typed_at_end(one).split("\n") for one in (earlier, self.every))
        if was == now:
            return None
        back = replace(self, every=[*self.every])
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(now, was, strict=False))])
        end = rewrite(back, was, len("\n".join(now[:same])))
        after = replace(back, done=end).corrected(rest) if rest else back
        return replace(after, done=self.done)

    def undone(self, earlier: Sequence[Instruction], text: str) -> "Remaining | None":
        """Return what makes the text what it was before the goal, and what a message says besides.

        None if the message does not ask for that.

        Raises:
            UnclearError: it is not clear, or it cannot be done.
        """
        asked = asks_for_whole(self, text)
        if asked is None:
            return None
        was, besides = around_change(self, earlier)
        begun, rest, count = self.every[: self.done], asked[1], len(earlier)
        plan = replace(self, every=[*earlier, *begun], done=count + self.done, earlier=None, is_document=True)
        after = (plan.back_to(was, text) if was else None) or (plan.corrected(rest) if rest else plan)
        if after.unclear:
            raise UnclearError(after.unclear[0][1])
        every = saving.saved_again([*earlier, *begun, *besides], [*after.every, *besides], plan.done)[count:]
        talk = after.talk if rest else [one for one in after.talk if one.topic != "unsaved"]
        talk += [] if was or rest else [Talk(text, "unchanged")]
        return replace(self, every=every, talk=talk, before=None, is_taken_back=True)

    def cut(self, left_s: float) -> None:
        """Note how much is left of the pause that is next, if a word has ended its wait."""
        pause = self.every[self.done] if left_s else None
        if isinstance(pause, Pause):
            self.every[self.done] = replace(pause, left_s=left_s)

    def after(self, text: str) -> "Remaining":
        """Return what is left after something that the person says; what is unclear of it changes nothing."""
        if self.earlier is not None:
            now = replace(self, unclear=[], is_to_come=False, restored=None)
            try:
                undone = now.undone(self.earlier, text)
            except UnclearError as error:
                return replace(now, unclear=[(text.strip(), str(error))], is_ignored=True)
            if undone is not None:
                return undone
        every, done = saving.beside_dialog(self.every, self.done)
        if done != self.done:
            changed = replace(self, every=every, done=done).corrected(text)
            if changed.every != every and saving.types_at(changed.every, done):
                changed.every = saving.saved_again(every, changed.every, done)
                return replace(changed, done=self.done, before=replace(self, before=None))
        changed = self.corrected(text)
        changed.every = saving.read_after_dialog(changed.every, changed.done)
        if self.saves_again and not changed.unclear and changed.restored is None:
            changed.every = saving.saved_again(self.every, changed.every, self.done)
        return changed

    def corrected(self, text: str) -> "Remaining":
        """Return what is left after a message, wherever the caret is, and without saving again."""
        every = line_by_line(self.every, self.done)
        before = replace(self, every=every, restored=None, is_to_come=False)
        text = with_orders(with_quotes(with_label_quoted(before.lines(), text)))
        if begins_anew(text):
            return replace(before, unclear=[(text.strip(), ANEW)], is_ignored=True)
        changed, error = _heard(before, text)
        if error is not None:
            changed = replace(before, unclear=[(text.strip(), str(error))])
            halves = [
                both
                for both in beginnings(text)
                if not _is_told(text, both[0])
                and not _CONTRAST.match(both[1])
                and not any(map(removals.points_at, both))
            ]
            for clear, unclear in (order for both in halves for order in (both, both[::-1])):
                followed, why = _heard(before, clear)
                if why is None and (is_order(unclear) or _only_adds(before, followed)):
                    changed = replace(followed, unclear=[(unclear, str(_heard(followed, unclear)[1] or error))])
                    break
        changed.close_gap()
        if changed.every != every and changed.restored is None:
            as_the_others(before.lines(), changed, text)
        changed.every = self.every if changed.every == every else changed.every
        changed.is_ignored = bool(changed.unclear) and changed.every == self.every
        if changed.restored == changed.every:
            changed.before, changed.is_taken_back = None, True
        elif changed.every != self.every:
            changed.before, changed.is_taken_back = replace(self, before=None), False
        return changed


def _only_adds(before: Plan, after: Plan) -> bool:
    """Return whether a change leaves all that was to be done as it was, and takes nothing back."""
    left = iter(after.every)
    return all(one in left for one in before.every) and not any(map(takes_back, after.every[before.done :]))


def _is_told(text: str, beginning: str) -> bool:
    """Return whether a colon follows the beginning of a message: what comes after it belongs to that."""
    return text.partition(beginning)[2].lstrip().startswith(":")


def _left_of(one: Instruction) -> str:
    if isinstance(one, Pause) and one.left_s is not None:
        return f"wait {math.ceil(one.left_s)} more seconds"
    return one.text


def _heard(before: Remaining, text: str) -> tuple[Remaining, UnclearError | None]:
    """Return what is left after a message that is one change or several, with reasons; or why it cannot be followed."""
    if not before.every[before.done :] and (both := _heard_in_turn(before, text)):
        return both
    changed, error = _changed(before, text)
    if error is None:
        return changed, None
    for beginning, rest in beginnings(text):
        is_why = is_reason(rest, is_last=True) or (fits("left_out", beginning) is not None and _IS_SO.fullmatch(rest))
        said = reasons.with_noun(before, beginning, rest, needed=False) if is_why else beginning
        changed, why = _changed(before, said)
        if why is None and (not is_why or values.is_value(changed, rest)):
            changed, why = _heard_then(before, changed, rest)
        if why is not None and (is_reason(beginning) or (removals.points_at(rest) and not is_order(beginning))):
            changed, why = _heard(before, reasons.with_noun(before, rest, beginning))
            error = why if why and removals.points_at(rest) else error
            if (
                why is None
                and _AND.match(text.partition(beginning)[2])
                and reasons.is_of_kept(before.lines(), changed.lines(), beginning)
            ):
                return before, UnclearError(reasons.BY_ITSELF.format(beginning))
        if why is None:
            return changed, None
    return before, error


def _heard_in_turn(before: Remaining, text: str) -> tuple[Remaining, UnclearError | None] | None:
    """Return what is to be done if a message is a change, and a save or a close, in any order; None if it is not."""
    if only_saves_or_closes(before.instructions_or_none(text)):
        return None
    for beginning, rest in beginnings(text):
        both = map(before.instructions_or_none, (beginning, rest))
        if any(map(only_saves_or_closes, both)):
            changed, error = _heard(before, beginning)
            found = (before, error) if error else _heard_then(before, changed, rest)
            if not found[1] or (is_order(beginning) and is_order(rest)):  # else one half may belong to the other
                return found
    return None


def _heard_then(before: Remaining, changed: Remaining, rest: str) -> tuple[Remaining, UnclearError | None]:
    """Return what is left after one more change; typing, saving and closing are done in the order of the message."""
    count = saving.put_at(before.every, changed.every, before.done)
    put = changed.every[before.done : before.done + count]
    is_last = any(map(saves_or_closes, changed.instructions_or_none(rest)))
    if not count or not (is_last or any(map(saves_or_closes, put))):
        heard, why = _heard(changed, rest)
        if why is None or not count or not all(isinstance(one, Press | Type) for one in put):
            return heard, why
    later, why = _heard(replace(changed, done=before.done + count), rest)
    return replace(later, done=before.done), why


def _changed(before: Remaining, text: str) -> tuple[Remaining, UnclearError | None]:
    """Return what is left after a single change; or why it cannot be followed."""
    after = replace(before, every=[*before.every], talk=[*before.talk], unclear=[])
    try:
        _change(after, text)
    except UnclearError as error:
        return before, error
    if not AT_ONCE.search(text) and is_to_come(before.every, after.every, before.done):
        return replace(before, is_to_come=True), None
    typed = {one.content for one in after.every if isinstance(one, Type) and one not in before.every}
    if not typed.isdisjoint(POINTING) and not _QUOTES.search(text):
        return before, UnclearError("it does not say what is to be typed")
    return after, None


def _change(plan: Plan, text: str) -> None:
    whole = text[lead_end(text) :].rstrip(" .!")
    if (
        placing.move_line(plan, _POLITE.sub("", whole))
        or changes.move(plan, whole)
        or unsay_after_all(plan, whole)
        or says_nothing(text, at_end=plan.done == len(plan.every))
    ):
        return
    said = text = without_label(plan.lines(), without_tails(text))
    first = changes.contradict, removals.leave_out_none, files_and_waits.set_pause, files_and_waits.save_copy
    if any(change(plan, text) for change in first):
        return
    text = text[lead_end(text) :]
    is_heard = any(change(plan, text) for change in _CHANGES)
    if not is_heard and not changes.mean(plan, said) and not changes.add_entry(plan, said):
        _follow(plan, text)


def _follow(plan: Plan, text: str) -> None:
    try:
        changes.follow(plan, text)
    except UnclearError as error:
        if _ADDS.match(text) and mask(text) == text and plan.lines() and _UNREAD.match(str(error)):
            raise UnclearError(UNQUOTED) from None
        raise
