"""The roles of a tool's parameters: `Annotated[str, Typed]` says what the tool does with the argument.

The guard decides by these roles and never by the name of an argument. A text without a role counts as typed and run.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields as members, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel
from pydantic.fields import FieldInfo

T = TypeVar("T", bool, int, str)


class ParameterRole:
    """The base of the roles. A role is a class that is put into `Annotated` as it is."""


class Unmarked(ParameterRole):
    """Has no declared role: counts as typed and run."""


class Typed(ParameterRole):
    """Typed or pasted where the focus is; at a shell it is a command."""


class Runs(ParameterRole):
    """Run as code, or the name of a program that is run."""


class Command(ParameterRole):
    """Arguments of a program or a command line, which the person must have given."""


class Chosen(ParameterRole):
    """Chosen from what an application offers, such as an entry of a list."""


class Fixed(ParameterRole):
    """One of the values that the tool's own type lists, such as a `Literal`: no free text."""


class Aimed(ParameterRole):
    """A place on the screen; `Target` has this role."""


class KeyNames(ParameterRole):
    """Names of keys, such as `ctrl+s`, not text."""


class Held(ParameterRole):
    """Modifier keys that are held while the mouse acts."""


class Times(ParameterRole):
    """How often the keys are pressed."""


class Pastes(ParameterRole):
    """Whether the text is pasted, and not typed key by key."""


class Replaces(ParameterRole):
    """Whether all that the field holds is selected before, and deleted unless a text is typed over it."""


class Enters(ParameterRole):
    """Whether enter is pressed after what was typed."""


class WindowTitle(ParameterRole):
    """Names the window that the action affects."""


class AppName(ParameterRole):
    """Names an application to be opened, which has no window yet."""


class FilePath(ParameterRole):
    """The path of a file or a folder."""


class FileContent(ParameterRole):
    """Written into a file and sent nowhere else."""


class Address(ParameterRole):
    """The address of a page or a service that the tool contacts."""


class Query(ParameterRole):
    """Words that are searched for."""


class Shown(ParameterRole):
    """Shown to the person or kept as it is: no secret is filled in."""


Parts: TypeAlias = Iterator[tuple[type[ParameterRole], Any]]


def parts_of(kinds: Mapping[str, Any], args: Mapping[str, Any]) -> Parts:
    """Yield every part of the arguments with its role, even within lists, mappings and models.

    Args:
        kinds: the annotations of the parameters; what has none is unmarked.
        args: JSON values, or the values that were validated.
    """
    for name, value in args.items():
        yield from _parts(kinds.get(name, Any), value, Unmarked)


def role_of(kind: Any) -> type[ParameterRole]:  # noqa: ANN401 - an annotation may be anything
    """The role of a parameter as a whole, by its annotation."""
    return _bare(kind, Unmarked)[1]


def first_of(parts: Iterable[tuple[type[ParameterRole], Any]], role: type[ParameterRole], default: T) -> T:
    """The first value with a role, which is of the type of `default`."""
    return next((type(default)(value) for one, value in parts if one is role), default)


def _parts(kind: Any, value: Any, role: type[ParameterRole]) -> Parts:  # noqa: ANN401
    """The parts of a value; the role is that of the nearest annotation around each."""
    kind, role = _bare(kind, role)
    if value is None:
        return
    if role is Aimed:
        yield role, value
    elif get_origin(kind) in {Union, UnionType}:
        yield from _of_union(get_args(kind), value, role)
    elif isinstance(value, list | tuple | set | frozenset):
        items = tuple(one for one in get_args(kind) if one is not ...)
        for one in value:
            yield from _of_union(items, one, role)
    elif isinstance(value, Mapping | BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        yield from _of_fields(kind, value, role)
    else:
        yield role, value


def _bare(kind: Any, role: type[ParameterRole]) -> tuple[Any, type[ParameterRole]]:  # noqa: ANN401
    """A type without its annotations, and the role that they give it."""
    while True:
        if get_origin(kind) is Annotated:
            kind, *marks = get_args(kind)
            role = _marked(marks, role)
        elif named := getattr(kind, "__value__", None) or getattr(
            kind, "__supertype__", None
        ):  # `type X = ...`, NewType
            kind = named
        else:
            break
    fixed = get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum))
    return kind, Fixed if fixed and role is Unmarked else role


def _marked(marks: Any, role: type[ParameterRole]) -> type[ParameterRole]:  # noqa: ANN401
    found = [one for one in marks if isinstance(one, type) and issubclass(one, ParameterRole)]
    return found[-1] if found else role


def _of_union(kinds: tuple[Any, ...], value: Any, role: type[ParameterRole]) -> Parts:  # noqa: ANN401
    """The parts by every type that the value may be of: where two disagree, each role counts."""
    fitting = [kind for kind in kinds if _fits(kind, value)] or [Any]
    told: list[tuple[type[ParameterRole], Any]] = []
    for part in (part for kind in fitting for part in _parts(kind, value, role)):
        if part not in told:
            told.append(part)
            yield part


def _fits(kind: Any, value: Any) -> bool:  # noqa: ANN401
    kind, _ = _bare(kind, Unmarked)
    origin = get_origin(kind) or kind
    if origin in {Union, UnionType}:
        return any(_fits(one, value) for one in get_args(kind))
    if origin in {str, int, float, bool, NoneType}:
        return isinstance(value, origin)
    if isinstance(origin, type) and issubclass(origin, BaseModel):
        return isinstance(value, Mapping | origin)
    return True


def _of_fields(kind: Any, value: Any, role: type[ParameterRole]) -> Parts:  # noqa: ANN401
    """The parts of a mapping, a model or a dataclass; a key that is no field of the type is a part, too."""
    fields, (keys, values) = _fields(kind), (*get_args(kind), Any, Any)[:2]
    named = (
        value
        if isinstance(value, Mapping | BaseModel)
        else {one.name: getattr(value, one.name) for one in members(value)}
    )
    for name, one in dict(named).items():
        if name in fields:
            yield from _parts(fields[name], one, role)
        else:
            yield from _parts(keys, name, role)
            yield from _parts(values, one, role)


def _fields(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    """The types of the fields of a class, by each name that JSON may call them."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        known = kind.model_fields.items()
        return {called: _annotated(field) for name, field in known for called in (name, field.alias) if called}
    if is_typeddict(kind) or (isinstance(kind, type) and is_dataclass(kind)):
        return get_type_hints(kind, include_extras=True)
    return {}


def _annotated(field: FieldInfo) -> Any:  # noqa: ANN401
    role = _marked(field.metadata, Unmarked)
    return field.annotation if role is Unmarked else Annotated[field.annotation, role]
