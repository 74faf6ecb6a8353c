"""Foresight: serves what a reply planned ahead, without a call, as long as everything is as it was expected."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from mark_i.brain import Brain, Prompt, Reply, begin, expected_of, foreseen_by, has_plan, is_stateless
from mark_i.prompts.coordinates import spaces_of, to_pixels
from mark_i.replies import Decision, parse
from toolbelt.belt import Toolbelt
from toolbelt.desktops import Window
from toolbelt.ocr import can_be_read_back, find
from toolbelt.parameters import Aimed, Enters, Typed
from toolbelt.perception import CONTROL_MAX_PX, Eyes, Look, Sighting
from toolbelt.targeting import PointTarget, resolve
from toolbelt.tool import Tool
from world_model import Action, Frame, ReplyError, Step, ToolFailure, Usage

LEFT: Final = "The plan was left before {tool}: {why} What was planned after that was not done either."
CAME_BETWEEN: Final = "Other steps came in between."
EXPECT_FORMS: Final = '"expect" is a text, {"text": ...}, {"gone": ...} or {"window": ...}'
EXPECT_MAX_S: Final = 3.0  # for what is expected to come; a dialog that closes may write a file first
NAMED: Final = "{{"  # starts the name of a secret, which is not shown as it is typed


class Foresight:
    """A brain whose replies may plan several actions; one after the other is served while all is as expected.

    The rest of a plan is dropped, and the brain is told why, as soon as an action failed or did not change what it
    should, something else than expected is seen, another window is in front, or a target is not where it was.

    Args:
        brain: makes the plans.
        ahead: how many actions of a reply are carried out at most.
        toolbelt: says what the actions are.
        eyes: see what is expected; None without a screen.
    """

    def __init__(self, brain: Brain, ahead: int, toolbelt: Toolbelt, eyes: Eyes | None) -> None:
        self.name, self.sight, self.space = brain.name, brain.sight, brain.space
        self.ahead, self.planner, self.stateless = ahead, brain, is_stateless(brain)
        self._toolbelt, self._eyes = toolbelt, eyes
        self._plan: deque[Decision] = deque()
        self._done = 0  # steps before the newest one that was decided
        self._thought = ""
        self._remarks: tuple[str, ...] = ()  # on the reply with the plan
        self._said = 0  # by the person, when the plan was made
        self._shown: Look | None = None  # the screen that the plan was made on
        self._fronts: list[int | None] = []  # the windows in front so far, since the plan was made
        self._left = ""

    def think(self, prompt: Prompt) -> Reply:
        """Return the brain's reply, and keep what it plans ahead; raises as the brain does."""
        reply = self.planner.think(prompt)
        self.keep(prompt, reply)
        return reply

    def keep(self, prompt: Prompt, reply: Reply) -> None:
        """Keep what a reply of the brain plans ahead."""
        self._plan.clear()
        if prompt.plain or prompt.last or reply.cut_off or reply.flaw:
            return
        with suppress(ReplyError):  # the agent reads it as well, and asks again
            decision = parse(reply.text, self.ahead)
            self._plan.extend(decision.ahead)
            self._thought, self._done, self._remarks = decision.thought.text, len(prompt.past()), decision.remarks
            self._said = len(prompt.said)
            self._shown = self._eyes.as_shown() if self._eyes else None
            self._fronts = [self._eyes.front] if self._eyes else []

    def expected(self, prompt: Prompt) -> Usage:
        """Estimate what a call costs."""
        return expected_of(self.planner, prompt)

    @property
    def has_plan(self) -> bool:
        """Whether the next action is planned."""
        return bool(self._plan) or has_plan(self.planner)

    def begin(self, action: Action) -> bool:
        """Begin an action whose steps the brain knows; return whether it knows them."""
        return begin(self.planner, action)

    def await_expected(self) -> None:
        """Give what the next planned action expects a moment to come."""
        eyes, expect = self._eyes, self._plan[0].expect if self._plan else None
        if eyes and expect is not None and any(_missing(expect, eyes, eyes.look())):
            _, look = eyes.watch(lambda frame: not any(_missing(expect, eyes, frame)), EXPECT_MAX_S)
            eyes.settle(look.frame, 0.0)

    def foreseen(self, prompt: Prompt) -> Reply | None:
        """Return the next planned action as a reply; None if the brain must be asked."""
        if reply := foreseen_by(self.planner, prompt):
            if self._plan:
                self._left = LEFT.format(tool=self._plan.popleft().action.tool, why=CAME_BETWEEN)
                self._plan.clear()
            return reply
        if not self._plan or prompt.plain or prompt.last:
            return None
        planned = self._plan.popleft()
        why = next(self._against(planned, prompt), "")
        if why:
            self._plan.clear()
            self._left = LEFT.format(tool=planned.action.tool, why=why)
            return None
        self._done += 1
        if self._eyes:
            self._fronts.append(self._eyes.front)
        thought = planned.thought.text or self._thought
        told = {"thought": thought, "action": planned.action.to_dict(), "style": planned.style}
        return Reply(json.dumps(told, ensure_ascii=False), foreseen=True)

    def left(self) -> str:
        """Return, once, why the last plan was left; empty if it was not."""
        told, self._left = self._left, ""
        return told

    def _against(self, planned: Decision, prompt: Prompt) -> Iterator[str]:
        """Yield what speaks against doing what was planned next, in sentences."""
        past = prompt.past()
        if len(past) != self._done + 1:
            yield CAME_BETWEEN
            return
        yield from (f'The person said: "{word.text}"' for word in prompt.said[self._said :])
        yield from (notice for notice in prompt.notices if notice not in self._remarks)
        yield from self._faults(past[-1], prompt)
        tool = self._toolbelt.known(planned.action.tool)
        if tool is None:
            yield f"There is no tool {planned.action.tool}."
        elif planned.consent:
            yield planned.consent
        elif tool.ending:
            yield from _unseen_evidence(planned.action, past, prompt)
        if self._eyes and tool:
            yield from self._surprises(planned, past[-1], self._eyes)
            action = to_pixels(planned.action, spaces_of(self, self._eyes.shown.region))
            if lost := lost_target(action, tool, self._eyes, self._shown):
                yield lost

    def _faults(self, last: Step, prompt: Prompt) -> Iterator[str]:
        """Yield what went wrong with the last action."""
        seen, tool = last.observation, self._toolbelt.known(last.action.tool)
        if not seen.ok:
            yield f"{last.action.tool} failed."
        if tool is None or seen.screen is None or tool.risk != "act" or tool.hovers:
            return
        parts = list(tool.parts(last.action.args))
        if not seen.screen.changed and any(role in {Aimed, Typed} for role, _ in parts):
            yield f"{last.action.tool} changed nothing on the screen."
        if seen.screen.instead:
            yield f'The screen shows "{seen.screen.instead}" in place of what was typed.'
        if any(value for role, value in parts if role is Enters):  # what was sent may be gone already
            return
        for text in (str(value) for role, value in parts if role is Typed):
            pieces = (piece for piece in text.splitlines() if NAMED not in piece and can_be_read_back(piece))
            if missing := next((piece for piece in pieces if not find(piece, prompt.read())), ""):
                yield f'"{missing}" was typed and is not on the screen.'

    def _surprises(self, planned: Decision, last: Step, eyes: Eyes) -> Iterator[str]:
        """Yield what is seen and was not expected."""
        yield from _missing(planned.expect, eyes, eyes.shown)
        texts, gone, titles = _expected(planned.expect)
        if eyes.front != self._fronts[-1] and not titles:
            front = eyes.in_front()
            within = tuple(line for line in eyes.read(eyes.shown) if front and line.region.overlaps(front.region))
            known = bool(gone) and eyes.front in self._fronts
            if not known and not any(find(text, within) for text in texts):
                yield f'Another window is in front, "{front.title}".' if front else "No window is in front."
        change, before = last.observation.screen, last.before
        if not change or not any(region.height > CONTROL_MAX_PX for region in change.regions) or gone or titles:
            return
        if not any(before is None or not find(text, eyes.read(before)) for text in texts):
            yield f"{last.action.tool} changed a large part of the screen, and nothing new was expected."


def lost_target(action: Action, tool: Tool, eyes: Eyes, shown: Look | None) -> str:
    """Say which target of an action is not where it was, or not to be found by name; empty if all are there.

    Args:
        action: its points are pixels, chosen on the screen that was `shown`.
        tool: what it uses.
        eyes: see what is there now.
        shown: None if any screen will do.
    """
    try:
        targets = [value for role, value in tool.parts(tool.validated(action.args)) if role is Aimed]
        for target in targets:
            sighting = resolve(target, eyes, 0.0)
            eyes.check(Sighting(sighting.match, shown) if isinstance(target, PointTarget) else sighting)
    except ToolFailure as failure:
        return f"{failure}"
    return ""


def unplanned(brain: Brain) -> Brain:
    """Return the brain that makes the plans, which is asked; any other one is asked itself."""
    return brain.planner if isinstance(brain, Foresight) else brain


def await_expected(brain: Brain) -> None:
    """Give what a brain expects a moment to come, if it plans ahead."""
    if isinstance(brain, Foresight):
        brain.await_expected()


def _expected(expect: Any) -> tuple[list[str], list[str], list[str]]:  # noqa: ANN401 - what a model wrote
    """Return the texts that must be there, those that must be gone, and the titles of the window in front."""
    given = expect if isinstance(expect, Mapping) else {"text": expect}
    texts, gone, titles = (
        [given[key]] if isinstance(given.get(key), str) and given[key].strip() else []
        for key in ("text", "gone", "window")
    )
    return texts, gone, titles


def _missing(expect: Any, eyes: Eyes, frame: Frame) -> Iterator[str]:  # noqa: ANN401 - what a model wrote
    """Yield what is expected and not so."""
    texts, gone, titles = _expected(expect)
    if expect is not None and not (texts or gone or titles):
        yield f"{EXPECT_FORMS}, not {json.dumps(expect, ensure_ascii=False)}."
    lines = eyes.read(frame) if texts or gone else ()
    yield from (f'"{text}" is not on the screen.' for text in texts if not find(text, lines))
    yield from (f'"{text}" is still on the screen.' for text in gone if find(text, lines))
    yield from (f'The window in front is not "{title}".' for title in titles if not _is_titled(eyes.in_front(), title))


def _is_titled(window: Window | None, title: str) -> bool:
    return window is not None and title.casefold() in window.title.casefold()


def _unseen_evidence(action: Action, past: tuple[Step, ...], prompt: Prompt) -> Iterator[str]:
    """Yield the evidence of an end that does not hold: texts that are not on the screen, observations that failed."""
    evidence = action.args.get("evidence")
    for piece in evidence if isinstance(evidence, list) else ():
        if not isinstance(piece, Mapping):
            continue
        text, number = piece.get("text"), piece.get("observation")
        if isinstance(text, str) and "file" not in piece and not find(text, prompt.read()):
            yield f'"{text}" is not on the screen.'
        if isinstance(number, int) and not any(step.index == number and step.observation.ok for step in past):
            yield f"Observation {number} does not show it."
