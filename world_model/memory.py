"""The WorldModel: everything that the agent did and saw in one run, in order."""

import copy
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Self

from world_model.frames import Frame
from world_model.step_text import Format, told
from world_model.steps import Step

STEPS_WITH_PIXELS: Final = 4  # the newest; the frames of older steps only keep their digests
STEPS_PER_BLOCK: Final = 100  # compressed together, once there are two such blocks


class WorldModel:
    """The steps of one run, oldest first. Steps are added and never modified.

    A run may have any number of steps: old frames drop their pixels, and old steps are compressed.
    """

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._recent: list[Step] = []

    def remember(self, step: Step) -> None:
        """Add the newest step; its index must be the next number."""
        if step.index != len(self) + 1:
            raise ValueError(f"step {step.index} cannot follow step {len(self)}")
        self._recent.append(step)
        if len(self._recent) > STEPS_WITH_PIXELS:
            old = self._recent[-STEPS_WITH_PIXELS - 1]
            self._recent[-STEPS_WITH_PIXELS - 1] = replace(
                old, before=_without_pixels(old.before), after=_without_pixels(old.after)
            )
        if len(self._recent) == 2 * STEPS_PER_BLOCK:
            self._packed.append(_pack(self._recent[:STEPS_PER_BLOCK]))
            del self._recent[:STEPS_PER_BLOCK]

    def with_step(self, step: Step) -> Self:
        """Return the same steps and one more; this one stays as it is."""
        other = copy.copy(self)
        other._packed, other._recent = list(self._packed), list(self._recent)  # noqa: SLF001 - of the same class
        other.remember(step)
        return other

    def __len__(self) -> int:
        return STEPS_PER_BLOCK * len(self._packed) + len(self._recent)

    def __iter__(self) -> Iterator[Step]:
        packed, recent = tuple(self._packed), tuple(self._recent)
        for block in packed:
            yield from _unpack(block)
        yield from recent

    def __getitem__(self, index: int) -> Step:
        """Return the step with that index; the first is 1."""
        if not 1 <= index <= len(self):
            raise IndexError(f"there is no step {index}; there are {len(self)}")
        block, place = divmod(index - 1, STEPS_PER_BLOCK)
        if block < len(self._packed):
            return _unpack(self._packed[block])[place]
        return self._recent[index - 1 - STEPS_PER_BLOCK * len(self._packed)]

    def last(self, count: int) -> list[Step]:
        """Return the `count` newest steps, oldest first; fewer if there are fewer."""
        if count <= len(self._recent):
            return self._recent[len(self._recent) - max(0, count) :]
        return list(self)[-count:]

    def format(self, form: Format = "text", last: int | None = None) -> str:
        """Return Thought, Action and Observation of all steps, or of the `last` ones, uncut."""
        return told(self if last is None else self.last(last), form)


def _without_pixels(frame: Frame | None) -> Frame | None:
    return Frame.named(frame.digest) if frame else None


def _pack(steps: list[Step]) -> bytes:
    return zlib.compress(
        json.dumps([step.to_dict() for step in steps], ensure_ascii=False).encode("utf-8", "surrogatepass")
    )


def _unpack(block: bytes) -> list[Step]:
    lines = json.loads(zlib.decompress(block).decode("utf-8", "surrogatepass"))
    names = {name for line in lines for name in (line["before"], line["after"]) if name}
    return [Step.from_dict(line, {name: Frame.named(name) for name in names}) for line in lines]
