"""What a run makes of the skill that it did: only what a model did is new, and nothing of it is guessed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mark_i.config.paths import skills_folder
from mark_i.skills.file import write_skill
from mark_i.skills.proposals import CHANGED, proposed, take_over
from mark_i.skills.repair import CORRECTED, INTERRUPTED, SPOKEN, UNVERIFIED, Change, Repair, repaired
from mark_i.skills.skill import Effect, Parameter, Shown, Skill, SkillStep
from mark_i.skills.store import names_of, skill_named, stamp
from world_model import Action, Journal, Observation, Problem, ScreenChange, Step, Thought, UsageError

SKILL = Skill(
    name="tell",
    goal="tell {what} to {whom}",
    state="kept",
    parameters=(Parameter(name="what", example="news"), Parameter(name="whom", example="Ann")),
    steps=(
        SkillStep(does="Type {what}", tool="type_text", args={"text": "{what}"}),
        SkillStep(does="Press f2", tool="press", args={"keys": "f2"}, then=Effect(opened="To")),
        SkillStep(does="Type {whom}", tool="type_text", args={"text": "{whom}"}),
        SkillStep(does="Press enter", tool="press", args={"keys": "enter"}, then=Effect(seen=("Sent",))),
    ),
    check=(Shown(step=2), Shown(step=4), Shown(text="Sent")),
)
VALUES = {"what": "hello", "whom": "Eve"}
SEEN = Observation(ok=True, text="", screen=ScreenChange(changed=True))
FAILED = Observation(ok=False, text="", error=Problem("TOOL_ERROR", "No."))


def press(keys: str, note: str = "") -> tuple[Action, str, Observation]:
    return Action("press", {"keys": keys}), note, SEEN


def typed(text: str, note: str = "") -> tuple[Action, str, Observation]:
    return Action("type_text", {"text": text}), note, SEEN


def left(step: int) -> tuple[Action, str, Observation]:
    args = {"skill": "tell", "goal": "", "steps": 4, "evidence": [], "why": "It does not fit.", "step": step}
    return Action("end_skill", {**args, "acted": False, "left": []}), "", FAILED


def resumed(step: int) -> tuple[Action, str, Observation]:
    return Action("resume_skill", {"skill": "tell", "step": step}), "", SEEN


ENDED = (Action("end_skill", {"skill": "tell", "goal": "", "steps": 4, "evidence": [], "why": ""}), "", SEEN)
ONE, TWO, THREE, FOUR = (
    typed("hello", "does 1"),
    press("f2", "does 2"),
    typed("Eve", "does 3"),
    press("enter", "does 4"),
)


def repair(
    folder: Path, *steps: tuple[Action, str, Observation], outcome: str = "done", said: str = "", **values: str
) -> Repair | None:
    """What a run of these steps makes of the skill."""
    journal = Journal(folder / "run", {"goal": "tell it", "desktop": "virtual"})
    for index, (action, note, seen) in enumerate(steps, 1):
        journal.decided(index, action)
        journal.add(Step(index, Thought(""), action, seen, note=note))
    if said:
        journal.said(1, said)
    journal.close({"outcome": outcome, "summary": "", "evidence": []})
    return repaired(SKILL, {**VALUES, **values}, folder / "run", folder)


def keys(made: Repair | None) -> list[Any]:
    assert made is not None
    return [one.args.get("keys", one.args.get("text")) for one in made.skill.steps]


def test_what_a_model_did_takes_the_place_of_what_did_not_fit(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, left(2), press("f3"), press("f4"), resumed(3), THREE, FOUR, ENDED)

    assert keys(made) == ["{what}", "f3", "f4", "{whom}", "enter"]
    assert made is not None
    assert made.changes == (Change(2, ("Press f2",), ("Press f3", "Press f4")),)
    assert [made.skill.steps[at] for at in (0, 3, 4)] == [SKILL.steps[at] for at in (0, 2, 3)]
    assert [one.then.opened for one in made.skill.steps] == ["", "", "To", "", ""]
    assert made.skill.check == (Shown(step=3), Shown(step=5), Shown(text="Sent"))
    assert (made.skill.state, made.skill.made_from.run) == ("draft", "run")


def test_what_was_in_the_way_comes_before_the_step(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, left(2), press("escape"), resumed(2), TWO, THREE, FOUR, ENDED)

    assert keys(made) == ["{what}", "escape", "f2", "{whom}", "enter"]
    assert made is not None
    assert made.changes == (Change(2, (), ("Press escape",)),)


def test_a_step_that_was_needless_is_left_out(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, left(2), resumed(3), THREE, FOUR, ENDED)

    assert keys(made) == ["{what}", "{whom}", "enter"]
    assert made is not None
    assert made.skill.check == (Shown(step=3), Shown(text="Sent"))


def test_a_step_without_its_effect_is_new_if_a_model_did_more(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, TWO, left(2), press("f3"), resumed(3), THREE, FOUR, ENDED)

    assert keys(made) == ["{what}", "f2", "f3", "{whom}", "enter"]
    assert made is not None
    assert [one.then.opened for one in made.skill.steps] == ["", "", "To", "", ""]


def test_an_effect_that_came_late_changes_nothing(tmp_path: Path) -> None:
    assert repair(tmp_path, ONE, TWO, left(2), resumed(3), THREE, FOUR, ENDED) is None


def test_a_model_that_went_on_in_vain_is_followed_to_the_end(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, left(2), resumed(1), left(2), press("f3"), typed("Eve"), press("f4"))

    assert keys(made) == ["{what}", "f3", "{whom}", "f4"]
    assert made is not None
    assert made.skill.steps[-1].then.seen == ("Sent",)
    assert made.changes == (
        Change(2, ("Press f2", "Type {whom}", "Press enter"), ("Press f3", 'Type "{whom}"', "Press f4")),
    )


@pytest.mark.parametrize(
    ("steps", "values", "why"),
    [
        ((ONE, TWO, left(3), press("e"), press("v"), resumed(4), FOUR), {}, "does not use the value of whom"),
        ((ONE, TWO, left(3), typed("Eve"), resumed(4), FOUR), {"what": "Eve"}, "what and whom had the same value"),
        ((ONE, left(2), press("backspace"), press("f3"), resumed(3), THREE, FOUR), {}, CORRECTED),
    ],
)
def test_nothing_is_guessed(tmp_path: Path, steps: tuple[Any, ...], values: dict[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        repair(tmp_path, *steps, outcome="done", **values)


def test_the_same_value_is_no_matter_where_a_model_used_none(tmp_path: Path) -> None:
    made = repair(tmp_path, ONE, left(2), press("f3"), resumed(3), THREE, FOUR, ENDED, what="Eve")

    assert keys(made) == ["{what}", "f3", "{whom}", "enter"]


def test_a_run_that_leaves_open_what_was_done_repairs_nothing(tmp_path: Path) -> None:
    steps = (ONE, left(2), press("f3"), resumed(3), THREE, FOUR, ENDED)
    lost = Observation(ok=False, text="", data={"interrupted": True}, error=Problem("TOOL_ERROR", "Interrupted."))

    with pytest.raises(UsageError, match=UNVERIFIED):
        repair(tmp_path / "a", *steps, outcome="done_unverified")
    with pytest.raises(UsageError, match=INTERRUPTED):
        repair(tmp_path / "b", *steps[:3], (Action("press", {"keys": "f9"}), "", lost), *steps[3:])
    with pytest.raises(UsageError, match="did not reach its goal"):
        repair(tmp_path / "c", *steps, outcome="failed")
    with pytest.raises(UsageError, match=SPOKEN):
        repair(tmp_path / "d", *steps, said="Make it two.")


def test_a_proposal_is_a_draft_beside_its_skill_until_it_takes_its_place(tmp_path: Path) -> None:
    folder = skills_folder("default") / "tell"
    step = SKILL.steps[0].model_copy(update={"pictures": {"into": "step-1-into.png"}})
    other = SKILL.steps[1].model_copy(update={"pictures": {"target": "step-2-target.png"}})
    plain = np.zeros((4, 4, 3), np.uint8)
    skill = SKILL.model_copy(update={"steps": (step, other, *SKILL.steps[2:])})
    write_skill(skill, folder, {"step-1-into.png": plain, "step-2-target.png": plain})
    before = stamp(folder)
    new = SKILL.steps[1].model_copy(update={"pictures": {"target": "step-3-target.png"}})
    steps = (step, new, *SKILL.steps[2:])
    made = Repair(SKILL.model_copy(update={"steps": steps, "state": "draft"}), {"step-3-target.png": plain}, ())

    with proposed(made, folder, "default") as draft, proposed(made, folder, "default") as another:
        names, beside = names_of("default"), skill_named("default", draft.name)[0]
    take_over(made, folder, before)

    assert (draft.name, another.name, names) == (
        "tell-repair",
        "tell-repair-2",
        ["tell", "tell-repair", "tell-repair-2"],
    )
    assert (beside.state, beside.steps) == ("draft", steps)
    assert names_of("default") == ["tell"]
    assert (skill_named("default", "tell")[0].state, skill_named("default", "tell")[0].steps) == ("kept", steps)
    assert sorted(file.name for file in folder.iterdir()) == ["skill.toml", "step-1-into.png", "step-3-target.png"]
    with pytest.raises(UsageError, match=CHANGED):
        take_over(made, folder, before)
