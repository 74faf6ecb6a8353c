"""Characters that must not reach a terminal."""

from typing import Final

# What a terminal would obey in a text that came from the screen or from a model; it shows their pictures instead.
CONTROLS: Final = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | dict.fromkeys(
    range(0x7F, 0xA0), "\N{REPLACEMENT CHARACTER}"
)
