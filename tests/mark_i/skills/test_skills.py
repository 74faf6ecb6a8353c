"""A run becomes a skill that is done again elsewhere, with other values, and refuses where it does not fit."""

import json
from pathlib import Path
from typing import Any

import pytest

from mark_i.config.paths import runs_folder, skills_folder
from mark_i.skills.store import skill_named
from tests.order_skill import FORM, keep_order
from tests.support import Run, action, events, finish, script
from world_model import read_run

GOAL = "order for Ada of Babbage, gift wrap, apply"
# Where these are on a desktop of 1024x768; a model names points.
STEPS: list[tuple[str, dict[str, Any]]] = [
    ("type_text", {"text": "Ada", "into": "Name"}),
    ("type_text", {"text": "Babbage", "into": "Company"}),
    ("click", {"target": "Gift wrap"}),
    ("click", {"target": "Apply"}),
]


def ran(mark_i: Run, tmp_path: Path, steps: list[tuple[str, dict[str, Any]]]) -> str:
    """Run these steps, and return the name of the run."""
    replies = [action(tool, **args) for tool, args in [("open_app", {"name": "orderform"}), *steps]]
    brain = script(tmp_path / "run.jsonl", *replies, finish({"text": "clicked apply"}))
    told = events(mark_i("run", GOAL, "--brain", brain, "--virtual", "1024x768", "--json", "--yes").stdout)
    assert told[-1]["outcome"] == "done", told[-1]
    return str(told[-1]["run"])


def by_points(run: str) -> list[tuple[str, dict[str, Any]]]:
    """The steps of a run as a model gives them that names points and knows no names."""
    found = []
    for step in read_run(runs_folder() / run, images=False).steps[1:-1]:
        args, [place] = dict(step.action.args), step.observation.places
        args["into" if "into" in args else "target"] = {"x": place.x, "y": place.y}
        found.append((step.action.tool, args))
    return found


def ended(output: str) -> dict[str, Any]:
    return next(one for one in reversed(events(output)) if one["event"] == "ended")


def test_a_run_by_points_is_done_again_for_each_row_elsewhere_and_refused_where_it_does_not_fit(
    mark_i: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ran(mark_i, tmp_path, by_points(ran(mark_i, tmp_path, STEPS)))
    rows = tmp_path / "rows.csv"
    rows.write_text("name\nEve \u03a9\n", encoding="utf-8")

    made = json.loads(mark_i("skill", "from", run, "order", "--json").stdout)
    monkeypatch.setenv("FORM_LOOK", "dark")
    monkeypatch.setenv("GDK_DPI_SCALE", "1.2")
    again = mark_i("skill", "run", "order", "--rows", str(rows), "--virtual", "1400x900", "--json")
    other = tmp_path / "other.py"
    other.write_text(FORM.read_text(encoding="utf-8").replace('"Apply"', '"Erase"'), encoding="utf-8")
    shop.write_text(f"#!/bin/sh\nexec /usr/bin/python3 {other}\n")
    refused = mark_i("skill", "run", "order", "--virtual", "1024x768", "--json")

    assert [(one["name"], one["example"]) for one in made["parameters"]] == [("name", "Ada"), ("company", "Babbage")]
    targets = [one["args"].get("into", one["args"].get("target")) for one in made["steps"][1:]]
    assert all("text" in one for one in targets), targets
    assert (again.returncode, ended(again.stdout)["outcome"]) == (0, "done"), ended(again.stdout)
    typed = [one["action"]["args"].get("text") for one in events(again.stdout) if one["event"] == "step"]
    assert typed[1:3] == ["Eve \u03a9", "Babbage"]
    assert ended(again.stdout)["usage"]["input_tokens"] == 0
    assert (refused.returncode, ended(refused.stdout)["outcome"]) == (1, "failed"), ended(refused.stdout)
    assert "Step 5 of the skill" in ended(refused.stdout)["summary"]
    clicks = [one for one in events(refused.stdout) if one["event"] == "step" and one["action"]["tool"] == "click"]
    assert [one["observation"]["ok"] for one in clicks] == [True, *[False] * (len(clicks) - 1)]


def test_a_skill_is_kept_once_it_replayed_true_with_other_values(mark_i: Run, shop: Path, tmp_path: Path) -> None:
    run = ran(mark_i, tmp_path, STEPS)
    assert mark_i("skill", "from", run, "order").returncode == 0
    state = skill_named("default", "order")[0].state

    checked = json.loads(mark_i("skill", "check", "order", "--json").stdout)
    wrong = mark_i("skill", "run", "order", "--set", "town=Oslo", "--virtual", "1024x768")

    assert (state, checked["state"], skill_named("default", "order")[0].state) == ("draft", "kept", "kept"), checked
    assert [one["values"] for one in checked["replays"]] == [
        {"name": "Ada", "company": "Babbage"},
        {"name": "other Ada", "company": "other Babbage"},
    ]
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "mark-i: The skill order has no parameter 'town'. It has: name, company.\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("from", "last", "x"), "There are no runs yet. Start one: mark-i run GOAL."),
        (("run", "letter"), "There are no skills yet. Make one from a run: mark-i skill from last NAME"),
        (("from", "last", "../x"), "'../x' cannot be a skill: its name is made of 1 to 64 letters, digits, - and _."),
    ],
)
def test_what_cannot_be_is_one_line(mark_i: Run, arguments: tuple[str, ...], told: str) -> None:
    done = mark_i("skill", *arguments)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mark-i: {told}\n")


def test_a_skill_with_a_fault_hides_no_others(mark_i: Run) -> None:
    for name, tool in (("good", "press"), ("odd", 7)):
        folder = skills_folder("default") / name
        folder.mkdir(parents=True)
        step = f'[[steps]]\ndoes = "d"\ntool = {json.dumps(tool)}\nargs = {{keys = "f1"}}\n'
        (folder / "skill.toml").write_text(f'version = 1\nname = "{name}"\ngoal = "g"\n{step}')

    done = mark_i("skill", "list", "--json")

    assert [one["name"] for one in json.loads(done.stdout)] == ["good"]
    assert done.stderr.count("\n") == 1
    assert "steps 1, tool: input should be a valid string" in done.stderr


def test_a_run_that_failed_makes_no_skill(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "run.jsonl", action("fail", reason="No."))
    told = events(mark_i("run", "do it", "--brain", brain, "--virtual", "320x240", "--json").stdout)

    done = mark_i("skill", "from", "last", "it")

    assert done.returncode == 2
    assert done.stderr == f"mark-i: The run {told[-1]['run']} did not reach its goal (failed), so it makes no skill.\n"


def test_a_tool_that_there_is_not_is_found_before_the_first_step(mark_i: Run, tmp_path: Path) -> None:
    file = keep_order() / "skill.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"click"', '"clik"'), encoding="utf-8")
    line = file.read_text(encoding="utf-8").splitlines().index('tool = "clik"') + 1
    wrong = f"{file}, line {line}, step 4: There is no tool named 'clik'. Did you mean"

    done = mark_i("skill", "run", "order", "--virtual", "320x240", "--json")
    brain = script(tmp_path / "run.jsonl", action("fail", reason="No."))
    other = mark_i("run", "anything", "--brain", brain, "--virtual", "320x240", "--json")

    assert (done.returncode, done.stdout) == (2, "")
    assert wrong in done.stderr
    assert wrong in next(one["text"] for one in events(other.stdout) if one["event"] == "notice")
