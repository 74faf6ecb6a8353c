"""The Toolbelt: every tool that the agent has, and the one place where a tool's failure becomes an Observation."""

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from toolbelt.control import Control
from toolbelt.tool import Ending, Tool, ToolResult, tools_of
from world_model import Action, DesktopError, Observation, Problem, ToolFailure


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a call: the observation, the ending where the tool ends the run, and whether it may have acted."""

    observation: Observation
    ending: Ending | None = None
    acted: bool = False


class Toolbelt:
    """Tools by name. `Toolbelt(open_ticket, Mouse(desktop))`: functions, or objects whose methods are tools."""

    def __init__(self, *sources: object) -> None:
        """Collect the tools of all sources.

        Raises:
            ValueError: two tools have the same name.
        """
        self._tools: dict[str, Tool] = {}
        for source in sources:
            for tool in tools_of(source):
                if tool.name in self._tools:
                    raise ValueError(f"There are two tools named {tool.name}; rename one.")
                self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __getitem__(self, name: str) -> Tool:
        """The tool with that name.

        Raises:
            ToolFailure: `UNKNOWN_TOOL`, with the nearest names.
        """
        if tool := self._tools.get(name):
            return tool
        near = difflib.get_close_matches(name, self._tools, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(sorted(self._tools))}."
        raise ToolFailure("UNKNOWN_TOOL", f"There is no tool named {name!r}.", [hint])

    def call(self, action: Action, control: Control) -> Done:
        """Validate the arguments, use the tool, and say truly what came of it.

        Whatever a tool raises becomes an observation with an error code; only a stop and a lost desktop go on up.
        """
        acted = False
        try:
            tool = self[action.tool]
            args = tool.validated(action.args)
            acted = tool.risk != "look"
            result = control.call(lambda: tool.run(**args), tool.seconds)
            ending = result if isinstance(result, Ending) else None
            observation = Observation(ok=True, text=ending.summary) if ending else _observation(result)
        except DesktopError:
            raise
        except Exception as error:  # noqa: BLE001 - the one broad except: a tool's failure is an observation
            return Done(Observation(ok=False, text="", error=_problem(error, action.tool)), acted=acted)
        return Done(observation, ending, acted=acted)


def _observation(result: object) -> Observation:
    if isinstance(result, ToolResult):
        return Observation(ok=True, text=result.text, data=_plain(result.data))
    if isinstance(result, str):
        return Observation(ok=True, text=result)
    data = _plain(result)
    return Observation(ok=True, text=json.dumps(data, ensure_ascii=False), data=data)


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    return to_jsonable_python(value, fallback=repr)


def _problem(error: Exception, tool: str) -> Problem:
    match error:
        case ToolFailure():
            return Problem(error.code, error.message, error.hints)
        case FileNotFoundError():
            return Problem("FILE_NOT_FOUND", f"There is no file {error.filename}." if error.filename else str(error))
        case PermissionError():
            told = f"{error.filename} may not be used: {error.strerror}." if error.filename else str(error)
            return Problem("PERMISSION_DENIED", told)
        case TimeoutError():
            return Problem("TIMEOUT", f"{tool} did not come to an end in its time.")
        case _:
            return Problem("TOOL_ERROR", f"{tool} failed: {type(error).__name__}: {error}")
