"""A program that the agent started."""

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Final

TOLD: Final = 400  # characters of what a failed program said; its last words are the reason
PATIENCE: Final = 5.0  # seconds for a program to end by itself when its display is gone


class Process:
    """A program that runs beside us; what it says as an error is kept, to be told if it fails."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `forget`
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            start_new_session=True,  # a Ctrl-C that is meant for us does not reach it
        )

    def failure(self) -> str | None:
        """Why it ended, or None while it runs or when it ended well."""
        if not self._process.poll():
            return None
        self._said.seek(0)
        words = _readable(self._said.read().decode("utf-8", "replace"))
        return f"it ended with exit code {self._process.returncode}" + (f" and said: {words}" if words else "")

    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def forget(self) -> None:
        """Listen to it no more."""
        self._process.poll()
        self._said.close()

    def end(self) -> None:
        """See to it that it has ended."""
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _readable(said: str) -> str:
    """What a program said, as one line without what only a terminal understands; of a long text the end."""
    bare = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said)
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in bare).split()).rstrip(".")
    return line if len(line) <= TOLD else f"… {line[-TOLD:].partition(' ')[2]}"
