"""What mends the end of a run that did not reach its own: offered on its card."""

import re
from typing import Final, Literal

Mend = Literal["key", "model", "again", "offline"]

TITLES: Final[dict[Mend, str]] = {
    "key": "Enter a key",
    "model": "Choose another model",
    "again": "Try again",
    "offline": "Use no model",
}
# What the command line is told in brackets: `(`--brain offline`)`.
OPTIONS: Final = re.compile(r" \(`[^`)]+`\)")
# By the word for what went wrong with the model.
KEY: Final = frozenset({"no_key", "bad_key", "refused_key"})
MODEL: Final = frozenset({"no_credit", "unknown_model", "refused", "blocked", "blind"})


def mends_for(cause: str) -> tuple[Mend, ...]:
    """Return what may mend a model error with that cause; one without a cause may pass."""
    if cause in KEY:
        return "key", "model", "offline"
    return ("model", "offline") if cause in MODEL else ("again", "model", "offline")


def without_options(text: str) -> str:
    """Return a message about a model without the options of the command line: in the window there are buttons."""
    return OPTIONS.sub("", text)
