"""The values of a run that may be others: what it typed or chose, if its goal has it or it is a path."""

from dataclasses import replace
from pathlib import Path

import pytest

from mark_i.skills.compiling import Compiled, makes_skill
from mark_i.skills.parameters import parameter, parameters_of, with_parameters
from mark_i.skills.skill import Effect, ParameterType, Shown, Skill, SkillStep
from world_model import Action, Observation, Run, Step, Thought, UsageError

Found = list[tuple[str, str, str]]


def skill(goal: str, *done: tuple[str, dict[str, object]]) -> Skill:
    return Skill(name="s", goal=goal, steps=tuple(SkillStep(does="d", tool=tool, args=args) for tool, args in done))


@pytest.mark.parametrize(
    ("goal", "done", "found"),
    [
        ("write to Ann", [("type_text", {"text": "Ann", "into": "To:"})], [("to", "text", "Ann")]),
        ("pay 12.50 on 2026-11-29", [("type_text", {"text": "12.50"}), ("type_text", {"text": "2026-11-29"})],
         [("number", "number", "12.50"), ("date", "date", "2026-11-29")]),
        ("save", [("type_text", {"text": "/tmp/a.txt", "into": "Name"})], [("file", "path", "/tmp/a.txt")]),
        ("choose Japan", [("select", {"options": ["Japan"], "target": "Country"})], [("country", "text", "Japan")]),
        ("greet", [("type_text", {"text": "Hello"})], []),
        ("write annual", [("type_text", {"text": "ann"})], []),
        ("press 2", [("press", {"keys": "2"})], []),
        ("to Ann and Bob", [("type_text", {"text": "Ann"}), ("type_text", {"text": "Bob"})],
         [("text", "text", "Ann"), ("text_2", "text", "Bob")]),
        ("Ann to Ann", [("type_text", {"text": "Ann"}), ("type_text", {"text": "Ann"})], [("text", "text", "Ann")]),
    ],
)  # fmt: skip
def test_the_values_that_may_be_others_are_found(
    goal: str, done: list[tuple[str, dict[str, object]]], found: Found
) -> None:
    assert [(one.name, one.type, one.example) for one in parameters_of(skill(goal, *done))] == found


def test_a_value_is_named_wherever_it_stands_but_in_keys_and_programs() -> None:
    made = Skill(
        name="s",
        goal="open 2 windows, type 2, save as /tmp/n2.txt",
        steps=(
            SkillStep(does="Type 2", tool="type_text", args={"text": "2"}, then=Effect(seen=("2", "2 words"))),
            SkillStep(does="Press", tool="press", args={"keys": "ctrl+2"}),
            SkillStep(does="Open", tool="open_app", args={"name": "2"}),
            SkillStep(does="Type", tool="type_text", args={"text": "/tmp/n2.txt"}, window="n2.txt - Editor"),
        ),
        check=(Shown(file="/tmp/n2.txt", text="2"),),
    )

    named = with_parameters(made, parameters_of(made))

    assert named.goal == "open {number} windows, type {number}, save as {file}"
    assert [step.args for step in named.steps] == [
        {"text": "{number}"},
        {"keys": "ctrl+2"},
        {"name": "2"},
        {"text": "{file}"},
    ]
    assert named.steps[0].then.seen == ("{number}",)
    assert named.steps[3].window == "{file.name} - Editor"
    assert named.check == (Shown(file="{file}", text="{number}"),)


def test_an_entry_that_was_clicked_is_a_value_and_a_button_is_none() -> None:
    made = skill(
        "choose Green and click OK",
        ("click", {"target": {"text": "Green", "beside": "Red"}}),
        ("click", {"target": {"text": "OK"}}),
    )

    found = parameters_of(made, {"Green", "Blue"})

    assert [(one.name, one.example) for one in found] == [("text", "Green")]
    assert with_parameters(made, found).steps[0].args == {"target": {"text": "{text}", "beside": "Red"}}


PLAIN = skill("send 3 to Ann as {other}", ("type_text", {"text": "Ann"}), ("type_text", {"text": "3"}))


def test_a_person_renames_parameters_changes_their_type_and_leaves_some_out() -> None:
    compiled = Compiled(PLAIN, parameters_of(PLAIN), {}, ())

    renamed = compiled.named("mail", [parameter("whom", "text", "Ann"), parameter("amount", "text", "3")])
    fewer = compiled.named("mail", [parameter("whom", "text", "Ann")])

    assert [step.args["text"] for step in compiled.skill.steps] == ["{text}", "{number}"]
    assert [step.args["text"] for step in renamed.steps] == ["{whom}", "{amount}"]
    assert (renamed.name, renamed.description) == ("mail", "send {amount} to {whom} as {other}")
    assert [step.args["text"] for step in fewer.steps] == ["{whom}", "3"]


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ([("Whom", "text", "Ann")], "'Whom' cannot be a parameter"),
        ([("whom", "number", "Ann")], "whom cannot be a number: its value in the run is 'Ann'"),
        ([("one", "text", "Ann"), ("one", "text", "3")], "Two parameters are named one."),
        ([("other", "text", "Ann")], "other cannot be a parameter: {other} already stands"),
    ],
)
def test_parameters_that_cannot_be_are_told(named: list[tuple[str, ParameterType, str]], told: str) -> None:
    with pytest.raises(UsageError) as raised:
        Compiled(PLAIN, (), {}, ()).named("mail", [parameter(*one) for one in named])

    assert str(raised.value).startswith(told)


@pytest.mark.parametrize(
    ("outcome", "desktop", "tools", "makes"),
    [
        ("done", {"kind": "virtual"}, ["click", "finish"], True),
        ("done_unverified", {"kind": "virtual"}, ["click"], True),
        ("failed", {"kind": "virtual"}, ["click"], False),
        ("done", None, ["click"], False),
        ("done", {"kind": "virtual"}, ["wait", "ask_user", "finish"], False),
    ],
)
def test_a_run_makes_a_skill_if_it_did_something_and_went_well(
    outcome: str, desktop: object, tools: list[str], makes: object
) -> None:
    steps = tuple(
        Step(at, Thought(""), Action(tool, {}), Observation(ok=True, text="")) for at, tool in enumerate(tools, 1)
    )
    about = {"outcome": {"outcome": outcome}, "desktop": desktop}

    assert makes_skill(Run(Path("run"), about, steps, None)) is makes


def test_what_a_skill_did_makes_no_other_skill() -> None:
    done = Step(1, Thought(""), Action("click", {}), Observation(ok=True, text=""), note="does 1")
    about = {"outcome": {"outcome": "done"}, "desktop": {"kind": "virtual"}}

    assert not makes_skill(Run(Path("run"), about, (done,), None))
    assert makes_skill(Run(Path("run"), about, (done, replace(done, index=2, note="")), None))
