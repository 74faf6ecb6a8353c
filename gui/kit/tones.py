"""The tones of status texts: what a state means, from which `style` takes its color. No Tk here."""

from typing import Literal

Tone = Literal["quiet", "busy", "paused", "done", "unverified", "failed", "stopped", "error"]
