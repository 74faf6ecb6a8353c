"""Derives the state of a run from messages, one at a time.

Pure: no Tk, no clock, no thread. All that the window shows can be tested by calling `reduce`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from gui.kit.texts import call_text, change_text, shorten, tk_safe, without_options
from gui.kit.tones import Tone
from gui.run.cards import added, offered, pictured, settled, told_once, updated, with_question, without_note
from gui.run.mends import mends_for
from gui.run.messages import (
    Answered,
    ClockTicked,
    ControlRequest,
    ControlRequested,
    ConversationBegun,
    Decided,
    GoalMissing,
    GoalsLoaded,
    ImagesReady,
    Message,
    QuestionKept,
    RunHalted,
    RunRefused,
    RunReleased,
    RunStarted,
    SetupChecked,
    SkillOffered,
    Spoken,
    SpokenLate,
    StopRequested,
    WordMissing,
    WorkflowChosen,
    WorkflowUnreadable,
)
from gui.run.progress import (
    with_activity,
    with_budget,
    with_clock,
    with_pause,
    with_request,
    with_resume,
    with_step_usage,
    with_total_usage,
)
from gui.run.proofs import folder_lines, proofs_of
from gui.run.requests import (
    PendingApproval,
    PendingQuestion,
    PendingRequest,
    decision_text,
    pending_approval,
)
from gui.run.state import ENDINGS, EndCard, NodeRun, NoticeCard, PersonCard, RunState
from gui.run.view import BarToggled, DesktopReady, TabChosen, TakeoverRequested, update_view, view_of_next_run
from mark_i import Event
from mark_i.control_words import control_word, goes_on
from mark_i.wording import action_sentence, evidence_lines
from world_model import Usage

ASKING: Final = "ask_user"  # the tool
QUESTION: Final = "Waiting for your answer"
APPROVAL: Final = "Waiting for your approval"
KEPT: Final = "The question stays open. Esc again stops the run"
HEARD_NEXT: Final = "The next step is told what you said"
HEARD_LATER: Final = "Paused: what you said counts once you resume (F6)"
WAITS: Final = "Heard. It is followed once the run goes on."
HEARD_TOO_LATE: Final = "The run is over: what you said begins as the next goal"
CAME_LATE: Final = "What you said came too late for that run, so it is the next goal."
WRITE_WORD: Final = "Write above what you want to say"
YOURS: Final = "You have the mouse and keyboard"


def reduce(state: RunState, message: Message) -> RunState:
    """Return the state after a message; once the outcome is known, some messages come too late to change anything."""
    too_late = state.ended and isinstance(message, StopRequested | ClockTicked | RunRefused | RunHalted)
    return state if too_late else _after(state, message)


def _after(state: RunState, message: Message) -> RunState:
    match message:
        case GoalMissing() | WorkflowChosen() | WorkflowUnreadable() | GoalsLoaded() | SetupChecked():
            state = _prepared(state, message)
        case RunStarted() | ConversationBegun() | RunReleased() | SkillOffered():
            state = _at_edge(state, message)
        case DesktopReady() | TabChosen() | TakeoverRequested() | BarToggled():
            active = state.running and not state.ended
            state = replace(state, view=update_view(state.view, message, active=active))
            state = _worded(state) if state.allowed_requests else state
        case Event():
            state = ON_EVENT.get(message.event, _unknown)(state, message.data)
        case ImagesReady():
            state = pictured(state, message)
        case Spoken() | SpokenLate() | WordMissing() | QuestionKept():
            state = _worded_by(state, message)
        case Answered() | Decided() | ControlRequested() | StopRequested():
            state = _steered(state, message)
        case ClockTicked():
            state = replace(state, progress=with_clock(state.progress, message.seconds))
        case RunRefused() | RunHalted():
            state = _cut_short(state, message)
    return state


def _prepared(
    state: RunState, message: GoalMissing | WorkflowChosen | WorkflowUnreadable | GoalsLoaded | SetupChecked
) -> RunState:
    """Handle what a person does before a run."""
    match message:
        case GoalMissing():
            return replace(state, tone="unverified", status="Enter a goal first")
        case WorkflowChosen():
            return replace(state, tone="quiet", status="Ready", workflow=message.drawing, nodes={})
        case WorkflowUnreadable():
            return replace(state, tone="error", status=shorten(message.message), workflow=None, nodes={})
        case GoalsLoaded():
            return replace(state, goals=_each_once(*state.goals, *message.goals))
        case SetupChecked():
            return state if state.running or state.cards else replace(state, findings=message.findings)


def _at_edge(state: RunState, message: RunStarted | ConversationBegun | RunReleased | SkillOffered) -> RunState:
    """Start a run, end it, offer what can be made of it, or leave the conversation that is shown."""
    match message:
        case RunStarted(goal, attached, follow_up, late):
            why = (NoticeCard(CAME_LATE),) if late else ()
            said = (*why, PersonCard("\n".join(filter(None, (tk_safe(goal), attached))))) if goal else ()
            begun = RunState(
                running=True,
                workflow=state.workflow,
                goals=_each_once(goal, *state.goals),
                view=view_of_next_run(state.view, follow_up=follow_up),
                cards=(*state.cards, *said) if follow_up else said,
                conversing=True,
                # A run that is resumed hears again what was said to it.
                spoken=tuple(card.text for card in state.cards if isinstance(card, PersonCard)) if follow_up else (),
            )
            return _said(begun, "Starting")
        case SkillOffered():
            return offered(state, message.run)
        case RunReleased():
            return replace(settled(state), running=False, stopping=False)
        case ConversationBegun(cards):
            view = view_of_next_run(state.view, follow_up=False)
            return RunState(workflow=state.workflow, goals=state.goals, view=view, cards=cards, conversing=bool(cards))


def _each_once(*goals: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tk_safe(goal) for goal in goals if goal.strip()))


def _said(state: RunState, doing: str) -> RunState:
    """Start an activity; nobody is asked any longer."""
    return _worded(replace(settled(state), progress=with_activity(state.progress, doing)))


def _worded(state: RunState) -> RunState:
    """Update the status line, unless the run is being stopped."""
    tone: Tone = "paused" if state.progress.paused else "busy"
    status = YOURS if state.taken_over else state.progress.status
    return state if state.stopping else replace(state, tone=tone, status=status)


def _steered(state: RunState, message: Answered | Decided | ControlRequested | StopRequested) -> RunState:
    """Handle what a person decides during a run."""
    match message:
        case StopRequested():
            progress = with_activity(state.progress, "Stopping")
            return replace(settled(state), stopping=True, tone="busy", status="Stopping", progress=progress)
        case ControlRequested():
            return _requested(state, message.requested)
        case Answered() | Decided():
            return _replied(state, message)


def _worded_by(state: RunState, message: Spoken | SpokenLate | WordMissing | QuestionKept) -> RunState:
    """Handle what a person says, or might have said."""
    match message:
        case Spoken(text):
            return _heard(state, text)
        case SpokenLate(text) if control_word(text) in {"stop", "pause"}:  # there is nothing left of the run to stop
            return replace(state, status="The run is over")
        case SpokenLate(text):
            return replace(state, late=(*state.late, text), status=HEARD_TOO_LATE)
        case WordMissing():
            return replace(state, status=WRITE_WORD)
        case QuestionKept():
            return replace(state, status=KEPT)


def _heard(state: RunState, text: str) -> RunState:
    """Note what is said; a word can pause the run, or let it go on, and tells of that by no event of its own."""
    state, asked = replace(state, spoken=(*state.spoken, text)), control_word(text)
    if goes_on(text):
        state = _requested(state, "resume")
    elif asked == "pause":
        state = _requested(state, "pause")
    if asked in {"pause", "resume"}:
        return added(state, PersonCard(tk_safe(text)))
    waits = state.progress.requested == "pause"
    state = replace(state, status=HEARD_LATER if waits else HEARD_NEXT)
    return added(state, PersonCard(tk_safe(text), WAITS if waits else ""))


def _requested(state: RunState, requested: ControlRequest) -> RunState:
    """Record a control request; one that is not allowed now changes nothing."""
    if requested not in state.allowed_requests:
        return state
    view = replace(state.view, taking_over=state.view.taking_over and requested == "pause")
    return _worded(replace(state, progress=with_request(state.progress, requested), view=view))


def _replied(state: RunState, message: Answered | Decided) -> RunState:
    """Apply a reply to what was asked, and to nothing else."""
    match state.pending, message:
        case PendingQuestion(), Answered(words):
            going_on = _said(state, "Continuing")
            return added(going_on, PersonCard(tk_safe(words))) if words else going_on
        case PendingApproval(index), Decided(choice, instead, at):
            return updated(_said(state, "Continuing"), index, decided=decision_text(choice, instead, at))
    return state


def _cut_short(state: RunState, message: RunRefused | RunHalted) -> RunState:
    """Close the run; the status line says what this means, and the card why."""
    if isinstance(message, RunHalted):
        return _closed(state, EndCard("stopped", "Stopped", "The run was stopped before its first step."))
    title = (
        "Something went wrong inside MARK-I"
        if message.bug
        else "The run ended early"
        if state.limit
        else "The run did not start"
    )
    mends = () if message.cause is None else mends_for(message.cause)
    why = shorten(without_options(message.message) if mends else message.message)
    return replace(_closed(state, EndCard("error", "", why, mends=mends)), status=title)


def _closed(state: RunState, card: EndCard) -> RunState:
    nodes = {one: replace(run, status="broken") for one, run in state.nodes.items() if run.status == "started"}
    state = without_note(settled(state))
    closed = replace(state, stopping=False, tone=card.tone, status=card.title, nodes={**state.nodes, **nodes})
    return added(closed, card)


def _on_started(state: RunState, data: Mapping[str, Any]) -> RunState:
    state = _said(state, "Looking")
    return replace(state, limit=data["max_steps"], progress=replace(state.progress, mode=data.get("mode", "")))


def _on_thinking(state: RunState, data: Mapping[str, Any]) -> RunState:
    state = _said(state, f"Thinking about step {data['index']}")
    return replace(state, progress=with_budget(state.progress, data["budget"])) if "budget" in data else state


def _on_thought(state: RunState, data: Mapping[str, Any]) -> RunState:
    foreseen = bool(data.get("foreseen"))
    return updated(state, data["index"], thought=shorten(data["text"]), foreseen=foreseen)


def _on_action(state: RunState, data: Mapping[str, Any]) -> RunState:
    sentence = action_sentence(data["tool"], data["args"], None)
    told = "" if data["tool"] == ASKING else sentence  # the question is shown by itself
    return updated(_said(state, f"Acting: {sentence}"), data["index"], sentence=told, call=call_text(data))


def _on_step(state: RunState, data: Mapping[str, Any]) -> RunState:
    observation = data["observation"]
    error = observation["error"]
    text = error["message"] if error else observation["text"]
    action, state = data["action"], settled(state)
    if asks := action["tool"] == ASKING and not error:
        answer = tk_safe(str((observation.get("data") or {}).get("answer", text)))
        question = tk_safe(str(action["args"].get("question", "")))
        state = with_question(updated(state, data["index"]), data["index"], question, answer)
        text = text if text != answer else ""  # it is there already
    done = updated(
        state,
        data["index"],
        thought=shorten(data["thought"]),
        sentence="" if asks else action_sentence(action["tool"], action["args"], None),
        call=call_text(action),
        ok=observation["ok"],
        observation=shorten(text),
        code=error["code"] if error else "",
        hints=shorten("\n".join(error["hints"])) if error else "",
        change=change_text(observation["screen"]),
        seconds=sum(data["timing"].values()) / 1000,
        usage=Usage(**data.get("usage", {})),
        foreseen=bool(data.get("foreseen")),
        changed=bool(observation["screen"] and observation["screen"]["changed"]),
    )
    return replace(done, steps=data["index"], progress=with_step_usage(state.progress, data.get("usage", {})))


def _on_node(state: RunState, data: Mapping[str, Any]) -> RunState:
    """Move a reported node to the end; a node that is passed by keeps its count."""
    nodes = dict(state.nodes)
    before = nodes.pop(data["node"], NodeRun())
    nodes[data["node"]] = NodeRun(data["state"], max(before.count, data["count"]))
    return replace(state, nodes=nodes)


def _on_approval(state: RunState, data: Mapping[str, Any]) -> RunState:
    request = pending_approval(data)
    return updated(_asking(state, request, APPROVAL), request.index, call=shorten(request.call))


def _on_notice(state: RunState, data: Mapping[str, Any]) -> RunState:
    text = tk_safe(str(data.get("text", "")))
    if data.get("question"):
        return _asking(state, PendingQuestion(text, state.choices), QUESTION)
    return added(state, NoticeCard(text))


def _on_outlook(state: RunState, data: Mapping[str, Any]) -> RunState:
    """Note what is still to do, and what may be answered to what is asked next."""
    left, choices = (tuple(shorten(str(one)) for one in data[name]) for name in ("left", "choices"))
    return replace(state, left=left, choices=choices)


def _asking(state: RunState, request: PendingRequest, waiting: str) -> RunState:
    """Ask, unless the run is being stopped."""
    asking = replace(_said(state, waiting), pending=request)
    return settled(replace(state, pending=request)) if state.stopping else asking


def _on_paused(state: RunState, _data: Mapping[str, Any]) -> RunState:
    return _worded(replace(state, progress=with_pause(state.progress)))


def _on_said(state: RunState, data: Mapping[str, Any]) -> RunState:
    """Show what was said elsewhere; what was said in the window is shown already."""
    text = str(data["text"])
    if text in state.spoken:
        at = state.spoken.index(text)
        state = without_note(state, tk_safe(text))
        return replace(state, spoken=(*state.spoken[:at], *state.spoken[at + 1 :]))
    return added(state, PersonCard(tk_safe(text)))


def _on_resumed(state: RunState, _data: Mapping[str, Any]) -> RunState:
    return _said(replace(state, progress=with_resume(state.progress)), "Looking")


def _on_ended(state: RunState, data: Mapping[str, Any]) -> RunState:
    tone, title = ENDINGS[data["outcome"]]
    told = evidence_lines(data["evidence"], why=data["outcome"] != "done")  # what proves nothing hides no success
    mends = mends_for(data.get("cause", "")) if data["outcome"] == "model_error" else ()
    proofs = proofs_of(data["evidence"])
    summary = tk_safe(without_options(data["summary"]) if mends else data["summary"])
    state = told_once(state, shorten(data["summary"]))
    lines = (*map(shorten, told), *folder_lines(proofs, f"{summary} {told}"))
    closed = _closed(state, EndCard(tone, title, summary, lines, mends, proofs))
    progress = with_total_usage(state.progress, data["usage"]) if "usage" in data else state.progress
    changed, late = tk_safe(data.get("goal", "")), (*data.get("unheard", ()), *state.late)
    steps = data.get("steps", state.steps)
    return replace(closed, steps=steps, progress=progress, changed_goal=changed, late=late)


def _unknown(state: RunState, _data: Mapping[str, Any]) -> RunState:
    """Ignore an event of a newer version."""
    return state


ON_EVENT: Final[Mapping[str, Callable[[RunState, Mapping[str, Any]], RunState]]] = {
    "run_started": _on_started,
    "thinking": _on_thinking,
    "thought": _on_thought,
    "action": _on_action,
    "step": _on_step,
    "node": _on_node,
    "approval": _on_approval,
    "notice": _on_notice,
    "outlook": _on_outlook,
    "said": _on_said,
    "paused": _on_paused,
    "resumed": _on_resumed,
    "ended": _on_ended,
}
