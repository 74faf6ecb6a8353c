"""Check a model: send it one picture of our own, ask where a button is, and see how far off the answer is.

The question and the answer go through the parts of a run: prompt, picture, SDK, reply parser, coordinates, targets.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random, SystemRandom
from typing import Any, Final, Literal

from mark_i.assembly.brain_choice import planner
from mark_i.assembly.resolve import run_config_from
from mark_i.assembly.run_config import RunConfig
from mark_i.brain import Brain, Prompt, Reply
from mark_i.brains import NAMES, REMOTE
from mark_i.brains.access import SPACES, Coordinates
from mark_i.brains.remote import RemoteBrain
from mark_i.config.api_keys import Keys
from mark_i.config.settings import Settings
from mark_i.doctor.sample_screen import BUTTON, SampleScreen, drawn
from mark_i.events import usage_summary
from mark_i.prompts.builder import PromptBuilder
from mark_i.prompts.coordinates import Spaces, spaces_of, to_pixels
from mark_i.replies import parse
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import FakeDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting import MarkTarget, PointTarget, resolve
from world_model import Action, Frame, ModelError, Point, ReplyError, ToolFailure, Usage, UsageError, WorldModel

Named = Literal["point", "mark", "text"]

GOAL: Final = f'Click the button "{BUTTON}" once. Name its middle by a point, and not by its text.'
GOAL_BY_MARK: Final = f'Click the button "{BUTTON}" once. Name it by its mark.'
QUOTED_CHARS: Final = 200  # of a reply that cannot be used
SAY_SETTING: Final = "mark-i config set coordinates {}"
OTHER_MODEL: Final = "Try again, or name another model: mark-i config set brain BRAIN:MODEL"
BLIND_MODEL: Final = (
    "Try again, name another model, or let it choose from a list of marks: mark-i config set coordinates marks"
)


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """Where a model clicked.

    Attributes:
        model: the name of its brain.
        coordinates: how the places in its answer were read.
        named: how it named the button.
        distance_px: from the middle of the button, on a screen of 1920 x 1080 pixels.
        inside: whether the click was on the button.
        fits: another setting of `coordinates` with which it would have been; None if there is none.
        usage: tokens and cost; the cost is None if the price is not known.
        seconds: how long the model took.
    """

    model: str
    coordinates: Coordinates | None
    named: Named
    distance_px: float
    inside: bool
    fits: Coordinates | None
    usage: Usage
    seconds: float

    @property
    def told(self) -> str:
        """The result in words."""
        cost = usage_summary(self.usage.to_dict())
        return f"{self.model} {self._hit}. It took {self.seconds:.1f} s{f', {cost}' if cost else '.'}"

    @property
    def todo(self) -> str:
        """What to do about it; empty if all is well."""
        if self.inside:
            return ""
        if self.fits:
            return SAY_SETTING.format(self.fits)
        return OTHER_MODEL if self.coordinates == "marks" else BLIND_MODEL

    @property
    def _hit(self) -> str:
        if not self.inside:
            fits = f". The answer fits coordinates = {self.fits}" if self.fits else ""
            return f"missed the button: its answer is {self.distance_px:.0f} pixels from the middle{fits}"
        if self.named == "text":
            return "named the button by its text, which MARK-I finds; whether it finds points is not known"
        away = round(self.distance_px)
        where = f"{away} pixel{'' if away == 1 else 's'} from its middle"
        return f"clicked the button, {where}" if self.named == "point" else f"chose the mark of the button, {where}"

    def to_dict(self) -> dict[str, Any]:
        """Return its part of `--json`."""
        return {
            "model": self.model,
            "coordinates": self.coordinates,
            "named": self.named,
            "distance_px": round(self.distance_px, 1),
            "inside": self.inside,
            "fits": self.fits,
            **self.usage.to_dict(),
            "seconds": round(self.seconds, 2),
        }


@dataclass(frozen=True, slots=True)
class CheckFailure:
    """Why there is no click to judge.

    Attributes:
        cause: as in `ModelError.cause`; or `settings` if they cannot be used, `unreadable` for a reply that is no
            decision, `no_click` for another action, `not_found` for a text or mark that is not on the picture.
        told: what happened.
        todo: what to do; empty if `told` says it.
    """

    model: str
    cause: str
    told: str
    todo: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return its part of `--json`."""
        return {"model": self.model, "cause": self.cause, "told": self.told, "todo": self.todo}


class _Unfit(Exception):  # noqa: N818 - never leaves this module
    """The answer is no click."""

    def __init__(self, cause: str, told: str) -> None:
        super().__init__(told)
        self.cause = cause


def check_model(
    settings: Settings, keys: Keys, control: Control | None = None, chance: Random | None = None
) -> ModelCheck | CheckFailure | None:
    """Ask the model of some settings to click a button on one picture, and judge its answer.

    Args:
        settings: those of a run.
        keys: the API keys of the profile.
        control: stops it.
        chance: decides where everything on the picture is.

    Returns:
        None if no model would be asked, as by the offline brain.
    """
    name = planner(settings, keys)
    if name.partition(":")[0] in {*NAMES} - {*REMOTE}:
        return None
    try:
        config = run_config_from(settings, keys, limited=False)
    except ModelError as error:
        return CheckFailure(name, error.cause, str(error))
    except UsageError as error:
        return CheckFailure(name, "settings", str(error))
    trial = _Trial(config, control or Control(), drawn(chance or SystemRandom()))
    return config.secrets.cleared(trial.result(settings.max_cost))


class _Trial:
    """One picture, one question and the judgement of its answer."""

    def __init__(self, config: RunConfig, control: Control, screen: SampleScreen) -> None:
        self._brain, self._vision, self._control, self._screen = config.brain, config.vision, control, screen
        self._eyes = Eyes(FakeDesktop(lambda _inputs: screen.picture, control), control)
        self._tools: Toolbelt = standard_toolbelt(self._eyes)
        self._usage, self._seconds = Usage(), 0.0

    def result(self, max_cost: float | None) -> ModelCheck | CheckFailure:
        """Ask, and judge."""
        try:
            reply = self._ask(self._brain, replace(self._prompt(), usd_left=max_cost))
            return self._judged(_action(reply))
        except ModelError as error:
            return CheckFailure(self._brain.name, error.cause, str(error))
        except _Unfit as unfit:
            return CheckFailure(self._brain.name, unfit.cause, str(unfit), OTHER_MODEL)

    def _prompt(self) -> Prompt:
        """Return the prompt of a first step, with the picture or its description by the model that sees."""
        builder = PromptBuilder(self._tools, WorldModel(), self._eyes, steps=1)
        goal, frame = GOAL_BY_MARK if self._brain.space == "marks" else GOAL, self._eyes.show()
        seen = self._described(builder, goal, frame) if self._vision else ""
        return builder.next(self._brain, goal, frame, (), seen)

    def _described(self, builder: PromptBuilder, goal: str, frame: Frame) -> str:
        assert self._vision  # noqa: S101 - who calls it has looked
        return self._ask(self._vision, builder.vision(self._vision, goal, frame)).text

    def _ask(self, brain: Brain, prompt: Prompt) -> Reply:
        if isinstance(brain, RemoteBrain):
            brain.load()  # the first call of a run does, and it is not the model that takes this time
        began = time.monotonic()
        reply = self._control.call(partial(brain.think, prompt))
        self._seconds += time.monotonic() - began
        self._usage += reply.usage
        return reply

    def _judged(self, action: Action) -> ModelCheck:
        spaces, button = spaces_of(self._brain, self._eyes.desktop.region), self._screen.button
        point, named = self._place(to_pixels(action, spaces))
        inside = point in button
        coordinates = next((one for one, space in SPACES.items() if space == self._brain.space), None)
        return ModelCheck(
            self._brain.name,
            coordinates,
            named,
            math.dist((point.x, point.y), (button.center.x, button.center.y)),
            inside,
            None if inside or named != "point" else self._fitting(action, spaces),
            self._usage,
            self._seconds,
        )

    def _place(self, action: Action) -> tuple[Point, Named]:
        """Return the place that an action is aimed at, even if that is beside the screen."""
        if action.tool not in self._tools or "target" not in action.args:
            raise _Unfit("no_click", f"{self._brain.name} did not click: it wanted to use {action.tool}.")
        try:
            target = self._tools[action.tool].validated(action.args)["target"]
            if isinstance(target, PointTarget):
                return Point(target.x, target.y), "point"
            found = resolve(target, self._eyes, patience=0).point
        except ToolFailure as failure:
            told = f"What {self._brain.name} wanted to click is not on the picture. {failure.message}"
            raise _Unfit("not_found", told) from failure
        return found, "mark" if isinstance(target, MarkTarget) else "text"

    def _fitting(self, action: Action, spaces: Spaces) -> Coordinates | None:
        """Return another setting with which the click would have been on the button."""
        for setting, space in SPACES.items():
            target = to_pixels(action, replace(spaces, space=space)).args["target"]
            if space not in {spaces.space, "marks"} and _is_in(target, self._screen):
                return setting
        return None


def _action(reply: Reply) -> Action:
    """Return the action of a reply.

    Raises:
        _Unfit: there is none in it.
    """
    said = f" It began: {' '.join(reply.text.split())[:QUOTED_CHARS]!r}." if reply.text.strip() else ""
    if reply.cut_off or reply.flaw:
        raise _Unfit("unreadable", f"{reply.flaw or 'The reply was cut off at the output limit.'}{said}")
    try:
        return parse(reply.text).action
    except ReplyError as error:
        raise _Unfit("unreadable", f"The reply could not be read: {error}{said}") from error


def _is_in(target: Mapping[str, int], screen: SampleScreen) -> bool:
    return Point(target["x"], target["y"]) in screen.button
