"""A brain without a model: it follows plain instructions, one after the other, by what it reads on the screen."""

import json
from collections.abc import Mapping
from typing import Any, Final

from mark_i.brain import Prompt, Reply, Space
from mark_i.instructions import (
    Check,
    Click,
    Close,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Scroll,
    Type,
    Wait,
    parse_instructions,
)
from toolbelt.texts import Place, find
from world_model import Step

WAIT: Final = 30.0  # seconds that "wait until" waits where the goal does not say how long
CHECK: Final = 3.0  # seconds that something to be checked may take to come up


class OfflineBrain:
    """Follows the instructions in the goal. It plans nothing, and what it does not understand it says.

    Each instruction is one step, so what comes next follows from the steps that worked: nothing is kept here.
    """

    name = "offline"
    sight = 0
    space: Space = "pixels"

    def think(self, prompt: Prompt) -> Reply:
        """The next instruction, or the end."""
        instructions = parse_instructions(prompt.goal)
        unclear = [one for one in instructions if isinstance(one, NotUnderstood)]
        if unclear or not instructions:
            return _fail(_complaint(unclear))
        known = [one for one in instructions if not isinstance(one, NotUnderstood)]
        steps = prompt.past()
        last = steps[-1] if steps else None
        done = sum(step.observation.ok for step in steps)
        if done == len(known):
            return _finish(steps)
        if last and not last.observation.ok:
            return _second_try(prompt, known[done], steps)
        return _follow(prompt, known[done], f"Instruction {done + 1} of {len(known)}: {known[done].text}.")


def _follow(prompt: Prompt, instruction: Instruction, thought: str) -> Reply:
    tool, args = _action(instruction)
    wanted = args.get("into") or args.get("target")
    if isinstance(wanted, str):
        thought += _sight(wanted, find(wanted, prompt.read()))
    return _reply(thought, tool, args)


def _sight(wanted: str, places: list[Place]) -> str:
    if not places:
        return f' I cannot read "{wanted}" yet; it may still come up.'
    where = " and ".join(f"{place.point.x}, {place.point.y}" for place in places)
    return f' I read "{places[0].name}" at {where}.'


def _action(instruction: Instruction) -> tuple[str, dict[str, Any]]:  # noqa: PLR0911 - one a kind
    match instruction:
        case Open(_, name, args):
            return "open_app", {"name": name, "args": list(args)}
        case Click(_, target, button, double):
            tool = "right_click" if button == "right" else "double_click" if double else "click"
            return tool, {"target": target if isinstance(target, str) else {"x": target.x, "y": target.y}}
        case Type(_, content, into, enter):
            return "type_text", {"text": content, "into": into, "enter": enter}
        case Press(_, keys):
            return "press", {"keys": keys}
        case Scroll(_, direction, amount):
            return "scroll", {"direction": direction, "amount": amount}
        case Wait(_, expected, gone, timeout):
            return "wait_for", {"text": expected, "timeout": WAIT if timeout is None else timeout, "gone": gone}
        case Check(_, expected, absent):
            return "wait_for", {"text": expected, "timeout": CHECK, "gone": absent}
        case Close(_, window):
            return "close_window", {"title": window}


def _second_try(prompt: Prompt, instruction: Instruction, steps: tuple[Step, ...]) -> Reply:
    """A text that stands in several places is meant where the screen changed last: in the menu, in the dialog."""
    failed = steps[-1]
    error = failed.observation.error
    wanted = failed.action.args.get("target")
    if error and error.code == "TARGET_AMBIGUOUS" and isinstance(wanted, str):
        newest = _in_newest(find(wanted, prompt.read()), steps)
        if newest:
            thought = f'"{wanted}" is there more than once. I take the one where the screen changed last.'
            return _reply(thought, failed.action.tool, {"target": {"x": newest.point.x, "y": newest.point.y}})
    reason = f"{error.message} {' '.join(error.hints)}" if error else failed.observation.text
    return _fail(f"I could not {instruction.text}: {reason}")


def _in_newest(places: list[Place], steps: tuple[Step, ...]) -> Place | None:
    for step in reversed(steps):
        screen = step.observation.screen
        if screen and screen.regions:
            inside = [place for place in places if any(place.point in region for region in screen.regions)]
            return inside[0] if len(inside) == 1 else None
    return None


def _complaint(unclear: list[NotUnderstood]) -> str:
    if not unclear:
        return 'The goal holds no instruction. Say for example: open the text editor, type "hello", press ctrl+s.'
    told = " ".join(f'I do not understand "{one.text}": {one.reason.rstrip(".")}.' for one in unclear)
    return f"{told} I follow plain instructions only, and have done nothing."


def _finish(steps: tuple[Step, ...]) -> Reply:
    """The evidence: whatever showed on the screen, and the last step in any case, since it is what was wanted."""
    worked = [(step.index, step.observation) for step in steps if step.observation.ok]
    shown = {index for index, seen in worked if seen.data is not None or (seen.screen and seen.screen.changed)}
    evidence = [{"observation": index} for index in sorted({*shown, steps[-1].index})]
    told = {"summary": "Every instruction was carried out.", "evidence": evidence}
    return _reply("That was the last instruction.", "finish", told)


def _fail(reason: str) -> Reply:
    return _reply(reason, "fail", {"reason": reason})


def _reply(thought: str, tool: str, args: Mapping[str, Any]) -> Reply:
    given = {name: value for name, value in args.items() if not (value is None or value is False or value == [])}
    return Reply(json.dumps({"thought": thought, "action": {"tool": tool, "args": given}}, ensure_ascii=False))
