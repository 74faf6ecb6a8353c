"""How the window looks: its colours (light, dark), its type sizes and its distances, in one place."""

from collections.abc import Mapping
from tkinter.font import nametofont
from typing import Final

from customtkinter import CTkFont, CTkLabel, ScalingTracker

from gui.state import Tone

Color = tuple[str, str]  # in light and in dark appearance

GROUND: Final[Color] = ("#F3F4F7", "#15171C")
SURFACE: Final[Color] = ("#FFFFFF", "#1E2128")
SUNKEN: Final[Color] = ("#EDEFF3", "#272B34")
BORDER: Final[Color] = ("#DDE1E8", "#303541")
CHOSEN: Final[Color] = ("#FFFFFF", "#424957")
BAR: Final[Color] = ("#B9C0CC", "#454C5A")
FIELD: Final[Color] = ("#8A94A6", "#6B7484")
TEXT: Final[Color] = ("#171A21", "#E9EBF0")
MUTED: Final[Color] = ("#5A6372", "#9DA6B5")
ACCENT: Final[Color] = ("#2459D3", "#2F66E0")
ACCENT_HOVER: Final[Color] = ("#1C48AE", "#4577E8")
STOP: Final[Color] = ("#CC2936", "#D2353F")
STOP_HOVER: Final[Color] = ("#A81F2B", "#E04A54")
ON_COLOR: Final[Color] = ("#FFFFFF", "#FFFFFF")

TONES: Final[Mapping[Tone, Color]] = {
    "quiet": MUTED,
    "busy": ("#2459D3", "#7BA2FF"),
    "done": ("#14713A", "#4CCB7D"),
    "unverified": ("#925A00", "#F0B440"),
    "failed": ("#B3261E", "#FF8079"),
    "stopped": ("#4B5563", "#B6BECB"),
    "error": ("#B3261E", "#FF8079"),
}

EDGE: Final = 16  # between the window's border and what is in it
GAP: Final = 12  # between two things that belong to different groups
NEAR: Final = 6  # between two things that belong together
ROUND: Final = 10  # the corner radius of what holds something


def title_font() -> CTkFont:
    """For the one sentence that a person reads first."""
    return _font(20, "bold")


def strong_font() -> CTkFont:
    """For the line that says what this is about."""
    return _font(14, "bold")


def text_font() -> CTkFont:
    """For what is read."""
    return _font(13)


def small_font() -> CTkFont:
    """For captions."""
    return _font(11)


def code_font() -> CTkFont:
    """For what goes to a tool as it stands."""
    return _font(12, like="TkFixedFont")


def scale_of(widget: CTkLabel) -> float:
    """How many pixels one unit of the window's measures takes."""
    return float(ScalingTracker.get_widget_scaling(widget))


def _font(size: int, weight: str = "normal", like: str = "TkDefaultFont") -> CTkFont:
    """The user's own typeface. Customtkinter's, Roboto, comes out in medium weight under X11, and its bold smeared."""
    return CTkFont(family=nametofont(like).actual("family"), size=size, weight=weight)
