"""What each extra of `pip install 'mark-i[...]'` brings, and an error in one line where it is missing."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from toolbelt.extras import are_installed, not_installed
from world_model import UsageError


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part of the installation.

    Attributes:
        subject: what a user calls it, at the beginning of a sentence.
        modules: what must be importable for it to work.
    """

    subject: str
    modules: tuple[str, ...]

    @property
    def installed(self) -> bool:
        """Whether all of its modules can be imported."""
        return are_installed(*self.modules)


PORTAL_MODULES: Final = ("jeepney", "pipewire_capture")
EXTRAS: Final[Mapping[str, Extra]] = {
    "window": Extra("The window", ("customtkinter",)),
    "accessibility": Extra("Hearing what programs say of their windows", ("xa11y",)),
    "portal": Extra("Asking the person for this desktop", PORTAL_MODULES if sys.platform == "linux" else ()),
    "web": Extra("Searching and reading the web", ("ddgs", "httpx2", "lxml", "trafilatura")),
    "gemini": Extra("The SDK for Gemini", ("google.genai", "httpx2")),
    "openai": Extra("The SDK for OpenAI", ("openai", "httpx2")),
    "anthropic": Extra("The SDK for Anthropic", ("anthropic", "httpx2")),
    "gemini-legacy": Extra("The older SDK for Gemini", ("google.generativeai", "httpx2", "requests")),
    "mcp": Extra("MCP", ("anyio", "httpx2", "mcp", "starlette", "uvicorn")),
    "langgraph": Extra("LangGraph", ("langchain_core", "langgraph")),
    "otel": Extra("OpenTelemetry", ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")),
    "fleet": Extra("Ray", ("ray",)),
    "bench": Extra("MiniWoB++", ("miniwob",)),
}
NEEDS_TK: Final = "needs Tk for Python. On Debian and Ubuntu: sudo apt-get install python3-tk"
FOR_USERS: Final = (
    "window",
    "accessibility",
    "portal",
    "web",
    "gemini",
    "openai",
    "anthropic",
    "mcp",
    "langgraph",
)  # what `all` brings


def has_tk() -> bool:
    """Tell whether this Python can open windows of its own: a distribution may leave that out."""
    return are_installed("tkinter", "_tkinter")


def require(name: str) -> None:
    """Check that an extra is installed.

    Raises:
        UsageError: It is not; the message names the command that installs it.
    """
    if not EXTRAS[name].installed:
        raise UsageError(not_installed(EXTRAS[name].subject, name))
