"""Whether the screen fits a step: the window that it needs in front, and what it must have brought about."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mark_i.skills.skill import Effect
from toolbelt.desktops import Window
from toolbelt.ocr import Line, find, plain
from world_model import Step

# Between the parts of a title, such as the name of a document and that of its program
BETWEEN: Final = re.compile(r"\s+[-\u2013\u2014|]\s+")
ALIKE_MIN: Final = 0.75  # of 1.0, of two readings of one name
READ_ALIKE_MIN: Final = 0.9  # of two readings of a text that may stand anywhere
CHANGES: Final = re.compile(r"[\d*•●]+")  # numbers, and the signs of an unsaved document


def is_titled(title: str, wanted: str) -> bool:
    """Whether a title is the wanted one, or shares a part with it: `*Untitled 2 - Editor` and `a.txt - Editor`."""
    return bool(_parts(title) & _parts(wanted))


def _parts(title: str) -> set[str]:
    parts = (plain(CHANGES.sub("", part)) for part in BETWEEN.split(title))
    return {part for part in parts if part}


def is_alike(name: str, wanted: str, least: float = ALIKE_MIN) -> bool:
    """Whether two texts are the same but for letters that are read in another way."""
    return difflib.SequenceMatcher(None, plain(name), plain(wanted)).ratio() >= least


def _is_read(text: str, lines: tuple[Line, ...]) -> bool:
    return bool(find(text, lines)) or any(is_alike(line.text, text, READ_ALIKE_MIN) for line in lines)


def in_front(windows: Sequence[Window]) -> Window | None:
    """Return the window that gets the keys."""
    return next((one for one in windows if one.active and not one.minimized), None)


def missing(
    effect: Effect, step: Step, windows: Sequence[Window], read: Callable[[], tuple[Line, ...]]
) -> Iterator[str]:
    """Yield what a step did not bring about, in sentences.

    Args:
        effect: what it must bring about, with the values filled in.
        step: as it was carried out.
        windows: those that are there now.
        read: reads the text on the screen now, if that is needed.
    """
    change, places = step.observation.screen, step.observation.places
    if effect.on and places and places[0].name and not is_alike(places[0].name, effect.on):
        yield f'"{places[0].name}" was used in place of "{effect.on}".'
    titles = [one.title for one in windows]
    if effect.opened and not any(is_titled(title, effect.opened) for title in titles):
        yield f'The window "{effect.opened}" did not open.'
    if effect.closed and any(plain(title) == plain(effect.closed) for title in titles):
        yield f'The window "{effect.closed}" is still open.'
    lines = read() if effect.seen else ()
    if effect.seen and not any(_is_read(text, lines) for text in effect.seen):
        yield f'"{effect.seen[0]}" is not on the screen.'
    if change is None:
        return
    if effect.changed and not change.effect:
        yield "Nothing changed on the screen."
    if change.instead and not effect.merged:
        yield f'The screen shows "{change.instead}" in place of what was typed.'
    if effect.state and change.became and tuple(change.became) != effect.state:
        yield f'"{change.became[1]}" became {change.became[-1]}, and not {effect.state[-1]}.'
