"""Colors, fonts and distances of the window, the same on every page."""

import functools
from collections.abc import Mapping
from tkinter.font import nametofont
from typing import Any, Final

from gui.kit.tones import Tone
from gui.toolkit import ctk

Color = tuple[str, str]  # in light and in dark appearance

BACKGROUND: Final[Color] = ("#F3F4F7", "#15171C")
SURFACE: Final[Color] = ("#FFFFFF", "#1E2128")
SUNKEN: Final[Color] = ("#EDEFF3", "#272B34")
BORDER: Final[Color] = ("#DDE1E8", "#303541")
SELECTED: Final[Color] = ("#FFFFFF", "#424957")
SCROLLBAR: Final[Color] = ("#B9C0CC", "#454C5A")
FIELD_BORDER: Final[Color] = ("#8A94A6", "#6B7484")
TEXT: Final[Color] = ("#171A21", "#E9EBF0")
MUTED: Final[Color] = ("#5A6372", "#9DA6B5")
ACCENT: Final[Color] = ("#2459D3", "#2F66E0")
ACCENT_HOVER: Final[Color] = ("#1C48AE", "#4577E8")
STOP: Final[Color] = ("#CC2936", "#D2353F")
STOP_HOVER: Final[Color] = ("#A81F2B", "#E04A54")
ON_ACCENT: Final[Color] = ("#FFFFFF", "#FFFFFF")
HIGHLIGHT: Final[Color] = ("#FFE08A", "#6B5200")
SUCCESS: Final[Color] = ("#E4F3E9", "#1E3527")

TONES: Final[Mapping[Tone, Color]] = {
    "quiet": MUTED,
    "busy": ("#2459D3", "#7BA2FF"),
    "paused": ("#925A00", "#F0B440"),
    "done": ("#14713A", "#4CCB7D"),
    "unverified": ("#925A00", "#F0B440"),
    "failed": ("#B3261E", "#FF8079"),
    "stopped": ("#4B5563", "#B6BECB"),
    "error": ("#B3261E", "#FF8079"),
}

EDGE_PX: Final = 16  # between the window's border and what is in it
GAP_PX: Final = 12  # between two things that belong to different groups
NEAR_PX: Final = 6  # between two things that belong together
CORNER_PX: Final = 10  # the corner radius of what holds something


def title_font() -> ctk.CTkFont:
    """For the one sentence that is read first."""
    return _font(20, "bold")


def strong_font() -> ctk.CTkFont:
    """For headings."""
    return _font(14, "bold")


def text_font() -> ctk.CTkFont:
    """For body text."""
    return _font(13)


def small_font() -> ctk.CTkFont:
    """For captions."""
    return _font(11)


def struck_font() -> ctk.CTkFont:
    """For captions of what is disabled."""
    return _font(11, struck=True)


def code_font() -> ctk.CTkFont:
    """For text that goes to a tool verbatim."""
    return _font(12, like="TkFixedFont")


def combobox_style() -> dict[str, Any]:
    """The look of a combobox."""
    return {
        "font": text_font(),
        "dropdown_font": text_font(),
        "fg_color": SURFACE,
        "border_color": FIELD_BORDER,
        "border_width": 1,
        "button_color": FIELD_BORDER,
        "text_color": TEXT,
    }


def segmented_style() -> dict[str, Any]:
    """The look of a segmented switch."""
    return {
        "font": text_font(),
        "fg_color": SUNKEN,
        "text_color": TEXT,
        "unselected_color": SUNKEN,
        "selected_color": SELECTED,
        "selected_hover_color": SELECTED,
        "unselected_hover_color": BORDER,
    }


def scale_of(widget: ctk.CTkLabel) -> float:
    """How many screen pixels one of the window's units takes."""
    return float(ctk.ScalingTracker.get_widget_scaling(widget))


def highlight_on_focus(field: ctk.CTkBaseClass) -> None:
    """Give a field a colored border while it has the focus."""
    field.bind("<FocusIn>", lambda _event: field.configure(border_color=TONES["busy"], border_width=2))
    field.bind("<FocusOut>", lambda _event: field.configure(border_color=FIELD_BORDER, border_width=1))


def _font(size: int, weight: str = "normal", like: str = "TkDefaultFont", *, struck: bool = False) -> ctk.CTkFont:
    """A font in the user's own typeface; customtkinter's Roboto is too heavy under X11, and its bold is smeared."""
    return ctk.CTkFont(family=_family(like), size=size, weight=weight, overstrike=struck)


@functools.cache
def _family(like: str) -> str:
    """Look a family up once: a card has fifteen fonts, and the lookup takes a tenth of the time of drawing it."""
    return str(nametofont(like).actual("family"))
