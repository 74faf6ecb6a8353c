"""The thread that asks models, for which no setting waits to be saved."""

import contextlib
from collections.abc import Callable

from gui.kit.work_thread import WorkThread
from gui.settings_page.model import CheckEnded, SettingsMessage
from mark_i.config import Keys, Settings
from mark_i.doctor import CheckFailure, check_model
from toolbelt.control import Control
from world_model import Halt


class ModelThread:
    """Checks the model that plans. `put` is called on its thread."""

    def __init__(self, put: Callable[[SettingsMessage], None]) -> None:
        self._put, self._number = put, 0
        self._checks = WorkThread("model-check", lambda told: self._put(check_failed(self._number, told)))

    def check(self, number: int, settings: Settings, keys: Keys, control: Control) -> None:
        """Check it; nothing is said of a check that `control` stops."""
        self._checks.begin(lambda: self._check(number, settings, keys, control))

    def close(self) -> None:
        """Begin nothing more."""
        self._checks.close()

    def _check(self, number: int, settings: Settings, keys: Keys, control: Control) -> None:
        self._number = number
        with contextlib.suppress(Halt):
            self._put(CheckEnded(number, check_model(settings, keys, control)))


def check_failed(number: int, told: str) -> CheckEnded:
    """Return the end of a check that could not be made."""
    return CheckEnded(number, CheckFailure("", "settings", told))
