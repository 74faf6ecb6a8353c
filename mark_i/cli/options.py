"""Options that commands share (`--virtual [WxH]`, `--json`), and stopping on signals."""

import os
import re
import signal
import socket
import sys
import threading
from typing import Final

import click

from mark_i.events import EXIT_CODES
from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE
from world_model import Size

HANGUP: Final = (signal.SIGHUP,) if sys.platform != "win32" else ()  # sent when the terminal is closed
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, *HANGUP)


class WithVirtual(click.Command):
    """A command with `--virtual [WxH]`: without a size, the goal that follows is not mistaken for it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default size if it was left out."""
        given = list(args)
        for index, word in enumerate(args):
            following = args[index + 1] if index + 1 < len(args) else ""
            if word == "--virtual" and not re.fullmatch(r"\d+[xX]?\d*", following):
                given[index] = f"--virtual={DEFAULT_SIZE}"
            if word == "--":
                break
        return super().parse_args(ctx, given)


def _size(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Size | None:
    try:
        return Size.parse(value) if value else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


virtual_option = click.option(
    "--virtual",
    metavar="[WxH]",
    callback=_size,
    help="Use a virtual desktop, 1920x1080 without a size. The default without a display.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")

debug_option = click.option(
    "--debug", is_flag=True, help="Keep the scratchpad in the run's folder, and print it at the end."
)


def heeded() -> list[signal.Signals]:
    """Return the signals that stop a run; one that was ignored from the start, as by `nohup`, stays ignored."""
    return [number for number in STOPPING if signal.getsignal(number) != signal.SIG_IGN]


def stopped_on_signals() -> Control:
    """Return a control that these signals stop."""
    control = Control()
    stop_on_signals(control)
    return control


def stop_on_signals(control: Control) -> None:
    """Stop the run on Ctrl-C, SIGTERM or a closed terminal; exit at once on the second signal."""
    # Python runs a signal handler on the main thread once that thread wakes up, and it may just be going to sleep.
    # So the signal wakes another thread, through a socket that Python writes to without blocking.
    readable, writable = socket.socketpair()
    writable.setblocking(False)  # noqa: FBT003 - it takes no keyword
    signal.set_wakeup_fd(writable.fileno(), warn_on_full_buffer=False)
    for number in heeded():
        signal.signal(number, lambda _number, _frame: None)
    threading.Thread(target=_stop_at, args=(readable, writable, control), name="signals", daemon=True).start()


def _stop_at(signals: socket.socket, _kept_open: socket.socket, control: Control) -> None:
    while number := signals.recv(1):
        if number[0] not in STOPPING:
            continue
        if control.stopped and number[0] not in HANGUP:  # a hangup comes from the terminal, and again from its shell
            os._exit(EXIT_CODES["stopped"])
        control.stop()
