"""The kinds of attempts. They take turns."""

from collections.abc import Callable
from typing import Final

from mark_i.bench.attempts.at_a_shell import (
    appended,
    checked,
    copied,
    deleted,
    emptied,
    filtered,
    in_german,
    made,
    moved,
    overwritten,
    partly_written,
    placed,
    renamed,
    shown,
    worked_on,
    written,
)
from mark_i.bench.attempts.in_a_form import applied, filled, mistyped_port, pointed_at, refused, ticked
from mark_i.bench.attempts.in_an_editor import closed, replaced, saved, saved_as, undone
from mark_i.bench.attempts.scene import Attempt, Scene
from mark_i.bench.attempts.with_files import (
    added_twice,
    asked_back,
    copied_nothing,
    mistyped,
    moved_instead,
    replaced_once,
    several_deleted,
    several_made,
)

KINDS: Final[tuple[Callable[[Scene], Attempt], ...]] = (
    copied,
    made,
    worked_on,
    appended,
    placed,
    written,
    filtered,
    deleted,
    moved,
    renamed,
    overwritten,
    partly_written,
    emptied,
    in_german,
    checked,
    shown,
    ticked,
    filled,
    applied,
    refused,
    saved,
    closed,
    undone,
    saved_as,
    replaced,
    several_made,
    several_deleted,
    moved_instead,
    copied_nothing,
    replaced_once,
    added_twice,
    mistyped,
    asked_back,
    mistyped_port,
    pointed_at,
)
