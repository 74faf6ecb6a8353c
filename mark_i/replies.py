"""Reading a reply: from whatever a model wrote to one thought and one action. Nothing in it is ever executed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from world_model import Action, ReplyError, Thought

MOST: Final = 1000  # places where an object may begin that are tried; each failure costs the length of the text
FORM: Final = '{"thought": "...", "action": {"tool": "...", "args": {...}}}'


@dataclass(frozen=True, slots=True)
class Decision:
    """What the brain wants: why, and the one thing to do."""

    thought: Thought
    action: Action


def parse(text: str) -> Decision:
    """Read the first JSON object in a reply that is a decision; prose and code fences around it do not matter.

    Raises:
        ReplyError: there is none; the message says what is missing, for the model.
    """
    reason = f"The reply holds no JSON object. Reply with {FORM} and nothing else."
    for found in _objects(text):
        try:
            return _decision(found)
        except ReplyError as error:
            reason = str(error)
    raise ReplyError(reason)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The outermost JSON objects in a text, in order."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(MOST):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
            # neither NaN nor half of a surrogate pair can be written down or sent on
            value = json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _decision(reply: Mapping[str, Any]) -> Decision:
    thought = reply.get("thought", "")
    if not isinstance(thought, str):
        raise ReplyError('"thought" must be a text.')
    if isinstance(answer := reply.get("answer"), str) and "action" not in reply:
        return Decision(Thought(thought), Action("finish", {"summary": answer}))
    action = reply.get("action")
    if not isinstance(action, Mapping):
        raise ReplyError(f"The reply names no action. Reply with {FORM} and nothing else.")
    tool, args = action.get("tool"), action.get("args")
    if not isinstance(tool, str) or not tool:
        raise ReplyError('"action" must name a "tool".')
    if args is not None and not isinstance(args, Mapping):
        raise ReplyError(f'The "args" of {tool} must be a JSON object.')
    return Decision(Thought(thought), Action(tool, dict(args or {})))
