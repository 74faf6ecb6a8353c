"""The executor: what runs after what, what flows, when a loop ends, and what its readers are told."""

import json
from collections.abc import Generator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest

from mark_i.events import Event
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.executor import GraphFinished, NodeFinished, NodeSkipped, NodeStarted, execute
from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.loading import load_graph, parse_graph
from mark_i.workflows.format.node_type import Inputs, NodeFunction, NodeType
from mark_i.workflows.library import found
from tests.support import scripted_nodes
from world_model import BusyError, Halt, ToolFailure, UsageError, WorkflowError

SHARED = Path(__file__).resolve().parents[4] / "shared"
TRACES = SHARED / "vectors" / "graph_executor_traces.json"
facts = pytest.mark.skipif(not TRACES.exists(), reason="the facts of metahuman-os are not beside this checkout")
THINK, ACT, REMEMBER, ROUTE = "react_planner", "skill_executor", "scratchpad_updater", "conditional_router"
Ended = tuple[list[int], GraphFinished]


def echo(inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
    """What a node gives whose function does not matter here: what it got."""
    return {"got": inputs}


def constant(value: object) -> NodeFunction:
    return lambda _inputs, _properties, _context: value


def planner(calls: int | None) -> NodeFunction:
    """One that gives its final answer at that call, or never."""
    made = 0

    def plan(_inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
        nonlocal made
        made += 1
        return {"plan": f"Thought: done\nFinal Answer: {made}" if made == calls else f"Thought: call {made}\nAction: x"}

    return plan


def types(**functions: NodeFunction) -> dict[str, NodeType]:
    """All node types; those that need a run are scripted."""
    return scripted_nodes(echo, **functions)


def graph(nodes: Mapping[int, str | dict[str, Any]], *links: tuple[int, ...] | dict[str, Any]) -> Graph:
    """A graph; a link is `(origin, target, target_slot, origin_slot)`, the slots 0 where they are left out."""
    keys = ("origin_id", "target_id", "target_slot", "origin_slot")
    told = {
        "nodes": [{"id": one, **({"type": what} if isinstance(what, str) else what)} for one, what in nodes.items()],
        "links": [one if isinstance(one, dict) else dict(zip(keys, one, strict=False)) for one in links],
    }
    return parse_graph(json.dumps(told), "a test", types())


def ran(what: Graph, context: Mapping[str, Any] | None = None, **functions: NodeFunction) -> Ended:
    """The ids of the nodes in the order in which they ran, and the end."""
    events = list(execute(what, types(**functions), context))
    assert isinstance(events[-1], GraphFinished)
    return [one.node.id for one in events if isinstance(one, NodeStarted)], events[-1]


def loop(*extra: tuple[int, ...], **properties: Any) -> Graph:
    """The smallest whole one: begin, count, think, remember, check, route back to count, or show."""
    nodes: dict[int, str | dict[str, Any]] = {
        1: "scratchpad_initializer",
        2: {"type": "iteration_counter", "properties": properties},
        3: THINK,
        4: REMEMBER,
        5: "scratchpad_completion_checker",
        6: ROUTE,
        7: "scratchpad_formatter",
        8: "audit_logger",
    }
    links = [(1, 2), (2, 3), (2, 4), (3, 4, 2), (4, 5), (5, 6), (5, 6, 1), (5, 6, 2), (6, 2, 1, 1), (6, 7)]
    return graph(nodes, *links, *extra)


# What the originals' graphs do -------------------------------------------------------------------------------------


def expected() -> list[Any]:
    if not TRACES.exists():
        return []
    known = json.loads(TRACES.read_text(encoding="utf-8"))["correct_behaviour"]["expected_for_N"]
    return [pytest.param(one, id=f"N={one['N']}") for one in known]


@facts
@pytest.mark.parametrize("wanted", expected())
def test_the_exit_path_runs_once_with_the_last_data(wanted: dict[str, Any]) -> None:
    modular = load_graph(SHARED / "graphs" / "dual-mode-v2.json", CATALOG)

    order, end = ran(modular, react_planner=planner(wanted["N"]))

    assert order == wanted["order"]
    assert end.counts[16] == wanted["formatter_runs"]
    assert end.outputs[16]["entries"] == wanted["formatter_entries"]
    assert end.outputs[15]["routedData"]["reason"] == wanted["router_reason"]
    assert end.outputs[17]["got"][0] == end.outputs[16]
    assert f"Final Answer: {wanted['N']}" in end.outputs[16]["formatted"]
    assert f"iteration_counter x{wanted['N']}" in end.words
    assert "scratchpad_formatter x1" in end.words


@facts
def test_the_graph_without_a_loop_runs_each_node_once() -> None:
    single = load_graph(SHARED / "graphs" / "dual-mode-v1.1.json", CATALOG)

    order, end = ran(single, loop_controller=constant("42"))

    assert sorted(order) == sorted(node.id for node in single.nodes)
    assert end.outputs[13]["got"][0] == "42"
    for link in single.links:
        assert order.index(link.origin_id) < order.index(link.target_id)


@facts
def test_the_documents_example_without_slots_runs() -> None:
    text = (SHARED / "seeds" / "000-modular-react-scratchpad-nodes.md").read_text(encoding="utf-8")
    example = text.split("```json\n")[1].split("```")[0]
    seen: list[Inputs] = []

    def act(inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
        seen.append(inputs)
        return {**inputs[0], "observation": "3 files"}

    plan = {"thought": "I look", "action": "list_files"}
    _, end = ran(
        parse_graph(example, "the document", CATALOG),
        user_input=constant("what is here?"),
        react_planner=lambda inputs, _properties, _context: {**plan, "of": inputs},
        skill_executor=act,
    )

    assert seen[0][0]["of"] == ("what is here?", end.outputs[2])
    (entry,) = end.outputs[6]["got"][0]["scratchpad"]
    assert (entry["thought"], entry["action"], entry["observation"]) == ("I look", "list_files", "3 files")


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_the_shipped_workflow_runs_until_the_answer(calls: int) -> None:
    _, end = ran(found("react", CATALOG), react_planner=planner(calls), user_input=constant("the goal"))

    assert end.counts == {1: 1, 2: 1, 3: calls, 4: calls, 5: calls, 6: calls, 7: calls, 8: calls, 9: 1, 10: 1}
    shown, goal = end.outputs[10]["got"]
    assert (shown["entries"], goal) == (calls, "the goal")


# What flows --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outputs", "slot", "arrives"),
    [
        ("text", 1, "text"),  # the originals gave its second letter
        ({"a": 1}, 1, {"a": 1}),
        (["a", "b"], 1, "b"),
        (["a", "b"], 2, None),
        (("a", "b"), 1, ("a", "b")),
        ({"routedData": "x", "more": 1}, 0, "x"),
        ({"routedData": None}, 0, None),
        (None, 0, None),
    ],
)
def test_what_flows_over_a_link(outputs: object, slot: int, arrives: object) -> None:
    _, end = ran(graph({1: "user_input", 2: "observe"}, (1, 2, 0, slot)), user_input=constant(outputs))

    assert end.outputs[2] == {"got": (arrives,)}


def test_inputs_are_by_slot_and_the_later_link_counts() -> None:
    nodes = {1: "user_input", 2: "system_settings", 3: "session_context", 4: "observe"}
    built = graph(nodes, (1, 4, 2), (2, 4, 0), (3, 4, 0))
    first, second, third = constant("1"), constant("2"), constant("3")

    _, end = ran(built, user_input=first, system_settings=second, session_context=third)

    assert end.outputs[4] == {"got": ("3", None, "1")}


def test_a_laps_output_overrides_the_loops_input() -> None:
    # both in slot 0, and the link that leads back is the first in the file
    built = graph({1: "user_input", 2: "observe", 3: ROUTE}, (3, 2, 0, 1), (1, 2), (2, 3), (2, 3, 2))
    seen = []

    def observe(inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
        seen.append(inputs[0])
        return {"isDone": len(seen) == 3, "lap": len(seen)}

    ran(built, user_input=constant("begin"), observe=observe)

    assert seen == ["begin", {"isDone": False, "lap": 1}, {"isDone": False, "lap": 2}]


def test_nodes_read_their_properties_and_the_context() -> None:
    built = graph({1: {"type": "observe", "properties": {"a": 1}}})

    _, end = ran(built, {"b": 2}, observe=lambda _inputs, properties, context: {**properties, **context})

    assert end.outputs[1] == {"a": 1, "b": 2}


def test_a_muted_node_passes_its_first_input_through() -> None:
    approve, observe = {"type": "approve", "muted": True}, {"type": "observe", "muted": True}
    nodes: dict[int, str | dict[str, Any]] = {1: "user_input", 2: approve, 3: observe, 4: ACT}
    built = graph(nodes, (1, 2), (1, 2, 1), (2, 4), (3, 4, 1))

    _, end = ran(built, user_input=constant("go"), approve=constant("refused"), observe=constant("seen"))

    assert end.outputs[4] == {"got": ("go", None)}
    assert end.counts[2] == 1


def test_a_muted_router_leaves_the_loop() -> None:
    nodes: dict[int, str | dict[str, Any]] = {1: "observe", 2: {"type": ROUTE, "muted": True}, 3: ACT}

    order, end = ran(graph(nodes, (1, 2), (2, 1, 0, 1), (2, 3)), observe=constant({"isComplete": False}))

    assert order == [1, 2, 3]
    assert end.outputs[3] == {"got": ({"isComplete": False},)}


@pytest.mark.parametrize("mode", [0, 2, 4])
def test_the_modes_of_litegraph(mode: int) -> None:
    """A bypass passes its input on; what never runs gives nothing, and what only it leads to is skipped."""
    nodes: dict[int, str | dict[str, Any]] = {1: "user_input", 2: {"type": "approve", "mode": mode}, 3: ACT, 4: ACT}
    built = graph(nodes, (1, 2), (2, 3), (2, 4), (1, 4, 1))

    order, end = ran(built, user_input=constant("go"), approve=constant("agreed"))

    got = {0: ("agreed", "go"), 2: (None, "go"), 4: ("go", "go")}
    assert order == ([1, 4] if mode == 2 else [1, 2, 3, 4])
    assert end.outputs[4] == {"got": got[mode]}
    assert {2, 3}.isdisjoint(end.outputs) == (mode == 2)


def test_a_router_that_never_runs_leaves_the_loop() -> None:
    nodes: dict[int, str | dict[str, Any]] = {1: "observe", 2: {"type": ROUTE, "mode": 2}, 3: ACT}

    order, end = ran(graph(nodes, (1, 2), (2, 1, 0, 1), (1, 3), (2, 3, 1)), observe=constant({"isComplete": False}))

    assert order == [1, 3]
    assert end.outputs[3] == {"got": ({"isComplete": False}, None)}


# Branches and loops ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("met", "taken", "passed"), [(True, [1, 2, 3, 4, 7], [5, 6]), (False, [1, 2, 5, 6, 7], [3, 4])]
)
def test_only_the_branch_that_is_taken_runs(*, met: bool, taken: list[int], passed: list[int]) -> None:
    nodes = {1: "observe", 2: ROUTE, 3: ACT, 4: "memory_capture", 5: "reflect", 6: "audit_logger", 7: "stream_writer"}
    links = [(1, 2), (1, 2, 1), (1, 2, 2), (2, 3), (3, 4), (2, 5, 0, 1), (5, 6), (4, 7), (6, 7, 1)]

    events = list(execute(graph(nodes, *links), types(observe=constant(met))))

    assert [one.node.id for one in events if isinstance(one, NodeStarted)] == taken
    assert [one.node.id for one in events if isinstance(one, NodeSkipped)] == passed


def test_a_loop_inside_a_loop_runs_anew_each_time() -> None:
    nodes = {1: "user_input", 2: "observe", 3: THINK, 4: ROUTE, 5: "reflect", 6: ROUTE, 7: "stream_writer"}
    links = [(1, 2), (2, 3), (3, 4), (4, 3, 1, 1), (4, 5), (5, 6), (6, 2, 1, 1), (6, 7)]
    inner, outer = iter([False, True] * 3), iter([False, False, True])
    began = []

    def think(inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
        began.append(inputs[1] is None)
        return next(inner)

    order, end = ran(
        graph(nodes, *links), react_planner=think, reflect=lambda _inputs, _properties, _context: next(outer)
    )

    assert order == [1, *([2, 3, 4, 3, 4, 5, 6] * 3), 7]
    assert end.words[-3:] == ("reflect x3", "conditional_router #6 x3", "stream_writer x1")


def test_nested_loops_have_a_higher_limit_together() -> None:
    nodes = {1: "observe", 2: THINK, 3: ROUTE, 4: "reflect", 5: ROUTE}
    links = [(1, 2), (2, 3), (3, 2, 1, 1), (3, 4), (4, 5), (5, 1, 1, 1)]
    inner, outer = iter([*[False] * 14, True] * 15), iter([*[False] * 14, True])

    _, end = ran(
        graph(nodes, *links),
        react_planner=lambda _inputs, _properties, _context: next(inner),
        reflect=lambda _inputs, _properties, _context: next(outer),
    )

    assert end.counts[2] == 225


def test_what_hangs_on_a_loop_runs_once_after_it() -> None:
    order, end = ran(loop((4, 8), (3, 8, 1)), react_planner=planner(3))

    assert order == [1, *([2, 3, 4, 5, 6] * 3), 7, 8]
    assert len(end.outputs[8]["got"][0]["scratchpad"]) == 3


def test_a_loop_stands_together_whatever_else_there_is_to_do() -> None:
    nodes = {1: "user_input", 2: "observe", 10: "session_context", 3: ROUTE, 11: "auth_check", 12: "audit_logger"}
    built = graph(nodes, (1, 2), (2, 3), (3, 2, 1, 1), (1, 10), (10, 11), (11, 12), (11, 3, 1))
    laps = iter([False, True])

    order, _ = ran(built, observe=lambda _inputs, _properties, _context: next(laps))

    assert order == [1, 10, 11, 12, 2, 3, 2, 3]


def test_a_node_that_only_a_loop_leads_to_runs_at_first_too() -> None:
    laps = iter([False, False, True])

    order, _ = ran(
        graph({1: "observe", 2: ROUTE}, (1, 2), (2, 1, 0, 1)), observe=lambda _inputs, _properties, _context: next(laps)
    )

    assert order == [1, 2] * 3


def test_a_router_that_a_lap_passes_by_decides_nothing() -> None:
    nodes = {1: "observe", 2: ROUTE, 3: THINK, 4: ROUTE, 5: "reflect", 6: "stream_writer"}
    links = [(1, 2), (2, 3), (2, 5, 0, 1), (3, 4), (4, 1, 0, 1), (4, 6)]
    laps = iter([True, False])

    events = list(
        execute(
            graph(nodes, *links),
            types(observe=lambda _inputs, _properties, _context: next(laps), react_planner=constant(value=False)),
        )
    )

    assert [one.node.id for one in events if isinstance(one, NodeStarted)] == [1, 2, 3, 4, 1, 2, 5]
    assert [one.node.id for one in events if isinstance(one, NodeSkipped)] == [3, 4, 6]


# Limits ------------------------------------------------------------------------------------------------------------


def test_a_loop_without_end_is_stopped_by_name() -> None:
    built = graph({4: "observe", 5: ROUTE}, (4, 5), (5, 4, 0, 1))
    seen: list[Any] = []

    with pytest.raises(WorkflowError, match=r"Node 4 \(observe\) has run 20 times, and node 5 .* still sends it back"):
        seen.extend(execute(built, types(observe=constant(value=False))))

    assert [one.node.id for one in seen if isinstance(one, NodeStarted)] == [4, 5] * 20
    assert not any(isinstance(one, GraphFinished) for one in seen)


@pytest.mark.parametrize(
    ("context", "properties", "laps"),
    [
        ({}, {}, 10),
        ({"maxIterations": 3}, {}, 3),
        ({}, {"maxIterations": 3}, 3),
        ({"maxIterations": 4}, {"maxIterations": 30}, 4),
        ({"maxIterations": 25}, {"maxIterations": 10}, 25),  # above what a node may run without it
        ({}, {"maxIterations": 40}, 40),
        ({"maxIterations": None}, {"maxIterations": None}, 10),
    ],
)
def test_a_run_ends_at_its_limit(context: dict[str, Any], properties: dict[str, Any], laps: int) -> None:
    _, end = ran(loop(**properties), context, react_planner=planner(None))

    assert end.counts[3] == laps
    assert end.outputs[6]["routedData"]["reason"] == "max_iterations"
    assert end.outputs[7]["entries"] == laps


@pytest.mark.parametrize("limit", [3, 20, 25])
def test_a_loop_that_its_counter_ends_takes_one_lap_more(limit: int) -> None:
    # the counter says that the limit is reached once it counts what the last allowed lap has added
    nodes = {1: "scratchpad_initializer", 2: "iteration_counter", 3: REMEMBER, 4: ROUTE, 5: "scratchpad_formatter"}
    built = graph(nodes, (1, 2), (2, 3), (2, 4), (2, 4, 1), (3, 4, 2), (4, 2, 1, 1), (4, 5))

    _, end = ran(built, {"maxIterations": limit})

    assert end.counts[2] == limit + 1
    assert end.outputs[5]["entries"] == limit


def test_a_limit_that_is_none_is_told_before_anything_runs() -> None:
    with pytest.raises(UsageError, match=r"node 2 \(iteration_counter\): maxIterations must be a whole number"):
        next(execute(loop(maxIterations="many"), types()))


def test_a_long_graph_is_no_trouble() -> None:
    length = 5000
    built = graph(dict.fromkeys(range(length), "observe"), *((one, one + 1) for one in range(length - 1)))

    order, _ = ran(built, observe=constant(1))

    assert order == list(range(length))


# Failing -----------------------------------------------------------------------------------------------------------


def failing(error: BaseException) -> NodeFunction:
    def fail(_inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]) -> object:
        raise error

    return fail


def test_a_failing_node_is_named() -> None:
    with pytest.raises(WorkflowError, match=r"^Node 3 \(react_planner\) failed: KeyError: 'x'$") as raised:
        ran(loop(), react_planner=failing(KeyError("x")))

    assert isinstance(raised.value.__cause__, KeyError)


@pytest.mark.parametrize(
    "error",
    [UsageError("No."), BusyError("No.", 3.0), ToolFailure("TIMEOUT", "No.", ["Wait."])],
    ids=lambda one: type(one).__name__,
)
def test_an_error_of_ours_stays_what_it_is_and_names_the_node(error: Exception) -> None:
    with pytest.raises(type(error), match=r"^Node 3 \(react_planner\): No\.$") as raised:
        ran(loop(), react_planner=failing(error))

    assert raised.value is error


def test_a_persons_stop_passes_through() -> None:
    halt = Halt()

    with pytest.raises(Halt) as raised:
        ran(loop(), react_planner=failing(halt))

    assert raised.value is halt


def test_a_type_without_a_function_is_told_before_anything_runs() -> None:
    with pytest.raises(UsageError, match=r"node 3 \(react_planner\) cannot be run: its type has no function here"):
        next(execute(loop(), CATALOG))


def test_a_muted_node_needs_no_function() -> None:
    (_, event, *_) = execute(graph({1: {"type": "observe", "muted": True}}), CATALOG)

    assert isinstance(event, NodeFinished)


@pytest.mark.parametrize("outputs", [None, {}, {"routingDecision": True}, "true"])
def test_a_router_that_does_not_decide_is_named(outputs: object) -> None:
    with pytest.raises(WorkflowError, match=r'Node 6 .* gave no routingDecision "true" or "false"'):
        ran(loop(), conditional_router=constant(outputs))


# Events ------------------------------------------------------------------------------------------------------------


def test_events_tell_what_came_and_what_went() -> None:
    built = graph({1: "user_input", 2: "observe"}, (1, 2))
    one, two = built.nodes

    events = list(execute(built, types(user_input=constant("goal"), observe=constant("screen"))))

    assert events == [
        NodeStarted(one, 1, ()),
        NodeFinished(one, 1, (), "goal"),
        NodeStarted(two, 1, ("goal",)),
        NodeFinished(two, 1, ("goal",), "screen"),
        GraphFinished({1: "goal", 2: "screen"}, {1: 1, 2: 1}, ("user_input x1", "observe x1")),
    ]


def test_a_nodes_own_events_pass_through_and_its_outputs_go_on() -> None:
    thought = Event("thought", 0.0, {"text": "hm"})

    def think(
        _inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]
    ) -> Generator[Event, None, dict[str, str]]:
        yield thought
        return {"plan": "Final Answer: 42"}

    events = list(execute(loop(), types(react_planner=think)))

    at = events.index(thought)
    before, after = events[at - 1], events[at + 1]
    assert isinstance(before, NodeStarted)
    assert isinstance(after, NodeFinished)
    assert (before.node.id, after.node.id, after.outputs) == (3, 3, {"plan": "Final Answer: 42"})


def test_an_error_after_a_nodes_event_is_named_too() -> None:
    def think(
        _inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]
    ) -> Generator[Event, None, None]:
        yield Event("thought", 0.0)
        raise ValueError("hm")

    with pytest.raises(WorkflowError, match=r"Node 3 \(react_planner\) failed: ValueError: hm"):
        ran(loop(), react_planner=think)


def test_the_caller_may_stop_between_any_two_events() -> None:
    ended = []

    def think(
        _inputs: Inputs, _properties: Mapping[str, Any], _context: Mapping[str, Any]
    ) -> Generator[Event, None, None]:
        try:
            yield Event("thinking", 0.0)
        finally:
            ended.append(True)

    run = execute(loop(), types(react_planner=think))
    assert any(isinstance(one, Event) for one in run)
    run.close()

    assert ended == [True]
    assert list(run) == []


def test_a_generator_returns_its_last_event() -> None:
    def around() -> Generator[object, None, None]:
        ends.append((yield from execute(graph({1: "observe"}), types())))

    ends: list[GraphFinished] = []
    *_, last = around()

    assert ends == [last]


def test_the_context_may_be_read_only() -> None:
    _, end = ran(loop(), MappingProxyType({"maxIterations": 2}), react_planner=planner(None))

    assert end.counts[3] == 2


NOT_OURS: Final = {"sum": NodeType("sum", "Adds.", run=lambda inputs, _properties, _context: sum(inputs))}


def test_a_registry_of_ones_own_is_enough() -> None:
    built = parse_graph('{"nodes": [{"id": 1, "type": "sum"}]}', "a test", NOT_OURS)

    *_, end = execute(built, NOT_OURS)

    assert isinstance(end, GraphFinished)
    assert end.outputs == {1: 0}
