"""The five nodes around a scratchpad: they initialize, extend, count, check and format it.

A scratchpad's state is `{"scratchpad": [entry, ...], "iteration": n, "maxIterations": n}`. An entry is `{"iteration",
"thought", "action", "observation", "timestamp"}`, plus `"final"` if it says whether it is the last one; entries of the
agent's own steps always do. Inputs are never changed. `maxIterations` and `format` are read first from the context,
which the caller sets, and then from the node's properties, which the file sets.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from mark_i.workflows.format.limits import DEFAULT_LIMIT, LIMIT_KEY, limit_of
from mark_i.workflows.format.node_type import Context, Inputs, Properties, node
from world_model import UsageError

State = Mapping[str, Any]

FORMATS: Final = ("text", "json", "markdown")
# The model is asked to write "Task Complete" at the end; "Task completed" may only report a step.
ENDS: Final = re.compile(r"\bFinal Answer:|\bFINAL_ANSWER\b|\bTask Complete\b", re.IGNORECASE)
THOUGHT: Final = re.compile(r"Thought:\s*(.+?)(?=\nAction:|\Z)", re.IGNORECASE | re.DOTALL)
ACTION: Final = re.compile(r"^Action:\s*([^\n]+)", re.IGNORECASE | re.MULTILINE)
TALKS: Final = "conversational_response"  # the action that talks to the user, which ends the turn


@node(outputs=("state",))
def scratchpad_initializer(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:  # noqa: ARG001
    """Start a scratchpad, empty or with the entries of a resumed run."""
    entries = list(context.get("entries") or ())
    return {
        "scratchpad": entries,
        "iteration": len(entries),
        LIMIT_KEY: _limit(context, properties),
        "isComplete": False,
    }


@node(inputs=("state", "entry or observation", "plan"), outputs=("state",))
def scratchpad_updater(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:
    """Add an entry: the one in slot 1, or the observation in slot 1 with the thought and action of the plan in slot 2.

    Raises:
        UsageError: slot 0 holds no state, or slot 2 no plan.
    """
    state = _state(inputs, 0)
    entries, iteration = _entries(state), _iteration(state) + 1
    thought, action = _decided(inputs)
    entry = {
        "iteration": iteration,
        "thought": thought,
        "action": action,
        "observation": _observation(_at(inputs, 1)),
        "timestamp": _now(context),
    }
    if (final := _final(_at(inputs, 1))) is not None:
        entry["final"] = final
    limit = _limit(state, context, properties)
    return {"scratchpad": [*entries, entry], "iteration": iteration, LIMIT_KEY: limit, "isComplete": False}


@node(inputs=("state", "state sent back"), outputs=("state",))
def iteration_counter(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:
    """Count the iterations, and say whether more are allowed."""
    state = _state(inputs, 1 if _at(inputs, 1) is not None else 0)
    # The state already has the context's limit. If there is none, the state has a default, which the file overrides.
    limit = _limit(properties if context.get(LIMIT_KEY) is None else {}, state, context)
    entries, iteration = _entries(state), _iteration(state)
    return {
        "iteration": iteration,
        LIMIT_KEY: limit,
        "hasExceededMax": iteration >= limit,
        "shouldContinue": iteration < limit,
        "scratchpad": entries,
        "scratchpadLength": len(entries),
    }


@node(inputs=("state or response", "state, where slot 0 has a response"), outputs=("verdict",))
def scratchpad_completion_checker(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:
    """Check whether the work is complete: the agent says so, or the limit is reached.

    What a tool returned never ends a run, whatever it says: only the agent's own words count, and they only where the
    last entry does not say itself whether it is the last one. A thought may well speak of a final answer to come.
    """
    with_response = _at(inputs, 1) is not None or isinstance(_at(inputs, 0), str)
    state = _state(inputs, 1 if with_response else 0)
    entries, iteration, limit = _entries(state), _iteration(state), _limit(state, context, properties)
    last = entries[-1] if entries and isinstance(entries[-1], Mapping) else {}
    response = _response(_at(inputs, 0)) if with_response else _written(last.get("thought"))
    final, exceeded = _final(last), iteration >= limit
    answered = bool(ENDS.search(response)) if final is None else final
    talked = final is None and _talked(last)
    reasons = {"final_answer": answered, "max_iterations": exceeded, "auto_complete_conversational": talked}
    return {
        "isComplete": any(reasons.values()),
        "hasFinalAnswer": answered,
        "hasExceededMax": exceeded,
        "shouldAutoComplete": talked,
        "iteration": iteration,
        "scratchpad": entries,
        LIMIT_KEY: limit,
        "response": response,
        "reason": next((reason for reason, holds in reasons.items() if holds), "continue"),
    }


@node(inputs=("state",), outputs=("formatted",))
def scratchpad_formatter(inputs: Inputs, properties: Properties, context: Context) -> dict[str, Any]:
    """Render a scratchpad as text, JSON or Markdown.

    Raises:
        UsageError: there is no such format.
    """
    wanted = context.get("format") or properties.get("format") or FORMATS[0]
    if wanted not in FORMATS:
        raise UsageError(f"There is no format {wanted!r}. There are {', '.join(FORMATS)}.")
    entries = _entries(_state(inputs, 0))
    match wanted:
        case "json":
            formatted = json.dumps(entries, ensure_ascii=False, indent=2)
        case "markdown":
            blocks = (_block(one, "**{}:** {}", "\n\n") for one in entries)
            formatted = "\n\n---\n\n".join(f"### Iteration {n}\n\n{block}" for n, block in enumerate(blocks, 1))
        case _:
            formatted = "\n\n".join(_block(one, "{}: {}", "\n") for one in entries)
    return {"formatted": formatted, "entries": len(entries), "scratchpad": entries}


def _at(inputs: Inputs, slot: int) -> Any:  # noqa: ANN401 - what flows may be anything
    return inputs[slot] if slot < len(inputs) else None


def _state(inputs: Inputs, slot: int) -> State:
    """Return the state in a slot, without the wrapping of a router; an empty slot gives an empty state."""
    value = _at(inputs, slot)
    if isinstance(value, Mapping) and value.get("routedData"):
        value = value["routedData"]
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UsageError(f"Slot {slot} needs a scratchpad's state, an object, and has {_written(value)[:40]!r}.")
    return value


def _entries(state: State) -> list[Any]:
    entries = state.get("scratchpad")
    if entries is None:
        return []
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise UsageError(f"The scratchpad of a state must be a list, and is {_written(entries)[:40]!r}.")
    return list(entries)


def _iteration(state: State) -> int:
    value = state.get("iteration") or 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UsageError(f"The iteration of a state must be a whole number from 0, and is {value!r}.")
    return value


def _limit(*sources: Mapping[str, Any]) -> int:
    return limit_of("The scratchpad", *sources) or DEFAULT_LIMIT


def _decided(inputs: Inputs) -> tuple[str, str]:
    """Return thought and action, from the entry or else from the plan."""
    for one in (_at(inputs, 1), _at(inputs, 2)):
        if isinstance(one, Mapping) and ("thought" in one or "action" in one):
            return _written(one.get("thought")), _written(one.get("action"))
    plan = _at(inputs, 2)
    text = plan.get("plan") if isinstance(plan, Mapping) else plan
    if text is None:
        return "", ""
    if not isinstance(text, str):
        raise UsageError(f"Slot 2 needs a plan, as text or as an object, and has {_written(plan)[:40]!r}.")
    thought, action = THOUGHT.search(text), ACTION.search(text)
    return (thought[1].strip() if thought else text), (action[1].strip() if action else "")


def _observation(value: Any) -> str:  # noqa: ANN401 - what flows may be anything
    """Return an observation as text; an object without an observation of its own is written in full."""
    if isinstance(value, Mapping) and (value.get("observation") or "thought" in value or "action" in value):
        return _written(value.get("observation"))
    return _written(value)


def _final(entry: Any) -> bool | None:  # noqa: ANN401 - what flows may be anything
    """Return whether an entry is the last one, or None if it does not say."""
    final = entry.get("final") if isinstance(entry, Mapping) else None
    return final if isinstance(final, bool) else None


def _written(value: Any) -> str:  # noqa: ANN401 - what flows may be anything
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _response(value: Any) -> str:  # noqa: ANN401 - what flows may be anything
    """Return the agent's words, given as they are or in a planner's output."""
    if isinstance(value, Mapping):
        value = next((value[key] for key in ("response", "plan", "thought") if value.get(key)), None)
    return _written(value)


def _talked(entry: Mapping[str, Any]) -> bool:
    """Return whether the last action talked to the user and succeeded."""
    if entry.get("action") != TALKS:
        return False
    told = entry.get("observation")
    if isinstance(told, str):
        try:
            told = json.loads(told)
        except (ValueError, RecursionError):
            return False
    if not isinstance(told, Mapping) or told.get("success") is not True:
        return False
    outputs = told.get("outputs", told)
    return isinstance(outputs, Mapping) and "response" in outputs


def _block(entry: Any, line: str, between: str) -> str:  # noqa: ANN401 - what flows may be anything
    if not isinstance(entry, Mapping):
        return _written(entry)
    return between.join(
        line.format(key.capitalize(), _written(entry.get(key))) for key in ("thought", "action", "observation")
    )


def _now(context: Context) -> str:
    """Return the time as ISO 8601 in UTC; the clock of a context, if any, is a function that returns a datetime."""
    clock = context.get("clock")
    if clock is not None and not callable(clock):
        raise UsageError(f"The clock of a context must be a function, and is {_written(clock)[:40]!r}.")
    now: datetime = clock() if clock else datetime.now(UTC)
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
