"""Watch a person, and keep what they do as the journal of a run, from which a skill is compiled."""

import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from PIL import Image

from mark_i.guard.secrets import Secrets
from mark_i.loop.screen_view import name_of, new_state, window_changes
from mark_i.skills.compiling import is_repeatable
from mark_i.skills.gestures import Gesture, Gestures
from mark_i.skills.samples import Sample, Samples, TypedField
from mark_i.wording import HIDDEN, action_sentence
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import FakeDesktop, Hotkey, is_own_terminal
from toolbelt.desktops.x11 import InputLog, KeyReader
from toolbelt.elements import Element
from toolbelt.perception import Eyes, Heard, Hearing, Settled, is_seen
from world_model import (
    FIELDS,
    Action,
    Frame,
    Journal,
    Observation,
    Place,
    Point,
    ScreenChange,
    Step,
    Thought,
    UsageError,
    problem,
)

LOOK_INTERVAL_S: Final = 0.02  # between two looks at the screen
RESTS_S: Final = 0.1  # without a change, after which a screen is at rest and programs are asked
SETTLED_S: Final = 0.5  # the same at the end, and after a program was opened
SETTLED_MAX_S: Final = 10.0  # for that
TITLES_S: Final = 0.4  # after a change, in which windows may still get their titles and the focus
UNNAMED: Final = "password"  # the name of a secret whose field has none
NAME_CHARS_MAX: Final = 40
ASKED_AGAIN_S: Final = 0.5  # after which programs are asked again which field has the focus
NOT_RECORDED: Final = "     A password: it is not recorded."
DID: Final = "A person did this."


@dataclass(slots=True)
class Recorded:
    """What came of a recording.

    Attributes:
        steps: how many there are.
        effects: the numbers of the steps that changed something which they must change each time.
        typed: the texts that were typed.
        secrets: the names that stand for passwords.
        unjudged: texts of which no program said whether they went into a field for a password, by their steps.
        unknown: what cannot be recorded.
    """

    steps: int = 0
    effects: list[int] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    unjudged: dict[int, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Doing:
    """What a person is doing now, and the screen before it."""

    gesture: Gesture
    before: Sample
    clicked: Element | None = None
    place: Point | None = None  # where a text was clicked into
    field: TypedField | None = None


class Recorder:
    """Writes each thing that a person does on an X display into a journal.

    Args:
        eyes: look at it.
        display: its name, such as `:0`.
        journal: gets the steps.
        secrets: those of the profile.
        stop: the hotkey, which is not recorded.
        tell: tells the person of each step.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a recording
        self,
        eyes: Eyes,
        display: str,
        journal: Journal,
        secrets: Secrets,
        stop: Hotkey | None,
        tell: Callable[[str], None],
    ) -> None:
        self._eyes, self._control, self._journal, self._tell = eyes, eyes.control, journal, tell
        self._secrets = dict(secrets.named)
        self._changed_s = time.monotonic()
        self._hearing = Hearing(eyes.desktop, eyes.control, eyes.windows, eyes.news, lambda: self._changed_s)
        self._samples = Samples()
        self._is_own_terminal = cache(is_own_terminal)
        self._doing: _Doing | None = None
        self._keys, self._log = KeyReader(display), InputLog(display)
        self._gestures = Gestures(self._keys, frozenset((*stop.modifiers, stop.key)) if stop else frozenset())
        self.recorded = Recorded(unknown=self._gestures.unknown)
        self._reader: Eyes | None = None
        self._writer = ThreadPoolExecutor(1, "recording")
        self._written: list[Future[None]] = []
        self._sample()

    def open(self, name: str, toolbelt: Toolbelt) -> None:
        """Open a program as the first step.

        Raises:
            UsageError: it cannot be opened.
        """
        self._control.until(self._rests, SETTLED_MAX_S)
        before, action = self._newest(), Action("open_app", {"name": name})
        seen = toolbelt.call(action, self._control).observation
        if seen.error:
            raise UsageError(f"{name} cannot be opened: {problem(seen.error)}")
        self._control.until(self._rests, SETTLED_MAX_S)
        self._keep(action, seen, before, self._newest(), ())

    def watch(self, stop: Control) -> None:
        """Record until it is stopped."""
        while not stop.stopped:
            self._turn()
            self._control.wait(LOOK_INTERVAL_S)
        self._turn()
        if self._doing:
            self._control.until(self._rests, SETTLED_MAX_S)
            self._finish(self._doing, self._newest(), time.monotonic())

    def close(self) -> None:
        """Write what is left, and stop listening."""
        try:
            self._writer.shutdown()
            for one in self._written:
                one.result()
        finally:
            self._log.close()
            self._keys.close()

    def _turn(self) -> None:
        self._sample()
        for event in self._log.take():
            before = self._gestures.open
            self._gestures.take(event)
            if self._gestures.open is not before and self._gestures.open is not None:
                self._begin(self._gestures.open)
        doing, heard = self._doing, self._hearing.last
        if doing and doing.field and heard and doing.field.note(heard, time.monotonic()):
            self._tell(NOT_RECORDED)

    def _sample(self, *, afresh: bool = False) -> None:
        """Look at the screen, and `afresh` at its windows; ask programs what they show once it is at rest."""
        frame, last, now_s = self._eyes.look(), self._samples.newest, time.monotonic()
        if last is None or (frame is not last.frame and self._eyes.news(last.frame, frame)):
            self._changed_s = now_s
        rested_s = now_s - self._changed_s
        windows = last.windows if last and rested_s > TITLES_S and not afresh else tuple(self._eyes.windows())
        heard, calm = self._heard(frame, rested_s), rested_s >= RESTS_S
        copies, seen_s = self._eyes.desktop.copies(), time.monotonic()  # all of it is of the time before that
        sample = Sample(seen_s, frame, windows, copies, calm, *heard)
        if last is None or replace(sample, taken_s=last.taken_s) != last:
            self._samples.add(sample)

    def _heard(self, frame: Frame, rested_s: float) -> tuple[Heard | None, bool]:
        """Return what programs said last, and whether of the screen as it is; ask them if that is due."""
        last, into = self._hearing.last, self._doing.field if self._doing else None
        is_old, unjudged = last is None or last.asked_s < self._changed_s, into is not None and not into.is_judged
        if unjudged and last and time.monotonic() - last.asked_s > ASKED_AGAIN_S:
            self._control.acted()  # so that they are asked again: a busy program may have said nothing
        if (rested_s >= RESTS_S or unjudged) and (is_old or (last and self._hearing.is_late(last))):
            self._hearing.start(frame)
        return last, not is_old

    def _newest(self) -> Sample:
        newest = self._samples.newest
        assert newest  # noqa: S101 - the first is taken at the beginning
        return newest

    def _rests(self) -> bool:
        self._sample(afresh=True)
        return time.monotonic() - self._changed_s >= SETTLED_S

    def _begin(self, gesture: Gesture) -> None:
        before, last = self._samples.at(gesture.begun_s), self._doing
        window = before.window_of(gesture)
        is_ours = window is not None and self._is_own_terminal(window.pid)
        clicked = last.clicked if last and last.gesture.tool == "click" else None
        joins = gesture.tool == "type_text" and last is not None and _is_empty_field(clicked) and not is_ours
        if last and not joins:
            self._finish(last, before, gesture.begun_s)
        self._doing = None if is_ours else _Doing(gesture, before)
        if self._doing and gesture.tool == "type_text":
            self._doing.field = TypedField(gesture.begun_s, clicked if clicked and clicked.role in FIELDS else None)
            if joins and last:
                self._doing.before, self._doing.place = last.before, last.gesture.places[0]
        elif self._doing and gesture.places:
            self._doing.clicked = before.control_at(gesture.places[0])
        self._control.acted()

    def _finish(self, done: _Doing, after: Sample, ended_s: float) -> None:
        gesture = done.gesture
        if gesture.is_empty:
            return
        args, at = self._args(done, ended_s), [*gesture.places, *filter(None, [done.place])]
        places = tuple(_place(one, done.before.control_at(one)) for one in at) if gesture.tool != "scroll" else ()
        names = ("start", "end") if gesture.tool == "drag" else ("into",) if done.place else ("target",)
        targets = {name: {"x": one.x, "y": one.y} for name, one in zip(names, places, strict=False)}
        told = {name: _told(one) for name, one in zip(names, places, strict=False)}
        number = self.recorded.steps + 1
        hidden = {"text": HIDDEN} if number in self.recorded.unjudged else {}
        self._tell(f"{number:>3}  {action_sentence(gesture.tool, {**args, **told, **hidden})}")
        seen = Observation(ok=True, text=DID, places=places)
        self._keep(Action(gesture.tool, {**args, **targets}), seen, done.before, after, places)

    def _args(self, done: _Doing, ended_s: float) -> dict[str, Any]:
        """Return the arguments without targets; of a password only its name."""
        args = done.gesture.args
        if done.field is None:
            return args
        into, text = done.field.until(ended_s), done.gesture.text
        if into is None:
            self.recorded.unjudged[self.recorded.steps + 1] = text
        elif into.is_secret:
            name = next((known for known, value in self._secrets.items() if value == text), "")
            name = name or _free(_word(into.name), self._secrets)
            self._secrets[name] = text
            self.recorded.secrets += [name] if name not in self.recorded.secrets else []
            return {"text": f"{{{{secret:{name}}}}}"}
        self.recorded.typed.append(text)
        return args

    def _keep(self, action: Action, seen: Observation, before: Sample, after: Sample, places: Sequence[Place]) -> None:
        self.recorded.steps += 1
        secrets = Secrets(dict(self._secrets))
        self._written.append(
            self._writer.submit(self._write, self.recorded.steps, action, seen, before, after, places, secrets)
        )

    def _write(  # noqa: PLR0913, PLR0917 - all of a step
        self,
        index: int,
        action: Action,
        seen: Observation,
        before: Sample,
        after: Sample,
        places: Sequence[Place],
        secrets: Secrets,
    ) -> None:
        """Write a step, on a thread of its own: reading the screens takes longer than people do."""
        change = self._change(before, after)
        if len(places) == 1:
            at = places[0].point
            change = replace(change, became=new_state(before.control_at(at), after.control_at(at)))
        if is_repeatable(change):
            self.recorded.effects.append(index)
        seen = secrets.cleared(replace(seen, screen=change))
        self._journal.decided(index, action)
        self._journal.add(Step(index, Thought(""), action, seen, before.frame, after.frame))

    def _change(self, before: Sample, after: Sample) -> ScreenChange:
        reader = self._reader = self._reader or _reader(before.frame)
        took_ms = max(0.0, after.taken_s - before.taken_s) * 1000
        change = reader.change(before.frame, Settled(after.frame, before.frame, took_ms, after.calm))
        return replace(
            change,
            changed=is_seen(change.regions),
            copied=after.copies > before.copies,
            **window_changes(before.windows, after.windows),
        )


def _reader(frame: Frame) -> Eyes:
    """Return eyes that read frames, while others look at the desktop."""
    control, image = Control(), Image.fromarray(frame.pixels)
    return Eyes(FakeDesktop(lambda _: image, control, layout=(frame.region,)), control)


def _is_empty_field(control: Element | None) -> bool:
    """Whether a control is a field without a text, so that a click anywhere in it puts the caret to the same place."""
    return control is not None and control.role == "textbox" and not control.holds


def _place(at: Point, control: Element | None) -> Place:
    return Place(at.x, at.y, name_of(control), control.role) if control else Place(at.x, at.y)


def _told(place: Place) -> Any:  # noqa: ANN401 - a target
    named = {"text": place.name} if place.name else {}
    typed = {"role": place.role} if place.role else {}
    return {**named, **typed} if named else {"x": place.x, "y": place.y}


def _word(name: str) -> str:
    """Return the label of a field as the name of a secret."""
    return "_".join(re.findall(r"[a-z0-9]+", name.casefold()))[:NAME_CHARS_MAX].strip("_") or UNNAMED


def _free(name: str, taken: dict[str, str]) -> str:
    """Return a name that no other secret has."""
    numbers = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbers if one not in taken)
