"""Carry out the steps of the Containerfile in a chroot, where there is no container engine, and use what they make.

    sudo python3 scripts/container.py FOLDER [NAME=VALUE ...] [PATH ...]

FOLDER is new or empty, on a disk with 6 GB left; debootstrap must be installed. Each NAME=VALUE is a build argument:
with WITH=fleet, a fleet on the Ray of two containers is checked, too. Each PATH is a file or a folder of this machine
that the steps need, such as one with a certificate or with packages; it is bound to the same place. Prints what it
checks, and exits with 0 if all is right. What it mounts and starts ends with it.
"""

import io
import json
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[1]
MOUNTED: Final = "MARK_I_MOUNTED"  # set in the process that has mounts of its own
PASSED: Final = ("PIP_", "SSL_", "REQUESTS_", "UV_")  # beginnings of variables that the steps see
UID: Final = "1000"
GOAL: Final = 'open the text editor, type "Hello from a container", save it as /home/mark-i/hello.txt'
CLIENT: Final = """
import asyncio, subprocess, sys
import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

async def names(address, token):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as client:
        async with streamable_http_client(address, http_client=client) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                return {tool.name for tool in (await session.list_tools()).tools}

with subprocess.Popen(["mark-i", "mcp", "--virtual", "800x600", "--http", sys.argv[1]], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True) as server:
    try:
        said = ""
        while "Bearer " not in said:
            line = server.stdout.readline()
            if not line:
                sys.exit(f"the server ended: {said}")
            said += line
        address, *_, token = said.split()
        refused = httpx2.post(address, json={}).status_code
        found = asyncio.run(names(address, token))
    finally:
        server.terminate()
print(refused, len(found), "run_goal" in found)
sys.exit(not (refused == 401 and "run_goal" in found))
"""
FLEET: Final = """
[defaults]
brain = "offline"
size = "800x600"

[[task]]
name = "typed"
setup = "xterm -e 'cat > typed.txt' &"
goal = 'Type "bread" and press enter.'
check = "grep -qx bread typed.txt"
"""
RAY_MAX_S: Final = 120.0  # until the head of a Ray listens


class Box:
    """A chroot, with the variables, the user and the folder that the steps have set so far.

    Args:
        root: its folder.
        arguments: of the build.
    """

    def __init__(self, root: Path, arguments: Mapping[str, str]) -> None:
        self.root, self.user, self.folder, self.arguments = root, "0", "/", arguments
        self.commands: dict[str, list[str]] = {}
        self.environment = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}
        self.environment |= {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}

    def run(self, *command: str) -> int:
        """Run a command inside, as `started` does, and return its exit code."""
        with self.started(*command) as process:
            return process.wait()

    @contextmanager
    def started(self, *command: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Start a command inside, in process and mount spaces that end with it; its output goes where ours does."""
        inside = shlex.join(["cd", self.folder]) + " && exec " + shlex.join(command)
        space = ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc"]
        change = [shutil.which("chroot") or "chroot", f"--userspec={self.user}:{self.user}", str(self.root)]
        with subprocess.Popen([*space, *change, "sh", "-c", inside], env=self.environment) as process:
            try:
                yield process
            finally:
                _end(process.pid)

    def step(self, word: str, rest: str) -> None:
        """Carry out a line of the Containerfile."""
        match word:
            case "FROM":
                suite = rest.partition(":")[2].removesuffix("-slim")
                subprocess.run(["debootstrap", "--variant=minbase", suite, str(self.root)], check=True)
            case "RUN":
                if code := self.run("sh", "-c", rest):
                    sys.exit(f"container: {rest!r} ended with {code}")
            case "COPY":
                _, target = rest.split()
                copied = subprocess.run(["git", "archive", "HEAD"], cwd=CHECKOUT, check=True, capture_output=True)
                with tarfile.open(fileobj=io.BytesIO(copied.stdout)) as archive:
                    archive.extractall(self.root / target.lstrip("/"), filter="data")
            case "ARG":
                name, _, value = rest.partition("=")
                self.environment[name] = self.arguments.get(name, value)
            case "ENV":
                name, _, value = rest.partition("=")
                self.environment[name] = value
            case "USER":
                self.user, self.environment["HOME"] = UID, f"/home/{rest}"
            case "WORKDIR":
                self.folder = rest
            case "ENTRYPOINT" | "CMD":
                self.commands[word] = json.loads(rest)
            case _:
                sys.exit(f"container: {word} is not known here")


def main() -> None:
    """Build and check."""
    if not sys.argv[1:] or os.geteuid():
        sys.exit(__doc__)
    if not shutil.which("debootstrap"):
        sys.exit("container: debootstrap is not installed. sudo apt-get install debootstrap")
    if MOUNTED not in os.environ:
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv]
        os.execvpe(command[0], command, {**os.environ, MOUNTED: "1"})
    root = Path(sys.argv[1]).absolute()
    arguments = dict(one.split("=", 1) for one in sys.argv[2:] if "=" in one)
    needed = [Path(one).absolute() for one in sys.argv[2:] if "=" not in one]
    if root.exists() and any(root.iterdir()):
        sys.exit(f"container: {root} is not empty")
    box = Box(root, arguments)
    for line in (CHECKOUT / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            print(f"container: {line}", flush=True)
            word, _, rest = line.partition(" ")
            box.step(word, rest)
            if word == "FROM":
                _bind(root, needed)
    _check(box)


def _bind(root: Path, needed: list[Path]) -> None:
    """Give a new chroot the devices of this machine, its name service and the paths that are needed."""
    for path in (Path("/dev"), Path("/etc/resolv.conf"), *needed):
        inside = root / str(path).lstrip("/")
        if path.is_dir():
            inside.mkdir(parents=True, exist_ok=True)
        else:
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.touch()
        subprocess.run(["mount", "--rbind", str(path), str(inside)], check=True)


def _check(box: Box) -> None:
    entry, default = box.commands["ENTRYPOINT"], box.commands["CMD"]
    checks: Mapping[str, tuple[str, ...]] = {
        "what a container does by itself": (*entry, *default),
        "a run": (*entry, "run", "--virtual", "--brain", "offline", GOAL),
        "its file": ("grep", "-qx", "Hello from a container", "/home/mark-i/hello.txt"),
        "MCP over HTTP, with and without the token": ("/opt/mark-i/.venv/bin/python", "-c", CLIENT, "8765"),
    }
    failed = []
    for name, command in checks.items():
        failed += _judged(name, box.run(*command))
    if box.arguments.get("WITH") == "fleet":
        failed += _judged("a fleet on the Ray of two containers", _fleet(box))
    sys.exit(bool(failed))


def _judged(name: str, code: int) -> list[str]:
    """Print how a check ended, and return its name if it failed."""
    print(f"container: {name}: {'right' if code == 0 else f'ended with {code}'}", flush=True)
    return [name] if code else []


def _fleet(box: Box) -> int:
    """Run a fleet in a container with the head of a Ray, on the machine that another container is."""
    box.environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    head = f"ray start --head --port {port} --num-cpus 0 --include-dashboard=false --disable-usage-stats"
    (box.root / "home" / "mark-i" / "goals.toml").write_text(FLEET, encoding="utf-8")
    with box.started("sh", "-c", f"{head} && exec mark-i fleet run goals.toml --ray 127.0.0.1:{port}") as first:
        end = time.monotonic() + RAY_MAX_S
        while not _listens(port):
            if first.poll() is not None or time.monotonic() > end:
                return 1
            time.sleep(0.1)
        with box.started("ray", "start", "--block", "--address", f"127.0.0.1:{port}", "--num-cpus", "1"):
            return first.wait()


def _end(space: int) -> None:
    """End what runs inside: unshare itself ignores SIGTERM, and cannot take along what has changed its user."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{space}/task/{space}/children").read_text(encoding="ascii").split():
            os.kill(int(child), signal.SIGKILL)


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    main()
