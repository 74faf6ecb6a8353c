"""Replies that went wrong on their way: 100,000 of them, in all forms, each made from a fixed seed.

None of them is more than refused, and what is read of one was said in it: the tool by its name or by the word for it,
and every text that it is given.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mark_i.replies import Decision, parse
from mark_i.replies.vocabulary import _BUTTONS, _WORDS
from world_model import ReplyError

SEED = 20_25
COUNT = 100_000
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "vectors" / "replies.json").read_text(encoding="utf-8")
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


def test_a_reply_that_went_wrong_is_refused_or_says_what_is_done() -> None:
    dice = random.Random(SEED)
    read = 0
    for _ in range(COUNT):
        text = mutated(dice)
        try:
            decision = parse(text)
        except ReplyError:
            continue
        read += 1
        assert unsaid(text, decision) == [], (text, decision)

    assert read > COUNT / 10
