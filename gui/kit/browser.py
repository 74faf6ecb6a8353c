"""The person's web browser."""

import subprocess
import sys
from pathlib import Path
from threading import Thread


def open_in_browser(what: Path | str) -> None:
    """Show a page, or a file with the program that the desktop has for it, or else in the browser, without waiting.

    A separate process does it, without a terminal: a text-mode browser would otherwise take over the one from which
    the window was opened.
    """
    address = what if isinstance(what, str) else what.resolve().as_uri()
    command = [sys.executable, "-I", "-m", "webbrowser", address]
    null = subprocess.DEVNULL
    streams = {"stdin": null, "stdout": null, "stderr": null}
    Thread(
        target=subprocess.run,
        args=(command,),
        kwargs={**streams, "start_new_session": True},
        name="browser",
        daemon=True,
    ).start()
