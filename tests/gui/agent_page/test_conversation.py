"""A conversation in the window itself, by mouse and keys: follow-ups, a new one, and past runs that are taken up."""

from functools import partial
from pathlib import Path

from mark_i.config.paths import runs_folder
from tests.gui.opened_window import Window
from tests.support import action, processes_with, script
from toolbelt.ocr.text_match import find
from world_model import Run, read_run

END = action("finish", summary="That is all.")
LOOK = action("list_windows")


def runs() -> list[Run]:
    """The runs, oldest first."""
    begun = [folder for folder in sorted(runs_folder().iterdir()) if (folder / "run.json").exists()]
    return [read_run(folder, images=False) for folder in begun]


def say(window: Window, goal: str, brain: str = "") -> None:
    """Write a goal, and a model if there is one, and send it with Enter."""
    window.desktop.type(f"{goal}\t{brain}" if brain else goal)
    if brain:
        window.desktop.press("shift+tab")
    window.desktop.press("enter")


def alone(window: Window) -> bool:
    """Whether of all processes of the profile only the window is left."""
    return len(processes_with(f"MARK_I_HOME={window.home}\0")) == 1


def test_a_follow_up_knows_what_was_said_and_uses_the_same_desktop(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "Paint the fence", script(tmp_path / "b.jsonl", LOOK, END, END))
    assert window.sees("Done, but not verified", "2 of 50 steps", "Next goal")
    say(window, "Paint it green")

    assert window.sees("Paint it green", "Done, but not verified")
    assert window.wait(lambda: len(runs()) == 2 and runs()[1].about.get("outcome"))
    first, second = runs()
    assert second.about["settings"]["continues"] == first.folder.name
    assert second.about["desktop"] == first.about["desktop"]
    assert "Paint the fence" in (second.folder / "prompts.jsonl").read_text()
    assert not alone(window)

    window.click("New conversation")
    assert window.gone("Paint it green")
    assert window.sees("What should MARK-I do?", "Example (click to use it):")
    assert window.wait(partial(alone, window))


def test_a_file_is_attached_in_a_dialog_and_the_run_gets_a_copy(window: Window, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("The order number is 4711.")
    assert window.sees("Ready", "What should MARK-I do?")
    window.click("Attach files")
    assert window.wait(lambda: "Attach files" in window.titles(active=True))

    def takes_keys() -> bool:  # a dialog that is just coming up takes keys before its field has the focus
        window.desktop.press("ctrl+/")
        window.desktop.type("here")
        return bool(find("here", window.screen.until(lambda lines: find("here", lines), 2.0)))

    assert window.wait(takes_keys)
    window.desktop.press("ctrl+/")
    window.desktop.type(f"{file}\n")
    assert window.sees("Attached: notes.txt")
    window.enter_goal("Goal")
    say(window, "Read it", script(tmp_path / "b.jsonl", LOOK, END, END))

    assert window.sees("Done, but not verified", "Attach files")
    [run] = runs()
    assert (run.folder / "work" / "attached" / "notes.txt").read_text() == file.read_text()
    assert "The person attached" in (run.folder / "prompts.jsonl").read_text()


def test_past_runs_are_continued_and_run_again(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    brain = script(tmp_path / "b.jsonl", LOOK, END, END)
    say(window, "Paint the fence", brain)
    assert window.sees("Done, but not verified", "Next goal")
    window.click("Runs")
    window.click("Paint the fence")
    window.click("Continue")
    assert window.sees("Your next goal continues this run")
    say(window, "Paint it green")
    assert window.sees("Paint it green", "Done, but not verified")
    assert window.wait(lambda: len(runs()) == 2 and runs()[1].about.get("outcome"))
    window.click("Runs")
    window.click("Paint the fence")
    window.click("Run again")

    assert window.wait(lambda: len(runs()) == 3 and runs()[2].about.get("outcome"))
    first, continued, again = runs()
    assert continued.about["settings"]["continues"] == first.folder.name
    assert (again.about["goal"], again.about["brain"]) == ("Paint the fence", first.about["brain"])
    assert again.about["settings"]["continues"] is None
    assert not window.found("This run followed on another one")

    assert window.sees("Done, but not verified", "Next goal")
    window.click("Runs")
    window.click("Paint it green")
    window.click("Run again")
    assert window.sees("This run followed on another one", "Paint it green")
    assert window.wait(lambda: len(runs()) == 4 and runs()[3].about.get("outcome"))
    assert runs()[3].about["settings"]["continues"] is None


def test_a_run_that_was_stopped_leaves_its_goal_as_it_was_changed(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1, wait 90 seconds, press f2", "offline")
    assert window.sees("Pressed f1")
    say(window, "press f3 instead of f2")
    assert window.sees("Still to do")
    window.desktop.press("escape")

    assert window.sees("Stopped")
    goal = window.screen.until(lambda lines: find("press f3", lines), 10.0)
    assert find("press f3", goal)
    assert not find("press f2", tuple(line for line in goal if line.region.y < find("Stopped", goal)[0].point.y))

    window.click("Runs")
    assert window.sees("Outcome", "Steps")
    window.click("press f1")
    window.click("Run again")
    assert window.wait(lambda: len(runs()) == 2)
    assert runs()[1].about["goal"].splitlines() == ["press f1", "wait 90 seconds", "press f3"]


def test_go_on_resumes_the_run_that_was_stopped(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1, wait 90 seconds, press f2", "offline")
    assert window.sees("Pressed f1", "Wait 90 s")
    say(window, "press f3 instead of f2")
    assert window.sees("Still to do")
    say(window, "wait 1 second instead")
    window.desktop.press("escape")
    assert window.sees("Stopped")
    assert window.wait(lambda: runs()[0].about.get("outcome"))
    window.enter_goal("Next goal")
    window.desktop.press("ctrl+a")
    say(window, "go on, please")

    assert window.sees("Done")
    assert window.wait(lambda: "done" in runs()[0].about.get("outcome", {}).get("outcome", ""))
    [run] = runs()
    assert [step.action.args["keys"] for step in run.steps if step.action.tool == "press"] == ["f1", "f3"]


def test_what_cannot_be_followed_is_asked_beside_the_message_box(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1, wait 90 seconds, press f2", "offline")
    assert window.sees("Pressed f1", "Wait 90 s")
    say(window, "make it nicer")
    assert window.sees("I do not understand", "This answers the question below", "Dismiss")
    assert window.titles() == ["MARK-I"]
    [dismiss] = find("Dismiss", window.screen.read(window.screen.look()))
    row = [one for one in find("Go on", window.screen.read(window.screen.look())) if one.point.y > dismiss.point.y - 9]
    window.desktop.click(min(row, key=lambda one: one.point.y).point)
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")

    say(window, "make it nicer")
    assert window.sees("Dismiss")
    say(window, "press f3 instead of f2")
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")
    say(window, "make it nicer")
    assert window.sees("Dismiss")
    window.desktop.press("escape")  # of a question; the run goes on
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")
    say(window, "make it nicer")
    assert window.sees("Dismiss")
    window.desktop.press("escape")
    window.desktop.press("escape")
    assert window.sees("Stopped")
