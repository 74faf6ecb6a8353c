"""What the agent knows: places, frames, steps, the WorldModel, the run's journal, and the errors."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from world_model.errors import (
        ERROR_CODES,
        BusyError,
        DesktopError,
        Halt,
        JournalError,
        LimitError,
        MarkIError,
        ModelError,
        ReplyError,
        ToolFailure,
        UsageError,
        WorkflowError,
    )
    from world_model.frames import Frame, Pixels
    from world_model.geometry import Point, Region, Size
    from world_model.journal import Journal
    from world_model.memory import WorldModel
    from world_model.readback import Run, read_about, read_frame, read_nodes, read_prompts, read_replies, read_run
    from world_model.steps import Action, Observation, Problem, ScreenChange, Step, Thought, Timing, Usage
    from world_model.words import Format, call, cut, describe, problem, structured, told, verbatim

__all__ = [
    "ERROR_CODES",
    "Action",
    "BusyError",
    "DesktopError",
    "Format",
    "Frame",
    "Halt",
    "Journal",
    "JournalError",
    "LimitError",
    "MarkIError",
    "ModelError",
    "Observation",
    "Pixels",
    "Point",
    "Problem",
    "Region",
    "ReplyError",
    "Run",
    "ScreenChange",
    "Size",
    "Step",
    "Thought",
    "Timing",
    "ToolFailure",
    "Usage",
    "UsageError",
    "WorkflowError",
    "WorldModel",
    "call",
    "cut",
    "describe",
    "problem",
    "read_about",
    "read_frame",
    "read_nodes",
    "read_prompts",
    "read_replies",
    "read_run",
    "structured",
    "told",
    "verbatim",
]

_HOMES = {
    "ERROR_CODES": "world_model.errors",
    "BusyError": "world_model.errors",
    "DesktopError": "world_model.errors",
    "Halt": "world_model.errors",
    "JournalError": "world_model.errors",
    "LimitError": "world_model.errors",
    "MarkIError": "world_model.errors",
    "ModelError": "world_model.errors",
    "ReplyError": "world_model.errors",
    "ToolFailure": "world_model.errors",
    "UsageError": "world_model.errors",
    "WorkflowError": "world_model.errors",
    "Frame": "world_model.frames",
    "Pixels": "world_model.frames",
    "Point": "world_model.geometry",
    "Region": "world_model.geometry",
    "Size": "world_model.geometry",
    "Journal": "world_model.journal",
    "WorldModel": "world_model.memory",
    "Run": "world_model.readback",
    "read_about": "world_model.readback",
    "read_frame": "world_model.readback",
    "read_nodes": "world_model.readback",
    "read_prompts": "world_model.readback",
    "read_replies": "world_model.readback",
    "read_run": "world_model.readback",
    "Action": "world_model.steps",
    "Observation": "world_model.steps",
    "Problem": "world_model.steps",
    "ScreenChange": "world_model.steps",
    "Step": "world_model.steps",
    "Thought": "world_model.steps",
    "Timing": "world_model.steps",
    "Usage": "world_model.steps",
    "Format": "world_model.words",
    "call": "world_model.words",
    "cut": "world_model.words",
    "describe": "world_model.words",
    "problem": "world_model.words",
    "structured": "world_model.words",
    "told": "world_model.words",
    "verbatim": "world_model.words",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each name has its own type, given above
    """Load a public name when it is first asked for: `mark-i --help` needs the errors, and neither NumPy nor Pillow."""
    if name not in __all__:
        raise AttributeError(f"module 'world_model' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
