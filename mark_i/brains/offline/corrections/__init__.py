"""What the person says during a run, and what it changes of what is left to do."""

from mark_i.brains.offline.corrections.remaining import Remaining, says_nothing

__all__ = ["Remaining", "says_nothing"]
