"""What a client gets for a call: text and pictures for its model, values for programs."""

from typing import Any, Final

from mcp.types import CallToolResult, ImageContent, TextContent

from mark_i.events import Outcome
from mark_i.mcp.served import ToolResponse
from world_model import Observation, describe

ENDED: Final = "{} Further calls do nothing: restart `mark-i mcp` if its user agrees."
SAID: Final = "The person said meanwhile: "
VALUES: Final = "mark-i/observation"  # where the values are that are no structured content
LEFT_OUT: Final = frozenset({"regions", "settled_ms"})  # where pixels changed, and for how long
EMPTY: Final[tuple[Any, ...]] = ("", [])


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
