"""What the desktops of Linux have in common: programs that are started, and a clipboard that programs offer."""

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from toolbelt.control import Control
from toolbelt.desktops import clipboard_keeper
from toolbelt.desktops.activity import Activity, activity
from toolbelt.desktops.base import Application
from toolbelt.desktops.clipboard_offer import ClipboardOffer
from toolbelt.desktops.process import Process


class LinuxDesktop(ABC):
    """The part of a desktop that starts programs, knows what they do, and offers text to them."""

    control: Control
    _lock: threading.RLock
    _environment: dict[str, str]  # of the programs that are started

    def __init__(self) -> None:
        self._started: list[Process] = []
        self._offer: ClipboardOffer | None = None

    def write_clipboard(self, text: str) -> None:
        """Put text on the clipboard. It stays there when this desktop is closed, until another program copies."""
        with self._input():
            self._put_on_clipboard(text)

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program on this desktop; it keeps running after the run."""
        self.control.check()
        self._started.append(process := Process(command, self._environment))
        return process

    def activity(self) -> Activity:
        """Return what the programs that were started here are doing."""
        killed = tuple(process.name for process in self._started if process.was_killed)
        pids = self._programs()
        if not pids:
            return Activity(killed=killed)
        return replace(activity(pids, self._with_windows()), killed=killed)

    def _programs(self) -> list[int]:
        """Return the processes that were started here and still run; their children belong to them."""
        return [process.pid for process in self._started if process.running()]

    def _put_on_clipboard(self, text: str) -> None:
        offer = self._offered(text)
        if self._offer:
            self._offer.close()
        self._offer = offer

    def _leave(self, clipboard: str, display: str, *, stays: bool) -> None:
        """Forget the programs, and leave the text on the clipboard to the keeper, with the module that offers it."""
        for process in self._started:
            process.forget()
        if self._offer and self._offer.is_held and stays:
            clipboard_keeper.keep(clipboard, display, self._offer.text)
        if self._offer:
            self._offer.close()

    @abstractmethod
    def _offered(self, text: str) -> ClipboardOffer:
        """Take the clipboard with a text."""

    @abstractmethod
    def _with_windows(self) -> frozenset[int]:
        """Return the processes that have windows here."""

    @abstractmethod
    def _input(self) -> contextlib.AbstractContextManager[None]:
        """Take the lock for input by the agent; refused while a person has taken over."""
