"""A brain that repeats the replies of an earlier run."""

from collections import deque
from pathlib import Path
from typing import Any

from mark_i.brain import Prompt, Reply, Space
from world_model import JournalError, ModelError, UsageError, read_about, read_replies


class ReplayBrain:
    """Returns the replies of a journal, one after the other, whatever the prompt is.

    Raises:
        UsageError: the run cannot be read, or has no replies.
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
            raise UsageError(f"The run {folder.name} cannot be replayed: it has no replies of a model.")
        self.name = f"replay:{folder.name}"
        sees: Any = about.get("sees") or {}
        self.sight = int(sees.get("sight", 0))
        self.space: Space = sees.get("space", "pixels")
        self.ahead = int((about.get("settings") or {}).get("ahead", 1))  # its replies with several actions were right
        self._left = deque(self._replies)

    def skip(self, count: int) -> None:
        """Skip so many replies: they were given before the run was interrupted."""
        self._left = deque(self._replies[count:])

    def only(self, index: int) -> None:
        """Return only the replies of that step from now on."""
        self._left = deque(reply for reply in self._replies if reply["index"] == index)

    def think(self, prompt: Prompt) -> Reply:  # noqa: ARG002 - whatever it is shown
        """Return the next reply."""
        if not self._left:
            raise ModelError(
                f"{self.name} has no reply left: there were {len(self._replies)}, and one more was asked for."
            )
        reply = self._left.popleft()
        return Reply(reply["text"], cut_off=bool(reply.get("cut_off")), flaw=reply.get("flaw", ""))
