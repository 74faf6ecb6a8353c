"""Fleets on Ray: the same runs and results, and what is left of them when a machine is gone."""

import importlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i.extras import EXTRAS
from mark_i.fleet.file import jobs_of, read_file
from mark_i.fleet.folder import RESULTS, FleetFolder
from mark_i.fleet.worker import BEGUN, ENDED
from tests.collector import collecting
from tests.support import CAP_S, Run
from world_model import UsageError

pytestmark = [
    pytest.mark.usefixtures("display"),
    pytest.mark.skipif(not EXTRAS["fleet"].installed, reason="Ray is not installed: pip install 'mark-i[fleet]'"),
]
SMALL = '[defaults]\nbrain = "offline"\nsize = "640x400"\n'
MB = 1024 * 1024


def results(folder: Path) -> dict[str, dict[str, Any]]:
    """The results by the names of their tasks, none of which is there twice."""
    lines = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]
    assert len({one["id"] for one in lines}) == len(lines)
    return {one["task"]: one for one in lines}


def until(found: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + CAP_S
    while not (value := found()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return value


@contextmanager
def machine(*options: str) -> Iterator[int]:
    """A machine of Ray, as the process id of what is in charge of it: its raylet."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *options]
    memory = ["--memory", str(1500 * MB), "--object-store-memory", str(80 * MB)]
    with tempfile.NamedTemporaryFile() as log:
        process = subprocess.Popen([*command, *memory], stdout=log, stderr=log, start_new_session=True)
        text = Path(log.name).read_text
        try:
            until(lambda: "Ray runtime started" in text() or process.poll() is not None, "no machine")
            assert process.poll() is None, text()
            [raylet] = [
                pid for pid in children(process.pid) if b"/raylet\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
            ]
            yield raylet
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            with suppress(ProcessLookupError):  # what is left of a machine that was killed
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def group(number: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, belongs = file.read_text().rpartition(")")[2].split()[:3]
            found += [int(file.parent.name)] if int(belongs) == number and state != "Z" else []
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machines of a Ray know one another by."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))


def test_a_fleet_on_ray_ends_as_one_on_this_machine(tmp_path: Path, mark_i: Run) -> None:
    file = tmp_path / "goals.toml"
    note = "setup = \"xterm -e 'cat > typed.txt' &\"\ngoal = 'Type \"bread\" and press enter.'\n"
    more = '[[task]]\nname = "wrong"\ngoal = "Press shift."\ncheck = "false"\n'
    none = '[[task]]\nname = "none"\ngoal = "Press shift."\nsetup = "false"\n'
    file.write_text(f'{SMALL}[[task]]\nname = "note"\n{note}check = "grep -qx bread typed.txt"\n{more}{none}')

    here = mark_i("fleet", "run", str(file), "--out", str(tmp_path / "here"), "--workers", "1")
    again = ("fleet", "run", str(file), "--out", str(tmp_path / "there"), "--workers", "1", "--ray", "local", "--json")
    with collecting() as (collector, address):
        there = mark_i(*again, env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": address})

    told = [json.loads(line) for line in there.stdout.splitlines()]
    assert (here.returncode, there.returncode) == (1, 1), there.stderr
    kept = ("solved", "outcome", "said", "steps", "goal", "brain")
    first, second = (
        {name: [one[key] for key in kept] for name, one in results(tmp_path / folder).items()}
        for folder in ("here", "there")
    )
    assert first == second
    assert [name for name, one in results(tmp_path / "there").items() if one["solved"]] == ["note"]
    assert {one["event"] for one in told} == {"started", "step", "ended", "fleet_ended"}
    assert {one["machine"] for one in told if one["event"] == "started"} == {os.uname().nodename}
    assert there.stderr == ""
    assert len(collector.named("execute_tool type_text")) == 1, "its runs are traced like others"
    assert not [*tmp_path.rglob(".seen*")]


def test_what_a_machine_did_that_is_gone_is_told_and_the_rest_is_done_elsewhere(tmp_path: Path, secret: None) -> None:
    file, out = tmp_path / "goals.toml", tmp_path / "goals"
    until_there = "until test -e {}; do sleep 0.05; done"
    acts = f"""setup = "xterm -e 'cat > {tmp_path}/typed' &"\ngoal = 'Type "bread" and press enter.'\n"""
    acts += f'check = "{until_there.format(tmp_path / "never")}"\n'
    waits = f'setup = "echo x >> {tmp_path}/begun; {until_there.format(tmp_path / "go")}; touch here"\n'
    waits += 'goal = "Press shift."\ncheck = "test -e here"\n'
    file.write_text(f'{SMALL}[[task]]\nname = "acts"\n{acts}[[task]]\nname = "waits"\n{waits}')
    address = f"127.0.0.1:{free_port()}"
    head = ("--head", "--port", address.rpartition(":")[2], "--num-cpus", "0", "--include-dashboard=false")
    command = [sys.executable, "-m", "mark_i", "fleet", "run", str(file), "--json", "--ray", address]
    with (
        tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as short,
        ExitStack() as all_of,
    ):
        all_of.enter_context(machine(*head, "--disable-usage-stats", "--temp-dir", short))
        first = all_of.enter_context(machine("--address", address, "--num-cpus", "1"))
        told = tmp_path / "told"
        fleet = all_of.enter_context(subprocess.Popen(command, stdout=all_of.enter_context(told.open("w"))))
        all_of.callback(fleet.kill)
        until((tmp_path / "begun").exists, "the second run did not begin")
        typed = tmp_path / "typed"
        until(lambda: typed.exists() and typed.read_text() == "bread\n", "the first run did not type")
        os.kill(first, signal.SIGKILL)
        until(lambda: '"again"' in told.read_text(), "it was not noticed")
        (tmp_path / "go").touch()
        all_of.enter_context(machine("--address", address, "--num-cpus", "1"))
        assert fleet.wait(CAP_S) == 1

    found, events = results(out), [json.loads(line) for line in told.read_text().splitlines()]
    assert (found["acts"]["outcome"], found["acts"]["solved"]) == ("unknown", False)
    assert found["waits"]["solved"]
    assert typed.read_text() == "bread\n"
    assert [one["id"] for one in events if one["event"] == "again"] == [found["waits"]["id"]]


def test_a_job_that_waits_for_the_room_of_others_is_begun_once_they_have_ended(tmp_path: Path, home: Path) -> None:
    on_ray: Any = importlib.import_module("mark_i.fleet.on_ray")
    file = tmp_path / "goals.toml"
    file.write_text(f'{SMALL}tries = 3\n[[task]]\nname = "a"\ngoal = "Press shift."\n')
    jobs = jobs_of(read_file(file), file, "default")
    folder = FleetFolder(tmp_path / "out")
    folder.begin(file, jobs)
    options = {"profile": "default", "policy": None, "yes": False, "base_url": None, "max_steps": None}

    with on_ray.connected("local", 2) as engine, engine.opened(3):
        # A machine that was counted is gone meanwhile: there is room for two of them only.
        running = [engine.start(job, folder.task(job.id), options) for job in jobs]
        end, said = time.monotonic() + CAP_S, list[str]()
        while running:
            assert time.monotonic() < end, said
            engine.wait(running, 0.5)
            for one in [*running]:
                is_alive = one.is_alive()
                for kind, _ in one.said():
                    said.append(kind)
                    end = time.monotonic() + CAP_S
                if not is_alive:
                    one.close()
                    running.remove(one)

    assert [said.count(kind) for kind in (BEGUN, ENDED)] == [3, 3]


def test_ctrl_c_ends_the_runs_and_the_ray_that_was_started_for_them(tmp_path: Path) -> None:
    file = tmp_path / "goals.toml"
    file.write_text(f'{SMALL}[[task]]\nname = "a"\nsetup = "touch {tmp_path}/begun; sleep 50"\ngoal = "Press shift."\n')
    command = [sys.executable, "-m", "mark_i", "fleet", "run", str(file), "--ray", "local", "--workers", "1"]
    fleet = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        until((tmp_path / "begun").exists, "the run did not begin")
        os.killpg(fleet.pid, signal.SIGINT)  # as a terminal does
        assert fleet.wait(CAP_S) == 130
        until(lambda: not group(fleet.pid), "something of Ray is left")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(fleet.pid, signal.SIGKILL)
        fleet.wait()
    assert not (tmp_path / "goals" / RESULTS).exists()


def test_a_machine_that_lacks_what_the_fleet_needs_is_named(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_ray: Any = importlib.import_module("mark_i.fleet.on_ray")
    monkeypatch.chdir(tmp_path)
    fleet, profile, cwd = tmp_path / "fleet", home / "profiles" / "default", tmp_path / "elsewhere"
    fleet.mkdir()
    wanted = on_ray._surroundings(fleet, "default")
    monkeypatch.setenv("MARK_I_HOME", str(cwd))
    wanted.take()
    assert (os.environ["MARK_I_HOME"], Path.cwd()) == (str(home), tmp_path)
    replace(wanted, cwd=cwd).take()  # a machine need not have where the fleet was started

    [file] = profile.glob(".seen*")
    for hidden in (fleet / ".seen", file):
        hidden.write_text("of another folder")
        with pytest.raises(UsageError, match=f"{os.uname().nodename} does not see the folder {hidden.parent}"):
            wanted.take()
        hidden.write_text(wanted.token)
    with pytest.raises(UsageError, match=r"has MARK-I .*; install 0\.0\.1 there"):
        replace(wanted, version="0.0.1").take()


def test_an_address_without_a_ray_is_refused_at_once(tmp_path: Path, mark_i: Run) -> None:
    file = tmp_path / "goals.toml"
    file.write_text(f'{SMALL}[[task]]\nname = "a"\ngoal = "Press shift."\n')
    with socket.create_server(("127.0.0.1", 0)) as server:
        other = f"127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            connection = server.accept()[0]
            with connection:
                connection.sendall(b"SSH-2.0-of something else\r\n")

        threading.Thread(target=answer, daemon=True).start()
        for address, words in (
            (f"127.0.0.1:{free_port()}", "Connection refused"),
            (other, "something else"),
            ("everywhere", "Say local"),
        ):
            refused = mark_i("fleet", "run", str(file), "--ray", address)
            assert refused.returncode == 2, refused.stderr
            assert words in refused.stderr
            assert refused.stderr.count("\n") == 1
            assert not (tmp_path / "goals").exists()
