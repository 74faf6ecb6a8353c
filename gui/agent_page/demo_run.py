"""The demo as a run of the window: the same goal, and the same look at what came of it, as `mark-i demo` has."""

from gui.agent_page.run_thread import Job
from mark_i.cli import compare, goal, new_letter
from mark_i.doctor import editor_there


def demonstration() -> Job | None:
    """The demo on a virtual desktop; None where there is no editor for it."""
    if not (editor := editor_there()):
        return None
    letter = new_letter()
    return Job(goal(editor, letter), "offline", virtual=True, check=lambda: compare(letter)[1])
