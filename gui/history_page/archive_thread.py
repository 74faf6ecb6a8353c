"""The thread that reads past runs, so that the window never waits for them. Results come back as messages."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gui.history_page.model import (
    FolderShown,
    HistoryFailed,
    HistoryMessage,
    ReportWritten,
    RunDeleted,
    RunOpened,
    RunsListed,
)
from gui.history_page.rows import rows_in
from gui.kit.browser import open_in_browser
from gui.kit.work_thread import WorkThread
from mark_i.config import DEFAULT_PROFILE, Keys
from mark_i.runs import delete
from world_model import UsageError


class ArchiveThread:
    """Reads and deletes past runs in order. `put` is called on its thread."""

    def __init__(self, runs: Path, put: Callable[[HistoryMessage], None], profile: str = DEFAULT_PROFILE) -> None:
        self._runs = runs
        self._put, self._profile = put, profile
        self._wanted: str | None = None  # the run that somebody still wants to see
        self._thread = WorkThread("archive", lambda message: put(HistoryFailed(message)))
        self._reports = WorkThread(
            "reports", lambda message: put(HistoryFailed(message))
        )  # a long run's takes a minute

    def list(self) -> None:
        """List the runs."""
        self._thread.begin(lambda: self._put(RunsListed(rows_in(self._runs))))

    def open(self, run: str) -> None:
        """Read a run, without its images, which are read when they are shown."""
        self._wanted = run
        self._thread.begin(partial(self._open, run))

    def leave(self) -> None:
        """Forget the run that was to be opened."""
        self._wanted = None

    def delete(self, run: str) -> None:
        """Delete a run permanently."""
        self._thread.begin(partial(self._delete, run))

    def report(self, run: str) -> None:
        """Write the report of a run, and show it in the person's browser, if there is one."""
        self._reports.begin(partial(self._report, run))

    def show_folder(self, run: str) -> None:
        """Show the files of a run in the person's file manager, or else in their browser."""
        self._thread.begin(partial(self._show_folder, run))

    def close(self) -> None:
        """Start nothing more."""
        self.leave()
        self._thread.close()
        self._reports.close()

    def _open(self, run: str) -> None:
        if self._wanted != run:
            return
        folder = self._folder(run)
        from gui.history_page.replay import replay_in  # noqa: PLC0415 - on this thread; the window comes up without it

        self._put(RunOpened(replay_in(folder, self._profile)))

    def _show_folder(self, run: str) -> None:
        folder = self._folder(run)
        open_in_browser(folder)
        self._put(FolderShown(run, folder))

    def _report(self, run: str) -> None:
        folder = self._folder(run)
        from mark_i.report import write_report  # noqa: PLC0415 - as above

        file = write_report(folder, Keys(self._profile).secrets())
        self._put(ReportWritten(run, file))
        open_in_browser(file)

    def _folder(self, run: str) -> Path:
        folder = self._runs / run
        if not folder.is_dir():
            self._put(RunDeleted(run))
            raise UsageError(f"The run {run} no longer exists: it was deleted.")
        return folder

    def _delete(self, run: str) -> None:
        delete(self._runs / run)
        self._put(RunDeleted(run))
