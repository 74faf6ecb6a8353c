"""A dialog in which something was entered: it closes, or asks first whether a file is to be replaced.

Only the person knows whether the file that is there is still needed, so nothing is replaced unless they say so.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mark_i.brain import Prompt
from mark_i.brains.offline.instructions import DialogClosed
from mark_i.brains.offline.seen import ON_THE_WAY, REPLACING
from mark_i.brains.offline.turn import Turn, could_not, fail
from toolbelt.elements import Element
from toolbelt.ocr import Line
from world_model import Step

LOOKS_MAX: Final = 10  # at the windows, a second apart, for a dialog to close
STILL_OPEN: Final = "The dialog is still open; it may ask something."
EXISTS: Final = '{0} exists already. Replace it? Say "replace it" or "keep it".'
CHOICES: Final = ("Replace it", "Keep it")
KEPT: Final = "You kept {0} as it was, so nothing was saved."
NOBODY: Final = '{0} exists already and was not replaced. If it may be, say "save it as {0} and replace it".'
# What programs say, and what is on the button that agrees, by their letters; a more telling button comes first.
_THERE: Final = re.compile(
    r"already(?:exists|there|afile)|existsalready|existiertbereits|bereitsvorhanden|existedéjà|yaexiste|jáexiste|esistegià"
    r"|bestaatal|jużistnieje"
)
_AGREEING: Final = (
    *("replace", "replacefile", "overwrite", "overwritefile", "ersetzen", "überschreiben", "remplacer", "écraser"),
    *("reemplazar", "sobrescribir", "substituir", "sostituisci", "vervangen", "zastąp"),
    *("yes", "ja", "oui", "sí", "sim", "sì", "tak"),
)
_AGREED: Final = re.compile(
    r"\W*(?:(?:yes|yeah|yep|sure|ok(?:ay)?|please|just|do|and)\W+)*"
    r"(?:yes|yeah|yep|sure|ok(?:ay)?|do it|go ahead|(?:replace|overwrite)(?:\W+(?:it|the(?:\W+\w+){1,2}|\S+))?)"
    r"(?:\W+please)?\W*",
    re.IGNORECASE,
)


def await_closed(closed: DialogClosed, prompt: Prompt, since: Sequence[Step]) -> Turn:
    """Return what is done about a dialog that is still open.

    Args:
        closed: what is waited for.
        prompt: what is on the screen.
        since: the steps since the name was entered.
    """
    asked = next((step for step in reversed(since) if step.note == REPLACING), None)
    agreed = closed.replaces if asked is None else _agrees(asked)
    if not agreed and asked:
        return fail((KEPT if asked.observation.ok else NOBODY).format(closed.file))
    is_pressed = any(step.note == ON_THE_WAY and step.action.tool == "click" for step in since)
    button = None if is_pressed or not closed.file else _agreeing(prompt.read(), prompt.elements)
    if button and agreed:
        target = {"x": button.region.center.x, "y": button.region.center.y}
        return Turn(f"{closed.file} may be replaced.", "click", {"target": target}, ON_THE_WAY)
    if button:
        question = {"question": EXISTS.format(closed.file)}
        return Turn("I ask before I replace a file.", "ask_user", question, REPLACING, CHOICES)
    if sum(step.action.tool == "list_windows" for step in since) >= LOOKS_MAX:
        return could_not(closed.text, STILL_OPEN)
    return Turn("The dialog is still open.", "wait", {"seconds": 1.0})


def _agrees(asked: Step) -> bool:
    data = asked.observation.data
    return isinstance(data, Mapping) and _AGREED.fullmatch(str(data.get("answer", ""))) is not None


def _agreeing(lines: Sequence[Line], elements: Callable[[], Sequence[Element]]) -> Element | None:
    """Return the button that lets a file be replaced; None if nothing asks that, or several could be meant."""
    if not _THERE.search(_letters(" ".join(line.text for line in lines))):
        return None
    buttons = [(_letters(one.text), one) for one in elements() if one.role == "button"]
    for name in _AGREEING:
        if found := [one for text, one in buttons if text == name]:
            return found[0] if len(found) == 1 else None
    return None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())
