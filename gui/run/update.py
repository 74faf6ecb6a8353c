"""What happens in a run goes in message by message, and the state that the window draws comes out.

Pure: no Tk, no clock, no thread. Whatever the window can show can be tested by calling `reduce`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from gui.kit.tones import Tone
from gui.kit.wording import call_text, change_text, drawable, evidence_text, shortened
from gui.run.messages import (
    Answered,
    Begun,
    Chosen,
    Decided,
    GoalMissing,
    Halted,
    Message,
    Over,
    Pictured,
    Recalled,
    Refused,
    StopAsked,
    Surveyed,
    Ticked,
    Unreadable,
    Wish,
    Wished,
)
from gui.run.progress import billed, charged, judged, paused, resumed, ticked, turned_to, wished
from gui.run.questions import Approval, Asked, Query, approval_of, decided_text
from gui.run.scene import HandAsked, Seated, Unfolded, ViewChosen, renewed, staged
from gui.run.state import ENDINGS, Card, EndCard, NodeRun, NoticeCard, State, StepCard
from mark_i import Event
from world_model import Usage

QUESTION: Final = "Waiting for your answer"
APPROVAL: Final = "Waiting for you to allow an action"
YOURS: Final = "You have mouse and keyboard"


def reduce(state: State, message: Message) -> State:
    """The state after a message; one that comes when the outcome is known may be too late to change anything."""
    too_late = state.ended and isinstance(message, StopAsked | Ticked | Refused | Halted)
    return state if too_late else _after(state, message)


def _after(state: State, message: Message) -> State:
    match message:
        case GoalMissing() | Chosen() | Unreadable() | Recalled() | Surveyed() | Begun():
            state = _prepared(state, message)
        case Seated() | ViewChosen() | HandAsked() | Unfolded():
            state = replace(state, scene=staged(state.scene, message))
            state = _worded(state) if state.wishes else state
        case Event():
            state = ON_EVENT.get(message.event, _unknown)(state, message.data)
        case Pictured():
            state = _pictured(state, message)
        case Answered() | Decided() | Wished() | StopAsked():
            state = _steered(state, message)
        case Ticked():
            state = replace(state, progress=ticked(state.progress, message.seconds))
        case Refused():
            state = _refused(state, message)
        case Halted():
            state = _closed(state, EndCard("stopped", "Stopped", "The run was stopped before its first step."))
        case Over():
            state = replace(state, running=False, stopping=False, asked=None)
    return state


def _prepared(state: State, message: GoalMissing | Chosen | Unreadable | Recalled | Surveyed | Begun) -> State:
    """What a person does before a run."""
    match message:
        case GoalMissing():
            return replace(state, tone="unverified", status="Write a goal first")
        case Chosen():
            return replace(state, tone="quiet", status="Ready", workflow=message.drawing, nodes={})
        case Unreadable():
            return replace(state, tone="error", status=shortened(message.message), workflow=None, nodes={})
        case Recalled():
            return replace(state, goals=_each_once(*state.goals, *message.goals))
        case Surveyed():
            return state if state.running or state.cards else replace(state, findings=message.findings)
        case Begun():
            goals = _each_once(message.goal, *state.goals)
            begun = State(running=True, workflow=state.workflow, goals=goals, scene=renewed(state.scene))
            return _said(begun, "Starting")


def _each_once(*goals: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(drawable(goal) for goal in goals if goal.strip()))


def _said(state: State, doing: str) -> State:
    """What goes on from now; nobody is waited for any more."""
    return _worded(replace(state, asked=None, progress=turned_to(state.progress, doing)))


def _worded(state: State) -> State:
    """The status line, unless it must go on saying that the run is being stopped."""
    tone: Tone = "paused" if state.progress.paused else "busy"
    status = YOURS if state.in_hand else state.progress.status
    return state if state.stopping else replace(state, tone=tone, status=status)


def _steered(state: State, message: Answered | Decided | Wished | StopAsked) -> State:
    """What a person does during a run."""
    match message:
        case StopAsked():
            progress = turned_to(state.progress, "Stopping")
            return replace(state, stopping=True, tone="busy", status="Stopping", progress=progress, asked=None)
        case Wished():
            return _wished(state, message.wish)
        case Answered() | Decided():
            return _replied(state, message)


def _wished(state: State, wish: Wish) -> State:
    """What cannot be wished now changes nothing."""
    if wish not in state.wishes:
        return state
    scene = replace(state.scene, taking=state.scene.taking and wish == "pause")
    return _worded(replace(state, progress=wished(state.progress, wish), scene=scene))


def _replied(state: State, message: Answered | Decided) -> State:
    """What a person says goes to what waits for it, and to nothing else."""
    match state.asked, message:
        case Query(), Answered():
            return _said(state, "Going on")
        case Approval(index), Decided(choice, instead, at):
            return _updated(_said(state, "Going on"), index, decided=decided_text(choice, instead, at))
    return state


def _added(state: State, card: Card) -> State:
    return replace(state, cards=(*state.cards, card))


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
    return replace(state, cards=cards)


def _pictured(state: State, message: Pictured) -> State:
    if _place(state, message.index) is None:
        return state
    return _updated(state, message.index, pictured=True, before=message.before, after=message.after)


def _refused(state: State, message: Refused) -> State:
    """The status says what this means, and the card only why."""
    title = (
        "Something went wrong inside MARK-I" if message.bug else "The run broke off" if state.limit else "Not started"
    )
    return replace(_closed(state, EndCard("error", "", shortened(message.message))), status=title)


def _closed(state: State, card: EndCard) -> State:
    nodes = {one: replace(run, course="broken") for one, run in state.nodes.items() if run.course == "started"}
    closed = replace(
        state, stopping=False, tone=card.tone, status=card.title, nodes={**state.nodes, **nodes}, asked=None
    )
    return _added(closed, card)


def _on_started(state: State, data: Mapping[str, Any]) -> State:
    state = _said(state, "Looking")
    return replace(state, limit=data["max_steps"], progress=replace(state.progress, mode=data.get("mode", "")))


def _on_thinking(state: State, data: Mapping[str, Any]) -> State:
    state = _said(state, f"Thinking about step {data['index']}")
    return replace(state, progress=judged(state.progress, data["budget"])) if "budget" in data else state


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
        usage=Usage(**data.get("usage", {})),
        changed=bool(observation["screen"] and observation["screen"]["changed"]),
    )
    return replace(done, asked=None, steps=data["index"], progress=charged(state.progress, data.get("usage", {})))


def _on_node(state: State, data: Mapping[str, Any]) -> State:
    """The one that was told of last stands last. One that is passed by says nothing of how often it ran before."""
    nodes = dict(state.nodes)
    before = nodes.pop(data["node"], NodeRun())
    nodes[data["node"]] = NodeRun(data["state"], max(before.count, data["count"]))
    return replace(state, nodes=nodes)


def _on_approval(state: State, data: Mapping[str, Any]) -> State:
    """The card of the step says what was asked, also once that is decided."""
    asked = approval_of(data)
    waiting = _asking(state, asked, APPROVAL)
    return _updated(waiting, asked.index, call=asked.call, asked=f"{asked.deed}? {asked.why}")


def _on_notice(state: State, data: Mapping[str, Any]) -> State:
    text = shortened(str(data.get("text", "")))
    waiting = _asking(state, Query(text), QUESTION) if data.get("question") else state
    return _added(waiting, NoticeCard(text))


def _asking(state: State, asked: Asked, waiting: str) -> State:
    """Whoever stops a run is asked nothing more."""
    return state if state.stopping else replace(_said(state, waiting), asked=asked)


def _on_paused(state: State, _data: Mapping[str, Any]) -> State:
    return _worded(replace(state, progress=paused(state.progress)))


def _on_resumed(state: State, _data: Mapping[str, Any]) -> State:
    return _said(replace(state, progress=resumed(state.progress)), "Looking")


def _on_ended(state: State, data: Mapping[str, Any]) -> State:
    tone, title = ENDINGS[data["outcome"]]
    evidence = tuple(evidence_text(piece) for piece in data["evidence"])
    closed = _closed(state, EndCard(tone, title, shortened(data["summary"]), evidence))
    progress = billed(state.progress, data["usage"]) if "usage" in data else state.progress
    return replace(closed, steps=data.get("steps", state.steps), progress=progress)


def _unknown(state: State, _data: Mapping[str, Any]) -> State:
    """A kind of event that came later than this window changes nothing in it."""
    return state


ON_EVENT: Final[Mapping[str, Callable[[State, Mapping[str, Any]], State]]] = {
    "run_started": _on_started,
    "thinking": _on_thinking,
    "thought": _on_thought,
    "action": _on_action,
    "step": _on_step,
    "node": _on_node,
    "approval": _on_approval,
    "notice": _on_notice,
    "paused": _on_paused,
    "resumed": _on_resumed,
    "ended": _on_ended,
}
