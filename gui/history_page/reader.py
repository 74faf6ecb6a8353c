"""What a person does with past runs: told to the window at once, and read or deleted on the archive's thread."""

from collections.abc import Callable

from gui.history_page.archive_thread import Archive
from gui.history_page.model import DeleteAsked, Left, Moved, OpenAsked, PastMessage, ReportAsked, Searched


class Reader:
    """Calls `tell` with what the person did."""

    def __init__(self, archive: Archive, tell: Callable[[PastMessage], None]) -> None:
        self._archive, self._tell = archive, tell

    def look(self) -> None:
        """See which runs there are now."""
        self._archive.list()

    def search(self, words: str) -> None:
        """Look for runs."""
        self._tell(Searched(words))

    def open(self, run: str) -> None:
        """Open one."""
        self._tell(OpenAsked(run))
        self._archive.open(run)

    def ask_delete(self, run: str | None) -> None:
        """Delete one, if the person agrees; None where they do not."""
        self._tell(DeleteAsked(run))

    def delete(self, run: str) -> None:
        """They agree."""
        self._archive.delete(run)

    def move(self, to: int) -> None:
        """Go to where so many steps of the open run are done."""
        self._tell(Moved(to))

    def report(self, run: str) -> None:
        """Write its report."""
        self._tell(ReportAsked(run))
        self._archive.report(run)

    def back(self) -> None:
        """Leave the open run."""
        self._archive.leave()
        self._tell(Left())
        self.look()

    def close(self) -> None:
        """Nothing more is read."""
        self._archive.close()
