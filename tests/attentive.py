"""A scripted brain for runs in which it matters what programs say."""

import json
from typing import Any, Final

from mark_i import Eyes, Prompt, Reply
from mark_i.brain import Space

CAP_S: Final = 120.0  # generous, since the machine may be busy


class Attentive:
    """A brain that thinks until the programs on the screen have been asked, and gives one reply after another."""

    name, sight = "attentive", 640
    space: Space = "pixels"

    def __init__(self, eyes: Eyes, *replies: dict[str, Any]) -> None:
        self._eyes, self._replies = eyes, list(replies)

    def think(self, prompt: Prompt) -> Reply:
        """Give the next reply, once the programs have been asked."""
        del prompt
        assert self._eyes.control.until(self._asked, CAP_S)
        return Reply(json.dumps(self._replies.pop(0)))

    def _asked(self) -> bool:
        hearing = self._eyes._hearing
        return hearing.last is not None and not hearing.is_late(hearing.last)
