"""Fleet files: what they may hold, the runs that they make, and how a fault in one is told."""

from pathlib import Path

import pytest

from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.fleet.file import Job, jobs_of, read_file
from world_model import UsageError

GOAL = '[[task]]\nname = "note"\ngoal = "Press shift."\n'


def jobs(folder: Path, text: str, table: str | None = None) -> tuple[Job, ...]:
    file = folder / "goals.toml"
    file.write_text(text, encoding="utf-8")
    if table is not None:
        (folder / "rows.csv").write_text(table, encoding="utf-8")
    return jobs_of(read_file(file), file, DEFAULT_PROFILE)


def refused(folder: Path, text: str, table: str | None = None) -> str:
    with pytest.raises(UsageError) as raised:
        jobs(folder, text, table)
    return str(raised.value)


def test_a_task_is_done_for_each_row_and_try(tmp_path: Path) -> None:
    text = 'goal = \'Type "{word}", {not a column}\'\nrows = "rows.csv"\ntries = 2\ncheck = "grep {word} f"\n'
    found = jobs(tmp_path, f'[[task]]\nname = "A note!"\n{text}', "word,more\nbread and milk,1\nit's,2\n")

    assert [one.id for one in found] == [
        "001-a-note-row1-try1",
        "001-a-note-row1-try2",
        "001-a-note-row2-try1",
        "001-a-note-row2-try2",
    ]
    assert found[0].title == "A note!, row 1, try 1"
    assert found[0].goal == 'Type "bread and milk", {not a column}'
    assert found[0].check == "grep 'bread and milk' f"
    assert found[2].check == "grep 'it'\"'\"'s' f", "a value is one word of the shell, whatever it holds"


def test_what_a_task_says_comes_before_the_defaults(tmp_path: Path) -> None:
    defaults = '[defaults]\nbrain = "offline"\nsize = "800x600"\nmax_steps = 7\n'
    own, other = jobs(tmp_path, f'{defaults}{GOAL}max_steps = 3\n[[task]]\nname = "b"\ngoal = "Press {{x}}."\n')

    assert (own.brain, own.size, own.max_steps) == ("offline", "800x600", 3)
    assert (other.max_steps, other.goal) == (7, "Press {x}."), "without a table, braces are left as they are"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "task: field required"),
        ('[[task]]\nname = "a"\n', 1, "task 1: give it a goal or a skill"),
        ('[[task]]\nname = "a"\ngoal = "b"\nskill = "c"\n', 1, "task 1: give it a goal or a skill"),
        (
            '[[task]]\nname = "a"\nskill = "c"\nschema = "s"\n',
            1,
            "task 1: a skill writes no result, so it cannot have a schema",
        ),
        (f"{GOAL}schema = ''\n", 4, "task 1, schema: string should have at least 1 character"),
        (f'{GOAL}\n[[task]]\nname = "b"\ngoal = ""\n', 7, "task 2, goal: string should have at least 1 character"),
        (f"{GOAL}chekc = 'x'\n", 4, "task 1, chekc: there is no such key (did you mean check?)."),
        (f"{GOAL}shema = 'x'\n", 4, "task 1, shema: there is no such key (did you mean schema?)."),
        (f"{GOAL}xyz = 'x'\n", 4, "task 1, xyz: there is no such key."),
        (f"[budget]\nmaxcost = 1\n{GOAL}", 2, "budget, maxcost: there is no such key (did you mean max_cost?)."),
        (f"{GOAL}tries = 0\n", 4, "task 1, tries: input should be greater than or equal to 1"),
        (f'[defaults]\nsize = "big"\n{GOAL}', 2, "defaults, size: 'big' is not a size such as 1920x1080"),
        (f"[budget]\nmax_cost = 0\n{GOAL}", 2, "budget, max_cost: input should be greater than 0"),
        (f"{GOAL}{GOAL}", 5, "another task has the name 'note', too"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    told = refused(tmp_path, text)

    assert told.startswith(f"{tmp_path / 'goals.toml'}, line {line}, {words}"), told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("more", "table", "words"),
    [
        ('rows = "rows.csv"', None, "rows.csv cannot be read: No such file"),
        ('rows = "rows.csv"', "", "is empty"),
        ('rows = "rows.csv"\ncheck = "test {size}"', "word\nx\n", "names {size}, and rows.csv has the columns word"),
        ('rows = "rows.csv"\ncheck = \'test "{word}"\'', "word\nx\n", "write {word} without quotes around it"),
        ('rows = "rows.csv"\ncheck = "test \'a {word}\'"', "word\nx\n", "write {word} without quotes around it"),
        ('rows = "rows.csv"', "word\nx,y\n", "row 2: it has 2 values, and there are 1 columns"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(tmp_path: Path, more: str, table: str | None, words: str) -> None:
    told = refused(tmp_path, f"{GOAL}{more}\n", table)

    assert told.startswith(f"{tmp_path / 'goals.toml'}, the task 'note': ")
    assert words in told


@pytest.mark.parametrize("content", [b"[[task", b"\xff\xfe"])
def test_what_is_no_fleet_file_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "goals.toml"
    file.write_bytes(content)

    with pytest.raises(UsageError, match=r"is not (valid TOML|UTF-8 text)"):
        read_file(file)
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        read_file(tmp_path / "none.toml")


def test_a_skill_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "There are no skills yet" in refused(tmp_path, '[[task]]\nname = "a"\nskill = "letter"\n')


def test_a_schema_is_read_beside_the_file_and_its_faults_are_told(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "object"}')
    (tmp_path / "own.json").write_text('{"type": "array"}')
    text = f'[defaults]\nschema = "s.json"\n{GOAL}[[task]]\nname = "b"\ngoal = "Press x."\nschema = "own.json"\n'
    assert [one.schema for one in jobs(tmp_path, text)] == ['{"type": "object"}', '{"type": "array"}']

    (tmp_path / "own.json").write_text('{"type": "objekt"}')
    told = refused(tmp_path, text)
    assert told.startswith(f"{tmp_path / 'goals.toml'}, the task 'b': {tmp_path / 'own.json'} is not a valid JSON")
    assert refused(tmp_path, f'{GOAL}schema = "no.json"\n').endswith(
        f"the task 'note': {tmp_path / 'no.json'} cannot be read: No such file or directory; check the path."
    )
