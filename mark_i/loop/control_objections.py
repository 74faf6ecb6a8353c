"""What shows that another control was used than the one that the goal names, or that one was switched back."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mark_i.loop.facts import RunFacts
from mark_i.loop.goal_words import FILE_NAME, FULL_PATH, asks_to_repeat, clauses, listed, says, touches, words
from mark_i.loop.word_lists import words_in
from toolbelt.elements import Element
from world_model import CHECKABLE, Place, Region, Step


@dataclass(frozen=True, slots=True)
class _Use:
    """A step, the controls that were there before it, and those of them that it used."""

    step: Step
    there: tuple[Element, ...]
    used: tuple[Element, ...]


def control_objections(known: RunFacts) -> Iterator[str]:
    """Yield what was used instead of what the goal names, and what was switched and switched back."""
    uses = list(_uses(known))
    yield from _instead(uses, known)
    yield from _in_another_field(uses, known)
    yield from _switched_back(uses, known)


def accepted(step: Step, known: RunFacts) -> bool:
    """Whether a field that the goal names was filled with a step, and is gone with it: its form was accepted."""
    asked = words(known.goal)
    used = (one for use in _uses(known) if use.step.index == step.index for one in use.used)
    filled = {one.text for one in used if one.role == "textbox"}
    there = known.controls(step.after) if step.after else ()
    gone = filled - {one.text for one in there}
    return bool(there) and any(words(text) and words(text) <= asked for text in gone)


def _uses(known: RunFacts) -> Iterator[_Use]:
    """Yield the steps that changed something; of one whose frames are not kept, only what it used is known."""
    steps = [step for step in known.worked() if _changed(step) and not known.looked(step)]
    controls = {step.index: _controls(step, known) for step in steps}
    newest = [one for there in controls.values() for one in there]
    for step in steps:
        there = controls[step.index]
        if there:
            yield _Use(step, there, tuple(one for one in there if _is_used(one, step)))
        elif step.observation.places:
            yield _Use(step, (), tuple(_by_name(step.observation.places[-1], newest)))


def _changed(step: Step) -> bool:
    seen = step.observation.screen
    return seen is not None and seen.changed


def _controls(step: Step, known: RunFacts) -> tuple[Element, ...]:
    if not (step.before and (step.observation.places or known.types(step))):
        return ()
    return tuple(one for one in known.controls(step.before) if one.role != "text" and one.text)


def _by_name(place: Place, newest: list[Element]) -> list[Element]:
    """Return the control at a place on a screen that is not kept, by its name and what is still on a newer one."""
    name = words(place.name)
    same = [one for one in newest if name and words(one.text) == name and place.role in {None, one.role}][:1]
    return same or ([Element(place.role, Region(place.x, place.y, 1, 1), place.name)] if place.role else [])


def _is_used(control: Element, step: Step) -> bool:
    """Whether a step acted on a control, or on its label; what is typed without a place goes where it is shown."""
    seen = step.observation
    if not seen.places:
        changed = seen.screen.regions if seen.screen else ()
        return control.role == "textbox" and any(one.overlaps(control.region) for one in changed)
    at = seen.places[-1]
    return at.point in control.region or (control.role in CHECKABLE and at.name == control.text)


def _instead(uses: list[_Use], known: RunFacts) -> Iterator[str]:
    """Yield a control that was used, where one of its role that has more of the goal's words never was."""
    asked = _words(FULL_PATH.sub(" ", FILE_NAME.sub(" ", known.goal)))
    done = _words(" ".join(name for step in known.worked() for name in _names(step, known)))
    done |= {word for use in uses for one in use.used for word in _words(one.text)}
    bare = [place.point for step in known.worked() for place in step.observation.places if not place.name]
    there = [one for use in uses for one in use.there]  # an earlier step, whose frame is not kept, may have used it
    done |= {word for one in there if any(point in one.region for point in bare) for word in _words(one.text)}
    for use in uses:
        for one in use.used:
            if not (named := _words(one.text)) or (not named & asked and _leads_on(use.step, known)):
                continue
            for other in use.there:
                meant = _words(other.text)
                unused = other.role == one.role and meant <= asked and not meant <= done
                better = len(meant) > len(named & asked) and not (len(meant) == 1 and touches(named, asked))
                if unused and better and _since(other, use.step, known) == _since(one, use.step, known):
                    yield f'"{one.text}" was used, and "{other.text}" was not.'


def _words(text: str) -> set[str]:
    """Return the words of a text with those that say that all of something is meant."""
    return words(text) | (words_in("universal.txt") & set(text.casefold().split()))


def _in_another_field(uses: list[_Use], known: RunFacts) -> Iterator[str]:
    """Yield a text that was typed into another field than the part of the goal names that has no other text."""
    parts = [part for clause in clauses(known.goal) for part in listed(clause)]
    typed = {text for use in uses for text in known.texts(use.step)}
    filled = [one for use in uses for one in use.used]
    for use in uses:
        fields = [one for one in use.there or filled if one.role == "textbox"]
        for text in known.texts(use.step):
            holding = [part for part in parts if says(part, text)]
            alone = all(sum(says(part, other) for other in typed) == 1 for part in holding)
            meant = [one for one in fields for part in holding if words(one.text) and words(one.text) <= words(part)]
            others = {one.text for one in use.used}.isdisjoint(one.text for one in meant)
            if alone and meant and use.used and others:
                yield f'"{text}" was typed into "{use.used[0].text}", and not into "{meant[0].text}".'


def _names(step: Step, known: RunFacts) -> Iterator[str]:
    yield from known.named(step)
    yield from (place.name for place in step.observation.places)


def _since(control: Element, until: Step, known: RunFacts) -> int:
    """Return the step with which a control appeared; 0 for one that was there before. A dialog covers what is older."""
    steps = (step for step in known.worked() if step.index < until.index)
    came = (step.index for step in steps if any(says(one, control.text) for one in known.appeared(step)))
    return max(came, default=0)


def _leads_on(step: Step, known: RunFacts) -> bool:
    """Whether what appeared with a step was used later, as an item of a menu is."""
    later = {place.name for one in known.worked() if one.index > step.index for place in one.observation.places}
    return not later.isdisjoint(known.appeared(step))


def _switched_back(uses: list[_Use], known: RunFacts) -> Iterator[str]:
    """Yield a control with two states that was switched an even number of times; under the pointer it may look odd."""
    stateful = {one.text for use in uses for one in use.used if one.role in CHECKABLE}
    switched = Counter(text for use in uses for text in {one.text for one in use.used} & stateful)
    for text, times in switched.items():
        if times % 2 == 0 and touches(words(text), words(known.goal)) and not asks_to_repeat(known.goal):
            yield f'"{text}" was switched {times} times, and is as it was.'
