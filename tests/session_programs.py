"""What the Wayland sessions of tests have in common: programs that end with them, and waits that tell the log."""

import subprocess
import time
from pathlib import Path
from typing import Any, Final

CAP_S: Final = 60.0


class SessionPrograms:
    """The part of a session that starts programs and waits."""

    environment: dict[str, str]
    _folder: Path
    _log: str  # the name of the compositor's log
    _programs: list["subprocess.Popen[bytes]"]

    def until(self, condition: Any) -> Any:
        """Wait for something, which must come."""
        end = time.monotonic() + CAP_S
        while not (there := condition()):
            assert time.monotonic() < end, (self._folder / self._log).read_text()[-2000:]
            time.sleep(0.02)
        return there

    def start_program(self, *command: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Start a program in it, which ends with it."""
        process = subprocess.Popen(
            command,
            env=self.environment | environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._programs.append(process)
        return process
