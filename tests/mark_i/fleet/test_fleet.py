"""Fleets: real runs on real virtual desktops, and what is left of them when processes are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import active_children, forkserver
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet import local, supervisor
from mark_i.fleet.file import FleetFile, Job, Limits, jobs_of, read_file
from mark_i.fleet.folder import RESULTS, FleetFolder, Result
from mark_i.fleet.supervisor import Fleet
from tests.collector import collecting, told
from tests.support import CAP_S, Run, action, finish, script
from toolbelt.control import Control
from world_model import read_run
from world_model.journal import Journal

pytestmark = pytest.mark.usefixtures("display")
OPTIONS = {"profile": DEFAULT_PROFILE, "policy": None, "yes": False, "base_url": None, "max_steps": None}
SMALL = '[defaults]\nbrain = "offline"\nsize = "640x400"\n'
TYPED = 'goal = \'Type "{word}" and press enter.\'\ncheck = "grep -qx {word} typed.txt"\nrows = "rows.csv"\n'
NO_LIMITS = Limits()
CAT = "setup = \"xterm -e 'cat > typed.txt' &\"\n"


def results(folder: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]
    except FileNotFoundError:
        return []


def until(found: Any, what: str) -> Any:
    end = time.monotonic() + CAP_S
    while not (value := found()):
        assert time.monotonic() < end, what
        time.sleep(0.02)
    return value


@contextmanager
def fleet(file: Path) -> Iterator[tuple["subprocess.Popen[bytes]", Path]]:
    """A fleet that runs in a process of its own, and the file of its events."""
    told = file.with_suffix(".events")
    command = [sys.executable, "-m", "mark_i", "fleet", "run", str(file), "--json", "--workers", "2"]
    with told.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield process, told
    finally:
        process.kill()
        process.wait()


def event(told: Path, kind: str) -> dict[str, Any] | None:
    """The last whole event of a kind."""
    lines = told.read_text().rpartition("\n")[0].splitlines()
    return next((one for one in map(json.loads, reversed(lines)) if one["event"] == kind), None)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_rows_and_tries_are_run_checked_and_told_once(tmp_path: Path, mark_i: Run) -> None:
    (tmp_path / "rows.csv").write_text("word\nbread\n$(touch hacked)\n")
    file, out = tmp_path / "goals.toml", tmp_path / "out"
    more = '[[task]]\nname = "wrong"\ngoal = "Press shift."\ncheck = "echo no such thing >&2; false"\n'
    none = '[[task]]\nname = "none"\ngoal = "Press shift."\nsetup = "false"\n'
    file.write_text(f'{SMALL}[[task]]\nname = "note"\n{CAT}{TYPED}{more}{none}')
    command = ("fleet", "run", str(file), "--out", str(out), "--workers", "2")

    done = mark_i(*command, "--json")

    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = {(one["task"], one["row"]): one for one in results(out)}
    assert done.returncode == 1, done.stderr
    assert {key: one["solved"] for key, one in found.items()} == {
        ("note", 1): True,
        ("note", 2): True,
        ("wrong", 0): False,
        ("none", 0): False,
    }, found
    assert "But its check failed: it ended with exit code 1 and said: no such thing." in found["wrong", 0]["said"]
    assert found["none", 0]["outcome"] == "not begun"
    assert not [*tmp_path.rglob("hacked")], "a value is no command"
    assert [one["event"] for one in told].count("ended") == 4
    assert (told[-1]["event"], told[-1]["solved"], told[-1]["of"], told[-1]["left"]) == ("fleet_ended", 2, 4, 0)

    file.write_text("[budget]\nmax_seconds = 3600\n" + file.read_text())
    again = mark_i(*command)
    assert again.returncode == 1, "another budget is the same fleet"
    assert "2 of 4" in again.stdout
    assert "wrong, try 1: Done, but not verified: Pressed shift. But its check failed" in again.stdout
    assert len(results(out)) == 4, "what has ended is not done again"
    assert "All 4 runs had ended before, so nothing was done." in again.stdout
    state = json.loads(mark_i("fleet", "status", str(out), "--json").stdout)
    assert state == {"running": False, "runs": 4, "ended": 4, "solved": 2, "unknown": 0}
    report = mark_i("fleet", "report", str(out), str(out))
    page = (out / "beside-out.html").read_text()
    assert report.returncode == 0, report.stderr
    assert "wrong 0 of 1 0 of 1 +0 -79 to +79" in [" ".join(line.split()) for line in report.stdout.splitlines()]
    assert "Beside" not in (out / "report.html").read_text(), "it is the report of one fleet"
    assert "2 of 4 runs reached their goal" in page
    assert "Beside out" in page
    assert page.count("<img") == 1, "the last screen of the one run that failed and had one"
    assert f"reports/{found['wrong', 0]['run']}.html" in page
    assert (out / "reports" / f"{found['wrong', 0]['run']}.html").is_file()


def test_the_runs_of_a_fleet_are_traced(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "goals.toml"
    file.write_text(f'{SMALL}[[task]]\nname = "shift"\ngoal = "Press shift."\n')
    with collecting() as (collector, address):
        mark_i("fleet", "run", str(file), env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": address})
    assert len(collector.named("invoke_agent MARK-I")) == 1
    assert told(*collector.named("execute_tool press"))["mark_i.step"] == 1


def test_a_result_by_a_schema_is_in_the_results_and_in_the_report(mark_i: Run, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"files": {"type": "array"}}, "required": ["files"]}
    (tmp_path / "s.json").write_text(json.dumps(schema))
    ends = {"summary": "bill.txt", "kind": "answer", "evidence": [{"observation": 1}]}
    wrong, mended = ({"result": {name: ["bill.txt"]}, **ends} for name in ("file", "files"))
    replies = (action("list_files", path="."), action("finish", **wrong), action("finish", **mended))
    brain = script(tmp_path / "replies.jsonl", *replies)
    file, out = tmp_path / "goals.toml", tmp_path / "out"
    task = f'[[task]]\nname = "files"\nsetup = "touch bill.txt"\ngoal = "Which files are here?"\nbrain = "{brain}"\n'
    keys = '[[task]]\nname = "keys"\ngoal = "Press shift."\n'
    file.write_text(f'{SMALL}{task}schema = "s.json"\n{keys}')

    done = mark_i("fleet", "run", str(file), "--out", str(out))

    found = {one["task"]: one for one in results(out)}
    assert found["files"]["solved"], done.stdout + done.stderr
    assert (found["files"]["result"], found["keys"]["result"]) == ({"files": ["bill.txt"]}, None)
    assert "&#34;files&#34;: [\n    &#34;bill.txt&#34;" in (out / "report.html").read_text()

    file.write_text(f'{SMALL}[[task]]\nname = "files"\ngoal = "Press shift."\nschema = "s.json"\n')
    refused = mark_i("fleet", "run", str(file), "--out", str(tmp_path / "none"))
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "The brain offline cannot write a result by a schema: that takes a model." in refused.stderr
    assert not (tmp_path / "none").exists()


def waiting(tmp_path: Path) -> Path:
    """The file of a fleet with one run, whose set-up ends when `go` is there."""
    file = tmp_path / "goals.toml"
    setup = (
        f"setup = \"until test -e '{tmp_path}/go'; do sleep 0.05; done; touch here; echo x >> '{tmp_path}/begun'\"\n"
    )
    file.write_text(f'{SMALL}[[task]]\nname = "note"\n{setup}goal = "Press shift."\ncheck = "test -e here"\n')
    return file


def test_a_run_whose_process_is_killed_before_it_acts_is_done_again(tmp_path: Path) -> None:
    with fleet(waiting(tmp_path)) as (process, told):
        first = until(lambda: event(told, "started"), "it did not begin")
        lease = tmp_path / "goals" / "tasks" / first["id"] / "lease.json"
        until(lease.exists, "the run did not begin")
        os.kill(first["pid"], signal.SIGKILL)
        until(lambda: event(told, "again"), "it was not begun again")
        (tmp_path / "go").touch()
        assert process.wait(CAP_S) == 0, told.read_text()

    [found] = results(tmp_path / "goals")
    assert found["solved"]
    assert (tmp_path / "begun").read_text() == "x\n"


def test_a_run_whose_process_is_killed_after_it_acted_is_told_and_not_done_again(tmp_path: Path) -> None:
    file, typed = tmp_path / "goals.toml", tmp_path / "goals" / "tasks" / "001-note-try1" / "files" / "typed.txt"
    goal = 'goal = \'Type "bread", press enter, then wait until "never" is shown.\'\n'
    file.write_text(f'{SMALL}[[task]]\nname = "note"\n{CAT}{goal}')
    with fleet(file) as (process, told):
        until(lambda: typed.exists() and "bread\n" in typed.read_text(), "it did not type")
        started = event(told, "started")
        assert started
        os.kill(started["pid"], signal.SIGKILL)
        assert process.wait(CAP_S) == 1, told.read_text()
    with fleet(file) as (again, told):
        assert again.wait(CAP_S) == 1

    [found] = results(tmp_path / "goals")
    assert (found["outcome"], found["solved"]) == ("unknown", False)
    assert "nobody knows what came of it" in found["said"]
    assert typed.read_text() == "bread\n"


def test_a_fleet_that_is_killed_is_taken_up_and_its_run_is_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = waiting(tmp_path)
    file.write_text(file.read_text() + "tries = 2\n")  # so that a process reads for its runs
    with TemporaryDirectory(ignore_cleanup_errors=True) as temporary:  # a short path, for sockets
        monkeypatch.setenv("TMPDIR", temporary)
        _kill_begun(file, tmp_path)
        until(lambda: not [*Path(temporary).rglob("0")], "the socket of the process that reads stays behind")
        (tmp_path / "go").touch()
        with fleet(file) as (process, told):
            assert process.wait(CAP_S) == 0, told.read_text()

    assert [one["solved"] for one in results(tmp_path / "goals")] == [True, True]
    assert (tmp_path / "begun").read_text() == "x\nx\n"


def _kill_begun(file: Path, tmp_path: Path) -> None:
    """Kill a fleet once its first run has begun, and wait until that has ended, too."""
    with fleet(file) as (process, told):
        first = until(lambda: event(told, "started"), "it did not begin")
        until((tmp_path / "goals" / "tasks" / first["id"] / "lease.json").exists, "the run did not begin")
        process.kill()
        process.wait()
        until(lambda: gone(first["pid"]), "the run lives on without its fleet")


def test_a_fleet_is_stopped_from_elsewhere_and_taken_up(tmp_path: Path, mark_i: Run) -> None:
    file = waiting(tmp_path)
    with fleet(file) as (process, told):
        first = until(lambda: event(told, "started"), "it did not begin")
        until((tmp_path / "goals" / "tasks" / first["id"] / "lease.json").exists, "the run did not begin")
        second = mark_i("fleet", "run", str(file))
        assert (second.returncode, "is running already" in second.stderr) == (2, True), second.stderr
        assert json.loads(mark_i("fleet", "status", str(tmp_path / "goals"), "--json").stdout)["running"]
        stopped = mark_i("fleet", "stop", str(tmp_path / "goals"))
        assert stopped.returncode == 0, stopped.stderr
        assert process.wait(CAP_S) == 130
        assert gone(first["pid"])
    assert results(tmp_path / "goals") == [], "nothing was done"
    assert mark_i("fleet", "stop", str(tmp_path / "goals")).returncode == 2
    (tmp_path / "go").touch()
    with fleet(file) as (process, told):
        assert process.wait(CAP_S) == 0, told.read_text()
    assert [one["solved"] for one in results(tmp_path / "goals")] == [True]


def begun(tmp_path: Path, text: str, budget: Limits = NO_LIMITS) -> tuple[Fleet, list[tuple[str, Mapping[str, Any]]]]:
    """A fleet of this process, and what it will tell."""
    forkserver._forkserver._stop()  # type: ignore[attr-defined]  # it has the home of the test that started it
    file = tmp_path / "goals.toml"
    file.write_text(SMALL + text)
    found: FleetFile = read_file(file)
    jobs: tuple[Job, ...] = jobs_of(found, file, DEFAULT_PROFILE)
    folder = FleetFolder(tmp_path / "out")
    folder.begin(file, jobs)
    told: list[tuple[str, Mapping[str, Any]]] = []
    return Fleet(folder, jobs, budget, OPTIONS, 2, Control(), lambda *words: told.append(words)), told


def test_a_run_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "OPENING_MAX_S", 3.0)
    hangs = 'setup = "sleep 1000"\ngoal = "Press shift."\nmax_seconds = 1\n'
    some, _ = begun(tmp_path, f'[[task]]\nname = "hangs"\n{hangs}')

    assert some.run() is None
    [found] = some.folder.results.values()
    assert (found.outcome, found.solved) == ("limit_time", False)
    assert "It took too long, and was ended" in found.said


def test_what_the_set_up_opened_is_clicked_at_once(tmp_path: Path) -> None:
    brain = script(tmp_path / "replies.jsonl", action("click", target={"x": 100, "y": 100}), finish())
    opened = "xterm -geometry 80x24+0+0 & until xdotool search --onlyvisible --class xterm; do sleep 0.05; done"
    some, _ = begun(tmp_path, f'[[task]]\nname = "a"\nbrain = "{brain}"\nsetup = "{opened}"\ngoal = "Click it."\n')

    assert some.run() is None
    [found] = some.folder.results.values()
    first = read_run(runs_folder() / str(found.run), images=False).steps[0]
    assert (first.action.tool, first.observation.error) == ("click", None)


def test_programs_are_asked_to_end_before_they_are_killed(tmp_path: Path) -> None:
    asked = "sh -c 'trap \"touch asked; exit\" TERM; touch here; while :; do sleep 0.05; done' &"
    setup = f"{asked} until test -e here; do sleep 0.05; done"
    some, _ = begun(tmp_path, f'[[task]]\nname = "a"\nsetup = """{setup}"""\ngoal = "Press shift."\n')

    assert some.run() is None
    assert (some.folder.task(some.jobs[0].id).files / "asked").exists()


def test_the_time_of_all_is_limited(tmp_path: Path) -> None:
    some, told = begun(
        tmp_path, '[[task]]\nname = "a"\nsetup = "sleep 1000"\ngoal = "Press shift."\n', Limits(max_seconds=0.5)
    )

    assert some.run() == "late"
    assert not some.folder.results
    assert {kind for kind, _ in told} <= {"started"}


def test_nothing_is_begun_once_the_budget_is_spent(tmp_path: Path) -> None:
    text = '[[task]]\nname = "a"\ngoal = "Press shift."\ntries = 2\n'
    some, told = begun(tmp_path, text, Limits(max_cost=1.0))
    cost = Result(some.jobs[0].id, "a", 0, 1, "g", "m", True, "done", "", usd=1.0)  # noqa: FBT003
    some.folder.add(cost)

    assert some.run() == "spent"
    assert (list(some.folder.results), told) == ([cost.id], [])


def test_without_memory_the_next_desktop_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "available_mb", lambda: 10)
    some, told = begun(tmp_path, '[[task]]\nname = "a"\ngoal = "Press shift."\ntries = 3\ncheck = "true"\n')

    assert some.run() is None
    assert [one.solved for one in some.folder.results.values()] == [True] * 3
    kinds = [kind for kind, _ in told if kind in {"started", "ended"}]
    assert kinds == ["started", "ended"] * 3, "one at a time"
    assert [about["text"] for kind, about in told if kind == "notice"]


def test_runs_in_turn_share_what_reads(tmp_path: Path) -> None:
    some, _ = begun(tmp_path, '[[task]]\nname = "a"\ngoal = "Press shift."\ntries = 2\ncheck = "true"\n')
    at_work: list[int] = []
    some.workers, some.tell = 1, lambda kind, _: at_work.append(len(active_children())) if kind == "started" else None

    assert some.run() is None
    assert [one.solved for one in some.folder.results.values()] == [True] * 2
    assert min(at_work) > 1, "the run, and what reads for it"


def test_what_cannot_be_used_is_told_before_anything_is_begun(tmp_path: Path, mark_i: Run) -> None:
    file = tmp_path / "goals.toml"
    for text, words in (
        ('brain = "nobody"', "nobody"),
        ('brain = "offline"\nbase_url = "http://127.0.0.1:9/v1"', "--base-url"),
    ):
        file.write_text(f'[[task]]\nname = "a"\ngoal = "Press shift."\n{text}\n')
        refused = mark_i("fleet", "run", str(file))
        assert refused.returncode == 2, refused.stderr
        assert words in refused.stderr
        assert refused.stderr.count("\n") == 1
        assert not (tmp_path / "goals").exists()
    assert mark_i("fleet", "status", str(tmp_path / "nothing")).returncode == 2
    nameless = tmp_path / "goals-of-mine"
    nameless.write_text('[[task]]\nname = "a"\ngoal = "Press shift."\n')
    refused = mark_i("fleet", "run", str(nameless))
    assert (refused.returncode, "Say with --out where the results go" in refused.stderr) == (2, True), refused.stderr


def test_a_run_whose_journal_cannot_be_read_is_told_and_not_done_again(tmp_path: Path) -> None:
    some, told = begun(tmp_path, '[[task]]\nname = "a"\ngoal = "Press shift."\ntries = 2\n')
    for job, name in zip(some.jobs, ("20260101-000000-000000", "20260101-000000-000001"), strict=True):
        task = some.folder.task(job.id)
        task.path.mkdir(parents=True)
        task.begin(name)
    journal = runs_folder() / "20260101-000000-000000"  # of the other, nothing can be seen
    journal.mkdir(parents=True)
    (journal / "run.json").write_text("My notes.")

    assert some.run() is None
    for found in some.folder.results.values():
        assert (found.outcome, found.solved) == ("unknown", False)
        assert "with a journal that cannot be read" in found.said
    assert [kind for kind, _ in told] == ["ended", "ended"]


def test_a_run_that_was_stopped_often_before_it_acted_is_done(tmp_path: Path) -> None:
    some, told = begun(tmp_path, '[[task]]\nname = "a"\ngoal = "Press shift."\ncheck = "true"\n')
    task = some.folder.task(some.jobs[0].id)
    task.path.mkdir(parents=True)
    for number in range(supervisor.TRIES_MAX):
        name = f"20260101-000000-00000{number}"
        Journal(runs_folder() / name, {"goal": "Press shift."}).close({"name": "stopped"})
        task.begin(name)

    assert some.run() is None
    assert [one.solved for one in some.folder.results.values()] == [True]
    assert [kind for kind, _ in told if kind != "step"] == ["started", "ended"]


def test_a_run_whose_lease_is_still_held_is_told_and_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mark_i.fleet.folder.LEASE_WAIT_S", 0.1)
    some, told = begun(tmp_path, '[[task]]\nname = "a"\ngoal = "Press shift."\n')
    held = some.folder.task(some.jobs[0].id)
    with held.leased():
        some._waiting.extend(some.jobs)
        some._start(some._waiting.popleft())
        [one] = some._running
        one.process.kill()
        while some._running:
            some._hear()

    [found] = some.folder.results.values()
    assert (found.outcome, found.solved) == ("unknown", False)
    assert "Its machine cannot be reached" in found.said
    assert [kind for kind, _ in told] == ["started", "ended"]
