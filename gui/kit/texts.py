"""How an action, a change of the screen and a duration read as text."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from mark_i.wording import action_call
from world_model import ScreenChange, effects

TEXT_CHARS: Final = 800  # of one text on a card; the journal has all of it
FOLDED_CHARS: Final = 1600  # a text from here on is folded
LINE_CHARS: Final = 120  # of what must stay in one line
MAX_NAMED: Final = 6  # texts that appeared or disappeared, named on a card
NAME_CHARS: Final = 60  # of each of them
# What the command line is told in brackets: `(`--brain offline`)`.
OPTIONS: Final = re.compile(r" \(`[^`)]+`\)")


def clock(seconds: float) -> str:
    """Format a duration: `0:07`, `12:40`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def fit_text(text: str, measure: Callable[[str], int], room: int) -> str:
    """Cut a text with an ellipsis so that it fits; `measure` tells how wide a text is."""
    if measure(text) <= room:
        return text
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if measure(f"{text[:middle]}…") <= room else (least, middle - 1)
    return f"{text[:least].rstrip()}…"


def shorten(text: str, longest: int = TEXT_CHARS) -> str:
    """Cut a long text, and say how much is missing."""
    text = tk_safe(text)
    if len(text) <= longest:
        return text
    return f"{text[:longest].rstrip()} … ({len(text) - longest:,} more characters)"


def folded(text: str) -> str:
    """Return the begin of a very long text; one that is hardly longer stays whole."""
    return shorten(text) if len(text) > FOLDED_CHARS else text


def tk_safe(text: str) -> str:
    """Replace lone surrogates, which Tk cannot draw, by `?`."""
    return text.encode("utf-8", "replace").decode()


def call_text(action: Mapping[str, Any]) -> str:
    """Format an action as code: `press(keys="ctrl+s")`."""
    return shorten(action_call(action["tool"], action["args"]))


def change_text(screen: Mapping[str, Any] | None) -> str:
    """Say how the screen changed."""
    if screen is None:
        return ""
    texts = [_named("Appeared", screen["appeared"]), _named("Disappeared", screen["vanished"])]
    return "\n".join(effects(ScreenChange.from_dict(screen), list(filter(None, texts))))


def _named(what: str, texts: list[str]) -> str:
    named = [
        shorten(text) if len(text) <= NAME_CHARS else f"{shorten(text[:NAME_CHARS])}…" for text in texts[:MAX_NAMED]
    ]
    more = f" and {len(texts) - MAX_NAMED} more" if len(texts) > MAX_NAMED else ""
    return f"{what}: {' · '.join(named)}{more}" if texts else ""


def without_options(text: str) -> str:
    """Return a message about a model without the options of the command line: in the window there are buttons."""
    return OPTIONS.sub("", text)
