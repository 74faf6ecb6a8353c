"""What people wrote to change a list of steps: what is understood is what they meant, and the rest is asked about.

Four writers, who knew nothing of the program, wrote what is said and what they want.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import Close, Instruction, NotUnderstood, Pause, Press, Type, parse_instructions
from mark_i.control_words import control_word

WORDS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[3] / "vectors" / "words.json").read_text(encoding="utf-8")
)
ENTER: Final = Press("", "enter")
TAKE_BACK: Final = 'take back "'


def instructions(steps: Sequence[str]) -> list[Instruction]:
    found: list[Instruction] = []
    for step in steps:
        if step.startswith(TAKE_BACK):
            taken = step.removeprefix(TAKE_BACK).removesuffix('"').replace("\\n", "\n")
            found.append(Press(step, "backspace", times=len(taken)))
        else:
            given = parse_instructions(step)
            assert not any(isinstance(one, NotUnderstood) for one in given), step
            found += [one for one in given if not isinstance(one, NotUnderstood)]
    return found


def meant(every: Sequence[Instruction]) -> list[Instruction]:
    """Instructions without the words for them, and an Enter as a key of its own."""
    found: list[Instruction] = []
    for one in every:
        match one:
            case Type(enter=True, into=None) if not (found and found[-1] == Press("", "ctrl+a")):
                found += [replace(one, text="", enter=False), ENTER]
            case Pause():
                found.append(replace(one, text="", left_s=None))
            case Close(window=str(name)) if "editor" in name:
                found.append(Close("", "editor"))
            case _:
                found.append(replace(one, text=""))
    return found


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word["said"])
def test_what_is_followed_is_what_was_meant(word: dict[str, Any]) -> None:
    done, left = instructions(word["done"]), instructions(word["left"])
    asked = control_word(word["said"])
    if asked == "stop":
        assert word["want"] == []
        return
    after = Remaining([*done, *left], len(done)).after(word["said"])
    if asked or not after.unclear:
        assert word["want"] != "ask"
        assert meant(left if asked else after.every[len(done) :]) == meant(instructions(word["want"]))
    else:
        assert word["want"] == "ask" or word.get("asked")
