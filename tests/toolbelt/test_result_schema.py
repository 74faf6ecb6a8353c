"""A result by a schema: what is no schema is refused at once, and a result that does not fit is told where."""

import json
from typing import Any, Final

import pytest

from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.result_schema import TEXT_MAX_CHARS, ResultSchema
from toolbelt.tool import Result
from toolbelt.tools import finish_with
from world_model import Action, UsageError

PRICES: Final = {
    "$defs": {"price": {"type": "number", "minimum": 0}},
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "price": {"$ref": "#/$defs/price"}},
                "required": ["name", "price"],
                "additionalProperties": False,
            },
        },
        "day": {"type": "string", "format": "date"},
    },
    "required": ["items"],
}


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ([], "prices.json is not a JSON Schema. Write an object"),
        ("text", "is not a JSON Schema"),
        ({"type": "objekt"}, r"is not a valid JSON Schema. At \$.type: 'objekt' is not"),
        ({"properties": {"a": {"pattern": "("}}}, r"At \$.properties.a.pattern"),
        (
            {"$schema": "https://example.com/mine"},
            "is of a JSON Schema that is not known here: https://example.com/mine",
        ),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "refers to #/[$]defs/b, which is not in it"),
        (
            {"items": [{"$ref": "https://example.com/other.json"}]},
            "not a valid|refers to https://example.com/other.json",
        ),
        ({"allOf": [{"$ref": "file:///etc/passwd"}]}, "refers to file:///etc/passwd, which is not in it"),
        ({"description": "x" * TEXT_MAX_CHARS}, "has 20019 characters, and a prompt has room for 20000"),
    ],
)
def test_what_is_no_schema_is_refused_in_one_line(schema: object, told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        ResultSchema(schema, "prices.json")
    assert "\n" not in str(refused.value)


def test_a_schema_without_an_end_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(600):
        schema = {"not": schema}
    for endless in (schema, {"$ref": "#"}):
        with pytest.raises(UsageError, match="nested too deeply, or refers to itself"):
            ResultSchema(endless)
    tree = ResultSchema({"type": "object", "properties": {"under": {"type": "array", "items": {"$ref": "#"}}}})
    assert tree.complaints({"under": [{"under": [{}]}]}) == []


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"])
def test_every_draft_in_use_is_known(draft: str) -> None:
    uri = (
        f"https://json-schema.org/draft/{draft}/schema"
        if draft[0] == "2"
        else f"http://json-schema.org/{draft}/schema#"
    )
    schema = ResultSchema(
        {"$schema": uri, "definitions": {"n": {"type": "number"}}, "items": {"$ref": "#/definitions/n"}}
    )
    assert schema.complaints([1, "two"]) == ["$[1]: 'two' is not of type 'number'"]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"items": [{"name": "Tea", "price": 3.5}, {"name": "Cake", "price": 4}]}, []),
        ({"items": [], "day": "2026-11-30"}, []),
        ({}, ["$: 'items' is a required property"]),
        ("Tea, 3.50", ["$: 'Tea, 3.50' is not of type 'object'"]),
        ({"items": [{"name": "Tea", "price": "3.50"}]}, ["$.items[0].price: '3.50' is not of type 'number'"]),
        ({"items": [{"name": "Tea", "price": -1}]}, ["$.items[0].price: -1 is less than the minimum of 0"]),
        ({"items": [], "day": "30.11."}, ["$.day: '30.11.' is not a 'date'"]),
        ({"items": [{"name": "Tea", "price": float("nan")}]}, ["$: NaN and Infinity are not JSON"]),
    ],
)
def test_a_result_that_does_not_fit_is_told_where(result: object, told: list[str]) -> None:
    assert ResultSchema(PRICES).complaints(result) == told


def test_a_long_list_of_faults_is_cut() -> None:
    told = ResultSchema({"items": {"type": "number"}}).complaints(["x" * 1000] * 100)
    assert len(told) == 8
    assert all(len(one) < 400 for one in told)


def test_of_several_forms_the_nearest_is_told() -> None:
    either = ResultSchema({"anyOf": [{"type": "null"}, {"type": "object", "properties": {"n": {"type": "integer"}}}]})
    assert either.complaints({"n": "one"}) == ["$.n: 'one' is not of type 'integer'"]


def test_finish_takes_the_result_and_says_its_schema() -> None:
    made = finish_with(ResultSchema(PRICES))
    tools = Toolbelt(made)
    assert json.dumps(PRICES) in made.entry
    assert "result: any" in made.called

    fits = {"items": [{"name": "Tea", "price": 3.5}]}
    done = tools.call(Action("finish", {"summary": "Tea is 3.50.", "result": fits}), Control())
    assert done.ending
    assert done.ending.result == Result(fits)

    for args, told in (
        ({"summary": "Tea."}, "does not fit its schema. $: None is not of type 'object'."),
        (
            {"summary": "Tea.", "result": {"items": [{"name": "Tea"}]}},
            "does not fit its schema. $.items[0]: 'price' is a",
        ),
    ):
        refused = tools.call(Action("finish", args), Control())
        assert refused.ending is None
        assert refused.observation.error
        assert refused.observation.error.code == "INVALID_ARGS"
        assert told in refused.observation.error.message
