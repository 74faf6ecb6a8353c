"""What programs say is in their windows, as elements at places of the screen."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from toolbelt.desktops.accessibility.nodes import Node, WindowTree
from toolbelt.desktops.base import Window
from toolbelt.elements.element import Element
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import plain
from world_model import CHECKABLE, Point, Region, Role

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
VALUE_MAX_CHARS: Final = 2000  # of a text that is told whole
OBJECTS: Final = "\ufffc"  # stands for a part that is no text
SIDE_MIN_PX: Final = 4  # of what can be seen and used
BAR_RATIO: Final = 4  # of the length of a slider to its thickness, at least
KNOB_RATIO: Final = 2  # of the sides of its knob, and of the knob to the bar, at most
NEAR_PX: Final = 4  # between two measured offsets that are the same
VOTES_MIN: Final = 2  # of texts, for an offset to count where the places may be right


@dataclass(frozen=True, slots=True)
class Said:
    """What programs say is on the screen.

    Attributes:
        elements: in the order of the trees.
        windows: the windows that are described as a whole, each with those above it: what else looks like a control in
            them is none.
        blank: the parts of them of which nothing is said, such as a canvas.
    """

    elements: tuple[Element, ...] = ()
    windows: tuple[tuple[Region, tuple[Region, ...]], ...] = ()
    blank: tuple[Region, ...] = ()

    def describes(self, place: Point) -> bool:
        """Whether a program says all that is at a place."""
        seen = (region for region, above in self.windows if place in region and not any(place in one for one in above))
        return any(seen) and not any(place in one for one in self.blank)


def said_of(trees: Iterable[WindowTree], windows: Sequence[Window], lines: tuple[Line, ...]) -> Said:
    """Return what programs say is there and no other window covers.

    Args:
        trees: as they were read.
        windows: those on the screen, the topmost last.
        lines: the texts on the screen, by which the place of a window is checked; without them, a program that does not
            count from the corner of the screen is left out.
    """
    elements, blank = list[Element](), list[Region]()
    whole = list[tuple[Region, tuple[Region, ...]]]()
    for tree in trees:
        window = _window_of(tree, windows)
        if window is None:
            continue
        placed = _placed(tree, lines)
        if not lines and not _is_within(tree, window.region):
            continue
        above = [one.region for one in windows[windows.index(window) + 1 :]]
        found = [one for one in _elements(placed) if not any(one.region.center in region for region in above)]
        elements += found
        if tree.complete and any(one.role in SINGLE for one in found):
            whole.append((window.region, tuple(above)))
            blank += _blank(placed)
    return Said(tuple(elements), tuple(whole), tuple(blank))


def _window_of(tree: WindowTree, windows: Sequence[Window]) -> Window | None:
    """Return the window that a tree describes: of its program, with its title, else around it."""
    own = [one for one in windows if one.pid == tree.pid]
    named = [one for one in own if one.title == tree.title]
    box = tree.nodes[0].region if tree.nodes else None
    around = [one for one in (named or own) if box and box.center in one.region]
    likely = named if len(named) == 1 else [*around[::-1], *named, *own[::-1]]
    return next(iter(likely), None)


def _is_within(tree: WindowTree, window: Region) -> bool:
    """Whether a program counts from the corner of the screen: most of what it says is there lies in its window."""
    middles = [node.region.center for node in tree.nodes if node.region]
    return 2 * sum(middle in window for middle in middles) > len(middles)


def _placed(tree: WindowTree, lines: tuple[Line, ...]) -> WindowTree:
    """Return a tree with places on the screen: some programs count from the corner of the window, or of a menu."""
    nodes = list(tree.nodes)
    menus = [at for at, node in enumerate(nodes) if node.role == "menu"]
    insides = [[at for at in range(len(nodes)) if _is_in(at, menu, nodes)] for menu in menus]
    whole = _offset(nodes, lines, 1 if _is_elsewhere(nodes) else VOTES_MIN)
    moves = [whole] * len(nodes)
    for inside in insides:
        own = _offset([nodes[at] for at in inside], lines)
        for at in inside:
            moves[at] = own if any(own) else whole
    placed = [
        replace(node, region=node.region.shifted(*move)) if node.region else node
        for node, move in zip(nodes, moves, strict=True)
    ]
    return replace(tree, nodes=tuple(placed))


def _is_in(at: int, around: int, nodes: Sequence[Node]) -> bool:
    """Whether a node is another one, or in it."""
    while at > around:
        at = nodes[at].parent
    return at == around


def _is_elsewhere(nodes: Sequence[Node]) -> bool:
    """Whether what is in a window is said to be outside it."""
    inner = [node.region for node in nodes if node.parent == 0 and node.region]
    window = nodes[0].region if nodes else None
    return bool(inner) and window is not None and not any(one.center in window for one in inner)


def _offset(nodes: Sequence[Node], lines: tuple[Line, ...], needed: int = VOTES_MIN) -> tuple[int, int]:
    """Return how far the places that a program says are off; where its texts are read decides."""
    where: dict[str, list[Region]] = {}
    for line in lines:
        where.setdefault(plain(line.text), []).append(line.region)
    across, down = Counter[int](), Counter[int]()
    for node in nodes:
        read = where.get(plain(node.name), []) if node.name and ROLES.get(node.role) not in {None, "textbox"} else []
        if node.region and len(read) == 1:
            across.update({read[0].center.x - node.region.center.x, read[0].x - node.region.x})
            down[read[0].center.y - node.region.center.y] += 1
    x, y = _agreed(across, needed), _agreed(down, needed)
    return (0, 0) if max(abs(x), abs(y)) <= NEAR_PX else (x, y)


def _agreed(votes: Counter[int], needed: int) -> int:
    """Return the number that most votes are near; 0 if too few agree."""
    counts = {one: sum(count for other, count in votes.items() if abs(other - one) <= NEAR_PX) for one in votes}
    best = max(counts, key=lambda one: (counts[one], votes[one], -abs(one)), default=0)
    return best if counts.get(best, 0) >= needed else 0


def _elements(tree: WindowTree) -> list[Element]:
    """Return the elements of a tree; the parts of a control are none."""
    menus = {node.parent for node in tree.nodes if node.role == "menu_item"}
    roles = [None if at in menus and not node.name else _role(node) for at, node in enumerate(tree.nodes)]
    labels: dict[int, str] = {}
    found: list[tuple[int, Element]] = []
    for at, node in enumerate(tree.nodes):
        control = _control_around(at, tree.nodes, roles)
        role = roles[at]
        if control is not None and (role is None or role in CONTENT or roles[control] == "combobox"):
            labels.setdefault(control, node.name if role == "text" else "")
            continue
        if (
            role
            and node.region
            and min(node.region.width, node.region.height) >= SIDE_MIN_PX
            and not (role == "text" and (not node.name or _is_inner_text(node, roles)))
        ):
            found.append((at, _element(node, role, node.region)))
    named = [_named(element, labels.get(at, ""), tree.nodes[at].role) for at, element in found]
    boxed = [replace(one, around=_boxes_around(at, tree.nodes)) for one, (at, _) in zip(named, found, strict=True)]
    return [*boxed, *_sliders(tree)]


def _boxes_around(at: int, nodes: Sequence[Node]) -> tuple[Region, ...]:
    """Return the boxes of the nodes around one, the innermost first."""
    found = list[Region]()
    while (at := nodes[at].parent) >= 0:
        region = nodes[at].region
        found += [region] if region else []
    return tuple(found)


def _sliders(tree: WindowTree) -> list[Element]:
    """Return the sliders that only look so: a long bar without a name, on which lies a knob as thick as it."""
    parents = {node.parent for node in tree.nodes}
    found = {}
    for at, node in enumerate(tree.nodes):
        bar, knob = tree.nodes[node.parent].region if node.parent >= 0 else None, node.region
        plain_knob = node.role == "group" and not node.name and at not in parents
        if not (plain_knob and bar and knob and tree.nodes[node.parent].role == "group"):
            continue
        long, thick = max(bar.width, bar.height), min(bar.width, bar.height)
        square = max(knob.width, knob.height) <= KNOB_RATIO * min(knob.width, knob.height)
        if square and long >= BAR_RATIO * thick and thick <= min(knob.width, knob.height) <= KNOB_RATIO * thick:
            found[node.parent] = Element("slider", bar, said=True)
    return [*found.values()]


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
    name = node.name.replace(OBJECTS, "").strip()
    holds = node.value.replace(OBJECTS, "").strip() if role in {"textbox", "combobox", "slider"} else ""
    states = node.states if role in CHECKABLE or role == "button" else node.states - {"unchecked"}
    is_whole = OBJECTS not in node.value and len(node.value) < VALUE_MAX_CHARS
    value = node.value if role == "textbox" and "secret" not in states and is_whole else None
    return Element(role, region, name, holds, states, said=True, value=value)


def _named(element: Element, inner: str, kind: str) -> Element:
    """Name a control that has no name of its own, or only that of its kind, by the text in it."""
    is_named = element.text and plain(element.text) != plain(kind.replace("_", " "))
    if is_named or element.role in {"textbox", "combobox", "slider"} or not inner:
        return element
    return replace(element, text=inner)


def _blank(tree: WindowTree) -> list[Region]:
    """Return the places of nodes with no part and no role: what is drawn there, nobody says."""
    parents = {node.parent for node in tree.nodes}
    return [
        node.region
        for at, node in enumerate(tree.nodes)
        if node.region and at not in parents and node.role in {"unknown", "group", "image", "web_area"}
    ]
