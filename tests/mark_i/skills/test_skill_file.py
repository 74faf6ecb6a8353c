"""The file of a skill is read back as it was written, and a fault in it is one line that says where and what."""

from pathlib import Path

import pytest

from mark_i.skills.exporting import export_skill
from mark_i.skills.file import CHANGED, FILE, FileFault, read_skill, skill_in, skill_text, write_edited, write_skill
from mark_i.skills.rows import rows_of
from mark_i.skills.skill import Effect, Parameter, Shown, Skill, SkillStep, filled, values_for
from world_model import UsageError

LETTER = Skill(
    name="letter",
    description="Write a letter.",
    goal='type "{text}" and save it as {file}',
    parameters=(
        Parameter(name="text", example='Dear "Ann",\nhow {are} you? \\o/ é 漢'),
        Parameter(name="file", type="path", example="/tmp/letter.txt"),
        Parameter(name="pages", type="number", example="3"),
        Parameter(name="day", type="date", example="2026-11-29"),
    ),
    steps=(
        SkillStep(does="Type the text", tool="type_text", args={"text": "{text}"}, window="Editor"),
        SkillStep(
            does="Click on Save",
            tool="click",
            args={"target": {"text": "Save", "role": "button", "beside": "Cancel"}},
            then=Effect(opened="Save As", seen=("Name",)),
        ),
    ),
    check=(Shown(step=2), Shown(file="{file}", text="{text}")),
)


def test_a_skill_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    write_skill(LETTER, tmp_path / "letter")

    assert read_skill(tmp_path / "letter") == LETTER


def test_each_step_of_the_file_can_be_read_by_a_person() -> None:
    lines = skill_text(LETTER).splitlines()

    assert 'args = {target = {text = "Save", role = "button", beside = "Cancel"}}' in lines
    assert 'then = {opened = "Save As", seen = ["Name"]}' in lines
    assert lines.count("[[steps]]") == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('tool = "click"', "", "line 32, steps 2, tool: field required"),
        ('type = "number"', 'type = "whole"', "line 18, parameters 3, type: input should be 'text', 'number'"),
        ('goal = "type', 'goals = "type', "goal: field required"),
        ("seen = [", "sees = [", "steps 2, then, sees: there is no such key"),
        ("version = 1", "version = 2", "has version 2, and this MARK-I knows up to 1"),
        ('tool = "click"', "tool = click", "is not valid TOML"),
        ("args = {target", "args = {goal", "step 2: click: target: field required"),
        (
            'tool = "click"',
            'tool = "click"\npictures = {target = "gone.png"}',
            "step 2: its picture gone.png is missing",
        ),
    ],
)
def test_a_fault_in_the_file_is_told_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    write_skill(LETTER, tmp_path)
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / FILE).write_text(text.replace(old, new), encoding="utf-8")

    with pytest.raises(UsageError) as raised:
        read_skill(tmp_path)

    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('tool = "click"', "tool = click", "tool = click"),
        ('tool = "click"', "tool = 7", "tool = 7"),
        ('type = "number"', 'type = "whole"', 'type = "whole"'),
        ("args = {target", "args = {goal", "args = {goal"),
        ('tool = "click"', 'tool = "click"\npictures = {target = "gone.png"}', "pictures = "),
    ],
)
def test_a_fault_knows_its_line(tmp_path: Path, old: str, new: str, line: str) -> None:
    text = skill_text(LETTER).replace(old, new)

    with pytest.raises(FileFault) as raised:
        skill_in(text, tmp_path)

    assert raised.value.line is not None
    assert text.splitlines()[raised.value.line - 1].startswith(line)


def test_a_kept_skill_that_is_edited_is_a_draft_if_it_does_something_else(tmp_path: Path) -> None:
    folder = tmp_path / "letter"
    write_skill(LETTER.model_copy(update={"state": "kept"}), folder)
    text = f"# Mine\n{(folder / FILE).read_text(encoding='utf-8')}"

    told = write_edited(text.replace("Write a letter.", "Write to Ann."), folder)
    other = write_edited(text.replace('tool = "click"', 'tool = "double_click"'), folder)

    assert (told.state, told.description) == ("kept", "Write to Ann.")
    assert (other.state, other.why, other.steps[1].tool) == ("draft", CHANGED, "double_click")
    assert read_skill(folder) == other
    assert (folder / FILE).read_text(encoding="utf-8").startswith("# Mine\n")


@pytest.mark.parametrize(("old", "new"), [('name = "letter"', 'name = "note"'), ('tool = "click"', "tool = 7")])
def test_an_edited_file_with_a_fault_is_not_written(tmp_path: Path, old: str, new: str) -> None:
    folder = tmp_path / "letter"
    write_skill(LETTER, folder)
    text = (folder / FILE).read_text(encoding="utf-8")

    with pytest.raises(FileFault):
        write_edited(text.replace(old, new, 1), folder)

    assert (folder / FILE).read_text(encoding="utf-8") == text


def test_only_placeholders_of_parameters_are_filled() -> None:
    values = values_for(LETTER, {"text": "{file}", "file": "/tmp/a b.txt"})

    assert filled({"a": ["{text}", "{file.name} {other} {{secret:x}} {}"]}, values) == {
        "a": ["{file}", "a b.txt {other} {{secret:x}} {}"]
    }
    assert values["pages"] == "3"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"colour": "red"}, "The skill letter has no parameter 'colour'. It has: text, file, pages, day."),
        ({"pages": "three"}, "pages must be a number"),
        ({"day": "29.11.2026"}, "day must be a date"),
        ({"file": ""}, "file must be the path of a file"),
    ],
)
def test_a_value_of_another_type_is_refused(given: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match="^" + told.replace(".", r"\.")):
        values_for(LETTER, given)


def test_the_rows_of_a_table_are_values(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text('\ufefftext,pages\r\n"Dear Ann,\nhow are you?",2\r\n\r\n漢,3\r\n', encoding="utf-8")

    assert rows_of(file) == [{"text": "Dear Ann,\nhow are you?", "pages": "2"}, {"text": "漢", "pages": "3"}]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"text,pages\n", "has no rows"),
        (b"text,pages\nonly one\n", "row 2: it has 1 values, and there are 2 columns"),
        (b"text\n\xe9\n", "is not UTF-8 text"),
    ],
)
def test_a_table_that_does_not_fit_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(content)

    with pytest.raises(UsageError) as raised:
        rows_of(file)

    assert told in str(raised.value)


def test_an_exported_skill_tells_other_agents_how_to_use_it(tmp_path: Path) -> None:
    write_skill(LETTER, tmp_path / "letter")

    export_skill(LETTER, tmp_path / "letter", tmp_path / "out")

    told = (tmp_path / "out" / "SKILL.md").read_text(encoding="utf-8")
    assert told.startswith('---\nname: letter\ndescription: "Write a letter."\n---\n')
    assert "`mark-i skill run letter --set text=VALUE --set file=VALUE --set pages=VALUE --set day=VALUE`." in told
    assert "2. Click on Save" in told
    with pytest.raises(UsageError, match="exists already"):
        export_skill(LETTER, tmp_path / "letter", tmp_path / "out")
