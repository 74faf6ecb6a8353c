"""Renders prompts: the texts are files in this folder, and the tools describe themselves."""

import functools
import platform
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import resources
from typing import Final, get_args

from mark_i.brain import Brain, Message, Picture, Prompt, Space, actions_ahead
from mark_i.budget import DEFAULT_STEPS
from mark_i.prompts.coordinates import DESKTOP_SPACES, in_coordinates_of, spaces_of
from mark_i.prompts.scratchpad import Scratchpad
from mark_i.prompts.screenshot import closeup_of, picture_of
from toolbelt.belt import Toolbelt
from toolbelt.elements import draw_marks
from toolbelt.parameters import Aimed, role_of
from toolbelt.perception import Eyes
from toolbelt.tool import Tool
from world_model import Frame, Region, Role, Step, WorldModel, cut

PLACES: Final = {
    "pixels": "A target is a text on the screen, or a point in pixels: {start}{x}, {y} is the bottom right corner.",
    "image": "A target is a text on the screen, or a point in pixels of the picture that you see: {x}, {y} is its "
    "bottom right corner.",
    "thousandths": "A target is a text on the screen, or a point. Points are normalised: x runs from 0 at the left "
    "edge of the screen to 1000 at the right one, y from 0 at the top to 1000 at the bottom.",
    "marks": "A target is the mark of what is on the screen, which is listed each time, as in "
    '{{"mark": 12}}; or a text on the screen.',
}
TARGETS: Final = """\
- "Save": a text as it is written there
- {{"x": 512, "y": 300}}: a point
- {{"text": "Delete", "beside": "Milk"}}: the one of several in the same row or on the same card as another text; with \
"side": "left", "right", "above" or "below" the one on that side of it
- {{"role": "checkbox", "text": "Updates", "nth": 2}}: a {roles} by its label; of several that one in reading order, \
-1 is the last
- {{"mark": 7}}: a number from the list of `marks`
- {{"image": "file.png"}}: what looks like that file"""
STYLES: Final = {
    "default": "Answer the goal in a few plain sentences.",
    "summary": "Answer in no more than three sentences.",
}
SECRETS: Final = "# Secrets\nIn an argument each of these stands for a secret that is filled in as it is typed: {}."
ONE_ACTION: Final = "One action in each reply."
PLAN: Final = (
    'One action in each reply, and in "then" up to {count} more that you can foresee now. They are carried out one '
    "after the other, without asking you, as long as each works and what the next one expects is seen: "
    '{{"text": a text on the screen}}, {{"gone": a text that has gone}} or {{"window": the title in front}}. Say '
    '"expect" after whatever opens, closes or scrolls something. Plan nothing that depends on what you have not seen '
    "yet. `finish` may be the last of them."
)
THEN: Final = ', "then": [{"thought": "...", "action": {...}, "expect": {...}}]'
SPEAKERS: Final = {"system": "System", "user": "Human", "assistant": "Assistant", "tool": "Tool"}
MAX_OBSERVATION_CHARS: Final = 500  # of an observation in a prompt; the journal has all of it
MAX_NOTES_CHARS: Final = 3000  # of all notes of the brain together
TITLES, TITLE_CHARS = 8, 60  # of windows


def now() -> datetime:
    """Return the time where the user is."""
    return datetime.now().astimezone()


class PromptBuilder:
    """Builds every prompt of one run."""

    def __init__(  # noqa: PLR0913 - the parts of a prompt
        self,
        toolbelt: Toolbelt,
        world_model: WorldModel,
        eyes: Eyes | None = None,
        *,
        longest: int = MAX_OBSERVATION_CHARS,
        steps: int = DEFAULT_STEPS,
        earlier: Sequence[tuple[str, str]] = (),
        secrets: Sequence[str] = (),
    ) -> None:
        self._secrets = tuple(secrets)
        self._toolbelt = toolbelt
        self._eyes = eyes
        self._world_model = world_model
        self._scratchpad = Scratchpad(world_model, longest)
        self._earlier = tuple(earlier)
        self._steps = steps
        self._notes: list[str] = []
        self._noted = 0  # steps whose notes are among them

    def next(  # noqa: PLR0913, PLR0917 - the parts of a prompt
        self,
        brain: Brain,
        goal: str,
        before: Frame | None,
        notices: Sequence[str],
        seen: str = "",
        background: str = "",
    ) -> Prompt:
        """Build the prompt for the next step; `seen` describes the screen for a brain that gets no picture."""
        prompt = Prompt(
            self._system(brain),
            goal,
            self._scratchpad.text(self._renderer(brain)),
            self._kept_notes(),
            self._now(),
            past=partial(tuple, self._world_model),
            earlier=self._earlier,
            background=background,
            notices=tuple(notices),
            seen=seen,
        )
        if not self._eyes or before is None:
            return prompt
        if brain.space == "marks":
            prompt = replace(prompt, things="\n".join(mark.told for mark in self._eyes.marks(before)))
        picture = picture_of(self._shown(brain, before), brain.sight) if brain.sight and not seen else None
        prompt = replace(prompt, closeup=self._closeup(brain, before) if picture else None)
        return prompt.showing(picture, partial(self._eyes.read, before))

    def _kept_notes(self) -> str:
        """Return the brain's notes, a line each; the oldest are left out when they become too long."""
        new = self._world_model.last(len(self._world_model) - self._noted)
        self._noted += len(new)
        self._notes += [f"- Step {step.index}: {step.note}" for step in new if step.note]
        while self._notes and sum(map(len, self._notes)) > MAX_NOTES_CHARS:
            del self._notes[0]
        return "\n".join(self._notes)

    def _now(self) -> str:
        """Say what a person knows who sits there: the system, the time, how far the run is, and the windows."""
        step = len(self._world_model) + 1
        told = f"The system is {platform.system()}. It is {now():%A, %d %B %Y, %H:%M}. Step {step} of {self._steps}."
        if not self._eyes:
            return told
        windows = [one for one in self._eyes.windows()[::-1] if not (one.minimized or one.ours)]
        windows.sort(key=lambda one: not one.active)
        titles = [f'"{cut(one.title, TITLE_CHARS)}"' for one in windows[:TITLES]]
        if len(windows) > TITLES:
            titles.append(f"{len(windows) - TITLES} more")
        return (
            f"{told}\nWindows, the one in front first: {', '.join(titles)}."
            if titles
            else f"{told}\nNo window is open."
        )

    def _renderer(self, brain: Brain) -> Callable[[Step], Step]:
        """Return what renders a step in the coordinates of the brain."""
        if not self._eyes or brain.space in DESKTOP_SPACES:
            return lambda step: step
        spaces = spaces_of(brain, self._eyes.desktop.region)
        return lambda step: in_coordinates_of(step, spaces)

    def _shown(self, brain: Brain, before: Frame) -> Frame:
        """Return the screen; with marks if the brain uses them or has just asked for them."""
        used = self._used()
        asked = used is not None and used.shows_marks
        if not self._eyes or not (asked or brain.space == "marks"):
            return before
        return draw_marks(before, self._eyes.marks(before))

    def _closeup(self, brain: Brain, before: Frame) -> Picture | None:
        """Return the part of the screen that the brain has just enlarged."""
        used = self._used()
        if used is None or not used.enlarges:
            return None
        [newest] = self._world_model.last(1)
        return closeup_of(before, Region.from_list(newest.observation.data["part"]), brain.sight)

    def _used(self) -> Tool | None:
        """Return the tool of the newest step; None if that failed."""
        newest = self._world_model.last(1)
        return self._toolbelt.known(newest[0].action.tool) if newest and newest[0].observation.ok else None

    def last(self, brain: Brain, goal: str) -> Prompt:
        """Build the last prompt, when no step is left."""
        return replace(self.next(brain, goal, None, [_template("no_step_left")]), last=True)

    def words(self, goal: str, style: str) -> Prompt:
        """Build the prompt for the final answer."""
        return Prompt(
            _template("final_answer").replace("{{style}}", STYLES[style]), goal, self._scratchpad.text(), plain=True
        )

    def reflection(self, goal: str) -> Prompt:
        """Build the prompt for a review of the steps so far."""
        return Prompt(_template("reflection"), goal, self._scratchpad.text(), plain=True)

    def vision(self, brain: Brain, goal: str, before: Frame) -> Prompt:
        """Build the prompt for a description of the screen."""
        picture = picture_of(before, brain.sight) if brain.sight else None
        return Prompt(_template("vision"), goal, "", picture=picture, plain=True)

    def _system(self, brain: Brain) -> str:
        ahead = actions_ahead(brain)
        if not self._eyes:
            return system_text(tuple(self._toolbelt), secrets=self._secrets, ahead=ahead)
        screen = self._eyes.desktop.region
        if brain.space == "image":
            shown = spaces_of(brain, screen).picture
            screen = Region(0, 0, shown.width, shown.height)
        return system_text(tuple(self._toolbelt), brain.space, screen, self._secrets, ahead)


@functools.lru_cache(maxsize=16)  # one for each set of tools
def system_text(
    tools: tuple[Tool, ...],
    space: Space = "pixels",
    screen: Region | None = None,
    secrets: tuple[str, ...] = (),
    ahead: int = 1,
) -> str:
    """Render role, rules and tools: the prefix of the prompt that stays the same while the tools do.

    Args:
        tools: in the order in which they are listed.
        space: the coordinates of points.
        screen: the pixels that the brain may name; None without a screen.
        secrets: the names of the secrets that the agent may type.
        ahead: how many actions of a reply are carried out at most.
    """
    parts = {
        "role": _template("role_with_screen" if screen else "role_without_screen"),
        "places": _places(space, screen) if screen else "",
        "secrets": SECRETS.format(", ".join(f"{{{{secret:{name}}}}}" for name in secrets)) if secrets else "",
        "catalog": "\n".join(map(_entry, tools)),
        "actions": PLAN.format(count=ahead - 1) if ahead > 1 else ONE_ACTION,
        "then": THEN if ahead > 1 else "",
    }
    text = _template("system")
    for name, words in parts.items():
        text = text.replace(f"{{{{{name}}}}}", words)
    return re.sub(r"\n{3,}", "\n\n", text)


def _places(space: Space, screen: Region) -> str:
    start = f"{screen.x}, {screen.y} is the top left corner and " if (screen.x, screen.y) != (0, 0) else ""
    points = PLACES[space].format(x=screen.right - 1, y=screen.bottom - 1, start=start)
    return f"# Places\n{points}\n{TARGETS.format(roles=' | '.join(get_args(Role)))}"


def compose_prompt(messages: Sequence[Message]) -> str:
    """Join the messages to one text, for a model that takes nothing else."""
    return "\n\n".join(f"{SPEAKERS[message.role]}: {message.content}" for message in messages)


def _entry(tool: Tool) -> str:
    targets = {name: word for name in tool.kinds if (word := _target_word(tool.annotations.get(name)))}
    called = tool.called_with(tool.kinds | targets)
    return f"- {called} -> {tool.returns}\n{textwrap.indent(tool.description, '  ')}\n  Risk: {tool.risk}."


def _target_word(kind: object) -> str:
    """Return the word for a target or for a list of them; an empty one for any other type."""
    kinds = (kind, *get_args(kind))
    if any(role_of(one) is Aimed for one in kinds):
        return "target"
    return "[target]" if any(role_of(item) is Aimed for one in kinds for item in get_args(one)) else ""


@functools.cache
def _template(name: str) -> str:
    return (resources.files("mark_i.prompts") / f"{name}.md").read_text(encoding="utf-8").strip()
