"""What a run tells its readers: the command line, the window, the journal and the tests read the same events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from world_model import Step

OutcomeName = Literal[
    "done",
    "done_unverified",
    "failed",
    "stopped",
    "limit_steps",
    "limit_time",
    "limit_cost",
    "model_error",
    "desktop_error",
]

EXIT_CODES: Final[Mapping[OutcomeName, int]] = {
    "done": 0,
    "failed": 1,
    "limit_steps": 3,
    "limit_time": 3,
    "limit_cost": 3,
    "model_error": 4,
    "desktop_error": 5,
    "done_unverified": 6,
    "stopped": 130,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, and what the agent says of it."""

    name: OutcomeName
    summary: str
    evidence: tuple[Mapping[str, Any], ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ended so."""
        return EXIT_CODES[self.name]

    def to_dict(self) -> dict[str, Any]:
        """Its part of the `ended` event and of the journal."""
        return {"outcome": self.name, "summary": self.summary, "evidence": [dict(one) for one in self.evidence]}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Attributes:
        event: `run_started`, `thinking`, `thought`, `action`, `step`, `notice`, `paused`, `resumed` or `ended`.
        t: seconds since the start of the run.
        data: its other values, as JSON values.
        step: with `step` the step itself, whose frames have no place in JSON.
    """

    event: str
    t: float
    data: Mapping[str, Any] = field(default_factory=dict)
    step: Step | None = None

    def to_dict(self) -> dict[str, Any]:
        """Its line in `--json`."""
        return {"event": self.event, "t": round(self.t, 3), **self.data}
