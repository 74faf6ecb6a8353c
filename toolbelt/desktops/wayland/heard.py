"""What programs of a Wayland session say of their windows, with its places on the desktop.

A program knows where something is on its own surface, and the compositor knows where the content of a window is. The
surface may begin elsewhere: at the shadow around the content, or at the corner of the screen (X11). Where the content
begins on it, the compositor may know; or the program says it itself: it is what is as large as the compositor says.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final, NamedTuple

from toolbelt.desktops.accessibility.nodes import Node, WindowTree
from toolbelt.desktops.wayland.screen import Layout
from world_model import Point, Region

ROUNDED_PX: Final = 2.0  # what rounding may add up to in a place
SHADOW_PX: Final = 100  # around a window, at most
POPUP_SHARE: Final = 0.5  # of what is on a control lies within it, at least; else it opened from it
OPENING: Final = frozenset({"button", "combo_box", "menu_item", "switch"})  # controls from which something opens
PAGE: Final = "web_area"


class Content(NamedTuple):
    """The content of a window, without the frame that the compositor draws, in logical units.

    Attributes:
        surface: all that its program draws for it, with the shadow around the content; None where that is not known.
    """

    pid: int
    title: str
    region: Region
    is_shown: bool
    surface: Region | None = None


def searched(contents: Iterable[Content], layout: Layout) -> Region:
    """Return the part of any surface on which something may be that is on the desktop."""
    finest = math.ceil(layout.scale)  # some count in pixels
    right = [one.region.width * finest + SHADOW_PX for one in contents]
    bottom = [one.region.height * finest + SHADOW_PX for one in contents]
    left, top = min(0, *(one.x for one in layout.monitors)), min(0, *(one.y for one in layout.monitors))
    right += [one.x + one.width for one in layout.monitors]  # those of X11 count from the corner of the screen
    bottom += [one.y + one.height for one in layout.monitors]
    return Region(left, top, max(right) - left, max(bottom) - top)


def placed(trees: Iterable[WindowTree], contents: Sequence[Content], layout: Layout) -> tuple[WindowTree, ...]:
    """Return what programs say of the windows that are shown, with its places on the desktop.

    What opens from a control, such as a menu, is left out: the compositor may move it, and some programs do not know.
    """
    found, lost = list[tuple[WindowTree, Content, Point]](), set[int]()
    for tree in trees:
        if match := _matched(tree, contents):
            found += [(tree, *match)] if match[0].is_shown else []
        else:
            lost.add(tree.pid)
    factors = {factor for one in layout.monitors for factor in _factors(one.pixels[0] / one.width)}
    return tuple(_Placing(*one, layout, factors).placed(is_part=one[0].pid in lost) for one in found)


def _matched(tree: WindowTree, contents: Iterable[Content]) -> tuple[Content, Point] | None:
    """Return the window that a tree describes, and where its content begins in it; None if that is not sure."""
    corners = ((one, _corner(tree, one)) for one in contents if one.pid == tree.pid)
    fit = [(one, corner) for one, corner in corners if corner]
    named = [one for one in fit if one[0].title == tree.title]
    likely = named or fit
    return likely[0] if len(likely) == 1 else None


def _corner(tree: WindowTree, content: Content) -> Point | None:
    """Return where in a tree the content of a window begins; None if nothing in it is as large."""
    root, surface = tree.nodes[0].region if tree.nodes else None, content.surface
    if root and surface and root.size == surface.size:
        return Point(root.x + content.region.x - surface.x, root.y + content.region.y - surface.y)
    boxes = [node.region for node in tree.nodes if node.region]
    parts = [node.region for node in tree.nodes if node.region and node.parent == 0]
    boxes += (
        [reduce(Region.union, parts)] if parts else []
    )  # the title that a program draws itself stands beside the rest
    return next((Point(one.x, one.y) for one in boxes if one.size == content.region.size), None)


def _factors(scale: float) -> set[float]:
    """Return how many pixels a program may draw for a logical unit, on a monitor with a scale, where not one."""
    return {one for one in (round(scale, 2), float(math.ceil(scale - 0.01))) if one > 1}


class _Placing:
    """Puts one tree onto the desktop."""

    def __init__(
        self, tree: WindowTree, content: Content, corner: Point, layout: Layout, factors: Collection[float]
    ) -> None:
        self._tree, self._corner, self._layout, self._factors = tree, corner, layout, factors
        self._content = content.region
        self._whole = layout.region(*content.region.to_list())
        self._nodes = list[Node]()
        self._numbers: dict[int, int] = {-1: -1}  # of those that are kept, by those that they had
        self._scales: dict[int, float] = {-1: 1.0}  # in which a node gives its place

    def placed(self, *, is_part: bool) -> WindowTree:
        """Return the tree; `is_part` if the program shows something else, whose place is not known."""
        for at, node in enumerate(self._tree.nodes):
            if node.parent not in self._numbers:
                continue
            around = self._tree.nodes[node.parent] if node.parent >= 0 else None
            self._scales[at] = self._scale(node, around)
            one = replace(node, parent=self._numbers[node.parent], region=self._region(node, self._scales[at]))
            if self._is_elsewhere(one):
                is_part = True
            elif one.region is None or one.region.overlaps(self._whole):
                self._numbers[at] = len(self._nodes)
                self._nodes.append(one)
        if is_part:  # it may be anywhere: of no part of the window everything is said
            self._nodes.append(Node(0, "unknown", "", "", self._whole))
        return replace(self._tree, nodes=tuple(self._nodes))

    def _scale(self, node: Node, around: Node | None) -> float:
        """Return in which scale a node gives its place: the pages of some programs do so in pixels."""
        known = self._scales[node.parent]
        if known != 1 or not (around and around.region and node.region):
            return known
        inner, outer = node.region.to_list(), around.region.to_list()
        for one in self._factors:
            if all(abs(a - b * one) <= ROUNDED_PX for a, b in zip(inner, outer, strict=True)):
                return one
        return 1.0

    def _region(self, node: Node, scale: float) -> Region | None:
        if node.region is None:
            return None
        x, y, width, height = (number / scale for number in node.region.to_list())
        left, top = self._content.x - self._corner.x, self._content.y - self._corner.y
        return self._layout.region(left + x, top + y, width, height)

    def _is_elsewhere(self, node: Node) -> bool:
        """Whether a node opened from a control, or is a page that is not where it should be."""
        if node.role == "menu":
            return not self._is_in_page(node.parent)
        around = self._nodes[node.parent] if node.parent >= 0 else None
        if not (around and around.region and node.region) or (node.role != PAGE and around.role not in OPENING):
            return False
        return node.region.intersection(around.region).area < POPUP_SHARE * node.region.area

    def _is_in_page(self, at: int) -> bool:
        """Whether a node is a page, or in one."""
        while at >= 0 and self._nodes[at].role != PAGE:
            at = self._nodes[at].parent
        return at >= 0
