"""The screen as one run sees it: looked at, read, watched until it settles, and redacted for everybody else."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, Final

from mark_i.guard.secrets import Secrets
from mark_i.loop.early_call import EarlyCall
from toolbelt.belt import CallResult, Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import State, Window
from toolbelt.elements import Element
from toolbelt.ocr import Line, can_be_read_back, is_shown, read_enlarged, shown_instead
from toolbelt.parameters import Enters, Typed
from toolbelt.perception import CLICK_REACTION_S, Eyes, Redaction, Settled
from world_model import Action, Frame, Observation, Place, Region, ScreenChange, Step, message

STATED: Final[tuple[State, ...]] = ("checked", "unchecked", "mixed", "expanded", "collapsed", "selected")
UNHEARD_STEPS: Final = 2  # in a row; a program may be slow once
UNHEARD: Final = "Programs are not heard: {}. What they show is found by its looks alone."
LIES: Final = "A program says that its window has elements which cannot be seen there. They are left out."
READ_AGAIN_S: Final = 0.3  # without a change, before what was typed is said to look different


class ScreenView:
    """What one run sees; without eyes there is no screen, and nothing is seen.

    Args:
        eyes: look at the desktop; None without one.
        control: every look can be stopped by it.
        toolbelt: says which arguments are typed.
        secrets: what must not be seen once it was typed.
        before: the steps of a run that is resumed; what they typed may still be on the screen.
        quiet_s: without a change, after which a screen counts as settled; None for what its program was seen to need.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a run
        self,
        eyes: Eyes | None,
        control: Control,
        toolbelt: Toolbelt,
        secrets: Secrets,
        before: Sequence[Step],
        quiet_s: float | None,
    ) -> None:
        self.eyes = eyes
        self._control = control
        self._toolbelt = toolbelt
        self._secrets = secrets
        self._quiet_s = quiet_s
        self._unheard = 0  # steps in a row in which programs were not heard
        self._told: set[str] = set()
        self._done: CallResult | None = None  # the call whose control is remembered
        self._was: Element | None = None  # that control, as it was before
        self._copies = 0  # onto the clipboard, until the last look
        self.open: list[Window] | None = None  # after the last action; before the first, as it was looked at
        typed = [value for step in before for value in self._typed(step.action)]
        self._redaction = Redaction(eyes, typed) if eyes else None

    def look(self) -> Frame | None:
        """Return the screen as it is now."""
        if not self.eyes:
            return None
        self._copies = self.eyes.desktop.copies()
        if self.open is None:
            self.open = self.eyes.windows()
        return self.eyes.show()

    def notices(self) -> list[str]:
        """Return what is to be told of programs that are not heard, or say what is not so; each once."""
        if self.eyes is None:
            return []
        problem = self.eyes.desktop.unheard
        self._unheard = self._unheard + 1 if problem else 0
        found = [LIES] if self.eyes.lies else []
        found += [UNHEARD.format(problem)] if self._unheard >= UNHEARD_STEPS else []
        new = [one for one in found if one not in self._told]
        self._told.update(new)
        return new

    def redacted(self, screen: Frame | None) -> Frame | None:
        """Return the screen as anybody may see it: without what was typed as a secret."""
        return self._control.call(partial(self._redaction, screen)) if self._redaction and screen else screen

    def lines(self, screen: Frame | None) -> tuple[Line, ...]:
        """Return the lines of text on a screen."""
        return self._control.call(partial(self.eyes.read, screen)) if self.eyes and screen else ()

    def said(self, screen: Frame | None) -> tuple[Element, ...]:
        """Return the elements on a screen that their programs say are there."""
        found = self._control.call(partial(self.eyes.every_element, screen)) if self.eyes and screen else ()
        return tuple(one for one in found if one.said)

    def fields(self, screen: Frame | None) -> tuple[str, ...]:
        """Return what the text fields on the newest screen hold, as their programs say."""
        return self._control.call(partial(self.eyes.fields, screen)) if self.eyes and screen else ()

    def windows(self) -> list[Window]:
        """Return the windows that are there now."""
        return self.eyes.windows() if self.eyes else []

    @contextlib.contextmanager
    def idle(self, thought_s: Callable[[], float]) -> Iterator[None]:
        """Learn what moves by itself, while the brain thinks; `thought_s` says for how long it did."""
        if not self.eyes:
            yield
            return
        with self.eyes.idle():
            yield
        self.eyes.thought_s = thought_s()

    def observe(  # noqa: PLR0913 - an action, and what is to be seen of it
        self,
        action: Action,
        done: CallResult,
        before: Frame | None,
        prepare: Callable[[Frame], None],
        *,
        texts: bool,
        early: EarlyCall | None = None,
    ) -> tuple[Observation, Frame | None, float]:
        """Wait until the screen is settled, and look at what changed.

        Args:
            action: what was done.
            done: what came of it.
            before: the screen before it; None without one.
            prepare: what is to be made of the new screen while it settles.
            texts: whether the texts that appeared and vanished are wanted even if they must be read for that.
            early: asks the brain meanwhile.

        Returns:
            The observation, the screen after it, and how many milliseconds it took to settle.
        """
        if not self.eyes or before is None:
            return self._secrets.cleared(done.observation), None, 0.0
        reaction = CLICK_REACTION_S if self.reads_back(action, done) else None  # few texts show nothing
        settled = self.eyes.settle(before, reaction if done.acted else 0.0, prepare, self._quiet_s, early)
        windows = self.windows()
        if early and (seen := early.observation(settled)):
            observation, frame = seen
            screen = replace(observation.screen, **self._beside(windows)) if observation.screen else None
            self.open = windows
            return replace(observation, screen=screen), frame, settled.ms
        text = self._read_back(action, done)
        instead = self._shown_instead(text, before, settled)
        if instead:  # the program may still be drawing, and small letters may have been misread
            again = self.eyes.settle(settled.frame, READ_AGAIN_S, prepare, READ_AGAIN_S)
            settled = replace(again, start=settled.start, ms=settled.ms + again.ms)
            instead = self._shown_instead(text, before, settled, closely=True)
        change = replace(self._change(action, done, before, settled, windows, texts=texts), instead=instead)
        self.open = windows
        if self._redaction and (typed := self._typed(action)):
            self._redaction.typed(typed, change.regions, settled.frame)
        observation = replace(done.observation, screen=change)
        if instead:
            told = f' The screen shows "{instead}" instead: the program may have changed it.'
            observation = replace(observation, text=message(observation.text, told))
        return self._secrets.cleared(observation), settled.frame, settled.ms

    def named(self, done: CallResult, before: Frame | None) -> CallResult:
        """Return what came of a call with the names of the controls at its points, as their programs had said them."""
        if not self.eyes or before is None or all(place.name for place in done.observation.places):
            return done
        places = tuple(place if place.name else self._named(place, before) for place in done.observation.places)
        return replace(done, observation=replace(done.observation, places=places))

    def _named(self, place: Place, before: Frame) -> Place:
        found = self.eyes.shown_at(place.point, before) if self.eyes else None
        return replace(place, name=name_of(found), role=found.role) if found and name_of(found) else place

    def observed(self, action: Action, done: CallResult, before: Frame, settled: Settled) -> Observation | None:
        """Return the observation of a screen that has most likely settled; None if more has to be seen for it."""
        if self._typed(action) or self._shown_instead(self._read_back(action, done), before, settled):
            return None
        change = self._change(action, done, before, settled, self.windows(), texts=False)
        return self._secrets.cleared(replace(done.observation, screen=change))

    def _change(  # noqa: PLR0913 - an action, and what is to be seen of it
        self,
        action: Action,
        done: CallResult,
        before: Frame,
        settled: Settled,
        windows: Sequence[Window],
        *,
        texts: bool,
    ) -> ScreenChange:
        assert self.eyes  # noqa: S101 - there is a screen
        change = self._control.call(partial(self.eyes.change, before, settled, texts=texts))
        text = self._read_back(action, done)
        return replace(
            change,
            shown=bool(text) and not change.changed and is_shown(text, self.lines(settled.frame)),
            unseen=not change.changed and self._shows_nothing(action, done),
            became=self._became(done),
            **self._beside(windows),
        )

    def _became(self, done: CallResult) -> tuple[str, ...]:
        """Return the role, the name and the new state of a control that was acted on, as its program says."""
        eyes, places = self.eyes, done.observation.places
        if eyes is None or len(places) != 1 or not done.observation.ok:
            return ()
        at = places[0].point
        if self._done is not done:  # later the programs have been asked again
            self._done, self._was = done, eyes.heard_at(at)
        return new_state(self._was, self._control.call(lambda: eyes.said_at(at))) if is_stated(self._was) else ()

    def reads_back(self, action: Action, done: CallResult) -> bool:
        """Whether a text was typed that is read back on the screen."""
        return can_be_read_back(self._read_back(action, done))

    def _read_back(self, action: Action, done: CallResult) -> str:
        """Return what is to be read back on the screen: what was typed, unless it is a secret."""
        return self._written(action) if done.observation.ok and not self._typed(action) else ""

    def _beside(self, now: Sequence[Window]) -> dict[str, Any]:
        """Return what an action did beside the screen, as attributes of a change: to the clipboard, and to windows."""
        copied = self.eyes is not None and self.eyes.desktop.copies() > self._copies
        return {"copied": copied, **window_changes(self.open or [], now)}

    def _shows_nothing(self, action: Action, done: CallResult) -> bool:
        """Whether an action shows nothing by its nature: it does not use the desktop, or at most moves the focus."""
        tool = self._toolbelt.known(action.tool)
        if tool is None or tool.risk != "act" or not done.acted or tool.unseen:
            return True
        types = any(role is Typed for role, _ in tool.parts(action.args))
        return not types and any(place.role == "textbox" for place in done.observation.places)

    def _written(self, action: Action) -> str:
        """Return the text that an action typed into a window, with its enter; empty if it typed none."""
        tool = self._toolbelt.known(action.tool)
        if tool is None or tool.risk != "act":  # others put a text elsewhere
            return ""
        parts = list(tool.parts(action.args))
        text = "\n".join(str(value) for role, value in parts if role is Typed)
        return text + "\n" * any(value for role, value in parts if role is Enters)

    def _shown_instead(self, text: str, before: Frame, settled: Settled, *, closely: bool = False) -> str:
        """Return what the screen shows in place of what was typed; empty if it shows that, or nothing like it."""
        eyes = self.eyes
        if eyes is None or not can_be_read_back(text):
            return ""

        def compared() -> str:
            regions = eyes.change(before, settled, texts=False).regions
            old, new = ([one for one in eyes.read(frame) if _is_in(one, regions)] for frame in (before, settled.frame))
            if closely and new:
                new = read_enlarged(settled.frame, reduce(Region.union, (line.region for line in new)))
            return shown_instead(text, new, old)

        return self._control.call(compared)

    def _typed(self, action: Action) -> list[str]:
        return self._secrets.used(action, self._toolbelt.known(action.tool))


def name_of(control: Element) -> str:
    """Return what a control is called whatever its value is; empty for a combo box, which GTK calls by its value."""
    return "" if control.role == "combobox" else control.text


def is_stated(control: Element | None) -> bool:
    """Whether a program says a state of a control that an action may change."""
    return control is not None and not control.states.isdisjoint(STATED)


def new_state(was: Element | None, now: Element | None) -> tuple[str, ...]:
    """Return the role, the name and the new state of a control; empty if it is another one, or has no new state."""
    if was is None or now is None or not is_stated(was) or (now.role, now.text) != (was.role, was.text):
        return ()
    new = [one for one in STATED if one in now.states - was.states]
    return (now.role, now.text, new[0]) if new else ()


def window_changes(before: Sequence[Window], now: Sequence[Window]) -> dict[str, Any]:
    """Return what happened to windows, as attributes of a change."""
    had, have = ({one.id: one.title or one.application for one in windows if not one.ours} for windows in (before, now))
    fronts = [next((one for one in windows if one.active and not one.ours), None) for windows in (before, now)]
    was, front = (one.id if one else 0 for one in fronts)
    title = have.get(front, "")
    return {
        "opened": tuple(have[one] for one in have if one not in had),
        "closed": tuple(had[one] for one in had if one not in have),
        "front": title if front != was else "",
        "retitled": title if front == was and title != had.get(front) else "",
        "was_in_front": had.get(was, ""),
        "front_before": _with_parent(fronts[0], before),
        "front_after": _with_parent(fronts[1], now),
    }


def _with_parent(front: Window | None, windows: Sequence[Window]) -> Region | None:
    """Return where a window is; of a dialog, with the topmost other window of its program, to which it belongs."""
    if front is None or not front.dialog:
        return front.region if front else None
    others = [
        one for one in windows if one.pid == front.pid and one.id != front.id and not (one.minimized or one.dialog)
    ]
    return front.region.union(others[-1].region) if others else front.region


def _is_in(line: Line, regions: Sequence[Region]) -> bool:
    return any(line.region.overlaps(region) for region in regions)
