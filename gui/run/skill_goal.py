"""A run that does a skill: the skill in words, and the values it is done with."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SkillGoal:
    """The order of a skill, which the offline brain reads back, and the values in it."""

    order: str
    values: Mapping[str, str]
