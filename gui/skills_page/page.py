"""The Skills page: all skills, the open one, its file, or one that is being made."""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tkinter.filedialog import askdirectory, askopenfilename
from typing import Final

from gui.kit.question_bar import DELETES, QuestionBar
from gui.kit.style import BACKGROUND, EDGE_PX, MUTED, NEAR_PX, SURFACE, TEXT, TONES, text_font
from gui.kit.tables import search_field
from gui.run.skill_goal import SkillGoal
from gui.skills_page.catalog import asked
from gui.skills_page.editor import SkillEditor
from gui.skills_page.model import (
    CheckStarted,
    CheckTicked,
    DeletionRequested,
    EditingLeft,
    ProposalLeft,
    ProposalRequested,
    RowsRead,
    SkillOpened,
    SkillsMessage,
    SkillsSearched,
    SkillsState,
    reduce_skills,
)
from gui.skills_page.proposal_view import ProposalView
from gui.skills_page.skill_view import SkillCallbacks, SkillView
from gui.skills_page.skills_list import SkillsList
from gui.skills_page.skills_thread import SkillsThread
from gui.toolkit import ctk

TICK_MS: Final = 500  # between two looks at the clock of a check
MIN_WRAP_PX: Final = 80
NOT_FOUND: Final = "No skill matches these words."
NONE_YET: Final = (
    "There are no skills yet. A skill is a run that went well, done again without a model, with other values if you "
    "like.\nLet the agent do it once on the Agent page, and press “Make a skill” on the last card."
)


@dataclass(frozen=True, slots=True)
class SkillUses:
    """What the window does with skills: `run` does one for each goal in turn, `open_run` shows where it came from.

    `run` also takes whether to use virtual desktops.
    """

    run: Callable[[tuple[SkillGoal, ...], bool], None]
    open_run: Callable[[str], None]


class SkillsPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Has a state of its own, which `handle` changes; `put` is called on other threads with messages for `handle`."""

    def __init__(self, master: tk.Misc, put: Callable[[SkillsMessage], None], profile: str, uses: SkillUses) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._thread, self._skills, self._uses = SkillsThread(put, profile), SkillsState(), uses
        self._all = ctk.CTkFrame(self, fg_color=BACKGROUND, corner_radius=0)
        self._all.grid_columnconfigure(0, weight=1)
        self._all.grid_rowconfigure(2, weight=1)
        self._search = search_field(self._all, self._searched, self._to_list, self._open_chosen)
        self._message = ctk.CTkLabel(self._all, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._list = SkillsList(self._all, self._entered, self._ask_delete)
        self._list.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0), pady=(0, NEAR_PX))
        self._empty = ctk.CTkLabel(self._list, text="", font=text_font(), text_color=MUTED, fg_color=SURFACE)
        self._question = QuestionBar(self._all, lambda: self._ask_delete(None), self._agree)
        self._one = SkillView(self, self._callbacks())
        self._editor = SkillEditor(self, self._write_text, self.leave)
        self._proposal = ProposalView(self, self._thread.save, self.leave)
        self._shown = self._all
        self._all.grid(row=0, column=0, sticky="nsew")
        tk.Misc.bind(self, "<Map>", lambda _event: self._thread.look())  # customtkinter would bind what is drawn in it
        self.handle(SkillsSearched(""))

    @property
    def alive(self) -> bool:
        """Whether a skill is still being checked."""
        return self._thread.alive

    def close(self) -> None:
        """Start nothing more, and stop the check."""
        self._thread.close()

    def propose(self, run: str) -> None:
        """Propose a skill made of a run."""
        self.handle(ProposalRequested(run))
        self._thread.propose(run)

    def enable(self, *, usable: bool) -> None:
        """Say whether a run can be started now."""
        self._one.enable(usable=usable)

    def take_focus(self) -> None:
        """Focus what a person types into next."""
        if self._shown is self._proposal:
            self._proposal.take_focus()
        elif self._shown is self._all:
            self._search.focus_set()
        elif self._shown is self._one:
            self._one.focus_set()

    def drop_question(self) -> bool:
        """Withdraw the question whether a skill is to be deleted; whether there was one."""
        asked = self._skills.confirming is not None
        if asked:
            self._ask_delete(None)
        return asked

    def leave(self) -> None:
        """Leave what was opened last."""
        if self._skills.editing:
            self.handle(EditingLeft())
        elif self._skills.proposal or self._skills.proposing:
            self.handle(ProposalLeft())
        elif self._skills.opened:
            self.handle(SkillOpened(None))

    def handle(self, message: SkillsMessage) -> None:
        """Handle a message and draw; rows that were read are run."""
        was, self._skills = self._skills, reduce_skills(self._skills, message)
        skills = self._skills
        if isinstance(message, RowsRead):
            self._uses.run(message.goals, message.virtual)
        if skills.entry and skills.entry.skill and (was.opened, was.entry) != (skills.opened, skills.entry):
            self._thread.show_pictures(skills.entry.name)
        self._show(skills)
        if was.confirming != skills.confirming or (was.opened and not skills.opened):
            self._list.take_focus()

    def fit(self, width: int, _height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._list.fit(width)
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._empty.configure(wraplength=max(MIN_WRAP_PX, width - 4 * EDGE_PX))
        self._question.fit(width - 2 * EDGE_PX)
        for view in (self._one, self._editor, self._proposal):
            view.fit(width)

    def _show(self, skills: SkillsState) -> None:
        if skills.editing:
            self._editor.draw(skills.editing)
        else:
            self._editor.forget()
        self._one.draw(skills)
        self._proposal.draw(skills)
        self._show_all(skills)
        self._turn_to(
            self._proposal
            if skills.proposal
            else self._editor
            if skills.editing
            else self._one
            if skills.entry
            else self._all
        )

    def _turn_to(self, view: ctk.CTkFrame) -> None:
        if view is not self._shown:
            self._shown.grid_remove()
            self._shown = view
            view.grid(row=0, column=0, sticky="nsew")
            if self.winfo_viewable() and view is not self._editor:  # which has the focus in its text
                self.take_focus()

    def _show_all(self, skills: SkillsState) -> None:
        self._list.draw(skills.found)
        waiting = "Reading the run …" if skills.proposing else "" if skills.entries is not None else "Loading …"
        message = skills.message or waiting
        failed = bool(skills.message) and skills.is_error
        self._message.configure(text=message, text_color=TONES["error"] if failed else TEXT)
        if message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        else:
            self._message.grid_remove()
        empty = "" if skills.entries is None or skills.found else NOT_FOUND if skills.entries else NONE_YET
        self._empty.configure(text=empty)
        if empty:
            self._empty.place(relx=0.5, rely=0.4, anchor="center")
        else:
            self._empty.place_forget()
        if skills.confirming:
            self._question.ask(DELETES.format(skills.confirming, ""))
            self._question.grid(row=3, column=0, sticky="ew", padx=EDGE_PX, pady=(0, EDGE_PX))
        else:
            self._question.grid_remove()

    def _callbacks(self) -> SkillCallbacks:
        return SkillCallbacks(
            back=self.leave,
            check=self._check,
            stop_check=self._thread.stop_check,
            edit=lambda: self._with_open(self._thread.read_text),
            export=self._export,
            delete=lambda: self._with_open(self._ask_delete_of_open),
            run=self._run,
            run_rows=self._run_rows,
            open_run=self._uses.open_run,
        )

    def _with_open(self, do: Callable[[str], None]) -> None:
        if self._skills.opened:
            do(self._skills.opened)

    def _ask_delete_of_open(self, name: str) -> None:
        """Ask below the list, where it is seen what else there is."""
        self.handle(SkillOpened(None))
        self._ask_delete(name)

    def _ask_delete(self, name: str | None) -> None:
        if name is None or name != self._skills.checking:
            self.handle(DeletionRequested(name))

    def _agree(self) -> None:
        if self._skills.confirming:
            self._thread.delete(self._skills.confirming)

    def _entered(self, name: str) -> None:
        """Open a skill on Enter or a click, or confirm that it is deleted."""
        if self._skills.confirming == name:
            self._agree()
        else:
            self.handle(SkillOpened(name))

    def _check(self) -> None:
        if self._skills.opened and not self._skills.checking:
            self.handle(CheckStarted(self._skills.opened))
            self._thread.check(self._skills.opened)
            self._tick()

    def _tick(self) -> None:
        """Tell the time that a check has taken."""
        if self._skills.checking:
            self.handle(CheckTicked(self._thread.seconds))
            self.after(TICK_MS, self._tick)

    def _run(self, given: Mapping[str, str], virtual: bool) -> None:  # noqa: FBT001 - what the switch says
        entry = self._skills.entry
        if entry and entry.skill:
            self._uses.run((asked(entry.skill, given),), virtual)

    def _run_rows(self, given: Mapping[str, str], virtual: bool) -> None:  # noqa: FBT001 - as above
        try:
            chosen = askopenfilename(
                parent=self, title="Rows to run it for", filetypes=(("CSV files", "*.csv"), ("All files", "*"))
            )
        except tk.TclError:  # the window, and the dialog with it, was closed meanwhile
            return
        if chosen and self._skills.opened:
            self._thread.read_rows(self._skills.opened, Path(chosen), given, virtual=virtual)

    def _export(self) -> None:
        try:
            chosen = askdirectory(parent=self, title="Export into this folder")
        except tk.TclError:  # as above
            return
        if chosen and self._skills.opened:
            self._thread.export(self._skills.opened, Path(chosen))

    def _write_text(self, text: str) -> None:
        if self._skills.editing:
            self._thread.write_text(self._skills.editing.name, text)

    def _to_list(self) -> None:
        self._list.take_focus()

    def _open_chosen(self) -> None:
        self._list.open_chosen()

    def _searched(self) -> None:
        if (words := self._search.get()) != self._skills.search:
            self.handle(SkillsSearched(words))
