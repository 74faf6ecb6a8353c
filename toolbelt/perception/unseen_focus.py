"""Where the keys go on a desktop that tells nobody which window has the focus: where the agent itself has put it."""

import time
from collections.abc import Sequence
from typing import Final

from toolbelt.control import Control
from world_model import Region, Size, ToolFailure

WINDOW_MIN: Final = Size(200, 130)  # what comes up and is as large may be a window; what GNOME announces is lower
NOT_PUT: Final = (
    "This session tells nobody which window has the focus, and you have not put it anywhere since the person last used "
    "a window. Nothing was typed."
)
COVERED: Final = (
    "Something as large as a window came up since the screen was shown, and may have the focus. Nothing was typed."
)


def came_up(news: Sequence[Region]) -> bool:
    """Whether what is new on the screen may be a window."""
    return any(one.width >= WINDOW_MIN.width and one.height >= WINDOW_MIN.height for one in news)


class UnseenFocus:
    """Knows whether the agent has put the focus somewhere, and lets no key go elsewhere."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._put_s = 0.0

    def put(self) -> None:
        """Note that the agent has clicked somewhere, or opened a window."""
        self._put_s = time.monotonic()

    def require(self, news: Sequence[Region]) -> None:
        """Refuse keys that may go to another window than the agent means; `news` is what came since it looked.

        Raises:
            ToolFailure: `STALE_TARGET`.
        """
        if self._put_s <= self._control.person_s:
            raise ToolFailure("STALE_TARGET", NOT_PUT, ["Click where the keys are to go, then send them."])
        if came_up(news):
            raise ToolFailure("STALE_TARGET", COVERED, ["Look at the screen as it is now, and choose again."])
