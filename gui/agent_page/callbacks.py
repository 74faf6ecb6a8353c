"""What the Agent page reports to its window."""

from collections.abc import Callable
from dataclasses import dataclass

from gui.run.messages import Message


@dataclass(frozen=True, slots=True)
class AgentCallbacks:
    """What the page reports.

    Attributes:
        put: takes the messages of a run, from its thread.
        running_changed: is called when a run starts and when it has released everything.
        open_settings: turns to the page where a key is entered.
        make_skill: proposes a skill made of a run.
        show: turns to the page, where something is asked.
    """

    put: Callable[[Message], None]
    running_changed: Callable[[], None]
    open_settings: Callable[[], None]
    make_skill: Callable[[str], None]
    show: Callable[[], None]
