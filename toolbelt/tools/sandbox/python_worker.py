"""The process that runs the Python code of `python_repl`, request by request, and keeps its definitions.

Run as a script. A request is a line of JSON on standard input, `{"code": ..., "mark": ...}`. The output of the code
goes to standard output, then the value of its last expression or its traceback, then the mark with one of `done`,
`failed` and `memory`. The mark is new each time, so that no output of the code is taken for an answer.
"""

import ast
import json
import linecache
import os
import sys
import traceback
import types
from io import TextIOWrapper
from typing import Any

STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> None:
    """Answer requests until there are no more."""
    requests = os.fdopen(os.dup(STDIN), "rb")
    answers = os.fdopen(os.dup(STDOUT), "wb")
    streams = Streams(answers.fileno())
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module  # so that pickle and dataclasses find what the code defines
    sys.argv = [""]
    sys.path.append(os.getcwd())  # noqa: PTH109 - the last place to look, so that no file here hides a module
    own = os.getpid()
    for number, line in enumerate(requests, 1):
        request = json.loads(line)
        last_words, outcome = answer(request["code"], f"<call {number}>", vars(module))
        streams.restore()
        if os.getpid() != own:
            os._exit(0)  # a fork that the code left running; its parent answers
        answers.write(last_words)
        answers.flush()
        answers.write(f"{request['mark']}{outcome}\n".encode())  # written separately, so that nothing is mixed into it
        answers.flush()


class Streams:
    """The standard streams of the code, restored after each call, whatever it did to them."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._own: dict[str, TextIOWrapper] = {}
        self.restore()

    def restore(self) -> None:
        """Flush the streams and reopen closed ones. Standard input is empty."""
        with os.fdopen(os.open(os.devnull, os.O_RDONLY)) as empty:
            os.dup2(empty.fileno(), STDIN)
        os.dup2(self._output, STDOUT)
        os.dup2(self._output, STDERR)
        for name, descriptor, mode in (("stdin", STDIN, "rb"), ("stdout", STDOUT, "wb"), ("stderr", STDERR, "wb")):
            if not self._works(name):
                self._own[name] = TextIOWrapper(
                    os.fdopen(descriptor, mode, buffering=0, closefd=False),
                    encoding="utf-8",
                    errors="backslashreplace",
                    write_through=True,  # so that nothing is lost when the process is ended
                )
            setattr(sys, name, self._own[name])

    def _works(self, name: str) -> bool:
        try:
            self._own[name].flush()
        except (KeyError, ValueError):  # not opened yet, closed, or detached
            return False
        return True


def answer(code: str, name: str, space: dict[str, Any]) -> tuple[bytes, str]:
    """Run the code; return the traceback if it raised, and the outcome in one word."""
    try:
        run(code, name, space)
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its result
        if isinstance(error, SystemExit) and not error.code:
            return b"", "done"
        told = explained(error).encode("utf-8", "backslashreplace")
        return told, "memory" if isinstance(error, MemoryError) else "failed"
    return b"", "done"


def run(code: str, name: str, space: dict[str, Any]) -> None:
    """Run the statements; a final expression is shown as at the Python prompt."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    statements = ast.parse(code, name).body
    last = [statements.pop()] if statements and isinstance(statements[-1], ast.Expr) else []
    exec(compile(ast.Module(statements, []), name, "exec", dont_inherit=True), space)  # noqa: S102 - its task
    exec(compile(ast.Interactive(last), name, "single", dont_inherit=True), space)  # noqa: S102


def explained(failure: BaseException) -> str:
    """Return the traceback, without the frames of this file."""
    place = failure.__traceback__
    while place and place.tb_frame.f_code.co_filename == __file__:
        place = place.tb_next
    if isinstance(failure, SyntaxError):
        return "".join(traceback.format_exception_only(failure))
    return "".join(traceback.format_exception(failure.with_traceback(place)))


if __name__ == "__main__":
    main()
