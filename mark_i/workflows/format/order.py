"""The order in which nodes run.

A loop is one unit: everything it depends on runs before it, and everything that depends on it runs after it.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mark_i.workflows.format.graph import Graph, Link
from mark_i.workflows.format.node_type import Registry
from world_model import UsageError

BACK_SLOT: Final = 1  # the output of a router whose condition is not met
MAX_LOOPS: Final = 100  # finding a loop reads the whole graph, and nobody draws a graph with more loops
# Whole words only: "fallback" and "loophole" mean neither.
BACK: Final = re.compile(r"(?<![a-z])(loop|back)(?![a-z])", re.IGNORECASE)

Pairs = Iterable[tuple[int, int]]
Neighbours = Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Loop:
    """A router and the nodes that it runs again.

    Attributes:
        router: the id of its node.
        body: the ids of the nodes that run again, including the router.
        links: the links from the router back into the body.
    """

    router: int
    body: frozenset[int]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The ids of a graph's nodes in the order in which they run; a loop's body is contiguous, with its router last.

    Attributes:
        loops: the loops, by the id of the router.
        back: the links that lead back.
    """

    nodes: tuple[int, ...]
    loops: Mapping[int, Loop]
    back: frozenset[Link]


def order_of(graph: Graph, registry: Registry) -> Order:
    """Return the order in which a graph runs. Nodes that could run at the same time keep the order of the file.

    Raises:
        UsageError: there is a cycle without a router, or loops cross.
    """
    routers = {one.id for one in graph.nodes if registry[one.kind].router}
    ids = [one.id for one in graph.nodes]
    back = _back_links(ids, graph.links, routers)
    forward = [link for link in graph.links if link not in back]
    _refuse_cycle(ids, forward)
    pairs = [(link.origin_id, link.target_id) for link in forward]
    targets, origins = _neighbours(pairs), _neighbours((target, origin) for origin, target in pairs)
    loops = [_loop(router, back, targets, origins) for router in dict.fromkeys(link.origin_id for link in back)]
    _refuse_crossing(loops)
    return Order(tuple(_arranged(ids, pairs, loops)), {loop.router: loop for loop in loops}, frozenset(back))


def _back_links(ids: Sequence[int], links: Sequence[Link], routers: AbstractSet[int]) -> dict[Link, None]:
    """Return the links from routers back to nodes that the router depends on, in their order."""
    ordered = set(_kahn(ids, ((link.origin_id, link.target_id) for link in links)))
    found: dict[int, list[Link]] = {}
    for link in links:
        says_so = link.origin_slot == BACK_SLOT or BACK.search(link.comment)
        if link.origin_id in routers and link.origin_id not in ordered and says_so:
            found.setdefault(link.origin_id, []).append(link)
    if len(found) > MAX_LOOPS:
        raise UsageError(f"there are {len(found)} routers that may loop, and at most {MAX_LOOPS} can be.")
    origins = _neighbours((link.target_id, link.origin_id) for link in links)
    back: dict[Link, None] = {}
    for router, candidates in found.items():
        before = _reached([router], origins)
        back |= dict.fromkeys(link for link in candidates if link.target_id in before)
    return back


def _loop(router: int, back: Iterable[Link], targets: Neighbours, origins: Neighbours) -> Loop:
    links = tuple(link for link in back if link.origin_id == router)
    after, before = _reached([link.target_id for link in links], targets), _reached([router], origins)
    for link in links:
        if link.target_id not in before:
            raise UsageError(f"{link} leads back to its router only through another loop. Loops may only be nested.")
    return Loop(router, frozenset(after & before), links)


def _refuse_cycle(ids: Sequence[int], forward: Sequence[Link]) -> None:
    stuck = set(ids).difference(_kahn(ids, ((link.origin_id, link.target_id) for link in forward)))
    if not stuck:
        return
    # Each of these nodes waits for another of them, so following the links backwards must reach one twice.
    waits = {link.target_id: link for link in forward if link.origin_id in stuck}
    seen: dict[int, None] = {}
    at = min(stuck)
    while at not in seen:
        seen[at] = None
        at = waits[at].origin_id
    way = [*list(seen)[list(seen).index(at) :], at][::-1]
    cycle = " -> ".join(map(str, way if len(way) <= 12 else [*way[:6], "...", *way[-5:]]))  # noqa: PLR2004 - a line
    raise UsageError(
        f"{waits[at]} closes a cycle that no router makes: {cycle}. A loop leaves a conditional_router from slot 1."
    )


def _refuse_crossing(loops: Sequence[Loop]) -> None:
    for one, other in combinations(loops, 2):
        if one.router in other.body:
            fine = one.body <= other.body
        elif other.router in one.body:
            fine = other.body <= one.body
        else:
            fine = one.body.isdisjoint(other.body)
        if not fine:
            raise UsageError(
                f"the loops of the routers {one.router} and {other.router} cross. One must lie inside the other, or "
                "they must share no node."
            )


def _arranged(ids: Sequence[int], pairs: Pairs, loops: Sequence[Loop]) -> list[int]:
    """Return the nodes in order, with each loop contiguous. It recurses once for each level of nested loops."""
    outer = [one for one in loops if not any(one.router in other.body for other in loops if other is not one)]
    unit = {inside: loop.router for loop in outer for inside in loop.body}
    between = [(unit.get(origin, origin), unit.get(target, target)) for origin, target in pairs]
    units = list(dict.fromkeys(unit.get(one, one) for one in ids))
    ordered = _kahn(units, [pair for pair in between if pair[0] != pair[1]])
    if len(ordered) < len(units):
        waiting = [str(loop.router) for loop in outer if loop.router not in ordered]
        raise UsageError(f"the loops of the routers {' and '.join(waiting)} wait for each other.")
    bodies = {loop.router: loop.body for loop in outer}
    found: list[int] = []
    for one in ordered:
        found += _inside(bodies[one], one, ids, pairs, loops) if one in bodies else [one]
    return found


def _inside(body: frozenset[int], router: int, ids: Sequence[int], pairs: Pairs, loops: Sequence[Loop]) -> list[int]:
    """Return the body of one loop in order."""
    mine = [one for one in ids if one in body]
    within = [pair for pair in pairs if pair[0] in body and pair[1] in body]
    return _arranged(mine, within, [loop for loop in loops if loop.router in body and loop.router != router])


def _kahn(ids: Sequence[int], pairs: Pairs) -> list[int]:
    """Return the topological order by Kahn's algorithm, first come first served, without nodes in or after a cycle."""
    waiting = dict.fromkeys(ids, 0)
    targets: dict[int, list[int]] = {}
    for origin, target in pairs:
        waiting[target] += 1
        targets.setdefault(origin, []).append(target)
    ready = deque(one for one, count in waiting.items() if not count)
    found = []
    while ready:
        one = ready.popleft()
        found.append(one)
        for target in targets.get(one, ()):
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return found


def _neighbours(pairs: Pairs) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


def _reached(starts: Iterable[int], neighbours: Neighbours) -> set[int]:
    """Return everything that can be reached, including the starts."""
    found = set(starts)
    ahead = list(found)
    while ahead:
        for one in neighbours.get(ahead.pop(), ()):
            if one not in found:
                found.add(one)
                ahead.append(one)
    return found
