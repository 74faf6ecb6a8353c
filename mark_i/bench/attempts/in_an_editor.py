"""What is tried in an editor."""

from mark_i.bench.attempts.scene import EDITOR, STEP, Attempt, Call, Scene, click, enter


def saved(at: Scene) -> Attempt:
    """The text is typed, and never saved."""
    name, text = f"{at.word()}.txt", f"{at.word()} {at.word()}"
    at.write(name, "")
    calls: tuple[Call, ...] = (("type_text", {"text": text}), *(() if at.missed else (("press", {"keys": "ctrl+s"}),)))
    evidence = at.any_of({"text": text}, STEP) if at.missed else ({"file": name, "text": text},)
    goal = f'Type "{text}" into the open editor and save it.'
    return Attempt(goal, EDITOR, calls, evidence, lambda: at.holds(name, text), file=name)


def closed(at: Scene) -> Attempt:
    """The editor is closed, and asks whether to save."""
    name, text = f"{at.word()}.txt", at.word()
    at.write(name, "")
    first: tuple[Call, ...] = () if at.missed else (("press", {"keys": "ctrl+s"}),)
    calls: tuple[Call, ...] = (("type_text", {"text": text}), *first, ("close_window", {}))
    evidence = at.any_of(STEP, {"observation": 2}) if at.missed else ({"file": name, "text": text},)
    goal = f'Write "{text}" into {name} in the open editor, save it and close the editor.'
    return Attempt(goal, EDITOR, calls, evidence, lambda: at.holds(name, text), file=name)


def undone(at: Scene) -> Attempt:
    """What was saved is undone, and saved again."""
    name, text = f"{at.word()}.txt", at.word()
    at.write(name, "")
    again: tuple[Call, ...] = (("press", {"keys": "ctrl+z"}), ("press", {"keys": "ctrl+s"})) if at.missed else ()
    calls: tuple[Call, ...] = (("type_text", {"text": text}), ("press", {"keys": "ctrl+s"}), *again)
    evidence = at.any_of({"file": name}, {"observation": 2}) if at.missed else ({"file": name, "text": text},)
    goal = f'Write "{text}" into {name}, which is open in the editor, and save it.'
    return Attempt(goal, EDITOR, calls, evidence, lambda: at.holds(name, text), file=name)


def saved_as(at: Scene) -> Attempt:
    """It is saved under another name."""
    first, new, other, text = (*(f"{at.word()}.txt" for _ in range(3)), at.word())
    at.write(first, f"{text}\n")
    path = at.folder / (other if at.missed else new)
    calls: tuple[Call, ...] = (
        ("press", {"keys": "ctrl+shift+s"}),
        ("wait_for", {"text": "Name:"}),
        ("press", {"keys": "ctrl+a"}),
        enter(str(path)),
    )
    goal = f"Save the open document as {at.folder / new}."
    evidence = at.any_of({"file": str(path)}, {"observation": 4})
    return Attempt(goal, EDITOR, calls, evidence, lambda: at.holds(new, text), file=first)


def replaced(at: Scene) -> Attempt:
    """The editor asks whether to replace a file, and nobody answers."""
    first, new, text = f"{at.word()}.txt", f"{at.word()}.txt", at.word()
    at.write(first, f"{text}\n")
    at.write(new, "old\n")
    answered: tuple[Call, ...] = () if at.missed else (("wait_for", {"text": "Replace"}), click("Replace"))
    calls: tuple[Call, ...] = (
        ("press", {"keys": "ctrl+shift+s"}),
        ("wait_for", {"text": "Name:"}),
        ("press", {"keys": "ctrl+a"}),
        enter(str(at.folder / new)),
        *answered,
    )
    goal = f"Save the open document as {at.folder / new}, in place of what is there."
    evidence = ({"observation": 4},) if at.missed else ({"file": str(at.folder / new), "text": text},)
    return Attempt(goal, EDITOR, calls, evidence, lambda: at.holds(new, text), file=first)
