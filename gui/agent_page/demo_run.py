"""The demo as a run of the window: the same goal and the same check as `mark-i demo`."""

from gui.agent_page.run_thread import RunRequest
from mark_i.cli import compare, goal, new_letter
from mark_i.doctor import editor_there


def demo_request() -> RunRequest | None:
    """Make the demo's run, on a virtual desktop; None where there is no editor for it."""
    if not (editor := editor_there()):
        return None
    letter = new_letter()
    return RunRequest(goal(editor, letter), "offline", virtual=True, check=lambda: compare(letter)[1])
