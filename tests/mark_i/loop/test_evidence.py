"""Evidence: what proves that a deed was done, what proves nothing, and what is not true."""

import os
import shutil
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i.loop.evidence import checked, objections
from mark_i.loop.facts import RunFacts
from mark_i.loop.file_evidence import FileFacts
from tests.mark_i.loop.known_facts import CLICK, Made, at, did, facts, old, proves, run, typed, wrong
from world_model import Observation, Place, Region, ScreenChange

# The world before the first deed ---------------------------------------------------------------------------------


def test_what_stood_there_before_proves_no_deed() -> None:
    known = facts("create report.txt", CLICK, screen=["report.txt"], before=["report.txt"])

    assert not proves("report.txt", known)
    assert proves("report.txt", known, "answer")
    assert proves("report.txt", facts("create report.txt", CLICK, screen=["report.txt"]))


def test_a_text_that_is_there_once_more_is_new() -> None:
    known = facts("add milk", CLICK, screen=["milk", "milk"], before=["milk"])

    assert proves("milk", known)


def test_a_look_before_the_first_deed_proves_no_deed() -> None:
    look = did("read_screen", "report.txt")

    assert not proves({"observation": 1}, facts("create report.txt", look, CLICK))
    assert not proves("report.txt", facts("create report.txt", look, CLICK, screen=["report.txt"]))


# What the agent wrote itself ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [
        [typed("hello")],
        [typed("hel"), typed("lo", "hello")],
        [did("press", f"Pressed {key}.", appeared=["hello"], keys=key) for key in "hello"],
        [did("press", "Pressed.", appeared=["hello"], keys=key, times=1 + (key == "l")) for key in "helo"],
        [did("clipboard_write", text="hello"), did("press", "Pressed ctrl+v.", appeared=["hello"], keys="ctrl+v")],
    ],
    ids=["at once", "in pieces", "by keys", "by repeated keys", "pasted"],
)
def test_typing_proves_that_it_was_typed_and_no_more(steps: list[Made]) -> None:
    last = {"observation": len(steps)}
    for goal, done in (("type hello in the editor", True), ("send hello to Bob", False), ("sende hello an Bob", False)):
        known = facts(goal, *steps, screen=["hello"])
        assert proves("hello", known) is done
        assert proves(last, known) is done


@pytest.mark.parametrize(
    "goal", ["schreibe hello in den Editor", "écris hello", "введи hello", "エディタにhelloと入力して"]
)
def test_honest_typing_is_proven_in_other_languages(goal: str) -> None:
    assert proves({"observation": 1}, facts(goal, typed("hello"), screen=["hello"]))


def test_typing_does_not_prove_what_was_to_come_after_it() -> None:
    goal = "type hello and send it to Bob"
    sent = did("click", "Clicked on Send.", name="Send to Bob")

    assert not proves({"observation": 1}, facts(goal, typed("hello")))
    assert proves({"observation": 1}, facts(goal, typed("hello"), sent))


def test_a_written_file_makes_no_text_on_the_screen() -> None:
    written = ("write_file", {"path": "x.txt", "text": "Sent to Bob"}, Observation(ok=True, text="Created x.txt."))

    assert not proves("Sent to Bob", facts("send hello to Bob", written, screen=["Sent to Bob"]))


def test_what_a_program_answers_proves_though_it_has_typed_words() -> None:
    entered = did("press", "Pressed enter.", appeared=["sum-42"], keys="enter")

    assert proves("sum-42", facts("add it up", typed("echo sum-$((40+2))"), entered, screen=["sum-42"]))


def test_a_title_proves_a_file_that_is_there_and_saved(tmp_path: Path) -> None:
    def shown(title: str) -> bool:
        known = run("save as report.txt", tmp_path, lambda: None)
        return proves(title, replace(known, titles=(title,)))

    assert not shown("report.txt - Editor")
    (tmp_path / "report.txt").touch()

    assert shown("report.txt - Editor")
    assert not shown("*report.txt - Editor")
    assert not shown("report.txt.bak - Editor")


# Observations --------------------------------------------------------------------------------------------------------


def test_a_text_that_has_gone_since_counts_by_its_observation() -> None:
    known = facts("save it", CLICK, did("click", "Clicked.", name="Close"))

    assert not proves("report.txt was saved", known)
    assert proves({"observation": 1, "text": "report.txt was saved"}, known)
    assert wrong({"observation": 2, "text": "report.txt was saved"}, known)


def test_a_window_title_that_came_counts_by_its_observation() -> None:
    saved = did("press", "Pressed ctrl+s.", keys="ctrl+s")

    assert proves({"observation": 1}, facts("save report.txt", saved, came={1: ("report.txt - Editor",)}))


@pytest.mark.parametrize(
    ("title", "shows"),
    [
        ("Shop: moved notes.txt - Browser", True),
        ("notes.txt - Editor", False),
        ("Editor: notes.txt", False),
        ("~/papers/notes.txt (Editor)", False),
    ],
)
def test_a_title_that_only_tells_of_a_file_shows_none(title: str, *, shows: bool) -> None:
    dragged = did("drag", "Dragged.", appeared=["1 file"], name="notes.txt")
    known = facts("drag notes.txt to the folder Work", dragged, screen=["1 file"], came={1: (title,)}, titles=(title,))

    assert proves({"observation": 1}, known) is shows


def test_an_action_that_changed_nothing_outweighs_the_others() -> None:
    known = facts("click Save and press enter", CLICK, did("press", "Pressed enter.", changed=False, keys="enter"))
    good, bad = checked([{"observation": 1}, {"observation": 2}], known, "", "deed")

    assert (good[1].proves, bad[1].wrong) == (True, True)


def test_an_icon_without_words_is_doubtful_and_spoils_nothing() -> None:
    known = facts("mute the sound", did("click", "Clicked at 5, 5."), did("click", "Clicked.", name="Mute"))
    icon, named = checked([{"observation": 1}, {"observation": 2}], known, "", "deed")

    assert (icon[1].proves, icon[1].wrong, named[1].proves) == (False, False, True)


@pytest.mark.parametrize(
    "piece",
    [
        {},
        {"text": 5},
        {"file": ["a"]},
        {"observation": "1"},
        {"observation": True},
        {"observation": 99},
        None,
        7,
        [],
        "",
    ],
)
def test_evidence_of_a_wrong_type_is_never_true(piece: object) -> None:
    [(_, verdict)] = checked([piece], facts("click Save", CLICK), "", "deed")

    assert verdict.wrong
    assert "\n" not in verdict.reason
    assert verdict.reason.endswith(".")


@pytest.mark.parametrize("said", ["2 checks failed", "Die Checks: 2 Fehler", "Checks: 2 ошибки", "checks 失敗"])
def test_what_tells_of_a_failure_proves_no_deed(said: str) -> None:
    step = did("click", "Clicked.", appeared=[said], name="Run")
    known = facts("run the checks", step, screen=[said])

    assert not proves({"observation": 1}, known)
    assert not proves({"text": said}, known)
    wanted = facts("click Run until the 2 checks failed, 2 ошибки, Fehler, 失敗", step, screen=[said])
    assert proves({"observation": 1}, wanted)


@pytest.mark.parametrize("said", ["Checks done: 0 errors", "checks passed without errors", "Checks: no failures"])
def test_no_failure_is_none(said: str) -> None:
    assert proves({"text": said}, facts("run the checks", CLICK, screen=[said]))


def test_what_may_have_been_undone_since_proves_nothing() -> None:
    click, undo = did("click", "Clicked.", name="Bold"), did("press", "Pressed ctrl+z.", keys="ctrl+z")

    assert proves({"observation": 1}, facts("make it Bold", click))
    assert proves({"observation": 2}, facts("make it Bold", undo, click))
    assert not proves({"observation": 1}, facts("make it Bold", click, undo))


# Files --------------------------------------------------------------------------------------------------------------


def test_a_renamed_or_copied_file_is_new_though_its_content_is_old(tmp_path: Path) -> None:
    source = old(tmp_path / "a.txt")

    known = run("rename a.txt to b.txt", tmp_path, lambda: source.rename(tmp_path / "b.txt"))

    assert proves({"file": "b.txt"}, known)
    assert proves({"file": "b.txt", "text": "old"}, known)
    assert wrong({"file": "b.txt", "text": "new"}, known)
    assert proves({"file": "a.txt", "exists": False}, known)


def test_another_name_than_the_wanted_is_no_result(tmp_path: Path) -> None:
    known = run("save it as report.txt", tmp_path, lambda: (tmp_path / "report2.txt").write_text("x"))

    assert not proves({"file": "report2.txt"}, known)


def test_a_result_without_a_name_in_the_goal_may_have_any(tmp_path: Path) -> None:
    (tmp_path / "data.zip").write_text("x")

    assert proves({"file": "in.txt"}, run("extract data.zip", tmp_path, lambda: (tmp_path / "in.txt").write_text("x")))


@pytest.mark.parametrize("made", ["Report.txt", "reports.txt", "repor.txt"])
def test_a_slip_in_the_name_is_another_file(made: str, tmp_path: Path) -> None:
    old(tmp_path / "report.txt")
    known = run("add a line to report.txt", tmp_path, lambda: (tmp_path / made).write_text("a line"))

    assert not proves({"file": made, "text": "a line"}, known)
    goal = "make a PDF of report.txt"
    assert proves({"file": "report.pdf"}, run(goal, tmp_path, lambda: (tmp_path / "report.pdf").write_text("x")))


def test_a_file_in_another_folder_than_the_named_one_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "photos").mkdir()
    goal = "save it as a.txt in the folder letters"

    assert not proves({"file": "a.txt"}, run(goal, tmp_path, (tmp_path / "a.txt").touch))
    assert proves({"file": "letters/a.txt"}, run(goal, tmp_path, (tmp_path / "letters" / "a.txt").touch))


@pytest.mark.parametrize("goal", ['write "hello" into a.txt', "schreibe „hello“ in a.txt", "écris «hello» dans a.txt"])
def test_a_file_without_the_quoted_text_is_no_result(goal: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"

    assert not proves({"file": "a.txt"}, run(goal, tmp_path, lambda: file.write_text("good-bye")))
    file.unlink()
    assert not proves({"file": "a.txt"}, run(goal, tmp_path, file.touch))
    file.unlink()
    assert proves({"file": "a.txt"}, run(goal, tmp_path, lambda: file.write_text("hello")))


def test_a_quoted_text_may_be_taken_out_of_a_file(tmp_path: Path) -> None:
    old(tmp_path / "a.txt", "hello Bob")
    known = run('take "hello " out of a.txt', tmp_path, lambda: (tmp_path / "a.txt").write_text("Bob"))

    assert proves({"file": "a.txt", "text": "Bob"}, known)


def test_what_was_to_be_moved_does_not_stay_where_it_was(tmp_path: Path) -> None:
    source, folder = old(tmp_path / "a.txt"), tmp_path / "done"
    folder.mkdir()
    goal = "move a.txt into the folder done"

    assert not proves({"file": "done/a.txt"}, run(goal, tmp_path, lambda: (folder / "a.txt").write_text("old")))
    (folder / "a.txt").unlink()
    assert proves({"file": "done/a.txt"}, run(goal, tmp_path, lambda: source.rename(folder / "a.txt")))


@pytest.mark.parametrize("goal", ["delete notes.txt", "Lösche notes.txt", "удали notes.txt", "notes.txtを削除して"])
def test_a_file_that_was_changed_proves_no_deletion(goal: str, tmp_path: Path) -> None:
    notes = old(tmp_path / "notes.txt")
    known = run(goal, tmp_path, lambda: notes.write_text("changed"))

    assert not proves({"file": "notes.txt"}, known)
    assert wrong({"file": "notes.txt", "exists": False}, known)
    assert proves({"file": "notes.txt", "exists": False}, run(goal, tmp_path, notes.unlink))


def test_a_file_that_was_never_there_proves_no_deletion(tmp_path: Path) -> None:
    known = run("delete notes.txt", tmp_path, lambda: None)

    assert not proves({"file": "notes.txt", "exists": False}, known)
    assert proves({"file": "notes.txt", "exists": False}, known, "answer")


def test_a_changed_file_counts_by_what_it_holds_now(tmp_path: Path) -> None:
    notes = old(tmp_path / "notes.txt")
    goal = "Remove the first line from notes.txt"

    known = run(goal, tmp_path, lambda: notes.write_text("second"))
    assert proves({"file": "notes.txt", "text": "second"}, known)

    same = run(goal, tmp_path, lambda: notes.write_text("second"))
    assert not proves({"file": "notes.txt", "text": "second"}, same)


@pytest.mark.parametrize("name", ["/proc/uptime", "/dev/null", "/sys/kernel/uevent_seqnum"])
def test_what_belongs_to_the_system_is_no_result(name: str, tmp_path: Path) -> None:
    assert not proves({"file": name}, at("write it down", tmp_path))


def test_the_journal_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    steps = tmp_path / "runs" / "steps.jsonl"
    known = run("write it down", tmp_path / "runs", lambda: steps.write_text("x"))
    ours = FileFacts("write it down", (tmp_path / "work",), known.files.began, known.files.before, (tmp_path,))

    assert proves({"file": str(steps)}, known)
    assert not proves({"file": str(steps)}, facts("write it down", CLICK, files=ours))


def test_a_link_to_an_old_file_is_no_result(tmp_path: Path) -> None:
    target = old(tmp_path / "old.txt")
    known = run("create new.txt", tmp_path, lambda: (tmp_path / "new.txt").symlink_to(target))

    assert not proves({"file": "new.txt"}, known)


def test_pipes_and_sockets_are_no_result(tmp_path: Path) -> None:
    def make() -> None:
        os.mkfifo(tmp_path / "pipe.txt")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(tmp_path / "socket.txt"))

    known = run("create pipe.txt and socket.txt", tmp_path, make)

    assert not proves({"file": "pipe.txt"}, known)
    assert not proves({"file": "socket.txt"}, known)
    assert wrong({"file": "pipe.txt", "text": "x"}, known)


def test_a_new_folder_counts_and_an_old_one_does_not(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    goal = "create the folder reports in the folder old"

    def make() -> None:
        (tmp_path / "old/reports").mkdir()
        (tmp_path / "reports").mkdir()
        (tmp_path / "other").mkdir()

    known = run(goal, tmp_path, make)

    assert proves({"file": "old/reports"}, known)
    assert not proves({"file": "reports"}, known)
    assert not proves({"file": "other"}, known)
    assert not proves({"file": "old"}, known)


def test_a_huge_file_is_read_in_part_only(tmp_path: Path) -> None:
    def make() -> None:
        with (tmp_path / "huge.bin").open("wb") as file:
            file.write(b"begin")
            file.truncate(2_000_000_000)

    known = run("create huge.bin", tmp_path, make)

    assert proves({"file": "huge.bin", "text": "begin"}, known)
    assert wrong({"file": "huge.bin", "text": "end"}, known)


# Whatever the evidence ------------------------------------------------------------------------------------------------


def test_an_open_dialog_is_an_objection_unless_it_was_wanted() -> None:
    known = facts("close the window", CLICK, open_questions=("Save Changes",))

    assert list(objections([], known, kind="deed")) == ['The dialog "Save Changes" is still open.']
    assert not list(objections([], known, kind="answer"))
    wanted = facts("open the preferences", CLICK, open_questions=("Preferences",))
    assert not list(objections([], wanted, kind="deed"))
    assert list(objections([], facts("save it", CLICK, open_questions=("Save Changes",)), kind="deed"))
    font = facts("open the font dialog", CLICK, open_questions=("Select a Font",))
    assert not list(objections([{"text": "Select a Font"}], font, kind="deed"))


def test_a_wanted_file_that_is_not_there_is_an_objection(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    known = run(f"save it as {path}", tmp_path, lambda: None)

    assert list(objections([], known, kind="deed")) == [f"{path} is not there."]
    assert not list(objections([], run(f"save it as {path}", tmp_path, path.touch), kind="deed"))


@pytest.mark.parametrize("goal", ["add the line eggs to a.txt", "Hänge eggs an a.txt an", "ajoute eggs à a.txt"])
def test_a_text_that_lost_what_it_held_is_an_objection_where_more_was_to_be_added(goal: str, tmp_path: Path) -> None:
    def told(wanted: str, text: str) -> list[str]:
        file = old(tmp_path / "a.txt", "milk\nbread\n")
        known = run(wanted, tmp_path, lambda: file.write_text(text))
        return list(objections([{"file": "a.txt"}], known, kind="deed"))

    assert told(goal, "eggs") == [f'{tmp_path / "a.txt"} does not hold "milk" any more.']
    assert told(goal, "bread\neggs") == []
    assert told('write "add milk and eggs" into a.txt', "add milk and eggs") == []
    assert not [one for one in told("add the numbers in b.txt and write the sum into a.txt", "12") if "a.txt" in one]


def test_a_part_of_the_goal_that_nothing_shows_is_an_objection() -> None:
    opened = did("open_app", "Started mousepad.", name="mousepad")
    known = facts("open mousepad and send hello to Bob", opened, typed("hello"))

    assert list(objections([], known, kind="deed")) == ['Nothing shows "send hello to Bob".']
    assert not list(objections([], facts("open mousepad and be quick", opened), kind="deed"))
    seen = facts('open mousepad, type "Dear Bob" and check that "Dear Bob" is shown', opened, typed("Dear Bob"))
    assert not list(objections([], seen, kind="deed"))  # its only name was typed, so nothing else could show it


def test_what_stood_on_the_screen_before_touches_no_part_of_the_goal() -> None:
    goal, form = "tick Newsletter and click Apply", ["Newsletter", "Apply"]
    apply = did("click", "Clicked.", name="Apply")

    assert list(objections([], facts(goal, apply, screen=form, before=form), kind="deed"))
    ticked = did("tick", "Ticked.", name="Newsletter")
    assert not list(objections([], facts(goal, ticked, apply, screen=form, before=form), kind="deed"))


def test_what_a_program_has_not_finished_is_always_an_objection() -> None:
    known = facts("build it", CLICK, unfinished="make is still at work in its terminal after 30 s.")

    assert list(objections([], known, kind="answer")) == ["make is still at work in its terminal after 30 s."]


# What became of the files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "now", "told"),
    [
        ("Create the files a.txt, b.txt and c.txt.", {"a.txt": "", "b.txt": ""}, "c.txt is not there."),
        ("Write the date into a.txt.", {"b.txt": "Thursday"}, "a.txt is not there."),
        ("Rename old.txt to new.txt.", {"nwe.txt": "one\ntwo", "old.txt": None}, "new.txt is not there."),
        ("Delete old.txt and other.txt.", {"old.txt": None}, "other.txt is still there."),
        ("L\u00f6sche old.txt, other.txt.", {"old.txt": None}, "other.txt is still there."),
        ("Delete all .txt files.", {"old.txt": None}, "other.txt is still there."),
        ("Copy old.txt to new.txt.", {"new.txt": "one\ntwo", "old.txt": None}, "old.txt is gone."),
        ("Copy old.txt to new.txt.", {"new.txt": "something else"}, "new.txt holds nothing of"),
        ('Replace every "one" by "1" in old.txt.', {"old.txt": "1\none\ntwo"}, 'still holds "one".'),
        ("Replace 'one' by '1' in old.txt.", {"old.txt": "1"}, 'does not hold "two" any more.'),
        ('Delete the line "one" from old.txt.', {"old.txt": "one"}, 'still holds "one".'),
        ('Change "one" to "1" in old.txt.', {"old.txt": "one\ntwo\n1"}, 'still holds "one".'),
        ('Change "one" to "1" in old.txt.', {"old.txt": "1"}, 'does not hold "two" any more.'),
        ('Add the line "three" to old.txt.', {"old.txt": "one\ntwo\nthree\nthree"}, '"three" was added to'),
        ("Put three at the end of old.txt.", {"old.txt": "three"}, 'does not hold "one" any more.'),
        ("Save the number 4711 in new.txt.", {"new.txt": "471"}, 'Nothing shows "4711".'),
        ("Type \u300camber\u300d into new.txt.", {"new.txt": "birch"}, 'Nothing shows "amber".'),
        ('Add the line "six" at the end of old.txt.', {"old.txt": "six\none\ntwo"}, "nothing new at the end of"),
        ("Füge „six“ am Anfang von old.txt ein.", {"old.txt": "one\ntwo\nsix"}, "nothing new at the start of"),
        ('Create new.txt that holds only "six".', {"new.txt": "six\nexit"}, 'also holds "exit".'),
        ("Delete all text files.", {"old.txt": None}, "other.txt is still there."),
        ("Borra todos los archivos de texto.", {"old.txt": None}, "other.txt is still there."),
        ("Write the word BERLIN into new.txt.", {"new.txt": "berlin"}, '"berlin" was written'),
        ("Write berlin into new.txt.", {"new.txt": "Berlin"}, '"Berlin" was written'),
        ("Write Hello World into new.txt.", {"new.txt": "Helo World"}, '"Helo" was written'),
        ("Write Hello World into old.txt.", {"old.txt": "one\ntwo\nHello Wrold"}, '"Wrold" was written'),
        ("Make three copies of old.txt.", {"1.txt": "one\ntwo", "2.txt": "one\ntwo"}, "copied 2 times, not 3."),
        ("Create new.txt with the words milk and bread.", {"new.txt": "milk"}, 'Nothing shows "bread".'),
        ("Crea new.txt con las palabras pan y leche.", {"new.txt": "pan"}, 'Nothing shows "leche".'),
    ],
)
def test_files_that_are_not_as_the_goal_wants_them_are_an_objection(
    goal: str, now: dict[str, str | None], told: str, tmp_path: Path
) -> None:
    assert told in " ".join(against(goal, now, tmp_path))


@pytest.mark.parametrize(
    ("goal", "now"),
    [
        ("Create the files a.txt, b.txt and c.txt.", {"a.txt": "", "b.txt": "", "c.txt": ""}),
        ("Create a.txt and rename it to b.txt.", {"b.txt": ""}),
        ("Rename old.txt to new.txt.", {"new.txt": "one\ntwo", "old.txt": None}),
        ("Delete old.txt but keep other.txt.", {"old.txt": None}),
        ("Compress old.txt.", {"old.txt.gz": "x", "old.txt": None}),
        ("Copy the first line of old.txt to new.txt.", {"new.txt": "one"}),
        ('Replace "one" by "1" in old.txt.', {"old.txt": "1\ntwo"}),
        ('Change the value of "one" to "1" in old.txt.', {"old.txt": "one=1\ntwo"}),
        ('Replace "one" by "one more" in old.txt.', {"old.txt": "one more\ntwo"}),
        ('Add the line "three" twice to old.txt.', {"old.txt": "one\ntwo\nthree\nthree"}),
        ('Write "see other2.txt" into new.txt.', {"new.txt": "see other2.txt"}),
        ("Write hello into my report.txt.", {"my report.txt": "hello"}),
        ("Convert old.txt to capital letters.", {"old.txt": "ONE\nTWO"}),
        ("Save 1,000 in new.txt.", {"new.txt": "1000"}),
        ("swap one and two, then save it as new.txt", {"new.txt": "two\none"}),
        ("15 plates, not 12 and save it as new.txt", {"new.txt": "15 plates"}),
        ('Add the line "six" at the end of old.txt.', {"old.txt": "one\ntwo\nsix"}),
        ('Add the line "two" at the end of old.txt.', {"old.txt": "one\ntwo\ntwo"}),
        ('Add "six" at the end of the first line of old.txt.', {"old.txt": "one six\ntwo"}),
        ('Create new.txt that holds only "six".', {"new.txt": "six\n"}),
        ("Delete all text files.", {"old.txt": None, "other.txt": None}),
        ("Delete all text files that start with old.", {"old.txt": None}),
        ("Make two copies of old.txt.", {"1.txt": "one\ntwo", "2.txt": "one\ntwo"}),
        ("Write a short poem about the sea into new.txt.", {"new.txt": "The Sea is wide\nthe waves are high"}),
        ("Write Berlin into new.txt.", {"new.txt": "Berlin, berlin"}),
        ("Create new.txt with the words milk and bread.", {"new.txt": "milk bread"}),
        ("Schreibe hallo und speichere new.txt.", {"new.txt": "hallo"}),
        ("Write some lines about Autumn into new.txt.", {"new.txt": "the leaves fall in autumn\nand it rains"}),
    ],
)
def test_files_that_are_as_the_goal_wants_them_are_none(goal: str, now: dict[str, str | None], tmp_path: Path) -> None:
    assert against(goal, now, tmp_path) == []


@pytest.mark.parametrize(
    ("goal", "command", "piece", "good"),
    [
        ("Create a folder photos.", "touch photos", {"file": "photos"}, False),
        ("Create a folder photos.", "mkdir photos", {"file": "photos"}, True),
        ("Lege den Ordner namens Fotos an.", "touch Fotos", {"file": "Fotos"}, False),
        (
            "Create a file notes in the folder photos.",
            "mkdir photos; touch photos/notes",
            {"file": "photos/notes"},
            True,
        ),
        ('Create a folder "New Project".', "mkdir New Project", {"file": "Project"}, False),
        ("Create a file named trip plan.txt.", "touch plan.txt", {"file": "plan.txt"}, False),
        ("Write the name of the city into plan.txt.", "echo Rome > plan.txt", {"file": "plan.txt"}, True),
        ("Rename old.txt to notes.", "mv old.txt notes", {"file": "notes"}, True),
        ("Rename old.txt to notes.", "mv old.txt note", {"file": "note"}, False),
        ("Move old.txt into notes.", "mv old.txt notes", {"file": "notes"}, False),
        ("Make two copies of old.txt.", "cp old.txt a.txt", {"file": "a.txt"}, True),
        ("Make two copies of old.txt.", "echo > a.txt", {"file": "a.txt"}, False),
        ("Create a link b.txt to old.txt.", "ln -s old.txt b.txt", {"file": "b.txt"}, True),
        ("Make a copy of old.txt named b.txt.", "ln -s old.txt b.txt", {"file": "b.txt"}, False),
        ("Save it as Annual Report.txt.", "echo > Report.txt", {"file": "Report.txt"}, False),
        ("Save it as Annual Report.txt.", "echo > 'Annual Report.txt'", {"file": "Annual Report.txt"}, True),
        ("Rename old.txt to final version.", "mv old.txt final", {"file": "final"}, False),
        ("Rename old.txt to final version.", "mv old.txt 'final version'", {"file": "final version"}, True),
        ("Benenne old.txt in notes um.", "mv old.txt notes", {"file": "notes"}, True),
        ("Delete the line old from old.txt.", "echo new >> old.txt", {"file": "old.txt", "text": "old"}, False),
        ("Delete the line old from old.txt.", "echo new > old.txt", {"file": "old.txt", "text": "new"}, True),
        ('Delete the line "old" from old.txt.', "echo > old.txt", {"file": "old.txt"}, True),
        ('Delete the line "old" from old.txt.', "echo ' old' >> old.txt", {"file": "old.txt"}, False),
    ],
)
def test_a_file_proves_a_deed_if_it_is_what_the_goal_names(
    goal: str,
    command: str,
    piece: dict[str, str],
    tmp_path: Path,
    processes: None,
    *,
    good: bool,
) -> None:
    old(tmp_path / "old.txt")

    known = run(goal, tmp_path, lambda: subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True))

    assert proves(piece, known) is good


def test_a_file_that_is_gone_and_not_excepted_proves_a_deletion(tmp_path: Path) -> None:
    path, kept = old(tmp_path / "a.log"), old(tmp_path / "keep.log")

    known = run(f"Delete all .log files except {kept.name}.", tmp_path, path.unlink)

    assert proves({"file": path.name, "exists": False}, known)
    other = replace(known.files, goal=f"Delete only {kept.name}.")
    assert not proves({"file": path.name, "exists": False}, replace(known, goal=other.goal, files=other))


@pytest.mark.parametrize(
    ("goal", "command", "piece", "good"),
    [
        ("Make a backup of a.txt.", "cp a.txt a.txt.bak", {"file": "a.txt.bak"}, True),
        (
            "Delete everything in the folder trip except b.txt.",
            "rm trip/a.txt",
            {"file": "trip/a.txt", "exists": False},
            True,
        ),
        ("Delete the folder trip.", "rm trip/a.txt", {"file": "trip/a.txt", "exists": False}, False),
        ("Move all .txt files except a.txt to the folder trip.", "mv b.txt trip", {"file": "trip/b.txt"}, True),
        ("Move all .txt files except b.txt to the folder trip.", "mv b.txt trip", {"file": "trip/b.txt"}, False),
    ],
)
def test_what_is_to_stay_is_not_what_is_to_be_done(
    goal: str, command: str, piece: dict[str, Any], tmp_path: Path, processes: None, *, good: bool
) -> None:
    (tmp_path / "trip").mkdir()
    for name in ("a.txt", "b.txt", "trip/a.txt"):
        old(tmp_path / name, name)

    known = run(goal, tmp_path, lambda: subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True))

    assert proves(piece, known) is good


def test_an_archive_need_not_be_in_the_folder_that_it_holds(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()

    known = run("Compress the folder photos.", tmp_path, lambda: (tmp_path / "photos.tar.gz").write_text("packed"))

    assert proves({"file": "photos.tar.gz"}, known)


def test_a_file_that_is_gone_from_a_folder_is_not_the_folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    old(tmp_path / "work" / "a.txt")
    known = run("delete the folder work with all that is in it", tmp_path, (tmp_path / "work" / "a.txt").unlink)

    assert not proves({"file": "work/a.txt", "exists": False}, known)
    (tmp_path / "work").rmdir()
    assert proves({"file": "work", "exists": False}, known)


def test_a_folder_or_a_name_that_cannot_be_looked_at_breaks_nothing(tmp_path: Path) -> None:
    (folder := tmp_path / "work").mkdir()
    old(folder / "a.txt")
    known = run(f"Sort {folder / 'a.txt'} and copy it to {'x' * 300}.txt", tmp_path, lambda: shutil.rmtree(folder))

    assert f"{folder / 'a.txt'} is gone." in list(objections([], known, kind="deed"))


def test_a_complaint_that_is_gone_with_the_last_step_is_none() -> None:
    asked = "A file named a.txt already exists."
    steps = [did("press", "Pressed.", appeared=[asked], keys="enter")]
    replaced = Observation(ok=True, text="Clicked.", screen=ScreenChange(changed=True, vanished=(asked,)))

    known = facts("save it in place of what is there", *steps, ("click", {"target": "Replace"}, replaced))

    assert not list(objections([], known, kind="deed"))
    assert list(objections([], facts("save it in place of what is there", *steps), kind="deed"))


def against(goal: str, now: dict[str, str | None], folder: Path) -> list[str]:
    """What is told against a run that wrote or deleted (None) these files."""
    old(folder / "old.txt", "one\ntwo")
    old(folder / "other.txt", "x\ny")

    def act() -> None:
        for name, text in now.items():
            (folder / name).unlink() if text is None else (folder / name).write_text(text, encoding="utf-8")

    known = run(goal, folder, act)
    given = [{"file": name} for name in now]
    return [one for one in objections(given, known, kind="deed") if not one.startswith(f'Nothing shows "{goal[:4]}')]


# What became of the screen -------------------------------------------------------------------------------------------


def test_a_click_that_changed_only_its_own_look_proves_no_deed() -> None:
    def clicked(goal: str, role: Any = None, *regions: Region, appeared: Sequence[str] = ()) -> bool:
        screen = ScreenChange(changed=True, regions=regions, appeared=tuple(appeared))
        seen = Observation(ok=True, text='Clicked "Save".', screen=screen, places=(Place(50, 20, "Save", role),))
        return proves({"observation": 1}, facts(goal, ("click", {"target": "Save"}, seen)))

    own, elsewhere = Region(20, 8, 60, 24), Region(200, 300, 90, 20)
    assert not clicked("save the profile", None, own)
    assert clicked("save the profile", None, own, elsewhere)
    assert clicked("save the profile", None, own, elsewhere, appeared=["The profile was saved."])
    assert clicked("save the profile", None, own, appeared=["Saved"])
    assert not clicked("save the profile", None, own, Region(300, 60, 2, 19))  # a caret
    assert clicked("click Save", None, own)
    assert clicked("save the passwords", "checkbox", own)


@pytest.mark.parametrize(
    "line",
    [
        "The name Anna is already taken.",
        "Please fill in the city.",
        "Saving the profile...",
        "Bitte eine Zahl eingeben",
        "Incomplete input",
        "Saving did not work",
    ],
)
def test_what_a_page_complains_of_is_no_proof(line: str) -> None:
    saved = did("click", "Clicked.", appeared=[line], name="Save", target="Save")
    known = facts("save the profile of Anna", saved, screen=[line])

    assert not proves({"observation": 1}, known)
    assert not proves(line, known)
    assert list(objections([], known, kind="deed"))


@pytest.mark.parametrize(
    ("goal", "shown", "good"),
    [
        ("order 3 pizzas", "Ordered 2 pizzas", False),
        ("order 3 pizzas", "Ordered 3 pizzas", True),
        ("order 3 pizzas", "Order accepted: 3 in all", True),
        ("order 5 kg of sugar", "Ordered 5 g of sugar", False),
        ("order 5 kg of sugar", "Ordered: sugar, 5 kg", True),
        ("delete the order 77", "Order 76 was deleted", False),
        ("delete the order 77", "Order 77 was deleted, 2 orders left", True),
    ],
)
def test_another_number_of_the_same_thing_is_no_proof(goal: str, shown: str, *, good: bool) -> None:
    known = facts(goal, did("click", "Clicked.", appeared=[shown], name="Order", target="Order"), screen=[shown])

    assert proves({"observation": 1}, known) is good


def test_what_was_given_up_or_closed_again_is_no_proof() -> None:
    opened, escape = did("press", keys="ctrl+shift+s"), did("press", appeared=["copy.txt"], keys="escape")

    def known(goal: str) -> RunFacts:
        return facts(goal, opened, escape, came={1: ("Save As",)}, closed={2: ("Save As",)})

    assert not proves({"observation": 1}, known("save it as a copy"))
    assert not proves({"observation": 2}, known("save it as a copy"))
    assert proves({"observation": 1}, known("open the dialog save as"))
    assert proves({"observation": 2}, known("press escape"))


def test_a_question_that_was_answered_is_no_proof_whatever_the_answer() -> None:
    question = "Do you want to give up the order?"
    cancel = did("click", "Clicked.", appeared=[question], name="Cancel order", target="Cancel order")
    seen = Observation(ok=True, text="Clicked.", screen=ScreenChange(changed=True, vanished=(question,)))
    known = facts("Cancel the order 77.", cancel, ("click", {"target": "Keep it"}, seen), screen=["Orders"])

    assert not proves({"observation": 1}, known)
    assert not proves({"observation": 2}, known)
    told = did("click", "Clicked.", appeared=["The order was cancelled"], name="Yes", target="Yes")
    assert proves({"observation": 2}, facts("Cancel the order 77.", cancel, told, screen=["The order was cancelled"]))
    assert proves({"observation": 1}, facts("Open the questions of the order.", cancel, screen=[question]))


def test_a_file_of_the_kind_that_the_goal_names_shows_that_part_of_it(tmp_path: Path) -> None:
    old(tmp_path / "a.png")
    goal = "Convert a.png to JPEG and save it as a.jpg."

    known = run(goal, tmp_path, lambda: (tmp_path / "a.jpg").write_text("a photo"))

    assert not list(objections([{"file": "a.jpg"}], known, kind="deed"))


def test_a_question_on_a_page_is_an_objection_until_it_is_answered() -> None:
    asked = ["Do you really want to remove the note?", "Yes No"]
    click = did("click", "Clicked.", appeared=asked, name="Remove", target="Remove")

    told = list(objections([], facts("remove the note", click, screen=asked), kind="deed"))
    assert told == ['Nobody has answered "Do you really want to remove the note?".']
    assert not list(objections([], facts("remove the note", click, screen=asked[:1]), kind="deed"))
    assert not list(objections([], facts("remove the note", click, screen=asked, before=asked), kind="deed"))
    waits = facts("remove the note", click, screen=["Remove it [y/N]:"])
    assert list(objections([], waits, kind="deed"))


def test_a_command_that_complains_is_no_proof() -> None:
    told = ["$ cp photos backup", "cp: -r not specified; omitting directory"]
    known = facts("copy the directory photos", typed("cp photos backup\n", *told), screen=told)

    assert not proves({"observation": 1}, known)


def test_a_line_that_the_agent_wrote_is_no_complaint() -> None:
    lines = ["To town: 8 and 9", "Back: 17 and 18"]
    known = facts(
        "write the bus times",
        typed("To town: 8 and 9\n"),
        typed("Back: 17 and 18", *lines),
        screen=[*lines, "Back: 17,"],
    )

    assert not list(objections([], known, kind="deed"))


def test_another_number_and_another_file_are_no_proof() -> None:
    link = did("click", "Clicked.", appeared=["Prices of the year 2025"], name="Prices 2025", target="Prices 2025")
    known = facts("open the page Prices 2026", link, screen=["Prices of the year 2025"])

    assert not proves({"observation": 1}, known)
    assert not proves("Prices of the year 2025", known)
    closed = did("close_window", '"b.txt - Editor" is closed.')
    assert not proves({"observation": 1}, facts("close the window of a.txt", closed))
    assert proves({"observation": 1}, facts("close the window of b.txt", closed))


def test_a_look_proves_only_what_it_did_not_show_before() -> None:
    look = did("read_screen", '"Port:" at 20, 30\n"Save" at 60, 90')
    known = facts("set the port and save it", CLICK, look, before=["Port:", "Save"])

    assert not proves({"observation": 2}, known)
    saved = did("read_screen", '"The port was saved" at 20, 30')
    assert proves({"observation": 2}, facts("set the port and save it", CLICK, saved, before=["Port:", "Save"]))
