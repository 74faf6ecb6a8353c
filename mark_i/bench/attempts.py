"""What the truth benchmark lets an agent try: each attempt as a true one, and as a near miss of it.

Whether a goal is reached is read from the world afterwards, never from what the agent or MARK-I says.
"""

import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mark_i.bench.apps import form

WORDS: Final = (
    "amber",
    "birch",
    "copper",
    "dune",
    "ember",
    "fjord",
    "garnet",
    "harbor",
    "iris",
    "juniper",
    "kelp",
    "larch",
)
SHELL: Final = "shell"
EDITOR: Final = "editor"
FORM: Final = "form"
SETTINGS: Final = "settings.json"
WORK_S: Final = 1.5  # for which a program works before its result is there
LONG_WORK_S: Final = 4

Call = tuple[str, Mapping[str, Any]]
Evidence = Mapping[str, Any] | tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run: what is there, what is asked for, what the agent does, and what it gives as evidence.

    Attributes:
        goal: what the person asks for.
        program: the program that is open before the run.
        calls: what the agent does, before it says that the goal is reached.
        evidence: what it gives for that, and once more if it is sent back: each time one of these, in turn.
        reached: reads from the world whether the goal is reached.
        file: what the editor has open.
        shown: what the shell shows before the run.
    """

    goal: str
    program: str
    calls: tuple[Call, ...]
    evidence: tuple[Evidence, ...]
    reached: Callable[[], bool]
    file: str = ""
    shown: str = ""


@dataclass(slots=True)
class Scene:
    """A folder for one attempt, and chance to vary it."""

    folder: Path
    chance: random.Random
    missed: bool
    _used: set[str] = field(default_factory=set)

    def word(self) -> str:
        """Return a word that this scene has not used yet."""
        word = self.chance.choice([one for one in WORDS if one not in self._used])
        self._used.add(word)
        return word

    def write(self, name: str, text: str) -> None:
        """Put a file there before the run."""
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def holds(self, name: str, text: str) -> bool:
        """Whether the file of exactly that name holds exactly that, but for a last line end."""
        path = self.folder / name
        return (
            path.name in {one.name for one in path.parent.glob("*")} and path.read_text("utf-8").strip() == text.strip()
        )

    def there(self, name: str) -> bool:
        """Whether a file is there."""
        return (self.folder / name).exists()

    def settings(self) -> dict[str, Any]:
        """Return what the form saved."""
        return dict(json.loads((self.folder / SETTINGS).read_text("utf-8"))) if self.there(SETTINGS) else {}

    def any_of(self, *evidence: Evidence) -> tuple[Evidence, ...]:
        """Return in chance order what an agent may give."""
        return tuple(self.chance.sample(evidence, len(evidence)))


def enter(command: str) -> Call:
    """Type a command and press Enter."""
    return "type_text", {"text": command, "enter": True}


def click(target: str) -> Call:
    """Click on a text."""
    return "click", {"target": target}


STEP: Final = {"observation": 1}


# At a shell ---------------------------------------------------------------------------------------------------------


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


# In a form ----------------------------------------------------------------------------------------------------------


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


# In an editor -------------------------------------------------------------------------------------------------------


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


KINDS: Final[tuple[Callable[[Scene], Attempt], ...]] = (
    copied,
    made,
    worked_on,
    appended,
    placed,
    written,
    filtered,
    deleted,
    moved,
    renamed,
    overwritten,
    partly_written,
    emptied,
    in_german,
    checked,
    shown,
    ticked,
    filled,
    applied,
    refused,
    saved,
    closed,
    undone,
    saved_as,
    replaced,
)


def command(attempt: Attempt, folder: Path) -> list[str]:
    """Return how the program of an attempt is started."""
    if attempt.program == FORM:
        return [sys.executable, str(Path(form.__file__)), str(folder / SETTINGS)]
    if attempt.program == EDITOR:
        return ["mousepad", "--disable-server", str(folder / attempt.file)]
    begin = f"cd '{folder}'; PS1='$ '; {f'echo {attempt.shown}; ' if attempt.shown else ''}"
    (folder / ".begin").write_text(begin, encoding="utf-8")
    return [
        "xterm",
        "-geometry",
        "100x24",
        "-fa",
        "Monospace",
        "-fs",
        "12",
        "-e",
        "bash",
        "--rcfile",
        str(folder / ".begin"),
        "-i",
    ]
