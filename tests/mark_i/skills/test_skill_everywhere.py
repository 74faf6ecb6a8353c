"""Skills are there for every brain: a goal in words orders one, and a model calls one within its run."""

import json
from pathlib import Path
from typing import Any

import pytest

from mark_i.config.paths import runs_folder
from mark_i.skills.brain import TRIES_MAX, WAITS_MAX
from tests.order_skill import keep_order
from tests.support import Run, action, events, finish, script

VIRTUAL = ("--virtual", "1024x768", "--json")
NOTHING = 'Nothing was done. Say for example: run order with person "Eve", company "Babbage"'
CALL = action("order", person="Eve", company="Acme")


def told(output: str) -> tuple[str, str, list[str]]:
    """How a run ended, its summary, and the tools of its steps."""
    all_events = events(output)
    tools = [one["action"]["tool"] for one in all_events if one["event"] == "step"]
    return all_events[-1]["outcome"], all_events[-1]["summary"], tools


def prompts_of(output: str) -> list[dict[str, Any]]:
    """What a model was asked in a run."""
    file = runs_folder() / events(output)[-1]["run"] / "prompts.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("shop", "patience")
def test_a_goal_in_words_does_the_skill_with_its_values(mark_i: Run) -> None:
    keep_order(state="draft")

    done = mark_i("run", "do the order with person Eve and company Acme", "--brain", "offline", *VIRTUAL)

    outcome, _, tools = told(done.stdout)
    assert (done.returncode, outcome) == (0, "done"), done.stdout
    assert tools == ["open_app", "type_text", "type_text", "click", "finish"]
    assert '"Eve"' in done.stdout
    assert "The skill order is a draft" in done.stdout


@pytest.mark.usefixtures("shop", "patience")
def test_a_missing_value_is_asked_for_and_told_where_nobody_answers(mark_i: Run) -> None:
    keep_order()
    goal = "do the order for person Eve"

    answered = mark_i("run", goal, "--brain", "offline", *VIRTUAL, input='{"answer": "Acme"}\n')
    alone = mark_i("run", goal, "--brain", "offline", *VIRTUAL, input="")

    outcome, _, tools = told(answered.stdout)
    assert (outcome, tools[0]) == ("done", "ask_user"), answered.stdout
    assert '"Acme"' in answered.stdout
    assert told(alone.stdout) == (
        "failed",
        f"What is company for the skill order? It must be given. {NOTHING}",
        ["ask_user", "fail"],
    )


@pytest.mark.usefixtures("shop", "patience")
def test_a_model_calls_a_skill_whose_steps_need_no_model(mark_i: Run, tmp_path: Path) -> None:
    keep_order()
    brain = script(tmp_path / "run.jsonl", CALL, finish({"text": "clicked apply"}))

    done = mark_i("run", "order for Eve at Acme, apply", "--brain", brain, "--yes", *VIRTUAL)

    outcome, _, tools = told(done.stdout)
    assert (outcome, tools) == (
        "done",
        ["order", "open_app", "type_text", "type_text", "click", "end_skill", "finish"],
    ), done.stdout
    steps = [one for one in events(done.stdout) if one["event"] == "step"]
    assert [one["foreseen"] for one in steps] == [False, True, True, True, True, True, False]
    assert steps[5]["observation"]["data"] == {
        "skill": "order",
        "goal": "order for Eve at Acme, apply",
        "evidence": [{"observation": 5}],
    }
    last = prompts_of(done.stdout)[-1]["text"]
    assert "end_skill(" in last
    assert "does 1" not in last  # the notes of the skill are none of the model's


@pytest.mark.usefixtures("shop", "patience")
def test_a_model_goes_on_where_a_skill_was_left_and_a_new_one_is_made_of_both(mark_i: Run, tmp_path: Path) -> None:
    keep_order(button="Send")
    brain = script(
        tmp_path / "run.jsonl", CALL, action("click", target={"text": "Apply"}), finish({"text": "clicked apply"})
    )

    done = mark_i("run", "order for Eve at Acme, apply", "--brain", brain, "--yes", *VIRTUAL)

    outcome, _, tools = told(done.stdout)
    assert (outcome, tools[-3:]) == ("done", ["end_skill", "click", "finish"]), done.stdout
    made = json.loads(mark_i("skill", "from", "last", "repaired", "--json").stdout)
    assert [(one["tool"], one["args"]) for one in made["steps"][2:]] == [
        ("type_text", {"text": "{company}", "into": {"text": "Company"}}),
        ("click", {"target": {"text": "Apply"}}),
    ]
    assert [one["tool"] for one in made["steps"][:2]] == ["open_app", "type_text"]
    assert [one["why"] for one in made["left_out"]] == [
        "called",
        *(("failed", "looked") * (TRIES_MAX - 1)),
        "failed",
        "called",
    ]
    [end] = [one for one in events(done.stdout) if one["event"] == "step" and one["action"]["tool"] == "end_skill"]
    assert end["observation"]["error"]["message"].startswith("The skill order was left. Step 4 of the skill: ")


@pytest.mark.usefixtures("shop", "patience")
def test_the_waits_of_a_skill_are_no_loop_of_the_model(mark_i: Run, tmp_path: Path) -> None:
    keep_order(shown="what never comes")
    brain = script(tmp_path / "run.jsonl", CALL, action("fail", reason="It did not come."))

    done = mark_i("run", "order for Eve at Acme, apply", "--brain", brain, "--yes", *VIRTUAL)

    steps = [one for one in events(done.stdout) if one["event"] == "step"]
    waits = [one["observation"]["ok"] for one in steps if one["action"]["tool"] == "wait"]
    assert waits == [True] * WAITS_MAX
    assert steps[-2]["observation"]["error"]["message"].endswith('"what never comes" is not on the screen.')


@pytest.mark.usefixtures("shop")
def test_a_model_is_offered_what_is_kept_and_must_give_its_values(mark_i: Run, tmp_path: Path) -> None:
    keep_order()
    keep_order("draft_order", state="draft")
    keep_order("click")
    brain = script(
        tmp_path / "run.jsonl", action("order", person="Eve"), action("draft_order", person="Eve", company="Acme")
    )

    done = mark_i("run", "order", "--brain", brain, "--yes", "--max-steps", "2", *VIRTUAL)

    steps = [one["observation"] for one in events(done.stdout) if one["event"] == "step"]
    assert [one["error"]["code"] for one in steps] == ["INVALID_ARGS", "UNKNOWN_TOOL"], done.stdout
    assert "company" in steps[0]["error"]["message"]
    assert "The tool click of a skill is left out: there is another one of that name." in done.stdout
    prompt = prompts_of(done.stdout)[0]
    assert "- order(person, company): Order something for a person." in prompt["system"]
    assert "end_skill" not in prompt["system"]
