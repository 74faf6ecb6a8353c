"""Screens as they are described in JSON: what is on them, which is the truth, and how a program lays it out.

An item is an object whose first key is its kind, and whose value is its name as a person would call it. In a `form`,
each item has a label beside or above it; `shown` is the label where it differs from the name. What is `unlabelled`, or
an `icon`, has its name only as an accessible name or a tooltip.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from toolbelt.desktops.accessibility import State
from world_model import CHECKABLE, Role

FAMILIES: Final = ("gtk3", "gtk4", "qt6", "tk", "libreoffice", "chromium")
FOLDER: Final = Path(__file__).parent
ROLES: Final[Mapping[str, Role]] = {
    "button": "button",
    "checkbox": "checkbox",
    "radio": "radio",
    "switch": "switch",
    "textbox": "textbox",
    "password": "textbox",  # nosec B105  # a kind of field
    "textarea": "textbox",
    "spin": "textbox",
    "combobox": "combobox",
    "slider": "slider",
    "link": "link",
    "text": "text",
    "heading": "text",
    "list": "listbox",
}
NO_SWITCH: Final = frozenset({"qt6", "tk", "libreoffice"})  # which show a checkbox instead
BOXES: Final = frozenset({"row", "column", "grid", "form", "frame", "tabs"})
SINGLE_LINE: Final = frozenset({"textbox", "spin", "combobox"})

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Truth:
    """An element that a screen shows.

    Attributes:
        id: its number on the screen, by which the program says where it drew it.
        name: as a person would call it.
        value: what a field holds; None where it does not matter.
        states: `checked`, `unchecked` and `disabled`, where they hold.
        encloses: whether it is a list, which encloses its options.
    """

    id: int
    role: Role
    name: str
    value: str | None = None
    states: frozenset[State] = frozenset()
    encloses: bool = False


@dataclass(slots=True)
class Screen:
    """A screen of one family.

    Attributes:
        shown: what a program shows, as JSON, with an `id` for each element.
        truth: the elements.
        opened: the id of what is clicked to open a menu; None if nothing is.
    """

    name: str
    family: str
    shown: Item
    truth: list[Truth] = field(default_factory=list)
    opened: int | None = None


def screens_of(family: str) -> Iterator[Screen]:
    """Yield the screens of a family, in the order of the files."""
    for file in sorted(FOLDER.glob("*.json")):
        for described in json.loads(file.read_text(encoding="utf-8")):
            if family in described["families"]:
                yield _Reader(described, family).screen


class _Reader:
    """Reads one description."""

    def __init__(self, described: Item, family: str) -> None:
        self._described = described
        options = {name: described.get(name) for name in ("title", "dark", "theme", "scroll", "width", "height")}
        self.screen = Screen(described["name"], family, options)
        self.screen.shown["children"] = [self._read(one) for one in described["content"]]
        if dialog := described.get("dialog"):
            count = len(self.screen.truth)
            children = [self._read(one) for one in dialog["content"]]
            own = list(range(count, len(self.screen.truth)))
            self.screen.shown["dialog"] = {"title": dialog["title"], "children": children, "own": own}

    def _read(self, item: Item) -> Item:
        kind = next(iter(item))
        node = {**item, "kind": kind, "name": item[kind]}
        if kind in BOXES:
            self._read_box(node)
        elif kind in {"table", "menubar"}:
            self._read_parts(node)
        elif kind != "line":
            self._read_single(node)
        return node

    def _read_box(self, node: Item) -> None:
        kind, name = node["kind"], node["name"]
        if kind == "form":
            node["rows"] = [self._labelled(one, node) for one in name]
            node["kind"] = "form" if node.get("labels", "left") == "left" else "stack"
        elif kind == "grid":
            node["rows"] = [[self._read(one) for one in row] for row in name]
        elif kind == "tabs":
            node["ids"] = [self._add("tab", one) for one in name]
            node["children"] = [self._read(one) for one in node["content"]]
        elif kind == "frame":
            node["id"] = self._add("text", name)
            node["children"] = [self._read(one) for one in node["content"]]
        else:
            node["children"] = [self._read(one) for one in name]
            radios = [one for one in node["children"] if one["kind"] == "radio"]
            for one in radios:
                one["group"] = radios[0]["id"]

    def _labelled(self, item: Item, form: Item) -> list[Item | None]:
        """Return the label and the field of a row of a form."""
        kind = next(iter(item))
        if kind in {"button", "checkbox", "radio", "link", "row", "column", "text", "line"}:
            return [None, self._read(item)]
        shown = item.get("shown") or item[kind] + form.get("suffix", "")
        label: Item = {"kind": "text", "name": shown, "id": self._add("text", " ".join(shown.split()))}
        node = self._read(item)
        if form.get("linked", True):
            node["labelled"] = label["id"]
            label["labels"] = node["id"]
        else:
            node["unnamed"] = True
        return [label, node]

    def _read_parts(self, node: Item) -> None:
        """Number the cells of a table, or the items of a menu bar and of the menu that is open."""
        if node["kind"] == "table":
            node["ids"] = [[self._add("text", one) for one in row] for row in (node["name"], *node["rows"])]
            return
        node["ids"] = {title: self._add("menuitem", title) for title in node["name"]}
        if opened := node.get("open"):
            self.screen.opened = node["ids"][opened]
            node["items"] = [self._add("menuitem", one) for one in node["name"][opened]]

    def _read_single(self, node: Item) -> None:
        kind, family = node["kind"], self.screen.family
        if kind == "switch" and family in NO_SWITCH:
            kind = "checkbox"
        role = ROLES[kind]
        states = {"disabled"} if node.get("disabled") else set[str]()
        if role in CHECKABLE:
            states.add("checked" if node.get("on") else "unchecked")
        value = str(node.get("value", "")) if node["kind"] in SINGLE_LINE else None
        is_named = family != "tk" or not (node.get("icon") or node.get("unlabelled"))  # Tk shows that name nowhere
        node["id"] = self._add(role, node["name"] if is_named else "", value, states)
        if role == "listbox":
            node["ids"] = [self._add("option", one) for one in node["options"]]

    def _add(self, role: Role, name: str, value: str | None = None, states: Any = ()) -> int:  # noqa: ANN401 - literals
        self.screen.truth.append(
            Truth(len(self.screen.truth), role, name, value, frozenset(states), encloses=role == "listbox")
        )
        return len(self.screen.truth) - 1
