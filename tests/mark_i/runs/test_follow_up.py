"""A follow-up knows what was asked, said, answered and done in the runs before it, in few words."""

import json
from pathlib import Path

from mark_i.brain import PastRun
from mark_i.config.paths import runs_folder
from mark_i.runs.follow_up import CHARS, exchanges, exchanges_before, goals_done
from tests.support import Run, action, events, script
from world_model import Action, Journal, Observation, Step, Thought, read_run

FOLLOW_UPS = 20


def ended(folder: Path, goal: str, before: str | None, summary: str = "Done.") -> str:
    """Write a run that ended; return its name."""
    journal = Journal(folder, {"goal": goal, "settings": {"continues": before}})
    journal.close({"outcome": "done", "summary": summary})
    return folder.name


def test_many_follow_ups_stay_short_and_the_newest_is_known(tmp_path: Path) -> None:
    name = None
    for number in range(FOLLOW_UPS):
        name = ended(tmp_path / f"run{number:02}", f"goal {number} {'x' * 300}", name, "y" * 900)

    told = exchanges(read_run(tmp_path / "run19"))

    assert sum(len(one) for exchange in told for one in exchange) <= CHARS
    assert told[-1][0].startswith("goal 19")
    assert exchanges_before(read_run(tmp_path / "run19"))[-1][0].startswith("goal 18")
    assert exchanges_before(read_run(tmp_path / "run00")) == ()


def test_a_run_that_is_gone_or_edited_ends_the_conversation(tmp_path: Path) -> None:
    ended(tmp_path / "one", "first", None)
    ended(tmp_path / "two", "second", "../one")
    ended(tmp_path / "three", "third", "gone")

    assert [goal for goal, _ in exchanges(read_run(tmp_path / "two"))] == ["second"]
    assert [goal for goal, _ in exchanges(read_run(tmp_path / "three"))] == ["third"]


def test_a_follow_up_is_told_of_the_run_before(mark_i: Run, tmp_path: Path) -> None:
    screen = ("--virtual", "320x240", "--json")
    brain = script(tmp_path / "a.jsonl", action("press", keys="f7"), action("fail", reason="It was blue."))
    first = events(mark_i("run", "paint it", "--brain", brain, *screen).stdout)[-1]["run"]
    brain = script(tmp_path / "b.jsonl", action("fail", reason="Enough."))

    done = mark_i("run", "--brain", brain, "--json", "--continue", "now also close it")

    folder = runs_folder() / events(done.stdout)[-1]["run"]
    about = read_run(folder).about
    prompt = json.loads((folder / "prompts.jsonl").read_text().splitlines()[0])["text"]
    assert (about["goal"], about["settings"]["continues"]) == ("now also close it", first)
    assert about["settings"]["virtual"] == "320x240"
    assert any("The virtual desktop is a new one" in str(event.get("text")) for event in events(done.stdout))
    assert all(one in prompt for one in ("Question: paint it", "It was blue.", "press f7", "now also close it"))


def test_what_cannot_be_continued_is_one_line(mark_i: Run) -> None:
    for arguments in (("run", "go on", "--continue"), ("run", "go on", "--continue", "nothing"), ("run", "--continue")):
        refused = mark_i(*arguments)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr


def test_what_a_run_did_before_it_was_stopped_is_told(tmp_path: Path) -> None:
    done = Observation(ok=True, text="")
    for at, (name, outcome) in enumerate([("a", "done"), ("b", "stopped"), ("c", "failed"), ("d", "failed")]):
        settings = {"continues": "abcd"[at - 1]} if at else {}
        journal = Journal(tmp_path / name, {"goal": f"goal {name}", "settings": settings})
        journal.add(Step(1, Thought(""), Action("press", {"keys": "f1"}), done))
        if name == "b":
            journal.said(2, "no, f2")
            journal.decided(2, Action("type_text", {"text": "milk"}))
        if name == "c":
            journal.add(Step(2, Thought(""), Action("press", {"keys": "f2"}), Observation(ok=False, text="lost")))
        journal.close({"outcome": outcome, "unheard": ["what"] if name == "d" else []})

    first, stopped, failed, last = goals_done(read_run(tmp_path / "d"))

    assert first == "goal a"
    assert isinstance(stopped, PastRun)
    assert isinstance(failed, PastRun)
    assert isinstance(last, PastRun)
    assert stopped.in_flight == Action("type_text", {"text": "milk"})
    assert [word.text for word in stopped.said] == ["no, f2"]
    assert [step.action for step in stopped.since] == [step.action for step in failed.steps]
    assert failed.in_flight == Action("press", {"keys": "f2"})  # it may have been pressed
    assert last.in_flight is None
