"""Judges keys by what they would do where the focus is: run a line, press a button, delete what is selected."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mark_i.guard.amounts import changed_at_once, left_by
from mark_i.guard.fields import (
    EDITORS,
    KEEPERS,
    ONE_LINE_MAX_PX,
    clicked_on,
    element_with,
    field_kind,
    field_labels,
    field_of,
    in_bar,
    in_text,
    is_tall,
    textboxes,
)
from mark_i.guard.keystrokes import CARET, MODIFIERS, PASTED, PRESSES, SELECTED, SHORTCUTS, Focus, Stroke, combinations
from mark_i.guard.questions import ASKED_MAX_PX, PRESSED, asked_in, beside, between, buttons_in, question
from mark_i.guard.screen import Screen, lists_files, may_be
from mark_i.guard.texts import CHOSEN, COPIED, RoleText
from mark_i.guard.words import (
    asks_for_audience,
    asks_for_command,
    asks_for_recipient,
    searches,
    sends,
)
from toolbelt.desktops import Window, is_application
from toolbelt.elements import Element
from toolbelt.ocr import Line
from toolbelt.parameters import AppName, Command, ParameterRole, Typed
from world_model import CHECKABLE, Region, ToolFailure

BESIDE_MAX_PX: Final = 240  # between a textbox and the button beside it that submits it
MENU_MAX_PX: Final = 40  # between where a menu was clicked and its entries below, across
TITLE_MAX_WORDS: Final = 2  # of a menu or a button that is read as a text
ENTRY_MAX_WORDS: Final = 8  # of an entry of a menu
SHORT_MAX_WORDS: Final = 6  # of a text that may be a recipient
ENDS: Final = combinations("ctrl+alt+delete", "ctrl+alt+backspace")
MODIFIER_ORDER: Final = ("ctrl", "alt", "shift", "super")
ARROWS: Final = {"left": "←", "up": "↑", "right": "→", "down": "↓"}
CHOOSES: Final = frozenset({"up", "down", "pageup", "pagedown", "home", "end"})
CLEARS_CELLS: Final = combinations("ctrl+minus", "ctrl+-")
DELETING: Final = combinations("ctrl+d", "backspace")  # what also deletes in a program for mails
PALETTE: Final = (frozenset({"p"}), frozenset({"f1"}))  # what opens a list of commands in many editors
CHATS: Final = frozenset({"InstantMessaging", "Chat", "IRCClient"})
SAVE: Final = frozenset({"ctrl", "s"})
DELETE_LABEL: Final = ("delete",)
SEND_LABEL: Final = ("send",)
SHUT_DOWN_LABEL: Final = ("shut down",)


@dataclass(slots=True)
class Effects:
    """What the strokes of an action do.

    Attributes:
        said: what they type or enter, as it stands then.
        left: what stands in a field that a click leaves.
        labels: the texts on what they may press, one tuple for each.
        written: the short texts, each with where it is typed.
        amounts: those in fields that they leave, if they are not what was typed there.
        commanded: the lines that they enter into a program's own list of commands.
        opened: the rows of a list of files that they may open.
        chosen: what the drop-down list shows that they leave, if the arrow keys may have chosen it.
        admits: the labels of fields that say who may see or change something, if they choose in one.
        repeated: whether they press a second button, which nobody has seen yet.
        types: whether they type anything, or press a key.
    """

    said: list[RoleText] = field(default_factory=list)
    left: list[RoleText] = field(default_factory=list)
    labels: list[tuple[str, ...]] = field(default_factory=list)
    written: list[tuple[str, Focus]] = field(default_factory=list)
    amounts: list[str] = field(default_factory=list)
    commanded: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    admits: list[str] = field(default_factory=list)
    repeated: bool = False
    types: bool = False


def elsewhere(strokes: Sequence[Stroke], screen: Screen, window: Window | None) -> Effects:
    """Judge strokes in a window that is no terminal."""
    effects = Effects(types=any(not stroke.clicked for stroke in strokes))
    if strokes and (strokes[0].clicked or strokes[0].keys & {"enter", "tab"}):  # the screen shows no later ones
        effects.amounts = left_by(strokes[0], screen, window)
        had = strokes[0].focus
        if had.said and had.said.role == "combobox" and had.since & CARET:
            effects.chosen = [had.said.holds]
    for stroke in strokes:
        if stroke.clicked or not stroke.keys or stroke.keys & {"enter", "tab"}:  # single keys are judged when entered
            _write(stroke, screen, window, effects)
        if stroke.enters:
            effects.said += _completed(stroke, screen, window)
            effects.said += _suggested(stroke, screen, window)
            effects.opened += _opened(stroke, screen, window)
            if stroke.focus.menu or any(keys <= stroke.focus.since for keys in PALETTE):
                effects.commanded.append(stroke.line.text)
        effects.labels += _pressed(stroke, screen, window)
        announced = _announced(stroke, screen, window)
        effects.labels += announced
        effects.commanded += [_meaning(stroke.keys, label) for label, *_ in announced]
        if stroke.typed or stroke.keys & CHOOSES:
            effects.amounts += changed_at_once(stroke, screen, window)
            held = element_with(stroke.focus, screen, window)
            effects.admits += [held.text] if held and asks_for_audience(held.text) else []
            effects.chosen += _neighbors(held, screen, window) if held and held.role in CHECKABLE else []
    effects.repeated = _repeated(strokes, screen, window)
    return effects


def _announced(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return what the screen itself says that a key does: `Unmute (Ctrl+Shift+M)`, `F2 Buy`, `→ Like`."""
    spelled = len(stroke.keys) < 2 or in_text(stroke.focus, screen, window)  # noqa: PLR2004 - a letter with shift
    if (stroke.typed and spelled) or not stroke.keys:
        return []
    others = sorted(stroke.keys - MODIFIERS)
    names = [one.capitalize() for one in MODIFIER_ORDER if one in stroke.keys] + [one.upper() for one in others]
    signs = (
        [r"\s*\+\s*".join(map(re.escape, names))] if len(stroke.keys) > 1 or re.fullmatch(r"F\d+", names[-1]) else []
    )
    signs += [re.escape(ARROWS[one]) for one in others if one in ARROWS]
    signs += [rf"\({re.escape(one)}\)" for one in others if len(one) == 1 and "alt" in stroke.keys]
    shown: list[Element | Line] = [*screen.elements(window), *screen.texts(window)]
    said = [one for one in shown if any(re.search(rf"(?<!\w){sign}(?!\w)", one.text, re.IGNORECASE) for sign in signs)]
    return _labels(said, screen, window)


def _meaning(keys: frozenset[str], text: str) -> str:
    """Return what a text says that an arrow key does: `→ Like` of `← Pass → Like`."""
    arrows = [ARROWS[one] for one in sorted(keys) if one in ARROWS and ARROWS[one] in text]
    return re.split(f"[{''.join(ARROWS.values())}]", text.partition(arrows[0])[2])[0].strip() if arrows else ""


def _neighbors(held: Element, screen: Screen, window: Window | None) -> list[str]:
    """Return the choices beside one, which the arrow keys may choose at once."""
    return [one.text for one in screen.elements(window) if one.role == held.role and one.text != held.text]


def _repeated(strokes: Sequence[Stroke], screen: Screen, window: Window | None) -> bool:
    """Whether a key presses what the one before it brought; in a text they only write."""
    presses = [one for one in strokes if one.keys & PRESSES and not one.typed.strip()]
    kinds = screen.categories(window) if window else frozenset()
    if len(presses) < 2 or kinds & (EDITORS | {"Spreadsheet"}):  # noqa: PLR2004 - the first one is judged by what is there
        return False
    first = presses[0].focus
    return not (first.bar or in_text(first, screen, window) or field_of(first, screen, window))


def _write(stroke: Stroke, screen: Screen, window: Window | None, effects: Effects) -> None:
    """Judge a text as it stands in its field when it is typed, entered or left."""
    stands = _standing(stroke, screen, window)
    (effects.left if stroke.clicked else effects.said).extend(stands)
    if not stroke.focus.bar:
        short = [one.text for one in stands if one.is_read and len(one.text.split()) <= SHORT_MAX_WORDS]
        effects.written += [(text, stroke.focus) for text in short]


def _standing(stroke: Stroke, screen: Screen, window: Window | None) -> list[RoleText]:
    """Return what stands in the line, with what was pasted, and what may stand there if it is the only line."""
    lines, also = [stroke.line.text], stroke.line.also
    one_line = (also or PASTED in stroke.line.text) and _has_one_line(stroke.focus, screen, window)
    if also and one_line:
        lines.append(also.text)
    selected, start = any(SELECTED in one for one in lines), stroke.focus.start
    if selected or start:
        box = element_with(stroke.focus, screen, window)
        field = box if box and box.role == "textbox" else None
        if selected or (start and field and start not in field.region):
            enters = stroke.typed or stroke.enters or stroke.keys == {"tab"} or field
            return [COPIED] if enters else []  # elsewhere the middle button may have opened a link
    if any(PASTED in one for one in lines):
        try:
            copied = screen.clipboard() or ""
        except ToolFailure:  # not text, or the program that owns it does not respond
            return [COPIED]
        ways = [copied, "".join(copied.splitlines())] if one_line else [copied]
        lines = [one.replace(PASTED, text) for one in lines for text in ways]
    stood, runs = not stroke.typed, any(lines) and _runs(stroke.focus, screen, window)
    return [
        RoleText(_role(text) if runs else Typed, text, line=stroke.focus, stood=stood)
        for text in dict.fromkeys(lines)
        if text
    ]


def _opened(stroke: Stroke, screen: Screen, window: Window | None) -> Iterator[str]:
    """Yield the files that enter opens where files are listed: the rows that are chosen, or that letters choose."""
    kinds = screen.categories(window) if window else frozenset()
    if kinds & (EDITORS | {"WebBrowser"}) or in_text(stroke.focus, screen, window):
        return
    lines, begun = screen.texts(window), stroke.line.text.casefold()
    if "FileManager" in kinds or lists_files(lines):
        found = [line for line in lines if begun and line.text.casefold().startswith(begun)]
        said = [one.text for one in screen.elements(window) if one.role == "option" and "selected" in one.states]
        for text in [*(line.text for line in [*found, *screen.standing_out(lines)]), *said]:
            yield from dict.fromkeys([text, *text.split()[:1]])


def _role(line: str) -> type[ParameterRole]:
    """Return what a line is where it is run: the name of a program, or a command."""
    return Command if len(line.split()) > 1 and not is_application(line) else AppName


def _runs(focus: Focus, screen: Screen, window: Window | None) -> bool:
    """Whether what is entered there is run, as its label says, or the dialog of which it is the only field."""
    if focus.launcher:
        return True
    said = field_labels(focus, screen, window)
    if screen.is_dialog(window) and len(textboxes(screen, window)) == 1:
        said += asked_in(None, screen, window)
    return any(map(asks_for_command, said))


def _has_one_line(focus: Focus, screen: Screen, window: Window | None) -> bool:
    """Whether the focus is in a field of one line, as far as is known; such a field drops breaks."""
    known = element_with(focus, screen, window)
    boxes = [known] if known else textboxes(screen, window)
    one_line = all(one.role == "textbox" and one.region.height <= ONE_LINE_MAX_PX for one in boxes)
    return in_bar(focus, screen, window) or (bool(boxes) and one_line)


def _completed(stroke: Stroke, screen: Screen, window: Window | None) -> Iterator[RoleText]:
    """Yield the address that a browser makes of a word when enter is pressed with ctrl or shift."""
    word = stroke.line.text.strip()
    browses = stroke.focus.bar or (window is not None and "WebBrowser" in screen.categories(window))
    completes = browses and stroke.keys & {"ctrl", "shift", "alt"} and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*", word)
    if completes and not is_tall(element_with(stroke.focus, screen, window)):
        name = word.removeprefix("www.")
        yield RoleText(Typed, f"https://www.{name.removesuffix('.com')}.com")


def _suggested(stroke: Stroke, screen: Screen, window: Window | None) -> list[RoleText]:
    """Return the suggestion of an address bar, or of a field for a recipient, that the arrow keys may have chosen."""
    focus = stroke.focus
    if not focus.since & {"up", "down"}:
        return []
    chooses = focus.bar and field_kind(focus, screen, window) == "address"
    known = field_of(focus, screen, window)
    return [CHOSEN] if chooses or (known and asks_for_recipient(known.text)) else []


# What a key presses -------------------------------------------------------------------------------------------------


def _pressed(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the texts on what a stroke may press."""
    others = stroke.keys - SHORTCUTS - {"altgr", "shift"}
    letter = _letter(others)
    labels: list[tuple[str, ...]] = []
    if any(ends <= stroke.keys for ends in ENDS):
        labels = [SHUT_DOWN_LABEL]
    elif stroke.keys == SAVE and stroke.line.emptied and not stroke.line.text:
        labels = [DELETE_LABEL]
    elif "delete" in others or (others == {"backspace"} and stroke.keys & {"super"}):
        labels = _deleted(stroke, screen, window)
    elif stroke.keys in CLEARS_CELLS and may_be("Spreadsheet", screen, window):
        labels = [DELETE_LABEL]
    elif stroke.keys in DELETING and may_be("Email", screen, window):
        labels = [] if in_text(stroke.focus, screen, window) else [DELETE_LABEL]
    elif stroke.focus.menu and (letter or others & {"enter", "space"}):
        labels = _in_menu(letter, screen.texts(None))
    elif "enter" in others:
        labels = _entered(stroke, screen, window)
    elif "space" in others or (stroke.typed and not stroke.typed.strip()):
        labels = [] if in_text(stroke.focus, screen, window) else _focused(stroke.focus, screen, window)
    elif "alt" in stroke.keys and letter:
        mnemonic = [one for one in buttons_in(screen, window) if letter in one.text.casefold()]
        titles = [one.text for one in screen.texts(window) if len(one.text.split()) <= TITLE_MAX_WORDS]
        labels = [*_labels(mnemonic, screen, window), *((one,) for one in titles if one.casefold().startswith(letter))]
    return labels + _in_menu(letter, _dropped(stroke, screen, window))


def _letter(others: frozenset[str]) -> str:
    [one] = others if len(others) == 1 else [""]
    return one.casefold() if len(one) == 1 else ""


def _deleted(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the word for what delete does if the focus is not known to be in a text."""
    if in_text(stroke.focus, screen, window):
        return []
    kinds = screen.categories(window) if window else frozenset()
    if not screen.knows_windows or ("shift" in stroke.keys and kinds.isdisjoint(EDITORS)):
        return [DELETE_LABEL]
    row = element_with(stroke.focus, screen, window)
    if "WebBrowser" in kinds and row and stroke.focus.at and stroke.focus.tabs == 0:
        return [DELETE_LABEL]
    writes = kinds & EDITORS and stroke.focus.at is None and stroke.focus.since <= CARET  # nothing moved it from there
    return [DELETE_LABEL] if kinds & KEEPERS or (not writes and lists_files(screen.texts(window))) else []


def _in_menu(letter: str, lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Return the texts that may be entries of an open menu."""
    short = (line.text for line in lines if len(line.text.split()) <= ENTRY_MAX_WORDS)
    return [(text,) for text in short if letter in text.casefold()]


def _dropped(stroke: Stroke, screen: Screen, window: Window | None) -> list[Line]:
    """Return the lines below what was clicked, which may be the entries of its menu, if a key may choose one."""
    focus, keys = stroke.focus, stroke.keys - {"shift"}
    chooses = len(keys) == 1 and (_letter(keys) or (keys <= {"enter", "space"} and focus.since & CARET))
    if not chooses or not focus.at or focus.tabs != 0 or (window and screen.categories(window) & EDITORS):
        return []
    if (here := clicked_on(focus, screen.elements(window))) and here.role == "textbox":
        return []
    place, lines = Region(focus.at.x, focus.at.y, 1, 1), screen.texts(None)
    if here is None or here.role == "image" or len(here.text) <= 1:  # an icon, whose menu may begin anywhere beside it
        return [line for line in lines if between(line.region, place) <= ASKED_MAX_PX]
    return [line for line in lines if place.center not in line.region and beside(line.region, place) <= MENU_MAX_PX]


def _entered(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels of the buttons that enter may press."""
    known = element_with(stroke.focus, screen, window)
    if known is None or known.role != "textbox":
        return [] if in_bar(stroke.focus, screen, window) else _focused(stroke.focus, screen, window)
    if "ctrl" in stroke.keys and not is_tall(known) and not stroke.focus.bar:  # it sends the form
        return _labels(buttons_in(screen, window), screen, window)
    if is_tall(known):
        if stroke.keys & SHORTCUTS:  # one that sends
            return _labels(buttons_in(screen, window), screen, window)
        if "shift" in stroke.keys or not _stands_alone(known.region, screen, window):  # a new line
            return []
    kinds = screen.categories(window) if window else frozenset()
    named = any(one.role == "button" for one in buttons_in(screen, window))  # a chat has icons
    if sends(known.text) and (kinds & CHATS or not named):
        return [SEND_LABEL]
    only_searches = searches(known.text) and not screen.is_dialog(window)
    return [] if only_searches else _submitting(known.region, screen, window)


def _stands_alone(box: Region, screen: Screen, window: Window | None) -> bool:
    """Whether no other field is near a tall one, as in a chat, where enter sends; in a form it begins a line."""
    others = [one.region for one in textboxes(screen, window) if one.region.center not in box]
    return not any(between(one, box) <= ASKED_MAX_PX for one in others)


def _focused(focus: Focus, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the label of the button with the focus, or of every one that may have it."""
    known = element_with(focus, screen, window)
    if known and (known.role in PRESSED or (focus.said and known.role != "textbox")):
        return _labels([known], screen, window)
    start = clicked_on(focus, screen.elements(window))
    flat = "tab" in focus.since or (bool(focus.since) and start is not None and start.role == "button")
    return _labels(buttons_in(screen, window, flat=flat), screen, window)


def _submitting(box: Region, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels of the buttons beside a textbox, or else of those below it in the rows of its form."""
    controls = [one for one in screen.elements(window) if one.role != "text"]
    buttons = [one for one in controls if one.role == "button" and one.text]
    near = [
        one
        for one in buttons
        if box.y <= one.region.center.y < box.bottom and 0 <= one.region.x - box.right <= BESIDE_MAX_PX
    ]
    if near:
        return _labels(near, screen, window)
    form: list[Element] = []
    for one in sorted(controls, key=lambda one: one.region.y):
        ended = any(before in buttons for before in form) and one.region.y > form[-1].region.bottom + one.region.height
        if one.region.center.y >= box.bottom and not ended:
            form.append(one)
    return _labels([one for one in form if one in buttons], screen, window)


def _labels(pressed: Sequence[Element | Line], screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return what is on each of the controls, and what is asked there."""
    return [(one.text, *question([one.text], one.region, screen, window)) for one in pressed]
