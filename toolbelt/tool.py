"""A tool: a typed function with a docstring. Its schema, its validation and its words in the prompt come from it."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, Literal, ParamSpec, TypeVar, get_args, overload

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model

from world_model import ToolFailure

Risk = Literal["look", "act", "write", "danger"]
RISKS: Final = get_args(Risk)
P = ParamSpec("P")
R = TypeVar("R")
MARK: Final = "__mark_i_tool__"
SECONDS: Final = 60.0
THE_END: Final = "the end of the run"


@dataclass(frozen=True, slots=True)
class Ending:
    """What `finish` and `fail` return: the run is over, and this is what the agent says of it."""

    done: bool
    summary: str
    evidence: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """For a tool that returns values beside its words; a plain tool just returns a string."""

    text: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that the agent can do.

    Attributes:
        risk: `look` changes nothing, `act` uses the desktop, `write` leaves something behind, `danger` may do harm.
        seconds: how long a call may take before it ends as `TIMEOUT`.
        schema: the JSON schema of its arguments.
        check: gives the arguments as `run` wants them, or raises pydantic's `ValidationError`.
        returns: what comes back, in few words.
        instead: tools that may reach the same end where this one does not.
        places: the pairs of numbers in its words, `at 512, 300`, are pixels of the desktop; each brain is told them in
            the numbers that it uses itself.
    """

    name: str
    description: str
    risk: Risk
    seconds: float
    run: Callable[..., Any]
    schema: dict[str, Any] = field(hash=False)
    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    returns: str = "text"
    instead: tuple[str, ...] = ()
    places: bool = False

    @property
    def ends(self) -> bool:
        """Whether it ends the run; what it then returns are the agent's own words."""
        return self.returns == THE_END

    def validated(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the function wants them.

        Raises:
            ToolFailure: `INVALID_ARGS`, naming each argument that is wrong and how.
        """
        try:
            return self.check(args)
        except ValidationError as error:
            wrong = "; ".join(dict.fromkeys(_told(one) for one in error.errors()))
            hint = f"{self.name} is called as {self.signature}."
            raise ToolFailure("INVALID_ARGS", f"{self.name}: {wrong}.", [hint]) from error

    @property
    def signature(self) -> str:
        """How to call it, in one line: `type_text(text: string, into: {x, y} | {text} | string | null = null, ...)`."""
        required = self.schema.get("required", ())
        names = [
            f"{name}: {kind}"
            + ("" if name in required else f" = {json.dumps(self.schema['properties'][name].get('default'))}")
            for name, kind in self.kinds.items()
        ]
        return f"{self.name}({', '.join(names)})"

    @property
    def kinds(self) -> dict[str, str]:
        """The type of each argument, in few words: `{x, y} | string | null`."""
        return {name: _kind(about, self.schema) for name, about in self.schema["properties"].items()}


def _kind(about: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """A type, in few words, as a JSON schema tells it."""
    if "$ref" in about:
        return _kind(schema["$defs"][about["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in about:
        return " | ".join(_kind(one, schema) for one in about["anyOf"])
    if "enum" in about:
        return " | ".join(json.dumps(value) for value in about["enum"])
    if about.get("type") == "array":
        return f"[{_kind(about.get('items', {}), schema)}]"
    if about.get("type") == "object" and "properties" in about:
        return f"{{{', '.join(about['properties'])}}}"
    return str(about.get("type", "any"))


def _told(error: Mapping[str, Any]) -> str:
    names = [str(part) for part in error["loc"] if isinstance(part, int) or part.isidentifier()]
    return f"{'.'.join(names) or 'the arguments'}: {error['msg'][0].lower()}{error['msg'][1:]}"


@overload
def tool(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def tool(
    *, risk: Risk = ..., seconds: float = ..., instead: Sequence[str] = ..., places: bool = ...
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    risk: Risk = "act",
    seconds: float = SECONDS,
    instead: Sequence[str] = (),
    places: bool = False,
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function, or a method, a tool. The function itself stays as it is.

    Args:
        function: typed, with a docstring; given where no other argument is.
        risk: see `Tool`.
        seconds: how long a call may take.
        instead: names of tools that the agent is told of when this one fails it twice.
        places: see `Tool`.

    Raises:
        TypeError: it has no docstring, or an argument without a type: the agent could not know how to use it. Or there
            is no such risk, or no time for a call.
    """
    if function is None:
        return partial(_marked, marks=(risk, seconds, tuple(instead), places))
    return _marked(function, marks=(risk, seconds, tuple(instead), places))


def _marked(function: Callable[P, R], *, marks: tuple[Risk, float, tuple[str, ...], bool]) -> Callable[P, R]:
    if not inspect.getdoc(function):
        raise TypeError(f"The tool {function.__name__} needs a docstring: it is what the agent knows about it.")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"The tool {function.__name__} is asynchronous; tools are called one after the other.")
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "self" and parameter.annotation is parameter.empty:
            raise TypeError(f"The argument {name} of the tool {function.__name__} needs a type.")
        if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
            raise TypeError(f"The tool {function.__name__} cannot have {parameter}: it is called with named arguments.")
    risk, seconds, *_ = marks
    if risk not in RISKS:
        raise TypeError(f"The tool {function.__name__} has the risk {risk!r}: it is one of {', '.join(RISKS)}.")
    if not seconds > 0:
        raise TypeError(f"The tool {function.__name__} has {seconds} seconds: a call takes more than 0.")
    setattr(function, MARK, marks)
    return function


def tools_of(source: object) -> list[Tool]:
    """The tools that `source` brings: itself if it is one, otherwise its methods that are."""
    if isinstance(source, Tool):
        return [source]
    if hasattr(source, MARK) and callable(source):
        return [_tool(source)]
    found = [
        _tool(getattr(source, name)) for name in dir(type(source)) if hasattr(getattr(type(source), name, None), MARK)
    ]
    if not found:
        raise TypeError(f"{source!r} brings no tool: write @tool above a function or a method.")
    return found


def _tool(function: Callable[..., Any]) -> Tool:
    name: str = function.__name__
    risk, seconds, instead, places = getattr(function, MARK)
    signature = inspect.signature(function, eval_str=True)
    fields: dict[str, Any] = {
        # pydantic does not take every name for a field, but any for its alias
        f"argument_{parameter.name}": (
            Annotated[parameter.annotation, Field(alias=parameter.name)],
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in signature.parameters.values()
    }
    arguments = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    returns = _returned(signature.return_annotation)
    schema, check = arguments.model_json_schema(), partial(_checked, arguments)
    about = inspect.getdoc(function) or ""
    return Tool(name, about, risk, seconds, function, schema, check, returns, instead, places)


def _checked(arguments: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    model = arguments.model_validate(dict(args))
    return {str(field.alias): getattr(model, name) for name, field in arguments.model_fields.items()}


def _returned(kind: Any) -> str:  # noqa: ANN401 - an annotation may be anything
    if kind in {str, inspect.Signature.empty, Any}:
        return "text"
    if kind is ToolResult:
        return "text and data"
    if kind is Ending:
        return THE_END
    if kind is None:
        return "nothing"
    try:
        schema = TypeAdapter(kind).json_schema()
    except PydanticUserError:  # a class of the tool's own: it is shown as Python prints it
        return "data"
    return _kind(schema, schema)
