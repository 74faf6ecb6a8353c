"""The states of controls at the end, as their programs say: as evidence, and against a goal that wants another."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mark_i.loop.facts import RunFacts
from mark_i.loop.goal_words import clauses, excepts, listed, touches, words
from mark_i.loop.verdict import PROVES, Verdict, doubtful, false
from mark_i.loop.word_lists import has_word
from toolbelt.desktops import State
from toolbelt.elements import Element
from toolbelt.ocr import plain
from world_model import CHECKABLE, Step

OPPOSITES: Final[Mapping[State, State]] = {"checked": "unchecked", "unchecked": "checked"}
ON_A_PLACE: Final = re.compile(r"\b(?:click|tap|press)\w*\s+on\b", re.IGNORECASE)


def judged_state(text: str, state: str, known: RunFacts, *, deed: bool) -> Verdict:
    """Judge the state of a control that is on the screen now; for a deed, it must have become so in this run."""
    called = [one for one in known.said() if plain(text) in {plain(one.text), plain(one.holds)} and one.role != "text"]
    if not called:
        return false(f'No program says that a control on the screen is called "{text}".')
    if other := next((one for one in called if state not in one.states), None):
        told = ", ".join(other.told_states) or "in no special state"
        return false(f'The {other.role} "{text}" is {told} now.')
    if not deed:
        return PROVES
    if (became := _became(called[0], known)) != state:
        return doubtful(f'Nothing shows that "{text}" became {state} in this run.' if became is None else _undone(text))
    good = touches(words(known.goal), words(text))
    return PROVES if good else doubtful(f'"{text}" has nothing of what the goal asks for.')


def state_objections(known: RunFacts) -> Iterator[str]:
    """Yield the controls that the goal names and that are not switched as it wants, unless they were in between.

    A form may forget what was chosen once it is sent.
    """
    parts = [(words(part), state) for one in clauses(known.goal) for part in listed(one) if (state := _wanted(part))]
    if not parts or excepts(known.goal):
        return
    controls = [one for one in known.said() if one.role in CHECKABLE and words(one.text)]
    meant = [[one for one in controls if words(one.text) <= part] for part, _ in parts]
    meant = [[one for one in named if not any(words(one.text) < words(more.text) for more in named)] for named in meant]
    for one in {named[0] for named in meant if len(named) == 1}:
        wanted = {state for (_, state), named in zip(parts, meant, strict=True) if not named or one in named}
        state, *others = wanted
        if others or _was_made_of_another(one, state, known):  # the name may only say where the other one is
            continue
        if OPPOSITES[state] in one.states and _became(one, known) != state:
            yield f'The {one.role} "{one.text}" is {OPPOSITES[state]} now.'


def _undone(text: str) -> str:
    return f'"{text}" was switched back since.'


def _wanted(part: str) -> State | None:
    """Return how a part of the goal wants a control to be switched; None if it says nothing of it."""
    if has_word("off.txt", part):
        return "unchecked"
    return "checked" if has_word("on.txt", ON_A_PLACE.sub(" ", part)) else None


def _was_made_of_another(control: Element, state: State, known: RunFacts) -> bool:
    """Whether another control than this one became so in the run."""
    others = [one for one in known.said() if one.role in CHECKABLE and one is not control]
    return any(_became(one, known) == state for one in others) or any(
        _ticked(step) == state and not _is_at(control, step) for step in known.worked()
    )


def _became(control: Element, known: RunFacts) -> str | None:
    """Return what a control became last in this run; None if no step shows that it changed."""
    states = (_made(control, step) for step in known.worked())
    return next(filter(None, reversed([*states])), None)


def _made(control: Element, step: Step) -> str | None:
    """Return what a step made of a control; one that was as wanted before counts."""
    seen = step.observation
    if seen.screen and seen.screen.became[:2] == (control.role, control.text):
        return seen.screen.became[2]
    return _ticked(step) if _is_at(control, step) else None


def _ticked(step: Step) -> State | None:
    """Return what a step ticked a control to; None if it ticked none."""
    data = step.observation.data
    ticked = data.get("ticked") if isinstance(data, Mapping) else None
    return None if ticked is None else "checked" if ticked else "unchecked"


def _is_at(control: Element, step: Step) -> bool:
    return any(plain(place.name) == plain(control.text) for place in step.observation.places)
