"""A virtual desktop for a VNC viewer on this machine, through `x11vnc`."""

import os
import secrets
import subprocess
import tempfile
import threading
from typing import Final, Self

from toolbelt.desktops.virtual import xvfb_keeper
from toolbelt.desktops.virtual.kept import KeptDesktop
from world_model import DesktopError

PROGRAM: Final = "x11vnc"  # the name of its Debian package, too
FIRST_PORT: Final = 5900  # where VNC viewers look first; the next one that is free is taken
PASSWORD_BYTES: Final = 6  # eight characters: the protocol knows no more of a password
END_MAX_S: Final = 5.0
OPTIONS: Final = (
    "-localhost",
    "-noipv6",
    "-norc",
    "-noremote",
    "-nolookup",
    "-forever",
    "-shared",
    "-nobell",
    "-quiet",
)


class VncServer:
    """Serves a desktop on the loopback interface until it is left, this process ends, or the desktop does.

    Attributes:
        password: A new one each time.
        port: Where it listens.

    Raises:
        DesktopError: x11vnc is not installed, or does not start.
    """

    def __init__(self, desktop: KeptDesktop) -> None:
        self.password = secrets.token_urlsafe(PASSWORD_BYTES)
        with tempfile.NamedTemporaryFile(
            "w", prefix="mark-i-vnc-", encoding="utf-8"
        ) as file:  # only its owner reads it
            file.write(self.password)
            file.flush()
            command = [PROGRAM, "-display", desktop.display, "-autoport", str(FIRST_PORT), "-passwdfile", file.name]
            # Marked as a service of the desktop: it is none of the agent's programs, and ends with it.
            marked = {xvfb_keeper.MARK: desktop.mark + xvfb_keeper.BUS}
            own = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
            readable, writable = os.pipe()
            try:
                self._process = xvfb_keeper.launch([*command, *OPTIONS], own | marked, writable)
            except FileNotFoundError as error:
                os.close(readable)
                raise DesktopError(
                    f"VNC needs {PROGRAM}, which is not installed: sudo apt-get install {PROGRAM}"
                ) from error
            finally:
                os.close(writable)
            self._said = os.fdopen(readable, encoding="utf-8", errors="replace")
            self.port = self._begun()
        self._reader = threading.Thread(target=self._said.read, name=PROGRAM, daemon=True)  # it blocks if nobody reads
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._end()
        self._reader.join()
        self._said.close()

    @property
    def is_running(self) -> bool:
        """Whether it still serves."""
        return self._process.poll() is None

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(END_MAX_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _begun(self) -> int:
        """Return the port, once it listens."""
        lines = []
        for line in self._said:
            lines.append(line.strip())
            if line.startswith("PORT="):
                return int(line.removeprefix("PORT="))
        self._end()
        self._said.close()
        told = next((line for line in reversed(lines) if line), "it said nothing")
        raise DesktopError(f"{PROGRAM} did not start: {told}")
