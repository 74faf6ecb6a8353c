"""Answers: how they are told, what they may say, and when they count as proven."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mark_i import AgentCore, Limits, ScriptedBrain, ToolResult, standard_toolbelt, tool
from mark_i.budget import Budget
from mark_i.events import Style
from tests.support import action
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes

TASKS = [{"title": "Water the plants", "due": "2026-12-01"}, {"title": "Call Ada", "due": "2026-12-24"}]
LIE = "You have 7 tasks, and Grace Hopper wants 4,711 euros by Friday."
ANSWER = {"answer": LIE, "kind": "answer"}


@tool(risk="look")
def list_tasks() -> list[dict[str, str]]:
    """List the tasks."""
    return TASKS


@tool(risk="look")
def read_note(name: str) -> str:
    """Read a note."""
    return f"Line one of {name}.\n\nLine two, " + "x" * 700


@tool(risk="write")
def add_task(title: str) -> ToolResult:
    """Add a task."""
    return ToolResult(f"Added {title}.", {"title": title})


def ended(goal: str, *replies: object, **parts: Any) -> tuple[dict[str, Any], ScriptedBrain]:
    brain = ScriptedBrain(replies)
    agent = AgentCore(brain, standard_toolbelt(None, list_tasks, read_note, add_task), **parts)
    return dict(list(agent.run(goal))[-1].data), brain


def test_a_strict_answer_repeats_observations_without_a_model() -> None:
    told, brain = ended("how busy am I", action("list_tasks"), ANSWER, style="strict")

    assert told["summary"].splitlines() == [
        "- title: Water the plants, due: 2026-12-01",
        "- title: Call Ada, due: 2026-12-24",
    ]
    assert told["sources"] == [{"step": 1, "text": line} for line in told["summary"].splitlines()]
    assert (told["style"], len(brain.prompts)) == ("strict", 2)
    for word in ("7", "Grace", "Hopper", "4,711", "Friday"):
        assert word not in told["summary"]


def test_a_strict_answer_comes_from_the_named_observations() -> None:
    finish = action("finish", summary=LIE, evidence=[{"observation": 2}], kind="answer")
    told, _ = ended("x", action("list_tasks"), action("read_note", name="a"), finish, style="strict")

    assert told["outcome"] == "done"
    assert {source["step"] for source in told["sources"]} == {2}
    assert told["summary"].startswith("Line one of a.\nLine two, xxx")


def test_without_an_observation_a_strict_answer_says_nothing() -> None:
    told, _ = ended("x", action("add_task", title="Lie"), {"answer": LIE}, style="strict")

    assert (told["summary"], told["sources"]) == ("No observation holds data that could answer this.", [])


def test_a_model_or_a_person_may_ask_for_a_strict_answer() -> None:
    strict = {"answer": LIE, "style": "strict"}
    free = {"answer": LIE, "style": "default"}

    assert "7 tasks" not in ended("x", action("list_tasks"), strict)[0]["summary"]
    assert "7 tasks" not in ended("x", action("list_tasks"), free, style="strict")[0]["summary"]


def test_a_verbatim_answer_is_the_payload() -> None:
    told, _ = ended("x", action("list_tasks"), {"answer": LIE}, style="verbatim")

    assert told["summary"].startswith('[\n  {\n    "title": "Water the plants"')


def test_a_summary_is_asked_for_in_three_sentences() -> None:
    told, brain = ended("how busy am I", action("list_tasks"), {"answer": LIE}, "Two tasks.", style="summary")

    assert told["summary"] == "Two tasks."
    assert "no more than three sentences" in brain.prompts[2].system
    assert "Never invent" in brain.prompts[2].system


def test_what_no_observation_holds_is_flagged() -> None:
    answer = {"answer": "You should call Ada on 2026-12-24. Then Grace gets 4,711 euros."}
    told, _ = ended("how busy am I", action("list_tasks"), answer)

    assert told["unsupported"] == ["4,711", "Grace"]
    assert told["outcome"] == "done_unverified"


@pytest.mark.parametrize(
    "answer",
    ["Ada waits, the plants, too.", "Yes. The note says: Call Ada.", "It is due on 2026-12-24.", "Step 1 shows it."],
)
def test_what_was_observed_or_asked_is_not_flagged(answer: str) -> None:
    assert ended("how busy am I", action("list_tasks"), {"answer": answer})[0]["unsupported"] == []


def verbatim(step: dict[str, object]) -> dict[str, object]:
    """The step of a brain that says that the goal asks for its result and nothing more."""
    return {**step, "style": "verbatim"}


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("list my tasks", action("list_tasks")),
        ("What tasks do I have?", action("list_tasks")),
        ("Zeig mir meine Aufgaben", action("list_tasks")),
        ("montre-moi mes tâches", action("list_tasks")),
        ("タスクを見せて", action("list_tasks")),
        ('show me the note "shopping"', action("read_note", name="shopping")),
        ("Read the note plan.txt", action("read_note", name="plan.txt")),
        ("Zeig mir die Notiz plan.txt", action("read_note", name="plan.txt")),
    ],
)
def test_what_was_only_to_be_shown_goes_straight_to_the_person(goal: str, step: dict[str, object]) -> None:
    told, brain = ended(goal, verbatim(step), {"answer": LIE})

    assert (told["outcome"], told["direct"], told["style"]) == ("done", True, "verbatim")
    assert len(brain.prompts) == 1
    assert told["evidence"] == [{"observation": 1, "confirmed": True}]
    assert not told["summary"].endswith("…")
    assert "tasks, and Grace" not in told["summary"]


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("show me the note plan.txt", verbatim(action("read_note", name="other.txt"))),
        ("list the task", verbatim(action("add_task", title="task"))),
        ("list my tasks", action("list_tasks")),
        ("list my tasks", {**action("list_tasks"), "style": "strict"}),
        ("how many tasks do I have", action("list_tasks")),
        ("forget the task we talked about", action("list_tasks")),
    ],
)
def test_anything_else_is_thought_about(goal: str, step: object) -> None:
    assert ended(goal, step, *[{"answer": "Hm."}] * 2)[0]["direct"] is False


def test_a_run_that_did_something_is_never_shown_as_data() -> None:
    add, look = action("add_task", title="x"), verbatim(action("list_tasks"))

    assert ended("add the task x and list my tasks", add, look, {"answer": "Hm."})[0]["direct"] is False


def test_a_person_who_wants_a_summary_does_not_get_the_data() -> None:
    told, _ = ended("list my tasks", verbatim(action("list_tasks")), {"answer": LIE}, "Two tasks.", style="summary")

    assert (told["direct"], told["summary"]) == (False, "Two tasks.")


@pytest.mark.parametrize(
    ("style", "label"),
    [
        ("default", "Conversational mode"),
        ("summary", "Conversational mode"),
        ("strict", "Strict data mode"),
        ("verbatim", "Strict data mode"),
    ],
)
def test_the_style_has_a_label(style: Style, label: str) -> None:
    agent = AgentCore(ScriptedBrain([{"answer": "Hm."}] * 2), standard_toolbelt(None), style=style)

    started = next(iter(agent.run("x"))).data

    assert (started["style"], started["mode"]) == (style, label)


def finishing(goal: str, *evidence: object, kind: str = "deed") -> str:
    write = action("add_task", title="x")
    told, _ = ended(goal, write, action("finish", summary="Done.", evidence=list(evidence), kind=kind))
    return str(told["outcome"])


def test_a_new_file_with_the_right_content_is_evidence(tmp_path: Path) -> None:
    new, old = tmp_path / "new.txt", tmp_path / "old.txt"
    old.write_text("hello there", encoding="utf-8")
    os.utime(old, (time.time() - 3600,) * 2)
    new.write_text("hello there", encoding="utf-8")
    os.utime(new, (time.time() + 3600,) * 2)

    for goal in ("create new.txt", "Erstelle new.txt", "crea new.txt"):
        assert finishing(goal, {"file": str(new)}) == "done"
        assert finishing(goal, {"file": str(old)}) == "done_unverified"
        assert finishing(goal, {"file": str(new), "text": "hello"}) == "done"
        assert finishing(goal, {"file": str(new), "text": "good bye"}) == "done_unverified"
        assert finishing(goal, {"file": str(tmp_path / "none.txt")}) == "done_unverified"
        assert finishing(goal, {"file": str(tmp_path)}) == "done_unverified"
    assert finishing("is there an old.txt?", {"file": str(old)}, kind="answer") == "done"


@pytest.mark.parametrize("kind", ["deed", "answer"])
def test_a_private_file_proves_nothing_and_tells_nothing(kind: str, tmp_path: Path) -> None:
    private, link = tmp_path / ".env", tmp_path / "plain.txt"
    private.write_text("hello there", encoding="utf-8")
    os.utime(private, (time.time() + 3600,) * 2)
    link.symlink_to(private)

    for file in (private, link):
        assert finishing("is there a .env?", {"file": str(file)}, kind=kind) == "done_unverified"
        assert finishing("is there a .env?", {"file": str(file), "text": "hello"}, kind=kind) == "done_unverified"


@pytest.mark.parametrize("goal", ["delete old.txt", "Lösche old.txt", "supprime old.txt", "удали old.txt"])
def test_a_file_that_is_as_it_was_proves_no_deed(goal: str, tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text("hello there", encoding="utf-8")
    os.utime(old, (time.time() - 3600,) * 2)

    assert finishing(goal, {"file": str(old)}) == "done_unverified"
    assert finishing(goal, {"file": str(old), "text": "hello"}) == "done_unverified"


def test_only_a_related_observation_is_evidence() -> None:
    assert finishing("create the task x", {"observation": 1}) == "done"
    assert finishing("delete the file report.txt", {"observation": 1}) == "done_unverified"
    assert finishing("Lösche die Datei report.txt", {"observation": 1}) == "done_unverified"
    assert finishing("what is x?", {"observation": 2}, kind="answer") == "done_unverified"  # that is the end itself


def test_an_observed_value_is_evidence_and_own_words_are_not() -> None:
    assert finishing("x", {"text": "x"}) == "done"  # the tool returned it as data
    assert finishing("x", {"text": "Added"}) == "done_unverified"  # it only said so
    read = action("read_note", name="a")
    told, _ = ended("x", read, action("finish", summary="Done.", evidence=["Line one of a."], kind="answer"))
    assert told["outcome"] == "done"


def test_the_agents_own_writing_is_no_evidence_unless_asked_for() -> None:
    @tool
    def repeat(text: str) -> str:
        """Repeat a text."""
        return text

    def outcome(goal: str) -> str:
        replies = [action("repeat", text="All is saved"), action("finish", summary="Done.", evidence=["All is saved"])]
        return AgentCore(ScriptedBrain(replies), standard_toolbelt(None, repeat)).execute_command(goal).name

    assert outcome("is it saved?") == "done_unverified"
    assert outcome('write "All is saved"') == "done"


def test_an_answer_with_an_invented_figure_is_never_done() -> None:
    proof = {"evidence": [{"observation": 1}], "kind": "answer"}
    finish = action("finish", summary="You have 7 tasks.", **proof)
    honest = action("finish", summary="One is due on 2026-12-24 (observation 1).", **proof)

    assert ended("how busy am I?", action("list_tasks"), finish)[0]["outcome"] == "done_unverified"
    assert ended("how busy am I?", action("list_tasks"), honest)[0]["outcome"] == "done"


def test_words_of_other_scripts_are_not_taken_for_names() -> None:
    answer = {"answer": "Da sind ältere Pflanzen, и они ждут."}

    assert ended("x", action("list_tasks"), answer)[0]["unsupported"] == ["Pflanzen"]


def test_a_strict_answer_at_the_limit_calls_no_model() -> None:
    told, _ = ended("how busy am I", action("list_tasks"), ANSWER, style="strict")
    assert told["outcome"] == "done"

    late, brain = ended(
        "how busy am I", action("list_tasks"), {"answer": LIE}, limits=Limits(Budget(steps=1)), style="strict"
    )
    assert (late["outcome"], len(brain.prompts)) == ("limit_steps", 1)
    assert "Grace" not in late["summary"]
    assert "Water the plants" in late["summary"]


@pytest.mark.parametrize(
    "goal",
    [
        "show me the number of tasks",
        "list the two oldest tasks",
        "show me which task is due",
        "get the size of the tasks",
    ],
)
def test_a_question_about_data_is_not_answered_with_all_of_it(goal: str) -> None:
    assert ended(goal, action("list_tasks"), {"answer": "Hm."})[0]["direct"] is False


def test_what_was_read_is_evidence_also_where_there_is_a_screen() -> None:
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (320, 200), "white"))
    eyes = Eyes(desktop, desktop.control)
    told = {"summary": "Its first line is: Line one of plan.", "evidence": [{"observation": 1}], "kind": "answer"}
    finish = action("finish", **told)
    brain = ScriptedBrain([action("read_note", name="plan"), finish])
    agent = AgentCore(brain, standard_toolbelt(eyes, read_note), desktop, eyes=eyes)

    last = list(agent.run("which line does the note plan begin with?"))[-1].data

    [piece] = last["evidence"]
    assert (last["outcome"], piece["observation"], piece["confirmed"]) == ("done", 1, True)
