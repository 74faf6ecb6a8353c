"""What goes wrong around a run: a full or read-only disk, a lost display, a killed application, a clock, a locale.

Each ends in a clear error or in an observation; the journal is whole, and the run can be resumed. Kills of the
program itself are in test_kills.py, replies and services that fail in test_reply_fuzz.py and test_brains.py.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from mark_i import AgentCore, Budget, FakeDesktop, Limits, ScriptedBrain, VirtualDesktop, standard_toolbelt
from mark_i.config.paths import runs_folder
from tests.support import Run, action, events, processes_with, script
from toolbelt.perception.eyes import Eyes
from world_model import Journal, read_run
from world_model.journal import LINE_FILES

CHECKOUT: Final = Path(__file__).parents[3]
CAP_S: Final = 120.0  # seconds for an application to do something on a busy machine
SCREEN: Final = ("--virtual", "320x240")
DEMO_SCREEN: Final = ("--virtual", "1280x800")
Mount = Callable[..., None]


def last_run() -> Path:
    return max(runs_folder().iterdir())


def assert_whole(folder: Path, told: list[dict[str, Any]]) -> None:
    """Every step that was told is in the journal, and no line is torn."""
    steps = [event for event in told if event["event"] == "step"]
    assert [one.to_dict() for one in read_run(folder).steps[: len(steps)]] == [
        {key: value for key, value in event.items() if key not in ("event", "t")} for event in steps
    ]
    assert all((folder / f"{name}.jsonl").read_bytes()[-1:] in (b"", b"\n") for name in LINE_FILES)
    assert list(folder.rglob("*.part")) == []


# Disks ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def mount(processes: None) -> Iterator[Mount]:
    """Mounts what is given back at the end; without the right to do so the test is skipped."""
    with ExitStack() as mounted:

        def mount(folder: Path, *options: str) -> None:
            done = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"Nothing can be mounted here: {done.stderr.strip()}")
            if "remount" not in " ".join(options):
                mounted.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=True)

        yield mount


def test_a_full_disk_is_one_line_and_the_run_is_resumable(
    mark_i: Run, mount: Mount, home: Path, tmp_path: Path
) -> None:
    mount(home, "-t", "tmpfs", "-o", "size=150k", "tmpfs")
    presses = [action("press", keys=f"f{number % 9 + 1}") for number in range(16)]
    brain = script(tmp_path / "b.jsonl", *presses, action("fail", reason="Enough."))

    full = mark_i("run", "press", "--brain", brain, *SCREEN, "--json")

    assert full.returncode == 1
    why = "No space left on device; delete what is not needed"
    assert full.stderr == f"mark-i: The run's folder {last_run()} cannot be written: {why}.\n"
    told = events(full.stdout)
    assert (told[-1]["event"], told[-1]["outcome"]) == ("ended", "failed")
    assert "No space left on device" in told[-1]["summary"]
    done = len(read_run(last_run()).steps)
    assert 0 < done < len(presses)
    assert_whole(last_run(), told)

    mount(home, "-o", "remount,size=20m")
    resumed = mark_i("run", "--resume", "last", "--json")

    assert events(resumed.stdout)[-1]["summary"] == "Enough."
    keys = [step.action.args.get("keys") for step in read_run(last_run()).steps]
    assert keys == [*(press["action"]["args"]["keys"] for press in presses), None]  # type: ignore[index]


def test_a_read_only_disk_is_one_line_and_stays_readable(mark_i: Run, mount: Mount, home: Path, tmp_path: Path) -> None:
    brain = script(tmp_path / "b.jsonl", action("list_files"), {"answer": "Two."}, {"answer": "Two."})
    assert mark_i("ask", "how many?", "--brain", brain, "--max-steps", "1").returncode == 3
    mount(home, "--bind", str(home))
    mount(home, "-o", "remount,ro,bind")
    before = sorted(home.rglob("*"))

    for arguments in (
        ("ask", "how many?", "--brain", brain),
        ("run", "--resume", "last"),
        ("config", "set", "style", "strict"),
    ):
        refused = mark_i(*arguments)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1), arguments
        assert "Read-only file system" in refused.stderr

    assert "limit_steps" in mark_i("runs", "list").stdout
    assert "Action 1: list_files" in mark_i("runs", "show", "last").stdout
    assert sorted(home.rglob("*")) == before


# Displays and applications -------------------------------------------------------------------------------------------


def end_display(home: Path) -> None:
    """Kill the X server of the run that goes on in that home."""
    ours = processes_with(f"MARK_I_HOME={home}")
    [server] = [one for one in ours if Path(f"/proc/{one}/exe").resolve().name == "Xvfb"]
    os.kill(server, signal.SIGKILL)


@pytest.mark.parametrize("moment", ["thinking", "action"])
def test_a_run_that_lost_its_display_resumes_on_another(mark_i: Run, home: Path, tmp_path: Path, moment: str) -> None:
    typed = [action("type_text", text=f"{number} and some more words") for number in range(6)]
    brain = script(tmp_path / "b.jsonl", *typed, action("fail", reason="Enough."))
    command = [sys.executable, "-m", "mark_i", "run", "type", "--brain", brain, *SCREEN, "--json", "--yes"]
    told = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.append(json.loads(line))
            if (told[-1]["event"], told[-1].get("index")) == (moment, 3):
                end_display(home)
        assert process.stderr is not None
        complaints = process.stderr.read()

    assert (process.returncode, complaints) == (5, "")
    assert (told[-1]["event"], told[-1]["outcome"]) == ("ended", "desktop_error")
    assert "went away" in told[-1]["summary"]
    assert_whole(last_run(), told)

    resumed = events(mark_i("run", "--resume", "last", "--json").stdout)

    assert resumed[-1]["summary"] == "Enough."
    texts = [step.action.args["text"] for step in read_run(last_run()).steps if step.action.tool == "type_text"]
    assert texts == [one["action"]["args"]["text"] for one in typed]  # type: ignore[index]


def end_accessibility(home: Path) -> list[int]:
    """Kill the accessibility service of the run that goes on in that home; return what was killed."""
    ours = processes_with(f"MARK_I_HOME={home}\0")
    commands = {one: Path(f"/proc/{one}/cmdline").read_text() for one in ours}
    services = [one for one, command in commands.items() if "at-spi" in command or "accessibility.conf" in command]
    for one in services:
        os.kill(one, signal.SIGKILL)
    return services


def test_the_demo_is_done_though_the_accessibility_service_is_killed(mark_i: Run, home: Path) -> None:
    command = [sys.executable, "-m", "mark_i", "demo", *DEMO_SCREEN, "--json"]
    killed, told = list[int](), list[dict[str, Any]]()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.append(json.loads(line))
            if told[-1]["event"] == "step" and not killed:
                killed = end_accessibility(home)

    assert len(killed) > 1
    assert (told[-1]["outcome"], process.returncode) == ("done", 0), told[-1]


MORTAL: Final = """
import os, signal, tkinter
window = tkinter.Tk(className="mortal")
window.geometry("300x200+200+150")
button = tkinter.Label(window, text="Save", font=("DejaVu Sans", 24))
button.pack(expand=True)
button.bind("<ButtonPress>", lambda _event: os.kill(os.getpid(), signal.SIGKILL))
window.mainloop()
"""


def test_an_application_killed_during_a_click_ends_no_run(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes = Eyes(desktop, desktop.control)
    mortal = desktop.launch([sys.executable, "-c", MORTAL])
    assert "Save" in {line.text for line in eyes.until(lambda lines: "Save" in {one.text for one in lines}, CAP_S)}
    replies = [
        action("click", target="Save"),
        action("click", target="Save"),
        action("open_app", name="xterm"),
        action("fail", reason="Enough."),
    ]
    journal = Journal(tmp_path / "run", {"goal": "save"})
    agent = AgentCore(ScriptedBrain(replies), standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal)

    outcome = agent.execute_command("save")

    killed, again, opened, _ = (step.observation for step in agent.world_model)
    assert mortal.failure()
    assert killed.screen
    assert killed.screen.changed
    assert "Save" in killed.screen.vanished
    assert again.error
    assert again.error.code == "TARGET_NOT_FOUND"
    assert opened.ok
    assert outcome.summary == "Enough."
    assert not desktop._display.pointer().mask & 0x1F00
    assert len(read_run(tmp_path / "run").steps) == 4


# Clocks and locales --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0, 1e9], ids=["a day on", "a day back", "thirty years on"])
@pytest.mark.parametrize(("seconds", "ending"), [(2 * CAP_S, "failed"), (1.0, "limit_time")])
def test_a_clock_that_jumps_moves_no_limit_and_spoils_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float, seconds: float, ending: str
) -> None:
    told = iter(range(1_000_000))
    monkeypatch.setattr("time.time", lambda: 1.8e9 + jump * next(told))
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (64, 64)))
    eyes = Eyes(desktop, desktop.control)
    presses = [action("press", keys=key) for key in ("f5", "f6", "f7")]
    brain = ScriptedBrain([*presses, action("wait_for", text="x", timeout=2), action("fail", reason="Enough.")])
    journal = Journal(tmp_path / "run", {"goal": "wait"})
    belt, budget = standard_toolbelt(eyes), Budget(seconds=seconds)
    agent = AgentCore(brain, belt, desktop, limits=Limits(budget), eyes=eyes, journal=journal)

    happened = list(agent.run("wait"))

    assert next(told) > 1  # a clock was looked at
    assert [event.outcome.name for event in happened if event.outcome] == [ending]
    times = [event.t for event in happened]
    assert times == sorted(times)
    run = read_run(tmp_path / "run")
    figures = [*times, run.about["seconds"], *(step.timing.seconds for step in run.steps)]
    assert all(0 <= figure < CAP_S for figure in figures)


ASCII: Final = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("locale", "exact"),
    [({"LC_ALL": "C"}, True), ({"LC_ALL": "xx_YY.UTF-8"}, True), (ASCII, False)],
    ids=["none", "one that is not there", "one with ASCII alone"],
)
def test_in_the_wrong_locale_nothing_is_lost_and_nothing_crashes(
    mark_i: Run, tmp_path: Path, locale: dict[str, str], *, exact: bool
) -> None:
    answer = {"thought": "Groß.", "answer": "Größe 漢字 €"}
    brain = script(tmp_path / "b.jsonl", action("write_file", path="ü.txt", text="Größe 漢字 €"), answer, answer)
    environment = os.environ | locale | {"PYTHONPATH": str(CHECKOUT)}

    done = mark_i("ask", "wie groß?", "--brain", brain, "--yes", cwd=tmp_path, env=environment, encoding="utf-8")

    assert (done.returncode, done.stderr) == (6, "")
    run = read_run(last_run())
    assert run.about["outcome"]["summary"] == "Größe 漢字 €"
    written = run.steps[0].observation
    if exact:
        assert "Größe 漢字 €" in done.stdout
        assert run.about["goal"] == "wie groß?"
        assert (tmp_path / "ü.txt").read_text(encoding="utf-8") == "Größe 漢字 €"
    else:
        assert "Gr??e ?? ?" in done.stdout
        assert written.error
        assert "is not a valid path" in written.error.message
    assert mark_i("runs", "show", "last", env=environment, encoding="utf-8").returncode == 0
