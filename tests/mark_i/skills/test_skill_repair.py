"""Where a step of a skill does not fit, a model does it, and the skill is repaired if it then replays true."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mark_i.cli.repairs import CHECKS, STOPPED
from mark_i.config.paths import runs_folder
from mark_i.skills.repair import UNVERIFIED
from mark_i.skills.store import names_of, skill_named
from mark_i.testing import OPENAI, ModelServer
from tests.order_skill import FORM, keep_order
from tests.support import CAP_S, Run, action, events, finish, script, soon

VIRTUAL = ("--virtual", "1024x768", "--json")
DISPATCH = action("click", target={"text": "Dispatch"})
DONE = finish({"text": "clicked apply"})
YES = '{"approve": "once"}\n'
WAIT = action("wait_for", text="what never comes", timeout=2 * CAP_S)


def renamed(shop: Path, old: str, new: str) -> None:
    """Give a control of the program an entirely other name; what it does stays."""
    named = f"{{{old!r}: {new!r}}}.get(name, name)"
    text = FORM.read_text(encoding="utf-8")
    for before, after in (("Button(label=name)", f"Button(label={named})"), ('f"{name}:"', f'{named} + ":"')):
        assert before in text
        text = text.replace(before, after)
    other = shop.parent / "other.py"
    other.write_text(text, encoding="utf-8")
    shop.write_text(f"#!/bin/sh\nexec /usr/bin/python3 {other}\n")


def last(output: str, name: str) -> dict[str, Any]:
    return [one for one in events(output) if one["event"] == name][-1]


def asked(output: str) -> list[str]:
    """The tools of the steps that a model decided."""
    return [one["action"]["tool"] for one in events(output) if one["event"] == "step" and not one["foreseen"]]


@pytest.mark.usefixtures("patience")
def test_a_model_does_what_does_not_fit_and_the_skill_is_repaired(
    mark_i: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = keep_order()
    before, _ = skill_named("default", "order")
    renamed(shop, "Apply", "Dispatch")
    values = ("--set", "person=Eve", "--set", "company=Acme")

    refused = mark_i("skill", "run", "order", *values, *VIRTUAL)
    untouched, _ = skill_named("default", "order")
    with ModelServer(OPENAI, [DISPATCH, DONE]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        brain = ("--brain", "openai:gpt-4o", "--base-url", server.base_url)
        done = mark_i("skill", "run", "order", *values, *brain, "--yes", *VIRTUAL)
        again = mark_i("skill", "run", "order", *brain, *VIRTUAL)

    assert (server.requests, server.complaints) == (2, [])
    assert (refused.returncode, last(refused.stdout, "ended")["outcome"]) == (1, "failed")
    assert last(refused.stdout, "ended")["summary"].startswith("Step 4 of the skill: TARGET_NOT_FOUND: Not on the")
    assert untouched == before
    assert (done.returncode, last(done.stdout, "ended")["outcome"]) == (0, "done"), done.stdout
    repair, after = last(done.stdout, "repair"), skill_named("default", "order")[0]
    assert repair["kept"], repair
    assert repair["changes"] == [{"step": 4, "was": ["Click on Apply"], "now": ['Click on "Dispatch"']}]
    assert [one["values"]["person"] for one in repair["replays"]] == ["Ada", "other Ada"]
    assert after.steps[:3] == before.steps[:3]
    assert after.steps[3].args == {"target": {"text": "Dispatch"}}
    assert after.steps[3].then.seen == before.steps[3].then.seen
    same = {"name", "description", "goal", "state", "parameters", "check"}
    assert after.model_dump(include=same) == before.model_dump(include=same)
    assert names_of("default") == ["order"]
    prompts = (runs_folder() / repair["run"] / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    assert all('run order with person "Eve", company "Acme"' in json.loads(one)["text"] for one in prompts)
    assert "Not done yet: 4. Click on Apply." in json.loads(prompts[0])["text"]
    assert all((folder / file).is_file() for file in after.steps[3].pictures.values())
    assert (again.returncode, asked(again.stdout)) == (0, []), again.stdout
    assert "repair" not in {one["event"] for one in events(again.stdout)}


@pytest.mark.usefixtures("patience")
def test_the_skill_goes_on_after_what_a_model_did_and_the_next_row_needs_none(
    mark_i: Run, shop: Path, tmp_path: Path
) -> None:
    file = keep_order() / "skill.toml"
    goal = file.read_text(encoding="utf-8").replace(
        "order for {person} at {company}, apply", "order for {person}, apply"
    )
    file.write_text(goal, encoding="utf-8")
    renamed(shop, "Company", "Firm")
    typed = action("type_text", text="/srv/acme.txt", into={"text": "Firm"})
    planned = {**typed, "then": [action("resume_skill", skill="order", step=4)]}
    brain = script(tmp_path / "run.jsonl", planned, DONE)
    rows = tmp_path / "rows.csv"
    rows.write_text("person,company\nEve,/srv/acme.txt\nBob,Initech\n", encoding="utf-8")

    done = mark_i("skill", "run", "order", "--rows", str(rows), "--brain", brain, *VIRTUAL, input=YES)

    first, second = done.stdout.split('{"event": "repair"')
    assert (done.returncode, asked(first)) == (0, ["type_text", "finish"]), done.stdout
    # The values are the person's, and what a skill does after a model is judged as any step of a model.
    assert [one["tool"] for one in events(first) if one["event"] == "approval"] == ["click"]
    assert [one["action"]["tool"] for one in events(first) if one["event"] == "step"][-4:] == [
        "resume_skill",
        "click",
        "end_skill",
        "finish",
    ]
    after = skill_named("default", "order")[0]
    assert [one.does for one in after.steps] == [
        "Open orderform",
        "Type {person}",
        'Type "{company}" into "Firm"',
        "Click on Apply",
    ]
    assert after.steps[2].args == {"text": "{company}", "into": {"text": "Firm"}}
    second = second.partition("\n")[2]
    assert (asked(second), last(second, "ended")["outcome"], '"Initech"' in second) == ([], "done", True), second


@pytest.mark.usefixtures("patience")
def test_a_repair_that_does_not_replay_true_is_not_kept(mark_i: Run, shop: Path, tmp_path: Path) -> None:
    file = keep_order() / "skill.toml"
    typed = 'args = {text = "{company}", into = {text = "Company"}}'
    before = file.read_text(encoding="utf-8").replace(typed, f'{typed}\nthen = {{seen = ["clicked company"]}}')
    file.write_text(before, encoding="utf-8")
    renamed(shop, "Company", "Firm")
    wrong = action("type_text", text="Babbage", into={"text": "Street"})
    brain = script(tmp_path / "run.jsonl", wrong, action("resume_skill", skill="order", step=4), DONE)

    done = mark_i("skill", "run", "order", "--brain", brain, "--yes", "--virtual", "1024x768")

    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert 'Step 3 of the skill did not fit. Was: Type {company}. Is: Type "{company}" into "Street".' in lines
    assert lines[-3] == CHECKS
    assert lines[-1] == (
        "The skill order stays as it was. The repair did not replay true. "
        'Step 3 of the skill: "clicked company" is not on the screen.'
    )
    assert (file.read_text(encoding="utf-8"), names_of("default")) == (before, ["order"])


@pytest.mark.usefixtures("patience")
def test_what_a_run_does_not_prove_repairs_nothing(mark_i: Run, shop: Path, tmp_path: Path) -> None:
    file = keep_order() / "skill.toml"
    before = file.read_text(encoding="utf-8")
    renamed(shop, "Apply", "Dispatch")
    cancel = action("click", target={"text": "Cancel"})
    brain = script(tmp_path / "run.jsonl", cancel, finish({"text": "clicked cancel"}))

    done = mark_i("skill", "run", "order", "--brain", brain, "--yes", *VIRTUAL)

    repair = last(done.stdout, "repair")
    assert (done.returncode, repair["kept"], repair["replays"]) == (6, False, []), done.stdout
    assert repair["told"] == f"The skill order stays as it was. {UNVERIFIED}"
    assert file.read_text(encoding="utf-8") == before


@pytest.mark.usefixtures("patience")
def test_a_draft_that_nobody_checked_stays_and_the_run_makes_another(mark_i: Run, shop: Path, tmp_path: Path) -> None:
    file = keep_order(state="draft") / "skill.toml"
    before = file.read_text(encoding="utf-8")
    renamed(shop, "Apply", "Dispatch")
    brain = script(tmp_path / "run.jsonl", DISPATCH, DONE)

    done = mark_i("skill", "run", "order", "--brain", brain, "--yes", *VIRTUAL)
    repair = last(done.stdout, "repair")
    made = json.loads(mark_i("skill", "from", repair["run"], "dispatch", "--json").stdout)

    assert (done.returncode, repair["kept"], repair["replays"]) == (0, False, [])
    assert f"mark-i skill from {repair['run']} NAME" in repair["told"]
    assert file.read_text(encoding="utf-8") == before
    assert made["steps"][3]["args"] == {"target": {"text": "Dispatch"}}


@pytest.mark.usefixtures("patience")
def test_a_stop_while_a_model_repairs_changes_nothing_and_the_run_can_go_on(
    mark_i: Run, shop: Path, tmp_path: Path
) -> None:
    keep_order()
    renamed(shop, "Apply", "Dispatch")
    kept = json.loads(mark_i("desktop", "start", "desk", "1024x768", "--json").stdout)["name"]
    brain = script(tmp_path / "run.jsonl", WAIT)
    command = [sys.executable, "-m", "mark_i", "skill", "run", "order", "--on", kept, "--brain", brain, "--json"]
    told = []
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                told.append(line)
                if json.loads(line)["event"] == "action" and "what never comes" in line:
                    process.send_signal(signal.SIGINT)
        after_stop = skill_named("default", "order")[0]
        other = script(tmp_path / "other.jsonl", DISPATCH, DONE)
        done = mark_i("runs", "resume", "last", "--on", kept, "--brain", other, "--yes", "--json")
    finally:
        mark_i("desktop", "stop", kept)

    assert process.returncode == 130
    repair = last("".join(told), "repair")
    assert (repair["kept"], repair["changes"]) == (False, [])
    assert re.fullmatch(
        r"The skill order stays as it was\. The run .+ did not reach its goal \(stopped\).*", repair["told"]
    )
    assert after_stop.steps[3].args == {"target": {"text": "Apply", "role": "button"}}
    assert (done.returncode, asked(done.stdout)) == (0, ["click", "finish"]), done.stdout
    assert last(done.stdout, "repair")["kept"]
    assert skill_named("default", "order")[0].steps[3].args == {"target": {"text": "Dispatch"}}


@pytest.mark.usefixtures("patience", "processes")
def test_a_stop_of_the_check_leaves_the_skill_as_it_was(shop: Path, tmp_path: Path) -> None:
    folder = keep_order()
    before = (folder / "skill.toml").read_text(encoding="utf-8")
    renamed(shop, "Apply", "Dispatch")
    brain = script(tmp_path / "run.jsonl", DISPATCH, DONE)
    command = [sys.executable, "-m", "mark_i", "skill", "run", "order", "--brain", brain, "--yes", *VIRTUAL]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert soon((folder.parent / "order-repair" / "skill.toml").exists)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=CAP_S)

    repair = last(told, "repair")
    assert (process.returncode, last(told, "ended")["outcome"]) == (130, "done")
    assert (repair["kept"], repair["told"]) == (False, f"The skill order stays as it was. {STOPPED}")
    assert ((folder / "skill.toml").read_text(encoding="utf-8"), names_of("default")) == (before, ["order"])


@pytest.mark.usefixtures("patience")
def test_a_killed_repair_goes_on_where_it_was(mark_i: Run, shop: Path, tmp_path: Path) -> None:
    keep_order()
    renamed(shop, "Apply", "Dispatch")
    kept = json.loads(mark_i("desktop", "start", "desk", "1024x768", "--json").stdout)["name"]
    brain = script(tmp_path / "run.jsonl", DISPATCH, WAIT)
    command = [
        sys.executable,
        "-m",
        "mark_i",
        "skill",
        "run",
        "order",
        "--on",
        kept,
        "--brain",
        brain,
        "--json",
        "--yes",
    ]
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if json.loads(line)["event"] == "action" and "what never comes" in line:
                    process.send_signal(signal.SIGKILL)
                    break
        other = script(tmp_path / "other.jsonl", DONE, DONE)  # the first was used
        done = mark_i("runs", "resume", "last", "--on", kept, "--brain", other, "--yes", "--json")
    finally:
        mark_i("desktop", "stop", kept)

    assert (done.returncode, asked(done.stdout)) == (0, ["finish"]), done.stdout
    assert last(done.stdout, "repair")["kept"]
    assert skill_named("default", "order")[0].steps[3].args == {"target": {"text": "Dispatch"}}


@pytest.mark.usefixtures("patience")
def test_what_a_person_orders_with_a_skill_needs_no_approval_beside_a_model(
    mark_i: Run, shop: Path, tmp_path: Path
) -> None:
    keep_order(button="Send", shown="clicked apply")
    renamed(shop, "Apply", "Send")
    brain = script(tmp_path / "run.jsonl", action("fail", reason="No model is needed."))

    done = mark_i("skill", "run", "order", "--brain", brain, *VIRTUAL, input="")

    assert (done.returncode, asked(done.stdout)) == (0, []), done.stdout
    assert "approval" not in {one["event"] for one in events(done.stdout)}


def test_a_brain_that_plans_nothing_repairs_nothing(mark_i: Run, tmp_path: Path) -> None:
    keep_order()
    mark_i("run", "do it", "--brain", script(tmp_path / "run.jsonl", action("fail", reason="No.")), *VIRTUAL)

    for brain in ("offline", "replay:last"):
        done = mark_i("skill", "run", "order", "--brain", brain, "--virtual", "320x240")

        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(
            " plans nothing by itself, so it repairs no skill. Leave out --brain, or name a model.\n"
        )
