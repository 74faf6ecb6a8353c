"""Replies that nobody would write: odd values, floods, and 100,000 that went wrong on their way, from a fixed seed.

None of them is more than refused, and what is read of one was said in it: the tool by its name or by the word for it,
and every text that it is given. `python -m pytest tests/mark_i/replies/test_reply_fuzz.py -s -k went_wrong` prints how
many were not.
"""

import json
import math
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from mark_i.replies import Decision, parse
from mark_i.replies.values import MAX_DEPTH
from mark_i.replies.vocabulary import _BUTTONS, _WORDS
from world_model import ReplyError

SEED = 20_25
COUNT = 30_000
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "replies.json").read_text(encoding="utf-8")
)["vectors"]
REPLIES: list[str] = [vector["text"] for vector in VECTORS if vector["text"].strip()]
GARBAGE = [
    *"\"'{}[]():,=\\/#*`<>\n \t0-.eé“”\u2019\ufeff\ud83d",
    *("\\u00e9", "\\ud83d", "\\", "\\n", "```json\n", "null", "NaN", "1e999", "//", "/*", "*/", "</think>", "<think>"),
    *(
        "\nAction: ",
        "\nThought: ",
        "\nObservation: ",
        "\nFinal Answer: ",
        "\nAction Input: ",
        '"tool": "',
        '"answer": "',
    ),
]


# Replies that went wrong on their way ------------------------------------------------------------------------------


def mutated(dice: random.Random) -> str:
    text = dice.choice(REPLIES)
    for _ in range(dice.randint(1, 3)):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.randint(1, 20))
        match dice.randrange(6):
            case 0:
                text = flipped(text, start, dice)
            case 1:
                text = text[:start] + text[end:]
            case 2:
                text = text[:end] + text[start:]
            case 3:
                other = dice.choice(REPLIES)
                text = text[:start] + other[dice.randint(0, len(other)) :]
            case 4:
                text = text[:start]
            case _:
                text = text[:start] + dice.choice(GARBAGE) + text[start:]
    return text


def flipped(text: str, place: int, dice: random.Random) -> str:
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    if content:
        content[place % len(content)] ^= 1 << dice.randrange(8)
    return content.decode("utf-8", "replace")


# What is in a reply --------------------------------------------------------------------------------------------------

ESCAPE = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbf"'“”„\u2018\u2019\\/]))""")
LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def unescaped(text: str) -> str:
    def letter(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        return chr(int(code, 16)) if code else LETTERS.get(escape[3], escape[3])

    return ESCAPE.sub(letter, text)


def readings(text: str) -> list[str]:
    """A reply raw, unescaped, and with JSON text in it unescaped too; always as it could be sent on."""
    found = [text, unescaped(text), unescaped(unescaped(text))]
    return [one.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\ufffd", "?") for one in found]


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def names_for(tool: str) -> list[str]:
    """The words that stand for a tool, besides its name."""
    words = [word for word, (ours, _) in _WORDS.items() if ours == tool]
    if tool in _BUTTONS.values():
        words += names_for("click") if tool != "click" else []
    return [tool, *words, *(["answer", "respond"] if tool == "finish" else [])]


def unsaid(text: str, decision: Decision) -> list[str]:
    """What an action has that its reply does not say."""
    said = readings(text)
    action = decision.action
    named = any(name in one for name in names_for(action.tool) for one in (*said, text.lower()))
    missing = [] if named else [action.tool]
    for name, value in action.args.items():
        if action.tool == "finish" and name == "summary":
            parts = summary_parts(value)
        elif action.tool == "scroll" and name == "direction" and "scroll_" in text:
            parts = []  # the sign of a number
        elif name == "keys" and isinstance(value, str):
            parts = value.split("+")
        else:
            parts = list(texts_in(value))
        missing += [part for part in parts if not any(part.replace("\ufffd", "?") in one for one in said)]
    return missing


def summary_parts(summary: str) -> list[str]:
    """An answer that was no text was written as one."""
    try:
        value = json.loads(summary)
    except ValueError:
        return [] if summary in {"True", "False"} else [summary]
    return list(texts_in(value)) if isinstance(value, dict | list) else []


def wrong(text: str) -> tuple[str, object] | None:
    """What is wrong with how a reply is read: it crashes, or leads to what it does not say."""
    try:
        decision = parse(text)
    except ReplyError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
        return text, error
    return (text, decision) if unsaid(text, decision) else None


@pytest.mark.timeout(600)  # half a minute of work, on a machine that may be busy
def test_a_reply_that_went_wrong_is_refused_or_says_what_is_done() -> None:
    dice = random.Random(SEED)
    texts = [mutated(dice) for _ in range(COUNT)]

    found = list(filter(None, map(wrong, texts)))

    print(f"\n{len(found)} of {COUNT:,} replies crash or lead to what they do not say")  # noqa: T201
    assert found == []
    assert len(set(texts)) > COUNT / 2
    assert sum(1 for text in texts[: COUNT // 10] if is_read(text)) > COUNT / 100


def is_read(text: str) -> bool:
    try:
        return bool(parse(text))
    except ReplyError:
        return False


# Anything at all -----------------------------------------------------------------------------------------------------


def is_read_or_refused(text: str) -> None:
    """Any other error fails the test. What is read can be written down, in the journal and on the wire."""
    try:
        decision = parse(text)
    except ReplyError:
        return
    written = json.dumps([decision.thought.text, decision.action.to_dict()], ensure_ascii=False, allow_nan=False)
    assert written.encode()


PIECES = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "'",
    "\\",
    "```",
    "thought",
    "action",
    "tool",
    "args",
    "answer",
    "1e999",
    " ",
]
PHRASES = [
    '{"action":',
    '{"tool":',
    "Action: ",
    "Thought: ",
    "Action Input:",
    "Final Answer:",
    "\n",
    "click(",
    "x=",
    ")",
]
SNIPPETS = st.lists(st.sampled_from([*PIECES, *PHRASES, '"x"', "{}", '{"tool": "look"}']), max_size=12).map("".join)
ODD_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PIECES), inner, max_size=4),
    max_leaves=8,
)


@given(st.text() | SNIPPETS)
def test_any_text_is_read_or_refused(text: str) -> None:
    is_read_or_refused(text)


@given(ODD_VALUES)
def test_any_json_is_read_or_refused(value: object) -> None:
    is_read_or_refused(json.dumps(value))


KEYS = (
    "thought",
    "action",
    "tool",
    "tool_calls",
    "functionCall",
    "name",
    "args",
    "arguments",
    "answer",
    "style",
    "type",
)
WORDS = ("click", "scroll", "drag", "keypress", "wait", "computer", "Final Answer")
ARGUMENTS = ("x", "y", "path", "keys", "button", "coordinate", "point", "scroll_x", "scroll_y", "magnitude", "intent")


@given(
    st.dictionaries(
        st.sampled_from(KEYS),
        ODD_VALUES | st.sampled_from(WORDS) | st.dictionaries(st.sampled_from([*KEYS, *ARGUMENTS]), ODD_VALUES),
    )
)
def test_any_value_under_a_known_key_is_read_or_refused(reply: Any) -> None:
    is_read_or_refused(json.dumps(reply))


@given(st.sampled_from(WORDS), st.dictionaries(st.sampled_from(ARGUMENTS), ODD_VALUES))
def test_any_argument_of_a_known_word_is_read_or_refused(word: str, args: Any) -> None:
    is_read_or_refused(json.dumps({"name": word, "args": args}))


@given(st.text(st.characters()), ODD_VALUES)
@example("half of a pair: \ud83d", None)
@example("no number", math.nan)
@example("too large for one", math.inf)
def test_any_thought_and_any_arguments_are_read_or_refused(thought: str, value: object) -> None:
    is_read_or_refused(json.dumps({"thought": thought, "action": {"tool": "click", "args": {"target": value}}}))


# Floods: the time limit of a test is the assertion -------------------------------------------------------------------


@pytest.mark.parametrize(
    "opening", ['{"a":', "[", '{"a":[', "{a:[", '{"action":{"tool":"t","args":{"x":', "Action: f(x=["]
)
def test_nesting_without_an_end_is_refused(opening: str) -> None:
    is_read_or_refused(opening * 2000)
    is_read_or_refused(f'{{"action": {{"tool": "t", "args": {{"x": {"[" * 2000}{"]" * 2000}}}}}}}')


def test_brackets_are_read_to_a_depth_and_refused_beyond() -> None:
    def nested(depth: int) -> str:
        return f'{{"tool": "t", "args": {{"x": {"[" * depth}{"]" * depth}}}}}'

    assert parse(nested(MAX_DEPTH - 2)).action.tool == "t"
    with pytest.raises(ReplyError, match="levels of brackets"):
        parse(nested(MAX_DEPTH))


@pytest.mark.parametrize(
    "flood",
    [
        "{",
        '{"',
        "{'",
        '{"a":',
        "{a:1}",
        "{a:[1,2,3]}",
        "{a:[",
        "1,",
        "{\"{'{“{a",
        "{//\n",
        "{/*",
        "Thought:\n",
        "Action: x\n",
        "\nAction: click(",
        "`",
        "*",
        "- ",
        "<think>",
        "\\",
        " ",
        "a ",
    ],
)
@pytest.mark.parametrize("start", ["", "{a: [", "Action: f(x='"])
def test_a_model_that_stammers_does_not_hold_up_the_run(start: str, flood: str) -> None:
    is_read_or_refused(start + flood * (900_000 // len(flood)) + "x")


def test_what_is_far_too_long_is_refused_at_once() -> None:
    with pytest.raises(ReplyError, match="100000000 characters, and no more than 1000000 are read"):
        parse("{" * 100_000_000)
