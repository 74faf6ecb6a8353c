"""A brain that says again what was said in an earlier run: does the same come of it?"""

from collections import deque
from pathlib import Path
from typing import Any

from mark_i.brain import Prompt, Reply, Space
from world_model import JournalError, ModelError, UsageError, read_about, read_replies


class ReplayBrain:
    """Gives the replies of a journal, one after the other, whatever it is shown.

    Raises:
        UsageError: the run cannot be read, or nothing was said in it.
    """

    def __init__(self, folder: Path) -> None:
        try:
            about, _ = read_about(folder)
            replies = read_replies(folder)
        except JournalError as error:
            raise UsageError(f"The run {folder.name} cannot be replayed: {error}") from error
        planner = about.get("brain")
        self._replies = [reply for reply in replies if reply.get("brain", planner) == planner]
        if not self._replies:
            raise UsageError(f"The run {folder.name} cannot be replayed: no model said anything in it.")
        self.name = f"replay:{folder.name}"
        sees: Any = about.get("sees") or {}
        self.sight = int(sees.get("sight", 0))
        self.space: Space = sees.get("space", "pixels")
        self._left = deque(self._replies)

    def skip(self, count: int) -> None:
        """Leave out so many replies: they were given before the run was interrupted."""
        self._left = deque(self._replies[count:])

    def only(self, index: int) -> None:
        """From now on the replies of that step alone."""
        self._left = deque(reply for reply in self._replies if reply["index"] == index)

    def think(self, prompt: Prompt) -> Reply:  # noqa: ARG002 - whatever it is shown
        """The next reply."""
        if not self._left:
            raise ModelError(
                f"{self.name} has no reply left: there were {len(self._replies)}, and one more was asked for."
            )
        reply = self._left.popleft()
        return Reply(reply["text"], cut_off=bool(reply.get("cut_off")))
