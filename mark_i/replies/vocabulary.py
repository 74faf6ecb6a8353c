"""Translate the vocabulary of models that were trained to use a computer into our tools.

Anthropic's `computer`, OpenAI's computer use, Gemini's (both sets), and UI-TARS. A call of one of our tools with its
own arguments stays as it is, and so does a call that nobody here knows. An argument that has no counterpart, such as a
held key or `clear_before_typing`, stays in the call under its own name: the toolbelt then refuses the call and says so,
where leaving the argument out would do something else than was meant.

Not covered: the corners of a drag along a path, and what only a browser has (`navigate`, `go_back`).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mark_i.prompts.coordinates import number, point_of
from world_model import Action

NOTCH_PX: Final = 100  # what one notch of the wheel scrolls in browsers, roughly
MAX_NOTCHES: Final = 100  # the maximum of `scroll`
REMARKS: Final = frozenset({"intent", "safety_decision"})  # arguments that comment on the call
SAFE_DECISIONS: Final = frozenset({"regular", "allowed"})
DEFAULT_WAIT_S: Final = 2  # if a model asks to wait and does not say how long

# Their word: our tool, and the arguments that the word implies.
_WORDS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "left_click": ("click", {}),
    "click_at": ("click", {}),
    "left_double": ("double_click", {}),
    "right_single": ("right_click", {}),
    "mouse_move": ("move", {}),
    "hover_at": ("move", {}),
    "left_click_drag": ("drag", {}),
    "drag_and_drop": ("drag", {}),
    "left_mouse_down": ("mouse_down", {"button": "left"}),
    "left_mouse_up": ("mouse_up", {"button": "left"}),
    "scroll_at": ("scroll", {}),
    "scroll_document": ("scroll", {}),
    "type": ("type_text", {}),
    "type_text_at": ("type_text", {}),
    "key": ("press", {}),
    "keypress": ("press", {}),
    "hotkey": ("press", {}),
    "press_key": ("press", {}),
    "key_combination": ("press", {}),
    "hold_key": ("hold", {}),
    "wait_5_seconds": ("wait", {"seconds": 5}),
    "take_screenshot": ("screenshot", {}),
    "finished": ("finish", {"summary": ""}),
}
# Our tool: its arguments, each with its other names; two names with a space are the two numbers of a point.
_TARGET: Final = {"target": ("coordinate", "point", "start_box", "start_point", "x y")}
_ARGUMENTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "click": _TARGET,
    "double_click": _TARGET,
    "triple_click": _TARGET,
    "right_click": _TARGET,
    "middle_click": _TARGET,
    "move": _TARGET,
    "mouse_down": {**_TARGET, "button": ()},
    "mouse_up": {"button": ()},
    "drag": {
        "start": ("start_coordinate", "start_box", "start_point", "start_x start_y", "x y"),
        "end": ("coordinate", "end_box", "end_point", "end_x end_y", "destination_x destination_y"),
    },
    "scroll": {
        **_TARGET,
        "direction": ("scroll_direction",),
        "amount": ("scroll_amount", "magnitude_in_wheel_clicks"),
    },
    "type_text": {"text": ("content",), "into": ("x y",), "enter": ("press_enter",)},
    "press": {"keys": ("key", "text")},
    "key_down": {"key": ()},
    "key_up": {"key": ()},
    "hold": {"keys": ("text",), "seconds": ("duration",)},
    "wait": {"seconds": ("duration",)},
    "screenshot": {},
    "finish": {"summary": ("content",), "evidence": (), "kind": ()},
}
_PLACES: Final = frozenset({"target", "start", "end", "into"})
_BUTTONS: Final = {"left": "click", "right": "right_click", "wheel": "middle_click", "middle": "middle_click"}
_MODIFIERS: Final = frozenset({"ctrl", "control", "alt", "option", "shift", "super", "win", "cmd", "command", "meta"})


def is_known(word: str) -> bool:
    """Whether a word names a tool, theirs or ours."""
    return word in _WORDS or word in _ARGUMENTS


def intent(action: Action) -> str:
    """Return what a call is for, if Gemini says so within it."""
    said = action.args.get("intent")
    return said if isinstance(said, str) and is_known(action.tool) else ""


def consent(action: Action) -> str | None:
    """Return what Gemini wants a person to agree to before the call; None if nothing."""
    said = action.args.get("safety_decision")
    if said is None or not is_known(action.tool):
        return None
    decision = said.get("decision") if isinstance(said, Mapping) else said
    if isinstance(decision, str) and decision in SAFE_DECISIONS:
        return None
    explanation = said.get("explanation") if isinstance(said, Mapping) else None
    return explanation if isinstance(explanation, str) and explanation else str(decision)


def in_our_words(action: Action) -> Action:
    """Return the same action as a call of one of our tools, if the word is known."""
    tool, meant = _WORDS.get(action.tool, (action.tool, {}))
    ours = _ARGUMENTS.get(tool)
    if ours is None or (tool == action.tool and action.args and action.args.keys() <= ours.keys()):
        return action
    said = {name: value for name, value in action.args.items() if name not in REMARKS and value is not None}
    args = {**meant, **_renamed(said, ours)}
    if tool in _CHANGES:
        args = _CHANGES[tool](args)
    button = args.get("button")
    if tool == "click" and isinstance(button, str) and button in _BUTTONS:
        tool = _BUTTONS[args.pop("button")]
    return Action(tool, args)


def _renamed(said: Mapping[str, Any], ours: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    rest, found = dict(said), {}
    for name, others in ours.items():
        for other in (name, *others):
            parts = other.split()
            if all(part in rest for part in parts):
                values = [rest.pop(part) for part in parts]
                found[name] = _place(other, values) if name in _PLACES and other != name else values[0]
                break
    return {**found, **rest}


def _place(name: str, values: list[Any]) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """Return a target; anything but a point stays as it is, for the toolbelt to reject."""
    if len(values) > 1:
        return {"x": values[0], "y": values[1]}
    if name == "point" and isinstance(values[0], list):
        return {"point": values[0]}  # Gemini's, whose y comes first
    point = point_of(values[0])
    return {"x": point[0], "y": point[1]} if point else values[0]


def _along_path(args: dict[str, Any]) -> dict[str, Any]:
    path = args.get("path")
    ends = [point_of(path[0]), point_of(path[-1])] if isinstance(path, list) and len(path) > 1 else []
    if not ends or None in ends:
        return args
    start, end = ({"x": point[0], "y": point[1]} for point in ends if point)
    return {"start": start, "end": end, **_without(args, "path")}


def _in_notches(args: dict[str, Any]) -> dict[str, Any]:
    """Convert pixels to notches. A wheel turns one way at a time, so a scroll in both directions stays as it is."""
    across, along = number(args.get("scroll_x", 0)), number(args.get("scroll_y", 0))
    if across is not None and along is not None and bool(across) != bool(along):
        way = ("right" if across > 0 else "left") if across else ("down" if along > 0 else "up")
        return {"direction": way, "amount": _notches(across or along), **_without(args, "scroll_x", "scroll_y")}
    for name in ("magnitude_in_pixels", "magnitude"):
        if (pixels := number(args.get(name))) is not None:
            return {"amount": _notches(pixels), **_without(args, name)}
    return args


def _notches(pixels: float) -> int:
    return max(1, min(MAX_NOTCHES, round(abs(pixels) / NOTCH_PX)))


def _as_chord(args: dict[str, Any]) -> dict[str, Any]:
    """`["CTRL", "S"]` and UI-TARS' `ctrl s`, which `page down` is not."""
    keys = args.get("keys")
    if isinstance(keys, str) and "+" not in keys and keys.lower().partition(" ")[0] in _MODIFIERS:
        keys = keys.split()
    if isinstance(keys, list) and keys and all(isinstance(key, str) for key in keys):
        return {**args, "keys": "+".join(keys)}
    return args


def _a_while(args: dict[str, Any]) -> dict[str, Any]:
    return args or {"seconds": DEFAULT_WAIT_S}


def _without(args: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in args.items() if name not in names}


_CHANGES: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "drag": _along_path,
    "scroll": _in_notches,
    "press": _as_chord,
    "hold": _as_chord,
    "wait": _a_while,
}
