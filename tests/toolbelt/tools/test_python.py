"""Python code as a tool: in a process of its own that keeps what it defines, and that can be ended at any time."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import alive, gone, in_background
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import tools_of
from toolbelt.tools.python import LOST, NEW, Python
from toolbelt.tools.sandbox.limited_process import MAX_CHARS, MAX_S, Child
from world_model import Action, Halt, Observation, ToolFailure

pytestmark = pytest.mark.usefixtures("processes")

CHECKOUT = Path(__file__).parents[3]
CAP_S = 120.0  # seconds; generous, since the machine may be busy
SHORT = 12.0  # seconds; enough for a Python to start
NOTHING = "It ran and printed nothing."

Make = Callable[..., Python]


@pytest.fixture
def make(control: Control, tmp_path: Path) -> Iterator[Make]:
    """Pythons that are closed at the end."""
    made: list[Python] = []

    def one(**limits: Any) -> Python:
        made.append(Python(control, tmp_path, **{"seconds": CAP_S, **limits}))
        return made[-1]

    yield one
    for python in made:
        python.close()


@pytest.fixture
def python(make: Make) -> Python:
    return make()


def failure(python: Python, code: str) -> ToolFailure:
    with pytest.raises(ToolFailure) as raised:
        python.python_repl(code)
    return raised.value


# What comes back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("6 * 7", "42"),
        ("print('hello')", "hello"),
        ("print('hello')\n'there'", "hello\n'there'"),
        ("1\n2\n3", "3"),
        ("x = 5", NOTHING),
        ("None", NOTHING),
        ("", NOTHING),
        ("# only a comment", NOTHING),
        ("import sys; print('oops', file=sys.stderr); print('out')", "oops\nout"),
        ("print('no newline', end='')", "no newline"),
        ("print('Größe 5 €, 你好 👋')", "Größe 5 €, 你好 👋"),
        ("lone = '\\ud800'; print(lone)", "\\ud800"),
        ("import os; n = os.write(1, b'raw \\xff\\n')", "raw \ufffd"),
        ("import subprocess; p = subprocess.run(['echo', 'a child'])", "a child"),
        ("def f():\n    return 'from f'\n\nf()", "'from f'"),
        ("if True:\n    'not the last statement'", NOTHING),
        ("__name__", "'__main__'"),
    ],
)
def test_prints_and_the_value_of_the_last_expression_come_back(code: str, said: str, python: Python) -> None:
    assert python.python_repl(code) == said


def test_what_is_defined_stays(python: Python) -> None:
    python.python_repl("import math\nnumbers = [1, 2]\ndef double(x): return 2 * x")
    python.python_repl("numbers.append(double(math.floor(3.5)))")

    assert python.python_repl("numbers") == "[1, 2, 6]"
    assert python.python_repl("_[-1]") == "6"


def test_what_is_defined_can_be_pickled_and_has_a_home(python: Python) -> None:
    python.python_repl("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: 'int'")

    assert python.python_repl("import pickle\npickle.loads(pickle.dumps(A(3)))") == "A(x=3)"


def test_two_pythons_share_nothing(make: Make) -> None:
    one, other = make(), make()
    one.python_repl("x = 1")

    assert "NameError" in failure(other, "x").message


def test_it_runs_in_its_folder_and_finds_modules_there(python: Python, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("answer = 42")
    (tmp_path / "json.py").write_text("raise SystemExit('a file hid a module')")

    assert python.python_repl("import os\nos.getcwd()") == repr(str(tmp_path))
    assert python.python_repl("import helper, json\nhelper.answer") == "42"


def test_its_environment_is_small(python: Python, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("GEMINI_API_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")

    told = python.python_repl("import os\nfor name in sorted(os.environ): print(name)\nprint(os.environ['HOME'])")

    assert told.splitlines() == ["HOME", "LANG", "PATH", "TMPDIR", str(tmp_path)]
    assert "/nowhere" not in python.python_repl("import sys; sys.path")


def test_its_folder_is_made(control: Control, tmp_path: Path) -> None:
    with contextlib.closing(Python(control, tmp_path / "new" / "run")) as python:
        assert python.python_repl("import os; os.listdir()") == "[]"


# Failures ----------------------------------------------------------------------------------------------------------


def test_an_exception_is_told_with_its_traceback_and_its_lines(python: Python) -> None:
    told = failure(python, "print('before')\ndef half(x):\n    return x / 0\n\nhalf(1)")

    assert told.code == "TOOL_ERROR"
    first, *lines = told.message.splitlines()
    assert first == "The code failed: ZeroDivisionError: division by zero"
    assert lines[0] == "before"
    assert lines[1] == "Traceback (most recent call last):"
    assert "    return x / 0" in lines
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert "worker.py" not in told.message


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def", "SyntaxError: invalid syntax"),
        ("x = (", "SyntaxError: '(' was never closed"),
        ("a\0b", "null bytes"),
        ("input('your name? ')", "EOFError"),
        ("import sys; sys.stdin.read(1)[0]", "IndexError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise BaseException('odd')", "BaseException: odd"),
        ("class Bad:\n    def __repr__(self): return 1 / 0\nBad()", "ZeroDivisionError"),
        ("raise ExceptionGroup('several', [ValueError(1), KeyError(2)])", "ValueError: 1"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import sys; sys.exit('goodbye')", "SystemExit: goodbye"),
        ("def f(): f()\nf()", "RecursionError"),
    ],
)
def test_whatever_code_does_wrong_is_told_and_the_state_stays(code: str, words: str, python: Python) -> None:
    python.python_repl("x = 5")

    told = failure(python, code)

    assert told.code == "TOOL_ERROR"
    assert words in told.message
    assert told.hints == ()
    assert python.python_repl("x") == "5"


@pytest.mark.parametrize("code", ["import sys; sys.exit()", "exit(0)", "quit()"])
def test_leaving_with_no_error_is_no_failure(code: str, python: Python) -> None:
    python.python_repl("x = 5")

    assert python.python_repl(code) == NOTHING
    assert python.python_repl("x") == "5"


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("import os; print('so far', end=''); os._exit(4)", "exit code 4: so far"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "a signal (Segmentation fault)"),
        ("import os; os.closerange(0, 1000)", "exit code"),
        ("import os; os.execv('/bin/echo', ['echo', 'something else'])", "exit code 0: something else"),
    ],
)
def test_a_process_that_ended_is_reported_and_replaced(code: str, how: str, python: Python) -> None:
    python.python_repl("x = 5")

    told = failure(python, code)
    after = failure(python, "x")

    assert (told.code, told.hints) == ("TOOL_ERROR", (LOST,))
    assert f"Python ended with {how}" in told.message
    assert after.message.startswith("The code failed: NameError")
    assert after.hints == (NEW,)
    assert python.python_repl("6 * 7") == "42"


def test_a_new_process_is_told_in_a_good_result_too(python: Python) -> None:
    failure(python, "import os; os._exit(0)")

    assert python.python_repl("6 * 7") == f"{NEW}\n42"
    assert python.python_repl("6 * 7") == "42"


def test_a_process_that_ended_between_two_calls_is_noticed(python: Python) -> None:
    pid = int(python.python_repl("import os; os.getpid()"))
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    parent = Control()
    parent.until(lambda: python._child and not python._child.running, CAP_S)

    assert python.python_repl("6 * 7") == f"{NEW}\n42"


# Nothing confuses it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.stdout.close(); sys.stderr.close(); sys.stdin.close()",
        "import os; [os.close(fd) for fd in (0, 1, 2)]",
        "import sys; x = sys.stdout.detach()",
        "import sys, io; sys.stdout = sys.stderr = io.StringIO()",
        "import sys; sys.stdout = sys.stderr = None",
        "import os; os.dup2(os.open('/dev/null', os.O_WRONLY), 1)",
        "globals().clear()",
        "import os; os.chdir('/'); os.environ.clear()",
        "import signal; [signal.signal(n, lambda *_: None) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)]",
    ],
)
def test_code_that_breaks_its_streams_does_not_break_the_next_call(code: str, python: Python) -> None:
    pid = python.python_repl("import os; os.getpid()")
    with contextlib.suppress(ToolFailure):  # some of it fails, which is told
        python.python_repl(code)

    assert python.python_repl("print('still here')") == "still here"
    assert python.python_repl("import os; os.getpid()") == pid


def test_nothing_that_is_printed_is_taken_for_an_answer(python: Python) -> None:
    code = """
import os, sys
for _ in range(1000):
    for word in ("done", "failed", "memory", "ended"):
        print("0" * 32 + word)
        os.write(1, b'{"ok": true}' + bytes(range(256)))
for number in range(3, 10):
    try:
        os.write(number, b"garbage done\\n")
    except OSError:
        pass
1 / 0
"""
    assert "ZeroDivisionError" in failure(python, code).message
    assert python.python_repl("6 * 7") == "42"


def test_megabytes_are_heard_and_cut(python: Python) -> None:
    said = python.python_repl("print('begin' + 'x' * 20_000_000 + 'end')")

    assert said.startswith("begin")
    assert said.endswith("end")
    assert "[19,900,009 characters are left out here]" in said
    assert MAX_CHARS < len(said) < MAX_CHARS + 100


def test_a_failure_after_megabytes_is_still_told(python: Python) -> None:
    told = failure(python, "print('x' * 5_000_000)\n1 / 0")

    assert told.message.startswith("The code failed: ZeroDivisionError: division by zero")
    assert len(told.message) < 5_000


def test_as_much_as_may_be_said_is_said_whole(python: Python) -> None:
    assert python.python_repl(f"print('ü' * {MAX_CHARS - 1})") == "ü" * (MAX_CHARS - 1)


def test_code_may_be_megabytes_long(python: Python) -> None:
    assert python.python_repl(f"text = {'x' * 3_000_000!r}\nlen(text)") == "3000000"


def test_an_answer_that_comes_in_two_pieces_is_heard(control: Control, tmp_path: Path) -> None:
    child = Child(["/bin/sh", "-c", "printf 'said 0123'; sleep 0.3; printf '4567done\\n'; sleep 600"], tmp_path, {})

    assert child.talk(control, CAP_S, answer=re.compile(b"01234567(done|failed)\n")) == "done"
    assert child.said.text() == "said "
    child.end()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\npid = os.fork()\nif pid: n = os.waitpid(pid, 0)\n'parent' if pid else None", "'parent'"),
        (
            "from multiprocessing import get_context as get\nwith get('fork').Pool(2) as p: n = p.map(abs, [-1])\nn",
            "[1]",
        ),
    ],
    ids=["fork", "pool"],
)
def test_a_fork_does_not_answer(code: str, said: str, python: Python) -> None:
    assert python.python_repl(code) == said
    assert python.python_repl("6 * 7") == "42"


def test_a_thread_that_goes_on_printing_disturbs_nobody(python: Python) -> None:
    python.python_repl(
        "import threading\nover = threading.Event()\n"
        "def chat():\n    while not over.wait(0.001): print('chatter' * 10)\n"  # less than is kept of a call
        "thread = threading.Thread(target=chat); thread.start()"
    )
    for number in range(5):
        assert f"answer {number}" in python.python_repl(f"print('answer {number}')")

    python.python_repl("over.set(); thread.join()")
    assert python.python_repl("6 * 7") == "42"


def test_calls_at_once_are_done_one_after_the_other(python: Python) -> None:
    python.python_repl("import time\ncount = 0")
    said: list[str] = []

    def call(number: int) -> None:
        said.append(python.python_repl(f"n = count; time.sleep(0.01); count = n + 1; print({number})"))

    threads = [threading.Thread(target=call, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(CAP_S)

    assert sorted(said) == [str(number) for number in range(8)]
    assert python.python_repl("count") == "8"


# Limits ------------------------------------------------------------------------------------------------------------

BUSY = """
import os, subprocess, sys
x = 5
child = subprocess.Popen(["sleep", "600"])
far = subprocess.Popen(["sleep", "600"], start_new_session=True, env={})
orphan = subprocess.run(["sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!"], capture_output=True, text=True)
with open("pids", "w") as file:
    file.write(f"{os.getpid()} {os.getppid()} {child.pid} {far.pid} {orphan.stdout}")
os.rename("pids", "started")
"""


def started(folder: Path) -> list[int]:
    """The processes that BUSY has told of, once it has."""
    assert Control().until((folder / "started").exists, CAP_S)
    pids = [int(pid) for pid in (folder / "started").read_text().split()]
    assert len(pids) == 5
    return pids


@pytest.mark.parametrize(
    ("busy", "last_words"),
    [
        ("while True: pass", "so far"),
        ("import time; time.sleep(600)", "so far"),
        ("while True: print('x' * 1000)", "x" * 1000),
    ],
)
def test_what_takes_too_long_is_ended_with_all_that_it_started(
    busy: str, last_words: str, make: Make, tmp_path: Path
) -> None:
    python = make(seconds=SHORT)

    told = failure(python, f"{BUSY}\nprint('so far', end='')\n{busy}")

    assert (told.code, told.hints) == ("TIMEOUT", (LOST,))
    assert told.message.startswith(f"The code still ran after {SHORT:.0f} s and was ended: ")
    assert last_words in told.message
    assert gone(*started(tmp_path))
    assert failure(python, "x").hints == (NEW,)
    assert python.python_repl("6 * 7") == "42"


STUBBORN = """
import signal
for number in range(1, 32):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGSTOP)
while True: pass
"""


def test_ignoring_signals_or_stopping_the_warden_does_not_help(make: Make, tmp_path: Path) -> None:
    told = failure(make(seconds=SHORT), BUSY + STUBBORN)

    assert told.code == "TIMEOUT"
    assert gone(*started(tmp_path))


def test_a_warden_that_is_killed_takes_the_code_with_it(python: Python) -> None:
    pid = int(python.python_repl("import os; os.getpid()"))

    told = failure(python, "import signal\nos.kill(os.getppid(), signal.SIGKILL)\nwhile True: pass")

    assert told.message == "Python ended with a signal (Killed): it printed nothing"
    assert gone(pid)


@pytest.mark.parametrize(
    "bomb",
    [
        "data = b'x' * 10**10",
        "data = []\nwhile True: data.append('x' * 10**6)",
        "data = {}\nwhile True: data[len(data)] = len(data)",
        "def f(data):\n    while True: data.append('x' * 10**6)\nf([])",
    ],
)
def test_a_memory_bomb_is_an_error_and_the_state_stays(bomb: str, make: Make) -> None:
    python = make(memory=200_000_000)
    python.python_repl("x = 5")

    told = failure(python, bomb)

    assert told.code == "TOOL_ERROR"
    assert "MemoryError" in told.message
    assert told.hints == ("It may have 200 MB: use less at a time, and delete what is not needed.",)
    assert python.python_repl("data = None; x") == "5"
    assert python.python_repl("len(b'x' * 10**8)") == "100000000"


@pytest.mark.parametrize("seconds", [0, -1, MAX_S + 1])
def test_a_time_that_no_call_can_have_is_refused(seconds: float, control: Control, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at most 600 seconds"):
        Python(control, tmp_path, seconds=seconds)


def test_a_stop_is_felt_at_once_and_ends_it_all(python: Python, control: Control, tmp_path: Path) -> None:
    action = Action("python_repl", {"code": f"{BUSY}\nwhile True: pass"})
    thread, ends = in_background(lambda: Toolbelt(python).call(action, control))
    pids = started(tmp_path)
    assert all(alive(pid) for pid in pids)

    control.stop()
    thread.join(CAP_S)

    assert [type(end) for end in ends] == [Halt]
    assert gone(*pids)


def test_close_ends_it_all_and_can_be_done_twice(python: Python, tmp_path: Path) -> None:
    python.python_repl(BUSY)
    pids = started(tmp_path)
    assert all(alive(pid) for pid in pids)

    python.close()

    assert gone(*pids)
    python.close()


def test_close_ends_all_even_if_its_input_is_held_open(python: Python, tmp_path: Path) -> None:
    python.python_repl(BUSY)
    assert python._child
    held = os.dup(python._child._input.fileno())  # as a fork of the agent does

    python.close()

    assert gone(*started(tmp_path))
    os.close(held)


AGENT = f"""
import pathlib, sys
from toolbelt.control import Control
from toolbelt.tools.python import Python
Python(Control(), pathlib.Path(sys.argv[1])).python_repl({BUSY + "while True: pass"!r})
"""


@pytest.mark.usefixtures("processes")
def test_an_agent_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", AGENT, str(tmp_path)], cwd=CHECKOUT) as agent:
        pids = started(tmp_path)
        agent.kill()

    assert gone(*pids)


def children() -> set[str]:
    """The processes that this one has started and not yet waited for; shared X servers may be among them."""
    return {pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


def test_descriptors_and_processes_do_not_grow(make: Make) -> None:
    def use() -> None:
        python = make()
        python.python_repl("x = 1")
        failure(python, "import os; os._exit(1)")
        python.python_repl("x = 1")
        python.close()

    use()
    before, children_before = len(list(Path("/proc/self/fd").iterdir())), children()
    for _ in range(5):
        use()

    assert len(list(Path("/proc/self/fd").iterdir())) <= before
    assert children() == children_before


def test_the_belt_tells_it_as_any_tool(python: Python, control: Control) -> None:
    belt = Toolbelt(python)

    assert belt.call(Action("python_repl", {"code": "6 * 7"}), control).observation == Observation(ok=True, text="42")
    done = belt.call(Action("python_repl", {"code": "1 / 0"}), control)
    assert done.observation.error
    assert (done.observation.error.code, done.acted) == ("TOOL_ERROR", True)
    (tool,) = tools_of(python)
    assert (tool.name, tool.risk, tool.signature) == ("python_repl", "danger", "python_repl(code: string)")
    assert tool.seconds > MAX_S
