"""Amounts that stand in the fields of a form, however they came to stand there: arrow keys, the wheel, a held key."""

from collections.abc import Sequence
from typing import Final

from mark_i.guard.fields import field_of
from mark_i.guard.keystrokes import Stroke
from mark_i.guard.provenance import figure, is_account
from mark_i.guard.screen import Screen
from mark_i.guard.words import asks_for_amount, autosaves, declines
from toolbelt.desktops import Window
from toolbelt.targeting import Aim

STEPS: Final = frozenset({"up", "down", "pageup", "pagedown"})  # keys that change the number in a field


def standing(screen: Screen, window: Window | None) -> list[str]:
    """Return the amounts that a window shows in fields that ask for one."""
    fields = [one for one in screen.elements(window) if one.role in {"textbox", "slider"}]
    return [box.holds for box in fields if asks_for_amount(box.text) and figure(box.holds)]


def payees(pressed: Sequence[Aim], screen: Screen, window: Window | None) -> list[str]:
    """Return the accounts that stand in the form whose button a pointer presses, unless that one declines."""
    places = [aim.region.center for aim in pressed if aim.region]
    there = [one for one in screen.elements(window) if one.role == "button" and any(at in one.region for at in places)]
    if all(declines(one.text) for one in there):
        return []
    return [one.holds for one in screen.elements(window) if one.role == "textbox" and is_account(one.holds)]


def changed_at_once(stroke: Stroke, screen: Screen, window: Window | None) -> list[str]:
    """Return the amount in a field that a key changes, where a page says that it keeps each change."""
    box = field_of(stroke.focus, screen, window) if stroke.keys & STEPS else None
    if box is None or not asks_for_amount(box.text) or figure(box.holds) is None:
        return []
    return [box.holds] if any(autosaves(line.text) for line in screen.texts(window)) else []


def left_by(stroke: Stroke, screen: Screen, window: Window | None) -> list[str]:
    """Return the amount in the field that a stroke leaves, if the agent changed it to another one than it typed."""
    box = field_of(stroke.focus, screen, window)
    changed = stroke.line.text or stroke.focus.since & STEPS
    if box is None or not changed or not asks_for_amount(box.text):
        return []
    return [box.holds] if figure(box.holds) not in {None, figure(stroke.line.text)} else []
