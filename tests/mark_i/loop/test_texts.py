"""What was typed, listed or answered is compared with the words of the goal."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mark_i.loop.evidence import objections
from mark_i.loop.outcome import concluded
from tests.mark_i.loop.known_facts import CLICK, Made, did, facts, lines, old, proves, run, typed
from toolbelt.ocr.lines import Line
from toolbelt.tool import Ending
from world_model import Region


@pytest.mark.parametrize(
    ("goal", "command", "told"),
    [
        ("Create a file LICENSE.", "touch LICENSE.md\n", ["The goal names LICENSE, not LICENSE.md."]),
        ("Create a file LICENSE.", "touch LICENSE\n", []),
        ("Create a text file called list.", "touch list.txt\n", []),
        ("Write the list into a file.", "cat > list.txt\n", []),
        ("Add red, green and blue.", "sh add.sh red green\n", ['Nothing shows "blue".']),
        ("Add red, green and blue.", "sh add.sh red green blue\n", []),
        ("Type hello and save.", "hello", []),
        ("Type red, green and blue, and save.", "red green blue", []),
    ],
)
def test_what_was_typed_is_all_that_the_goal_lists_under_its_names(
    goal: str, command: str, told: list[str], tmp_path: Path
) -> None:
    known = run(goal, tmp_path, lambda: None)
    step = typed(command, "done")

    assert list(objections([], facts(goal, step, files=known.files), kind="deed")) == told


@pytest.mark.parametrize(
    ("waited_s", "settled_ms", "told"), [(15, 0, []), (14.8, 200, []), (13.2, 1800, []), (12.0, 200, ['"15"'])]
)
def test_a_wait_that_began_with_the_action_before_it_shows_its_seconds(
    waited_s: float, settled_ms: float, told: list[str]
) -> None:
    steps = typed("Bye"), did("wait", "Waited.", seconds=waited_s)

    known = facts('type "Bye", wait 15 seconds', *steps, settled_ms=settled_ms)
    assert list(objections([], known, kind="deed")) == [f"Nothing shows {one}." for one in told]


@pytest.mark.parametrize(
    ("goal", "text", "told"),
    [
        ("Write the number 7 into new.txt.", "1", '"1" was written, and the goal says "7".'),
        ("Write the number 7 into new.txt.", "7", ""),
        ("Write the date 2026-03-05 into new.txt.", "2026-05-03", '"2026-05-03" was written, and the goal says'),
        ("Write the date 2026-03-05 into new.txt.", "March 5, 2026", ""),
        ("Write the prices of 3 fruits into new.txt.", "apple 1, pear 2, plum 3", ""),
        ("Write the first 4 primes into new.txt.", "2 3 5 7", ""),
        ("Write 5 kg of sugar into new.txt.", "5 g of sugar", '"g" was written, and the goal says "kg".'),
        ("Write 5 kg of sugar into new.txt.", "5 kg of sugar", ""),
        ("Write 5 kg of sugar into new.txt.", "5 kg of sugar.", ""),
        ("Schreibe Treffen am Montag um acht in new.txt.", "Treffen am Dienstag um", '"dienstag" was written'),
        ("Write that we meet on Monday at noon into new.txt.", "we meet at noon, on Monday.", ""),
    ],
)
def test_what_was_written_is_what_the_goal_says(goal: str, text: str, told: str, tmp_path: Path) -> None:
    files = run(goal, tmp_path, lambda: (tmp_path / "new.txt").write_text(text)).files

    against = list(objections([{"file": "new.txt"}], facts(goal, CLICK, files=files), kind="deed"))

    assert any(told in one for one in against) if told else not against


@pytest.mark.parametrize(("text", "told"), [("", ['{} does not hold "hello".']), ("Hello", []), ("hello\n", [])])
def test_what_was_typed_into_a_file_is_still_there_at_the_end(text: str, told: list[str], tmp_path: Path) -> None:
    path = old(tmp_path / "a.txt")
    goal = "Write hello into a.txt and save it"
    files = run(goal, tmp_path, lambda: path.write_text(text)).files
    save = did("press", "Pressed ctrl+s.", keys="ctrl+s")

    against = list(objections([], facts(goal, typed("hello"), save, files=files), kind="deed"))

    assert [one for one in against if "was written" not in one] == [one.format(path) for one in told]
    command = did("type_text", "Typed.", appeared=["hello"], text="hello", enter=True)
    assert not [one for one in objections([], facts(goal, command, files=files), kind="deed") if "hold" in one]


@pytest.mark.parametrize(
    "undo", [did("press", "Pressed ctrl+z.", keys="ctrl+z"), did("click", name="Undo", target="Undo")]
)
def test_what_was_undone_is_not_written(undo: Made, tmp_path: Path) -> None:
    old(tmp_path / "a.txt")
    goal = "Write hello into a.txt and save it"
    files = run(goal, tmp_path, lambda: None).files
    save = did("press", "Pressed ctrl+s.", keys="ctrl+s")

    told = f"Something was undone, and {tmp_path / 'a.txt'} is as it was."
    assert told in list(objections([], facts(goal, typed("hello"), undo, save, files=files), kind="deed"))
    assert not list(objections([], facts(goal, typed("hello"), save, files=files), kind="deed"))


@pytest.mark.parametrize(
    ("command", "shown", "completed"),
    [
        ("echo sum-$((40+2))", "sum-42", True),
        ("sh up.sh alpha", "alpha=skipped", False),
        ("sh get.sh film", "film.part", False),
    ],
)
def test_a_program_completes_only_what_it_goes_on_with(command: str, shown: str, *, completed: bool) -> None:
    known = facts("find it out", typed(f"{command}\n", command, shown), screen=[f"$ {command}", shown])

    assert proves(shown, known) is completed


def placed(*rows: Sequence[str]) -> tuple[Line, ...]:
    """Texts side by side, in rows."""
    return tuple(
        Line(text, Region(200 * column, 30 * row, 100, 16))
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )


PRICES = placed(("Milk", "2.50"), ("Bread", "3.20"))


@pytest.mark.parametrize(
    ("goal", "screen", "answer", "good"),
    [
        ("What does Bread cost?", PRICES, "Bread costs 3.20.", True),
        ("What does Bread cost?", PRICES, "Bread costs 2.50.", False),
        ("Was kostet Bread?", placed(("Milk", "Bread"), ("2.50", "3.20")), "Es kostet 3.20.", True),
        ("What do I pay for the bread?", placed(("Bread 2 x 3.20",), ("To pay 6.40",)), "You pay 6.40.", True),
        ("How many lines does a.txt have?", lines("3 b.txt"), "It has 3 lines.", False),
        ("How many lines does a.txt have?", lines("3 a.txt"), "It has 3 lines.", True),
    ],
)
def test_a_number_of_an_answer_stands_where_what_was_asked_stands(
    goal: str, screen: tuple[Line, ...], answer: str, *, good: bool
) -> None:
    look = did("read_screen", " ".join(line.text for line in screen))
    known = facts(goal, look)
    known = type(known)(goal, known.world_model, known.toolbelt, screen)

    ended = concluded(
        Ending(done=True, summary=answer, evidence=({"observation": 1},), kind="answer"), known, "default"
    )

    assert ended.name == ("done" if good else "done_unverified")


@pytest.mark.parametrize(
    ("goal", "steps", "name"),
    [
        ("Tick Sounds.", [], "done_unverified"),
        ("Schreibe Anna in das Feld.", [], "done_unverified"),
        ("Make run.sh executable.", [CLICK], "done_unverified"),
        ("Tell me whether Sounds is there.", [], "done"),
        ("Is Sounds there?", [CLICK], "done"),
    ],
)
def test_an_order_is_a_deed_whatever_the_model_says(goal: str, steps: list[Made], name: str) -> None:
    known = facts(goal, did("read_screen", "Sounds run.sh Anna"), *steps, screen=["Sounds", "run.sh", "Anna"])
    ending = Ending(done=True, summary="Yes.", evidence=({"observation": 1},), kind="answer")

    assert concluded(ending, known, "default").name == name
