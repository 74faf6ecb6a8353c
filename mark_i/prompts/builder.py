"""Renders prompts: the texts are files in this folder, and the tools describe themselves."""

import copy
import functools
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Final, Self, get_args

from jinja2 import Template

from mark_i.brain import Brain, Message, Picture, Prompt, Space, Word, actions_ahead
from mark_i.budget import DEFAULT_STEPS
from mark_i.prompts.coordinates import DESKTOP_SPACES, in_coordinates_of, spaces_of
from mark_i.prompts.focus import RECENT, focused_field
from mark_i.prompts.scratchpad import Scratchpad
from mark_i.prompts.screenshot import closeup_of, picture_of
from toolbelt.belt import Toolbelt
from toolbelt.elements import draw_marks
from toolbelt.parameters import FilePath
from toolbelt.perception import Eyes
from toolbelt.tool import Tool
from world_model import Frame, Region, Role, Step, WorldModel, cut

STYLES: Final = frozenset({"default", "summary"})  # in which a model writes the final answer
SPEAKERS: Final = {"system": "System", "user": "Human", "assistant": "Assistant", "tool": "Tool"}
MAX_OBSERVATION_CHARS: Final = 500  # of an observation in a prompt; the journal has all of it
MAX_NOTES_CHARS: Final = 3000  # of all notes of the brain together
SAID_MAX: Final = 20  # words of the person, the newest
MINUTE: Final = timedelta(minutes=1)
TITLES, TITLE_CHARS = 8, 60  # of windows
FEW_TEXTS: Final = 3  # that appeared, and as many that vanished, for a brain that sees the screen


def now() -> datetime:
    """Return the time where the user is."""
    return datetime.now().astimezone()


class Clock:
    """Tells the time to the minute; what it told less than a minute ago stays, so that a prompt stays the same."""

    def __init__(self) -> None:
        self._told: datetime | None = None

    def time(self) -> datetime:
        """Return the time where the user is."""
        if self._told is None or now() - self._told >= MINUTE:
            self._told = now()
        return self._told


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
        said: Callable[[], tuple[Word, ...]] = tuple,
        secrets: Sequence[str] = (),
        folders: Sequence[Path] = (),
        attached: Sequence[Path] = (),
    ) -> None:
        self._secrets = tuple(secrets)
        self._folders, self._attached = tuple(folders), tuple(attached)
        self._toolbelt = toolbelt
        self._eyes = eyes
        self._world_model = world_model
        self._scratchpad = Scratchpad(world_model, longest)
        self._earlier = tuple(earlier)
        self._said = said
        self._steps = steps
        self._clock = Clock()
        self._notes: list[str] = []
        self._noted = 0  # steps whose notes are among them

    def after(self, step: Step) -> Self:
        """Return the builder of the prompts that follow on one more step; this one stays as it is."""
        other = copy.copy(self)
        longer = self._world_model.with_step(step)
        other._world_model, other._scratchpad = longer, self._scratchpad.of(longer)  # noqa: SLF001 - of the same class
        other._notes = list(self._notes)  # noqa: SLF001 - as above
        return other

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
        things = ""
        if self._eyes and before is not None and brain.space == "marks":
            things = "\n".join(mark.told for mark in self._eyes.marks(before))
        prompt = Prompt(
            self._system(brain),
            goal,
            self._scratchpad.text(self._renderer(brain)),
            self._kept_notes(),
            self._now(before),
            past=partial(tuple, self._world_model),
            earlier=self._earlier,
            said=self._said()[-SAID_MAX:],
            background=background,
            notices=tuple(notices),
            seen=seen,
            things=things,
        )
        if not self._eyes or before is None:
            return prompt
        picture = picture_of(self._shown(brain, before), brain.sight) if brain.sight and not seen else None
        closeup, eyes = self._closeup(brain, before) if picture else None, self._eyes
        prompt = replace(prompt, closeup=closeup, windows=lambda: tuple(eyes.windows()))
        return prompt.showing(picture, partial(self._eyes.read, before), partial(self._eyes.every_element, before))

    def _kept_notes(self) -> str:
        """Return the brain's notes, a line each; the oldest are left out when they become too long."""
        new = self._world_model.last(len(self._world_model) - self._noted)
        self._noted += len(new)
        self._notes += [f"- Step {step.index}: {step.note}" for step in new if step.note and not step.foreseen]
        while self._notes and sum(map(len, self._notes)) > MAX_NOTES_CHARS:
            del self._notes[0]
        return "\n".join(self._notes)

    def _now(self, before: Frame | None) -> str:
        """Say what a person knows who sits there: the system, the time, how far the run is, the folders and windows."""
        told = partial(
            _rendered,
            "now",
            system=platform.system(),
            time=f"{self._clock.time():%A, %d %B %Y, %H:%M}",
            step=len(self._world_model) + 1,
            steps=self._steps,
            folders=[folder.absolute() for folder in self._folders if _uses_files(tuple(self._toolbelt))],
            attached=[file.absolute() for file in self._attached],
        )
        if not self._eyes:
            return told()
        windows = [one for one in self._eyes.windows()[::-1] if not (one.minimized or one.ours)]
        windows.sort(key=lambda one: not one.active)
        titles = [f'"{cut(one.title, TITLE_CHARS)}"' for one in windows[:TITLES]]
        if len(windows) > TITLES:
            titles.append(f"{len(windows) - TITLES} more")
        said = self._eyes.focused(before) if before else None
        used = None if said else focused_field(self._world_model.last(RECENT), self._toolbelt)
        focus = (said.role, said.text) if said else used and (used.role, used.name)
        desktop = self._eyes.desktop
        unseen = not desktop.knows_windows
        return told(screen=desktop.region.size, titles=titles, unseen=unseen, focus=focus, used=bool(used))

    def _renderer(self, brain: Brain) -> Callable[[Step], Step]:
        """Return what renders a step for the brain: in its coordinates, and with few texts if it sees the screen."""
        shortened = _with_few_texts if brain.sight else _without_places
        if not self._eyes or brain.space in DESKTOP_SPACES:
            return shortened
        spaces = spaces_of(brain, self._eyes.desktop.region)

        def rendered(step: Step) -> Step:
            tool, told = self._toolbelt.known(step.action.tool), in_coordinates_of(shortened(step), spaces)
            return replace(told, action=step.action) if tool and tool.ending else told  # its result has no points

        return rendered

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
        return replace(self.next(brain, goal, None, [_rendered("no_step_left")]), last=True)

    def words(self, goal: str, style: str) -> Prompt:
        """Build the prompt for the final answer."""
        said = self._said()[-SAID_MAX:]
        return Prompt(_rendered("final_answer", style=style), goal, self._scratchpad.text(), said=said, plain=True)

    def reflection(self, goal: str) -> Prompt:
        """Build the prompt for a review of the steps so far."""
        return Prompt(_rendered("reflection"), goal, self._scratchpad.text(), plain=True)

    def vision(self, brain: Brain, goal: str, before: Frame) -> Prompt:
        """Build the prompt for a description of the screen."""
        picture = picture_of(before, brain.sight) if brain.sight else None
        return Prompt(_rendered("vision"), goal, "", picture=picture, plain=True)

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
        secrets: what stands for each secret that the agent may type.
        ahead: how many actions of a reply are carried out at most.
    """
    describes = next((tool.called for tool in tools if tool.describes_tools), None)
    rare = [tool for tool in tools if tool.rare and describes]
    return _rendered(
        "system",
        screen=screen,
        space=space,
        roles=" | ".join(get_args(Role)),
        ahead=ahead,
        secrets=", ".join(secrets),
        tools="\n".join(tool.entry for tool in tools if not tool.describes_tools and tool not in rare),
        describes=describes,
        rare="\n".join(f"- {tool.name}: {tool.description.splitlines()[0]}" for tool in rare),
    )


@functools.lru_cache(maxsize=16)
def _uses_files(tools: tuple[Tool, ...]) -> bool:
    return any(tool.role(parameter) is FilePath for tool in tools for parameter in tool.annotations)


def _with_few_texts(step: Step) -> Step:
    """Return a step with the first of the texts that appeared and vanished."""
    seen = step.observation
    if seen.screen is None:
        return step
    few = replace(
        seen.screen,
        appeared=seen.screen.appeared[:FEW_TEXTS],
        appeared_at=seen.screen.appeared_at[:FEW_TEXTS],
        vanished=seen.screen.vanished[:FEW_TEXTS],
    )
    return replace(step, observation=replace(seen, screen=few))


def _without_places(step: Step) -> Step:
    """Return a step that does not say where texts appeared: a brain without sight reads all texts of the screen."""
    seen = step.observation
    screen = seen.screen and replace(seen.screen, appeared_at=())
    return replace(step, observation=replace(seen, screen=screen))


def compose_prompt(messages: Sequence[Message]) -> str:
    """Join the messages to one text, for a model that takes nothing else."""
    return "\n\n".join(f"{SPEAKERS[message.role]}: {message.content}" for message in messages)


def _rendered(name: str, **values: object) -> str:
    """Render a template of this folder."""
    return str(_template(name).render(values)).strip()


@functools.cache
def _template(name: str) -> Template:
    text = (resources.files("mark_i.prompts") / f"{name}.md").read_text(encoding="utf-8")
    template: Template = Template(text)
    return template
