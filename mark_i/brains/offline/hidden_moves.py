"""What is not in sight: behind tabs and sections, in menus, on other pages."""

import re
from collections.abc import Mapping
from typing import Any, Final

from mark_i.brains.offline.calendar_moves import ON
from mark_i.brains.offline.instructions import Click, ClickResult, ClickValue, InOrder, Path, Repeat, Thing, TurnTo
from mark_i.brains.offline.looking import places_of
from mark_i.brains.offline.seen import NUMBER, Move, SeekError, Seen, at
from toolbelt.elements import Element
from toolbelt.ocr import plain
from world_model import Region

OPENS_S: Final = 0.7  # for a menu to open under the pointer
PAGES_MAX: Final = 100
REPEATS_MAX: Final = 100


def behind(click: Click, seen: Seen) -> Move | None:
    """Open one tab or section after the other, until the target is there; None once only its text is."""
    name = _name(click)
    if found := seen.named(name, "link", "button"):
        return Move("click", {"target": at(found[0].region)})
    if places_of(Thing(name), seen.lines):
        return None
    covers = [one for one in seen.elements if one.role == "tab" or "collapsed" in one.states]
    left = [one for one in covers if not seen.visited(one.region) and "selected" not in one.states]
    if not left:
        raise SeekError(f'"{name}" is behind none of the {len(covers)} {click.behind}s.')
    return Move("click", {"target": at(left[0].region)}, last=False, why=f'I look behind "{left[0].text}".')


def _name(click: Click) -> str:
    target = click.target
    return target if isinstance(target, str) else (isinstance(target, Thing) and target.name) or ""


def unread(click: Click, seen: Seen) -> Move | None:
    """Choose a target whose text cannot be read: by what its program calls it, or in the menu that is open."""
    name = _name(click)
    said = [one for one in seen.named(name) if one.said and one.role != "text"] if name else []
    if len(said) == 1 and said[0].role != "menuitem":
        return Move("click", {"target": at(said[0].region)})
    return _in_menu(name, seen)


def _in_menu(name: str, seen: Seen) -> Move | None:
    """Point at the entries of the menu that is open, one after the other, until the target is there."""
    entries = [one for one in seen.of_role("menuitem") if one.said and not _in_bar(one.region, seen)]
    if not name or not entries:
        return None
    if found := seen.named(name, "menuitem"):
        return Move("click", {"target": at(found[0].region)}) if seen.since else None
    if places_of(Thing(name), seen.lines):
        return None
    if seen.since and seen.since[-1].action.tool == "move":
        return Move("wait", {"seconds": OPENS_S}, last=False, why="It may still open.")
    left = [one for one in entries if not seen.visited(one.region)]
    if not left:
        return None
    return Move("move", {"target": at(left[0].region)}, last=False, why=f'"{left[0].text}" may lead there.')


def path(meant: Path, seen: Seen) -> Move:
    """Point at each entry that leads on; where nothing opens, click it."""
    there = [_entry(name, seen) for name in meant.names]
    reached = max((place for place, name in enumerate(meant.names) if _pointed(name, seen)), default=-1)
    if there[-1] and reached >= 0:
        return Move("click", {"target": at(there[-1])})
    deepest = max((place for place, one in enumerate(there[:-1]) if one), default=-1)
    region, name = (there[deepest], meant.names[deepest]) if deepest >= 0 else (None, meant.names[0])
    times = _pointed(name, seen)
    if region is None or times > 1:
        missing = name if region is None else meant.names[deepest + 1]
        raise SeekError(f'"{missing}" is not on the screen.')
    if times == 1 and seen.since[-1].action.tool == "move":
        return Move("wait", {"seconds": OPENS_S}, last=False, why="It may still open.")
    tool = "click" if times or _in_bar(region, seen) else "move"
    return Move(tool, {"target": at(region)}, last=False, why=f'"{name}" leads on.')


def _in_bar(entry: Region, seen: Seen) -> bool:
    """Whether an entry is one of a menu bar, which opens with a click: others stand beside it and none below."""
    others = [one.region for one in seen.of_role("menuitem") if one.region != entry]
    beside = [one for one in others if one.y < entry.center.y < one.bottom]
    below = [one for one in others if one.x < entry.right and entry.x < one.right and one not in beside]
    return bool(beside) and not below


def _entry(name: str, seen: Seen) -> Region | None:
    """Return where an entry is; the last of several, since a menu opens behind its entry."""
    said = [one.region for one in seen.elements if plain(one.text) == plain(name)]
    read = [one.region for one in places_of(Thing(name), seen.lines) if one.region]
    return next(iter([*said[::-1], *read[::-1]]), None)


def _pointed(name: str, seen: Seen) -> int:
    """Return how often an entry was pointed at."""
    return sum(step.thought.text.endswith(f'"{name}" leads on.') for step in seen.since)


def turn_to(meant: TurnTo, seen: Seen) -> Move:
    """Turn the pages until the name is there."""
    if seen.named(meant.name) or places_of(Thing(meant.name), seen.lines):
        return Move("read_screen")
    return _next_page(seen, f'"{meant.name}" is on none of the pages.')


def _next_page(seen: Seen, reason: str) -> Move:
    turns = [one for one in seen.of_role("link", "button") if plain(one.text).replace(" ", "") in ON]
    moved = not seen.since or seen.since[-1].observation.screen is None or seen.since[-1].observation.screen.changed
    if not turns or not moved or len(seen.since) > PAGES_MAX:
        raise SeekError(reason)
    return Move("click", {"target": at(turns[0].region)}, last=False, why="I turn the page.")


def click_value(meant: ClickValue, seen: Seen) -> Move:
    """Click what stands to the right of the label, or below it."""
    labels = [region for text, region in seen.texts if _labels(text, meant.label)]
    if not labels:
        raise SeekError(f'No label begins with "{meant.label}".')
    label = labels[0]
    links = [one for one in seen.of_role("link", "button") if _beside(one.region, label)]
    if not links:
        raise SeekError(f'Nothing that can be clicked stands beside "{meant.label}".')
    region = min(links, key=lambda one: abs(one.region.y - label.y)).region
    return Move("click", {"target": {"x": region.right - min(10, region.width // 4), "y": _first_row(region, label)}})


def _labels(text: str, label: str) -> bool:
    return plain(text).startswith(plain(label)) and len(text.split()) <= len(label.split()) + 1


def _beside(one: Region, label: Region) -> bool:
    return one.y < label.bottom and label.y < one.bottom and one.right > label.right


def _first_row(region: Region, label: Region) -> int:
    """Return the height of a text's first line; it may go on below the label."""
    return label.center.y if region.y <= label.center.y < region.bottom else region.center.y


def click_result(meant: ClickResult, seen: Seen) -> Move:
    """Click a link by its number, page by page."""
    results = [one for one in seen.of_role("link") if not _turns_page(one)]
    before = len(results) * seen.deeds  # each page but the last has as many
    if not results:
        raise SeekError("There are no results on the screen.")
    if meant.nth - before <= len(results):
        return Move("click", {"target": at(results[meant.nth - before - 1].region)})
    return _next_page(seen, f"There are only {before + len(results)} results.")


def _turns_page(link: Element) -> bool:
    return (
        bool(NUMBER.fullmatch(link.text)) or not re.search(r"\w", link.text) or plain(link.text) in {"next", "previous"}
    )


def in_order(meant: InOrder, seen: Seen) -> Move:
    """Note where the numbers are, since they may vanish, and click one after the other."""
    noted = next((step.observation.data for step in seen.since if step.action.tool == "marks"), None)
    if noted is None:
        return Move("marks", last=False, why="I note where the numbers are.")
    rows = [row for row in noted if NUMBER.fullmatch(row["text"])]
    rows = [row for row in rows if seen.deeds or any(_is_at(row, one) for one in seen.elements)]
    rows.sort(key=lambda row: int(row["text"]), reverse=meant.descending)
    if not rows:
        raise SeekError("No number is on the screen.")
    row = rows[min(seen.deeds, len(rows) - 1)]
    return Move("click", {"target": at(Region(*row["place"]))}, last=seen.deeds >= len(rows) - 1)


def _is_at(row: Mapping[str, Any], element: Element) -> bool:
    """Whether a number that was noted is an element; its box differs as it is read and as its program says."""
    return element.text == row["text"] and Region(*row["place"]).center in element.region


def repeat(meant: Repeat, seen: Seen) -> Move:
    """Click the button until the number is as it is wanted."""
    numbers = seen.numbers()
    if len(numbers) == 1 and seen.deeds and _compares(int(numbers[0].text), meant.until):
        return Move("read_screen")
    buttons = seen.named(meant.button, "button")
    if not buttons or seen.deeds > REPEATS_MAX:
        raise SeekError(f'No button is called "{meant.button}", or the number never is as it is wanted.')
    return Move("click", {"target": at(buttons[0].region)}, last=False)


def _compares(number: int, wanted: str) -> bool:
    if wanted in {"odd", "even"}:
        return (number % 2 == 1) == (wanted == "odd")
    sign, limit = wanted.split()
    return number < float(limit) if sign == "<" else number > float(limit)
