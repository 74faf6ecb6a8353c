"""Follows what the agent types, so that a key is judged by what stands in the line or field when it is pressed.

Nothing is looked up here: it goes by the strokes alone, and says when they do not tell.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from toolbelt.desktops import parse_keys, pastes
from toolbelt.parameters import Aimed, Enters, KeyNames, ParameterRole, Typed, Unmarked
from toolbelt.tool import Tool
from world_model import Point, Step, ToolFailure

MODIFIERS: Final = frozenset({"ctrl", "alt", "altgr", "shift", "super"})
SHORTCUTS: Final = frozenset({"ctrl", "alt", "super"})  # with one of these a letter is not typed
WRITES: Final = frozenset({Typed, Unmarked})
CARET: Final = frozenset({"left", "right", "up", "down", "home", "end", "pageup", "pagedown"})
# What opens or reaches a bar into which an address or a search is typed, in browsers and file managers alike
BARS: Final = frozenset(
    frozenset(keys.split("+")) for keys in ("ctrl+l", "alt+d", "f6", "ctrl+k", "ctrl+t", "ctrl+f", "f3", "ctrl+e")
)
STAYS: Final = frozenset("acxvszybiu")  # letters that leave the focus where it is if pressed with ctrl
MENUS: Final = frozenset({frozenset({"menu"}), frozenset({"shift", "f10"}), frozenset({"f10"})})
SUBMITS: Final = frozenset({"m", "j", "o"})  # with ctrl, these are enter at a shell
NEAR_PX: Final = 12  # between two clicks into one field
NOTHING_DONE: Final = frozenset(
    {"INVALID_ARGS", "UNKNOWN_TOOL", "TARGET_NOT_FOUND", "TARGET_AMBIGUOUS", "STALE_TARGET", "OFF_SCREEN"}
)
PASTED: Final = "\uffff"  # stands for what was pasted


@dataclass(frozen=True, slots=True)
class Line:
    """What stands in a field or at a shell because of the agent.

    Attributes:
        known: whether a key has changed it in a way that is not followed here, such as one that recalls a line.
        selected: whether the next text replaces it.
        begun: whether it is known how it began: at a shell, after enter.
    """

    text: str = ""
    known: bool = True
    selected: bool = False
    begun: bool = False

    def typed(self, text: str) -> "Line":
        """Return the line with more text."""
        return replace(self, text=text if self.selected else self.text + text, selected=False)


@dataclass(frozen=True, slots=True)
class Focus:
    """Where the keys go, as far as the agent's own input tells.

    Attributes:
        window: the window that has the focus.
        at: where a pointer put it.
        tabs: how often tab moved it from there; None if something else may have moved it.
        bar: whether a shortcut put it into a bar for addresses or searches.
        menu: whether a menu is open.
    """

    window: int | None = None
    at: Point | None = None
    tabs: int | None = None
    bar: bool = False
    menu: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key, a typed text, or a click, with the focus and the line as they are when it comes."""

    keys: frozenset[str]
    focus: Focus
    line: Line
    typed: str = ""
    clicked: bool = False

    @property
    def enters(self) -> bool:
        """Whether enter is among the keys."""
        return "enter" in self.keys


@dataclass(slots=True)
class Keystrokes:
    """The agent's typing in one run."""

    held: set[str] = field(default_factory=set)
    focus: Focus = Focus()
    _lines: dict[tuple[int | None, object], Line] = field(default_factory=dict)
    _at_shell: bool | None = None  # of the step that is followed next; None if nobody judged it

    def expect(self, window: int | None, *, at_shell: bool) -> None:
        """Note where the keys go now; another window has a focus of its own."""
        if window != self.focus.window:
            self.focus = Focus(window)
        self._at_shell = at_shell

    def line(self) -> Line:
        """Return what stands where the focus is."""
        return self._lines.get(self._place(), Line())

    def follow(self, step: Step, tool: Tool) -> bool:
        """Take in a step that was carried out, and tell whether it pressed enter."""
        error = step.observation.error
        done = error is None or (error.refused_by in {None, "takeover"} and error.code not in NOTHING_DONE)
        entered = False
        if tool.risk == "act" and done:
            at = step.observation.places[-1] if step.observation.places else None
            place = Point(at.x, at.y) if at else None
            for stroke in self.strokes(tool, step.action.args, place, at_shell=self._at_shell):
                entered |= stroke.enters
            if error or self._at_shell is None:
                self._put(replace(self.line(), known=False))
        self._at_shell = None
        return entered

    def copy(self) -> "Keystrokes":
        """Return another one, on which a step can be tried."""
        return Keystrokes(set(self.held), self.focus, dict(self._lines), self._at_shell)

    def strokes(
        self, tool: Tool, args: Mapping[str, object], at: Point | None, *, at_shell: bool | None
    ) -> Iterator[Stroke]:
        """Yield the strokes of a call, and take in each after it; `at` is the place at which it points, if it does."""
        parts = list(tool.parts(args))
        if any(role is Aimed for role, _ in parts) and not tool.hovers:
            yield Stroke(frozenset(), self.focus, self.line(), clicked=True)
            self._clicked(at, tool, at_shell=at_shell)
        for role, value in parts:
            yield from self._part(tool, role, value, at_shell=at_shell)

    def _part(self, tool: Tool, role: type[ParameterRole], value: object, *, at_shell: bool | None) -> Iterator[Stroke]:
        if role in WRITES and isinstance(value, str):
            for part in filter(None, re.split(r"(\r\n|[\n\r\t])", value)):
                key = {"\t": "tab", "\n": "enter", "\r": "enter", "\r\n": "enter"}.get(part)
                yield from self._key(frozenset({key}), at_shell=at_shell) if key else self._text(part)
        elif role is KeyNames and isinstance(value, str):
            keys = _parsed(value)
            if tool.holds_keys == "up":
                self.held -= keys
                return
            yield from self._key(keys | self.held, at_shell=at_shell)
            if tool.holds_keys == "down":
                self.held |= keys
        elif role is Enters and value:
            yield from self._key(frozenset({"enter"}), at_shell=at_shell)

    def _text(self, text: str) -> Iterator[Stroke]:
        self._put(self.line().typed(text))
        yield Stroke(frozenset(), self.focus, self.line(), typed=text)

    def _key(self, keys: frozenset[str], *, at_shell: bool | None) -> Iterator[Stroke]:
        others = keys - MODIFIERS
        if at_shell and "ctrl" in keys and others and others <= SUBMITS:
            keys = others = frozenset({"enter"})
        letter = next(iter(others)) if len(others) == 1 else ""
        letter = " " if letter == "space" else letter
        if len(letter) == 1 and not keys & SHORTCUTS and not self.focus.menu:
            letter = letter.upper() if "shift" in keys else letter
            self._put(self.line().typed(letter))
            yield Stroke(keys, self.focus, self.line(), typed=letter)
            return
        yield Stroke(keys, self.focus, self.line())
        (self._at_a_shell if at_shell else self._in_a_field)(keys)

    def _at_a_shell(self, keys: frozenset[str]) -> None:
        line = self.line()
        if "enter" in keys or keys == {"ctrl", "c"}:
            self._put(Line(begun=True))
        elif keys == {"backspace"}:
            self._put(replace(line, text=line.text[:-1]))
        elif keys == {"ctrl", "u"}:
            self._put(Line(known=line.known, begun=line.begun))
        elif pastes("+".join(keys)):  # what is pasted at a shell was asked about
            self._put(line.typed(PASTED))
        elif not keys <= MODIFIERS and keys not in ({"ctrl", "l"}, {"ctrl", "e"}):
            self._put(replace(line, known=False))

    def _in_a_field(self, keys: frozenset[str]) -> None:
        line, others = self.line(), keys - MODIFIERS
        if pastes("+".join(keys)):
            self._put(line.typed(PASTED))
        elif others in ({"backspace"}, {"delete"}):
            rest = line.text[:-1] if "backspace" in others and not keys & SHORTCUTS else line.text
            self._put(Line() if line.selected else replace(line, text=rest))
        elif keys == {"ctrl", "a"}:
            self._put(replace(line, selected=True))
        elif others & CARET:
            self._put(replace(line, selected=False))
        else:
            self._move_focus(keys, others)

    def _move_focus(self, keys: frozenset[str], others: frozenset[str]) -> None:
        """Move the focus as a key does."""
        if "enter" in keys:
            self._put(Line())
            self.focus = replace(self.focus, bar=False, menu=False)
        elif others == {"tab"} and not keys & SHORTCUTS:
            by = -1 if "shift" in keys else 1
            tabs = None if self.focus.tabs is None else self.focus.tabs + by
            self.focus = replace(self.focus, tabs=tabs, bar=False)
            self._lines.pop(self._place(), None)
        elif keys in BARS:
            self.focus = Focus(self.focus.window, bar=True)
            self._put(replace(self.line(), selected=True))
        elif keys in MENUS or ("alt" in keys and all(len(one) == 1 for one in others)):
            self.focus = replace(self.focus, menu=bool(others))
        elif keys == {"escape"}:
            self.focus = replace(self.focus, menu=False)
        elif others and keys & SHORTCUTS and not ("ctrl" in keys and others <= STAYS):
            self.focus = Focus(self.focus.window)

    def _clicked(self, at: Point | None, tool: Tool, *, at_shell: bool | None) -> None:
        """Move the focus to where a pointer clicked; at a shell that does not change the line, but a paste does."""
        if at_shell and tool.pastes:
            self._put(self.line().typed(PASTED))
        elif at_shell and (tool.opens_menu or self.focus.menu):
            self._put(replace(self.line(), known=False))
        known = [one for one in self._places() if at and _near(one, at)]
        self.focus = Focus(
            self.focus.window, known[0] if known else at, None if at is None else 0, menu=tool.opens_menu
        )

    def _places(self) -> list[Point]:
        return [place[0] for _, place in self._lines if isinstance(place, tuple) and isinstance(place[0], Point)]

    def _place(self) -> tuple[int | None, object]:
        if self._at_shell:
            return self.focus.window, "shell"
        return self.focus.window, "bar" if self.focus.bar else (self.focus.at, self.focus.tabs)

    def _put(self, line: Line) -> None:
        self._lines[self._place()] = line


def _parsed(keys: str) -> frozenset[str]:
    try:
        return frozenset(parse_keys(keys))
    except ToolFailure:  # the tool that presses them reports it
        return frozenset()


def _near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= NEAR_PX and abs(one.y - other.y) <= NEAR_PX
