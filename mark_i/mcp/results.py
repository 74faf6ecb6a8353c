"""What a client gets for a call: text and pictures for its model, values for programs."""

import json
from collections.abc import Iterator
from typing import Any, Final

from mcp.types import CallToolResult, ImageContent, TextContent

from mark_i.events import OUTCOME_LABELS, Outcome, usage_summary
from mark_i.mcp.goal_run import GoalState, Permission
from mark_i.mcp.served import ToolResponse
from world_model import Observation, cut, describe

ENDED: Final = "{} Further calls do nothing: restart `mark-i mcp` if its user agrees."
SAID: Final = "The person said meanwhile: "
VALUES: Final = "mark-i/observation"  # where the values are that are no structured content
LEFT_OUT: Final = frozenset({"regions", "settled_ms"})  # where pixels changed, and for how long
EMPTY: Final[tuple[Any, ...]] = ("", [])
GOAL_CHARS: Final = 100  # of a goal in a text; the values have all of it
REACHED: Final = frozenset({"done", "done_unverified"})
IDLE: Final = "No goal was given yet. Give one with run_goal."
WAITS: Final = "Call status with wait_seconds to wait for its end, say to speak to it, stop to end it."
ANSWER: Final = "Answer with say."
APPROVE: Final = "It may not be done unless the user agrees. Answer with say: yes, run, no, or what to do instead."


def result_of(told: ToolResponse | Outcome) -> CallToolResult:
    """Return the result of a call: what the tool says, what appeared on the screen, and the pictures."""
    if isinstance(told, Outcome):
        return failed(ENDED.format(told.summary))
    values = values_of(told.observation)
    content: list[Any] = [TextContent(text=describe(told.observation))]
    if told.said:
        values["said"] = [*told.said]
        content.append(TextContent(text=SAID + "\n".join(told.said)))
    content += [ImageContent(data=one.base64, mime_type=one.mime_type) for one in told.pictures]
    # Claude Code, Codex and others show their model nothing but the structured content where there is some: a picture
    # would be lost.
    structured, meta = (None, {VALUES: values}) if told.pictures else (values, None)
    return CallToolResult(content=content, structured_content=structured, _meta=meta, is_error=not told.observation.ok)


def failed(text: str) -> CallToolResult:
    """Return the result of a call that did nothing."""
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def values_of(observation: Observation) -> dict[str, Any]:
    """Return the observation as JSON values; the client can do without those that are empty."""
    screen = observation.screen.to_dict() if observation.screen else {}
    changes = {name: value for name, value in screen.items() if name not in LEFT_OUT and value not in EMPTY}
    error = observation.error.code if observation.error else None
    more = {"data": observation.data, "error": error, "screen": changes or None}
    return {
        "ok": observation.ok,
        "text": describe(observation),
        **{name: value for name, value in more.items() if value is not None},
    }


def idle() -> CallToolResult:
    """Return the state of an agent that had nothing to do yet."""
    return CallToolResult(content=[TextContent(text=IDLE)], structured_content={"state": "idle"})


def state_of(state: GoalState) -> CallToolResult:
    """Return how far a run is."""
    text = "\n".join(filter(None, _told(state)))
    return CallToolResult(content=[TextContent(text=text)], structured_content=_values_of_goal(state))


def reached(state: GoalState) -> CallToolResult:
    """Return how far a run is; that it ended without reaching its goal is a failure."""
    is_error = state.ended and not (state.outcome and state.outcome.name in REACHED)
    return state_of(state).model_copy(update={"is_error": is_error})


def _told(state: GoalState) -> Iterator[str]:
    """Yield the lines that tell a model how far a run is."""
    if state.outcome:
        yield f"{OUTCOME_LABELS[state.outcome.name]}. {state.outcome.summary}"
        if state.outcome.result:
            yield json.dumps(state.outcome.result.value, ensure_ascii=False)
        yield from state.notices
    elif state.ended:
        yield state.refused
    elif isinstance(state.asked, Permission):
        yield f"The agent asks for approval: {state.asked.action}. {state.asked.why}\n{APPROVE}"
    elif state.asked:
        yield f"The agent asks: {state.asked.text}\n{ANSWER}"
    else:
        at = f", at step {state.step}: {state.thought} {state.action}" if state.step else ""
        yield f"The run is {state.name}{at}.\n{WAITS}"
    if state.run:
        steps = f"{state.steps} step{'' if state.steps == 1 else 's'}"
        cost = usage_summary(state.usage.to_dict())
        yield f"Run {state.run}, {steps}, for the goal {cut(state.goal, GOAL_CHARS)!r}. {cost}".rstrip()


def _values_of_goal(state: GoalState) -> dict[str, Any]:
    """Return how far a run is as JSON values, without those that are empty."""
    asked, outcome = state.asked, state.outcome
    question = asked.why if isinstance(asked, Permission) else asked and asked.text
    values = {
        "goal": state.goal,
        "run": state.run,
        "brain": state.brain,
        "thought": state.thought,
        "action": state.action,
        "question": question,
        "approval": asked.action if isinstance(asked, Permission) else None,
        "outcome": outcome and outcome.name,
        "answer": outcome and outcome.summary,
        "evidence": outcome and [dict(one) for one in outcome.evidence],
        "error": state.refused,
        "notices": [*state.notices],
    }
    kept = {name: value for name, value in values.items() if value is not None and value not in EMPTY}
    if outcome and outcome.result:
        kept["result"] = outcome.result.value
    return {"state": state.name, **kept, "step": state.step, "steps": state.steps, "usage": state.usage.to_dict()}
