"""What the person says during a run, and what it changes of what is left to do."""

from mark_i.brains.offline.corrections.remaining import Remaining

__all__ = ["Remaining"]
