"""Judges keys by what they would do where the focus is: run a line, press a button, delete what is selected."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mark_i.guard.keystrokes import PASTED, SHORTCUTS, Focus, Stroke
from mark_i.guard.provenance import FieldKind
from mark_i.guard.screen import Screen, lists_files
from mark_i.guard.texts import COPIED, RoleText
from mark_i.guard.words import known_words, letters
from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.parameters import Command, Typed
from world_model import Region, ToolFailure

# The end of a line at a shell to which nothing was added; a caret may be read as a sign
PROMPT: Final = re.compile("[$#%>\u276f»λ:]\\s*[|_▮█]?$|^.{0,2}$")
QUESTION: Final = re.compile(r"\?\s*$|[\[(][yj]/n[\])]|\bcontinue\b|\bpress\b", re.IGNORECASE)
LABEL_MAX_WORDS: Final = 6
ONE_LINE_MAX_PX: Final = 64  # the height of a textbox of one line
BESIDE_MAX_PX: Final = 240  # between a textbox and the button beside it that submits it
SHORT_MAX_WORDS: Final = 6  # of a text that may be a recipient
# Kinds of applications, as their desktop entries declare them, in which delete deletes a thing
KEEPERS: Final = frozenset(
    {"FileManager", "FileTools", "Email", "Calendar", "ContactManagement", "Photography", "Viewer", "Database", "News"}
)
EDITORS: Final = frozenset({"TextEditor", "WordProcessor", "TerminalEmulator", "IDE"})
ENDS: Final = (frozenset({"ctrl", "alt", "delete"}), frozenset({"ctrl", "alt", "backspace"}))
DELETE_LABEL: Final = ("delete",)
SHUT_DOWN_LABEL: Final = ("shut down",)


@dataclass(slots=True)
class Effects:
    """What the strokes of an action do.

    Attributes:
        said: what they type or enter, as it stands then.
        left: what stands in a field that a click leaves.
        labels: the texts on what they may press, one tuple for each.
        written: the short texts, each with where it is typed.
        types: whether they type anything, or press a key.
    """

    said: list[RoleText] = field(default_factory=list)
    left: list[RoleText] = field(default_factory=list)
    labels: list[tuple[str, ...]] = field(default_factory=list)
    written: list[tuple[str, Focus]] = field(default_factory=list)
    types: bool = False


def at_shell(strokes: Sequence[Stroke], screen: Screen, window: Window) -> Effects:
    """Judge strokes at a shell: a line is run by enter; another program there may act on any key."""
    effects = Effects(types=any(not stroke.clicked for stroke in strokes))
    waits = screen.at_prompt(window)
    for stroke in strokes:
        if stroke.enters:
            _run(stroke, screen, window, effects)
        elif stroke.typed and not waits and (not stroke.keys or any(map(QUESTION.search, _ends(screen, window)))):
            effects.said.append(RoleText(Command, stroke.typed, line=window.id))
    typed = [at for at, stroke in enumerate(strokes) if stroke.typed and not stroke.keys]
    if waits and typed and not any(stroke.enters for stroke in strokes[typed[-1] :]):
        line = strokes[typed[-1]].line.text.replace(PASTED, " ")
        effects.said.append(RoleText(Command, line, begun=True, line=window.id))
    return effects


def _run(stroke: Stroke, screen: Screen, window: Window, effects: Effects) -> None:
    """Judge enter at a shell."""
    line = stroke.line
    shown = "" if line.text and line.known else _last(screen, window)
    if not line.known or (not line.text and not line.begun and not PROMPT.search(shown)):
        effects.said.append(RoleText(Command, shown or line.text or "(unknown)", is_read=False))
    elif rest := line.text.replace(PASTED, " ").strip():
        effects.said.append(RoleText(Command, rest, line=window.id, stood=True))


def _last(screen: Screen, window: Window) -> str:
    return _ends(screen, window)[-1]


def _ends(screen: Screen, window: Window) -> list[str]:
    """Return the last line, and before it the last one above: a status line may stand below the line that asks."""
    lines = [line for line in screen.texts(window) if line.text.strip()]
    above = [line for line in lines if line.region.center.y < lines[-1].region.y]
    return ["", *(line.text.strip() for line in (*above[-1:], *lines[-1:]))]


def elsewhere(strokes: Sequence[Stroke], screen: Screen, window: Window | None) -> Effects:
    """Judge strokes in any other window."""
    effects = Effects(types=any(not stroke.clicked for stroke in strokes))
    for stroke in strokes:
        if stroke.clicked:
            effects.left += _standing(stroke, screen)
        elif stroke.typed:
            _write(stroke, screen, effects)
        elif "enter" in stroke.keys or "tab" in stroke.keys:
            effects.said += _standing(stroke, screen)
            effects.said += _completed(stroke, screen, window)
        effects.labels += _pressed(stroke, screen, window)
    return effects


def _write(stroke: Stroke, screen: Screen, effects: Effects) -> None:
    """Judge a text as it stands in its field then; single keys are judged when they are entered."""
    if stroke.keys:
        return
    effects.said += _standing(stroke, screen)
    if not stroke.focus.bar and len(stroke.line.text.split()) <= SHORT_MAX_WORDS:
        effects.written.append((stroke.line.text, stroke.focus))


def _standing(stroke: Stroke, screen: Screen) -> list[RoleText]:
    """Return what stands in the line, with what was pasted."""
    text = stroke.line.text
    if PASTED in text:
        try:
            copied = screen.clipboard() or ""
        except ToolFailure:  # not text, or the program that owns it does not respond
            return [COPIED]
        text = text.replace(PASTED, copied)
    return [RoleText(Typed, text, line=stroke.focus, stood=not stroke.typed)] if text else []


def _completed(stroke: Stroke, screen: Screen, window: Window | None) -> Iterator[RoleText]:
    """Yield the address that a browser makes of a word when enter is pressed with ctrl or shift."""
    word = stroke.line.text.strip()
    browses = stroke.focus.bar or (window is not None and "WebBrowser" in screen.categories(window))
    if browses and stroke.keys & {"ctrl", "shift", "alt"} and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*", word):
        name = word.removeprefix("www.")
        yield RoleText(Typed, f"https://www.{name.removesuffix('.com')}.com")


# What a key presses -------------------------------------------------------------------------------------------------


def _pressed(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the texts on what a stroke may press."""
    others = stroke.keys - SHORTCUTS - {"altgr", "shift"}
    letter = _letter(others)
    labels: list[tuple[str, ...]] = []
    if any(ends <= stroke.keys for ends in ENDS):
        labels = [SHUT_DOWN_LABEL]
    elif "delete" in others or (others == {"backspace"} and stroke.keys & {"super"}):
        labels = _deleted(stroke, screen, window)
    elif stroke.focus.menu and (letter or others & {"enter", "space"}):
        labels = _in_menu(letter, screen)
    elif "enter" in others:
        labels = _entered(stroke, screen, window)
    elif "space" in others or (stroke.typed and not stroke.typed.strip()):
        known = _element(stroke.focus, screen, window)
        written = bool(stroke.line.text.strip()) or (known is not None and known.role == "textbox")
        labels = [] if written else _focused(known, screen, window)
    elif "alt" in stroke.keys and letter:
        labels = [label for label in _buttons(screen, window) if letter in " ".join(label).casefold()]
    return labels


def _letter(others: frozenset[str]) -> str:
    [one] = others if len(others) == 1 else [""]
    return one.casefold() if len(one) == 1 else ""


def _deleted(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the word for what delete does if the focus is not known to be in a text."""
    known = _element(stroke.focus, screen, window)
    if stroke.line.text or stroke.focus.bar or (known and known.role == "textbox"):
        return []
    kinds = screen.categories(window) if window else frozenset()
    if "shift" in stroke.keys and kinds.isdisjoint(EDITORS):
        return [DELETE_LABEL]
    return [DELETE_LABEL] if kinds & KEEPERS or lists_files(screen.texts(window)) else []


def _in_menu(letter: str, screen: Screen) -> list[tuple[str, ...]]:
    """Return the texts that may be entries of an open menu."""
    short = (line.text for line in screen.texts(None) if len(line.text.split()) <= LABEL_MAX_WORDS)
    return [(text,) for text in short if letter in text.casefold()]


def _entered(stroke: Stroke, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels of the buttons that enter may press."""
    if stroke.focus.bar:
        return []
    known = _element(stroke.focus, screen, window)
    if known is None or known.role != "textbox":
        return _focused(known, screen, window)
    if known.region.height > ONE_LINE_MAX_PX:  # a new line there, unless it is a shortcut that sends
        return _buttons(screen, window) if stroke.keys & SHORTCUTS else []
    return _submitting(known.region, screen, window)


def _focused(known: Element | None, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the label of the button with the focus, or of every one that may have it."""
    if known and known.role == "button":
        return _with_question([(known.text,)], screen, window)
    return _with_question(_buttons(screen, window), screen, window)


def _submitting(box: Region, screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels of the buttons beside a textbox, or else of the first row of buttons below it."""
    buttons = [one for one in screen.elements(window) if one.role == "button" and one.text]
    beside = [
        one
        for one in buttons
        if box.y <= one.region.center.y < box.bottom and 0 <= one.region.x - box.right <= BESIDE_MAX_PX
    ]
    if beside:
        return [(one.text,) for one in beside]
    below = [one for one in buttons if one.region.center.y >= box.bottom]
    first = min(below, key=lambda one: one.region.y, default=None)
    row = [one for one in below if first and first.region.y <= one.region.center.y < first.region.bottom]
    return _with_question([(one.text,) for one in row], screen, window)


def _buttons(screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels of all buttons in a window; in a dialog, short texts may be flat buttons."""
    dialog = screen.is_dialog(window)
    return [
        (one.text,)
        for one in screen.elements(window)
        if one.text and (one.role == "button" or (dialog and one.role == "text" and len(one.text.split()) <= 3))  # noqa: PLR2004
    ]


def _with_question(labels: list[tuple[str, ...]], screen: Screen, window: Window | None) -> list[tuple[str, ...]]:
    """Return the labels; one that only agrees means what its dialog asks."""
    return [(*label, *question(label, screen, window)) for label in labels]


def question(label: Sequence[str], screen: Screen, window: Window | None) -> list[str]:
    """Return what a dialog asks if a label in it only agrees, such as `OK`."""
    if not label or not all(letters(one) in known_words().assent for one in label) or not screen.is_dialog(window):
        return []
    pressed = [one.region for one in screen.elements(window) if one.role == "button"]
    asked = [line for line in screen.texts(window) if not any(line.region.center in region for region in pressed)]
    return [line.text for line in asked]


# Where the focus is -------------------------------------------------------------------------------------------------


def _element(focus: Focus, screen: Screen, window: Window | None) -> Element | None:
    """Return what has the focus, if a click put it there."""
    if focus.at is None or focus.tabs is None:
        return None
    fields = _fields(screen, window) if focus.tabs else list(screen.elements(window))
    here = [one for one in fields if focus.at in one.region]
    if not here:
        return None
    smallest = min(here, key=lambda one: one.region.area)
    at = fields.index(smallest) + focus.tabs
    return smallest if not focus.tabs else fields[at] if 0 <= at < len(fields) else None


def _fields(screen: Screen, window: Window | None) -> list[Element]:
    return [one for one in screen.elements(window) if one.role == "textbox"]


def field_labels(focus: Focus, screen: Screen, window: Window | None) -> list[str]:
    """Return what says which field has the focus, or the labels of every one that may have it."""
    known = _element(focus, screen, window)
    near = screen.words_at(focus.at) if focus.at and focus.tabs == 0 else ()
    if known or near:
        return [*([known.text] if known else []), *near]
    return [one.text for one in _fields(screen, window)]


def field_kind(focus: Focus, screen: Screen, window: Window | None) -> FieldKind:
    """Return what a text that is typed there goes into."""
    kinds = screen.categories(window) if window else frozenset()
    browses = "WebBrowser" in kinds
    if (browses and focus.at is None) or (focus.bar and kinds.isdisjoint(EDITORS | KEEPERS)):
        return "address"
    known = _element(focus, screen, window)
    tall = known is not None and known.role == "textbox" and known.region.height > ONE_LINE_MAX_PX
    return "text" if not browses and (tall or (kinds & EDITORS and not focus.bar)) else "field"
