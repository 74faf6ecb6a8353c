"""Regular expressions from outside, which may take for ever: they are tried in a process that can be ended.

Python matches without letting other threads run, so a thread could not even be stopped.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from world_model import ToolFailure

SEARCH_MAX_S: Final = 3.0  # for all the lines of a screen; a process starts in 0.02 s
SEARCH: Final = """
import json, re, sys
pattern, lines = json.load(sys.stdin)
print(json.dumps(next((found[0] for line in lines if (found := re.search(pattern, line))), None)))
"""


def check_pattern(pattern: str) -> None:
    """Raise `INVALID_ARGS` for what is no regular expression."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ToolFailure("INVALID_ARGS", f'"{pattern}" is no regular expression: {error}.') from error


def search(pattern: str, texts: Sequence[str]) -> str | None:
    """Return the first part of a text that matches; None if there is none.

    Raises:
        ToolFailure: `INVALID_ARGS` if that takes too long.
    """
    command = [sys.executable, "-I", "-S", "-c", SEARCH]
    given = json.dumps([pattern, list(texts)])
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter, with our own code
            command, input=given, capture_output=True, text=True, timeout=SEARCH_MAX_S, check=True
        )
    except subprocess.TimeoutExpired as error:
        told = f'The regular expression "{pattern}" takes too long.'
        raise ToolFailure("INVALID_ARGS", told, ["Repeat nothing within a repetition."]) from error
    found: str | None = json.loads(done.stdout)
    return found
