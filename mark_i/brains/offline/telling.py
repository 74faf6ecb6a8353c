"""Tell the user what was done and what was seen, in words made of the instructions and of what the tools returned."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from mark_i.brains.offline.changed_text import deeds_in_text
from mark_i.brains.offline.corrections import BY_KEY, NOTHING, SAVING
from mark_i.brains.offline.following import UNKNOWN_VERB
from mark_i.brains.offline.instructions import (
    Check,
    Click,
    ClickResult,
    ClickValue,
    Close,
    Complete,
    Count,
    DialogClosed,
    Drag,
    DragBy,
    EnterTime,
    FillAll,
    Held,
    Highlight,
    InOrder,
    Instruction,
    NotUnderstood,
    Open,
    Path,
    Pause,
    PickDate,
    Press,
    Read,
    Rearrange,
    Repeat,
    Resize,
    Scroll,
    Select,
    Slide,
    SortByDragging,
    Spin,
    Talk,
    Tell,
    Thing,
    Tick,
    TurnTo,
    Type,
    ValueOf,
    Wait,
    example_for,
)
from mark_i.brains.offline.looking import counted, lines_in, value_of
from mark_i.brains.offline.seen import document_in, focused_value
from mark_i.brains.offline.taking_back import TO_END
from toolbelt.ocr import plain
from world_model import Point, Step

TOLD_CHARS_MAX: Final = 60  # of a text that was typed; the user knows it
MORE: Final = "I follow plain instructions only; a model (in the settings, or with --brain) understands more."
SEEN_MAX: Final = 3  # texts that came up at the end
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_SAMPLE: Final = 'open the text editor, type "Hello", press ctrl+s'
_ANSWERS: Final = {
    "hello": f"Hello. I follow plain instructions, for example: {_SAMPLE}.",
    "mood": f"I am ready for your instructions, for example: {_SAMPLE}.",
    "thanks": "You are welcome.",
    "bye": "Goodbye.",
    "unsaved": 'The change is not saved. To save it, say "save it".',
    "left": 'The run before has not done all. To do what it has left, say "go on".',
    "unchanged": "The text is as it was.",
    "kept": "The file under its old name is still there: I delete none.",
    "noted": 'That is still to do, and I have noted it. To do all that is left, say "go on".',
    "self": "I am MARK-I. Without a model I follow plain instructions; with one I also plan and compose.",
    "help": (
        "I open applications, click, tick, select, type, press keys, drag, copy, paste, save, "
        "scroll, find a text, wait for a text or a number, count, close windows, and tell you what is on the screen. "
        f'Say it step by step, with names and texts in quotes: {_SAMPLE}. Or: when the price is below 60, click "Buy".'
    ),
}


def answer_to(talk: Talk, now: datetime) -> str:
    """Answer what the user said to the program itself."""
    if talk.topic == "time":
        return f"It is {now:%H:%M}."
    if talk.topic == "date":
        return f"Today is {now:%A}, {now.day} {now:%B %Y}."
    return _ANSWERS[talk.topic]


def _text(step: Step, *, document: bool) -> str | None:
    """Tell the text on the screen, or only that of the document; None if there is none."""
    if document:
        held = document_in(step.observation.data)
        return held if held is None else f"It says:\n{held}" if held.strip() else "It is empty."
    lines = lines_in(step.observation.data)
    return "\n".join(["On the screen:", *(line.text for line in lines)] if lines else ["The screen holds no text."])


def found(instruction: Instruction, step: Step) -> str | None:
    """Return what a step found for the user; an empty text if nothing was asked, None if it is not there."""
    match instruction:
        case Tell(_, what, of):
            return _value(what, of, step)
        case Count(_, target):
            return _number(target, step)
        case Check(_, name, asked=True):
            return _yes_or_no(name, step)
        case Held(_, content):
            return "" if (focused_value(step.observation.data) or "").endswith(content) else None
        case Read(_, document):
            return _text(step, document=document and step.action.tool == "marks")
    return ""


def _yes_or_no(name: str, step: Step) -> str | None:
    data = step.observation.data
    if not isinstance(data, dict):
        return None
    return f'Yes, "{name}" is on the screen.' if data.get("seen") else f'No, "{name}" is not on the screen.'


def _value(what: str, of: str | None, step: Step) -> str | None:
    name = f"{what} of {of}" if of else what
    if step.action.tool == "read_value":
        return f"{name}: {step.observation.data['value']}"
    lines = lines_in(step.observation.data)
    value = value_of(name, lines) or (value_of(of, lines, what) if of else None)
    return f"{name}: {value}" if value else None


def _number(target: Thing | None, step: Step) -> str:
    if target is None:
        titles = [f'"{row["title"]}"' for row in step.observation.data or []]
        return f"There {_are(len(titles), 'window')}{': ' if titles else ''}{', '.join(titles)}."
    named = f' with the text "{target.name}"' if target.name else ""
    if target.role is None:
        return f'"{target.name}" is on the screen {_times(len(counted(target, step.observation.data)))}.'
    return f"There {_are(len(counted(target, step.observation.data)), _kind(target))}{named}."


def _kind(thing: Thing) -> str:
    return {"textbox": "text field", "radio": "radio button", "image": "icon"}.get(
        thing.role or "", thing.role or "thing"
    )


def _are(count: int, kind: str) -> str:
    plural = f"{kind}es" if kind.endswith(("x", "ch")) else f"{kind}s"
    return f"is 1 {kind}" if count == 1 else f"are {count or 'no'} {plural}"


def _times(count: int) -> str:
    return {0: "nowhere", 1: "once", 2: "twice"}.get(count, f"{count} times")


def complaint(goal: str, instructions: Sequence[Instruction | NotUnderstood], examples: str) -> str:
    """Say what is not understood; `examples` are of what a goal can change that follows on another, if it does."""
    unclear = [one for one in instructions if isinstance(one, NotUnderstood)]
    if not unclear:
        return 'The goal holds no instruction. Say for example: open the text editor, type "hello", press ctrl+s.'
    if examples:
        reasons = (f": {one.reason.rstrip('.')}" * (UNKNOWN_VERB not in one.reason) for one in unclear)
        told = " ".join(f'I do not understand "{one.text}"{why}.' for one, why in zip(unclear, reasons, strict=True))
        return f"{told} Nothing was done. {MORE} Say it in other words, for example: {examples}"
    first = next((one for one in unclear if UNKNOWN_VERB in one.reason), None)  # what I understand is told once
    reasons = (
        "" if UNKNOWN_VERB in one.reason and one is not first else f": {one.reason.rstrip('.')}" for one in unclear
    )
    told = " ".join(f'I do not understand "{one.text}"{why}.' for one, why in zip(unclear, reasons, strict=True))
    example = example_for(goal, instructions)
    return f"{told} Nothing was done. {MORE} Say for example: {example}"


def story(done: Sequence[tuple[Instruction, Step]], before: Sequence[Instruction] = (), *, change: bool = False) -> str:
    """Tell in one sentence what was done, and in another what came up at the end.

    Args:
        done: the instructions, each with the step that carried it out.
        before: what the conversation did before.
        change: whether the goal changes that.
    """
    done = [pair for pair in done if pair[0] not in (NOTHING, TO_END)]
    told, at = list[str](), 0
    for start, end, changes in deeds_in_text(before, [one for one, _ in done], change=change):
        told += [*_told(done[at:start]), *changes]
        at = end
    told += _told(done[at:])
    deeds = [f"{deed} {_times(count)}" if (count := len(list(same))) > 1 else deed for deed, same in groupby(told)]
    if not deeds:
        return ""
    *first, last = deeds
    sentence = f"{', '.join(first)} and {last}" if first else last
    return f"{sentence[0].upper()}{sentence[1:]}.{_came_up(done) if at < len(done) else ''}"


def _told(done: Sequence[tuple[Instruction, Step]]) -> list[str]:
    return [deed for _, same in groupby(done, lambda pair: pair[0].text) for deed in _deeds(list(same))]


def _deeds(same: list[tuple[Instruction, Step]]) -> list[str]:
    """Tell the deeds that one phrase meant; of those that ended in a text, where that came is enough."""
    same = [pair for pair in same if not isinstance(pair[0], DialogClosed)]
    last, step = same[-1]
    if len(same) == 1 or not isinstance(last, Type):
        return [deed for instruction, step in same if (deed := _deed(instruction, step))]
    if any(isinstance(one, Press) and one.keys in SAVING for one, _ in same):
        return [f"saved it as {_short(str(last.content))}"]
    fields = [one.target for one, _ in same if isinstance(one, Click)]
    return [_deed(replace(last, into=fields[0]) if fields and not isinstance(fields[0], Point) else last, step)]


def _came_up(done: Sequence[tuple[Instruction, Step]]) -> str:
    """Tell which texts the last deed brought up, not what the user had typed, nor what was in a dialog that saved."""
    if any(isinstance(one, Press) and one.keys in SAVING and one.text == done[-1][0].text for one, _ in done):
        return ""
    own = [typed for _, step in done if (typed := plain(str(step.action.args.get("text", ""))))]
    seen = done[-1][1].observation.screen
    if not seen:
        return ""
    titles = {*seen.opened, seen.front, seen.retitled}
    new = (text for text in seen.appeared if re.search(r"\w", text) and text not in titles)
    texts = [text for text in new if not any(typed in plain(text) for typed in own)][:SEEN_MAX]
    return f" The screen then showed {_listed(texts)}." if texts else ""


def _deed(instruction: Instruction, step: Step) -> str:  # noqa: PLR0911 - one a kind
    """Tell one deed in the past tense; an empty text for what only tells the user something."""
    if told := _IN_STEPS.get(type(instruction)):
        return told(instruction)
    match instruction:
        case Open(_, name, args):
            article = re.search(rf"(?:\b(?:the|an?|my)\s+)?(?={re.escape(name)})", instruction.text, re.IGNORECASE)
            said = f"{article[0].lower() if article else ''}{name}"
            return f"opened {said}" + (f" with {' '.join(args)}" if args else "")
        case Click() | Drag() | Tick():
            return _pointed(instruction)
        case Select(_, options, source):
            return f"selected {_listed(options)}" + (f' in "{source}"' if source else "")
        case Type(content=content, into=into, enter=enter):
            what = f' the value of "{content.name}",' if isinstance(content, ValueOf) else ""
            typed = _short(str(step.action.args.get("text", content)))
            where = f" into {_named(into)}" if into else ""
            return f"typed{what} {typed}{where}" + (" and pressed enter" if enter else "")
        case Press(said, keys) if keys in SAVING and not BY_KEY.search(said):
            return "saved it"
        case Press(_, keys, times=times):
            return f"pressed {keys} {_times(times)}" if times > 1 else f"pressed {keys}"
        case Close(_, window):
            closed = step.observation.screen.closed if step.observation.screen else ()
            title = window or next(iter(closed), None)
            return f'closed "{title}"' if title else "closed the window"
    return _looked(instruction, step)


def _pointed(instruction: Click | Drag | Tick) -> str:
    match instruction:
        case Click(_, target, button, double):
            return f"{'double-' if double else 'right-' if button == 'right' else ''}clicked {_named(target)}"
        case Drag(_, start, end):
            return f"dragged {_named(start)} to {_named(end)}"
        case Tick(_, target, off):
            return f"{'unticked' if off else 'ticked'} {_named(target)}"


def _looked(instruction: Instruction, step: Step) -> str:
    match instruction:
        case Check(asked=True):
            return ""
        case Scroll(_, direction, _, until, to_end):
            return f'scrolled to "{until}"' if until else f"scrolled {direction}" + (" to the end" if to_end else "")
        case Pause(_, seconds):
            return f"waited {seconds:g} s"
        case Wait(_, name, gone, number=number) | Check(_, name, gone, number):
            data = step.observation.data
            if number and isinstance(data, dict) and data.get("numbers"):
                return f"saw that {name} was {', '.join(f'{one:g}' for one in data['numbers'])}"
            return (
                f'saw that "{name}" was {"gone" if isinstance(instruction, Wait) else "not there"}'
                if gone
                else f'saw "{name}"'
            )
    return ""


def _named(target: str | Thing | Point) -> str:
    """Name a target as the user did."""
    if isinstance(target, str):
        return f'"{target}"'
    if isinstance(target, Point):
        return f"{target.x}, {target.y}"
    name = f'"{target.name}"' if target.name else ""
    number = "" if target.nth is None else "last" if target.nth < 0 else _ordinal(target.nth)
    kind = _kind(target) if target.role and not (target.name and target.role in {"checkbox", "textbox"}) else ""
    words = " ".join(filter(None, (number, name, kind)))
    beside = f' {_SIDES[target.side]} "{target.beside}"' if target.beside else ""
    return f"the {words}{beside}" if number or kind else f"{words}{beside}"


_SIDES: Final = {
    None: "beside",
    "left": "to the left of",
    "right": "to the right of",
    "above": "above",
    "below": "below",
}


def _ordinal(number: int) -> str:
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else f"{number}th"


def _short(text: str) -> str:
    bare = " ".join(text.split())
    return f'"{bare}"' if len(bare) <= TOLD_CHARS_MAX else f'"{bare[:TOLD_CHARS_MAX].rstrip()}…"'


def _listed(texts: Sequence[str]) -> str:
    *first, last = (f'"{text}"' for text in texts)
    return f"{', '.join(first)} and {last}" if first else last


_IN_STEPS: Final[Mapping[type, Callable[[Any], str]]] = {
    ClickResult: lambda one: f"clicked the {_ordinal(one.nth)} result",
    ClickValue: lambda one: f'clicked the value of "{one.label}"',
    Complete: lambda _: "chose the suggestion",
    DragBy: lambda one: f'dragged "{one.name}" {one.to}',
    EnterTime: lambda one: f"entered {one.time:%H:%M}",
    FillAll: lambda _: "filled in the form",
    Highlight: lambda one: f"highlighted the {_ordinal(one.nth)} paragraph",
    InOrder: lambda _: "clicked the numbers in order",
    Path: lambda one: f'chose "{" > ".join(one.names)}"',
    PickDate: lambda one: f"chose {one.date.day} {one.date:%B %Y}",
    Rearrange: lambda one: f'dragged "{one.name}" to its place',
    Repeat: lambda one: f'clicked "{one.button}" until the number was right',
    Resize: lambda one: f"changed the {one.dimension} of the field",
    Slide: lambda one: f"set the {_ordinal(one.nth)} slider to {one.number}",
    SortByDragging: lambda _: "sorted the numbers",
    Spin: lambda one: f"set the field to {one.number}",
    TurnTo: lambda one: f'turned to "{one.name}"',
}
