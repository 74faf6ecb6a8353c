"""In what portals differ, where their description leaves it open or one of them does something else.

Which one it is can be told by what its compositor offers to every program.
"""

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from toolbelt.desktops.wayland.protocols import DATA_CONTROLS, INTERFACES
from toolbelt.desktops.wayland.screen import monitors_of
from toolbelt.desktops.wayland.wire import Wire
from world_model import Region

_PLASMA_SHELL: Final = "org_kde_plasma_shell"


@dataclass(frozen=True, slots=True)
class Traits:
    """What a portal does.

    Attributes:
        wheel: what it takes for one click of the wheel.
        joins_monitors: whether it shows all monitors in one picture to who asks for one source. It shows them to who
            asks for several, too, but does not say where each of them is.
        takes_logical_units: whether it takes points in logical units on scaled monitors.
        finds_keys_in_first_layout: whether it looks for a key in the first layout, and presses it whichever is in use.
        learns_keys_late: whether it learns what the keyboard has only when it presses the first key.
        pulls: how often a place must be sent before the pointer is there, if it comes from another monitor: there is a
            barrier between them, which each time wears away by what it holds back.
        opens_clipboard: whether its compositor lets every program use the clipboard.
        is_kwin: whether its compositor is KWin, which tells scripts of its windows.
    """

    wheel: int = 1
    joins_monitors: bool = False
    takes_logical_units: bool = False
    finds_keys_in_first_layout: bool = False
    learns_keys_late: bool = False
    pulls: int = 1
    opens_clipboard: bool = False
    is_kwin: bool = False


_PLASMA: Final = Traits(
    wheel=15,  # a click of the wheel in pixels: it takes steps for pixels
    joins_monitors=True,
    takes_logical_units=True,
    finds_keys_in_first_layout=True,  # until Plasma 6.5
    learns_keys_late=True,
    is_kwin=True,
    pulls=8,  # of half a monitor; a corner holds back 2,000 units
)


def traits_of(socket_path: Path) -> Traits:
    """Return those of the portal that belongs to a compositor.

    Raises:
        DesktopError: There is no compositor.
    """
    with contextlib.closing(Wire(socket_path, {})) as wire:
        found = _PLASMA if _PLASMA_SHELL in wire.globals else Traits()
        return replace(found, opens_clipboard=not wire.globals.keys().isdisjoint(DATA_CONTROLS))


def places_in_picture(socket_path: Path) -> list[Region]:
    """Return where each monitor is in the one picture of all, which has a pixel for each logical unit.

    Raises:
        DesktopError: The compositor does not say it.
    """
    with contextlib.closing(Wire(socket_path, INTERFACES)) as wire:
        monitors = monitors_of(wire)
    left, top = min((one.x for one in monitors), default=0), min((one.y for one in monitors), default=0)
    return [Region(one.x - left, one.y - top, one.width, one.height) for one in monitors]
