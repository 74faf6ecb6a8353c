"""The prerequisites of a run (displays, keys and the demo), checked without using them, each with a remedy."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mark_i.assembly.desktops import wayland_way
from mark_i.brains.providers import VENDORS
from mark_i.config.api_keys import VARIABLES, Keys
from mark_i.config.keyrings import keyring_in_use
from mark_i.extras import EXTRAS
from toolbelt.desktops import live_display, native_system, on_wayland
from world_model import DesktopError, UsageError

HERE: Final = "The agent can also work here, with your own mouse and keyboard{}"
ONCE_ALLOWED: Final = ", once you allow it: the desktop asks you, in a window of its own."
NO_EXTRA: Final = (
    "If your desktop has a portal, as GNOME and KDE do: pip install 'mark-i[portal]'. "
    "Or use a virtual desktop, or log in to an X11 (Xorg) session."
)
NO_PORTAL: Final = (
    "If your desktop has a portal, install it: sudo apt-get install xdg-desktop-portal-gnome (GNOME) or "
    "xdg-desktop-portal-kde (KDE). Or use a virtual desktop, or log in to an X11 (Xorg) session."
)
WHERE: Final = {"file": "a file that only you can read", "environment": "the environment", ".env": "the file .env"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        name: What was checked.
        told: What was found.
        todo: How to fix it.
        about: `virtual`, `this`, `key` or `demo`; the doctor adds more.
        there: Whether it can be used.
        check: How a model did in its check; None for any other finding.
    """

    name: str
    told: str
    todo: str = ""
    about: str = ""
    there: bool = False
    check: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Editor:
    """An editor that the demo can use: the program that must be installed, and the instruction that opens it."""

    program: str
    opening: str


EDITORS: Final = (
    Editor("mousepad", "Open Mousepad"),
    Editor("idle3", 'Open python3 with "-m" "idlelib" "-e"'),
)


def survey(keys: Keys | None = None, find: Callable[[str], str | None] = shutil.which) -> tuple[Finding, ...]:
    """Check everything, without starting a program or revealing a key."""
    virtual = _virtual(find)
    return (virtual, _this(), _models(keys or Keys()), _demo(virtual, find))


def _virtual(find: Callable[[str], str | None]) -> Finding:
    name, about = "A virtual desktop", "virtual"
    if system := native_system():
        return Finding(name, f"There is none on {system}.", "Let the agent work on this desktop.", about)
    from toolbelt.desktops.virtual import PACKAGES  # noqa: PLC0415 - only on Linux

    lacking = [package for program, package in PACKAGES.items() if not find(program)]
    if lacking:
        return Finding(name, "It needs programs that are not installed.", _install(*lacking), about)
    return Finding(name, "The agent can work on a screen of its own, while you use yours.", about=about, there=True)


def _this() -> Finding:
    name, about = "This desktop", "this"
    if on_wayland():
        return _wayland(name, about)
    if not native_system() and (fault := _unusable(live_display())):
        return Finding(name, fault, "Use a virtual desktop.", about)
    return Finding(name, HERE.format("."), about=about, there=True)


def _wayland(name: str, about: str) -> Finding:
    try:
        way = wayland_way()
    except DesktopError as error:
        return Finding(name, str(error), NO_PORTAL if EXTRAS["portal"].installed else NO_EXTRA, about)
    return Finding(name, HERE.format(ONCE_ALLOWED if way == "portal" else "."), about=about, there=True)


def _unusable(display: str | None) -> str | None:
    """Return why an X display cannot be used; None if it can."""
    from toolbelt.desktops.x11 import Connection  # noqa: PLC0415 - only on Linux

    if display is None:
        return "There is no display here."
    try:
        Connection(display).close()
    except DesktopError as error:
        return str(error)
    return None


def _models(keys: Keys) -> Finding:
    name = "API key"
    try:
        kept = [(provider.title, keys.find(vendor)) for vendor, provider in VENDORS.items()]
    except UsageError as error:
        return Finding(name, str(error), "Fix the file, or delete it.", "key")
    found = [f"{model} (key in {_where(where)})" for model, (key, where) in kept if key]
    if found:
        return Finding(name, f"There is a key for {', '.join(found)}.", about="key", there=True)
    told = "None is saved or set. The brain 'offline' needs none: it follows plain instructions."
    pages = ", ".join(f"{provider.page} ({provider.title})" for provider in VENDORS.values())
    todo = (
        f"With a key, a model understands free wording. Get one: {pages}. Then: mark-i config set "
        f"gemini.key, or set {VARIABLES['gemini']}."
    )
    return Finding(name, told, todo, "key")


def _where(where: str) -> str:
    """Say where a key is kept; a keyring that does not protect it is named as what it is."""
    return keyring_in_use().told if where == "keyring" else WHERE[where]


def _demo(virtual: Finding, find: Callable[[str], str | None]) -> Finding:
    name, about = "The demo", "demo"
    if not virtual.there:
        return Finding(name, "It needs a virtual desktop.", "See the virtual desktop above.", about)
    if editor_there(find) is None:
        return Finding(name, "It needs a text editor.", _install("mousepad"), about)
    return Finding(name, "It writes a letter and saves it, in a real text editor.", about=about, there=True)


def editor_there(find: Callable[[str], str | None] = shutil.which) -> Editor | None:
    """Return the first editor that is installed; None if there is none."""
    return next((one for one in EDITORS if find(one.program)), None)


def _install(*packages: str) -> str:
    return f"In a terminal: sudo apt-get install {' '.join(packages)}"
