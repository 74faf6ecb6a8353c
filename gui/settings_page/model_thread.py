"""The threads that ask models and services, for which no setting waits to be saved."""

import contextlib
from collections.abc import Callable
from functools import partial

from gui.kit.work_thread import WorkThread
from gui.settings_page.model import CheckEnded, ModelsListed, SettingsMessage
from mark_i import Access
from mark_i.brains import models_of
from mark_i.config import Keys, Settings
from mark_i.doctor import CheckFailure, check_model
from toolbelt.control import Control
from world_model import Halt


class ModelThread:
    """Checks the model that plans, and lists those of its service. `put` is called on its threads."""

    def __init__(self, put: Callable[[SettingsMessage], None]) -> None:
        self._put, self._number = put, 0
        self._checks = WorkThread("model-check", lambda told: self._put(check_failed(self._number, told)))
        self._lists = WorkThread("model-list", lambda _told: None)  # the check says what is wrong
        self._asked = Control()

    def check(self, number: int, settings: Settings, keys: Keys, control: Control) -> None:
        """Check it; nothing is said of a check that `control` stops."""
        self._checks.begin(lambda: self._check(number, settings, keys, control))

    def list(self, service: str, access: Access) -> None:
        """List the models of a service, in place of the one asked before; one that gives no list has none."""
        self._asked.stop()
        self._asked = Control()
        self._lists.begin(partial(self._list, service, access, self._asked))

    def close(self) -> None:
        """Begin nothing more, and wait for no list."""
        self._checks.close()
        self._lists.close()
        self._asked.stop()

    def _check(self, number: int, settings: Settings, keys: Keys, control: Control) -> None:
        self._number = number
        with contextlib.suppress(Halt):
            self._put(CheckEnded(number, check_model(settings, keys, control)))

    def _list(self, service: str, access: Access, asked: Control) -> None:
        with contextlib.suppress(Halt):
            models = asked.call(lambda: models_of(service, access))
            self._put(ModelsListed(tuple(f"{service}:{model}" for model in models)))


def check_failed(number: int, told: str) -> CheckEnded:
    """Return the end of a check that could not be made."""
    return CheckEnded(number, CheckFailure("", "settings", told))
