"""The Fleets page: the fleet that is open, with a wall of small live pictures, or how to begin one."""

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter.filedialog import askdirectory, askopenfilename
from typing import TYPE_CHECKING, Final

from gui.fleet_page.fleet_header import FleetCallbacks, FleetHeader
from gui.fleet_page.fleet_thread import FleetThread
from gui.fleet_page.model import (
    FleetMessage,
    FleetReportRequested,
    FleetStarted,
    FleetState,
    StopRequested,
    reduce_fleet,
)
from gui.fleet_page.wall import Wall
from gui.kit.question_bar import QuestionBar
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX, MUTED, NEAR_PX, TEXT, TONES, small_font, text_font
from gui.kit.texts import shorten
from gui.toolkit import ctk
from mark_i.config import runs_folder

if TYPE_CHECKING:
    from mark_i.fleet import RunNow

MIN_WRAP_PX: Final = 80
SAID_CHARS: Final = 240  # of the final words of the chosen run
NONE_YET: Final = (
    "A fleet runs many goals, each on a virtual desktop of its own, some at a time. Write the goals into a file, as "
    "docs/fleets.md shows, and run it; or open the folder of a fleet that was begun in a terminal."
)
STARTING: Final = "Starting {} …"
STOPS: Final = "A fleet that was begun here is still running. Stop it, and close the window?"
ANSWERS: Final = "Keep it running", "Stop it"
WRITING: Final = "Writing the report …"


class FleetsPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Has a state of its own, which `handle` changes.

    `put` is called on other threads with messages for `handle`, `open_run` with the name of a run, and `show` when
    something is asked on this page.
    """

    def __init__(
        self,
        master: tk.Misc,
        put: Callable[[FleetMessage], None],
        profile: str,
        open_run: Callable[[str], None],
        show: Callable[[], None],
    ) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._thread, self._fleet, self._open_run = FleetThread(put, profile), FleetState(), open_run
        self._to_this_page = show
        self._then: Callable[[], None] | None = None
        callbacks = FleetCallbacks(self._run, self._open, self._stop, self._go_on, self._report)
        self._header = FleetHeader(self, callbacks)
        self._header.grid(row=0, column=0, sticky="ew")
        self._message = ctk.CTkLabel(self, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._empty = ctk.CTkLabel(self, text=NONE_YET, font=text_font(), text_color=MUTED, justify="left")
        self._wall = Wall(self, runs_folder(profile), self._clicked, self._chosen)
        self._words = ctk.CTkLabel(
            self, text="", font=small_font(), text_color=MUTED, height=0, justify="left", anchor="w"
        )
        self._question = QuestionBar(self, lambda: self._answer(stop=False), lambda: self._answer(stop=True), ANSWERS)
        tk.Misc.bind(self, "<Map>", lambda _event: self._thread.show(visible=True))  # as on the Skills page
        tk.Misc.bind(self, "<Unmap>", lambda _event: self._thread.show(visible=False))
        self._show()

    @property
    def alive(self) -> bool:
        """Whether a fleet that was begun here still runs."""
        return self._thread.alive

    def leave(self, then: Callable[[], None]) -> None:
        """Do what closes the window, once no fleet that was begun here runs or the person agrees to stop it."""
        if not self._thread.alive:
            then()
            return
        self._then = then
        self._question.ask(STOPS)
        self._question.grid(row=4, column=0, sticky="ew", padx=EDGE_PX, pady=(0, EDGE_PX))
        self._to_this_page()
        self._question.focus_set()

    def drop_question(self) -> bool:
        """Keep the window open; whether that was asked."""
        asked = self._then is not None
        self._answer(stop=False)
        return asked

    def close(self) -> None:
        """Stop the fleets that were begun here."""
        self._thread.close()
        self._wall.close()

    def take_focus(self) -> None:
        """Focus the wall, or the page, from which Tab comes to its buttons."""
        if self._fleet.now:
            self._wall.take_focus()
        else:
            self.focus_set()

    def handle(self, message: FleetMessage) -> None:
        """Handle a message and draw."""
        was, self._fleet = self._fleet, reduce_fleet(self._fleet, message)
        if was.folder != self._fleet.folder:
            self._wall.to_top()
        self._show()
        if was.now is None and self._fleet.now and self.winfo_viewable():
            self.take_focus()

    def fit(self, width: int, _height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._header.fit(width)
        self._empty.configure(wraplength=max(MIN_WRAP_PX, width - 4 * EDGE_PX))
        for label in (self._message, self._words):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._question.fit(width - 2 * EDGE_PX)

    def _answer(self, *, stop: bool) -> None:
        then, self._then = self._then, None
        self._question.grid_remove()
        if stop and then:
            then()

    def _show(self) -> None:
        fleet = self._fleet
        self._header.draw(fleet)
        waiting = STARTING.format(fleet.starting.name) if fleet.starting else WRITING if fleet.reporting else ""
        message = waiting or fleet.message
        failed = fleet.is_error and not waiting
        self._message.configure(text=message, text_color=TONES["error"] if failed else TEXT)
        if message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(GAP_PX, 0))
        else:
            self._message.grid_remove()
        if fleet.now:
            self._empty.grid_remove()
            self._wall.draw(fleet.runs)
            self._wall.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0), pady=(GAP_PX, 0))
            self._words.grid(row=3, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        else:
            self._empty.grid(row=2, column=0, padx=EDGE_PX)

    def _run(self) -> None:
        chosen = self._asked(
            lambda: askopenfilename(
                parent=self, title="Run a fleet", filetypes=(("Fleet files", "*.toml"), ("All files", "*"))
            )
        )
        if chosen:
            self.handle(FleetStarted(chosen))
            self._thread.run(chosen)

    def _open(self) -> None:
        if chosen := self._asked(lambda: askdirectory(parent=self, title="Open the folder of a fleet", mustexist=True)):
            self._thread.watch(chosen)

    def _asked(self, ask: Callable[[], str]) -> Path | None:
        """Return the path that a person chooses; None if they choose none."""
        try:
            chosen = ask()
        except tk.TclError:  # the window, and the dialog with it, was closed meanwhile
            return None
        return Path(chosen) if chosen else None

    def _stop(self) -> None:
        if self._fleet.folder and self._fleet.running:
            self.handle(StopRequested())
            self._thread.stop(self._fleet.folder)

    def _go_on(self) -> None:
        if self._fleet.folder and self._fleet.now and self._fleet.goes_on:
            file = Path(self._fleet.now.file)
            self.handle(FleetStarted(file))
            self._thread.run(file, self._fleet.folder)

    def _report(self) -> None:
        if self._fleet.folder:
            self.handle(FleetReportRequested())
            self._thread.report(self._fleet.folder)

    def _clicked(self, run: "RunNow") -> None:
        if run.run:
            self._open_run(run.run)

    def _chosen(self, run: "RunNow | None") -> None:
        """Say below the wall how the run ended that is pointed at; the line is there in any case."""
        told = " · ".join(filter(None, (run.title, run.told, " ".join(run.said.split())))) if run else ""
        self._words.configure(text=shorten(told, SAID_CHARS) or " ")
