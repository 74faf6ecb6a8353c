"""The JSON Schema that the result of a run must fit."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from world_model import UsageError, cut

TEXT_MAX_CHARS: Final = 20_000  # it is in every prompt
COMPLAINTS_MAX: Final = 8  # about one result
COMPLAINT_MAX_CHARS: Final = 300  # an error of the library quotes the whole value
LITERAL: Final = frozenset({"const", "enum", "default", "examples"})  # what holds values, not schemas


class ResultSchema:
    """A JSON Schema that the result of a run must fit.

    Args:
        schema: as JSON.
        name: what an error calls it.

    Raises:
        UsageError: it is no valid schema, or refers to something outside of it.
    """

    def __init__(self, schema: object, name: str = "The schema") -> None:
        self._name = name
        if not isinstance(schema, Mapping):
            raise UsageError(f'{name} is not a JSON Schema. Write an object, such as {{"type": "object"}}.')
        self.schema: Mapping[str, Any] = schema
        self.text = json.dumps(schema, ensure_ascii=False)
        if len(self.text) > TEXT_MAX_CHARS:
            raise UsageError(f"{name} has {len(self.text)} characters, and a prompt has room for {TEXT_MAX_CHARS}.")
        try:
            self._validator = self._made(schema)
            self.complaints(None)
        except RecursionError as error:
            raise UsageError(f"{name} is nested too deeply, or refers to itself without an end.") from error

    def complaints(self, value: object) -> list[str]:
        """Return where a value does not fit, and why, as far as a model needs to mend it."""
        from jsonschema.exceptions import best_match  # noqa: PLC0415 - few runs have a schema

        try:
            json.dumps(value, allow_nan=False)
        except ValueError:
            return ["$: NaN and Infinity are not JSON"]
        errors = islice(self._validator.iter_errors(value), COMPLAINTS_MAX)
        deepest = (best_match([error]) for error in errors)  # of `anyOf`, what fits nearly
        return [f"{one.json_path}: {cut(one.message, COMPLAINT_MAX_CHARS)}" for one in deepest if one]

    def _made(self, schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - the library has no types
        from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - as above
        from jsonschema.validators import validator_for  # noqa: PLC0415 - as above
        from referencing import Registry  # noqa: PLC0415 - as above
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - as above
        from referencing.jsonschema import specification_with  # noqa: PLC0415 - as above

        draft = validator_for(schema, default=None) if "$schema" in schema else Draft202012Validator
        if draft is None:
            raise UsageError(f"{self._name} is of a JSON Schema that is not known here: {schema['$schema']}.")
        try:
            draft.check_schema(schema)
        except SchemaError as error:
            told = cut(error.message, COMPLAINT_MAX_CHARS)
            raise UsageError(f"{self._name} is not a valid JSON Schema. At {error.json_path}: {told}.") from error
        registry: Any = Registry()  # without it the library would fetch what a schema refers to
        resource = specification_with(draft.META_SCHEMA["$schema"]).create_resource(schema)
        resolver = registry.resolver_with_root(resource)
        for to in _references(schema):
            try:
                resolver.lookup(to)
            except Unresolvable as error:
                raise UsageError(f"{self._name} refers to {to}, which is not in it.") from error
        return draft(schema, format_checker=draft.FORMAT_CHECKER, registry=registry)


def _references(schema: object) -> Iterator[str]:
    """Yield what a schema refers to."""
    if isinstance(schema, Mapping):
        for name, part in schema.items():
            if name in {"$ref", "$dynamicRef"} and isinstance(part, str):
                yield part
            elif name not in LITERAL:
                yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)
