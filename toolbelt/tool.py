"""A tool: a typed function with a docstring. Its schema, its validation and its words in the prompt come from it."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getattr_static
from typing import Annotated, Any, Final, Literal, ParamSpec, TypedDict, TypeVar, Unpack, get_args, overload

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, ValidationError, create_model

from toolbelt.parameters import ParameterRole, Parts, parts_of, role_of
from world_model import Place, ToolFailure

Risk = Literal["look", "act", "write", "danger"]
RISKS: Final = get_args(Risk)
GoalKind = Literal["deed", "answer"]  # what a goal asks for: that something is done, or to be told something
P = ParamSpec("P")
R = TypeVar("R")
MARK: Final = "__mark_i_tool__"
SECONDS: Final = 60.0


class Traits(TypedDict, total=False):
    """What the rest of the program must know about some tools: it asks for a trait, and never for a name.

    Attributes:
        asks_person: it puts a question to the person; their answer is in its data.
        holds_keys: it puts keys `down` and leaves them there, or lets them `up` again.
        pastes: it pastes what is selected.
        finds_addresses: the addresses that it returns may be opened, as if the person had named them.
        shows_marks: it lists the marks, which the next picture shows.
        shows_screen: it is called for the picture of the screen.
        looks_once: it looks at the screen once, then acts at one place: a recorded screen is enough to check it.
        only_thinks: it does nothing; the next thought follows.
    """

    asks_person: bool
    holds_keys: Literal["down", "up"] | None
    pastes: bool
    finds_addresses: bool
    shows_marks: bool
    shows_screen: bool
    looks_once: bool
    only_thinks: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the run, and what the agent says about it. A tool that returns one ends the run.

    Attributes:
        kind: what the goal asked for, in the agent's view; None if it did not say.
    """

    done: bool
    summary: str
    evidence: tuple[Any, ...] = ()
    kind: GoalKind | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """For a tool that returns values beside its text; a plain tool just returns a string.

    Attributes:
        text: what it says; `message` makes one that names places.
        data: JSON values.
        places: where it acted, if `text` does not name those places already.
    """

    text: str
    data: Any = None
    places: tuple[Place, ...] = ()


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
        ending: it ends the run, and returns an `Ending`.
        annotations: of its parameters, with their roles; a parameter without one is unmarked.

    The other attributes are explained in `Traits`.
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
    ending: bool = False
    annotations: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)
    asks_person: bool = False
    holds_keys: Literal["down", "up"] | None = None
    pastes: bool = False
    finds_addresses: bool = False
    shows_marks: bool = False
    shows_screen: bool = False
    looks_once: bool = False
    only_thinks: bool = False

    def parts(self, args: Mapping[str, Any]) -> Parts:
        """Yield every part of the arguments with its role; see `parts_of`."""
        return parts_of(self.annotations, args)

    def role(self, parameter: str) -> type[ParameterRole]:
        """The role of one parameter."""
        return role_of(self.annotations.get(parameter))

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


@dataclass(frozen=True, slots=True)
class _Marks:
    """What `@tool` leaves on a function, and the tools that were `made` from it."""

    risk: Risk
    seconds: float
    instead: tuple[str, ...]
    traits: Traits
    made: dict[tuple[Callable[..., Any], bool], "Tool"] = field(default_factory=dict, hash=False, compare=False)


@overload
def tool(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def tool(
    *,
    risk: Risk = ...,
    seconds: float = ...,
    instead: Sequence[str] = ...,
    **traits: Unpack[Traits],
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    risk: Risk = "act",
    seconds: float = SECONDS,
    instead: Sequence[str] = (),
    **traits: Unpack[Traits],
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function, or a method, a tool. The function itself stays as it is.

    Args:
        function: typed, with a docstring; given where no other argument is.
        risk: see `Tool`.
        seconds: how long a call may take.
        instead: names of tools that the agent is told of when this one fails it twice.
        traits: see `Traits`.

    Raises:
        TypeError: it has no docstring, or an argument without a type: the agent could not know how to use it. Or there
            is no such risk, or no time for a call.
    """
    marks = _Marks(risk, seconds, tuple(instead), traits)
    return partial(_marked, marks=marks) if function is None else _marked(function, marks=marks)


def _marked(function: Callable[P, R], *, marks: _Marks) -> Callable[P, R]:
    if not inspect.getdoc(function):
        raise TypeError(f"The tool {function.__name__} needs a docstring: it is what the agent knows about it.")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"The tool {function.__name__} is asynchronous; tools are called one after the other.")
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "self" and parameter.annotation is parameter.empty:
            raise TypeError(f"The argument {name} of the tool {function.__name__} needs a type.")
        if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
            raise TypeError(f"The tool {function.__name__} cannot have {parameter}: it is called with named arguments.")
    if marks.risk not in RISKS:
        raise TypeError(f"The tool {function.__name__} has the risk {marks.risk!r}: it is one of {', '.join(RISKS)}.")
    if not marks.seconds > 0:
        raise TypeError(f"The tool {function.__name__} has {marks.seconds} seconds: a call takes more than 0.")
    if unknown := marks.traits.keys() - Traits.__annotations__.keys():
        raise TypeError(f"The tool {function.__name__} has no trait {', '.join(sorted(unknown))}.")
    setattr(function, MARK, marks)
    return function


def tools_of(source: object) -> list[Tool]:
    """The tools that `source` brings: itself if it is one, otherwise its methods that are."""
    if isinstance(source, Tool):
        return [source]
    if hasattr(source, MARK) and callable(source):
        return [_usable(source)]
    found = [_usable(getattr(source, name)) for name in _marked_names(type(source))]
    if not found:
        raise TypeError(f"{source!r} brings no tool: write @tool above a function or a method.")
    return found


def declared(*sources: Callable[..., Any]) -> list[Tool]:
    """The tools that functions and classes declare, to be listed: `run` of a method still wants its object."""
    return [tool for source in sources for tool in _declared(source)]


def _declared(source: Callable[..., Any]) -> list[Tool]:
    if not isinstance(source, type):
        return [_declaration(source, is_method=False)]
    return [
        _declaration(getattr(source, name), is_method=not isinstance(getattr_static(source, name), staticmethod))
        for name in _marked_names(source)
    ]


def _marked_names(kind: type) -> list[str]:
    return [name for name in dir(kind) if hasattr(getattr(kind, name, None), MARK)]


def _usable(function: Callable[..., Any]) -> Tool:
    """The tool of a function, or of a method with its object."""
    declared_on = getattr(function, "__func__", None)
    declaration = _declaration(declared_on or function, is_method=declared_on is not None)
    return replace(declaration, run=function)


def _declaration(function: Callable[..., Any], *, is_method: bool) -> Tool:
    """What a function declares; made once, since making the model of its arguments takes a while."""
    marks: _Marks = getattr(function, MARK)
    key = (function, is_method)
    if key not in marks.made:
        marks.made[key] = _tool(function, marks, is_method=is_method)
    return marks.made[key]


def _tool(function: Callable[..., Any], marks: _Marks, *, is_method: bool) -> Tool:
    signature = inspect.signature(function, eval_str=True)
    parameters = list(signature.parameters.values())[is_method:]
    arguments = _arguments(function.__name__, parameters)
    return Tool(
        name=function.__name__,
        description=inspect.getdoc(function) or "",
        risk=marks.risk,
        seconds=marks.seconds,
        run=function,
        schema=arguments.model_json_schema(),
        check=partial(_checked, arguments),
        returns=_returned(signature.return_annotation),
        instead=marks.instead,
        ending=signature.return_annotation is Ending,
        annotations={one.name: one.annotation for one in parameters},
        **marks.traits,
    )


def _arguments(name: str, parameters: Sequence[inspect.Parameter]) -> type[BaseModel]:
    """A model of the arguments of a function."""
    fields: dict[str, Any] = {
        # pydantic does not take every name for a field, but any for its alias
        f"argument_{parameter.name}": (
            Annotated[parameter.annotation, Field(alias=parameter.name)],
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
    }
    return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)


def _checked(arguments: type[BaseModel], args: Mapping[str, Any]) -> dict[str, Any]:
    model = arguments.model_validate(dict(args))
    return {str(field.alias): getattr(model, name) for name, field in arguments.model_fields.items()}


def _returned(kind: Any) -> str:  # noqa: ANN401 - an annotation may be anything
    if kind in {str, inspect.Signature.empty, Any}:
        return "text"
    if kind is ToolResult:
        return "text and data"
    if kind is Ending:
        return "the end of the run"
    if kind is None:
        return "nothing"
    try:
        schema = TypeAdapter(kind).json_schema()
    except PydanticUserError:  # a class of the tool's own: it is shown as Python prints it
        return "data"
    return _kind(schema, schema)
