"""Runs a program with limits: on its time and its output, and nothing that it started is left running.

It gets a small part of our environment: no display, no session, no key. The memory of each process is limited; CPU
time, the number of processes, disk and network are not. This keeps accidents small. It is not a sandbox: a program may
do whatever the user may. Linux only, see `process_warden`.
"""

import codecs
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from toolbelt.control import Control
from toolbelt.tools.sandbox import process_warden

DEFAULT_S: Final = 30.0  # the time limit unless another is set
MAX_S: Final = 600.0  # the highest time limit
CHUNK_BYTES: Final = 65536
CHUNKS_AT_A_TIME: Final = 64  # read between two checks of the time and of a stop
MAX_CHARS: Final = 100_000  # of the output that are kept
LAST_LINES, LAST_CHARS = 20, 2000  # of the output in the message of a failure
WARDEN_S: Final = 5.0  # for the warden to end everything, before it is killed itself
ENDED: Final = "ended"


class Output:
    """The output of a program. If it is very long, only its beginning and its end are kept."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begin = self._end = ""
        self._length = 0

    def add(self, data: bytes) -> None:
        """Add more output."""
        text = self._decoder.decode(data)
        self._length += len(text)
        room = MAX_CHARS // 2 - len(self._begin)
        self._begin += text[:room]
        self._end = (self._end + text[room:])[-MAX_CHARS // 2 :]

    def text(self) -> str:
        """Return all of it, or the beginning and the end with how much is missing between them."""
        left_out = self._length - len(self._begin) - len(self._end)
        gap = f"\n[{left_out:,} characters are left out here]\n" if left_out else ""
        return (self._begin + gap + self._end).removesuffix("\n")

    def last_words(self) -> str:
        """Return the end for the message of a failure: the last line, then some lines before it."""
        lines = self.text()[-LAST_CHARS:].rstrip().splitlines()[-LAST_LINES:]
        if not lines:
            return "it printed nothing"
        return "\n".join([lines[-1].strip(), *(lines if len(lines) > 1 else [])])


class Child:
    """One running program. `talk` to it, and always `end` it.

    Args:
        command: the full path of the program, and its arguments.
        folder: its working folder, created if necessary.
        environment: its whole environment.
        memory: the memory limit of each of its processes, in bytes; 0 is no limit.
        listens: whether it reads what `talk` sends; otherwise its standard input is empty.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        memory: int = 0,
        listens: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        hearing = "listens" if listens else "deaf"
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
            [sys.executable, "-I", "-S", process_warden.__file__, str(memory), hearing, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,  # so that a Ctrl-C in our terminal does not reach it
        )
        assert self._process.stdin is not None  # noqa: S101 - both were asked for above
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin, self._process.stdout
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self._unsent = self._unread = b""
        self.said = Output()

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def talk(
        self, control: Control, seconds: float, request: bytes = b"", answer: re.Pattern[bytes] | None = None
    ) -> str:
        """Send `request` and read the output until it contains `answer`; `said` is the output before that.

        Returns:
            The first group of the answer, or `ENDED` if the program ended instead.

        Raises:
            Halt: the run was stopped. The program is still running.
            TimeoutError: neither came within `seconds`. The program is still running.
        """
        self._unsent, self.said = request, Output()
        came = control.until(lambda: self._exchange(answer), seconds)
        if came is None or came == ENDED:
            self.said.add(self._unread)
        if came is None:
            raise TimeoutError
        return came

    def end(self) -> int:
        """End it and all that it started; return its exit code, or the negative number of the signal that ended it."""
        self._input.close()
        self._process.terminate()  # a fork of ours may keep its input open
        self._process.send_signal(signal.SIGCONT)  # the program may have stopped its warden
        try:
            self._process.wait(WARDEN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        return self._process.returncode

    def _exchange(self, answer: re.Pattern[bytes] | None) -> str | None:
        """Send and read what is possible without waiting."""
        with contextlib.suppress(BrokenPipeError):  # its output before it ended is read all the same
            self._unsent = self._unsent[self._input.write(self._unsent) or 0 :]
        for _ in range(CHUNKS_AT_A_TIME):
            data = self._output.read(CHUNK_BYTES)
            if data is None:
                return None
            if not data:
                return ENDED
            if came := self._read(data, answer):
                return came
        return None

    def _read(self, data: bytes, answer: re.Pattern[bytes] | None) -> str | None:
        self._unread += data
        found = answer.search(self._unread) if answer else None
        # an answer may arrive in two pieces, and is never longer than its pattern
        kept = len(answer.pattern) if answer else 0
        end = found.start() if found else max(0, len(self._unread) - kept)
        self.said.add(self._unread[:end])
        self._unread = self._unread[found.end() if found else end :]
        return found[1].decode() if found else None


def environment(home: Path) -> dict[str, str]:
    """Return the part of our environment that a program gets."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "TMPDIR": tempfile.gettempdir(),
    }


def how_it_ended(code: int) -> str:
    """Say how a program ended, given its exit code."""
    return f"exit code {code}" if code >= 0 else f"a signal ({signal.strsignal(-code)})"


def allowed(seconds: float) -> float:
    """Return a time limit if it is valid.

    Raises:
        ValueError: it is not above 0, or longer than a tool call may take.
    """
    if not 0 < seconds <= MAX_S:
        raise ValueError(f"A program can be given more than 0 and at most {MAX_S:g} seconds, not {seconds:g}.")
    return seconds
