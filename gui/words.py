"""The window's words: what an action, a change of the screen, a piece of evidence and a time look like as text."""

import json
from collections.abc import Mapping
from typing import Any, Final

LONGEST: Final = 800  # characters of one text on a card; the journal has all of it
NAMED: Final = 6  # texts that came or went, named on a card
NAME: Final = 60  # characters of each of them


def counted(steps: int, seconds: float) -> str:
    """The step count and the time, as they stand at the end of the status line."""
    return f"{steps} {'step' if steps == 1 else 'steps'} · {clock(seconds)}"


def clock(seconds: float) -> str:
    """`0:07`, `12:40`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning and how much is missing; half a character, which Tk cannot draw, as a `?`."""
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= longest:
        return text
    return f"{text[:longest].rstrip()} … ({len(text) - longest:,} more characters)"


def call_text(action: Mapping[str, Any]) -> str:
    """An action as it reads in code: `press(keys="ctrl+s")`."""
    args = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in action["args"].items())
    return shortened(f"{action['tool']}({', '.join(args)})")


def change_text(screen: Mapping[str, Any] | None) -> str:
    """What the screen did, in words."""
    if screen is None:
        return ""
    if not screen["changed"]:
        return "Nothing changed on the screen."
    lines = [_named("Appeared", screen["appeared"]), _named("Vanished", screen["vanished"])]
    if not screen["settled"]:
        lines.append("The screen was still moving.")
    return "\n".join(line for line in lines if line) or "The screen changed, no text came or went."


def evidence_text(piece: Mapping[str, Any]) -> str:
    """One piece of evidence, and whether it could be seen to be true."""
    told = ", ".join(f"{name}: {value}" for name, value in piece.items() if name != "confirmed")
    return shortened(f"{'Confirmed' if piece.get('confirmed') else 'Not confirmed'}: {told}")


def _named(what: str, texts: list[str]) -> str:
    named = [shortened(text) if len(text) <= NAME else f"{shortened(text[:NAME])}…" for text in texts[:NAMED]]
    more = f" and {len(texts) - NAMED} more" if len(texts) > NAMED else ""
    return f"{what}: {' · '.join(named)}{more}" if texts else ""
