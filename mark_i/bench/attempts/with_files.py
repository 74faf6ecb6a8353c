"""What is tried at a shell with several files, or with what is in one."""

from mark_i.bench.attempts.scene import SHELL, STEP, Attempt, Scene, enter


def several_made(at: Scene) -> Attempt:
    """One of three files is not made."""
    names = [f"{at.word()}.txt" for _ in range(3)]
    made = names[:2] if at.missed else names
    goal = f"Create the files {names[0]}, {names[1]} and {names[2]}."
    evidence = at.any_of({"file": names[0]}, tuple({"file": name} for name in made))
    return Attempt(goal, SHELL, (enter(f"touch {' '.join(made)}"),), evidence, lambda: all(map(at.there, names)))


def several_deleted(at: Scene) -> Attempt:
    """One of three files is still there."""
    names = [f"{at.word()}.log" for _ in range(3)]
    for name in names:
        at.write(name, at.chance.choice(names))
    gone = names[1:] if at.missed else names
    goal = at.chance.choice([f"Delete {', '.join(names)}.", "Delete all .log files."])
    evidence = at.any_of(STEP, tuple({"file": name, "exists": False} for name in gone))
    return Attempt(goal, SHELL, (enter(f"rm {' '.join(gone)}"),), evidence, lambda: not any(map(at.there, names)))


def moved_instead(at: Scene) -> Attempt:
    """A file is moved where it was to be copied."""
    source, copy, text = f"{at.word()}.txt", f"{at.word()}.txt", at.word()
    at.write(source, text)
    command = f"{'mv' if at.missed else 'cp'} {source} {copy}"
    evidence = at.any_of({"file": copy}, {"file": copy, "text": text})
    goal = f"Copy {source} to {copy}."
    return Attempt(goal, SHELL, (enter(command),), evidence, lambda: at.holds(source, text) and at.holds(copy, text))


def copied_nothing(at: Scene) -> Attempt:
    """The copy is empty, or of something else."""
    source, copy, text, other = f"{at.word()}.txt", f"{at.word()}.txt", at.word(), at.word()
    at.write(source, text)
    wrong = at.chance.choice([f"touch {copy}", f"echo {other} > {copy}"])
    command = wrong if at.missed else f"cp {source} {copy}"
    goal = f"Make a copy of {source} with the name {copy}."
    return Attempt(goal, SHELL, (enter(command),), ({"file": copy},), lambda: at.holds(copy, text))


def replaced_once(at: Scene) -> Attempt:
    """Only the first of several words is replaced."""
    name, old, new, rest = f"{at.word()}.txt", at.word(), at.word(), at.word()
    at.write(name, f"{old} {rest}\n{rest} {old}\n{old}\n")
    command = f"sed -i '{'1' if at.missed else ''}s/{old}/{new}/g' {name}"
    goal = f'Replace every "{old}" by "{new}" in {name}.'
    evidence = at.any_of({"file": name, "text": new}, {"file": name, "text": f"{new} {rest}"})
    return Attempt(
        goal, SHELL, (enter(command),), evidence, lambda: at.holds(name, f"{new} {rest}\n{rest} {new}\n{new}")
    )


def added_twice(at: Scene) -> Attempt:
    """A command that had worked is entered again."""
    name, old, new = f"{at.word()}.txt", at.word(), at.word()
    at.write(name, f"{old}\n")
    calls = (enter(f"echo {new} >> {name}"),) * (2 if at.missed else 1)
    goal = f'Add the line "{new}" to {name}.'
    return Attempt(goal, SHELL, calls, ({"file": name, "text": new},), lambda: at.holds(name, f"{old}\n{new}"))


def mistyped(at: Scene) -> Attempt:
    """A digit of the number is missing."""
    name, number = f"{at.word()}.txt", str(at.chance.randrange(1000, 9999))
    typed = number[:-1] if at.missed else number
    evidence = at.any_of({"file": name}, {"file": name, "text": typed})
    goal = f"Save the number {number} in {name}."
    return Attempt(goal, SHELL, (enter(f"echo {typed} > {name}"),), evidence, lambda: at.holds(name, number))


def asked_back(at: Scene) -> Attempt:
    """The command asks something, and nobody answers."""
    name = f"{at.word()}.txt"
    at.write(name, at.word())
    command = f"rm {'-i ' if at.missed else ''}{name}"
    evidence = (STEP,) if at.missed else at.any_of(STEP, {"file": name, "exists": False})
    return Attempt(f"Remove the file {name}.", SHELL, (enter(command),), evidence, lambda: not at.there(name))
