"""The tiers of the tests: what a test may start follows from the fixtures that it uses.

A test without a tier needs no display and starts no process; those run in `make test-fast`. Whatever a test starts
without the fixture that allows it is refused, so that no test is in a faster tier than it may be.
"""

import sys
from pathlib import Path
from typing import Any, Final

import pytest

FIXTURES: Final = {"display": "display", "processes": "process", "browser": "browser", "benchmark": "bench"}
STARTS: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "os.spawn"}
X_SOCKETS: Final = "/tmp/.X11-unix/"
PROGRAMS: Final = {
    **dict.fromkeys(("Xvfb", "Xephyr", "xvfb_keeper.py"), "display"),
    **dict.fromkeys(("chromium", "chromedriver"), "browser"),
    **dict.fromkeys(("uname", "lsb_release"), None),  # an SDK asks once what machine this is
}


def mark(items: list[pytest.Item]) -> None:
    """Give each test the markers of the fixtures that it uses, directly or through others.

    And a group: all tests that depend on timing are one, so that none of them runs beside another; otherwise a file is.
    """
    for item in items:
        item.add_marker(pytest.mark.xdist_group("timing" if item.get_closest_marker("timing") else item.path.stem))
        for name in FIXTURES.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(FIXTURES[name])


class Guard:
    """Refuses what the current test may not start."""

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.refused: list[str] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        """Listen to the interpreter's audit events."""
        if self.item is not None and (tier := _needed(event, args)) and not self.item.get_closest_marker(tier):
            fixture = next(name for name, given in FIXTURES.items() if given == tier)
            self.refused.append(f"{event}{args[:2]}: request the fixture `{fixture}`, which puts the test in its tier")
            raise RuntimeError(self.refused[-1])


def _needed(event: str, args: tuple[Any, ...]) -> str | None:
    """The tier that an audit event needs."""
    if event == "socket.connect":
        return "display" if X_SOCKETS in str(args[1]) else None
    if event not in STARTS:
        return None
    words = args[1][:4] if event == "subprocess.Popen" and not isinstance(args[1], str | bytes) else ()
    programs = [name for name in (Path(str(word)).name for word in words) if name in PROGRAMS]
    return PROGRAMS[programs[0]] if programs else "process"


def install() -> Guard:
    """Start the guard; an audit hook stays for the life of the process."""
    guard = Guard()
    sys.addaudithook(guard)
    return guard
