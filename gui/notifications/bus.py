"""org.freedesktop.Notifications over D-Bus. Only Linux has jeepney, so only what shows a notification loads this."""

import contextlib
import queue
from collections.abc import Callable
from typing import Any, Final

from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, MatchRule, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from gui.notifications.news import News

NAME: Final = "org.freedesktop.Notifications"
ADDRESS: Final = DBusAddress("/org/freedesktop/Notifications", NAME, NAME)
REPLY_MAX_S: Final = 30.0  # the bus may have to start the service first
TASK_POLL_S: Final = 0.2  # between two looks for a task, only while a notification is shown
CLICK: Final = "default"  # the action of a click on the notification itself
# No bus, one that cannot be reached, no service on it, or one that ends meanwhile.
NO_SERVICE: Final = (KeyError, ValueError, RuntimeError, OSError, DBusErrorResponse)

Tasks = queue.SimpleQueue[News | None]  # None withdraws what is shown


def show(news: News, tasks: Tasks, icon: str, clicked: Callable[[], None]) -> None:
    """Show a notification and what comes in its place, and return when it is gone; at once where there is no service.

    It stays connected until then: some services drop the notifications of a program that has left the bus.
    """
    with contextlib.suppress(*NO_SERVICE), open_dbus_connection() as connection:
        _Notification(connection, icon, clicked).stay(news, tasks)


class _Notification:
    """The one that is shown."""

    def __init__(self, connection: DBusConnection, icon: str, clicked: Callable[[], None]) -> None:
        self._connection, self._icon, self._clicked = connection, icon, clicked
        self._id = 0

    def stay(self, news: News, tasks: Tasks) -> None:
        """Show news, and what comes in their place, until it is closed, clicked or withdrawn."""
        rule = MatchRule(type="signal", interface=NAME, path=ADDRESS.object_path)
        self._ask(message_bus.AddMatch(rule))
        with self._connection.filter(rule, bufsize=None) as signals:
            self._notify(news)
            while self._is_there(signals):
                with contextlib.suppress(queue.Empty):
                    if (task := tasks.get_nowait()) is None:
                        self._call("CloseNotification", "u", (self._id,))
                        return
                    self._notify(task)

    def _notify(self, news: News) -> None:
        """Show this, in place of what is shown."""
        hints = {"desktop-entry": ("s", "mark-i"), "urgency": ("y", 1)}
        body = ("MARK-I", self._id, self._icon, news.title, news.text, [CLICK, "Show"], hints, -1)
        (self._id,) = self._call("Notify", "susssasa{sv}i", body)

    def _is_there(self, signals: Any) -> bool:  # noqa: ANN401 - jeepney has no types
        """Wait a moment for a click, and tell whether the notification is still there."""
        try:
            message = self._connection.recv_until_filtered(signals, timeout=TASK_POLL_S)
        except TimeoutError:
            return True
        name, (number, *about) = message.header.fields[HeaderFields.member], message.body
        if number == self._id and name == "ActionInvoked" and about == [CLICK]:
            self._clicked()
        return not (number == self._id and name == "NotificationClosed")

    def _call(self, method: str, signature: str, body: tuple[object, ...]) -> Any:  # noqa: ANN401 - by the method
        return self._ask(new_method_call(ADDRESS, method, signature, body))

    def _ask(self, message: Any) -> Any:  # noqa: ANN401 - jeepney has no types
        return unwrap_msg(self._connection.send_and_get_reply(message, timeout=REPLY_MAX_S))
