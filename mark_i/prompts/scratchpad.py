"""The scratchpad in a prompt: bounded, and the same from one prompt to the next but for its end.

The newest steps stand there whole. Older ones become one line each, made without a model, and the oldest only count.
That happens in blocks, so that what comes before the newest steps stays the same between two compactions and a
provider's cache of the prompt holds.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from world_model import Step, WorldModel, call, cut, describe, told

WHOLE: Final = 2  # newest steps, at least, that are told whole
BLOCK: Final = 4  # steps that become lines together
LINES: Final = 4  # older steps, at least, that have a line of their own
FORGOTTEN: Final = 8  # lines that go together
CALL, RESULT = 48, 48  # characters of a line


class Scratchpad:
    """Reads one WorldModel; what it has counted it does not count again."""

    def __init__(self, world_model: WorldModel, longest: int) -> None:
        self._world_model = world_model
        self._longest = longest
        self._counted = 0
        self._uses: Counter[str] = Counter()
        self._failures = 0

    def text(self, named: Callable[[Step], Step] = lambda step: step) -> str:
        """The steps so far, oldest first; `longest` characters of each text of a step.

        `named` gives a step as who reads this is to be told of it.
        """
        count = len(self._world_model)
        lined = max(0, (count - WHOLE) // BLOCK * BLOCK)
        dropped = max(0, (lined - LINES) // FORGOTTEN * FORGOTTEN)
        self._count_to(dropped)
        steps = tuple(map(named, self._world_model.last(count - dropped)))
        older, newest = steps[: lined - dropped], steps[lined - dropped :]
        parts = [self._counts(), "\n".join(map(_line, older)), told(newest, "text", self._longest)]
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
        return f"Steps 1 to {self._counted}, {self._failures} of them failed: {uses}."


def _line(step: Step) -> str:
    words = f"failed: {step.observation.error.code}" if step.observation.error else describe(step.observation)
    return f"{step.index}. {cut(call(step.action), CALL)} {cut(' '.join(words.split()), RESULT)}"
