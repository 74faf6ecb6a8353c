"""The schema of a run's result: read from a file, and refused where a run could not fill it."""

import json
from dataclasses import replace
from pathlib import Path

from mark_i.assembly.run_config import RunConfig
from mark_i.brain import follows_orders
from mark_i.events import STRICT
from toolbelt.result_schema import ResultSchema
from world_model import UsageError, file_fault


def schema_in(file: Path) -> ResultSchema:
    """Return the schema in a file.

    Raises:
        UsageError: it cannot be read, or holds no valid JSON Schema.
    """
    try:
        schema = json.loads(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is not JSON: {error}.") from error
    return ResultSchema(schema, str(file))


def with_schema(config: RunConfig, schema: ResultSchema) -> RunConfig:
    """Return what a run is made of whose result fits a schema.

    Raises:
        UsageError: it could not give one: nobody in it writes an answer, or the answer is made otherwise.
    """
    if follows_orders(config.brain):
        raise UsageError(
            f"The brain {config.brain.name} cannot write a result by a schema: that takes a model. Choose one "
            "as the brain, such as openai."
        )
    if config.workflow:
        raise UsageError("A workflow makes its own answer, so it cannot have a schema. Leave out one of them.")
    if config.style in STRICT:
        raise UsageError(
            f"In the style {config.style} the answer is only what tools returned, so it cannot have a schema. Use "
            "--style default."
        )
    return replace(config, schema=schema)
