"""What the person says during a run, and what it changes of what is left to do."""

from mark_i.brains.offline.corrections.from_start import LOOKED_FOR, NOTHING
from mark_i.brains.offline.corrections.meant import can_be_undone
from mark_i.brains.offline.corrections.readings import says_where
from mark_i.brains.offline.corrections.remaining import Remaining, says_nothing, takes_back_last
from mark_i.brains.offline.corrections.text_lines import BY_KEY, SAVING
from mark_i.brains.offline.corrections.wordings import is_unsaved, other_file

__all__ = [
    "BY_KEY",
    "LOOKED_FOR",
    "NOTHING",
    "SAVING",
    "Remaining",
    "can_be_undone",
    "is_unsaved",
    "other_file",
    "says_nothing",
    "says_where",
    "takes_back_last",
]
