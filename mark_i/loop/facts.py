"""What is known at the end of a run: the goal, the steps, the screen now, and the world before the first deed."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from mark_i.loop.file_evidence import FileFacts
from mark_i.loop.file_objections import missing_files
from mark_i.loop.goal_words import (
    NUMBER,
    asks_to_move,
    asks_to_open,
    asks_to_point,
    asks_to_remove,
    done_by,
    is_answer,
    is_question,
    says,
    without,
    words,
)
from toolbelt.belt import Toolbelt
from toolbelt.desktops import described_as, pastes
from toolbelt.elements import Element
from toolbelt.ocr import Line, find, holds_alike
from toolbelt.parameters import (
    Aimed,
    AppName,
    Chosen,
    Command,
    Enters,
    FileContent,
    FilePath,
    KeyNames,
    Runs,
    Times,
    Typed,
    Unmarked,
    WindowTitle,
    first_of,
)
from toolbelt.tool import Tool
from world_model import Frame, Region, Step, WorldModel

COMPLAINT: Final = re.compile(r"(?:-?\w*sh: (?:line \d+: |\d+: )?)?([\w.+-]+):(?: |$)")
COMMAND: Final = re.compile(r"(?:^|[|;&(]|\bsudo )\s*([\w./+-]+)", re.MULTILINE)
CHOICE: Final = re.compile(r"[(\[](?:\w+/)+\w+[)\]]\s*[:?]?$")  # `[y/N]` at the end of a line, which waits
NAMING = frozenset({AppName, Chosen, FilePath, KeyNames, WindowTitle})  # roles of arguments that name what is meant
UNDO = frozenset({"ctrl+z", "cmd+z", "super+z"})
CANCEL = frozenset({"escape", "esc"})
UNDO_LABELS = frozenset(
    {
        "undo",
        "rückgängig",
        "rückgängig machen",
        "deshacer",
        "desfazer",
        "ongedaan maken",
        "撤销",
        "元に戻す",
        "실행 취소",
    }
)
WRITTEN = frozenset({Typed, Runs, Command, FileContent, Unmarked})  # roles of what the agent words itself


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """What was on the screen before the first deed.

    Attributes:
        lines: the lines of text on it.
        titles: the titles of the windows.
        fields: what the text fields held, as their programs said.
    """

    lines: tuple[Line, ...] = ()
    titles: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunFacts:
    """What is known at the end of a run.

    Attributes:
        goal: what the person asked for.
        world_model: every step.
        toolbelt: knows which tools only look, and which end a run.
        lines: the lines of text on the screen now.
        titles: the titles of the windows now.
        before: what was there before the first deed.
        came: the titles of windows that came with each step.
        closed: the titles of windows that were closed with each step.
        files: what files are judged by.
        read: reads a frame; what it may read is limited by the frames that are kept.
        open_questions: dialogs that came in this run and are still open.
        unfinished: what a program has not finished; None if it has, as far as that is known.
        controls: finds the controls on a frame, with the same limit as `read`.
        said: returns the elements on the screen now, as far as their programs say that they are there.
        is_changed: whether the person said more than the first goal since.
    """

    goal: str
    world_model: WorldModel
    toolbelt: Toolbelt
    lines: tuple[Line, ...] = ()
    titles: tuple[str, ...] = ()
    before: SeenBefore = field(default_factory=SeenBefore)
    came: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    files: FileFacts = field(default_factory=lambda: FileFacts(""))
    read: Callable[[Frame], tuple[Line, ...]] = lambda _: ()
    open_questions: tuple[str, ...] = ()
    unfinished: str | None = None
    controls: Callable[[Frame], tuple[Element, ...]] = lambda _: ()
    closed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    said: Callable[[], tuple[Element, ...]] = tuple
    is_changed: bool = False

    def counts(self, step: Step) -> bool:
        """Whether a step did or found something itself; ending the run does not count."""
        tool = step.action.tool
        if not step.observation.ok or tool not in self.toolbelt:
            return False
        known = self.toolbelt[tool]
        return not (known.ending or known.begins_steps or known.ends_steps)

    def ends(self, step: Step) -> bool:
        """Whether a step ended the run."""
        return step.action.tool in self.toolbelt and self.toolbelt[step.action.tool].ending

    def looked(self, step: Step) -> bool:
        """Whether a step only looked, or only moved the pointer where the goal asks for more than to see something."""
        if not self.counts(step):
            return False
        tool = self.toolbelt[step.action.tool]
        return tool.risk == "look" or (tool.hovers and not self._wants_pointer)

    @cached_property
    def _wants_pointer(self) -> bool:
        return asks_to_point(self.goal) or asks_to_move(self.goal) or asks_to_open(self.goal)

    def found(self, step: Step) -> bool:
        """Whether a step returned something it found, not made: it only looked, or acted without a screen."""
        plain = self.counts(step) and step.observation.screen is None
        return self.looked(step) or (plain and self.toolbelt[step.action.tool].risk == "act")

    def worked(self) -> Iterator[Step]:
        """Iterate over the steps that count."""
        return filter(self.counts, self.world_model)

    def deeds(self) -> bool:
        """Whether anything was done besides looking."""
        return self.first_deed is not None

    @cached_property
    def first_deed(self) -> int | None:
        """The first step that did something; None if none did."""
        return next((step.index for step in self.worked() if not self.looked(step)), None)

    # The agent's own words --------------------------------------------------------------------------------------------

    def types(self, step: Step) -> bool:
        """Whether a step types or pastes, so that what is then read on the screen is the agent's own text."""
        return next(self._keyed(step), None) is not None

    def texts(self, step: Step) -> list[str]:
        """Return the texts that a step types, without the empty ones."""
        return [text.strip() for text in self._keyed(step) if text.strip()]

    def enters(self, step: Step) -> bool:
        """Whether a step presses Enter after what it typed."""
        return any(role is Enters and bool(value) for _, role, value in self._parts(step))

    def undoes(self, step: Step) -> bool:
        """Whether a step takes something back, with keys or from a menu."""
        keys = any(role is KeyNames and str(value).casefold() in UNDO for _, role, value in self._parts(step))
        return keys or any(place.name.casefold() in UNDO_LABELS for place in step.observation.places)

    def cancels(self, step: Step) -> bool:
        """Whether a step gives something up, with the key for that."""
        return any(role is KeyNames and str(value).casefold() in CANCEL for _, role, value in self._parts(step))

    @cached_property
    def typed(self) -> tuple[str, ...]:
        """What the agent typed: each piece, and all joined where nothing but a look came between, as within a word."""
        pieces = [piece for step in self.world_model for piece in self._keyed(step)]
        parts = ("".join(self._keyed(one)) or "\n" * (not self.looked(one)) for one in self.world_model)
        return (*pieces, "".join(parts).strip("\n")) if pieces else ()

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words that the agent wrote, in whatever way."""
        written = (value for step in self.worked() if not self.looked(step) for value in self._written(step))
        return frozenset().union(*map(words, (*self.typed, *written)))

    @cached_property
    def asked(self) -> set[str]:
        """The words of the goal that the agent did not type itself; all of them if it typed all."""
        return words(without(self.goal, self.typed)) - self._typed_words or words(self.goal)

    def rest_of(self, clause: str) -> set[str]:
        """Return the words of a part of the goal that the agent did not type itself."""
        return words(without(clause, self.typed)) - self._typed_words

    def complains(self, text: str) -> bool:
        """Whether a command that the agent typed says something about itself: `cp: omitting directory`.

        A line such as `To town: 8 and 9` is none where the agent wrote it.
        """
        said = COMPLAINT.match(text.strip())
        return said is not None and said[1] in self._commands and not any(f"{said[1]}:" in one for one in self.typed)

    @cached_property
    def _commands(self) -> frozenset[str]:
        lines = "\n".join(self.typed)
        return frozenset(Path(name).name for name in COMMAND.findall(lines))

    def is_own(self, text: str) -> bool:
        """Whether a text holds nothing but what the agent wrote; the number of a line beside it does not count."""
        said = words(" ".join(token for token in text.split() if not token.isdecimal()))
        return any(says(one, text) for one in self.typed) or (bool(said) and said <= self.own_words)

    def is_completed(self, text: str) -> bool:
        """Whether a program completed what the agent typed: `sum-42` after `echo sum-$((40+2))`."""
        typed = {token for piece in self.typed for token in piece.split()}
        return any(self._is_completion(token, one) for token in text.split() for one in typed)

    def _is_completion(self, token: str, typed: str) -> bool:
        """Whether a text begins like one that was typed and goes on otherwise than that did."""
        same = "".join(
            one for one, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(token, typed, strict=False))
        )
        return (
            bool(words(same) & self.own_words) and same != typed and not same[-1:].isalnum() and not self.is_own(token)
        )

    @cached_property
    def _typed_words(self) -> frozenset[str]:
        return frozenset().union(*map(words, self.typed))

    def _keyed(self, step: Step) -> Iterator[str]:
        """Yield what a step types: its texts, and keys that stand for one character; of a paste, an empty text."""
        for tool, role, value in self._parts(step):
            if role is KeyNames:
                named = {"space": " ", "enter": "\n", "tab": "\n"}.get(str(value), str(value).removeprefix("shift+"))
                if len(named) == 1 and named != "\n":
                    yield from [named] * first_of(tool.parts(step.action.args), Times, 1)
                elif pastes(str(value)):
                    yield ""
            elif role is Typed or (role is Unmarked and isinstance(value, str) and _shows(step)):
                yield str(value)
            elif tool.pastes_selection(step.action.args):
                yield ""

    def _written(self, step: Step) -> Iterator[str]:
        for _, role, value in self._parts(step):
            if role in WRITTEN and isinstance(value, str):
                yield value

    def named(self, step: Step) -> Iterator[str]:
        """Yield what a step's arguments name: an application, a window, a file, a place; without a screen, all.

        Keys stand for what they do in nearly every program, in the words of the goal; for themselves only if it may
        want them pressed.
        """
        for _, role, value in self._parts(step):
            if role is KeyNames:
                yield from self.done_by_keys(step)
                yield from [str(value)] if asks_to_point(self.goal) else []
            elif role in NAMING or (role is Unmarked and not _shows(step)):
                yield str(value)
            elif role is Aimed:
                yield from (text for text in values(value) if not text.isdecimal())

    def done_by_keys(self, step: Step) -> Iterator[str]:
        """Yield the words of the goal for what the keys of a step do in nearly every program."""
        for _, role, value in self._parts(step):
            if role is KeyNames:
                yield from done_by(str(value), self.goal)

    def clipboard(self, step: Step) -> str | None:
        """Return the text on the clipboard that a step read; None if it read none."""
        tool = self.toolbelt.known(step.action.tool)
        return next(values(step.observation.data), "") if tool and tool.reads_clipboard else None

    def computed(self, step: Step) -> bool:
        """Whether a number appeared by itself with a step that typed several numbers of the goal."""
        typed, asked = NUMBER.findall(" ".join(self._keyed(step))), NUMBER.findall(self.goal)
        new = map(str.strip, self.appeared(step)) if sum(one in asked for one in typed) > 1 else ()
        return any(NUMBER.fullmatch(one) and one not in typed for one in new)

    def opened(self, step: Step) -> Iterator[str]:
        """Yield the names and descriptions, in all languages, of the application that a step opened."""
        for _, role, value in self._parts(step):
            if role is AppName and self.came.get(step.index):
                yield from described_as(str(value))

    def _parts(self, step: Step) -> Iterator[tuple[Tool, type, object]]:
        tool = self.toolbelt.known(step.action.tool)
        if tool is None or tool.ending:
            return
        for role, value in tool.parts(step.action.args):
            yield tool, role, value

    # What was seen ----------------------------------------------------------------------------------------------------

    def stood_before(self, text: str) -> bool:
        """Whether a text was on the screen, or was found, before the first deed, at least as often as it is now."""
        if any(says(title, text) for title in self.before.titles):
            return True
        if any(says(one, text) for one in self._found_before):
            return True
        earlier = on_screen(text, self.before.lines)
        return bool(earlier) and earlier >= on_screen(text, self.lines)

    def names_missing(self, text: str) -> str | None:
        """Return the file that a text names and the goal wants, where no such file is new: another one is meant."""
        return next((name for name in self._missing if holds_alike(name, text)), None)

    @cached_property
    def _missing(self) -> tuple[str, ...]:
        wanted = () if asks_to_remove(self.goal) else missing_files(self.files)
        return tuple(path.name for path in wanted)

    @cached_property
    def words_before(self) -> frozenset[str]:
        """The words that were on the screen before the first deed."""
        texts = (*(line.text for line in self.before.lines), *self.before.titles)
        return frozenset().union(*map(words, texts))

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that came in this run and are still on the screen, with something to answer them by."""
        new = [line.text.strip() for line in self.lines if not self.stood_before(line.text)]
        asked = [text for text in new if is_question(text) and not self.is_own(text)]
        choices = [text for text in new if is_answer(text)]
        waiting = [text for text in new if CHOICE.search(text) and not self.is_own(text)]
        return (*waiting, *(asked if choices else ()))

    @cached_property
    def _found_before(self) -> tuple[str, ...]:
        first = self.first_deed or len(self.world_model) + 1
        looks = (step for step in self.worked() if step.index < first)
        return tuple(text for step in looks for text in (step.observation.text, *values(step.observation.data)))

    def changes(self, step: Step, *, read: bool = True) -> tuple[str, ...]:
        """Return the texts that appeared and vanished with a step, and the titles of windows that came.

        Where nobody has read them yet, the frames are read now, which takes long, if they are still kept and `read`.
        """
        came, gone = self._come_and_gone(step, read=read)
        return (*came, *gone)

    def appeared(self, step: Step) -> tuple[str, ...]:
        """Return the texts that appeared with a step, and the titles of windows that came."""
        return self._come_and_gone(step, read=True)[0]

    def says_new(self, step: Step, within: Sequence[Region]) -> bool:
        """Whether a text appeared with a step within some regions, as far as its frames are still kept."""
        if not (step.before and step.after):
            return bool(self.appeared(step))
        if not step.after.pixels.size:
            return True
        old = {line.text for line in self.read(step.before)}
        new = (line for line in self.read(step.after) if line.text not in old)
        return any(line.region.overlaps(region) for line in new for region in within)

    def _come_and_gone(self, step: Step, *, read: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        seen, came = step.observation.screen, self.came.get(step.index, ())
        if seen is None or not seen.changed:
            return came, ()
        if seen.appeared or seen.vanished or not read:
            return (*came, *seen.appeared), tuple(seen.vanished)
        old, new = (
            Counter(line.text for line in self.read(one)) if one else Counter() for one in (step.before, step.after)
        )
        return (*came, *(new - old)), tuple(old - new)


def on_screen(text: str, lines: tuple[Line, ...]) -> int:
    """Return how often a text can be read on a screen, even over several lines."""
    return len(find(text, lines)) or int(says(" ".join(line.text for line in lines), text))


def values(data: object) -> Iterator[str]:
    """Iterate over the texts and numbers that a tool returned, without the names of the fields."""
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from values(value)
    elif isinstance(data, str | int | float) and not isinstance(data, bool):
        yield str(data)


def _shows(step: Step) -> bool:
    return step.observation.screen is not None and step.observation.screen.changed
