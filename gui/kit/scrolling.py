"""A column of widgets that scrolls by wheel and page keys, and keeps the focused widget visible.

customtkinter's own scrollable frame has neither the page keys nor scrolling to the focus.
"""

import tkinter as tk
from typing import Any, Final

from gui.kit.style import BACKGROUND, MUTED, SCROLLBAR
from gui.toolkit import ctk

NOTCH_PX: Final = 60  # that one notch of the wheel scrolls
MARGIN_PX: Final = 60  # kept visible above and below the focused widget: its label and its explanation


class ScrollArea(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """A scrollable area; put widgets into `content`."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._view = tk.Canvas(self, highlightthickness=0, borderwidth=0, yscrollincrement=1, height=1, takefocus=False)
        self._view.grid(row=0, column=0, sticky="nsew")
        self._bar = ctk.CTkScrollbar(self, command=self._view.yview, fg_color=BACKGROUND)
        self._bar.grid(row=0, column=1, sticky="ns")
        self._view.configure(yscrollcommand=self._bar.set)
        self.content = tk.Frame(self._view)
        self.content.grid_columnconfigure(0, weight=1)
        self._window = self._view.create_window(0, 0, window=self.content, anchor="nw")
        self._view.bind("<Configure>", self._fit)
        self.content.bind("<Configure>", self._fit)
        self.content.bind("<Unmap>", self._fit)  # it shrank out of view: Tk hides it then, and reports no size
        self._color_view()
        self._listen()

    def to_top(self) -> None:
        """Scroll to the top."""
        self._view.yview_moveto(0.0)

    def ask_for_all(self) -> None:
        """Ask for as much height as all of the content takes."""
        self.update_idletasks()
        self._view.configure(height=self.content.winfo_reqheight())

    def see(self, widget: tk.Misc) -> None:
        """Scroll a widget of `content` into view once the layout is done."""
        self.after_idle(self._show, widget)

    def _show(self, widget: tk.Misc) -> None:
        if not self._holds(widget) or not widget.winfo_exists():
            return
        top = widget.winfo_rooty() - self.content.winfo_rooty() - MARGIN_PX
        bottom = top + widget.winfo_height() + 2 * MARGIN_PX
        above, height = int(self._view.canvasy(0)), self._view.winfo_height()
        if top < above or height < bottom - top:
            self._view.yview_scroll(top - above, "units")
        elif bottom > above + height:
            self._view.yview_scroll(bottom - above - height, "units")

    def _listen(self) -> None:
        """Bind the wheel while the pointer is over this area, the page keys while it is visible, and focus changes."""
        window = self.winfo_toplevel()
        for sequence in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            window.bind(sequence, self._by_wheel, add="+")
        window.bind("<Prior>", lambda _event: self._by_page(-1), add="+")
        window.bind("<Next>", lambda _event: self._by_page(1), add="+")
        window.bind("<FocusIn>", self._focused, add="+")

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._color_view()

    def _color_view(self) -> None:
        color = self._apply_appearance_mode(BACKGROUND)
        self._view.configure(background=color)
        self.content.configure(background=color)

    def _fit(self, _event: object) -> None:
        """Fit the content to the view. The scrollbar stays in the grid: without it, Tk 8.6 loses the canvas."""
        seen, height = self._view.winfo_height(), self.content.winfo_reqheight()
        self._view.itemconfigure(self._window, width=self._view.winfo_width())
        self._view.configure(scrollregion=(0, 0, 1, max(seen, height)))
        color = SCROLLBAR if height > seen else BACKGROUND
        if self._bar.cget("button_color") != color:
            self._bar.configure(button_color=color, button_hover_color=MUTED if height > seen else BACKGROUND)

    def _by_page(self, pages: int) -> None:
        """Scroll by pages, if this is the area that is visible."""
        if self.winfo_exists() and self.winfo_viewable():  # the bindings outlive the widget
            self._view.yview_scroll(pages, "pages")

    def _by_wheel(self, event: "tk.Event[tk.Misc]") -> None:
        if str(event.widget).startswith(str(self._view)):  # also between the widgets
            up = event.num == 4 or event.delta > 0  # noqa: PLR2004 - X11 calls the wheel buttons 4 and 5
            self._view.yview_scroll(-NOTCH_PX if up else NOTCH_PX, "units")

    def _focused(self, event: "tk.Event[Any]") -> None:
        self.see(event.widget)

    def _holds(self, widget: object) -> bool:
        return str(widget).startswith(f"{self.content}.")
