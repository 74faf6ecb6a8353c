"""Eyes: look at a desktop, click what was seen, wait until the screen has settled, and say what changed."""

from collections.abc import Callable

from toolbelt.control import Control
from toolbelt.desktops.base import Button, Desktop
from toolbelt.perception.masks import NO_MASKS, Masks
from toolbelt.perception.observer import Observer
from toolbelt.perception.settling import QUIET_S, Settled, Settling
from toolbelt.perception.sighting import Sighting
from toolbelt.perception.stale_guard import StaleGuard
from world_model import Frame, ScreenChange


class Eyes(Observer):
    """Looks at one desktop, and acts only on what is still there."""

    def __init__(self, desktop: Desktop, control: Control, masks: Masks = NO_MASKS) -> None:
        super().__init__(desktop, control, masks)
        self._guard = StaleGuard(self)
        self._settling = Settling(self)

    def check(self, sighting: Sighting) -> Frame:
        """Return the screen as it is now, if the place is still the one that was chosen.

        Raises:
            ToolFailure: `STALE_TARGET` if something else is there now, or its row has moved.
        """
        return self._guard.check(sighting)

    def click(self, sighting: Sighting, button: Button = "left", count: int = 1) -> None:
        """Click on a place, if it is still the one that was chosen.

        Raises:
            ToolFailure: `STALE_TARGET` as for `check`, or if the place never stops changing.
        """
        before = self._guard.click(sighting, button, count)
        self.unseen_focus.put()
        self._settling.clicked(sighting.point, before)

    def settle(
        self,
        before: Frame,
        reaction: float | None = None,
        prepare: Callable[[Frame], object] | None = None,
        quiet: float | None = QUIET_S,
        watching: Callable[[Settled, bool], bool | None] | None = None,
    ) -> Settled:
        """Look until the screen has reacted to what was done since `before`, and is quiet again.

        What moves by itself is not a reaction and is not waited for. A control that looks pressed is only a start.

        Args:
            before: the screen before the action.
            reaction: seconds after which an unchanged screen counts as settled; by default what the action needs.
            prepare: called on another thread with the screen that seems to be settled, to do work in the meantime.
            quiet: seconds without a change after which the screen is quiet; None for what its program was seen to need.
            watching: called at each look with the screen as it would be settled, and whether it most likely is; returns
                whether to stop there, or None if it is of no use to watch on.
        """
        return self._settling.settle(before, reaction, prepare, quiet, watching)

    def change(self, before: Frame, settled: Settled, *, texts: bool = True) -> ScreenChange:
        """Return what an action changed: where, and the texts, with `texts` even if they must be read for that."""
        return self._settling.change(before, settled, texts=texts)
