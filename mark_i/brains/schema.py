"""The form of a reply as a JSON schema, for services that enforce one."""

from typing import Any, Final

# `args` is whatever the tool takes.
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "thought": {"type": "string"},
        "action": {
            "type": "object",
            "properties": {
                "tool": {"type": "string"},
                "args": {"type": "object", "additionalProperties": True},
            },
            "required": ["tool", "args"],
        },
        "answer": {"type": "string"},
        "kind": {"type": "string", "enum": ["deed", "answer"]},
        "style": {"type": "string", "enum": ["default", "strict", "summary", "verbatim"]},
    },
    "required": ["thought"],
}
