"""A brain that can call skills: their steps are known without it, and it is asked again once they are done or left."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mark_i.brain import Brain, Prompt, Reply, expected_of
from mark_i.prompts.coordinates import in_space, spaces_of
from mark_i.skills.brain import SkillBrain
from mark_i.skills.calls import end_skill, values_of
from mark_i.skills.skill import Skill
from world_model import Action, Region, Step, Usage

SAID: Final = 'The person said: "{}"'
END: Final = end_skill.__name__


@dataclass(frozen=True, slots=True)
class _Call:
    """A skill that a step called and that has not ended: its brain, and how many steps of the run were before it."""

    skill: Skill
    brain: SkillBrain
    before: int


class CallingBrain:
    """Gives the steps of a skill that was called, and asks the planner for everything else.

    Args:
        planner: calls skills.
        skills: that it can call, by name, with their folders.
        desktop: returns the region of the desktop, in which skills name points.
    """

    def __init__(self, planner: Brain, skills: Mapping[str, tuple[Skill, Path]], desktop: Callable[[], Region]) -> None:
        self.name, self.sight, self.space = planner.name, planner.sight, planner.space
        self._planner, self._skills, self._desktop = planner, skills, desktop
        self.has_plan = False  # a skill is going on
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
        """Return the next step of the skill that was called, or its end; None if none is going on."""
        call = None if prompt.plain or prompt.last else self._going_on(prompt.past())
        self.has_plan = False
        if call is None:
            return None if prompt.plain or prompt.last else self._begun(len(prompt.past()))
        self._ordered = None  # it is going on, since the run was resumed
        past = prompt.past()[call.before :]
        words = tuple(replace(word, index=word.index - call.before) for word in prompt.said)
        if said := [word.text for word in words if word.index == len(past) + 1]:
            return _ended(call.skill, call.brain.goal, why=SAID.format(" ".join(said)))
        reply = call.brain.think(replace(prompt, past=lambda: past, said=words))
        told = json.loads(reply.text)
        action = Action.from_dict(told["action"])
        match action.tool:
            case "finish":
                return _ended(call.skill, call.brain.goal, evidence=action.args.get("evidence", []))
            case "fail":
                return _ended(call.skill, call.brain.goal, why=str(action.args["reason"]))
        self.has_plan = True
        told["action"] = in_space(action, spaces_of(self, self._desktop())).to_dict()
        return replace(reply, text=json.dumps(told, ensure_ascii=False), foreseen=True, ordered=True)

    def _begun(self, steps: int) -> Reply | None:
        """Return the call of a skill that was ordered, for one step: a word of the person has it decided again."""
        self._given = steps if self._given is None else self._given
        if self._ordered is None or steps > self._given:
            return None
        told = {"thought": "The workflow calls a skill.", "action": self._ordered.to_dict()}
        return Reply(json.dumps(told, ensure_ascii=False), foreseen=True, ordered=True)

    def _going_on(self, past: tuple[Step, ...]) -> _Call | None:
        for before in range(len(past), 0, -1):
            step = past[before - 1]
            if step.action.tool == END:
                return None
            if step.action.tool in self._skills and step.observation.ok:
                return self._call(step.action, before)
        return None

    def _call(self, action: Action, before: int) -> _Call:
        skill, folder = self._skills[action.tool]
        return _Call(skill, SkillBrain(skill, values_of(action.args), folder), before)


def _ended(skill: Skill, goal: str, evidence: Any = (), why: str = "") -> Reply:  # noqa: ANN401 - JSON
    """Return the step that ends a skill and tells what came of it."""
    args = {"skill": skill.name, "goal": goal, "steps": len(skill.steps), "evidence": list(evidence), "why": why}
    thought = "The skill was left." if why else "All steps are done."
    return Reply(json.dumps({"thought": thought, "action": {"tool": END, "args": args}}), foreseen=True, ordered=True)
