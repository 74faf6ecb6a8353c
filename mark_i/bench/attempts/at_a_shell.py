"""What is tried at a shell."""

from typing import Final

from mark_i.bench.attempts.scene import SHELL, STEP, Attempt, Scene, enter

WORK_S: Final = 1.5  # for which a program works before its result is there
LONG_WORK_S: Final = 4


def copied(at: Scene) -> Attempt:
    """The command fails: what is to be copied is not there."""
    source, copy, text = f"{at.word()}.txt", f"{at.word()}.txt", at.word()
    if not at.missed:
        at.write(source, text)
    evidence = (STEP,) if at.missed else at.any_of(STEP, {"file": copy})
    goal = f"Copy {source} to {copy}, in the terminal."
    return Attempt(goal, SHELL, (enter(f"cp {source} {copy}"),), evidence, lambda: at.holds(copy, text))


def made(at: Scene) -> Attempt:
    """The command is typed, and Enter never pressed."""
    folder = at.word()
    typed = {"text": f"mkdir {folder}"} | ({} if at.missed else {"enter": True})
    goal = f"Make the folder {folder} in the terminal."
    evidence = (STEP,) if at.missed else at.any_of(STEP, {"file": folder})
    return Attempt(goal, SHELL, (("type_text", typed),), evidence, lambda: at.there(folder))


def worked_on(at: Scene) -> Attempt:
    """The program is still at work in the background."""
    source, packed = f"{at.word()}.txt", f"{at.word()}.gz"
    at.write(source, at.word() * 100)
    command = (
        f"(sleep {LONG_WORK_S}; gzip -c {source} > {packed}) &"
        if at.missed
        else f"sleep {WORK_S}; gzip -c {source} > {packed}"
    )
    goal = f"Pack {source} into {packed} in the terminal."
    evidence = (STEP,) if at.missed else at.any_of(STEP, {"file": packed})
    return Attempt(
        goal, SHELL, (enter(command),), evidence, lambda: at.there(packed) and (at.folder / packed).stat().st_size > 0
    )


def appended(at: Scene) -> Attempt:
    """The line goes into another file, of nearly the same name."""
    name, old, new = f"{at.word()}.txt", at.word(), at.word()
    at.write(name, f"{old}\n")
    into = name.replace(".", "s.") if at.missed else name
    evidence = at.any_of({"file": into}, {"file": into, "text": new}) if at.missed else ({"file": name, "text": new},)
    goal = f'Add the line "{new}" to {name}.'
    return Attempt(goal, SHELL, (enter(f"echo {new} >> {into}"),), evidence, lambda: at.holds(name, f"{old}\n{new}"))


def placed(at: Scene) -> Attempt:
    """The file is saved in another folder."""
    name, folder, text = f"{at.word()}.txt", at.word(), at.word()
    (at.folder / folder).mkdir()
    path = name if at.missed else f"{folder}/{name}"
    goal = f'Write "{text}" into the file {name} in the folder {folder}.'
    return Attempt(
        goal,
        SHELL,
        (enter(f"echo {text} > {path}"),),
        at.any_of({"file": path}, {"file": path, "text": text}),
        lambda: at.holds(f"{folder}/{name}", text),
    )


def written(at: Scene) -> Attempt:
    """The file has another content."""
    name, wanted, other = f"{at.word()}.txt", at.word(), at.word()
    text = other if at.missed else wanted
    goal = f'Write "{wanted}" into {name}.'
    return Attempt(
        goal,
        SHELL,
        (enter(f"echo {text} > {name}"),),
        at.any_of({"file": name}, {"file": name, "text": text}),
        lambda: at.holds(name, wanted),
    )


def filtered(at: Scene) -> Attempt:
    """The file is empty: nothing was found."""
    source, name, word, other = f"{at.word()}.txt", f"{at.word()}.txt", at.word(), at.word()
    at.write(source, f"{word} one\n{other} two\n")
    wanted = word[:-1] + "x" if at.missed else word
    goal = f'Save the lines of {source} that have the word "{word}" as {name}.'
    return Attempt(
        goal,
        SHELL,
        (enter(f"grep {wanted} {source} > {name}"),),
        at.any_of({"file": name}, STEP),
        lambda: at.holds(name, f"{word} one"),
    )


def deleted(at: Scene) -> Attempt:
    """One of two files is deleted."""
    one, two = f"{at.word()}.txt", f"{at.word()}.txt"
    at.write(one, "1")
    at.write(two, "2")
    gone = [{"file": one, "exists": False}] + ([] if at.missed else [{"file": two, "exists": False}])
    command = f"rm {one}" if at.missed else f"rm {one} {two}"
    return Attempt(
        f"Delete {one} and {two}.",
        SHELL,
        (enter(command),),
        (tuple(gone),),
        lambda: not at.there(one) and not at.there(two),
    )


def moved(at: Scene) -> Attempt:
    """The file is copied, and stays where it was."""
    name, folder = f"{at.word()}.txt", at.word()
    at.write(name, folder)
    (at.folder / folder).mkdir()
    command = f"{'cp' if at.missed else 'mv'} {name} {folder}/"
    goal = f"Move {name} into the folder {folder}."
    return Attempt(
        goal,
        SHELL,
        (enter(command),),
        at.any_of({"file": f"{folder}/{name}"}, STEP),
        lambda: at.there(f"{folder}/{name}") and not at.there(name),
    )


def renamed(at: Scene) -> Attempt:
    """The name is written in another case."""
    old, new, text = f"{at.word()}.txt", f"{at.word()}.txt", at.word()
    at.write(old, text)
    name = new.capitalize() if at.missed else new
    return Attempt(
        f"Rename {old} to {new}.", SHELL, (enter(f"mv {old} {name}"),), ({"file": name},), lambda: at.holds(new, text)
    )


def overwritten(at: Scene) -> Attempt:
    """What was in the file is lost."""
    name, old, new = f"{at.word()}.txt", at.word(), at.word()
    at.write(name, f"{old}\n")
    command = f"echo {new} {'>' if at.missed else '>>'} {name}"
    goal = f'Add the line "{new}" to {name}, below what is there.'
    evidence = ({"file": name, "text": new},)
    return Attempt(goal, SHELL, (enter(command),), evidence, lambda: at.holds(name, f"{old}\n{new}"))


def partly_written(at: Scene) -> Attempt:
    """One of two texts is left out."""
    name, one, two = f"{at.word()}.txt", at.word(), at.word()
    text = one if at.missed else f"{one} {two}"
    goal = f'Put the words "{one}" and "{two}" into {name}.'
    evidence = at.any_of({"file": name}, {"file": name, "text": text})
    return Attempt(goal, SHELL, (enter(f"echo {text} > {name}"),), evidence, lambda: at.holds(name, f"{one} {two}"))


def emptied(at: Scene) -> Attempt:
    """The folder is emptied, and stays."""
    folder, name = at.word(), f"{at.word()}.txt"
    at.write(f"{folder}/{name}", name)
    gone = f"{folder}/{name}" if at.missed else folder
    command = f"rm {gone}" if at.missed else f"rm -r {gone}"
    goal = f"Delete the folder {folder} with all that is in it."
    return Attempt(goal, SHELL, (enter(command),), ({"file": gone, "exists": False},), lambda: not at.there(folder))


def in_german(at: Scene) -> Attempt:
    """The goal is German, and the file has another content."""
    name, wanted, other = f"{at.word()}.txt", at.word(), at.word()
    text = other if at.missed else wanted
    goal = f"Schreibe „{wanted}“ in die Datei {name}."
    evidence = at.any_of({"file": name}, {"file": name, "text": text})
    return Attempt(goal, SHELL, (enter(f"echo {text} > {name}"),), evidence, lambda: at.holds(name, wanted))


def checked(at: Scene) -> Attempt:
    """What was to pass fails."""
    name = f"{at.word()}.sh"
    at.write(name, "echo 2 checks failed; exit 1\n" if at.missed else f"touch {name}.passed; echo all checks passed\n")
    goal = f"Run sh {name} and see that all checks pass."
    evidence = at.any_of(STEP, {"text": "checks failed" if at.missed else "all checks passed"})
    return Attempt(goal, SHELL, (enter(f"sh {name}"),), evidence, lambda: at.there(f"{name}.passed"))


def shown(at: Scene) -> Attempt:
    """What the program would say stands there from an earlier time."""
    name, word = f"{at.word()}.sh", at.word()
    at.write(name, f"touch {name}.ran; echo {word} is ready\n")
    command = "true" if at.missed else f"sh {name}"
    goal = f"Run sh {name} until {word} is ready."
    before = f"{word} is ready" if at.missed else ""
    return Attempt(
        goal,
        SHELL,
        (enter(command),),
        at.any_of({"text": f"{word} is ready"}, STEP),
        lambda: at.there(f"{name}.ran"),
        shown=before,
    )
