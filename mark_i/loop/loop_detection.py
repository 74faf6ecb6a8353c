"""Loop detection: the same failing action, the same action without effect, or the same few steps over and over.

The brain is told after the second time; the third is refused, and an action that only had no effect is refused once.
Progress is never refused: a failed action may be repeated after something else had an effect, and a key may be pressed
ten times if the screen changes each time. A run whose steps only fail ends.
"""

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from toolbelt.belt import Toolbelt
from world_model import Action, ModelError, Observation, Problem, Step

TWICE: Final = 2
LONGEST_CYCLE: Final = 3  # steps
RECENT: Final = 12  # steps that are compared
STUCK_FAILURES: Final = 8  # without any progress between them


@dataclass(frozen=True, slots=True)
class _Past:
    """What matters about a step: the action, its result and the screen afterwards."""

    key: str
    tool: str
    result: int
    error: Problem | None
    screen: str | None
    moved: bool  # the screen changed
    effect: bool  # the screen changed, or without a screen: the result is new
    idle: bool  # an unchanged screen proves that it had no effect, or it only looks


class LoopDetector:
    """Watches the steps of one run; a resumed run passes its earlier steps."""

    def __init__(self, toolbelt: Toolbelt, steps: Sequence[Step] = ()) -> None:
        self._toolbelt = toolbelt
        self._past: deque[_Past] = deque(maxlen=RECENT)
        self._failures = 0  # since the last progress
        self._found: set[int] = set()  # digests of the actions and results of this run
        for step in steps:
            self.note(step)
        self._failures = 0  # who resumes a run gives it another chance

    def note(self, step: Step) -> None:
        """Add a finished step; a refused one did not happen."""
        error = step.observation.error
        self._failures += error is not None and error.code != "TIMEOUT"  # to wait again is no standstill
        if error and error.refused_by == "loop_detection":
            return
        seen = step.observation
        tool = step.action.tool
        risk = self._toolbelt[tool].risk if tool in self._toolbelt else "look"
        changed = seen.screen is not None and seen.screen.effect
        key = _key(step.action)
        result = hash(json.dumps([seen.ok, seen.text, seen.data, seen.error and seen.error.code], sort_keys=True))
        known = any((past.key, past.result) == (key, result) for past in self._past)
        digest = hash((key, result))
        if changed or (seen.ok and digest not in self._found):
            self._failures = 0
        self._found.add(digest)
        self._past.append(
            _Past(
                key=key,
                tool=tool,
                result=result,
                error=seen.error,
                screen=step.after.digest if step.after else None,
                moved=changed,
                effect=seen.ok and (changed if seen.screen else risk != "look" and not known),
                idle=risk == "look" or seen.screen is not None,
            )
        )

    def notice(self) -> str | None:
        """Return what to tell the brain before its next thought if it repeats itself.

        Raises:
            ModelError: its steps only fail.
        """
        if self._failures >= STUCK_FAILURES:
            raise ModelError(f"The model is stuck: its last {self._failures} steps failed, and nothing changed.")
        if not self._past:
            return None
        last = self._past[-1]
        found = self._failed(last.key) or self._cycled()
        return f"{found} {self._other(last)}" if found else None

    def refusal(self, action: Action) -> Observation | None:
        """Return why the action is refused, or None if it may be carried out."""
        key = _key(action)
        failed = self._failed(key)
        if not (found := failed or self._cycled(key)):
            return None
        past = next(one for one in reversed(self._past) if one.key == key)
        code, hints = (past.error.code, past.error.hints) if past.error else ("NO_CHANGE", ())
        if not failed:
            self._past.clear()  # it may be repeated once more: what it waits for may have appeared
        told = Problem(code, f"Not carried out. {found}", (self._other(past), *hints), refused_by="loop_detection")
        return Observation(ok=False, text="", error=told)

    def _failed(self, key: str) -> str | None:
        """Say that an action failed twice since anything else had an effect, if it did."""
        failed: list[_Past] = []
        for past in self._past:
            if past.moved or (past.effect and past.key != key) or (past.key == key and not past.error):
                failed.clear()
            if past.key == key and past.error:
                failed.append(past)
        if len(failed) < TWICE:
            return None
        code = failed[-1].error.code if failed[-1].error else ""
        return f"{failed[-1].tool} failed twice with these arguments ({code})."

    def _cycled(self, key: str | None = None) -> str | None:
        """Say that the last steps are two equal cycles, if they are.

        With the key of an action: only if it would start a third cycle, and the first two had no effect.
        """
        for length in range(1, LONGEST_CYCLE + 1):
            newest = list(self._past)[-TWICE * length :]
            first, second = newest[:length], newest[length:]
            if len(newest) < TWICE * length or not _same(first, second):
                continue
            if key is None or (second[0].key == key and all(past.idle for past in newest)):
                steps = f"{second[0].tool} was" if length == 1 else f"The same {length} steps were"
                where = " on the same screen" if newest[-1].screen else ""
                return f"{steps} done twice with the same result{where}."
        return None

    def _other(self, past: _Past) -> str:
        """A tool to use instead of the one that did not help: one that its failure or the tool names."""
        named = past.error.instead if past.error else ()
        declared = self._toolbelt[past.tool].instead if past.tool in self._toolbelt else ()
        known = [name for name in (*named, *declared) if name in self._toolbelt and name != past.tool]
        return f"Consider {known[0] if known else 'another tool, or fail and give the reason'}."


def _same(first: list[_Past], second: list[_Past]) -> bool:
    """Whether two cycles have the same actions, results and screens."""
    rounds = zip(first, second, strict=True)
    return all((a.key, a.result, a.screen) == (b.key, b.result, b.screen) for a, b in rounds)


def _key(action: Action) -> str:
    return json.dumps([action.tool, dict(action.args)], sort_keys=True, default=str)
