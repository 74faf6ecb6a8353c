"""What a client gets from our server, and in which two ways clients speak."""

from typing import Any, Final

from mcp.types import CallToolResult, TextContent

ERAS: Final = ("auto", "legacy")  # since 2026 the client asks its user; before that the server did


def values(result: CallToolResult) -> dict[str, Any]:
    told: dict[str, Any] | None = result.structured_content
    assert told is not None, result.content
    return told


def text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))
