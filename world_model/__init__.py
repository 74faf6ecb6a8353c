"""What the agent knows: places, frames, steps, the WorldModel, the run's journal, and the errors."""

from world_model.errors import (
    ERROR_CODES,
    DesktopError,
    Halt,
    JournalError,
    LimitError,
    MarkIError,
    ModelError,
    ReplyError,
    ToolFailure,
    UsageError,
)
from world_model.frames import Frame, Pixels
from world_model.geometry import Point, Region, Size
from world_model.journal import Journal
from world_model.memory import WorldModel
from world_model.readback import Run, read_about, read_replies, read_run
from world_model.steps import Action, Observation, Problem, ScreenChange, Step, Thought, Timing, Usage
from world_model.words import Format, call, cut, describe, problem, structured, told, verbatim

__all__ = [
    "ERROR_CODES",
    "Action",
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
    "WorldModel",
    "call",
    "cut",
    "describe",
    "problem",
    "read_about",
    "read_replies",
    "read_run",
    "structured",
    "told",
    "verbatim",
]
