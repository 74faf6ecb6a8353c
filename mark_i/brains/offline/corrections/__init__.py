"""What the person says during a run, and what it changes of what is left to do."""

from mark_i.brains.offline.corrections.from_start import (
    LOOKED_FOR,
    NOTHING,
    is_look,
    quoted_text,
    typed_at_end,
    with_held,
)
from mark_i.brains.offline.corrections.meant import (
    DONE_BEFORE,
    FILLERS,
    NOT_LEFT,
    TYPING,
    can_be_undone,
    quoted_or,
    takes_back,
)
from mark_i.brains.offline.corrections.message_parts import beginnings
from mark_i.brains.offline.corrections.readings import says_where
from mark_i.brains.offline.corrections.remaining import Remaining
from mark_i.brains.offline.corrections.reopening import reopened
from mark_i.brains.offline.corrections.saving import saved_before_closing
from mark_i.brains.offline.corrections.text_lines import (
    BY_KEY,
    ENTER,
    SAVING,
    is_enter,
    is_text,
    saved_in_passing,
    saves,
    start_of_save,
)
from mark_i.brains.offline.corrections.whole_changes import takes_back_last
from mark_i.brains.offline.corrections.wordings import is_unsaved, lead_end, other_file, says_nothing

__all__ = [
    "BY_KEY",
    "DONE_BEFORE",
    "ENTER",
    "FILLERS",
    "LOOKED_FOR",
    "NOTHING",
    "NOT_LEFT",
    "SAVING",
    "TYPING",
    "Remaining",
    "beginnings",
    "can_be_undone",
    "is_enter",
    "is_look",
    "is_text",
    "is_unsaved",
    "lead_end",
    "other_file",
    "quoted_or",
    "quoted_text",
    "reopened",
    "saved_before_closing",
    "saved_in_passing",
    "saves",
    "says_nothing",
    "says_where",
    "start_of_save",
    "takes_back",
    "takes_back_last",
    "typed_at_end",
    "with_held",
]
