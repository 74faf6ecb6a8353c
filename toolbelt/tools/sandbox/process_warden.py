"""Runs one program, and ends all that is left of it when it has ended or when the agent lets go of it.

A process of its own, because it can do what a thread of the agent cannot: set limits before the program starts, adopt
what the program leaves behind, and outlive an agent that is killed with -9. Linux only: it asks prctl and /proc.

Run as a script: `warden.py MEMORY listens|deaf PROGRAM ARGUMENTS...`. It ends as the program ended. The agent lets go
by closing the standard input, or with SIGTERM.
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
NOT_STARTED = 126  # the exit code that a shell has for it
PATIENCE = 3.0  # seconds for what was killed to be gone; what belongs to somebody else cannot be killed
POLL = 0.01
LOOK = 0.5  # seconds between two looks at whether the agent still lives


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
    """A descriptor on which each signal that comes can be read, so that none is missed between two looks."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # not SIG_IGN, which the program would inherit
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(writable)
    return readable


def prctl(option: int, value: int) -> None:
    """Ask the kernel something that Python has no function for."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def become(command: list[str], memory: int, *, listens: bool) -> NoReturn:
    """Turn this fork into the program, in a session of its own and with its limits."""
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, other programs count on them
            signal.signal(number, signal.SIG_DFL)
        limit(memory)
        os.environ.pop("LC_CTYPE", None)  # Python itself puts it there where it does not know the locale
        if not listens:
            os.dup2(os.open(os.devnull, os.O_RDONLY), STDIN)
        os.execv(command[0], command)  # noqa: S606 - a list of arguments, never a shell
    except (OSError, ValueError) as error:
        os.write(STDERR, f"{command[0]} cannot be started: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(NOT_STARTED)


def limit(memory: int) -> None:
    """No core dumps, and at most so many bytes of memory; 0 is no limit."""
    import resource  # noqa: PLC0415 - not everywhere

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        highest = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = memory if highest == resource.RLIM_INFINITY else min(memory, highest)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def wait(program: int, agent: int, woken: int) -> int | None:
    """Until the program has ended, which gives its status, or the agent has let go or is gone."""
    poller = select.poll()
    poller.register(STDIN, 0)  # tells only that the other end was closed; what is sent is for the program
    poller.register(woken, select.POLLIN)
    while True:
        if (status := buried(program)) is not None:
            return status
        events = dict(poller.poll(LOOK * 1000))
        if STDIN in events or os.getppid() != agent:
            return None
        if woken in events and signal.SIGTERM in os.read(woken, 4096):
            return None


def buried(program: int) -> int | None:
    """Take note of every child that has ended; the status of the program, if it is among them."""
    pid = -1
    while pid:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == program:
            return status
    return None


def end_all() -> None:
    """End every process that is left: what loses its parent becomes ours, until there is none."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for pid in children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(pid), signal.SIGKILL)  # the whole group at once, so that it cannot outrun us
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(POLL)


def children() -> list[int]:
    """The processes whose parent is this one."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib takes longer to load than all the rest takes to run
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                parent = file.read().rpartition(b")")[2].split()[1]
                if int(parent) == os.getpid():
                    found.append(int(name))
    return found


def end_as(status: int | None) -> NoReturn:
    """End with the program's own exit code, or by the signal that ended it."""
    code = os.waitstatus_to_exitcode(status) if status is not None else 0
    if code < 0:
        limit(0)
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main()
