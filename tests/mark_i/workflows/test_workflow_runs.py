"""Workflows that are run: the agent's loop, and the same spelled out as graphs, do the same."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import Limits, Oversight
from mark_i.agent import AgentCore
from mark_i.brains.scripted import ScriptedBrain
from mark_i.budget import Budget
from mark_i.events import Event, Outcome
from mark_i.guard.risk import Answer, Approval
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.format.loading import parse_graph
from mark_i.workflows.library import found
from mark_i.workflows.running import Workflow
from tests.support import Run, action, events as events_of, script
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import tool
from toolbelt.tools.files import Files
from toolbelt.tools.memory import Memory
from toolbelt.tools.thinking import think
from world_model import Journal, Size, read_run

SHARED: Final = Path(__file__).parents[4] / "shared"
SHIPPED: Final = ("loop", "react")  # `critic` asks the brain more often
ORIGINS: Final = ("dual-mode-v1.1", "dual-mode-v2")
THINK: Final = action("think", about="the rest")
LOOK: Final = action("list_files", path=".")
ANSWER: Final = {"thought": "I know it.", "answer": "Nothing."}


def workflow(name: str, **context: Any) -> Workflow:
    where = str(SHARED / "graphs" / f"{name}.json") if name in ORIGINS else name
    if name in ORIGINS and not Path(where).is_file():
        pytest.skip(f"{where} is not there: it belongs to the shared facts, not to the product")
    return Workflow(name, found(where, CATALOG), context)


def run(
    replies: list[Any], course: Workflow | None, folder: Path, *, steps: int = 50, journal: Journal | None = None
) -> tuple[AgentCore, list[Event]]:
    agent = AgentCore(
        ScriptedBrain(replies),
        standard_toolbelt(None, Files([folder]), think),
        limits=Limits(Budget(steps=steps)),
        journal=journal,
        workflow=course.run if course else None,
    )
    return agent, list(agent.run("Tell what is in the folder"))


def outcome(events: list[Event]) -> Outcome:
    assert events[-1].outcome is not None
    return events[-1].outcome


def replies_for(steps: int) -> list[Any]:
    looks = [action("list_files", path="./" * number) for number in range(1, steps)]
    return [*looks, {"thought": "I know it.", "answer": f"There was nothing in {steps} looks."}]


def done(agent: AgentCore) -> list[Mapping[str, Any]]:
    return [
        {"thought": step.thought.text, "action": step.action.to_dict(), "observation": step.observation.to_dict()}
        for step in agent.world_model
    ]


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
@pytest.mark.parametrize("name", [*SHIPPED, *ORIGINS])
def test_a_workflow_does_what_the_loop_does(name: str, steps: int, tmp_path: Path) -> None:
    plain, told = run(replies_for(steps), None, tmp_path)
    agent, events = run(replies_for(steps), workflow(name), tmp_path)
    assert done(agent) == done(plain)
    assert len(done(agent)) == steps
    assert outcome(events) == outcome(told)
    names = [event.event for event in events if event.event != "node"]
    assert names == [event.event for event in told]


@pytest.mark.parametrize(
    "thought",
    ["They want a final answer: first I look.", "Is the task complete? Not yet.", "I know.\nFINAL_ANSWER"],
)
@pytest.mark.parametrize("name", [*SHIPPED, *ORIGINS, "ask"])
def test_a_thought_that_speaks_of_the_end_ends_nothing(name: str, thought: str, tmp_path: Path) -> None:
    agent, events = run([LOOK | {"thought": thought}, ANSWER], workflow(name), tmp_path)
    assert [step.action.tool for step in agent.world_model] == ["list_files", "finish"]
    assert outcome(events).summary == "Nothing."


@pytest.mark.parametrize("name", [*SHIPPED, *ORIGINS])
def test_on_a_real_desktop_too(name: str, x_servers: Servers, tmp_path: Path) -> None:
    replies = [
        action("open_app", name="xterm", args=["-e", "sh"]),
        action("type_text", text="echo workflow-$((40+2))", enter=True),
        action("wait_for", text="workflow-42"),
        action("finish", summary="It is 42.", evidence=[{"text": "workflow-42"}]),
    ]
    results = []
    for course in (None, workflow(name)):
        control = Control()
        with x_servers.desktop(Size(800, 600), control) as desktop:
            eyes = Eyes(desktop, control)
            agent = AgentCore(
                ScriptedBrain(replies),
                standard_toolbelt(eyes, Files([tmp_path])),
                desktop,
                eyes=eyes,
                workflow=course.run if course else None,
            )
            ended = agent.execute_command("Compute in a terminal")
            results.append(([step.action.to_dict() for step in agent.world_model], ended.name, ended.summary))
    assert results[0] == results[1]
    assert results[0][1] == "done"


@pytest.mark.parametrize("name", [*SHIPPED, *ORIGINS])
def test_a_limit_of_the_workflow_ends_it_with_the_best_answer(name: str, tmp_path: Path) -> None:
    replies = [action("list_files", path="./" * number) for number in range(1, 4)]
    last = {"thought": "No more.", "answer": "Not yet."}
    agent, events = run([*replies, last], workflow(name, maxIterations=3), tmp_path)
    assert len(done(agent)) == 3
    assert outcome(events).name == "limit_steps"
    assert outcome(events).answer == "Not yet."


@pytest.mark.parametrize("most", [3, 10])
@pytest.mark.parametrize("name", ORIGINS)
def test_a_limit_in_the_file_holds_for_the_loop_as_one_node_too(name: str, most: int, tmp_path: Path) -> None:
    course = workflow(name)
    written = course.graph.model_dump_json().replace('"maxIterations":10', f'"maxIterations":{most}')
    limited = replace(course, graph=parse_graph(written, name, CATALOG))
    agent, events = run(replies_for(13)[:-1], limited, tmp_path)
    assert len(agent.world_model) == most
    assert outcome(events).name == "limit_steps"
    agent, events = run(replies_for(13), replace(limited, context={"maxIterations": 20}), tmp_path)
    assert len(agent.world_model) == 13, "the run's own limit counts more"


def test_what_flows_is_in_the_journal_and_counts_are_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", {"goal": "Tell"})
    _, events = run(replies_for(3), workflow("react"), tmp_path, journal=journal)
    about = read_run(tmp_path / "run").about
    assert about["workflow"] == "react"
    assert "react_planner x3" in about["nodes"]
    assert "scratchpad_formatter x1" in about["nodes"]
    lines = [json.loads(line) for line in (tmp_path / "run" / "nodes.jsonl").read_text().splitlines()]
    assert [line["state"] for line in lines[:2]] == ["started", "finished"]
    assert sum(line["type"] == "skill_executor" and line["state"] == "finished" for line in lines) == 3
    formatted = next(one for one in lines if one["type"] == "scratchpad_formatter" and one["state"] == "finished")
    assert formatted["outputs"]["entries"] == 3
    nodes = [event.data for event in events if event.event == "node"]
    assert nodes[0] == {"node": 1, "type": "user_input", "title": "Goal", "state": "started", "count": 1}


def test_a_model_failing_in_a_node_ends_the_run_as_usual(tmp_path: Path) -> None:
    _, events = run([action("list_files", path=".")], workflow("react"), tmp_path)
    assert outcome(events).name == "model_error"
    assert "no reply left" in outcome(events).summary


def test_the_critic_judges_each_action_and_the_planner_hears_it(tmp_path: Path) -> None:
    looks = [action("list_files", path="."), "Look one level up.", action("list_files", path="./.")]
    brain = ScriptedBrain([*looks, "Now it is known.", {"thought": "I know it.", "answer": "Nothing."}])
    agent = AgentCore(brain, standard_toolbelt(None, Files([tmp_path])), workflow=workflow("critic").run)
    assert agent.execute_command("Tell what is in the folder").summary == "Nothing."
    assert len(agent.world_model) == 3
    assert [prompt.plain for prompt in brain.prompts] == [False, True, False, True, False]
    assert brain.prompts[2].notices[0] == "On what was done so far: Look one level up."
    assert not any("Look one level up" in notice for notice in brain.prompts[4].notices), "it is told once"


def test_what_needs_consent_is_asked_for(tmp_path: Path) -> None:
    nodes = [{"id": 1, "type": "react_planner"}, {"id": 2, "type": "approve"}, {"id": 3, "type": "skill_executor"}]
    links = [{"origin_id": 1, "target_id": 2}, {"origin_id": 2, "target_id": 3}]
    graph = parse_graph(json.dumps({"nodes": nodes, "links": links}), "consent.json", CATALOG)
    asked: list[str] = []

    def refuse(approval: Approval) -> Answer:
        asked.append(approval.why)
        return Answer("no")

    agent = AgentCore(
        ScriptedBrain([action("write_file", path="a.txt", text="x"), {"thought": "No.", "answer": "I may not."}]),
        standard_toolbelt(None, Files([tmp_path])),
        oversight=Oversight(approve=refuse),
        workflow=Workflow("consent", graph).run,
    )
    assert agent.execute_command("Write a file").name == "limit_steps"
    assert asked == ["The workflow wants your consent."]
    assert not (tmp_path / "a.txt").exists()
    denied = next(iter(agent.world_model)).observation.error
    assert denied is not None
    assert denied.code == "DENIED"


UNROLLED: Final = ("react_planner", "approve", "skill_executor")


@pytest.mark.parametrize(
    "kinds", [UNROLLED * 3, (*UNROLLED, "loop_controller"), ("loop_controller", *UNROLLED, "loop_controller")]
)
def test_nothing_is_done_after_the_end(kinds: tuple[str, ...], tmp_path: Path) -> None:
    nodes = [{"id": one, "type": kind} for one, kind in enumerate((*kinds, "response_synthesizer"))]
    links = [{"origin_id": one, "target_id": one + 1} for one in range(len(kinds))]
    graph = parse_graph(json.dumps({"nodes": nodes, "links": links}), "unrolled.json", CATALOG)
    brain = ScriptedBrain([ANSWER, action("write_file", path="a.txt", text="x")])
    belt = standard_toolbelt(None, Files([tmp_path]))
    agent = AgentCore(
        brain, belt, oversight=Oversight(approve=lambda _: Answer("once")), workflow=Workflow("unrolled", graph).run
    )
    assert agent.execute_command("Tell what is in the folder").summary == "Nothing."
    assert [step.action.tool for step in agent.world_model] == ["finish"]
    assert len(brain.prompts) == 1
    assert not (tmp_path / "a.txt").exists()


def test_a_loop_is_left_when_the_run_ends_inside_it(tmp_path: Path) -> None:
    """React with two steps in each lap: the first one ends the run, and what the second gives must not hide that."""
    graph = json.loads((Path(__file__).parents[3] / "mark_i/workflows/shipped/react.json").read_text())
    graph["nodes"] += [{"id": 21, "type": "react_planner"}, {"id": 22, "type": "skill_executor"}]
    graph["nodes"].append({"id": 23, "type": "scratchpad_updater"})
    graph["links"] = [link for link in graph["links"] if (link["origin_id"], link["target_id"]) != (6, 7)]
    for origin, target, slot in ((6, 21, 0), (21, 22, 0), (6, 23, 0), (22, 23, 1), (21, 23, 2), (23, 7, 0)):
        graph["links"].append({"origin_id": origin, "target_id": target, "target_slot": slot})
    course = Workflow("two", parse_graph(json.dumps(graph), "two.json", CATALOG))
    journal = Journal(tmp_path / "run", {"goal": "Tell"})
    agent, events = run([LOOK, action("list_files", path="./."), ANSWER], course, tmp_path, journal=journal)
    assert (len(agent.world_model), outcome(events).summary) == (3, "Nothing.")
    assert "react_planner #21 x2" in read_run(tmp_path / "run").about["nodes"]


ENDLESS: Final = {
    "nodes": [
        {"id": 1, "type": "scratchpad_initializer"},
        {"id": 2, "type": "iteration_counter"},
        {"id": 3, "type": "conditional_router"},
    ],
    "links": [
        {"origin_id": 1, "target_id": 2},
        {"origin_id": 2, "target_id": 3, "target_slot": 1},
        {"origin_id": 3, "origin_slot": 1, "target_id": 2, "target_slot": 1},
    ],
}
UNPLANNED: Final = {"nodes": [{"id": 1, "type": "scratchpad_initializer"}, {"id": 2, "type": "skill_executor"}]}


@pytest.mark.parametrize(
    ("what", "named", "counts"),
    [
        (ENDLESS, "Node 2 (iteration_counter) has run 20 times", ["iteration_counter x20", "conditional_router x20"]),
        (UNPLANNED, "Node 2 (skill_executor): There is no plan", ["skill_executor x1"]),
    ],
)
def test_a_stuck_workflow_fails_and_names_the_node(
    what: dict[str, Any], named: str, counts: list[str], tmp_path: Path
) -> None:
    course = Workflow("broken", parse_graph(json.dumps(what), "broken.json", CATALOG))
    journal = Journal(tmp_path / "run", {"goal": "Tell"})
    _, events = run([], course, tmp_path, journal=journal)
    assert events[-1].event == "ended"
    assert (outcome(events).name, outcome(events).exit_code) == ("failed", 1)
    assert outcome(events).summary.startswith(named)
    about = read_run(tmp_path / "run").about
    assert about["outcome"]["outcome"] == "failed"
    assert about["nodes"] == ["scratchpad_initializer x1", *counts]


def test_a_key_is_in_no_answer_and_the_answer_is_kept(tmp_path: Path) -> None:
    kept: list[str] = []

    def keep(fact: str) -> str:
        kept.append(fact)
        return "Kept."

    whole = replace(workflow("dual-mode-v1.1"), secrets=("a-secret-key",), keep=keep)
    _, events = run([{"thought": "Here.", "answer": "It is a-secret-key."}], whole, tmp_path)
    assert outcome(events).summary == "It is [secret].\n(1 secrets were masked.)"
    assert kept == ["Goal: Tell what is in the folder Answer: It is [secret].\n(1 secrets were masked.)"]


@pytest.mark.parametrize("text", ["Config:\n<think>keep me</think>\nend\n\n", "plain\n"])
@pytest.mark.parametrize("goal", ["show me the file th.txt", "Why is it so?"])
@pytest.mark.parametrize("name", [*SHIPPED, *ORIGINS])
def test_what_a_file_holds_is_shown_as_it_is(name: str, goal: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "th.txt").write_text(text)
    agent = AgentCore(
        ScriptedBrain([action("read_file", path="th.txt"), {"thought": "I know it.", "answer": "So."}]),
        standard_toolbelt(None, Files([tmp_path])),
        style="verbatim",
        workflow=workflow(name).run,
    )
    assert agent.execute_command(goal).summary == text


@pytest.mark.parametrize("name", ORIGINS)
def test_a_models_private_reasoning_is_in_no_answer(name: str, tmp_path: Path) -> None:
    _, events = run([{"thought": "I know it.", "answer": "<think>Hm.</think>Nothing. "}], workflow(name), tmp_path)
    assert outcome(events).summary == "Nothing."


def test_a_key_is_masked_in_what_a_file_holds_too(tmp_path: Path) -> None:
    (tmp_path / "th.txt").write_text("<think>a-secret-key</think>\n")
    whole = replace(workflow("dual-mode-v2"), secrets=("a-secret-key",))
    agent = AgentCore(
        ScriptedBrain([{**action("read_file", path="th.txt"), "style": "verbatim"}]),
        standard_toolbelt(None, Files([tmp_path])),
        workflow=whole.run,
    )
    shown = agent.execute_command("show me the file th.txt").summary
    assert shown == "<think>[secret]</think>\n\n(1 secrets were masked.)"


def test_the_planner_hears_of_similar_earlier_runs(tmp_path: Path) -> None:
    earlier = [
        {"goal": "Tell what is in the folder of letters", "answer": "Three letters.", "run": "1"},
        {"goal": "Buy milk", "answer": "Bought.", "run": "2"},
    ]
    brain = ScriptedBrain([{"thought": "I know it.", "answer": "Nothing."}])
    course = replace(workflow("dual-mode-v2"), runs=lambda: earlier).run
    AgentCore(brain, standard_toolbelt(None, Files([tmp_path])), workflow=course).execute_command("Tell of the folder")
    assert "Three letters." in brain.prompts[0].text
    assert "milk" not in brain.prompts[0].text


def test_half_a_character_in_an_answer_breaks_no_run(tmp_path: Path) -> None:
    earlier = [{"goal": "Tell what is in the folder", "answer": "\ud800 x", "run": "1"}]
    memory = Memory(tmp_path / "memory.sqlite")
    course = replace(workflow("dual-mode-v2"), runs=lambda: earlier, keep=memory.remember).run

    @tool(risk="look")
    def torn() -> str:
        """Return half a character."""
        return "\ud800 x"

    brain = ScriptedBrain([action("torn"), ANSWER])
    agent = AgentCore(brain, standard_toolbelt(None, torn), style="verbatim", workflow=course)
    assert agent.execute_command("Why is it in the folder?").summary == "\ud800 x"
    assert "? x" in memory.recall("folder").text


@pytest.mark.parametrize("options", [["--workflow", "react"], []])
def test_a_workflow_is_chosen_by_command_line_or_profile(
    options: list[str], mark_i: Run, tmp_path: Path, home: Path
) -> None:
    if not options:
        assert mark_i("config", "set", "workflow", "react").returncode == 0
    brain = script(tmp_path / "replies.jsonl", *replies_for(2))
    ran = mark_i("ask", "Tell what is in the folder", "--brain", brain, "--json", *options)
    told = events_of(ran.stdout)
    assert told[-1]["summary"] == "There was nothing in 2 looks.", ran.stderr
    assert {one["type"] for one in told if one["event"] == "node"} >= {"react_planner", "skill_executor"}
    [folder] = (home / "profiles" / "default" / "runs").iterdir()
    assert json.loads((folder / "run.json").read_text())["workflow"] == "react"


def test_a_workflow_of_ones_own_is_run_from_its_file(mark_i: Run, tmp_path: Path) -> None:
    """As the documentation shows: react with a node more, by editing the file alone."""
    graph = json.loads((Path(__file__).parents[3] / "mark_i/workflows/shipped/react.json").read_text())
    graph["nodes"].append({"id": 99, "type": "reflect"})
    for link in graph["links"]:
        if (link["origin_id"], link["target_id"]) == (6, 7):
            link["target_id"] = 99
    graph["links"].append({"origin_id": 99, "target_id": 7})
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(graph))
    assert mark_i("workflow", "check", str(file)).returncode == 0
    looks = [action("list_files", path="."), "All is well.", {"thought": "I know it.", "answer": "Nothing."}]
    brain = script(tmp_path / "replies.jsonl", *looks)
    ran = mark_i("workflow", "run", str(file), "Tell", "--virtual", "800x600", "--brain", brain, "--json")
    told = events_of(ran.stdout)
    assert sum(one["event"] == "node" and one["type"] == "reflect" for one in told) >= 2
    assert told[-1]["outcome"] in {"done", "done_unverified"}


@pytest.mark.parametrize(
    ("replies", "tools"),
    [
        ([ANSWER], []),
        ([THINK, THINK, ANSWER], ["think", "think"]),
        ([LOOK, ANSWER], ["list_files"]),
        ([LOOK, THINK, action("list_files", path="./."), ANSWER], ["list_files", "think", "list_files"]),
    ],
)
def test_a_question_has_a_thought_before_each_tool_and_the_answer(
    replies: list[Any], tools: list[str], tmp_path: Path
) -> None:
    agent, events = run(replies, workflow("ask"), tmp_path)
    assert outcome(events).answer == "Nothing."
    assert [step.action.tool for step in agent.world_model] == [*tools, "finish"]
    order = [event.event for event in events if event.event in {"thought", "action", "ended"}]
    assert order == ["thought", "action"] * (len(tools) + 1) + ["ended"]
    assert all(step.thought.text for step in agent.world_model)


def test_a_model_that_never_answers_is_asked_for_what_it_knows(tmp_path: Path) -> None:
    looks = [action("list_files", path="./" * number) for number in range(1, 31)]
    agent, events = run([*looks, {"thought": "No more.", "answer": "Not much."}], workflow("ask"), tmp_path)
    assert len(agent.world_model) == 30
    assert (outcome(events).name, outcome(events).answer) == ("limit_steps", "Not much.")


def test_a_model_whose_replies_are_never_usable_is_stopped(tmp_path: Path) -> None:
    agent, events = run(["It may rain."] * 40, workflow("ask"), tmp_path)
    assert not list(agent.world_model)
    assert outcome(events).name == "model_error"
    assert "It may rain." in outcome(events).summary


def test_questions_are_asked_with_it(mark_i: Run, tmp_path: Path, home: Path) -> None:
    brain = script(tmp_path / "replies.jsonl", ANSWER)
    asked = mark_i("ask", "What is there?", "--brain", brain, "--json")
    assert events_of(asked.stdout)[-1]["summary"] == "Nothing.", asked.stderr
    [folder] = (home / "profiles" / "default" / "runs").iterdir()
    assert json.loads((folder / "run.json").read_text())["workflow"] == "ask"


def test_a_run_that_is_gone_on_with_goes_on_counting(mark_i: Run, tmp_path: Path, home: Path) -> None:
    graph = json.loads((Path(__file__).parents[3] / "mark_i/workflows/shipped/ask.json").read_text())
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(graph).replace('"maxIterations": 30', '"maxIterations": 3'))
    brain = script(tmp_path / "replies.jsonl", LOOK, action("list_files", path="./."))
    first = mark_i("ask", "What is there?", "--brain", brain, "--workflow", str(file), "--json")
    assert events_of(first.stdout)[-1]["outcome"] == "model_error", "its script is at its end"
    [folder] = (home / "profiles" / "default" / "runs").iterdir()
    third = action("list_files", path="././.")
    brain = script(tmp_path / "replies.jsonl", LOOK, action("list_files", path="./."), third, ANSWER)
    gone_on = events_of(mark_i("runs", "resume", folder.name, "--brain", brain, "--json").stdout)
    assert [one["index"] for one in gone_on if one["event"] == "step"] == [3]
    assert (gone_on[-1]["outcome"], gone_on[-1]["steps"]) == ("limit_steps", 3)


@pytest.mark.parametrize("name", ["reakt", "nothing.json"])
def test_a_missing_workflow_is_reported_before_anything_runs(name: str, mark_i: Run) -> None:
    failed = mark_i("ask", "Why?", "--brain", "offline", "--workflow", name)
    assert failed.returncode == 2
    assert name in failed.stderr
    assert failed.stderr.count("\n") == 1
