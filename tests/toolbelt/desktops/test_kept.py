"""Kept virtual desktops: they outlive who started them, and nothing outlives them."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

from tests.support import CAP_S, alive, gone, processes_with, soon
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.virtual import kept as kept_module, vnc
from toolbelt.desktops.virtual.kept import KeptDesktop, Owners
from toolbelt.desktops.virtual.vnc import VncServer
from toolbelt.desktops.virtual.xvfb_keeper import MARK, start_ticks
from toolbelt.desktops.x11.connection import Connection
from world_model import DesktopError, Size

SIZE = Size(640, 480)
DEAF = ["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"]  # ends only if it is killed
STARTED_AND_KILLED = """
import os, pathlib, sys
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from world_model import Size
desktop = VirtualDesktop(Size(640, 480), Control())
desktop.keep(pathlib.Path(sys.argv[1]))
desktop.launch(["xterm", "-T", "Left", "-e", "cat"])
os.kill(os.getpid(), 9)
"""
OWNED_AND_KILLED = STARTED_AND_KILLED.replace("(sys.argv[1]))", "(sys.argv[1]), owned=True)").replace(
    "os.kill", "print(desktop.kept.mark, flush=True)\nos.kill"
)
HELD_AND_KILLED = """
import os, pathlib, sys
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.virtual.kept import KeptDesktop
desktop = VirtualDesktop.attach(KeptDesktop.read(pathlib.Path(sys.argv[1])), Control())
desktop.key_down("shift")
assert any(desktop._own.keys_down())
print("held")
os.kill(os.getpid(), 9)
"""
SAVES_AT_CLOSE = """
import pathlib, sys, tkinter
log = pathlib.Path(sys.argv[1])
def close():
    log.write_text("saved")
    window.destroy()
window = tkinter.Tk(className="Saves")
window.protocol("WM_DELETE_WINDOW", close)
window.mainloop()
"""
# Neither its mark nor the end of its display ends it, and it ignores its close button.
STUBBORN = """
import signal, sys
from tests.support import plain_window
from toolbelt.desktops.x11.connection import Connection
from world_model import Region
connection = Connection(sys.argv[1])
plain_window(connection, Region(50, 50, 200, 100), {})
print("shown", flush=True)
while True:
    signal.pause()
"""


def python(code: str, *arguments: object) -> str:
    """Run a program that kills itself, and return what it printed."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=CAP_S)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return done.stdout


def left(kept: KeptDesktop) -> list[int]:
    """Every process that carries the mark of the desktop, or is a service of it."""
    return processes_with(f"{MARK}={kept.mark}")


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(processes: None) -> Iterator[Start]:
    """Start a program, with the mark of a desktop if there is one; none outlives the test."""
    with contextlib.ExitStack() as stack:

        def started(*command: str, on: KeptDesktop | None = None, **more: Any) -> subprocess.Popen[bytes]:
            mark = {MARK: on.mark, "DISPLAY": on.display} if on else {}
            process = stack.enter_context(subprocess.Popen(command, env=os.environ | mark, **more))
            stack.callback(process.kill)
            return process

        yield started


@pytest.fixture
def kept(display: None, control: Control, tmp_path: Path) -> Iterator[KeptDesktop]:
    with closing(VirtualDesktop(SIZE, control)) as desktop:
        found = desktop.keep(tmp_path / "d1.json")
    try:
        yield found
    finally:
        found.end()


def test_one_that_is_owned_ends_with_its_owner(display: None, control: Control, tmp_path: Path) -> None:
    file = tmp_path / "d1.json"

    mark = python(OWNED_AND_KILLED, file).strip()

    assert control.until(lambda: not file.exists(), CAP_S)
    assert processes_with(f"{MARK}={mark}") == []


def test_it_outlives_the_process_that_started_it_until_it_is_ended(
    display: None, control: Control, tmp_path: Path
) -> None:
    file = tmp_path / "work.json"
    python(STARTED_AND_KILLED, file)

    kept = KeptDesktop.read(file)
    assert (kept.name, kept.size, kept.is_open) == ("work", SIZE, True)
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.getsid(kept.keeper) == kept.keeper
    for _ in range(2):  # what is open stays open, before and after
        with closing(VirtualDesktop.attach(kept, control)) as desktop:
            assert control.until(lambda there=desktop: [one.title for one in there.windows()] == ["Left"], CAP_S)  # type: ignore[misc]
            assert desktop.activity().used_s

    VirtualDesktop.attach(kept, control).end()

    assert left(kept) == []
    assert not kept.is_open
    assert not kept.folder.exists()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DesktopError, match="The desktop work is gone"):
        VirtualDesktop.attach(kept, control)


def test_keys_are_released_when_who_uses_it_is_killed(kept: KeptDesktop) -> None:
    assert python(HELD_AND_KILLED, kept.file) == "held\n"

    with closing(Connection(kept.display)) as display:
        assert soon(lambda: not any(display.keys_down()))


def test_the_end_gives_time_to_save_and_leaves_no_window_s_program(
    kept: KeptDesktop, start: Start, control: Control, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_module, "OWNER_END_MAX_S", 0.1)
    log = tmp_path / "log"
    saver = start(sys.executable, "-c", SAVES_AT_CLOSE, str(log), on=kept)
    stubborn = start(sys.executable, "-c", STUBBORN, kept.display, stdout=subprocess.PIPE)
    assert stubborn.stdout
    assert stubborn.stdout.readline() == b"shown\n"
    desktop = VirtualDesktop.attach(kept, control)
    assert control.until(lambda: len(desktop.windows()) == 2, CAP_S)

    desktop.end()

    assert log.read_text() == "saved"
    assert saver.wait(CAP_S) == 0
    assert stubborn.wait(CAP_S) == -signal.SIGKILL


def test_an_owner_that_ends_by_itself_is_not_killed(start: Start) -> None:
    reader = start("sh", "-c", "read line; exit 3", stdin=subprocess.PIPE)
    with Owners() as owners:
        owners.hold([reader.pid, None, os.getpid()])
        reader.communicate(b"\n")

    assert reader.returncode == 3


@pytest.mark.parametrize("cause", ["file removed", "terminated", "display killed"])
def test_it_ends_with_its_state_file_its_keeper_and_its_display(kept: KeptDesktop, start: Start, cause: str) -> None:
    program = start("sleep", "1000", on=kept)
    if cause == "file removed":
        kept.file.unlink()
    elif cause == "terminated":  # as everything is when the machine is shut down
        os.kill(kept.keeper, signal.SIGTERM)
    else:
        names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in left(kept)}
        os.kill(next(pid for pid, name in names.items() if name == "Xvfb"), signal.SIGKILL)

    assert program.wait(CAP_S) == -signal.SIGTERM
    assert soon(lambda: not kept.is_open)
    assert left(kept) == []
    assert not kept.file.exists()
    assert not kept.folder.exists()


def test_what_a_killed_keeper_leaves_is_ended_by_its_mark(
    kept: KeptDesktop, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbelt.desktops.virtual.xvfb_keeper.TERMINATE_MAX_S", 0.2)
    program = start(*DEAF, on=kept, stdout=subprocess.PIPE)
    assert program.stdout
    assert program.stdout.readline() == b"deaf\n"
    other = start("sleep", "1000", on=replace(kept, mark="another"))

    os.kill(kept.keeper, signal.SIGKILL)
    assert soon(lambda: not kept.is_open)
    assert alive(program.pid)
    assert kept.file.exists()
    kept.end()

    assert program.wait(CAP_S) == -signal.SIGKILL
    assert left(kept) == []
    assert not kept.file.exists()
    assert not kept.folder.exists()
    assert alive(other.pid)


def test_a_process_with_the_keepers_id_is_left_alone(start: Start, control: Control, tmp_path: Path) -> None:
    stranger = start("sleep", "1000")
    file = tmp_path / "old.json"
    ticks = start_ticks(stranger.pid)
    about: dict[str, Any] = {
        "version": 1,
        "display": ":4711",
        "bus": None,
        "size": "640x480",
        "mark": "0123456789abcdef",
    }
    file.write_text(
        json.dumps(about | {"keeper": stranger.pid, "start_ticks": ticks, "since_s": 1, "folder": "/nowhere"})
    )
    kept = KeptDesktop.read(file)

    assert not kept.is_open
    with pytest.raises(DesktopError, match="gone"):
        VirtualDesktop.attach(kept, control)
    kept.end()

    assert alive(stranger.pid)
    assert not file.exists()


def test_another_start_time_is_another_process(kept: KeptDesktop) -> None:
    assert not replace(kept, start_ticks=kept.start_ticks + 1).is_open
    assert not replace(kept, mark="0" * 32).is_open
    assert kept.is_open


@pytest.mark.parametrize("content", ["", "[]", '{"version": 2}', '{"version": 1}', "{" * 9])
def test_a_file_that_describes_no_desktop_is_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "d1.json"
    file.write_text(content)

    with pytest.raises(DesktopError, match=r"d1\.json describes no desktop"):
        KeptDesktop.read(file)


def test_a_desktop_that_cannot_be_kept_is_gone(display: None, control: Control, tmp_path: Path) -> None:
    with closing(VirtualDesktop(SIZE, control)) as desktop:
        mark = f"{MARK}={desktop._environment[MARK]}"
        display_processes = processes_with(mark)
        with pytest.raises(DesktopError, match=r"cannot be kept: .* No such file or directory"):
            desktop.keep(tmp_path / "missing" / "d1.json")

    assert gone(*display_processes)
    assert processes_with(mark) == []


# VNC ----------------------------------------------------------------------------------------------------------------


def vnc_logged_in(port: int, password: str) -> bool:
    """Whether a VNC server accepts a password, and nothing but a password."""
    with socket.create_connection(("127.0.0.1", port), CAP_S) as server, server.makefile("rwb") as stream:

        def send(data: bytes) -> None:
            stream.write(data)
            stream.flush()

        send(stream.read(12))  # the version of the protocol
        kinds = stream.read(stream.read(1)[0])
        assert kinds == b"\x02", "only the password"
        send(b"\x02")
        challenge = stream.read(16)
        key = bytes(int(f"{byte:08b}"[::-1], 2) for byte in password.encode().ljust(8, b"\0"))  # VNC's own order
        encryptor = Cipher(TripleDES(key * 3), modes.ECB()).encryptor()
        send(encryptor.update(challenge) + encryptor.finalize())
        return stream.read(4) == b"\0\0\0\0"


@pytest.mark.skipif(not shutil.which("x11vnc"), reason="There is no x11vnc")
def test_vnc_is_on_loopback_with_a_password_and_ends_with_the_desktop(kept: KeptDesktop) -> None:
    with VncServer(kept) as server:
        assert len(server.password) == 8
        assert not vnc_logged_in(server.port, "x" * 8)
        assert vnc_logged_in(server.port, server.password)
        tables = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        listening = [line.split()[1] for line in tables.splitlines() if line.split()[3] == "0A"]
        assert [one for one in listening if one.endswith(f":{server.port:04X}")] == [f"0100007F:{server.port:04X}"]
        assert server.is_running

        kept.end()

        assert soon(lambda: not server.is_running)


def test_without_x11vnc_the_package_is_named(kept: KeptDesktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vnc, "PROGRAM", "no-x11vnc")

    with pytest.raises(DesktopError, match="VNC needs no-x11vnc, which is not installed: sudo apt-get install"):
        VncServer(kept)
