"""A skill for the program `orderform`, as a person keeps it, without the run that it would be made from."""

from pathlib import Path
from typing import Final

from mark_i.config.paths import skills_folder
from mark_i.skills.file import write_skill
from mark_i.skills.skill import Effect, Parameter, Shown, Skill, SkillStep, State

FORM: Final = Path(__file__).parent / "apps" / "form_gtk.py"


def keep_order(name: str = "order", state: State = "kept", button: str = "Apply", shown: str = "") -> Path:
    """Keep a skill that fills in the form and presses a button; return its folder."""
    skill = Skill(
        name=name,
        description="Order something for a person",
        goal="order for {person} at {company}, apply",
        state=state,
        parameters=(Parameter(name="person", example="Ada"), Parameter(name="company", example="Babbage")),
        steps=(
            SkillStep(
                does="Open orderform",
                tool="open_app",
                args={"name": "orderform"},
                then=Effect(opened="Form GTK"),
            ),
            SkillStep(does="Type {person}", tool="type_text", args={"text": "{person}", "into": {"text": "Name"}}),
            SkillStep(does="Type {company}", tool="type_text", args={"text": "{company}", "into": {"text": "Company"}}),
            SkillStep(
                does=f"Click on {button}",
                tool="click",
                args={"target": {"text": button, "role": "button"}},
                then=Effect(seen=(shown or f"clicked {button.lower()}",)),
            ),
        ),
        check=(Shown(step=4),),
    )
    folder = skills_folder("default") / name
    write_skill(skill, folder)
    return folder
