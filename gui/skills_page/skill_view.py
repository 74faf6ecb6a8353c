"""An open skill: what it does, the form to run it, its check, and its steps."""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gui.kit.buttons import PLAIN, PRIMARY, Button, LinkButton
from gui.kit.scrolling import ScrollArea
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    TONES,
    small_font,
    strong_font,
    text_font,
)
from gui.kit.switch import ToggleSwitch
from gui.skills_page.catalog import CONDITIONS, SkillEntry, lines_of
from gui.skills_page.check_card import CheckCard
from gui.skills_page.model import SkillsState
from gui.skills_page.step_strip import StepStrip
from gui.skills_page.value_fields import ValueField
from gui.toolkit import ctk

if TYPE_CHECKING:
    from mark_i.skills import Skill

BACK_PX: Final = 120  # width of the button before the name
SCROLLBAR_PX: Final = 24
MIN_WRAP_PX: Final = 80
SMALL: Final = {"width": 0, "height": 28}
HERE: Final = "Run on this desktop instead of a virtual one"
EMPTY: Final = "A field that stays empty has the value of the run that the skill was made from."
ROWS: Final = "Run rows of a CSV file…"
CHANGING: Final = ("Edit", "Delete")  # the buttons that are disabled during a check


@dataclass(frozen=True, slots=True)
class SkillCallbacks:
    """What a person does with a skill.

    Attributes:
        run: takes the values of the form, and whether to use a virtual desktop; so does `run_rows`.
        open_run: takes the name of a run.
    """

    back: Callable[[], None]
    check: Callable[[], None]
    stop_check: Callable[[], None]
    edit: Callable[[], None]
    export: Callable[[], None]
    delete: Callable[[], None]
    run: Callable[[Mapping[str, str], bool], None]
    run_rows: Callable[[Mapping[str, str], bool], None]
    open_run: Callable[[str], None]


class SkillView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the open skill."""

    def __init__(self, master: tk.Misc, callbacks: SkillCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._callbacks, self._entry, self._width = callbacks, SkillEntry("", "draft"), 0
        self._usable = True
        self._header()
        self._message = ctk.CTkLabel(self, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._area = ScrollArea(self)
        self._area.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0))
        self._body: SkillBody | None = None

    def draw(self, skills: SkillsState) -> None:
        """Show the skill; its form is rebuilt only for another skill, so that what was filled in stays."""
        entry, was = skills.entry, self._entry
        if entry is None:
            return
        if entry != was:
            self._entry = entry
            self._draw_header(entry)
        if self._body is None or (entry.name, entry.skill) != (was.name, was.skill):
            self._make_body(entry)
        if self._body:
            self._body.draw(skills, usable=self._usable)
        self._enable(checking=skills.checking)
        self._message.configure(text=skills.message, text_color=TONES["error"] if skills.is_error else TEXT)
        if skills.message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        else:
            self._message.grid_remove()

    def enable(self, *, usable: bool) -> None:
        """Say whether a run can be started now."""
        self._usable = usable
        if self._body:
            self._body.enable(usable=usable)

    def fit(self, width: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._width = width
        self._title.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX - BACK_PX))
        self._state.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        if self._body:
            self._body.fit(width - EDGE_PX - SCROLLBAR_PX)

    def _make_body(self, entry: SkillEntry) -> None:
        if self._body:
            self._body.destroy()
            self._body = None
        if entry.skill:
            self._body = SkillBody(self._area.content, entry.skill, self._callbacks)
            self._body.grid(row=0, column=0, sticky="ew")
            self._body.fit(self._width - EDGE_PX - SCROLLBAR_PX)
        self._area.to_top()
        self.focus_set()  # Tab comes to Back then

    def _header(self) -> None:
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew", pady=(0, GAP_PX))
        header.grid_columnconfigure(1, weight=1)
        back = Button(header, "Back", PLAIN, self._callbacks.back)
        back.grid(row=0, column=0, sticky="w", padx=(EDGE_PX, GAP_PX), pady=(GAP_PX, NEAR_PX))
        self._title = ctk.CTkLabel(header, text="", font=strong_font(), text_color=TEXT, height=0, justify="left")
        self._title.grid(row=0, column=1, sticky="w", padx=(0, EDGE_PX), pady=(GAP_PX, NEAR_PX))
        self._state = ctk.CTkLabel(header, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._state.grid(row=1, column=0, columnspan=2, sticky="w", padx=EDGE_PX, pady=(0, NEAR_PX))
        row = ctk.CTkFrame(header, fg_color="transparent")
        row.grid(row=2, column=0, columnspan=2, sticky="w", padx=EDGE_PX, pady=(0, GAP_PX))
        done = self._callbacks
        works = {"Check": done.check, "Edit": done.edit, "Export": done.export, "Delete": done.delete}
        shape = {**SMALL, "font": small_font()}
        self._buttons = {text: Button(row, text, PLAIN, work, shape) for text, work in works.items()}
        for column, button in enumerate(self._buttons.values()):
            button.grid(row=0, column=column, padx=(NEAR_PX if column else 0, 0))

    def _draw_header(self, entry: SkillEntry) -> None:
        self._title.configure(text=entry.name)
        tone, told = CONDITIONS[entry.condition]
        self._state.configure(text=f"● {' '.join(filter(None, (told, entry.why)))}", text_color=TONES[tone])

    def _enable(self, *, checking: str | None) -> None:
        """Disable what cannot be done now: only one skill is checked at a time, and that one stays as it is."""
        here = checking == self._entry.name
        whole = self._entry.skill is not None
        for text, button in self._buttons.items():
            usable = {"Check": whole and checking is None, "Export": whole}.get(text, True)
            button.enable(usable=usable and not (here and text in CHANGING))


class SkillBody(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What of a skill is read and filled in."""

    def __init__(self, master: tk.Misc, skill: "Skill", callbacks: SkillCallbacks) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._skill, self._callbacks, self._rows = skill, callbacks, 0
        self._lines = lines_of(skill)
        self._labels = [self._text(skill.goal, text_font())]
        self._origin()
        self._check = self._put(CheckCard(self, callbacks.stop_check))
        self._check.grid_remove()
        self._text("Run it", strong_font())
        if skill.parameters:
            self._labels.append(self._text(EMPTY, small_font(), MUTED))
        self._fields = [self._put(ValueField(self, one, self._run)) for one in skill.parameters]
        self._here = self._put(ToggleSwitch(self, HERE))
        row = self._put(ctk.CTkFrame(self, fg_color="transparent"), sticky="w")
        self._starting = [Button(row, "Run", PRIMARY, self._run)]
        if skill.parameters:
            self._starting.append(Button(row, ROWS, PLAIN, self._run_rows))
        for column, button in enumerate(self._starting):
            button.grid(row=0, column=column, padx=(NEAR_PX if column else 0, 0))
        self._text("Steps", strong_font())
        self._strip = self._put(StepStrip(self))

    def draw(self, skills: SkillsState, *, usable: bool) -> None:
        """Show the pictures that were read, and the check."""
        self._strip.draw(self._lines, skills.pictures)
        self.enable(usable=usable)
        check = skills.check
        if check and check.name == self._skill.name:
            self._check.draw(check)
            self._check.grid()
        else:
            self._check.grid_remove()

    def enable(self, *, usable: bool) -> None:
        """Say whether a run can be started now."""
        for button in self._starting:
            button.enable(usable=usable)

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in self._labels:
            label.configure(wraplength=max(MIN_WRAP_PX, width))
        for field in self._fields:
            field.fit(width)
        self._check.fit(width)

    def _origin(self) -> None:
        """Say which run it was made from, with the way there."""
        origin = self._skill.made_from
        if not origin.run:
            return
        row = self._put(ctk.CTkFrame(self, fg_color="transparent"), sticky="w")
        made = f"Made on {origin.made} from the run" if origin.made else "Made from the run"
        ctk.CTkLabel(row, text=made, font=small_font(), text_color=MUTED, height=0).grid(row=0, column=0)
        LinkButton(row, origin.run, lambda: self._callbacks.open_run(origin.run)).grid(row=0, column=1)

    def _given(self) -> dict[str, str] | None:
        """Return what was filled in; None, with the focus on the first fault, if something is not of its type."""
        faulty = [field for field in self._fields if not field.tell()]
        if faulty:
            faulty[0].ask()
            return None
        return {field.parameter.name: value for field in self._fields if (value := field.value) is not None}

    def _run(self) -> None:
        if (given := self._given()) is not None:
            self._callbacks.run(given, not self._here.get())

    def _run_rows(self) -> None:
        if (given := self._given()) is not None:
            self._callbacks.run_rows(given, not self._here.get())

    def _text(self, text: str, font: ctk.CTkFont, color: tuple[str, str] = TEXT) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=text, font=font, text_color=color, height=0, justify="left", anchor="w")
        return self._put(label, sticky="w")

    def _put(self, widget: ctk.CTkBaseClass, sticky: str = "ew") -> ctk.CTkBaseClass:
        widget.grid(row=self._rows, column=0, sticky=sticky, pady=(0, GAP_PX))
        self._rows += 1
        return widget
