"""Choose and open the desktop of a run."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE, Desktop, live_display, native_system, on_wayland
from world_model import DesktopError, Size

if TYPE_CHECKING:
    from toolbelt.desktops import KeptDesktop, VirtualDesktop
    from toolbelt.desktops.wayland.portal import Token

WILL_ASK: Final = (
    "This desktop asks you now whether the agent may use it: choose a screen, allow the remote control of mouse and "
    "keyboard, and then Share. If it offers to remember that, it need not ask again."
)
WILL_ASK_TO_LOOK: Final = "This desktop asks you now whether the agent may see it: choose a screen, and then Share."
ALLOWED_MAX_S: Final = 3.0  # in which a desktop opens that need not ask; GNOME 48 took 0.5 s on a busy machine
NO_DISPLAY: Final = "There is no display here"


def _untold(_text: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class OwnDesktop:
    """How the person's own desktop is used, where it asks them first.

    Attributes:
        token: keeps what the desktop gives so that it need not ask again; None to be asked each time.
        tell: tells the person that they will be asked, before they are.
        looks: whether it is only looked at; then no right to use mouse and keyboard is taken.
    """

    token: "Token | None" = None
    tell: Callable[[str], None] = _untold
    looks: bool = False


def desktop_for(virtual: Size | None) -> tuple[Size | None, str | None]:
    """Return the desktop to use, and a notice for the user if it is not the one they asked for."""
    if virtual is not None or native_system() or live_display():
        return virtual, None
    fault = wayland_fault() if on_wayland() else NO_DISPLAY
    if not fault:
        return None, None
    what, _, more = fault.partition(". ")
    told = f"{what.rstrip('.')}, so the agent works on a virtual desktop ({DEFAULT_SIZE}). {more}"
    return DEFAULT_SIZE, told.rstrip()


def wayland_fault() -> str | None:
    """Return why the agent cannot work in this Wayland session; None if it can."""
    try:
        wayland_way()
    except DesktopError as error:
        return str(error)
    return None


def wayland_way() -> Literal["protocols", "portal"]:
    """Return how the agent can use this Wayland session: as any program there, or once the person was asked.

    Raises:
        DesktopError: it cannot; the message says why.
    """
    from toolbelt.desktops.wayland import session_lacks, wayland_socket  # noqa: PLC0415 - only on Linux
    from toolbelt.desktops.wayland.portal import check_portal  # noqa: PLC0415 - only on Linux

    lacks = session_lacks(wayland_socket())
    if not lacks:
        return "protocols"
    try:
        check_portal()
    except DesktopError as error:
        raise DesktopError(f"{lacks} {error}") from error
    return "portal"


class SharedDesktop:
    """A virtual desktop that several runs of this process use in turn; the first opens it.

    Args:
        size: its size.
    """

    def __init__(self, size: Size) -> None:
        self._size = size
        self._control = Control()
        self._opening = threading.Lock()
        self._desktop: VirtualDesktop | None = None

    def lend(self, control: Control) -> "VirtualDesktop":
        """Open it, for a run with that control; closing the result leaves everything on it as it is.

        One that was lost is replaced.

        Raises:
            DesktopError: it does not start.
            Halt: it was closed meanwhile.
        """
        from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415 - only on Linux

        with self._opening:
            if self._desktop:
                try:
                    return self._desktop.share(control)
                except DesktopError:  # its display is gone
                    self._desktop.close()
                    self._desktop = None
            self._desktop = VirtualDesktop(self._size, self._control)
            return self._desktop.share(control)

    def unsaved(self) -> tuple[str, ...]:
        """Return the titles of its windows that say that they hold something unsaved; none while it is being opened."""
        if not self._opening.acquire(blocking=False):
            return ()
        try:
            with contextlib.suppress(DesktopError):  # its display is gone
                return tuple(one.title for one in (self._desktop.windows() if self._desktop else ()) if one.unsaved)
        finally:
            self._opening.release()
        return ()

    def close_windows(self) -> tuple[str, ...]:
        """Ask every window on it to close; return the titles of those that are left, such as one that asks first."""
        with self._opening, contextlib.suppress(DesktopError):  # its display is gone
            left = self._desktop.close_windows() if self._desktop else []
            return tuple(one.title for one in [one for one in left if not one.dialog] or left)
        return ()

    def close(self) -> None:
        """End it with everything on it, for good."""
        self._control.stop()
        with self._opening:
            desktop, self._desktop = self._desktop, None
        if desktop:
            desktop.close()


@contextlib.contextmanager
def opened(
    virtual: Size | None,
    control: Control,
    kept: "KeptDesktop | None" = None,
    shared: SharedDesktop | None = None,
    own: OwnDesktop = OwnDesktop(),
) -> Iterator[Desktop]:
    """Open a desktop, and close it at the end.

    Args:
        virtual: the size of a virtual desktop; None for the user's own.
        control: of who uses it.
        kept: the desktop to use in place of either, which stays open.
        shared: the desktop to use in place of a new virtual one, which stays open.
        own: how the person's own is used.

    Raises:
        DesktopError: there is no such desktop; the message says what to do.
    """
    desktop: Desktop
    if system := native_system():
        if virtual is not None:
            raise DesktopError(f"There is no virtual desktop on {system}: leave out `--virtual`.")
        from toolbelt.desktops.native import NativeDesktop  # noqa: PLC0415

        desktop = NativeDesktop(control)
    elif kept is not None:
        from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415

        desktop = VirtualDesktop.attach(kept, control)
    elif shared is not None:
        desktop = shared.lend(control)
    elif virtual is not None:
        from toolbelt.desktops import VirtualDesktop  # noqa: PLC0415

        desktop = VirtualDesktop(virtual, control)
    elif on_wayland():
        desktop = _wayland(control, own)
    else:
        from toolbelt.desktops import LiveDesktop  # noqa: PLC0415

        desktop = LiveDesktop(live_display() or "", control)
    with contextlib.closing(desktop):
        yield desktop


def _wayland(control: Control, own: OwnDesktop) -> Desktop:
    """Open the Wayland session of the person, as it lets programs use it."""
    from toolbelt.desktops.wayland import WaylandDesktop, wayland_socket  # noqa: PLC0415 - only on Linux

    if wayland_way() == "protocols":
        return WaylandDesktop(wayland_socket(), control)
    from toolbelt.desktops.wayland.portal import PortalDesktop  # noqa: PLC0415 - it needs an extra

    told = WILL_ASK_TO_LOOK if own.looks else WILL_ASK
    is_allowed = not own.looks and own.token is not None and bool(own.token.read())
    telling = threading.Timer(ALLOWED_MAX_S, own.tell, [told])
    if is_allowed:  # unless that was taken back, which only the desktop knows
        telling.start()
    else:
        own.tell(told)
    try:
        return PortalDesktop(wayland_socket(), control, own.token, looks=own.looks)
    finally:
        telling.cancel()
