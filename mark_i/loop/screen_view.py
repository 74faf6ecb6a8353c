"""The screen as one run sees it: looked at, read, watched until it settles, and redacted for everybody else."""

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from mark_i.guard.secrets import Secrets
from toolbelt.belt import CallResult, Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import Window
from toolbelt.ocr import Line, can_be_read_back, shown_instead
from toolbelt.parameters import Enters, Typed
from toolbelt.perception import Eyes, Redaction
from world_model import Action, Frame, Observation, Region, Step, message


class ScreenView:
    """What one run sees; without eyes there is no screen, and nothing is seen.

    Args:
        eyes: look at the desktop; None without one.
        control: every look can be stopped by it.
        toolbelt: says which arguments are typed.
        secrets: what must not be seen once it was typed.
        before: the steps of a run that is resumed; what they typed may still be on the screen.
    """

    def __init__(
        self, eyes: Eyes | None, control: Control, toolbelt: Toolbelt, secrets: Secrets, before: Sequence[Step]
    ) -> None:
        self.eyes = eyes
        self._control = control
        self._toolbelt = toolbelt
        self._secrets = secrets
        typed = [value for step in before for value in self._typed(step.action)]
        self._redaction = Redaction(eyes, typed) if eyes else None

    def look(self) -> Frame | None:
        """Return the screen as it is now."""
        return self.eyes.show() if self.eyes else None

    def redacted(self, screen: Frame | None) -> Frame | None:
        """Return the screen as anybody may see it: without what was typed as a secret."""
        return self._control.call(partial(self._redaction, screen)) if self._redaction and screen else screen

    def lines(self, screen: Frame | None) -> tuple[Line, ...]:
        """Return the lines of text on a screen."""
        return self._control.call(partial(self.eyes.read, screen)) if self.eyes and screen else ()

    def windows(self) -> list[Window]:
        """Return the windows that are there now."""
        return self.eyes.windows() if self.eyes else []

    def idle(self) -> AbstractContextManager[object]:
        """Learn what moves by itself, while the brain thinks."""
        return self.eyes.idle() if self.eyes else contextlib.nullcontext()

    def observe(
        self, action: Action, done: CallResult, before: Frame | None, prepare: Callable[[Frame], None], *, texts: bool
    ) -> tuple[Observation, Frame | None, float]:
        """Wait until the screen is settled, and look at what changed.

        Args:
            action: what was done.
            done: what came of it.
            before: the screen before it; None without one.
            prepare: what is to be made of the new screen while it settles.
            texts: whether the texts that appeared and vanished are wanted.

        Returns:
            The observation, the screen after it, and how many milliseconds it took to settle.
        """
        if not self.eyes or before is None:
            return self._secrets.cleared(done.observation), None, 0.0
        settled = self.eyes.settle(before, None if done.acted else 0.0, prepare)
        change = self._control.call(partial(self.eyes.change, before, settled, texts=texts))
        typed = self._typed(action)
        if self._redaction and typed:
            self._redaction.typed(typed, change.regions, settled.frame)
        observation = replace(done.observation, screen=change)
        if observation.ok and not typed and can_be_read_back(text := self._written(action)):
            read = partial(self._shown_instead, text, change.regions, before, settled.frame)
            if instead := self._control.call(read):
                told = f' The screen shows "{instead}" instead: the program may have changed it.'
                observation = replace(observation, text=message(observation.text, told))
        return self._secrets.cleared(observation), settled.frame, settled.ms

    def _written(self, action: Action) -> str:
        """Return the text that an action typed into a window, with its enter; empty if it typed none."""
        tool = self._toolbelt.known(action.tool)
        if tool is None or tool.risk != "act":  # others put a text elsewhere
            return ""
        parts = list(tool.parts(action.args))
        text = "\n".join(str(value) for role, value in parts if role is Typed)
        return text + "\n" * any(value for role, value in parts if role is Enters)

    def _shown_instead(self, text: str, regions: Sequence[Region], before: Frame, after: Frame) -> str:
        """Return what the screen shows in place of what was typed; empty if it shows that, or nothing like it."""
        if not self.eyes:
            return ""
        old, new = (
            [line for line in self.eyes.read(one) if any(line.region.overlaps(part) for part in regions)]
            for one in (before, after)
        )
        return shown_instead(text, new, old)

    def _typed(self, action: Action) -> list[str]:
        return self._secrets.used(action, self._toolbelt.known(action.tool))
