"""The tasks of the foresight benchmark: each step as a model plans it, with what it expects to see before it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mark_i.bench.attempts import Attempt, Scene
from mark_i.bench.attempts.scene import EDITOR, FORM, SHELL

SAVED: Final = {"text": "The settings were saved."}

Expect = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Task:
    """An attempt that reaches its goal; `expects` has what is expected before each call, and at last before the end."""

    attempt: Attempt
    expects: tuple[Expect, ...]


def line_added(at: Scene) -> Task:
    """A line is added to a text."""
    old, new = at.word(), at.word()
    at.write("list.txt", f"{old}\n")
    calls = (("press", {"keys": "ctrl+end"}), ("type_text", {"text": new}), ("press", {"keys": "ctrl+s"}))
    return _in_editor(at, f"Add the line {new} to list.txt.", calls, f"{old}\n{new}")


def text_replaced(at: Scene) -> Task:
    """A whole text is replaced."""
    new = f"{at.word()} {at.word()}"
    at.write("list.txt", at.word())
    calls = (("press", {"keys": "ctrl+a"}), ("type_text", {"text": new}), ("press", {"keys": "ctrl+s"}))
    return _in_editor(at, f"Replace the text of list.txt by {new}.", calls, new)


def lines_written(at: Scene) -> Task:
    """Several lines are written, one after the other."""
    words = [at.word() for _ in range(4)]
    at.write("list.txt", "")
    typed = tuple(("type_text", {"text": f"{word}\n"}) for word in words)
    return _in_editor(at, f"Write the lines {', '.join(words)} into list.txt.", (*typed, _SAVE), "\n".join(words))


def saved_as(at: Scene) -> Task:
    """A text is saved under another name, in a dialog."""
    text, name = at.word(), f"{at.word()}.txt"
    at.write("list.txt", text)
    path = str(at.folder / name)
    keys = [("press", {"keys": name}) for name in ("ctrl+shift+s", "ctrl+a", "enter")]
    calls = (*keys[:2], ("type_text", {"text": path}), keys[2])
    goal = f"Save the open text as {name} in the same folder."
    evidence = {"file": path, "text": text}
    attempt = Attempt(goal, EDITOR, calls, (evidence,), lambda: at.holds(name, text), "list.txt")
    return Task(attempt, (None, {"window": "Save As"}, None, None, {"window": name}))


def folders_made(at: Scene) -> Task:
    """Folders are made at a shell."""
    names = [at.word() for _ in range(3)]
    lines = [f"mkdir {name}" for name in names]
    return _at_shell(at, f"Make the folders {', '.join(names)}.", lines, lambda: all(map(at.there, names)), names[-1])


def files_written(at: Scene) -> Task:
    """Files are written at a shell, and shown."""
    names = [f"{at.word()}.txt" for _ in range(3)]
    text = at.word()
    lines = [f"echo {text} > {name}" for name in names]
    goal = f"Write {text} into {', '.join(names)}."
    return _at_shell(at, goal, lines, lambda: all(at.holds(name, text) for name in names), names[-1])


def file_copied(at: Scene) -> Task:
    """A file is copied into a new folder, and the copy is renamed."""
    folder, name, text = at.word(), f"{at.word()}.txt", at.word()
    at.write("list.txt", text)
    lines = [f"mkdir {folder}", f"cp list.txt {folder}", f"mv {folder}/list.txt {folder}/{name}"]
    goal = f"Copy list.txt into the new folder {folder}, as {name}."
    return _at_shell(at, goal, lines, lambda: at.holds(f"{folder}/{name}", text), f"{folder}/{name}")


def files_removed(at: Scene) -> Task:
    """Some of the files in a folder are removed."""
    gone = [f"{at.word()}.txt" for _ in range(3)]
    for name in gone:
        at.write(name, "x")
    reached = lambda: not any(map(at.there, gone))  # noqa: E731 - as the others
    evidence = {"file": str(at.folder / gone[-1]), "exists": False}
    calls = tuple(("type_text", {"text": f"rm {name}", "enter": True}) for name in gone)
    attempt = Attempt(f"Remove {', '.join(gone)}.", SHELL, calls, (evidence,), reached)
    return Task(attempt, (None,) * 4)


def form_filled(at: Scene) -> Task:
    """Two fields are filled in."""
    name, port = at.word().capitalize(), str(at.chance.randrange(1000, 9999))
    calls = (_fill(name, "Name"), _fill(port, "Port"), _APPLY)
    goal = f'Set the name to "{name}" and the port to {port}, and save the settings with Apply.'
    return _in_form(at, goal, calls, {"Name": name, "Port": port})


def boxes_ticked(at: Scene) -> Task:
    """Two boxes are ticked."""
    calls = (("tick", {"target": "Newsletter"}), ("tick", {"target": "Sounds"}), _APPLY)
    return _in_form(
        at, "Tick Newsletter and Sounds, and save the settings with Apply.", calls, {"Newsletter": True, "Sounds": True}
    )


def all_of_it(at: Scene) -> Task:
    """Fields are filled in and a box is ticked."""
    name, port = at.word().capitalize(), str(at.chance.randrange(1000, 9999))
    calls = (_fill(name, "Name"), _fill(port, "Port"), ("tick", {"target": "Updates"}), _APPLY)
    goal = f'Set the name to "{name}" and the port to {port}, tick Updates, and save the settings with Apply.'
    return _in_form(at, goal, calls, {"Name": name, "Port": port, "Updates": True})


def by_keys(at: Scene) -> Task:
    """A form is filled in by keys alone."""
    name, port = at.word().capitalize(), str(at.chance.randrange(1000, 9999))
    tab = ("press", {"keys": "tab"})
    calls = (("type_text", {"text": name}), tab, ("type_text", {"text": port}), _APPLY)
    goal = f'Set the name to "{name}" and the port to {port}, and save the settings with Apply.'
    return _in_form(at, goal, calls, {"Name": name, "Port": port})


TASKS: Final = (
    line_added,
    text_replaced,
    lines_written,
    saved_as,
    folders_made,
    files_written,
    file_copied,
    files_removed,
    form_filled,
    boxes_ticked,
    all_of_it,
    by_keys,
)

_SAVE: Final = ("press", {"keys": "ctrl+s"})
_APPLY: Final = ("click", {"target": "Apply"})


def _fill(text: str, field: str) -> tuple[str, dict[str, Any]]:
    return "type_text", {"text": text, "into": field}


def _in_editor(at: Scene, goal: str, calls: tuple[tuple[str, Any], ...], text: str) -> Task:
    evidence = {"file": str(at.folder / "list.txt"), "text": text}
    attempt = Attempt(goal, EDITOR, calls, (evidence,), lambda: at.holds("list.txt", text), "list.txt")
    return Task(attempt, (None,) * (len(calls) + 1))


def _at_shell(at: Scene, goal: str, lines: list[str], reached: Callable[[], bool], made: str) -> Task:
    calls = tuple(("type_text", {"text": line, "enter": True}) for line in lines)
    attempt = Attempt(goal, SHELL, calls, ({"file": str(at.folder / made)},), reached)
    return Task(attempt, (None,) * (len(calls) + 1))


def _in_form(at: Scene, goal: str, calls: tuple[tuple[str, Any], ...], wanted: Mapping[str, Any]) -> Task:
    attempt = Attempt(goal, FORM, calls, (SAVED,), lambda: wanted.items() <= at.settings().items())
    return Task(attempt, (*(None,) * len(calls), SAVED))
