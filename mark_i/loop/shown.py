"""What the world shows of a goal: the words that came because of the steps, and the parts that nothing shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mark_i.loop.facts import RunFacts, values
from mark_i.loop.goal_names import kinds_of
from mark_i.loop.goal_words import (
    QUOTED,
    asks_to_open,
    asks_to_type,
    clauses,
    file_names,
    is_deed,
    is_question,
    listed,
    names_in,
    says,
    touches,
    words,
)
from mark_i.loop.text_objections import given_texts
from toolbelt.elements import Element
from world_model import FIELDS, Step


def untouched(evidence: Sequence[Any], known: RunFacts) -> Iterator[str]:
    """Yield the parts of the goal that name something and of which no word shows: in no step, evidence, nor now.

    A part without a name may have what a control is called that the run had before it.
    """
    parts = [part for clause in clauses(known.goal) for part in listed(clause)]
    typed = set(_to_type(parts))
    called = _controls(known) if len(parts) > 1 else []
    wanted = []
    for clause in parts:
        rest = known.rest_of(clause)
        named = rest & (names_in(clause) | names_in(known.goal))
        if named := named or set[str]().union(*(one for one in called if one <= rest)):
            wanted.append((clause, rest, named))
    if len(parts) == 1 or not wanted or any(is_last_to_open(title, known) for title in known.open_questions):
        return
    new = (line.text for line in known.lines if not known.stood_before(line.text))
    given = list(given_texts(evidence))
    said = words_of((*given, *known.titles, *new)).union(*(kinds_of(Path(text).suffix) for text in given))
    for step in known.worked():
        if did(step) or known.looked(step):
            said |= words_shown(step, known) | words_of((*known.named(step), *_pointed_at(step, known)))
    by_keys = words_of(text for step in known.worked() if did(step) for text in known.done_by_keys(step))
    filled = _filled(known)
    ticked = words_of(place.name for step in known.worked() if _ticked(step) for place in step.observation.places)
    for clause, rest, named in wanted:
        held = any(words(one.text) <= words(clause) and says(clause, one.holds) for one in filled)
        if not (touches(named, said) or named & ticked or rest & by_keys or clause in typed or held):
            yield clause


def _to_type(parts: Sequence[str]) -> Iterator[str]:
    """Yield the parts that ask for typing; one that begins with a quoted text goes on with the verb before it."""
    types = False
    for part in parts:
        types = asks_to_type(part) or (types and QUOTED.match(part) is not None)
        if types:
            yield part


def _filled(known: RunFacts) -> list[Element]:
    """Return the labelled fields that hold what the agent typed, after its last deed."""
    ends = [step.after for step in known.worked() if step.after and did(step) and not known.looked(step)]
    fields = [one for frame in ends[-1:] for one in known.controls(frame) if one.role in FIELDS and one.text]
    return [one for one in fields if one.holds and known.is_own(one.holds)]


def _pointed_at(step: Step, known: RunFacts) -> Iterator[str]:
    """Yield what stands at the places that a step used without a name."""
    bare = [place.point for place in step.observation.places if not place.name]
    if bare and step.before and not known.types(step):
        there = [(one.text, one.region) for one in known.controls(step.before)]
        there += [(one.text, one.region) for one in known.read(step.before)]
        yield from (text for text, region in there if any(point in region for point in bare))


def _controls(known: RunFacts) -> list[set[str]]:
    """Return the words on each control that was there before a step, whole and without those that order something."""
    frames = (step.before for step in known.worked() if step.before and did(step) and not known.looked(step))
    named = [words(one.text) for frame in frames for one in known.controls(frame) if one.role != "text"]
    bare = [{word for word in one if not is_deed(word)} for one in named]
    return [one for one in (*named, *bare) if one]


def shown_by(step: Step, known: RunFacts, *, read: bool = True) -> tuple[set[str], set[str]]:
    """Return the words that the world shows because of a step, and those of what its tool says, both without our own.

    What appears because of a step that types nothing is the program's doing, even if the agent wrote the words before.
    """
    seen, types = step.observation, known.types(step)
    new = [one for one in known.changes(step, read=read) if _is_news(one, known)]
    if known.looked(step):
        said = [one for one in (*values(seen.data), *seen.text.splitlines()) if _is_news(one, known)]
        return set(), words_of(one for one in said if not known.is_own(one)) - known.own_words - known.words_before
    if types:
        label = known.words_before if seen.places else frozenset()  # may be read in one line with what is in its field
        return set(), words_of(one for one in new if not known.is_own(one)) - known.own_words - label
    names = (*known.named(step), *(place.name for place in seen.places))
    return words_of((*new, *names)), words_of((seen.text, *values(seen.data))) - known.own_words


def words_shown(step: Step, known: RunFacts) -> set[str]:
    """Return the words that a step shows, as far as they are known without reading its frames."""
    return set[str]().union(*shown_by(step, known, read=False))


def _is_news(text: str, known: RunFacts) -> bool:
    return not (known.stood_before(text) or known.names_missing(text) or is_question(text))


def _ticked(step: Step) -> bool:
    """Whether a control was ticked with a step, or was so already, which changes nothing on the screen."""
    data = step.observation.data
    return isinstance(data, Mapping) and data.get("ticked") is True


def did(step: Step) -> bool:
    """Whether a step changed something, as far as that can be seen."""
    return step.observation.screen is None or step.observation.screen.effect


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of several texts."""
    return set[str]().union(*map(words, texts))


def is_last_to_open(title: str, known: RunFacts) -> bool:
    """Whether a dialog is the only one that came, with the last deed of a goal that only asks to open something."""
    parts, deeds = clauses(known.goal), [step for step in known.worked() if not known.looked(step)]
    only = known.came.get(deeds[-1].index, ()) == known.open_questions == (title,)
    return only and len(parts) == 1 and asks_to_open(parts[0]) and not file_names(parts[0])
