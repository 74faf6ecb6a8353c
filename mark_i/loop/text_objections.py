"""What shows that another text was written than the goal says, under another name, or only a part of what it lists."""

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mark_i.loop.facts import RunFacts, values
from mark_i.loop.file_content import digest, start_of
from mark_i.loop.file_evidence import UNSAVED, named_files
from mark_i.loop.goal_names import asked_files, is_of_kind
from mark_i.loop.goal_words import (
    FILE_NAME,
    NUMBER,
    asks_to_type,
    clauses,
    counted_words,
    figures,
    file_names,
    is_deed,
    quoted,
    says,
    words,
)
from toolbelt.parameters import KeyNames
from world_model import Step

SAVING: Final = frozenset({"ctrl+s", "cmd+s", "super+s"})
SLIP_LETTERS: Final = 5  # of a word at least, that is taken for another one with a letter wrong
LETTERS: Final = re.compile(r"(?<![\w$])[^\W\d_]+(?!\w)")
DIGIT_GROUPS: Final = re.compile(r"(?<=\d)[,.'\u2019\u00a0 ](?=\d{3}(?!\d))")
ENUMERATION: Final = re.compile(r"[\w-]+(?:(?:\s*[,\u3001]\s*|,?\s+(?:and|und|et|y|e|en|\u0438)\s+)[\w-]+)+")
WORD: Final = re.compile(r"\w+(?:[.,:/-]\w+)*")
COPIED_MIN: Final = 4  # words of a text at least, of which one may be wrong
UNREADABLE: Final = frozenset("\0\ufffd")  # signs of a file that is no plain text
ROUNDED_S: Final = 0.1  # to which the seconds of a wait are rounded
ENUMERATED_MIN: Final = 3  # of two words, one may be the next order: `type it and save`


def text_objections(evidence: Sequence[Any], known: RunFacts) -> Iterator[str]:
    """Yield what is not written, or wrongly, has another name, was taken back, or is left out of a list."""
    yield from (f'Nothing shows "{part}".' for part in _unshown(evidence, known))
    yield from _misspelt(known)
    yield from _another_number(known)
    yield from _another_word(known)
    yield from _not_kept(known)
    yield from _ended_otherwise(known)
    yield from _taken_back(known)
    yield from _unsaved(known)
    yield from _left_out(known)


def _misspelt(known: RunFacts) -> Iterator[str]:
    """Yield a word of what was to be written that is there only in other letters, or with one of them wrong.

    A text that is longer than the part of the goal that asks for it is only about what was asked.
    """
    text = LETTERS.findall(" ".join(_written(known)))
    others = set(text) - set(LETTERS.findall(known.goal))
    for clause in filter(asks_to_type, clauses(known.goal)):
        if len(text) > len(words(clause)):
            continue
        for word in LETTERS.findall(FILE_NAME.sub(" ", clause))[1:]:
            slip = next((one for one in others if _is_slip(one, word)), None)
            if slip and word not in text:
                yield f'"{slip}" was written, and the goal says "{word}".'


def _written(known: RunFacts) -> list[str]:
    """Return what was written: the new lines of the files that the goal names, or else what was typed."""
    files = _files(known)
    return (
        [line for path in files for line in _new_lines(path, known)] if files else "\n".join(known.typed).splitlines()
    )


def _files(known: RunFacts) -> list[Path]:
    """Return the files that the goal names and that are there."""
    there = named_files(known.goal, known.files.folders)
    return [path for path in there if os.path.isfile(path)]  # noqa: PTH113 - raises for no name


def _another_number(known: RunFacts) -> Iterator[str]:
    """Yield a number that was written in place of one of the goal that was not, and that looks like it.

    That of several things, as in `the first 4 primes`, need not be written.
    """
    written = " ".join(_written(known))
    there, digits = NUMBER.findall(written), set(re.findall(r"\d+", " ".join((written, *known.typed))))
    for clause in filter(asks_to_type, clauses(known.goal)):
        wanted = NUMBER.findall(FILE_NAME.sub(" ", clause))
        of_things = {number for (before, _), found in counted_words(clause).items() if before for number in found}
        for number in wanted:
            if number in there or number in of_things or (number.isdecimal() and number in digits):
                continue
            other = next((one for one in there if _shape(one) == _shape(number) and one not in wanted), None)
            if other:
                yield f'"{other}" was written, and the goal says "{number}".'


def _shape(number: str) -> str:
    return re.sub(r"\d", "0", number)


def _another_word(known: RunFacts) -> Iterator[str]:
    """Yield a word that was written in place of another one between the same words of the goal."""
    for clause in filter(asks_to_type, clauses(known.goal)):
        asked = WORD.findall(FILE_NAME.sub(" ", clause).casefold())
        for line in _written(known):
            said = WORD.findall(line.casefold())
            spans = [asked[at : at + len(said)] for at in range(len(asked) - len(said) + 1)]
            if len(said) < COPIED_MIN or said in spans:
                continue
            for span in spans:
                other = [(one, two) for one, two in zip(said, span, strict=True) if one != two]
                if len(other) == 1:
                    yield f'"{other[0][0]}" was written, and the goal says "{other[0][1]}".'


def _not_kept(known: RunFacts) -> Iterator[str]:
    """Yield a text that was typed as the goal says and is not in the one file that was to hold it, and was written."""
    for clause in filter(asks_to_type, clauses(known.goal)):
        files = [path for path in named_files(clause, known.files.folders) if path.is_file()]
        content = start_of(files[0]) if len(files) == 1 else ""
        if len(files) != 1 or UNREADABLE & set(content) or files[0].stat().st_mtime < known.files.began:
            continue
        bare = FILE_NAME.sub(" ", clause)
        steps = (step for step in known.worked() if not known.enters(step))  # what is entered may be a command
        for text in dict.fromkeys(text for step in steps for text in known.texts(step)):
            if says(bare, text) and not says(content, text):
                yield f'{files[0]} does not hold "{text}".'


def _new_lines(path: Path, known: RunFacts) -> Iterator[str]:
    old = known.files.before.lines.get(path, ())
    return (line for line in start_of(path).splitlines() if line.strip() not in old)


def _is_slip(one: str, other: str) -> bool:
    """Whether two words differ only in the case of letters, or, where the goal gives a name, in one letter."""
    if one.casefold() == other.casefold():
        return True
    if max(len(one), len(other)) < SLIP_LETTERS or not other[:1].isupper():
        return False
    one, other = one.casefold(), other.casefold()
    forms = one.startswith(other) or other.startswith(one)
    return not forms and not _without_one(one).isdisjoint(_without_one(other))


def _without_one(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _ended_otherwise(known: RunFacts) -> Iterator[str]:
    """Yield a new file whose name the agent gave an ending that the goal does not have."""
    asked = asked_files(known.goal)
    for name in map(Path, dict.fromkeys(FILE_NAME.findall("\n".join(known.typed)))):
        kept = name.suffix in known.goal or is_of_kind(known.goal, name.suffix)
        new = (known.files.before.had(folder.resolve() / name) is False for folder in known.files.folders)
        if name.stem.casefold() in asked and not kept and any(new):
            yield f"The goal names {name.stem}, not {name.name}."


def _taken_back(known: RunFacts) -> Iterator[str]:
    """Yield a file that something was to be written into and that is as it was, where something was undone."""
    if not any(map(known.undoes, known.worked())):
        return
    names = {Path(name).name for clause in clauses(known.goal) if asks_to_type(clause) for name in file_names(clause)}
    for path, content in known.files.before.contents.items():
        if path.name in names and digest(path) == content:
            yield f"Something was undone, and {path} is as it was."


def _unsaved(known: RunFacts) -> Iterator[str]:
    """Yield the title of a window in which a text was to be saved, if it says that it is not; giving up is no fault."""
    steps = [step for step in known.worked() if not known.looked(step) and step.observation.screen]
    saved = next((at for at in reversed(range(len(steps))) if _saves(steps[at], known)), len(steps))
    titles = [one.observation.screen.was_in_front for one in steps[saved:] if one.observation.screen]
    for title in titles[: not any(map(known.cancels, steps[saved:]))]:
        if UNSAVED & {*title} and title in known.titles and title not in titles[1:]:
            yield f'"{title}" is not saved.'


def _saves(step: Step, known: RunFacts) -> bool:
    parts = known.toolbelt[step.action.tool].parts(step.action.args)
    return any(role is KeyNames and value in SAVING for role, value in parts)


def _left_out(known: RunFacts) -> Iterator[str]:
    """Yield the words of an enumeration that show nowhere, where most of it was typed or chosen."""
    for found in ENUMERATION.findall(FILE_NAME.sub(" ", known.goal)):
        listed = [word for word in re.split(r"\W+", found) if words(word) and not is_deed(word)]
        written = words(" ".join(_written(known))) if _files(known) else set[str]()
        if {"not", "then"} & {*listed}:  # "15, not 12" and "swap them, then save" enumerate nothing
            continue
        if len(listed) < ENUMERATED_MIN and not (len(listed) > 1 and words(listed[0]) <= written):
            continue
        done = written if len(listed) < ENUMERATED_MIN else _done(known)
        missing = [word for word in listed if not words(word) <= done]
        if len(missing) * 2 <= len(listed):
            yield from (f'Nothing shows "{word}".' for word in missing)


def _done(known: RunFacts) -> set[str]:
    """Return the words of what was typed, chosen or given by a step, or appeared with one."""
    texts: list[Sequence[str]] = [known.typed, [line.text for line in known.lines if not known.stood_before(line.text)]]
    for step in known.worked():
        texts += [(*known.named(step), *values(dict(step.action.args)), *known.changes(step, read=False))]
    return set[str]().union(*(words(text) for group in texts for text in group))


def _unshown(evidence: Sequence[Any], known: RunFacts) -> Iterator[str]:
    """Yield the quoted texts and the numbers of the goal that stand nowhere: not typed, not chosen, not seen."""
    had = {text for texts in known.files.before.quoted.values() for text, count in texts.items() if count}
    wanted = [text for text in (*quoted(known.goal), *figures(known.goal)) if text not in had]
    if not wanted:
        return
    names = [name for step in known.worked() for name in known.named(step)]
    args = [text for step in known.worked() for text in values(dict(step.action.args))]
    seen = [
        text for step in known.worked() for text in (*values(step.observation.data), *known.changes(step, read=False))
    ]
    files = [start_of(path) for path in named_files(known.goal, known.files.folders)]
    given = list(given_texts(evidence))
    files += [start_of(folder / name) for folder in known.files.folders for name in given if Path(name).suffix]
    shown = (*known.typed, "".join(names), *names, *args, *_waited(known), *seen, *files, *given, *known.titles)
    text = DIGIT_GROUPS.sub("", " \n".join((*shown, *(line.text for line in known.lines))))
    for part in wanted:
        if not says(text, DIGIT_GROUPS.sub("", part)) and not Path(part).suffix:
            yield part


def _waited(known: RunFacts) -> Iterator[str]:
    """Yield the whole seconds of waits that began when the action before them was done, while the screen settled."""
    before_s = 0.0
    for step in known.worked():
        for seconds in step.action.args.values():
            if isinstance(seconds, float):
                yield from map(str, range(math.ceil(seconds), int(seconds + before_s + ROUNDED_S) + 1))
        before_s = (step.timing.settle_ms + step.timing.other_ms) / 1000


def given_texts(evidence: Sequence[Any]) -> Iterator[str]:
    """Yield the texts in the evidence."""
    for piece in evidence:
        yield from values(dict(as_mapping(piece)))


def as_mapping(piece: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    """Return a piece of evidence as a mapping."""
    return piece if isinstance(piece, Mapping) else {"text": str(piece)}
