"""A small window: a correction is told in its log as a person would, and there is room for that."""

from tests.gui.opened_window import Window
from toolbelt.ocr.text_match import find
from world_model import Size

SCREEN_SIZE = Size(700, 500)
LINE_PX = 12  # less than the height of a line


def say(window: Window, goal: str) -> None:
    window.desktop.type(goal)
    window.desktop.press("enter")


def test_a_correction_is_told_without_its_keys(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, 'open mousepad, type "Guests", press enter, type "Ben"')
    assert window.sees("Next goal", "Checked")
    say(window, "write Bert instead of Ben")

    assert window.sees('Changed "Ben" to "Bert" in the text', 'the text is now "Guests Bert"')
    assert window.sees("Next goal", "Changes")  # the bar of the log has its place
    assert not window.found("not verified")


def test_all_choices_are_in_one_row(window: Window) -> None:
    assert window.sees("Ready", "Model", "Workflow", "Desktop", "This desktop")
    lines = window.screen.read(window.screen.show())
    [model], [desktop] = (find(caption, lines) for caption in ("Model", "Desktop"))

    assert abs(model.point.y - desktop.point.y) < LINE_PX
