"""Past runs: found, told, deleted; and one that still goes on is known from one that was killed."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from mark_i.cli.commands.runs import runs
from mark_i.config.paths import runs_folder
from mark_i.runs.stop_file import stop_run
from mark_i.runs.store import begun as new, delete, find_run, is_running, running, summaries, summary
from tests.support import Run, action, events, script
from world_model import (
    Action,
    Frame,
    Journal,
    JournalError,
    Observation,
    Problem,
    ScreenChange,
    Step,
    Thought,
    UsageError,
    read_run,
)

CHECKOUT = Path(__file__).parents[3]
GOAL = 'open the text editor, type "hello", press ctrl+s, click Save, and wait until "Saved" appears on the screen'
FIRST, SECOND, THIRD = "20260101-101500-a1b2c3", "20260101-111500-a1b2c3", "20260203-091500-ffffff"


def step(index: int) -> Step:
    """A step that fails when its number is even."""
    frame = Frame(np.full((4, 4, 3), index, np.uint8))
    error = Problem("TARGET_NOT_FOUND", 'There is no "Save".', ("Look again.",)) if index % 2 == 0 else None
    change = ScreenChange(changed=True, appeared=("Saved",)) if index % 2 else ScreenChange(changed=False)
    seen = Observation(ok=error is None, text="Clicked.", error=error, screen=change)
    return Step(index, Thought("I press Säve."), Action("click", {"target": "Säve"}), seen, frame, frame)


def begun(name: str, steps: int = 2, goal: str = GOAL, profile: str = "default") -> Journal:
    """A run that goes on."""
    journal = Journal(runs_folder(profile) / name, {"goal": goal, "brain": "offline"})
    for index in range(1, steps + 1):
        journal.decided(index, step(index).action)
        journal.add(step(index))
    return journal


def made(name: str, steps: int = 2, goal: str = GOAL, profile: str = "default") -> Path:
    """A run that ended well."""
    journal = begun(name, steps, goal, profile)
    journal.close({"outcome": "done", "summary": "It is saved."})
    return journal.folder


def killed(name: str, steps: int = 2) -> Path:
    """A run that was killed while it carried out its last action."""
    folder = made(name, steps)
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({key: about[key] for key in ("goal", "brain", "started")}))
    with (folder / "decisions.jsonl").open("a") as file:
        file.write(json.dumps({"index": steps + 1, "tool": "press", "args": {"keys": "enter"}}) + "\n")
    return folder


# The whole way -----------------------------------------------------------------------------------------------------


def waits(seconds: float) -> dict[str, object]:
    return action("wait_for", text="what never comes", timeout=seconds)


def test_a_killed_run_can_be_resumed_and_then_deleted(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "brain.jsonl"
    brain = script(file, action("press", keys="shift"), waits(60), action("fail", reason="Enough."))
    command = [sys.executable, "-m", "mark_i", "run", "my goal", "--virtual", "640x480", "--brain", brain, "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "action" and event["tool"] == "wait_for":
                break
        running_then = json.loads(mark_i("runs", "list", "--json").stdout)
        refused = mark_i("runs", "delete", "last", "--yes")
        process.kill()
    killed_then = json.loads(mark_i("runs", "list", "--json").stdout)
    script(file, action("press", keys="shift"), waits(0.1), action("fail", reason="Enough."))
    resumed = mark_i("runs", "resume", "last", "--json")

    assert [one["outcome"] for one in running_then] == ["running"]
    assert (refused.returncode, "is still running" in refused.stderr) == (2, True)
    assert [(one["outcome"], one["steps"]) for one in killed_then] == [("killed", 1)]
    assert (resumed.returncode, events(resumed.stdout)[-1]["outcome"]) == (1, "failed")
    told = json.loads(mark_i("runs", "show", "last", "--format", "json").stdout)
    assert [one["action"]["tool"] for one in told["steps"]] == ["press", "wait_for", "fail"]
    assert (told["goal"], told["outcome"], told["said"], told["in_flight"]) == ("my goal", "failed", "Enough.", None)
    assert mark_i("runs", "delete", "last", "--yes").returncode == 0
    assert mark_i("runs", "show", "last").returncode == 2


def test_a_run_that_cannot_start_leaves_no_run(mark_i: Run) -> None:
    made(FIRST)
    refused = mark_i("run", "x", "--brain", "offline", env=os.environ | {"DISPLAY": ":64000"}, cwd=CHECKOUT)
    assert refused.returncode == 5
    assert [one["run"] for one in json.loads(mark_i("runs", "list", "--json").stdout)] == [FIRST]
    assert f"Run        {FIRST}" in mark_i("runs", "show", "last").stdout


# Finding -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"), [(FIRST, FIRST), ("last", THIRD), ("202602", THIRD), ("20260101-11", SECOND), (THIRD, THIRD)]
)
def test_a_run_is_found_by_its_name_its_beginning_or_last(name: str, found: str) -> None:
    for one in (SECOND, THIRD, FIRST):
        made(one, 0)

    assert find_run(runs_folder(), name) == runs_folder() / found


def test_a_name_that_is_the_beginning_of_another_is_found() -> None:
    made("20260101", 0)
    made(FIRST, 0)

    assert find_run(runs_folder(), "20260101").name == "20260101"


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("2026", f"3 runs begin with '2026': {THIRD}, {SECOND}, {FIRST}"),
        ("20260101-101500-a1b2c4", f"Did you mean {FIRST}"),
        ("hello", f"The newest are {THIRD}"),
        ("", "There is no run ''"),
        ("../runs/" + FIRST, "There is no run"),
        (".", "There is no run"),
    ],
)
def test_what_is_no_run_is_told_with_those_that_are_near(name: str, named: str) -> None:
    for one in (SECOND, THIRD, FIRST):
        made(one, 0)

    with pytest.raises(UsageError) as caught:
        find_run(runs_folder(), name)

    assert named in str(caught.value)


def test_where_there_are_no_runs_that_is_said() -> None:
    with pytest.raises(UsageError, match="no runs yet"):
        find_run(runs_folder(), "last")


# Telling -----------------------------------------------------------------------------------------------------------


def test_every_run_is_told_newest_first_with_what_became_of_it() -> None:
    made(FIRST, 3)
    killed(SECOND)
    (runs_folder() / THIRD).mkdir()
    (runs_folder() / "notes.txt").write_text("not a run")

    third, second, first = summaries(runs_folder())

    assert (first.run, first.outcome, first.said, first.goal, first.brain, first.steps) == (
        FIRST,
        "done",
        "It is saved.",
        GOAL,
        "offline",
        3,
    )
    assert first.seconds is not None
    assert first.started == read_run(runs_folder() / FIRST).about["started"]
    assert (second.run, second.outcome, second.steps, second.seconds) == (SECOND, "killed", 2, None)
    assert (third.run, third.outcome) == (THIRD, "unreadable")


@pytest.mark.parametrize(
    "about", ["{}", '{"outcome": "x", "started": 5, "goal": null, "seconds": "long"}', '{"outcome": {"outcome": null}}']
)
def test_a_run_with_an_edited_run_json_is_still_shown(about: str) -> None:
    folder = made(FIRST)
    (folder / "run.json").write_text(about)

    assert summary(folder).outcome == "killed"
    assert summary(folder).seconds is None
    assert said("show", FIRST).exit_code == 0
    assert FIRST in said("list").output


# Still going on ----------------------------------------------------------------------------------------------------

HOLDER = """
import os, sys
from pathlib import Path
from mark_i.runs.store import running
with running(Path(sys.argv[1])):
    if os.fork():
        print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the run, and a child that it forked."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process


@pytest.mark.usefixtures("processes")
def test_a_run_is_running_until_its_process_is_gone() -> None:
    folder = killed(FIRST)
    with holder(folder) as process:
        assert is_running(folder)
        assert summary(folder).outcome == "running"
        with pytest.raises(UsageError, match=f"{FIRST} is still running"):
            delete(folder)
        with pytest.raises(UsageError, match="is still running"), running(folder):
            pass

        process.kill()
        process.wait()

        assert not is_running(folder)
        assert summary(folder).outcome == "killed"
        with running(folder):
            pass
    assert read_run(folder).steps


def test_a_run_is_locked_from_its_start_to_its_end() -> None:
    folder = runs_folder() / FIRST

    with running(folder):
        held = [summary(folder).outcome]
        journal = begun(FIRST)
        held.append(summary(folder).outcome)
        journal.close({"outcome": "done"})
        held.append(summary(folder).outcome)
        assert is_running(folder)

    assert held == ["running", "running", "done"]
    assert not is_running(folder)


def test_a_run_that_raises_is_let_go() -> None:
    with pytest.raises(ZeroDivisionError), running(runs_folder() / FIRST):
        raise ZeroDivisionError

    assert not is_running(runs_folder() / FIRST)


def test_many_who_ask_at_once_do_not_take_each_other_for_the_run() -> None:
    folder = killed(FIRST)
    with running(folder):
        pass
    seen: set[bool] = set()
    askers = [threading.Thread(target=lambda: seen.update(is_running(folder) for _ in range(10))) for _ in range(3)]

    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()

    assert seen == {False}


def test_a_stop_that_comes_while_a_run_ends_leaves_nothing_of_it(tmp_path: Path) -> None:
    over, folder = threading.Event(), tmp_path / "watches" / FIRST

    def ask() -> None:
        while not over.is_set():
            stop_run(folder, 10)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(500):
            with new(folder), running(folder):
                pass
            assert not folder.exists()
    finally:
        over.set()
        asking.join()


def test_a_folder_that_cannot_be_held_is_told(home: Path) -> None:
    (home / "profiles").write_text("in the way")

    with pytest.raises(JournalError, match="cannot be written"), running(runs_folder() / FIRST):
        pass
    with pytest.raises(JournalError, match="cannot be read"):
        summaries(runs_folder())


# Command line ------------------------------------------------------------------------------------------------------


def said(*arguments: str) -> Result:
    return CliRunner().invoke(runs, arguments)


def on_a_terminal(columns: int, *arguments: str, answer: str = "") -> tuple[str, int]:
    """What a person sees on a terminal of that width, and the exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-c", "from mark_i.cli.commands.runs import runs; runs()", *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=CHECKOUT, env=environment)
    os.close(theirs)
    os.write(ours, answer.encode())
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # the last one on the other side has gone
            break
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), process.wait(timeout=60)


def test_the_list_is_for_programs_too() -> None:
    made(FIRST)
    killed(SECOND)

    told = json.loads(said("list", "--json").output)

    assert [(one["run"], one["outcome"], one["steps"]) for one in told] == [(SECOND, "killed", 2), (FIRST, "done", 2)]
    assert told[1].keys() == {"run", "outcome", "said", "started", "goal", "brain", "steps", "seconds", "changed_goal"}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("columns", [80, 120])
def test_the_list_fits_the_terminal(columns: int) -> None:
    made(FIRST, 12)
    made(SECOND, 1, "打开文本编辑器然后保存" * 9)
    made(THIRD, 0, "two\nlines \x1b[31m")

    shown, code = on_a_terminal(columns, "list")

    head, third, goal_3, second, goal_2, first, goal_1 = shown.splitlines()
    assert code == 0
    assert "\x1b" not in shown
    assert [line.split()[0] for line in (head, third, second, first)] == ["Run", THIRD, SECOND, FIRST]
    assert first.split()[1:3] == ["done", "12"]
    assert first.index("12") + 2 == head.index("Steps") + 5
    assert goal_1 == f"  {GOAL}"[: columns - 1] + "…" if columns == 80 else f"  {GOAL}"
    assert all(len(line) <= columns for line in shown.splitlines())
    assert len(goal_2) < columns * 0.6  # each of these letters is two columns wide
    assert goal_3 == "  two lines ␛[31m"


def test_a_list_that_is_piped_is_not_cut() -> None:
    made(FIRST, 1, GOAL * 5)

    assert GOAL * 5 in said("list").output


def test_a_run_is_listed_by_the_goal_that_its_outcome_is_of() -> None:
    """A goal that was refused, and answered with another one, was not done."""
    begun(FIRST, goal="stew instead of soup").close({"outcome": "done", "summary": "It is.", "goal": "press ctrl+s"})

    listed, [told] = said("list").output, json.loads(said("list", "--json").output)

    assert "stew" not in listed
    assert listed.splitlines()[-1] == "  press ctrl+s"
    assert (told["goal"], told["changed_goal"]) == ("stew instead of soup", "press ctrl+s")
    shown = said("show", "last").output.splitlines()[:2]
    assert shown == ["Goal       stew instead of soup", "Changed to press ctrl+s"]


def test_an_empty_list_says_what_to_do() -> None:
    assert "mark-i run GOAL" in said("list").output
    assert json.loads(said("list", "--json").output) == []


def test_a_run_is_told_as_the_scratchpad_of_its_steps() -> None:
    folder = made(FIRST)

    shown = said("show", "last").output

    started = read_run(folder).about["started"]
    facts, _, scratchpad = shown.partition("\n\n")
    rows = dict(line.split(maxsplit=1) for line in facts.splitlines())
    assert (rows["Goal"], rows["Outcome"], rows["Run"]) == (GOAL, "done: It is saved.", FIRST)
    assert rows["Steps"].startswith("2 in ")
    assert rows["Started"][:4] == started[:4]
    assert scratchpad == (
        "Thought 1: I press Säve.\n"
        'Action 1: click({"target": "Säve"})\n'
        'Observation 1: Clicked. Appeared: "Saved".\n'
        "\n"
        "Thought 2: I press Säve.\n"
        'Action 2: click({"target": "Säve"})\n'
        'Error 2: TARGET_NOT_FOUND: There is no "Save". Look again. Nothing changed on the screen.\n'
    )


def test_an_action_in_flight_is_told() -> None:
    killed(FIRST)

    assert 'In flight  press({"keys": "enter"}), which may have been executed' in said("show", FIRST).output
    assert json.loads(said("show", FIRST, "--format", "json").output)["in_flight"] == {
        "tool": "press",
        "args": {"keys": "enter"},
    }


def test_a_run_as_json_is_whole() -> None:
    folder = made(FIRST)

    told = json.loads(said("show", FIRST, "--format", "json").output)

    assert told["steps"] == [one.to_dict() for one in read_run(folder).steps]
    assert told["about"] == read_run(folder).about
    assert (told["run"], told["outcome"], told["folder"], told["in_flight"]) == (FIRST, "done", str(folder), None)
    assert (folder / "frames" / f"{told['steps'][0]['before']}.png").exists()


def test_a_run_as_markdown() -> None:
    made(FIRST)

    shown = said("show", FIRST, "--format", "markdown").output

    assert shown.startswith(f"- **Goal:** {GOAL}\n- **Outcome:** done: It is saved.\n")
    assert "### Step 2\n**Thought:** I press Säve.\n" in shown


def test_what_a_terminal_would_obey_is_shown_and_not_sent() -> None:
    made(FIRST, 1, "\x1b]0;title\x07 \x9b31m")

    shown = said("show", FIRST).output

    assert "␛]0;title␇ \N{REPLACEMENT CHARACTER}31m" in shown
    assert not {"\x1b", "\x07", "\x9b"} & set(shown)


def test_a_line_that_is_no_step_is_named() -> None:
    folder = made(FIRST)
    (folder / "steps.jsonl").write_text("{}\n")

    done = said("show", FIRST)

    assert isinstance(done.exception, JournalError)
    assert f"{folder / 'steps.jsonl'}, line 1" in str(done.exception)


@pytest.mark.usefixtures("processes")
def test_a_run_is_deleted_where_that_was_meant() -> None:
    folder = made(FIRST)
    made(SECOND)

    unasked = said("delete", FIRST)
    no, no_code = on_a_terminal(80, "delete", FIRST, answer="n\n")
    assert folder.exists()
    yes, yes_code = on_a_terminal(80, "delete", FIRST, answer="y\n")

    assert isinstance(unasked.exception, UsageError)
    assert "--yes" in str(unasked.exception)
    assert f"Delete the run {FIRST} for good?" in no
    assert no_code != 0
    assert (f"The run {FIRST} is deleted." in yes, yes_code) == (True, 0)
    assert [one.run for one in summaries(runs_folder())] == [SECOND]


def test_a_run_is_deleted_without_a_question_if_told_so() -> None:
    made(FIRST)

    assert said("delete", FIRST, "--yes").exit_code == 0
    assert said("list", "--json").output == "[]\n"


def test_a_run_that_goes_on_is_not_deleted() -> None:
    folder = killed(FIRST)

    with running(folder):
        done = said("delete", FIRST, "--yes")

    assert isinstance(done.exception, UsageError)
    assert len(read_run(folder).steps) == 2


def test_a_run_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("keep")
    runs_folder().mkdir(parents=True)
    (runs_folder() / FIRST).symlink_to(precious)

    assert isinstance(said("delete", FIRST, "--yes").exception, JournalError)
    assert (precious / "file").read_text() == "keep"


def test_the_runs_of_one_profile_are_not_those_of_another() -> None:
    made(FIRST, profile="work")

    assert [one["run"] for one in json.loads(said("list", "--json", "--profile", "work").output)] == [FIRST]
    assert json.loads(said("list", "--json").output) == []
    assert isinstance(said("show", FIRST).exception, UsageError)
    assert isinstance(said("list", "--profile", "../work").exception, UsageError)


@pytest.mark.parametrize("command", [(), ("list",), ("show",), ("report",), ("replay",), ("delete",), ("resume",)])
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    assert "Example: mark-i runs" in said(*command, "--help").output
