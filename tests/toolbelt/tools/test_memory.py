"""What is remembered, in a real file, from several processes, and with a file that is damaged."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tools.memory import MAX_RECALLED, Memory
from world_model import Action, Observation

ROOT: Final = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile" / "memory.sqlite"


def remember(file: Path, fact: str) -> Observation:
    return Toolbelt(Memory(file)).call(Action("remember", {"fact": fact}), Control()).observation


def recall(file: Path, query: str) -> Observation:
    return Toolbelt(Memory(file)).call(Action("recall", {"query": query}), Control()).observation


def facts(file: Path, query: str) -> list[str]:
    seen = recall(file, query)
    assert seen.ok, seen.error
    return [one["fact"] for one in seen.data]


def test_a_fact_outlives_who_told_it_and_has_a_date(file: Path) -> None:
    assert remember(file, "Anna's birthday is on the third of May.").text == "Remembered."
    seen = recall(file, "birthday")
    [one] = seen.data
    assert one["fact"] == "Anna's birthday is on the third of May."
    assert one["when"].endswith("+00:00")
    assert len(one["when"]) == len("2026-01-01T00:00:00+00:00")
    assert seen.text.startswith("- Anna's birthday is on the third of May. (20")


def test_nothing_remembered_is_said_and_makes_no_file(file: Path) -> None:
    seen = recall(file, "birthday")
    assert seen.ok
    assert seen.data == []
    assert "Nothing is remembered about 'birthday'" in seen.text
    assert not file.exists()
    remember(file, "The printer is on the second floor.")
    assert recall(file, "birthday").data == []


def test_a_fact_is_not_kept_twice(file: Path) -> None:
    remember(file, "The printer is on the second floor.")
    again = remember(file, "  The printer is  on the\nsecond floor. ")
    assert again.ok
    assert "known already, since 20" in again.text
    assert facts(file, "printer") == ["The printer is on the second floor."]
    assert remember(file, "Cafe\u0301 Zentral").text == "Remembered."
    assert "known already" in remember(file, "Caf\u00e9 Zentral").text


def test_the_case_of_letters_makes_another_fact(file: Path) -> None:
    remember(file, "The door code is aB1")
    assert remember(file, "The door code is AB1").text == "Remembered."
    assert facts(file, "DOOR code") == ["The door code is AB1", "The door code is aB1"]


def test_the_best_comes_first_and_the_newest_among_equals(file: Path) -> None:
    for fact in (
        "The room of the team is 4",
        "The lunch is at noon",
        "The room of the team is 5",
        "The team has a dog",
    ):
        remember(file, fact)
    assert facts(file, "room team")[:3] == [
        "The room of the team is 5",
        "The room of the team is 4",
        "The team has a dog",
    ]


def test_a_query_brings_back_no_more_than_can_be_read(file: Path) -> None:
    for number in range(MAX_RECALLED + 5):
        remember(file, f"Number {number} is one")
    found = facts(file, "number")
    assert len(found) == MAX_RECALLED
    assert found[0] == f"Number {MAX_RECALLED + 4} is one"


@pytest.mark.parametrize(
    ("fact", "query"),
    [
        ("Grüße gehen an Zoë aus Zürich", "zurich"),
        ("Grüße gehen an Zoë aus Zürich", "ZOË"),
        ("明日の会議は三時からです", "会議"),
        ("周五下午开会讨论预算", "预算"),
        ("회의는 금요일에 있다", "회의"),
        ("การประชุมอยู่ที่ชั้นสอง", "ชั้นสอง"),
        ("बैठक शुक्रवार को है", "शुक्रवार"),
        ("الاجتماع يوم الجمعة", "الجمعة"),
        ("Встреча в пятницу", "ВСТРЕЧА"),
        ("The party sign is 🎉 here", "🎉"),
        ("𠮷野家 is a restaurant", "𠮷野"),
        ("The language is C++", "c++"),
        ("It costs 5€", "5€"),
        ("a\0zero byte", "zero"),
        ("Look at <b>this</b> 'and' \"that\"; DROP TABLE facts", "that"),
    ],
)
def test_any_text_is_kept_and_found(file: Path, fact: str, query: str) -> None:
    remember(file, "Something else, to be left out")
    remember(file, fact)
    assert facts(file, query) == [fact]


@pytest.mark.parametrize(
    "query",
    [
        '"key',
        'key"',
        "'key'",
        'a""b key',
        "key AND",
        "AND OR NOT key",
        "key OR",
        "NEAR(key, 2)",
        "fact:key",
        "key:",
        "key*",
        "*key",
        "-key",
        "+ key",
        "(key",
        "{key}",
        "^key",
        "key\0",
        "\0 key",
        "key -- ;",
        "where is my key?",
    ],
)
def test_what_the_search_would_read_as_syntax_is_just_words(file: Path, query: str) -> None:
    remember(file, "key")
    remember(file, "Another thing")
    assert facts(file, query) == ["key"]


@pytest.mark.parametrize("query", [" ", "*", '"', "...", "-", "\0"])
def test_a_query_without_words_finds_nothing(file: Path, query: str) -> None:
    remember(file, "The key is under the mat")
    assert recall(file, query).data == []


def test_a_long_query_and_a_long_fact_work(file: Path) -> None:
    fact = " ".join(f"word{number}" for number in range(5000))
    remember(file, fact)
    assert facts(file, fact) == [fact]


@pytest.mark.parametrize(("tool", "argument"), [("remember", "fact"), ("recall", "query")])
@pytest.mark.parametrize("text", ["", "half \ud800 of a pair"])
def test_text_that_is_none_is_refused(file: Path, tool: str, argument: str, text: str) -> None:
    seen = Toolbelt(Memory(file)).call(Action(tool, {argument: text}), Control()).observation
    assert seen.error is not None
    assert seen.error.code == "INVALID_ARGS"


def test_a_fact_of_spaces_is_refused(file: Path) -> None:
    seen = remember(file, " \n ")
    assert seen.error is not None
    assert seen.error.code == "INVALID_ARGS"


WRITER: Final = """
import sys
from pathlib import Path
from toolbelt.tools.memory import Memory
file, who = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
memory = Memory(file)
for number in range(25):
    memory.remember(f"Fact {number} of {who}")
    memory.remember(f"Fact {number} of everybody")
    assert memory.recall(f"{who}").data
"""


@pytest.mark.usefixtures("processes")
def test_processes_that_begin_and_write_at_once_lose_nothing(file: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), f"writer{number}"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("\n")
            writer.stdin.flush()
        for writer in writers:
            _, complaint = writer.communicate(timeout=250)
            assert writer.returncode == 0, complaint
    finally:
        for writer in writers:
            writer.kill()
    with sqlite3.connect(file) as database:
        kept = [fact for (fact,) in database.execute("SELECT fact FROM facts")]
    database.close()
    assert len(kept) == len(set(kept)) == 25 * (len(writers) + 1)
    assert recall(file, "writer3").data


@pytest.mark.usefixtures("processes")
def test_a_writer_that_is_killed_leaves_the_file_good(file: Path) -> None:
    remember(file, "The first fact")
    killed = """
import os, sys
from pathlib import Path
from toolbelt.tools.memory import Memory
with Memory(Path(sys.argv[1]))._opened() as database:
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO facts (fact, seen, at) VALUES ('half', 'half', '2026-01-01')")
    os.kill(os.getpid(), 9)
"""
    ran = subprocess.run([sys.executable, "-c", killed, str(file)], cwd=ROOT, check=False)
    assert ran.returncode == -9
    assert remember(file, "half").text == "Remembered."
    assert facts(file, "first") == ["The first fact"]


def test_a_file_that_is_no_memory_is_told_of_and_left_alone(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"This is a letter to my mother, and no database. " * 100)
    before = file.read_bytes()
    for seen in (recall(file, "letter"), remember(file, "a fact")):
        assert seen.error is not None
        assert seen.error.code == "TOOL_ERROR"
        assert str(file) in seen.error.message
        assert "Nothing in it was changed" in seen.error.message
        assert "move it away" in seen.error.hints[0]
    assert file.read_bytes() == before


def test_a_damaged_file_is_reported_and_its_facts_are_salvaged(file: Path) -> None:
    for number in range(300):
        remember(file, f"Fact {number} about a lighthouse at the sea")
    data = bytearray(file.read_bytes())
    data[4096 * 3 : 4096 * 6] = os.urandom(4096 * 3)
    file.write_bytes(data)
    answers = [recall(file, "lighthouse"), *(remember(file, f"A new fact {number}") for number in range(50))]
    errors = [seen.error for seen in answers if seen.error]
    assert errors
    assert {error.code for error in errors} == {"TOOL_ERROR"}
    assert all("move it away" in error.hints[0] for error in errors)
    file.rename(file.with_name("damaged"))
    assert remember(file, "A new beginning").text == "Remembered."


def test_a_locked_file_is_waited_for_and_then_an_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(file, "The first fact")
    monkeypatch.setattr("toolbelt.tools.memory.LOCK_WAIT_S", 0.2)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    seen = remember(file, "The second fact")
    assert seen.error is not None
    assert seen.error.code == "TIMEOUT"
    assert facts(file, "first") == ["The first fact"], "reading goes on while another writes"
    holder.execute("COMMIT")
    holder.close()
    assert remember(file, "The second fact").text == "Remembered."


def test_a_folder_in_its_place_is_told_of(file: Path) -> None:
    file.mkdir(parents=True)
    seen = remember(file, "A fact")
    assert seen.error is not None
    assert seen.error.code == "PERMISSION_DENIED"
    assert str(file) in seen.error.message
