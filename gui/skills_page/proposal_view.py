"""A skill that is being made: its name, its parameters to change, its steps, and what of the run it leaves out."""

import tkinter as tk
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, get_args

from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.checkbox import CheckBox
from gui.kit.fields import HEIGHT_PX, ChoiceBox, text_field
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
from gui.kit.texts import LINE_CHARS, shorten
from gui.skills_page.catalog import lines_of
from gui.skills_page.model import Proposal, SkillsState
from gui.skills_page.step_strip import StepStrip
from gui.toolkit import ctk
from world_model import UsageError

if TYPE_CHECKING:
    from mark_i.skills import Parameter, Skill

SCROLLBAR_PX: Final = 24
MIN_WRAP_PX: Final = 80
BUTTONS_PX: Final = 240  # width of both buttons beside the caption
NAME_PX, TYPE_PX = 170, 100
FIXED: Final = "No value of this run stands in its goal or is the path of a file, so all of them stay as they were."
VALUES: Final = "Values that may be others next time. What is not checked stays as it was."

Save = Callable[[Proposal, str, "list[Parameter]"], None]


class ProposalView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `save` with the proposal, the name and the parameters that the person wants, or `leave`."""

    def __init__(self, master: tk.Misc, save: Save, leave: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._save_as, self._width, self._fault = save, 0, ""
        self._proposal: Proposal | None = None
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew", pady=(0, GAP_PX))
        header.grid_columnconfigure(1, weight=1)
        Button(header, "Cancel", PLAIN, leave).grid(row=0, column=0, padx=(EDGE_PX, GAP_PX), pady=GAP_PX)
        self._caption = ctk.CTkLabel(
            header, text="", font=strong_font(), text_color=TEXT, height=0, justify="left", anchor="w"
        )
        self._caption.grid(row=0, column=1, sticky="w")
        self._save = Button(header, "Save", PRIMARY, self._done)
        self._save.grid(row=0, column=2, padx=EDGE_PX, pady=GAP_PX)
        self._message = ctk.CTkLabel(self, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._area = ScrollArea(self)
        self._area.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0))
        self._body: ProposalBody | None = None

    def draw(self, skills: SkillsState) -> None:
        """Show the proposal; its form is made once, so that what was changed stays."""
        proposal = skills.proposal
        if proposal is not self._proposal:
            self._proposal, self._fault = proposal, ""
            self._save.enable(usable=True)
            if self._body:
                self._body.destroy()
                self._body = None
            if proposal:
                self._caption.configure(text=f"A skill from the run {proposal.run}")
                self._body = ProposalBody(self._area.content, proposal, self._told, self._done)
                self._body.grid(row=0, column=0, sticky="ew")
                self._body.fit(self._width - EDGE_PX - SCROLLBAR_PX)
                self._area.to_top()
        if proposal:
            self._say(self._fault or skills.message)

    def take_focus(self) -> None:
        """Focus the name."""
        if self._body:
            self._body.take_focus()

    def fit(self, width: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._width = width
        self._caption.configure(wraplength=max(MIN_WRAP_PX, width - BUTTONS_PX))
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        if self._body:
            self._body.fit(width - EDGE_PX - SCROLLBAR_PX)

    def _told(self, fault: str) -> None:
        """Say what is wrong with the parameters, without which nothing can be saved."""
        self._fault = fault
        self._say(fault)
        self._save.enable(usable=not fault)

    def _say(self, message: str) -> None:
        self._message.configure(text=message, text_color=TONES["error"])
        if message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        else:
            self._message.grid_remove()

    def _done(self) -> None:
        if self._body and self._proposal and (parameters := self._body.parameters()) is not None:
            self._save_as(self._proposal, self._body.name, parameters)


class ProposalBody(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What of a proposal is read and changed. `tell` is called with what is wrong with the parameters, or nothing."""

    def __init__(
        self, master: tk.Misc, proposal: Proposal, tell: Callable[[str], None], done: Callable[[], None]
    ) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._proposal, self._tell, self._rows = proposal, tell, 0
        compiled = proposal.compiled
        self._text("Name", small_font(), MUTED)
        self._field = text_field(self, 2 * NAME_PX)
        self._field.insert(0, proposal.name)
        self._field.bind("<Return>", lambda _event: done())
        self._put(self._field, "w")
        self._text("Parameters", strong_font())
        self._labels = [self._text(VALUES if compiled.proposed else FIXED, small_font(), MUTED)]
        self._fields = [self._put(ParameterRow(self, one, self._changed)) for one in compiled.proposed]
        self._text("Steps", strong_font())
        self._strip = self._put(StepStrip(self))
        if compiled.dropped:
            self._text("Left out", strong_font())
            self._labels.append(self._text(_left_out(proposal), text_font(), MUTED))
        self._show_steps(compiled.skill)

    @property
    def name(self) -> str:
        """The name that was typed."""
        return str(self._field.get()).strip()

    def parameters(self) -> "list[Parameter] | None":
        """Return the parameters that are wanted; None, once it is told, if something is wrong with them."""
        try:
            wanted = [parameter for field in self._fields if (parameter := field.parameter())]
            self._show_steps(self._proposal.compiled.named(self._proposal.name, wanted))
        except UsageError as error:
            self._tell(str(error))
            return None
        self._tell("")
        return wanted

    def take_focus(self) -> None:
        """Focus the name."""
        self._field.focus_set()

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in self._labels:
            label.configure(wraplength=max(MIN_WRAP_PX, width))
        for field in self._fields:
            field.fit(width)

    def _changed(self) -> None:
        """Tell the steps with the parameters as they are now."""
        self.parameters()

    def _show_steps(self, skill: "Skill") -> None:
        self._strip.draw(lines_of(skill), self._proposal.pictures)

    def _text(self, text: str, font: ctk.CTkFont, color: tuple[str, str] = TEXT) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=text, font=font, text_color=color, height=0, justify="left", anchor="w")
        return self._put(label, "w")

    def _put(self, widget: ctk.CTkBaseClass, sticky: str = "ew") -> ctk.CTkBaseClass:
        widget.grid(row=self._rows, column=0, sticky=sticky, pady=(0, NEAR_PX))
        self._rows += 1
        return widget


class ParameterRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """One value of the run: whether it may be another, under which name, and of which type."""

    def __init__(self, master: tk.Misc, proposed: "Parameter", changed: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        from mark_i.skills import ParameterType  # noqa: PLC0415 - the window comes up without it

        self._example = proposed.example
        self._wanted = CheckBox(self, "", changed)
        self._wanted.configure(width=0)
        self._wanted.select()
        self._wanted.grid(row=0, column=0)
        self._field = text_field(self, NAME_PX)
        self._field.insert(0, proposed.name)
        self._field.bind("<KeyRelease>", lambda _event: changed())
        self._field.grid(row=0, column=1, padx=(0, NEAR_PX))
        self._type = ChoiceBox(self, get_args(ParameterType), (TYPE_PX, HEIGHT_PX), changed)
        self._type.set(proposed.type)
        self._type.grid(row=0, column=2)
        value = shorten(" ".join(proposed.example.split()), LINE_CHARS)
        self._value = ctk.CTkLabel(
            self, text=value, font=text_font(), text_color=MUTED, height=0, justify="left", anchor="w"
        )

    def parameter(self) -> "Parameter | None":
        """Return the parameter, as it was changed; None if the value stays as it was.

        Raises:
            UsageError: it cannot have that name, or the value is not of that type.
        """
        from mark_i.skills import parameter  # noqa: PLC0415 - as above

        if not self._wanted.checked:
            return None
        return parameter(str(self._field.get()).strip(), self._type.get(), self._example)

    def fit(self, width: int) -> None:
        """Put the value beside the rest where there is room, else below."""
        taken = NAME_PX + TYPE_PX + 3 * EDGE_PX + 2 * NEAR_PX
        beside = width - taken >= NAME_PX
        place = {"row": 0, "column": 3} if beside else {"row": 1, "column": 1, "columnspan": 2}
        self._value.grid_forget()
        self._value.grid(**place, sticky="w", padx=(NEAR_PX if beside else 0, 0), pady=(0 if beside else 2, 0))
        self._value.configure(wraplength=max(MIN_WRAP_PX, width - taken if beside else width - 3 * EDGE_PX))


def _left_out(proposal: Proposal) -> str:
    from mark_i.skills import WHY  # noqa: PLC0415 - as above

    return "\n".join(f"Step {one.index}, since {WHY[one.why]}." for one in proposal.compiled.dropped)
