"""How the user of a client decides about an action: in a form that the client shows, if it can."""

from typing import Any, Final, TypeAlias
from uuid import uuid4

from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    InputResponse,
    InputResponses,
)

from mark_i.guard.risk import Answer, Choice

CHOICES: Final[dict[str, Choice]] = {"once": "once", "for this run": "run", "no": "no"}
FORM: Final = {
    "type": "object",
    "properties": {"decision": {"type": "string", "title": "Allow this action?", "enum": list(CHOICES)}},
    "required": ["decision"],
}
ASKED: Final = "approval"  # our name for the only question that a call can ask

Context: TypeAlias = ServerRequestContext[Any, Any]
Result: TypeAlias = CallToolResult | InputRequiredResult


def can_ask(context: Context) -> bool:
    """Whether the client can ask its user."""
    abilities = context.session.client_capabilities
    return bool(abilities and abilities.elicitation)


async def decision(context: Context, action: str, why: str) -> Answer | InputRequiredResult:
    """Ask the user of the client.

    In the 2026 protocol a server cannot ask: the client does, and repeats the call with the answer and the
    `request_state` of the result.
    """
    message = f"{action}\n{why}"
    if context.session.can_send_request:
        return decided(await context.session.elicit_form(message, FORM, context.request_id))
    form = ElicitRequestFormParams(message=message, requested_schema=FORM)
    return InputRequiredResult(input_requests={ASKED: ElicitRequest(params=form)}, request_state=uuid4().hex)


def given(responses: InputResponses | None) -> Answer:
    """Read the decision that came with a repeated call."""
    return decided((responses or {}).get(ASKED))


def decided(response: InputResponse | None) -> Answer:
    """Read a decision; anything but a clear yes means no."""
    accepted = response.content if isinstance(response, ElicitResult) and response.action == "accept" else None
    return Answer(CHOICES.get(str((accepted or {}).get("decision")), "no"))
