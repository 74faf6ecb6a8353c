"""The Toolbelt: the tools of the agent, and the one place where the failure of a tool becomes an Observation."""

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Annotated, Any, Final

from pydantic_core import to_jsonable_python
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from toolbelt.control import Control, TakenOverError
from toolbelt.parameters import Query
from toolbelt.tool import Ending, Tool, ToolResult, tool, tools_of
from world_model import Action, DesktopError, Observation, Problem, RefusedBy, ToolFailure, places_in, structured

ENDS_HERE: Final = "The run ends here."  # the words of the agent are not an observation
SWITCHED_OFF: Final = "The user switched it off for every run. Continue without it."
NETWORK_TRIES: Final = 3  # of a tool that only looks


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a call.

    Attributes:
        ending: what the agent says, if the tool ends the run.
        acted: whether the tool may have changed anything.
    """

    observation: Observation
    ending: Ending | None = None
    acted: bool = False


def _unfilled(action: Action, _tool: Tool) -> Action:
    return action


class Toolbelt:
    """Tools by name. `Toolbelt(open_ticket, Mouse(desktop))`: functions, or objects whose methods are tools."""

    def __init__(self, *sources: object) -> None:
        """Collect the tools of all sources.

        Raises:
            ValueError: two tools have the same name.
        """
        self._tools: dict[str, Tool] = {}
        self._off: frozenset[str] = frozenset()
        self.add(*sources)

    def add(self, *sources: object) -> None:
        """Add the tools of more sources, even during a run: the next prompt names them.

        Raises:
            ValueError: two tools have the same name; none is added then.
        """
        tools = dict(self._tools)
        for one in chain.from_iterable(map(tools_of, sources)):
            if one.name in tools:
                raise ValueError(f"There are two tools named {one.name}; rename one.")
            tools[one.name] = one
        self._tools = tools

    def remove(self, *sources: object) -> None:
        """Remove the tools of sources: the next prompt does not name them."""
        gone = {tool.name for tool in chain.from_iterable(map(tools_of, sources))}
        self._tools = {name: tool for name, tool in self._tools.items() if name not in gone}

    def switch_off(self, names: Iterable[str]) -> None:
        """Hide the tools that the user wants in no run, including any that are added later."""
        self._off = frozenset(names)

    def __iter__(self) -> Iterator[Tool]:
        return (tool for tool in self._tools.values() if tool.name not in self._off and not tool.ends_steps)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._tools and name not in self._off

    def known(self, name: str) -> Tool | None:
        """Return the tool with that name, even one that is switched off; None if there is none.

        For what was done before: the tool of an earlier step may be gone by now.
        """
        return self._tools.get(name)

    def __getitem__(self, name: str) -> Tool:
        """The tool with that name.

        Raises:
            ToolFailure: `UNKNOWN_TOOL`, with the nearest names, or with the reason that it is switched off.
        """
        if name in self:
            return self._tools[name]
        if name in self._tools:
            raise ToolFailure("UNKNOWN_TOOL", f"The tool {name} is switched off.", [SWITCHED_OFF])
        known = [tool.name for tool in self]
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(sorted(known))}."
        raise ToolFailure("UNKNOWN_TOOL", f"There is no tool named {name!r}.", [hint], near)

    @tool(risk="look", describes_tools=True)
    def describe_tools(self, names: Annotated[list[str], Query]) -> str:
        """Show the arguments of tools."""
        return "\n".join(self[name].entry for name in names)

    def call(
        self,
        action: Action,
        control: Control,
        within: float | None = None,
        fill: Callable[[Action, Tool], Action] = _unfilled,
    ) -> CallResult:
        """Validate the arguments, run the tool, and return its result.

        Whatever the tool raises becomes an observation with an error code; only a stop and a lost desktop propagate.

        Args:
            action: the tool and its arguments.
            control: stops the call.
            within: seconds for the call, if that is less than the tool may take.
            fill: fills in what only the tool may see.
        """
        acted = False
        try:
            tool = self[action.tool]
            args = tool.validated(fill(action, tool).args)
            acted = tool.risk != "look"
            result = _used(tool, args, control, tool.seconds if within is None else min(tool.seconds, within))
            ending = result if isinstance(result, Ending) else None
            observation = Observation(ok=True, text=ENDS_HERE) if ending else _observation(result)
        except DesktopError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the one broad except: a failure is an observation
            problem = _problem(error, action.tool)
            return CallResult(
                Observation(ok=False, text="", error=problem, places=places_in(problem.message)), acted=acted
            )
        finally:
            if acted:
                control.acted()
        return CallResult(observation, ending, acted=acted)


def _used(tool: Tool, args: Mapping[str, Any], control: Control, seconds: float) -> object:
    """Return what the tool returns. After a network failure only a tool that changes nothing is tried again."""
    tries = NETWORK_TRIES if tool.risk == "look" else 1
    retrying = Retrying(
        retry=retry_if_exception(_transient),
        stop=stop_after_attempt(tries),
        wait=wait_exponential_jitter(initial=0.2, max=2.0),
        sleep=control.wait,
        reraise=True,
    )
    return retrying(control.act, partial(tool.run, **args), seconds)


def _transient(error: BaseException) -> bool:
    return isinstance(error, ConnectionError) or (isinstance(error, ToolFailure) and error.code == "NETWORK_ERROR")


def _observation(result: object) -> Observation:
    if isinstance(result, ToolResult):
        places = (*places_in(result.text), *result.places)
        return Observation(ok=True, text=result.text, data=_plain(result.data), places=places)
    if isinstance(result, str):
        return Observation(ok=True, text=result, places=places_in(result))
    data = _plain(result)
    return Observation(ok=True, text=str(data) if data is None else structured(data), data=data)


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    plain = json.dumps(to_jsonable_python(value, fallback=repr))
    return json.loads(plain, parse_constant=str)  # JSON has no NaN; it becomes a text


def _problem(error: Exception | SystemExit, tool: str) -> Problem:
    match error:
        case ToolFailure():
            refused_by: RefusedBy | None = "takeover" if isinstance(error, TakenOverError) else None
            return Problem(error.code, error.message, error.hints, error.instead, refused_by)
        case FileNotFoundError():
            return Problem("FILE_NOT_FOUND", f"There is no file {error.filename}." if error.filename else str(error))
        case PermissionError():
            told = f"{error.filename} cannot be used: {error.strerror}." if error.filename else str(error)
            return Problem("PERMISSION_DENIED", told)
        case ConnectionError():
            return Problem(
                "NETWORK_ERROR", f"{tool} lost its connection: {error}.", ("Try again later, or continue without it.",)
            )
        case TimeoutError():
            return Problem("TIMEOUT", f"{tool} did not finish in time.")
        case _:
            return Problem("TOOL_ERROR", f"{tool} failed: {type(error).__name__}: {error}")
