"""A conversation in the window itself, by mouse and keys: follow-ups, a new one, and past runs that are taken up."""

from functools import partial
from pathlib import Path

import pytest

from mark_i.config.paths import runs_folder, settings_file, skills_folder
from mark_i.config.settings import load, save
from mark_i.skills.file import write_skill
from mark_i.skills.skill import Effect, Parameter, Skill, SkillStep
from tests.gui.agent_page.awaited_words import ASKED, WANTED
from tests.gui.opened_window import Window
from tests.support import Run as Program, action, processes_with, script
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import Match, find
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


def test_what_follows_a_run_again_uses_the_settings(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1", "offline")
    assert window.sees("Pressed f1", "Next goal")
    assert window.wait(lambda: runs()[0].about.get("outcome"))
    save({"brain": script(tmp_path / "b.jsonl", END, END)})
    window.click("Settings")
    assert window.sees("Keys", "saved at once")
    window.click("Runs")
    window.click("press f1")
    window.click("Run again")
    assert window.wait(lambda: len(runs()) == 2 and runs()[1].about.get("outcome"))
    window.click("New conversation")
    assert window.gone("Pressed f1")
    say(window, "Paint the fence")

    assert window.wait(lambda: len(runs()) == 3 and runs()[2].about.get("outcome"))
    first, again, painted = runs()
    assert again.about["brain"] == first.about["brain"] == "offline"
    assert painted.about["goal"] == "Paint the fence"
    assert painted.about["brain"] == load().brain


def test_a_run_of_a_skill_is_run_again_with_the_same_values(window: Window, mark_i: Program) -> None:
    press = SkillStep(does="Press {key}", tool="press", args={"keys": "{key}"}, then=Effect(changed=False))
    key = Parameter(name="key", example="f1")
    write_skill(
        Skill(name="keys", goal="press {key}", parameters=(key,), steps=(press,)), skills_folder("default") / "keys"
    )
    mark_i("skill", "run", "keys", "--set", "key=f3", "--virtual", "320x240")
    assert window.sees("Ready", "What should MARK-I do?")
    window.click("Runs")
    window.click("press f3")
    window.click("Run again")

    assert window.wait(lambda: len(runs()) == 2 and runs()[1].about.get("outcome"))
    first, again = runs()
    assert again.about["goal"] == 'run keys with key "f3"'
    assert again.about["outcome"]["outcome"] == first.about["outcome"]["outcome"]
    assert [step.action for step in again.steps] == [step.action for step in first.steps]
    assert first.steps[0].action.args == {"keys": "f3"}


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


@pytest.fixture
def _awaits_final_words(home: Path) -> None:
    """Another model writes the final words, when a test lets it."""
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text('reply_brain = "tests.gui.agent_page.awaited_words:AwaitedWords"\n')


@pytest.mark.usefixtures("_awaits_final_words")
def test_what_is_said_too_late_begins_as_the_next_goal_by_itself(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "Paint the fence", script(tmp_path / "b.jsonl", LOOK, END))
    assert window.wait((window.home / ASKED).exists)  # its last step is over
    say(window, "Paint it green")
    assert window.sees("Paint it green")
    window.desktop.type("Then blue")  # is being written
    (window.home / WANTED).touch()

    assert window.wait(lambda: len(runs()) == 2 and runs()[1].about.get("outcome"))
    assert window.sees("came too late for that run", "Next goal", "Then blue")
    first, second = runs()
    assert first.about["outcome"]["unheard"] == ["Paint it green"]
    assert (second.about["goal"], second.about["settings"]["continues"]) == ("Paint it green", first.folder.name)
    say(window, "")
    assert window.wait(lambda: len(runs()) == 3)
    assert runs()[2].about["goal"] == "Then blue"


def test_a_stop_leaves_the_goal_with_what_no_step_has_heard(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1, wait 90 seconds, press f2", "offline")
    assert window.sees("Pressed f1", "Wait 90 s")
    window.click("Pause")
    assert window.sees("Resume")
    say(window, "press f3 instead of f2")
    assert window.sees("what you said counts once you resume", "It is followed once the run goes on.")
    window.desktop.press("escape")

    assert window.sees("Stopped")
    goal = window.screen.until(lambda lines: find("press f3", lines), 10.0)
    above = tuple(line for line in goal if line.region.y < find("Stopped", goal)[0].point.y)
    assert find("press f3", above)
    assert not find("press f2", above)


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
    window.desktop.type("go on, please")  # in place of the goal that came back
    window.desktop.press("enter")

    assert window.sees("Done")
    assert window.wait(lambda: "done" in runs()[0].about.get("outcome", {}).get("outcome", ""))
    [run] = runs()
    assert [step.action.args["keys"] for step in run.steps if step.action.tool == "press"] == ["f1", "f3"]


def test_what_cannot_be_followed_is_asked(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, "press f1, wait 280 seconds, press f2", "offline")
    assert window.sees("Pressed f1", "Wait 280 s")
    say(window, "make it nicer")
    assert window.sees("I do not understand", "This answers the question below", "Dismiss")
    assert window.titles() == ["MARK-I"]
    press_beside_dismiss(window, "Go on")
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")

    say(window, "make it nicer")
    assert window.sees("Dismiss", "This answers the question below")
    say(window, "press f3 instead of f2")
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")
    say(window, "make it nicer")
    assert window.sees("Dismiss", "This answers the question below")
    window.click("Dismiss")  # the run goes on
    assert window.gone("Dismiss")
    assert window.sees("Still to do: wait")
    say(window, "make it nicer")
    assert window.sees("Dismiss", "This answers the question below")
    window.desktop.press("escape")
    assert window.sees("The question stays open", "Dismiss")
    window.desktop.press("escape")
    assert window.sees("Stopped")


def press_beside_dismiss(window: Window, text: str) -> None:
    """Press a button of the question, whose words name its text too."""

    def beside(named: list[Match], lines: tuple[Line, ...]) -> Match | None:
        dismiss = find("Dismiss", lines)
        return min(named, key=lambda one: abs(one.point.y - dismiss[0].point.y)) if len(dismiss) == 1 else None

    window.click_of(text, beside)


def test_whether_a_file_is_replaced_is_asked(window: Window, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, f'open mousepad, type "new", save it as "{file}"', "offline")
    assert window.sees("I ask before I replace a file", "Keep it", "Dismiss", "This answers the question below")
    assert window.titles() == ["MARK-I"]
    assert file.read_text() == "old"
    press_beside_dismiss(window, "Replace it")

    assert window.sees("Done", "Open folder")
    assert file.read_text() == "new"


def test_a_question_shows_the_window_in_front_and_a_dialog_is_answered(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    say(window, 'open mousepad, type "milk", close the window', "offline")
    assert window.sees("asks something before it closes", "Don't Save", "Whole screen")
    window.is_asked()  # its buttons take no click before
    window.click("Whole screen")
    assert window.gone("Whole screen")
    assert window.sees("Zoom in")
    press_beside_dismiss(window, "Don't Save")

    assert window.sees("Done", "Next goal")
    assert not window.found("Error")
    [run] = runs()
    assert not [step for step in run.steps if step.observation.error]
