"""The early call: the brain is asked while the screen is still watched, so that watching takes no time of its own."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mark_i.brain import Brain, Prompt, Reply
from mark_i.loop.model_calls import ModelCalls
from toolbelt.control import Pending
from toolbelt.perception import CARET_MAX_PX, Eyes, Settled
from world_model import Frame, Observation

MAX_EARLY: Final = 2  # calls in one step


class EarlyCall:
    """Asks for the next action as soon as the screen has most likely settled, and again if it has not.

    The reply counts only if the prompt, once it is due, is the same and nothing that it shows has changed.

    Args:
        brain: is asked; its calls leave nothing behind.
        calls: the way to it.
        eyes: watch the screen.
        observed: returns the observation that a screen leads to; None if more has to be seen for it.
        prompt_after: returns the prompt that follows on an observation and its screen.
        can_act: whether a reply can be used at once, or should wait for what may still be seen.
        reads: whether the screen is read for an observation, which takes time.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what a call is made of
        self,
        brain: Brain,
        calls: ModelCalls,
        eyes: Eyes,
        observed: Callable[[Settled], Observation | None],
        prompt_after: Callable[[Observation, Frame], Prompt],
        can_act: Callable[[Observation, Frame, Reply], bool],
        *,
        reads: bool,
    ) -> None:
        self._brain, self._calls, self._eyes = brain, calls, eyes
        self._observed, self._prompt_after, self._can_act = observed, prompt_after, can_act
        self._making: Pending[tuple[Observation, Prompt] | None] | None = None
        self._shown: Frame | None = None  # the screen in the prompt
        self._reads = reads
        self._left = MAX_EARLY

    def __call__(self, settled: Settled, rests: bool) -> bool | None:  # noqa: FBT001 - as `Eyes.settle` calls it
        """Ask if the screen most likely has settled.

        Returns:
            Whether the reply is there and can be used; None if the brain is not asked.
        """
        if self._making and not self._making.done:
            return None
        self.keep_only_if(settled.frame)
        if self._shown is None:
            if rests or (settled.frame is settled.start and not self._reads):  # most clicks that show nothing at once
                self._make(settled)
            return None
        made = _made(self._making)
        if made and rests and self._left and not self._calls.is_early:
            self._left -= 1
            self._calls.begin(self._brain, made[1])
        if made is None or not self._calls.is_early:
            return None
        reply = self._calls.early_reply
        if reply is None or not self._can_act(made[0], self._shown, reply):
            return False
        self.keep_only_if(self._eyes.look())  # as it is now that the reply is there
        return self._shown is not None

    def keep_only_if(self, frame: Frame) -> None:
        """Take the call back, unless the screen still shows what was sent; a caret may come or go."""
        news = self._eyes.news(self._shown, frame) if self._shown else []
        if any(min(one.width, one.height) > CARET_MAX_PX.width for one in news):
            self._shown = None
            self._calls.take_back()

    def observation(self, settled: Settled) -> tuple[Observation, Frame] | None:
        """Return what was observed when the brain was asked, if that is still so; its screen is the one that was sent.

        Raises:
            DesktopError: the screen could not be observed.
        """
        made = self._eyes.control.join(self._making) if self._making else None
        self.keep_only_if(settled.frame)
        if made is None or self._shown is None or made[0].screen is None:
            return None
        screen = replace(made[0].screen, settled_ms=settled.ms, settled=settled.calm)
        return replace(made[0], screen=screen), self._shown

    def _make(self, settled: Settled) -> None:
        """Make the observation and the prompt on a thread, so that the screen is watched meanwhile."""
        if not self._left:
            return
        self._shown = settled.frame

        def make() -> tuple[Observation, Prompt] | None:
            seen = self._observed(settled)
            return (seen, self._prompt_after(seen, settled.frame)) if seen else None

        self._making = self._eyes.control.start(make)


def _made(making: Pending[tuple[Observation, Prompt] | None] | None) -> tuple[Observation, Prompt] | None:
    return making.results[0] if making and making.results else None
