"""The events of a run. The command line, the window, the journal and the tests read the same ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from toolbelt.tool import Result
from world_model import Frame, Step

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

Style = Literal["default", "strict", "summary", "verbatim"]

STRICT: Final = frozenset({"strict", "verbatim"})  # styles in which the answer is only what tools returned
LABELS: Final[Mapping[Style, str]] = {
    style: "Strict data mode" if style in STRICT else "Conversational mode" for style in get_args(Style)
}

OUTCOME_LABELS: Final[Mapping[OutcomeName, str]] = {
    "done": "Done",
    "done_unverified": "Done, but not verified",
    "failed": "Failed",
    "stopped": "Stopped",
    "limit_steps": "Step limit reached",
    "limit_time": "Time limit reached",
    "limit_cost": "Cost limit reached",
    "model_error": "Model error",
    "desktop_error": "Desktop error",
}

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
    """How a run ended, and what the person is told.

    Attributes:
        summary: the answer as the person gets it.
        evidence: what the agent gave as proof, each piece with whether it was verified.
        style: of the answer: `default`, `strict`, `summary` or `verbatim`.
        sources: each line of a strict answer with the step that it comes from.
        unsupported: figures and names in the answer that are in no observation.
        answer: the agent's own words; None if it had none.
        direct: whether the answer is what a tool returned, unchanged.
        cause: why there was a model error, as a word such as `refused_key`; empty if there is none for it.
        result: the answer as JSON, if the run had a schema and reached its end.
    """

    name: OutcomeName
    summary: str
    evidence: tuple[Mapping[str, Any], ...] = ()
    style: str = "default"
    sources: tuple[Mapping[str, Any], ...] = ()
    unsupported: tuple[str, ...] = ()
    answer: str | None = None
    direct: bool = False
    cause: str = ""
    result: Result | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.name]

    def to_dict(self) -> dict[str, Any]:
        """Return its part of the `ended` event and of the journal."""
        return {
            "outcome": self.name,
            "summary": self.summary,
            "evidence": [dict(one) for one in self.evidence],
            "style": self.style,
            "sources": [dict(one) for one in self.sources],
            "unsupported": list(self.unsupported),
            "direct": self.direct,
            **({"cause": self.cause} if self.cause else {}),
            **({"result": self.result.value} if self.result else {}),
        }


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a run.

    Attributes:
        event: `run_started`, `thinking`, `thought`, `approval`, `action`, `step`, `notice`, `said`, `outlook`,
            `paused`, `resumed` or `ended`; after that, `repair` if a skill did not fit.
        t: seconds since the start of the run.
        data: the other values, as JSON values.
        step: the step itself with `step`; its frames are not in the JSON.
        outcome: how the run ended, with `ended`.
        screen: the newest screen, with `thinking` and `approval`; None without a desktop.
    """

    event: str
    t: float
    data: Mapping[str, Any] = field(default_factory=dict)
    step: Step | None = None
    outcome: Outcome | None = None
    screen: Frame | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return its line in `--json`."""
        return {"event": self.event, "t": round(self.t, 3), **self.data}


def usage_summary(usage: Mapping[str, Any]) -> str:
    """Return tokens and cost as a person reads them; an empty string if no model was called."""
    if not usage["input_tokens"] and not usage["output_tokens"]:
        return ""
    cached = f" ({usage['cached_tokens']:,} of them cached)" if usage.get("cached_tokens") else ""
    cost = usage["cost_usd"]
    price = "at a price that is not known here" if cost is None else f"about {cost:.4f} USD"
    return f"{usage['input_tokens']:,} tokens in{cached}, {usage['output_tokens']:,} out: {price}."
