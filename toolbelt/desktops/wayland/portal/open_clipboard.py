"""The clipboard that a compositor lets every program use (data-control), for a portal that has none."""

from pathlib import Path

from toolbelt.desktops.wayland import clipboard
from toolbelt.desktops.wayland.portal.session import Check


class OpenClipboard:
    """Knows what is on the clipboard."""

    exists = True
    stays = True  # what is on it when this desktop is closed

    def __init__(self, socket_path: Path) -> None:
        self._path = str(socket_path)
        self._copies = clipboard.Copies(self._path)
        self._own = 0  # copies

    @property
    def count(self) -> int:
        """How often others have put something on it."""
        return self._copies.count() - self._own

    def read(self, check: Check) -> str | None:
        """Return the text on the clipboard, or None if no program offers anything.

        Raises:
            ToolFailure: `TIMEOUT` if the program that offers it does not answer, `TARGET_NOT_FOUND` if it is not text.
        """
        return clipboard.read(self._path, check)

    def offered(self, text: str) -> clipboard.Offer:
        """Offer a text on it."""
        offer = clipboard.Offer(self._path, text)
        self._own += 1
        return offer

    def close(self) -> None:
        """Stop counting."""
        self._copies.close()
