"""A brain that does a skill if the goal orders one, and leaves any other goal to the brain that it is put around."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from mark_i.brain import Brain, Prompt, Reply
from mark_i.brains.offline.hearing import answer_of
from mark_i.brains.offline.turn import Turn, fail
from mark_i.skills.brain import SkillBrain
from mark_i.skills.order_words import in_words
from mark_i.skills.orders import Ordered, ordered, plain_name
from mark_i.skills.skill import Skill, fault
from world_model import Step

DRAFT: Final = "The skill {0} is a draft: it has not replayed true yet. Check it: mark-i skill check {0}"
WANTS: Final = "wants"  # in the note of a question: this parameter, or which skill is meant
WHICH: Final = "skill"
WHICH_ONE: Final = "Which skill do you mean: {}?"
MISSING: Final = "What is {name} for the skill {skill}? It must be given."
UNFIT: Final = "What is {name} for the skill {skill}? It must be {wanted}, not {value!r}."
NOT_DONE: Final = "{why} Nothing was done. Say for example: {example}"
CHANGED: Final = 'You said "{text}" before the skill had begun. Nothing was done. Say what to do.'


class OrderBrain:
    """Does the skill that the goal orders; asks for what the goal leaves open.

    Args:
        planner: has every other goal.
        skills: those of the profile, with their folders.
    """

    def __init__(self, planner: Brain, skills: Sequence[tuple[Skill, Path]]) -> None:
        self.name, self.sight, self.space = planner.name, planner.sight, planner.space
        self._planner = planner
        self._orders = lru_cache(maxsize=8)(lambda goal: tuple(ordered(goal, skills)))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what else a brain may have
        return getattr(self._planner, name)

    def think(self, prompt: Prompt) -> Reply:
        """Return a question for what is missing, or the next step of the skill."""
        orders = self._orders(prompt.goal)
        if not orders:
            return self._planner.think(prompt)
        past = prompt.past()
        answers = _answers(past)
        if len(orders) > 1:
            orders = tuple(one for one in orders if plain_name(one.skill.name) == plain_name(answers.get(WHICH, "")))
        if not orders:
            names = tuple(sorted(one.skill.name for one in self._orders(prompt.goal)))
            return _ask(past, WHICH, WHICH_ONE.format(" or ".join(names)), names, names[0])
        [order] = orders
        begun = any(step.note and not step.note.startswith(f"{WANTS} ") for step in past)
        values = {**order.values, **{name: answer for name, answer in answers.items() if name != WHICH}}
        if not begun:
            if words := [word.text for word in prompt.said if word.index == len(past) + 1]:
                return fail(CHANGED.format(text=" ".join(words))).reply()
            if order.unclear:
                return fail(NOT_DONE.format(why=order.unclear, example=_example(order, {}))).reply()
            if (asked := next(_questions(order, values), None)) is not None:
                return _ask(past, *asked, _example(order, values))
        brain = SkillBrain(order.skill, values, order.folder)
        from_start = in_words(order.skill.name, values) if answers else prompt.goal
        reply = _meant(brain.think(prompt), brain.goal, from_start)
        is_told = begun or order.skill.state == "kept"
        return reply if is_told else replace(reply, notices=(*reply.notices, DRAFT.format(order.skill.name)))


def _meant(reply: Reply, goal: str, from_start: str) -> Reply:
    """Return a reply that says what the run is for, which its end is checked against, and how to order it anew."""
    told = json.loads(reply.text) | {"goal": goal, "from_start": from_start}
    return replace(reply, text=json.dumps(told, ensure_ascii=False))


def _questions(order: Ordered, values: Mapping[str, str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the parameters that have no value, or one of a wrong type, with a question and the value of the run."""
    for one in order.skill.parameters:
        value = values.get(one.name)
        wanted = fault(one, value or "")
        if value is None or wanted:
            told = {"name": one.name, "skill": order.skill.name, "wanted": wanted, "value": value}
            yield one.name, (UNFIT if value else MISSING).format(**told), (one.example,)


def _ask(past: Sequence[Step], what: str, question: str, choices: tuple[str, ...], example: str) -> Reply:
    """Return a question, or the end if nobody answered it."""
    if past and past[-1].note == f"{WANTS} {what}" and answer_of(past[-1]) is None:
        return fail(NOT_DONE.format(why=question, example=example)).reply()
    turn = Turn("I ask before I begin.", "ask_user", {"question": question}, f"{WANTS} {what}")
    return replace(turn.reply(), choices=choices)


def _answers(past: Sequence[Step]) -> dict[str, str]:
    """Return the newest answers, by what was asked."""
    found = {}
    for step in past:
        what, _, name = step.note.partition(" ")
        if what == WANTS and (answer := answer_of(step)):
            found[name] = answer
    return found


def _example(order: Ordered, values: Mapping[str, str]) -> str:
    """Return an order that leaves nothing open."""
    given = {
        one.name: value if (value := values.get(one.name)) is not None and not fault(one, value) else one.example
        for one in order.skill.parameters
    }
    return in_words(order.skill.name, given)
