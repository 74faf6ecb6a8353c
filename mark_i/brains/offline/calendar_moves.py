"""Calendars: the month that one shows, and the way to a date."""

import re
from datetime import date
from typing import Final

from mark_i.brains.offline.instructions import PickDate
from mark_i.brains.offline.seen import Move, SeekError, Seen, at
from toolbelt.ocr import plain
from world_model import Region

TURNS_MAX: Final = 240  # of the months, to reach a date
WEEK_DAYS: Final = 7
MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - as a list it fills a page
BACK: Final = frozenset({"prev", "previous", "previousmonth", "prevmonth", "<", "\u2039", "\u00ab", "\u25c0", "\u25c2"})
ON: Final = frozenset({"next", "nextmonth", ">", "\u203a", "\u00bb", "\u25b6", "\u25b8"})


def pick_date(picked: PickDate, seen: Seen) -> Move:
    """Open the calendar, turn to the month, and choose the day."""
    shown = _month_shown(seen)
    if shown is None:
        return _open(seen)
    title, month = shown
    months = 12 * (picked.date.year - month.year) + picked.date.month - month.month
    if months:
        names = ON if months > 0 else BACK
        turns = [one for one in seen.elements if plain(one.text).replace(" ", "") in names]
        if not turns or len(seen.since) > TURNS_MAX:
            raise SeekError("I see nothing that turns the months of the calendar.")
        nearest = min(turns, key=lambda one: abs(one.region.center.y - title.center.y))
        return Move("click", {"target": at(nearest.region)}, last=False, why=f"It shows {month:%B %Y}.")
    day = str(picked.date.day)
    days = [region for text, region in seen.texts if text.strip() == day]
    below = sorted((one for one in days if one.y > title.y), key=lambda one: one.y)
    if not below:
        raise SeekError(f"I cannot read the {day} in the calendar.")
    return Move("click", {"target": at(below[0] if picked.date.day <= WEEK_DAYS else below[-1])})


def _open(seen: Seen) -> Move:
    """Click the field that may open a calendar: the only one, or the only one that is called so."""
    fields = seen.of_role("textbox", "combobox")
    dated = [one for one in fields if "date" in one.text.casefold()]
    fields = dated if len(fields) > 1 else fields
    if len(fields) != 1 or seen.deeds:
        raise SeekError("I see no calendar, and not one field that opens one.")
    return Move("click", {"target": at(fields[0].region)}, last=False, why="It may open a calendar.")


def _month_shown(seen: Seen) -> tuple[Region, date] | None:
    """Return where a calendar says its month, and the month; None if there is no calendar."""
    for text, region in seen.texts:
        found = re.fullmatch(r"\W*([A-Za-z]{3,9})\.?\s*,?\s*(\d{4})\W*", text)
        if found and found[1][:3].casefold() in MONTHS:
            return region, date(int(found[2]), MONTHS.index(found[1][:3].casefold()) + 1, 1)
    return None
