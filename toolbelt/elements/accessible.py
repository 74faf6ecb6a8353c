"""What programs say is in their windows, as elements at places of the screen."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from toolbelt.desktops.accessibility.nodes import Node, WindowTree
from toolbelt.desktops.base import Window
from toolbelt.elements.element import Element
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import plain
from world_model import CHECKABLE, Region, Role

ROLES: Final[Mapping[str, Role]] = MappingProxyType(
    {
        "button": "button",
        "check_box": "checkbox",
        "radio_button": "radio",
        "switch": "switch",
        "text_field": "textbox",
        "text_area": "textbox",
        "spin_button": "textbox",
        "combo_box": "combobox",
        "list": "listbox",
        "list_item": "option",
        "tree_item": "option",
        "link": "link",
        "tab": "tab",
        "menu_item": "menuitem",
        "slider": "slider",
        "image": "image",
        "static_text": "text",
        "heading": "text",
    }
)
CONTENT: Final = frozenset[Role]({"text", "image"})  # of a control, which is no element of its own in it
SINGLE: Final = frozenset[Role]({"button", "checkbox", "radio", "switch", "textbox", "combobox", "slider", "link"})
TYPE_NAME: Final = re.compile(r"(?:Gtk|Adw|Q)[A-Z]\w*")  # a toolkit's name for a kind of widget, said where it has none
OBJECTS: Final = "\ufffc"  # stands for a part that is no text
NEAR_PX: Final = 4  # between two measured offsets that are the same
VOTES_MIN: Final = 2  # of texts, for an offset to count
WINDOW_GROWTH_PX: Final = 40  # by which what a program says of its window may be larger; shadows are


@dataclass(frozen=True, slots=True)
class Said:
    """What programs say is on the screen.

    Attributes:
        elements: in the order of the trees.
        windows: the windows that are described as a whole: what else looks like a control in them is none.
        blank: the parts of them of which nothing is said, such as a canvas.
    """

    elements: tuple[Element, ...] = ()
    windows: tuple[Region, ...] = ()
    blank: tuple[Region, ...] = ()


def said_of(trees: Iterable[WindowTree], windows: Sequence[Window], lines: tuple[Line, ...]) -> Said:
    """Return what programs say is there and no other window covers.

    Args:
        trees: as they were read.
        windows: those on the screen, the topmost last.
        lines: the texts on the screen, by which the place of a window is checked; without them, a program that does not
            count from the corner of the screen is left out.
    """
    elements, whole, blank = list[Element](), list[Region](), list[Region]()
    for tree in trees:
        window = _window_of(tree, windows)
        if window is None:
            continue
        x, y = _offset(tree, lines)
        if not lines and not _is_within(tree, window.region):
            continue
        above = [one.region for one in windows[windows.index(window) + 1 :] if not one.minimized]
        found = [one for one in _elements(tree, x, y) if not any(one.region.center in region for region in above)]
        elements += found
        if tree.complete and any(one.role in SINGLE for one in found):
            whole.append(window.region)
            blank += _blank(tree, x, y)
    return Said(tuple(elements), tuple(whole), tuple(blank))


def _window_of(tree: WindowTree, windows: Sequence[Window]) -> Window | None:
    """Return the window that a tree describes: of its program, with its title, else around it."""
    own = [one for one in windows if one.pid == tree.pid and not one.minimized]
    named = [one for one in own if one.title == tree.title]
    box = tree.nodes[0].region if tree.nodes else None
    around = [one for one in (named or own) if box and box.center in one.region]
    likely = named if len(named) == 1 else [*around[::-1], *named, *own[::-1]]
    return next(iter(likely), None)


def _is_within(tree: WindowTree, window: Region) -> bool:
    """Whether a program counts from the corner of the screen: most of what it says is there lies in its window."""
    middles = [node.region.center for node in tree.nodes if node.region]
    return 2 * sum(middle in window for middle in middles) > len(middles)


def _offset(tree: WindowTree, lines: tuple[Line, ...]) -> tuple[int, int]:
    """Return how far the places that a program says are off: some count from the corner of the window.

    Where its texts are read decides.
    """
    where: dict[str, list[Region]] = {}
    for line in lines:
        where.setdefault(plain(line.text), []).append(line.region)
    across, down = Counter[int](), Counter[int]()
    for node in tree.nodes:
        read = where.get(plain(node.name), []) if node.name and ROLES.get(node.role) not in {None, "textbox"} else []
        if node.region and len(read) == 1:
            across.update({read[0].center.x - node.region.center.x, read[0].x - node.region.x})
            down[read[0].center.y - node.region.center.y] += 1
    x, y = _agreed(across), _agreed(down)
    return (0, 0) if max(abs(x), abs(y)) <= NEAR_PX else (x, y)


def _agreed(votes: Counter[int]) -> int:
    """Return the number that most votes are near; 0 if too few agree."""
    counts = {one: sum(count for other, count in votes.items() if abs(other - one) <= NEAR_PX) for one in votes}
    best = max(counts, key=lambda one: (counts[one], votes[one], -abs(one)), default=0)
    return best if counts.get(best, 0) >= VOTES_MIN else 0


def _elements(tree: WindowTree, x: int, y: int) -> list[Element]:
    """Return the elements of a tree; the parts of a control are none."""
    roles = [_role(node) for node in tree.nodes]
    labels: dict[int, str] = {}
    found: list[tuple[int, Element]] = []
    for at, node in enumerate(tree.nodes):
        control = _control_around(at, tree.nodes, roles)
        role = roles[at]
        if control is not None and (role is None or role in CONTENT or roles[control] == "combobox"):
            labels.setdefault(control, node.name if role == "text" else "")
            continue
        if role and node.region and not (role == "text" and (not node.name or _is_inner_text(node, roles))):
            found.append((at, _element(node, role, node.region.shifted(x, y))))
    return [_named(element, labels.get(at, "")) for at, element in found]


def _role(node: Node) -> Role | None:
    return ROLES.get(node.role)


def _control_around(at: int, nodes: Sequence[Node], roles: Sequence[Role | None]) -> int | None:
    """Return the index of the nearest control that a node is a part of; None if there is none."""
    parent = nodes[at].parent
    while parent >= 0:
        if roles[parent] in SINGLE or (roles[parent] in {"menuitem", "tab", "option"} and roles[at] in CONTENT):
            return parent
        parent = nodes[parent].parent
    return None


def _is_inner_text(node: Node, roles: Sequence[Role | None]) -> bool:
    return node.parent >= 0 and roles[node.parent] == "text"


def _element(node: Node, role: Role, region: Region) -> Element:
    name = "" if TYPE_NAME.fullmatch(node.name) else node.name.replace(OBJECTS, "").strip()
    value = node.value.replace(OBJECTS, "").strip()
    holds = value if role in {"textbox", "combobox", "slider"} else ""
    states = node.states if role in CHECKABLE or role == "button" else node.states - {"unchecked"}
    return Element(role, region, name, holds, states, said=True)


def _named(element: Element, inner: str) -> Element:
    """Name a control that has no name of its own by the text in it."""
    if element.text or element.role in {"textbox", "combobox", "slider"} or not inner:
        return element
    return Element(element.role, element.region, inner, element.holds, element.states, said=True)


def _blank(tree: WindowTree, x: int, y: int) -> list[Region]:
    """Return the places of nodes with no part and no role: what is drawn there, nobody says."""
    parents = {node.parent for node in tree.nodes}
    return [
        node.region.shifted(x, y)
        for at, node in enumerate(tree.nodes)
        if node.region and at not in parents and node.role in {"unknown", "group", "image", "web_area"}
    ]
