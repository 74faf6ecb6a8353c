"""The person's browser."""

import subprocess
import sys
from pathlib import Path
from threading import Thread


def open_in_browser(file: Path) -> None:
    """Show a file there, where there is one; nothing is waited for.

    A process of its own does it, without a terminal: where there is only a browser for terminals, it would take the one
    from which the window was opened.
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
