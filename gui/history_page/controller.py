"""What a person does with past runs: shown at once, and carried out on the archive's thread."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from gui.history_page.replay import Replay


@dataclass(frozen=True, slots=True)
class RunUses:
    """What else a past run is good for.

    `go_on` lets the next run follow on it, `run_again` starts it anew, and `make_skill` takes its name.
    """

    go_on: Callable[["Replay"], None]
    run_again: Callable[["Replay"], None]
    make_skill: Callable[[str], None]


class HistoryController:
    """Calls `dispatch` with what the person did; `uses` is for runs that are open."""

    def __init__(self, archive: ArchiveThread, dispatch: Callable[[HistoryMessage], None], uses: RunUses) -> None:
        self._archive, self._dispatch, self.uses = archive, dispatch, uses

    def look(self) -> None:
        """List the runs."""
        self._archive.list()

    def search(self, words: str) -> None:
        """Search the runs."""
        self._dispatch(RunsSearched(words))

    def open(self, run: str) -> None:
        """Open a run."""
        self._dispatch(OpenRequested(run))
        self._archive.open(run)

    def ask_delete(self, run: str | None) -> None:
        """Ask whether to delete a run; None withdraws the question."""
        self._dispatch(DeleteRequested(run))

    def delete(self, run: str) -> None:
        """Delete a run, which the person has confirmed."""
        self._archive.delete(run)

    def move(self, to: int) -> None:
        """Go to a step of the open run."""
        self._dispatch(StepChosen(to))

    def report(self, run: str) -> None:
        """Write the report of a run."""
        self._dispatch(ReportRequested(run))
        self._archive.report(run)

    def show_folder(self, run: str) -> None:
        """Show the files of a run in the person's file manager."""
        self._archive.show_folder(run)

    def back(self) -> None:
        """Close the open run."""
        self._archive.leave()
        self._dispatch(RunClosed())
        self.look()

    def close(self) -> None:
        """Read nothing more."""
        self._archive.close()
