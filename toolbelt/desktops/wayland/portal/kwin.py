"""The windows of a Plasma session, which KWin shows to the scripts that any program of the session may run in it.

A script answers by calling a method of ours on the session bus. Each question is a script of its own, so that none goes
on if this process is killed: https://develop.kde.org/docs/plasma/kwin/api/
"""

import contextlib
import json
import os
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    MessageFlag,
    new_method_call,
    new_method_return,
)
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from toolbelt.desktops.base import Window
from toolbelt.desktops.wayland.heard import Content
from toolbelt.desktops.wayland.portal.bus import told_of
from toolbelt.desktops.wayland.screen import Layout
from toolbelt.desktops.wayland.windows import Front
from world_model import Region, ToolFailure

NAME: Final = "org.kde.KWin"
_SCRIPTING: Final = DBusAddress("/Scripting", NAME, "org.kde.kwin.Scripting")
_OURS: Final = "/mark_i"  # the object that scripts call
_ANSWER_MAX_S: Final = 10.0
# `workspace` and windows have other names in Plasma 5. Places count from the corner of the one picture of all monitors.
_PRELUDE: Final = """
const isNew = workspace.windowList !== undefined;
const every = isNew ? workspace.windowList() : workspace.clientList();
const active = isNew ? workspace.activeWindow : workspace.activeClient;
const origin = workspace.virtualScreenGeometry;
const called = id => every.find(one => String(one.internalId) === id);
const place = one => [one.x - origin.x, one.y - origin.y, one.width, one.height];
const isHere = one => one.onAllDesktops
    || (isNew ? one.desktops.includes(workspace.currentDesktop) : one.desktop === workspace.currentDesktop);
const isShown = one => !one.minimized && isHere(one)
    && (!one.activities || !one.activities.length || one.activities.includes(workspace.currentActivity));
const answer = value => callDBus("%(to)s", "%(path)s", "%(interface)s", "%(method)s", JSON.stringify(value));
"""
_LIST: Final = """
answer(every.filter(one => one === active || one.normalWindow || one.dialog || one.utility).map(one => ({
    id: String(one.internalId), title: String(one.caption), application: String(one.resourceClass), pid: one.pid,
    frame: place(one.frameGeometry), buffer: place(one.bufferGeometry), order: one.stackingOrder,
    active: one === active, shown: isShown(one), dialog: one.dialog || one.transient || one.modal,
    takes_focus: one.wantsInput !== false,
})));
"""
_FRONT: Final = "answer(active ? {id: String(active.internalId), pid: active.pid} : null);"
_CLOSE: Final = "const one = called(%s); if (one) one.closeWindow(); answer(Boolean(one));"
_FOCUS: Final = """
const one = called(%s);
if (one) { one.minimized = false; if (isNew) workspace.activeWindow = one; else workspace.activeClient = one; }
answer(Boolean(one));
"""
_PLACE: Final = """
const one = called(%s), [x, y, width, height] = %s;
if (one) {
    one.fullScreen = false;
    one.setMaximize(false, false);
    if (one.tile) one.tile = null;
    one.frameGeometry = {x: x + origin.x, y: y + origin.y, width: width, height: height};
}
answer(Boolean(one));
"""


class KWin:
    """A connection over which scripts are run in the KWin that is on the session bus.

    Raises:
        DesktopError: None is there, or it runs no scripts; as with `run`, once it is gone.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._calls = deque[Any]()
        with _told():
            self._connection = open_dbus_connection()
        self._connection.filter(MatchRule(type="method_call", path=_OURS), queue=self._calls)
        self._name = f"mark_i.k{uuid.uuid4().hex}"  # of the script, in KWin
        with contextlib.ExitStack() as failed:
            failed.callback(self.close)
            self._ask("isScriptLoaded", self._name)
            failed.pop_all()

    def run(self, script: str) -> Any:  # noqa: ANN401 - JSON
        """Run a script in KWin, and return what it answers."""
        with self._lock, tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".js") as file:
            method = f"k{uuid.uuid4().hex}"  # nobody else knows it, and an answer that comes late is not taken
            names = {"to": self._connection.unique_name, "path": _OURS, "interface": self._name, "method": method}
            file.write(_PRELUDE % names + script)
            file.flush()
            self._ask("loadScript", file.name, self._name)
            try:
                self._ask("start")
                return json.loads(self._answer(method))
            finally:
                self._ask("unloadScript", self._name)

    def close(self) -> None:
        """Leave the bus."""
        with self._lock:
            self._connection.close()

    def _answer(self, method: str) -> str:
        end = time.monotonic() + _ANSWER_MAX_S
        while True:
            while self._calls:
                call = self._calls.popleft()
                with _told():
                    self._connection.send(new_method_return(call))
                if call.header.fields[HeaderFields.member] == method:
                    return str(call.body[0])
            with _told():
                self._connection.recv_messages(timeout=max(0.0, end - time.monotonic()))

    def _ask(self, method: str, *values: str) -> Any:  # noqa: ANN401 - jeepney has no types
        call = new_method_call(_SCRIPTING, method, "s" * len(values) or None, values)
        call.header.flags |= MessageFlag.no_auto_start
        with _told():
            return unwrap_msg(self._connection.send_and_get_reply(call, timeout=_ANSWER_MAX_S))


class KWinWindows:
    """The windows of a Plasma session."""

    tells_places = True

    def __init__(self, kwin: KWin) -> None:
        self._kwin = kwin
        self._numbers = dict[str, int]()  # of the windows, by the names that KWin has for them

    def list(self, layout: Layout) -> list[Window]:
        """Return the windows, bottom to top."""
        return [
            Window(
                self._number(one["id"]),
                one["title"],
                one["application"],
                layout.region(*one["frame"]),
                one["active"],
                not one["shown"],
                one["pid"] == os.getpid(),
                one["pid"] if one["pid"] > 0 else None,
                one["dialog"],
                one["takes_focus"],
            )
            for one in self._all()
        ]

    def contents(self) -> Sequence[Content]:
        """Return the contents of windows: what programs draw, without shadows and without the frames of KWin."""
        return [*map(_content, self._all())]

    def front(self) -> Front | None:
        """Return the window that has the focus."""
        found = self._kwin.run(_FRONT)
        return Front(self._number(found["id"]), found["pid"], may_be_x11=True) if found else None

    def close(self, window: Window) -> None:
        """Ask a window to close."""
        self._do(_CLOSE, window)

    def focus(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        self._do(_FOCUS, window)

    def place(self, window: Window, region: Region, layout: Layout) -> None:
        """Ask for a window to be moved and resized."""
        self._do(_PLACE, window, [number / layout.scale for number in region.to_list()])

    def _all(self) -> Sequence[dict[str, Any]]:
        return sorted(self._kwin.run(_LIST), key=itemgetter("order"))

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers) + 1)

    def _do(self, script: str, window: Window, *values: object) -> None:
        name = next((name for name, number in self._numbers.items() if number == window.id), "")
        if not self._kwin.run(script % tuple(map(json.dumps, (name, *values)))):
            raise ToolFailure("TARGET_NOT_FOUND", f'"{window.title}" was closed meanwhile.')


def _content(one: Mapping[str, Any]) -> Content:
    frame, surface = _region(one["frame"]), _region(one["buffer"])
    return Content(one["pid"], one["title"], frame.intersection(surface), one["shown"], surface)


def _region(place: Sequence[float]) -> Region:
    return Region(*map(round, place))


_told: Final = partial(told_of, "KWin", _ANSWER_MAX_S)
