"""A screen that is only values, and actions on it that the guard judges: pure, so that hundreds of cases are quick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mark_i import WorldModel, standard_toolbelt
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.risk import Answer, Guard, Judgment
from mark_i.guard.scene import Scene
from toolbelt.desktops.base import Window
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.elements.element import Element
from toolbelt.ocr.lines import Line
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.aims import Aim
from toolbelt.tool import Tool
from toolbelt.tools.web import Web
from world_model import Action, Observation, Place, Point, Region, Role, Step, Thought

ROW_PX: Final = 50
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Shown:
    """What is in front: elements as `role text`, one a row or several with `|`; `text` are lines of text.

    What a textbox holds comes after its label: `textbox Amount=125`.
    """

    rows: tuple[str, ...] = ()
    shell: str = ""  # `prompt` or `program`
    categories: tuple[str, ...] = ()
    large: bool = True
    own: bool = False
    copied: str = ""
    title: str = "In front"
    chosen: str = ""  # the row that is highlighted
    focus: str = ""  # what has the focus, as the program says
    said: bool = False  # whether the program says what is there
    unseen: bool = False  # whether nobody tells which window it is

    @property
    def window(self) -> Window:
        size = (1000, 700) if self.large else (400, 300)
        return Window(1, self.title, "app", Region(0, 0, *size), active=True, pid=1)

    def elements(self) -> list[Element]:
        found, y = [], 20
        for row in self.rows:
            for column, cell in enumerate(row.split(" | ")):
                role, _, text = cell.partition(" ")
                height = 200 if role == "area" else 30
                region = Region(20 + 220 * column, y, 200, height)
                known: Role = "textbox" if role == "area" else role  # type: ignore[assignment]
                label, _, holds = text.partition("=") if known in {"textbox", "combobox"} else (text, "", "")
                found.append(Element(known, region, label, holds, said=self.said))
            y += ROW_PX + 170 * ("area" in row.split(" | ")[0][:4])
        return found


@dataclass
class Pretended:
    """A `Screen` of values."""

    shown: Shown
    at: Point = Point(0, 0)  # of the pointer

    @property
    def knows_windows(self) -> bool:
        return not self.shown.unseen

    def windows(self) -> list[Window]:
        return [] if self.shown.unseen else [self.shown.window]

    def is_shell(self, _window: Window) -> bool:
        return bool(self.shown.shell)

    def at_prompt(self, _window: Window) -> bool:
        return self.shown.shell == "prompt"

    def is_own(self, _window: Window) -> bool:
        return self.shown.own

    def categories(self, _window: Window) -> frozenset[str]:
        return frozenset(self.shown.categories)

    def elements(self, _window: Window | None) -> list[Element]:
        return self.shown.elements()

    def focused(self, _window: Window | None) -> Element | None:
        return next((one for one in self.elements(None) if self.shown.focus in {one.text, one.holds} - {""}), None)

    def texts(self, _window: Window | None) -> list[Line]:
        return [Line(one.text, one.region) for one in self.shown.elements()]

    def pointer(self) -> Point:
        return self.at

    def words_at(self, point: Point) -> list[str]:
        return [one.text for one in self.shown.elements() if point in one.region]

    def standing_out(self, lines: Sequence[Line]) -> list[Line]:
        return [line for line in lines if line.text == self.shown.chosen]

    def is_dialog(self, _window: Window | None) -> bool:
        return not self.shown.large

    def clipboard(self) -> str | None:
        return self.shown.copied

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        found = (self._aim(value) for role, value in tool.parts(args) if role.__name__ == "Aimed")
        return [aim for aim in found if aim]

    def _aim(self, target: Any) -> Aim | None:
        text = target if isinstance(target, str) else getattr(target, "text", None)
        at = Point(target.x, target.y) if text is None else None
        for one in self.shown.elements():
            if (at and at in one.region) or (text and one.text == text):
                return Aim(one.region, (one.text,))
        return Aim(Region(at.x, at.y, 1, 1), ()) if at else None


def tools() -> Any:
    desktop = FakeDesktop(lambda _inputs: None)  # type: ignore[arg-type,return-value]
    return standard_toolbelt(Eyes(desktop, desktop.control), Web(desktop.control, private=True))


TOOLS: Final = tools()


@dataclass
class Tried:
    """What the guard said to each call, with nobody to ask, or a person who approves."""

    judged: list[Judgment]

    @property
    def asked(self) -> list[str]:
        return [one.approval.why for one in self.judged if one.approval]

    @property
    def stopped(self) -> bool:
        """Whether any call was refused, or would have been without an approval."""
        return any(one.approval or one.refusal for one in self.judged)


def tried(
    shown: Shown | Sequence[Shown],
    calls: Sequence[Call],
    goal: str = "Do what is to be done",
    policy: Policy = DEFAULT,
    *,
    approve: bool = False,
) -> Tried:
    """Judge calls one after another. One that is not allowed is not done; the screens follow the calls, if several."""
    screens = [shown] * len(calls) if isinstance(shown, Shown) else shown
    guard, remembered, judged, at = Guard(policy), WorldModel(), [], Point(0, 0)
    for (name, args), now in zip(calls, screens, strict=True):
        screen = Pretended(now, at)
        scene = Scene(TOOLS, remembered, (goal,), screen)
        one = guard.judge(Action(name, args), None, scene)
        judged.append(one)
        refused = one.refusal
        if one.approval:
            refused = guard.refusal_after(one, Answer("once") if approve else None, scene)
        aims = screen.aims(TOOLS[name], TOOLS[name].validated(args))
        at = next((aim.region.center for aim in reversed(aims) if aim.region and not refused), at)
        places = tuple(Place(aim.region.center.x, aim.region.center.y, "") for aim in aims if aim.region)
        places = places or ((Place(at.x, at.y),) if name in {"mouse_down", "mouse_up"} else ())
        done = refused or Observation(ok=True, text="Done.", places=places)
        remembered.remember(Step(len(remembered) + 1, Thought(""), Action(name, args), done))
    return Tried(judged)


def press(*keys: str) -> list[Call]:
    return [("press", {"keys": one}) for one in keys]


def spelled(text: str) -> list[Call]:
    """Key by key."""
    return press(*({" ": "space"}.get(letter, letter) for letter in text))


def typed(text: str, **more: Any) -> Call:
    return "type_text", {"text": text, **more}


def click(target: Any) -> Call:
    return "click", {"target": target}
