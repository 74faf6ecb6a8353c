"""A conversation: runs in turn that share a virtual desktop and know what was said before."""

from collections.abc import Mapping
from dataclasses import replace

from mark_i.assembly.desktops import SharedDesktop, desktop_for
from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.schema_choice import with_schema
from mark_i.brain import told_of
from mark_i.config.paths import runs_folder
from mark_i.runs.follow_up import continued, exchanges, exchanges_before, goals_done, goals_done_before
from mark_i.runs.store import RESUMABLE
from toolbelt.result_schema import ResultSchema
from world_model import Run, Size


def following(config: RunConfig, before: Run) -> RunConfig:
    """Return what a run is made of that follows up on another."""
    brain = told_of(config.brain, goals_done(before))
    return replace(config, brain=brain, earlier=exchanges(before), continues=before.folder.name)


def resuming(config: RunConfig, run: Run) -> RunConfig:
    """Return what a run is made of that is resumed, with its schema, and what it knew of the runs before it.

    Raises:
        UsageError: its brain is another one now, which cannot fill the schema.
    """
    schema = recorded(run).get("schema")
    if schema is not None:
        config = with_schema(config, ResultSchema(schema))
    return replace(
        config,
        brain=told_of(config.brain, goals_done_before(run)),
        earlier=exchanges_before(run),
        continues=recorded(run).get("continues"),
    )


class Conversation:
    """The runs of a profile that follow on one another; one goes on at a time.

    Attributes:
        run: The name of the newest run; None before the first.
    """

    def __init__(self, profile: str, run: str | None = None) -> None:
        self._profile = profile
        self.run = run
        self._desktop: SharedDesktop | None = None

    def joined(self, config: RunConfig, virtual: Size | None) -> RunConfig:
        """Return what the next run is made of: it knows what was said, and works on the desktop of the one before.

        Args:
            config: What it would be by itself.
            virtual: The size of the virtual desktop; None for the user's own.

        Raises:
            UsageError: The newest run is still running.
            JournalError: The newest run cannot be read.
        """
        size, notice = desktop_for(virtual)
        if size and self._desktop is None:
            self._desktop = SharedDesktop(size)
        notices = (*config.notices, *filter(None, [notice]))
        config = replace(config, virtual=size, shared=self._desktop if size else None, notices=notices)
        if config.resumed:
            return resuming(config, config.resumed)
        before = self._newest()
        return following(config, before) if before else config

    def unfinished(self) -> Run | None:
        """Return the newest run if it can be resumed.

        Raises:
            UsageError: It is still running.
            JournalError: It cannot be read.
        """
        newest = self._newest()
        ended = newest.about.get("outcome") if newest else None
        return newest if (ended.get("outcome") if isinstance(ended, Mapping) else None) in RESUMABLE else None

    def _newest(self) -> Run | None:
        runs = runs_folder(self._profile)
        if self.run is None or not (runs / self.run).is_dir():  # what was deleted is not told
            return None
        return continued(runs, self.run)

    def unsaved(self) -> tuple[str, ...]:
        """Return the titles of the windows on its virtual desktop that say that they hold something unsaved."""
        return self._desktop.unsaved() if self._desktop else ()

    def close_windows(self) -> tuple[str, ...]:
        """Ask every window on its virtual desktop to close; return the titles of those that are left."""
        return self._desktop.close_windows() if self._desktop else ()

    def close(self) -> None:
        """End the virtual desktop, and what runs on it."""
        desktop, self._desktop = self._desktop, None
        if desktop:
            desktop.close()
