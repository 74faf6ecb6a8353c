"""Stagnation: steps that bring nothing new, over and over, even with small changes of their arguments.

A step is in vain if it fails, or is meant to change the screen and does not. A step that leads back to a result and a
screen that were there before goes in a circle. Whatever is new resets the count of both, so steps that differ and
steps that help are never cut short.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from world_model import Action, Observation, Step, problem

WARNED_VAIN: Final = 2  # repeated steps in vain, after which the brain is told
MOST_VAIN: Final = 5  # and after which the run ends
WARNED_CIRCLING: Final = 6  # the same for circles: some goals need a few, such as waiting
MOST_CIRCLING: Final = 12
NEAR: Final = 16  # a difference between two numbers that is no new idea, such as a few pixels

WARNING: Final = (
    "The last {count} steps brought nothing new. Try something different, or use fail and say why it cannot be done: "
    "the run ends if this goes on."
)
STUCK: Final = "The agent is stuck: its last {count} steps ({tools}) brought nothing new, though it was warned."


@dataclass(slots=True)
class Stagnation:
    """Counts the steps of one run that bring nothing new."""

    _known: set[tuple[str, str, str | None]] = field(default_factory=set)
    _steps: list[Step] = field(default_factory=list)  # since anything was new
    _vain: list[Step] = field(default_factory=list)  # those of them that were in vain
    _repeats: int = 0  # of those in vain
    _circles: int = 0
    _warned: bool = False

    def note(self, step: Step, *, looks: bool) -> None:
        """Add a finished step; `looks` says whether its tool only looks."""
        seen = step.observation
        moved = seen.screen is not None and seen.screen.changed
        asked = repr(_args(step.action)) if looks else ""  # each place may be searched once, whatever is there
        result = (step.action.tool + asked, _result(seen), step.after.digest if step.after else None)
        known = result in self._known
        self._known.add(result)
        vain = not seen.ok or (seen.screen is not None and not moved and not looks)
        if not vain and not known:
            self._steps, self._vain, self._repeats, self._circles, self._warned = [], [], 0, 0, False
            return
        self._steps.append(step)
        if vain:
            self._repeats += any(_alike(step, other) for other in self._vain)
            self._vain.append(step)
        else:
            self._circles += moved or looks  # without a screen nobody knows whether a deed had an effect

    def warning(self) -> str | None:
        """Return what to tell the brain before its next thought, if the steps stagnate."""
        if self._repeats < WARNED_VAIN and self._circles < WARNED_CIRCLING:
            return None
        self._warned = True
        return WARNING.format(count=len(self._steps))

    def stuck(self) -> str | None:
        """Return why the run ends, if it does: the brain was warned and continued."""
        if not self._warned or (self._repeats < MOST_VAIN and self._circles < MOST_CIRCLING):
            return None
        tools = ", ".join(dict.fromkeys(step.action.tool for step in self._steps))
        errors = [step.observation.error for step in self._steps if step.observation.error]
        genuine = [error for error in errors if error.refused_by != "loop_detection"] or errors
        told = STUCK.format(count=len(self._steps), tools=tools)
        return f"{told} The last problem: {problem(genuine[-1])}" if genuine else told


def _result(seen: Observation) -> str:
    return repr((seen.ok, seen.text, seen.data, seen.error and seen.error.code))


def _alike(one: Step, other: Step) -> bool:
    """Whether two steps in vain tried the same, but for small changes."""
    if one.action.tool != other.action.tool:
        return False
    errors = one.observation.error, other.observation.error
    same_error = errors[0] and errors[1] and errors[0].message == errors[1].message
    return bool(same_error) or _near(_args(one.action), _args(other.action))


def _args(action: Action) -> dict[str, Any]:
    return {name: value for name, value in action.args.items() if value is not None}


def _near(one: Any, other: Any) -> bool:  # noqa: ANN401 - JSON values have no narrower type
    """Whether two arguments differ by no more than a few pixels, capitals or spaces."""
    one, other = _plain(one), _plain(other)
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold().split() == other.casefold().split()
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= NEAR
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_near(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_near, one, other))
    return bool(one == other)


def _plain(value: Any) -> Any:  # noqa: ANN401 - as above
    """Return a target that is only a text as that text: both forms mean the same."""
    return value["text"] if isinstance(value, Mapping) and value.keys() == {"text"} else value
