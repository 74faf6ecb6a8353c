"""Read a reply: turn whatever a model wrote into one thought and one action.

Nothing in it is ever executed, completed or guessed. What can be repaired here is not asked for again; anything else is
rejected with a reason that goes back to the model.
"""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from mark_i.replies.forms import Decision, UndecidedError, decided, decision_of, thought_of
from mark_i.replies.lines import (
    actions_behind,
    decides,
    decision_in_lines,
    has_own_line,
    parts,
    thought_in_lines,
    without_labels,
)
from mark_i.replies.values import Found, Source
from world_model import Action, ReplyError, Thought

__all__ = ["Decision", "UndecidedError", "parse"]

MAX_REPLY_CHARS: Final = 1_000_000  # a decision has a few hundred
MAX_DROPPED: Final = 20  # further actions in lines; no more are read
ACTION_FORM: Final = '{"thought": "...", "action": {"tool": "...", "args": {...}}}'
ANSWER_FORM: Final = '{"thought": "...", "answer": "..."}'
REPLY_FORMS: Final = f"Reply with one action, as {ACTION_FORM}, or with an answer, as {ANSWER_FORM}, and nothing else."

# A reasoning model may think aloud before its reply; the opening tag may be part of the prompt template. What it
# considers there is not what it decides.
_THINKING: Final = re.compile(
    r"[\s\ufeff]*(?:<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|[^{\[`<\s].*?</think(?:ing)?>)?", re.DOTALL
)
_MARKS: Final = re.compile(r"`{3}\w*|</?\w+>")
_WORDS: Final = re.compile(r"[^\W\d_]{2}")
_PROSE: Final = re.compile(r"[^{\[<`]*")


def parse(text: str, count: int = 1) -> Decision:
    """Return the decision in a reply, whatever prose and code fences surround it.

    A reply that starts with a label such as `Action:` is read line by line; otherwise its first JSON object that
    decides something counts.

    Args:
        text: the reply.
        count: how many actions of it are carried out at most, one after the other.

    Raises:
        UndecidedError: the reply has a thought but no decision.
        ReplyError: it has none, or cannot be read; the message tells the model what is missing.
    """
    return _sendable(_read(_source(text))).limited(count)


def _source(reply: str) -> Source:
    """Return the part of a reply that follows the thinking."""
    if len(reply) > MAX_REPLY_CHARS:
        raise ReplyError(f"The reply has {len(reply)} characters, and no more than {MAX_REPLY_CHARS} are read.")
    text = _THINKING.sub("", reply, count=1)
    if not text.strip():
        raise ReplyError("The reply holds nothing but thinking." if reply.strip() else "The reply is empty.")
    return Source(text)


def _read(source: Source) -> Decision:
    said = _prose_before(source.text)
    found: list[Mapping[str, Any]] = []
    in_lines, pending = False, None
    reading = parts(source)
    for part in reading:
        if isinstance(part, Found):
            if in_lines and not has_own_line(source, part):
                continue  # part of a thought
            decision = decision_of(part.value, said)
            if decision and not in_lines:
                return replace(decision, ahead=(*decision.ahead, *_following(source, decision, part, reading)))
            pending = pending or decision
            found.append(part.value)
        elif decides(source, part):
            decision = decision_in_lines(source, part, reading)
            behind = islice(actions_behind(source, reading), MAX_DROPPED)
            return replace(decision, ahead=tuple(decided("", action) for action in behind))
        else:
            in_lines = in_lines or not found
    if pending:
        return pending
    raise _missing(source.text, found, in_lines=in_lines)


def _following(source: Source, decision: Decision, first: Found, behind: Iterator[object]) -> Sequence[Decision]:
    """Return the different actions that follow in a row.

    Raises:
        ReplyError: words, as in "no, rather", introduce the first of them: nobody knows which one is meant.
    """
    found: list[Decision] = []
    end, words = first.end, False
    with contextlib.suppress(ReplyError):  # unreadable text there says nothing about the first
        for part in behind:
            if not isinstance(part, Found):
                break  # a made-up observation, and what was imagined to follow it
            other = decision_of(part.value)
            if other and other.action != decision.action:
                words = words or (not found and bool(_WORDS.search(_MARKS.sub("", source.text[end : part.start]))))
                found += [other, *other.ahead]
            end = part.end
    if words:
        raise ReplyError("The reply names two different actions. Name the one that is to be done now.")
    return found


def _missing(text: str, found: Sequence[Mapping[str, Any]], *, in_lines: bool) -> ReplyError:
    thought = thought_in_lines(text) if in_lines else next(filter(None, map(thought_of, found)), "")
    if in_lines or thought:
        return UndecidedError(thought.encode("utf-8", "replace").decode())
    if found:
        return ReplyError("The reply names no action and no answer.")
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return ReplyError("The reply holds no JSON object.")
    return ReplyError("The reply is JSON, but holds no JSON object.")


def _prose_before(text: str) -> str:
    prose = _PROSE.match(text)
    return without_labels(prose[0]) if prose else ""


def _sendable(decision: Decision) -> Decision:
    """Return the same without lone surrogates, which can be neither stored nor sent."""
    action = decision.action
    kept = decision.note, decision.goal, decision.from_start
    words = [decision.thought.text, decision.consent, decision.expect, *kept]
    told = json.dumps([action.tool, dict(action.args), *words], ensure_ascii=False).encode("utf-8", "replace")
    tool, args, thought, consent, expect, note, goal, anew = json.loads(told)
    ahead = tuple(map(_sendable, decision.ahead))
    return Decision(Thought(thought), Action(tool, args), decision.style, consent, expect, note, goal, anew, ahead)
