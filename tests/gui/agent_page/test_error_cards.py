"""What mends a run that ended early, from its card in the window, by mouse and keys."""

from mark_i.config.paths import runs_folder
from tests.gui.opened_window import Window
from world_model import read_run


def refused(window: Window) -> None:
    """Start a run with a model that has no key."""
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.type("press f7\tgemini:one")
    window.click("Run")
    assert window.sees("The run did not start", "needs an API key", "Enter a key", "Use no model")


def test_a_run_without_a_key_is_done_without_a_model(window: Window) -> None:
    refused(window)
    window.click("Use no model")

    assert window.sees("Done", "Pressed f7.")
    [run] = runs_folder().iterdir()
    about = read_run(run, images=False).about
    assert (about["goal"], about["brain"]) == ("press f7", "offline")


def test_a_key_is_entered_and_another_model_chosen_by_keys(window: Window) -> None:
    refused(window)
    window.click("Choose another model")
    window.desktop.type("scripted:nothing")
    assert window.sees("scripted:nothing")
    window.click("needs an API key")
    window.desktop.press("enter")

    assert window.sees("Keys", "Gemini")
