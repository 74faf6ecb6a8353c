"""The built-in tools as their functions and classes declare them: to be listed, without a desktop or anything else."""

from toolbelt.belt import Toolbelt
from toolbelt.standard import DESKTOP_TOOLS, ENDING_TOOLS
from toolbelt.tool import Tool, declared
from toolbelt.tools import Files, Memory, People, Python, Web


def builtin_tools() -> Toolbelt:
    """Every built-in tool that a run with a desktop has, in its order. None of them can be used."""
    return Toolbelt(*_declarations())


def builtin_tool(name: str) -> Tool | None:
    """The built-in tool with that name, as it is declared; None if there is none."""
    return next((tool for tool in _declarations() if tool.name == name), None)


def desktop_tools() -> list[Tool]:
    """The built-in tools that a run has only with a desktop."""
    return declared(*DESKTOP_TOOLS, Toolbelt)


def _declarations() -> list[Tool]:
    return [*desktop_tools(), *declared(*ENDING_TOOLS, Files, Python, Web, People, Memory)]
