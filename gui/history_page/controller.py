"""What a person does with past runs: told to the window at once, and read or deleted on the archive's thread."""

from collections.abc import Callable

from gui.history_page.archive_thread import ArchiveThread
from gui.history_page.model import (
    DeleteRequested,
    HistoryMessage,
    OpenRequested,
    ReportRequested,
    RunClosed,
    RunsSearched,
    StepChosen,
)


class HistoryController:
    """Calls `tell` with what the person did."""

    def __init__(self, archive: ArchiveThread, dispatch: Callable[[HistoryMessage], None]) -> None:
        self._archive, self._dispatch = archive, dispatch

    def look(self) -> None:
        """See which runs there are now."""
        self._archive.list()

    def search(self, words: str) -> None:
        """Look for runs."""
        self._dispatch(RunsSearched(words))

    def open(self, run: str) -> None:
        """Open one."""
        self._dispatch(OpenRequested(run))
        self._archive.open(run)

    def ask_delete(self, run: str | None) -> None:
        """Delete one, if the person agrees; None where they do not."""
        self._dispatch(DeleteRequested(run))

    def delete(self, run: str) -> None:
        """They agree."""
        self._archive.delete(run)

    def move(self, to: int) -> None:
        """Go to where so many steps of the open run are done."""
        self._dispatch(StepChosen(to))

    def report(self, run: str) -> None:
        """Write its report."""
        self._dispatch(ReportRequested(run))
        self._archive.report(run)

    def back(self) -> None:
        """Leave the open run."""
        self._archive.leave()
        self._dispatch(RunClosed())
        self.look()

    def close(self) -> None:
        """Nothing more is read."""
        self._archive.close()
