"""What the guard can look up about an action: the tools, the screen, and what the person said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mark_i.guard.provenance import (
    RequiredPart,
    addresses_alone,
    command,
    pieces_of,
    secrets,
    unknown,
    unrelated,
    without,
)
from mark_i.guard.screen import Screen
from mark_i.guard.secrets import names_in, texts_in
from mark_i.guard.texts import COPIED, NAMING, TYPED, WRITING, RoleText, contacted
from mark_i.guard.words import without_forbidden
from toolbelt.belt import Toolbelt
from toolbelt.desktops import Window, pastes
from toolbelt.parameters import Chosen, Command, KeyNames, Typed, WindowTitle
from toolbelt.targeting import Aim
from toolbelt.tool import Tool
from toolbelt.tools import window_named
from world_model import Action, Place, Region, Step, ToolFailure, WorldModel


@dataclass(frozen=True, slots=True)
class Scene:
    """What the guard can look up about an action.

    Attributes:
        given: the goal, and what the person said in earlier turns.
        screen: None without a desktop.
    """

    toolbelt: Toolbelt
    world_model: WorldModel
    given: Sequence[str]
    screen: Screen | None = None

    @property
    def is_blind(self) -> bool:
        """Whether nobody tells which window is in front, so that any may get the keys, a terminal too."""
        return self.screen is not None and not self.screen.knows_windows

    def validated(self, action: Action) -> tuple[Tool | None, Mapping[str, Any]]:
        """Return the tool and its validated arguments; no tool if the call is invalid."""
        try:
            tool = self.toolbelt[action.tool]
            return tool, tool.validated(action.args)
        except ToolFailure:
            return None, {}

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        """Return its targets on the screen; none for a tool that only looks."""
        return [] if self.screen is None or tool.risk == "look" else self.screen.aims(tool, args)

    def aims_at(self, places: Sequence[Place]) -> list[Aim]:
        """Return what is at places of the pointer."""
        if self.screen is None:
            return []
        texts = [filter(None, [one.name, *self.screen.words_at(one.point)]) for one in places]
        return [Aim(Region(at.x, at.y, 1, 1), tuple(said)) for at, said in zip(places, texts, strict=True)]

    def windows(self, tool: Tool, args: Mapping[str, Any], aims: Sequence[Aim]) -> list[Window]:
        """Return the windows that the action affects: those it targets or names, otherwise the one with the focus.

        What is typed at a place without a window goes to the window with the focus, which stays there.
        """
        if self.screen is None or tool.risk != "act":
            return []
        found = self.screen.windows()
        parts = list(tool.parts(args))
        naming = [(role, named) for role, named in parts if role in NAMING]
        if naming:  # an application to be opened has no window yet
            return [one for role, title in naming if role is WindowTitle for one in _titled(title, found)]
        seen = [one for one in found if not one.minimized]
        types = any(role in WRITING for role, _ in parts)
        active = [one for one in seen if one.active] or (seen if types else [])
        if not (places := [aim.region.center for aim in aims if aim.region]):
            return active
        under = [next((one for one in reversed(seen) if place in one.region), None) for place in places]
        return [one for one in under if one] + (active if types and None in under else [])

    def pasted(
        self, tool: Tool, args: Mapping[str, Any], windows: Sequence[Window], held: frozenset[str], *, drags: bool
    ) -> list[RoleText]:
        """Return what the action pastes, which is judged as if it were typed; a shell can also paste a selection."""
        pressed = [] if tool.holds_keys == "up" else [keys for role, keys in tool.parts(args) if role is KeyNames]
        by_keys = any(pastes(keys, held) for keys in pressed if isinstance(keys, str))
        ends = [one.id for one in windows] if drags else []
        if self.screen is None or not (by_keys or tool.pastes_selection(args) or len(set(ends)) > 1):
            return []
        at = windows[-1:] if ends else windows  # what is dragged there from another window is typed there
        if self.is_blind or self.shell(at):
            return [COPIED]
        try:
            text = self.screen.clipboard() if by_keys else None
        except ToolFailure:  # not text, or the program that owns it does not respond
            return [COPIED]
        return [RoleText(Typed, text)] if text else []

    def shell(self, windows: Sequence[Window]) -> Window | None:
        """Return the window in which typed text is a command, if there is one."""
        return next((one for one in windows if self.screen and self.screen.is_shell(one)), None)

    def is_own_terminal(self, windows: Sequence[Window]) -> bool:
        """Whether it is the terminal in which the person is asked."""
        return any(self.screen is not None and self.screen.is_own(one) for one in windows)

    def unknown_pieces(
        self, tool: Tool, action: Action, said: Sequence[RoleText], fields: Sequence[str], *, shell: bool
    ) -> list[RequiredPart]:
        """Return the secrets, addresses, amounts, recipients and commands that the person never gave."""
        given = self.said_by_person()
        # A tool that only looks counts too: a search leaves the machine.
        hidden = unknown(secrets(names_in(action, tool)), given)
        if tool.risk == "look":
            known = "\n".join([given, *self._found()])
            asked = [one.text for one in said if tool.finds_addresses and unrelated(one.text, given)]
            return [*hidden, *unknown(contacted(said), known), *(RequiredPart("text", text) for text in asked)]
        pieces = [piece for one in said for piece in pieces_of(one.text, *fields, kind=one.kind) if one.is_read]
        if self.is_blind and not shell:
            pieces += [piece for one in said if one.role in TYPED for piece in command(one.text, kind="typed line")]
        for one in said:
            if one.role is Command or (shell and one.role in TYPED):
                pieces += (
                    command(one.text, begun=one.begun) if one.is_read else [RequiredPart("line", one.text, given=False)]
                )
            elif not one.is_read:
                pieces.append(
                    RequiredPart("choice" if one.role is Chosen else "clipboard content", one.text, given=False)
                )
        return [*hidden, *unknown(pieces, given)]

    def said_by_person(self) -> str:
        """Return all that the person said, without what they forbade."""
        return without_forbidden("\n".join([*self.given, *self._answers()]))

    def _answers(self) -> Iterator[str]:
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.asks_person and isinstance(step.observation.data, Mapping):
                yield str(step.observation.data.get("answer", ""))

    def _found(self) -> Iterator[str]:
        """Yield the addresses that searches found: they may be opened, the links of a page may not."""
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.finds_addresses and step.observation.ok:
                yield _results(step)


def _results(step: Step) -> str:
    """Return the addresses in a result, but not one that only repeats what was searched for."""
    asked = list(texts_in(step.action.args))
    if step.observation.data is None:
        return without(step.observation.text, asked)
    return "\n".join(addresses_alone(texts_in(step.observation.data), asked))


def _titled(title: str, windows: Sequence[Window]) -> list[Window]:
    """Return the window with that title; none if there is none or several, which the tool reports."""
    try:
        return [window_named(title, list(windows))]
    except ToolFailure:
        return []
