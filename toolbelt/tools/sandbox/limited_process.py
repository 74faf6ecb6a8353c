"""A program with limits: it ends in time, so much of what it says is kept, and nothing that it started is left.

It gets little of our environment: no display, no session, no key. Its memory is limited for each process; processor
time, the number of processes, the disk and the network are not. This keeps accidents small. It is no sandbox: a
program may do whatever the user may. Linux only, see `warden`.
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

SECONDS: Final = 30.0  # unless more is allowed, and at most LONGEST
LONGEST: Final = 600.0
CHUNK: Final = 65536
CHUNKS: Final = 64  # that are heard between two looks at the time and at a stop
KEPT: Final = 100_000  # characters
LAST_LINES, LAST_CHARACTERS = 20, 2000  # of a failure's message
PATIENCE: Final = 5.0  # seconds for the warden to end everything, before it is ended itself
ENDED: Final = "ended"


class Output:
    """What a program says. Of very much, only the beginning and the end are kept."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begin = self._end = ""
        self._length = 0

    def add(self, data: bytes) -> None:
        """What it said next."""
        text = self._decoder.decode(data)
        self._length += len(text)
        room = KEPT // 2 - len(self._begin)
        self._begin += text[:room]
        self._end = (self._end + text[room:])[-KEPT // 2 :]

    def text(self) -> str:
        """All of it, or the beginning and the end with how much was left out between them."""
        left_out = self._length - len(self._begin) - len(self._end)
        gap = f"\n[{left_out:,} characters are left out here]\n" if left_out else ""
        return (self._begin + gap + self._end).removesuffix("\n")

    def last_words(self) -> str:
        """For the message of a failure: the last line, and on lines of their own some that led to it."""
        lines = self.text()[-LAST_CHARACTERS:].rstrip().splitlines()[-LAST_LINES:]
        if not lines:
            return "it said nothing"
        return "\n".join([lines[-1].strip(), *(lines if len(lines) > 1 else [])])


class Child:
    """One running program. `talk` to it, and `end` it in any case.

    Args:
        command: the full path of the program, and its arguments.
        folder: where it runs; made if it is not there.
        environment: all of it.
        memory: how many bytes each of its processes may have; 0 is no limit.
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
            start_new_session=True,  # a Ctrl-C that is meant for us does not reach it
        )
        assert self._process.stdin is not None  # noqa: S101 - both were asked for above
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin, self._process.stdout
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self._unsent = self._unheard = b""
        self.said = Output()

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def talk(
        self, control: Control, seconds: float, request: bytes = b"", answer: re.Pattern[bytes] | None = None
    ) -> str:
        """Send `request`, and hear what is said until `answer` is in it; `said` is what came before that.

        Returns:
            The first group of the answer, or `ENDED` when the program ended instead.

        Raises:
            Halt: the run was stopped. The program still runs.
            TimeoutError: neither came in `seconds`. The program still runs.
        """
        self._unsent, self.said = request, Output()
        came = control.until(lambda: self._exchange(answer), seconds)
        if came is None or came == ENDED:
            self.said.add(self._unheard)
        if came is None:
            raise TimeoutError
        return came

    def end(self) -> int:
        """End it and all that it started; its exit code, or the signal that ended it as a negative number."""
        self._input.close()
        self._process.terminate()  # a fork of ours may hold the other end of its input open
        self._process.send_signal(signal.SIGCONT)  # the program may have stopped its warden
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        return self._process.returncode

    def _exchange(self, answer: re.Pattern[bytes] | None) -> str | None:
        """Send and hear what can be without waiting."""
        with contextlib.suppress(BrokenPipeError):  # what it said before it ended is heard all the same
            self._unsent = self._unsent[self._input.write(self._unsent) or 0 :]
        for _ in range(CHUNKS):
            data = self._output.read(CHUNK)
            if data is None:
                return None
            if not data:
                return ENDED
            if came := self._hear(data, answer):
                return came
        return None

    def _hear(self, data: bytes, answer: re.Pattern[bytes] | None) -> str | None:
        self._unheard += data
        found = answer.search(self._unheard) if answer else None
        # an answer may come in two pieces, and is never longer than its pattern
        kept = len(answer.pattern) if answer else 0
        end = found.start() if found else max(0, len(self._unheard) - kept)
        self.said.add(self._unheard[:end])
        self._unheard = self._unheard[found.end() if found else end :]
        return found[1].decode() if found else None


def environment(home: Path) -> dict[str, str]:
    """All that a program gets of our environment."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "TMPDIR": tempfile.gettempdir(),
    }


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    return f"exit code {code}" if code >= 0 else f"a signal ({signal.strsignal(-code)})"


def allowed(seconds: float) -> float:
    """A time limit, if it is one.

    Raises:
        ValueError: it is not above 0, or more than a tool's call may take.
    """
    if not 0 < seconds <= LONGEST:
        raise ValueError(f"A program can be given more than 0 and at most {LONGEST:g} seconds, not {seconds:g}.")
    return seconds
