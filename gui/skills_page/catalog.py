"""The skills of a profile as the window lists and tells them. No Tk here."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from gui.kit.tones import Tone
from gui.run.skill_goal import SkillGoal

if TYPE_CHECKING:
    from mark_i.skills import Skill, SkillStep

Condition = Literal["kept", "draft", "fault"]
CONDITIONS: Final[dict[Condition, tuple[Tone, str]]] = {
    "kept": ("done", "Kept: it replayed true twice."),
    "draft": ("unverified", "A draft: it has not replayed true yet."),
    "fault": ("error", "Its file has a fault."),
}
SUGGESTED_WORDS: Final = 4  # of the goal, in the name of a skill
SUGGESTED_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class SkillEntry:
    """One skill.

    Attributes:
        why: why it is a draft, or what the fault of its file is; empty where nothing says so.
        skill: None if its file has a fault.
    """

    name: str
    condition: Condition
    why: str = ""
    skill: "Skill | None" = None

    @property
    def about(self) -> str:
        """What it does, in one line."""
        return " ".join((self.skill.description or self.skill.goal).split()) if self.skill else self.why

    @property
    def run(self) -> str:
        """The run that it was made from; empty if that is not known."""
        return self.skill.made_from.run if self.skill else ""

    @property
    def steps(self) -> str:
        """How many there are."""
        return str(len(self.skill.steps)) if self.skill else ""

    def has(self, search: str) -> bool:
        """Whether name, condition, description or run have every word of a search."""
        words = f"{self.name} {self.condition} {self.about} {self.run}".casefold()
        return all(word in words for word in search.casefold().split())


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step as a person would tell it, what must come of it, and the files of its pictures."""

    does: str
    then: str
    pictures: tuple[str, ...]


def asked(skill: "Skill", given: Mapping[str, str]) -> SkillGoal:
    """Return what is asked for if a skill is to be done with these values.

    Raises:
        UsageError: there is no such parameter, or a value is not of its type.
    """
    from mark_i.skills import in_words, values_for  # noqa: PLC0415 - the window comes up without it

    values = values_for(skill, given)
    return SkillGoal(in_words(skill.name, values), values)


def lines_of(skill: "Skill") -> tuple[StepLine, ...]:
    """Tell the steps of a skill."""
    return tuple(StepLine(one.does, " ".join(_then(one)), tuple(one.pictures.values())) for one in skill.steps)


def _then(step: "SkillStep") -> Iterator[str]:
    then = step.then
    if then.opened:
        yield f"Opens “{then.opened}”."
    if then.closed:
        yield f"Closes “{then.closed}”."
    if then.state:
        yield f"Then {then.state[0]} “{then.state[1]}” is {then.state[-1]}."
    if then.seen:
        yield f"Then “{'” or “'.join(then.seen)}” is on the screen."


def suggested_name(goal: str, taken: list[str]) -> str:
    """Suggest a name for a skill with that goal, which no other has."""
    words = re.findall(r"[a-z0-9]+", goal.casefold())[:SUGGESTED_WORDS]
    name = "-".join(words)[:SUGGESTED_CHARS].strip("-") or "skill"
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)
