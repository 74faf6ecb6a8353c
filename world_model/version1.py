"""Reads steps of version 1, which have no places: they are derived here from the texts of the tools of that time.

Nothing else parses such texts. A step of version 1 is upgraded as soon as it is read back.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from world_model.geometry import Point
from world_model.messages import Part, Place, message, parts_to_json, places_in

ACTING: Final = frozenset(
    {
        *("click", "double_click", "triple_click", "right_click", "middle_click"),
        *("move", "drag", "mouse_down", "mouse_up", "scroll", "type_text", "tick"),
    }
)
NAMING: Final = frozenset({"read_screen", "marks", "zoom", "wait_until_still", "select"})
REFUSED: Final = "Not carried out."  # the start of the message for an action that was refused as a repetition
TARGETS: Final = ("target", "into", "start")  # the arguments that named where a tool acted

# A pair of numbers; or a quoted text from the screen, in which pairs are not places.
_PAIR: Final = re.compile(r'(?<!\S)"(?P<quoted>[^\n]*?)"(?=[\s.;,)]|$)|(?<![\w.,-])(-?\d{1,9}), (-?\d{1,9})(?!\w)')


def upgraded(step: Mapping[str, Any]) -> dict[str, Any]:
    """Upgrade a step of version 1: add the places, parts and other fields of version 2."""
    seen, tool = dict(step["observation"]), step["action"]["tool"]
    named = tool in ACTING | NAMING
    text = _parted(seen["text"], acted=tool in ACTING and seen["ok"]) if named else seen["text"]
    seen |= {"parts": parts_to_json(text), "error": _problem(seen["error"], named=named)}
    places = places_in(text) or (_given(step["action"]["args"]) if seen["ok"] else ())
    return {**step, "observation": seen | {"places": [place.to_dict() for place in places]}}


def _problem(error: Mapping[str, Any] | None, *, named: bool) -> dict[str, Any] | None:
    """Add who refused the action, and, if the tool `named` places, the parts of the texts."""
    if error is None:
        return None
    texts = (error["message"], *error["hints"])
    parts = [parts_to_json(_parted(text, acted=False)) if named else None for text in texts]
    refused_by = "loop_detection" if error["message"].startswith(REFUSED) else None
    return {**error, "refused_by": refused_by, **({"parts": parts} if any(parts) else {})}


def _parted(text: str, *, acted: bool) -> str:
    """Convert a text to a message with places as values."""
    return message(*_parts(text, acted=acted))


def _parts(text: str, *, acted: bool) -> Iterator[Part]:
    end, name = 0, ""
    for found in _PAIR.finditer(text):
        if found["quoted"] is not None:
            name = found["quoted"]
            continue
        x, y = int(found[2]), int(found[3])
        yield text[end : found.start()]
        yield Place(x, y, name) if acted else Point(x, y)
        end, name = found.end(), ""
    yield text[end:]


def _given(args: Mapping[str, Any]) -> tuple[Place, ...]:
    """Return the point that the action had as its target."""
    target = next((args[name] for name in TARGETS if args.get(name) is not None), None)
    match target:
        case {"x": int(x), "y": int(y)}:
            return (Place(x, y),)
    return ()
