"""A tool: a typed function with a docstring, which give its schema, its validation and its text in the prompt."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getattr_static
from typing import Any, Final, Literal, ParamSpec, TypedDict, TypeVar, Unpack, get_args, get_origin, overload

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from toolbelt.arguments import checked, complaint, in_short, kind_of, model_of
from toolbelt.parameters import Aimed, ParameterRole, Parts, parts_of, role_of
from world_model import Place, ToolFailure

Risk = Literal["look", "act", "write", "danger"]
RISKS: Final = get_args(Risk)
GoalKind = Literal["deed", "answer"]  # what a goal asks for: that something is done, or to be told something
P = ParamSpec("P")
R = TypeVar("R")
MARK: Final = "__mark_i_tool__"
TIMEOUT_S: Final = 60.0  # of a call
TOLD: Final = frozenset({"text", "text and data", "nothing"})  # what tools return if they do not say more
UNUSABLE: Final = (NameError, SyntaxError, RecursionError, PydanticUserError)  # a type that has no schema


class Traits(TypedDict, total=False):
    """Traits of some tools that other code depends on, so that no code compares the names of tools.

    Attributes:
        asks_person: asks the person a question; their answer is in its data.
        holds_keys: presses keys or a mouse button and leaves them `down`, releases them (`up`), or holds them
            `for` some time.
        pastes: pastes the selected text; a text: if that is one of the arguments.
        hovers: only moves the pointer over a place, so the keyboard focus stays where it is.
        turns_wheel: turns the mouse wheel, which changes the choice or the number under it.
        opens_menu: opens the menu of a place; a text: as for `pastes`.
        selects: selects the word or the line at a place.
        closes_window: closes a window, and what still works in it.
        finds_addresses: returns addresses that may be opened as if the person had named them.
        shows_marks: lists the marks, which the next picture shows.
        shows_screen: is called for the picture of the screen.
        enlarges: enlarges the part of the screen in its data, which the next prompt shows as a picture of its own.
        looks_once: looks at the screen once, then acts in one place, so a recorded screen is enough to check it.
        only_thinks: does nothing but lead to the next thought.
        reads_clipboard: returns the text on the clipboard.
        unseen: shows nothing on the screen, as a rule.
        idempotent: changes nothing more when it is called again with the same arguments.
        rare: is rarely used, so a prompt lists it by one line if another tool describes it.
        describes_tools: describes the tools that a prompt lists by one line.
        begins_steps: is carried out by the steps that follow it.
        ends_steps: is the last of such steps; only the program calls it, so no list of tools has it.
    """

    asks_person: bool
    holds_keys: Literal["down", "up", "for"] | None
    pastes: bool | str
    hovers: bool
    turns_wheel: bool
    opens_menu: bool | str
    selects: Literal["word", "line"] | None
    closes_window: bool
    finds_addresses: bool
    shows_marks: bool
    shows_screen: bool
    enlarges: bool
    looks_once: bool
    only_thinks: bool
    reads_clipboard: bool
    unseen: bool
    idempotent: bool
    rare: bool
    describes_tools: bool
    begins_steps: bool
    ends_steps: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run with a schema: any JSON value that fits it."""

    value: Any


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the run, and what the agent says about it. A tool that returns one ends the run.

    Attributes:
        kind: what the goal asked for, in the agent's view; None if it did not say.
        result: that of a run with a schema.
    """

    done: bool
    summary: str
    evidence: tuple[Any, ...] = ()
    kind: GoalKind | None = None
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool that returns more than text; a simple tool returns a string.

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
        risk: `look` changes nothing, `act` uses the desktop, `write` writes or changes data, `danger` may do harm.
        seconds: how long a call may take before it fails with `TIMEOUT`.
        schema: the JSON schema of its arguments.
        check: converts the arguments for `run`, or raises pydantic's `ValidationError`.
        returns: what it returns, in a few words.
        instead: names of tools that may help if this one fails.
        ending: whether it ends the run; it returns an `Ending` then.
        annotations: the types of its parameters with their roles; a missing parameter is unmarked.

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
    holds_keys: Literal["down", "up", "for"] | None = None
    pastes: bool | str = False
    hovers: bool = False
    turns_wheel: bool = False
    opens_menu: bool | str = False
    selects: Literal["word", "line"] | None = None
    closes_window: bool = False
    finds_addresses: bool = False
    shows_marks: bool = False
    shows_screen: bool = False
    enlarges: bool = False
    looks_once: bool = False
    only_thinks: bool = False
    reads_clipboard: bool = False
    unseen: bool = False
    idempotent: bool = False
    rare: bool = False
    describes_tools: bool = False
    begins_steps: bool = False
    ends_steps: bool = False

    def parts(self, args: Mapping[str, Any]) -> Parts:
        """Yield every part of the arguments with its role; see `parts_of`."""
        return parts_of(self.annotations, args)

    def pastes_selection(self, args: Mapping[str, Any]) -> bool:
        """Whether a call pastes the selected text."""
        return self.pastes is True or (bool(self.pastes) and self.pastes in args.values())

    def role(self, parameter: str) -> type[ParameterRole]:
        """The role of one parameter."""
        return role_of(self.annotations.get(parameter))

    def validated(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Validate the arguments and convert them for the function.

        Raises:
            ToolFailure: `INVALID_ARGS`, which names each wrong argument.
        """
        try:
            return self.check(args)
        except ValidationError as error:
            wrong = "; ".join(dict.fromkeys(complaint(one) for one in error.errors()))
            hint = f"Call it as {self.signature}."
            raise ToolFailure("INVALID_ARGS", f"{self.name}: {wrong}.", [hint]) from error

    @property
    def signature(self) -> str:
        """How to call it, in one line: `type_text(text: string, into: {x, y} | {text} | string | null = null, ...)`."""
        required, given, kinds = self.schema.get("required", ()), self.schema["properties"], self.kinds
        ends = {name: "" if name in required else f" = {json.dumps(given[name].get('default'))}" for name in kinds}
        return f"{self.name}({', '.join(f'{name}: {kind}{ends[name]}' for name, kind in kinds.items())})"

    @property
    def called(self) -> str:
        """How to call it, as a prompt says it: `type_text(text, into?: target, enter = false)`."""
        return f"{self.name}({in_short(self.kinds | self.targets, self.schema)})"

    @property
    def targets(self) -> dict[str, str]:
        """The arguments that are a `target` or a list of them, `[target]`."""
        return {name: word for name, kind in self.annotations.items() if (word := _target_word(kind))}

    @property
    def entry(self) -> str:
        """Its entry in a prompt: how to call it, and what it does."""
        returned = "" if self.ending or self.returns in TOLD else f" -> {self.returns}"
        lines = filter(None, self.description.splitlines())
        return f"- {self.called}{returned}: " + "\n  ".join(lines)

    @property
    def kinds(self) -> dict[str, str]:
        """The type of each argument, in short: `{x, y} | string | null`."""
        return {name: kind_of(about, self.schema) for name, about in self.schema["properties"].items()}


def _target_word(kind: object) -> str:
    """Return the word for a target or for a list of them; an empty one for any other type."""
    if role_of(kind) is Aimed:
        return "target"
    within = next(filter(None, map(_target_word, get_args(kind))), "")
    return f"[{within}]" if within and get_origin(kind) is list else within


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
    seconds: float = TIMEOUT_S,
    instead: Sequence[str] = (),
    **traits: Unpack[Traits],
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function or a method a tool. The function itself does not change.

    Args:
        function: has types and a docstring; given if `@tool` is used without arguments.
        risk: see `Tool`.
        seconds: how long a call may take.
        instead: names of tools to suggest if this one fails twice.
        traits: see `Traits`.

    Raises:
        TypeError: the function has no docstring, or a parameter without a type, so the agent could not know how to use
            it; or the risk, the seconds or a trait is not valid.
    """
    marks = _Marks(risk, seconds, tuple(instead), traits)
    return partial(_marked, marks=marks) if function is None else _marked(function, marks=marks)


def _marked(function: Callable[P, R], *, marks: _Marks) -> Callable[P, R]:
    if not inspect.getdoc(function):
        raise TypeError(f"The tool {function.__name__} needs a docstring: the agent learns from it what the tool does.")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"The tool {function.__name__} is asynchronous. Make it a plain function.")
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "self" and parameter.annotation is parameter.empty:
            raise TypeError(f"The parameter {name} of the tool {function.__name__} needs a type.")
        if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
            raise TypeError(f"{function.__name__} cannot have {parameter}: tools are called with named arguments.")
    if marks.risk not in RISKS:
        raise TypeError(f"The tool {function.__name__} has the risk {marks.risk!r}. Use one of {', '.join(RISKS)}.")
    if not marks.seconds > 0:
        raise TypeError(f"The tool {function.__name__} has {marks.seconds} seconds for a call. Use more than 0.")
    if unknown := marks.traits.keys() - Traits.__annotations__.keys():
        raise TypeError(f"The tool {function.__name__} has the unknown trait {', '.join(sorted(unknown))}.")
    setattr(function, MARK, marks)
    return function


def tools_of(source: object) -> list[Tool]:
    """Return the tools in `source`: itself if it is one, otherwise its methods that are tools."""
    if isinstance(source, Tool):
        return [source]
    if hasattr(source, MARK) and callable(source):
        return [_usable(source)]
    found = [_usable(getattr(source, name)) for name in _marked_names(type(source))]
    if not found:
        raise TypeError(f"{source!r} has no tool. Write @tool above a function or a method.")
    return found


def declared(*sources: Callable[..., Any]) -> list[Tool]:
    """Return the tools that functions and classes declare, to be listed: `run` of a method lacks its object."""
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
    """Return the tool of a function or a bound method."""
    declared_on = getattr(function, "__func__", None)
    declaration = _declaration(declared_on or function, is_method=declared_on is not None)
    return replace(declaration, run=function)


def _declaration(function: Callable[..., Any], *, is_method: bool) -> Tool:
    """Return the tool that a function declares; cached, since the model of its arguments is slow to make."""
    marks: _Marks = getattr(function, MARK)
    key = (function, is_method)
    if key not in marks.made:
        marks.made[key] = _tool(function, marks, is_method=is_method)
    return marks.made[key]


def _tool(function: Callable[..., Any], marks: _Marks, *, is_method: bool) -> Tool:
    try:
        signature = inspect.signature(function, eval_str=True)
        parameters = list(signature.parameters.values())[is_method:]
        arguments, schema = model_of(function.__name__, parameters)
    except UNUSABLE as error:
        raise _blamed(function, error) from error
    return Tool(
        name=function.__name__,
        description=inspect.getdoc(function) or "",
        risk=marks.risk,
        seconds=marks.seconds,
        run=function,
        schema=schema,
        check=partial(checked, arguments),
        returns=_returned(signature.return_annotation),
        instead=marks.instead,
        ending=signature.return_annotation is Ending,
        annotations={one.name: one.annotation for one in parameters},
        **marks.traits,
    )


def _blamed(function: Callable[..., Any], error: Exception) -> TypeError:
    """Return the error that names the parameter whose type cannot be used."""
    within = getattr(inspect.unwrap(function), "__globals__", {})
    for name, parameter in inspect.signature(function).parameters.items():
        alone = type(name, (), {"__annotations__": {name: parameter.annotation}})
        try:
            kind = inspect.get_annotations(alone, globals=within, eval_str=True)[name]
            model_of(name, [parameter.replace(annotation=kind)] if name != "self" else [])
        except UNUSABLE as reason:
            said = "has a type without a schema: " + str(reason).partition("\\n")[0].rstrip(".")
            return TypeError(f"The parameter {name} of the tool {function.__name__} {said}")
    return TypeError(f"The tool {function.__name__} has types that cannot be read: {error}")


def _returned(kind: Any) -> str:  # noqa: ANN401 - an annotation may be anything
    if kind in {str, inspect.Signature.empty, Any}:
        return "text"
    if kind in (named := {ToolResult: "text and data", Ending: "the end of the run", None: "nothing"}):
        return named[kind]
    try:
        schema = TypeAdapter(kind).json_schema()
    except PydanticUserError:  # a class without a schema
        return "data"
    return kind_of(schema, schema)
