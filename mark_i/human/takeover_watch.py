"""Watch for the person: the hotkey and the corner stop a run, and using the mouse or the keyboard pauses it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import Desktop, Hotkey, Takeover, live_display
from world_model import DesktopError

AWAY_S: Final = 30.0  # without input from the person, if nobody could resume the run
TAKEN: Final = "Somebody is using the mouse or the keyboard, so the agent uses neither and the run is paused."
REFUSED: Final = (
    "{} does not stop this run: another program uses that key, the keyboard does not have it, or this desktop tells "
    "nobody of keys. "
    "To choose another one: mark-i config set hotkey KEYS"
)


def _unheard(_text: str) -> None:
    pass


def _in_no_way() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches a run.

    Attributes:
        say: tells them something besides the events of the run; called from any thread.
        how: says how they resume a paused run; returns an empty text if nobody could.
        warn: tells them at once what they must know before the run begins; by default as `say` does.
    """

    say: Callable[[str], None] = _unheard
    how: Callable[[], str] = _in_no_way
    warn: Callable[[str], None] | None = None


UNWATCHED: Final = Watcher()


@contextmanager
def watched(  # noqa: PLR0913 - what a person can do, and with what
    desktop: Desktop, control: Control, watcher: Watcher, hotkey: Hotkey | None, idle: float | None, *, own: bool
) -> Iterator[None]:
    """Stop the run on the hotkey and in the corner, and pause it while a person uses mouse or keyboard.

    The hotkey belongs to the person's own display, even if the agent works on a virtual one.

    Args:
        desktop: where the agent works.
        control: stops and pauses the run.
        watcher: is told what happens.
        hotkey: stops the run.
        idle: seconds without input from the person after which the run resumes by itself.
        own: whether the desktop is the person's own.
    """

    def taken() -> float | None:
        how = watcher.how()
        seconds = idle if how else idle or AWAY_S
        still = f"It resumes when nobody has used them for {seconds:g} s." if seconds else ""
        watcher.say(" ".join(filter(None, (TAKEN, how, still))))
        return seconds

    with ExitStack() as stack:
        takeover = stack.enter_context(closing(Takeover(desktop, control, taken)))
        here = stack.enter_context(closing(desktop.listen(takeover, hotkey if own else None)))
        has_hotkey = here.has_hotkey
        if hotkey and not own and (display := live_display()):
            has_hotkey = _listens(display, hotkey, control, stack)
        if hotkey and not has_hotkey and (own or live_display()):
            watcher.say(REFUSED.format(hotkey))
        yield


def _listens(display: str, hotkey: Hotkey, control: Control, stack: ExitStack) -> bool:
    """Listen for the hotkey alone; return whether we could grab it."""
    from toolbelt.desktops.x11 import Listener  # noqa: PLC0415 - only where there is an X display

    try:
        listener = stack.enter_context(closing(Listener(display, control.stop, hotkey)))
    except DesktopError:  # without access to the display there is no hotkey on it
        return False
    return listener.has_hotkey
