from .style import ACCENT as ACCENT, STOP as STOP, TONES as TONES, Color as Color
