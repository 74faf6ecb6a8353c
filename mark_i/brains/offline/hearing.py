"""What the person said to a run without a model: what there is to do then, what of it is unclear, and what is asked."""

import itertools
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeAlias

from mark_i.brain import Prompt, Word
from mark_i.brains.offline.corrections import FILLERS, TYPING, Remaining, is_unsaved, other_file
from mark_i.brains.offline.instructions import Instruction
from mark_i.brains.offline.progress import begun, left_of, looks_in_vain
from mark_i.brains.offline.resuming import AT_END, resumed
from mark_i.brains.offline.seen import ASKED_ANEW, CAME, CLOSING, LOOKED, NAMING, REPLACING
from mark_i.brains.offline.stopped import agrees, stands_in_field
from mark_i.control_words import control_word
from world_model import Halt, Step

UNCLEAR_WORD: Final = 'I could not follow "{text}", which you said: {reason}.'
UNKNOWN_WORD: Final = 'I do not understand "{text}".'
STILL_TO_DO: Final = "Still to do: {}."
TO_COME: Final = "Nothing changed: this is still to do. All that is left: {}."
ALL_DONE: Final = "All else is done."
INSTEAD: Final = 'Say what to do instead, for example: {}. Or say "go on" or "stop".'
CHOICES: Final = ("Go on", "Stop")
STOP_CHOICES: Final = ("Stop",)
NOT_SAVED: Final = "/"  # no name
ABOUT_FILES: Final = frozenset({NAMING, REPLACING})
_OWN_QUESTIONS: Final = ABOUT_FILES | {ASKED_ANEW, CAME, CLOSING}  # whose answers are no words to the run
_NAME: Final = re.compile(  # of a file, in one word, or in several after a verb
    r"(?:(?:hm+|um|ok(?:ay)?|well|oh|yes|maybe|please)\W+)*"
    r"(?:(?:let'?s (?:say|call it|name it)|call it|name it|save it as)\s+(?P<name>[\w~][\w ./~-]*?)|(?P<one>[\w./~-]+))"
    r"(?:[ ,]+please)?\W*",
    re.IGNORECASE,
)
_COMMON: Final = FILLERS | TYPING | {"and", "as", "at", "in", "instead", "on", "open", "save", "to", "wait"}
_THEN: Final = re.compile(r"\A\s*(?:ok(?:ay)?[,.]?\s+)?then\s+", re.IGNORECASE)


_Change: TypeAlias = tuple[str, tuple[Instruction, ...]]  # what was said, and what there was to do before


@dataclass(frozen=True, slots=True)
class Heard:
    """What there is to do after all that the person said.

    Attributes:
        unclear: what could not be followed, with what the person is told of it.
        asking: of that, what was said since the last step, and is to be asked about.
        is_new: whether anything was said since the last step.
        left_open: what was asked about, and is not followed: the person only said to go on.
        may_look: whether all that is to be asked about would be clear if all lines that were typed stood in one field.
        words: what changed what there is to do, each with what there was to do before.
    """

    remaining: Remaining
    unclear: Mapping[Word, str]
    asking: tuple[Word, ...]
    is_new: bool
    left_open: tuple[str, ...] = ()
    may_look: bool = False
    words: tuple[_Change, ...] = ()

    @property
    def left(self) -> str:
        """What the person is told of what is still to do, if they said something."""
        told = TO_COME if self.remaining.is_to_come else STILL_TO_DO
        return told.format("; ".join(self.remaining.left()) or "nothing") if self.is_new else ""

    @property
    def question(self) -> str:
        """What is asked about what is unclear."""
        left = self.left if self.remaining.left() else ALL_DONE
        instead = INSTEAD.format(self.remaining.examples(self.asking[-1].text))
        return " ".join([*(self.unclear[word] for word in self.asking), left, instead])

    @property
    def goal(self) -> str:
        """What there is to do, in the person's own words; what of them could not be followed is a part of it."""
        return "\n".join([*filter(None, self.remaining.phrases()), *(word.text for word in self.unclear)])


def with_goal_said(prompt: Prompt) -> Prompt:
    """Return a prompt with the goal as the person said it last, when they were asked for other words.

    Raises:
        Halt: they answered that the run should stop.
    """
    asked = [step for step in prompt.past() if step.note == ASKED_ANEW and step.observation.ok]
    if any(map(answer_of, asked)):  # of such a question, only a stop is one
        raise Halt
    said = [
        str(step.observation.data["answer"]).strip() for step in asked if isinstance(step.observation.data, Mapping)
    ]
    return replace(prompt, goal=said[-1]) if said and said[-1] else prompt


def hear(remaining: Remaining, prompt: Prompt) -> Heard:
    """Return what there is to do after all that the person said.

    Raises:
        Halt: the person answered that the run should stop.
    """
    unclear, past, changes = dict[Word, str](), prompt.past(), list[_Change]()
    pending, left_open = defaultdict[int, list[str]](list), list[str]()
    answers = [Word(step.index + 1, answer) for step in past if (answer := answer_of(step)) is not None]
    asked = {answer.index - 1 for answer in answers}
    files = [Word(step.index + 1, name) for step in past if (name := file_said(step))]
    now = (
        len(past) + 1 - any(step.note == LOOKED for step in past[-1:])
    )  # what was said before a look is asked about now
    in_vain = now <= len(past)
    words = sorted([*prompt.said, *answers, *files], key=lambda word: word.index)
    for index, together in groupby(words, lambda word: word.index):
        remaining.done = begun(remaining.every, past[: index - 1])
        remaining.cut(sum(map(left_of, past[index - 2 : index - 1])))
        seen = stands_in_field(remaining.every[: remaining.done], past[index - 1 : index])
        remaining = replace(remaining, is_document=remaining.is_document or seen)
        for word in together:
            if word in files:
                looks = looks_in_vain(remaining.every, past[: index - 1])
                remaining = remaining.saved_as("" if word.text == NOT_SAVED else word.text, looks)
                continue
            text = _THEN.sub("", word.text) if word in answers else word.text
            asked_for = control_word(text)
            if asked_for == "stop" and word in answers:
                raise Halt
            if asked_for in {"stop", "resume"} or (word in answers and (not text or agrees(text) is not None)):
                left_open += pending.pop(index - 1, []) if word in answers else []
                continue  # a stop is of the time before the run was resumed
            said = resumed(text) or ""
            text = said if said.startswith(AT_END) else text
            before, remaining = remaining, remaining.after(text)
            changes = _with_word(changes, text, before, remaining)
            if not remaining.unclear or remaining.is_remark(text):
                asked_about = pending.pop(index - 1, []) if word in answers else []
                left_open += [first for first in asked_about if _is_other(text, first, before, remaining)]
                continue
            in_vain = in_vain or (index >= now and bool(replace(before, is_document=True).after(text).unclear))
            if index in asked:
                pending[index].append(text)
            else:
                unclear[word] = " ".join(itertools.starmap(_complaint_of, remaining.unclear))
    is_new = any(word.index >= now for word in words)
    if past and not is_new:  # a pause ends a wait without a word
        remaining.done = begun(remaining.every, past)
        remaining.cut(left_of(past[-1]))
    asking = tuple(word for word in unclear if word.index >= now)
    return Heard(remaining, unclear, asking, is_new, tuple(left_open), not in_vain, tuple(changes))


def _with_word(changes: list[_Change], text: str, before: Remaining, after: Remaining) -> list[_Change]:
    """Return what was said, with one more word; one that takes another back stands in its place."""
    if before.every == after.every:
        return changes
    if after.is_taken_back:
        kept = changes[:-1] if after.restored is not None else []
        return [*kept, (text, tuple(after.every))]
    return [*changes, (text, tuple(before.every))]


def _is_other(text: str, first: str, before: Remaining, after: Remaining) -> bool:
    """Return whether an answer changes something else than the message that was asked about, which names a thing."""
    gone = [one for one in before.every if one not in after.every]
    put = [one for one in after.every if one not in before.every]
    named = _words(first) & _words(*(one.text for one in before.every))
    return bool(gone or put) and bool(named) and not named & _words(text, *(one.text for one in [*gone, *put]))


def _words(*texts: str) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w+", text.casefold())} - _COMMON


def _complaint_of(text: str, reason: str) -> str:
    if "cannot start with" in reason:
        return UNKNOWN_WORD.format(text=text)
    return UNCLEAR_WORD.format(text=text, reason=re.split(r"[;.](?:\s|\Z)", reason)[0])


def file_said(step: Step) -> str:
    """Return the name that a person gave for a file when they were asked, `NOT_SAVED` if it is not to be saved."""
    data = step.observation.data
    if step.note not in ABOUT_FILES or not step.observation.ok or not isinstance(data, Mapping):
        return ""
    answer = str(data.get("answer", ""))
    if step.note == NAMING and is_unsaved(answer):
        return NOT_SAVED
    named = _NAME.fullmatch(answer.strip()) if step.note == NAMING else None
    return other_file(answer) or (named["name"] or named["one"] if named else "")


def answer_of(step: Step) -> str | None:
    """Return what the person answered when they were asked about their words; None if the step is no such question."""
    data = step.observation.data
    if step.action.tool != "ask_user" or not step.observation.ok or not isinstance(data, Mapping):
        return None
    answer = str(data.get("answer", "")).strip()
    is_stop = control_word(answer) == "stop" and f'"{answer}"' not in str(step.action.args.get("question"))
    return answer if is_stop or step.note not in _OWN_QUESTIONS else None
