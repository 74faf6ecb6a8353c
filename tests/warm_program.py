"""The program in processes that need not load it: each is a fork of one that has, and of nothing else.

A start takes a second of a core, nearly all of it for imports, and the tests start the program many hundred times. What
a fork lacks is the start itself: tests of that, of imports, signals and encodings start `python -m mark_i` themselves.
"""

import atexit
import contextlib
import functools
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO, cast

CHECKOUT: Final = Path(__file__).parents[1]
CLIENT: Final = Path(__file__).with_name("warm_client.py")
AT_START: Final = ("PYTHON", "LANG", "LC_")  # how the variables begin that the interpreter reads as it starts
LATER: Final = "PYTHON_KEYRING_BACKEND"  # begins like them
STDIN, STDERR = 0, 2


def program(environment: Mapping[str, str]) -> list[str]:
    """Return the command that starts the program; it loads everything if the interpreter's own settings are others."""
    folder, settings = _server()
    if _at_start(environment) != settings:
        return [sys.executable, "-m", "mark_i"]
    return [sys.executable, "-I", "-S", str(CLIENT), f"{folder}/socket"]


@functools.cache
def _server() -> tuple[str, dict[str, str]]:
    """Start the process that is forked, for as long as this one lives."""
    folder = tempfile.TemporaryDirectory(prefix="warm-")
    settings = _at_start(os.environ)
    needed = {"PATH": os.environ["PATH"]}  # no more: the system shows what it starts with as that of each fork
    command = [sys.executable, "-m", "tests.warm_program", f"{folder.name}/socket"]
    server = subprocess.Popen(
        command, env=settings | needed, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=CHECKOUT
    )

    def end() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(end)
    assert server.stdout
    assert server.stdout.readline() == b"ready\n"
    return folder.name, settings


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the interpreter; a path to what is loaded is none."""
    found = {name: value for name, value in environment.items() if name.startswith(AT_START) and name != LATER}
    if found.get("PYTHONPATH") == str(CHECKOUT):
        del found["PYTHONPATH"]
    return found


# The process that is forked -----------------------------------------------------------------------------------------


def _load() -> None:
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # as `toolbelt.ocr.engine` does
    commands = import_module("mark_i.cli.commands")
    for module in pkgutil.iter_modules(commands.__path__, "mark_i.cli.commands."):
        import_module(module.name)
    import_module("rapidocr.inference_engine.openvino")


def _serve(path: str) -> None:
    """Fork for each client, until standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that nobody has to wait for those who watch
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        os.write(1, b"ready\n")
        while STDIN not in _ready(STDIN, server.fileno()):
            client, _ = server.accept()
            if not os.fork():
                server.close()
                _watch(client)
            client.close()


def _ready(*files: int) -> list[int]:
    """Wait until one of the files can be read, and return those that can."""
    return select.select(files, [], [])[0]


def _watch(client: socket.socket) -> NoReturn:
    """Start the program, pass on the client's signals, and send it the exit code; it ends with its client."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))  # as the program does once it listens
    _, streams, _, _ = socket.recv_fds(client, 1, 3)
    request = json.loads(client.makefile("rb", buffering=0).readline())
    if not (pid := os.fork()):
        client.close()
        _become(request, streams)
    for stream in streams:
        os.close(stream)
    ended = os.pidfd_open(pid)
    while ended not in _ready(ended, client.fileno()):
        numbers = client.recv(1)
        os.kill(pid, numbers[0] if numbers else signal.SIGKILL)
        if not numbers:
            break
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(OSError):  # the client has gone
        client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the program, as `python -m mark_i` would have started it."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(STDERR, "w")
    os.umask(request["umask"])
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[:1] = [request["folder"], *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv[1:] = request["arguments"]
    runpy.run_module("mark_i", run_name="__main__", alter_sys=True)
    os._exit(0)  # the program has ended itself, with its own code


def _stream(number: int, mode: str) -> TextIO:
    """Open a standard stream as the interpreter does."""
    own = (sys.stdin, sys.stdout, sys.stderr)[number]
    by_line = 1 if number == STDERR or os.isatty(number) else -1
    return cast("TextIO", open(number, mode, by_line, own.encoding, own.errors, closefd=False))


if __name__ == "__main__":
    _load()
    _serve(sys.argv[1])
