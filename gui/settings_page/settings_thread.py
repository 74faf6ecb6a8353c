"""The thread that reads and saves settings and keys: another program may lock the file, or the keyring ask a person.

Results come back as messages.
"""

import contextlib
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final

from gui.settings_page.fields import CHECK_IN_FILE
from gui.settings_page.mask_geometry import swapped
from gui.settings_page.model import (
    DesktopCaptured,
    KeyringNamed,
    SettingRejected,
    SettingsMessage,
    SettingsRead,
    SettingsUnreadable,
)
from gui.settings_page.model_thread import ModelThread, check_failed
from mark_i.assembly import OwnDesktop, desktop_for, opened, planner
from mark_i.brains import REMOTE
from mark_i.config import DEFAULT_PROFILE, VARIABLES, KeyringRefusedError, Keys, Settings, keyring_in_use, load, save
from toolbelt.control import Control
from toolbelt.perception import Eyes, Masks
from world_model import DesktopError, Frame, MarkIError, UsageError

MASKS: Final = "masks"
ELSEWHERE: Final = "{reason} Type the coordinates instead."
HIDE_MAX_S: Final = 2.0  # for our windows to disappear
REDRAW_S: Final = 0.3  # for what was below them to be redrawn


class SettingsThread:
    """Reads and saves settings and keys in order. `put` is called on its thread."""

    def __init__(self, put: Callable[[SettingsMessage], None], name: str = DEFAULT_PROFILE) -> None:
        self._put, self.name = put, name
        self._thread = ThreadPoolExecutor(1, "settings")
        self._models, self._check = ModelThread(put), Control()
        self._closed = False

    def look(self) -> None:
        """Read them, for another program may have changed them."""
        self._begin(self._find)

    def change(self, key: str, value: Any) -> None:  # noqa: ANN401 - the settings differ in type
        """Save a setting; None restores the default."""
        self._begin(partial(self._change, key, lambda: save({key: value}, self.name)))

    def mask(self, was: str, now: tuple[str, ...]) -> None:
        """Replace one mask among those saved by then, so that no change undoes an earlier one."""
        self._begin(partial(self._change, MASKS, lambda: self._swap(was, now)))

    def keep(self, vendor: str, key: str, *, in_file: bool) -> None:
        """Save a key in the keyring, or in the profile's file; an empty one deletes it."""
        work = partial(Keys(self.name).save, vendor, key, in_file=in_file)
        self._begin(partial(self._change, f"{vendor}.key", work))

    def name_keyring(self) -> None:
        """Find out which keyring keys are saved in."""
        self._begin(lambda: self._put(KeyringNamed(keyring_in_use())))

    def list_models(self) -> None:
        """Ask the service of the brain that plans for its models."""
        self._begin(self._list_models)

    def check_model(self, number: int) -> None:
        """Check the model that is set once all that was begun is saved."""
        self._check = Control()
        self._begin(partial(self._check_model, number, self._check))

    def stop_check(self) -> None:
        """Stop a check that goes on."""
        self._check.stop()

    def capture_desktop(self) -> None:
        """Capture this desktop as the agent sees it."""
        self._begin(self._capture_desktop)

    def close(self) -> None:
        """Start nothing more, and finish what was started, except for a check."""
        self._closed = True
        self.stop_check()
        self._models.close()
        self._thread.shutdown(wait=False)

    def _begin(self, work: Callable[[], None]) -> None:
        if not self._closed:
            self._thread.submit(work).add_done_callback(_tell_bugs)

    def _list_models(self) -> None:
        with contextlib.suppress(UsageError):  # the page tells why the settings cannot be read
            settings, keys = load(self.name), Keys(self.name)
            service = planner(settings, keys).partition(":")[0]
            if service in REMOTE:
                self._models.list(service, settings.access(keys))

    def _check_model(self, number: int, control: Control) -> None:
        try:
            self._models.check(number, load(self.name), Keys(self.name), control)
        except UsageError as error:
            self._put(check_failed(number, str(error)))

    def _swap(self, was: str, now: tuple[str, ...]) -> None:
        save({MASKS: swapped(load(self.name).masks, was, now)}, self.name)

    def _find(self, saved: str = "") -> None:
        try:
            settings, keys = load(self.name), Keys(self.name)
            kept = {vendor: keys.find(vendor)[1] for vendor in VARIABLES}
            self._put(SettingsRead(settings, planner(settings, keys), kept, saved))
        except UsageError as error:
            self._put(SettingsUnreadable(str(error)))

    def _change(self, key: str, work: Callable[[], None]) -> None:
        try:
            work()
        except KeyringRefusedError as error:
            self._put(SettingRejected(key, CHECK_IN_FILE.format(told=error.told)))
        except MarkIError as error:
            self._put(SettingRejected(key, str(error)))
        else:
            self._find(key)

    def _capture_desktop(self) -> None:
        frame = None
        try:
            frame = _looked(load(self.name))
        except MarkIError as error:
            self._put(SettingRejected(MASKS, str(error)))
        finally:
            self._put(DesktopCaptured(frame))  # always: the window stays away until then


def _looked(settings: Settings) -> Frame:
    """Capture the desktop without our windows, once what was below them is drawn; windows that stay are black."""
    virtual, reason = desktop_for(None)
    if virtual:
        raise DesktopError(ELSEWHERE.format(reason=reason))
    control = Control()
    masks = Masks(windows=Masks.parse(settings.masks).windows, own=True)
    with opened(None, control, own=OwnDesktop(looks=True)) as desktop:
        control.until(lambda: not any(one.ours and not one.minimized for one in desktop.windows()), HIDE_MAX_S)
        eyes = Eyes(desktop, control, masks)
        return eyes.settle(eyes.look(), REDRAW_S).frame


def _tell_bugs(work: "Future[None]") -> None:
    if bug := work.exception():
        traceback.print_exception(bug, file=sys.stderr)
