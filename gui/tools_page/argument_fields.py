"""The form to try a tool: a field for each argument, and switches; all of it works with the keyboard."""

import tkinter as tk
from collections.abc import Callable
from typing import Any, Final

import customtkinter as ctk

from gui.kit.style import (
    ACCENT,
    FIELD_BORDER,
    MUTED,
    NEAR_PX,
    SCROLLBAR,
    SURFACE,
    TEXT,
    code_font,
    combobox_style,
    highlight_on_focus,
    small_font,
    strong_font,
    text_font,
)
from gui.tools_page.arguments import Argument

HEIGHT_PX: Final = 34
LINES_PX: Final = 54  # height of a field with several lines
SWITCH_PX: Final = 40
MIN_WRAP_PX: Final = 80


class ToggleSwitch(ctk.CTkSwitch):  # type: ignore[misc]  # customtkinter has no types
    """A switch that Tab reaches and that Space and Return toggle; it has a ring while it has the focus."""

    def __init__(self, master: tk.Misc, text: str, command: Callable[[bool], None] | None = None) -> None:
        super().__init__(
            master,
            text=text,
            width=SWITCH_PX,
            height=24,
            font=text_font(),
            text_color=TEXT,
            text_color_disabled=MUTED,
            fg_color=SCROLLBAR,
            progress_color=ACCENT,
            button_color=TEXT,  # its knob reaches the edge: a white one would be invisible on the background
            button_hover_color=TEXT,
            border_width=2,
            command=lambda: command(bool(self.get())) if command else None,
        )
        for key in ("<space>", "<Return>"):
            self._canvas.bind(key, self._press)
        self._canvas.bind("<FocusIn>", lambda _event: self.configure(border_color=TEXT))
        self._canvas.bind("<FocusOut>", lambda _event: self.configure(border_color="transparent"))
        self._canvas.configure(takefocus=True)

    def turn(self, *, on: bool, usable: bool = True) -> None:
        """Set it, without calling its command."""
        (self.select if on else self.deselect)()
        self.configure(state="normal" if usable else "disabled")
        self._canvas.configure(takefocus=usable)

    def _press(self, _event: Any) -> str:  # noqa: ANN401 - Tk's events
        self.toggle()
        return "break"


class ChoiceBox(ctk.CTkComboBox):  # type: ignore[misc]  # customtkinter has no types
    """One of a few values, chosen by mouse or with Up and Down."""

    def __init__(self, master: tk.Misc, values: tuple[str, ...]) -> None:
        super().__init__(master, values=list(values), width=220, height=HEIGHT_PX, **combobox_style(), state="readonly")
        self._all = values
        self.bind("<Button-1>", self._clicked)
        self.bind("<Up>", lambda _event: self._turn(-1))
        self.bind("<Down>", lambda _event: self._turn(1))
        highlight_on_focus(self)
        self.set(values[0])

    def _turn(self, by: int) -> None:
        self.set(self._all[max(0, min(len(self._all) - 1, self._all.index(self.get()) + by))])


class ArgumentField(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """One argument: its name, its description, and its field. `text` is what was typed."""

    def __init__(self, master: tk.Misc, argument: Argument, done: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self.argument = argument
        name = ctk.CTkLabel(self, text=argument.name, font=strong_font(), text_color=TEXT, height=0)
        name.grid(row=0, column=0, sticky="w")
        self._labels = [self._label(argument.message, code_font(), 1)]
        if argument.about:
            self._labels.append(self._label(argument.about, small_font(), 2))
        self._field = self._made(argument, done)
        self._field.grid(row=3, column=0, sticky="w" if argument.choices or argument.number else "ew", pady=(4, 0))

    @property
    def text(self) -> str:
        """What was typed."""
        field = self._field
        return str(field.get("1.0", "end-1c") if isinstance(field, ctk.CTkTextbox) else field.get())

    def ask(self) -> None:
        """Focus the field."""
        self._field.focus_set()

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in self._labels:
            label.configure(wraplength=max(MIN_WRAP_PX, width))

    def _label(self, text: str, font: ctk.CTkFont, row: int) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=text, font=font, text_color=MUTED, height=0, justify="left", anchor="w")
        label.grid(row=row, column=0, sticky="w", pady=(2, 0))
        return label

    def _made(self, argument: Argument, done: Callable[[], None]) -> ctk.CTkBaseClass:
        if argument.choices:
            empty = ("",) if argument.default is not None else ()
            return ChoiceBox(self, (*empty, *argument.choices))
        look = {
            "font": code_font(),
            "text_color": TEXT,
            "fg_color": SURFACE,
            "border_color": FIELD_BORDER,
            "border_width": 1,
        }
        if argument.number:
            field = ctk.CTkEntry(self, width=220, height=HEIGHT_PX, **look)
            field.bind("<Return>", lambda _event: done())
        else:
            field = ctk.CTkTextbox(self, height=LINES_PX, corner_radius=NEAR_PX, wrap="word", undo=True, **look)
            field.bind("<Tab>", _go_on)
            field.bind("<Control-Return>", lambda _event: _instead(done))
        highlight_on_focus(field)
        return field


def _go_on(event: "tk.Event[Any]") -> str:
    """Leave the field on Tab, as any other field."""
    event.widget.tk.call("tk::TabToWindow", event.widget.tk_focusNext())
    return "break"


def _instead(work: Callable[[], None]) -> str:
    """Call `work` instead of what the key does to a text."""
    work()
    return "break"
