"""Runs a virtual desktop: starts Xvfb and openbox, and ends everything on it when the parent process is gone.

This is a separate process because one that is killed with SIGKILL cannot clean up after itself: when the pipe from the
parent closes, for whatever reason, every process with the mark of the desktop in its environment is ended: the
programs that the agent started first, then the display.

The desktop has a session bus of its own, so that no program opens its window on the person's screen, or is slow because
it waits for a service that is not there: the only service on it is that of accessibility.

A parent that sends the path of a state file lets the desktop go: it then stays until the state file is removed, this
process is terminated, the display ends, or its owner, the process that it is to end with, is gone. The state file says
where the desktop is, and is removed last, so that a desktop whose keeper was killed can be found and ended.

Run as a script: `xvfb_keeper.py 1920x1080 openbox.xml MARK /tmp`. It prints the display and the address of the bus, or
what is missing, as JSON. The path, and the id of the process to end with or null, are a line of JSON on standard input.

It loads little: a desktop waits for that, and there is one of these for each.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

MARK = "MARK_I_DESKTOP"
FOLDER_PREFIX = "mark-i-"  # of the temporary folder, where the bus is
FOLDER_DIGITS = 12  # of the mark, after the prefix; the address of a bus may not be long
BUS = ".bus"  # after the mark, for the services of the desktop, which are none of the agent's programs
TERMINATE_MAX_S = 2.0  # for a program to end by itself before it is killed
KILL_POLL_S = 0.01
PR_SET_PDEATHSIG = 1  # from linux/prctl.h
PARENT_POLL_S = 0.5  # between two checks that the parent is alive
STATE_POLL_S = 1.0  # between two checks that the state file is there
PART = ".part"  # the ending of a state file that is not whole yet
STATE_VERSION = 1  # of the format of the state file
START_TICKS_FIELD = 19  # in /proc/PID/stat, counted from the field after the name, which may contain blanks
BUS_CONFIG = """<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
ADDRESS = "DBUS_SESSION_BUS_ADDRESS"  # where programs look for the bus
ACCESSIBILITY = "org.a11y.Bus"
SERVICES = [Path(one) / "dbus-1/services/org.a11y.Bus.service" for one in ("/usr/share", "/usr/local/share")]
Children = list[subprocess.Popen[bytes]]


def main() -> None:
    """Start the desktop, wait until the parent is gone or the desktop it let go is to end, then end it."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the parent handles them
        signal.signal(ignored, signal.SIG_IGN)
    parent = os.getppid()
    size, openbox, mark, temporary = sys.argv[1:]
    environment = os.environ | {MARK: mark}
    children: Children = []
    folder = Path(temporary) / f"{FOLDER_PREFIX}{mark[:FOLDER_DIGITS]}"
    folder.mkdir(0o700)
    state: Path | None = None
    try:
        where = begin(size, openbox, folder, environment, children)
        tell(where)
        if line := wait_for_parent(parent):
            file, owner = json.loads(line)
            state = Path(file)
            keep(state, where | {"size": size, "mark": mark, "folder": str(folder)}, children[0], owner)
    finally:
        display = {child.pid for child in children}
        end_all(f"{MARK}={mark}".encode(), display)
        end_all(f"{MARK}={mark}{BUS}".encode())
        end_all(f"{MARK}={mark}".encode())
        for child in children:
            child.wait()
        import shutil  # noqa: PLC0415 - slow to load, and needed only here

        shutil.rmtree(folder, ignore_errors=True)
        if state and holds(state, mark):
            state.unlink(missing_ok=True)


def tell(reply: dict[str, object]) -> None:
    """Send a line of JSON to the parent, which may be gone."""
    with contextlib.suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(reply).encode() + b"\n")


def wait_for_parent(parent: int) -> str:
    """Wait until the parent sends a line, which is returned, or closes the pipe or is gone.

    A process that it forked may keep the pipe open.
    """
    while os.getppid() == parent:
        if select.select([sys.stdin], [], [], PARENT_POLL_S)[0]:
            return sys.stdin.readline()
    return ""


def keep(state: Path, about: dict[str, object], server: subprocess.Popen[bytes], owner: int | None) -> None:
    """Let the parent go, and stay until the display, owner or state file is gone, or this process is terminated.

    Whoever removes the state file wants no desktop there, and nobody could find it again.
    """
    ending = {signal.SIGTERM, signal.SIGCHLD}
    owned = start_ticks_of(owner)
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)  # a blocked signal waits, even one that is ignored
    keeper = {"version": STATE_VERSION, "since_s": time.time(), "keeper": os.getpid(), "start_ticks": start_ticks()}
    try:
        write_state(state, about | keeper)
    except OSError as error:
        state.with_suffix(PART).unlink(missing_ok=True)
        tell({"error": f"{state} cannot be written: {error.strerror or error}."})
        return
    tell({})
    os.chdir("/")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # whoever reads what the parent prints waits for none of ours
        os.dup2(nowhere, stream.fileno())
    while server.poll() is None and holds(state, str(about["mark"])) and start_ticks_of(owner) == owned:
        came = signal.sigtimedwait(ending, STATE_POLL_S)
        if came and came.si_signo == signal.SIGTERM:
            return


def start_ticks(pid: int | str = "self") -> int:
    """Return when a process was started, in clock ticks since the machine was.

    Raises:
        OSError: There is no such process.
    """
    stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    return int(stat.rpartition(")")[2].split()[START_TICKS_FIELD])


def start_ticks_of(owner: int | None) -> int | None:
    """Return when the owner was started; None if there is none, or no longer."""
    try:
        return start_ticks(owner) if owner is not None else None
    except OSError:
        return None


def write_state(state: Path, about: dict[str, object]) -> None:
    """Write the state file in one piece, for nobody else to read."""
    part = state.with_suffix(PART)
    with open(part, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        json.dump(about, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(state)


def holds(state: Path, mark: str) -> bool:
    """Whether the state file is there and still about the desktop with that mark."""
    try:
        return mark in state.read_text("utf-8", "replace")
    except FileNotFoundError:
        return False
    except OSError:  # of a disk that is away for a moment
        return True


def begin(size: str, openbox: str, folder: Path, environment: dict[str, str], children: Children) -> dict[str, object]:
    """Start Xvfb, which chooses a free display number, meanwhile the bus, and then the window manager."""
    readable, writable = os.pipe()
    server = ["Xvfb", "-displayfd", str(writable), "-screen", "0", f"{size}x24"]
    server += ["-nolisten", "tcp", "-noreset", "-s", "0", "-dpi", "96"]
    with (folder / "said").open("w+b") as said:
        try:
            children.append(launch(server, environment, said.fileno(), writable))
            os.close(writable)
            bus = begin_bus(folder, environment, children)
            number = os.read(readable, 16).decode().strip()
            if not number:
                said.seek(0)
                return {"error": said.read().decode("utf-8", "replace").strip()}
            manager = ["openbox", "--config-file", openbox]
            children.append(launch(manager, environment | {"DISPLAY": f":{number}"}, said.fileno()))
        except FileNotFoundError as error:
            return {"missing": str(error.filename)}
    return {"display": f":{number}", "bus": bus}


def begin_bus(folder: Path, environment: dict[str, str], children: Children) -> str | None:
    """Start the session bus and the accessibility service, and return the address; None if they are not installed."""
    program = next(filter(None, map(program_of, SERVICES)), None)
    if program is None:
        return None
    address, services, config = f"unix:path={folder}/bus", folder / "services", folder / "bus.conf"
    services.mkdir()
    command = f"{program} --a11y=1"
    (services / SERVICES[0].name).write_text(f"[D-BUS Service]\nName={ACCESSIBILITY}\nExec={command}\n", "utf-8")
    config.write_text(BUS_CONFIG.format(address=address, services=services), "utf-8")
    own = environment | {MARK: environment[MARK] + BUS, "XDG_RUNTIME_DIR": str(folder), ADDRESS: address}
    own |= {"GSETTINGS_BACKEND": "memory"}
    readable, writable = os.pipe()
    bus = ["dbus-daemon", f"--config-file={config}", "--nofork", f"--print-address={writable}"]
    try:
        children.append(launch(bus, own, subprocess.DEVNULL, writable))
    except FileNotFoundError:
        return None
    finally:
        os.close(writable)
    with os.fdopen(readable) as said:
        begun = said.readline().strip()
    if begun:  # some toolkits ask for the service only if it runs already
        children.append(launch(command.split(), own, subprocess.DEVNULL))
    return begun or None


def program_of(service: Path) -> str | None:
    """Return the program of a service, which each distribution keeps in another folder; None if it is not there."""
    try:
        lines = service.read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((line.partition("=")[2] for line in lines if line.startswith("Exec=")), None)


def launch(command: list[str], environment: dict[str, str], said: int, *pipes: int) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, which the terminal's signals do not reach; it ends with this process."""
    prctl = ctypes.CDLL(None).prctl
    return subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=said,
        pass_fds=pipes,
        start_new_session=True,
        preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509 - there is only one thread
    )


def marked(mark: bytes) -> list[int]:
    """Return every process that carries the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue  # it has ended, or belongs to another user
            if mark in environment.split(b"\0"):
                found.append(int(entry.name))
    return found


def parent(pid: int) -> int | None:
    """Return the process that started another one, or has taken it over; None if that has ended."""
    try:
        stat = (Path("/proc") / str(pid) / "stat").read_text("ascii", "replace")
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[1])  # the name before it may have blanks and brackets


def end_all(mark: bytes, spared: Collection[int] = ()) -> None:
    """Terminate every marked process but those spared, and kill the ones that remain after a while.

    What a program starts because it was asked to end, perhaps to save something, is left to it until then.
    """
    deadline, told = time.monotonic() + TERMINATE_MAX_S, set[int]()
    while pids := [pid for pid in marked(mark) if pid not in spared]:
        late = time.monotonic() >= deadline
        asked = [pid for pid in pids if late or (pid not in told and parent(pid) not in told)]
        for pid in asked:
            with contextlib.suppress(ProcessLookupError):  # it has ended already
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        told.update(asked)
        time.sleep(KILL_POLL_S)


if __name__ == "__main__":
    main()
