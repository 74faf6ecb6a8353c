"""A brain that can call skills: their steps are known without it, and it is asked again once they are done or left."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from mark_i.brain import Brain, Prompt, Reply, expected_of
from mark_i.prompts.coordinates import in_space, spaces_of
from mark_i.skills.brain import Left, SkillBrain
from mark_i.skills.calls import END, is_left, is_resumed, values_of
from mark_i.skills.skill import Skill, counted
from world_model import Action, Region, Step, Usage

SAID: Final = 'The person said: "{}"'
NOT_LEFT: Final = "It was not left before its end, so it does not go on."
TOO_EARLY: Final = "It does not go on with step {asked}: what comes before step {first} was done, or may have been."
TOO_LATE: Final = "It does not go on with step {asked}: it has {steps}."
NOWHERE: Final = Left(0, acted=False, left=())


@dataclass(frozen=True, slots=True)
class _Call:
    """A skill that goes on: its brain, and how many steps of the run were before it began.

    Attributes:
        ordered: whether the person ordered it, and no model has taken part yet.
        wrong: why it cannot go on as the model wants it to; empty if it can.
        left: where it stays then.
    """

    brain: SkillBrain
    before: int = 0
    ordered: bool = False
    wrong: str = ""
    left: Left = NOWHERE


class CallingBrain:
    """Gives the steps of a skill that was called, and asks the planner for everything else.

    Args:
        planner: calls skills, and goes on where one does not fit.
        skills: that it can call, by name, with their folders.
        desktop: returns the region of the desktop, in which skills name points.
        whole: does the skill that the whole run is for; None if it is for something else.
    """

    def __init__(
        self,
        planner: Brain,
        skills: Mapping[str, tuple[Skill, Path]],
        desktop: Callable[[], Region],
        whole: SkillBrain | None = None,
    ) -> None:
        self.name, self.sight, self.space = planner.name, planner.sight, planner.space
        self._planner, self._skills, self._desktop, self._whole = planner, skills, desktop, whole
        self.has_plan = whole is not None  # a skill is going on
        self._ordered: Action | None = None  # the call of a skill that the planner does not decide
        self._given: int | None = None  # the number of steps before it, once it was given

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what else a brain may have
        return getattr(self._planner, name)

    def think(self, prompt: Prompt) -> Reply:
        """Return the planner's reply; raises as it does."""
        return self._planner.think(prompt)

    def expected(self, prompt: Prompt) -> Usage:
        """Estimate what a call of the planner costs."""
        return expected_of(self._planner, prompt)

    def begin(self, action: Action) -> bool:
        """Call a skill with the next step; return whether there is such a skill."""
        self._ordered, self._given = (action if action.tool in self._skills else None), None
        return self._ordered is not None

    def foreseen(self, prompt: Prompt) -> Reply | None:
        """Return the next step of the skill that goes on, or its end; None if none does."""
        call = None if prompt.plain or prompt.last else self._going_on(prompt.past())
        self.has_plan = False
        if call is None:
            return None if prompt.plain or prompt.last else self._begun(len(prompt.past()))
        self._ordered = None  # it is going on, since the run was resumed
        past = _of_skill(prompt.past()[call.before :])
        said = [word.text for word in prompt.said if word.index == len(prompt.past()) + 1]
        if call.wrong:
            return _ended(call, why=call.wrong, left=call.left)
        if said:
            return _ended(call, why=SAID.format(" ".join(said)), left=call.brain.left_at(past, ""))
        reply = call.brain.think(replace(prompt, past=lambda: past, said=()))
        told = json.loads(reply.text)
        action = Action.from_dict(told["action"])
        if action.tool == "fail":
            left = call.brain.left_at(past, told.get("note", ""))
            return _ended(call, why=str(action.args["reason"]), left=left)
        if action.tool == "finish" and not call.ordered:
            return _ended(call, evidence=action.args.get("evidence", []))
        self.has_plan = True
        told["action"] = in_space(action, spaces_of(self, self._desktop())).to_dict()
        text = json.dumps(told, ensure_ascii=False)
        return replace(reply, text=text, foreseen=True, ordered=True, literal=call.ordered)

    def _begun(self, steps: int) -> Reply | None:
        """Return the call of a skill that was ordered, for one step: a word of the person has it decided again."""
        self._given = steps if self._given is None else self._given
        if self._ordered is None or steps > self._given:
            return None
        told = {"thought": "The workflow calls a skill.", "action": self._ordered.to_dict()}
        return Reply(json.dumps(told, ensure_ascii=False), foreseen=True, ordered=True)

    def _going_on(self, past: tuple[Step, ...]) -> _Call | None:
        """Return the skill that goes on after the steps so far."""
        for before in range(len(past), 0, -1):
            step = past[before - 1]
            if step.action.tool == END:
                return None
            if is_resumed(step):
                return self._resumed(past[:before])
            if self._is_call(step):
                return self._called(step.action, before)
        return _Call(self._whole, ordered=True) if self._whole else None

    def _resumed(self, past: tuple[Step, ...]) -> _Call | None:
        """Return the skill that the last step lets go on."""
        name, number = str(past[-1].action.args["skill"]), int(past[-1].action.args["step"])
        begun = [at for at, step in enumerate(past, 1) if self._is_call(step) and step.action.tool == name]
        if begun:
            call = self._called(past[begun[-1] - 1].action, begun[-1])
        elif self._whole and self._whole.skill.name == name:
            call = _Call(self._whole)
        elif name in self._skills:
            call = self._called(Action(name), len(past))
        else:  # the run was resumed, and the skill is gone
            return None
        ends = [step for step in past[call.before :] if step.action.tool == END and step.action.args["skill"] == name]
        left = _left(ends[-1]) if ends else NOWHERE
        return replace(call, left=left, wrong=_wrong(left, number, len(call.brain.skill.steps)))

    def _is_call(self, step: Step) -> bool:
        return step.action.tool in self._skills and step.observation.ok

    def _called(self, action: Action, before: int) -> _Call:
        skill, folder = self._skills[action.tool]
        return _Call(SkillBrain(skill, values_of(action.args), folder), before)


def _of_skill(past: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps of a skill, and those that let it go on, without what a model did in between."""
    kept, is_away = [], False
    for step in past:
        is_away = (is_away or step.action.tool == END) and not is_resumed(step)
        if not is_away:
            kept.append(step)
    return tuple(kept)


def _left(end: Step) -> Left:
    """Return where a skill was left with the step that ended it; nowhere if it was done."""
    args = end.action.args
    return Left(args["step"], args["acted"], tuple(args["left"])) if is_left(end) and "step" in args else NOWHERE


def _wrong(left: Left, number: int, steps: int) -> str:
    """Return why a skill cannot go on with a step; empty if it can."""
    first = left.step + left.acted
    if not left.step:
        return NOT_LEFT
    if number < first:
        return TOO_EARLY.format(asked=number, first=first)
    return "" if number <= steps + 1 else TOO_LATE.format(asked=number, steps=counted(steps))


def _ended(call: _Call, evidence: Any = (), why: str = "", left: Left | None = None) -> Reply:  # noqa: ANN401 - JSON
    """Return the step that ends a skill and tells what came of it."""
    skill = call.brain.skill
    args = {"skill": skill.name, "goal": call.brain.goal, "steps": len(skill.steps), "evidence": list(evidence)}
    args |= {"why": why} | (asdict(left) if left else {})
    thought = "The skill was left." if why else "All steps are done."
    return Reply(json.dumps({"thought": thought, "action": {"tool": END, "args": args}}), foreseen=True, ordered=True)
