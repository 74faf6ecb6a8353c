"""Workflow files: lenient on what can be defaulted, and one clear error for each other fault; and the node door."""

import copy
import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.drawing.svg import svg
from mark_i.workflows.drawing.text import drawn
from mark_i.workflows.executor import GraphFinished, execute
from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.loading import load_graph, parse_graph
from mark_i.workflows.format.node_type import Context, Inputs, NodeType, Properties, named, node, registry_of
from mark_i.workflows.format.order import order_of
from mark_i.workflows.library import found, shipped
from tests.support import scripted_nodes
from world_model import MarkIError, UsageError

SHARED = Path(__file__).resolve().parents[4] / "shared"
GRAPHS = SHARED / "graphs"
facts = pytest.mark.skipif(not GRAPHS.exists(), reason="the graphs of metahuman-os are not beside this checkout")
GOOD: Final = json.loads(shipped()["react"].read_text(encoding="utf-8"))


def read(data: object, name: str = "") -> Graph:
    return parse_graph(data if isinstance(data, str) else json.dumps(data), "FILE", CATALOG, name)


def loops(graph: Graph) -> dict[int, list[int]]:
    """The bodies of its loops, by router."""
    return {router: sorted(loop.body) for router, loop in order_of(graph, CATALOG).loops.items()}


def joined(*links: tuple[Any, ...], **kinds: str) -> dict[str, Any]:
    """A graph of nodes `n1`, `n2` ..., `observe` if nothing else is said; links `(origin, target, slot, comment)`."""
    ids = sorted({end for link in links for end in link[:2]})
    return {
        "nodes": [{"id": one, "type": kinds.get(f"n{one}", "observe")} for one in ids],
        "links": [
            dict(zip(("origin_id", "target_id", "origin_slot", "comment"), link, strict=False)) for link in links
        ],
    }


# What is read ------------------------------------------------------------------------------------------------------


@facts
def test_the_modular_graph_is_read() -> None:
    graph = load_graph(GRAPHS / "dual-mode-v2.json", CATALOG)

    assert (len(graph.nodes), len(graph.links)) == (23, 38)
    assert loops(graph) == {15: [10, 11, 12, 13, 14, 15]}
    assert [link.id for link in order_of(graph, CATALOG).back] == [27]


@facts
def test_the_graph_with_the_agent_as_one_node_is_read() -> None:
    graph = load_graph(GRAPHS / "dual-mode-v1.1.json", CATALOG)

    assert (graph.name, len(graph.nodes), len(graph.links)) == ("Dual Consciousness Mode (Loop-based)", 16, 25)
    assert loops(graph) == {}


@facts
def test_every_type_of_the_originals_graphs_has_a_meaning_here() -> None:
    kinds = {
        one["type"].removeprefix("cognitive/")
        for file in GRAPHS.glob("*.json")
        for one in json.loads(file.read_text())["nodes"]
    }

    assert kinds | {"observe", "approve", "reflect", "run_skill"} == set(CATALOG)
    assert all(re.fullmatch(r"[A-Z][^\n]+\.", one.about) for one in CATALOG.values())


@facts
def test_the_documents_example_is_read() -> None:
    text = (SHARED / "seeds" / "000-modular-react-scratchpad-nodes.md").read_text(encoding="utf-8")

    graph = read(text.split("```json\n")[1].split("```")[0], name="example")

    assert (graph.name, graph.version, graph.description) == ("example", "", "")
    assert [link.id for link in graph.links] == [1, 2, 3, 4, 5, 6]
    assert (graph.links[1].origin_slot, graph.links[1].target_slot) == (0, 1)


def test_every_shipped_workflow_is_read() -> None:
    assert "react" in shipped()
    for name in shipped():
        graph = found(name, CATALOG)
        assert graph.description
        assert drawn(graph, order_of(graph, CATALOG)).startswith(graph.name)


def test_what_is_left_out_is_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    told = {"version": 2.0, "nodes": [{"id": 7, "type": "observe", "title": None}, {"id": 8, "type": "reflect"}]}
    links = [{"id": 1, "origin_id": 7, "target_id": 8}, {"origin_id": 7, "target_id": 8, "id": None}]
    file.write_text("\ufeff" + json.dumps({**told, "links": links, "name": None}), encoding="utf-8")

    graph = load_graph(file, CATALOG)

    assert (graph.name, graph.version, graph.nodes[0].title, graph.nodes[0].muted) == ("mine", "2.0", "", False)
    assert [link.id for link in graph.links] == [1, 2]


def test_a_type_may_have_the_originals_prefix() -> None:
    assert [one.kind for one in read({"nodes": [{"id": 1, "type": "cognitive/observe"}]}).nodes] == ["observe"]


def test_a_graph_does_not_change() -> None:
    graph = read(GOOD)

    with pytest.raises(ValueError, match="frozen"):
        graph.nodes[0].id = 5


# What is a loop ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slot", "comment"),
    [
        (1, ""),
        (1, "exit"),
        (0, "Loop"),
        (0, "loop-back"),
        (0, "Iteration [BACK-EDGE]"),
        (0, "go BACK"),
        (0, "back_edge"),
    ],
)
def test_what_leads_back_from_a_router_makes_a_loop(slot: int, comment: str) -> None:
    assert loops(read(joined((1, 2), (2, 3), (3, 2, slot, comment), (3, 4), n3="conditional_router"))) == {3: [2, 3]}


@pytest.mark.parametrize("comment", ["fallback", "use the loophole", "backup", "", "on failure"])
def test_other_words_make_none(comment: str) -> None:
    with pytest.raises(UsageError, match=r"link 3 \(3 -> 2\) closes a cycle that no router makes"):
        read(joined((1, 2), (2, 3), (3, 2, 0, comment), n3="conditional_router"))


@pytest.mark.parametrize(("slot", "comment"), [(0, "fallback"), (0, "loop back"), (1, ""), (1, "loop")])
def test_what_closes_no_cycle_leads_on(slot: int, comment: str) -> None:
    # the originals took an exit with such a comment for a way back
    graph = read(joined((1, 2), (2, 3, slot, comment), (3, 4), n2="conditional_router"))

    assert loops(graph) == {}
    assert order_of(graph, CATALOG).nodes == (1, 2, 3, 4)


def test_only_routers_make_loops() -> None:
    with pytest.raises(UsageError, match=r"FILE: link 2 \(2 -> 1\) closes a cycle that no router makes: 1 -> 2 -> 1\."):
        read(joined((1, 2), (2, 1, 1, "loop back")))


def test_a_node_that_waits_for_itself_is_a_cycle() -> None:
    with pytest.raises(UsageError, match=r"link 2 \(2 -> 2\) closes a cycle that no router makes: 2 -> 2\."):
        read(joined((1, 2), (2, 2)))


def test_a_router_may_lead_back_to_itself() -> None:
    assert loops(read(joined((1, 2), (2, 2, 1), n2="conditional_router"))) == {2: [2]}


def test_a_long_cycle_is_told_in_short() -> None:
    ring = [(one, (one + 1) % 500) for one in range(500)]

    with pytest.raises(UsageError, match=r"closes a cycle that no router makes: \d+ -> .* -> \.\.\. -> .*") as raised:
        read(joined(*ring))

    assert len(str(raised.value)) < 250


def test_loops_may_be_nested_and_may_share_their_beginning() -> None:
    routers = {"n3": "conditional_router", "n5": "conditional_router"}

    assert loops(read(joined((1, 2), (2, 3), (3, 2, 1), (3, 4), (4, 5), (5, 1, 1), **routers))) == {
        3: [2, 3],
        5: [1, 2, 3, 4, 5],
    }
    assert loops(read(joined((1, 2), (2, 3), (3, 2, 1), (3, 4), (4, 5), (5, 2, 1), **routers))) == {
        3: [2, 3],
        5: [2, 3, 4, 5],
    }


@pytest.mark.parametrize(
    ("links", "words"),
    [
        # 1 -> 2 -> 3 -> 4, and 3 leads back to 1, 4 to 2
        ([(1, 2), (2, 3), (3, 4), (3, 1, 1), (4, 2, 1)], "loops of the routers 3 and 4 cross"),
        ([(4, 2, 1), (1, 2), (2, 3), (3, 4), (3, 1, 1)], "loops of the routers 4 and 3 cross"),
        # 2 is in both, and neither is inside the other
        ([(1, 2), (2, 3), (2, 4), (3, 2, 1), (4, 2, 1)], "loops of the routers 3 and 4 cross"),
        # each way back needs the other one
        ([(1, 4), (4, 2, 1), (2, 3), (3, 1, 1)], "leads back to its router only through another loop"),
        # two loops, and something of each needs something of the other
        ([(1, 3), (3, 1, 1), (2, 4), (4, 2, 1), (1, 4), (2, 3)], "loops of the routers 3 and 4 wait for each other"),
    ],
)
def test_loops_that_cross_are_refused(links: list[tuple[int, ...]], words: str) -> None:
    with pytest.raises(UsageError, match=f"FILE: .*{words}"):
        read(joined(*links, n3="conditional_router", n4="conditional_router"))


# What is refused ---------------------------------------------------------------------------------------------------

ONE: Final = {"id": 1, "type": "observe"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "it is not JSON: "),
        ("", "it is not JSON: "),
        ("[" * 100_000, "it is nested too deeply"),
        ('{"nodes": ' + "[" * 150 + "]" * 150 + "}", "it is nested too deeply (more than 100 levels)"),
        ('{"nodes": ' + "9" * 5000 + "}", "it is not JSON: "),
        ('{"nodes": [NaN]}', "it is not JSON: NaN is no number there."),
        ([], 'it must be an object with "nodes" and "links"'),
        ("null", 'it must be an object with "nodes" and "links"'),
        ({}, "it has no nodes."),
        ({"nodes": [], "links": []}, "it has no nodes."),
        ({"nodes": {"id": 1}}, "the workflow: nodes: input should be a valid list."),
        ({"nodes": [ONE], "links": 5}, "the workflow: links: input should be a valid list."),
        ({"nodes": [ONE], "name": 5}, "the workflow: name: input should be a valid string."),
        ({"nodes": [ONE, 5]}, "node number 2 of the list: it: input should be a valid object"),
        ({"nodes": [{"id": 3}]}, "node 3: type: field required."),
        ({"nodes": [{"type": "observe"}]}, "node number 1 of the list: id: field required."),
        (
            {"nodes": [{"id": "1", "type": "observe"}]},
            "node number 1 of the list: id: input should be a valid integer.",
        ),
        ({"nodes": [{**ONE, "properties": []}]}, "node 1: properties: input should be a valid object."),
        ({"nodes": [{**ONE, "muted": "yes"}]}, "node 1: muted: input should be a valid boolean."),
        ({"nodes": [{**ONE, "mode": 3}]}, "node 1: mode: input should be 0, 2 or 4."),
        ({"nodes": [ONE], "links": [[7, 1, 0]]}, "link 7: it: a link as a list is [id, origin_id, "),
        ({"nodes": [ONE], "links": [[]]}, "link number 1 of the list: it: a link as a list is [id, "),
        ({"nodes": [ONE], "links": [[7, 1, 0, "2", 0, "*"]]}, "link 7: target_id: input should be a valid integer."),
        ({"nodes": [ONE], "links": [[7, 1, 0, 2, 0, "*"]]}, "link 7 (1 -> 2) leads to node 2, and there is no such"),
        ({"nodes": [ONE], "links": [{"id": 4, "origin_id": 1}]}, "link 4: target_id: field required."),
        (
            {"nodes": [ONE], "links": [{"id": 4, "origin_id": 1, "target_id": 1, "target_slot": -1}]},
            "link 4: target_slot: ",
        ),
        (
            {"nodes": [ONE], "links": [{"id": 4, "origin_id": 1, "target_id": 1, "origin_slot": 10**9}]},
            "link 4: origin_slot: ",
        ),
        ({"nodes": [ONE, ONE]}, "two nodes have the id 1."),
        (
            {"nodes": [ONE, {**ONE, "id": 2}], "links": [{"id": 4, "origin_id": 1, "target_id": 2}] * 2},
            "two links have the id 4.",
        ),
        (
            {"nodes": [{"id": 1, "type": "cognitive/react_planer"}]},
            "node 1: there is no node type 'react_planer'. Did you mean react_planner",
        ),
        (
            {"nodes": [{"id": 1, "type": "\x1b[31m\n"}]},
            r"node 1: there is no node type '\x1b[31m\n'. There are approve, ",
        ),
        (
            {"nodes": [ONE], "links": [{"id": 9, "origin_id": 1, "target_id": 5}]},
            "link 9 (1 -> 5) leads to node 5, and there is no such node.",
        ),
        (
            {"nodes": [ONE], "links": [{"origin_id": 6, "target_id": 1}]},
            "link 1 (6 -> 1) comes from node 6, and there is no such node.",
        ),
    ],
)
def test_each_fault_is_one_clear_error(data: object, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(data)

    said = str(raised.value)
    assert said.startswith("FILE: ")
    assert words in said
    assert "\n" not in said
    assert len(said) < 1000


def test_a_long_name_does_not_make_a_long_error() -> None:
    with pytest.raises(UsageError) as raised:
        read({"nodes": [{"id": 1, "type": "x" * 1_000_000}]})

    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("missing", "cannot be read: No such file"),
        ("folder", "is a folder"),
        ("image", "not text in UTF-8"),
        ("huge", "is larger than"),
    ],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, what: str, words: str) -> None:
    file = tmp_path / "mine.json"
    if what == "folder":
        file.mkdir()
    elif what == "image":
        file.write_bytes(b"\x89PNG\r\n\x1a\n")
    elif what == "huge":
        file.touch()
        with file.open("wb") as opened:
            opened.truncate(20 * 1024 * 1024)

    with pytest.raises(UsageError, match=words) as raised:
        load_graph(file, CATALOG)

    assert str(raised.value).startswith(str(file))


def test_ten_thousand_nodes_are_read_and_ordered() -> None:
    graph = read(joined(*((one, one + 1) for one in range(10_000)), *((0, one) for one in range(2, 10_000))))

    assert order_of(graph, CATALOG).nodes == tuple(range(10_001))


def test_more_loops_than_anyone_needs_are_one_error() -> None:
    links = [link for one in range(0, 600, 2) for link in ((one, one + 1), (one + 1, one, 1), (one + 1, one + 2))]

    with pytest.raises(UsageError, match="there are 300 routers that may loop, and at most 100 can be"):
        read(joined(*links, **{f"n{one}": "conditional_router" for one in range(1, 600, 2)}))


def test_as_many_loops_inside_each_other_as_there_may_be() -> None:
    chain = [(one, one + 1) for one in range(200)]
    back = [(200 - one, one, 1) for one in range(100)]

    order = order_of(
        read(joined(*chain, *back, **{f"n{one}": "conditional_router" for one in range(101, 201)})), CATALOG
    )

    assert order.nodes == tuple(range(201))
    assert len(order.loops) == 100


# Any JSON ----------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([*CATALOG, "loop"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Generator[tuple[Any, ...], None, None]:
    """The way to each value inside another one."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


PLACES: Final = [path for path in places(GOOD) if path]


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """The shipped workflow with a few values replaced, left out or doubled."""
    data = copy.deepcopy(GOOD)
    for path in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=6)):
        holder = data
        try:
            for key in path[:-1]:
                holder = holder[key]
            match draw(st.sampled_from(["replace", "remove", "double", "retype"])):
                case "replace":
                    holder[path[-1]] = draw(VALUES)
                case "remove":
                    del holder[path[-1]]
                case "double" if isinstance(holder, list):
                    holder.append(copy.deepcopy(holder[path[-1]]))
                case _:
                    holder[path[-1]] = draw(st.integers(0, 11) | st.sampled_from([*CATALOG]))
        except (KeyError, IndexError, TypeError):  # an earlier one took that place away
            continue
    return data


def echo(inputs: Inputs, _properties: Properties, _context: Context) -> object:
    return {"got": len(inputs)}


RUNNABLE = scripted_nodes(echo)


def read_or_told(data: Any) -> Graph | str:
    try:
        return read(data)
    except UsageError as error:
        return str(error)


def ran_or_told(graph: Graph) -> GraphFinished | str:
    try:
        *_, last = execute(graph, RUNNABLE)
    except MarkIError as error:
        return str(error)
    assert isinstance(last, GraphFinished)
    return last


@given(data=mutated())
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_file_says_it_is_a_graph_or_one_clear_error(data: Any) -> None:
    graph = read_or_told(data)

    if isinstance(graph, str):
        assert re.fullmatch(r"FILE: .+\.", graph)
        return
    order = order_of(graph, CATALOG)
    assert sorted(order.nodes) == sorted(one.id for one in graph.nodes)
    assert drawn(graph, order).count("\n") >= len(graph.nodes)
    assert ET.fromstring(svg(graph, order, CATALOG)).tag.endswith("svg")
    ended = ran_or_told(graph)
    if isinstance(ended, str):
        assert re.match(r"[Nn]ode -?\d+ \(\w+\)", ended)


ENDS: Final = st.integers(1, 8)


@given(
    links=st.lists(st.tuples(ENDS, ENDS, st.integers(0, 1)), min_size=1, max_size=14),
    routers=st.sets(ENDS, max_size=4),
)
@settings(max_examples=400)
def test_loops_stay_together_and_nothing_runs_before_its_inputs(
    links: list[tuple[int, int, int]], routers: set[int]
) -> None:
    graph = read_or_told(joined(*links, **{f"n{one}": "conditional_router" for one in routers}))
    if isinstance(graph, str):
        assert re.search("cycle|cross|wait|only through", graph)
        return

    order = order_of(graph, CATALOG)

    place = {one: number for number, one in enumerate(order.nodes)}
    for link in graph.links:
        assert (place[link.origin_id] < place[link.target_id]) != (link in order.back)
        assert link not in order.back or link.origin_id in routers
    for loop in order.loops.values():
        rows = sorted(place[one] for one in loop.body)
        assert rows == list(range(place[loop.router] + 1 - len(rows), place[loop.router] + 1))


@given(data=VALUES)
@settings(max_examples=100)
def test_any_other_json_is_one_clear_error(data: Any) -> None:
    with pytest.raises(UsageError, match=r"^FILE: "):
        read(data)


# The door for node types -------------------------------------------------------------------------------------------


@node(inputs=("a", "b"), outputs=("sum",))
def add(inputs: Inputs, _properties: Properties, _context: Context) -> int:
    """Adds two numbers.

    More of it.
    """
    return sum(inputs)


class Counter:
    """Nodes that share something."""

    def __init__(self) -> None:
        self.times = 0

    @node()
    def count(self, inputs: Inputs, properties: Properties, context: Context) -> int:
        """Counts its runs."""
        del inputs, properties, context
        self.times += 1
        return self.times


def test_a_function_becomes_a_node_type_and_stays_as_it_is() -> None:
    assert add((1, 2), {}, {}) == 3
    assert registry_of(add) == {"add": NodeType("add", "Adds two numbers.", ("a", "b"), ("sum",), add)}


def test_methods_become_node_types_of_their_object() -> None:
    mine = Counter()
    graph = parse_graph(
        '{"nodes": [{"id": 1, "type": "count"}, {"id": 2, "type": "count"}]}', "FILE", registry_of(mine)
    )

    *_, last = execute(graph, registry_of(mine))

    assert isinstance(last, GraphFinished)
    assert (last.outputs, mine.times) == ({1: 1, 2: 2}, 2)


def test_what_brings_no_node_type_is_refused() -> None:
    with pytest.raises(TypeError, match="brings no node type: write @node"):
        registry_of(echo)


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="There are two node types add"):
        registry_of(add, add)


def test_a_node_needs_a_docstring() -> None:
    def silent(inputs: Inputs, properties: Properties, context: Context) -> None: ...

    with pytest.raises(TypeError, match="The node silent needs a docstring"):
        node()(silent)


def test_a_node_takes_what_the_executor_gives() -> None:
    def odd(text: str) -> str:
        """Not a node."""
        return text

    with pytest.raises(TypeError, match="The node odd must take inputs, properties and context"):
        node()(odd)


def test_a_type_that_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match=r"There is no node type 'react_planer'\. Did you mean react_planner"):
        named("react_planer", CATALOG)


LITEGRAPH = {
    "last_node_id": 3,
    "last_link_id": 2,
    "version": 0.4,
    "config": {},
    "extra": {},
    "groups": [],
    "nodes": [
        {
            "id": 1,
            "type": "cognitive/user_input",
            "pos": [10, 10],
            "size": {"0": 140, "1": 26},
            "flags": {},
            "order": 0,
            "mode": 0,
            "outputs": [{"name": "goal", "type": "string", "links": [1], "slot_index": 0}],
            "properties": {},
        },
        {"id": 2, "type": "cognitive/reflect", "size": [140, 26], "order": 1, "mode": 4},
        {"id": 3, "type": "cognitive/response_synthesizer", "order": 2, "mode": 2},
    ],
    "links": [[1, 1, 0, 2, 0, "string"], [2, 2, 0, 3, 1, "*"]],
}


def test_a_file_of_litegraph_is_read_as_it_is() -> None:
    graph = parse_graph(json.dumps(LITEGRAPH), "mine", CATALOG)
    assert [(link.id, link.origin_id, link.origin_slot, link.target_id, link.target_slot) for link in graph.links] == [
        (1, 1, 0, 2, 0),
        (2, 2, 0, 3, 1),
    ]
    assert [node.off for node in graph.nodes] == ["", "muted", "never"]


def test_links_of_both_forms_may_be_mixed_and_get_their_ids() -> None:
    nodes = [{"id": number, "type": "observe"} for number in (1, 2, 3)]
    links = [{"origin_id": 1, "target_id": 2}, [1, 2, 0, 3, 0], [5, 1, 0, 3, 1, "*"]]
    graph = parse_graph(json.dumps({"nodes": nodes, "links": links}), "mine", CATALOG)
    assert [(link.id, link.origin_id, link.target_id) for link in graph.links] == [(2, 1, 2), (1, 2, 3), (5, 1, 3)]
