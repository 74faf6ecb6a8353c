"""MARK-I, a desktop agent. Everything that a program or a plugin needs is here; the modules behind it may move."""

from typing import TYPE_CHECKING, Any

from mark_i.startup_check import refusal

if TYPE_CHECKING:
    from mark_i.agent import AgentCore
    from mark_i.assembly.compose import agent_for
    from mark_i.assembly.desktops import desktop_for
    from mark_i.assembly.run_config import RunConfig
    from mark_i.brain import Brain, Picture, Prompt, Reply
    from mark_i.brains import brain_named
    from mark_i.brains.access import Access
    from mark_i.brains.offline.brain import OfflineBrain
    from mark_i.brains.scripted import ScriptedBrain
    from mark_i.budget import Budget
    from mark_i.events import EXIT_CODES, Event, Outcome
    from mark_i.human.person import Answers
    from mark_i.loop.parts import Limits, Models, Oversight
    from mark_i.prompts.builder import compose_prompt
    from mark_i.react import ReactAgent, StepLimitReached
    from mark_i.workflows.format.node_type import node
    from toolbelt.belt import Toolbelt
    from toolbelt.control import Control
    from toolbelt.desktops import DEFAULT_SIZE, Desktop, FakeDesktop, LiveDesktop, VirtualDesktop
    from toolbelt.parameters import (
        Address,
        AppName,
        Chosen,
        Command,
        Enters,
        FileContent,
        FilePath,
        KeyNames,
        Query,
        Runs,
        Shown,
        Typed,
        WindowTitle,
    )
    from toolbelt.perception import Eyes
    from toolbelt.result_schema import ResultSchema
    from toolbelt.standard import standard_toolbelt
    from toolbelt.tool import Tool, ToolResult, tool
    from world_model import Action, MarkIError, Observation, Place, Step, Thought, ToolFailure, WorldModel, message

__all__ = [
    "DEFAULT_SIZE",
    "EXIT_CODES",
    "Access",
    "Action",
    "Address",
    "AgentCore",
    "Answers",
    "AppName",
    "Brain",
    "Budget",
    "Chosen",
    "Command",
    "Control",
    "Desktop",
    "Enters",
    "Event",
    "Eyes",
    "FakeDesktop",
    "FileContent",
    "FilePath",
    "KeyNames",
    "Limits",
    "LiveDesktop",
    "MarkIError",
    "Models",
    "Observation",
    "OfflineBrain",
    "Outcome",
    "Oversight",
    "Picture",
    "Place",
    "Prompt",
    "Query",
    "ReactAgent",
    "Reply",
    "ResultSchema",
    "RunConfig",
    "Runs",
    "ScriptedBrain",
    "Shown",
    "Step",
    "StepLimitReached",
    "Thought",
    "Tool",
    "ToolFailure",
    "ToolResult",
    "Toolbelt",
    "Typed",
    "VirtualDesktop",
    "WindowTitle",
    "WorldModel",
    "agent_for",
    "brain_named",
    "compose_prompt",
    "desktop_for",
    "message",
    "node",
    "standard_toolbelt",
    "tool",
]

_HOMES = {
    "AgentCore": "mark_i.agent",
    "Answers": "mark_i.human.person",
    "Brain": "mark_i.brain",
    "Picture": "mark_i.brain",
    "Prompt": "mark_i.brain",
    "Reply": "mark_i.brain",
    "OfflineBrain": "mark_i.brains.offline.brain",
    "ScriptedBrain": "mark_i.brains.scripted",
    "Access": "mark_i.brains.access",
    "brain_named": "mark_i.brains",
    "Budget": "mark_i.budget",
    "RunConfig": "mark_i.assembly.run_config",
    "agent_for": "mark_i.assembly.compose",
    "desktop_for": "mark_i.assembly.desktops",
    "Limits": "mark_i.loop.parts",
    "Models": "mark_i.loop.parts",
    "Oversight": "mark_i.loop.parts",
    "EXIT_CODES": "mark_i.events",
    "Event": "mark_i.events",
    "Outcome": "mark_i.events",
    "compose_prompt": "mark_i.prompts.builder",
    "ReactAgent": "mark_i.react",
    "StepLimitReached": "mark_i.react",
    "node": "mark_i.workflows.format.node_type",
    "Toolbelt": "toolbelt.belt",
    "Control": "toolbelt.control",
    "DEFAULT_SIZE": "toolbelt.desktops",
    "Desktop": "toolbelt.desktops",
    "Eyes": "toolbelt.perception",
    "FakeDesktop": "toolbelt.desktops",
    "LiveDesktop": "toolbelt.desktops",
    "standard_toolbelt": "toolbelt.standard",
    "ResultSchema": "toolbelt.result_schema",
    "Tool": "toolbelt.tool",
    "ToolResult": "toolbelt.tool",
    "tool": "toolbelt.tool",
    "VirtualDesktop": "toolbelt.desktops",
    "Address": "toolbelt.parameters",
    "AppName": "toolbelt.parameters",
    "Chosen": "toolbelt.parameters",
    "Command": "toolbelt.parameters",
    "Enters": "toolbelt.parameters",
    "FileContent": "toolbelt.parameters",
    "FilePath": "toolbelt.parameters",
    "KeyNames": "toolbelt.parameters",
    "Query": "toolbelt.parameters",
    "Runs": "toolbelt.parameters",
    "Shown": "toolbelt.parameters",
    "Typed": "toolbelt.parameters",
    "WindowTitle": "toolbelt.parameters",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each name has its own type, given above
    """Load a public name when it is first asked for: `mark-i --help` needs none of them, and the check comes first."""
    if name not in __all__:
        raise AttributeError(f"module 'mark_i' has no attribute {name!r}")
    if reason := refusal():
        raise ImportError(reason)
    from importlib import import_module  # noqa: PLC0415 - after the check

    return getattr(import_module(_HOMES.get(name, "world_model")), name)
