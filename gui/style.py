"""How the window looks: its colours (light, dark), its type sizes and its distances, in one place."""

from collections.abc import Mapping
from typing import Final

from customtkinter import CTkFont, CTkLabel, ScalingTracker

from gui.state import Tone

Color = tuple[str, str]  # in light and in dark appearance

GROUND: Final[Color] = ("#F3F4F7", "#15171C")
SURFACE: Final[Color] = ("#FFFFFF", "#1E2128")
SUNKEN: Final[Color] = ("#EDEFF3", "#272B34")
BORDER: Final[Color] = ("#DDE1E8", "#303541")
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
    return CTkFont(size=20, weight="bold")


def strong_font() -> CTkFont:
    """For the line that says what this is about."""
    return CTkFont(size=14, weight="bold")


def text_font() -> CTkFont:
    """For what is read."""
    return CTkFont(size=14)


def small_font() -> CTkFont:
    """For captions."""
    return CTkFont(size=12)


def code_font() -> CTkFont:
    """For what goes to a tool as it stands."""
    return CTkFont(family="TkFixedFont", size=13)


def scale_of(widget: CTkLabel) -> float:
    """How many pixels one unit of the window's measures takes."""
    return float(ScalingTracker.get_widget_scaling(widget))
