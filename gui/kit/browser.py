"""The person's web browser."""

import subprocess
import sys
from pathlib import Path
from threading import Thread


def open_in_browser(file: Path) -> None:
    """Show a file in the browser, if there is one, without waiting.

    A separate process does it, without a terminal: a text-mode browser would otherwise take over the one from which
    the window was opened.
    """
    command = [sys.executable, "-I", "-m", "webbrowser", file.resolve().as_uri()]
    null = subprocess.DEVNULL
    streams = {"stdin": null, "stdout": null, "stderr": null}
    Thread(
        target=subprocess.run,
        args=(command,),
        kwargs={**streams, "start_new_session": True},
        name="browser",
        daemon=True,
    ).start()
