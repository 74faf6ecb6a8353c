"""What the window shows, as values: what happens in a run goes in message by message, the state to draw comes out.

Pure: no Tk, no clock, no thread. Whatever the window can show can be tested by calling `reduce`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from gui.pictures import Shot
from gui.words import call_text, change_text, evidence_text, shortened
from mark_i import Event

Tone = Literal["quiet", "busy", "done", "unverified", "failed", "stopped", "error"]

ENDINGS: Final[Mapping[str, tuple[Tone, str]]] = {
    "done": ("done", "Done"),
    "done_unverified": ("unverified", "Done, but not verified"),
    "failed": ("failed", "Failed"),
    "stopped": ("stopped", "Stopped"),
    "limit_steps": ("stopped", "Step limit reached"),
    "limit_time": ("stopped", "Time limit reached"),
    "limit_cost": ("stopped", "Cost limit reached"),
    "model_error": ("error", "Model error"),
    "desktop_error": ("error", "Desktop error"),
}


@dataclass(frozen=True, slots=True)
class StepCard:
    """One step, as far as it has come; `ok` is None until the action is done."""

    index: int
    thought: str = ""
    call: str = ""
    ok: bool | None = None
    observation: str = ""
    code: str = ""
    hints: str = ""
    change: str = ""
    seconds: float = 0.0
    pictured: bool = False
    before: Shot | None = None
    after: Shot | None = None


@dataclass(frozen=True, slots=True)
class NoticeCard:
    """Something that the person should know, and that is not part of a step."""

    text: str


@dataclass(frozen=True, slots=True)
class EndCard:
    """How the run ended."""

    tone: Tone
    title: str
    text: str
    evidence: tuple[str, ...] = ()


Card: TypeAlias = StepCard | NoticeCard | EndCard


@dataclass(frozen=True, slots=True)
class GoalMissing:
    """Run was pressed with nothing to do."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Run was pressed."""


@dataclass(frozen=True, slots=True)
class Pictured:
    """The pictures of a step are there; they are made beside the run and may be late."""

    index: int
    before: Shot | None
    after: Shot | None


@dataclass(frozen=True, slots=True)
class StopAsked:
    """Stop was pressed."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """So many seconds have gone by since Run was pressed."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Refused:
    """The run cannot start or go on, and the message says why. `bug` where that was not foreseen."""

    message: str
    bug: bool = False


@dataclass(frozen=True, slots=True)
class Halted:
    """The run was stopped before it began."""


@dataclass(frozen=True, slots=True)
class Over:
    """Everything that the run had taken is given back; the next one may begin."""


Message: TypeAlias = GoalMissing | Begun | Event | Pictured | StopAsked | Ticked | Refused | Halted | Over


@dataclass(frozen=True, slots=True)
class State:
    """All that the window shows.

    Attributes:
        running: from Run until everything is given back.
        stopping: a stop was asked for and not yet felt.
        tone: of the status line.
        status: what goes on, in words.
        steps: steps done.
        limit: steps allowed; 0 as long as that is not known.
        seconds: since Run was pressed.
        cards: the log, oldest first.
        changed: the place of the one card that the last message added or changed; None if there is none.
    """

    running: bool = False
    stopping: bool = False
    tone: Tone = "quiet"
    status: str = "Ready"
    steps: int = 0
    limit: int = 0
    seconds: float = 0.0
    cards: tuple[Card, ...] = ()
    changed: int | None = None

    @property
    def ended(self) -> bool:
        """Whether the outcome is known."""
        return bool(self.cards) and isinstance(self.cards[-1], EndCard)


def reduce(state: State, message: Message) -> State:
    """The state after a message; one that comes when the outcome is known may be too late to change anything."""
    state = replace(state, changed=None)
    too_late = state.ended and isinstance(message, StopAsked | Ticked | Refused | Halted)
    return state if too_late else _after(state, message)


def _after(state: State, message: Message) -> State:
    match message:
        case GoalMissing():
            state = replace(state, tone="unverified", status="Write a goal first")
        case Begun():
            state = State(running=True, tone="busy", status="Starting")
        case Event():
            state = ON_EVENT.get(message.event, _unknown)(state, message.data)
        case Pictured():
            state = _pictured(state, message)
        case StopAsked():
            state = replace(state, stopping=True, tone="busy", status="Stopping")
        case Ticked():
            state = replace(state, seconds=message.seconds)
        case Refused():
            state = _refused(state, message)
        case Halted():
            state = _closed(state, EndCard("stopped", "Stopped", "The run was stopped before its first step."))
        case Over():
            state = replace(state, running=False, stopping=False)
    return state


def _said(state: State, status: str) -> State:
    """The status line, unless it must go on saying that the run is being stopped."""
    return state if state.stopping else replace(state, tone="busy", status=status)


def _added(state: State, card: Card) -> State:
    return replace(state, cards=(*state.cards, card), changed=len(state.cards))


def _place(state: State, index: int) -> int | None:
    """Where a step's card is; searched from the end, for it is one of the last."""
    for place in range(len(state.cards) - 1, -1, -1):
        card = state.cards[place]
        if isinstance(card, StepCard) and card.index == index:
            return place
    return None


def _updated(state: State, index: int, **values: Any) -> State:  # noqa: ANN401 - the fields of a StepCard
    """The state with a step's card changed, or added where this is the first word of it."""
    place = _place(state, index)
    if place is None:
        return _added(state, replace(StepCard(index), **values))
    card = state.cards[place]
    assert isinstance(card, StepCard)  # noqa: S101 - `_place` looks for nothing else
    cards = (*state.cards[:place], replace(card, **values), *state.cards[place + 1 :])
    return replace(state, cards=cards, changed=place)


def _pictured(state: State, message: Pictured) -> State:
    if _place(state, message.index) is None:
        return state
    return _updated(state, message.index, pictured=True, before=message.before, after=message.after)


def _refused(state: State, message: Refused) -> State:
    title = (
        "Something went wrong inside MARK-I" if message.bug else "The run broke off" if state.limit else "Not started"
    )
    return _closed(state, EndCard("error", title, shortened(message.message)))


def _closed(state: State, card: EndCard) -> State:
    return _added(replace(state, stopping=False, tone=card.tone, status=card.title), card)


def _on_started(state: State, data: Mapping[str, Any]) -> State:
    return replace(_said(state, "Looking"), limit=data["max_steps"])


def _on_thinking(state: State, data: Mapping[str, Any]) -> State:
    return _said(state, f"Thinking about step {data['index']}")


def _on_thought(state: State, data: Mapping[str, Any]) -> State:
    return _updated(state, data["index"], thought=shortened(data["text"]))


def _on_action(state: State, data: Mapping[str, Any]) -> State:
    return _updated(_said(state, shortened(f"Acting: {data['tool']}")), data["index"], call=call_text(data))


def _on_step(state: State, data: Mapping[str, Any]) -> State:
    observation = data["observation"]
    error = observation["error"]
    text = error["message"] if error else observation["text"]
    done = _updated(
        state,
        data["index"],
        thought=shortened(data["thought"]),
        call=call_text(data["action"]),
        ok=observation["ok"],
        observation=shortened(text),
        code=error["code"] if error else "",
        hints=shortened("\n".join(error["hints"])) if error else "",
        change=change_text(observation["screen"]),
        seconds=sum(data["timing"].values()) / 1000,
    )
    return replace(done, steps=data["index"])


def _on_notice(state: State, data: Mapping[str, Any]) -> State:
    return _added(state, NoticeCard(shortened(str(data.get("text", "")))))


def _on_paused(state: State, _data: Mapping[str, Any]) -> State:
    return _said(state, "Paused")


def _on_resumed(state: State, _data: Mapping[str, Any]) -> State:
    return _said(state, "Looking")


def _on_ended(state: State, data: Mapping[str, Any]) -> State:
    tone, title = ENDINGS[data["outcome"]]
    evidence = tuple(evidence_text(piece) for piece in data["evidence"])
    return replace(
        _closed(state, EndCard(tone, title, shortened(data["summary"]), evidence)), steps=data.get("steps", state.steps)
    )


def _unknown(state: State, _data: Mapping[str, Any]) -> State:
    """A kind of event that came later than this window changes nothing in it."""
    return state


ON_EVENT: Final[Mapping[str, Callable[[State, Mapping[str, Any]], State]]] = {
    "run_started": _on_started,
    "thinking": _on_thinking,
    "thought": _on_thought,
    "action": _on_action,
    "step": _on_step,
    "notice": _on_notice,
    "paused": _on_paused,
    "resumed": _on_resumed,
    "ended": _on_ended,
}
