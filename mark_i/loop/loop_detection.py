"""Repeats: the same failing action, the same action without an effect, the same few steps round and round.

Told after the second time, not carried out the third time; what only changed nothing may be insisted on. What makes
progress is never held up: an action that failed may be tried again once something else was achieved, and the same key
may be pressed ten times if the screen shows it.
"""

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from toolbelt.belt import Toolbelt
from world_model import Action, Observation, Problem, Step

TWICE: Final = 2
LONGEST: Final = 3  # steps of the longest round that is recognised
RECENT: Final = 12  # steps that are looked back on


@dataclass(frozen=True, slots=True)
class _Past:
    """What matters of a step: the action, what came of it, and the screen that it left."""

    key: str
    tool: str
    result: int
    error: Problem | None
    screen: str | None
    moved: bool  # something changed on the screen meanwhile
    effect: bool  # it changed the screen; where there is none, it did something, and not the same as before
    idle: bool  # that it changed nothing is known: it only looks, or there is a screen that shows it


class Repeats:
    """Watches the steps of one run, from `steps` on where it is gone on with."""

    def __init__(self, toolbelt: Toolbelt, steps: Sequence[Step] = ()) -> None:
        self._toolbelt = toolbelt
        self._past: deque[_Past] = deque(maxlen=RECENT)
        for step in steps:
            self.note(step)

    def note(self, step: Step) -> None:
        """Take a finished step in; one that was refused did not happen."""
        if step.observation.error and step.observation.error.refused_by == "loop_detection":
            return
        seen = step.observation
        tool = step.action.tool
        risk = self._toolbelt[tool].risk if tool in self._toolbelt else "look"
        changed = seen.screen is not None and seen.screen.changed
        key = _key(step.action)
        result = hash(json.dumps([seen.ok, seen.text, seen.data, seen.error and seen.error.code], sort_keys=True))
        known = any((past.key, past.result) == (key, result) for past in self._past)
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
        """What to tell the brain before its next thought: that it repeats itself, and what it may do instead."""
        if not self._past:
            return None
        last = self._past[-1]
        found = self._failed(last.key) or self._turned()
        return f"{found} {self._other(last)}" if found else None

    def refusal(self, action: Action) -> Observation | None:
        """Why the action is not carried out; None where it may be."""
        key = _key(action)
        failed = self._failed(key)
        if not (found := failed or self._turned(key)):
            return None
        past = next(one for one in reversed(self._past) if one.key == key)
        code, hints = (past.error.code, past.error.hints) if past.error else ("NO_CHANGE", ())
        if not failed:
            self._past.clear()  # who insists may look again: what is waited for may have come
        told = Problem(code, f"Not carried out. {found}", (self._other(past), *hints), refused_by="loop_detection")
        return Observation(ok=False, text="", error=told)

    def _failed(self, key: str) -> str | None:
        """In words, where an action with that key failed twice since something else had an effect."""
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

    def _turned(self, key: str | None = None) -> str | None:
        """In words, where the last steps are two equal rounds.

        With the key of an action only where that begins a third one, and the two are known to have changed nothing.
        """
        for length in range(1, LONGEST + 1):
            newest = list(self._past)[-TWICE * length :]
            first, second = newest[:length], newest[length:]
            if len(newest) < TWICE * length or not _same(first, second):
                continue
            if key is None or (second[0].key == key and all(past.idle for past in newest)):
                steps = f"{second[0].tool} was" if length == 1 else f"The same {length} steps were"
                where = " on the same screen" if newest[-1].screen else ""
                return f"{steps} done twice and led to the same result{where}."
        return None

    def _other(self, past: _Past) -> str:
        """A tool to use instead of the one that did not help: one that its failure or the tool names."""
        named = past.error.instead if past.error else ()
        declared = self._toolbelt[past.tool].instead if past.tool in self._toolbelt else ()
        known = [name for name in (*named, *declared) if name in self._toolbelt and name != past.tool]
        return f"Consider {known[0] if known else 'another tool, or fail with the reason'}."


def _same(first: list[_Past], second: list[_Past]) -> bool:
    """Whether two rounds did the same, got the same, and left the same screen."""
    rounds = zip(first, second, strict=True)
    return all((a.key, a.result, a.screen) == (b.key, b.result, b.screen) for a, b in rounds)


def _key(action: Action) -> str:
    return json.dumps([action.tool, dict(action.args)], sort_keys=True, default=str)
