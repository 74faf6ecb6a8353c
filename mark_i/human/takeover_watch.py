"""The person beside a run: what they do with mouse and keyboard is heard, and what comes of it is told to them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import Desktop, Hotkey, Takeover, live_display
from world_model import DesktopError

AWAY: Final = 30.0  # seconds without a hand on mouse or keyboard, where nobody is there to let the run go on
TAKEN: Final = "Somebody uses the mouse or the keyboard: the agent keeps its hands off, and the run waits."
REFUSED: Final = (
    "{} does not stop this run: another program has that key, or the keyboard lacks it. "
    "For another one: mark-i config set hotkey KEYS"
)


def _unheard(_text: str) -> None:
    pass


def _in_no_way() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who watches a run.

    Attributes:
        say: tells them something beside the run's own events, from any thread.
        how: what they do to let a paused run go on, in words; nothing where nobody is there who could.
    """

    say: Callable[[str], None] = _unheard
    how: Callable[[], str] = _in_no_way


UNWATCHED: Final = Watcher()


@contextmanager
def watched(  # noqa: PLR0913 - what a person can do, and with what
    desktop: Desktop, control: Control, watcher: Watcher, hotkey: Hotkey | None, idle: float | None, *, own: bool
) -> Iterator[None]:
    """Have the run stopped by the hotkey and the corner, and paused by a person who takes over.

    The hotkey is that of the person's own display, also where the agent works on a virtual one.

    Args:
        desktop: where the agent works.
        control: the person's hand on the run.
        watcher: who is told.
        hotkey: stops the run.
        idle: seconds without a hand on mouse or keyboard after which the run goes on by itself.
        own: whether the desktop is the person's own.
    """

    def taken() -> float | None:
        how = watcher.how()
        seconds = idle if how else idle or AWAY
        still = f"It goes on when nobody has used them for {seconds:g} s." if seconds else ""
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
    """Listen to the hotkey alone; whether it is ours."""
    from toolbelt.desktops.x11 import Listener  # noqa: PLC0415 - only where there is an X display

    try:
        listener = stack.enter_context(closing(Listener(display, control.stop, hotkey)))
    except DesktopError:  # whoever has no way to their display has no key on it
        return False
    return listener.has_hotkey
