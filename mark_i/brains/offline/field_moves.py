"""Fields: what is typed into them, and how they are set."""

import re
from typing import Any, Final

from mark_i.brains.offline.instructions import (
    Click,
    Complete,
    EnterTime,
    FillAll,
    Scroll,
    Slide,
    Spin,
    Thing,
    Type,
    WordAt,
)
from mark_i.brains.offline.looking import value_of
from mark_i.brains.offline.seen import NUMBER, Move, SeekError, Seen, at, nearest_to
from mark_i.brains.offline.solving import solution_of
from toolbelt.elements import Element
from toolbelt.ocr import plain
from world_model import Region

PARAGRAPH_WORDS: Final = 3  # at least; what is shorter is a label
TRIES_MAX: Final = 5  # with the arrow keys
PRESSES_MAX: Final = 100  # of a key in one step
SUGGESTIONS_MAX_S: Final = 5.0


def type_sought(typing: Type, seen: Seen) -> Move:
    """Type a word, or the solution of a sum or an equation, that is on the screen."""
    content = typing.content
    texts = (*(line.text for line in seen.lines), *(one.text for one in seen.of_role("text")))
    text = _word(content, seen) if isinstance(content, WordAt) else solution_of(texts)
    if text is None:
        what = "word" if isinstance(content, WordAt) else "single sum or equation"
        raise SeekError(f"I find no such {what} on the screen.")
    into: Any = typing.into
    if isinstance(into, Thing):
        into = into.name or at(seen.field_of(into).region)
    return Move("type_text", {"text": text, "into": into, "enter": typing.enter})


def _word(meant: WordAt, seen: Seen) -> str | None:
    """Return a word of the longest text, without the signs around it."""
    if meant.tall:
        texts = [one.holds for one in seen.fields(tall=True)]
    else:
        texts = [one.text for one in paragraphs(seen)] or [" ".join(line.text for line in seen.lines)]
    words = max(texts, key=len, default="").split()
    place = meant.nth if meant.nth < 0 else meant.nth - 1
    return words[place].strip(".,;:!?\"'()") if -len(words) <= place < len(words) else None


def paragraphs(seen: Seen) -> list[Element]:
    """Return the texts of several words, top to bottom: those that programs say, if there are any."""
    found = [one for one in seen.of_role("text") if len(one.text.split()) >= PARAGRAPH_WORDS]
    return [one for one in found if one.said] or found


def click_field(click: Click, seen: Seen) -> Move | None:
    """Choose among fields of one line and of several; None where there is nothing to choose."""
    meant = click.target
    assert isinstance(meant, Thing)  # noqa: S101 - as it was matched
    is_clear = meant.nth is not None or seen.fields(tall=True) == seen.fields(tall=False)
    return None if is_clear and not meant.tall else Move("click", {"target": at(seen.field_of(meant).region)})


def scroll_field(scroll: Scroll, seen: Seen) -> Move:
    """Scroll over a field."""
    assert scroll.within  # noqa: S101 - as it was matched
    place = at(seen.field_of(scroll.within).region)
    return Move("scroll", {"direction": scroll.direction, "until": True, "target": place})


def fill_all(_: FillAll, seen: Seen) -> Move:
    """Type into the first field that was not filled yet."""
    fields = [one for one in seen.of_role("textbox") if one.text]
    left = [one for one in fields if not seen.visited(one.region)]
    if not left:
        raise SeekError("No field with a label is on the screen.")
    label = left[0].text.strip(" :*")
    beside = tuple(line for line in seen.lines if not any(_in_row(line.region, one.region) for one in fields))
    if (value := value_of(label, beside) or value_of(f"{label}:", beside)) is None:
        raise SeekError(f'No single value stands beside "{label}".')
    return Move("type_text", {"text": value, "into": at(left[0].region)}, last=len(left) == 1)


def _in_row(line: Region, box: Region) -> bool:
    return box.y <= line.center.y < box.bottom


def complete(entry: Complete, seen: Seen) -> Move:
    """Type the beginning, wait for suggestions, and click the one that is meant."""
    begins, ends = plain(entry.beginning), plain(entry.end)
    if not seen.deeds:
        return Move("type_text", {"text": entry.beginning, "into": at(seen.only_field().region)}, last=False)
    texts = [(plain(text), region) for text, region in seen.texts]
    fits = [region for text, region in texts if text.startswith(begins) and text.endswith(ends) and text != begins]
    if fits:
        return Move("click", {"target": at(fits[0])})
    if any(step.action.tool == "wait_until_still" for step in seen.since):
        raise SeekError("No such suggestion came up.")
    why = "The suggestions may still come up."
    return Move("wait_until_still", {"timeout": SUGGESTIONS_MAX_S}, last=False, why=why)


def spin(meant: Spin, seen: Seen) -> Move:
    """Type the number; where the field does not take it, use the arrow keys."""
    place = seen.only_field()
    number = int(place.holds) if NUMBER.fullmatch(place.holds) else None
    if not seen.deeds:
        args = {"text": str(meant.number), "into": at(place.region), "replace": True}
        return Move("type_text", args, last=False)
    if number == meant.number:
        return Move("read_screen")
    if len(seen.since) > TRIES_MAX or number is None:
        raise SeekError("The field does not take that number.")
    return _arrows(meant.number - number, str(number))


def slide(meant: Slide, seen: Seen) -> Move:
    """Give a slider the focus, and press the arrow keys until it says the number, or a text near it does."""
    sliders = sorted(seen.of_role("slider"), key=lambda one: (one.region.y, one.region.x))
    if not 1 <= meant.nth <= len(sliders):
        raise SeekError(f"I see {len(sliders)} sliders.")
    slider = sliders[meant.nth - 1]
    if not seen.deeds:
        return Move("click", {"target": at(slider.region)}, last=False)
    numbers = sorted(seen.numbers(), key=lambda one: (one.region.y, one.region.x))
    own = numbers[meant.nth - 1] if len(numbers) == len(sliders) else None
    beside = own or nearest_to(slider.region, numbers)
    says = slider.holds if NUMBER.fullmatch(slider.holds) else beside.text if beside else ""
    if not NUMBER.fullmatch(says) or len(seen.since) > TRIES_MAX:
        raise SeekError("The slider does not say where it is.")
    off = meant.number - int(says)
    return _arrows(off, says.strip()) if off else Move("read_screen")


def _arrows(off: int, now: str) -> Move:
    keys = {"keys": "up" if off > 0 else "down", "times": min(abs(off), PRESSES_MAX)}
    return Move("press", keys, last=False, why=f"It is {now} now.")


def enter_time(meant: EnterTime, seen: Seen) -> Move:
    """Type the digits into the part for the hours: the field goes on to the next part by itself."""
    fields = seen.of_role("textbox")
    hours = [one for one in fields if one.text.casefold().startswith("hour")]
    if hours:
        halves = any(re.match(r"am\b", one.text.casefold()) for one in fields)
        digits = f"{meant.time:%I%M%p}" if halves else f"{meant.time:%H%M}"
        return Move("type_text", {"text": digits, "into": at(hours[0].region)})
    return Move("type_text", {"text": f"{meant.time:%H:%M}", "into": at(seen.only_field().region)})
