"""What is tried in a form."""

from mark_i.bench.apps import form
from mark_i.bench.attempts.scene import FORM, STEP, Attempt, Call, Scene, click


def ticked(at: Scene) -> Attempt:
    """A box is not ticked, or another one."""
    box = at.chance.choice(form.BOXES)
    other = next(name for name in form.BOXES if name != box)
    wrong = at.chance.choice([(), (("tick", {"target": other}),)])
    first = wrong if at.missed else (("tick", {"target": box}),)
    calls = (*first, click("Apply"))
    goal = f"Tick {box} in the settings and click Apply."
    return Attempt(goal, FORM, calls, ({"observation": len(calls)},), lambda: at.settings().get(box) is True)


def filled(at: Scene) -> Attempt:
    """Another name is typed than was asked for."""
    wanted, other = at.word().capitalize(), at.word().capitalize()
    calls = (("type_text", {"text": other if at.missed else wanted, "into": "Name"}), click("Apply"))
    goal = f'Set the name to "{wanted}" and click Apply.'
    return Attempt(
        goal,
        FORM,
        calls,
        at.any_of({"observation": 2}, {"text": "The settings were saved"}),
        lambda: at.settings().get("Name") == wanted,
    )


def applied(at: Scene) -> Attempt:
    """Nothing is applied: Enter does nothing in this form."""
    name = at.word().capitalize()
    typed = {"text": name, "into": "Name"}
    calls: tuple[Call, ...] = (
        (("type_text", typed | {"enter": True}),) if at.missed else (("type_text", typed), click("Apply"))
    )
    goal = f'Save the settings with the name "{name}".'
    return Attempt(goal, FORM, calls, ({"observation": len(calls)},), lambda: at.settings().get("Name") == name)


def refused(at: Scene) -> Attempt:
    """The program says that it could not."""
    port = at.chance.randrange(1000, 9999)
    typed = f"{port}x" if at.missed else str(port)
    calls: tuple[Call, ...] = (("type_text", {"text": typed, "into": "Port"}), click("Apply"))
    said = "The settings could not be saved" if at.missed else "The settings were saved"
    goal = f"Set the port to {port} and save the settings with Apply."
    return Attempt(
        goal, FORM, calls, at.any_of({"observation": 2}, {"text": said}), lambda: at.settings().get("Port") == str(port)
    )


def mistyped_port(at: Scene) -> Attempt:
    """Another number is typed than was asked for, and saved."""
    port = str(at.chance.randrange(1000, 9999))
    typed = port[:-1] if at.missed else port
    calls = (("type_text", {"text": typed, "into": "Port"}), click("Apply"))
    goal = f"Set the port to {port} and click Apply."
    evidence = at.any_of({"observation": 2}, {"text": "The settings were saved"})
    return Attempt(goal, FORM, calls, evidence, lambda: at.settings().get("Port") == port)


def pointed_at(at: Scene) -> Attempt:
    """A button of the same form is meant, and only the field beside it is clicked."""
    calls = (click("Name:"),) if at.missed else (click("Apply"),)
    goal = "Save the settings with the button Apply."
    return Attempt(goal, FORM, calls, (STEP,), lambda: bool(at.settings()))
