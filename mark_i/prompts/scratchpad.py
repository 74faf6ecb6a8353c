"""The scratchpad in a prompt: bounded, and unchanged from one prompt to the next except at its end.

The newest steps are complete. Older ones are one line each, made without a model: first with what was done and what
came of it, then only with the thought, so that at least 30 steps can be read. The oldest are counted.
Steps are compacted in blocks, so that the text before the newest steps stays the same between two compactions and the
provider can cache it.
"""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Final, Self

from world_model import Step, WorldModel, call, cut, describe, told

MIN_WHOLE_STEPS: Final = 2  # the newest, which are complete
STEPS_PER_BLOCK: Final = 4  # that become lines together
FULL_LINES: Final = 12  # with call and result
THOUGHTS: Final = 16  # lines without them
THOUGHT_CHARS, CALL_CHARS, RESULT_CHARS = 64, 48, 48  # of a line
BRIEF_CHARS: Final = 44  # of a thought alone


class Scratchpad:
    """Formats the steps of one WorldModel; it counts each old step only once."""

    def __init__(self, world_model: WorldModel, longest: int) -> None:
        self._world_model = world_model
        self._longest = longest
        self._counted = 0
        self._uses: Counter[str] = Counter()
        self._failures = 0

    def of(self, world_model: WorldModel) -> Self:
        """Return the scratchpad of a WorldModel that begins with the same steps."""
        other = copy.copy(self)
        other._world_model, other._uses = world_model, Counter(self._uses)  # noqa: SLF001 - of the same class
        return other

    def text(self, rendered: Callable[[Step], Step] = lambda step: step) -> str:
        """Format the steps so far, oldest first; each text of a step has at most `longest` characters.

        `rendered` converts a step to the coordinates of the reader.
        """
        count = len(self._world_model)
        lined = max(0, (count - MIN_WHOLE_STEPS) // STEPS_PER_BLOCK * STEPS_PER_BLOCK)
        short = max(0, lined - FULL_LINES)
        dropped = max(0, short - THOUGHTS)
        self._count_to(dropped)
        steps = tuple(map(rendered, self._world_model.last(count - dropped)))
        newest = steps[lined - dropped :]
        lines = [_line(step, brief=step.index <= short) for step in steps[: lined - dropped]]
        parts = [self._counts(), "\n".join(lines), told(newest, "text", self._longest)]
        return "\n\n".join(part for part in parts if part)

    def _count_to(self, index: int) -> None:
        for number in range(self._counted + 1, index + 1):
            step = self._world_model[number]
            self._uses[step.action.tool] += 1
            self._failures += not step.observation.ok
        self._counted = max(self._counted, index)

    def _counts(self) -> str:
        if not self._counted:
            return ""
        uses = ", ".join(f"{tool} {count}" for tool, count in self._uses.most_common(5))
        failed = f", {self._failures} of them failed" if self._failures else ""
        return f"Steps 1 to {self._counted}{failed}: {uses}."


def _line(step: Step, *, brief: bool) -> str:
    error, thought = step.observation.error, " ".join(step.thought.text.split())
    if brief:
        return f"{step.index}. {cut(thought, BRIEF_CHARS) or step.action.tool}{' (failed)' if error else ''}"
    words = f"failed: {error.code}" if error else describe(step.observation)
    done = cut(call(step.action), CALL_CHARS), cut(" ".join(words.split()), RESULT_CHARS)
    return " ".join(filter(None, (f"{step.index}.", cut(thought, THOUGHT_CHARS), *done)))
