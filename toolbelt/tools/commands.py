"""Programs of the command line."""

import difflib
import errno
import json
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from toolbelt.control import Control
from toolbelt.parameters import Command, Runs
from toolbelt.tool import tool
from toolbelt.tools.sandbox.limited_process import DEFAULT_S, MAX_S, Child, allowed, environment, how_it_ended
from world_model import ToolFailure

SHELL: Final = re.compile(r"[\s|&;<>()$`'\"*?\0]")  # what only a shell understands in the name of a program


class Programs:
    """Runs programs to completion, with a list of arguments and no shell.

    A program gets a small part of our environment, no input, and a time limit; whatever it leaves running is ended with
    it. This is not a sandbox: a program may do whatever the user may. Its memory is not limited, since many programs
    reserve far more than they use. Linux only, see `process_warden`.

    Args:
        control: a stop ends the program at once.
        folder: the working folder of the programs.
        seconds: the time limit of one program.
    """

    def __init__(self, control: Control, folder: Path, *, seconds: float = DEFAULT_S) -> None:
        self._control = control
        self._folder = folder.absolute()
        self._seconds = allowed(seconds)

    @tool(risk="danger", seconds=MAX_S + 30)
    def run_command(
        self,
        program: Annotated[str, Field(min_length=1, description="Its name or its path."), Runs],
        args: Annotated[Annotated[list[str], Command] | None, Field(description="No shell reads them.")] = None,
    ) -> str:
        """Run a program and return its exit code and its output, including errors.

        No shell reads the arguments: `|`, `>`, `*` and `$` mean nothing. A program with a window is for `open_app`.
        """
        command = [self._found(program), *(args or [])]
        try:
            child = Child(command, self._folder, environment(Path.home()))
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno != errno.E2BIG:
                raise
            raise ToolFailure("INVALID_ARGS", f"{program} cannot be given these arguments: {error}.") from error
        try:
            child.talk(self._control, self._seconds)
        except TimeoutError:
            told = f"{program} still ran after {self._seconds:g} s and was ended: {child.said.last_words()}"
            raise ToolFailure("TIMEOUT", told) from None
        finally:
            exit_code = child.end()
        if exit_code:
            raise ToolFailure(
                "TOOL_ERROR", f"{program} ended with {how_it_ended(exit_code)}: {child.said.last_words()}"
            )
        return f"Exit code 0.\n{child.said.text()}".strip()

    def _found(self, program: str) -> str:
        """Return the full path of a program; a relative path starts from our folder."""
        path = environment(Path.home())["PATH"]
        place = str(self._folder / os.path.expanduser(program)) if os.sep in program else program  # noqa: PTH111
        if found := shutil.which(place, path=path):
            return os.path.abspath(found)  # noqa: PTH100 - a link may be a program of its own name
        if SHELL.search(program):
            raise ToolFailure("INVALID_ARGS", f"`{program}` is not the name of one program.", [_without_shell(program)])
        if os.sep in program and Path(place).exists():
            raise ToolFailure("PERMISSION_DENIED", f"{place} is not a program, or you may not run it.")
        near = difflib.get_close_matches(Path(program).name, _programs(path), n=3, cutoff=0.6)
        raise ToolFailure(
            "FILE_NOT_FOUND", f"There is no program {program}.", [f"Did you mean {' or '.join(near)}?"] if near else []
        )


def _without_shell(line: str) -> str:
    """Say how to call the first command of a line that was meant for a shell."""
    first = re.split(r"[|&;<>()]", line)[0]
    try:
        words = shlex.split(first)
    except ValueError:  # an unclosed quotation mark
        words = first.split()
    call = f"run_command(program={json.dumps(words[0])}, args={json.dumps(words[1:])})" if words else "run_command"
    return f"There is no shell, so no pipes and no redirections. Give one program and its arguments: {call}."


def _programs(path: str) -> list[str]:
    """List the names of all programs on the path."""
    folders = [folder for folder in path.split(os.pathsep) if Path(folder).is_dir()]
    return sorted({name for folder in folders for name in os.listdir(folder)})  # noqa: PTH208 - thousands of names
