"""Meanwhile: the screen is watched while the brain thinks, and what it decides is checked against what came."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from mark_i.brain import Brain, Prompt, Reply, has_plan, is_stateless
from mark_i.human.words import Words
from mark_i.loop.early_call import EarlyCall
from mark_i.loop.foresight import lost_target
from mark_i.loop.model_calls import ModelCalls
from mark_i.loop.parts import HEARD, Turn
from mark_i.loop.screen_view import ScreenView
from mark_i.replies import Decision
from toolbelt.belt import CallResult, Toolbelt
from toolbelt.perception import CONTROL_MAX_PX, Eyes, is_seen
from world_model import Action, Frame, Observation, ReplyError, Step

ASKED_AGAIN_MAX: Final = 2  # times in one step, if what is decided no longer fits
SLOW_S: Final = 0.3  # a brain that thinks for less is asked when the screen has settled


class Meanwhile:
    """Asks a brain early, and finds out whether its decision still fits; only if its calls leave nothing behind.

    Args:
        brain: thinks.
        calls: the way to it.
        screen: what it sees.
        toolbelt: says what actions do.
        follows: returns the prompt that follows on a step that is not remembered yet; None to ask no brain early.
        read: returns the decision in a reply to a prompt with that screen.
        last: the number of the last step that there may be.
        words: what the person says.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - who thinks, and about what
        self,
        brain: Brain,
        calls: ModelCalls,
        screen: ScreenView,
        toolbelt: Toolbelt,
        follows: Callable[[Turn, Observation, Frame], Prompt] | None,
        read: Callable[[Frame, str], Decision],
        last: int,
        words: Words,
    ) -> None:
        self._brain, self._calls, self._screen, self._toolbelt = brain, calls, screen, toolbelt
        sees = brain.sight > 0 and brain.space != "marks"  # for others the whole screen would be read each time
        self._follows = follows if sees and is_stateless(brain) else None
        self._read, self._last, self._words = read, last, words
        self._early: EarlyCall | None = None

    def early_call(self, turn: Turn, done: CallResult) -> EarlyCall | None:
        """Return what asks for the next action while the screen settles; None where that saves nothing."""
        self._early = None
        eyes, before, follows = self._screen.eyes, turn.before, self._follows
        asked_next = done.acted and not done.ending and turn.index < self._last and not has_plan(self._brain)
        if not (eyes and before and follows and asked_next) or self._calls.usual_s < SLOW_S:
            return None
        action = turn.decision.action
        self._early = EarlyCall(
            self._brain,
            self._calls,
            eyes,
            partial(self._screen.observed, action, done, before),
            partial(follows, turn),
            partial(self._can_act, action),
            reads=self._screen.reads_back(action, done),
        )
        return self._early

    def looked(self, frame: Frame | None) -> None:
        """Take an early call back if the screen, as it is shown next, is not what was sent."""
        if self._early and frame:
            self._early.keep_only_if(frame)

    def outdated(self, action: Action, before: Frame | None, last: Sequence[Step]) -> str:
        """Say what speaks against an action since the screen was shown `before` it was decided; empty if nothing does.

        Args:
            action: what was decided; points are pixels.
            before: the screen that was shown.
            last: the step before, if there is one.
        """
        if self._words.is_new:
            return HEARD
        eyes = self._screen.eyes
        if not eyes or before is None or self._calls.foreseen or not is_stateless(self._brain):
            return ""
        return eyes.control.call(partial(_outdated, action, before, last, self._toolbelt, eyes))

    def _can_act(self, last: Action, observation: Observation, screen: Frame, reply: Reply) -> bool:
        """Whether a reply can be used at once: nothing is done again, or given up, that may yet show its effect."""
        if observation.screen and observation.screen.effect:
            return True
        with suppress(ReplyError):  # it is asked for again
            action = self._read(screen, reply.text).action
            tool = self._toolbelt.known(action.tool)
            return not is_repeated(action, last) and not (tool and tool.ending)
        return True


def _outdated(action: Action, before: Frame, last: Sequence[Step], toolbelt: Toolbelt, eyes: Eyes) -> str:
    """Say what speaks against an action since the screen was shown `before` it was decided; empty if nothing does.

    Args:
        action: what was decided; points are pixels.
        before: the screen that was shown.
        last: the step before, if there is one.
        toolbelt: says where the action aims.
        eyes: see what is there now.
    """
    news = eyes.news(before, eyes.look())
    if not news:
        return ""
    if eyes.front != eyes.desktop.front():
        front = eyes.in_front()
        return f'Another window is in front now, "{front.title}".' if front else "No window is in front now."
    vain = [step.action.tool for step in last if step.observation.screen and not step.observation.screen.effect]
    if vain and is_seen(news):
        return f"What {vain[0]} did shows only now."
    tool = toolbelt.known(action.tool)
    return lost_target(action, tool, eyes, eyes.as_shown()) if tool else ""


def is_repeated(action: Action, last: Action) -> bool:
    """Whether an action does again what the last one did; its points may differ a little."""
    same_names = action.tool == last.tool and action.args.keys() == last.args.keys()
    return same_names and all(_is_near(value, last.args[name]) for name, value in action.args.items())


def _is_near(value: Any, other: Any) -> bool:  # noqa: ANN401 - JSON
    if isinstance(value, Mapping) and isinstance(other, Mapping) and value.keys() == other.keys():
        return all(_is_near(one, other[name]) for name, one in value.items())
    if isinstance(value, float | int) and isinstance(other, float | int):
        return abs(value - other) <= CONTROL_MAX_PX
    return bool(value == other)
