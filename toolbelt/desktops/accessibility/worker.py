"""Reads the accessibility tree, in a process of its own: a program that hangs or lies cannot hold up the agent.

Run as a script. A request is a line of JSON: `{"id", "pids", "screen": [x, y, width, height], "seconds"}`. A reply has
the same `id`, the `windows` with their nodes as `Node.from_list` takes them, and the `problem` if there is one. It ends
when its input ends.
"""

import json
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

import xa11y

CLOSED_MENUS = frozenset({"menu_item", "combo_box"})  # nobody sees what is in one that is not open
LEAVES = frozenset({"static_text", "text_field", "text_area", "slider", "image", "separator", "spin_button"})
NAMED_LEAVES = frozenset({"button", "check_box", "radio_button", "switch", "link"})
OBJECT = "\ufffc"  # stands in a text for a part that is none
NAMELESS = frozenset({"<unnamed>"})
TYPE_NAME = re.compile(r"(?:Gtk|Adw|Q)[A-Z]\w*")  # a toolkit's name for a kind of widget, said where it has none
TEXT_MAX_CHARS = 2000  # of a name or a value
NODES_MAX = 3000
BOX_MIN_PX = 2  # a toolkit says 1 for what is not shown
SECRET = ("password", "secure")  # in what a field for a password is called
FIELDS = frozenset({"text_field", "combo_box"})
Box = tuple[int, int, int, int]


def main() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        reply: dict[str, Any] = {"id": request["id"], "windows": [], "problem": ""}
        try:
            reply["windows"] = list(windows(request))
        except xa11y.XA11yError:  # no bus, or no registry on it
            reply["problem"] = "the accessibility service does not run"
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def windows(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the windows of the programs that are asked for, in that order."""
    end = time.monotonic() + request["seconds"]
    asked, screen = request["pids"], tuple(request["screen"])
    every: Any = xa11y.App.list()  # its stub names a type `list` here that is its method
    known = sorted((app for app in every if app.pid in asked), key=lambda app: asked.index(app.pid))
    for app in known:
        try:  # a toolkit may call a window anything
            shown = [one for one in app.children() if is_shown(one, screen)]
        except xa11y.XA11yError:  # it has ended, or says nothing
            continue
        for window in shown:
            nodes, complete = read(window, screen, end)
            yield {"pid": app.pid, "title": window.name or "", "nodes": nodes, "complete": complete}


def read(window: xa11y.Element, screen: Box, end: float) -> tuple[list[list[Any]], bool]:
    """Return the nodes of a window that are on the screen, as lists, and whether all were read in time."""
    nodes: list[list[Any]] = []
    left = [(-1, window)]
    while left:
        parent, element = left.pop()
        if time.monotonic() >= end or len(nodes) >= NODES_MAX:
            return nodes, False
        nodes.append(as_list(parent, element))
        if is_closed(element) or is_leaf(element):
            continue
        try:
            inner = [one for one in element.children() if is_shown(one, screen)]
        except xa11y.XA11yError:  # it has gone meanwhile
            continue
        if element.role in NAMED_LEAVES and not any(name_of(one) for one in inner):
            nodes[-1][2] = text(element.description)  # its tooltip, where it has only an icon
        left += [(len(nodes) - 1, one) for one in reversed(inner)]
    return nodes, True


def is_closed(element: xa11y.Element) -> bool:
    """Whether nothing in an element is shown."""
    is_menu = element.role in CLOSED_MENUS and (element.role != "menu_item" or bool(name_of(element)))
    return is_menu and not (element.selected or element.expanded or element.focused)


def is_leaf(element: xa11y.Element) -> bool:
    """Whether the parts of an element say no more than it does itself."""
    if element.role == "static_text" and OBJECT in text(element.name):
        return False  # a label around what it names
    return element.role in LEAVES or (element.role in NAMED_LEAVES and bool(name_of(element)))


def is_shown(element: xa11y.Element, screen: Box) -> bool:
    """Whether an element may be on the screen; one without a place may have parts that are."""
    if not element.visible:
        return False
    box = element.bounds
    if box is None:
        return True
    x, y, width, height = screen
    is_there = box.x < x + width and box.y < y + height and box.x + box.width > x and box.y + box.height > y
    return is_there and box.width >= BOX_MIN_PX and box.height >= BOX_MIN_PX


def as_list(parent: int, element: xa11y.Element) -> list[Any]:
    """Return a node as `Node.from_list` takes it."""
    box = element.bounds
    region = [box.x, box.y, box.width, box.height] if box else None
    names = states(element)
    value = "" if "secret" in names else content(element.value)
    return [parent, element.role, name_of(element), value, region, names]


def name_of(element: xa11y.Element) -> str:
    """Return the name of an element, if it has one of its own."""
    name = text(element.name)
    return "" if element.role != "static_text" and TYPE_NAME.fullmatch(name) else name


def text(said: str | None) -> str:
    """Return a text of a program, if it is one, and not too long."""
    return "" if said is None or said in NAMELESS else said.strip()[:TEXT_MAX_CHARS]


def content(said: str | None) -> str:
    """Return what a field holds, with the blanks at its ends, if it is a text, and not too long."""
    return "" if said is None or said in NAMELESS else said[:TEXT_MAX_CHARS]


def states(element: xa11y.Element) -> list[str]:
    """Return what holds for an element."""
    found = [{"on": "checked", "off": "unchecked", "mixed": "mixed"}.get(element.checked or "", "")]
    found.append("" if element.expanded is None else "expanded" if element.expanded else "collapsed")
    flags = {
        "disabled": not element.enabled,
        "focused": element.focused,
        "selected": element.selected,
        "editable": element.editable,
        "secret": is_secret(element),
    }
    return [one for one in (*found, *(name for name, holds in flags.items() if holds)) if one]


def is_secret(element: xa11y.Element) -> bool:
    """Whether a field is for a password, as its platform says, or as it is called: some say only that."""
    said = [str(value) for name, value in element.raw.items() if "role" in name]
    said += [element.name or ""] if element.role in FIELDS else []
    return any(word in one.lower() for one in said for word in SECRET) or element.raw.get("is_password") is True


if __name__ == "__main__":
    main()
