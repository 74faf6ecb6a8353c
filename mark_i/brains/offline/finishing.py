"""How the offline brain ends a run whose instructions are all carried out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mark_i.brains.offline.changed_text import evidence_of
from mark_i.brains.offline.instructions import (
    Check,
    Count,
    DialogClosed,
    Held,
    Instruction,
    Pause,
    Read,
    Settle,
    Tell,
    Wait,
)
from mark_i.brains.offline.progress import Order
from mark_i.brains.offline.telling import found, story
from mark_i.brains.offline.turn import Turn
from world_model import Step

LOOKING: Final = (Check, Count, Pause, Read, Settle, Tell, Wait)  # the instructions that change nothing


def finished(
    carried_out: Sequence[tuple[Order, Step]],
    *,
    history: Sequence[Instruction],
    change: bool,
    said: str,
    titles: Sequence[str],
) -> Turn:
    """Finish, with a changed text, a saved file, the visible effect of each instruction, and the last step as evidence.

    If one phrase means several actions, only the last of them must match its words. A pause shows nothing.

    Args:
        carried_out: all that was to be done, each with the step that did it.
        history: what was done before.
        change: whether the goal changes that.
        said: the answer to what was asked besides.
        titles: of the windows, which show where a file is that has no folder in its name.
    """
    dialogs = [one.instruction for one, _ in carried_out if isinstance(one.instruction, DialogClosed)]
    saved = [one for one in dialogs if one.file and (Path(one.file).is_absolute() or _is_in(one.file, titles))]
    files = [{"file": name} if Path(name).is_absolute() else name for name in dict.fromkeys(one.file for one in saved)]
    every = [pair for pair in carried_out if not isinstance(pair[0].instruction, DialogClosed)]
    titled = {one.text for one in saved if not Path(one.file).is_absolute()}  # typing such a name shows nothing more
    shows = (pair for pair in every if not isinstance(pair[0].instruction, Held))
    pairs = [pair for pair in shows if pair[0].instruction.text not in titled]
    done = [(order.instruction, step) for order, step in every]
    kind = "answer" if all(isinstance(one, LOOKING) for one, _ in done) else "deed"
    orders, worked = [order for order, _ in pairs], [step for _, step in pairs]
    texts = [order.instruction.text for order in orders]
    ends = [step for step, text, after in zip(worked, texts, [*texts, ""][1:], strict=True) if text != after]
    ends = [step for step in ends if step.action.tool != "wait"] or ends
    seen = [(step.index, step.observation) for step in ends]
    shown = {index for index, one in seen if one.data is not None or (one.screen and one.screen.changed)}
    changed = evidence_of(history, [one for one, _ in done], change=change)
    last = {step.index for step in ends[-1:]}
    evidence = [*changed, *files, *({"observation": index} for index in sorted({*shown, *last}))]
    answers = "; ".join(filter(None, (found(*one) for one in done))).replace(".; ", ". ")
    summary = "\n".join(filter(None, (story(done, history, change=change), answers, said)))
    return Turn("That was the last instruction.", "finish", {"summary": summary, "evidence": evidence, "kind": kind})


def _is_in(file: str, titles: Sequence[str]) -> bool:
    return any(file in title for title in titles)
