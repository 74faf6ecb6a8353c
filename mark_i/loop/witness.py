"""What a run remembers of the world before its first deed and after it, so that its end can be checked."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from mark_i.brain import Brain, PastRun, Prompt, Word, follows_orders, goal_anew, left_undone
from mark_i.control_words import control_word
from mark_i.events import Outcome
from mark_i.human.words import Words
from mark_i.loop.facts import RunFacts, SeenBefore
from mark_i.loop.file_evidence import FileFacts, FilesBefore, files_before
from mark_i.loop.goal_words import file_names
from mark_i.loop.rest import names_of, unfinished
from mark_i.loop.screen_view import ScreenView
from mark_i.loop.text_objections import as_mapping
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import Window
from toolbelt.elements import Element, elements_on
from toolbelt.ocr import Line
from toolbelt.parameters import Enters, KeyNames
from toolbelt.tool import Ending
from world_model import Action, Frame, Journal, WorldModel, read_frame

# What was said too late for a run that came to its end by itself is the next goal; any other run leaves it in its own.
STOPPED: Final = "The run was stopped."
FOLLOWED: Final = frozenset({"done", "done_unverified", "failed"})
CLOSING_MAX_S: Final = 3.0  # for a dialog that was accepted to close


class Witness:
    """Remembers for one run what its end is checked against.

    Args:
        screen: what the run sees.
        control: a stop ends every wait.
        toolbelt: knows which tools only look.
        world_model: the steps of the run.
        folders: where relative paths start.
        journal: the run on disk, which is no result of it.

    Attributes:
        goal: what the run is for, after all that the person said.
        from_start: the goal for a run that begins anew, if the brain has said it.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a run
        self,
        screen: ScreenView,
        control: Control,
        toolbelt: Toolbelt,
        world_model: WorldModel,
        folders: tuple[Path, ...],
        journal: Journal | None,
    ) -> None:
        self._screen, self._control, self._toolbelt = screen, control, toolbelt
        self._world_model, self._folders, self._journal = world_model, folders, journal
        self.goal, self.from_start, self._began = "", "", 0.0
        self._is_changed = False  # by what the person said since
        self._unfinished: str | None = None
        self._told: str | None = None
        self._deed: tuple[int, Action] | None = None  # the newest action that does more than look, after so many steps
        self._killed = 0  # programs that had been killed before the first deed
        self._files = FilesBefore()
        self._windows: list[Window] | None = None  # before the first deed, once there was one
        self._open: dict[int, str] = {}  # the titles of the windows, by their ids
        self._closed: dict[int, tuple[str, ...]] = {}
        self._came: dict[int, tuple[str, ...]] = {}
        self._frame: Frame | None = None  # the screen before the first deed
        self._fields: tuple[str, ...] = ()  # what text fields held then
        self._lines: tuple[Line, ...] | None = None
        self._read: dict[str, tuple[Line, ...]] = {}
        self._found: dict[str, tuple[Element, ...]] = {}

    def begin(self, goal: str) -> None:
        """Look at the files that are there; of a resumed run, only the screen before its first deed is known."""
        self.goal, self._began = goal, time.time()
        if not len(self._world_model):
            self._files = files_before(goal, self._folders)
            return
        self._began = self._journal.started if self._journal else 0.0
        if self._journal and (first := self.facts().first_deed):
            screen = self._world_model[first].before
            self._frame = read_frame(self._journal.folder, screen.digest) if screen else None

    def say(self, text: str) -> None:
        """Add what the person said to what the run is for; a stop is for nothing."""
        if control_word(text) != "stop":
            self.goal, self._is_changed = f"{self.goal}\n{text}", True

    def stopped(self, brain: Brain, first: str, words: Words) -> Outcome:
        """Return how a run ends that was stopped, with what it has left in the middle."""
        steps = tuple(self._world_model)
        in_flight = self._deed[1] if self._deed and self._deed[0] == len(steps) else None
        left = left_undone(brain, PastRun(first, steps, words.all, in_flight))
        return Outcome("stopped", f"{STOPPED} {left}".strip())

    def told_at_end(self, outcome: Outcome | None, brain: Brain, first: str, words: Words) -> dict[str, Any]:
        """Hear nothing any longer; return what is told beside the outcome.

        Args:
            outcome: how the run ended; None if it was killed.
            brain: that of the run.
            first: the goal as the run was given it.
            words: what the person said.

        Returns:
            The `goal` for a run that begins anew, if it has changed, and what was said too late and so is `unheard`.
        """
        unheard = words.end()
        if outcome is None:
            return {}
        late, missed = (unheard, ()) if outcome.name in FOLLOWED else ((), unheard)
        anew = self._anew(brain, first, missed, words.all)
        return ({"goal": anew} if anew != first else {}) | ({"unheard": [*late]} if late else {})

    def _anew(self, brain: Brain, first: str, missed: Sequence[str], said: tuple[Word, ...]) -> str:
        """Return the goal for a run that begins anew, also after what no step has heard."""
        for text in missed:
            self.say(text)
        if not follows_orders(brain):
            return self.goal
        prompt = Prompt("", first, "", past=partial(tuple, self._world_model), said=said)
        return (goal_anew(brain, prompt) if missed else "") or self.from_start or first

    def understand(self, goal: str, from_start: str) -> None:
        """Take this for what the run is for, after all that the person said, and for what it is from the start on."""
        self.goal, self.from_start = goal, from_start

    def before(self, action: Action, screen: Frame | None) -> None:
        """Note an action that is not only a look; of the world before such actions only the first matters."""
        known = self._toolbelt.known(action.tool)
        if not known or known.risk == "look":
            return
        self._deed = len(self._world_model), action
        if self._windows is None:
            self._windows = self._screen.windows()
            self._open = {window.id: window.title for window in self._windows}
            self._killed = len(self._screen.eyes.desktop.activity().killed) if self._screen.eyes else 0
            self._frame = self._frame or screen
            self._fields = self._screen.fields(screen)

    def after(self, index: int) -> None:
        """Note the titles of windows that came with a step, or were closed with it."""
        now = {window.id: window.title for window in self._screen.open or ()}
        if gone := tuple(sorted(title for one, title in self._open.items() if one not in now)):
            self._closed[index] = gone
        if came := tuple(sorted({*now.values()} - {*self._open.values()})):
            self._came[index] = came
        self._open = now

    def await_rest(self, ending: Ending, within_s: float | None) -> None:
        """Wait until the programs that were used are at rest, and note what is not finished then."""
        if not self._screen.eyes or not self.facts().deeds():
            return
        given = (as_mapping(piece).get("file") for piece in ending.evidence)
        files = names_of([*(one for one in given if isinstance(one, str)), *file_names(self.goal)])
        desktop, killed, since = self._screen.eyes.desktop, self._killed, self._began
        if self._was_entered():  # a dialog may close, and its program begin to save, only after a while at rest
            most_s = CLOSING_MAX_S if within_s is None else min(CLOSING_MAX_S, within_s)
            self._control.until(lambda: not self._dialogs(self._screen.windows()), most_s)
        self._unfinished = unfinished(desktop, self._control, files, within_s, killed, since)

    def notices(self) -> list[str]:
        """Return what a program had not finished when the run was about to end, if that was not returned before."""
        told, self._told = self._told, self._unfinished
        return [self._unfinished] if self._unfinished and self._unfinished != told else []

    def facts(self, screen: Frame | None = None) -> RunFacts:
        """Return what the end of the run is checked against, with the screen as it is now if it is given."""
        windows = self._screen.windows() if screen else []
        journal = (self._journal.folder.parent.parent,) if self._journal else ()
        return RunFacts(
            self.goal,
            self._world_model,
            self._toolbelt,
            self._screen.lines(screen),
            tuple(window.title for window in windows),
            self._seen_before() if screen else SeenBefore(),
            self._came,
            FileFacts(self.goal, self._folders, self._began, self._files, journal),
            self._reading,
            tuple(window.title for window in self._dialogs(windows)),
            self._unfinished,
            self._controls,
            self._closed,
            partial(self._screen.said, screen),
            self._is_changed,
        )

    def _was_entered(self) -> bool:
        """Whether the last deed ended with enter, which accepts what a dialog asks."""
        known = self.facts()
        actions = [step.action for step in known.worked() if not known.looked(step)][-1:]
        parts = [part for one in actions for part in self._toolbelt[one.tool].parts(one.args)]
        return any((role is Enters and value) or (role is KeyNames and value == "enter") for role, value in parts)

    def _dialogs(self, windows: Sequence[Window]) -> list[Window]:
        """Return the dialogs that came since the first deed."""
        had = {window.id for window in (windows if self._windows is None else self._windows)}
        return [window for window in windows if window.dialog and window.id not in had]

    def _seen_before(self) -> SeenBefore:
        if self._lines is None and self._frame:
            self._lines = self._screen.lines(self._frame)
        return SeenBefore(self._lines or (), tuple(window.title for window in self._windows or ()), self._fields)

    def _reading(self, screen: Frame) -> tuple[Line, ...]:
        """Return the lines of a frame that is still kept, or was when it was read; none of an older one."""
        if screen.digest not in self._read and screen.pixels.size:
            self._read[screen.digest] = self._screen.lines(screen)
        return self._read.get(screen.digest, ())

    def _controls(self, screen: Frame) -> tuple[Element, ...]:
        """Return the controls on a frame that is still kept, or was when they were found; none of an older one."""
        if screen.digest not in self._found and screen.pixels.size:
            self._found[screen.digest] = elements_on(screen, self._reading(screen))
        return self._found.get(screen.digest, ())
