"""Resuming a run that was killed, sessions of `ask`, and profiles that share nothing."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mark_i import Control, RunConfig, ScriptedBrain, agent_for
from mark_i.cli.runner import EMPTY, SAID
from mark_i.config.paths import runs_folder, sessions_folder
from mark_i.config.settings import load, save
from mark_i.events import Outcome
from mark_i.runs.sessions import Session
from tests.support import Run, action, events, script
from world_model import Size, read_run

VIRTUAL = ("--virtual", "640x480")
ROOT = Path(__file__).resolve().parents[3]


def typing(count: int) -> list[object]:
    """Open a terminal that counts what is typed into it, line by line."""
    lines = [action("type_text", text=f"line {number}", enter=True) for number in range(1, count + 1)]
    return [action("open_app", name="xterm", args=["-e", "cat"]), *lines]


def killed_after(step: int, *arguments: str) -> Path:
    """The folder of a run that was killed once so many of its steps were told."""
    command = [sys.executable, "-m", "mark_i", "run", *arguments, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "step" and event["index"] == step:
                process.send_signal(signal.SIGKILL)
                break
    return max(runs_folder().iterdir())


@pytest.mark.parametrize("step", [1, 3])
def test_a_killed_run_goes_on_and_does_nothing_twice(mark_i: Run, tmp_path: Path, step: int) -> None:
    brain = script(tmp_path / "brain.jsonl", *typing(4), action("finish", summary="Typed."))
    folder = killed_after(step, "type four lines", "--brain", brain, *VIRTUAL)
    before = read_run(folder)
    assert len(before.steps) >= step

    told = events(mark_i("run", "--resume", "last", "--json").stdout)

    assert (told[0]["goal"], told[0]["run"]) == ("type four lines", folder.name)
    assert [event["text"] for event in told if event["event"] == "notice"][:1] == [EMPTY]
    after = read_run(folder)
    assert after.steps[: len(before.steps)] == before.steps or len(after.steps) > len(before.steps)
    lines = [step.action.args["text"] for step in after.steps if step.action.tool == "type_text"]
    assert lines == ["line 1", "line 2", "line 3", "line 4"]
    assert told[-1]["outcome"] == "done_unverified"
    assert [event["index"] for event in told if event["event"] == "step"][-1] == len(after.steps)


def test_a_run_is_done_again_as_a_run_of_its_own(mark_i: Run) -> None:
    first = events(mark_i("run", "Press shift.", "--brain", "offline", "--max-steps", "7", *VIRTUAL, "--json").stdout)

    done = mark_i("runs", "again", "last", "--json")
    told = events(done.stdout)
    assert done.returncode == first[-1]["exit_code"], done.stdout + done.stderr

    assert (told[0]["goal"], told[0]["run"]) == ("Press shift.", max(runs_folder().iterdir()).name)
    assert told[0]["run"] != first[0]["run"]
    again, once = (read_run(runs_folder() / one[0]["run"]).about for one in (told, first))
    assert (again["brain"], again["settings"]) == (once["brain"], once["settings"])
    assert again["desktop"].startswith("virtual desktop 640x480 ")
    assert [one["action"] for one in told if one["event"] == "step"] == [
        one["action"] for one in first if one["event"] == "step"
    ]


def spoken_to(*words: str) -> Path:
    """A run to which somebody spoke after its first step."""
    command = [sys.executable, "-m", "mark_i", "run", "Press shift, wait 600 seconds, press alt", "--brain", "offline"]
    with subprocess.Popen(
        [*command, *VIRTUAL, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in process.stdout:
            told = json.loads(line)
            if (told["event"], told.get("index")) == ("step", 1):
                process.stdin.writelines(json.dumps({"say": word}) + "\n" for word in words)
                process.stdin.close()
    [run] = runs_folder().iterdir()
    return run


def test_a_run_is_done_again_with_what_was_said_during_it(mark_i: Run) -> None:
    run = spoken_to("skip the wait and press ctrl instead of alt")
    pressed = [step.action.args for step in read_run(run).steps if step.action.tool == "press"]
    assert pressed == [{"keys": "shift"}, {"keys": "ctrl"}]

    told = events(mark_i("runs", "again", "last", "--json").stdout)

    again = read_run(max(runs_folder().iterdir()))
    assert again.folder != run
    assert [step.action.args for step in again.steps if step.action.tool == "press"] == pressed
    assert [step for step in again.steps if step.action.tool == "wait"] == []
    assert [event for event in told if event["event"] == "notice"] == []


def test_who_does_a_run_again_is_told_what_it_may_not_have_followed(mark_i: Run) -> None:
    run = spoken_to("skip the wait", "the lamp is with Hanna")
    assert read_run(run).about["outcome"]["outcome"] == "failed"

    told = events(mark_i("runs", "again", "last", "--json").stdout)

    said = SAID.format('"skip the wait", "the lamp is with Hanna"')
    assert said in [event["text"] for event in told if event["event"] == "notice"]


def test_a_resumed_run_does_not_repeat_the_interrupted_action(mark_i: Run, tmp_path: Path) -> None:
    code = action("python_repl", code="import time; time.sleep(20)")
    brain = script(tmp_path / "brain.jsonl", code, action("fail", reason="I looked, and go no further."))
    command = [sys.executable, "-m", "mark_i", "ask", "run it", "--brain", brain, "--json", "--yes"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["event"] == "action":
                process.send_signal(signal.SIGKILL)
                break
    assert read_run(max(runs_folder().iterdir())).in_flight

    told = events(mark_i("run", "--resume", "last", "--json").stdout)

    assert told[-1]["summary"] == "I looked, and go no further."
    first, _ = read_run(max(runs_folder().iterdir())).steps
    assert first.observation.error is not None
    assert "nobody knows whether this was carried out" in first.observation.error.message


def test_what_only_looked_when_it_was_killed_is_done_again(mark_i: Run, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    brain = script(tmp_path / "brain.jsonl", action("read_file", path="note.txt"), {"answer": "hello"})
    mark_i("ask", "what is in it?", "--brain", brain, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    folder = max(runs_folder().iterdir())
    (folder / "steps.jsonl").write_bytes(b"")
    lines = (folder / "decisions.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "decisions.jsonl").write_bytes(lines[0])
    about = json.loads((folder / "run.json").read_bytes())
    (folder / "run.json").write_text(json.dumps({**about, "outcome": None}), encoding="utf-8")

    told = events(mark_i("run", "--resume", "last", "--json").stdout)

    steps = read_run(folder).steps
    assert [step.action.tool for step in steps] == ["read_file", "finish"]
    assert steps[0].observation.text == "hello"  # it went back to the folder that the run was begun in
    assert told[-1]["summary"] == "hello"


def test_a_session_goes_on_when_its_run_does(mark_i: Run, tmp_path: Path) -> None:
    first = script(tmp_path / "first.jsonl", {"answer": "Ada."})
    mark_i("ask", "who?", "--brain", first, "--session", "s")
    second = script(tmp_path / "second.jsonl", action("list_files"), action("list_files"), {"answer": "1843."})
    mark_i("ask", "when?", "--brain", second, "--session", "s", "--max-steps", "1")

    mark_i("run", "--resume", "last", "--max-steps", "9")

    third = script(tmp_path / "third.jsonl", {"answer": "Here."})
    mark_i("ask", "where?", "--brain", third, "--session", "s")
    prompts = (max(runs_folder().iterdir()) / "prompts.jsonl").read_text(encoding="utf-8")
    for word in ("who?", "Ada.", "when?", "1843."):
        assert word in prompts


def test_a_run_that_came_to_its_end_is_not_gone_on_with(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("fail", reason="enough"))
    mark_i("run", "x", "--brain", brain, *VIRTUAL)

    done = mark_i("runs", "resume", "last")

    assert done.returncode == 2
    assert "has ended: failed" in done.stderr


@pytest.mark.parametrize("change", [{"settings": "x"}, {"brain": 5}, {"settings": {"folder": []}}])
def test_a_run_with_edited_settings_is_not_resumed(mark_i: Run, tmp_path: Path, change: dict[str, Any]) -> None:
    brain = script(tmp_path / "brain.jsonl", action("list_files"))
    mark_i("ask", "x", "--brain", brain, "--max-steps", "1")
    [folder] = runs_folder().iterdir()
    about = json.loads((folder / "run.json").read_bytes())
    (folder / "run.json").write_text(json.dumps({**about, **change}), encoding="utf-8")

    done = mark_i("runs", "resume", "last")

    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert f"The run {folder.name} cannot be resumed: in its run.json, " in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "--resume", "20991231"), "There are no runs yet"),
        (("run", "goal", "--resume", "last"), "leave GOAL out"),
        (("run", "--resume", "last", "--dry-run"), "leave out --resume"),
        (("run",), "Give a goal"),
        (("run", "  "), "Give a goal"),
        (("ask", "  "), "Give a question"),
        (("ask", "--session", "s"), "Give a question"),
        (("ask", "x", "--reset"), "name it with --session"),
        (("run", "x", "--brain", "offline:big"), "no models"),
        (("run", "x", "--brain", "offline", "--base-url", "http://localhost"), "and offline uses none"),
        (("run", "x", "--max-seconds", "0"), "--max-seconds"),
        (("run", "x", "--style", "funny"), "--style"),
        (("run", "x", "--profile", "../other"), "cannot be a profile"),
        (("ask", "x", "--session", "a/b"), "is not a session id"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(mark_i: Run, arguments: tuple[str, ...], told: str) -> None:
    done = mark_i(*arguments)

    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_next_question_of_a_session_knows_the_answer(mark_i: Run, tmp_path: Path) -> None:
    first = script(tmp_path / "first.jsonl", {"answer": "Ada wrote it."})
    second = script(tmp_path / "second.jsonl", {"answer": "In 1843."})

    assert mark_i("ask", "who wrote it?", "--brain", first, "--session", "s", "--json").returncode == 6
    told = events(mark_i("ask", "when?", "--brain", second, "--session", "s", "--json").stdout)
    mark_i("ask", "and where?", "--brain", second, "--session", "s", "--reset")

    assert told[0]["desktop"] is None
    prompts = [
        json.loads((folder / "prompts.jsonl").read_text(encoding="utf-8"))["text"]
        for folder in sorted(runs_folder().iterdir())
    ]
    assert "who wrote it?" in prompts[1]
    assert "Answer: Ada wrote it." in prompts[1]
    assert "Ada" not in prompts[2]


def test_a_session_is_forgotten_without_a_question(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", {"answer": "Ada wrote it."})
    mark_i("ask", "who wrote it?", "--brain", brain, "--session", "s")
    assert Session("default", "s").pairs()

    done = mark_i("ask", "--session", "s", "--reset")

    assert (done.returncode, done.stdout) == (0, "The session s is forgotten.\n")
    assert Session("default", "s").pairs() == ()
    assert len(list(runs_folder().iterdir())) == 1


def test_two_who_ask_in_one_session_at_once_are_both_remembered() -> None:
    def ask(who: str) -> None:
        for number in range(20):
            Session("default", "s").note(f"{who}{number}", Outcome("done", "Yes."))

    with ThreadPoolExecutor() as pool:
        list(pool.map(ask, "abc"))  # an error of theirs is raised here
    lines = (sessions_folder() / "s.jsonl").read_text(encoding="utf-8").splitlines()
    asked = {json.loads(line)["question"] for line in lines}
    assert asked == {f"{who}{number}" for who in "abc" for number in range(20)}


@pytest.mark.usefixtures("display")
def test_two_profiles_in_two_threads_share_nothing(home: Path) -> None:
    save({"max_steps": 7}, "one")
    save({"max_steps": 9}, "two")
    together = threading.Barrier(2, timeout=60)
    seen: dict[str, Any] = {}

    def work(profile: str) -> None:
        together.wait()
        replies = [action("wait_for", text=profile, timeout=0.1), action("fail", reason=profile)]
        config = RunConfig(ScriptedBrain(replies, profile), Size(320, 200), profile=profile)
        with agent_for(f"goal of {profile}", config, Control()) as (agent, folder):
            seen[profile] = (agent.execute_command(f"goal of {profile}"), folder, load(profile).max_steps)

    threads = [threading.Thread(target=work, args=(profile,)) for profile in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for profile, other, steps in (("one", "two", 7), ("two", "one", 9)):
        outcome, folder, limit = seen[profile]
        assert (outcome.summary, limit) == (profile, steps)
        assert folder.parent == home / "profiles" / profile / "runs"
        written = b"".join(file.read_bytes() for file in folder.rglob("*.json*"))
        assert f"goal of {profile}".encode() in written
        assert f"goal of {other}".encode() not in written
        assert len(list(folder.parent.iterdir())) == 1


def test_another_brain_may_write_the_final_answer(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "plan.jsonl", {"answer": "Planned."})
    writer = script(tmp_path / "write.jsonl", "Written.")

    told = events(mark_i("ask", "what?", "--brain", brain, "--reply-brain", writer, "--json").stdout)
    single = mark_i("ask", "what?", "--brain", brain, "--reply-brain", writer, "--single-model", "--json")

    assert told[-1]["summary"] == "Written."
    assert events(single.stdout)[-1]["summary"] == "Planned."
    names = [
        {json.loads(line)["brain"] for line in (folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()}
        for folder in sorted(runs_folder().iterdir())
    ]
    assert names == [{brain, writer}, {brain}]


def test_a_setting_of_the_profile_holds_where_no_option_is_given(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", *[action("fail", reason="x")])
    assert mark_i("config", "set", "brain", brain, "--profile", "work").returncode == 0
    assert mark_i("config", "set", "style", "strict", "--profile", "work").returncode == 0

    told = events(mark_i("ask", "x", "--profile", "work", "--json").stdout)

    assert (told[0]["brain"], told[0]["mode"]) == (brain, "Strict data mode")
    assert (runs_folder("work") / told[0]["run"]).is_dir()
    assert not runs_folder("default").exists()


def test_debug_leaves_and_prints_the_scratchpad(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("fail", reason="No such thing."))

    done = mark_i("ask", "x", "--brain", brain, "--debug")

    golden = 'Thought 1: I use fail.\nAction 1: fail({"reason": "No such thing."})\nObservation 1: The run ends here.\n'
    [folder] = runs_folder().iterdir()
    assert (folder / "scratchpad.txt").read_text(encoding="utf-8") == golden
    assert golden in done.stderr
    shown = mark_i("runs", "show", "last", "--format", "text").stdout
    assert golden in shown
