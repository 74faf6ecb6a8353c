"""The node that makes branches and loops."""

from collections.abc import Mapping
from typing import Any

from mark_i.workflows.format.node_type import Context, Inputs, Properties, node


@node(inputs=("condition", "data for the exit", "data for the loop"), outputs=("exit", "loop"), router=True)
def conditional_router(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:  # noqa: ARG001
    """Continue at slot 0 if the condition in slot 0 is met; otherwise go back through slot 1."""
    condition, if_true, if_false = (*inputs, None, None, None)[:3]
    met = _met(condition)
    branch = "true" if met else "false"
    data = _unwrapped(if_true, "trueData") if met else _unwrapped(if_false, "falseData")
    return {"routedData": data, "conditionMet": met, "branch": branch, "routingDecision": branch}


def _unwrapped(data: Any, key: str) -> Any:  # noqa: ANN401 - what flows may be anything
    inner = data.get(key) if isinstance(data, Mapping) else None
    return data if inner is None else inner


def _met(condition: Any) -> bool:  # noqa: ANN401 - what flows may be anything
    """Return whether a condition is met: a truth value, or an object that says whether something is complete."""
    while isinstance(condition, Mapping) and condition.get("condition") is not None:
        condition = condition["condition"]
    if not isinstance(condition, Mapping):
        return _true(condition)
    said = [condition[key] for key in ("isComplete", "isDone", "value") if condition.get(key) is not None]
    if said or condition.get("shouldContinue") is None:
        return any(map(_true, said))
    # As in the output of iteration_counter: to continue is to loop, so the condition for the exit is not met.
    return not _true(condition["shouldContinue"])


def _true(value: Any) -> bool:  # noqa: ANN401 - what flows may be anything
    if isinstance(value, str):
        return value.strip().lower() in {"true", "1"}
    return bool(value) if isinstance(value, bool | int | float) else False
