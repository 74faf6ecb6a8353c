"""The Skills page in the window itself, with real mouse and keyboard, on skills of a real program."""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mark_i.config import runs_folder, skills_folder
from mark_i.skills.file import FILE, write_skill
from mark_i.skills.skill import Parameter, Shown, Skill, SkillStep
from mark_i.skills.store import names_of, skill_named
from tests.gui.opened_window import Window
from tests.support import Run, action, finish, script
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from world_model import Size

SCREEN_SIZE = Size(1100, 900)
FORM = Path(__file__).parents[2] / "apps" / "form_gtk.py"
GOAL = "order for Ada of Babbage, gift wrap, apply"
STEPS = [
    action("open_app", name="orderform"),
    action("type_text", text="Ada", into="Name"),
    action("type_text", text="Babbage", into="Company"),
    action("click", target="Apply"),
]
TERMINAL = Skill(
    name="terminal",
    description="Open a terminal to work in.",
    goal="open a terminal",
    parameters=(Parameter(name="pages", type="number", example="4217"),),
    steps=(SkillStep(does="Open a terminal", tool="open_app", args={"name": "xterm"}),),
    check=(Shown(step=1),),
)


@pytest.fixture
def shop(screen: Eyes, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """The window, with the program `orderform` on the path."""
    program = tmp_path / "bin" / "orderform"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec /usr/bin/python3 {FORM}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    with contextlib.closing(Window(screen, home, PATH=os.environ["PATH"])) as window:
        yield window


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the window is started in, and that its dialogs show."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def skill(name: str, **changes: object) -> Path:
    """Write a skill into the profile."""
    folder = skills_folder("default") / name
    write_skill(TERMINAL.model_copy(update={"name": name, **changes}), folder)
    return folder


def newest_run() -> str:
    return max(folder.name for folder in runs_folder().iterdir())


def ran(run: str) -> tuple[str, str]:
    """The goal of a run, and how it ended."""
    told = json.loads((runs_folder() / run / "run.json").read_text(encoding="utf-8"))
    return told["goal"], told["outcome"]["outcome"]


def test_the_first_skill_is_told_how_to_make(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("There are no skills yet", "Make a skill", "on the last card")


def test_skills_are_searched_opened_and_deleted_with_the_keyboard(window: Window) -> None:
    skill("terminal", state="kept")
    skill("other", why="Step 1 of the skill: no window.", description="Something else.")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("State", "kept", "draft", "Open a terminal to work in.", "Something else.")
    window.desktop.type("nothing")
    assert window.sees("No skill matches these words")
    window.desktop.press("shift+home")
    window.desktop.type("else\n")
    assert window.sees(
        "Back", "A draft: it has not replayed true yet. Step 1 of the skill: no window.", "Open a terminal"
    )
    window.desktop.press("escape")
    assert window.sees("State", "Something else.")
    window.desktop.press("delete")
    assert window.sees("Enter deletes it permanently", "Keep it")
    window.desktop.press("escape")
    assert window.gone("Keep it")
    window.desktop.press("delete")
    assert window.sees("Enter deletes it permanently", "Delete it")
    window.desktop.press("enter")
    assert window.wait(lambda: names_of("default") == ["terminal"])
    assert window.sees("No skill matches these words")


def test_a_fault_in_the_file_is_shown_where_it_is_and_mended_in_place(window: Window) -> None:
    folder = skill("odd")
    text = (folder / FILE).read_text(encoding="utf-8")
    (folder / FILE).write_text(text.replace('tool = "open_app"', "tool = 7"), encoding="utf-8")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("fault", "steps 1, tool")
    window.click("fault")
    window.click("Edit")
    assert window.sees("Cancel", "steps 1, tool: input should be a valid string", "tool = 7")
    window.desktop.press("end")  # the caret is in the line of the fault
    window.desktop.press("backspace")
    window.desktop.type("8")
    window.desktop.press("ctrl+s")
    assert window.sees("Cancel", "steps 1, tool: input should be a valid string", "tool = 8")
    assert "tool = 7" in (folder / FILE).read_text(encoding="utf-8")
    window.desktop.press("end")
    window.desktop.press("backspace")
    window.desktop.type('"open_app"')
    window.desktop.press("ctrl+s")
    assert window.sees("Back", "A draft", "Open a terminal")
    assert (folder / FILE).read_text(encoding="utf-8") == text


def test_a_value_of_another_type_is_told_at_its_field_and_nothing_is_run(window: Window) -> None:
    skill("terminal")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("Open a terminal to work in.")
    window.desktop.press("enter")
    assert window.sees("Back", "number")
    window.click("4217")  # the value of the run, as placeholder
    window.desktop.type("three\n")
    assert window.sees("This must be a number, such as 12 or 3.5.")
    assert not runs_folder().exists()
    window.desktop.press("shift+home")
    window.desktop.type("3")
    assert window.gone("This must be a number")
    window.desktop.press("enter")
    assert window.sees("Did the whole skill, 1 step.")
    assert ran(newest_run()) == ('run terminal with pages "3"', "done")


def test_a_table_runs_a_skill_for_each_row_and_tells_how_each_ended(folder: Path, window: Window) -> None:
    skill("terminal")
    (folder / "rows.csv").write_text("pages\n4\n5\n")
    (folder / "odd.csv").write_text("colour\nred\n")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("Open a terminal to work in.")
    window.desktop.press("enter")
    for file, told in (("odd.csv", "The skill terminal has no parameter 'colour'"), ("rows.csv", "Row 2: Done")):
        window.click("Run rows of a CSV file")
        window.click(file, count=2)  # keys would be lost while the dialog opens
        assert window.sees(told)
    assert window.sees("Row 1: Done. pages=4", "Row 2: Done. pages=5")
    runs = sorted(folder.name for folder in runs_folder().iterdir())
    assert [ran(run) for run in runs] == [(f'run terminal with pages "{one}"', "done") for one in "45"]


def test_a_good_run_makes_a_skill_that_a_person_changes_and_runs(shop: Window, mark_i: Run, tmp_path: Path) -> None:
    replies = script(tmp_path / "run.jsonl", *STEPS, finish({"text": "clicked apply"}))
    done = mark_i("run", GOAL, "--brain", replies, "--virtual", "1024x768", "--yes")
    assert done.returncode == 0, done.stdout
    made_from = newest_run()
    shop.desktop.press("ctrl+2")
    assert shop.sees("Search", "Outcome", "order for Ada")
    shop.desktop.press("down")
    shop.desktop.press("enter")
    shop.click("Make a skill")
    assert shop.sees("A skill from the run", "Parameters", "Ada", "Babbage", "Steps")
    shop.desktop.press("ctrl+a")
    shop.desktop.type("order")
    shop.desktop.press("tab")  # the checkbox of the first parameter
    shop.desktop.press("tab")
    shop.desktop.type("Whom")
    assert shop.sees("'Whom' cannot be a parameter")
    shop.desktop.press("ctrl+a")
    shop.desktop.type("whom")
    assert shop.gone("cannot be a parameter")
    assert shop.sees('Type "{whom}"')
    shop.desktop.press("tab")
    shop.desktop.press("tab")
    shop.desktop.press("space")  # the second one stays as it was
    assert shop.sees('Type "Babbage"')
    shop.click("Save")
    assert shop.sees("Saved as order", "A draft", "from the run")  # its name is not read: "1129" may be taken for "129"
    saved, _folder = skill_named("default", "order")
    assert saved.made_from.run == made_from
    assert [(one.name, one.example) for one in saved.parameters] == [("whom", "Ada")]

    shop.click("Run")
    assert shop.sees("Did the whole skill, 4 steps.")
    assert ran(newest_run()) == ('run order with whom "Ada"', "done")


def test_a_check_keeps_a_skill_and_another_is_stopped(window: Window) -> None:
    folder = skill("terminal")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("Open a terminal to work in.")
    window.desktop.press("enter")
    assert window.sees("Back", "A draft")
    window.click("Check")
    assert window.sees("Replay 1 of 2")
    assert window.sees("The skill is kept", "Replay 2 with pages=4218", "Kept: it replayed true twice.")
    assert skill_named("default", "terminal")[0].state == "kept"
    before = (folder / FILE).read_bytes()
    window.click("Check")
    window.click("Stop the check")
    assert window.sees("The check was stopped. The skill is as it was.")
    assert (folder / FILE).read_bytes() == before


def test_a_skill_is_exported_into_a_folder_that_is_chosen(folder: Path, window: Window) -> None:
    skill("terminal")
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+3")
    assert window.sees("Open a terminal to work in.")
    window.desktop.press("enter")
    window.click("Export")
    window.click("OK")  # the folder that the dialog shows; keys would be lost while it opens
    assert window.sees("terminal is in")
    assert (folder / "terminal" / "SKILL.md").is_file()


def test_a_run_that_makes_no_skill_says_why_in_one_line(window: Window, tmp_path: Path) -> None:
    draw = action("drag", start={"x": 100, "y": 100}, end={"x": 200, "y": 200})
    assert window.sees("Ready", "What should MARK-I do?")
    window.write("draw a line")
    window.desktop.type(f"\t{script(tmp_path / 'run.jsonl', draw, finish(), finish())}")
    window.click("Run")
    window.click("Make a skill")
    assert window.sees("Step 1 of the run")
    assert not find("A skill from the run", window.screen.read(window.screen.look()))
    assert names_of("default") == []
