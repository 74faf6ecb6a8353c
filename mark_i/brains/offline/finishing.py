"""How the offline brain ends a run whose instructions are all carried out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mark_i.brains.offline.changed_text import evidence_of
from mark_i.brains.offline.instructions import Check, Count, DialogClosed, Instruction, Pause, Read, Settle, Tell, Wait
from mark_i.brains.offline.progress import Order
from mark_i.brains.offline.telling import found, story
from mark_i.brains.offline.turn import Turn
from world_model import Step

LOOKING: Final = (Check, Count, Pause, Read, Settle, Tell, Wait)  # the instructions that change nothing


def finished(
    orders: Sequence[Order], worked: Sequence[Step], *, history: Sequence[Instruction], change: bool, said: str
) -> Turn:
    """Finish, with a changed text, a saved file, the visible effect of each instruction, and the last step as evidence.

    If one phrase means several actions, only the last of them must match its words. A pause shows nothing.

    Args:
        orders: all that was to be done.
        worked: the steps that carried them out.
        history: what was done before.
        change: whether the goal changes that.
        said: the answer to what was asked besides.
    """
    saved = [one.instruction.file for one in orders if isinstance(one.instruction, DialogClosed)]
    files = [{"file": name} for name in dict.fromkeys(saved) if Path(name).is_absolute()]
    pairs = [pair for pair in zip(orders, worked, strict=True) if not isinstance(pair[0].instruction, DialogClosed)]
    orders, worked = [order for order, _ in pairs], [step for _, step in pairs]
    texts = [order.instruction.text for order in orders]
    ends = [step for step, text, after in zip(worked, texts, [*texts[1:], ""], strict=True) if text != after]
    ends = [step for step in ends if step.action.tool != "wait"] or ends
    seen = [(step.index, step.observation) for step in ends]
    shown = {index for index, one in seen if one.data is not None or (one.screen and one.screen.changed)}
    kind = "answer" if all(isinstance(order.instruction, LOOKING) for order in orders) else "deed"
    done = [(order.instruction, step) for order, step in zip(orders, worked, strict=True)]
    changed = evidence_of(history, [one for one, _ in done], change=change)
    evidence = [*changed, *files, *({"observation": index} for index in sorted({*shown, ends[-1].index}))]
    answers = "; ".join(filter(None, (found(*one) for one in done))).replace(".; ", ". ")
    summary = "\n".join(filter(None, (story(done, history, change=change), answers, said)))
    return Turn("That was the last instruction.", "finish", {"summary": summary, "evidence": evidence, "kind": kind})
