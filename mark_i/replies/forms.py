"""The forms of a JSON reply: which keys hold the thought, the answer, the tool and the arguments.

These are our own form, those of other agents ({"scratchpad", "tool", "arguments"}, {"tool_name",
"tool_args"}, {"action", "action_input"}), and the native calls of OpenAI, Anthropic and Gemini as JSON text.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from mark_i.events import Style
from mark_i.replies.values import Source, object_in
from mark_i.replies.vocabulary import consent, in_our_words, intent, is_known
from toolbelt.tool import GoalKind
from toolbelt.tools import finish
from world_model import Action, ReplyError, Thought

FINISH: Final = finish.__name__  # the tool that gives the final answer
NOTHING: Final = frozenset({"", "none", "null", "n/a"})  # what a model writes for "nothing"
_THOUGHT: Final = ("thought", "scratchpad")
_ANSWER: Final = ("answer", "respond")
_STYLE: Final = ("style", "responseStyle")
_KIND: Final = "kind"  # of the goal, beside an answer
_STYLES: Final[tuple[Style, ...]] = get_args(Style)
_KINDS: Final = get_args(GoalKind)
_TOOL: Final = ("tool", "tool_name", "action")
_INNER: Final = ("action", "actions", "tool", "tool_calls", "functionCall", "function_call", "function")
_ARGS: Final = ("args", "tool_args", "arguments", "action_input", "input", "parameters")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$.:/-]*")
_FINAL: Final = re.compile(r"final[ _]answer", re.IGNORECASE)
QUOTED_ACTIONS: Final = 5  # of those that were dropped
DROPPED: Final = (
    "The last reply had {count} actions. Only the first, {tool}, was used; dropped: {tools}. "
    "Give one action in a reply."
)
TOO_MANY: Final = "The last reply had {count} actions, and no more than {kept} are used; dropped: {tools}."
_THEN: Final = "then"  # the key of the actions that are planned after this one
_EXPECT: Final = "expect"
_ENVELOPES: Final = frozenset({"computer", "computer_use"})  # tools whose argument `action` is the tool


@dataclass(frozen=True, slots=True)
class Decision:
    """What the brain wants to do, and why; an answer is the action `finish`.

    Attributes:
        style: of the answer, if the brain chose one.
        consent: what a person must agree to first, according to the model's vendor; None if nothing.
        expect: what must be on the screen before it is done, if it was planned ahead; None if nothing was said.
        note: what the brain wants to keep in every later prompt.
        goal: what there is to do after all that the person said, if the brain says it.
        from_start: the goal for a run that begins anew, if the brain says it.
        ahead: what the same reply plans to do afterwards, in order.
        dropped: further actions in the same reply, which are not carried out.
    """

    thought: Thought
    action: Action
    style: Style | None = None
    consent: str | None = None
    expect: Any = field(default=None, compare=False)
    note: str = field(default="", compare=False)
    goal: str = field(default="", compare=False)
    from_start: str = field(default="", compare=False)
    ahead: tuple["Decision", ...] = field(default=(), compare=False)
    dropped: tuple[Action, ...] = field(default=(), compare=False)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what the brain and the person are told about the reply: that further actions were dropped."""
        if not self.dropped:
            return ()
        tools = ", ".join(action.tool for action in self.dropped[:QUOTED_ACTIONS])
        kept = 1 + len(self.ahead)
        text = TOO_MANY if self.ahead else DROPPED
        return (text.format(count=kept + len(self.dropped), kept=kept, tool=self.action.tool, tools=tools),)

    def limited(self, count: int) -> "Decision":
        """Return the same with at most so many actions; the others are dropped."""
        kept, rest = self.ahead[: count - 1], self.ahead[count - 1 :]
        return replace(self, ahead=kept, dropped=tuple(one.action for one in rest))

    @property
    def answer(self) -> str | None:
        """The final answer, if this is one."""
        return str(self.action.args.get("summary") or "") or None if self.action.tool == FINISH else None


class UndecidedError(ReplyError):
    """The reply has a thought but no action; `thought` is the part that was marked as one."""

    def __init__(self, thought: str) -> None:
        super().__init__("The thought is noted, but it names no action.")
        self.thought = thought


def decision_of(reply: Mapping[str, Any], said: str = "") -> Decision | None:
    """Return what an object decides, or None if it names neither an answer nor an action.

    Args:
        reply: the object.
        said: the text before it, which is the thought if the object has none.

    Raises:
        ReplyError: it has an action without a tool, or with unusable arguments.
    """
    style = next((style for key in _STYLE for style in _STYLES if reply.get(key) == style), None)
    thought = thought_of(reply) or said
    answer = _answer(reply)
    flag = any(isinstance(reply.get(key), bool) for key in _ANSWER)  # beside an action: whether this is an answer
    action = None if answer and not flag else _call(_without_words(reply))
    if action:
        ahead = (*_others(_without_words(reply)), *_planned(reply))
        note, goal, from_start = (_kept(reply, name) for name in ("note", "goal", "from_start"))
        return replace(decided(thought, action, style), note=note, goal=goal, from_start=from_start, ahead=ahead)
    if answer:
        evidence = reply.get("evidence")
        proof = {"evidence": evidence} if isinstance(evidence, list) and evidence else {}
        kind = {_KIND: reply[_KIND]} if reply.get(_KIND) in _KINDS else {}
        return decided(thought, Action(FINISH, {"summary": answer, **proof, **kind}), style)
    if any(reply.get(key) is not None for key in (*_TOOL, *_INNER)):
        raise ReplyError('The "action" must name a "tool".')
    return None


def _without_words(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    words = (*_THOUGHT, *_ANSWER, *_STYLE, *([_THEN] if isinstance(reply.get(_THEN), list) else ()))
    return {key: value for key, value in reply.items() if key not in words}


def decided(thought: str, action: Action, style: Style | None = None) -> Decision:
    """Return the decision for an action, translated to our tools."""
    return Decision(Thought(thought or intent(action)), in_our_words(action), style, consent(action))


def thought_of(reply: Mapping[str, Any]) -> str:
    """Return the thought in a reply; in a message with native calls, that is its text."""
    keys = (*_THOUGHT, "content") if "tool_calls" in reply else _THOUGHT
    return next((text for key in keys if (text := text_of(reply.get(key)))), "")


def _answer(reply: Mapping[str, Any]) -> str:
    if isinstance(action := reply.get("action"), str) and _FINAL.fullmatch(action.strip()):
        return text_of(next((reply[key] for key in _ARGS if key in reply), None))
    if isinstance(says := reply.get("respond"), bool):  # whether its thought is the answer
        return text_of(reply.get("answer")) or (thought_of(reply) if says else "")
    return next((text for key in _ANSWER if (text := text_of(reply.get(key)))), "")


def text_of(value: object) -> str:
    """Return a value as text; empty if it says nothing."""
    if isinstance(value, Mapping | list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    text = "" if value is None else str(value)
    return "" if text.strip().casefold() in NOTHING else text


def _call(reply: Mapping[str, Any]) -> Action | None:
    """Return the action that an object names; of several the first, since a step has one action."""
    beside = {key: reply[key] for key in _ARGS if key in reply}
    for key in _INNER:
        for inner in _mappings(reply.get(key)):
            if action := _call(inner if any(own in inner for own in _ARGS) else {**beside, **inner}):
                return action
    for key in _TOOL:
        if isinstance(name := reply.get(key), str) and name.strip().casefold() not in NOTHING:
            return _named(name.strip(), key, reply)
    name, kind = reply.get("name"), reply.get("type")
    if isinstance(name, str) and name and any(key in reply for key in _ARGS):
        return _named(name, "name", reply)
    if isinstance(kind, str) and is_known(kind):
        return _named(kind, "type", reply)
    return None


def _others(reply: Mapping[str, Any]) -> tuple[Decision, ...]:
    """Return the actions in a list of them, but for the first."""
    found: list[Action | None] = []
    for inner in (one for key in _INNER if isinstance(reply.get(key), list) for one in _mappings(reply[key])):
        with contextlib.suppress(ReplyError):  # one that cannot be read does not spoil the first
            found.append(_call(inner))
    return tuple(decided("", action) for action in found if action)[1:]


def _kept(reply: Mapping[str, Any], key: str) -> str:
    """Return a text beside the action in a reply of our own form; in another one it may be an argument."""
    return text_of(reply.get(key)) if isinstance(reply.get("action"), Mapping) else ""


def _planned(reply: Mapping[str, Any]) -> Iterator[Decision]:
    """Yield what a reply plans to do afterwards, up to what cannot be read."""
    then = reply.get(_THEN)
    for one in then if isinstance(then, list) else ():
        if not isinstance(one, Mapping):
            return
        try:
            decision = decision_of({key: value for key, value in one.items() if key != _EXPECT})
        except ReplyError:
            return
        if decision is None:
            return
        yield replace(decision, expect=one.get(_EXPECT), ahead=())
        yield from decision.ahead


def _mappings(value: object) -> Iterable[Mapping[str, Any]]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Mapping)]


def _named(name: str, key: str, reply: Mapping[str, Any]) -> Action:
    if key == "action" and (call := Source(name).call_at(0)):
        return Action(*call)
    if not _NAME.fullmatch(name):
        raise ReplyError(f'The "{key}" must be the name of a tool, not {name[:60]!r}.')
    args = _args(name, key, reply)
    if name in _ENVELOPES and (action := _call(args)):
        return action
    return Action(name, dict(args))


def _args(name: str, key: str, reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments: under their key (in native calls as JSON text), or else beside the name."""
    given = [reply[key] for key in _ARGS if key in reply]
    if not given:
        return {own: value for own, value in reply.items() if own != key}
    args: object = next((one for one in given if one not in (None, "")), {})
    if isinstance(args, str):
        args = object_in(args)
    if not isinstance(args, Mapping):
        raise ReplyError(f'The "args" of {name} must be a JSON object.')
    return args
