"""Follows what the agent types, so that a key is judged by what stands in the line or field when it is pressed.

Nothing is looked up here: it goes by the strokes alone, and says when they do not tell.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mark_i.guard.typed_line import Line
from toolbelt.desktops import Window, parse_keys, pastes
from toolbelt.elements import Element
from toolbelt.parameters import (
    Aimed,
    Enters,
    KeyNames,
    ParameterRole,
    Pastes,
    Replaces,
    Times,
    Typed,
    Unmarked,
    first_of,
)
from toolbelt.tool import Tool
from world_model import Place, Point, Step, ToolFailure


def combinations(*keys: str) -> frozenset[frozenset[str]]:
    """Return combinations of keys, each written as `ctrl+l`."""
    return frozenset(frozenset(one.split("+")) for one in keys)


MODIFIERS: Final = frozenset({"ctrl", "alt", "altgr", "shift", "super"})
SHORTCUTS: Final = frozenset({"ctrl", "alt", "super"})  # with one of these a letter is not typed
WRITES: Final = frozenset({Typed, Unmarked})
CARET: Final = frozenset({"left", "right", "up", "down", "home", "end", "pageup", "pagedown"})
# What opens or reaches a bar into which an address or a search is typed, in browsers and file managers alike
BARS: Final = combinations("ctrl+l", "alt+d", "f6", "ctrl+k", "ctrl+t", "ctrl+f", "f3", "ctrl+e")
# What opens a launcher, in which a line starts an application or runs a command
LAUNCHES: Final = combinations("alt+f2", "super", "super+r", "super+space")
MOVES: Final = CARET | {"escape", "enter", "tab"}  # what may move the focus, depending on what has it
STAYS: Final = frozenset("acxvszybiu")  # letters that leave the focus where it is if pressed with ctrl
PRESSES: Final = frozenset({"enter", "space"})  # keys that press a button
MENUS: Final = combinations("menu", "shift+f10", "f10", "alt")
SUBMENU: Final = frozenset({"right"})  # the key that opens one
SUBMITS: Final = frozenset({"m", "j", "o"})  # with ctrl, these are enter at a shell
# With shift, on a keyboard of the United States; elsewhere a key may give another sign
SHIFTED: Final = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))
WRITTEN_MAX_CHARS: Final = 10_000  # that are remembered for a window
NEAR_PX: Final = 12  # between two clicks into one field
NOTHING_DONE: Final = frozenset(
    {"INVALID_ARGS", "UNKNOWN_TOOL", "TARGET_NOT_FOUND", "TARGET_AMBIGUOUS", "STALE_TARGET", "OFF_SCREEN"}
)
PASTED: Final = "\uffff"  # stands for what was pasted
SELECTED: Final = "\ufffe"  # stands for what was selected somewhere and pasted with the mouse


@dataclass(frozen=True, slots=True)
class Focus:
    """Where the keys go, as far as the agent's own input tells.

    Attributes:
        window: the window that has the focus.
        at: where a pointer put it.
        start: where a drag began that put it there.
        tabs: how often tab moved it from there; None if something else may have moved it.
        bar: whether a shortcut put it into a bar for addresses or searches.
        menu: whether a menu is open.
        launcher: whether a shortcut opened a launcher.
        since: the keys pressed since then that may have moved it.
        said: what has it, as its program says; None once a stroke may have moved it.
    """

    window: int | None = None
    at: Point | None = None
    start: Point | None = None
    tabs: int | None = None
    bar: bool = False
    menu: bool = False
    launcher: bool = False
    since: frozenset[str] = frozenset()
    said: Element | None = field(default=None, compare=False)


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
    _last: Place | None = None  # where the pointer acted last
    _pressed: Place | None = None  # where a mouse button went down
    _lines: dict[tuple[int | None, object], Line] = field(default_factory=dict)
    _written: dict[int | None, str] = field(default_factory=dict)  # what was typed in each window
    _at_shell: bool | None = None  # of the step that is followed next; None if nobody judged it

    def expect(self, window: int | None, said: Element | None = None, *, at_shell: bool) -> None:
        """Note where the keys go now; another window has a focus of its own."""
        if window != self.focus.window:
            self.focus = Focus(window, launcher=self.focus.launcher)
        self.focus = replace(self.focus, said=said)
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
            acted = step.observation.places
            places = [at.point for at in acted]
            for stroke in self.strokes(tool, step.action.args, places, at_shell=self._at_shell):
                entered |= stroke.enters
            self._last = acted[-1] if acted else self._last
            self._pressed = self._last if presses_button(tool, step.action.args) else self._pressed
            if error or self._at_shell is None:
                self._put(replace(self.line(), known=False))
                self.focus = replace(self.focus, launcher=False)  # as far as it shows, none opened
        self._at_shell = None
        return entered

    def copy(self) -> "Keystrokes":
        """Return another one, on which a step can be tried."""
        return replace(self, held=set(self.held), _lines=dict(self._lines), _written=dict(self._written))

    def written(self, windows: Sequence[Window]) -> list[str]:
        """Return what was typed in windows."""
        return [self._written[one.id] for one in windows if one.id in self._written]

    def ends(self, tool: Tool, at: Point) -> list[Place]:
        """Return where a mouse button acts that goes down or up at a point: both ends of a drag, none after a click."""
        name = self._last.name if self._last and _near(self._last.point, at) else ""
        here, start = Place(at.x, at.y, name), self._pressed
        if tool.holds_keys == "down":
            return [here]
        return [start, here] if start and not _near(start.point, at) else []

    def strokes(
        self, tool: Tool, args: Mapping[str, object], places: Sequence[Point], *, at_shell: bool | None
    ) -> Iterator[Stroke]:
        """Yield the strokes of a call, and take in each after it; `places` are those at which it points, in order."""
        parts = list(tool.parts(args))
        aimed = sum(role is Aimed for role, _ in parts)
        if not aimed and places and presses_button(tool, args):
            places = [one.point for one in self.ends(tool, places[-1])]
            aimed = len(places)
        if aimed and not tool.hovers:
            yield Stroke(frozenset(), self.focus, self.line(), clicked=True)
            start, end = (places[0], places[-1]) if places else (None, None)
            self._clicked(end, start if aimed > 1 else None, tool, args, at_shell=at_shell)
        if first_of(parts, Replaces, default=False):
            text = "".join(value for role, value in parts if role in WRITES and isinstance(value, str))
            deletes = not text or first_of(parts, Pastes, default=False)
            for keys in ({"ctrl", "a"}, *([{"delete"}] if deletes else [])):
                yield from self._key(frozenset(keys), at_shell=at_shell)
        for _ in range(first_of(parts, Times, 1)):
            before = self.focus, dict(self._lines)
            for role, value in parts:
                yield from self._part(tool, role, value, at_shell=at_shell)
            if (self.focus, self._lines) == before:  # every other time would be the same
                break

    def _part(self, tool: Tool, role: type[ParameterRole], value: object, *, at_shell: bool | None) -> Iterator[Stroke]:
        if role in WRITES and isinstance(value, str):
            joined = self.line().typed("".join(value.splitlines()))
            breaks = not at_shell and len(value.splitlines()) > 1
            if breaks:
                yield Stroke(frozenset(), self.focus, Line(also=joined), typed=value)
            for part in filter(None, re.split(r"(\r\n|[\n\r\t])", value)):
                key = {"\t": "tab", "\n": "enter", "\r": "enter", "\r\n": "enter"}.get(part)
                yield from self._key(frozenset({key}), at_shell=at_shell) if key else self._text(part)
            if breaks:  # a field of one line drops them if they are pasted
                self._put(replace(self.line(), also=joined))
        elif role is KeyNames and isinstance(value, str):
            keys = parsed_keys(value)
            if tool.holds_keys == "up":
                self.held -= keys
                return
            yield from self._key(keys | self.held, at_shell=at_shell)
            if tool.holds_keys and keys & PRESSES:  # held down, it repeats
                yield from self._key(keys | self.held, at_shell=at_shell)
            if tool.holds_keys == "down":
                self.held |= keys
        elif role is Enters and value:
            yield from self._key(frozenset({"enter"}), at_shell=at_shell)

    def _text(self, text: str) -> Iterator[Stroke]:
        window = self.focus.window
        self._written[window] = f"{self._written.get(window, '')}\n{text}"[-WRITTEN_MAX_CHARS:]
        self._put(self.line().typed(text))
        yield Stroke(frozenset(), self.focus, self.line(), typed=text)

    def _key(self, keys: frozenset[str], *, at_shell: bool | None) -> Iterator[Stroke]:
        others = keys - MODIFIERS
        if at_shell and "ctrl" in keys and others and others <= SUBMITS:
            keys = others = frozenset({"enter"})
        letter = next(iter(others)) if len(others) == 1 else ""
        letter = " " if letter == "space" else letter
        if len(letter) == 1 and not keys & SHORTCUTS and not self.focus.menu:
            signs = "shift" in keys and not letter.isalpha() and letter != " "
            letter = SHIFTED.get(letter, letter.upper()) if "shift" in keys else letter
            line = self.line().typed(letter)
            self._put(replace(line, known=line.known and not signs))
            yield Stroke(keys, self.focus, self.line(), typed=letter)
            return
        yield Stroke(keys, self.focus, self.line())
        self.focus = replace(self.focus, said=None if keys & (PRESSES | {"tab", "escape"}) else self.focus.said)
        if len(letter) == 1 and not keys & SHORTCUTS and not at_shell:  # typed, if no menu is open after all
            line = self.line()
            self._put(replace(line, also=(line.also or line).typed(letter)))
        (self._at_a_shell if at_shell else self._in_a_field)(keys)
        if keys in LAUNCHES:
            self.focus = Focus(self.focus.window, launcher=True)
            self._put(Line())
        elif others & {"escape", "enter"}:
            self.focus = replace(self.focus, launcher=False)
        if others & MOVES:
            self.focus = replace(self.focus, since=self.focus.since | others & MOVES)

    def _at_a_shell(self, keys: frozenset[str]) -> None:
        line = self.line()
        if "enter" in keys or keys == {"ctrl", "c"}:
            self._put(Line(begun=True))
        elif keys == {"backspace"}:
            self._put(line.erased("backspace"))
        elif keys == {"ctrl", "u"}:
            self._put(Line(known=line.known, begun=line.begun))
        elif pastes("+".join(keys)):  # what is pasted at a shell was asked about
            self._put(line.typed(PASTED))
        elif not keys <= MODIFIERS and keys != {"ctrl", "l"}:
            self._put(replace(line, known=False))

    def _in_a_field(self, keys: frozenset[str]) -> None:
        line, others = self.line(), keys - MODIFIERS
        if pastes("+".join(keys)):
            self._put(line.typed(PASTED))
        elif others in ({"backspace"}, {"delete"}):
            if line.anchor is not None or not keys & SHORTCUTS:  # how much a word is differs
                self._put(line.erased(*others))
        elif keys == {"ctrl", "x"} and line.anchor is not None:
            self._put(line.erased("delete"))
        elif keys == {"ctrl", "a"}:
            self._put(line.selected())
        elif others & CARET:
            by_one = len(others) == 1 and not keys & SHORTCUTS
            self._put(line.moved(*others if by_one else ("",), selects="shift" in keys))
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
            self.focus = replace(self.focus, tabs=tabs, bar=False, since=frozenset())
            self._lines.pop(self._place(), None)
        elif keys in BARS:
            self.focus = Focus(self.focus.window, bar=True)
            self._put(self.line().selected())
        elif keys in MENUS or ("alt" in keys and others and all(len(one) == 1 for one in others)):
            self.focus = replace(self.focus, menu=True, since=self.focus.since - SUBMENU)
        elif keys == {"escape"}:  # leaves only a submenu, if one is open
            menu = self.focus.menu and bool(self.focus.since & SUBMENU)
            self.focus = replace(self.focus, menu=menu, since=self.focus.since - SUBMENU)
        elif any(re.fullmatch(r"f\d+", one) for one in others) or (
            others and keys & SHORTCUTS and not ("ctrl" in keys and others <= STAYS)
        ):
            self.focus = Focus(self.focus.window, since=others)

    def _clicked(
        self, at: Point | None, start: Point | None, tool: Tool, args: Mapping[str, object], *, at_shell: bool | None
    ) -> None:
        """Move the focus to where a pointer clicked; where a shell was, another tab may be in front then."""
        pastes = tool.pastes_selection(args)
        menu = tool.opens_menu is True or (bool(tool.opens_menu) and tool.opens_menu in args.values())
        if at_shell and pastes:
            self._put(self.line().typed(PASTED))
        elif at_shell and (menu or self.focus.menu):
            self._put(replace(self.line(), known=False))
        if before := self._lines.get(shell := (self.focus.window, "shell")):
            self._lines[shell] = replace(before, known=before.known and not before.text, begun=False)
        known = [one for one in self._places() if at and _near(one, at)]
        self.focus = Focus(self.focus.window, known[0] if known else at, start, None if at is None else 0, menu=menu)
        if not at_shell and (line := self.line()).text:
            whole = tool.selects == "line" or (tool.selects and re.fullmatch(r"\w+", line.text))
            self._put(line.selected() if whole else line.moved("", selects=False))
        if pastes and not at_shell:
            self._put(self.line().typed(SELECTED))

    def _places(self) -> list[Point]:
        return [place[0] for _, place in self._lines if isinstance(place, tuple) and isinstance(place[0], Point)]

    def _place(self) -> tuple[int | None, object]:
        if self._at_shell:
            return self.focus.window, "shell"
        named = "bar" if self.focus.bar else "launcher" if self.focus.launcher else None
        return self.focus.window, named or (self.focus.at, self.focus.tabs)

    def _put(self, line: Line) -> None:
        self._lines[self._place()] = line


def presses_button(tool: Tool, args: Mapping[str, object]) -> bool:
    """Whether a call presses or releases a mouse button and leaves it so."""
    return bool(tool.holds_keys) and not any(role is KeyNames for role, _ in tool.parts(args))


def parsed_keys(keys: str) -> frozenset[str]:
    """Return the keys of a combination; none if it is not valid, which the tool that presses them reports."""
    try:
        return frozenset(parse_keys(keys))
    except ToolFailure:
        return frozenset()


def _near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= NEAR_PX and abs(one.y - other.y) <= NEAR_PX
