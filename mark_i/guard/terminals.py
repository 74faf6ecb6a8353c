"""Judges keys at a terminal: a shell runs a line, and another program may act on any letter."""

import re
from collections.abc import Sequence
from typing import Final

from mark_i.guard.effects import Effects
from mark_i.guard.keystrokes import PASTED, Stroke
from mark_i.guard.screen import Screen
from mark_i.guard.texts import RoleText
from toolbelt.desktops import Window
from toolbelt.parameters import Command

# The end of a line behind which something is typed, and one at a shell to which nothing was added; a caret may be read
# as a sign
WAITING: Final = re.compile("[$#%>\u276f»λ:]\\s*[|_▮█]?$")
PROMPT: Final = re.compile(f"{WAITING.pattern}|^.{{0,2}}$")
# Keys that move, search, begin a text or quit in pagers, editors and lists; other letters may do harm there
READS: Final = frozenset("hjklgGnNbfqi/?: ")
# A question, or a choice such as `[Y/n]` or `(yes/no/all)` at the end of a line
QUESTION: Final = re.compile(r"(?:\?|[\[(]\w{1,3}/\S*[\])])[\s?:]*[|_▮█]?$|\bcontinue\b|\bpress\b", re.IGNORECASE)


def at_shell(strokes: Sequence[Stroke], screen: Screen, window: Window) -> Effects:
    """Judge strokes at a shell: a line is run by enter; another program there may act on any letter."""
    effects = Effects(types=any(not stroke.clicked for stroke in strokes))
    waits = screen.at_prompt(window)
    for stroke in strokes:
        if stroke.enters:
            _run(stroke, screen, window, effects)
        elif stroke.typed and (not (waits or stroke.keys) or _answers(stroke, screen, window, waits=waits)):
            effects.said.append(RoleText(Command, stroke.typed, line=window.id))
        elif stroke.typed and not waits and _acts(stroke, screen, window):
            effects.said.append(RoleText(Command, stroke.line.text, begun=True, line=window.id))
    typed = [at for at, stroke in enumerate(strokes) if stroke.typed and not stroke.keys]
    if waits and typed and not any(stroke.enters for stroke in strokes[typed[-1] :]):
        line = strokes[typed[-1]].line.text.replace(PASTED, " ")
        effects.said.append(RoleText(Command, line, begun=True, line=window.id))
    return effects


def _run(stroke: Stroke, screen: Screen, window: Window, effects: Effects) -> None:
    """Judge enter at a shell."""
    line = stroke.line
    shown = "" if line.text and line.known else _last(screen, window)
    safe = not QUESTION.search(shown) and (line.begun or PROMPT.search(shown))
    if not line.known or (not line.text and not safe):
        effects.said.append(RoleText(Command, shown or line.text or "(unknown)", is_read=False))
    elif rest := line.text.replace(PASTED, " ").strip():
        effects.said.append(RoleText(Command, rest, line=window.id, stood=True))


def _answers(stroke: Stroke, screen: Screen, window: Window, *, waits: bool) -> bool:
    """Whether what is typed may answer a question; a script that asks looks like a shell that waits for a line."""
    starts = not waits or stroke.line.text == stroke.typed
    return starts and any(map(QUESTION.search, _ends(screen, window)))


def _acts(stroke: Stroke, screen: Screen, window: Window) -> bool:
    """Whether a single key may do something at once: behind a prompt it is only a part of a line."""
    before = stroke.line.text.removesuffix(stroke.typed)
    ends = (end.removesuffix(before.strip()) for end in _ends(screen, window))
    return stroke.typed not in READS and not any(map(WAITING.search, ends))


def _last(screen: Screen, window: Window) -> str:
    return _ends(screen, window)[-1]


def _ends(screen: Screen, window: Window) -> list[str]:
    """Return the last line, and before it the last one above: a status line may stand below the line that asks."""
    lines = [line for line in screen.texts(window) if line.text.strip()]
    above = [line for line in lines if line.region.center.y < lines[-1].region.y]
    return ["", *(line.text.strip() for line in (*above[-1:], *lines[-1:]))]
