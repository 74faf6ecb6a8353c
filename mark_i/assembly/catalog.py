"""The built-in tools as their functions and classes declare them: to be listed, without a desktop or anything else."""

from toolbelt.belt import Toolbelt
from toolbelt.standard import DESKTOP_TOOLS, ENDING_TOOLS
from toolbelt.tool import Tool, declared
from toolbelt.tools import Files, Memory, People, Python, Web


def builtin_tools() -> Toolbelt:
    """Every built-in tool that a run with a desktop has, in its order. None of them can be used."""
    return Toolbelt(*desktop_tools(), *declared(*ENDING_TOOLS, Files, Python, Web, People, Memory))


def desktop_tools() -> list[Tool]:
    """The built-in tools that need a desktop."""
    return declared(*DESKTOP_TOOLS)
