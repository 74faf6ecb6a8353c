"""Runs one program, and ends all of its processes when it has ended or the agent releases it.

It is a separate process, because a thread of the agent could not set limits before the program starts, adopt the
processes that the program leaves behind, or outlive an agent that is killed with -9. Linux only: it needs prctl and
/proc.

Run as a script: `process_warden.py MEMORY listens|deaf PROGRAM ARGUMENTS...`. It exits as the program did. The agent
releases it by closing its standard input, or with SIGTERM.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from typing import NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
STDIN, STDERR = 0, 2
NOT_STARTED = 126  # the exit code that a shell uses for it
KILL_S = 3.0  # for killed processes to be gone; those of another user cannot be killed
POLL_S = 0.01
AGENT_CHECK_S = 0.5  # between two checks whether the agent is still alive


def main() -> None:
    """Start the program, wait, end everything."""
    memory, hearing, *command = sys.argv[1:]
    agent = os.getppid()
    woken = wake_on_signals()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    program = os.fork()
    if not program:
        become(command, int(memory), listens=hearing == "listens")
    status = wait(program, agent, woken)
    end_all()
    end_as(status)


def wake_on_signals() -> int:
    """Return a descriptor from which each signal can be read, so that none is missed between two checks."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # not SIG_IGN, which the program would inherit
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(writable)
    return readable


def prctl(option: int, value: int) -> None:
    """Call prctl, for which Python has no function."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def become(command: list[str], memory: int, *, listens: bool) -> NoReturn:
    """Turn this fork into the program, in a new session and with its limits."""
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, but other programs rely on them
            signal.signal(number, signal.SIG_DFL)
        limit(memory)
        os.environ.pop("LC_CTYPE", None)  # Python sets it if it does not know the locale
        if not listens:
            os.dup2(os.open(os.devnull, os.O_RDONLY), STDIN)
        os.execv(command[0], command)  # noqa: S606 - a list of arguments, never a shell
    except (OSError, ValueError) as error:
        os.write(STDERR, f"{command[0]} cannot be started: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(NOT_STARTED)


def limit(memory: int) -> None:
    """Forbid core dumps, and limit the memory in bytes; 0 is no limit."""
    import resource  # noqa: PLC0415 - not everywhere

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        highest = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = memory if highest == resource.RLIM_INFINITY else min(memory, highest)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def wait(program: int, agent: int, woken: int) -> int | None:
    """Wait until the program has ended, and return its status; None if the agent has released it or is gone."""
    poller = select.poll()
    poller.register(STDIN, 0)  # only to notice that the other end was closed; the data is for the program
    poller.register(woken, select.POLLIN)
    while True:
        if (status := reaped(program)) is not None:
            return status
        events = dict(poller.poll(AGENT_CHECK_S * 1000))
        if STDIN in events or os.getppid() != agent:
            return None
        if woken in events and signal.SIGTERM in os.read(woken, 4096):
            return None


def reaped(program: int) -> int | None:
    """Reap every child that has ended; return the status of the program, if it is one of them."""
    pid = -1
    while pid:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == program:
            return status
    return None


def end_all() -> None:
    """End every remaining process: orphans become our children, until there are none."""
    deadline = time.monotonic() + KILL_S
    while time.monotonic() < deadline:
        for pid in children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(pid), signal.SIGKILL)  # the whole group, so that it cannot outrun us
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(POLL_S)


def children() -> list[int]:
    """List the child processes of this one."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib loads slower than all of this runs
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                parent = file.read().rpartition(b")")[2].split()[1]
                if int(parent) == os.getpid():
                    found.append(int(name))
    return found


def end_as(status: int | None) -> NoReturn:
    """Exit with the exit code of the program, or by the signal that ended it."""
    code = os.waitstatus_to_exitcode(status) if status is not None else 0
    if code < 0:
        limit(0)
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main()
