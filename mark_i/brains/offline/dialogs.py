"""A dialog in which something was entered: it closes, or asks first whether a file is to be replaced.

Only the person knows whether the file that is there is still needed, so nothing is replaced unless they say so.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mark_i.brain import Prompt
from mark_i.brains.offline.corrections import BY_KEY, SAVING, is_text, saves
from mark_i.brains.offline.instructions import Close, DialogClosed, Instruction, Press
from mark_i.brains.offline.seen import ANSWERED, CLOSING, NAMING, ON_THE_WAY, REPLACING, is_dismissed
from mark_i.brains.offline.turn import Turn, could_not, fail
from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.ocr import Line
from world_model import Step

DONE: Final = "done"  # the outcome of a run that left its dialogs as they were wanted
WORDS_MORE_MAX: Final = 6  # than the button has; what says more asks for more than an answer
LEAVE: Final = "esc"
BUTTONS_MAX: Final = 4  # that are named to the person
IN_FRONT: Final = 'A dialog is in front and waits for an answer: "{}". Say first what to do there, for example: {}.'
LOOKS_MAX: Final = 10  # at the windows, a second apart, for a dialog to close
STILL_OPEN: Final = "The dialog is still open; it may ask something."
DISCARD: Final = "don't save"
EXISTS: Final = '{0} exists already. Replace it? Say "replace it", "keep it", or another name for the file.'
CHOICES: Final = ("Replace it", "Keep it")
UNNAMED: Final = 'The program asks for a name. Say one, such as "notes.txt", or "do not save it".'
NAME_CHOICES: Final = ("Do not save it",)
NO_NAME: Final = 'The program asks for a name to save under. Say it with the goal: save it as "notes.txt".'
UNCLEAR: Final = 'I do not understand "{}" here. '
KEPT: Final = "You kept {0} as it was, so nothing was saved."
NOBODY: Final = '{0} exists already and was not replaced. If it may be, say "save it as {0} and replace it".'
BEFORE_CLOSING: Final = "The window asks something before it closes. Which button: {}?"
NEVER_SAVED: Final = 'The text is not saved. To save it, say for example: save it as "notes.txt".'
NOT_SAVED: Final = 'The text is not saved. To save it, say "save it".'
_UNTITLED: Final = re.compile(r"\b(?:untitled|unnamed|new document)\b", re.IGNORECASE)
_CHANGED: Final = re.compile(  # the title of a window whose text is in no file as it is
    rf"\A\W*\*|\*\W*\Z|\*(?=\s+[-\u2013\u2014(])|[\u2022\u25cf]|\[(?:modified|changed|\+)\]|{_UNTITLED.pattern}",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(r"\b(?:don.?t|do not|no|not|never|discard|without|throw)\b", re.IGNORECASE)
_LOOKS: Final = frozenset({"ask_user", "list_windows", "read_screen", "wait", "wait_for"})
_SAVES: Final = re.compile(r"\bsave", re.IGNORECASE)
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
    r"\W*(?:yes|yeah|yep|sure|ok(?:ay)?)\b(?!.*\b(?:not|don't|dont|keep|but|no)\b).*\b(?:replace|overwrite)\b.*|"
    r"\W*(?:(?:yes|yeah|yep|sure|ok(?:ay)?|please|just|do|and)\W+)*"
    r"(?:yes|yeah|yep|sure|ok(?:ay)?|do it|go ahead|(?:replace|overwrite)(?:\W+(?:it|the(?:\W+\w+){1,2}|\S+))?)"
    r"(?:\W+please)?\W*",
    re.IGNORECASE,
)
_KEPT: Final = re.compile(
    r"\W*(?:no\W+)?(?:no(?:pe)?|keep(?:\W+(?:it|that|the(?:\W+\w+){1,2}|\S+))?"
    r"|(?:do not|don't|never)(?:\W+\w+){1,3}|cancel|leave it)?(?:\W+(?:please|thanks|as it is))?\W*\Z",
    re.IGNORECASE,
)


def opened_nothing(instruction: Instruction, step: Step) -> bool:
    """Return whether a dialog had to open, and none did: what is typed next would go elsewhere."""
    if not (isinstance(instruction, Press) and instruction.opens):
        return False
    return step.observation.screen is None or not step.observation.screen.opened


def await_closed(closed: DialogClosed, prompt: Prompt, since: Sequence[Step]) -> Turn:
    """Return what is done about a dialog that is still open.

    Args:
        closed: what is waited for.
        prompt: what is on the screen.
        since: the steps since the name was entered.
    """
    asked = next((step for step in reversed(since) if step.note == REPLACING), None)
    agreed = closed.replaces if asked is None else _agrees(asked)
    if asked and agreed is False:
        return fail((KEPT if asked.observation.ok else NOBODY).format(closed.file))
    is_pressed = any(step.note == ON_THE_WAY and step.action.tool == "click" for step in since)
    button = None if is_pressed or not closed.file else _agreeing(prompt.read(), prompt.elements)
    if button and agreed:
        target = {"x": button.region.center.x, "y": button.region.center.y}
        return Turn(f"{closed.file} may be replaced.", "click", {"target": target}, ON_THE_WAY)
    if button:
        unclear = UNCLEAR.format(_answer(asked)) if asked else ""
        question = {"question": unclear + EXISTS.format(closed.file)}
        return Turn("I ask before I replace a file.", "ask_user", question, REPLACING, CHOICES)
    if sum(step.action.tool == "list_windows" for step in since) >= LOOKS_MAX:
        return could_not(closed.text, STILL_OPEN)
    return Turn("The dialog is still open.", "wait", {"seconds": 1.0}, ON_THE_WAY)


def ask_name(save: Instruction, step: Step, following: Instruction | None, prompt: Prompt) -> Turn | None:
    """Return the question under what name a text is saved, where a save without a name opened a dialog for that.

    Args:
        save: what was done last.
        step: the step that did it.
        following: what is to be done next.
        prompt: what is on the screen, and what was asked.
    """
    opened = step.observation.screen.opened if step.observation.screen else ()
    saves = (
        isinstance(save, Press) and save.keys in SAVING and not save.opens and not BY_KEY.search(save.text)
    )  # else the person sees to the dialog
    if not opened or not (saves or (isinstance(save, Close) and step.action.tool == "click")):
        return None
    if isinstance(following, Press) and following.keys in {LEAVE, "ctrl+a"}:  # a name was said, or none is wanted
        return None
    dialog = _in_front(prompt)
    if dialog is None or dialog.title not in opened:
        return None
    asked = next((one for one in reversed(prompt.past()) if one.note == NAMING), None)
    if asked and (not asked.observation.ok or is_dismissed(asked)):
        return fail(NO_NAME)
    unclear = UNCLEAR.format(_answer(asked)) if asked else ""
    question = {"question": unclear + UNNAMED}
    return Turn("I ask before I save under a name.", "ask_user", question, NAMING, NAME_CHOICES)


def ask_before_closing(prompt: Prompt, *, discards: bool = False) -> Turn | None:
    """Return what is done about a question that a window asked before it closes; None if it asked none.

    With `discards`, the button that saves nothing is clicked, if there is only one.
    """
    dialog = _in_front(prompt)
    buttons = _buttons(prompt, dialog) if dialog else []
    if not buttons:
        return None
    asked = prompt.past()[-1] if prompt.past()[-1].note == CLOSING else None
    if asked and (not asked.observation.ok or is_dismissed(asked)):
        return None
    said = _answer(asked) if asked else DISCARD if discards else ""
    if said and (chosen := _chosen(said, buttons)):
        target = {"x": chosen.region.center.x, "y": chosen.region.center.y}
        return Turn(f'The answer is "{chosen.text}".', "click", {"target": target})
    names = tuple(one.text for one in buttons)
    unclear = UNCLEAR.format(_answer(asked)) if asked else ""
    question = {"question": unclear + BEFORE_CLOSING.format(", ".join(f'"{one}"' for one in names))}
    return Turn("I ask before I answer the window.", "ask_user", question, CLOSING, names)


def told_to_save(steps: Sequence[Step]) -> bool:
    """Return whether the person has told the window that was closed last to save what it holds."""
    asked = [step for step in steps if step.note == CLOSING and step.observation.ok][-1:]
    return any(_SAVES.search(_answer(step)) and not _REFUSES.search(_answer(step)) for step in asked)


def unsaved_text(prompt: Prompt, every: Sequence[Instruction]) -> str:
    """Return what the person is told of a text that was typed and is in no file, as the title of its window says."""
    front = next((window for window in prompt.windows() if window.active and not window.dialog), None)
    typed = max((at for at, one in enumerate(every) if is_text(one)), default=None)
    if front is None or typed is None or any(map(saves, every[typed:])) or not _CHANGED.search(front.title):
        return ""
    return NEVER_SAVED if _UNTITLED.search(front.title) else NOT_SAVED


def answer_in_goal(prompt: Prompt) -> Turn | None:
    """Return the click on the button of a dialog in front that a goal names, and then the end; None without one."""
    clicked = next((step for step in prompt.past() if step.note == ANSWERED), None)
    if clicked:
        told = {
            "summary": f'Answered with "{prompt.goal}".',
            "evidence": [{"observation": clicked.index}],
            "kind": "deed",
        }
        return Turn("That was the answer.", "finish", told) if clicked.observation.ok else None
    dialog = _in_front(prompt)
    chosen = _chosen(prompt.goal, _buttons(prompt, dialog)) if dialog else None
    if chosen is None or len(prompt.goal.split()) > len(chosen.text.split()) + WORDS_MORE_MAX:
        return None
    target = {"x": chosen.region.center.x, "y": chosen.region.center.y}
    return Turn(f'The dialog in front has "{chosen.text}".', "click", {"target": target}, ANSWERED)


def _chosen(answer: str, buttons: Sequence[Element]) -> Element | None:
    """Return the only button that an answer names; of "Save" and "Don't Save", a negation means the latter."""
    said = _letters(answer)
    exact = [one for one in buttons if _letters(one.text) == said]
    if exact:
        return exact[0]
    refuses = [one for one in buttons if _REFUSES.search(one.text)]
    if _REFUSES.search(answer):
        return refuses[0] if len(refuses) == 1 else None
    named = [one for one in buttons if one not in refuses and _letters(one.text) in said]
    return named[0] if len(named) == 1 else None


def in_the_way(prompt: Prompt, turn: Turn, *, changes: bool) -> Turn | None:
    """Return the end of a run that would type, save or close where a dialog is in front that it has not opened.

    Args:
        prompt: what is on the screen.
        turn: what would be done.
        changes: whether the run changes a text that a run before it has typed.
    """
    done = (step.action.tool for step in prompt.past() if step.observation.ok)
    if any(tool not in _LOOKS for tool in done):
        return None
    saves = turn.tool == "press" and turn.args["keys"] in SAVING
    closes = turn.tool == "close_window" and turn.args.get("title") is None
    is_left_over = bool(prompt.earlier) and not prompt.earlier[-1][1].startswith(f"{DONE}:")
    types = (changes and turn.tool == "press") or ((changes or is_left_over) and _types(turn))
    told = to_answer(prompt) if saves or closes or types else ""
    return fail(told) if told else None


def _types(turn: Turn) -> bool:
    return turn.tool == "type_text" and turn.args.get("into") is None


def to_answer(prompt: Prompt) -> str:
    """Return what the person is told of a dialog in front, which waits for an answer; empty if there is none."""
    dialog = _in_front(prompt)
    return IN_FRONT.format(dialog.title, _named_buttons(prompt, dialog)) if dialog else ""


def _in_front(prompt: Prompt) -> Window | None:
    return next((window for window in prompt.windows() if window.active and window.dialog), None)


def _named_buttons(prompt: Prompt, dialog: Window) -> str:
    """Return what could be said of a dialog."""
    said = [f'click "{one.text}"' for one in _buttons(prompt, dialog)]
    return ", or ".join([*said, f"press {LEAVE}"])


def _buttons(prompt: Prompt, dialog: Window) -> list[Element]:
    """Return the buttons of a dialog that have a text."""
    found = (one for one in prompt.elements() if one.role == "button" and re.search(r"\w", one.text))
    return [one for one in found if one.region.center in dialog.region][:BUTTONS_MAX]


def _agrees(asked: Step) -> bool | None:
    """Return whether the person agreed; None if the answer says neither that nor the contrary."""
    if not asked.observation.ok or _KEPT.match(_answer(asked)):
        return False
    return True if _AGREED.fullmatch(_answer(asked)) else None


def _answer(asked: Step) -> str:
    data = asked.observation.data
    return str(data.get("answer", "")).strip() if isinstance(data, Mapping) else ""


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
