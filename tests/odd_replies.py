"""Replies of services that are not what was asked for, in each service's own form."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mark_i.testing import ANTHROPIC, OPENAI, Protocol
from world_model import Usage


def odd(protocol: Protocol, *bodies: Mapping[str, Any]) -> Protocol:
    """The protocol of a service that gives these answers first."""
    left = list(bodies)
    return replace(protocol, reply=lambda text, usage: dict(left.pop(0)) if left else protocol.reply(text, usage))


def candidate(reason: str, *parts: Mapping[str, Any]) -> dict[str, Any]:
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 7, "totalTokenCount": 1007}
    return {"candidates": [{"content": {"parts": list(parts)}, "finishReason": reason}], "usageMetadata": usage}


def choice(reason: str, content: Any, **more: Any) -> dict[str, Any]:
    body = OPENAI.reply("", Usage(1000, 7))
    body["choices"][0] = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **more},
        "finish_reason": reason,
    }
    return body


def message(reason: str, *blocks: Mapping[str, Any]) -> dict[str, Any]:
    return {**ANTHROPIC.reply("", Usage(1000, 7)), "content": list(blocks), "stop_reason": reason}
