from .errors import (
    ERROR_CODES as ERROR_CODES,
    BusyError as BusyError,
    DesktopError as DesktopError,
    Halt as Halt,
    JournalError as JournalError,
    LimitError as LimitError,
    MarkIError as MarkIError,
    ModelError as ModelError,
    ReplyError as ReplyError,
    ToolFailure as ToolFailure,
    UsageError as UsageError,
    WorkflowError as WorkflowError,
    file_fault as file_fault,
)
from .frames import Frame as Frame, Pixels as Pixels
from .geometry import Point as Point, Region as Region, Size as Size
from .journal import Journal as Journal
from .journal_reader import (
    Run as Run,
    read_about as read_about,
    read_frame as read_frame,
    read_nodes as read_nodes,
    read_prompts as read_prompts,
    read_replies as read_replies,
    read_run as read_run,
)
from .memory import WorldModel as WorldModel
from .messages import (
    Place as Place,
    PlacedText as PlacedText,
    joined as joined,
    message as message,
    parts_of as parts_of,
    places_in as places_in,
    rendered as rendered,
)
from .roles import CHECKABLE as CHECKABLE, FIELDS as FIELDS, ROLE_OF_KIND as ROLE_OF_KIND, Role as Role
from .step_text import (
    Format as Format,
    call as call,
    cut as cut,
    describe as describe,
    effects as effects,
    problem as problem,
    structured as structured,
    told as told,
    verbatim as verbatim,
)
from .steps import (
    Action as Action,
    Observation as Observation,
    Problem as Problem,
    RefusedBy as RefusedBy,
    ScreenChange as ScreenChange,
    Step as Step,
    Thought as Thought,
    Timing as Timing,
    Usage as Usage,
)
