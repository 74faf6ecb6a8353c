"""Programs as a tool: a program and a list of arguments, with limits, and nothing of it is left."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import alive, gone, in_background
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import tools_of
from toolbelt.tools.commands import Programs
from toolbelt.tools.sandbox.limited_process import MAX_CHARS, MAX_S
from world_model import Action, Halt, ToolFailure

pytestmark = pytest.mark.usefixtures("processes")

CHECKOUT = Path(__file__).parents[3]
CAP_S = 120.0  # seconds; generous, since the machine may be busy


@pytest.fixture
def commands(control: Control, tmp_path: Path) -> Programs:
    return Programs(control, tmp_path, seconds=CAP_S)


def failure(commands: Programs, program: str, *args: str) -> ToolFailure:
    with pytest.raises(ToolFailure) as raised:
        commands.run_command(program, list(args))
    return raised.value


def script(folder: Path, text: str, mode: int = 0o755) -> str:
    (folder / "script").write_text(text)
    (folder / "script").chmod(mode)
    return "./script"


# What comes back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "args", "said"),
    [
        ("true", None, "Exit code 0."),
        ("echo", ["hello"], "Exit code 0.\nhello"),
        ("/bin/echo", ["hello"], "Exit code 0.\nhello"),
        ("printf", ["two\\nlines"], "Exit code 0.\ntwo\nlines"),
        ("sh", ["-c", "echo out; echo err >&2; echo out"], "Exit code 0.\nout\nerr\nout"),
        ("printf", ["\\377"], "Exit code 0.\n\ufffd"),
    ],
)
def test_the_exit_code_and_all_that_is_said_come_back(
    program: str, args: list[str] | None, said: str, commands: Programs
) -> None:
    assert commands.run_command(program, args) == said


@pytest.mark.parametrize(
    "argument", ["a b", "$HOME", "*", "; echo no", "`id`", "$(id)", "> file", "'", '"', "", "Größe €\n"]
)
def test_no_shell_reads_the_arguments(argument: str, commands: Programs, tmp_path: Path) -> None:
    assert commands.run_command("printf", ["<%s>", argument]) == f"Exit code 0.\n<{argument}>"
    assert list(tmp_path.iterdir()) == []


def test_it_runs_in_its_folder_and_a_path_starts_there(commands: Programs, tmp_path: Path) -> None:
    program = script(tmp_path, "#!/bin/sh\npwd")

    assert commands.run_command("pwd") == f"Exit code 0.\n{tmp_path}"
    assert commands.run_command(program) == f"Exit code 0.\n{tmp_path}"


def test_a_program_finds_nothing_to_read(commands: Programs) -> None:
    assert commands.run_command("cat") == "Exit code 0."


def test_its_environment_is_small(commands: Programs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("GEMINI_API_KEY", "secret")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "de_DE.UTF-8")

    _, *lines = commands.run_command("env").splitlines()

    told = dict(line.split("=", 1) for line in lines)
    assert sorted(told) == ["HOME", "LANG", "PATH", "TMPDIR"]
    assert (told["HOME"], told["LANG"], told["PATH"]) == (str(tmp_path / "home"), "de_DE.UTF-8", os.environ["PATH"])


def test_signals_do_to_a_program_what_they_do_to_any(commands: Programs) -> None:
    """Python ignores SIGPIPE, and a program that inherits that never ends."""
    assert commands.run_command("sh", ["-c", "yes | head -n 1"]) == "Exit code 0.\ny"


def test_megabytes_are_heard_and_cut(commands: Programs) -> None:
    said = commands.run_command("sh", ["-c", "echo begin; head -c 20000000 /dev/zero | tr '\\0' x; echo end"])

    assert said.startswith("Exit code 0.\nbegin\nx")
    assert said.endswith("xend")
    assert "characters are left out here]" in said
    assert len(said) < MAX_CHARS + 100


# Failures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("exit 3", "sh ended with exit code 3: it printed nothing"),
        ("echo only; exit 1", "sh ended with exit code 1: only"),
        ("echo first; echo last >&2; exit 1", "sh ended with exit code 1: last\nfirst\nlast"),
        ("kill -SEGV $$", "sh ended with a signal (Segmentation fault): it printed nothing"),
        ("kill -KILL $$", "sh ended with a signal (Killed): it printed nothing"),
        ("kill -TERM $$", "sh ended with a signal (Terminated): it printed nothing"),
    ],
)
def test_a_bad_end_is_an_error_with_the_last_words(line: str, message: str, commands: Programs) -> None:
    told = failure(commands, "sh", "-c", line)

    assert (told.code, told.message) == ("TOOL_ERROR", message)


def test_of_many_last_words_the_last_are_told(commands: Programs) -> None:
    told = failure(commands, "sh", "-c", "seq 100000; exit 1")

    assert told.message.splitlines()[:2] == ["sh ended with exit code 1: 100000", "99981"]
    assert told.message.endswith("\n100000")


@pytest.mark.parametrize(
    ("program", "call"),
    [
        ("ls -l", 'run_command(program="ls", args=["-l"])'),
        ("ls | wc -l", 'run_command(program="ls", args=[])'),
        ("echo 'a b' > file", 'run_command(program="echo", args=["a b"])'),
        ("rm -rf *; echo done", 'run_command(program="rm", args=["-rf", "*"])'),
        ("echo 'half", 'run_command(program="echo", args=["\'half"])'),
        ("$SHELL", 'run_command(program="$SHELL", args=[])'),
        (" ", "run_command."),
    ],
)
def test_a_line_for_a_shell_is_refused_with_how_to_say_it(
    program: str, call: str, commands: Programs, tmp_path: Path
) -> None:
    told = failure(commands, program)

    assert told.code == "INVALID_ARGS"
    assert told.message == f"`{program}` is not the name of one program."
    assert "no shell" in told.hints[0]
    assert call in told.hints[0]
    assert list(tmp_path.iterdir()) == []


def test_a_program_with_a_space_in_its_name_is_a_program(commands: Programs, tmp_path: Path) -> None:
    (tmp_path / "my program").write_text("#!/bin/sh\necho hello")
    (tmp_path / "my program").chmod(0o755)

    assert commands.run_command("./my program") == "Exit code 0.\nhello"


def test_a_program_that_is_not_there_is_told_with_near_names(
    commands: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "convert-images").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/nowhere:{os.environ['PATH']}")

    told = failure(commands, "convertimages")

    assert (told.code, told.message) == ("FILE_NOT_FOUND", "There is no program convertimages.")
    assert "convert-images" in told.hints[0]
    assert failure(commands, "/nowhere/convertimages").hints == told.hints
    assert failure(commands, "qqqqqqqqqqqq").hints == ()


def test_what_is_no_program_is_refused(commands: Programs, tmp_path: Path) -> None:
    program = script(tmp_path, "#!/bin/sh\necho hello", 0o644)

    for one in (program, "/", str(tmp_path)):
        assert failure(commands, one).code == "PERMISSION_DENIED"


@pytest.mark.parametrize(("text", "reason"), [("echo hello", "Exec format error"), ("#!/no/such\n", "No such file")])
def test_a_program_that_cannot_be_started_is_told(text: str, reason: str, commands: Programs, tmp_path: Path) -> None:
    told = failure(commands, script(tmp_path, text))

    assert told.code == "TOOL_ERROR"
    assert f"{tmp_path}/script cannot be started: " in told.message
    assert reason in told.message


@pytest.mark.parametrize("argument", ["a\0b", "\ud800", "x" * 3_000_000], ids=["NUL", "surrogate", "too long"])
def test_arguments_that_no_program_can_get_are_refused(argument: str, commands: Programs) -> None:
    told = failure(commands, "echo", argument)

    assert told.code == "INVALID_ARGS"
    assert told.message.startswith("echo cannot be given these arguments: ")


# Limits ------------------------------------------------------------------------------------------------------------

BUSY = """
sleep 600 & echo $! >> pids
setsid sleep 600 & echo $! >> pids
env -i setsid sh -c 'sleep 600 & sleep 600' & echo $! >> pids
echo $$ >> pids
mv pids started
"""


def started(folder: Path) -> list[int]:
    """The processes that BUSY has told of, once it has."""
    assert Control().until((folder / "started").exists, CAP_S)
    pids = [int(pid) for pid in (folder / "started").read_text().split()]
    assert len(pids) == 4
    return pids


@pytest.mark.parametrize("busy", ["wait", "trap '' TERM INT HUP; wait", "yes"])
def test_what_takes_too_long_is_ended_with_all_that_it_started(busy: str, control: Control, tmp_path: Path) -> None:
    commands = Programs(control, tmp_path, seconds=3)

    told = failure(commands, "sh", "-c", f"{BUSY}\necho so far\n{busy}")

    assert told.code == "TIMEOUT"
    assert told.message.startswith("sh still ran after 3 s and was ended: ")
    assert ("y\ny" if busy == "yes" else "so far") in told.message
    assert gone(*started(tmp_path))


def test_what_a_program_leaves_running_is_ended_with_it(commands: Programs, tmp_path: Path) -> None:
    assert commands.run_command("sh", ["-c", f"{BUSY}\necho done"]) == "Exit code 0.\ndone"
    assert gone(*started(tmp_path))


def test_a_stop_is_felt_at_once_and_ends_it_all(commands: Programs, control: Control, tmp_path: Path) -> None:
    action = Action("run_command", {"program": "sh", "args": ["-c", f"{BUSY}\nwait"]})
    thread, ends = in_background(lambda: Toolbelt(commands).call(action, control))
    pids = started(tmp_path)
    assert all(alive(pid) for pid in pids)

    control.stop()
    thread.join(CAP_S)

    assert [type(end) for end in ends] == [Halt]
    assert gone(*pids)


AGENT = f"""
import pathlib, sys
from toolbelt.control import Control
from toolbelt.tools.commands import Programs
Programs(Control(), pathlib.Path(sys.argv[1])).run_command("sh", ["-c", {BUSY + "wait"!r}])
"""


@pytest.mark.usefixtures("processes")
def test_an_agent_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", AGENT, str(tmp_path)], cwd=CHECKOUT) as agent:
        pids = started(tmp_path)
        agent.kill()

    assert gone(*pids)


@pytest.mark.parametrize("seconds", [0, MAX_S + 1])
def test_a_time_that_no_call_can_have_is_refused(seconds: float, control: Control, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at most 600 seconds"):
        Programs(control, tmp_path, seconds=seconds)


@pytest.mark.parametrize("args", [{}, {"program": ""}, {"program": "ls", "args": "-l"}, {"program": "ls", "args": [1]}])
def test_wrong_arguments_are_refused_before_anything_runs(args: dict[str, Any], commands: Programs) -> None:
    observation = Toolbelt(commands).call(Action("run_command", args), Control()).observation

    assert observation.error
    assert observation.error.code == "INVALID_ARGS"


def test_the_tool_is_this(commands: Programs) -> None:
    (tool,) = tools_of(commands)

    assert (tool.name, tool.risk) == ("run_command", "danger")
    assert tool.signature == "run_command(program: string, args: [string] | null = null)"
    assert tool.seconds > MAX_S
