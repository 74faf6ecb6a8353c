"""The role of each part of a tool's arguments, however deep it is and whatever it is called."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field

from toolbelt.parameters import Aimed, Command, Fixed, ParameterRole, Query, Runs, Typed, Unmarked, parts_of, role_of
from toolbelt.targeting.targets import PointTarget, Target


class Mail(BaseModel):
    """A model with a role, a name that JSON calls otherwise, and a part that is its like."""

    subject: str
    body: Annotated[str, Typed] = ""
    script: Annotated[str | None, Runs] = Field(default=None, alias="on-open")
    answers: list["Mail"] = []


class Row(TypedDict, total=False):
    """A typed mapping."""

    query: Annotated[str, Query]
    note: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A dataclass."""

    left: Annotated[str, Typed]
    right: int = 0


MAIL = {"subject": "a", "body": "b", "on-open": "c", "answers": [{"subject": "d", "body": "e"}]}


@pytest.mark.parametrize(
    ("kind", "value", "parts"),
    [
        (str, "a", [(Unmarked, "a")]),
        (Any, {"a": ["b"]}, [(Unmarked, "a"), (Unmarked, "b")]),
        (Annotated[str, Typed], "a", [(Typed, "a")]),
        (Annotated[str, Field(min_length=1), Typed] | None, "a", [(Typed, "a")]),
        (Annotated[str, Typed] | None, None, []),
        (Literal["a", "b"], "a", [(Fixed, "a")]),
        (Annotated[Literal["a", "b"], Typed], "a", [(Typed, "a")]),
        (list[str], ["a", "b"], [(Unmarked, "a"), (Unmarked, "b")]),
        (Annotated[list[str], Command] | None, ["a"], [(Command, "a")]),
        (list[Annotated[str, Runs]], ["a"], [(Runs, "a")]),
        (tuple[int, Annotated[str, Runs]], [1, "a"], [(Unmarked, 1), (Runs, "a")]),
        (dict[str, Annotated[str, Runs]], {"a": "b"}, [(Unmarked, "a"), (Runs, "b")]),
        (dict[str, list[str]], {"a": ["b"]}, [(Unmarked, "a"), (Unmarked, "b")]),
        (Annotated[str, Typed] | Annotated[str, Runs], "a", [(Typed, "a"), (Runs, "a")]),
        (Row, {"query": "a", "note": "b"}, [(Query, "a"), (Unmarked, "b")]),
        (Row, {"other": "a"}, [(Unmarked, "other"), (Unmarked, "a")]),
        (Pair, {"left": "a"}, [(Typed, "a")]),
        (Pair, Pair("a", 1), [(Typed, "a"), (Unmarked, 1)]),
        (Mail, MAIL, [(Unmarked, "a"), (Typed, "b"), (Runs, "c"), (Unmarked, "d"), (Typed, "e")]),
        (Annotated[Mail, Query], {"subject": "a", "body": "b"}, [(Query, "a"), (Typed, "b")]),
        (Mail | str, "a", [(Unmarked, "a")]),
        (str, {"a": "b"}, [(Unmarked, "a"), (Unmarked, "b")]),
        (Target, {"x": 1, "y": 2}, [(Aimed, {"x": 1, "y": 2})]),
        (list[Target] | None, ["a", PointTarget(x=1, y=2)], [(Aimed, "a"), (Aimed, PointTarget(x=1, y=2))]),
    ],
)
def test_each_part_has_the_role_nearest_to_it(
    kind: object, value: object, parts: list[tuple[type[ParameterRole], object]]
) -> None:
    assert list(parts_of({"body": kind}, {"body": value})) == parts


def test_an_argument_without_an_annotation_is_unmarked() -> None:
    assert list(parts_of({}, {"text": "a", "keys": {"b": 1}})) == [(Unmarked, "a"), (Unmarked, "b"), (Unmarked, 1)]


def test_a_validated_model_has_the_same_roles_as_its_json() -> None:
    validated = Mail.model_validate(MAIL)

    assert list(parts_of({"mail": Mail}, {"mail": validated})) == list(parts_of({"mail": Mail}, {"mail": MAIL}))


@pytest.mark.parametrize(
    ("kind", "role"), [(str, Unmarked), (Annotated[str, Typed], Typed), (Target, Aimed), (Literal["a"], Fixed)]
)
def test_a_parameter_has_the_role_around_its_whole_type(kind: object, role: type[ParameterRole]) -> None:
    assert role_of(kind) is role
