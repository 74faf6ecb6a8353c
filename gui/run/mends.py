"""What mends the end of a run that did not reach its own: offered on its card."""

from typing import Final, Literal

Mend = Literal["key", "model", "again", "offline"]

TITLES: Final[dict[Mend, str]] = {
    "key": "Enter a key",
    "model": "Choose another model",
    "again": "Try again",
    "offline": "Use no model",
}
# By the word for what went wrong with the model.
KEY: Final = frozenset({"no_key", "bad_key", "refused_key"})
MODEL: Final = frozenset({"no_credit", "no_page", "unknown_model", "refused", "blocked", "blind"})


def mends_for(cause: str) -> tuple[Mend, ...]:
    """Return what may mend a model error with that cause; one without a cause may pass."""
    if cause in KEY:
        return "key", "model", "offline"
    return ("model", "offline") if cause in MODEL else ("again", "model", "offline")
