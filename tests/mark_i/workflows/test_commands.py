"""`mark-i workflow`: what a person and a program are shown, and the drawings."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from mark_i.cli.commands.workflow import workflow
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.drawing.svg import svg
from mark_i.workflows.drawing.text import drawn
from mark_i.workflows.format.loading import load_graph, parse_graph
from mark_i.workflows.format.order import order_of
from mark_i.workflows.library import found
from tests.support import Run
from world_model import UsageError

GRAPH = Path(__file__).resolve().parents[4] / "shared" / "graphs" / "dual-mode-v2.json"
facts = pytest.mark.skipif(not GRAPH.exists(), reason="the graphs of metahuman-os are not beside this checkout")
SVG = "{http://www.w3.org/2000/svg}"
NESTED = {
    "nodes": [
        {"id": 1, "type": "user_input"},
        {"id": 2, "type": "observe", "title": "看屏幕\n再看"},
        {"id": 3, "type": "react_planner"},
        {"id": 4, "type": "conditional_router"},
        {"id": 5, "type": "reflect", "muted": True},
        {"id": 6, "type": "conditional_router", "title": "<Again?> & again"},
        {"id": 7, "type": "stream_writer"},
    ],
    "links": [
        {"origin_id": 1, "target_id": 2},
        {"origin_id": 2, "target_id": 3},
        {"origin_id": 3, "target_id": 4},
        {"origin_id": 4, "origin_slot": 1, "target_id": 3, "target_slot": 1},
        {"origin_id": 4, "target_id": 5},
        {"origin_id": 5, "target_id": 6},
        {"origin_id": 6, "origin_slot": 1, "target_id": 2},
        {"origin_id": 6, "target_id": 7},
    ],
}
DRAWN = """\
A workflow without a name
7 nodes, 8 links, 2 loops

    1  user_input          user_input         -> 2
┌─> 2  看屏幕 再看         observe            -> 3
│┌> 3  react_planner       react_planner      -> 4
│└─ 4  conditional_router  conditional_router -> 5, back to 3:1
│   5  reflect             reflect (muted)    -> 6
└── 6  <Again?> & again    conditional_router -> 7, back to 2
    7  stream_writer       stream_writer

13:1 is slot 1 of node 13; slot 0 is not written."""


def said(*arguments: str) -> Result:
    return CliRunner().invoke(workflow, arguments)


def shown(*arguments: str) -> Any:
    """What a program is told."""
    result = said(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(*arguments: str) -> str:
    result = said(*arguments)
    assert isinstance(result.exception, UsageError)
    assert result.stdout == ""
    return str(result.exception)


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    file = tmp_path / "nested.json"
    file.write_text(json.dumps({**NESTED, "name": " "}), encoding="utf-8")
    return file


# list and show -----------------------------------------------------------------------------------------------------


def test_the_shipped_workflows_are_listed() -> None:
    assert re.search(r"^react +The agent's loop, node by node", said("list").output, re.MULTILINE)
    (react,) = (one for one in shown("list") if one["name"] == "react")
    assert react["title"] == "ReAct"
    assert react["description"].startswith("The agent's loop")


def test_a_workflow_is_shown_with_its_loop() -> None:
    lines = said("show", "react").output.splitlines()

    assert lines[0] == "ReAct"
    assert "┌>  3  Count             iteration_counter             -> 4, 6" in lines
    assert "└─  8  Once more?        conditional_router            -> 9, back to 3:1" in lines
    assert max(map(len, lines)) <= 80


def test_loops_inside_each_other_are_drawn_inside_each_other(nested: Path) -> None:
    graph = load_graph(nested, CATALOG)

    assert drawn(graph, order_of(graph, CATALOG)) == DRAWN
    assert said("show", str(nested)).output == DRAWN + "\n"


@facts
def test_the_large_graph_fits_on_a_terminal() -> None:
    lines = said("show", str(GRAPH)).output.splitlines()

    assert max(map(len, lines)) <= 80
    rows = [one for one in lines if re.match(r"[┌│└ ][>─ ] +\d+  ", one)]
    assert len(rows) == 23
    assert sum(row[0] in "┌│└" for row in rows) == 6
    assert "back to 10:1" in next(row for row in rows if "conditional_router" in row)


def test_a_loops_bar_continues_beside_long_links() -> None:
    inside = range(10, 22)
    links = [*((1, one) for one in inside), *((one, 30) for one in inside), (30, 1, 1)]
    nodes = [{"id": 1, "type": "observe"}, *({"id": one, "type": "reflect"} for one in inside)]
    told = {
        "nodes": [*nodes, {"id": 30, "type": "conditional_router"}],
        "links": [dict(zip(("origin_id", "target_id", "origin_slot"), link, strict=False)) for link in links],
    }
    graph = parse_graph(json.dumps(told), "x", CATALOG)

    lines = drawn(graph, order_of(graph, CATALOG), 70).splitlines()

    assert lines[3:6] == [
        "┌>  1  observe             observe            -> 10, 11, 12, 13, 14,",
        "│                                                15, 16, 17, 18, 19,",
        "│                                                20, 21",
    ]


def test_a_title_cannot_command_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    nodes = [{"id": 1, "type": "observe", "title": "\x1b]0;x\x07"}]
    file.write_text(json.dumps({"name": "\x1b[2J", "nodes": nodes}), encoding="utf-8")

    output = said("show", str(file)).output

    assert "\x1b" not in output
    assert "\x07" not in output


def test_a_program_is_told_the_order_and_the_loops(nested: Path) -> None:
    told = shown("show", str(nested))

    assert [one["id"] for one in told["nodes"]] == [1, 2, 3, 4, 5, 6, 7]
    assert told["nodes"][4] == {
        "id": 5,
        "type": "reflect",
        "title": "",
        "muted": True,
        "never": False,
        "about": CATALOG["reflect"].about,
        "inputs": ["state"],
        "outputs": ["state"],
        "properties": {},
    }
    assert [one["id"] for one in told["links"] if one["back"]] == [4, 7]
    assert sorted(told["loops"], key=lambda one: one["router"]) == [
        {"router": 4, "body": [3, 4]},
        {"router": 6, "body": [2, 3, 4, 5, 6]},
    ]


def test_a_name_that_is_none_is_refused_with_near_ones() -> None:
    assert refused("show", "reakt") == "There is no workflow 'reakt', and no such file. Did you mean react?"
    assert refused("show", "reakt.json") == "reakt.json cannot be read: No such file or directory; check the path."


# Pictures ----------------------------------------------------------------------------------------------------------


def picture(text: str) -> ET.Element:
    return ET.fromstring(text)


def boxes(drawing: ET.Element) -> dict[str, tuple[float, ...]]:
    """Left, top, right and bottom of each node, by its title."""
    places: dict[str, tuple[float, ...]] = {}
    for group in drawing.iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        x, y, width, height = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
        places[str(group.findtext(f"{SVG}title"))] = (x, y, x + width, y + height)
    return places


def test_a_picture_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "react.svg"

    assert said("show", "react", "--svg", str(file)).output == f"Drawn: {file}\n"

    assert len(boxes(picture(file.read_text(encoding="utf-8")))) == 10


@pytest.mark.parametrize("which", ["react", pytest.param(str(GRAPH), marks=facts, id="dual-mode-v2")])
def test_a_picture_shows_every_node_apart_and_inside(which: str) -> None:
    graph = found(which, CATALOG)
    drawing = picture(svg(graph, order_of(graph, CATALOG), CATALOG))
    width, height = float(drawing.attrib["width"]), float(drawing.attrib["height"])
    places = list(boxes(drawing).values())

    assert len(places) == len(graph.nodes)
    for number, (left, top, right, bottom) in enumerate(places):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        for other in places[number + 1 :]:
            assert right < other[0] or other[2] < left or bottom < other[1] or other[3] < top


def test_what_leads_back_is_marked_and_ends_at_its_node(nested: Path) -> None:
    graph = load_graph(nested, CATALOG)
    drawing = picture(svg(graph, order_of(graph, CATALOG), CATALOG))
    curves = [one.attrib["d"] for one in drawing.iter(f"{SVG}path") if one.attrib.get("class") == "back"]

    ends = [tuple(map(float, curve.split()[-1].split(","))) for curve in curves]
    right = {title[:1]: ((box[2]), (box[1] + box[3]) / 2) for title, box in boxes(drawing).items()}
    assert ends == [right["3"], right["2"]]


def test_a_node_stands_below_all_that_it_needs(nested: Path) -> None:
    graph = load_graph(nested, CATALOG)
    tops = {
        title.split()[0]: box[1] for title, box in boxes(picture(svg(graph, order_of(graph, CATALOG), CATALOG))).items()
    }

    assert sorted(tops, key=tops.__getitem__) == ["1", "2", "3", "4", "5", "6", "7"]


def test_nodes_stand_where_their_links_need_not_cross() -> None:
    # 11 comes first in the order, and stands at the right all the same: 1 leads to 10 alone
    links = [(1, 10), (2, 11), (2, 10)]
    told = {
        "nodes": [{"id": one, "type": "observe"} for one in (1, 2, 10, 11)],
        "links": [{"origin_id": origin, "target_id": target} for origin, target in links],
    }
    graph = parse_graph(json.dumps(told), "x", CATALOG)
    order = order_of(graph, CATALOG)

    left = {title.split()[0]: box[0] for title, box in boxes(picture(svg(graph, order, CATALOG))).items()}

    assert order.nodes == (1, 2, 11, 10)
    assert left["1"] < left["2"]
    assert left["10"] < left["11"]


def test_titles_are_text_and_not_markup(nested: Path) -> None:
    graph = load_graph(nested, CATALOG)

    words = [one.text for one in picture(svg(graph, order_of(graph, CATALOG), CATALOG)).iter(f"{SVG}text")]

    assert "6 <Again?> & again" in words
    assert "A workflow without a name" in words


def test_a_node_tells_its_slots_to_who_points_at_it(nested: Path) -> None:
    graph = load_graph(nested, CATALOG)

    titles = [one.text for one in picture(svg(graph, order_of(graph, CATALOG), CATALOG)).iter(f"{SVG}title")]

    about = CATALOG["react_planner"].about
    assert f"3 react_planner\n{about}\nIn: 0 state, 1 goal, 2 context\nOut: 0 plan" in titles


def test_what_is_no_xml_is_replaced() -> None:
    graph = parse_graph(json.dumps({"name": "\x00\x1b\uffff", "nodes": [{"id": 1, "type": "observe"}]}), "x", CATALOG)

    assert picture(svg(graph, order_of(graph, CATALOG), CATALOG)).findtext(f"{SVG}text") == "\ufffd" * 3


def test_what_is_too_large_for_a_picture_is_told() -> None:
    nodes = [{"id": one, "type": "observe"} for one in range(3000)]
    graph = parse_graph(json.dumps({"nodes": nodes}), "x", CATALOG)

    with pytest.raises(UsageError, match="The workflow is too large to be drawn: 3000 nodes, 0 links"):
        svg(graph, order_of(graph, CATALOG), CATALOG)


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be written: No such file or directory; check the path." in refused(
        "show", "react", "--svg", str(tmp_path / "no" / "x.svg")
    )


# check -------------------------------------------------------------------------------------------------------------


def test_a_good_file_is_called_good(nested: Path) -> None:
    lines = said("check", str(nested)).output.splitlines()

    assert lines[0] == f"{nested} is a workflow: 7 nodes, 8 links, 2 loops."
    assert sorted(lines[1:3]) == ["Node 4 repeats 3, 4.", "Node 6 repeats 2, 3, 4, 5, 6."]
    assert len(lines) == 3
    assert shown("check", str(nested))["loops"] == shown("show", str(nested))["loops"]


def test_a_bad_file_is_one_line_and_exit_code_2(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"nodes": [{"id": 1, "type": "observe"}], "links": [{"origin_id": 1, "target_id": 2}]}')

    done = mark_i("workflow", "check", str(file), "--json")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mark-i: {file}: link 1 (1 -> 2) leads to node 2, and there is no such node.\n"


# node --------------------------------------------------------------------------------------------------------------


def test_one_node_runs_by_itself() -> None:
    state = '{"scratchpad": [{"thought": "é"}], "iteration": 1}'

    assert shown("node", "iteration_counter", "--inputs", f"[{state}]", "--context", '{"maxIterations": 1}') == {
        "iteration": 1,
        "maxIterations": 1,
        "hasExceededMax": True,
        "shouldContinue": False,
        "scratchpad": [{"thought": "é"}],
        "scratchpadLength": 1,
    }
    formatted = shown("node", "scratchpad_formatter", "--inputs", f"[{state}]", "--properties", '{"format": "json"}')
    assert json.loads(formatted["formatted"]) == [{"thought": "é"}]


def test_without_json_it_is_laid_out_for_a_person() -> None:
    assert '\n  "iteration": 0,\n' in said("node", "scratchpad_initializer").output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["scratchpad_initialiser"],
            "There is no node type 'scratchpad_initialiser'. Did you mean scratchpad_initializer",
        ),
        (["react_planner"], "react_planner needs a run: Ask the model for one thought and one action."),
        (["conditional_router", "--inputs", "{}"], "--inputs must be a list, in JSON."),
        (["conditional_router", "--inputs", "["], "--inputs: it is not JSON: "),
        (["conditional_router", "--inputs", "[" * 200 + "]" * 200], "--inputs: it is nested too deeply"),
        (["conditional_router", "--context", "[]"], "--context must be an object, in JSON."),
        (["conditional_router", "--properties", "5"], "--properties must be an object, in JSON."),
        (["scratchpad_updater", "--inputs", "[5]"], "scratchpad_updater: Slot 0 needs a scratchpad's state"),
        (["context_builder", "--inputs", '[{"runs": [5]}]'], "context_builder failed: TypeError: "),
        (["system_settings", "--context", '{"settings": 5}'], "system_settings failed: TypeError: "),
    ],
)
def test_what_cannot_be_run_is_one_clear_line(arguments: list[str], words: str) -> None:
    message = refused("node", *arguments)

    assert message.startswith(words)
    assert "\n" not in message


# Help --------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("command", ["", *workflow.commands])
def test_the_example_in_the_help_works(
    command: str, nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested.rename(tmp_path / "my-workflow.json")
    monkeypatch.chdir(tmp_path)
    helped = re.sub(r"\s+", " ", said(*command.split(), "--help").output)
    example = re.search(r"Example: mark-i workflow (.+?) (Options|Commands):", helped)

    assert example
    assert said(*shlex.split(example[1])).exit_code == 0


@pytest.mark.parametrize("command", workflow.commands)
def test_a_program_may_read_each_of_them(command: str) -> None:
    assert "--json" in said(command, "--help").output


def test_the_program_has_the_command(mark_i: Run) -> None:
    done = mark_i("workflow", "list", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert "react" in {one["name"] for one in json.loads(done.stdout)}
