"""Replies in lines: `Thought: ...`, `Action: ...`, `Action Input: ...`, `Final Answer: ...`.

The first action, or the final answer before any, decides. What a model made up after its action, an observation or a
second action, is ignored. A label inside a JSON object is part of a text, not a label.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mark_i.replies.forms import FINISH, NOTHING, Decision, decided, decision_of, text_of
from mark_i.replies.values import Found, Source
from world_model import Action, ReplyError

# As models write it: bold, as a heading, numbered; in upper or lower case.
_LABEL: Final = re.compile(
    r"^[ \t>#*_`-]*(?P<name>thought|action[ _]input|action|observation|error|final[ _]answer)"
    r"(?:[ \t]+\d{1,6})?[ \t*_`]*:\**[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE: Final = re.compile(r"\A\s*`{3}\w*\s")
_WRAPPING: Final = re.compile(r"[\s*]*(?:`{3}\w*\s|`)?[\s*]*")
_BARE: Final = re.compile(r"([A-Za-z_$][\w$.:/-]*)[\s`*]*")
_LINE_START: Final = re.compile(r"[\s`*>]*(?:<[\w|]+>)?\s*")

MAX_OBJECTS: Final = 100  # in one reply; no more are read

Label = re.Match[str]


def parts(source: Source) -> Iterator[Found | Label]:
    """Iterate over the objects and the labels of a reply, in order.

    Raises:
        ReplyError: an object cannot be read, so its end is unknown; those before it were readable.
    """
    label, brace, position, count = _LABEL.search(source.text), source.opening(), 0, 0
    while label or brace is not None:
        if label and (brace is None or label.start() < brace):
            yield label
            position = label.end()
        elif brace is not None:
            count += 1
            if count > MAX_OBJECTS:
                raise ReplyError(f"The reply holds more than {MAX_OBJECTS} JSON objects.")
            yield (found := source.object_at(brace))
            position = found.end
        if label and label.start() < position:
            label = _LABEL.search(source.text, position)
        if brace is not None and brace < position:
            brace = source.opening(position)


def decides(source: Source, label: Label) -> bool:
    """Whether a label introduces a decision; `Action: none` does not."""
    end = source.text.find("\n", label.end())
    line = source.text[label.end() : end if end >= 0 else None]
    is_action = _name(label) == "action" and line.strip("`*. \t\r").casefold() not in NOTHING - {""}
    return is_action or _name(label) == "final answer"


def decision_in_lines(source: Source, label: Label, behind: Iterator[Found | Label]) -> Decision:
    """Return the decision after a label; `behind` is what follows it.

    Raises:
        ReplyError: it cannot be read.
    """
    thought = without_labels(source.text[: label.start()])
    if _name(label) == "action":
        return _action(source, label, behind, thought)
    answer = source.text[label.end() :].strip()
    if not answer:
        raise ReplyError('Nothing stands behind "Final Answer:".')
    return decided(thought, Action(FINISH, {"summary": answer}))


def actions_behind(source: Source, behind: Iterator[Found | Label]) -> Iterator[Action]:
    """Iterate over the actions behind the first one, up to a made-up observation or an answer."""
    with contextlib.suppress(ReplyError):  # what is not carried out need not be right
        for part in behind:
            if isinstance(part, Found):
                continue  # arguments
            if _name(part) not in {"thought", "action", "action input"}:
                return
            if decides(source, part):
                yield _action(source, part, behind, "").action


def has_own_line(source: Source, found: Found) -> bool:
    """Whether an object is at the start of its line, after nothing but a fence or a tag."""
    line = source.text[source.text.rfind("\n", 0, found.start) + 1 : found.start]
    return _LINE_START.fullmatch(line) is not None


def without_labels(text: str) -> str:
    """Return the text of lines, without their labels; empty if it says nothing."""
    return text_of(_LABEL.sub("", _FENCE.sub("", text)).strip())


def thought_in_lines(text: str) -> str:
    """Return the text of lines whose first label is a thought."""
    label = _LABEL.search(text)
    return without_labels(text) if label and _name(label) == "thought" else ""


def _name(label: Label) -> str:
    return label["name"].lower().replace("_", " ")


def _action(source: Source, label: Label, behind: Iterator[Found | Label], thought: str) -> Decision:
    start = _content(source, label)
    if call := source.call_at(start):
        return decided(thought, Action(*call))
    following = _next_label(behind)
    end = following.start() if following else len(source.text)
    if bare := _BARE.fullmatch(source.text, start, end):
        return decided(thought, Action(bare[1], _input(source, bare[1], following, behind)))
    brace = source.opening(start)
    if brace is not None and brace < end and (decision := decision_of(source.object_at(brace).value, thought)):
        return decision
    raise ReplyError(f'"Action:" must name a tool and its arguments, not {source.text[start:end].strip()[:60]!r}.')


def _input(source: Source, tool: str, following: Label | None, behind: Iterator[Found | Label]) -> Mapping[str, Any]:
    """The arguments of a tool that is named without any: those behind the next label, if that is theirs.

    Where nothing comes behind the name, the reply may have been cut off before them.
    """
    if following and _name(following) not in {"action", "action input"}:
        return {}
    if following and _name(following) == "action input":
        start = _content(source, following)
        if source.opening(start) == start:
            return source.object_at(start).value
        end = _next_label(behind)
        if end and source.text[start : end.start()].strip("`*. \t\r\n").lower() in NOTHING:
            return {}
    raise ReplyError(f'{tool} needs an "Action Input:", a JSON object with its arguments; {{}} if it takes none.')


def _next_label(behind: Iterator[Found | Label]) -> Label | None:
    return next((part for part in behind if not isinstance(part, Found)), None)


def _content(source: Source, label: Label) -> int:
    """Where the text of a label starts, without a fence or bold around it."""
    dressing = _WRAPPING.match(source.text, label.end())
    return dressing.end() if dressing else label.end()
