"""A brain without a model: it follows plain instructions in order, by reading the screen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from typing import Final

from mark_i.brain import PastRun, Prompt, Reply, Space
from mark_i.brains.offline.acting import Call, call_for, wanted_by
from mark_i.brains.offline.corrections import is_look, says_nothing
from mark_i.brains.offline.dialogs import (
    answer_in_goal,
    ask_before_closing,
    ask_name,
    await_closed,
    in_the_way,
    opened_nothing,
    to_answer,
    unsaved_text,
)
from mark_i.brains.offline.finishing import finished
from mark_i.brains.offline.following import Past, done_before, examples_after, is_change
from mark_i.brains.offline.hearing import CHOICES, STOP_CHOICES, Heard, file_said, with_goal_said
from mark_i.brains.offline.hidden_moves import unread
from mark_i.brains.offline.instructions import (
    Check,
    Click,
    Close,
    DialogClosed,
    Held,
    Instruction,
    Pause,
    Read,
    Scroll,
    Talk,
    Tell,
    Thing,
    Type,
)
from mark_i.brains.offline.looking import echo_of, places_of
from mark_i.brains.offline.moves import move_for
from mark_i.brains.offline.past_goals import Given, given_by, heard_of, known, left_undone
from mark_i.brains.offline.progress import NOT_ORDERED, Order, asks_first, begun, progress
from mark_i.brains.offline.seen import ASKED_ANEW, CLOSING, LOOKED, ON_THE_WAY, SeekError, Seen, is_dismissed
from mark_i.brains.offline.stopped import after_stop, is_interrupted
from mark_i.brains.offline.telling import answer_to, complaint
from mark_i.brains.offline.turn import Turn, could_not, fail
from mark_i.control_words import control_word
from toolbelt.ocr import Line, Match, find
from world_model import Halt, Step

SEARCH_NOTCHES: Final = 5  # of the wheel, for each look further on
SEARCH_STEPS_MAX: Final = 40  # half of them scroll; a page that grows as it is scrolled has no end
STAYS_OPEN: Final = "The window is still open."
PAUSE_MIN_S: Final = 0.01
LATE_S: Final = 2.0  # for a program to show, and to say, what it has
LATE: Final = "It may still come up."
NOT_SEEN: Final = "I cannot see all of its text, so I change nothing in it."
NOT_FOLLOWED: Final = 'This was not followed: "{}".'
CLOSED: Final = 'If its window is closed, say "open it again" first.'
ALL_ELSE: Final = "What was done: {told}"
DISMISSED: Final = "You dismissed the question, so nothing was done."
NOTHING_MORE: Final = "All right. There was nothing to do."
NOTHING_LEFT: Final = "There is no run to go on with: none was stopped before this one. Say what to do."
ALL_LEFT_OUT: Final = "You left out all that there was to do."
UNCLEAR_VALUE: Final = "I only tell what is on the screen, and cannot tell which of its texts that is."


class OfflineBrain:
    """Follows the instructions in the goal. It plans nothing, and reports what it does not understand.

    The next action follows from the steps that worked: each carried out one order, except for looking around and for
    scrolling to something. The brain keeps no state.

    Args:
        before: what its conversation has done, which the next goal may change.
    """

    name = "offline"
    sight = 0
    space: Space = "pixels"
    follows_orders = True

    def __init__(self, before: Sequence[Past] = ()) -> None:
        self._before = tuple(before)

    @classmethod
    def following(cls, goals: Sequence[str | PastRun]) -> "OfflineBrain":
        """Return the brain for a run that follows on runs that have worked on these goals."""
        return cls(known(goals))

    def think(self, prompt: Prompt) -> Reply:
        """Return the next instruction, or the end."""
        if prompt.past() and is_dismissed(prompt.past()[-1]) and prompt.past()[-1].note == ASKED_ANEW:
            return fail(DISMISSED).reply()
        first, prompt = prompt.goal, with_goal_said(prompt)
        given = given_by(prompt, self._before)
        if isinstance(given, Turn):
            return replace(given.reply(), choices=given.choices)
        if not given.is_understood:
            if control_word(prompt.goal) == "resume":
                return fail(NOTHING_LEFT).reply()
            if given.says_nothing or says_nothing(prompt.goal, at_end=True):
                return Turn("That asks for nothing.", "finish", {"summary": NOTHING_MORE, "kind": "answer"}).reply()
            return self._unclear(prompt, given)
        heard, ordered = heard_of(prompt, given)
        turn = self._turn(prompt, heard, ordered, given)
        if self._before or prompt.earlier:
            turn = in_the_way(prompt, turn, changes=is_change(prompt.goal, given.instructions)) or turn
        goal = heard.goal if prompt.said or any(map(file_said, prompt.past())) else prompt.goal
        goals = (goal, heard.remaining.goal(prompt.goal, ordered)) if goal != first else ()
        left = tuple(heard.remaining.left()) if prompt.said else None
        reply = replace(turn.reply(*goals), left=left, choices=turn.choices)
        return replace(reply, notices=(heard.left,)) if heard.left and not heard.unclear else reply

    @staticmethod
    def _unclear(prompt: Prompt, given: Given) -> Reply:
        """Answer a dialog whose button the goal names; else ask for other words where a text is known, or fail."""
        examples = examples_after(prompt.goal, given.before, is_document=given.is_document)
        if (given.before or prompt.earlier) and (turn := answer_in_goal(prompt)):
            return turn.reply()
        told = complaint(prompt.goal, given.instructions, examples)
        if not examples or any(step.note == ASKED_ANEW and not step.observation.ok for step in prompt.past()):
            return fail(told).reply()
        turn = Turn("I ask for other words.", "ask_user", {"question": told}, ASKED_ANEW, STOP_CHOICES)
        return replace(turn.reply(), choices=turn.choices)

    def goal_anew(self, prompt: Prompt) -> str:
        """Return the goal for a run that begins anew, after all that the person said, also since the last step."""
        try:
            prompt = with_goal_said(prompt)
            given = given_by(prompt, self._before)
            if isinstance(given, Turn) or not given.is_understood:
                return ""
            heard, ordered = heard_of(prompt, given)
        except Halt:  # the last answer was to stop
            return ""
        return heard.remaining.goal(prompt.goal, ordered)

    def left_undone(self, run: PastRun) -> str:
        """Return what the person is told of what a run that was stopped has left in the middle."""
        return left_undone(run, self._before)

    @staticmethod
    def _turn(prompt: Prompt, heard: Heard, ordered: Sequence[Instruction], given: Given) -> Turn:
        """Return what is done next; what is unclear is asked about once, and ends no run before that."""
        if heard.asking and heard.may_look:
            return Turn("I look whether all the lines are still there.", "marks", {}, LOOKED)
        if heard.asking:
            return Turn("I ask before I go on.", "ask_user", {"question": heard.question}, ON_THE_WAY, CHOICES)
        answered = any(step.note == CLOSING for step in prompt.past())  # the person knows what is saved
        said = _said([one for one in heard.remaining.talk if not (answered and one.topic == "unsaved")])
        if heard.remaining.every:
            turn = _next(prompt, heard.remaining.every, said, given)
        else:
            told = f"{ALL_LEFT_OUT} {said}".strip() if ordered else said
            turn = Turn("There is nothing to do on the screen.", "finish", {"summary": told, "kind": "answer"})
        if heard.left_open and turn.tool == "finish":
            told = " ".join([*map(NOT_FOLLOWED.format, heard.left_open), ALL_ELSE.format(told=turn.args["summary"])])
            turn = replace(turn, args={**turn.args, "summary": told, "evidence": []})  # so not all is done as was said
        if heard.unclear and turn.tool in {"finish", "fail"}:
            rest = turn.args["reason"] if turn.tool == "fail" else ALL_ELSE.format(told=turn.args["summary"])
            turn = fail(" ".join([*heard.unclear.values(), rest]))
        return turn


def _next(prompt: Prompt, every: Sequence[Instruction], said: str, given: Given) -> Turn:
    """Return what comes after the steps that worked.

    Args:
        prompt: what happened so far.
        every: what is to be done.
        said: the answer to what was asked besides.
        given: what the goal says after what was done before.
    """
    history = done_before(given.before, is_document=given.is_document)
    steps = tuple(step for step in prompt.past() if step.action.tool not in NOT_ORDERED)
    orders, worked = progress(every, steps)
    if worked and (turn := _after_dialog(prompt, orders, worked)):
        return turn
    if len(worked) == len(orders):
        change = is_change(prompt.goal, given.instructions)
        told = said or unsaved_text(prompt, every)
        titles = [one.title for one in prompt.windows()]
        return finished([*zip(orders, worked, strict=True)], history=history, change=change, said=told, titles=titles)
    order = orders[len(worked)]
    if turn := _after_failure(prompt, order, steps, [*history, *every[: begun(every, steps)]]):
        return turn
    if isinstance(order.instruction, DialogClosed) and steps[-1].action.tool == "list_windows":
        return await_closed(order.instruction, prompt, prompt.past()[worked[-1].index if worked else 0 :])
    in_vain = steps[-1:] and steps[-1] not in worked[-1:]
    if in_vain and (turn := _after_look_in_vain(order, steps)):
        return turn
    return _follow(prompt, order, steps, f"Instruction {len(worked) + 1} of {len(orders)}: {order.instruction.text}.")


def _after_look_in_vain(order: Order, steps: tuple[Step, ...]) -> Turn | None:
    """Return what is done about a look that has not shown what was sought."""
    tool = steps[-1].action.tool
    if tool == "read_screen" and isinstance(order.instruction, Tell):
        return _read_value(order, order.instruction)
    if tool == "marks" and isinstance(order.instruction, Read):
        return Turn("There is no text field, so I read the screen.", "read_screen", {})
    if tool == "marks" and isinstance(order.instruction, Held):
        is_late = any(step.note == ON_THE_WAY for step in steps[-2:])
        return _could_not(order, NOT_SEEN) if is_late else Turn(LATE, "wait", {"seconds": LATE_S}, ON_THE_WAY)
    return None


def _after_failure(prompt: Prompt, order: Order, steps: tuple[Step, ...], done: Sequence[Instruction]) -> Turn | None:
    """Return what is done about a run that was stopped in its next order, or that could not carry it out."""
    if turn := after_stop(prompt, done, order.instruction):
        return turn
    fails = steps and (not steps[-1].observation.ok or asks_first(steps[-1]))
    if not fails or is_interrupted(steps[-1]) or steps[-1].note == LOOKED:
        return None
    one = order.instruction
    closing = ask_before_closing(prompt, discards=one.discards) if isinstance(one, Close) else None
    return closing or _second_try(prompt, order, steps)


def _after_dialog(prompt: Prompt, orders: Sequence[Order], worked: Sequence[Step]) -> Turn | None:
    """Return what is done about a dialog that did not come up, or that nobody asked for, with the last order."""
    last, *following = orders[len(worked) - 1 : len(worked) + 1]
    if following and opened_nothing(last.instruction, worked[-1]):
        return _could_not(last, "No dialog came up.")
    if isinstance(last.instruction, Close) and worked[-1].action.tool == "click":  # the answer to what a window asked
        told = worked[-1].observation.screen
        if told and len(told.closed) <= 1 and not told.opened:
            return _could_not(last, STAYS_OPEN)
    return ask_name(last.instruction, worked[-1], following[0].instruction if following else None, prompt)


def _follow(prompt: Prompt, order: Order, steps: tuple[Step, ...], thought: str) -> Turn:
    instruction = order.instruction
    if order.mark is not None or order.of_all:
        return _one_of_all(order, steps, thought)
    lines = prompt.read()
    echo = echo_of(prompt.goal, lines)
    rest = tuple(line for line in lines if line not in echo)
    if reply := _seek(order, thought, rest, lambda: _seen(prompt, rest, echo, steps)):
        return reply
    call, wanted = call_for(instruction, rest), wanted_by(instruction)
    if call is None:
        return _could_not(order, UNCLEAR_VALUE)
    if wanted is None:
        return Turn(thought, *(_rest_of(instruction, steps[-1]) if isinstance(instruction, Pause) and steps else call))
    places = places_of(wanted, rest)
    only_repeated = not places and bool(find(wanted.name or "", tuple(echo)))
    if not isinstance(instruction, Type) and (only_repeated or (isinstance(instruction, Scroll) and not places)):
        return _further(order, steps, "It is not on the screen.")
    tool, args = _aimed(call, instruction, wanted, places, echo)
    return Turn(thought + _sight(wanted.name or "", places), tool, args)


def _rest_of(pause: Pause, before: Step) -> Call:
    """Return the call for what is left of a pause: it began when the action before it was done."""
    passed_s = (before.timing.settle_ms + before.timing.other_ms) / 1000
    left_s = pause.seconds - passed_s if pause.left_s is None else pause.left_s
    return "wait", {"seconds": max(PAUSE_MIN_S, round(left_s, 1))}


def _seek(order: Order, thought: str, lines: tuple[Line, ...], seen: Callable[[], Seen]) -> Turn | None:
    """Return the next step of an instruction that takes several; None for any other."""
    instruction, wanted = order.instruction, wanted_by(order.instruction)
    try:
        move = move_for(instruction, seen)
        if isinstance(instruction, Click) and wanted and not places_of(wanted, lines):
            move = move or unread(instruction, seen())
    except SeekError as error:
        if seen().lookups:
            return _could_not(order, str(error))
        return Turn(LATE, "wait", {"seconds": LATE_S}, note=ON_THE_WAY)
    if move is None:
        return None
    return Turn(f"{thought} {move.why}".strip(), move.tool, move.args, note="" if move.last else ON_THE_WAY)


def _seen(prompt: Prompt, rest: tuple[Line, ...], echo: frozenset[Line], steps: tuple[Step, ...]) -> Seen:
    """Return what is known for the next step of an instruction: what repeats the goal is none of it."""
    since = [*takewhile(lambda step: step.note == ON_THE_WAY, reversed(steps))][::-1]
    worked = tuple(step for step in since if step.observation.ok)  # what failed has the place that it names
    elements = prompt.elements()
    own = [one for one in elements if not any(one.region.overlaps(line.region) for line in echo)]
    return Seen(rest, tuple(own), worked)


def _one_of_all(order: Order, steps: tuple[Step, ...], thought: str) -> Turn:
    """Look up what "all" means first, then use each by its mark, which follows it when it moves."""
    if order.mark is not None:
        tool, args = call_for(order.instruction, ()) or ("", {})
        return Turn(thought, tool, args | {"target": {"mark": order.mark}})
    if steps and steps[-1].action.tool == "marks" and steps[-1].note != LOOKED:
        return _could_not(order, "None is on the screen.")
    return Turn(f"{thought} I look which ones there are.", "marks", {})


def _read_value(order: Order, tell: Tell) -> Turn:
    """Look for a value in the field of that name, or beside the name, where no single text stands."""
    if tell.of:
        return _could_not(order, UNCLEAR_VALUE)
    return Turn("I look for the value beside its name.", "read_value", {"label": tell.what})


def _aimed(call: Call, instruction: Instruction, wanted: Thing, places: list[Match], echo: frozenset[Line]) -> Call:
    """Return the call, aimed past text that only repeats the goal: at the place, or at the field of that label."""
    tool, args = call
    if echo and isinstance(instruction, Click) and not wanted.role and len(places) == 1:
        return tool, args | {"target": {"x": places[0].point.x, "y": places[0].point.y}}
    if echo and isinstance(instruction, Type) and not places:
        return tool, args | {"into": {"text": wanted.name, "role": "textbox"}}
    return call


def _sight(wanted: str, places: list[Match]) -> str:
    if not places:
        return f' I cannot read "{wanted}" yet; it may still come up.'
    where = " and ".join(f"{place.point.x}, {place.point.y}" for place in places)
    return f' I read "{places[0].name}" at {where}.'


def _further(order: Order, steps: tuple[Step, ...], reason: str) -> Turn:
    """Scroll on to look for it; give up once the screen no longer moves."""
    last = steps[-1] if steps else None
    if last and last.action.tool == "scroll" and not _has_moved(last):
        return _could_not(order, reason)
    up = isinstance(order.instruction, Scroll) and order.instruction.direction == "up"
    thought = "I cannot read it here; it may stand further on."
    return Turn(thought, "scroll", {"direction": "up" if up else "down", "amount": SEARCH_NOTCHES})


def _second_try(prompt: Prompt, order: Order, steps: tuple[Step, ...]) -> Turn:
    """Look again for a target that moved, and further on for one that is not there.

    Of several places with the same text, the one where the screen changed last is meant: in the menu, in the dialog.
    """
    failed, before = steps[-1], steps[-2] if len(steps) > 1 else None
    error = failed.observation.error
    code = error.code if error else None
    if isinstance(order.instruction, Check) and order.instruction.asked and not failed.action.args.get("gone"):
        return Turn("It is not there. I make sure.", failed.action.tool, {**failed.action.args, "gone": True})
    target = failed.action.args.get("target")
    wanted = target.get("text") if isinstance(target, Mapping) and not {"beside", "nth"} & set(target) else target
    if code == "STALE_TARGET" and not (before and not before.observation.ok):
        return _follow(prompt, order, steps, "It moved, so I look for it again.")
    if code == "TARGET_AMBIGUOUS" and isinstance(wanted, str):
        newest = _in_newest(find(wanted, prompt.read()), steps)
        if newest:
            thought = f'"{wanted}" is there more than once. I take the one where the screen changed last.'
            return Turn(thought, failed.action.tool, {"target": {"x": newest.point.x, "y": newest.point.y}})
    answer = to_answer(prompt)  # what a person can say of it; the hints are for a model
    hints = (answer,) if answer else error.hints if error else ()
    reason = " ".join((error.message, *hints)) if error else failed.observation.text
    looked = sum(1 for _ in takewhile(_looks_further, reversed(steps)))
    moves = looked < SEARCH_STEPS_MAX and (before is None or before.action.tool != "scroll" or _has_moved(before))
    if code == "TARGET_NOT_FOUND" and target and prompt.read() and moves:
        return _further(order, steps, reason)
    return _could_not(order, reason)


def _looks_further(step: Step) -> bool:
    """Whether a step may be a part of a search: it found nothing, or scrolled."""
    return not step.observation.ok or step.action.tool == "scroll"


def _has_moved(scroll: Step) -> bool:
    return scroll.observation.screen is None or scroll.observation.screen.changed


def _in_newest(places: list[Match], steps: tuple[Step, ...]) -> Match | None:
    for step in reversed(steps):
        screen = step.observation.screen
        if screen and screen.regions:
            inside = [place for place in places if any(place.point in region for region in screen.regions)]
            return inside[0] if len(inside) == 1 else None
    return None


def _said(talk: Sequence[Talk]) -> str:
    """Answer what was said to the program itself."""
    now = datetime.now().astimezone()
    return " ".join(dict.fromkeys(answer_to(one, now) for one in talk))


def _could_not(order: Order, reason: str) -> Turn:
    """Give up; a text that was typed before may be in a window that is closed."""
    hint = f" {CLOSED}" if is_look(order.instruction) else ""
    return could_not(order.instruction.text, reason + hint)
