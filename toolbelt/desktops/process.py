"""Programs that the agent starts."""

import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

MESSAGE_MAX_CHARS: Final = 400  # of the end of a failed program's output, which holds the reason
END_MAX_S: Final = 5.0  # for a program to end by itself once its display is gone
# A program that a signal of these ended had no chance to finish what it was doing; not every system has all of them.
KILLING: Final = frozenset(
    getattr(signal, name, 0) for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGKILL", "SIGSEGV")
) - {0}


class Process:
    """A running program, with its `name`; its error output is kept, to explain a failure."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `forget`
        self.name = Path(command[0]).name
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            start_new_session=True,  # so that a Ctrl-C for us does not reach it
        )

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    def failure(self) -> str | None:
        """Return why it failed, or None while it runs or if it succeeded."""
        if not self._process.poll():
            return None
        self._said.seek(0)
        words = _readable(self._said.read().decode("utf-8", "replace"))
        return f"it ended with exit code {self._process.returncode}" + (f" and said: {words}" if words else "")

    @property
    def was_killed(self) -> bool:
        """Whether it crashed, or was killed without a chance to end what it was doing."""
        return -(self._process.poll() or 0) in KILLING

    def running(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def forget(self) -> None:
        """Stop keeping its output; it keeps running."""
        self._process.poll()
        self._said.close()

    def end(self) -> None:
        """Wait for it to end, and kill it if it does not."""
        try:
            self._process.wait(END_MAX_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _readable(said: str) -> str:
    """Return output as one line, without terminal escape codes; only the end of a long text."""
    bare = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said)
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in bare).split()).rstrip(".")
    return line if len(line) <= MESSAGE_MAX_CHARS else f"… {line[-MESSAGE_MAX_CHARS:].partition(' ')[2]}"
