"""The command line as a person and as a program use it: exit codes, events, bad input, stopping."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mark_i.config.paths import tools_folder
from tests.support import CAP_S, Run, action, events, processes_with, script
from toolbelt.control import Control
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from world_model import read_run

STEP = {"event", "t", "index", "thought", "action", "observation", "timing", "usage"}
SCREEN = {"changed", "settled_ms", "appeared", "vanished", "regions"}
LOUD = """import os
from mark_i import tool

@tool
def shout() -> str:
    "Shout."
    print("Loud!")
    os.system("echo Louder!")
    return "done"
"""
TIMING = {"look_ms", "think_ms", "act_ms", "settle_ms", "other_ms"}


def test_a_json_run_prints_the_contracts_events_and_no_more(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("press", keys="shift"), action("finish", summary="That is all."))

    done = mark_i("run", "--virtual", "640x480", "--brain", brain, "--json", "press a key")

    told = events(done.stdout)
    names = [event["event"] for event in told]
    assert names == ["run_started", *["thinking", "thought", "action", "step"] * 2, "ended"]
    step, ended = told[4], told[-1]
    assert step.keys() >= STEP
    assert step["observation"]["screen"].keys() >= SCREEN
    assert step["timing"].keys() == TIMING
    assert step["usage"] == {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    assert (ended["outcome"], ended["exit_code"], ended["steps"]) == ("done_unverified", 6, 2)
    assert done.returncode == 6
    assert [event["t"] for event in told] == sorted(event["t"] for event in told)


def test_what_a_tool_prints_is_no_event(mark_i: Run, tmp_path: Path) -> None:
    tools = tools_folder()
    tools.mkdir(parents=True)
    (tools / "loud.py").write_text(LOUD)
    brain = script(tmp_path / "brain.jsonl", action("shout"), action("fail", reason="enough"))

    done = mark_i("ask", "shout", "--brain", brain, "--json", "--yes")

    told = events(done.stdout)
    assert [event["observation"]["ok"] for event in told if event["event"] == "step"] == [True, True]
    assert [event["event"] for event in told][-1] == "ended"
    assert {"Loud!", "Louder!"} <= set(done.stderr.splitlines())


@pytest.mark.parametrize(
    ("replies", "more", "code", "outcome"),
    [
        ([action("fail", reason="It cannot be done.")], [], 1, "failed"),
        ([action("press", keys="shift")] * 3, ["--max-steps", "2"], 3, "limit_steps"),
        ([action("press", keys="shift")], [], 4, "model_error"),
        (["no JSON", "none again"], [], 4, "model_error"),
        ([{"answer": "It is done."}], [], 6, "done_unverified"),
    ],
)
def test_each_ending_has_its_exit_code(
    mark_i: Run, tmp_path: Path, replies: list[object], more: list[str], code: int, outcome: str
) -> None:
    brain = script(tmp_path / "brain.jsonl", *replies)

    done = mark_i("run", "goal", "--virtual", "640x480", "--brain", brain, "--json", *more)

    assert events(done.stdout)[-1]["outcome"] == outcome
    assert done.returncode == code


def test_without_a_display_the_run_announces_a_virtual_one(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("fail", reason="enough"))

    told = events(mark_i("run", "goal", "--brain", brain, "--json").stdout)

    assert "virtual desktop 1920x1080" in told[0]["desktop"]
    assert [event["text"] for event in told if event["event"] == "notice"] != []


BAD: list[tuple[list[str], int, str]] = [
    (["rnu", "goal"], 2, "? See mark-i --help."),
    (["run", "goal", "--brian", "offline"], 2, "--brain"),
    (["run", "goal", "--brain", "ofline"], 2, "offline"),
    (["run", "goal", "--max-steps", "0"], 2, "--max-steps"),
    (["run", "goal", "--max-steps", "few"], 2, "'few' is not a whole number"),
    (["run", "goal", "--max-cost", "few"], 2, "'few' is not a number"),
    (["run", "goal", "--virtual=big"], 2, "1920x1080"),
    (["run", "--virtual", "9x", "goal"], 2, "1920x1080"),
    (["run"], 2, "Give a goal. See mark-i run --help."),
    (["run", "goal", "--brain", "gemini"], 4, "GEMINI_API_KEY"),
    (["run", "goal", "--brain", "scripted:nowhere.jsonl"], 2, "nowhere.jsonl"),
    (["run", "goal", "--brain", "scripted:"], 2, "scripted:FILE"),
    (["tools", "show", "clik"], 2, "click"),
    (["tools", "call", "clik", "{}"], 2, "click"),
    (["tools", "call", "press", "{"], 2, "JSON"),
    (["tools", "call", "press", "[]"], 2, "JSON object"),
    (["tools", "call", "press", "[" * 50_000], 2, "nested too deeply"),
]


@pytest.mark.parametrize(("arguments", "code", "named"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_gets_one_line_that_says_what_to_do(mark_i: Run, arguments: list[str], code: int, named: str) -> None:
    done = mark_i(*arguments)

    assert done.returncode == code
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert named in line


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ('{"answer": "x"}\n{broken\n', "Line 2"),
        ("3\n", "Line 1"),
        ("[" * 50_000 + "\n", "Line 1"),
    ],
)
def test_a_broken_script_is_named_with_its_line(mark_i: Run, tmp_path: Path, content: str, named: str) -> None:
    file = tmp_path / "brain.jsonl"
    file.write_text(content)

    done = mark_i("run", "goal", "--brain", f"scripted:{file}")

    assert (done.returncode, named in done.stderr, len(done.stderr.splitlines())) == (2, True, 1)


@pytest.mark.parametrize(("program", "package"), [("Xvfb", "xvfb"), ("openbox", "openbox")])
def test_without_xvfb_or_openbox_the_package_is_named(mark_i: Run, tmp_path: Path, program: str, package: str) -> None:
    for other in {"Xvfb", "openbox"} - {program}:  # a path on which just this one is missing
        (tmp_path / other).symlink_to(f"/usr/bin/{other}")

    done = mark_i("run", "goal", "--brain", "offline", env=os.environ | {"PATH": str(tmp_path)})

    assert done.returncode == 5
    [line] = done.stderr.splitlines()
    assert f"sudo apt-get install {package}" in line


def test_a_size_that_was_left_out_does_not_take_the_goal_for_it(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("fail", reason="enough"))

    told = events(mark_i("run", "--brain", brain, "--json", "--virtual", "my goal").stdout)

    assert told[0]["goal"] == "my goal"
    assert "1920x1080" in told[0]["desktop"]


def test_tools_can_be_listed_shown_and_called(mark_i: Run) -> None:
    listed = json.loads(mark_i("tools", "list", "--json").stdout)
    shown = json.loads(mark_i("tools", "show", "type_text", "--json").stdout)
    called = mark_i("tools", "call", "press", '{"keys": "ctl+s"}', "--virtual", "640x480", "--json")
    off = mark_i("tools", "call", "click", '{"target": {"x": 640, "y": 0}}', "--virtual", "640x480", "--json")

    assert {"click", "type_text", "press", "scroll", "wait_for", "open_app", "finish", "fail"} <= {
        tool["name"] for tool in listed
    }
    assert shown["schema"]["properties"].keys() == {"text", "into", "enter", "pace_ms", "paste", "replace"}
    assert (called.returncode, json.loads(called.stdout)["error"]["code"]) == (1, "INVALID_ARGS")
    assert (off.returncode, json.loads(off.stdout)["error"]["code"]) == (1, "OFF_SCREEN")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("command", ["tools list | head -1", "tools list > /dev/full", "tools list >&-", "run x <&-"])
def test_a_stream_that_is_closed_or_full_gets_no_traceback(command: str) -> None:
    line = f"{sys.executable} -m mark_i {command}"

    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=60)

    assert "Traceback" not in done.stdout + done.stderr


def started(tmp_path: Path, *more: str) -> subprocess.Popen[str]:
    """A run that waits for a text that never comes, once it waits."""
    waiting = action("wait_for", text="what never comes", timeout=2 * CAP_S)
    brain = script(tmp_path / "brain.jsonl", action("type_text", text="x" * 40), waiting)
    command = [sys.executable, "-m", "mark_i", "run", "goal", "--virtual", "640x480", "--brain", brain, "--json", *more]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    for line in run.stdout:
        event = json.loads(line)
        if event["event"] == "action" and event["tool"] == "wait_for":
            break
    return run


@pytest.mark.usefixtures("processes")
def test_a_run_survives_the_end_of_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
    try:
        run = started(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)

    [ignored] = re.findall(r"SigIgn:\s*(\w+)", Path(f"/proc/{run.pid}/status").read_text())
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=CAP_S)

    assert int(ignored, 16) & 1 << signal.SIGHUP - 1
    assert run.returncode == 130


@pytest.mark.usefixtures("processes")
def test_a_run_whose_terminal_is_closed_ends_as_stopped(tmp_path: Path, home: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("wait_for", text="what never comes", timeout=2 * CAP_S))
    command = [sys.executable, "-m", "mark_i", "run", "goal", "--virtual", "640x480", "--brain", brain]
    terminal, inside = pty.openpty()
    run = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    said = b""
    while b"wait_for(" not in said:  # from then on it waits, and has nothing to tell
        said += os.read(terminal, 4096)

    os.close(terminal)
    run.send_signal(signal.SIGHUP)

    assert run.wait(CAP_S) >= 0
    [folder] = home.glob("profiles/default/runs/*")
    assert read_run(folder).about["outcome"]["outcome"] == "stopped"
    assert_no_desktop_left(home)


@pytest.mark.usefixtures("processes")
def test_a_terminal_that_is_closed_may_say_so_twice(tmp_path: Path) -> None:
    run = started(tmp_path)

    for _ in range(5):
        run.send_signal(signal.SIGHUP)
    rest, _ = run.communicate(timeout=CAP_S)

    assert run.returncode == 130
    assert events(rest)[-1]["outcome"] == "stopped"


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_ends_the_run_as_stopped_with_nothing_left_behind(
    tmp_path: Path, home: Path, sign: signal.Signals
) -> None:
    run = started(tmp_path)

    run.send_signal(sign)
    rest, complaints = run.communicate(timeout=CAP_S)

    assert run.returncode == 130
    assert complaints == ""
    assert events(rest)[-1]["outcome"] == "stopped"
    [folder] = home.glob("profiles/default/runs/*")
    journal = read_run(folder)
    assert (len(journal.steps), journal.about["outcome"]["outcome"]) == (1, "stopped")
    assert journal.in_flight is not None
    assert_no_desktop_left(home)


@pytest.mark.usefixtures("processes")
def test_a_command_on_standard_input_stops_the_run(tmp_path: Path) -> None:
    run = started(tmp_path)

    rest, _ = run.communicate('nonsense\n{"command": "stop"}\n', timeout=CAP_S)

    assert (run.returncode, events(rest)[-1]["outcome"]) == (130, "stopped")


@pytest.mark.usefixtures("processes")
def test_a_killed_run_leaves_a_readable_journal_and_no_display(tmp_path: Path, home: Path) -> None:
    run = started(tmp_path)

    run.kill()
    run.communicate(timeout=CAP_S)

    [folder] = home.glob("profiles/default/runs/*")
    journal = read_run(folder)
    assert [step.action.tool for step in journal.steps] == ["type_text"]
    assert journal.in_flight is not None
    assert journal.in_flight.tool == "wait_for"
    assert "outcome" not in journal.about
    assert_no_desktop_left(home)


def left_on_desktops(home: Path) -> list[int]:
    return [pid for pid in processes_with(f"MARK_I_HOME={home}\0") if pid in processes_with(f"{MARK}=")]


def assert_no_desktop_left(home: Path) -> None:
    """Everything on a virtual desktop carries its mark, and this test's home."""
    Control().until(lambda: not left_on_desktops(home), CAP_S)
    assert left_on_desktops(home) == []


def test_a_person_reads_a_labelled_log_that_needs_no_colour(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("click", target="Nowhere"), action("fail", reason="Not there."))

    done = mark_i("run", "click it", "--virtual", "640x480", "--brain", brain, "--debug")

    assert "\x1b" not in done.stdout
    for words in ("Goal  click it", "Thought", 'click(target="Nowhere")', "TARGET_NOT_FOUND", "Failed. Not there."):
        assert words in done.stdout
    folder = Path(done.stdout.splitlines()[-1].removeprefix("Journal: "))
    assert (folder / "scratchpad.txt").read_text() in done.stderr
    assert "Error 1: TARGET_NOT_FOUND" in done.stderr
